//! What holds for any differences.

use proptest::prelude::*;
use rankgate_metrics::stats::{
    Alternative, IntervalMethod, Test, TestName, benjamini_hochberg, holm, mean_interval,
    minimum_detectable_effect, paired_t, sample_size, sign_flip, sign_flip_counts, usual_interval, wilcoxon,
    wilson,
};

use crate::{ALTERNATIVES, is_close};

const DRAWS: u32 = 99;

fn all_tests(differences: &[f64], alternative: Alternative) -> [Test; 3] {
    [
        sign_flip(differences, alternative, DRAWS, 1),
        paired_t(differences, alternative),
        wilcoxon(differences, alternative),
    ]
}

/// Values as measures have them: a few round ones, often equal, and any others.
fn difference() -> impl Strategy<Value = f64> {
    prop_oneof![
        3 => (-4_i8..=4).prop_map(|quarters| f64::from(quarters) / 4.0),
        2 => -1.0..=1.0_f64,
    ]
}

fn differences(most: usize) -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(difference(), 0..=most)
}

fn anything() -> impl Strategy<Value = Vec<f64>> {
    let odd =
        prop_oneof![Just(f64::NAN), Just(f64::INFINITY), Just(f64::MAX), Just(f64::MIN_POSITIVE), Just(-0.0)];
    prop::collection::vec(prop_oneof![5 => difference(), 1 => any::<f64>(), 1 => odd], 0..30)
}

fn shuffled() -> impl Strategy<Value = (Vec<f64>, Vec<f64>)> {
    differences(16).prop_flat_map(|d| (Just(d.clone()), Just(d).prop_shuffle()))
}

/// Every pattern of signs, one after the other.
fn enumerated(differences: &[i64], alternative: Alternative) -> f64 {
    let seen: i64 = differences.iter().sum();
    let is_extreme = |sum: i64| match alternative {
        Alternative::Less => sum <= seen,
        Alternative::Greater => sum >= seen,
        Alternative::TwoSided => sum.abs() >= seen.abs(),
    };
    let patterns = 1_u32 << differences.len();
    let extreme = (0..patterns).filter(|pattern| {
        let signed = |(bit, &d): (usize, &i64)| if pattern >> bit & 1 == 1 { -d } else { d };
        is_extreme(differences.iter().enumerate().map(signed).sum())
    });
    extreme.count() as f64 / f64::from(patterns)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn p_is_a_chance_whatever_is_given(differences in anything()) {
        for alternative in ALTERNATIVES {
            for test in all_tests(&differences, alternative) {
                prop_assert!(test.p > 0.0 && test.p <= 1.0, "{:?}", test);
                prop_assert!(test.statistic.is_none_or(f64::is_finite), "{:?}", test);
                prop_assert!(test.n == differences.len() && test.nonzero <= test.n);
            }
        }
    }

    #[test]
    fn whole_numbers_of_any_size_have_a_p(
        differences in prop::collection::vec(prop_oneof![any::<i64>(), -3..=3_i64], 0..12),
    ) {
        for alternative in ALTERNATIVES {
            let test = sign_flip_counts(&differences, alternative);
            prop_assert!(test.p > 0.0 && test.p <= 1.0, "{:?}", test);
        }
    }

    #[test]
    fn the_other_side_is_the_mirror(differences in differences(40)) {
        let mirrored: Vec<f64> = differences.iter().map(|d| -d).collect();
        let less = all_tests(&differences, Alternative::Less);
        let greater = all_tests(&mirrored, Alternative::Greater);
        let both = all_tests(&differences, Alternative::TwoSided);
        let mirrored_both = all_tests(&mirrored, Alternative::TwoSided);
        for (a, b) in less.iter().zip(&greater).chain(both.iter().zip(&mirrored_both)) {
            // Flipped again, each draw is another pattern.
            if a.name == TestName::SignFlip {
                continue;
            }
            prop_assert!(is_close(a.p, b.p, 1e-12), "{:?} {:?}", a, b);
        }
    }

    #[test]
    fn one_side_is_never_weaker_than_two(differences in differences(60)) {
        let [less, greater, both] = ALTERNATIVES.map(|alternative| all_tests(&differences, alternative));
        for ((less, greater), both) in less.iter().zip(&greater).zip(&both) {
            prop_assert!(both.p >= less.p.min(greater.p) * (1.0 - 1e-12), "{:?} {:?} {:?}", less, greater, both);
        }
    }

    #[test]
    fn the_order_of_pairs_does_not_matter((differences, other) in shuffled()) {
        for alternative in ALTERNATIVES {
            prop_assert_eq!(
                sign_flip(&differences, alternative, DRAWS, 1).p,
                sign_flip(&other, alternative, DRAWS, 1).p
            );
            prop_assert_eq!(wilcoxon(&differences, alternative), wilcoxon(&other, alternative));
            let (a, b) = (paired_t(&differences, alternative).p, paired_t(&other, alternative).p);
            prop_assert!((a - b).abs() < 1e-9, "{} {}", a, b);
        }
    }

    #[test]
    fn zeros_change_no_sign_flip(differences in differences(30), zeros in 0..9_usize) {
        let mut more = vec![0.0; zeros];
        more.extend(&differences);
        for alternative in ALTERNATIVES {
            let (without, with) =
                (sign_flip(&differences, alternative, DRAWS, 1), sign_flip(&more, alternative, DRAWS, 1));
            prop_assert_eq!((without.p, without.n + zeros), (with.p, with.n));
        }
    }

    #[test]
    fn convolution_is_enumeration(differences in prop::collection::vec(-9..=9_i64, 0..11), unit in 1..4_i64) {
        let differences: Vec<i64> = differences.iter().map(|d| d * unit).collect();
        let real: Vec<f64> = differences.iter().map(|&d| d as f64).collect();
        for alternative in ALTERNATIVES {
            let expected = enumerated(&differences, alternative);
            let counted = sign_flip_counts(&differences, alternative);
            prop_assert!(is_close(counted.p, expected, 1e-12), "{:?} {}", counted, expected);
            prop_assert_eq!(sign_flip(&real, alternative, DRAWS, 1).p, expected);
        }
    }

    #[test]
    fn drawn_and_counted_agree(differences in prop::collection::vec(-5..=5_i64, 20..60)) {
        let real: Vec<f64> = differences.iter().map(|&d| d as f64).collect();
        for alternative in ALTERNATIVES {
            let p = sign_flip_counts(&differences, alternative).p;
            let drawn = sign_flip(&real, alternative, 2_000, 3).p;
            // Six standard errors, and the one pattern that was seen.
            prop_assert!((p - drawn).abs() < 6.0 * (p * (1.0 - p) / 2_000.0).sqrt() + 0.002, "{} {}", p, drawn);
        }
    }

    #[test]
    fn intervals_contain_the_point(differences in differences(40), confidence in 0.8..0.99) {
        for method in [IntervalMethod::Percentile { draws: 200 }, IntervalMethod::StudentT] {
            let interval = mean_interval(&differences, confidence, method, 5);
            prop_assert_eq!(interval.is_none(), differences.is_empty());
            let Some(interval) = interval else { continue };
            prop_assert!(interval.low <= interval.point + 1e-12, "{:?}", interval);
            prop_assert!(interval.high >= interval.point - 1e-12, "{:?}", interval);
        }
    }

    #[test]
    fn intervals_are_finite_whatever_is_given(values in anything(), confidence in any::<f64>(), draws in 0..50_u32) {
        let methods = [IntervalMethod::Percentile { draws }, IntervalMethod::Bca { draws }, IntervalMethod::StudentT];
        for confidence in [confidence, 0.95] {
            let intervals = methods.map(|method| mean_interval(&values, confidence, method, 5));
            for interval in intervals.into_iter().chain([usual_interval(&values, confidence, 5)]).flatten() {
                prop_assert!(interval.low.is_finite() && interval.high.is_finite(), "{:?}", interval);
                prop_assert!(interval.low <= interval.high, "{:?}", interval);
            }
        }
    }

    #[test]
    fn more_confidence_is_a_wider_interval(differences in prop::collection::vec(difference(), 3..40)) {
        for method in
            [IntervalMethod::Percentile { draws: 200 }, IntervalMethod::Bca { draws: 200 }, IntervalMethod::StudentT]
        {
            let [narrow, wide] =
                [0.8, 0.95].map(|confidence| mean_interval(&differences, confidence, method, 5).unwrap());
            if narrow.method == wide.method {
                prop_assert!(wide.low <= narrow.low && narrow.high <= wide.high, "{:?} {:?}", narrow, wide);
            }
        }
    }

    #[test]
    fn shares_lie_in_their_interval(successes in 0..500_usize, misses in 0..500_usize, confidence in 0.01..0.999) {
        prop_assume!(successes + misses > 0);
        let interval = wilson(successes, successes + misses, confidence).unwrap();
        prop_assert!(0.0 <= interval.low && interval.low <= interval.point, "{:?}", interval);
        prop_assert!(interval.point <= interval.high && interval.high <= 1.0, "{:?}", interval);
        let mirrored = wilson(misses, successes + misses, confidence).unwrap();
        prop_assert!((1.0 - mirrored.high - interval.low).abs() < 1e-12);
    }

    #[test]
    fn corrections_keep_the_order_and_never_help(p in prop::collection::vec(0.0..=1.0_f64, 0..20)) {
        let (holm, hochberg) = (holm(&p), benjamini_hochberg(&p));
        prop_assert!(holm.len() == p.len() && hochberg.len() == p.len());
        for i in 0..p.len() {
            // m / m is 1, but p · m / m may lose its last digit.
            prop_assert!(p[i] * (1.0 - 1e-15) <= hochberg[i] && hochberg[i] <= holm[i] * (1.0 + 1e-15), "{:?}", p);
            prop_assert!(holm[i] <= 1.0 && holm[i] <= p[i] * p.len() as f64 * (1.0 + 1e-15));
            for j in 0..p.len() {
                if p[i] <= p[j] {
                    prop_assert!(holm[i] <= holm[j] && hochberg[i] <= hochberg[j], "{:?}", p);
                }
            }
        }
    }

    #[test]
    fn effects_shrink_with_pairs_and_sizes_match(
        sd in 0.001..2.0_f64, n in 2..5_000_usize, alpha in 0.001..0.2_f64, power in 0.5..0.99_f64,
    ) {
        let [effect, with_one_more] =
            [n, n + 1].map(|n| minimum_detectable_effect(sd, n, alpha, power).unwrap());
        prop_assert!(0.0 < with_one_more && with_one_more < effect);
        let size = sample_size(sd, effect * (1.0 + 1e-9), alpha, power).unwrap();
        prop_assert!(size == n, "{} {}", size, n);
    }
}
