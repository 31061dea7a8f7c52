//! Two spellings of one id look like evidence that was never found; nothing is compared then, and both are shown.

use serde_json::{Value, json};

use super::{RULES, accepted, answers, incomplete, lines, question, questions, run};
use crate::data::{assert_refused, assert_says};

const COUNT: usize = 60;

#[test]
fn answers_to_questions_in_other_case_are_refused() {
    let project = accepted(COUNT, RULES, "");
    project.write("run.jsonl", answers(COUNT, |_| Some(1)).replace("\"id\":\"q", "\"id\":\"Q"));
    let output = project.run(["run"]);
    assert_refused(&output, &["`q000`", "`Q000`", "they differ only in upper and lower case"]);
}

#[test]
fn hits_in_other_case_are_no_zeros() {
    let project = accepted(COUNT, RULES, "");
    project.write("run.jsonl", answers(COUNT, |_| Some(1)).replace("gold", "GOLD"));
    let (_, report) = run(&project, 2, &[]);
    assert_says(incomplete(&report, "no_overlap"), &["gold000", "GOLD000"]);
}

#[test]
fn questions_that_the_baseline_spells_otherwise_are_not_compared() {
    let upper = |baseline: &str| {
        let project = accepted(COUNT, RULES, baseline);
        for (file, text) in
            [("golden.jsonl", lines(&questions(COUNT))), ("run.jsonl", answers(COUNT, |_| Some(1)))]
        {
            project.write(file, text.replace("\"id\":\"q", "\"id\":\"Q"));
        }
        project
    };
    for setting in ["refuse", "common", "rescore"] {
        let project = upper(&format!("golden_changed = '{setting}'\n"));
        let (_, report) = run(&project, 2, &[]);
        let why = incomplete(&report, "not_comparable");
        assert_says(why, &["60 questions added: Q000", "60 questions removed: q000", "upper and lower case"]);
    }
}

#[test]
fn labels_that_no_old_list_spells_alike_are_not_rescored() {
    // Every id of the corpus is now written in capitals, in labels and answers alike.
    let project = accepted(COUNT, RULES, "golden_changed = 'rescore'\n");
    let capital = |text: String| text.replace("gold0", "GOLD0");
    project
        .write("golden.jsonl", capital(lines(&questions(COUNT))))
        .write("run.jsonl", capital(answers(COUNT, |_| Some(1))));
    let (_, report) = run(&project, 2, &[]);
    let why = incomplete(&report, "not_comparable");
    assert_says(why, &["60 questions", "GOLD000", "gold000", "rankgate accept"]);

    // A few labels that the old lists do not hold are evidence that was not found.
    let set: Vec<Value> = (0..COUNT)
        .map(|index| {
            let mut question = question(index);
            if index < 5 {
                question["expected_chunk_ids"] = json!([format!("late{index:03}")]);
            }
            question
        })
        .collect();
    project
        .write("golden.jsonl", lines(&set))
        .write("run.jsonl", answers(COUNT, |_| Some(1)).replace("gold000", "late000"));
    let (_, report) = run(&project, 0, &[]);
    assert_eq!(report["comparison"]["moved"][0]["movement"], "found");
    assert_eq!(report["comparison"]["questions"], COUNT);
}
