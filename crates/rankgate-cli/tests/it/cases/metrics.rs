//! The measures on small lists: the values, and what must not change them.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::case;
use crate::data::{
    self, RECORDED, assert_near, assert_refused, assert_says, assert_values, entries, items, lines, measure,
    project, recorded, strings,
};

/// The lists as ordered runs, each a query `1`, `2`, … of its own, scored against their labels: values by query.
struct Lists {
    qrels: String,
    run: String,
    measures: Vec<String>,
}

impl Lists {
    fn new() -> Self {
        Self { qrels: String::new(), run: String::new(), measures: Vec::new() }
    }

    /// Adds a list with the grades of its labels and the names of the values that are wanted.
    fn add(&mut self, query: &str, retrieved: &Value, grades: &[(&str, i64)], wanted: &Value) {
        for (doc, grade) in grades {
            let _ = writeln!(self.qrels, "{query} 0 {doc} {grade}");
        }
        let _ = writeln!(self.run, "{}", json!({"id": query, "retrieved": retrieved}));
        self.measures.extend(entries(wanted).map(|(name, _)| name.to_owned()));
    }

    fn score(&self) -> (String, Value) {
        let project = project();
        project.write("qrels", &self.qrels).write("run.jsonl", &self.run);
        let (qrels, run) = (project.root().join("qrels"), project.root().join("run.jsonl"));
        let measures = self.measures.iter().map(String::as_str);
        let (output, report) = data::score(&project, &qrels, &run, measures, &[]);
        assert_eq!(output.status, 0, "{}", output.stderr);
        (output.stderr, report)
    }
}

/// Labels that are all worth the same.
fn relevant(ids: &Value) -> Vec<(&str, i64)> {
    strings(ids).into_iter().map(|id| (id, 1)).collect()
}

/// Labels with grades.
fn graded(grades: &Value) -> Vec<(&str, i64)> {
    entries(grades).map(|(id, grade)| (id, grade.as_i64().expect("a grade"))).collect()
}

/// No value lies outside 0 to 1.
fn assert_in_range(report: &Value) {
    let values = entries(&report["queries"]).flat_map(|(_, values)| entries(values));
    for (name, value) in values {
        assert!((0.0..=1.0).contains(&value.as_f64().unwrap()), "{name}: {value}");
    }
}

#[test]
fn repeats_collapse_before_the_cut() {
    let Some(case) = case("metrics-duplicates-01") else { return };
    let cases: Vec<(String, &Value, &Value)> = items(&case.input["cases"])
        .zip(items(&case.expected["cases"]))
        .enumerate()
        .map(|(index, (list, expected))| ((index + 1).to_string(), list, expected))
        .collect();
    let mut all = Lists::new();
    for (query, list, expected) in &cases {
        all.add(query, &list["retrieved"], &relevant(&list["relevant"]), expected);
    }
    let (_, report) = all.score();
    for (query, _, expected) in &cases {
        assert_values(query, &report["queries"][query], expected);
    }
    assert_in_range(&report);
    let counts: Vec<u64> =
        items(&case.expected["duplicates_reported"]).map(|count| count.as_u64().unwrap()).collect();
    assert_eq!(report["repeats_collapsed"], counts.iter().sum::<u64>());
    // Alone, too; of the last list no id is ever a judged one, and that is refused.
    for ((query, list, expected), count) in cases.iter().zip(counts).take(3) {
        let mut one = Lists::new();
        one.add(query, &list["retrieved"], &relevant(&list["relevant"]), expected);
        let (stderr, report) = one.score();
        assert_eq!(report["repeats_collapsed"], count);
        assert_says(&stderr, &[&format!("{count} repeated result"), "counted once"]);
    }
}

#[test]
fn a_trec_run_with_a_repeat_is_refused() {
    let Some(case) = case("metrics-duplicates-01") else { return };
    let project = project();
    let ids = strings(&case.input["cases"][0]["retrieved"]);
    let line = |(index, id): (usize, &&str)| format!("q7 Q0 {id} {index} {} x\n", 10 - index);
    project.write("run", ids.iter().enumerate().map(line).collect::<String>()).write("qrels", "q7 0 b 1\n");
    let output = project.run(["score", "--qrels", "qrels", "--run", "run"]);
    assert_refused(&output, &["run:2 (q7)", "`a`", "line 1"]);
}

#[test]
fn chunks_become_documents_before_the_cut() {
    let Some(case) = case("metrics-duplicates-02") else { return };
    let mut golden = Vec::new();
    let mut run = Vec::new();
    let mut names = Vec::new();
    for (index, labels) in items(&case.input["labels"]).enumerate() {
        golden.push(json!({"id": index, "query": "guide", "relevant_doc_ids": labels["relevant_documents"]}));
        run.push(json!({"id": index, "retrieved": case.input["retrieved"]}));
        names.extend(entries(&case.expected["values"][index]).map(|(name, _)| name));
    }
    let project = recorded(&lines(&golden), &lines(&run));
    let measures = data::measures(names);
    let assert_mapped = || {
        let (output, report) = data::run(&project, &["-m", &measures]);
        assert_eq!(output.status, 0, "{}", output.stderr);
        assert_eq!(report["policy"]["level"], "document");
        for (index, expected) in items(&case.expected["values"]).enumerate() {
            let id = index.to_string();
            assert_eq!(json!(data::retrieved(&report, &id)), case.expected["document_ranking"]);
            assert_values(&id, &data::question(&report, &id)["values"], expected);
        }
    };
    // The documents are known from a pattern,
    project.write("rankgate.toml", format!("{RECORDED}doc_pattern = '^(.+)#\\d+$'\n"));
    assert_mapped();
    // or from the corpus.
    let chunks = entries(&case.input["chunk_to_document"])
        .map(|(id, doc)| json!({"id": id, "doc": doc, "text": id}))
        .collect::<Vec<_>>();
    project.write("corpus.jsonl", lines(&chunks));
    project.write("rankgate.toml", format!("{RECORDED}[corpus]\npath = 'corpus.jsonl'\n"));
    assert_mapped();
}

#[test]
fn an_empty_relevant_set_is_named_or_left_out() {
    let Some(case) = case("metrics-empty-01") else { return };
    let golden: Vec<Value> = entries(&case.input["labels"])
        .map(|(id, labels)| {
            let expected: Vec<Value> =
                entries(labels).map(|(chunk, grade)| json!({"chunk": chunk, "grade": grade})).collect();
            json!({"id": id, "query": id, "expected": expected})
        })
        .collect();
    let run: Vec<Value> = entries(&case.input["retrieved"])
        .map(|(id, retrieved)| json!({"id": id, "retrieved": retrieved}))
        .collect();
    let project = recorded(&lines(&golden), &lines(&run));
    let (output, _) = data::run(&project, &[]);
    assert_refused(&output, &["golden.jsonl:2 (q2)"]);

    let skip = &case.expected["skip_option"];
    let measures = data::measures(entries(&skip["mean"]).map(|(name, _)| name));
    let (output, report) = data::run(&project, &["--set", "golden.no_needs=skip", "-m", &measures]);
    assert_eq!(output.status, 0, "{}", output.stderr);
    for (id, values) in entries(&skip["per_query"]) {
        assert_values(id, &data::question(&report, id)["values"], values);
    }
    for (name, value) in entries(&skip["mean"]) {
        assert_near(name, data::mean(&report, name), value, 1e-9);
    }
    assert_eq!(report["golden"]["judged"], skip["queries_scored"]);
    assert_eq!(report["golden"]["without_needs"], skip["queries_skipped"]);
    assert_says(&output.stdout, &["1 question without any relevant label"]);
}

#[test]
fn a_missing_query_and_an_empty_list_are_zero() {
    let Some(case) = case("metrics-missing-01") else { return };
    let golden: Vec<Value> = items(&case.input["golden"])
        .map(|line| {
            json!({"id": line["id"], "query": line["id"], "expected_chunk_ids": line["expected_chunk_ids"]})
        })
        .collect();
    let project = recorded(&lines(&golden), &lines(items(&case.input["run"])));
    let names = ["mrr@10", "recall@10", "hit_rate@10"];
    let (output, report) = data::run(&project, &["-m", &names.join(",")]);
    assert_eq!(output.status, 0, "{}", output.stderr);
    for name in names {
        assert_near(name, data::mean(&report, name), &case.expected[name], 1e-9);
    }
    assert_eq!(report["golden"]["judged"], case.expected["queries"]);
    assert_eq!(report["lists"]["empty"], case.expected["empty_results"]);
    assert_eq!(report["lists"]["missing"], case.expected["missing_from_run"]);

    let qrels: String = (1..=4).map(|query| format!("q{query} 0 r 1\n")).collect();
    project.write("qrels", qrels);
    let (output, scored) = data::score(&project, "qrels".as_ref(), "run.jsonl".as_ref(), names, &[]);
    assert_says(&output.stderr, &["1 judged query is missing", "counted as 0: q4"]);
    for name in names {
        assert_near(name, &scored["means"][name], &case.expected[name], 1e-9);
    }
}

#[test]
fn a_short_list_is_no_better_for_it() {
    let Some(case) = case("metrics-shortlist-01") else { return };
    let mut lists = Lists::new();
    let precision = items(&case.input["precision"]).zip(items(&case.expected["precision"])).enumerate();
    let precision: Vec<(String, &Value, &Value)> =
        precision.map(|(index, (list, expected))| (format!("p{index}"), list, expected)).collect();
    let ndcg = items(&case.input["ndcg"]).map(|list| {
        let name = list["name"].as_str().unwrap();
        (name.to_owned(), list, &case.expected["ndcg"][name])
    });
    let all: Vec<_> = precision.into_iter().chain(ndcg).collect();
    for (query, list, expected) in &all {
        lists.add(query, &list["retrieved"], &relevant(&list["relevant"]), expected);
    }
    let (_, report) = lists.score();
    for (query, _, expected) in &all {
        assert_values(query, &report["queries"][query], expected);
    }
    let of = |query: &str| report["queries"][query][measure("ndcg@10")].as_f64().unwrap();
    assert!(of("B") > of("A"));
}

#[test]
fn the_ideal_ranking_comes_from_the_labels_alone() {
    let Some(case) = case("metrics-ideal-01") else { return };
    let mut lists = Lists::new();
    for (index, (list, expected)) in
        items(&case.input["cases"]).zip(items(&case.expected["cases"])).enumerate()
    {
        lists.add(&index.to_string(), &list["retrieved"], &graded(&list["relevance"]), expected);
    }
    let (_, report) = lists.score();
    for (index, expected) in items(&case.expected["cases"]).enumerate() {
        assert_values("ideal", &report["queries"][index.to_string()], expected);
    }
    assert_in_range(&report);
}

#[test]
fn both_gains_have_names_and_are_reported() {
    let Some(case) = case("metrics-graded-01") else { return };
    let labels: Vec<Value> = graded(&case.input["relevance"])
        .into_iter()
        .map(|(chunk, grade)| json!({"chunk": chunk, "grade": grade}))
        .collect();
    let question = |id: &str| json!({"id": id, "query": id, "expected": labels});
    let answer = |id: &str, retrieved: &Value| json!({"id": id, "retrieved": retrieved});
    let perfect = &case.input["perfect"]["retrieved"];
    let run = [answer("some", &case.input["retrieved"]), answer("perfect", perfect)];
    let project = recorded(&lines(&[question("some"), question("perfect")]), &lines(&run));
    // One gain is asked for, and over graded labels the other is reported beside it.
    for asked in ["ndcg@4", "ndcg(gain=linear)@4"] {
        let (output, report) = data::run(&project, &["-m", asked]);
        assert_eq!(output.status, 0, "{}", output.stderr);
        let names: Vec<_> = items(&report["measures"]).map(|facts| facts["measure"].clone()).collect();
        assert_eq!(names.len(), 2, "{names:?}");
        for (ours, gain) in [("ndcg(gain=linear)@4", "linear"), ("ndcg@4", "exponential")] {
            let value = |id: &str| data::question(&report, id)["values"][ours].clone();
            assert_near(gain, &value("some"), &case.expected[format!("ndcg@4 {gain} gain")], 1e-9);
            assert_near(gain, &value("perfect"), &case.expected["perfect"][gain], 1e-9);
        }
    }
}

#[test]
fn the_order_is_the_one_that_was_returned() {
    // That a set is refused where a ranking is wanted is the type of the function here.
    let Some(case) = case("metrics-order-01") else { return };
    let mut lists = Lists::new();
    for permutation in strings(&case.input["permutations"]) {
        let retrieved = json!(permutation.split(',').collect::<Vec<_>>());
        let expected = &case.expected["by_permutation"][permutation];
        lists.add(permutation, &retrieved, &relevant(&case.input["relevant"]), expected);
    }
    let (_, report) = lists.score();
    for permutation in strings(&case.input["permutations"]) {
        let expected = &case.expected["by_permutation"][permutation];
        assert_values(permutation, &report["queries"][permutation], expected);
    }
    assert_eq!(lists.score().1, report);
}

#[test]
fn an_id_may_equal_that_of_its_query() {
    // There is no option that takes such hits out.
    let Some(case) = case("metrics-selfmatch-01") else { return };
    for name in ["first", "second"] {
        let mut lists = Lists::new();
        let query = case.input["query_id"].as_str().unwrap();
        let expected = &case.expected[format!("{name}, default")];
        let list = &case.input[name];
        lists.add(query, &list["retrieved"], &relevant(&list["relevant"]), expected);
        assert_values(name, &lists.score().1["queries"][query], expected);
    }
}
