//! The score interval of a share (Wilson 1927, "Probable inference, the law of succession, and
//! statistical inference").

use super::distributions::normal_quantile_above;
use super::estimate::{Estimate, IntervalKind, is_share};

/// The share of successes among `n` and its interval. Unlike mean ± z · sd it has a width at 0 and
/// at 1, and stays between them.
///
/// `None` when `n` is 0, there are more successes than `n`, or the confidence is not between 0 and
/// 1 (the ends excluded).
pub fn wilson(successes: usize, n: usize, confidence: f64) -> Option<Estimate> {
    if n == 0 || successes > n || !is_share(confidence) {
        return None;
    }
    let z = normal_quantile_above((1.0 - confidence) / 2.0);
    let (count, point) = (n as f64, successes as f64 / n as f64);
    let shrunk = 1.0 + z * z / count;
    let centre = (point + z * z / (2.0 * count)) / shrunk;
    let margin = z / shrunk * (point * (1.0 - point) / count + z * z / (4.0 * count * count)).sqrt();
    // Exactly 0 and 1 at the ends, where rounding could pass them.
    let low = if successes == 0 { 0.0 } else { (centre - margin).clamp(0.0, point) };
    let high = if successes == n { 1.0 } else { (centre + margin).clamp(point, 1.0) };
    Some(Estimate { point, low, high, confidence, n, method: IntervalKind::Wilson, draws: None, seed: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worked_example() {
        // Newcombe 1998, table I: 81 of 263 and 0 of 20.
        let interval = wilson(81, 263, 0.95).unwrap();
        assert!(
            (interval.low - 0.2553).abs() < 5e-5 && (interval.high - 0.3662).abs() < 5e-5,
            "{interval:?}"
        );
        let interval = wilson(0, 20, 0.95).unwrap();
        assert!(interval.low == 0.0 && (interval.high - 0.1611).abs() < 5e-5, "{interval:?}");
        assert_eq!(wilson(20, 20, 0.95).unwrap().high, 1.0);
    }

    #[test]
    fn a_share_of_nothing_has_no_interval() {
        assert_eq!(wilson(0, 0, 0.95), None);
        assert_eq!(wilson(2, 1, 0.95), None);
        assert_eq!(wilson(1, 2, 1.0), None);
        assert_eq!(wilson(1, 2, f64::NAN), None);
    }
}
