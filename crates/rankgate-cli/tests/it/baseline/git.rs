//! The baseline of another revision: what git must be able to tell, and what is said when it cannot.

use std::path::Path;
use std::process::Command;

use rankgate_test::Project;
use serde_json::Value;

use super::{RULES, accepted, answers, items, note, run};
use crate::data::{assert_refused, assert_says};

/// Runs git in a folder, with no settings but those of the repository.
#[track_caller]
pub(super) fn git(folder: &Path, args: &[&str]) -> String {
    let output = Command::new("git")
        .current_dir(folder)
        .args(args)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CEILING_DIRECTORIES", folder.parent().unwrap_or(folder))
        .env_remove("GIT_DIR")
        .output()
        .expect("git");
    assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

/// A repository on `main` with a user of its own.
pub(super) fn repository(project: &Project) {
    git(project.root(), &["init", "--quiet", "--initial-branch=main"]);
    git(project.root(), &["config", "user.name", "Ada Tester"]);
    git(project.root(), &["config", "user.email", "ada@example.org"]);
}

/// Commits everything and returns the commit.
pub(super) fn commit(project: &Project, message: &str) -> String {
    git(project.root(), &["add", "--all"]);
    git(project.root(), &["commit", "--quiet", "--message", message]);
    git(project.root(), &["rev-parse", "HEAD"])
}

/// A branch whose evidence sank, and which accepted that.
fn branch() -> Project {
    let project = accepted(60, RULES, "");
    repository(&project);
    commit(&project, "A sound state");
    git(project.root(), &["checkout", "--quiet", "-b", "change"]);
    project.write("run.jsonl", answers(60, |index| (index >= 20).then_some(1)));
    super::accept(&project, &["--force", "--reason", "smaller index"]);
    commit(&project, "A smaller index");
    project
}

const MERGE_BASE: [&str; 2] = ["--set", "baseline.ref=merge-base"];

#[test]
fn without_a_repository_a_revision_is_refused() {
    let project = accepted(60, RULES, "");
    let output = project.run(["run"].iter().chain(&MERGE_BASE));
    assert_refused(&output, &["baseline.jsonl", "`baseline.ref` reads the baseline from git", "leave"]);
}

#[test]
fn a_shallow_clone_is_told_how_to_get_its_history() {
    let project = branch();
    git(project.root(), &["checkout", "--quiet", "main"]);
    let clone = Project::new(env!("CARGO_BIN_EXE_rankgate"));
    let url = format!("file://{}", project.root().display());
    git(clone.root(), &["clone", "--quiet", "--depth", "1", "--branch", "change", &url, "clone"]);
    let args = ["--config", "clone/rankgate.toml", "run", "--set", "baseline.ref=merge-base:main"];
    let output = clone.run(args);
    assert_refused(&output, &["`main`", "the clone is shallow", "git fetch --unshallow", "fetch-depth: 0"]);
    let output = clone.run(&args[..3]);
    assert_eq!(output.status, 0, "{}{}", output.stdout, output.stderr);
    // The usual names of a target are not there either.
    let output = clone.run(args[..4].iter().chain(&["baseline.ref=merge-base"]));
    assert_refused(&output, &["the clone is shallow"]);
    // With the branch fetched, but not its history, there is still no common commit.
    git(
        &clone.root().join("clone"),
        &["fetch", "--quiet", "--depth", "1", "origin", "main:refs/remotes/origin/main"],
    );
    let output = clone.run(args);
    assert_refused(&output, &["no common commit", "the clone is shallow"]);
    git(&clone.root().join("clone"), &["fetch", "--quiet", "--unshallow", "origin", "main", "change"]);
    let output = clone.run(args);
    assert_eq!(output.status, 1, "{}{}", output.stdout, output.stderr);
}

#[test]
fn the_target_is_the_one_that_the_build_names() {
    let mut project = branch();
    // `main` has gone on to accept the loss; the branch `release` has not.
    git(project.root(), &["branch", "release", "main"]);
    git(project.root(), &["checkout", "--quiet", "main"]);
    git(project.root(), &["merge", "--quiet", "--ff-only", "change"]);
    git(project.root(), &["checkout", "--quiet", "change"]);
    run(&project, 0, &MERGE_BASE);
    for (variable, branch) in [
        ("GITHUB_BASE_REF", "release"),
        ("CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "release"),
        ("BITBUCKET_PR_DESTINATION_BRANCH", "release"),
        ("CHANGE_TARGET", "release"),
        ("SYSTEM_PULLREQUEST_TARGETBRANCH", "refs/heads/release"),
        ("BUILDKITE_PULL_REQUEST_BASE_BRANCH", "release"),
    ] {
        project.env(variable, branch);
        run(&project, 1, &MERGE_BASE);
        // What the configuration names is stronger.
        run(&project, 0, &["--set", "baseline.ref=merge-base:main"]);
        project.env(variable, "");
        run(&project, 0, &MERGE_BASE);
    }
    project.env("GITHUB_BASE_REF", "develop");
    let output = project.run(["run"].iter().chain(&MERGE_BASE));
    assert_refused(&output, &["`GITHUB_BASE_REF` names the branch `develop`", "git fetch origin develop"]);
}

#[test]
fn what_is_checked_out_is_not_what_the_remote_calls_its_head() {
    let project = branch();
    git(project.root(), &["checkout", "--quiet", "main"]);
    let clone = Project::new(env!("CARGO_BIN_EXE_rankgate"));
    let url = project.root().display().to_string();
    git(clone.root(), &["clone", "--quiet", "--branch", "change", &url, "clone"]);
    let with = |reference: &str| {
        let set = format!("baseline.ref={reference}");
        clone.run(["-c", "clone/rankgate.toml", "run", "--set", set.as_str()]).status
    };
    assert_eq!(["HEAD", "@", "main", "HEAD~1", "merge-base"].map(with), [0, 0, 1, 1, 1]);
}

#[test]
fn a_revision_is_read_and_named() {
    let project = branch();
    let sound = git(project.root(), &["rev-parse", "main"]);
    for revision in ["main", sound.as_str(), "HEAD~1"] {
        let (_, report) = run(&project, 1, &["--set", &format!("baseline.ref={revision}")]);
        assert_eq!(report["comparison"]["with"]["revision"], sound.as_str());
        assert_eq!(report["comparison"]["with"]["edited_here"], true);
    }
    let output = project.run(["run", "--set", "baseline.ref=nowhere"]);
    assert_refused(&output, &["knows no revision `nowhere`"]);
    // An option in place of a revision is no revision.
    let output = project.run(["run", "--set", "baseline.ref=--all"]);
    assert_refused(&output, &["knows no revision `--all`"]);
}

#[test]
fn a_target_without_a_baseline_judges_nothing() {
    let project = accepted(60, RULES, "");
    let baseline = project.read("baseline.jsonl");
    std::fs::remove_file(project.root().join("baseline.jsonl")).unwrap();
    repository(&project);
    let first = commit(&project, "No baseline yet");
    git(project.root(), &["checkout", "--quiet", "-b", "change"]);
    project.write("baseline.jsonl", baseline);
    commit(&project, "The first baseline");
    let (output, report) = run(&project, 2, &MERGE_BASE);
    assert_eq!(report["verdict"]["rules"][0]["reason"], "no_baseline");
    assert_says(note(&report, "baseline_unmerged"), &[&first[..8]]);
    // It is accepted already: what is left is to merge it.
    assert!(!output.stdout.contains("NEXT"), "{}", output.stdout);
    // Without a revision its own is read.
    run(&project, 0, &[]);
}

#[test]
fn a_baseline_that_the_change_deletes_is_announced() {
    let project = branch();
    git(project.root(), &["rm", "--quiet", "baseline.jsonl"]);
    let (_, report) = run(&project, 1, &MERGE_BASE);
    assert_says(note(&report, "baseline_edited"), &["this change edits the baseline baseline.jsonl"]);
}

#[test]
fn the_baseline_of_a_folder_below_is_found_in_its_revision() {
    let project = accepted(60, RULES, "");
    let (baseline, settings) = (project.read("baseline.jsonl"), project.read("rankgate.toml"));
    project
        .write("eval/accepted state.jsonl", baseline)
        .write("rankgate.toml", settings.replace("'baseline.jsonl'", "'eval/accepted state.jsonl'"));
    repository(&project);
    let head = commit(&project, "A sound state");
    let (_, report) = run(&project, 0, &["--set", "baseline.ref=HEAD"]);
    assert_eq!(report["comparison"]["with"]["revision"], head.as_str());
    assert_eq!(report["comparison"]["with"]["edited_here"], Value::Null);
    assert!(items(&report["notes"]).all(|note| note["code"] != "baseline_edited"));
}

#[test]
fn a_conflict_is_told_as_one() {
    let project = branch();
    git(project.root(), &["checkout", "--quiet", "main"]);
    project.write("run.jsonl", answers(60, |_| Some(2)));
    super::accept(&project, &["--force", "--reason", "another ranking"]);
    commit(&project, "Another ranking");
    let merge = Command::new("git")
        .current_dir(project.root())
        .args(["merge", "change"])
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output()
        .unwrap();
    assert!(!merge.status.success());
    assert!(project.read("baseline.jsonl").contains("<<<<<<< HEAD"));
    project.write("run.jsonl", answers(60, |_| Some(1)));
    let output = project.run(["run"]);
    assert_refused(&output, &["baseline.jsonl:", "conflict markers", "run `rankgate accept` again"]);
    assert!(!output.stderr.contains("JSON"), "{}", output.stderr);
    // Whoever follows the advice is out of it.
    git(project.root(), &["checkout", "--ours", "baseline.jsonl"]);
    super::accept(&project, &[]);
    let (_, report) = run(&project, 0, &[]);
    assert!(report["verdict"]["incomplete"].as_array().unwrap().is_empty());
}

#[test]
fn neither_a_hook_nor_a_tag_names_another_baseline() {
    let project = branch();
    // Of the root, another suite's; and the target branch by the name of a tag that the change brings along.
    run(&project, 1, &MERGE_BASE);
    git(project.root(), &["tag", "origin/main"]);
    git(project.root(), &["tag", "refs/heads/main"]);
    run(&project, 1, &MERGE_BASE);
    let elsewhere = Project::new(env!("CARGO_BIN_EXE_rankgate"));
    git(elsewhere.root(), &["init", "--quiet"]);
    let there = elsewhere.root().join(".git").display().to_string();
    let mut command = project.command();
    command.args(["run"].iter().chain(&MERGE_BASE));
    let output = command.env("GIT_DIR", &there).env("GIT_PREFIX", "eval/").output().expect("it starts");
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_baseline_is_found_where_the_working_tree_has_no_folder_for_it() {
    let project = accepted(60, RULES, "");
    let settings = project.read("rankgate.toml").replace("'baseline.jsonl'", "'eval/base line.jsonl'");
    project.write("rankgate.toml", settings);
    repository(&project);
    commit(&project, "No baseline where it is looked for");
    let (_, report) = run(&project, 2, &MERGE_BASE);
    assert_says(note(&report, "no_baseline"), &["there is no baseline at eval/base line.jsonl"]);
    super::accept(&project, &[]);
    commit(&project, "A baseline");
    std::fs::remove_dir_all(project.root().join("eval")).unwrap();
    let (_, report) = run(&project, 0, &MERGE_BASE);
    assert!(report["comparison"].is_object());
}
