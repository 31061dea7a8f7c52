//! Rankings and labels in, scores out: need credit, and what there is to say about the lists themselves.
//!
//! `join` finds the rank of each need, `overlap` notices when labels and hits do not speak of the same ids,
//! `lists` looks at the lists without the labels, `ties` at what another order of equal scores would change.

mod join;
mod lists;
pub(crate) mod overlap;
mod ranked_hit;
#[cfg(test)]
mod tests;
mod ties;

use std::collections::BTreeMap;

use rankgate_metrics::{Measure, Outcome};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use lists::Lists;
pub use overlap::Mismatch;
pub(crate) use overlap::is_known_mapping;
pub(crate) use overlap::likely_mapping;
pub use ranked_hit::{RankedHit, Within};
pub use ties::TieOrders;

use crate::golden::{Case, GoldenSet, Level, Need};
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
    /// What it could have been, where hits of equal scores in another order would change it.
    pub ties: Option<Box<TieOrders>>,
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
    /// How many hits repeated an id that stood before them.
    pub repeats: usize,
    /// How long the retriever took, in milliseconds. Never part of a result.
    pub latency_ms: Option<f64>,
}

impl CaseScore {
    /// The score of a question at which the retriever failed: none.
    fn failed(ranking: &Ranking, case: &Case, message: &str) -> Self {
        let unmet = |need: &Need| NeedScore { grade: need.grade, rank: None, means: None };
        Self {
            case: ranking.case,
            outcome: None,
            ties: None,
            needs: case.needs.iter().map(unmet).collect(),
            forbidden_rank: None,
            places: Vec::new(),
            error: Some(message.to_owned()),
            missing: false,
            repeats: ranking.repeats,
            latency_ms: ranking.latency_ms,
        }
    }

    /// The value of a measure, when the case was scored and the measure applies to it.
    pub fn value(&self, measure: &Measure) -> Option<f64> {
        measure.value(self.outcome.as_ref()?)
    }

    /// The least and the greatest value that the measure takes over the orders of equal scores.
    pub fn over_ties(&self, measure: &Measure) -> Option<(f64, f64)> {
        let value = self.value(measure)?;
        let ends = self.ties.iter().flat_map(|ties| [&ties.best, &ties.worst]);
        let values = ends.filter_map(|outcome| measure.value(outcome));
        Some(values.fold((value, value), |(low, high), value| (low.min(value), high.max(value))))
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
    /// In the byte order of their ids, so that no sum hangs on the order of a file.
    pub cases: Vec<CaseScore>,
    /// How many places of each list were scored.
    pub depth: usize,
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

    /// The times to answer, ascending, in milliseconds.
    pub fn latencies(&self) -> Vec<f64> {
        let mut times: Vec<f64> = self.cases.iter().filter_map(|case| case.latency_ms).collect();
        times.sort_by(f64::total_cmp);
        times
    }

    /// The cases that rules and means are about: scored, and not in quarantine.
    pub fn judged<'a>(&'a self, golden: &'a GoldenSet) -> impl Iterator<Item = (&'a Case, &'a CaseScore)> {
        self.asked(golden).filter(|(case, score)| score.error.is_none() && case.quarantine.is_none())
    }
}

/// Scores one answer to a case, whichever case it was the answer to; failures included.
pub(crate) fn score_ranking(
    case: &Case,
    ranking: &Ranking,
    lookup: &Lookup<'_>,
    policy: &Policy,
    depth: usize,
) -> CaseScore {
    match &ranking.answer {
        Answer::Failed(message) => CaseScore::failed(ranking, case, message),
        Answer::Hits(_) | Answer::Missing => CaseScore {
            missing: ranking.answer == Answer::Missing,
            repeats: ranking.repeats,
            latency_ms: ranking.latency_ms,
            ..join::score(ranking.case, case, ranking.hits(), lookup, policy, depth)
        },
    }
}

/// Scores every ranking against its case. `cutoff` is the largest that anything is measured at: ties and short
/// lists are looked for up to there. The rankings are given up one by one: with the lists that are made of them they are
/// most of the memory of a run.
pub fn evaluate(
    golden: &GoldenSet,
    rankings: Rankings,
    lookup: &Lookup<'_>,
    policy: &Policy,
    cutoff: usize,
) -> Scores {
    let depth = rankings.depth;
    let mut cases = Vec::with_capacity(rankings.rankings.len());
    let mut labels = LabelCounts::default();
    // What was returned is of interest only as long as none of it was expected.
    let mut strangers = Vec::new();
    for ranking in rankings.rankings {
        let Some(case) = golden.cases.get(ranking.case) else { continue };
        let score = score_ranking(case, &ranking, lookup, policy, depth);
        if score.error.is_none() {
            for need in &score.needs {
                match need.means {
                    Some(means) => *labels.met.entry(means).or_default() += 1,
                    None => labels.not_retrieved += 1,
                }
            }
        }
        cases.push(score);
        if labels.met.is_empty() {
            strangers.push(ranking);
        } else {
            strangers.clear();
        }
    }
    let lists = Lists::look(&cases, depth, policy, cutoff);
    let mismatch = overlap::find(golden, &strangers, lookup);
    let id = |score: &CaseScore| golden.cases.get(score.case).map(|case| case.id.as_str());
    cases.sort_by(|a, b| id(a).cmp(&id(b)));
    Scores { cases, depth, labels, lists, mismatch }
}
