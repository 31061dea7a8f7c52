//! Reading the shared data, and running the binary on it.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::path::Path;

use rankgate::report::{MeasureFacts, QuestionFacts, Report};
use rankgate_test::{Output, Project};
use serde_json::Value;

/// A project for the binary under test.
pub fn project() -> Project {
    Project::new(env!("CARGO_BIN_EXE_rankgate"))
}

pub fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A JSON file; Python writes a number that is none in a way that JSON has not.
pub fn json(path: &Path) -> Value {
    serde_json::from_str(&text(path).replace(": NaN", ": null")).unwrap()
}

pub fn json_lines(path: &Path) -> Vec<Value> {
    text(path).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The rows of a tab-separated file under their titles.
pub fn table(path: &Path) -> Vec<BTreeMap<String, String>> {
    let text = text(path);
    let mut lines = text.lines();
    let titles: Vec<&str> = lines.next().unwrap().split('\t').collect();
    lines
        .map(|line| titles.iter().map(|title| (*title).to_owned()).zip(line.split('\t').map(str::to_owned)))
        .map(Iterator::collect)
        .collect()
}

pub fn strings(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|item| item.as_str().unwrap()).collect()
}

pub fn float(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

/// A path as TOML writes it.
pub fn toml(path: &Path) -> String {
    format!("'{}'", path.display())
}

/// What `rankgate run` left behind.
pub struct Ran {
    pub status: i32,
    pub output: Output,
    pub report: Report,
}

/// Runs the project and reads its JSON report.
pub fn run(project: &Project, args: &[&str]) -> Ran {
    let output = project.run(["run", "-o", "report.json"].iter().chain(args));
    let path = project.root().join("report.json");
    assert!(path.exists(), "no report: {}", output.stderr);
    let report = serde_json::from_str(&text(&path)).unwrap();
    std::fs::remove_file(path).unwrap();
    Ran { status: output.status, output, report }
}

impl Ran {
    pub fn measure(&self, name: &str) -> &MeasureFacts {
        self.report.measures.iter().find(|facts| facts.measure == name).unwrap_or_else(|| panic!("no {name}"))
    }

    pub fn mean(&self, name: &str) -> f64 {
        self.measure(name).mean.unwrap_or_else(|| panic!("no mean of {name}"))
    }

    pub fn question(&self, id: &str) -> &QuestionFacts {
        self.report.questions.iter().find(|question| question.id == id).unwrap_or_else(|| panic!("no {id}"))
    }
}

/// The ids at the top of a list.
pub fn top(question: &QuestionFacts, k: usize) -> Vec<&str> {
    question.retrieved.iter().take(k).map(|hit| hit.id.as_str()).collect()
}

#[track_caller]
pub fn assert_close(is: f64, wanted: f64, tolerance: f64, what: &str) {
    assert!((is - wanted).abs() <= tolerance, "{what}: {is} instead of {wanted}");
}
