//! Rankings: what the retriever answered, one ranked list a case.

use hashbrown::HashSet;
use regex::Regex;

use crate::corpus::Corpus;
use crate::golden::Span;
use crate::retriever::Hit;
use crate::{Id, Place, Problem, Result};

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
    /// The index of the case in its golden set.
    pub case: usize,
    /// The answer.
    pub answer: Answer,
    /// How many hits repeated an id that stood before them.
    pub repeats: usize,
    /// How long the retriever took, in milliseconds. Never part of a result.
    pub latency_ms: Option<f64>,
}

impl Ranking {
    /// The answer of a retriever that returned these hits: the order is kept, a repeated id counts once, at its
    /// first place, and only then the list ends at the depth.
    pub fn from_hits(case: usize, hits: Vec<Hit>, depth: usize) -> Self {
        let all = hits.len();
        let is_first: Vec<bool> = {
            let mut seen = HashSet::with_capacity(all);
            hits.iter().map(|hit| seen.insert(hit.id.as_str())).collect()
        };
        let mut kept = hits;
        if is_first.contains(&false) {
            let mut is_first = is_first.into_iter();
            kept.retain(|_| is_first.next().unwrap_or(true));
        }
        let repeats = all - kept.len();
        kept.truncate(depth);
        Self { case, answer: Answer::Hits(kept), repeats, latency_ms: None }
    }

    /// The hits, best first; none when the run lacks the query or the retriever failed.
    pub fn hits(&self) -> &[Hit] {
        match &self.answer {
            Answer::Hits(hits) => hits,
            Answer::Missing | Answer::Failed(_) => &[],
        }
    }
}

/// Everything that was asked and answered, in the order of the golden set.
#[derive(Debug, Clone, PartialEq)]
pub struct Rankings {
    /// One a case that was asked.
    pub rankings: Vec<Ranking>,
    /// How many places of each list are scored: hits, or at document level documents.
    pub depth: usize,
}

/// Completes what a hit says of itself with what the corpus knows of the chunk.
#[derive(Debug)]
pub struct Lookup<'a> {
    corpus: Option<&'a Corpus>,
    doc_pattern: Option<Regex>,
}

impl<'a> Lookup<'a> {
    /// A lookup in a corpus, with the pattern that finds a document in a hit's id.
    pub fn new(corpus: Option<&'a Corpus>, doc_pattern: Option<&str>) -> Result<Self> {
        let doc_pattern = doc_pattern.map(one_group).transpose()?;
        Ok(Self { corpus, doc_pattern })
    }

    /// The document of a hit: the one it names, else the corpus's, else the pattern's, else the hit itself.
    pub fn document<'h>(&'h self, hit: &'h Hit) -> &'h str {
        hit.doc().map_or_else(|| self.document_of(&hit.id), Id::as_str)
    }

    /// The document of the chunk with this id.
    pub fn document_of<'h>(&'h self, id: &'h str) -> &'h str {
        if let Some(chunk) = self.corpus.and_then(|corpus| corpus.get(id)) {
            return chunk.document();
        }
        self.doc_pattern
            .as_ref()
            .and_then(|pattern| pattern.captures(id))
            .and_then(|groups| groups.get(1))
            .map_or(id, |group| group.as_str())
    }

    /// Whether the corpus has a chunk or a document with this id.
    pub fn is_known(&self, id: &str) -> bool {
        self.corpus.is_some_and(|corpus| corpus.get(id).is_some() || corpus.has_document(id))
    }

    /// The text of a hit, when the hit or the corpus has it.
    pub fn text<'h>(&'h self, hit: &'h Hit) -> Option<&'h str> {
        hit.text().or_else(|| self.corpus?.get(&hit.id).map(|chunk| chunk.text.as_str()))
    }

    /// The range of a hit in its document, when the hit or the corpus has it. A document that was never cut is its
    /// own range.
    pub fn range(&self, hit: &Hit) -> Option<Span> {
        if let Some(range) = hit.range() {
            return Some(range);
        }
        let corpus = self.corpus?;
        let chunk = corpus.get(&hit.id)?;
        match (chunk.start, chunk.end) {
            (Some(start), Some(end)) => Some(Span { start, end }),
            _ if corpus.is_whole(chunk) => Some(Span { start: 0, end: chunk.text.chars().count() }),
            _ => None,
        }
    }
}

/// A pattern whose first group is the document.
fn one_group(pattern: &str) -> Result<Regex> {
    let place = || Place::default().field("retriever.doc_pattern");
    let regex = Regex::new(pattern).map_err(|error| Problem::new(place(), error.to_string()))?;
    if regex.captures_len() < 2 {
        return Err(Problem::new(place(), format!("the pattern `{pattern}` has no group"))
            .hint("put the part that is the document in parentheses, as in `^(.+)#\\d+$`")
            .into());
    }
    Ok(regex)
}
