//! Corpora and cases that lie outside the repository: the tests pass over them where they are not at hand.

use std::path::Path;

use rankgate::config::{Bm25Settings, LexicalSettings, Ties};
use rankgate::corpus::Corpus;
use rankgate::retriever::Retriever;
use rankgate_retrievers::{Bm25, TfIdf};
use rankgate_test::shared;
use serde_json::Value;

use crate::{ask, chunk, ids};

fn json(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).expect("it is readable")).expect("it is JSON")
}

fn lines(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).expect("it is readable");
    text.lines().map(|line| serde_json::from_str(line).expect("it is JSON")).collect()
}

fn string<'v>(value: &'v Value, key: &str) -> &'v str {
    value.get(key).and_then(Value::as_str).expect("it is a string")
}

fn strings(value: &Value) -> Vec<&str> {
    value.as_array().map(|all| all.iter().filter_map(Value::as_str).collect()).unwrap_or_default()
}

fn items(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).expect("it is a list")
}

fn corpus(chunks: &[Value]) -> Corpus {
    let chunks = chunks.iter().map(|c| chunk(string(c, "id"), string(c, "text"))).collect();
    Corpus::from_chunks(chunks, "test").expect("the ids are unique")
}

#[test]
fn support_articles() {
    let Some(folder) = shared("conformance/tutorials/support-articles") else { return };
    let corpus = corpus(&lines(&folder.join("corpus.jsonl")));
    for name in ["expected-baseline.json", "expected-regression.json"] {
        let expected = json(&folder.join(name));
        let lexical = LexicalSettings {
            token_pattern: string(&expected, "token_pattern").into(),
            ties: Ties::ReverseCorpusOrder,
            ..LexicalSettings::default()
        };
        let retriever = TfIdf::new(&lexical, &corpus).expect("it is sound");
        assert_eq!(Some(retriever.vocabulary_size() as u64), expected["vocabulary_size"].as_u64());
        for (term, known) in expected["in_vocabulary"].as_object().expect("it is a table") {
            assert_eq!(Some(retriever.contains_term(term)), known.as_bool(), "{name}: {term}");
        }
        for row in items(&expected["rows"]) {
            let query = string(row, "query");
            assert_eq!(ids(&ask(&retriever, query, 3)), strings(&row["retrieved"]), "{name}: {query}");
            let hits = ask(&retriever, query, 100);
            let scores = row["scores"].as_object().expect("it is a table");
            assert_eq!(hits.len(), scores.len(), "{name}: {query}");
            for hit in hits {
                let expected =
                    scores.get(hit.id.as_str()).and_then(Value::as_f64).expect("it is scored there too");
                assert!(
                    (hit.score.unwrap_or_default() - expected).abs() < 1e-9,
                    "{name}: {query}: {}",
                    hit.id
                );
            }
        }
    }
}

#[test]
fn billing_docs() {
    let Some(folder) = shared("conformance/tutorials/billing-docs") else { return };
    let corpus = corpus(&lines(&folder.join("corpus.jsonl")));
    let expected = json(&folder.join("expected.json"));
    let tokenizer = &expected["tokenizer"];
    let lexical = LexicalSettings {
        token_pattern: string(tokenizer, "pattern").into(),
        stop_words: strings(&tokenizer["stopwords"]).into_iter().map(str::to_owned).collect(),
        plural: true,
        ties: Ties::CorpusOrder,
        ..LexicalSettings::default()
    };
    let retriever = TfIdf::new(&lexical, &corpus).expect("it is sound");
    let questions = lines(&folder.join("v1.jsonl"));
    for (question, row) in questions.iter().zip(items(&expected["rows"])) {
        let hits = ask(&retriever, string(question, "question"), 3);
        assert_eq!(ids(&hits), strings(&row["retrieved"]), "{}", string(row, "id"));
    }
}

#[test]
fn text_without_blanks() {
    let Some(file) = shared("cases/lexical-cjk-01.json") else { return };
    let case = json(&file);
    let corpus = corpus(items(&case["input"]["corpus"]));
    let retriever = Bm25::new(&Bm25Settings::default(), &corpus).expect("it is sound");
    let words = TfIdf::new(&LexicalSettings::default(), &corpus).expect("it is sound");
    for query in items(&case["input"]["queries"]) {
        let (id, text) = (string(query, "id"), string(query, "query"));
        let hits = ask(&retriever, text, 2);
        match case["expected"]["top1"].get(id).and_then(Value::as_str) {
            Some(first) => assert_eq!(ids(&hits).first(), Some(&first), "{id}"),
            None => assert_eq!(ids(&hits), strings(&case["expected"][id]["retrieved"]), "{id}"),
        }
        assert_eq!(ask(&words, text, 2), [], "{id}: words alone match nothing here");
        if let Some(shared) = case["expected"]["shared_character_pairs"].get(id).and_then(Value::as_object) {
            for (chunk, pairs) in shared {
                let found = ask(&retriever, text, 10).iter().any(|hit| hit.id == *chunk);
                assert_eq!(found, pairs.as_u64() > Some(0), "{id} {chunk}");
            }
        }
    }
    assert!(retriever.info().exhaustive);
}
