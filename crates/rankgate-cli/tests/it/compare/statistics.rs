//! The figures: those that other programs computed, and those that must hold whatever the data.

use rankgate_metrics::stats::{Alternative, TestName, holm, sign_flip};
use rankgate_test::shared;

use super::{bytes, compared, measure, qrels, with_ranks};
use crate::shared_files::{assert_close, float, json as read_json};
use crate::support::{project, screen};

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
    assert_close(test.p, float(&wanted["p"]), 1e-15, "p");
    assert_close(
        differences.iter().sum::<f64>() / 8.0,
        float(&case["expected"]["mean_difference"]),
        1e-12,
        "mean",
    );

    // The same through run files: a reciprocal rank of 0.33 is a third place. Three systems, each in another order.
    let ids = ["q1", "q2", "q3", "q4", "q5", "q6", "q7", "q8"];
    let ranked = |values: &[f64]| -> Vec<(&str, usize)> {
        ids.into_iter().zip(values.iter().map(|value| rank_of(*value))).collect()
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
        assert_close(row.p_holm, float(&case["expected"]["bonferroni"]["sign_flip"]), 1e-15, "Holm");
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
    mrr                   0.515 0.667 +0.152   [.021, .285]        5/2/1  .125  .250
    recall@3              0.750 1.000 +0.250   [.000, .625]        2/6/0  .500  .500

    LOST MOST  rank before -> now; change of mrr
      id    before -> now   change  question                     in its place now
      q6         2 -> 3     -0.167                               no2
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
        assert_close(one.change.test.p, other.change.test.p, 1e-15, "p");
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

/// The rank whose reciprocal is nearest.
fn rank_of(value: f64) -> usize {
    (1..=100_u32).min_by(|a, b| off(value, *a).total_cmp(&off(value, *b))).map_or(0, |rank| rank as usize)
}

fn off(value: f64, rank: u32) -> f64 {
    (value - 1.0 / f64::from(rank)).abs()
}
