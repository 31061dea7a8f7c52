//! Equal to what scipy says about the shared runs (recorded by `record_scipy.py`), to the paired t-tests stored with
//! them, and to a case that users of other tools reported.

use std::fs;

use rankgate_metrics::stats::{
    Alternative, IntervalKind, IntervalMethod, Test, TestName, benjamini_hochberg, mean_interval,
    minimum_detectable_effect, paired_t, sample_size, sign_flip, sign_flip_counts, wilcoxon, wilson,
};
use rankgate_test::shared;
use serde_json::Value;

use crate::runs::differences;
use crate::{ALTERNATIVES, is_close};

const EXACT: f64 = 1e-12;
const DISTRIBUTION: f64 = 1e-9;

fn recorded() -> Value {
    serde_json::from_str(include_str!("../data/scipy.json")).unwrap()
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().unwrap()
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap()
}

fn number(value: &Value, key: &str) -> f64 {
    value[key].as_f64().unwrap()
}

fn count(value: &Value, key: &str) -> usize {
    usize::try_from(value[key].as_u64().unwrap()).unwrap()
}

fn of_alternative(value: &Value, alternative: Alternative) -> &Value {
    &value[match alternative {
        Alternative::Less => "less",
        Alternative::Greater => "greater",
        Alternative::TwoSided => "two_sided",
    }]
}

/// Calls back with each comparison and its differences; without the shared data there are none.
fn for_each_comparison(mut check: impl FnMut(&Value, &[f64], &str)) {
    let recorded = recorded();
    for comparison in list(&recorded, "comparisons") {
        let [data, candidate, baseline, measure] =
            ["data", "candidate", "baseline", "measure"].map(|key| text(comparison, key));
        let Some(differences) = differences(data, candidate, baseline, measure) else { return };
        assert_eq!(differences.len(), count(comparison, "n"));
        check(comparison, &differences, &format!("{data}: {candidate} - {baseline}, {measure}"));
    }
}

/// The part of the differences that the script took.
fn selected(differences: &[f64], choice: &Value) -> Vec<f64> {
    let mut sizes = Vec::new();
    let mut is_new = |d: f64| {
        let size = d.abs().to_bits();
        let is_new = !sizes.contains(&size);
        sizes.push(size);
        is_new
    };
    let all = differences.iter().copied();
    let most = choice["count"].as_u64().map_or(usize::MAX, |count| usize::try_from(count).unwrap());
    let part: Vec<f64> = match text(choice, "kind") {
        "first" => all.take(most).collect(),
        "nonzero" => all.filter(|&d| d != 0.0).take(most).collect(),
        "distinct" => all.filter(|&d| d != 0.0 && is_new(d)).take(most).collect(),
        kind => panic!("no kind {kind}"),
    };
    assert_eq!(part.len(), count(choice, "n"));
    part
}

fn assert_test(test: &Test, expected: &Value, relative: f64, place: &str) {
    match (expected["statistic"].as_f64(), expected["p"].as_f64()) {
        (Some(statistic), Some(p)) => {
            // A sum near 0 is only as good as its terms.
            let found = test.statistic.unwrap();
            assert!(
                is_close(found, statistic, relative) || (found - statistic).abs() < 1e-12,
                "{place}: {test:?} {expected}"
            );
            assert!(is_close(test.p, p, relative), "{place}: {test:?} {expected}");
        }
        _ => assert_eq!(test.p, 1.0, "{place}: {test:?}"),
    }
}

#[test]
fn t_is_that_of_scipy() {
    for_each_comparison(|comparison, differences, place| {
        for alternative in ALTERNATIVES {
            let expected = of_alternative(&comparison["t"], alternative);
            assert_test(&paired_t(differences, alternative), expected, DISTRIBUTION, place);
        }
        let interval = mean_interval(differences, 0.95, IntervalMethod::StudentT, 0).unwrap();
        match comparison.get("t_interval") {
            Some(expected) => {
                for (end, key) in [(interval.low, "low"), (interval.high, "high")] {
                    assert!((end - number(expected, key)).abs() < 1e-11, "{place}: {interval:?} {expected}");
                }
            }
            None => assert_eq!((interval.low, interval.high), (0.0, 0.0), "{place}"),
        }
    });
}

#[test]
fn wilcoxon_is_that_of_scipy() {
    let mut names = Vec::new();
    for_each_comparison(|comparison, differences, place| {
        for choice in list(comparison, "wilcoxon") {
            let part = selected(differences, choice);
            for alternative in ALTERNATIVES {
                let test = wilcoxon(&part, alternative);
                let relative = if test.name == TestName::ExactWilcoxon { EXACT } else { DISTRIBUTION };
                let place = format!("{place}, {} {}", choice["kind"], choice["count"]);
                assert_test(&test, of_alternative(choice, alternative), relative, &place);
                names.push(test.name);
            }
        }
    });
    if !names.is_empty() {
        assert!(names.contains(&TestName::ExactWilcoxon) && names.contains(&TestName::Wilcoxon));
    }
}

#[test]
fn enumerated_signs_are_those_of_scipy() {
    for_each_comparison(|comparison, differences, place| {
        for choice in list(comparison, "exact_sign_flip") {
            let part = selected(differences, choice);
            for alternative in ALTERNATIVES {
                let test = sign_flip(&part, alternative, 1, 1);
                assert_eq!(test.name, TestName::ExactSignFlip);
                // Of one difference scipy flips nothing: there the sign test was recorded.
                let expected = of_alternative(choice, alternative);
                assert!(is_close(test.p, number(expected, "p"), EXACT), "{place}: {test:?} {expected}");
            }
        }
    });
}

#[test]
fn counted_signs_are_the_sign_test_of_scipy() {
    for_each_comparison(|comparison, differences, place| {
        let Some(recorded) = comparison.get("sign_test") else { return };
        let better = |&d: &f64| i64::from(d > 0.0) - i64::from(d < 0.0);
        let signs: Vec<i64> = differences.iter().map(better).collect();
        for alternative in ALTERNATIVES {
            // 700 signs are a large binomial coefficient, which scipy takes from logarithms.
            let test = sign_flip_counts(&signs, alternative);
            assert_test(&test, of_alternative(recorded, alternative), 1e-10, place);
        }
    });
}

#[test]
fn drawn_signs_are_those_of_scipy_but_for_chance() {
    const DRAWS: u32 = 20_000;
    let theirs = number(&recorded(), "random_draws");
    for_each_comparison(|comparison, differences, place| {
        let Some(recorded) = comparison.get("random_sign_flip") else { return };
        for alternative in ALTERNATIVES {
            let test = sign_flip(differences, alternative, DRAWS, 1);
            assert_eq!((test.name, test.draws), (TestName::SignFlip, Some(DRAWS)));
            let p = number(of_alternative(recorded, alternative), "p");
            // Five standard errors of the difference of both, scipy's doubled for its two sides.
            let error = (p * (1.0 - p) * (1.0 / f64::from(DRAWS) + 2.0 / theirs)).sqrt();
            assert!((test.p - p).abs() < 5.0 * error + 3.0 / theirs, "{place}: {test:?} {p}");
        }
    });
}

#[test]
fn resampled_intervals_are_those_of_scipy_but_for_chance() {
    let recorded = recorded();
    let repeats = number(&recorded, "repeats");
    let draws = u32::try_from(recorded["draws"].as_u64().unwrap()).unwrap();
    for_each_comparison(|comparison, differences, place| {
        let Some(bootstraps) = comparison.get("bootstrap").and_then(Value::as_array) else { return };
        for expected in bootstraps {
            let (method, kind) = match text(expected, "method") {
                "percentile" => (IntervalMethod::Percentile { draws }, IntervalKind::Percentile),
                _ => (IntervalMethod::Bca { draws }, IntervalKind::Bca),
            };
            let interval = mean_interval(differences, 0.95, method, 11).unwrap();
            assert_eq!((interval.method, interval.draws, interval.seed), (kind, Some(draws), Some(11)));
            for (end, key) in [(interval.low, "low"), (interval.high, "high")] {
                // Five standard errors: of one end, and of the mean of theirs.
                let error = number(expected, &format!("{key}_sd")) * (1.0 + 1.0 / repeats).sqrt();
                let distance = (end - number(expected, key)).abs();
                assert!(distance < 5.0 * error, "{place}: {interval:?} {expected}");
            }
        }
    });
}

#[test]
fn shares_corrections_and_effects_are_those_of_scipy() {
    let recorded = recorded();
    for case in list(&recorded, "wilson") {
        let interval =
            wilson(count(case, "successes"), count(case, "n"), number(case, "confidence")).unwrap();
        assert!((interval.low - number(case, "low")).abs() < EXACT, "{case} {interval:?}");
        assert!((interval.high - number(case, "high")).abs() < EXACT, "{case} {interval:?}");
    }
    for case in list(&recorded, "corrections") {
        let numbers = |key| -> Vec<f64> { list(case, key).iter().map(|p| p.as_f64().unwrap()).collect() };
        let (found, expected) = (benjamini_hochberg(&numbers("p")), numbers("benjamini_hochberg"));
        assert_eq!(found.len(), expected.len());
        assert!(found.iter().zip(&expected).all(|(&a, &b)| is_close(a, b, EXACT)), "{case} {found:?}");
    }
    for case in list(&recorded, "effects") {
        let [sd, alpha, power, effect] = ["sd", "alpha", "power", "effect"].map(|key| number(case, key));
        let n = count(case, "n");
        let found = minimum_detectable_effect(sd, n, alpha, power).unwrap();
        assert!(is_close(found, effect, DISTRIBUTION), "{case} {found}");
        assert_eq!(sample_size(sd, effect * (1.0 + 1e-8), alpha, power), Some(n), "{case}");
    }
}

/// The t-tests stored with the collections were made with more digits than the values per question have.
#[test]
fn stored_t_tests_come_out() {
    let Some(folder) = shared("data") else { return };
    let mut checked = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let folder = entry.unwrap();
        let Ok(scores) = fs::read_to_string(folder.path().join("scores.json")) else { continue };
        // Python writes NaN where all pairs are equal.
        let scores: Value = serde_json::from_str(&scores.replace("NaN", "null")).unwrap();
        for (pair, measures) in scores["paired_t_tests"].as_object().unwrap() {
            let (candidate, baseline) = pair.split_once(" minus ").unwrap();
            for (measure, expected) in measures.as_object().unwrap() {
                let data = folder.file_name().into_string().unwrap();
                let differences = differences(&data, candidate, baseline, measure).unwrap();
                let test = paired_t(&differences, Alternative::TwoSided);
                let place = format!("{data}: {pair}, {measure}: {test:?} {expected}");
                let mean = differences.iter().sum::<f64>() / differences.len() as f64;
                assert!((mean - number(expected, "mean_diff")).abs() < 1.5e-6, "{place}");
                match (expected["t"].as_f64(), expected["p_two_sided"].as_f64()) {
                    (Some(t), Some(p)) => {
                        assert!(test.statistic.is_some_and(|found| (found - t).abs() < 2e-4), "{place}");
                        assert!(is_close(test.p, p, 2e-3), "{place}");
                    }
                    _ => assert_eq!((test.p, test.statistic), (1.0, None), "{place}"),
                }
                checked += 1;
            }
        }
    }
    assert_eq!(checked, 33);
}

#[test]
fn the_reported_case_comes_out() {
    let Some(file) = shared("cases/significance-01.json") else { return };
    let case: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    let (input, expected) = (&case["input"], &case["expected"]);
    let numbers = |key| list(input, key).iter().map(|value| value.as_f64().unwrap());
    let mut differences: Vec<f64> =
        numbers("candidate").zip(numbers("baseline")).map(|(c, b)| c - b).collect();
    let comparisons = number(input, "comparisons");
    // The order of the pairs does not matter.
    for _ in 0..differences.len() {
        differences.rotate_left(1);
        let t = paired_t(&differences, Alternative::TwoSided);
        let expected_t = &expected["paired_t_two_sided"];
        assert!((t.statistic.unwrap() - number(expected_t, "t")).abs() < 5e-9, "{t:?}");
        assert!((t.p - number(expected_t, "p")).abs() < 5e-9, "{t:?}");
        let flip = sign_flip(&differences, Alternative::TwoSided, 10_000, 1);
        assert_eq!((flip.name, flip.p), (TestName::ExactSignFlip, 0.125));
        assert_eq!(flip.p, number(&expected["exact_sign_flip_two_sided"], "p"));
        for (p, key) in [(t.p, "t"), (flip.p, "sign_flip")] {
            assert!((p * comparisons - number(&expected["bonferroni"], key)).abs() < 1e-8);
        }
        let mean = differences.iter().sum::<f64>() / differences.len() as f64;
        assert!((mean - number(expected, "mean_difference")).abs() < 1e-12);
    }
}
