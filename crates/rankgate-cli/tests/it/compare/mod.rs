//! `compare`: reports, baselines and run files side by side.

mod inputs;
mod outputs;
mod redacted;
mod statistics;

use std::fmt::Write as _;

use rankgate::compare::{ComparedMeasure, ComparisonReport};
use rankgate_test::Project;

use crate::support::{fits, recorded, small};

/// Compares as JSON.
fn compared<'a>(project: &Project, args: impl IntoIterator<Item = &'a str>) -> ComparisonReport {
    serde_json::from_str(&bytes(project, args)).unwrap()
}

fn bytes<'a>(project: &Project, args: impl IntoIterator<Item = &'a str>) -> String {
    let output = project.run(["compare", "-o", "json:-"].into_iter().chain(args));
    assert_eq!(output.status, 0, "{}", output.stderr);
    output.stdout
}

/// What is printed where nothing can be compared.
fn refused<'a>(project: &Project, args: impl IntoIterator<Item = &'a str>) -> String {
    let output = project.run(["compare"].into_iter().chain(args));
    assert_eq!((output.status, output.stdout.as_str()), (2, ""), "{}", output.stderr);
    fits(&output);
    output.stderr
}

fn measure<'a>(report: &'a ComparisonReport, name: &str) -> &'a ComparedMeasure {
    let rows = &report.pairs[0].measures;
    rows.iter().find(|row| row.change.measure == name).unwrap_or_else(|| panic!("no {name}"))
}

/// A run in which the one relevant document `yes` of each question stands at a rank.
fn with_ranks(ranks: &[(&str, usize)]) -> String {
    let mut lines = String::new();
    for (question, rank) in ranks {
        for at in 1..=10 {
            let id = if at == *rank { "yes".to_owned() } else { format!("no{at}") };
            writeln!(lines, "{question} Q0 {id} {at} {} x", 100 - at).unwrap();
        }
    }
    lines
}

fn qrels(questions: &[&str]) -> String {
    questions.iter().map(|question| format!("{question} 0 yes 1\n")).collect()
}

/// Two states of the small project as reports `a.json` and `b.json`, and the first as baseline.
fn states() -> Project {
    let project = small();
    let config = project.read("rankgate.toml").replace(r#"["hit_rate@3 >= 0.90"]"#, "[]");
    project.write("rankgate.toml", format!("{config}[baseline]\npath = 'base.jsonl'\n"));
    let args = ["-m", "mrr@3,hit_rate@3", "--depth", "5"];
    assert_eq!(project.run(["run", "-o", "a.json"].iter().chain(&args)).status, 0);
    assert_eq!(project.run(["accept", "a.json", "--by", "Ann"]).status, 0);
    project.write("old.run", project.read("last.run"));
    let worse = recorded("", "a c1 c2 c3 c4\nb c1 c9 c3 c2\nc c1 c2 c9 c4 c5\n", "[]").read("last.run");
    project.write("last.run", worse);
    assert_eq!(project.run(["run", "-o", "b.json"].iter().chain(&args)).status, 0);
    project
}
