//! What the lists show without any label: emptiness, repeats, ties, and a cap on their length.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{CaseScore, Policy};
use crate::golden::Level;

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
    pub(super) fn look(cases: &[CaseScore], depth: usize, policy: &Policy, cutoff: usize) -> Self {
        let mut lists = Self::default();
        for case in cases {
            lists.repeats += case.repeats;
            *match (&case.error, case.missing, case.places.is_empty()) {
                (Some(_), ..) => &mut lists.errors,
                (None, true, _) => &mut lists.missing,
                (None, false, true) => &mut lists.empty,
                (None, false, false) => &mut lists.answered,
            } += 1;
        }
        lists.tied = cases.iter().filter(|case| is_tied(case, cutoff)).count();
        lists.never_longer_than = cap(cases, depth, policy);
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
fn cap(cases: &[CaseScore], depth: usize, policy: &Policy) -> Option<usize> {
    if policy.exhaustive {
        return None;
    }
    // Repeats fill a capped list too; at document level every further chunk of a document is one.
    let mut lengths = cases
        .iter()
        .map(|case| match policy.level {
            Level::Chunk => case.places.len() + case.repeats,
            Level::Document => case.places.len(),
        })
        .filter(|length| *length > 0);
    let first = lengths.next()?;
    let mut others = lengths.peekable();
    others.peek()?;
    (first < depth && others.all(|length| length == first)).then_some(first)
}
