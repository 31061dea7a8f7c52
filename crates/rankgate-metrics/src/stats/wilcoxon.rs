//! Wilcoxon's signed-rank test (Wilcoxon 1945, "Individual comparisons by ranking methods").

use super::convolution::upper_tail;
use super::distributions::normal_above;
use super::hypothesis::{Alternative, Test, TestName};

/// Up to so many pairs the distribution of the rank sum is exact if no two sizes are equal.
const MOST_EXACT: usize = 50;
/// Up to so many pairs it is exact in any case.
const MOST_EXACT_WITH_TIES: usize = 13;

/// Tests whether the differences lie symmetrically about 0, by the ranks of their sizes.
///
/// Differences of 0 are dropped, and equal sizes share the mean of their ranks. The statistic is the
/// rank sum of the positive differences, or for two sides the smaller one of both sums, as scipy's
/// `wilcoxon(zero_method="wilcox", correction=False, method="auto")` has it, and the choice of the
/// distribution is that of scipy as well:
///
///  - exact for at most 50 pairs without ties and zeros, and for at most 13 pairs in any case;
///  - else normal, with the variance corrected for ties and no correction for continuity.
///
/// Sizes are compared as they are: 0.3 − 0.2 and 0.2 − 0.1 are two sizes. p is 1 where no difference
/// is other than 0, and where one is no finite number.
pub fn wilcoxon(differences: &[f64], alternative: Alternative) -> Test {
    let n = differences.len();
    let mut nonzero: Vec<f64> = differences.iter().copied().filter(|&d| d != 0.0).collect();
    if !nonzero.iter().all(|d| d.is_finite()) {
        return Test::silent(TestName::Wilcoxon, alternative, n, nonzero.len());
    }
    nonzero.sort_unstable_by(|a, b| a.abs().total_cmp(&b.abs()));
    let ranks = Ranks::of(&nonzero);
    let positive = ranks.positive as f64 / 2.0;
    let statistic = match alternative {
        Alternative::TwoSided => positive.min((ranks.total() - ranks.positive) as f64 / 2.0),
        Alternative::Less | Alternative::Greater => positive,
    };
    let is_plain = nonzero.len() == n && !ranks.has_ties;
    let exact = (n <= MOST_EXACT_WITH_TIES || (n <= MOST_EXACT && is_plain))
        .then(|| ranks.exact_p(alternative))
        .flatten();
    let (name, p) = match exact {
        Some(p) => (TestName::ExactWilcoxon, p),
        None => (TestName::Wilcoxon, ranks.normal_p(alternative)),
    };
    Test::new(name, alternative, p, statistic, n, nonzero.len())
}

/// Ranks and their sums, doubled: so the mean of two ranks is a whole number.
struct Ranks {
    doubled: Vec<u64>,
    positive: u64,
    has_ties: bool,
    /// Σ t³ − t over the groups of t equal sizes.
    tie_term: f64,
}

impl Ranks {
    /// The ranks of differences in order of their sizes.
    fn of(by_size: &[f64]) -> Self {
        let mut ranks =
            Self { doubled: Vec::with_capacity(by_size.len()), positive: 0, has_ties: false, tie_term: 0.0 };
        for tied in by_size.chunk_by(|a, b| a.abs().to_bits() == b.abs().to_bits()) {
            // Ranks from before + 1 to before + t have this mean, doubled.
            let doubled = 2 * ranks.doubled.len() as u64 + tied.len() as u64 + 1;
            ranks.positive += doubled * tied.iter().filter(|&&d| d > 0.0).count() as u64;
            ranks.doubled.extend(std::iter::repeat_n(doubled, tied.len()));
            ranks.has_ties |= tied.len() > 1;
            let size = tied.len() as f64;
            ranks.tie_term += size.powi(3) - size;
        }
        ranks
    }

    fn total(&self) -> u64 {
        let n = self.doubled.len() as u64;
        n * (n + 1)
    }

    fn exact_p(&self, alternative: Alternative) -> Option<f64> {
        let negative = self.total() - self.positive;
        let sides = match alternative {
            Alternative::TwoSided => 2.0,
            Alternative::Less | Alternative::Greater => 1.0,
        };
        let toward = match alternative {
            Alternative::Greater => self.positive,
            Alternative::Less => negative,
            Alternative::TwoSided => self.positive.max(negative),
        };
        upper_tail(self.doubled.clone(), toward).map(|tail| sides * tail)
    }

    fn normal_p(&self, alternative: Alternative) -> f64 {
        let n = self.doubled.len() as f64;
        let variance = (n * (n + 1.0) * (2.0 * n + 1.0) - self.tie_term / 2.0) / 24.0;
        // 0 / 0 without ranks: no evidence.
        let z = (self.positive as f64 / 2.0 - n * (n + 1.0) / 4.0) / variance.sqrt();
        match alternative {
            Alternative::Greater => normal_above(z),
            Alternative::Less => normal_above(-z),
            Alternative::TwoSided => 2.0 * normal_above(z.abs()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Alternative::{Greater, Less, TwoSided};

    #[test]
    fn three_ranks_by_hand() {
        // Ranks 1, 2, 3 with signs +, −, +: W+ = 4. Of the eight sums 0 1 2 3 3 4 5 6 three reach 4.
        for (alternative, w, p) in [(Greater, 4.0, 0.375), (Less, 4.0, 0.75), (TwoSided, 2.0, 0.75)] {
            let test = wilcoxon(&[0.1, -0.2, 0.3], alternative);
            assert_eq!((test.name, test.statistic), (TestName::ExactWilcoxon, Some(w)));
            assert!((test.p - p).abs() < 1e-15, "{test:?}");
        }
    }

    #[test]
    fn ties_share_their_ranks() {
        let test = wilcoxon(&[1.0, 1.0, -2.0, 0.0], Greater);
        // Ranks 1.5, 1.5, 3: the sums are 0 1.5 1.5 3 3 4.5 4.5 6, and five of them reach 3.
        assert_eq!((test.statistic, test.p, test.n, test.nonzero), (Some(3.0), 5.0 / 8.0, 4, 3));
        assert_eq!(wilcoxon(&[1.0; 14], TwoSided).name, TestName::Wilcoxon);
    }

    #[test]
    fn no_ranks_are_no_evidence() {
        for differences in [&[][..], &[0.0; 3], &[0.0; 60], &[1.0, f64::NAN], &[f64::NEG_INFINITY]] {
            for alternative in [Less, Greater, TwoSided] {
                assert_eq!(wilcoxon(differences, alternative).p, 1.0, "{differences:?}");
            }
        }
    }
}
