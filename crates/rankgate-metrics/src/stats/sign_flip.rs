//! The sign-flip (randomisation) test (Fisher 1935, "The design of experiments", §21; for retrieval
//! Smucker, Allan & Carterette 2007).
//!
//! If the two runs are alike, each difference could as well have had the other sign. So the sum of
//! the differences is compared with the sums under other patterns of signs: all of them where they
//! are few or whole numbers, else a random sample. A difference of 0 has no sign and takes no part.

use std::ops::Range;

use super::convolution::upper_tail;
use super::hypothesis::{Alternative, Test, TestName};
use super::rng::Stream;

/// Up to so many differences other than 0, [`sign_flip`] looks at every pattern of signs.
pub const MOST_ENUMERATED: usize = 16;

/// How many patterns [`sign_flip_counts`] draws when the numbers are too large to count them all.
pub const COUNTS_DRAWS: u32 = 100_000;

/// The seed of those draws.
pub const COUNTS_SEED: u64 = 0;

/// The exact sign-flip test on the sum of whole-number differences.
///
/// All patterns of signs are counted by convolution, which is quick for thousands of pairs as long
/// as the differences are small (10,000 pairs of differences up to 10 take less than a second).
/// When every difference is −1, 0 or 1 this is the sign test.
///
/// Without a difference other than 0, p is 1. Where the numbers are so large and so many that their
/// sums cannot be counted (about 2^31 steps), the answer is that of [`sign_flip`] with
/// [`COUNTS_DRAWS`] and [`COUNTS_SEED`]; the result then says so.
pub fn sign_flip_counts(differences: &[i64], alternative: Alternative) -> Test {
    let mut weights: Vec<u64> = differences.iter().map(|d| d.unsigned_abs()).filter(|&d| d > 0).collect();
    let nonzero = weights.len();
    let sum: i128 = differences.iter().map(|&d| i128::from(d)).sum();
    // Tens behave like ones.
    let unit = weights.iter().fold(0, |unit, &weight| greatest_common_divisor(unit, weight)).max(1);
    for weight in &mut weights {
        *weight /= unit;
    }
    let largest: i128 = weights.iter().map(|&weight| i128::from(weight)).sum();
    let toward = match alternative {
        Alternative::Greater => sum,
        Alternative::Less => -sum,
        Alternative::TwoSided => sum.abs(),
    } / i128::from(unit);
    // The positive part P of a pattern fixes its sum: 2 P − (sum of all sizes).
    let tail = u64::try_from(i128::midpoint(largest, toward))
        .ok()
        .and_then(|at_least| upper_tail(weights, at_least));
    let Some(tail) = tail else {
        let differences: Vec<f64> = differences.iter().map(|&d| d as f64).collect();
        return sign_flip(&differences, alternative, COUNTS_DRAWS, COUNTS_SEED);
    };
    let p = match alternative {
        Alternative::TwoSided => 2.0 * tail,
        Alternative::Less | Alternative::Greater => tail,
    };
    Test::new(TestName::ExactSignFlip, alternative, p, sum as f64, differences.len(), nonzero)
}

fn greatest_common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The sign-flip test on the sum of the differences.
///
/// With at most [`MOST_ENUMERATED`] differences other than 0 all patterns of signs are looked at,
/// and p is exact. Above, `draws` of them are drawn, and p is (b + 1) / (draws + 1), where b of them
/// are at least as extreme as what was seen: what was seen is one of the patterns, too, and without
/// it p could be 0 (Phipson & Smyth 2010). The draws follow from the seed and the order of the
/// differences alone.
///
/// Sums that differ by less than 1e-12 of the sum of all sizes count as equal, so that rounding
/// does not decide what is as extreme. Without a difference other than 0, or with one that is no
/// finite number, p is 1.
pub fn sign_flip(differences: &[f64], alternative: Alternative, draws: u32, seed: u64) -> Test {
    let n = differences.len();
    let flips = SignFlips::new(differences);
    let nonzero = flips.nonzero.len();
    if !flips.size.is_finite() {
        return Test::silent(TestName::ExactSignFlip, alternative, n, nonzero);
    }
    if nonzero <= MOST_ENUMERATED {
        let p = flips.share(alternative);
        return Test::new(TestName::ExactSignFlip, alternative, p, flips.sum, n, nonzero);
    }
    let exceedances = flips.exceedances(alternative, seed, 0..draws);
    let p = (exceedances as f64 + 1.0) / (f64::from(draws) + 1.0);
    Test::new(TestName::SignFlip, alternative, p, flips.sum, n, nonzero).drawn(draws, seed)
}

/// How many of these draws of [`sign_flip`] are at least as extreme as what was seen.
///
/// The counts of the parts of a range add up to the count of the range, so threads may share it.
/// Differences that are no finite numbers make every draw count.
pub fn sign_flip_exceedances(
    differences: &[f64],
    alternative: Alternative,
    seed: u64,
    draws: Range<u32>,
) -> u64 {
    let flips = SignFlips::new(differences);
    if flips.size.is_finite() { flips.exceedances(alternative, seed, draws) } else { draws.map(|_| 1).sum() }
}

/// Differences in a block: one byte of random bits chooses their signs.
const BLOCK: usize = 8;
/// Differences in a group of blocks: one random word chooses their signs.
const GROUP: usize = 64;
/// Draws that are summed side by side. With the tables of one group they fit the fastest cache.
const BATCH: u32 = 1024;

/// The signed sums of one block, by the byte that chooses the signs.
type Sums = [f64; 256];

fn signed_sums(block: &[f64]) -> Sums {
    let mut sums = [0.0; 256];
    for (bit, &difference) in block.iter().take(BLOCK).enumerate() {
        let (minus, rest) = sums.split_at_mut(1 << bit);
        for (minus, plus) in minus.iter_mut().zip(rest) {
            *plus = *minus + difference;
            *minus -= difference;
        }
    }
    // A block that is not full repeats itself: its other bits choose nothing.
    let period = 1 << block.len().min(BLOCK);
    for start in (period..sums.len()).step_by(period) {
        sums.copy_within(..period, start);
    }
    sums
}

fn looked_up(sums: &Sums, byte: u8) -> f64 {
    sums[usize::from(byte)]
}

struct SignFlips {
    nonzero: Vec<f64>,
    /// The sum that was seen.
    sum: f64,
    /// The sum of all sizes, the largest that any pattern reaches.
    size: f64,
}

impl SignFlips {
    fn new(differences: &[f64]) -> Self {
        let nonzero: Vec<f64> = differences.iter().copied().filter(|&d| d != 0.0).collect();
        let sum = nonzero.iter().sum();
        let size = nonzero.iter().map(|d| d.abs()).sum();
        Self { nonzero, sum, size }
    }

    /// Whether a sum is at least as extreme as the one that was seen.
    fn is_extreme(&self, alternative: Alternative) -> impl Fn(f64) -> bool {
        let slack = self.size * 1e-12;
        let (least, sign) = match alternative {
            Alternative::Greater => (self.sum - slack, Some(1.0)),
            Alternative::Less => (-self.sum - slack, Some(-1.0)),
            Alternative::TwoSided => (self.sum.abs() - slack, None),
        };
        move |sum: f64| sign.map_or(sum.abs(), |sign: f64| sum * sign) >= least
    }

    /// The share of all patterns of two blocks that are extreme.
    fn share(&self, alternative: Alternative) -> f64 {
        let (first, second) = self.nonzero.split_at(self.nonzero.len().min(BLOCK));
        let (first, second) = (signed_sums(first), signed_sums(second));
        let is_extreme = self.is_extreme(alternative);
        let extreme =
            first.iter().flat_map(|a| second.iter().map(move |b| a + b)).filter(|&sum| is_extreme(sum));
        extreme.count() as f64 / 65_536.0
    }

    fn exceedances(&self, alternative: Alternative, seed: u64, draws: Range<u32>) -> u64 {
        let is_extreme = self.is_extreme(alternative);
        let mut exceedances = 0;
        let mut start = draws.start;
        while start < draws.end {
            let end = draws.end.min(start.saturating_add(BATCH));
            let sums = self.drawn_sums(seed, start..end);
            exceedances += sums.into_iter().filter(|&sum| is_extreme(sum)).count() as u64;
            start = end;
        }
        exceedances
    }

    /// The sums of a batch of draws. Group after group is added to all of them, so that its tables
    /// are made once a batch; within a draw the order of additions is always the same.
    fn drawn_sums(&self, seed: u64, draws: Range<u32>) -> Vec<f64> {
        let mut batch: Vec<(Stream, f64)> = draws.map(|draw| (Stream::of_draw(seed, draw), 0.0)).collect();
        for (index, group) in (0..).zip(self.nonzero.chunks(GROUP)) {
            let mut tables = [[0.0; 256]; GROUP / BLOCK];
            for (table, block) in tables.iter_mut().zip(group.chunks(BLOCK)) {
                *table = signed_sums(block);
            }
            let [t0, t1, t2, t3, t4, t5, t6, t7] = &tables;
            for (stream, sum) in &mut batch {
                let [b0, b1, b2, b3, b4, b5, b6, b7] = stream.word(index).to_le_bytes();
                let first = (looked_up(t0, b0) + looked_up(t1, b1)) + (looked_up(t2, b2) + looked_up(t3, b3));
                let second =
                    (looked_up(t4, b4) + looked_up(t5, b5)) + (looked_up(t6, b6) + looked_up(t7, b7));
                *sum += first + second;
            }
        }
        batch.into_iter().map(|(_, sum)| sum).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Alternative::{Greater, Less, TwoSided};

    #[test]
    fn two_pairs_on_one_side() {
        // Four patterns; one of them reaches the sum 3, and one −3.
        for (alternative, p) in [(Greater, 0.25), (Less, 1.0), (TwoSided, 0.5)] {
            let test = sign_flip(&[1.0, 0.0, 2.0], alternative, 99, 1);
            assert_eq!((test.p, test.statistic, test.n, test.nonzero), (p, Some(3.0), 3, 2));
            assert_eq!((test.name, test.draws, test.seed), (TestName::ExactSignFlip, None, None));
            assert_eq!(sign_flip_counts(&[1, 0, 2], alternative), test);
        }
    }

    #[test]
    fn ones_make_the_sign_test() {
        // Of 10 fair coins at least 8 fall on one side with 56 / 1024.
        let differences = [1, 1, 1, 1, -1, 1, 1, -1, 1, 1];
        assert!((sign_flip_counts(&differences, Greater).p - 56.0 / 1024.0).abs() < 1e-15);
        assert!((sign_flip_counts(&differences, TwoSided).p - 112.0 / 1024.0).abs() < 1e-15);
        // What they are counted in does not matter.
        let tens = differences.map(|d| d * 10);
        assert_eq!(sign_flip_counts(&tens, Less).p, sign_flip_counts(&differences, Less).p);
    }

    #[test]
    fn nothing_to_flip_is_no_evidence() {
        for alternative in [Less, Greater, TwoSided] {
            assert_eq!(sign_flip_counts(&[0; 30], alternative).p, 1.0);
            assert_eq!(sign_flip_counts(&[], alternative).p, 1.0);
            assert_eq!(sign_flip(&[0.0, -0.0], alternative, 10, 0).p, 1.0);
            assert_eq!(sign_flip(&[], alternative, 10, 0).p, 1.0);
            let odd = sign_flip(&[1.0, f64::NAN, f64::INFINITY], alternative, 10, 0);
            assert_eq!((odd.p, odd.statistic), (1.0, None));
            assert_eq!(sign_flip_exceedances(&[f64::NAN], alternative, 0, 3..10), 7);
        }
    }

    #[test]
    fn rounding_does_not_decide() {
        // As written 0.1 + 0.2 is more than 0.3; all eight patterns reach 0 at least in size.
        let test = sign_flip(&[0.1, 0.2, -0.3], TwoSided, 10, 0);
        assert_eq!(test.p, 1.0);
        assert_eq!(sign_flip(&[0.1, 0.2, -0.3], Greater, 10, 0).p, 5.0 / 8.0);
    }

    #[test]
    fn seventeen_differences_are_drawn() {
        let test = sign_flip(&[1.0; 17], Greater, 999, 5);
        assert_eq!((test.name, test.draws, test.seed), (TestName::SignFlip, Some(999), Some(5)));
        assert_eq!(test.p, 1.0 / 1000.0);
        assert_eq!(sign_flip(&[1.0; 17], Greater, 0, 5).p, 1.0);
        assert_eq!(sign_flip(&[1.0; 17], Less, 99, 5).p, 1.0);
    }

    #[test]
    fn numbers_too_large_to_count_are_drawn_and_say_so() {
        let large: Vec<i64> = (0..40).map(|i| i64::MAX - i).collect();
        let test = sign_flip_counts(&large, TwoSided);
        assert_eq!((test.draws, test.seed), (Some(COUNTS_DRAWS), Some(COUNTS_SEED)));
        // Few of them are enumerated.
        let test = sign_flip_counts(&[i64::MIN, i64::MAX], Less);
        assert_eq!((test.name, test.p), (TestName::ExactSignFlip, 0.75));
    }

    #[test]
    fn a_part_of_a_block_has_the_sums_of_its_differences() {
        let sums = signed_sums(&[1.0, 10.0]);
        assert_eq!(sums[..4], [-11.0, -9.0, 9.0, 11.0]);
        assert_eq!(sums[..4], sums[252..]);
        assert_eq!(signed_sums(&[]), [0.0; 256]);
    }

    #[test]
    fn ten_thousand_pairs_are_counted() {
        let differences: Vec<i64> = (0..10_000).map(|i| [1, -1, 0, 2, -2, 3, -3, 1][i % 8]).collect();
        let test = sign_flip_counts(&differences, Greater);
        // The sum is 1250, the variance 1250 · (1 + 1 + 4 + 4 + 9 + 9 + 1) = 36250, z = 6.56.
        assert!((1e-11..1e-10).contains(&test.p), "{}", test.p);
    }
}
