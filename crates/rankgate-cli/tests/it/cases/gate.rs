//! The gate: what it compares, what it does without a verdict, and how the process ends.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use rankgate::report::{Format as _, Json, QuestionStatus};
use serde_json::{Value, json};

use super::{Case, case};
use crate::data::{
    self, RECORDED, Scripted, assert_near, assert_refused, assert_says, entries, items, lines, project,
    recorded, run_with, strings,
};

#[test]
fn unscored_is_not_a_number() {
    // The case is about the scores of a judge, which this version has not. A retriever that fails leaves the same
    // hole: half of the questions have recall, half have none.
    let Some(Case { input, expected }) = case("aggregate-nan-01") else { return };
    let project = project();
    let mut golden = String::new();
    let mut script = BTreeMap::new();
    for (index, score) in items(&input["scores"]).enumerate() {
        let id = format!("q{index}");
        let _ = writeln!(golden, "{}", json!({"id": id, "query": id, "expected_chunk_ids": ["a", "b"]}));
        let answer = match score.as_f64() {
            None => Err("the store hung up".to_owned()),
            Some(recall) if recall < 1.0 => Ok(vec!["a".to_owned(), "x".to_owned(), "y".to_owned()]),
            Some(_) => Ok(vec!["a".to_owned(), "b".to_owned()]),
        };
        script.insert(id, answer);
    }
    project.write("golden.jsonl", golden);
    let retriever = Scripted(script);
    let rule = input["gate"]["faithfulness"].as_str().unwrap();
    let config = format!(
        "{RECORDED}[measures]\nreport = ['recall@2']\n[gate]\nrules = ['recall@2 {rule}']\nallow_short = true\n"
    );
    let report = run_with(&project, &config, &retriever);
    let strict: Value = serde_json::from_str(&Json.render(&report)).expect("strict JSON");
    assert_eq!(strict["verdict"]["outcome"], expected["gate_status"]);
    assert_eq!(strict["verdict"]["exit_status"], 2);
    assert_says(&report.verdict.headline, &["failed on 5 of 10 questions"]);
    assert_eq!(strict["golden"]["judged"], expected["scored"]);
    assert_eq!(strict["lists"]["errors"], expected["unscored"]);
    let [facts] = report.measures.as_slice() else { panic!("{:?}", report.measures) };
    assert_near("mean", &json!(facts.mean), &expected["mean_scored"], 1e-9);
    assert_eq!(json!(facts.n), expected["scored"]);
    let unscored = report.questions.iter().filter(|question| question.status == QuestionStatus::Unscored);
    for question in unscored.clone() {
        assert!(question.values.is_empty());
        assert_eq!(question.error.as_deref(), Some("the store hung up"));
    }
    assert_eq!(unscored.count(), 5);

    // Whoever allows so many failures gets a verdict over the rest, and a note.
    let report = run_with(&project, &format!("{config}max_errors = 5\n"), &retriever);
    assert_eq!(report.verdict.exit_status, 0, "{}", report.verdict.headline);
    assert!(report.notes.iter().any(|note| note.code == "errors"));
}

#[test]
fn nothing_selected_is_never_a_pass() {
    let Some(Case { input, expected }) = case("gate-empty-01") else { return };
    for (run, expected) in items(&input["runs"]).zip(items(&expected["runs"])) {
        let golden = input["golden_files"][run["golden"].as_str().unwrap()].as_str().unwrap();
        let project = recorded(golden, "{\"id\": \"q1\", \"retrieved\": [\"a\"]}\n");
        let filter = run["filter"].as_str();
        let mut args = filter.map(|filter| vec!["--where", filter]).unwrap_or_default();
        if run.get("thresholds").is_none() {
            args.extend(["--gate", "hit_rate@1 >= 0.5"]);
        }
        let (output, report) = data::run(&project, &args);
        assert!(!output.stdout.contains("100%") && !output.stderr.contains("100%"));
        if expected["exit"] == "not 0" {
            assert_refused(&output, &["golden.jsonl", filter.unwrap_or("no questions")]);
            assert_eq!(report, Value::Null);
        } else {
            assert_eq!(output.status, 0);
            assert_says(output.stdout.lines().next().unwrap_or_default(), &["nothing was gated"]);
            assert_eq!(report["verdict"]["outcome"], "nothing_gated");
        }
    }
}

#[test]
fn the_exit_status_is_the_verdict() {
    // Bad input and a run that could not be completed share status 2: neither is a verdict. Of bad input there is
    // nothing to report; every run that was asked has its report.
    let Some(Case { input, expected }) = case("gate-exit-01") else { return };
    let golden = lines(items(&input["golden"]));
    let rules: Vec<String> =
        entries(&input["gate"]).map(|(name, bound)| format!("{name} {}", bound.as_str().unwrap())).collect();
    for (name, status) in [("good", 0), ("bad", 1)] {
        let project = recorded(&golden, &lines(items(&input["runs"][name])));
        let (output, report) = data::run(&project, &["--set", "gate.allow_short=true", "--gate", &rules[0]]);
        assert_eq!(output.status, status, "{}", output.stdout);
        assert_eq!(report["verdict"]["exit_status"], status);
        assert_near(name, data::mean(&report, "hit_rate@2"), &expected[name]["hit_rate@2"], 1e-9);
    }
    let project = recorded(&golden, input["runs"]["broken_file"].as_str().unwrap());
    let (output, _) = data::run(&project, &["--gate", &rules[0]]);
    assert_refused(&output, &["run.jsonl:1"]);

    // No retriever of this version starts a command; one that fails on q2 stands for it.
    let answers = BTreeMap::from([
        ("q1".to_owned(), Ok(vec!["a".to_owned(), "x".to_owned()])),
        ("q2".to_owned(), Err("the command ended with status 1".to_owned())),
    ]);
    let config = format!("{RECORDED}[gate]\nrules = ['{}']\n", rules[0]);
    let report = run_with(&project, &config, &Scripted(answers));
    assert_eq!(report.verdict.exit_status, 2);
    let crashed = &expected["retriever_crashes"];
    assert_eq!(json!(report.golden.judged), crashed["scored"]);
    assert_eq!(json!(report.lists.errors), crashed["unscored"]);
}

#[test]
fn unrounded_values_are_compared_and_shown_apart() {
    let Some(Case { input, expected }) = case("gate-threshold-01") else { return };
    for threshold in items(&input["cases"]) {
        let name = threshold["name"].as_str().unwrap();
        let (mut golden, mut run) = (String::new(), String::new());
        // Every question wants five chunks; recall@5 is how many of them come back.
        let mut add = |id: usize, found: u64| {
            let wanted: Vec<String> = (0..5).map(|need| format!("{id}-{need}")).collect();
            let got = wanted.iter().take(usize::try_from(found).unwrap()).cloned();
            let got: Vec<String> = got.chain(["other".to_owned()]).collect();
            let _ = writeln!(golden, "{}", json!({"id": id, "query": "q", "expected_chunk_ids": wanted}));
            let _ = writeln!(run, "{}", json!({"id": id, "retrieved": got}));
        };
        match threshold["queries"].as_u64() {
            Some(queries) => {
                let hits = threshold["hits"].as_u64().unwrap();
                (0..queries).for_each(|id| add(usize::try_from(id).unwrap(), if id < hits { 5 } else { 0 }));
            }
            None => items(&threshold["per_query"]).enumerate().for_each(|(id, value)| {
                assert_eq!(value, 0.8);
                add(id, 4);
            }),
        }
        let project = recorded(&golden, &run);
        let rule = format!("recall@5 >= {}", threshold["floor"]);
        let (output, report) = data::run(&project, &["-m", "recall@5", "--gate", &rule]);
        let expected = &expected[name];
        let judged = &report["verdict"]["rules"][0];
        assert_near(name, &judged["value"], &expected["value"], 1e-9);
        assert_eq!(judged["status"] == "passed", expected["passes"], "{name}");
        assert_eq!(output.status, i32::from(expected["passes"] == false), "{}", output.stdout);
        if let Some(never) = expected["message_must_not_read"].as_str() {
            assert!(!output.stdout.contains(never));
            let line = output.stdout.lines().find(|line| line.starts_with("FAIL") && line.contains("recall"));
            assert_says(line.unwrap_or_default(), &["0.7996"]);
        }
    }
}

#[test]
fn the_digest_of_a_question_is_that_of_its_content() {
    // This version has no baseline yet: what a comparison will rest on is the digest of each question.
    let Some(Case { input, expected }) = case("gate-golden-version-01") else { return };
    let run: String = entries(&input["retrieved_both_times"])
        .map(|(id, retrieved)| format!("{}\n", json!({"id": id, "retrieved": retrieved})))
        .collect();
    let report = |golden: &str| {
        let project = recorded(golden, &run);
        let (output, report) = data::run(&project, &["-m", "mrr@5"]);
        assert_eq!(output.status, 0, "{}", output.stderr);
        report
    };
    let digests = |report: &Value| -> BTreeMap<String, String> {
        items(&report["questions"])
            .map(|question| {
                let text = |key: &str| question[key].as_str().unwrap().to_owned();
                (text("id"), text("digest"))
            })
            .collect()
    };
    let v1 = report(&lines(items(&input["golden_v1"])));
    assert_near("v1", data::mean(&v1, "mrr@5"), &expected["baseline_mrr@5"], 1e-9);

    // Saved again: other line ends, other spacing, other order of keys, one list for all.
    let plain = lines(items(&input["golden_v1"]));
    let turned: String = items(&input["golden_v1"])
        .map(|case| {
            format!(
                "{{ \"expected_chunk_ids\" : {} ,\t\"query\":{}, \"id\":{}}}\n\n",
                case["expected_chunk_ids"], case["query"], case["id"]
            )
        })
        .collect();
    let list = serde_json::to_string_pretty(&input["golden_v1"]).unwrap();
    for again in [plain.replace('\n', "\r\n"), turned] {
        assert_eq!(digests(&report(&again)), digests(&v1), "{again}");
    }
    let project = recorded("", &run);
    project.write("golden.json", list);
    let (_, listed) = data::run(&project, &["--set", "golden.path=golden.json"]);
    assert_eq!(digests(&listed), digests(&v1));

    let v2 = report(&lines(items(&input["golden_v2"])));
    assert_near("v2", data::mean(&v2, "mrr@5"), &expected["candidate_mrr@5"], 1e-9);
    let (old, new) = (digests(&v1), digests(&v2));
    let common: Vec<&str> =
        new.iter().filter(|(id, digest)| old.get(*id) == Some(*digest)).map(|(id, _)| &**id).collect();
    assert_eq!(common, strings(&expected["common_unchanged"]["queries"]));
    let edited: Vec<&str> = new
        .iter()
        .filter(|(id, digest)| old.get(*id).is_some_and(|old| old != *digest))
        .map(|(id, _)| &**id)
        .collect();
    assert_eq!(edited, strings(&expected["default"]["edited"]));
    assert_ne!(v1["golden"]["sha256"], v2["golden"]["sha256"]);
}
