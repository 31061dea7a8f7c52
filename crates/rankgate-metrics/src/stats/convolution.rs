//! The exact distribution of a sum of whole numbers that are each taken or left by a fair coin.
//!
//! One number after the other is convolved in: the chance of each reachable sum is the mean of its
//! chance without the number and of the chance of the sum less the number. Chances instead of
//! counts, since counts of patterns double with every number and would overflow (the dynamic
//! programme is that of Pagano & Tritchler 1983, on chances).

/// About a second of additions.
const MOST_WORK: u64 = 1 << 31;
/// 64 MB of chances.
const MOST_SUMS: u64 = 1 << 23;

/// P(T ≥ `at_least`), where T adds up a random half of the weights. The weights are none 0.
///
/// `None` when that would take too long: about 2^31 steps, the sum of the weights times half their
/// number. Chances below 2e-308, far out in the tails, are taken as 0.
pub(super) fn upper_tail(mut weights: Vec<u64>, at_least: u64) -> Option<f64> {
    // From small to large the sums stay few for longest, and the order given cannot matter.
    weights.sort_unstable();
    let mut reached = 0_u64;
    let mut work = 0_u64;
    for &weight in &weights {
        reached = reached.checked_add(weight)?;
        work = work.checked_add(reached)?;
    }
    if reached > MOST_SUMS || work > MOST_WORK {
        return None;
    }
    let mut chances = Chances { from: 0, of_sum: vec![1.0] };
    let mut spare = Vec::new();
    for weight in weights {
        chances.convolve(weight, &mut spare);
    }
    Some(chances.upper_tail(at_least))
}

/// The chances of the sums `from`, `from + 1`, …; all others have none.
struct Chances {
    from: u64,
    of_sum: Vec<f64>,
}

impl Chances {
    fn convolve(&mut self, weight: u64, next: &mut Vec<f64>) {
        let shift = usize::try_from(weight).unwrap_or(usize::MAX);
        next.clear();
        next.extend(self.of_sum.iter().map(|chance| chance / 2.0));
        next.resize(self.of_sum.len().saturating_add(shift), 0.0);
        for (taken, chance) in next.iter_mut().skip(shift).zip(&self.of_sum) {
            *taken += chance / 2.0;
        }
        std::mem::swap(&mut self.of_sum, next);
        self.trim();
    }

    /// Cuts off ends too unlikely for an ordinary number: arithmetic on them is slow.
    fn trim(&mut self) {
        let is_ordinary = |chance: &f64| *chance >= f64::MIN_POSITIVE;
        let kept = self.of_sum.iter().rposition(is_ordinary).map_or(0, |last| last + 1);
        self.of_sum.truncate(kept);
        let skipped = self.of_sum.iter().position(is_ordinary).unwrap_or(0);
        if skipped > 0 {
            self.of_sum.drain(..skipped);
            self.from += skipped as u64;
        }
    }

    fn upper_tail(&self, at_least: u64) -> f64 {
        let skipped = usize::try_from(at_least.saturating_sub(self.from)).unwrap_or(usize::MAX);
        // From the unlikely end, so that small chances are not lost in large ones.
        self.of_sum.iter().skip(skipped).rev().sum::<f64>().min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_coins() {
        // Sums of {1, 2, 3}: 0 1 2 3 3 4 5 6, each with chance 1 / 8.
        for (at_least, of_eight) in [(0, 8.0), (1, 7.0), (3, 5.0), (4, 3.0), (6, 1.0), (7, 0.0)] {
            assert_eq!(upper_tail(vec![3, 1, 2], at_least), Some(of_eight / 8.0));
        }
        assert_eq!(upper_tail(vec![], 0), Some(1.0));
        assert_eq!(upper_tail(vec![], 1), Some(0.0));
    }

    #[test]
    fn the_far_tail_of_many_coins_is_cut_and_the_middle_is_not() {
        assert_eq!(upper_tail(vec![1; 1000], 1000), Some(0.5_f64.powi(1000)));
        assert_eq!(upper_tail(vec![1; 10_000], 10_000), Some(0.0));
        let half = upper_tail(vec![1; 9_999], 5_000).unwrap();
        assert!((half - 0.5).abs() < 1e-12, "{half}");
    }

    #[test]
    fn what_would_take_too_long_is_not_begun() {
        assert_eq!(upper_tail(vec![u64::MAX, 1], 1), None);
        assert_eq!(upper_tail(vec![MOST_SUMS, 1], 1), None);
        assert_eq!(upper_tail(vec![1; 100_000], 1), None);
    }
}
