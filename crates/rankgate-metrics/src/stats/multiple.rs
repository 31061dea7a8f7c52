//! Corrections for several comparisons: of twenty true nulls one has a p below 0.05.

/// Adjusted p-values that keep the chance of any false alarm below alpha (Holm 1979, "A simple
/// sequentially rejective multiple test procedure"), in the order given.
///
/// The smallest of m is multiplied by m, the next by m − 1, and so on; none becomes smaller than one
/// before it. A p that is no number counts as 1, and one outside 0 to 1 as the nearer end.
pub fn holm(p: &[f64]) -> Vec<f64> {
    let m = p.len();
    let mut largest = 0.0_f64;
    adjusted(
        p,
        ascending(p).into_iter().enumerate().map(|(place, (index, p))| {
            largest = largest.max((p * (m - place) as f64).min(1.0));
            (index, largest)
        }),
    )
}

/// Adjusted p-values that keep the expected share of false alarms among the alarms below alpha
/// (Benjamini & Hochberg 1995, "Controlling the false discovery rate"), in the order given.
///
/// The largest of m is multiplied by m / m, the next by m / (m − 1), and so on; none becomes larger
/// than one above it. A p that is no number counts as 1, and one outside 0 to 1 as the nearer end.
pub fn benjamini_hochberg(p: &[f64]) -> Vec<f64> {
    let m = p.len() as f64;
    let mut smallest = 1.0_f64;
    adjusted(
        p,
        ascending(p).into_iter().enumerate().rev().map(|(place, (index, p))| {
            smallest = smallest.min(p * (m / (place + 1) as f64));
            (index, smallest)
        }),
    )
}

/// Indices and values, the smallest value first.
fn ascending(p: &[f64]) -> Vec<(usize, f64)> {
    let valid = |p: f64| if p.is_nan() { 1.0 } else { p.clamp(0.0, 1.0) };
    let mut order: Vec<(usize, f64)> = p.iter().copied().map(valid).enumerate().collect();
    order.sort_by(|(_, a), (_, b)| a.total_cmp(b));
    order
}

fn adjusted(p: &[f64], values: impl Iterator<Item = (usize, f64)>) -> Vec<f64> {
    let mut adjusted = vec![1.0; p.len()];
    for (index, value) in values {
        if let Some(place) = adjusted.get_mut(index) {
            *place = value;
        }
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_close(given: &[f64], expected: &[f64]) {
        assert_eq!(given.len(), expected.len());
        assert!(given.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-15), "{given:?} {expected:?}");
    }

    #[test]
    fn worked_examples() {
        let p = [0.01, 0.04, 0.03, 0.005];
        assert_close(&holm(&p), &[0.03, 0.06, 0.06, 0.02]);
        assert_close(&benjamini_hochberg(&p), &[0.02, 0.04, 0.04, 0.02]);
    }

    #[test]
    fn none_and_one_stay_as_they_are() {
        assert!(holm(&[]).is_empty() && benjamini_hochberg(&[]).is_empty());
        assert_close(&holm(&[0.2]), &[0.2]);
        assert_close(&benjamini_hochberg(&[0.2]), &[0.2]);
    }

    #[test]
    fn what_is_no_p_is_read_as_one() {
        assert_close(&holm(&[f64::NAN, 0.01, 7.0]), &[1.0, 0.03, 1.0]);
        assert_close(&benjamini_hochberg(&[-1.0, f64::NAN]), &[0.0, 1.0]);
    }
}
