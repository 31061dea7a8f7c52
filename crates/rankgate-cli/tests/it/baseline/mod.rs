//! The baseline from outside: accepted, compared with, and refused where a comparison would say nothing.

#[cfg(unix)]
mod accept;
mod format;
mod gate_task;
mod git;
mod golden;
mod ids;
mod silence;
mod spans;
mod story;
mod tampered;
mod traps;
mod tutorial;

use std::fmt::Write as _;

use rankgate_test::{Output, Project};
use serde_json::{Value, json};

use crate::data::{self, items};

/// What most of these projects gate.
const RULES: &str = "['no regression on mrr@10']";

/// A configuration over `golden.jsonl` and the recorded answers of `run.jsonl`.
fn config(rules: &str, baseline: &str) -> String {
    format!(
        "name = 'small'\n[golden]\npath = 'golden.jsonl'\n[retriever]\nkind = 'run'\npath = 'run.jsonl'\n\
         [measures]\nreport = ['mrr@10', 'hit_rate@10']\n[baseline]\npath = 'baseline.jsonl'\n{baseline}\
         [gate]\nallow_short = true\nrules = {rules}\n"
    )
}

/// The id of the question at an index.
fn id(index: usize) -> String {
    format!("q{index:03}")
}

/// A question that wants one chunk of its own.
fn question(index: usize) -> Value {
    let category = if index.is_multiple_of(2) { "even" } else { "odd" };
    let (id, gold) = (id(index), format!("gold{index:03}"));
    json!({"id": id, "query": format!("question {index}"), "expected_chunk_ids": [gold], "category": category})
}

/// So many questions, one a line.
fn questions(count: usize) -> Vec<Value> {
    (0..count).map(question).collect()
}

/// JSON Lines.
fn lines(values: &[Value]) -> String {
    data::lines(values)
}

/// Answers of ten hits to so many questions, the evidence of each at the rank that is asked for, if any.
fn answers(count: usize, rank: impl Fn(usize) -> Option<usize>) -> String {
    let mut out = String::new();
    for index in 0..count {
        let hits: Vec<String> = (1..=10)
            .map(|place| {
                if rank(index) == Some(place) {
                    format!("gold{index:03}")
                } else {
                    format!("other{index:03}-{place}")
                }
            })
            .collect();
        let _ = writeln!(out, "{}", json!({"id": id(index), "retrieved": hits}));
    }
    out
}

/// Questions whose evidence stands at the first place, and that state accepted.
fn accepted(count: usize, rules: &str, baseline: &str) -> Project {
    let project = data::project();
    project
        .write("golden.jsonl", lines(&questions(count)))
        .write("run.jsonl", answers(count, |_| Some(1)))
        .write("rankgate.toml", config(rules, baseline));
    accept(&project, &[]);
    project
}

/// Accepts, and asserts that it worked.
#[track_caller]
fn accept(project: &Project, args: &[&str]) -> Output {
    let output = project.run(["accept"].iter().chain(args));
    assert_eq!(output.status, 0, "{}{}", output.stdout, output.stderr);
    output
}

/// Runs, asserts the exit status, and returns what was printed and the JSON report.
#[track_caller]
fn run(project: &Project, status: i32, args: &[&str]) -> (Output, Value) {
    let (output, report) = data::run(project, args);
    assert_eq!(output.status, status, "{}{}", output.stdout, output.stderr);
    (output, report)
}

/// The result of a rule.
#[track_caller]
fn rule<'r>(report: &'r Value, text: &str) -> &'r Value {
    items(&report["verdict"]["rules"]).find(|rule| rule["rule"] == text).expect(text)
}

/// The text of the note with this code.
#[track_caller]
fn note<'r>(report: &'r Value, code: &str) -> &'r str {
    let note = items(&report["notes"]).find(|note| note["code"] == code);
    note.unwrap_or_else(|| panic!("no note {code}: {}", report["notes"]))["text"].as_str().expect("a text")
}

/// The message of the reason for which the run has no verdict.
#[track_caller]
fn incomplete<'r>(report: &'r Value, code: &str) -> &'r str {
    let found = items(&report["verdict"]["incomplete"]).find(|reason| reason["code"] == code);
    found.unwrap_or_else(|| panic!("not {code}: {}", report["verdict"]))["message"].as_str().expect("a text")
}

/// A number of a report.
#[track_caller]
fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// The lines of a text in another, always equal order.
fn shuffled(text: &str) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    let mut state = 7_u64;
    for last in (1..lines.len()).rev() {
        // Knuth's constants; only that every line moves matters.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let other = usize::try_from(state >> 33).expect("31 bits") % (last + 1);
        lines.swap(last, other);
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}
