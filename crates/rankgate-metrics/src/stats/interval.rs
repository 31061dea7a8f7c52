//! Intervals for a mean.

use super::distributions::{normal_below, normal_quantile_above, student_quantile_above};
use super::estimate::{Estimate, IntervalKind, is_share};
use super::moments::Moments;
use super::rng::Stream;

/// How many samples [`usual_interval`] draws.
pub const USUAL_DRAWS: u32 = 2_000;

/// Up to so many values [`usual_interval`] resamples.
pub const USUAL_MOST_RESAMPLED: usize = 1_000;

/// How to find the ends of an interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum IntervalMethod {
    /// Percentiles of the means of resampled values (Efron 1979).
    Percentile {
        /// How many samples to draw, at least 1.
        draws: u32,
    },
    /// The same, corrected for bias and skew (Efron 1987, "Better bootstrap confidence intervals").
    Bca {
        /// How many samples to draw, at least 1.
        draws: u32,
    },
    /// Student's t: mean ± t · sd / √n.
    StudentT,
}

/// The mean of values and its interval.
///
/// `None` for no values, a value that is no finite number, a confidence outside 0 to 1 (the ends
/// excluded), or no draws. A single value, and values that are all equal, say nothing about how
/// much a mean varies: both ends are the point, and nothing is drawn.
///
/// The BCa interval falls back to the percentile one, and says so, where its corrections have no
/// value: when all resampled means lie on one side of the mean, or the corrected percentiles run
/// away. The draws follow from the seed and the order of the values alone.
pub fn mean_interval(values: &[f64], confidence: f64, method: IntervalMethod, seed: u64) -> Option<Estimate> {
    let moments = Moments::of(values).filter(|_| is_share(confidence))?;
    let tail = (1.0 - confidence) / 2.0;
    let (kind, draws) = match method {
        IntervalMethod::Percentile { draws } => (IntervalKind::Percentile, Some(draws)),
        IntervalMethod::Bca { draws } => (IntervalKind::Bca, Some(draws)),
        IntervalMethod::StudentT => (IntervalKind::StudentT, None),
    };
    let point = moments.mean;
    let estimate = Estimate {
        point,
        low: point,
        high: point,
        confidence,
        n: moments.n,
        method: kind,
        draws: None,
        seed: None,
    };
    if draws == Some(0) {
        return None;
    }
    if moments.sd == 0.0 {
        return Some(estimate);
    }
    let Some(draws) = draws else {
        let margin = student_quantile_above(tail, moments.n as f64 - 1.0) * moments.standard_error();
        return finite(Estimate { low: point - margin, high: point + margin, ..estimate });
    };
    let means = resampled_means(values, draws, seed);
    let corrected = match method {
        IntervalMethod::Bca { .. } => corrected_tails(values, &moments, &means, tail),
        IntervalMethod::Percentile { .. } | IntervalMethod::StudentT => None,
    };
    let (kind, low, high) = match corrected {
        Some((low, high)) => (IntervalKind::Bca, low, high),
        None => (IntervalKind::Percentile, tail, 1.0 - tail),
    };
    finite(Estimate {
        low: quantile(&means, low),
        high: quantile(&means, high),
        method: kind,
        draws: Some(draws),
        seed: Some(seed),
        ..estimate
    })
}

/// The interval to take where nothing speaks for another one: the BCa bootstrap with
/// [`USUAL_DRAWS`] up to [`USUAL_MOST_RESAMPLED`] values, and Student's t above, where the mean of
/// values between 0 and 1 is as good as normal (DiCiccio & Efron 1996, "Bootstrap confidence
/// intervals").
pub fn usual_interval(values: &[f64], confidence: f64, seed: u64) -> Option<Estimate> {
    let method = if values.len() <= USUAL_MOST_RESAMPLED {
        IntervalMethod::Bca { draws: USUAL_DRAWS }
    } else {
        IntervalMethod::StudentT
    };
    mean_interval(values, confidence, method, seed)
}

fn finite(estimate: Estimate) -> Option<Estimate> {
    (estimate.low.is_finite() && estimate.high.is_finite()).then_some(estimate)
}

/// The means of samples drawn with replacement, ascending.
fn resampled_means(values: &[f64], draws: u32, seed: u64) -> Vec<f64> {
    let n = values.len();
    // More values than 2^32 do not fit a machine that asks for resampling.
    let bound = u32::try_from(n).unwrap_or(u32::MAX);
    let value = |index: u64| usize::try_from(index).ok().and_then(|i| values.get(i)).copied().unwrap_or(0.0);
    let mut means: Vec<f64> = (0..draws)
        .map(|draw| {
            let stream = Stream::of_draw(seed, draw);
            let (mut first, mut second) = (0.0, 0.0);
            let pairs = n as u64 / 2;
            for index in 0..pairs {
                let [a, b] = stream.pair_below(index, bound);
                first += value(a);
                second += value(b);
            }
            if n % 2 == 1 {
                let [last, _] = stream.pair_below(pairs, bound);
                first += value(last);
            }
            (first + second) / n as f64
        })
        .collect();
    means.sort_unstable_by(f64::total_cmp);
    means
}

/// The shares of resampled means below the ends of the BCa interval, or `None` where it has none.
///
/// The bias z₀ is read off the share of resampled means below the mean, half of those equal to it
/// counted. The acceleration is a sixth of the skewness of the jackknife values, and for a mean
/// these are the values themselves up to place and scale: no value has to be left out in turn.
fn corrected_tails(values: &[f64], moments: &Moments, means: &[f64], tail: f64) -> Option<(f64, f64)> {
    let deviations = || values.iter().map(|value| (value - moments.mean) / moments.sd);
    let cubes: f64 = deviations().map(|d| d.powi(3)).sum();
    let squares: f64 = deviations().map(|d| d.powi(2)).sum();
    let acceleration = cubes / (6.0 * squares.powf(1.5));

    // Sums of the same values in another order are equal up to rounding.
    let slack = values.iter().map(|value| value.abs()).sum::<f64>() / values.len() as f64 * 1e-12;
    let below = means.partition_point(|&mean| mean < moments.mean - slack);
    let not_above = means.partition_point(|&mean| mean <= moments.mean + slack);
    let share = (below + not_above) as f64 / (2.0 * means.len() as f64);
    if !is_share(share) {
        return None;
    }
    let bias = -normal_quantile_above(share);
    let corrected = |z: f64| {
        let shifted = bias + z;
        let stretch = 1.0 - acceleration * shifted;
        let share = normal_below(bias + shifted / stretch);
        (stretch > 0.0 && share.is_finite()).then_some(share)
    };
    let z = normal_quantile_above(tail);
    Some((corrected(-z)?, corrected(z)?))
}

/// The quantile of ascending values, between two of them in proportion, as numpy has it.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * (sorted.len() as f64 - 1.0);
    let mut around = sorted.iter().zip(0_u32..).skip_while(|&(_, index)| f64::from(index) + 1.0 <= place);
    match (around.next(), around.next()) {
        (Some((low, index)), Some((high, _))) => low + (high - low) * (place - f64::from(index)),
        (Some((low, _)), None) => *low,
        (None, _) => f64::NAN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [IntervalMethod; 3] = [
        IntervalMethod::Percentile { draws: 500 },
        IntervalMethod::Bca { draws: 500 },
        IntervalMethod::StudentT,
    ];

    #[test]
    fn students_interval_of_his_own_example() {
        let gained = [1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4];
        let interval = mean_interval(&gained, 0.95, IntervalMethod::StudentT, 0).unwrap();
        assert!((interval.low - 0.700_114_2).abs() < 1e-6, "{interval:?}");
        assert!((interval.high - 2.459_885_8).abs() < 1e-6, "{interval:?}");
        assert_eq!((interval.draws, interval.seed), (None, None));
    }

    #[test]
    fn what_does_not_vary_has_an_interval_without_width() {
        for method in ALL {
            for values in [&[0.7][..], &[0.1; 30], &[0.0; 2]] {
                let interval = mean_interval(values, 0.95, method, 1).unwrap();
                assert_eq!((interval.low, interval.high), (interval.point, interval.point));
                assert_eq!((interval.point, interval.draws), (values[0], None));
            }
        }
    }

    #[test]
    fn nothing_has_no_interval() {
        for method in ALL {
            assert_eq!(mean_interval(&[], 0.95, method, 0), None);
            assert_eq!(mean_interval(&[0.5, f64::NAN], 0.95, method, 0), None);
            for confidence in [0.0, 1.0, -1.0, f64::NAN] {
                assert_eq!(mean_interval(&[0.5, 0.6], confidence, method, 0), None);
            }
        }
        assert_eq!(mean_interval(&[0.5, 0.6], 0.9, IntervalMethod::Bca { draws: 0 }, 0), None);
        assert_eq!(mean_interval(&[1e308, -1e308, 1.0], 0.9, IntervalMethod::StudentT, 0), None);
    }

    #[test]
    fn skew_moves_the_corrected_interval() {
        // Misses among hits: the mean may be further below than above.
        let values: Vec<f64> = (0..40).map(|i| if i % 10 == 0 { 0.0 } else { 1.0 }).collect();
        let plain = mean_interval(&values, 0.95, ALL[0], 3).unwrap();
        let corrected = mean_interval(&values, 0.95, ALL[1], 3).unwrap();
        assert_eq!((plain.method, corrected.method), (IntervalKind::Percentile, IntervalKind::Bca));
        assert!(corrected.low < plain.low && corrected.high <= plain.high, "{corrected:?} {plain:?}");
    }

    #[test]
    fn one_draw_falls_back_to_percentiles() {
        let interval = mean_interval(&[0.0, 0.1, 1.0], 0.95, IntervalMethod::Bca { draws: 1 }, 2).unwrap();
        assert_eq!(interval.method, IntervalKind::Percentile);
        assert_eq!(interval.low, interval.high);
    }

    #[test]
    fn the_usual_interval_resamples_few_values_only() {
        let values: Vec<f64> = (0..1001).map(|i| f64::from(i % 7) / 6.0).collect();
        let few = usual_interval(&values[..1000], 0.95, 9).unwrap();
        assert_eq!((few.method, few.draws, few.seed), (IntervalKind::Bca, Some(2000), Some(9)));
        let many = usual_interval(&values, 0.95, 9).unwrap();
        assert_eq!((many.method, many.draws), (IntervalKind::StudentT, None));
        // With so many values they agree.
        assert!((few.low - many.low).abs() < 0.005 && (few.high - many.high).abs() < 0.005);
    }

    #[test]
    fn quantiles_lie_between_values_in_proportion() {
        let sorted = [1.0, 2.0, 4.0];
        for (share, expected) in [(0.0, 1.0), (0.25, 1.5), (0.5, 2.0), (0.75, 3.0), (1.0, 4.0)] {
            assert_eq!(quantile(&sorted, share), expected);
        }
    }
}
