//! The embedded retrievers from outside: settings and a corpus in, ranked hits out.

#![expect(clippy::expect_used, reason = "a test that cannot be set up has failed")]

mod bm25;
mod build;
mod conformance;
mod properties;
mod run;
mod sklearn;

use rankgate::config::{LexicalSettings, RetrieverKind, RetrieverSettings};
use rankgate::corpus::{Chunk, Corpus};
use rankgate::retriever::{Hit, Question, Retriever};
use serde_json::Map;

fn chunk(id: &str, text: &str) -> Chunk {
    Chunk { id: id.into(), doc: None, start: None, end: None, title: String::new(), text: text.into() }
}

fn corpus<'t>(chunks: impl IntoIterator<Item = (&'t str, &'t str)>) -> Corpus {
    let chunks = chunks.into_iter().map(|(id, text)| chunk(id, text)).collect();
    Corpus::from_chunks(chunks, "test").expect("the ids are unique")
}

fn settings(kind: RetrieverKind) -> RetrieverSettings {
    RetrieverSettings { depth: None, min_score: None, doc_pattern: None, embedding_model_version: None, kind }
}

fn tfidf(lexical: LexicalSettings, corpus: &Corpus) -> Box<dyn Retriever> {
    rankgate_retrievers::build(&settings(RetrieverKind::Tfidf(lexical)), Some(corpus)).expect("it is sound")
}

fn ask(retriever: &dyn Retriever, query: &str, depth: usize) -> Vec<Hit> {
    let question = Question { id: "q", query, params: &Map::new(), depth };
    retriever.retrieve(&question).expect("embedded retrievers do not fail")
}

fn ids(hits: &[Hit]) -> Vec<&str> {
    hits.iter().map(|hit| hit.id.as_str()).collect()
}
