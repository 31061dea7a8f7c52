//! Means over queries, and percentiles of run statistics.

/// The mean of a measure over the queries it applies to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mean {
    /// The mean, or `None` when the measure applies to no query: never a zero made of nothing.
    pub mean: Option<f64>,
    /// How many values the mean is made of.
    pub n: usize,
}

impl Mean {
    /// Averages values in the order given; `None` (the measure does not apply) is left out.
    ///
    /// The sum is plain and runs from left to right, as in `trec_eval`, so that printed digits
    /// agree with it when the queries come in the same order. Its error on a million values
    /// between 0 and 1 stays far below the gate's tolerance of 1e-9.
    pub fn of(values: impl IntoIterator<Item = Option<f64>>) -> Self {
        let (sum, n) =
            values.into_iter().flatten().fold((0.0, 0_usize), |(sum, n), value| (sum + value, n + 1));
        Self { mean: (n > 0).then(|| sum / n as f64), n }
    }
}

/// The `q`-quantile of ascending values by nearest rank: the smallest value that at least a share
/// `q` of all values does not exceed. The result is always one of the values.
///
/// `None` for no values, or a `q` outside 0 to 1.
pub fn percentile(sorted: &[f64], q: f64) -> Option<f64> {
    if !(0.0..=1.0).contains(&q) {
        return None;
    }
    // The product is a hair above the whole number for some q (0.07 of 100), hence the slack.
    let wanted = q * sorted.len() as f64 - 1e-9;
    sorted.iter().enumerate().find(|(index, _)| (index + 1) as f64 >= wanted).map(|(_, &value)| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_times_a_floor_is_the_floor() {
        let mean = Mean::of([Some(0.8); 10]);
        assert_eq!(mean.n, 10);
        assert!(mean.mean.is_some_and(|m| (m - 0.8).abs() < 1e-9));
    }

    #[test]
    fn a_miss_counts_and_a_case_that_is_not_asked_does_not() {
        // Reciprocal ranks 1, 1/2, 0, 0 and one case without an answer.
        let mean = Mean::of([Some(1.0), Some(0.5), None, Some(0.0), Some(0.0)]);
        assert_eq!(mean, Mean { mean: Some(0.375), n: 4 });
    }

    #[test]
    fn nothing_has_no_mean() {
        assert_eq!(Mean::of([]), Mean { mean: None, n: 0 });
        assert_eq!(Mean::of([None, None]), Mean { mean: None, n: 0 });
    }

    #[test]
    fn a_million_values_stay_within_the_tolerance() {
        let mean = Mean::of(std::iter::repeat_n(Some(0.1), 1_000_000));
        assert!(mean.mean.is_some_and(|m| (m - 0.1).abs() < 1e-9));
    }

    #[test]
    fn percentiles_are_values_that_occurred() {
        let values: Vec<f64> = (1..=100).map(f64::from).collect();
        for (q, expected) in [(0.0, 1.0), (0.07, 7.0), (0.5, 50.0), (0.95, 95.0), (0.951, 96.0), (1.0, 100.0)]
        {
            assert_eq!(percentile(&values, q), Some(expected), "q = {q}");
        }
        assert_eq!(percentile(&[3.0], 0.95), Some(3.0));
        assert_eq!(percentile(&[], 0.5), None);
        assert_eq!(percentile(&values, 1.1), None);
        assert_eq!(percentile(&values, f64::NAN), None);
    }
}
