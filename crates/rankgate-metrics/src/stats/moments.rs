//! Mean and spread, in one way for everything here.

/// The mean, summed from left to right as [`Mean`](crate::Mean) does it, and the standard deviation
/// with n − 1. `None` for no values, or where a sum is no finite number.
///
/// Values that are all equal have a deviation of exactly 0, and themselves as mean: their rounded
/// sum could miss both by a hair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Moments {
    pub(super) n: usize,
    pub(super) mean: f64,
    pub(super) sd: f64,
}

impl Moments {
    pub(super) fn of(values: &[f64]) -> Option<Self> {
        let n = values.len();
        let first = *values.first()?;
        if !values.iter().map(|value| value.abs()).sum::<f64>().is_finite() {
            return None;
        }
        #[expect(clippy::float_cmp, reason = "equal is meant, not close")]
        let are_equal = values.iter().all(|&value| value == first);
        if are_equal {
            return Some(Self { n, mean: first, sd: 0.0 });
        }
        let mean = values.iter().sum::<f64>() / n as f64;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let sd = (squares / (n as f64 - 1.0)).sqrt();
        sd.is_finite().then_some(Self { n, mean, sd })
    }

    pub(super) fn standard_error(self) -> f64 {
        self.sd / (self.n as f64).sqrt()
    }
}

/// The standard deviation with n − 1: 0 of one value or of equal ones, `None` of none or where a sum is no finite number.
pub fn standard_deviation(values: &[f64]) -> Option<f64> {
    Moments::of(values).map(|moments| moments.sd)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worked_example() {
        let moments = Moments::of(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]).unwrap();
        assert_eq!((moments.n, moments.mean), (8, 5.0));
        assert!((moments.sd - (32.0_f64 / 7.0).sqrt()).abs() < 1e-15);
    }

    #[test]
    fn equal_values_do_not_vary() {
        assert_eq!(Moments::of(&[0.1; 3]), Some(Moments { n: 3, mean: 0.1, sd: 0.0 }));
        assert_eq!(Moments::of(&[0.1]), Some(Moments { n: 1, mean: 0.1, sd: 0.0 }));
    }

    #[test]
    fn what_is_no_number_has_no_moments() {
        assert_eq!(Moments::of(&[]), None);
        assert_eq!(Moments::of(&[1.0, f64::NAN]), None);
        assert_eq!(Moments::of(&[1.0, f64::INFINITY]), None);
        assert_eq!(Moments::of(&[f64::MAX, f64::MAX]), None);
    }
}
