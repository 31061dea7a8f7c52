"""Records what scipy says about real paired differences, for the tests of `rankgate_metrics::stats`.

    python3 -m venv /tmp/venv && /tmp/venv/bin/pip install scipy==1.17.1
    /tmp/venv/bin/python crates/rankgate-metrics/tests/record_scipy.py SHARED > crates/rankgate-metrics/tests/data/scipy.json

SHARED is the folder of the shared test data. Only results of scipy are written, never the values they were computed
from: the tests read those from the same place. Differences are candidate minus baseline, in byte order of the ids of
the questions. Takes a few minutes.
"""

import json
import sys
from pathlib import Path

import numpy as np
import scipy
from scipy import stats

ALTERNATIVES = {"less": "less", "greater": "greater", "two_sided": "two-sided"}
MEASURES = ["nDCG@10", "recall@10", "MRR@10"]
CONFIDENCE = 0.95
DRAWS = 2_000
REPEATS = 20
RANDOM_DRAWS = 20_000


def per_query(folder, system):
    """The values of a system: question -> measure -> value."""
    lines = (folder / "runs" / f"{system}.perquery.tsv").read_text(encoding="utf-8").splitlines()
    names = lines[0].split("\t")[1:]
    rows = (line.split("\t") for line in lines[1:])
    return {row[0]: dict(zip(names, map(float, row[1:]))) for row in rows}


def differences(candidate, baseline, measure):
    order = sorted(baseline, key=lambda id: id.encode())
    return np.array([candidate[id][measure] - baseline[id][measure] for id in order])


def selected(d, kind, count):
    """Some of the differences: the first ones, the first that are not 0, or the first of each size."""
    if kind == "nonzero":
        d = d[d != 0]
    if kind == "distinct":
        d = d[d != 0]
        _, first = np.unique(np.abs(d), return_index=True)
        d = d[np.sort(first)]
    return d if count is None else d[:count]


def number(value):
    return float(value) if np.isfinite(value) else None


def result(statistic, p):
    return {"statistic": number(statistic), "p": number(p)}


def t_test(d, alternative):
    return result(*stats.ttest_1samp(d, 0.0, alternative=alternative))


def wilcoxon(d, alternative):
    if not d.any():
        return result(np.nan, np.nan)
    found = stats.wilcoxon(d, zero_method="wilcox", correction=False, method="auto", alternative=alternative)
    return result(found.statistic, found.pvalue)


def sign_flip(d, alternative, draws, seed=0):
    found = stats.permutation_test(
        (d,),
        lambda x, axis: np.sum(x, axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=draws,
        batch=1000,
        alternative=alternative,
        rng=np.random.default_rng(seed),
    )
    return result(found.statistic, found.pvalue)


def all_alternatives(test, d, *more):
    return {ours: test(d, theirs, *more) for ours, theirs in ALTERNATIVES.items()}


def bootstrap(values, method):
    """Mean and deviation of both ends over repeated bootstraps."""
    ends = []
    for seed in range(REPEATS):
        found = stats.bootstrap(
            (values,), np.mean, n_resamples=DRAWS, confidence_level=CONFIDENCE, method=method, batch=500,
            rng=np.random.default_rng(seed),
        )
        ends.append([found.confidence_interval.low, found.confidence_interval.high])
    mean, sd = np.mean(ends, axis=0), np.std(ends, axis=0, ddof=1)
    return {"method": method.lower(), "low": mean[0], "low_sd": sd[0], "high": mean[1], "high_sd": sd[1]}


def t_interval(values):
    low, high = stats.ttest_1samp(values, 0.0).confidence_interval(CONFIDENCE)
    return {"low": low, "high": high}


def sign_test(d, alternative):
    """The sign test, for whole numbers of one size."""
    signs = np.sign(d[d != 0])
    return result(signs.sum(), stats.binomtest(int((signs > 0).sum()), len(signs), alternative=alternative).pvalue)


def record(d):
    recorded = {"n": len(d), "t": all_alternatives(t_test, d), "wilcoxon": [], "exact_sign_flip": []}
    choices = [("first", n) for n in (5, 13, 14, 30, 50, 51, None)]
    choices += [("nonzero", n) for n in (5, 12, 30)] + [("distinct", n) for n in (7, 20, 50)]
    for kind, count in choices:
        part = selected(d, kind, count)
        if part.any():
            found = all_alternatives(wilcoxon, part)
            recorded["wilcoxon"].append({"kind": kind, "count": count, "n": len(part), **found})
    for kind, count in [("nonzero", 1), ("nonzero", 8), ("nonzero", 11), ("nonzero", 16)]:
        # In millionths, the last digit of the values, sums are whole and equal when they should be: scipy's tolerance
        # is a share of the sum that was seen, so where that is 0 but for rounding, rounding decides its p.
        part = np.rint(selected(d, kind, count) * 1e6)
        if 0 < len(part):
            found = all_alternatives(sign_flip, part, 2**16) if len(part) > 1 else all_alternatives(sign_test, part)
            recorded["exact_sign_flip"].append({"kind": kind, "count": count, "n": len(part), **found})
    if d.any():
        recorded["sign_test"] = all_alternatives(sign_test, d)
        recorded["t_interval"] = t_interval(d)
    return recorded


def shares():
    for successes, n in [(0, 1), (0, 20), (1, 3), (7, 10), (81, 263), (225, 225), (6001, 6980)]:
        for confidence in (0.8, 0.95, 0.99):
            found = stats.binomtest(successes, n).proportion_ci(confidence, method="wilson")
            yield {"successes": successes, "n": n, "confidence": confidence, "low": found.low, "high": found.high}


def corrections():
    rng = np.random.default_rng(5)
    for m in (1, 2, 5, 12):
        p = np.round(rng.random(m) ** 3, 6)
        yield {"p": p.tolist(), "benjamini_hochberg": stats.false_discovery_control(p).tolist()}


def effects():
    for n in (2, 10, 52, 225, 1200, 6980, 2_000_000):
        for alpha, power in [(0.05, 0.8), (0.01, 0.9)]:
            effect = (stats.t.ppf(1 - alpha, n - 1) + stats.t.ppf(power, n - 1)) * 0.3 / np.sqrt(n)
            yield {"sd": 0.3, "n": n, "alpha": alpha, "power": power, "effect": effect}


def main():
    data = Path(sys.argv[1]) / "data"
    comparisons = []
    for scores in sorted(data.glob("*/scores.json")):
        folder = scores.parent
        for pair in json.loads(scores.read_text(encoding="utf-8"))["paired_t_tests"]:
            candidate, baseline = pair.split(" minus ")
            values = per_query(folder, candidate), per_query(folder, baseline)
            for measure in MEASURES:
                d = differences(*values, measure)
                named = {"data": folder.name, "candidate": candidate, "baseline": baseline, "measure": measure}
                recorded = {**named, **record(d)}
                if measure == "nDCG@10":
                    recorded["random_sign_flip"] = all_alternatives(sign_flip, d, RANDOM_DRAWS)
                    recorded["bootstrap"] = [bootstrap(d, method) for method in ("percentile", "BCa")]
                comparisons.append(recorded)
                print(pair, measure, file=sys.stderr)
    json.dump(
        {
            "versions": {"scipy": scipy.__version__, "numpy": np.__version__},
            "confidence": CONFIDENCE,
            "draws": DRAWS,
            "repeats": REPEATS,
            "random_draws": RANDOM_DRAWS,
            "comparisons": comparisons,
            "wilson": list(shares()),
            "corrections": list(corrections()),
            "effects": list(effects()),
        },
        sys.stdout,
        separators=(",", ":"),
    )
    print()


main()
