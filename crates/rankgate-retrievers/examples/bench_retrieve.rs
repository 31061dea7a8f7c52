//! Indexes a corpus, answers questions, and prints the CPU seconds of both as one line of JSON.
//!
//! ```text
//! bench_retrieve KIND corpus.jsonl queries.tsv ANSWERS
//! ```
//!
//! `KIND` is `tfidf`, `hashing` or `bm25`. The corpus has an id and a text on each line, the queries an id and a
//! text parted by a tab. The ten best ids of each question go to the file `ANSWERS`, for comparison.

#![expect(clippy::print_stdout, reason = "a program for measurements, whose output is a measurement")]

use std::error::Error;
use std::fs;

use cpu_time::ProcessTime;
use rankgate::config::{
    Bm25Settings, HashingSettings, LexicalSettings, RetrieverKind, RetrieverSettings, Ties,
};
use rankgate::corpus::{Chunk, Corpus};
use rankgate::retriever::Question;
use serde::Deserialize;

const DEPTH: usize = 10;

#[derive(Deserialize)]
struct Line {
    id: String,
    text: String,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [kind, corpus, queries, answers] = arguments.as_slice() else {
        return Err("four arguments: KIND corpus.jsonl queries.tsv ANSWERS".into());
    };
    let corpus = read_corpus(corpus)?;
    let queries = fs::read_to_string(queries)?;
    let queries: Vec<(&str, &str)> = queries.lines().filter_map(|line| line.split_once('\t')).collect();
    let settings = settings(kind)?;

    let start = ProcessTime::now();
    let retriever = rankgate_retrievers::build(&settings, Some(&corpus))?;
    let index_seconds = start.elapsed().as_secs_f64();

    let params = serde_json::Map::new();
    let mut lists = Vec::with_capacity(queries.len());
    let start = ProcessTime::now();
    for (id, query) in &queries {
        lists.push(retriever.retrieve(&Question { id, query, params: &params, depth: DEPTH })?);
    }
    let query_seconds = start.elapsed().as_secs_f64();

    let lines: Vec<String> = lists
        .iter()
        .map(|hits| hits.iter().map(|hit| hit.id.as_str()).collect::<Vec<_>>().join(" ") + "\n")
        .collect();
    fs::write(answers, lines.concat())?;
    let measured = serde_json::json!({
        "version": env!("CARGO_PKG_VERSION"),
        "index_seconds": index_seconds,
        "query_seconds": query_seconds,
        "queries": queries.len(),
    });
    println!("{measured}");
    Ok(())
}

fn read_corpus(path: &str) -> Result<Corpus, Box<dyn Error>> {
    let mut chunks = Vec::new();
    for line in fs::read_to_string(path)?.lines() {
        let Line { id, text } = serde_json::from_str(line)?;
        chunks.push(Chunk { id, doc: None, start: None, end: None, title: String::new(), text });
    }
    Ok(Corpus::from_chunks(chunks, "jsonl")?)
}

fn settings(kind: &str) -> Result<RetrieverSettings, String> {
    let lexical = LexicalSettings::default();
    let kind = match kind {
        "tfidf" => RetrieverKind::Tfidf(lexical),
        "hashing" => {
            RetrieverKind::Hashing(HashingSettings { dimension: HashingSettings::DEFAULT_DIMENSION, lexical })
        }
        // Ties as tantivy breaks them, for the comparison: with chunks of one length there are many.
        "bm25" => RetrieverKind::Bm25(Bm25Settings { ties: Ties::CorpusOrder, ..Bm25Settings::default() }),
        _ => return Err(format!("no kind `{kind}`: tfidf, hashing, bm25")),
    };
    Ok(RetrieverSettings {
        depth: None,
        min_score: None,
        doc_pattern: None,
        embedding_model_version: None,
        kind,
    })
}
