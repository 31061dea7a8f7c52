//! The odd files of public retrieval data: what is accepted, what is said about it, and what is refused by name.

use std::path::PathBuf;

use rankgate_test::{Output, shared};
use serde_json::{Value, json};

use crate::data::{
    self, assert_near, assert_refused, assert_says, entries, items, measure, project, strings,
};

/// The measures of every expectation.
const MEASURES: [&str; 4] = ["nDCG@10", "recall@2", "MRR@10", "hit@1"];

/// One file and what is expected of it.
struct Quirk {
    folder: PathBuf,
    name: &'static str,
    expected: Value,
}

/// One test a file, and the list of the files that have one.
macro_rules! quirks {
    ($($test:ident: $file:literal, $check:path;)*) => {
        const COVERED: &[&str] = &[$($file),*];
        $(
            #[test]
            fn $test() {
                if let Some(quirk) = Quirk::read($file) {
                    $check(&quirk);
                }
            }
        )*
    };
}

quirks! {
    qrels_with_a_byte_order_mark: "qrels-bom.tsv", accepted;
    qrels_with_windows_line_ends: "qrels-crlf.tsv", accepted;
    qrels_with_every_field_quoted: "qrels-quoted.tsv", accepted;
    qrels_in_trec_columns_by_tabs: "qrels-trec-tabs.txt", accepted;
    qrels_in_trec_columns_by_mixed_space: "qrels-trec-mixed-space.txt", accepted;
    qrels_without_a_header: "qrels-no-header.tsv", accepted;
    qrels_with_fractions: "qrels-float.tsv", fractions;
    qrels_with_grades_below_zero: "qrels-negative.txt", accepted;
    qrels_that_contradict_themselves: "qrels-duplicate.tsv", contradiction;
    qrels_with_comments: "qrels-comments.txt", accepted;
    qrels_that_name_unknown_documents: "qrels-unknown-docs.tsv", unknown_documents;
    qrels_with_nothing_but_zeros: "qrels-zero-only.tsv", nothing_but_zeros;
    run_with_blanks_in_an_id: "run-id-with-space.txt", blanks_in_an_id;
    run_with_ids_of_many_signs: "run-ids-hash-slash-unicode.txt", accepted;
    run_with_a_document_twice: "run-duplicate-docs.txt", document_twice;
    run_with_nan: "run-nan-inf.txt", not_a_number;
    run_with_ties: "run-ties.txt", ties;
    run_out_of_order: "run-unsorted.txt", out_of_order;
    run_with_close_scores: "run-close-scores.txt", accepted;
    run_in_two_gzip_members: "run-two-members.run.gz", accepted;
    run_in_gzip_that_is_not_named_so: "run-gz-no-suffix.run", accepted;
    run_without_a_line: "run-empty.txt", empty_run;
    run_that_lacks_a_query: "run-missing-query.txt", missing_query;
    corpus_with_numbers_as_ids: "corpus-int-ids.jsonl", numbers_as_ids;
    corpus_with_empty_texts: "corpus-empty-text.jsonl", empty_texts;
    corpus_with_line_separators_in_texts: "corpus-line-separator.jsonl", line_separators;
    queries_with_lone_quotes: "queries-quotes.tsv", lone_quotes;
    queries_with_one_id_for_two: "queries-duplicate-ids.jsonl", one_id_for_two;
    spans_in_other_units: "spans-offset-units.jsonl", offset_units;
}

#[test]
fn every_file_has_its_test() {
    let Some(path) = shared("data/quirks/expected.json") else { return };
    let expected = data::json(&path);
    let named: Vec<&str> = entries(&expected["files"]).map(|(name, _)| name).collect();
    let missing: Vec<_> = named.iter().filter(|name| !COVERED.contains(name)).collect();
    let gone: Vec<_> = COVERED.iter().filter(|name| !named.contains(name)).collect();
    assert!(missing.is_empty() && gone.is_empty(), "without a test: {missing:?}, without a file: {gone:?}");
}

impl Quirk {
    fn read(name: &'static str) -> Option<Self> {
        let folder = shared("data/quirks")?;
        let expected = data::json(&folder.join("expected.json"))["files"][name].clone();
        assert!(expected.is_object(), "{name} is not in expected.json");
        Some(Self { folder, name, expected })
    }

    fn path(&self, name: &str) -> String {
        self.folder.join(name).display().to_string()
    }

    /// The file itself.
    fn own(&self) -> String {
        self.path(self.name)
    }

    /// The file it goes with whose name starts so.
    fn companion(&self, prefix: &str) -> String {
        let with = strings(&self.expected["with"]);
        self.path(with.into_iter().find(|name| name.starts_with(prefix)).expect(prefix))
    }

    /// The file, scored with its companion.
    fn score(&self, more: &[&str]) -> (Output, Value) {
        let (qrels, run) = if self.name.starts_with("qrels-") {
            (self.own(), self.companion("base-run"))
        } else if self.name.contains("-ids-") {
            (self.companion("qrels-"), self.own())
        } else {
            (self.companion("base-qrels"), self.own())
        };
        data::score(&project(), qrels.as_ref(), run.as_ref(), MEASURES, more)
    }

    /// Asserts the four means under one of the keys of the expectation. The values are given with six decimals.
    fn assert_means(&self, report: &Value, key: &str) {
        assert_eq!(entries(&self.expected[key]).count(), 4, "{key}");
        for (name, value) in entries(&self.expected[key]) {
            assert_near(&format!("{} {name}", self.name), &report["means"][measure(name)], value, 5e-7);
        }
    }

    /// A configuration over the plain corpus and run of the folder, or other ones.
    fn config(&self, golden: &str, corpus: &str, retriever: &str) -> String {
        let corpus = self.path(corpus);
        let run = self.path("base-run.txt");
        let retriever = retriever.replace("{run}", &format!("'{run}'"));
        format!("[golden]\n{golden}\n[corpus]\npath = '{corpus}'\n[retriever]\n{retriever}\n")
    }
}

fn accepted(quirk: &Quirk) {
    assert_eq!(quirk.expected["verdict"], "accept");
    let (output, report) = quirk.score(&[]);
    assert_eq!((output.status, output.stderr.as_str()), (0, ""));
    quirk.assert_means(&report, "metrics");
}

fn fractions(quirk: &Quirk) {
    // Of the two ways that are right, this tool refuses. 2.0 on line 2 and 1.0 on lines 4 and 5 are whole.
    let (output, _) = quirk.score(&[]);
    let own = quirk.own();
    assert_refused(&output, &[&format!("{own}:3"), "`0.5`", &format!("{own}:6"), "`0.25`"]);
    for line in [2, 4, 5] {
        assert!(!output.stderr.contains(&format!("{own}:{line}")), "{}", output.stderr);
    }
}

fn contradiction(quirk: &Quirk) {
    let (output, _) = quirk.score(&[]);
    assert_refused(&output, &[&format!("{}:8 (q3)", quirk.own()), "`d4`", "on line 5"]);
    // Without the contradiction, the repetition that is left counts once and is named.
    let project = project();
    let text = std::fs::read_to_string(quirk.own()).unwrap();
    project.write("qrels.tsv", text.trim_end().rsplit_once('\n').unwrap().0);
    let run = quirk.companion("base-run");
    let (output, report) = data::score(&project, "qrels.tsv".as_ref(), run.as_ref(), MEASURES, &[]);
    assert_eq!(output.status, 0);
    assert_says(&output.stderr, &["warning: qrels.tsv:7 (q1)", "`d2`", "line 3"]);
    let base = data::json(&quirk.folder.join("expected.json"));
    for (name, value) in entries(&base["base_metrics"]) {
        assert_near(name, &report["means"][measure(name)], value, 5e-7);
    }
}

fn unknown_documents(quirk: &Quirk) {
    // Without a corpus they count as missed.
    let (output, report) = quirk.score(&[]);
    assert_eq!((output.status, output.stderr.as_str()), (0, ""));
    quirk.assert_means(&report, "metrics");

    let project = project();
    let golden = format!("qrels = '{}'\nqueries = '{}'", quirk.own(), quirk.path("base-queries.jsonl"));
    let retriever = "kind = 'run'\npath = {run}";
    let unknown = strings(&quirk.expected["unknown_docs"]);
    project.write("rankgate.toml", quirk.config(&golden, "base-corpus.jsonl", retriever));
    let strict = project.run(["check"]);
    assert_refused(&strict, &unknown);
    assert_says(&strict.stderr, &["the corpus has `d3`", "(q2)", "(q3)"]);

    let golden = format!("{golden}\nunknown_evidence = 'warn'");
    project.write("rankgate.toml", quirk.config(&golden, "base-corpus.jsonl", retriever));
    let measures = data::measures(entries(&quirk.expected["metrics"]).map(|(name, _)| name));
    let (lax, report) = data::run(&project, &["-m", &measures]);
    assert_eq!(lax.status, 0, "{}", lax.stderr);
    assert_says(&lax.stderr, &unknown);
    assert_says(&lax.stderr, &["warning: ", "the corpus has `d3`"]);
    assert_eq!(report["labels"]["unknown"], 2);
    for (name, value) in entries(&quirk.expected["metrics"]) {
        assert_near(name, data::mean(&report, name), value, 5e-7);
    }
}

fn nothing_but_zeros(quirk: &Quirk) {
    let (output, report) = quirk.score(&[]);
    assert_eq!(output.status, 0);
    assert_says(&output.stderr, &["without any relevant document", "without any relevant document: q2"]);
    quirk.assert_means(&report, "metrics");
    assert_eq!(report["queries_scored"], 2);
    assert_eq!(report["queries_without_needs"], json!(["q2"]));

    let (output, report) = quirk.score(&["--no-needs", "zero"]);
    assert_eq!((output.status, &report["queries_scored"]), (0, &json!(3)));
    for (name, value) in entries(&quirk.expected["metrics"]) {
        let value = json!(value.as_f64().unwrap() * 2.0 / 3.0);
        assert_near(name, &report["means"][measure(name)], &value, 5e-7);
    }
}

fn blanks_in_an_id(quirk: &Quirk) {
    let (output, _) = quirk.score(&[]);
    let place = format!("{}:{}: 9 columns", quirk.own(), quirk.expected["line"]);
    assert_refused(&output, &[&place, "6"]);
}

fn document_twice(quirk: &Quirk) {
    let (output, _) = quirk.score(&[]);
    assert_refused(&output, &[&format!("{}:2 (q1)", quirk.own()), "`d1`", "line 1"]);
    let (output, report) = quirk.score(&["--duplicates", "keep-best"]);
    assert_eq!(output.status, 0);
    assert_says(&output.stderr, &["1 repeated result is counted once"]);
    assert_eq!(report["repeats_collapsed"], 1);
    quirk.assert_means(&report, "metrics");
}

fn not_a_number(quirk: &Quirk) {
    let (output, _) = quirk.score(&[]);
    assert_refused(&output, &[&format!("{}:{} (q1)", quirk.own(), quirk.expected["line"]), "`NaN`"]);
    // The infinities sort: with a number in place of NaN, the order is that of the plain run.
    let project = project();
    project.write("run.txt", std::fs::read_to_string(quirk.own()).unwrap().replace("NaN", "3.0"));
    let qrels = quirk.companion("base-qrels");
    let (output, report) = data::score(&project, qrels.as_ref(), "run.txt".as_ref(), ["MRR@10"], &[]);
    assert_eq!(output.status, 0);
    let base = data::json(&quirk.folder.join("expected.json"));
    assert_near("mrr@10", &report["means"]["mrr@10"], &base["base_metrics"]["MRR@10"], 5e-7);
}

fn ties(quirk: &Quirk) {
    // The rule of trec_eval; the rank column is never used.
    let (output, report) = quirk.score(&[]);
    assert_eq!(output.status, 0);
    assert_says(&output.stderr, &["warning: ", "equal scores in 3 of 3 queries", "by id, descending"]);
    assert_eq!(report["queries_with_ties"], 3);
    quirk.assert_means(&report, "metrics_id_descending");
}

fn out_of_order(quirk: &Quirk) {
    let (output, report) = quirk.score(&[]);
    assert_eq!(output.status, 0);
    assert_says(
        &output.stderr,
        &["warning: ", "the rank column disagrees with the scores in 2 of 3 queries"],
    );
    quirk.assert_means(&report, "metrics");
}

fn empty_run(quirk: &Quirk) {
    let (output, _) = quirk.score(&[]);
    assert_refused(&output, &[&quirk.own(), "no results"]);
}

fn missing_query(quirk: &Quirk) {
    let (output, report) = quirk.score(&[]);
    assert_eq!(output.status, 0);
    assert_says(&output.stderr, &["missing from the run and counted as 0: q3"]);
    assert_eq!(report["queries_missing"], json!(["q3"]));
    quirk.assert_means(&report, "metrics");

    let (output, report) = quirk.score(&["--missing", "skip"]);
    assert_eq!(output.status, 0);
    assert_says(&output.stderr, &["missing from the run and left out: q3"]);
    quirk.assert_means(&report, "metrics_if_dropped");

    let (output, _) = quirk.score(&["--missing", "error"]);
    assert_refused(&output, &["(q3)"]);
}

fn numbers_as_ids(quirk: &Quirk) {
    let project = project();
    // Each chunk is asked for by its own text, and found under its own id.
    let text = std::fs::read_to_string(quirk.own()).unwrap();
    let ids = strings(&quirk.expected["ids"]);
    let cases: Vec<Value> = text
        .lines()
        .zip(&ids)
        .map(|(line, id)| {
            let chunk: Value = serde_json::from_str(line).unwrap();
            json!({"id": id, "query": chunk["text"], "expected_chunk_ids": [id]})
        })
        .collect();
    assert_eq!(cases.len(), ids.len());
    project.write("golden.jsonl", data::lines(&cases));
    let config = quirk.config("path = 'golden.jsonl'", quirk.name, "kind = 'tfidf'");
    project.write("rankgate.toml", &config);
    let (output, report) = data::run(&project, &["--gate", "hit_rate@1 >= 1"]);
    assert_eq!((output.status, output.stderr.as_str()), (0, ""), "{}", output.stdout);
    for id in ids {
        assert_eq!(data::retrieved(&report, id)[0], id);
    }

    for other in ["1.0e3", "true", "null", "7.5"] {
        project.write("corpus.jsonl", text.replacen("\"_id\": 7,", &format!("\"_id\": {other},"), 1));
        let output = project.run(["check", "--set", "corpus.path=corpus.jsonl"]);
        assert_refused(&output, &["corpus.jsonl:1 `_id`"]);
    }
}

fn empty_texts(quirk: &Quirk) {
    let project = project();
    // Labels may name the chunks that have no text.
    let without = strings(&quirk.expected["without_text"]);
    let golden = json!({"id": "q", "query": "null title", "expected_chunk_ids": without});
    project.write("golden.jsonl", golden.to_string());
    let config = quirk.config("path = 'golden.jsonl'", quirk.name, "kind = 'tfidf'");
    project.write("rankgate.toml", config);
    let (output, report) = data::run(&project, &[]);
    assert_eq!(output.status, 0, "{}", output.stderr);
    assert_says(&output.stderr, &["warning: ", "4 of 6 chunks without text"]);
    assert_says(&output.stderr, &without);
    assert_eq!(report["corpus"]["chunks"], quirk.expected["documents"]);
    assert_eq!(report["corpus"]["without_text"], without.len());
    // A title alone can be found; nothing at all cannot.
    let asked = project.run(["query", "--text", "only a title"]);
    assert_says(&asked.stdout, &["e1"]);
    assert!(!asked.stdout.contains("e2"), "{}", asked.stdout);
}

fn line_separators(quirk: &Quirk) {
    let project = project();
    let golden = json!({"id": "q", "query": "first second third", "expected_chunk_ids": ["s1", "s2", "s3"]});
    project.write("golden.jsonl", golden.to_string());
    project.write("rankgate.toml", quirk.config("path = 'golden.jsonl'", quirk.name, "kind = 'tfidf'"));
    let (output, report) = data::run(&project, &[]);
    assert_eq!((output.status, output.stderr.as_str()), (0, ""));
    assert_eq!(report["corpus"]["chunks"], quirk.expected["documents"]);
}

fn lone_quotes(quirk: &Quirk) {
    let project = project();
    let text = std::fs::read_to_string(quirk.own()).unwrap();
    let queries: Vec<(&str, &str)> = text.lines().map(|line| line.split_once('\t').unwrap()).collect();
    project.write("qrels.txt", queries.iter().map(|(id, _)| format!("{id} 0 d1 1\n")).collect::<String>());
    let golden = format!("qrels = 'qrels.txt'\nqueries = '{}'", quirk.own());
    project.write("rankgate.toml", quirk.config(&golden, "base-corpus.jsonl", "kind = 'bm25'"));
    let (output, report) = data::run(&project, &[]);
    assert_eq!(output.stderr, "");
    assert_eq!(report["golden"]["questions"], quirk.expected["queries"]);
    for (id, query) in queries {
        assert_eq!(data::question(&report, id)["query"], query);
    }
}

fn one_id_for_two(quirk: &Quirk) {
    let project = project();
    let golden = format!("qrels = '{}'\nqueries = '{}'", quirk.companion("base-qrels"), quirk.own());
    project.write("rankgate.toml", quirk.config(&golden, "base-corpus.jsonl", "kind = 'tfidf'"));
    let lines: Vec<String> = items(&quirk.expected["lines"]).map(Value::to_string).collect();
    let place = format!("{}:{} (q1)", quirk.own(), lines[1]);
    assert_refused(&project.run(["check"]), &[&place, &format!("line {}", lines[0])]);
}

fn offset_units(quirk: &Quirk) {
    let project = project();
    let cases: Vec<Value> = std::fs::read_to_string(quirk.own())
        .unwrap()
        .lines()
        .map(|line| {
            let span: Value = serde_json::from_str(line).unwrap();
            let expected =
                json!({"doc": span["doc_id"], "start": span["start"], "end": span["end"], "quote": span["text"]});
            json!({"id": span["query_id"], "query": "garantia", "expected": [expected]})
        })
        .collect();
    project.write("golden.jsonl", data::lines(&cases));
    let named: Vec<String> =
        strings(&quirk.expected["spans_wrong"]).iter().map(|id| format!("({id})")).collect();
    let mut says: Vec<&str> = named.iter().map(String::as_str).collect();
    says.extend(["UTF-16 units", "UTF-8 bytes", "in characters it is 16 to 24"]);
    for (unknown_evidence, status) in [("refuse", 2), ("warn", 0)] {
        let golden = format!("path = 'golden.jsonl'\nunknown_evidence = '{unknown_evidence}'");
        project.write("rankgate.toml", quirk.config(&golden, "corpus-offset-units.jsonl", "kind = 'tfidf'"));
        let output = project.run(["check"]);
        assert_eq!(output.status, status, "{}", output.stderr);
        assert_says(&output.stderr, &says);
        for right in strings(&quirk.expected["spans_right"]) {
            assert!(!output.stderr.contains(&format!("({right})")), "{}", output.stderr);
        }
    }
}
