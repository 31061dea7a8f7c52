//! Rankings: what the retriever answered, one ranked list a case.
use crate::retriever::Hit;

/// How a question was answered.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// A ranked list, repeats collapsed to their first place; it may be empty.
    Hits(Vec<Hit>),
    /// The run holds no line for it: scored as an empty list, and counted apart.
    Missing,
    /// The retriever failed: no score.
    Failed(String),
}

/// The answer to one case.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranking {
    /// The id of the case.
    pub case: String,
    /// The answer.
    pub answer: Answer,
    /// How many hits repeated an id that stood before them.
    pub repeats: usize,
    /// How long the retriever took, in milliseconds.
    pub latency_ms: Option<f64>,
}
