//! Ties and close scores: what decides the order where scores do not.

use serde_json::{Value, json};

use super::{Case, case};
use crate::data::{self, assert_values, entries, items, project, recorded};

/// The lines of a TREC run for the query `q`, in the order of the shared data.
fn trec(scores: &Value) -> Vec<String> {
    entries(scores).map(|(id, score)| format!("q Q0 {id} 0 {score} x\n")).collect()
}

/// Values of the query `q` for a run and its labels, and how many queries have ties.
fn scored(run: &str, qrels: &Value, expected: &Value) -> (Value, Value) {
    let project = project();
    let labels: String = entries(qrels).map(|(id, grade)| format!("q 0 {id} {grade}\n")).collect();
    project.write("qrels", labels).write("run", run);
    let (qrels, run) = (project.root().join("qrels"), project.root().join("run"));
    let names = entries(expected).filter(|(_, value)| value.is_number()).map(|(name, _)| name);
    let (output, mut report) = data::score(&project, &qrels, &run, names, &[]);
    assert_eq!(output.status, 0, "{}", output.stderr);
    (report["queries"]["q"].take(), report["queries_with_ties"].take())
}

/// What is expected, without what is not a value.
fn numbers(expected: &Value) -> Value {
    entries(expected)
        .filter(|(_, value)| value.is_number())
        .map(|(name, value)| (name.to_owned(), value.clone()))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

/// The order that a run file is read in.
fn assert_order(run: &str, expected: &Value) {
    let ids: Vec<&Value> = items(expected).collect();
    let golden = json!({"id": "q", "query": "q", "expected_chunk_ids": ids}).to_string();
    let project = recorded(&golden, run);
    let (_, report) = data::run(&project, &[]);
    assert_eq!(&json!(data::retrieved(&report, "q")), expected);
}

#[test]
fn equal_scores_are_ordered_by_one_rule() {
    let Some(Case { input, expected }) = case("metrics-ties-01") else { return };
    // A list keeps the order it was given in.
    let list = &input["ranked_list"];
    let hits: Vec<Value> = items(&list["retrieved"])
        .zip(items(&list["scores"]))
        .map(|(id, score)| json!({"id": id, "score": score}))
        .collect();
    let run = json!({"id": "q", "retrieved": hits}).to_string();
    let qrels = json!({list["relevant"][0].as_str().unwrap(): 1});
    let (values, tied) = scored(&run, &qrels, &expected["ranked_list"]);
    assert_values("ranked list", &values, &expected["ranked_list"]);
    assert_eq!(tied, expected["queries_with_ties_in_top_k"]);

    // A TREC run and a map of scores have none: score descending, then id descending, whatever the order of lines.
    for name in ["trec_run_a", "trec_run_b"] {
        let (scores, qrels, expected) = (&input[name]["scores"], &input[name]["qrels"], &expected[name]);
        let mut lines = trec(scores);
        let map = json!({"q": scores}).to_string();
        for _ in 0..lines.len() {
            lines.rotate_left(1);
            let reversed: String = lines.iter().rev().map(String::as_str).collect();
            for run in [lines.concat(), reversed, map.clone()] {
                let (values, tied) = scored(&run, qrels, expected);
                assert_values(name, &values, &numbers(expected));
                assert_eq!(tied, 1);
                assert_order(&run, &expected["order"]);
            }
        }
    }
}

#[test]
fn scores_keep_64_bits() {
    let Some(Case { input, expected }) = case("metrics-ties-02") else { return };
    let run = trec(&input["trec_run"]["scores"]).concat();
    let (values, tied) = scored(&run, &input["trec_run"]["qrels"], &expected);
    assert_values("close scores", &values, &numbers(&expected));
    assert_eq!(tied, 0);
    assert_order(&run, &expected["order"]);
}
