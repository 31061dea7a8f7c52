//! Rules about change that must not pass, or count, where they know nothing.

use serde_json::json;

use super::{accepted, answers, id, incomplete, lines, note, question, questions, rule, run};

/// Half of the questions lost their evidence.
fn half_lost() -> String {
    answers(60, |index| index.is_multiple_of(2).then_some(1))
}

#[test]
fn a_grade_that_no_label_has_is_not_judged() {
    let project = accepted(60, "['lost@10 <= 60']", "");
    project.write("run.jsonl", half_lost());
    let rules = [
        "recall(rel=5)@5 drop <= 0",
        "no regression on recall(rel=2)@5",
        "recall(rel=2)@5 drop significant",
        "each(category) recall(rel=2)@5 drop <= 0",
    ];
    let set = format!("gate.rules={}", json!(rules));
    let (_, report) = run(&project, 2, &["--set", &set]);
    for text in rules {
        assert_eq!(rule(&report, text)["reason"], "no_grades", "{text}");
    }
}

#[test]
fn a_value_that_is_written_twice_is_one() {
    let twice = |index: usize| {
        let mut case = question(index);
        case["tags"] = json!(["all", "all"]);
        case["params"] = json!({"l": ["a", "a"]});
        case
    };
    let project = accepted(60, "['lost@5 <= 60']", "golden_changed = 'rescore'\n");
    project.write("golden.jsonl", lines(&(0..60).map(twice).collect::<Vec<_>>()));
    super::accept(&project, &["--force", "--reason", "tags"]);
    project.write("run.jsonl", answers(60, |index| (index >= 4).then_some(1)));
    let rules = ["--gate", "each(tag) mrr@5 drop significant", "--gate", "each(params.l) mrr@5 >= 0.1"];
    let (_, report) = run(&project, 0, &rules);
    for text in ["each(tag) mrr@5 drop significant", "each(params.l) mrr@5 >= 0.10"] {
        assert_eq!(rule(&report, text)["slices"][0]["n"], 60, "{text}");
    }
}

#[test]
fn lists_that_end_at_two_depths_are_not_compared_as_wholes() {
    let project = accepted(60, "['mrr drop <= 0']", "");
    let (_, report) = run(&project, 2, &["--depth", "5", "-m", "hit_rate@5"]);
    assert!(incomplete(&report, "not_comparable").contains("`mrr` looks at the whole list"));
    // With a cut-off there is nothing to fear.
    let rules = ["--set", "gate.rules=['mrr@5 drop <= 0']", "-m", "hit_rate@5"];
    let (_, report) = run(&project, 0, &[&["--depth", "5"][..], &rules].concat());
    assert!(report["comparison"].is_object());
}

#[test]
fn another_least_score_is_another_yardstick() {
    let mut all = questions(60);
    all.push(json!({"id": "none", "query": "nobody knows", "answerable": false}));
    let project = accepted(60, "['abstained@5 drop <= 0']", "");
    let hits = json!({"id": "none", "retrieved": [{"id": "x", "score": 2.0}]});
    project.write("golden.jsonl", lines(&all));
    project.write("run.jsonl", answers(60, |_| Some(1)) + &format!("{hits}\n"));
    super::accept(&project, &["--force", "--reason", "one more", "--set", "retriever.min_score=5.0"]);
    run(&project, 0, &["--set", "retriever.min_score=5.0"]);
    let (_, report) = run(&project, 2, &["--set", "retriever.min_score=1.5"]);
    assert!(incomplete(&report, "not_comparable").contains("min_score: 5 in the baseline, 1.5 now"));
}

#[test]
fn a_set_too_small_for_any_certainty_is_not_judged() {
    let project = accepted(4, "['mrr@10 drop significant']", "");
    run(&project, 0, &[]);
    project.write("run.jsonl", answers(4, |_| Some(9)));
    let (_, report) = run(&project, 2, &[]);
    assert_eq!(rule(&report, "mrr@10 drop significant")["reason"], "underpowered");
}

#[test]
fn a_sure_loss_of_a_trifle_is_not_called_noise() {
    let project = accepted(1000, "['no regression on mrr@10']", "");
    project.write("run.jsonl", answers(1000, |index| (index >= 15).then_some(1)));
    let (_, report) = run(&project, 0, &[]);
    assert_eq!(rule(&report, "no regression on mrr@10")["remark"], "a loss below `min_effect`");
}

#[test]
fn a_run_of_some_questions_needs_no_comparable_baseline() {
    let project = accepted(60, "['no regression on mrr@10']", "");
    project.write("golden.jsonl", lines(&questions(61)));
    project.write("run.jsonl", answers(61, |_| Some(1)));
    run(&project, 2, &[]);
    let only = id(1);
    run(&project, 0, &["--only", &only]);
}

#[test]
fn a_corpus_as_small_as_the_list_is_told() {
    let project = accepted(60, "['no regression on mrr@10']", "");
    let chunks: Vec<_> =
        (0..12).map(|at| json!({"id": format!("c{at}"), "text": format!("text {at}")})).collect();
    project.write("corpus.jsonl", lines(&chunks));
    let corpus = ["--set", "corpus.path=corpus.jsonl", "--set", "golden.unknown_evidence=warn"];
    let (_, report) = crate::data::run(&project, &corpus);
    assert!(note(&report, "small_corpus").contains("the corpus has 12 chunks"));
}

#[test]
fn renamed_evidence_is_told() {
    let project = accepted(100, "['no regression on mrr@10']", "golden_changed = 'rescore'\n");
    let renamed: Vec<_> = (0..100)
        .map(|index| {
            let mut case = question(index);
            if index < 15 {
                case["expected_chunk_ids"] = json!([format!("new{index:03}")]);
            }
            case
        })
        .collect();
    project.write("golden.jsonl", lines(&renamed));
    let named = |line: &str| match (0..15).find(|index| line.contains(&format!("gold{index:03}"))) {
        Some(index) => line.replace(&format!("gold{index:03}"), &format!("new{index:03}")),
        None => line.to_owned(),
    };
    let run_file = project.read("run.jsonl");
    project.write("run.jsonl", run_file.lines().map(named).collect::<Vec<_>>().join("\n"));
    let (_, report) = run(&project, 0, &[]);
    assert!(note(&report, "vanished").contains("15 questions want other evidence"));
    assert_eq!(report["comparison"]["golden"]["vanished"].as_array().map(Vec::len), Some(15));
}
