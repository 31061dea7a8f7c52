//! What the lists show without any label: emptiness, repeats, ties, and a cap on their length.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{CaseScore, Policy};
use crate::golden::Level;
use crate::ranking::{Answer, Rankings};

/// Counts over the lists of one run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Lists {
    /// Questions with at least one hit.
    pub answered: usize,
    /// Questions whose list is empty.
    pub empty: usize,
    /// Questions that the run has no line for.
    pub missing: usize,
    /// Questions at which the retriever failed.
    pub errors: usize,
    /// Hits that repeated an id of the same list; each counted once, at its first place.
    pub repeats: usize,
    /// Questions with equal scores next to each other within the largest cut-off.
    pub tied: usize,
    /// Set when no list is longer than this although more was asked for: measures beyond it say nothing new.
    pub never_longer_than: Option<usize>,
}

impl Lists {
    pub(super) fn look(rankings: &Rankings, cases: &[CaseScore], policy: &Policy, cutoff: usize) -> Self {
        let mut lists = Self::default();
        for ranking in &rankings.rankings {
            lists.repeats += ranking.repeats;
            match &ranking.answer {
                Answer::Failed(_) => lists.errors += 1,
                Answer::Missing => lists.missing += 1,
                Answer::Hits(hits) if hits.is_empty() => lists.empty += 1,
                Answer::Hits(_) => lists.answered += 1,
            }
        }
        lists.tied = cases.iter().filter(|case| is_tied(case, cutoff)).count();
        lists.never_longer_than = cap(rankings, cases, policy);
        lists
    }
}

fn is_tied(case: &CaseScore, cutoff: usize) -> bool {
    // A tie between the last place inside and the first outside decides who is in, so it counts.
    case.places
        .windows(2)
        .take(cutoff)
        .any(|pair| matches!(pair, [first, second] if first.score.is_some() && first.score == second.score))
}

/// The one length that all lists have, when that is shorter than was asked for. A retriever that returns whatever
/// matches has no cap, and one list alone shows nothing.
fn cap(rankings: &Rankings, cases: &[CaseScore], policy: &Policy) -> Option<usize> {
    if policy.exhaustive {
        return None;
    }
    // Repeats fill a capped list too; at document level every further chunk of a document is one.
    let mut lengths = cases
        .iter()
        .zip(&rankings.rankings)
        .map(|(case, ranking)| match policy.level {
            Level::Chunk => case.places.len() + ranking.repeats,
            Level::Document => case.places.len(),
        })
        .filter(|length| *length > 0);
    let first = lengths.next()?;
    let mut others = lengths.peekable();
    others.peek()?;
    (first < rankings.depth && others.all(|length| length == first)).then_some(first)
}
