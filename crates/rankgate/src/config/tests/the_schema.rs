//! The JSON Schema.

use super::*;

#[test]
fn names_the_defaults_that_the_structs_have() {
    let schema = schema();
    assert_eq!(schema["properties"]["measures"]["properties"]["coverage"]["default"], 0.5);
    assert_eq!(schema["properties"]["gate"]["properties"]["min_slice"]["default"], 1);
    assert_eq!(schema["properties"]["golden"]["additionalProperties"], false);
}

#[test]
fn has_a_branch_for_each_kind_with_the_common_keys() {
    let schema = schema();
    let branches = schema["properties"]["retriever"]["oneOf"].as_array().unwrap();
    let names: Vec<_> =
        branches.iter().map(|branch| branch["properties"]["kind"]["const"].as_str().unwrap()).collect();
    assert_eq!(names, ["tfidf", "hashing", "bm25", "run"]);
    for branch in branches {
        assert!(branch["properties"]["depth"].is_object());
        assert_eq!(branch["additionalProperties"], false);
    }
    assert_eq!(branches[1]["properties"]["dimension"]["default"], HashingSettings::DEFAULT_DIMENSION);
    assert_eq!(branches[3]["required"], serde_json::json!(["kind", "path"]));
}

#[test]
fn keys_are_shown_in_the_order_of_the_structs() {
    let keys: Vec<_> = ok("", &inputs()).origins.into_iter().map(|value| value.key).collect();
    assert_snapshot!(keys.join("\n"), @r#"
    name
    golden.path
    golden.split
    golden.list_separator
    golden.min_questions
    golden.sources
    golden.unknown_evidence
    golden.level
    corpus.path
    corpus.format
    corpus.chunker.kind
    corpus.chunker.size
    corpus.chunker.overlap
    corpus.chunker.unit
    retriever.kind
    retriever.analyzer
    retriever.ngram_range
    retriever.token_pattern
    retriever.lowercase
    retriever.stop_words
    retriever.plural
    retriever.sublinear_tf
    retriever.smooth_idf
    retriever.ties
    measures.report
    measures.coverage
    gate.rules
    gate.min_slice
    gate.max_errors
    gate.allow_short
    privacy.text
    privacy.ids
    "#);
}
