//! The normal distribution and Student's t: tails and quantiles.
//!
//! `statrs` has the functions underneath. Its own t distribution rounds away a t near 0 and its
//! quantiles drift for thousands of degrees of freedom, so both are put together here.

use statrs::distribution::{Continuous, ContinuousCDF, Normal, StudentsT};
use statrs::function::beta::checked_beta_reg;

/// From so many degrees of freedom on Student's t is the normal distribution with a correction that
/// is good to 1e-9 up to t = 15. The general formula is not: it takes differences of large logarithms.
const NEARLY_NORMAL: f64 = 1e6;

/// P(Z ≤ z).
pub(super) fn normal_below(z: f64) -> f64 {
    Normal::standard().cdf(z)
}

/// P(Z ≥ z), without the loss of digits of 1 − P(Z ≤ z).
pub(super) fn normal_above(z: f64) -> f64 {
    Normal::standard().sf(z)
}

/// The z with P(Z ≥ z) = `tail`, for a tail strictly between 0 and 1.
pub(super) fn normal_quantile_above(tail: f64) -> f64 {
    // By symmetry, so that small tails keep their digits.
    -Normal::standard().inverse_cdf(tail)
}

/// P(T ≥ t) with `df` degrees of freedom, at least 1.
///
/// 2 P(T ≥ |t|) is the regularised incomplete beta function I(df / 2, 1 / 2) at df / (df + t²)
/// (Abramowitz & Stegun 1964, 26.5.27). Near t = 0 that argument rounds to 1; its complement does
/// not, and I(1 / 2, df / 2) at the complement is what is missing to 1. Far from 0 that would lose
/// the digits of a small tail.
pub(super) fn student_above(t: f64, df: f64) -> f64 {
    let square = t * t;
    let beta = |a: f64, b: f64, x: f64| checked_beta_reg(a, b, x).unwrap_or(f64::NAN);
    let both_tails = if square.is_infinite() {
        0.0
    } else if df >= NEARLY_NORMAL {
        // Wallace 1959, "Bounds on normal approximations to Student's and the chi-square distributions".
        let z = (df * (square / df).ln_1p()).sqrt() * (8.0 * df + 1.0) / (8.0 * df + 3.0);
        2.0 * normal_above(z)
    } else if square < 4.0 {
        1.0 - beta(0.5, df / 2.0, square / (df + square))
    } else {
        beta(df / 2.0, 0.5, df / (df + square))
    };
    if t >= 0.0 { both_tails / 2.0 } else { 1.0 - both_tails / 2.0 }
}

/// The t with P(T ≥ t) = `tail`, for a tail strictly between 0 and 1.
pub(super) fn student_quantile_above(tail: f64, df: f64) -> f64 {
    if tail > 0.5 {
        return -student_quantile_above(1.0 - tail, df);
    }
    let z = normal_quantile_above(tail);
    if df >= NEARLY_NORMAL {
        // The first term of the expansion in 1 / df (Abramowitz & Stegun 1964, 26.7.5).
        return z + (z.powi(3) + z) / (4.0 * df);
    }
    let Ok(distribution) = StudentsT::new(0.0, 1.0, df) else { return z };
    // The tail is convex above 0 and heavier than the normal one, so Newton's steps from z approach
    // the root from the left and never pass it. Each doubles the digits, or t in a heavy tail.
    let mut t = z;
    for _ in 0..200 {
        let step = (student_above(t, df) - tail) / distribution.pdf(t);
        if !step.is_finite() || step <= t.abs() * 1e-15 {
            break;
        }
        t += step;
    }
    t
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64, relative: f64) -> bool {
        (a - b).abs() <= relative * b.abs()
    }

    #[test]
    fn quantiles_are_those_of_printed_tables() {
        for (tail, df, expected) in
            [(0.025, 1.0, 12.706_204_736), (0.05, 7.0, 1.894_578_605), (0.025, 30.0, 2.042_272_456)]
        {
            assert!(close(student_quantile_above(tail, df), expected, 1e-9), "{tail} {df}");
        }
        assert!(close(normal_quantile_above(0.025), 1.959_963_985, 1e-9));
        assert!(close(normal_quantile_above(1e-300), 37.047_096_299, 1e-9));
    }

    #[test]
    fn quantile_and_tail_undo_each_other() {
        for df in [1.0, 2.0, 3.0, 10.0, 99.0, 999.0, 12_345.0, 1e6, 9.9e6, 1e7, 1e9] {
            for tail in [1e-12, 1e-6, 0.005, 0.025, 0.05, 0.2, 0.4, 0.499, 0.6, 0.975] {
                let back = student_above(student_quantile_above(tail, df), df);
                assert!(close(back, tail, 1e-7), "df {df}: {tail} became {back}");
            }
        }
    }

    #[test]
    fn tails_are_smooth_at_zero_and_end_at_infinity() {
        assert_eq!(student_above(0.0, 9.0), 0.5);
        // The density at 0 of many degrees of freedom is that of the normal distribution.
        assert!(close(0.5 - student_above(1e-8, 1199.0), 3.988_591_01e-9, 1e-6));
        assert_eq!(student_above(f64::INFINITY, 9.0), 0.0);
        assert_eq!(student_above(f64::NEG_INFINITY, 9.0), 1.0);
        assert_eq!(student_above(1e300, 9.0), 0.0);
        assert!(student_above(f64::NAN, 9.0).is_nan());
    }
}
