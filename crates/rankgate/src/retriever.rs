//! The one thing a retriever does: a question goes in, ranked hits or an error come out.

use serde_json::{Map, Value};

use crate::golden::Span;
use crate::{Id, Problem};

/// What a retriever is asked.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// The id of the case; only a retriever that replays recorded answers looks at it.
    pub id: &'a str,
    /// The text of the question.
    pub query: &'a str,
    /// Filters, tenant, history: whatever the case carries.
    pub params: &'a Map<String, Value>,
    /// How many hits are wanted.
    pub depth: usize,
}

/// One retrieved chunk. Only the id is required; with a corpus at hand the rest is looked up there.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Hit {
    /// The id of the chunk.
    pub id: Id,
    /// The retriever's score, higher is better. It never reorders the hits.
    pub score: Option<f64>,
    /// What the retriever tells of the chunk; most tell nothing, and lists are long.
    pub told: Option<Box<Told>>,
}

/// What a retriever may tell of a chunk beside its id.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Told {
    /// The document the chunk was cut from.
    pub doc: Option<Id>,
    /// Where the chunk starts in its document, in Unicode scalars.
    pub start: Option<usize>,
    /// Where it ends, exclusive.
    pub end: Option<usize>,
    /// The text of the chunk.
    pub text: Option<String>,
}

impl Hit {
    /// A hit with an id and a score, as the embedded retrievers return it.
    pub fn scored(id: impl Into<Id>, score: f64) -> Self {
        Self { id: id.into(), score: Some(score), told: None }
    }

    /// The same hit, with what its retriever tells of it.
    pub fn telling(self, told: Told) -> Self {
        Self { told: (told != Told::default()).then(|| Box::new(told)), ..self }
    }

    /// The document it names.
    pub fn doc(&self) -> Option<&Id> {
        self.told.as_ref()?.doc.as_ref()
    }

    /// The text it carries.
    pub fn text(&self) -> Option<&str> {
        self.told.as_ref()?.text.as_deref()
    }

    /// The range it names, in its document.
    pub fn range(&self) -> Option<Span> {
        let told = self.told.as_ref()?;
        Some(Span { start: told.start?, end: told.end? })
    }
}

/// What a retriever says about itself.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RetrieverInfo {
    /// The `kind` of the configuration.
    pub kind: &'static str,
    /// Everything that decides its answers, on one line: algorithm, version, parameters.
    pub fingerprint: String,
    /// The embedding model it reports, if it has one.
    pub embedding_model_version: Option<String>,
    /// Whether a list shorter than the depth means that nothing else matched (and not that the store caps its
    /// answers).
    pub exhaustive: bool,
    /// What orders hits of equal scores, in a word, where that is known.
    pub ties: Option<&'static str>,
    /// Whether answers take time that is worth reporting; a replayed run file has none.
    pub timed: bool,
    /// The ids of the questions that it has an answer for, if it replays recorded ones; `None` if it answers any.
    pub recorded: Option<Vec<String>>,
    /// What the user should know of its source.
    pub warnings: Vec<Problem>,
    /// Facts for the report, such as `vocabulary 226`.
    pub facts: Vec<(String, String)>,
}

impl RetrieverInfo {
    /// What orders hits of equal scores.
    pub fn ties(&self) -> &'static str {
        self.ties.unwrap_or("as-returned")
    }
}

/// Why a question got no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RetrieveError {
    /// The retriever has no answer recorded for this question: it counts as an empty list, and is named.
    #[error("the run has no results for this query")]
    Missing,
    /// The retriever failed.
    #[error("{0}")]
    Failed(String),
}

/// Anything that answers questions with ranked hits: plain, blocking, callable from several threads.
pub trait Retriever: Send + Sync {
    /// What it is.
    fn info(&self) -> RetrieverInfo;

    /// At most `depth` hits, best first. The order returned is the ranking.
    fn retrieve(&self, question: &Question<'_>) -> Result<Vec<Hit>, RetrieveError>;

    /// What a text is to the retriever, in order and each once: the terms of a lexical one. `None` where it cannot
    /// be said in words.
    fn terms(&self, _text: &str) -> Option<Vec<String>> {
        None
    }
}
