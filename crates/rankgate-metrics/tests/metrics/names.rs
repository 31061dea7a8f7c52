//! Every spelling that is understood, and the two dialects.

use proptest::prelude::*;
use rankgate_metrics::{CutoffRule, Dialect, Gain, Measure, MeasureError, definitions};

use crate::strategies::measure_text;

const DIALECTS: [Dialect; 2] = [Dialect::Own, Dialect::TrecCompatible];

fn canonical(text: &str, dialect: Dialect) -> String {
    Measure::parse(text, dialect).map_or_else(|error| format!("{text}: {error}"), |m| m.to_string())
}

fn expanded(text: &str, dialect: Dialect) -> Vec<String> {
    let measures = Measure::parse_list(text, dialect).unwrap_or_else(|error| panic!("{text}: {error}"));
    measures.iter().map(ToString::to_string).collect()
}

#[test]
fn spellings_of_other_tools() {
    for (text, expected) in [
        // trec_eval
        ("P_5", "precision@5"),
        ("P.5", "precision@5"),
        ("recall_5", "recall@5"),
        ("recall.5", "recall@5"),
        ("ndcg_cut_10", "ndcg(gain=linear)@10"),
        ("ndcg_cut.10", "ndcg(gain=linear)@10"),
        ("map", "map"),
        ("map_cut_10", "map@10"),
        ("recip_rank", "mrr"),
        ("success_1", "hit_rate@1"),
        ("success.1", "hit_rate@1"),
        ("Rprec", "r_precision"),
        // ir_measures
        ("P@5", "precision@5"),
        ("P(rel=2)@5", "precision(rel=2)@5"),
        ("R@5", "recall@5"),
        ("RR", "mrr"),
        ("RR@10", "mrr@10"),
        ("MRR@10", "mrr@10"),
        ("AP", "map"),
        ("AP@100", "map@100"),
        ("AP(rel=2)", "map(rel=2)"),
        ("MAP", "map"),
        ("Success@1", "hit_rate@1"),
        ("Judged@10", "judged@10"),
        ("RBP(p=0.8)", "rbp"),
        ("RBP(p=0.50,rel=2)", "rbp(rel=2,p=0.5)"),
        // ranx
        ("hit_rate@5", "hit_rate@5"),
        ("ndcg@10", "ndcg@10"),
        ("ndcg_burges@10", "ndcg@10"),
        ("ndcg_burges", "ndcg(gain=exponential)"),
        ("r-precision", "r_precision"),
        ("f1@10", "f1@10"),
        // RAG evaluation
        ("context_recall@5", "recall@5"),
        ("context_precision@3", "context_precision@3"),
        ("reciprocal_rank@10", "mrr@10"),
        ("average_precision@10", "map@10"),
        ("success@5", "hit_rate@5"),
        ("hit@5", "hit_rate@5"),
        // parameters written out
        ("ndcg(gain=exp)@10", "ndcg@10"),
        ("ndcg(gain=exponential)@10", "ndcg@10"),
        ("nDCG(gain=linear)@10", "ndcg(gain=linear)@10"),
        ("NDCG(gain=exp)", "ndcg(gain=exponential)"),
        ("ndcg_cut(gain=linear)@5", "ndcg(gain=linear)@5"),
        ("recall(rel=1)@5", "recall@5"),
        ("recall(rel=2)@05", "recall(rel=2)@5"),
    ] {
        for dialect in DIALECTS {
            assert_eq!(canonical(text, dialect), expected, "{text} in {dialect:?}");
        }
    }
}

#[test]
fn names_in_dispute_are_refused_or_read_as_trec_eval_does() {
    for (text, linear, exponential) in [
        ("ndcg", "ndcg(gain=linear)", "ndcg(gain=exponential)"),
        ("nDCG", "ndcg(gain=linear)", "ndcg(gain=exponential)"),
        ("NDCG", "ndcg(gain=linear)", "ndcg(gain=exponential)"),
        ("nDCG@10", "ndcg(gain=linear)@10", "ndcg@10"),
        ("NDCG@10", "ndcg(gain=linear)@10", "ndcg@10"),
        ("Ndcg@5", "ndcg(gain=linear)@5", "ndcg@5"),
    ] {
        let error = Measure::parse(text, Dialect::Own).unwrap_err();
        let MeasureError::Ambiguous { name, spellings } = error else {
            panic!("{text}: {error}");
        };
        assert_eq!(name, text);
        assert_eq!(spellings.each_ref().map(|s| s.text.as_str()), [linear, exponential]);
        assert!(spellings.iter().all(|s| !s.whose.is_empty() && canonical(&s.text, Dialect::Own) == s.text));
        assert_eq!(canonical(text, Dialect::TrecCompatible), linear);
    }
    assert_eq!(canonical("ndcg@10", Dialect::TrecCompatible), "ndcg@10");
}

#[test]
fn several_cutoffs() {
    for dialect in DIALECTS {
        assert_eq!(expanded("ndcg_cut.5,10", dialect), ["ndcg(gain=linear)@5", "ndcg(gain=linear)@10"]);
        assert_eq!(expanded("recall_5,10", dialect), ["recall@5", "recall@10"]);
        assert_eq!(expanded("recall(rel=2)@10, 5", dialect), ["recall(rel=2)@10", "recall(rel=2)@5"]);
        assert_eq!(expanded("map", dialect), ["map"]);
    }
    assert_eq!(
        expanded("nDCG@5,10", Dialect::TrecCompatible),
        ["ndcg(gain=linear)@5", "ndcg(gain=linear)@10"]
    );
}

#[test]
fn bare_families_stand_for_their_usual_cutoffs_in_the_compatible_dialect_only() {
    let usual = [5, 10, 15, 20, 30, 100, 200, 500, 1000];
    for (family, name) in
        [("P", "precision"), ("recall", "recall"), ("ndcg_cut", "ndcg(gain=linear)"), ("map_cut", "map")]
    {
        let expected = usual.map(|k| format!("{name}@{k}"));
        assert_eq!(expanded(family, Dialect::TrecCompatible), expected);
        for refused in [
            Measure::parse_list(family, Dialect::Own).map(drop),
            Measure::parse(family, Dialect::TrecCompatible).map(drop),
        ] {
            assert!(matches!(refused, Err(MeasureError::MissingCutoff { .. })), "{family}");
        }
    }
    assert_eq!(expanded("success", Dialect::TrecCompatible), ["hit_rate@1", "hit_rate@5", "hit_rate@10"]);
    assert_eq!(expanded("ndcg", Dialect::TrecCompatible), ["ndcg(gain=linear)"]);
}

#[test]
fn examples_in_messages_are_right() {
    for definition in definitions() {
        for spelling in definition.spellings() {
            for text in [spelling.to_owned(), format!("{spelling}@5")] {
                match Measure::parse(&text, Dialect::Own) {
                    Err(
                        MeasureError::MissingCutoff { example: right, .. }
                        | MeasureError::CutoffNotAllowed { instead: right, .. },
                    ) => {
                        assert!(Measure::parse(&right, Dialect::Own).is_ok(), "{text}: {right}");
                    }
                    Err(error) => assert!(matches!(error, MeasureError::Ambiguous { .. }), "{text}: {error}"),
                    Ok(measure) => assert_eq!(measure.definition().name, definition.name),
                }
            }
        }
    }
}

#[test]
fn every_alias_parses_in_any_case() {
    for definition in definitions() {
        let cutoff = if definition.cutoff == CutoffRule::None { "" } else { "@7" };
        for spelling in definition.spellings() {
            for name in [spelling.to_owned(), spelling.to_lowercase(), spelling.to_uppercase()] {
                let text = format!("{name}{cutoff}");
                let measure = Measure::parse(&text, Dialect::TrecCompatible).unwrap();
                assert_eq!(measure.definition().name, definition.name, "{text}");
                assert_eq!(measure.cutoff(), (!cutoff.is_empty()).then_some(7), "{text}");
            }
        }
    }
}

#[test]
fn a_measure_at_another_cutoff_or_gain() {
    let parse = |text: &str| text.parse::<Measure>().unwrap();
    let ndcg = parse("ndcg@10");
    assert_eq!(ndcg.with_gain(Gain::Linear), Some(parse("ndcg_cut_10")));
    assert_eq!(ndcg.with_cutoff(5), Ok(parse("ndcg@5")));
    assert_eq!(parse("mrr").with_cutoff(5), Ok(parse("mrr@5")));
    assert_eq!(parse("recall@5").with_gain(Gain::Linear), None);
    assert!(matches!(parse("rbp").with_cutoff(5), Err(MeasureError::CutoffNotAllowed { .. })));
    assert!(matches!(ndcg.with_cutoff(0), Err(MeasureError::BadCutoff { .. })));
    assert_eq!(format!("[{:>9}]", parse("mrr@5")), "[    mrr@5]");
}

#[test]
fn measures_that_are_not_offered_are_unknown() {
    for text in ["bpref", "err@20", "span_recall@5", "iprec_at_recall_0.10", "ndcg_10", "ndcg.1=3,2=9"] {
        let error = Measure::parse_list(text, Dialect::TrecCompatible).unwrap_err();
        assert!(
            matches!(error, MeasureError::Unknown { .. } | MeasureError::Syntax { .. }),
            "{text}: {error:?}"
        );
    }
}

proptest! {
    #[test]
    fn printing_then_parsing_is_the_identity(text in measure_text()) {
        let measure: Measure = text.parse().unwrap();
        let printed = measure.to_string();
        for dialect in DIALECTS {
            let again = Measure::parse(&printed, dialect).unwrap();
            prop_assert_eq!(again.to_string(), printed.as_str());
            prop_assert_eq!(&again, &measure);
            prop_assert_eq!(again.cutoff(), measure.cutoff());
            prop_assert_eq!(again.rel(), measure.rel());
            prop_assert_eq!(again.gain(), measure.gain());
            prop_assert_eq!(Measure::parse_list(&printed, dialect), Ok(vec![again]));
        }
        prop_assert!(!printed.contains(' '), "one word, for lists and rules");
    }

    #[test]
    fn no_text_panics(text in "\\PC*") {
        for dialect in DIALECTS {
            if let Err(error) = Measure::parse_list(&text, dialect) {
                prop_assert!(!error.to_string().is_empty());
            }
        }
    }

    #[test]
    fn no_damaged_measure_panics(
        text in "(ndcg|recall|P|map_cut|rbp|é)[_.@(]?(rel|p|gain|é)?=?[0-9,.@)_é]{0,12}",
    ) {
        for dialect in DIALECTS {
            for measure in Measure::parse_list(&text, dialect).unwrap_or_default() {
                prop_assert_eq!(canonical(measure.as_str(), Dialect::Own), measure.to_string());
            }
        }
    }

    #[test]
    fn a_suggestion_is_a_known_name(text in "[a-z_]{2,12}(@[1-9])?") {
        if let Err(MeasureError::Unknown { suggestion: Some(right), .. }) = text.parse::<Measure>() {
            let read = right.parse::<Measure>();
            prop_assert!(!matches!(read, Err(MeasureError::Unknown { .. })), "{} -> {}", text, right);
        }
    }
}
