//! Hits that nobody judged: they count as wrong, and may be what a drop is made of.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use rankgate_metrics::{Measure, NeedOutcome, Outcome};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::meet::Met;
use super::report::letter;
use super::side::{Answer, Side};
use super::{Pair, SAME};
use crate::{Place, Problem, Result};

/// How many hits of the top nobody judged, and what becomes of the first measure if they were relevant.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Unjudged {
    /// The top is the first so many ranks.
    pub cutoff: u32,
    /// Before.
    pub before: SideJudged,
    /// Now.
    pub now: SideJudged,
    /// Unjudged documents in either top, each counted once a question.
    pub documents: usize,
    /// The first measure if all of them were relevant, with grade 1; absent where there is none of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub if_relevant: Option<IfRelevant>,
}

/// The hits in the top of all lists of one side.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SideJudged {
    /// All hits.
    pub hits: usize,
    /// Those that carry no label.
    pub unjudged: usize,
}

/// The first measure if what nobody judged were relevant.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct IfRelevant {
    /// The measure.
    pub measure: String,
    /// Its mean before.
    pub before: f64,
    /// Its mean now.
    pub now: f64,
    /// Now minus before.
    pub change: f64,
    /// What becomes of the drop; absent where the measure did not drop.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drop: Option<Effect>,
}

/// What becomes of a drop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// At least nine tenths of it are left.
    Stays,
    /// Less is left.
    Shrinks,
    /// Nothing is left.
    Vanishes,
}

/// Of a drop that stays so much is left.
const STAYS: f64 = 0.9;

impl Unjudged {
    /// Looks at the tops of both lists of every question, each with its pair.
    pub(super) fn look(
        both: &[(&Answer, &Answer)],
        pairs: &[Pair<'_>],
        lead: Option<&Measure>,
        cutoff: u32,
    ) -> Self {
        let mut found = Self {
            cutoff,
            before: SideJudged::default(),
            now: SideJudged::default(),
            documents: 0,
            if_relevant: None,
        };
        let mut judged: Vec<Option<(f64, f64)>> = Vec::with_capacity(pairs.len());
        for ((before, now), pair) in both.iter().zip(pairs) {
            let mut pool = BTreeMap::new();
            found.before.look(before, cutoff, &mut pool);
            found.now.look(now, cutoff, &mut pool);
            found.documents += pool.len();
            let Some(lead) = lead else { continue };
            judged.push(if pool.is_empty() || !pair.now.is_answerable() {
                pair.values(lead)
            } else {
                rank(&mut pool, before, now);
                let before = with(pair.before, pool.values().map(|(before, _)| *before));
                let now = with(pair.now, pool.values().map(|(_, now)| *now));
                lead.value(&before).zip(lead.value(&now))
            });
        }
        if let Some(lead) = lead.filter(|_| found.documents > 0) {
            let was: Vec<(f64, f64)> = pairs.iter().filter_map(|pair| pair.values(lead)).collect();
            let is: Vec<(f64, f64)> = judged.into_iter().flatten().collect();
            found.if_relevant = IfRelevant::of(lead, &was, &is);
        }
        found
    }
}

impl IfRelevant {
    fn of(lead: &Measure, was: &[(f64, f64)], is: &[(f64, f64)]) -> Option<Self> {
        let means = |values: &[(f64, f64)]| {
            let n = values.len() as f64;
            let sum = |side: fn(&(f64, f64)) -> f64| values.iter().map(side).sum::<f64>() / n;
            (!values.is_empty()).then(|| (sum(|value| value.0), sum(|value| value.1)))
        };
        let ((was_before, was_now), (before, now)) = means(was).zip(means(is))?;
        let (drop, left) = (lead.loss(was_before, was_now), lead.loss(before, now));
        let effect = match (drop, left) {
            (drop, _) if drop <= SAME => None,
            (_, left) if left <= SAME => Some(Effect::Vanishes),
            (drop, left) if left < drop * STAYS => Some(Effect::Shrinks),
            _ => Some(Effect::Stays),
        };
        Some(Self { measure: lead.to_string(), before, now, change: now - before, drop: effect })
    }
}

/// Where the unjudged documents of a question stand, in one list and in the other.
type Pool<'a> = BTreeMap<&'a str, (Option<u32>, Option<u32>)>;

/// The hits of the top that carry no label.
fn unjudged_top(answer: &Answer, cutoff: u32) -> impl Iterator<Item = &str> {
    let labelled = answer.outcome.as_ref().map_or(&[][..], Outcome::labelled);
    let top = (1..=cutoff).zip(&answer.hits);
    top.filter(|(rank, _)| labelled.binary_search(rank).is_err()).map(|(_, id)| id.as_str())
}

impl SideJudged {
    fn look<'a>(&mut self, answer: &'a Answer, cutoff: u32, pool: &mut Pool<'a>) {
        self.hits += answer.hits.len().min(cutoff as usize);
        for id in unjudged_top(answer, cutoff) {
            self.unjudged += 1;
            pool.insert(id, (None, None));
        }
    }
}

/// Looks every pooled document up in both whole lists.
fn rank(pool: &mut Pool<'_>, before: &Answer, now: &Answer) {
    for (rank, id) in (1..).zip(&before.hits) {
        if let Some((place, _)) = pool.get_mut(id.as_str()) {
            *place = Some(rank);
        }
    }
    for (rank, id) in (1..).zip(&now.hits) {
        if let Some((_, place)) = pool.get_mut(id.as_str()) {
            *place = Some(rank);
        }
    }
}

/// The outcome with further needs of grade 1.
fn with(outcome: &Outcome, ranks: impl Iterator<Item = Option<u32>> + Clone) -> Outcome {
    let mut needs = outcome.needs().to_vec();
    needs.extend(ranks.clone().map(|rank| NeedOutcome { grade: 1, rank }));
    let mut labelled = outcome.labelled().to_vec();
    labelled.extend(ranks.flatten());
    let new = Outcome::new(needs, outcome.returned(), labelled);
    if outcome.has_forbidden() { new.with_forbidden(outcome.first_forbidden()) } else { new }
}

/// The unjudged documents in the top of any input, question by question, with their rank in each: a table for whoever
/// labels them. The questions are those that the first input and another can be compared by.
pub fn unjudged_table(sides: &[Side], cutoff: u32) -> Result<String> {
    if let Some(side) = sides.iter().find(|side| side.hashed) {
        return Err(Problem::new(Place::file(&side.path), "its ids are hashed: nobody can label them").into());
    }
    let mut wanted: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    if let Some((reference, others)) = sides.split_first() {
        for other in others {
            for (before, now) in Met::of(reference, other, true)?.both {
                let both = unjudged_top(before, cutoff).chain(unjudged_top(now, cutoff));
                wanted.entry(&now.id).or_default().extend(both);
            }
        }
    }
    let mut out = String::from("query-id\tcorpus-id");
    // Writing to a string cannot fail.
    for index in 0..sides.len() {
        let _ = write!(out, "\trank_{}", letter(index).to_lowercase());
    }
    out.push('\n');
    for (question, documents) in wanted {
        let mut ranks: BTreeMap<&str, Vec<Option<u32>>> =
            documents.into_iter().map(|id| (id, vec![None; sides.len()])).collect();
        for (index, side) in sides.iter().enumerate() {
            let at = side.answers.binary_search_by(|answer| answer.id.as_str().cmp(question));
            let answer = at.ok().and_then(|at| side.answers.get(at));
            for (rank, id) in (1..).zip(answer.iter().flat_map(|answer| &answer.hits)) {
                if let Some(place) = ranks.get_mut(id.as_str()).and_then(|ranks| ranks.get_mut(index)) {
                    *place = Some(rank);
                }
            }
        }
        for (document, ranks) in ranks {
            if let Some(id) = [question, document].into_iter().find(|id| id.contains(['\t', '\n', '\r'])) {
                let what = "an id with a tab or a line end cannot stand in a table of tab-separated values";
                return Err(Problem::new(Place::default().of(id), what).into());
            }
            let _ = write!(out, "{question}\t{document}");
            for rank in ranks {
                let _ = write!(out, "\t{}", rank.map(|rank| rank.to_string()).unwrap_or_default());
            }
            out.push('\n');
        }
    }
    Ok(out)
}
