//! Asks the retriever: the golden set goes in, rankings come out.

use std::time::Instant;

use crate::corpus::Corpus;
use crate::golden::{GoldenSet, Level};
use crate::ranking::{Answer, Ranking, Rankings};
use crate::retriever::{Question, RetrieveError, Retriever};

/// The most that is asked for unless a cut-off, a promise or the user wants more.
const USUAL_DEPTH: usize = 100;
/// The least that is asked for.
const LEAST_DEPTH: usize = 10;
/// On a small corpus a hundred hits would be most of it, so the depth is at most this part of it.
const CORPUS_SHARE: usize = 20;

/// How many hits to ask for: enough for every cut-off and promise, and enough below them to see how far lost
/// evidence has fallen.
pub fn depth(
    set: Option<usize>,
    largest_cutoff: usize,
    golden: &GoldenSet,
    corpus: Option<&Corpus>,
) -> usize {
    let promised = golden.cases.iter().filter_map(|case| case.must_rank_within).max().unwrap_or(0) as usize;
    let usual = set.unwrap_or_else(|| {
        corpus.map_or(USUAL_DEPTH, |corpus| (corpus.len() / CORPUS_SHARE).clamp(LEAST_DEPTH, USUAL_DEPTH))
    });
    usual.max(largest_cutoff).max(promised)
}

/// How many hits to ask for so that `depth` places can be filled. A document may fill the top with all of its chunks, and
/// they collapse into one place before any cut-off.
pub fn hits_for(depth: usize, level: Level, corpus: Option<&Corpus>) -> usize {
    match (level, corpus) {
        (Level::Chunk, _) => depth,
        (Level::Document, Some(corpus)) => {
            depth.saturating_mul(corpus.largest_document()).min(corpus.len()).max(depth)
        }
        (Level::Document, None) => usize::MAX,
    }
}

/// Asks each of the cases (indices into the set), in order, for so many `hits`; `depth` places of them are scored.
pub fn ask(
    golden: &GoldenSet,
    cases: &[usize],
    retriever: &dyn Retriever,
    depth: usize,
    hits: usize,
) -> Rankings {
    let rankings = cases
        .iter()
        .filter_map(|index| golden.cases.get(*index).map(|case| (*index, case)))
        .map(|(index, case)| {
            let question = Question { id: &case.id, query: &case.query, params: &case.params, depth: hits };
            let start = Instant::now();
            let answer = retriever.retrieve(&question);
            let latency_ms = Some(start.elapsed().as_secs_f64() * 1000.0);
            let unanswered = |answer| Ranking { case: index, answer, repeats: 0, latency_ms };
            match answer {
                Ok(found) => Ranking { latency_ms, ..Ranking::from_hits(index, found, hits) },
                Err(RetrieveError::Missing) => unanswered(Answer::Missing),
                Err(RetrieveError::Failed(message)) => unanswered(Answer::Failed(message)),
            }
        })
        .collect();
    Rankings { rankings, depth }
}
