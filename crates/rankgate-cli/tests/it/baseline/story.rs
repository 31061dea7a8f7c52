//! The whole story of a baseline in one repository.

use serde_json::Value;

use super::git::{commit, git, repository};
use super::{RULES, answers, config, lines, note, number, questions, rule, run};
use crate::data::{self, assert_says};

const RULE: &str = "no regression on mrr@10";

/// The header of the baseline.
fn header(project: &rankgate_test::Project) -> Value {
    let text = project.read("eval/baseline.jsonl");
    serde_json::from_str(text.lines().next().unwrap()).unwrap()
}

#[test]
fn from_the_first_run_to_a_loss_that_was_meant() {
    let project = data::project();
    let settings = config(RULES, "").replace("baseline.jsonl", "eval/baseline.jsonl");
    project
        .write("golden.jsonl", lines(&questions(60)))
        .write("run.jsonl", answers(60, |_| Some(1)))
        .write("rankgate.toml", &settings)
        .write(".gitignore", "report.json\n");
    repository(&project);
    let start = commit(&project, "A suite");

    // The first run has nothing to be compared with: no verdict, and what to do.
    let (output, report) = run(&project, 2, &[]);
    assert_eq!(rule(&report, RULE)["reason"], "no_baseline");
    assert_says(&output.stdout, &["rankgate accept"]);
    assert_eq!(git(project.root(), &["status", "--porcelain"]), "");

    // Accepted and committed, the second run passes.
    let output = super::accept(&project, &[]);
    assert_says(&output.stdout, &["wrote eval/baseline.jsonl", "60 questions"]);
    assert_eq!(header(&project)["accepted"]["by"], "Ada Tester");
    assert_eq!(header(&project)["accepted"]["commit"], start.as_str());
    let sound = commit(&project, "Accept the first state");
    let (_, report) = run(&project, 0, &[]);
    assert_eq!(rule(&report, RULE)["status"], "passed");

    // A branch loses the evidence of every tenth question, and means to.
    git(project.root(), &["checkout", "--quiet", "-b", "smaller-index"]);
    project.write("run.jsonl", answers(60, |index| (!index.is_multiple_of(10)).then_some(1)));
    let losing = commit(&project, "Leave old pages out of the index");
    let (_, report) = run(&project, 1, &[]);
    assert_eq!(rule(&report, RULE)["status"], "failed");
    assert_eq!(report["comparison"]["counts"]["gone"], 6);

    let accepted = project.read("eval/baseline.jsonl");
    let output = project.run(["accept"]);
    assert_eq!(output.status, 2);
    assert_says(&output.stderr, &["the gate failed: no regression on mrr@10", "--force --reason"]);
    let output = project.run(["accept", "--force"]);
    assert_eq!(output.status, 2);
    assert_says(&output.stderr, &["--reason"]);
    assert_eq!(project.read("eval/baseline.jsonl"), accepted);

    let forced = ["--force", "--reason", "old pages are gone on purpose"];
    let output = super::accept(&project, &forced);
    assert_says(&output.stdout, &["replaced eval/baseline.jsonl"]);
    let header = header(&project);
    assert_eq!(header["accepted"]["by"], "Ada Tester");
    assert_eq!(header["accepted"]["commit"], losing.as_str());
    assert_eq!(header["accepted"]["reason"], "old pages are gone on purpose");
    commit(&project, "Accept the smaller index");

    // By its own word the branch is sound; by that of the branch it is to be merged into it is not.
    run(&project, 0, &[]);
    let (output, report) = run(&project, 1, &["--set", "baseline.ref=merge-base"]);
    assert_eq!(rule(&report, RULE)["status"], "failed");
    assert!((number(&rule(&report, RULE)["before"]) - 1.0).abs() < 1e-12);
    let with = &report["comparison"]["with"];
    assert_eq!(
        (with["revision"].as_str(), with["edited_here"].as_bool()),
        (Some(sound.as_str()), Some(true))
    );
    assert_says(note(&report, "baseline_edited"), &["this change edits the baseline", &sound[..8]]);
    assert_says(&output.stdout, &["this change edits the baseline", "it counts once it is merged"]);

    // Meanwhile the target goes on: the merge base stays what it was.
    git(project.root(), &["checkout", "--quiet", "main"]);
    project.write("notes.txt", "unrelated");
    commit(&project, "Something else");
    git(project.root(), &["checkout", "--quiet", "smaller-index"]);
    let (_, report) = run(&project, 1, &["--set", "baseline.ref=merge-base"]);
    assert_eq!(report["comparison"]["with"]["revision"], sound.as_str());

    // Reviewed and merged, it is the accepted state there.
    git(project.root(), &["checkout", "--quiet", "main"]);
    git(project.root(), &["merge", "--quiet", "--no-edit", "smaller-index"]);
    run(&project, 0, &["--set", "baseline.ref=merge-base"]);
}
