//! Stored runs of a real collection: a known regression fails, the same state passes, and so does a trifle.

use std::path::Path;

use rankgate_test::{Project, shared};
use serde_json::Value;

use super::{accept, items, number, rule, run};
use crate::data;
use crate::shared_files::toml;

const RULE: &str = "no regression on ndcg(gain=linear)@10";

fn chunking_spans() -> Option<(Project, std::path::PathBuf)> {
    let folder = shared("data/chunking-spans/chunks-fixed800")?;
    let project = data::project();
    project.write(
        "rankgate.toml",
        format!(
            "name = 'spans'\n[golden]\nqrels = {}\nqueries = {}\n[corpus]\npath = {}\n[retriever]\nkind = 'run'\n\
             path = {}\n[measures]\nreport = ['ndcg(gain=linear)@10', 'hit_rate@5']\n[baseline]\n\
             path = 'baseline.jsonl'\n[gate]\nrules = ['{RULE}']\n",
            toml(&folder.join("qrels.tsv")),
            toml(&folder.join("../queries.jsonl")),
            toml(&folder.join("corpus.jsonl")),
            toml(&stored(&folder, "bm25")),
        ),
    );
    accept(&project, &[]);
    Some((project, folder))
}

fn stored(folder: &Path, name: &str) -> std::path::PathBuf {
    folder.join(format!("runs/{name}.run.gz"))
}

#[test]
fn a_stored_regression_fails_and_is_explained() {
    let Some((project, folder)) = chunking_spans() else { return };
    let candidate = format!("retriever.path={}", stored(&folder, "bm25-first60words").display());
    let (output, report) = run(&project, 1, &["--set", &candidate]);
    let result = rule(&report, RULE);
    assert_eq!(result["status"], "failed");
    assert!(number(&result["value"]) < number(&result["before"]));
    let [on_needs, on_measure] = result["tests"].as_array().unwrap().as_slice() else { panic!("{result}") };
    assert!(number(&on_needs["p"]) <= 0.035 || number(&on_measure["p"]) <= 0.015, "{result}");

    // The means are those that another program stored.
    let scores = data::json(&folder.join("scores.json"));
    for (system, side) in [("bm25", "before"), ("bm25-first60words", "now")] {
        let stored = number(&scores["systems"][system]["mean"]["nDCG@10"]);
        let ours = number(&report["comparison"]["measures"][0][side]);
        assert!((ours - stored).abs() < 1e-6, "{system}: {ours} and {stored}");
    }

    // The worst category is the one with the largest net loss of evidence.
    let slices = &report["comparison"]["slices"];
    let net = |slice: &Value| slice["lost"].as_i64().unwrap() - slice["found"].as_i64().unwrap();
    let worst = items(slices).max_by_key(|slice| net(slice)).unwrap();
    assert_eq!(net(&slices[0]), net(worst), "{slices}");
    assert!(output.stdout.contains(slices[0]["value"].as_str().unwrap()));

    // The most fallen questions come first, and the rule blames the same ones.
    let moved = report["comparison"]["moved"].as_array().unwrap();
    let losses: Vec<f64> = moved.iter().map(|moved| number(&moved["loss"])).collect();
    assert!(losses.is_sorted_by(|a, b| a >= b));
    assert!((losses[0] - 1.0).abs() < 1e-9, "{}", losses[0]);
    assert_eq!(result["questions"][0], moved[0]["id"]);
    // Where a question stood then is what the baseline says, and nothing is said twice.
    let mut ids: Vec<&str> = moved.iter().map(|moved| moved["id"].as_str().unwrap()).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), moved.len());
    let counts = &report["comparison"]["counts"];
    let all: i64 = ["gone", "lost", "fell", "same", "rose", "found"]
        .map(|movement| counts[movement].as_i64().unwrap())
        .iter()
        .sum();
    assert_eq!(all, 472);
}

#[test]
fn the_same_run_passes_against_itself() {
    let Some((project, _)) = chunking_spans() else { return };
    let (_, report) = run(&project, 0, &[]);
    let result = rule(&report, RULE);
    assert_eq!((result["status"].as_str(), result["remark"].as_str()), (Some("passed"), None));
    assert!(items(&result["tests"]).all(|test| test["p"] == 1.0), "{result}");
    assert_eq!(report["comparison"]["moved"].as_array().unwrap().len(), 0);
    assert_eq!(report["comparison"]["counts"]["same"], 472);
    let comparison = &report["comparison"]["measures"][0];
    assert_eq!((comparison["ties"].as_u64(), comparison["test"]["p"].as_f64()), (Some(472), Some(1.0)));
}

#[test]
fn two_questions_that_moved_by_one_rank_pass() {
    let Some((project, folder)) = chunking_spans() else { return };
    let packed = std::fs::read(stored(&folder, "bm25")).unwrap();
    project.write("now.run.gz", packed);
    let unpacked = std::process::Command::new("gzip")
        .args(["-d", "now.run.gz"])
        .current_dir(project.root())
        .status()
        .unwrap();
    assert!(unpacked.success());
    // The first hit of two questions whose evidence it is changes places with the second.
    let (_, before) = run(&project, 0, &[]);
    let first: Vec<&str> = items(&before["questions"])
        .filter(|question| question["expected"][0]["rank"] == 1)
        .map(|question| question["id"].as_str().unwrap())
        .take(2)
        .collect();
    let mut lines: Vec<String> = project.read("now.run").lines().map(str::to_owned).collect();
    for id in &first {
        let at = lines.iter().position(|line| line.split_whitespace().next() == Some(id)).unwrap();
        let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let (mut a, mut b) = (words(&lines[at]), words(&lines[at + 1]));
        assert_eq!(b[0], *id);
        std::mem::swap(&mut a[2], &mut b[2]);
        (lines[at], lines[at + 1]) = (a.join(" "), b.join(" "));
    }
    project.write("now.run", lines.join("\n") + "\n");
    let (_, report) = run(&project, 0, &["--set", "retriever.path=now.run"]);
    let moved = report["comparison"]["moved"].as_array().unwrap();
    assert_eq!(moved.len(), 2, "{moved:?}");
    for moved in moved {
        assert_eq!((moved["before"].as_u64(), moved["now"].as_u64()), (Some(1), Some(2)), "{moved}");
        assert!(first.contains(&moved["id"].as_str().unwrap()));
    }
    assert_eq!(rule(&report, RULE)["remark"], "within noise");
}
