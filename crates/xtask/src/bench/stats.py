"""One statistic of scipy: its CPU seconds as a line of JSON. Importing and reading are not measured, and quick
calls are repeated: the time is the median.

    stats.py generate PAIRS DIFFERENCES        writes seeded differences, one a line; needs no scipy
    stats.py STATISTIC DIFFERENCES DRAWS       STATISTIC is one of the functions below
"""

import json
import random
import statistics
import sys
import time


def generate(pairs, path):
    """None is 0: dropping zeros, which scipy does not, would flatter the other side."""
    source = random.Random(7)
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(f"{source.gauss(0.003, 0.3)!r}\n" for _ in range(int(pairs)))


def sign_flip(values, draws, batch=None):
    import numpy as np
    from scipy import stats

    def call(seed):
        return stats.permutation_test(
            (values,), lambda x, axis: np.mean(x, axis=axis), permutation_type="samples", vectorized=True,
            n_resamples=draws, batch=batch, rng=np.random.default_rng(seed),
        ).pvalue

    return call


def sign_flip_batches(values, draws):
    """The same in batches, which is easier on memory and caches."""
    return sign_flip(values, draws, batch=1000)


def sign_flip_numpy(values, draws):
    """By hand: a matrix of signs times the differences, in batches."""
    import numpy as np

    def call(seed):
        rng, seen, extreme = np.random.default_rng(seed), abs(values.sum()), 0
        for start in range(0, draws, 1000):
            signs = rng.integers(0, 2, (min(1000, draws - start), len(values)), dtype=np.int8) * 2.0 - 1.0
            extreme += np.count_nonzero(abs(signs @ values) >= seen)
        return (extreme + 1) / (draws + 1)

    return call


def bca(values, draws):
    import numpy as np
    from scipy import stats

    def call(seed):
        return stats.bootstrap(
            (values,), np.mean, n_resamples=draws, method="BCa", rng=np.random.default_rng(seed)
        ).confidence_interval.low

    return call


def main():
    if sys.argv[1] == "generate":
        return generate(*sys.argv[2:])
    statistic, path, draws = sys.argv[1:]
    import numpy as np
    import scipy

    call = globals()[statistic](np.loadtxt(path), int(draws))
    seconds = []
    while len(seconds) < 11 and sum(seconds) < 1:
        start = time.process_time()
        result = call(1)
        seconds.append(time.process_time() - start)
    package = np if statistic.endswith("numpy") else scipy
    measured = {"version": package.__version__, "seconds": statistics.median(seconds), "result": float(result)}
    print(json.dumps(measured))


main()
