//! Against recorded answers of scikit-learn (`tests/record_sklearn.py` makes the record again).

use rankgate::config::LexicalSettings;
use rankgate_retrievers::TfIdf;
use serde::Deserialize;

use crate::{ask, corpus};

#[derive(Deserialize)]
struct Record {
    corpus: Vec<(String, String)>,
    queries: Vec<String>,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    settings: serde_json::Value,
    vocabulary: usize,
    answers: Vec<Vec<(String, f64)>>,
}

#[test]
fn scores_and_order_are_scikit_learns() {
    let record: Record = serde_json::from_str(include_str!("../sklearn.json")).expect("the record is sound");
    let corpus = corpus(record.corpus.iter().map(|(id, text)| (id.as_str(), text.as_str())));
    for case in &record.cases {
        let settings: LexicalSettings =
            serde_json::from_value(case.settings.clone()).expect("the keys are the same");
        let retriever = TfIdf::new(&settings, &corpus).expect("the settings are sound");
        assert_eq!(retriever.vocabulary_size(), case.vocabulary, "{}", case.settings);
        for (query, expected) in record.queries.iter().zip(&case.answers) {
            let hits = ask(&retriever, query, 10);
            assert_eq!(hits.len(), expected.len(), "{} {query}", case.settings);
            for (hit, (id, score)) in hits.iter().zip(expected) {
                let got = hit.score.expect("embedded retrievers score");
                assert_eq!(hit.id, *id, "{} {query}", case.settings);
                assert!((got - score).abs() < 1e-12, "{} {query} {id}: {got} {score}", case.settings);
            }
        }
    }
}
