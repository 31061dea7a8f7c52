//! `compare`: reports, baselines and run files side by side.

use std::fmt::Write as _;

use rankgate::compare::{ComparedMeasure, ComparisonReport, Effect};
use rankgate_metrics::stats::{Alternative, TestName, holm, sign_flip};
use rankgate_test::{Project, shared};
use serde_json::Value;

use crate::shared_files::{assert_close, float, json as read_json};
use crate::support::{fits, project, recorded, screen, small};

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

const NAMES: [(&str, &str); 3] =
    [("nDCG@10", "ndcg(gain=linear)@10"), ("recall@10", "recall@10"), ("MRR@10", "mrr@10")];

/// The differences that another program computed from the same runs.
fn equals_the_stored_differences(folder: &str) {
    let Some(folder) = shared(&format!("data/{folder}")) else { return };
    let project = project();
    let stored = read_json(&folder.join("scores.json"));
    let tests = stored["paired_t_tests"].as_object().unwrap();
    let mut checked = 0;
    for (pair, values) in tests {
        let (now, before) = pair.split_once(" minus ").unwrap();
        let path = |name: &str, file: &str| folder.join(format!("{name}{file}")).display().to_string();
        let (before, now) =
            (path("runs/", &format!("{before}.run.gz")), path("runs/", &format!("{now}.run.gz")));
        let labels = path("qrels", ".tsv");
        // Not every run is stored.
        if !std::path::Path::new(&before).exists() || !std::path::Path::new(&now).exists() {
            continue;
        }
        let measures = NAMES.map(|(_, ours)| ours).join(",");
        let report =
            compared(&project, [&before, &now, "--qrels", &labels, "-m", &measures].map(|s| s as &str));
        for (theirs, ours) in NAMES {
            let stored = &values[theirs];
            let change = &measure(&report, ours).change;
            assert_close(change.change.point, float(&stored["mean_diff"]), 0.51e-6, ours);
            assert_close(change.now - change.before, change.change.point, 1e-12, ours);
            if theirs != "MRR@10" {
                let counted = [change.wins, change.losses, change.ties].map(|n| n as u64);
                assert_eq!(
                    counted,
                    ["better", "worse", "same"].map(|key| stored[key].as_u64().unwrap()),
                    "{ours}"
                );
            }
            checked += 1;
        }
    }
    assert!(checked >= 3);
}

#[test]
fn differences_on_cranfield_are_the_stored_ones() {
    equals_the_stored_differences("cranfield");
}

#[test]
fn differences_on_cacm_are_the_stored_ones() {
    equals_the_stored_differences("cacm");
}

#[test]
fn differences_on_chunks_are_the_stored_ones() {
    equals_the_stored_differences("chunking-spans/chunks-fixed800");
}

#[test]
fn significance_is_that_of_every_pattern_of_signs_and_is_corrected() {
    let Some(case) = shared("cases/significance-01.json") else { return };
    let case = read_json(&case);
    let values =
        |key: &str| -> Vec<f64> { case["input"][key].as_array().unwrap().iter().map(float).collect() };
    let (before, now) = (values("baseline"), values("candidate"));
    let wanted = &case["expected"]["exact_sign_flip_two_sided"];
    let differences: Vec<f64> = now.iter().zip(&before).map(|(now, before)| now - before).collect();
    let test = sign_flip(&differences, Alternative::TwoSided, 10_000, 42);
    assert_eq!(test.p, float(&wanted["p"]));
    assert_close(
        differences.iter().sum::<f64>() / 8.0,
        float(&case["expected"]["mean_difference"]),
        1e-12,
        "mean",
    );

    // The same through run files: a reciprocal rank of 0.33 is a third place. Three systems, each in another order.
    let ids = ["q1", "q2", "q3", "q4", "q5", "q6", "q7", "q8"];
    let ranked = |values: &[f64]| -> Vec<(&str, usize)> {
        ids.into_iter().zip(values.iter().map(|value| (1.0 / value).round() as usize)).collect()
    };
    let project = project();
    project.write("q.qrels", qrels(&ids)).write("a.run", with_ranks(&ranked(&before)));
    let mut new = ranked(&now);
    for name in ["b.run", "c.run", "d.run"] {
        new.rotate_left(3);
        project.write(name, with_ranks(&new));
    }
    let report = compared(&project, ["a.run", "b.run", "c.run", "d.run", "--qrels", "q.qrels", "-m", "mrr"]);
    assert_eq!((report.tests, report.pairs.len()), (3, 3));
    for pair in &report.pairs {
        let [row] = pair.measures.as_slice() else { panic!("one measure") };
        let test = &row.change.test;
        assert_eq!((test.name, test.p, test.n), (TestName::ExactSignFlip, 0.125, 8));
        // Three equal ones are corrected alike by Holm and Bonferroni.
        assert_eq!(row.p_holm, float(&case["expected"]["bonferroni"]["sign_flip"]));
        assert_eq!(vec![row.p_holm; 3], holm(&[0.125; 3]));
        assert_eq!((row.change.wins, row.change.ties, row.change.losses), (5, 2, 1));
    }
    insta::assert_snapshot!(screen(
        &project,
        ["compare", "a.run", "b.run", "--qrels", "q.qrels", "-m", "mrr,recall@3"]
    ), @r#"
    rankgate 0.0.0  compare

    A  a.run (run, 8 questions)
    B  b.run (run, 8 questions)
    labels  q.qrels

    A -> B  8 questions: 0 lost their evidence from the top 3, 2 found it

    MEASURE              before   now change  95 % interval win/tie/loss    p*  Holm
    mrr                   0.515 0.667 +0.152  [+.021,+.285]        5/2/1  .125  .250
    recall@3              0.750 1.000 +0.250  [ .000,+.625]        2/6/0  .500  .500

    LOST MOST                                                    in its place now
      q6       2 -> 3     -0.167                                 no2
        in all: 1 fell, 3 rose, 2 found, 2 same

    UNJUDGED  of the top 3: A 75.0 % (18 of 24), B 66.7 % (16 of 24)
              if these 22 hits counted as relevant, mrr would be: 1.000 -> 1.000,
              change 0.000

    *  p two-sided, exact sign-flip; Holm: corrected over 2 comparisons; intervals:
       BCa bootstrap (2000 draws, seed 42)
    --- stderr
    --- exit 0
    "#);
}

#[test]
fn the_order_of_lines_is_nothing() {
    let project = project();
    let ids: Vec<String> = (1..=40).map(|n| format!("q{n}")).collect();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let ranks = |step: usize| -> Vec<(&str, usize)> {
        ids.iter().enumerate().map(|(at, id)| (*id, (at * step) % 11 + 1)).collect()
    };
    let args = ["a.run", "b.run", "--qrels", "q.qrels", "-m", "mrr@10,recall@5"];
    project.write("q.qrels", qrels(&ids));
    project.write("a.run", with_ranks(&ranks(3))).write("b.run", with_ranks(&ranks(7)));
    let straight = bytes(&project, args);
    let backwards = |text: &str| text.lines().rev().fold(String::new(), |all, line| all + line + "\n");
    for file in ["a.run", "b.run", "q.qrels"] {
        project.write(file, backwards(&project.read(file)));
        let turned = bytes(&project, args);
        // The digest of the labels is that of their bytes.
        let without_digest =
            |text: &str| text.lines().filter(|line| !line.contains("sha256")).collect::<Vec<_>>().join("\n");
        assert_eq!(without_digest(&turned), without_digest(&straight), "{file}");
    }
}

#[test]
fn swapped_inputs_mirror_everything() {
    let Some(folder) = shared("data/cacm") else { return };
    let project = project();
    let path = |name: &str| folder.join(name).display().to_string();
    let (a, b) = (path("runs/bm25.run.gz"), path("runs/bm25-first30words.run.gz"));
    let labels = path("qrels.tsv");
    let compare = |before: &str, now: &str| {
        compared(&project, [before, now, "--qrels", &labels, "-m", "ndcg@10,mrr@10,recall@100"])
    };
    let (there, back) = (compare(&a, &b), compare(&b, &a));
    for (one, other) in there.pairs[0].measures.iter().zip(&back.pairs[0].measures) {
        assert_close(one.change.change.point, -other.change.change.point, 1e-15, &one.change.measure);
        assert_eq!(
            (one.change.wins, one.change.ties, one.change.losses),
            (other.change.losses, other.change.ties, other.change.wins)
        );
        assert_eq!(one.change.test.p, other.change.test.p);
    }
    let (counts, mirrored) = (&there.pairs[0].counts, &back.pairs[0].counts);
    assert_eq!((counts.fell, counts.rose, counts.same), (mirrored.rose, mirrored.fell, mirrored.same));
    assert_eq!(counts.lost + counts.gone, mirrored.found);
    assert_eq!(there.pairs[0].moved.len(), back.pairs[0].moved.len());
}

#[test]
fn identical_inputs_differ_in_nothing() {
    let Some(folder) = shared("data/cranfield") else { return };
    let project = project();
    let path = |name: &str| folder.join(name).display().to_string();
    let (run, labels) = (path("runs/bm25.run.gz"), path("qrels.tsv"));
    let report = compared(&project, [run.as_str(), &run, "--qrels", &labels]);
    let pair = &report.pairs[0];
    assert_eq!((pair.measures.len(), pair.questions), (7, 225));
    for row in &pair.measures {
        assert_eq!((row.change.change.point, row.change.test.p, row.p_holm), (0.0, 1.0, 1.0));
        assert_eq!((row.change.change.low, row.change.change.high), (0.0, 0.0));
        assert_eq!((row.change.wins, row.change.ties, row.change.losses), (0, 225, 0));
    }
    assert_eq!((pair.moved.len(), pair.counts.same), (0, 225));
    assert_eq!(pair.unjudged.as_ref().unwrap().if_relevant.as_ref().unwrap().drop, None);
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

#[test]
fn reports_are_compared_without_labels() {
    let project = states();
    insta::assert_snapshot!(screen(&project, ["compare", "a.json", "b.json"]), @r#"
    rankgate 0.0.0  compare

    A  a.json (report, 3 questions, depth 5)
    B  b.json (report, 3 questions, depth 5)

    A -> B  3 questions: 2 lost their evidence from the top 3, 0 found it

    MEASURE              before   now change  95 % interval win/tie/loss    p*  Holm
    mrr@3                 0.611 0.333 -0.278  [-.444, .000]        0/1/2  .500 1.000
    hit_rate@3            1.000 0.333 -0.667 [-1.000, .000]        0/1/2  .500 1.000

    CATEGORY  by mrr@3, exploratory
                              n   before     now   change  lost  found     p*     BH
    windows                   1    0.333   0.000   -0.333     1      0  1.000  1.000
    doors                     2    0.750   0.500   -0.250     1      0  1.000  1.000

    LOST MOST                                                    in its place now
      b     doors      2 -> 4     -0.500  how wide is the door   c9
      c     windows    3 -> none  -0.333  who cleans the windows c9
        in all: 1 gone from the list, 1 lost from the top, 1 same

    UNJUDGED  of the top 3: A 66.7 % (6 of 9), B 88.9 % (8 of 9)
              if these 8 hits counted as relevant, the drop of mrr@3 vanishes: 1.000
              -> 1.000, change 0.000

    CHANGED
      retriever                   run-v2 order=by-score ties=id-descending queries=3
                                  answers=054b0c36df89aec0 -> run-v2 order=by-score
                                  ties=id-descending queries=3
                                  answers=3baeeb0dc11dcf30
      same                        golden set, depth

    *  p two-sided, exact sign-flip; Holm: corrected over 2 comparisons; BH: over
       the categories, Benjamini and Hochberg; intervals: BCa bootstrap (2000 draws,
       seed 42)
    --- stderr
    --- exit 0
    "#);
}

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
    let accepted = project.run(["accept", "--set", "baseline.path=base.jsonl", "--force", "--reason", "fewer"]);
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
        (vec!["a.json", "b.json", "-o", "x.xml"], "`.json`, `.csv` and `.txt` are known"),
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

#[test]
fn a_drop_that_is_made_of_unjudged_hits_vanishes() {
    let project = project();
    let ids = ["q1", "q2", "q3"];
    // The new system puts something that nobody judged before the judged document.
    let run = |top: [&str; 3]| -> String {
        ids.iter().fold(String::new(), |lines, id| {
            top.iter()
                .enumerate()
                .fold(lines, |lines, (at, hit)| lines + &format!("{id} Q0 {hit} 1 {} x\n", 9 - at))
        })
    };
    project.write("q.qrels", qrels(&ids)).write("a.run", run(["yes", "new", "old"]));
    project.write("b.run", run(["new", "yes", "other"]));
    let args = ["a.run", "b.run", "--qrels", "q.qrels", "-m", "mrr@2"];
    let report = compared(&project, args);
    let unjudged = report.pairs[0].unjudged.as_ref().unwrap();
    assert_eq!((unjudged.before.hits, unjudged.before.unjudged, unjudged.documents), (6, 3, 3));
    let found = unjudged.if_relevant.as_ref().unwrap();
    assert_eq!((found.before, found.now, found.drop), (1.0, 1.0, Some(Effect::Vanishes)));

    let out = project.run(["compare", "--unjudged-out", "todo.tsv"].into_iter().chain(args));
    let said = out.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("the drop of mrr@2 vanishes: 1.000 -> 1.000"), "{said}");
    assert_eq!(
        project.read("todo.tsv"),
        "query-id\tcorpus-id\trank_a\trank_b\nq1\tnew\t2\t1\nq2\tnew\t2\t1\nq3\tnew\t2\t1\n"
    );
    // At three ranks there is more to judge, and a list that lacks it says nothing.
    let args = ["a.run", "b.run", "--qrels", "q.qrels", "-m", "mrr@3", "--unjudged-out", "todo.tsv"];
    assert_eq!(project.run(["compare"].iter().chain(&args)).status, 0);
    assert!(project.read("todo.tsv").contains("q1\told\t3\t\nq1\tother\t\t3\nq2\tnew\t2\t1\n"));
}

#[test]
fn files_hold_all_that_moved() {
    let project = states();
    let output = project.run(["compare", "a.json", "b.json", "-o", "c.json", "-o", "c.csv", "-o", "c.txt"]);
    assert_eq!(output.status, 0, "{}", output.stderr);
    assert!(output.stdout.ends_with("wrote c.json c.csv c.txt\n"), "{}", output.stdout);
    insta::assert_snapshot!(project.read("c.csv"), @r#"
    before,now,id,category,critical,movement,rank_before,rank_now,needs_lost,loss,in_its_place,first_now,query
    A,B,b,doors,false,lost,2,4,0,0.5,c9,c1,how wide is the door
    A,B,c,windows,false,gone,3,,1,0.3333333333333333,c9,c1,who cleans the windows
    "#);
    let report: ComparisonReport = serde_json::from_str(&project.read("c.json")).unwrap();
    assert_eq!((report.format_version, report.pairs[0].moved.len()), (1, 2));
    assert!(output.stdout.starts_with(&project.read("c.txt")));
}
