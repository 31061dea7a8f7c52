//! The embedded retrievers of rankgate: lexical search in memory, the same everywhere, and recorded runs.
//!
//! [`build`] turns the `[retriever]` table into something that answers questions. What the lexical kinds share:
//!
//! - **What is indexed** is a chunk's title and text ([`Chunk::indexed_text`](rankgate::corpus::Chunk::indexed_text)).
//! - **No match, no hit.** A chunk whose score is zero is not returned, however few others there are; a question
//!   without a known word has no hits.
//! - **Ties follow a rule**, also at the cut: of equal scores the configured order decides who is in.
//! - **Same input, same output**, to the last bit: one thread, sums in an order the texts decide, no hash order.

mod analysis;
mod bm25;
mod charset;
mod postings;
mod run;
mod select;
mod tfidf;
mod vocabulary;

use rankgate::config::{RetrieverKind, RetrieverSettings};
use rankgate::corpus::Corpus;
use rankgate::error::{Place, Problem};
use rankgate::line::Suite;
use rankgate::retriever::Retriever;
use rankgate::{Error, Result};

pub use self::bm25::Bm25;
pub use self::run::Run;
pub use self::tfidf::TfIdf;

/// Builds the retriever that the settings describe, and indexes the corpus where it is one that searches it.
pub fn build(settings: &RetrieverSettings, corpus: Option<&Corpus>) -> Result<Box<dyn Retriever>> {
    Ok(match &settings.kind {
        RetrieverKind::Tfidf(lexical) => Box::new(TfIdf::new(lexical, needed(corpus, "tfidf")?)?),
        RetrieverKind::Hashing(hashing) => Box::new(TfIdf::hashing(hashing, needed(corpus, "hashing")?)?),
        RetrieverKind::Bm25(bm25) => Box::new(Bm25::new(bm25, needed(corpus, "bm25")?)?),
        RetrieverKind::Run(run) => Box::new(Run::new(run)?),
    })
}

/// The retriever of a suite. What is wrong with a setting is said of the line it stands on.
pub fn of(suite: &Suite) -> Result<Box<dyn Retriever>> {
    build(&suite.settings().retriever, suite.corpus.as_ref()).map_err(|error| suite.resolved.locate(error))
}

fn needed<'c>(corpus: Option<&'c Corpus>, kind: &str) -> Result<&'c Corpus> {
    corpus.ok_or_else(|| {
        let place = Place::default().field("retriever.kind");
        Error::from(
            Problem::new(place, format!("`{kind}` searches a corpus, and there is none"))
                .hint("name it: `[corpus] path = \"docs/\"`, a JSONL file or a folder"),
        )
    })
}

/// Chunks are numbered in 32 bits.
fn check_size(corpus: &Corpus) -> Result<()> {
    if u32::try_from(corpus.len()).is_ok() {
        return Ok(());
    }
    let what = format!("{} chunks are more than an embedded retriever can number", corpus.len());
    Err(Problem::new(Place::default().field("corpus.path"), what).into())
}
