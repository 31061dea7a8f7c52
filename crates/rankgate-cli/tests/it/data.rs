//! What the tests over shared data have in common: reading them, running the binary on them, comparing numbers.

use std::collections::BTreeMap;
use std::path::Path;

use rankgate::config::{Inputs, resolve};
use rankgate::line::{self, Suite};
use rankgate::report::Report;
use rankgate::retriever::{Hit, Question, RetrieveError, Retriever, RetrieverInfo};
use rankgate::select::Filter;
use rankgate_test::{Output, Project};
use serde_json::Value;

/// An empty project for the real binary.
pub fn project() -> Project {
    Project::new(env!("CARGO_BIN_EXE_rankgate"))
}

/// A golden set in `golden.jsonl` and its recorded answers in `run.jsonl`; more may follow.
pub const RECORDED: &str = "[golden]\npath = 'golden.jsonl'\n[retriever]\nkind = 'run'\npath = 'run.jsonl'\n";

/// A project over recorded answers.
pub fn recorded(golden: &str, run: &str) -> Project {
    let project = project();
    project.write("golden.jsonl", golden).write("run.jsonl", run).write("rankgate.toml", RECORDED);
    project
}

/// A file of the shared data, as JSON.
pub fn json(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).expect("a file")).expect("JSON")
}

/// The entries of a JSON object.
pub fn entries(value: &Value) -> impl Iterator<Item = (&str, &Value)> {
    value.as_object().expect("an object").iter().map(|(key, value)| (key.as_str(), value))
}

/// The items of a JSON array.
pub fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().expect("an array").iter()
}

/// The strings of a JSON array.
pub fn strings(value: &Value) -> Vec<&str> {
    items(value).map(|item| item.as_str().expect("a string")).collect()
}

/// JSON Lines.
pub fn lines<'a>(values: impl IntoIterator<Item = &'a Value>) -> String {
    values.into_iter().map(|value| format!("{value}\n")).collect()
}

/// The name of a measure in the shared data, as this tool spells it. There, nDCG has the linear gain.
pub fn measure(name: &str) -> String {
    let (name, cutoff) = name.split_once('@').map_or((name, None), |(name, cutoff)| (name, Some(cutoff)));
    let own = match name {
        "nDCG" | "ndcg" => "ndcg(gain=linear)",
        "MRR" | "reciprocal_rank" => "mrr",
        "hit" => "hit_rate",
        "average_precision" => "map",
        other => other,
    };
    cutoff.map_or_else(|| own.to_owned(), |cutoff| format!("{own}@{cutoff}"))
}

/// These measures, by the names of the shared data, as one value of `-m`.
pub fn measures<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    names.into_iter().map(measure).collect::<Vec<_>>().join(",")
}

/// Asserts that two numbers differ by no more than the tolerance.
pub fn assert_near(what: &str, actual: &Value, expected: &Value, tolerance: f64) {
    let number = |value: &Value| value.as_f64().unwrap_or_else(|| panic!("{what}: {value} is no number"));
    let (actual, expected) = (number(actual), number(expected));
    assert!((actual - expected).abs() <= tolerance, "{what}: {actual} where {expected} is right");
}

/// Asserts every expected value, by the names of the shared data, among values by our names.
pub fn assert_values(what: &str, actual: &Value, expected: &Value) {
    assert!(entries(expected).next().is_some(), "{what}: no values are expected in {expected}");
    for (name, value) in entries(expected) {
        assert_near(&format!("{what} {name}"), &actual[measure(name)], value, 1e-9);
    }
}

/// Asserts that a text says all of these.
pub fn assert_says(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "`{part}` is not said in:\n{text}");
    }
}

/// Asserts that the command refused its input: exit status 2, nothing on standard output, every part said.
pub fn assert_refused(output: &Output, parts: &[&str]) {
    assert_eq!((output.status, output.stdout.as_str()), (2, ""), "{}", output.stderr);
    assert_says(&output.stderr, parts);
}

/// `score` on files of the project or anywhere, with its JSON.
pub fn score<'a>(
    project: &Project,
    qrels: &Path,
    run: &Path,
    measures: impl IntoIterator<Item = &'a str>,
    more: &[&str],
) -> (Output, Value) {
    let mut command = project.command();
    command.args(["score", "--format", "json", "--per-query", "--qrels"]).arg(qrels).arg("--run").arg(run);
    let output =
        command.args(["-m", &self::measures(measures)]).args(more).output().expect("the binary starts");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    let output = Output {
        status: output.status.code().unwrap_or(-1),
        stdout: text(output.stdout),
        stderr: text(output.stderr),
    };
    let report = if output.status == 0 {
        serde_json::from_str(&output.stdout).expect("strict JSON")
    } else {
        Value::Null
    };
    (output, report)
}

/// `run`, with the JSON report that it writes.
pub fn run(project: &Project, args: &[&str]) -> (Output, Value) {
    let output = project.run(["run", "-o", "report.json"].iter().chain(args));
    let path = project.root().join("report.json");
    let report = if path.exists() { json(&path) } else { Value::Null };
    (output, report)
}

/// The facts of one question in a report.
pub fn question<'r>(report: &'r Value, id: &str) -> &'r Value {
    items(&report["questions"]).find(|question| question["id"] == id).expect(id)
}

/// The mean of a measure in a report.
pub fn mean<'r>(report: &'r Value, name: &str) -> &'r Value {
    let measure = measure(name);
    &items(&report["measures"]).find(|facts| facts["measure"] == measure).expect(name)["mean"]
}

/// The ids that a question got, in order.
pub fn retrieved<'r>(report: &'r Value, id: &str) -> Vec<&'r str> {
    items(&question(report, id)["retrieved"]).filter_map(|hit| hit["id"].as_str()).collect()
}

/// A retriever that answers and fails as it is told, by the ids of the questions. A run file cannot fail on single
/// questions, and neither can lexical search.
#[derive(Debug, Default)]
pub struct Scripted(pub BTreeMap<String, Result<Vec<String>, String>>);

impl Retriever for Scripted {
    fn info(&self) -> RetrieverInfo {
        RetrieverInfo { kind: "scripted", fingerprint: "scripted".to_owned(), ..RetrieverInfo::default() }
    }

    fn retrieve(&self, question: &Question<'_>) -> Result<Vec<Hit>, RetrieveError> {
        match self.0.get(question.id) {
            Some(Ok(ids)) => {
                Ok(ids.iter().map(|id| Hit { id: id.as_str().into(), ..Hit::default() }).collect())
            }
            Some(Err(message)) => Err(RetrieveError::Failed(message.clone())),
            None => Err(RetrieveError::Missing),
        }
    }
}

/// The line from a configuration in a project to the report, with a retriever of the test's own in place of the
/// configured one.
pub fn run_with(project: &Project, config: &str, retriever: &dyn Retriever) -> Report {
    project.write("rankgate.toml", config);
    let root = project.root().to_owned();
    let inputs = Inputs { config: Some(root.join("rankgate.toml")), cwd: root, ..Inputs::default() };
    let suite = Suite::read(resolve(&inputs).expect("a sound configuration")).expect("sound input");
    let selection = Filter::default().select(&suite.golden).expect("questions");
    line::run(&suite, &selection, retriever, false).expect("a report")
}
