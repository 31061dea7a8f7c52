//! Ids: text, compared letter by letter, of chunks or of documents.

use serde_json::{Value, json};

use super::{Case, case};
use crate::data::{
    self, RECORDED, assert_near, assert_refused, assert_says, entries, items, lines, recorded, strings,
};

#[test]
fn labels_of_documents_are_told_from_chunks() {
    let Some(Case { input, expected }) = case("ids-level-01") else { return };
    let project = recorded(&lines(items(&input["golden"])), &lines(items(&input["run"])));
    let bare: Vec<Value> =
        items(&input["corpus_ids"]).map(|id| json!({"id": id, "text": "a text"})).collect();
    let document = |id: &Value| id.as_str().unwrap().split('#').next().unwrap().to_owned();
    let with_documents: Vec<Value> = items(&input["corpus_ids"])
        .map(|id| json!({"id": id, "doc": document(id), "text": "a text"}))
        .collect();
    let pattern = "doc_pattern = '^(.+)#\\d+$'\n";
    let corpus = "[corpus]\npath = 'corpus.jsonl'\n";

    for chunks in [&bare, &with_documents] {
        project.write("corpus.jsonl", lines(chunks));
        project.write("rankgate.toml", format!("{RECORDED}{corpus}"));
        for verb in ["check", "run"] {
            let output = project.run([verb]);
            for (id, unknown) in entries(&expected["check"]["unknown"]) {
                assert_refused(&output, &[&format!("golden.jsonl:1 ({id})")]);
                assert_says(&output.stderr, &strings(unknown));
            }
            assert_says(&output.stderr, &strings(&expected["check"]["hint_lists"]));
        }
    }

    // Scored as documents, which the corpus names, or a pattern with the corpus or without.
    let configs = [
        (&bare, format!("{RECORDED}{pattern}")),
        (&bare, format!("{RECORDED}{pattern}{corpus}")),
        (&with_documents, format!("{RECORDED}{corpus}")),
    ];
    for (chunks, config) in configs {
        project.write("corpus.jsonl", lines(chunks)).write("rankgate.toml", &config);
        let (output, report) = data::run(&project, &["--set", "golden.level=document", "-m", "recall@2"]);
        assert_eq!(output.status, 0, "{config}\n{}", output.stderr);
        for (id, value) in entries(&expected["with_document_level_scoring"]["recall@2"]) {
            assert_near(id, &data::question(&report, id)["values"]["recall@2"], value, 1e-9);
        }
    }
}

#[test]
fn numbers_are_read_as_their_digits() {
    let Some(Case { input, expected }) = case("ids-type-01") else { return };
    let golden = strings(&input["golden_lines"]);
    let project = recorded(&golden.join("\n"), &lines(items(&input["run"])));
    let (output, report) = data::run(&project, &["-m", "recall@3"]);
    assert_eq!(output.status, 0, "{}", output.stderr);
    for (id, value) in entries(&expected["recall@3"]) {
        assert_near(id, &data::question(&report, id)["values"]["recall@3"], value, 1e-9);
    }
    assert_eq!(data::retrieved(&report, "9"), ["9007199254740993"]);

    // Where no expected id ever comes back, that is said instead of a mean of zero, with what would match.
    project.write("golden.jsonl", golden[1]);
    let (output, report) = data::run(&project, &["-m", "recall@3", "--gate", "recall@3 >= 0"]);
    assert_eq!(output.status, 2);
    assert_eq!(report["verdict"]["incomplete"][0]["code"], "no_overlap");
    assert_says(&output.stdout, &["012", "12", "leading zeros"]);

    for bad in strings(&input["bad_lines"]) {
        project.write("golden.jsonl", format!("{}\n{bad}\n", golden[0]));
        assert_refused(&project.run(["check"]), &["golden.jsonl:2"]);
    }
    // Together, each is named.
    project.write("golden.jsonl", strings(&input["bad_lines"]).join("\n"));
    let places: Vec<String> = (1..=4).map(|line| format!("golden.jsonl:{line}")).collect();
    assert_refused(&project.run(["check"]), &places.iter().map(String::as_str).collect::<Vec<_>>());
}
