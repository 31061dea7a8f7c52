//! Qrels with what lies beside them: queries, attributes, BEIR folders.

use super::*;
use crate::config::NoNeeds;
use crate::formats::qrels::Qrels;
use crate::golden::Queries;

const QRELS: &str = "query-id\tcorpus-id\tscore\nq1\ta\t2\nq2\tb\t0\nq1\tb\t0\nq3\tc\t1\nq1\tc\t-1\n";
const QUERIES: &str = "q1\tfirst\nq2\tsecond\nq3\t\"third\nq4\tfourth\n";

fn qrels_settings(folder: &Folder) -> GoldenSettings {
    let existing = |name: &str| Some(folder.path(name)).filter(|path| path.exists());
    GoldenSettings {
        qrels: existing("r.qrels"),
        queries: existing("q.tsv"),
        attributes: existing("attrs.tsv"),
        ..GoldenSettings::default()
    }
}

fn read_files(files: &[(&str, &str)]) -> Result<GoldenSet> {
    let folder = files.iter().fold(Folder::new(), |folder, (name, content)| folder.with(name, content));
    GoldenSet::read(&qrels_settings(&folder))
}

#[test]
fn qrels_and_queries() {
    let set = read_files(&[("r.qrels", QRELS), ("q.tsv", QUERIES)]).unwrap();
    assert_eq!(ids(&set), ["q1", "q3"]);
    assert_eq!(set.without_needs, ["q2", "q4"]);
    assert_eq!(set.version, "r");
    let first = &set.cases[0];
    assert_eq!((first.query.as_str(), first.line), ("first", 2));
    assert_eq!(first.needs[0].grade, 2);
    assert_eq!(needs(&set, 0), [chunk("a")]);
    assert_eq!(first.not_relevant, [chunk("b"), chunk("c")]);
    assert_eq!(set.cases[1].query, "\"third");
    assert_eq!(set.sha256.len(), 64);
    assert_eq!(set.place(first).to_string().rsplit('/').next().unwrap(), "r.qrels:2 (q1)");
}

#[test]
fn without_queries_the_questions_are_blank() {
    let qrels = Qrels::parse(QRELS, Path::new("dir/2026.qrels")).unwrap();
    let set = GoldenSet::from_qrels(qrels.clone(), None, NoNeeds::Skip).unwrap();
    assert_eq!(ids(&set), ["q1", "q3"]);
    assert_eq!((set.version.as_str(), set.cases[0].query.as_str()), ("2026", ""));
    assert_eq!(
        told(GoldenSet::from_qrels(qrels, None, NoNeeds::Error)),
        ["3 q2 expected: the question has no evidence"]
    );
    let folder = Folder::new().with("r.qrels", QRELS);
    assert_eq!(GoldenSet::read_qrels(&folder.path("r.qrels"), None, NoNeeds::Skip).unwrap().sha256.len(), 64);
    let found = problems(GoldenSet::read(&qrels_settings(&folder)));
    assert_eq!(found[0].what, "`qrels` needs `queries`");
}

#[test]
fn nothing_relevant_is_no_golden_set() {
    let found = problems(read_files(&[("r.qrels", "q1 0 a 0\n"), ("q.tsv", "q1\tx\n")]));
    assert_eq!(
        (found[0].what.as_str(), found[0].hint.as_deref()),
        ("no questions", Some("1 without any evidence were left out"))
    );
    assert_eq!(problems(read_files(&[("r.qrels", ""), ("q.tsv", "")]))[0].what, "no questions");
}

#[test]
fn judged_queries_need_a_text() {
    let found = told(read_files(&[("r.qrels", QRELS), ("q.tsv", "q1\tx\n")]));
    assert_eq!(
        found,
        [
            "3 q2 -: the query is judged here and has no text",
            "5 q3 -: the query is judged here and has no text"
        ]
    );
}

#[test]
fn problems_of_both_files_are_told_at_once() {
    let found = told(read_files(&[("r.qrels", "q1 0 a 0.5\n"), ("q.tsv", "q1\tx\nq1\ty\nno tab\n")]));
    assert_eq!(
        found,
        [
            "1 q1 score: the grade `0.5` is not a whole number",
            "2 q1 -: the id is taken by line 1 already",
            "3 - -: there is no tab between an id and a text",
        ]
    );
}

#[test]
fn queries_in_json() {
    let parse = |text: &str| Queries::parse(text, Path::new("queries.jsonl"));
    let text = r#"{"_id": 7, "text": "x", "metadata": {"category": "k", "n": 2, "deep": {}}, "title": ""}
{"id": "8", "query": "y"}"#;
    let queries = parse(text).unwrap();
    assert_eq!(queries.list[0].id, "7");
    assert_eq!(queries.list[0].metadata.len(), 2);
    assert_eq!(queries.list[1].text, "y");
    let qrels = Qrels::parse("7 0 a 1\n8 0 a 1\n", Path::new("r")).unwrap();
    let set = GoldenSet::from_qrels(qrels, Some(&queries), NoNeeds::Skip).unwrap();
    assert_eq!(set.cases[0].category.as_deref(), Some("k"));
    assert_eq!(set.cases[0].field("n"), ["2"]);
    assert_eq!(
        told(parse(
            "{\"_id\":\"a\",\"text\":\"x\"}\n{\"_id\":true,\"text\":\"x\"}\n{\"_id\":\"a\",\"text\":\"z\"}\n{\"_id\":\"b\"}"
        )),
        [
            "2 - _id: an id, that is a string or a whole number, is wanted here, not true or false (`true`)",
            "3 a -: the id is taken by line 1 already",
            "4 b text: the query has no text",
        ]
    );
}

#[test]
fn a_title_over_the_queries_is_no_query() {
    let queries = Queries::parse("qid\tquery\nq1\tx\n", Path::new("q.tsv")).unwrap();
    assert_eq!(queries.list.len(), 1);
}

#[test]
fn attributes() {
    let attributes = "qid,segment,category,tags,source\nq1,head,k,t|u,sme\nq4,tail,,,\nq9,x,,,\n";
    let set = read_files(&[("r.qrels", QRELS), ("q.tsv", QUERIES), ("attrs.tsv", attributes)]).unwrap();
    let case = &set.cases[0];
    assert_eq!(case.field("segment"), ["head"]);
    assert_eq!(case.category.as_deref(), Some("k"));
    assert_eq!(case.tags, ["t", "u"]);
    assert_eq!(case.source.as_deref(), Some("sme"));
    assert_eq!(set.warnings.len(), 1);
    assert_eq!(
        tell(&set.warnings[0]),
        "4 q9 -: 1 query is described here and judged nowhere, first this one"
    );
    let hidden = "qid\tcritical\nq1\tyes\n";
    assert_eq!(
        told(read_files(&[("r.qrels", QRELS), ("q.tsv", QUERIES), ("attrs.tsv", hidden)])),
        ["1 - critical: not a field of this file"]
    );
    let twice = "qid\tsegment\nq1\ta\nq1\tb\n\tc\n";
    assert_eq!(
        told(read_files(&[("r.qrels", QRELS), ("q.tsv", QUERIES), ("attrs.tsv", twice)])),
        [
            "3 q1 -: the query is described on line 2 already",
            "4 - -: the query id in the first column is blank"
        ]
    );
}

#[test]
fn beir_folders() {
    let queries =
        "{\"_id\":\"q1\",\"text\":\"x\"}\n{\"_id\":\"q2\",\"text\":\"y\"}\n{\"_id\":\"q3\",\"text\":\"z\"}\n";
    let folder = Folder::new()
        .with("set/queries.jsonl", queries)
        .with("set/qrels/test.tsv", QRELS)
        .with("set/qrels/dev.tsv", "query-id\tcorpus-id\tscore\nq2\ta\t1\n");
    let settings = |split: &str| GoldenSettings {
        path: Some(folder.path("set")),
        split: split.into(),
        ..GoldenSettings::default()
    };
    let set = GoldenSet::read(&settings("test")).unwrap();
    assert_eq!((set.version.as_str(), ids(&set)), ("set", vec!["q1", "q3"]));
    assert_eq!(set.path, folder.path("set"));
    assert!(set.labels_file.ends_with("qrels/test.tsv"));
    let set = GoldenSet::read(&settings("dev")).unwrap();
    assert_eq!((ids(&set), set.without_needs.concat()), (vec!["q2"], "q1q3".to_owned()));
    let found = problems(GoldenSet::read(&settings("train")));
    assert!(found[0].hint.as_deref().unwrap().ends_with("one of dev, test"), "{found:?}");
    let bare = Folder::new();
    let settings = GoldenSettings { path: Some(bare.root().to_owned()), ..GoldenSettings::default() };
    assert_eq!(problems(GoldenSet::read(&settings)).len(), 2);
}

#[test]
fn settings_that_name_no_set() {
    let some = || Some(PathBuf::from("x"));
    let none = GoldenSettings::default;
    for (settings, what) in [
        (none(), "no golden set is named"),
        (GoldenSettings { path: some(), qrels: some(), ..none() }, "both `path` and `qrels` are set"),
        (
            GoldenSettings { path: some(), queries: some(), ..none() },
            "`queries` goes with `qrels`, not with `path`",
        ),
        (
            GoldenSettings { path: some(), attributes: some(), ..none() },
            "`attributes` goes with `qrels` or a BEIR folder",
        ),
    ] {
        assert_eq!(problems(GoldenSet::read(&settings))[0].what, what);
    }
    let missing = GoldenSettings { path: some(), ..none() };
    assert!(GoldenSet::read(&missing).unwrap_err().to_string().starts_with("cannot read x"));
}

#[test]
fn compressed_files_keep_their_stem() {
    use std::io::Write as _;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(br#"{"id":"a","query":"x","expected_chunk_ids":["c"]}"#).unwrap();
    let set = read("v2.jsonl.gz", encoder.finish().unwrap()).unwrap();
    assert_eq!((set.version.as_str(), ids(&set)), ("v2", vec!["a"]));
}
