//! Lexical search of texts that are written without blanks.

use serde_json::{Value, json};

use super::{Case, case};
use crate::data::{self, assert_near, entries, items, lines, project};

#[test]
fn chinese_and_japanese_are_found_by_character_pairs() {
    let Some(Case { input, expected }) = case("lexical-cjk-01") else { return };
    let project = project();
    project.write("corpus.jsonl", lines(items(&input["corpus"])));
    let golden: Vec<Value> = items(&input["queries"])
        .map(|question| {
            let top = &expected["top1"][question["id"].as_str().unwrap()];
            let wanted: Vec<&Value> = [top].into_iter().filter(|top| !top.is_null()).collect();
            let answerable = !wanted.is_empty();
            json!({
                "id": question["id"], "query": question["query"],
                "expected_chunk_ids": wanted, "answerable": answerable,
            })
        })
        .collect();
    project.write("golden.jsonl", lines(&golden));
    let config = |retriever: &str| {
        let head = "[golden]\npath = 'golden.jsonl'\n[corpus]\npath = 'corpus.jsonl'\n[retriever]\n";
        project.write("rankgate.toml", format!("{head}{retriever}\n"));
    };
    let pairs = &expected["shared_character_pairs"];
    for retriever in [
        "kind = 'bm25'",
        "kind = 'bm25'\ntokenizer = 'bigrams'",
        "kind = 'tfidf'\nanalyzer = 'char'\nngram_range = [2, 2]",
    ] {
        config(retriever);
        let (output, report) = data::run(&project, &["-m", "hit_rate@1", "--gate", "hit_rate@1 >= 1"]);
        assert_eq!(output.status, 0, "{retriever}\n{}{}", output.stdout, output.stderr);
        assert_near("hit rate", data::mean(&report, "hit_rate@1"), &expected["hit_rate@1"], 1e-9);
        for (id, top) in entries(&expected["top1"]) {
            let found = data::retrieved(&report, id);
            assert_eq!(&found[0], top, "{retriever}");
            // What shares no pair is no result.
            let sharing: Vec<&str> =
                entries(&pairs[id]).filter(|(_, pairs)| **pairs != 0).map(|(chunk, _)| chunk).collect();
            assert_eq!(found, sharing, "{retriever} {id}");
        }
        assert_eq!(json!(data::retrieved(&report, "k5")), expected["k5"]["retrieved"]);
    }

    // Words by the default pattern find nothing at all, and that is not a mean of zero but no verdict.
    config("kind = 'tfidf'");
    let (output, report) = data::run(&project, &["-m", "hit_rate@1", "--gate", "hit_rate@1 >= 0"]);
    assert_eq!(output.status, 2);
    assert_eq!(report["verdict"]["incomplete"][0]["code"], "no_hits");
}
