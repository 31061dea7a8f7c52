//! The worked examples of published tutorials, through configuration, retriever, scores and gate.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use rankgate::gate::RuleStatus;
use rankgate::report::{QuestionFacts, QuestionStatus};
use rankgate_test::{Project, shared};
use serde_json::{Map, Value, json};

use crate::shared_files::{
    Ran, assert_close, float, json as read_json, json_lines, project, run, strings, text, toml, top,
};

/// A cut-off beyond every list, for measures that must have one.
const WHOLE: u64 = 1000;

/// A project whose questions are answered by a recorded run: (id, expected, retrieved) each.
fn recorded(cases: &[(String, Vec<Value>, Value)], measures: &[String], rules: &[String]) -> Project {
    let mut golden = String::new();
    let mut lists = Map::new();
    for (id, expected, retrieved) in cases {
        writeln!(golden, "{}", json!({ "id": id, "query": id, "expected": expected })).unwrap();
        lists.insert(id.clone(), retrieved.clone());
    }
    let project = project();
    project.write("golden.jsonl", golden).write("run.json", Value::from(lists).to_string()).write(
        "rankgate.toml",
        format!(
            "name = 'worked-examples'\n[golden]\npath = 'golden.jsonl'\n[retriever]\nkind = 'run'\n\
             path = 'run.json'\n[measures]\nreport = {}\n[gate]\nrules = {}\n",
            json!(measures),
            json!(rules)
        ),
    );
    project
}

fn chunks(ids: &Value) -> Vec<Value> {
    strings(ids).into_iter().map(|id| json!({ "chunk": id })).collect()
}

/// Our measure for one of the examples.
fn measure(example: &Value) -> String {
    let name = example["metric"].as_str().unwrap();
    let gain = if example["gain"] == "linear" { "(gain=linear)" } else { "" };
    match (name, example["k"].as_u64()) {
        ("reciprocal_rank", None) => "mrr".into(),
        ("reciprocal_rank", Some(k)) => format!("mrr@{k}"),
        ("context_recall", k) => format!("recall@{}", k.unwrap_or(WHOLE)),
        (_, k) => format!("{name}{gain}@{}", k.unwrap_or(WHOLE)),
    }
}

#[test]
fn worked_examples_of_single_questions() {
    let Some(path) = shared("conformance/tutorials/metrics.json") else { return };
    let examples = read_json(&path);
    let examples = examples["per_query"].as_array().unwrap();
    assert_eq!(examples.len(), 38);
    let (errors, valued): (Vec<&Value>, Vec<&Value>) =
        examples.iter().partition(|example| example["value"] == "error");
    assert_eq!(errors.len(), 4);

    let measures: BTreeSet<String> = valued.iter().map(|example| measure(example)).collect();
    let cases: Vec<(String, Vec<Value>, Value)> = valued
        .iter()
        .enumerate()
        .map(|(index, example)| {
            let expected = match example["relevance"].as_object() {
                Some(grades) => {
                    grades.iter().map(|(id, grade)| json!({ "chunk": id, "grade": grade })).collect()
                }
                None => chunks(&example["expected"]),
            };
            (format!("example-{index}"), expected, example["retrieved"].clone())
        })
        .collect();
    let ran = run(&recorded(&cases, &measures.into_iter().collect::<Vec<_>>(), &[]), &[]);
    assert_eq!(ran.status, 0, "{}", ran.output.stderr);
    for (index, example) in valued.iter().enumerate() {
        let measure = measure(example);
        let value = ran.question(&format!("example-{index}")).values[&measure];
        assert_close(value, float(&example["value"]), 1e-12, &format!("{measure} of {example}"));
    }

    for example in errors {
        let cases = [("empty".to_owned(), chunks(&example["expected"]), example["retrieved"].clone())];
        let output = recorded(&cases, &[measure(example)], &[]).run(["run", "-o", "report.json"]);
        assert_eq!((output.status, output.stdout.as_str()), (2, ""), "{example}");
        assert!(output.stderr.contains("golden.jsonl:1 (empty)"), "{}", output.stderr);
        assert!(output.stderr.contains("no evidence"), "{}", output.stderr);
    }
}

#[test]
fn worked_examples_of_means() {
    let Some(path) = shared("conformance/tutorials/metrics.json") else { return };
    let facts = read_json(&path);
    for mean in facts["means"].as_array().unwrap() {
        let cases: Vec<(String, Vec<Value>, Value)> = mean["ranks"]
            .as_array()
            .unwrap()
            .iter()
            .enumerate()
            .map(|(index, rank)| {
                let hit =
                    |place| if rank.as_u64() == Some(place) { "it".into() } else { format!("no-{place}") };
                let list = (1..=10).map(hit).collect::<Vec<String>>();
                (format!("q{index}"), vec![json!({ "chunk": "it" })], json!(list))
            })
            .collect();
        let k = &mean["k"];
        let wanted: Vec<(String, &Value)> = ["hit_rate", "mrr"]
            .iter()
            .filter_map(|name| Some((format!("{name}@{k}"), mean.get(name)?)))
            .collect();
        let measures: Vec<String> = wanted.iter().map(|(measure, _)| measure.clone()).collect();
        let project = recorded(&cases, &measures, &[]);
        let ran = run(&project, &[]);
        for (measure, value) in wanted {
            assert_close(ran.mean(&measure), float(value), 1e-12, &measure);
            assert_eq!(ran.measure(&measure).n, cases.len(), "a question without a hit stays in the mean");
        }

        // One list less than there are questions is told, and counts as 0; `score` may be told to refuse it.
        let lists: Map<String, Value> =
            cases.iter().skip(1).map(|(id, _, list)| (id.clone(), list.clone())).collect();
        project.write("run.json", Value::from(lists).to_string());
        let shorter = run(&project, &[]);
        assert_eq!((shorter.measure(&measures[0]).n, shorter.report.lists.missing), (cases.len(), 1));
        let qrels: String = cases.iter().map(|(id, ..)| format!("{id} 0 it 1\n")).collect();
        project.write("qrels", qrels);
        let output = project.run(["score", "--qrels=qrels", "--run=run.json", "--missing=error"]);
        assert_eq!(output.status, 2);
        assert!(
            output.stderr.contains("(q0): the query is judged, and the run has no line"),
            "{}",
            output.stderr
        );
    }
}

/// The rules that thresholds by measure stand for.
fn rules(thresholds: &Value, name: impl Fn(&str) -> String) -> Vec<String> {
    let rules: Vec<String> = thresholds
        .as_object()
        .unwrap()
        .iter()
        .map(|(measure, least)| format!("{} >= {least}", name(measure)))
        .collect();
    assert_eq!(rules.len(), 3);
    rules
}

#[test]
fn the_strict_gate_tells_two_retrievers_apart() {
    let Some(path) = shared("conformance/tutorials/metrics.json") else { return };
    let facts = read_json(&path);
    let gates = facts["gates"].as_array().unwrap();
    let strict = gates.iter().find(|gate| gate["name"] == "strict").unwrap();
    let rules = rules(&strict["thresholds"], str::to_owned);
    let mock = &facts["mock_retrievers"];
    let expected = mock["expected"].as_object().unwrap();
    assert_eq!(expected.len(), 2);
    for (retriever, wanted) in expected {
        let wanted = wanted.as_object().unwrap();
        let measures: Vec<String> = wanted.keys().filter(|key| key.contains('@')).cloned().collect();
        let case =
            ("target".to_owned(), vec![json!({ "chunk": mock["query_target"] })], mock[retriever].clone());
        let ran = run(&recorded(&[case], &measures, &rules), &[]);
        for measure in &measures {
            assert_close(ran.mean(measure), float(&wanted[measure]), 1e-12, retriever);
        }
        let passes = wanted["passes_strict"].as_bool().unwrap();
        assert_eq!(ran.status, i32::from(!passes), "{retriever}: {}", ran.report.verdict.headline);
        for rule in &ran.report.verdict.rules {
            let holds = rule.value.unwrap() >= rule.limit.unwrap();
            assert_eq!(rule.status == RuleStatus::Passed, holds, "{retriever}: {}", rule.rule);
        }
    }
}

/// The support articles with the retriever that a file of expected values describes.
fn support_articles(folder: &Path, expected: &Value) -> Project {
    let k = &expected["k"];
    let rules = rules(&expected["gate"]["thresholds"], |name| match name {
        "mean_recall" => format!("recall@{k}"),
        other => format!("{other}@{k}"),
    });
    let project = project();
    project.write(
        "rankgate.toml",
        format!(
            "name = 'support-articles'\n[golden]\npath = {}\n[corpus]\npath = {}\n[retriever]\nkind = 'tfidf'\n\
             token_pattern = '{}'\nties = 'reverse-corpus-order'\n[measures]\n\
             report = ['context_precision@{k}', 'recall@{k}', 'mrr@{k}', 'hit_rate@{k}']\n[gate]\nrules = {}\n",
            toml(&folder.join("golden.jsonl")),
            toml(&folder.join("corpus.jsonl")),
            expected["token_pattern"].as_str().unwrap(),
            json!(rules)
        ),
    );
    project
}

fn check_support_articles(file: &str) -> Option<Ran> {
    let folder = shared("conformance/tutorials/support-articles")?;
    let expected = read_json(&folder.join(file));
    let project = support_articles(&folder, &expected);
    let ran = run(&project, &[]);
    let k = expected["k"].as_u64().unwrap();

    let summary = &expected["summary"];
    for (measure, name) in [
        ("context_precision", "mean_precision"),
        ("recall", "mean_recall"),
        ("mrr", "mrr"),
        ("hit_rate", "hit_rate"),
    ] {
        assert_close(ran.mean(&format!("{measure}@{k}")), float(&summary[name]), 1e-12, name);
    }
    let passes = expected["gate"]["passes"].as_bool().unwrap();
    assert_eq!(ran.status, i32::from(!passes), "{}", ran.output.stdout);
    assert_eq!(ran.report.retriever.facts["vocabulary"], expected["vocabulary_size"].to_string());

    let rows = expected["rows"].as_array().unwrap();
    assert_eq!((rows.len(), ran.report.questions.len()), (10, 10));
    for (question, row) in ran.report.questions.iter().zip(rows) {
        assert_eq!(question.query, row["query"]);
        check_row(question, row, k);
    }

    // A word is in the vocabulary when a text with nothing else in it finds something.
    for (word, known) in expected["in_vocabulary"].as_object().unwrap() {
        let output = project.run(["query", "--text", word]);
        assert_eq!(output.status, 0, "{}", output.stderr);
        let none = output.stdout.contains("\nHITS none");
        assert_eq!(!none, known.as_bool().unwrap(), "{word}: {}", output.stdout);
    }
    Some(ran)
}

fn check_row(question: &QuestionFacts, row: &Value, k: u64) {
    assert_eq!(wanted(question), strings(&row["relevant"]));
    assert_eq!(top(question, usize::try_from(k).unwrap()), strings(&row["retrieved"]), "{}", question.query);
    let value = |name: &str| question.values[&format!("{name}@{k}")];
    for (name, key) in [("context_precision", "precision"), ("recall", "recall"), ("mrr", "reciprocal_rank")]
    {
        assert_close(value(name), float(&row[key]), 1e-12, &question.query);
    }
    let hit = row["hit"].as_bool().unwrap();
    assert_close(value("hit_rate"), f64::from(u8::from(hit)), 0.0, &question.query);
    assert_eq!(question.status == QuestionStatus::Found, hit);

    // Every chunk that shares a word with the question is there, with its cosine, and no other.
    let scores = row["scores"].as_object().unwrap();
    assert_eq!(question.retrieved.len(), scores.len(), "{}", question.query);
    for hit in &question.retrieved {
        assert_close(hit.score.unwrap(), float(&scores[hit.id.as_str()]), 1e-9, &hit.id);
    }
}

/// The ids of the chunks that a question wants.
fn wanted(question: &QuestionFacts) -> Vec<&str> {
    let ids = question.expected.iter().map(|need| need.anchor.trim_start_matches("chunk "));
    ids.map(|id| id.trim_matches('`')).collect()
}

#[test]
fn support_articles_baseline_passes_and_regression_fails() {
    let Some(baseline) = check_support_articles("expected-baseline.json") else { return };
    assert!(baseline.report.verdict.rules.iter().all(|rule| rule.status == RuleStatus::Passed));
    let Some(regression) = check_support_articles("expected-regression.json") else { return };
    // All three rules fail, although precision alone has risen.
    assert!(regression.report.verdict.rules.iter().all(|rule| rule.status == RuleStatus::Failed));
    assert!(regression.mean("context_precision@3") > baseline.mean("context_precision@3"));
}

#[test]
fn billing_docs() {
    let Some(folder) = shared("conformance/tutorials/billing-docs") else { return };
    let expected = read_json(&folder.join("expected.json"));
    let k = expected["k"].as_u64().unwrap();
    let tokenizer = &expected["tokenizer"];
    let project = project();
    let rules = [
        format!("each(source) recall@{k} >= 0.8"),
        format!("recall@{k} >= {}", expected["thresholds"]["recall"]),
        format!("mrr@{k} >= {}", expected["thresholds"]["mrr"]),
    ];
    project.write(
        "rankgate.toml",
        format!(
            "name = 'billing-docs'\n[golden]\npath = {}\n[corpus]\npath = {}\n[retriever]\nkind = 'tfidf'\n\
             token_pattern = '{}'\nlowercase = {}\nstop_words = {}\nplural = true\nties = 'corpus-order'\n\
             [measures]\nreport = ['recall@{k}', 'hit_rate@{k}', 'mrr@{k}']\n[gate]\nrules = {}\n",
            toml(&folder.join("v1.jsonl")),
            toml(&folder.join("corpus.jsonl")),
            tokenizer["pattern"].as_str().unwrap(),
            tokenizer["lowercase"],
            tokenizer["stopwords"],
            json!(rules)
        ),
    );
    let ran = run(&project, &[]);
    assert_eq!(ran.status, 0, "{}", ran.output.stdout);

    let golden = &ran.report.golden;
    assert_eq!(golden.version, expected["dataset"]);
    assert!(golden.sha256.starts_with(expected["sha256_12"].as_str().unwrap()), "{}", golden.sha256);
    for name in ["recall", "hit_rate", "mrr"] {
        assert_close(ran.mean(&format!("{name}@{k}")), float(&expected[name]), 0.0005, name);
    }

    let rows = expected["rows"].as_array().unwrap();
    assert_eq!((rows.len(), ran.report.questions.len()), (11, 11));
    for row in rows {
        let id = row["id"].as_str().unwrap();
        assert_eq!(top(ran.question(id), usize::try_from(k).unwrap()), strings(&row["retrieved"]), "{id}");
    }

    let sources = expected["recall_by_source"].as_object().unwrap();
    let each = ran.report.verdict.rules.iter().find(|rule| rule.rule.starts_with("each(source)")).unwrap();
    assert_eq!((each.status, each.slices.len()), (RuleStatus::Passed, sources.len()));
    for slice in &each.slices {
        assert_close(slice.value, float(&sources[&slice.name]), 1e-12, &slice.name);
        let part = run(&project, &["--where", &format!("source={}", slice.name)]);
        assert_eq!(part.report.golden.asked, slice.n);
        assert_close(part.mean(&format!("recall@{k}")), slice.value, 1e-12, &slice.name);
    }
    let asked: usize = each.slices.iter().map(|slice| slice.n).sum();
    assert_eq!(asked, json_lines(&folder.join("v1.jsonl")).len());

    let missed: Vec<String> = ran.report.missed().into_iter().map(told).collect();
    assert_eq!(missed, strings(&expected["misses"]));
    assert!(text(&folder.join("v1.jsonl")).contains(&ran.report.missed()[0].query));
}

/// A missed question as the tutorial's own report words it.
fn told(question: &QuestionFacts) -> String {
    let quoted = |ids: Vec<&str>| {
        let ids: Vec<String> = ids.iter().map(|id| format!("'{id}'")).collect();
        format!("[{}]", ids.join(", "))
    };
    let got = quoted(top(question, usize::MAX));
    format!("{}: expected {}, got {got}", question.id, quoted(wanted(question)))
}
