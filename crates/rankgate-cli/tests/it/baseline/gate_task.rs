//! A generated change in which it is known which questions lost their evidence: the report must say exactly that.

use std::collections::BTreeSet;
use std::process::Command;

use rankgate_test::{Project, shared};
use serde_json::Value;

use super::{accept, items, run, shuffled};
use crate::data;

const CONFIG: &str = "name = 'task'\n[golden]\npath = 'golden.jsonl'\n[retriever]\nkind = 'run'\npath = 'now.run'\n\
    [measures]\nreport = ['hit_rate@10', 'ndcg@10', 'mrr@10']\n[baseline]\npath = 'baseline.jsonl'\n[gate]\n\
    rules = ['no regression on ndcg@10', 'lost@10 <= 3', 'each(category) hit_rate@10 drop <= 0.05', \
    'each(category) mrr@10 drop significant']\n";

/// The task of 200 questions, its baseline accepted.
fn task() -> Option<Project> {
    let generator = shared("bench/gen_gate.py")?;
    let project = data::project();
    let made = Command::new("python3")
        .arg(generator)
        .args(["--preset", "small", "--out"])
        .arg(project.root())
        .output()
        .expect("python3");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    project.write("rankgate.toml", CONFIG);
    take(&project, "baseline.run");
    accept(&project, &[]);
    Some(project)
}

/// Makes a run the one that is gated.
fn take(project: &Project, name: &str) {
    project.write("now.run", project.read(name));
}

fn ids<'a>(values: impl Iterator<Item = &'a Value>) -> BTreeSet<&'a str> {
    values.map(|value| value.as_str().unwrap_or_default()).collect()
}

fn truth(project: &Project) -> Value {
    data::json(&project.root().join("truth.json"))
}

/// The category with the largest share of losses, by the truth: the most questions lost.
fn worst(truth: &Value) -> String {
    let by = truth["by_category"].as_object().unwrap();
    let worst = by.iter().max_by_key(|(_, counts)| counts["lost"].as_u64()).unwrap();
    worst.0.clone()
}

#[test]
fn the_questions_that_lost_their_evidence_are_named_and_no_others() {
    let Some(project) = task() else { return };
    take(&project, "candidate.run");
    let (_, report) = run(&project, 1, &[]);
    let truth = truth(&project);
    let moved = &report["comparison"]["moved"];
    let gone = || items(moved).filter(|moved| moved["movement"] == "gone");
    assert_eq!(ids(gone().map(|moved| &moved["id"])), ids(items(&truth["lost_gold"])));
    let from_top = gone().filter(|moved| moved["before"].as_u64().is_some_and(|rank| rank <= 10));
    assert_eq!(ids(from_top.map(|moved| &moved["id"])), ids(items(&truth["lost_gold_from_top10"])));
    assert_eq!(report["comparison"]["cutoff"], 10);
    assert_eq!(report["comparison"]["slices"][0]["value"], worst(&truth).as_str());

    // What moved by one place is told apart from what is lost; one place may also cross the cut-off.
    for (list, movements) in [("moved_up", ["rose", "found"]), ("moved_down", ["fell", "lost"])] {
        for id in items(&truth[list]) {
            let moved = items(moved).find(|moved| moved["id"] == *id).unwrap();
            assert!(movements.contains(&moved["movement"].as_str().unwrap()), "{list}: {moved}");
            let rank = |side: &str| moved[side].as_i64().unwrap();
            assert_eq!((rank("now") - rank("before")).abs(), 1, "{moved}");
        }
    }
    let told: usize = ["lost_gold", "moved_up", "moved_down"]
        .map(|list| truth[list].as_array().unwrap().len())
        .iter()
        .sum();
    assert_eq!(items(moved).count(), told);

    // The rule about questions lost counts the ones that crossed its cut-off, by either way.
    let lost = &report["verdict"]["rules"][1];
    let crossed = items(moved).filter(|moved| {
        let within = |side: &str| moved[side].as_u64().is_some_and(|rank| rank <= 10);
        within("before") && !within("now")
    });
    assert_eq!(ids(items(&lost["questions"])), ids(crossed.map(|moved| &moved["id"])));
}

#[test]
fn the_first_lines_name_the_category_that_lost_most() {
    let Some(project) = task() else { return };
    take(&project, "candidate.run");
    let (output, _) = run(&project, 1, &[]);
    let first: Vec<&str> = output.stdout.lines().take(6).collect();
    let worst = worst(&truth(&project));
    assert!(first.iter().any(|line| line.contains(&worst)), "{worst} is not in {first:#?}");
}

#[test]
fn the_same_state_passes() {
    let Some(project) = task() else { return };
    let (_, report) = run(&project, 0, &[]);
    assert_eq!(report["comparison"]["moved"].as_array().unwrap().len(), 0);
    for rule in items(&report["verdict"]["rules"]) {
        assert_eq!(rule["status"], "passed", "{rule}");
        let tests = rule["tests"].as_array().into_iter().flatten();
        assert!(tests.into_iter().all(|test| test["p"] == 1.0), "{rule}");
    }
}

/// A report without times, and without the lines of files and their digests, which differ as the files do.
fn bare(mut report: Value) -> String {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(members) => {
                for key in ["timing", "sha256", "line"] {
                    members.remove(key);
                }
                members.values_mut().for_each(strip);
            }
            Value::Array(items) => items.iter_mut().for_each(strip),
            _ => {}
        }
    }
    strip(&mut report);
    serde_json::to_string_pretty(&report).unwrap()
}

#[test]
fn the_order_of_lines_changes_nothing() {
    let Some(project) = task() else { return };
    take(&project, "candidate.run");
    let (_, report) = run(&project, 1, &[]);
    let decision = report["verdict"].to_string();
    let plain = bare(report);
    let accepted = project.read("baseline.jsonl");

    project.write("now.run", shuffled(&project.read("candidate.run")));
    let (_, report) = run(&project, 1, &[]);
    assert_eq!(report["verdict"].to_string(), decision);
    assert_same(&bare(report), &plain);

    project.write("golden.jsonl", shuffled(&project.read("golden.jsonl")));
    let (_, report) = run(&project, 1, &[]);
    assert_eq!(report["verdict"].to_string(), decision);

    // Accepted anew, so that the digest of the file is the same on both sides.
    take(&project, "baseline.run");
    accept(&project, &[]);
    let lines = |text: &str| text.split_once('\n').map(|(_, lines)| lines.to_owned());
    assert_eq!(lines(&project.read("baseline.jsonl")), lines(&accepted));
    project.write("now.run", shuffled(&project.read("candidate.run")));
    let (_, report) = run(&project, 1, &[]);
    assert_eq!(report["verdict"].to_string(), decision);
    assert_same(&bare(report), &plain);
}

/// Equal, or a panic with the first lines that differ and not with two megabytes.
#[track_caller]
fn assert_same(is: &str, wanted: &str) {
    let differ = is.lines().zip(wanted.lines()).enumerate().find(|(_, (is, wanted))| is != wanted);
    assert!(differ.is_none() && is.len() == wanted.len(), "{differ:?}");
}
