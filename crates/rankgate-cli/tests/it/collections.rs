//! Real collections: the embedded retrievers and `score` against values that other programs computed, and the faults
//! in published labels that `check` must find.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use rankgate_test::{Project, shared};
use serde_json::{Value, json};

use crate::shared_files::{
    Ran, assert_close, float, json as read_json, json_lines, project, run, table, toml,
};

/// Our measures under the names that the collections use.
const MEASURES: [(&str, &str); 6] = [
    ("nDCG@10", "ndcg(gain=linear)@10"),
    ("recall@5", "recall@5"),
    ("recall@10", "recall@10"),
    ("recall@100", "recall@100"),
    ("MRR@10", "mrr@10"),
    ("hit@5", "hit_rate@5"),
];
/// The files hold six decimals.
const ROUNDED: f64 = 0.51e-6;
/// The keys of the retriever that stand for the way in which the stored values were made.
const TFIDF: &str = "kind = 'tfidf'\ndepth = 100\nround_scores = 6\nties = 'id-descending'\n";

/// A collection and the files that belong to it.
struct Collection {
    folder: PathBuf,
    queries: PathBuf,
}

impl Collection {
    /// A folder of `data`; one that cuts the documents of the folder above it has its queries there.
    fn open(name: &str) -> Option<Self> {
        let folder = shared(&format!("data/{name}"))?;
        let own = folder.join("queries.jsonl");
        let queries = if own.exists() { own } else { folder.parent()?.join("queries.jsonl") };
        Some(Self { folder, queries })
    }

    fn project(&self, qrels: &str, retriever: &str) -> Project {
        let golden =
            format!("qrels = {}\nqueries = {}\n", toml(&self.folder.join(qrels)), toml(&self.queries));
        self.project_with(&golden, retriever)
    }

    fn project_with(&self, golden: &str, retriever: &str) -> Project {
        let measures: Vec<&str> = MEASURES.iter().map(|(_, ours)| *ours).collect();
        let project = project();
        project.write(
            "rankgate.toml",
            format!(
                "name = 'collection'\n[golden]\n{golden}[corpus]\npath = {}\n[retriever]\n{retriever}\n[measures]\n\
                 report = {}\n",
                toml(&self.folder.join("corpus.jsonl")),
                json!(measures)
            ),
        );
        project
    }

    fn system(&self, name: &str) -> Value {
        let system = read_json(&self.folder.join("scores.json"))["systems"][name].clone();
        assert!(system.is_object(), "{name}");
        system
    }

    fn queries_evaluated(&self) -> usize {
        usize::try_from(read_json(&self.folder.join("scores.json"))["queries_evaluated"].as_u64().unwrap())
            .unwrap()
    }

    /// The values of each query.
    fn per_query(&self, system: &str) -> BTreeMap<String, BTreeMap<String, String>> {
        let rows = table(&self.folder.join(format!("runs/{system}.perquery.tsv")));
        let rows: BTreeMap<_, _> = rows.into_iter().map(|row| (row["query-id"].clone(), row)).collect();
        assert_eq!(rows.len(), self.queries_evaluated());
        rows
    }

    /// Some means, by their names in the collection.
    fn assert_means(&self, ran: &Ran, system: &str, names: &[&str]) {
        let expected = self.system(system);
        for (theirs, ours) in MEASURES.iter().filter(|(theirs, _)| names.contains(theirs)) {
            let what = format!("{} {system} {theirs}", self.folder.display());
            assert_close(ran.mean(ours), float(&expected["mean"][theirs]), ROUNDED, &what);
            assert_eq!(ran.measure(ours).n, self.queries_evaluated(), "{what}");
        }
    }

    /// Means, queries without results, slices and the values of each query are those of the stored system.
    fn assert_is(&self, ran: &Ran, system: &str) {
        assert_eq!(ran.status, 0, "{}", ran.output.stderr);
        self.assert_means(ran, system, &MEASURES.map(|(theirs, _)| theirs));
        let expected = self.system(system);
        assert_eq!(Some(ran.report.lists.empty as u64), expected["queries_without_results"].as_u64());

        let per_query = self.per_query(system);
        assert_eq!(ran.report.questions.len(), per_query.len());
        for question in &ran.report.questions {
            for (theirs, ours) in MEASURES {
                let wanted = per_query[&question.id][theirs].parse().unwrap();
                let what = format!("{} {system} {theirs} of {}", self.folder.display(), question.id);
                assert_close(question.values[ours], wanted, ROUNDED, &what);
            }
        }

        let Some(categories) = expected["by_category"].as_object() else { return };
        assert_eq!(ran.report.slices.len(), categories.len());
        for slice in &ran.report.slices {
            let category = &categories[&slice.value];
            assert_eq!((slice.field.as_str(), Some(slice.n as u64)), ("category", category["n"].as_u64()));
            for (theirs, ours) in MEASURES {
                assert_close(slice.means[ours], float(&category[theirs]), ROUNDED, &slice.value);
            }
        }
    }
}

fn tfidf_is_that_of_scikit_learn(collection: &str, more: &str, system: &str) {
    let Some(collection) = Collection::open(collection) else { return };
    let ran = run(&collection.project("qrels.tsv", &format!("{TFIDF}{more}")), &[]);
    assert_eq!(ran.report.policy.depth, 100);
    collection.assert_is(&ran, system);
}

#[test]
fn tfidf_on_cranfield() {
    tfidf_is_that_of_scikit_learn("cranfield", "", "tfidf");
}

#[test]
fn tfidf_on_cacm() {
    tfidf_is_that_of_scikit_learn("cacm", "", "tfidf");
}

#[test]
fn tfidf_on_faquad() {
    tfidf_is_that_of_scikit_learn("faquad-pt", "", "tfidf");
}

#[test]
fn tfidf_on_xquad() {
    tfidf_is_that_of_scikit_learn("xquad-multi", "", "tfidf");
}

#[test]
fn tfidf_of_characters_on_xquad() {
    let more = "analyzer = 'char_wb'\nngram_range = [2, 4]\nsublinear_tf = true\n";
    tfidf_is_that_of_scikit_learn("xquad-multi", more, "tfidf-char");
}

#[test]
fn tfidf_on_whole_documents() {
    tfidf_is_that_of_scikit_learn("chunking-spans", "", "tfidf");
}

#[test]
fn tfidf_on_fixed_chunks() {
    tfidf_is_that_of_scikit_learn("chunking-spans/chunks-fixed800", "", "tfidf");
}

#[test]
fn tfidf_on_sentence_chunks() {
    tfidf_is_that_of_scikit_learn("chunking-spans/chunks-sent1200o200", "", "tfidf");
}

fn bm25(collection: &str) -> Option<(Collection, f64)> {
    let collection = Collection::open(collection)?;
    let ran = run(&collection.project("qrels.tsv", "kind = 'bm25'\ndepth = 100\n"), &[]);
    assert_eq!(ran.status, 0, "{}", ran.output.stderr);
    assert_eq!(ran.report.golden.judged, collection.queries_evaluated());
    let ndcg = ran.mean(MEASURES[0].1);
    Some((collection, ndcg))
}

/// Tokenizers and length norms differ a little from program to program; ours must not be worse.
#[test]
fn bm25_is_near_that_of_others() {
    for collection in ["cranfield", "faquad-pt"] {
        let Some((collection, ndcg)) = bm25(collection) else { return };
        let theirs = float(&collection.system("bm25")["mean"]["nDCG@10"]);
        assert_close(ndcg, theirs, 0.015, &collection.folder.display().to_string());
    }
}

/// Chinese and Thai are written without blanks: a tokenizer of words finds next to nothing there.
#[test]
fn bm25_reads_every_script() {
    let Some((collection, ndcg)) = bm25("xquad-multi") else { return };
    let of_words = float(&collection.system("bm25")["mean"]["nDCG@10"]);
    assert!(ndcg >= 0.93 && of_words < 0.75, "{ndcg}, {of_words}");
}

/// The stored runs of a collection, by the name of their system.
fn stored_runs(collection: &Collection) -> BTreeSet<String> {
    std::fs::read_dir(collection.folder.join("runs"))
        .unwrap()
        .filter_map(|entry| Some(entry.unwrap().file_name().to_str()?.strip_suffix(".run.gz")?.to_owned()))
        .collect()
}

#[test]
fn stored_runs_are_scored_as_stored() {
    let measures: Vec<&str> = MEASURES.iter().map(|(_, ours)| *ours).collect();
    let mut scored_runs = 0;
    for name in [
        "cranfield",
        "cacm",
        "faquad-pt",
        "xquad-multi",
        "chunking-spans/chunks-fixed800",
        "chunking-spans/chunks-sent1200o200",
    ] {
        let Some(collection) = Collection::open(name) else { return };
        for system in stored_runs(&collection) {
            let output = project().run([
                "score",
                "-q",
                "--format=json",
                "-m",
                &measures.join(","),
                &format!("--qrels={}", collection.folder.join("qrels.tsv").display()),
                &format!("--run={}", collection.folder.join(format!("runs/{system}.run.gz")).display()),
            ]);
            assert_eq!(output.status, 0, "{}", output.stderr);
            let scored: Value = serde_json::from_str(&output.stdout).unwrap();
            let expected = collection.system(&system);
            let per_query = collection.per_query(&system);
            assert_eq!(scored["queries"].as_object().unwrap().len(), per_query.len(), "{name} {system}");
            for (theirs, ours) in MEASURES {
                let what = format!("{name} {system} {theirs}");
                assert_close(float(&scored["means"][ours]), float(&expected["mean"][theirs]), ROUNDED, &what);
                for (query, row) in &per_query {
                    let value = float(&scored["queries"][query][ours]);
                    assert_close(value, row[theirs].parse().unwrap(), ROUNDED, &format!("{what} of {query}"));
                }
            }
            scored_runs += 1;
        }
    }
    assert_eq!(scored_runs, 13);
}

/// The published judgements of CACM write some ids without the zeros that its documents have.
#[test]
fn check_finds_the_unpadded_ids_of_cacm() {
    let Some(collection) = Collection::open("cacm") else { return };
    let known: BTreeSet<String> = json_lines(&collection.folder.join("corpus.jsonl"))
        .iter()
        .map(|document| document["_id"].as_str().unwrap().to_owned())
        .collect();
    let unknown: BTreeSet<String> = table(&collection.folder.join("qrels-as-published.tsv"))
        .into_iter()
        .map(|row| row["corpus-id"].clone())
        .filter(|id| !known.contains(id))
        .collect();
    assert_eq!(unknown.len(), 46);

    let project = collection.project("qrels-as-published.tsv", TFIDF);
    let output = project.run(["check"]);
    assert_eq!((output.status, output.stdout.as_str()), (2, ""));
    let lines: Vec<&str> = output.stderr.lines().collect();
    for id in &unknown {
        let (prefix, number) = id.split_once('-').unwrap();
        let meant = format!("{prefix}-{number:0>4}");
        assert!(known.contains(&meant));
        let at = lines.iter().position(|line| line.contains(&format!("chunk `{id}` is not in the corpus")));
        let at = at.unwrap_or_else(|| panic!("{id} is not named: {}", output.stderr));
        assert!(lines[at + 1].contains(&format!("hint: the corpus has `{meant}`")), "{}", lines[at + 1]);
    }
    assert_eq!(lines.len(), 2 * unknown.len(), "nothing else is wrong: {}", output.stderr);
    let refused = project.run(["run", "-o", "refused.json"]);
    assert_eq!((refused.status, project.root().join("refused.json").exists()), (2, false));

    let warned = run(&project, &["--set", "golden.unknown_evidence=warn"]);
    assert_eq!((warned.status, warned.report.labels.unknown), (0, 55));
    let corrected = collection.project("qrels.tsv", TFIDF).run(["check"]);
    assert_eq!(corrected.status, 0, "{}", corrected.stderr);
}

/// A golden set of the spans of a file, one question for each query.
fn golden_of_spans(collection: &Collection, spans: &str) -> String {
    let mut needs: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for span in json_lines(&collection.folder.join(spans)) {
        let query = span["query_id"].as_str().unwrap().to_owned();
        needs.entry(query).or_default().push(json!({
            "doc": span["doc_id"], "start": span["start"], "end": span["end"], "quote": span["text"],
        }));
    }
    let mut golden = String::new();
    for query in json_lines(&collection.queries) {
        if let Some(expected) = needs.get(query["_id"].as_str().unwrap()) {
            let line = json!({ "id": query["_id"], "query": query["text"], "expected": expected });
            writeln!(golden, "{line}").unwrap();
        }
    }
    golden
}

/// Of the published answers of `FaQuAD` 33 do not stand where they should.
#[test]
fn check_finds_the_wrong_spans_of_faquad() {
    let Some(collection) = Collection::open("faquad-pt") else { return };
    let texts = texts(&collection.folder.join("corpus.jsonl"));
    let wrong = json_lines(&collection.folder.join("spans-as-published.jsonl"))
        .iter()
        .filter(|span| {
            let at = |key: &str| usize::try_from(span[key].as_u64().unwrap()).unwrap();
            let text = &texts[span["doc_id"].as_str().unwrap()];
            text.get(at("start")..at("end")).map(|here| here.iter().collect::<String>()).as_deref()
                != span["text"].as_str()
        })
        .count();
    assert_eq!(wrong, 33);

    let project = collection.project_with("path = 'golden.jsonl'\n", TFIDF);
    project.write("golden.jsonl", golden_of_spans(&collection, "spans-as-published.jsonl"));
    let output = project.run(["check"]);
    assert_eq!((output.status, output.stdout.as_str()), (2, ""));
    let named = output.stderr.lines().filter(|line| {
        line.contains(": another text than the quote stands at") || line.contains(": the span ends at")
    });
    assert_eq!(named.count(), wrong, "{}", output.stderr);
    assert_eq!(output.stderr.lines().filter(|line| line.starts_with("error: ")).count(), wrong);
    // Most are off by a few characters.
    let moved = output.stderr.lines().filter(|line| line.starts_with("hint: the quote stands at"));
    assert_eq!(moved.count(), wrong - 1, "the wording of one differs: {}", output.stderr);

    // With the corrected spans every label is met by a span, and the values are those of the paragraphs.
    project.write("golden.jsonl", golden_of_spans(&collection, "spans.jsonl"));
    let output = project.run(["check"]);
    assert_eq!(output.status, 0, "{}", output.stderr);
    let ran = run(&project, &[]);
    collection.assert_means(&ran, "tfidf", &["hit@5", "MRR@10"]);
}

/// Offsets in characters hold in every script, composed or not, and whatever the documents are cut into.
#[test]
fn check_finds_nothing_wrong_with_sound_spans() {
    for (name, spans) in [
        ("xquad-multi", "spans.jsonl"),
        ("chunking-spans", "spans.jsonl"),
        ("chunking-spans/chunks-fixed800", "../spans.jsonl"),
        ("chunking-spans/chunks-sent1200o200", "../spans.jsonl"),
    ] {
        let Some(collection) = Collection::open(name) else { return };
        let project = collection.project_with("path = 'golden.jsonl'\n", TFIDF);
        project.write("golden.jsonl", golden_of_spans(&collection, spans));
        let output = project.run(["check"]);
        assert_eq!((output.status, output.stderr.as_str()), (0, ""), "{name}");
    }
}

/// The labels of the chunks were derived from the spans: a chunk is relevant when it holds any part of one.
#[test]
fn spans_find_the_chunks_that_their_labels_name() {
    for name in ["chunking-spans/chunks-fixed800", "chunking-spans/chunks-sent1200o200"] {
        let Some(collection) = Collection::open(name) else { return };
        let project = collection.project_with("path = 'golden.jsonl'\n", TFIDF);
        project.write("golden.jsonl", golden_of_spans(&collection, "../spans.jsonl"));
        let ran = run(&project, &["--set", "measures.coverage=0.000001"]);
        assert_eq!(ran.status, 0, "{}", ran.output.stderr);
        collection.assert_means(&ran, "tfidf", &["hit@5", "MRR@10"]);
    }
}

/// The texts of a corpus by id, as characters.
fn texts(corpus: &Path) -> BTreeMap<String, Vec<char>> {
    json_lines(corpus)
        .iter()
        .map(|document| {
            let text = document["text"].as_str().unwrap();
            (document["_id"].as_str().unwrap().to_owned(), text.chars().collect())
        })
        .collect()
}
