//! Files that are not what somebody accepted: cut, edited, of another version, or in the place of another file.

use super::{RULES, accept, accepted, answers, run};
use crate::data::{assert_refused, assert_says};

#[test]
fn a_baseline_that_was_cut_or_edited_is_none() {
    let project = accepted(60, RULES, "golden_changed = 'rescore'\n");
    let whole = project.read("baseline.jsonl");
    // Ten questions lost everything, and a shorter baseline would not know them.
    project.write("run.jsonl", answers(60, |index| (index < 50).then_some(1)));
    run(&project, 1, &[]);
    let cut: String = whole.lines().take(51).map(|line| format!("{line}\n")).collect();
    let edited = whole.replacen("\"rank\":1,", "", 1);
    let needless = whole.replacen("\"labelled\":[1]", "\"labelled\":[1,2]", 1);
    for tampered in [cut, edited, needless] {
        project.write("baseline.jsonl", tampered);
        let output = project.run(["run"]);
        assert_refused(&output, &["baseline.jsonl", "not those that were accepted"]);
    }
    // Line ends are no edit.
    project.write("baseline.jsonl", whole.replace('\n', "\r\n"));
    run(&project, 1, &[]);
}

#[test]
fn a_broken_baseline_can_be_accepted_over() {
    let project = accepted(60, RULES, "");
    let whole = project.read("baseline.jsonl");
    for broken in ["", "{", "<<<<<<< ours\n", whole.get(..300).unwrap()] {
        project.write("baseline.jsonl", broken);
        assert_eq!(project.run(["run"]).status, 2, "{broken:?}");
        let output = accept(&project, &[]);
        assert_says(&output.stderr, &["baseline.jsonl"]);
        assert_eq!(project.read("baseline.jsonl"), whole);
    }
}

#[test]
fn accepting_never_replaces_what_it_reads() {
    let project = accepted(60, RULES, "");
    run(&project, 0, &[]);
    for file in ["golden.jsonl", "run.jsonl", "rankgate.toml", "report.json"] {
        let before = project.read(file);
        let set = format!("baseline.path={file}");
        for report in [&["report.json"][..], &[]] {
            let args = ["accept", "--force", "--reason", "x", "--set", &set];
            let output = project.run(args.iter().chain(report));
            if file != "report.json" || !report.is_empty() {
                assert_refused(&output, &[file, "the baseline would replace it"]);
                assert_eq!(project.read(file), before);
            }
        }
        project.write(file, before);
    }
    // Nor does a report take the place of a baseline that is not there yet.
    let output = project.run(["run", "--set", "baseline.path=new.jsonl", "-o", "json:new.jsonl"]);
    assert_refused(&output, &["new.jsonl"]);
}

#[test]
fn a_report_that_is_not_whole_or_of_another_version_is_refused() {
    let project = accepted(60, RULES, "");
    let (_, report) = run(&project, 0, &[]);
    let mut other = report.clone();
    other["format_version"] = 99.into();
    let mut cut = report.clone();
    cut["questions"].as_array_mut().unwrap().truncate(15);
    let mut twice = report.clone();
    let first = twice["questions"][0].clone();
    twice["questions"].as_array_mut().unwrap().push(first);
    let mut beyond = report.clone();
    beyond["questions"][0]["expected"][0]["rank"] = 999.into();
    let before = project.read("baseline.jsonl");
    for (report, said) in [
        (other, "the report has format 99"),
        (cut, "it has 15 of 60 questions"),
        (twice, "every question of the golden set once"),
        (beyond, "there is no rank 999"),
    ] {
        project.write("changed.json", report.to_string());
        let output = project.run(["accept", "changed.json", "--reason", "x"]);
        assert_refused(&output, &[said]);
        assert_eq!(project.read("baseline.jsonl"), before);
    }
}
