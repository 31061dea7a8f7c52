//! Rankings and labels in, scores out: need credit, and what there is to say about the lists themselves.
//!
//! `join` finds the rank of each need, `overlap` notices when labels and hits do not speak of the same ids,
//! `lists` looks at the lists without the labels.

mod join;
mod lists;
mod overlap;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use rankgate_metrics::{Measure, Outcome};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use lists::Lists;
pub use overlap::Mismatch;
pub(crate) use overlap::is_known_mapping;

use crate::Id;
use crate::golden::{Case, GoldenSet, Level};
use crate::ranking::{Answer, Lookup, Ranking, Rankings};

/// What decides how a ranking is scored, beside the labels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Policy {
    /// Whether hits are chunks or documents.
    pub level: Level,
    /// The share of a span that a hit must hold to meet it.
    pub coverage: f64,
    /// A hit below this score is no answer.
    pub min_score: Option<f64>,
    /// Whether a list shorter than the depth means that nothing else matched.
    pub exhaustive: bool,
}

/// By what means a hit met an anchor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Means {
    /// The chunk's id.
    Id,
    /// The ranges overlap far enough.
    Span,
    /// The text holds the quote.
    Quote,
    /// The document's id.
    Document,
}

/// What the labels say of a hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Label {
    /// It meets a need.
    Relevant,
    /// It was judged not relevant.
    NotRelevant,
    /// It must not be retrieved.
    Forbidden,
    /// No label speaks of it.
    Unjudged,
}

/// One place of a scored list: a chunk, or at document level a document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RankedHit {
    /// The id that was scored.
    pub id: Id,
    /// Its document, where that is another id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doc: Option<Id>,
    /// Where it stands in that document, in Unicode scalars, end exclusive; if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub span: Option<(u32, u32)>,
    /// The retriever's score (of its first chunk), if it is a finite number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// What the labels say of it.
    pub label: Label,
}

/// What became of one need.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NeedScore {
    /// Its grade.
    pub grade: u32,
    /// The first rank that met it.
    pub rank: Option<u32>,
    /// By what means.
    pub means: Option<Means>,
}

/// One case with its score.
#[derive(Debug, Clone)]
pub struct CaseScore {
    /// The index of the case in its golden set.
    pub case: usize,
    /// What the measures are computed from; `None` when the retriever failed.
    pub outcome: Option<Outcome>,
    /// One a need, in the order of the labels.
    pub needs: Vec<NeedScore>,
    /// The first rank of a forbidden hit.
    pub forbidden_rank: Option<u32>,
    /// The list as scored.
    pub places: Vec<RankedHit>,
    /// Why there is no list.
    pub error: Option<String>,
    /// The run has no line for this case.
    pub missing: bool,
}

impl CaseScore {
    /// The value of a measure, when the case was scored and the measure applies to it.
    pub fn value(&self, measure: &Measure) -> Option<f64> {
        measure.value(self.outcome.as_ref()?)
    }

    /// The best rank of any need.
    pub fn best_rank(&self) -> Option<u32> {
        self.needs.iter().filter_map(|need| need.rank).min()
    }

    /// Whether some need stands within the first `cutoff` ranks.
    pub fn hits_within(&self, cutoff: u32) -> bool {
        self.best_rank().is_some_and(|rank| rank <= cutoff)
    }
}

/// How many needs were met by which means.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LabelCounts {
    /// Needs met, by means.
    pub met: BTreeMap<Means, usize>,
    /// Needs that no returned hit met.
    pub not_retrieved: usize,
    /// Labels whose evidence the corpus lacks.
    pub unknown: usize,
}

/// All cases that were asked, scored.
#[derive(Debug, Clone)]
pub struct Scores {
    /// In the order of the golden set.
    pub cases: Vec<CaseScore>,
    /// How the labels were matched.
    pub labels: LabelCounts,
    /// What the lists themselves show.
    pub lists: Lists,
    /// Set when no returned id or document is ever an expected one.
    pub mismatch: Option<Mismatch>,
}

impl Scores {
    /// Every case that was asked, with its labels.
    pub fn asked<'a>(&'a self, golden: &'a GoldenSet) -> impl Iterator<Item = (&'a Case, &'a CaseScore)> {
        self.cases.iter().filter_map(|score| golden.cases.get(score.case).map(|case| (case, score)))
    }

    /// The cases that rules and means are about: scored, and not in quarantine.
    pub fn judged<'a>(&'a self, golden: &'a GoldenSet) -> impl Iterator<Item = (&'a Case, &'a CaseScore)> {
        self.asked(golden).filter(|(case, score)| score.error.is_none() && case.quarantine.is_none())
    }
}

/// Scores one ranking against its case, whichever case it was the answer to.
pub(crate) fn score_case(
    case: &Case,
    ranking: &Ranking,
    lookup: &Lookup<'_>,
    policy: &Policy,
    depth: usize,
) -> CaseScore {
    join::score(ranking.case, case, ranking.hits(), lookup, policy, depth)
}

/// Scores every ranking against its case. `cutoff` is the largest that anything is measured at: ties and short
/// lists are looked for up to there.
pub fn evaluate(
    golden: &GoldenSet,
    rankings: &Rankings,
    lookup: &Lookup<'_>,
    policy: &Policy,
    cutoff: usize,
) -> Scores {
    let cases: Vec<CaseScore> = rankings
        .rankings
        .iter()
        .filter_map(|ranking| golden.cases.get(ranking.case).map(|case| (ranking, case)))
        .map(|(ranking, case)| match &ranking.answer {
            Answer::Failed(message) => CaseScore {
                case: ranking.case,
                outcome: None,
                needs: case
                    .needs
                    .iter()
                    .map(|need| NeedScore { grade: need.grade, rank: None, means: None })
                    .collect(),
                forbidden_rank: None,
                places: Vec::new(),
                error: Some(message.clone()),
                missing: false,
            },
            Answer::Hits(_) | Answer::Missing => CaseScore {
                missing: ranking.answer == Answer::Missing,
                ..score_case(case, ranking, lookup, policy, rankings.depth)
            },
        })
        .collect();
    let mut labels = LabelCounts::default();
    for need in cases.iter().filter(|case| case.error.is_none()).flat_map(|case| &case.needs) {
        match need.means {
            Some(means) => *labels.met.entry(means).or_default() += 1,
            None => labels.not_retrieved += 1,
        }
    }
    let lists = Lists::look(rankings, &cases, policy, cutoff);
    let mismatch = overlap::find(golden, rankings, &labels, lookup);
    Scores { cases, labels, lists, mismatch }
}
