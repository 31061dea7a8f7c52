//! Traps that comparisons fall into elsewhere, one test each.

use std::collections::BTreeMap;

use rankgate::baseline::Accepted;
use rankgate::baseline::accept::{baseline, check};
use rankgate::config::{Inputs, resolve};
use rankgate::line::Suite;

use super::{
    RULES, accept, accepted, answers, config, id, items, lines, note, number, questions, rule, run, shuffled,
};
use crate::data::{self, Scripted, assert_refused, assert_says};

const RULE: &str = "no regression on mrr@10";
const COUNT: usize = 60;

/// Ranks that differ from question to question.
fn rank(index: usize) -> usize {
    1 + index * 7 % 10
}

#[test]
fn pairs_are_joined_by_id_and_not_by_row() {
    let project = accepted(COUNT, RULES, "");
    project.write("run.jsonl", answers(COUNT, |index| Some(rank(index))));
    accept(&project, &["--force", "--reason", "ranks that differ"]);
    project.write("run.jsonl", shuffled(&answers(COUNT, |index| Some(rank(index)))));
    let (_, report) = run(&project, 0, &[]);
    assert_eq!(report["comparison"]["counts"]["same"], COUNT);

    // One question that fell is that question, wherever its lines stand.
    let fell = answers(COUNT, |index| Some(if index == 20 { 9 } else { rank(index) }));
    project.write("run.jsonl", shuffled(&fell)).write("golden.jsonl", shuffled(&lines(&questions(COUNT))));
    let (_, report) = run(&project, 0, &[]);
    let moved = report["comparison"]["moved"].as_array().unwrap();
    assert_eq!(moved.len(), 1, "{moved:?}");
    assert_eq!((moved[0]["id"].as_str(), moved[0]["before"].as_u64()), (Some("q020"), Some(1)));

    // Whoever sorts the baseline otherwise has edited it.
    let text = project.read("baseline.jsonl");
    let (header, rows) = text.split_once('\n').unwrap();
    project.write("baseline.jsonl", format!("{header}\n{}", shuffled(rows)));
    let output = project.run(["run"]);
    assert_refused(&output, &["baseline.jsonl:", "the lines are not sorted", "run `rankgate accept` again"]);
}

#[test]
fn the_interval_is_that_of_the_paired_differences() {
    // Every second question falls from rank 4 to 5: a small loss of which no one can doubt that it is one, among
    // values that differ far more from question to question.
    let side = |low: usize| move |index: usize| Some(if index.is_multiple_of(2) { 1 } else { low });
    let project = accepted(100, "['mrr@10 drop <= 0.05']", "");
    project.write("run.jsonl", answers(100, side(4)));
    accept(&project, &["--force", "--reason", "a state with spread"]);
    project.write("run.jsonl", answers(100, side(5)));
    let (_, report) = run(&project, 0, &[]);
    let interval = &rule(&report, "mrr@10 drop <= 0.05")["interval"];
    let change = &report["comparison"]["measures"][0]["change"];
    for interval in [interval, change] {
        assert!((number(&interval["point"]) + 0.025).abs() < 1e-9, "{interval}");
        assert!(number(&interval["low"]) > -0.035 && number(&interval["high"]) < -0.015, "{interval}");
    }
    // The unpaired one holds zero.
    let variance = |low: f64| ((1.0 - low) / 2.0).powi(2) * 100.0 / 99.0;
    let half = 1.96 * ((variance(0.25) + variance(0.20)) / 100.0).sqrt();
    assert!(half > 0.025, "{half}");
}

#[test]
fn a_mistyped_path_neither_passes_nor_establishes() {
    let project = accepted(COUNT, "['no regression on mrr@10', 'hit_rate@10 >= 0.5']", "");
    let files = project.files();
    let before = project.read("baseline.jsonl");
    let args = ["run", "--set", "baseline.path=basline.jsonl"];
    let output = project.run(args);
    assert_eq!(output.status, 2, "{}", output.stdout);
    assert_says(&output.stdout, &["basline.jsonl", "rankgate accept"]);
    assert_eq!(project.files(), files);
    assert_eq!(project.read("baseline.jsonl"), before);
    let (_, report) = run(&project, 2, &args[1..]);
    assert_eq!(report["verdict"]["outcome"], "unjudged");
    assert_eq!(rule(&report, RULE)["reason"], "no_baseline");
    assert_eq!(rule(&report, "hit_rate@10 >= 0.50")["status"], "passed");
    assert_says(note(&report, "no_baseline"), &["basline.jsonl"]);
    // A folder that is not there is no other case, and a failed floor still fails.
    let args = ["--set", "baseline.path=nowhere/basline.jsonl"];
    run(&project, 2, &args);
    project.write("run.jsonl", answers(COUNT, |index| (index == 0).then_some(1)));
    run(&project, 1, &args);
    // A run never writes the file, whatever it holds.
    run(&project, 1, &[]);
    assert_eq!(project.read("baseline.jsonl"), before);
}

#[test]
fn a_baseline_of_another_size_is_tested_all_the_same() {
    let project = accepted(COUNT, RULES, "golden_changed = 'common'\n");
    project.write("golden.jsonl", lines(&questions(55)));
    project.write("run.jsonl", answers(55, |index| (index >= 8).then_some(1)));
    let (_, report) = run(&project, 1, &[]);
    let result = rule(&report, RULE);
    assert_eq!((result["status"].as_str(), result["n"].as_u64()), (Some("failed"), Some(55)));
    assert!((number(&result["tests"][0]["p"]) - 0.5_f64.powi(8)).abs() < 1e-12, "{result}");
}

/// Answers of a retriever that fails on some questions.
fn failing(failed: impl Fn(usize) -> bool) -> Scripted {
    let answer = |index: usize| {
        if failed(index) { Err("the store hung up".to_owned()) } else { Ok(vec![format!("gold{index:03}")]) }
    };
    Scripted((0..COUNT).map(|index| (id(index), answer(index))).collect::<BTreeMap<_, _>>())
}

#[test]
fn questions_at_which_the_retriever_failed_are_not_dropped_in_silence() {
    let project = data::project();
    let set = lines(&questions(COUNT));
    project.write("golden.jsonl", &set).write("run.jsonl", answers(COUNT, |_| Some(1)));
    let with = |max_errors: usize| config(RULES, "") + &format!("max_errors = {max_errors}\n");
    // The accepted state had two failures of its own.
    let then = data::run_with(&project, &with(5), &failing(|index| index < 2));
    let root = project.root().to_owned();
    let inputs = Inputs { config: Some(root.join("rankgate.toml")), cwd: root, ..Inputs::default() };
    let golden = Suite::read(resolve(&inputs).unwrap()).unwrap().golden;
    check(&then, &golden, false).unwrap();
    let accepted = baseline(&then, &golden, Accepted::default());
    project.write("baseline.jsonl", accepted.render());
    assert!(project.read("baseline.jsonl").contains("\"failed\":true"));

    // Three fail now, of which one had failed then: four questions have one answer or none.
    let now =
        |max_errors| data::run_with(&project, &with(max_errors), &failing(|index| (1..4).contains(&index)));
    let report = now(2);
    assert_eq!(report.verdict.exit_status, 2);
    assert_says(&report.verdict.headline, &["failed on 3 of 60 questions"]);
    let report = now(3);
    assert_eq!(report.verdict.exit_status, 0, "{}", report.verdict.headline);
    let comparison = report.comparison.as_ref().unwrap();
    assert_eq!(comparison.unscored, ["q000", "q001", "q002", "q003"]);
    assert_eq!(comparison.questions, 56);
    assert!(comparison.measures.iter().all(|measure| measure.change.n == 56 && measure.ties == 56));
    let said = report.notes.iter().find(|note| note.code == "unscored").expect("a note");
    assert_says(&said.text, &["4 questions", "q000, q001, q002, q003"]);
}

#[test]
fn identical_answers_pass_with_a_p_of_one() {
    // Some found high, some low, some not at all.
    let ranks = |index: usize| (!index.is_multiple_of(5)).then(|| rank(index));
    for count in [1, 4, 10, 49, 50, 130] {
        let rules = "['no regression on mrr@10', 'mrr@10 drop significant', 'mrr@10 drop <= 0', 'lost@10 <= 0', \
                     'each(category) mrr@10 drop significant']";
        let project = accepted(count, rules, "");
        let hit = |index: usize| if count == 1 { Some(1) } else { ranks(index) };
        project.write("run.jsonl", answers(count, hit));
        accept(&project, &["--force", "--reason", "ranks that differ"]);
        let (_, report) = run(&project, 0, &["--set", "gate.min_slice=1"]);
        for rule in items(&report["verdict"]["rules"]) {
            assert_eq!(rule["status"], "passed", "{rule}");
            if let Some(tests) = rule["tests"].as_array() {
                assert!(tests.iter().all(|test| test["p"] == 1.0), "{rule}");
            }
        }
        let measure = &report["comparison"]["measures"][0];
        assert_eq!(measure["test"]["p"], 1.0);
        for bound in ["point", "low", "high"] {
            assert_eq!(measure["change"][bound], 0.0, "{measure}");
        }
    }
}

/// A run in the format of TREC instead of the recorded answers.
fn trec(lines: &str) -> rankgate_test::Project {
    let project = accepted(2, RULES, "");
    project.write("now.run", lines);
    project
}

const TREC: [&str; 2] = ["--set", "retriever.path=now.run"];

#[test]
fn a_document_twice_in_a_list_is_refused() {
    let project = trec("q000 Q0 gold000 1 9 x\nq000 Q0 gold000 2 8 x\nq001 Q0 gold001 1 9 x\n");
    let output = project.run(["run"].iter().chain(&TREC));
    assert_refused(&output, &["now.run:2", "gold000"]);
}

#[test]
fn the_score_ranks_and_not_the_rank_column() {
    let project = trec(
        "q000 Q0 gold000 1 0.5 x\nq000 Q0 other 2 0.9 x\nq001 Q0 gold001 2 0.9 x\nq001 Q0 other 1 0.5 x\n",
    );
    // The accepted answers were ordered as they came: such lists are not compared with these.
    let (_, report) = run(&project, 2, &TREC);
    let retrieved: Vec<Vec<&str>> = ["q000", "q001"].iter().map(|id| data::retrieved(&report, id)).collect();
    assert_eq!(retrieved, [["other", "gold000"], ["gold001", "other"]]);
    assert_says(super::incomplete(&report, "not_comparable"), &["order of equal scores"]);
}

#[test]
fn a_score_that_is_no_number_is_refused() {
    for score in ["nan", "NaN", "-nan"] {
        let project = trec(&format!("q000 Q0 gold000 1 {score} x\nq001 Q0 gold001 1 9 x\n"));
        let output = project.run(["run"].iter().chain(&TREC));
        assert_refused(&output, &["now.run:1"]);
    }
}

#[test]
fn a_cut_off_below_what_was_kept_is_not_compared() {
    let project = accepted(COUNT, RULES, "");
    // The accepted lists were asked to a depth of 100.
    let (_, report) = run(&project, 2, &["--gate", "no regression on mrr@200"]);
    let why = super::incomplete(&report, "not_comparable");
    assert_says(why, &["a cut-off of 200 is beyond the 100 hits", "rankgate accept"]);
}
