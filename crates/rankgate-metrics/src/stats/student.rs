//! Student's t test on paired differences (Student 1908, "The probable error of a mean").

use super::distributions::student_above;
use super::hypothesis::{Alternative, Test, TestName};
use super::moments::Moments;

/// Tests whether the mean of the differences is 0: t = mean / (sd / √n) with n − 1 degrees of
/// freedom.
///
/// p is 1 without a statistic for fewer than two pairs, for differences that are all 0, and for one
/// that is no finite number. Differences that are all equal and not 0 do not vary, so t is
/// infinite: there is no statistic, and p is the limit, the smallest number there is on their
/// side and 1 on the other. With few pairs that says too much; [`sign_flip`](super::sign_flip) does
/// not.
pub fn paired_t(differences: &[f64], alternative: Alternative) -> Test {
    let name = TestName::PairedT;
    let n = differences.len();
    let nonzero = differences.iter().filter(|&&d| d != 0.0).count();
    let Some(moments) = Moments::of(differences).filter(|_| n >= 2 && nonzero > 0) else {
        return Test::silent(name, alternative, n, nonzero);
    };
    // Infinite where nothing varies.
    let t = moments.mean / moments.standard_error();
    let df = n as f64 - 1.0;
    let p = match alternative {
        Alternative::Greater => student_above(t, df),
        Alternative::Less => student_above(-t, df),
        Alternative::TwoSided => 2.0 * student_above(t.abs(), df),
    };
    Test::new(name, alternative, p, t, n, nonzero)
}

#[cfg(test)]
mod tests {
    use super::*;
    use Alternative::{Greater, Less, TwoSided};

    #[test]
    fn students_own_example() {
        // Hours of sleep gained by ten patients with two drugs, from the paper of 1908.
        let gained = [1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4];
        let test = paired_t(&gained, TwoSided);
        assert!(test.statistic.is_some_and(|t| (t - 4.062_127_683).abs() < 1e-8), "{test:?}");
        assert!((test.p - 0.002_832_89).abs() < 1e-8, "{test:?}");
        assert_eq!((test.n, test.nonzero), (10, 9));
        assert!((paired_t(&gained, Greater).p - test.p / 2.0).abs() < 1e-15);
        assert!((paired_t(&gained, Less).p - (1.0 - test.p / 2.0)).abs() < 1e-15);
    }

    #[test]
    fn what_has_no_t_is_no_evidence() {
        for differences in
            [&[][..], &[0.5], &[0.0; 5], &[0.1, f64::NAN], &[0.1, f64::INFINITY], &[f64::MAX; 9]]
        {
            let test = paired_t(differences, Greater);
            assert_eq!((test.p, test.statistic), (1.0, None), "{differences:?}");
        }
    }

    #[test]
    fn differences_that_do_not_vary_leave_no_doubt() {
        for (alternative, p) in [(Greater, f64::MIN_POSITIVE), (TwoSided, f64::MIN_POSITIVE), (Less, 1.0)] {
            let test = paired_t(&[0.1; 3], alternative);
            assert_eq!((test.p, test.statistic), (p, None));
        }
        // Equal up to rounding is nearly as certain.
        assert!(paired_t(&[0.3 - 0.2, 0.4 - 0.3, 0.1], Greater).p < 1e-20);
    }

    #[test]
    fn a_mean_of_zero_is_halfway() {
        assert_eq!(paired_t(&[1.0, -1.0], Greater).p, 0.5);
        assert_eq!(paired_t(&[1.0, -1.0], TwoSided).p, 1.0);
    }
}
