//! What may become the baseline, and how it is written.

use std::os::unix::fs::PermissionsExt as _;

use rankgate_test::Project;
use serde_json::{Value, json};

use super::{RULES, accept, accepted, answers, config, lines, question, questions, run};
use crate::data::{self, assert_says};

/// Asserts that a baseline was refused for all of these reasons, and that nothing was written.
#[track_caller]
fn refused(project: &Project, args: &[&str], parts: &[&str]) {
    let before = std::fs::read(project.root().join("baseline.jsonl")).ok();
    let output = project.run(["accept"].iter().chain(args));
    assert_eq!(output.status, 2, "{}{}", output.stdout, output.stderr);
    assert_says(&output.stderr, parts);
    assert_eq!(std::fs::read(project.root().join("baseline.jsonl")).ok(), before);
}

/// Sixty questions, no baseline yet.
fn fresh(rules: &str) -> Project {
    let project = data::project();
    project
        .write("golden.jsonl", lines(&questions(60)))
        .write("run.jsonl", answers(60, |_| Some(1)))
        .write("rankgate.toml", config(rules, ""));
    project
}

const FORCED: [&str; 3] = ["--force", "--reason", "known"];

#[test]
fn a_failed_rule_is_refused_unless_forced() {
    let project = fresh("['hit_rate@10 >= 0.9', 'mrr@10 >= 0.9', 'no regression on mrr@10']");
    project.write("run.jsonl", answers(60, |index| (index < 30).then_some(1)));
    let said = ["the gate failed: hit_rate@10 >= 0.90, mrr@10 >= 0.90", "add `--force --reason"];
    refused(&project, &[], &said);
    run(&project, 1, &[]);
    refused(&project, &["report.json"], &said);
    accept(&project, &["report.json", "--force", "--reason", "known"]);
    // A promise is a rule, too; a warning is none.
    let set: Vec<Value> = (0..60)
        .map(|index| {
            let mut question = question(index);
            question["critical"] = json!(index == 59);
            question
        })
        .collect();
    let project = fresh("[{ rule = 'mrr@10 >= 1', level = 'warn' }]");
    project.write("run.jsonl", answers(60, |index| (index > 0).then_some(1)));
    accept(&project, &[]);
    project
        .write("golden.jsonl", lines(&set))
        .write("run.jsonl", answers(60, |index| (index < 59).then_some(1)));
    refused(&project, &[], &["the gate failed: promises: critical"]);
}

#[test]
fn every_reason_for_not_judging_is_refused_but_the_missing_baseline() {
    // No baseline yet: what accepting is for.
    accept(&fresh("['no regression on mrr@10', 'lost@5 <= 0', 'mrr@10 drop <= 0.1']"), &[]);

    let few = accepted(10, "['no regression on mrr@10 (underpowered=error)']", "");
    refused(&few, &["--by", "x"], &["`no regression on mrr@10 (underpowered=error)`", "too few questions"]);
    accept(&few, &FORCED);

    let small = fresh("['each(category) mrr@10 >= 0.5']");
    let with = |key: &str| small.read("rankgate.toml").replace("[gate]\n", &format!("[gate]\n{key}\n"));
    small.write("rankgate.toml", with("min_slice = 31"));
    refused(&small, &[], &["`each(category) mrr@10 >= 0.50` could not be judged", "min_slice"]);
    accept(&small, &FORCED);

    let timed = fresh("['latency_p95 <= 1s']");
    refused(&timed, &[], &["`latency_p95 <= 1000ms` could not be judged", "no times"]);
    accept(&timed, &FORCED);

    let short = fresh("['hit_rate@50 >= 0.5']");
    short.write("rankgate.toml", short.read("rankgate.toml").replace("allow_short = true\n", ""));
    refused(&short, &[], &["`hit_rate@50 >= 0.50` could not be judged", "allow_short"]);
    accept(&short, &FORCED);

    let ungraded = fresh("['hit_rate(rel=3)@10 >= 0.5']");
    refused(&ungraded, &[], &["`hit_rate(rel=3)@10 >= 0.50` could not be judged", "no label has the grade"]);
    accept(&ungraded, &FORCED);
}

#[test]
fn what_is_no_whole_run_is_refused_even_when_forced() {
    let project = fresh(RULES);
    run(&project, 0, &["--limit", "30"]);
    for args in [vec!["report.json"], [&["report.json"], FORCED.as_slice()].concat()] {
        refused(&project, &args, &["a run of some questions cannot be accepted", "the whole golden set"]);
    }
    // Nothing found at all: the retriever is broken.
    project.write("run.jsonl", answers(60, |_| Some(1)).replace("gold", "GOLD"));
    for args in [vec![], FORCED.to_vec()] {
        refused(&project, &args, &["the run has no verdict", "no returned id or document is ever"]);
    }
    // Fewer questions than the set must have.
    project.write("run.jsonl", answers(60, |_| Some(1)));
    let settings = project.read("rankgate.toml");
    project.write("rankgate.toml", settings.replace("[golden]\n", "[golden]\nmin_questions = 61\n"));
    for args in [vec![], FORCED.to_vec()] {
        refused(&project, &args, &["the run has no verdict: only 60 questions"]);
    }
}

#[test]
fn a_report_of_other_questions_is_refused() {
    let project = fresh(RULES);
    run(&project, 2, &[]);
    let set = project.read("golden.jsonl");
    project.write("golden.jsonl", set.replace("question 7\"", "question seven\""));
    for args in [vec!["report.json"], [&["report.json"], FORCED.as_slice()].concat()] {
        refused(&project, &args, &["the golden set has changed since the report: golden.jsonl", "run again"]);
    }
    project.write("golden.jsonl", set);
    accept(&project, &["report.json"]);
}

#[test]
fn a_golden_set_that_changed_is_accepted_by_force_only() {
    let project = accepted(60, RULES, "");
    project.write("golden.jsonl", lines(&questions(50)));
    project.write("run.jsonl", answers(50, |_| Some(1)));
    refused(&project, &[], &["the baseline cannot be compared", "--force --reason"]);
    accept(&project, &FORCED);
    run(&project, 0, &[]);
}

#[test]
fn accepting_again_changes_no_byte() {
    let project = accepted(60, RULES, "");
    let before = project.read("baseline.jsonl");
    let written = || std::fs::metadata(project.root().join("baseline.jsonl")).unwrap().modified().unwrap();
    let at = written();
    run(&project, 0, &[]);
    for args in [&[][..], &["report.json"], &["--by", "somebody else"]] {
        let output = accept(&project, args);
        assert_says(&output.stdout, &["baseline.jsonl holds these answers already"]);
        assert_eq!(project.read("baseline.jsonl"), before);
    }
    assert_eq!(written(), at);
    // A reason is worth writing down.
    let output = accept(&project, &["--reason", "release 4"]);
    assert_says(&output.stdout, &["replaced baseline.jsonl: 60 questions"]);
    let after = project.read("baseline.jsonl");
    assert_eq!(after.split_once('\n').unwrap().1, before.split_once('\n').unwrap().1);
    // A report of the same state and a run made now are the same baseline.
    let made = accepted(60, RULES, "");
    let settings = |text: &str| text.lines().next().unwrap().to_owned();
    assert_eq!(settings(&made.read("baseline.jsonl")), settings(&before));
}

#[test]
fn lines_are_sorted_by_id_whatever_the_order_of_questions() {
    let project = fresh(RULES);
    project.write("golden.jsonl", super::shuffled(&lines(&questions(60))));
    accept(&project, &[]);
    let text = project.read("baseline.jsonl");
    let ids: Vec<String> = text
        .lines()
        .skip(1)
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["id"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(ids, (0..60).map(super::id).collect::<Vec<_>>());
    assert!(text.ends_with('\n') && !text.contains('\r'));
}

#[test]
fn nothing_half_written_is_left_and_a_link_stays_a_link() {
    let project = fresh(RULES);
    project.write("elsewhere/kept.jsonl", "");
    std::os::unix::fs::symlink("elsewhere/kept.jsonl", project.root().join("baseline.jsonl")).unwrap();
    // An empty file is no baseline; accepting by a report needs none.
    let output = project.run(["run"]);
    data::assert_refused(&output, &["baseline.jsonl", "the baseline is empty", "rankgate accept"]);
    let settings = project.read("rankgate.toml");
    project.write("rankgate.toml", settings.replace("path = 'baseline.jsonl'", "path = 'none.jsonl'"));
    run(&project, 2, &[]);
    project.write("rankgate.toml", settings);
    accept(&project, &["report.json"]);
    assert!(project.root().join("baseline.jsonl").is_symlink());
    run(&project, 0, &[]);
    let kept = project.read("elsewhere/kept.jsonl");
    assert_eq!(kept.lines().count(), 61);
    let files = project.files();
    assert_eq!(
        files.iter().filter(|file| file.contains("kept") || file.contains("tmp")).count(),
        1,
        "{files:?}"
    );
}

#[test]
fn what_is_no_report_is_refused() {
    let project = fresh(RULES);
    project.write("text.json", "not JSON").write("other.json", "{\"format_version\": 1}");
    refused(&project, &["text.json"], &["text.json:1"]);
    refused(&project, &["other.json"], &["other.json"]);
    refused(&project, &["none.json"], &["none.json"]);
    refused(&project, &["golden.jsonl"], &["golden.jsonl"]);
    refused(&project, &["rankgate.toml"], &["rankgate.toml"]);
}

#[test]
fn a_path_that_cannot_be_written_is_known_before_a_question_is_asked() {
    let project = fresh(RULES);
    // The answers are broken, and that is not what is said first.
    project.write("run.jsonl", "{").write("folder/file", "");
    refused(&project, &["--set", "baseline.path=folder"], &["folder"]);
    project.write("taken", "");
    let output = project.run(["accept", "--set", "baseline.path=taken/baseline.jsonl"]);
    assert_eq!(output.status, 2);
    assert_says(&output.stderr, &["cannot write taken"]);
    assert!(!output.stderr.contains("run.jsonl"), "{}", output.stderr);
    let locked = project.root().join("folder");
    std::fs::set_permissions(&locked, std::fs::Permissions::from_mode(0o555)).unwrap();
    // Who may write everywhere is not kept out by permissions.
    let is_kept_out = std::fs::write(locked.join("probe"), "").is_err();
    let output = project.run(["accept", "--set", "baseline.path=folder/baseline.jsonl"]);
    std::fs::set_permissions(&locked, std::fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(output.status, 2);
    if is_kept_out {
        assert_says(&output.stderr, &["folder/baseline.jsonl"]);
    }
}

#[test]
fn without_a_configured_path_there_is_nowhere_to_write() {
    let project = fresh("['mrr@10 >= 0.5']");
    let settings = project.read("rankgate.toml").replace("[baseline]\npath = 'baseline.jsonl'\n", "");
    project.write("rankgate.toml", &settings);
    refused(&project, &[], &["no baseline is configured", "[baseline] path"]);
    // A rule about change without one is a mistake of the configuration.
    let output = project.run(["run", "--gate", "no regression on mrr@10"]);
    data::assert_refused(&output, &["no baseline is configured", "baseline.path"]);
}
