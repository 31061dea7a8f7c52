//! What can be compared with what, and what is said where it cannot.

use serde_json::Value;

use super::{compared, measure, qrels, refused, states, with_ranks};
use crate::shared_files::assert_close;
use crate::support::{project, screen};

#[test]
fn a_baseline_a_report_and_a_run_of_one_state_are_one() {
    let project = states();
    let args = ["--golden", "questions.jsonl", "-m", "mrr@3,hit_rate@3", "b.json"];
    let of = |input: &str| {
        let report = compared(&project, [input].into_iter().chain(args));
        let pair = report.pairs[0].clone();
        (pair.measures, pair.counts, pair.slices, pair.moved, pair.unjudged)
    };
    let baseline = of("base.jsonl");
    assert_eq!(baseline, of("a.json"));
    assert_eq!(baseline, of("old.run"));
    let same = compared(&project, ["base.jsonl", "a.json", "old.run", "--golden", "questions.jsonl"]);
    assert!(same.pairs.iter().all(|pair| pair.moved.is_empty() && pair.questions == 3));
}

#[test]
fn a_baseline_of_another_size_is_compared_by_what_is_common() {
    let project = states();
    let all = project.read("questions.jsonl");
    let fewer: Vec<&str> = all.lines().filter(|line| !line.contains("\"id\":\"b\"")).collect();
    project.write("questions.jsonl", fewer.join("\n"));
    let accepted =
        project.run(["accept", "--set", "baseline.path=base.jsonl", "--force", "--reason", "fewer"]);
    assert_eq!(accepted.status, 0, "{}", accepted.stderr);
    project.write("questions.jsonl", &all);
    let report = compared(&project, ["base.jsonl", "b.json"]);
    let pair = &report.pairs[0];
    assert_eq!((pair.questions, pair.only_now.as_slice()), (2, ["b".to_owned()].as_slice()));
    let shown = screen(&project, ["compare", "base.jsonl", "b.json"]);
    assert!(shown.contains("NOTE  1 question only in B: b"), "{shown}");
}

#[test]
fn a_question_that_changed_is_refused_or_left_out() {
    let project = states();
    let questions = project.read("questions.jsonl").replace(r#"{"chunk":"c2"}"#, r#"{"chunk":"c1"}"#);
    project.write("questions.jsonl", questions);
    project.run(["run", "-o", "b.json", "-m", "mrr@3", "--set", "baseline.golden_changed=common"]);
    insta::assert_snapshot!(refused(&project, ["a.json", "b.json", "-m", "mrr@3"]), @r#"
    error: b.json: 1 question is asked or labelled otherwise than in a.json: b
    hint: `--common-queries` leaves them out and compares the others
    "#);
    let report = compared(&project, ["a.json", "b.json", "-m", "mrr@3", "--common-queries"]);
    let pair = &report.pairs[0];
    assert_eq!((pair.questions, pair.edited.as_slice()), (2, ["b".to_owned()].as_slice()));
    // Judgements have no texts: there other grades show it.
    project.write("q.qrels", "a 0 c1 1\nb 0 c2 2\nc 0 c3 1\n");
    let told = refused(&project, ["a.json", "old.run", "--qrels", "q.qrels", "-m", "mrr@3"]);
    assert!(told.contains("1 question is asked or labelled otherwise than in a.json: b"), "{told}");
}

#[test]
fn a_question_that_failed_is_named_and_in_no_mean() {
    let project = states();
    let mut report: Value = serde_json::from_str(&project.read("b.json")).unwrap();
    let question = &mut report["questions"][1];
    question["status"] = "unscored".into();
    question["error"] = "timed out".into();
    project.write("b.json", report.to_string());
    let report = compared(&project, ["a.json", "b.json"]);
    let pair = &report.pairs[0];
    assert_eq!((pair.questions, pair.unscored.as_slice()), (2, ["b".to_owned()].as_slice()));
    assert_eq!(measure(&report, "mrr@3").change.change.n, 2);
}

#[test]
fn a_list_that_is_too_short_for_a_measure_is_refused() {
    let project = states();
    insta::assert_snapshot!(refused(&project, ["a.json", "base.jsonl", "-m", "recall@10,mrr@3"]), @r#"
    error: a.json: `recall@10` looks beyond the 5 hits that this report keeps of each list
    hint: compare at a cut-off of 5 or less, or run again with a larger depth
    error: base.jsonl: `recall@10` looks beyond the 5 hits that this baseline keeps of each list
    hint: compare at a cut-off of 5 or less, or run again with a larger depth
    "#);
    // Unless nobody asked for it.
    let output = project.run(["compare", "base.jsonl", "base.jsonl"]);
    assert_eq!(output.status, 0, "{}", output.stderr);
    assert!(
        output.stderr.contains("left out, beyond what the inputs keep of each list: ndcg(gain=linear)@10")
    );
}

#[test]
fn conflict_markers_are_named() {
    let project = states();
    let baseline = project.read("base.jsonl");
    let (header, lines) = baseline.split_once('\n').unwrap();
    for conflict in [
        format!("<<<<<<< HEAD\n{header}\n=======\n{header}\n>>>>>>> branch\n{lines}"),
        format!("{header}\n<<<<<<< HEAD\n{lines}=======\n{lines}>>>>>>> branch\n"),
    ] {
        project.write("base.jsonl", conflict);
        let told = refused(&project, ["base.jsonl", "b.json"]);
        assert!(
            told.contains("a merge left its conflict markers") && told.contains("rankgate accept"),
            "{told}"
        );
    }
}

#[test]
fn ids_in_another_spelling_are_never_zeros() {
    let project = project();
    project.write("q.qrels", qrels(&["q1", "q2"]));
    project
        .write("a.run", with_ranks(&[("q1", 1), ("q2", 2)]))
        .write("b.run", with_ranks(&[("Q1", 1), ("Q2", 2)]));
    let args = ["--qrels", "q.qrels", "-m", "mrr@3"];
    insta::assert_snapshot!(refused(&project, ["a.run", "b.run"].into_iter().chain(args)), @r#"
    error: b.run: no question is in both: the ids are `Q1`, `Q2` in the run and `q1`, `q2` in the labels
    hint: they differ only in upper and lower case; write the ids of the questions alike in both files
    "#);
    // Documents, too.
    project.write("b.run", with_ranks(&[("q1", 1), ("q2", 2)]).replace("yes", "YES"));
    let told = refused(&project, ["a.run", "b.run"].into_iter().chain(args));
    assert!(told.contains("they differ only in upper and lower case"), "{told}");

    let project = states();
    project.write("b.json", project.read("b.json").replace(r#""id": "b""#, r#""id": "B""#));
    let shown = screen(&project, ["compare", "a.json", "b.json"]);
    assert!(
        shown.contains("some questions may be the same under two ids: b and B; they differ only in"),
        "{shown}"
    );
    for id in ["a", "c"] {
        let (old, new) = (format!(r#""id": "{id}""#), format!(r#""id": "{}""#, id.to_uppercase()));
        project.write("b.json", project.read("b.json").replace(&old, &new));
    }
    let told = refused(&project, ["a.json", "b.json"]);
    assert!(
        told.contains("no question is in both: the ids are `A`, `B`, `C` in this file and `a`, `b`, `c`"),
        "{told}"
    );
}

#[test]
fn a_missing_question_of_a_run_counts_and_is_named() {
    let project = project();
    project.write("q.qrels", qrels(&["q1", "q2", "q3"]));
    project.write("a.run", with_ranks(&[("q1", 1), ("q2", 1), ("q3", 1)]));
    project.write("b.run", with_ranks(&[("q1", 1), ("q2", 1), ("q9", 1)]));
    let report = compared(&project, ["a.run", "b.run", "--qrels", "q.qrels", "-m", "mrr@10"]);
    assert_eq!(report.inputs[1].missing, ["q3"]);
    assert_eq!(report.inputs[1].unjudged_questions, 1);
    assert_close(measure(&report, "mrr@10").change.now, 2.0 / 3.0, 1e-12, "mrr");
}

#[test]
fn inputs_that_cannot_be_scored_say_what_they_need() {
    let project = states();
    project.write("q.jsonl", "{\"id\":\"a\",\"query\":\"x\",\"expected\":[{\"quote\":\"turn the key\"}]}\n");
    for (args, wanted) in [
        (vec!["a.json", "old.run"], "this is a run, and without labels nothing can be scored"),
        (vec!["old.run", "last.run", "--golden", "q.jsonl"], "the hits of this run are ids alone: a"),
        (vec!["a.json", "absent.json"], "cannot read absent.json"),
        (vec!["a.json", "b.json", "-m", "ndgc@10"], "ndgc"),
        (vec!["a.json", "b.json", "-o", "x.xml"], "`.json`, `.md`, `.csv` and `.txt` are known"),
        (vec!["a.json", "b.json", "-o", "a.json"], "is read by this run"),
        (vec!["a.json", "b.json", "--unjudged-out", "b.json"], "is read here"),
    ] {
        let told = refused(&project, args);
        assert!(told.contains(wanted), "{told}");
    }
    project.write("b.json", project.read("b.json").get(..900).unwrap());
    assert!(refused(&project, ["a.json", "b.json"]).contains("not a JSON report of this version"));
    assert_eq!(project.run(["compare", "a.json"]).status, 2);
}
