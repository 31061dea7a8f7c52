//! The table of measures, walked.

use std::collections::BTreeMap;

use rankgate_metrics::{CutoffRule, Direction, Measure, NeedOutcome, Outcome, definitions, find};

#[test]
fn every_spelling_means_one_measure() {
    let mut owners = BTreeMap::new();
    for definition in definitions() {
        for spelling in definition.spellings() {
            let taken = owners.insert(spelling.to_lowercase(), definition.name);
            assert_eq!(taken, None, "{spelling}");
            assert_eq!(find(spelling).map(|found| found.name), Some(definition.name));
        }
    }
    assert!(find("no_such_measure").is_none());
}

#[test]
fn every_entry_is_complete() {
    for definition in definitions() {
        let name = definition.name;
        assert!(name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_'), "{name}");
        for (field, text) in [
            ("unit", definition.unit),
            ("formula", definition.formula),
            ("citation", definition.citation),
            ("description", definition.description),
        ] {
            assert!(text.len() > 8, "{name} has no {field}");
            assert!(!text.contains("  "), "{name}: stray blanks in {field}");
        }
        assert!(definition.description.ends_with('.'), "{name}: the description is a sentence");
        let (low, high) = definition.range;
        assert!(low < high, "{name}: empty range");
        for parameter in definition.parameters {
            assert!(
                parameter.help.ends_with('.') && !parameter.wanted.is_empty(),
                "{name}({})",
                parameter.name
            );
        }
        for trec in definition.trec {
            let takes_cutoff = definition.cutoff != CutoffRule::None;
            assert!(takes_cutoff || !trec.is_family(), "{name}: {} cannot have cut-offs", trec.name);
            assert!(trec.cutoffs.is_sorted(), "{}", trec.name);
        }
    }
}

#[test]
fn the_signature_is_the_canonical_text_with_its_defaults() {
    for definition in definitions() {
        let full = definition.signature().replace(['[', ']'], "").replace("@k", "@5");
        let measure: Measure = full.parse().unwrap();
        let cutoff = if definition.cutoff == CutoffRule::None { "" } else { "@5" };
        assert_eq!(measure.to_string(), format!("{}{cutoff}", definition.name));
    }
    let signature = |name| find(name).unwrap().signature();
    assert_eq!(signature("map"), "map(rel=1)[@k]");
    assert_eq!(signature("rbp"), "rbp(rel=1, p=0.8)");
    assert_eq!(signature("judged"), "judged@k");
}

#[test]
fn the_best_and_the_worst_list_show_the_direction() {
    for definition in definitions() {
        let text = definition.signature().replace(['[', ']'], "").replace("@k", "@1");
        let measure: Measure = text.parse().unwrap();
        let list = |met: bool| {
            let rank = met.then_some(1);
            let labelled = rank.into_iter().collect();
            Outcome::new(vec![NeedOutcome { grade: 1, rank }], 1, labelled)
        };
        let outcome = |good: bool| {
            let bad_rank = (!good).then_some(1);
            match definition.name {
                "forbidden" => list(good).with_forbidden(bad_rank),
                "abstained" => Outcome::new(vec![], 1, vec![]).unanswerable(bad_rank),
                _ => list(good),
            }
        };
        let best = measure.value(&outcome(true)).unwrap();
        let worst = measure.value(&outcome(false)).unwrap();
        match measure.direction() {
            Direction::HigherIsBetter => assert!(best > worst, "{measure}"),
            Direction::LowerIsBetter => assert!(best < worst, "{measure}"),
        }
    }
}
