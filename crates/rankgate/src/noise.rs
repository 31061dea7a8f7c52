//! The noise floor: how much the retriever moves when nothing has changed.
//!
//! Approximate indexes, several replicas and models behind an interface answer the same question in several ways. What
//! moves by itself cannot be a regression, so the same questions are asked again and every asking is held against the
//! first. Nothing here touches the verdict: that is of the first asking alone.

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeSet;

use rankgate_metrics::Mean;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::evaluate::RankedHit;

/// What is asked again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repeat {
    /// Every question, until it was asked so many times in all.
    All(u32),
    /// The questions that fell, so many times more.
    Fallen(u32),
}

/// Which questions were asked again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Again {
    /// All of the run.
    All,
    /// Those that lost their evidence since the baseline; without a baseline those that missed.
    Fallen,
}

/// How much the retriever moved by itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Noise {
    /// Which questions were asked again.
    pub again: Again,
    /// How often each of them was asked, the first time included.
    pub askings: u32,
    /// How many questions were asked again.
    pub questions: usize,
    /// Evidence is a hit within this rank.
    pub cutoff: u32,
    /// Questions whose hit comes and goes.
    pub flipped: usize,
    /// Questions whose best evidence changed its rank.
    pub rank_changes: usize,
    /// Questions whose list was not always the same.
    pub order_changes: usize,
    /// Of these the ones where only hits of equal scores changed places.
    pub tie_orders: usize,
    /// Askings that the retriever failed at, the first ones included. They count as no answer, not as a miss.
    pub errors: usize,
    /// Of the fallen questions those that fell in every asking.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fell_every_time: Option<usize>,
    /// Between which values each mean lay, over the questions that were answered every time; of all questions only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub measures: Vec<Spread>,
    /// The questions whose evidence moved, or that failed at times: flipped hits first, then the longest ways.
    pub unstable: Vec<Unstable>,
}

/// One measure over all rounds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Spread {
    /// Its canonical name.
    pub measure: String,
    /// The mean of the lowest round.
    pub low: f64,
    /// The mean of the highest round.
    pub high: f64,
}

/// A question that did not always get the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Unstable {
    /// Its id.
    pub id: String,
    /// The best rank of its evidence, asking by asking; none where it was not in the list, or there was no answer.
    pub ranks: Vec<Option<u32>>,
    /// Whether its hit comes and goes.
    pub flipped: bool,
    /// In how many askings the retriever failed.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub errors: usize,
    /// Of a fallen question: in how many askings it fell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fell: Option<usize>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_zero(n: &usize) -> bool {
    *n == 0
}

/// One answer to one question.
#[derive(Debug)]
pub struct Asking<'a> {
    /// The list; `None` when the retriever failed.
    pub list: Option<Cow<'a, [RankedHit]>>,
    /// The best rank of its evidence.
    pub rank: Option<u32>,
    /// Whether the question fell by this answer.
    pub fell: bool,
    /// Its values, one a measure; empty for a question that is in no mean.
    pub values: Vec<Option<f64>>,
}

/// What all askings of one question have shown so far.
#[derive(Debug)]
pub struct Watched<'a> {
    id: &'a str,
    /// The list of the first answer.
    first: Option<Cow<'a, [RankedHit]>>,
    /// For each asking the best rank, and whether there was an answer.
    ranks: Vec<(Option<u32>, bool)>,
    fell: usize,
    order_changed: bool,
    beyond_ties: bool,
    /// For each answer the values.
    values: Vec<Vec<Option<f64>>>,
}

impl<'a> Watched<'a> {
    /// A question that was not asked yet.
    pub fn new(id: &'a str) -> Self {
        Self {
            id,
            first: None,
            ranks: Vec::new(),
            fell: 0,
            order_changed: false,
            beyond_ties: false,
            values: Vec::new(),
        }
    }

    /// Adds the next asking; lists are no longer than `depth`.
    pub fn add(&mut self, asking: Asking<'a>, depth: usize) {
        self.ranks.push((asking.rank, asking.list.is_some()));
        let Some(list) = asking.list else { return };
        self.fell += usize::from(asking.fell);
        self.values.push(asking.values);
        match &self.first {
            None => self.first = Some(list),
            Some(first) if has_same_ids(first, &list) => {}
            Some(first) => {
                self.order_changed = true;
                self.beyond_ties |= !differs_in_ties_only(first, &list, depth);
            }
        }
    }

    /// The best rank in each answer.
    fn answers(&self) -> impl Iterator<Item = Option<u32>> {
        self.ranks.iter().filter(|(_, is_answer)| *is_answer).map(|(rank, _)| *rank)
    }

    fn errors(&self) -> usize {
        self.ranks.iter().filter(|(_, is_answer)| !is_answer).count()
    }

    fn rank_changed(&self) -> bool {
        let first = self.answers().next();
        self.answers().any(|rank| Some(rank) != first)
    }

    fn flipped(&self, cutoff: u32) -> bool {
        let is_hit = |rank: Option<u32>| rank.is_some_and(|rank| rank <= cutoff);
        self.answers().any(is_hit) && !self.answers().all(is_hit)
    }

    /// How far its evidence went; out of the list is the place behind its end.
    fn way(&self, depth: u32) -> u32 {
        let ranks = || self.answers().map(|rank| rank.unwrap_or(depth.saturating_add(1)));
        ranks().max().unwrap_or(0).saturating_sub(ranks().min().unwrap_or(0))
    }

    /// The value of a measure in each asking; none unless every one was answered.
    fn values_of(&self, measure: usize) -> Option<Vec<f64>> {
        if self.errors() > 0 {
            return None;
        }
        self.values.iter().map(|values| values.get(measure).copied().flatten()).collect()
    }
}

/// Where everything was watched from.
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    /// Which questions were asked again.
    pub again: Again,
    /// How often each was asked.
    pub askings: u32,
    /// Evidence is a hit within this rank.
    pub cutoff: u32,
    /// Lists are no longer than this.
    pub depth: usize,
    /// The measures that values were given for, in their order.
    pub measures: &'a [String],
}

impl Noise {
    /// Sums up.
    pub fn of(questions: &[Watched<'_>], view: View<'_>) -> Self {
        let View { again, askings, cutoff, depth, measures } = view;
        let depth = u32::try_from(depth).unwrap_or(u32::MAX);
        let is_fallen = again == Again::Fallen;
        let count =
            |test: &dyn Fn(&Watched<'_>) -> bool| questions.iter().filter(|watched| test(watched)).count();
        let every_time = |watched: &Watched<'_>| watched.fell == watched.ranks.len();
        let mut unstable: Vec<&Watched<'_>> = questions
            .iter()
            .filter(|watched| {
                watched.rank_changed() || watched.errors() > 0 || is_fallen && !every_time(watched)
            })
            .collect();
        unstable.sort_by_key(|watched| {
            (Reverse(watched.flipped(cutoff)), Reverse(watched.way(depth)), watched.id)
        });
        Self {
            again,
            askings,
            questions: questions.len(),
            cutoff,
            flipped: count(&|watched| watched.flipped(cutoff)),
            rank_changes: count(&|watched| watched.rank_changed()),
            order_changes: count(&|watched| watched.order_changed),
            tie_orders: count(&|watched| watched.order_changed && !watched.beyond_ties),
            errors: questions.iter().map(Watched::errors).sum(),
            fell_every_time: is_fallen.then(|| count(&every_time)),
            measures: measures
                .iter()
                .enumerate()
                .filter(|_| !is_fallen)
                .filter_map(|(index, measure)| spread(questions, index, measure))
                .collect(),
            unstable: unstable
                .into_iter()
                .map(|watched| Unstable {
                    id: watched.id.to_owned(),
                    ranks: watched.ranks.iter().map(|(rank, _)| *rank).collect(),
                    flipped: watched.flipped(cutoff),
                    errors: watched.errors(),
                    fell: is_fallen.then_some(watched.fell),
                })
                .collect(),
        }
    }
}

/// The least and the greatest mean over the rounds. A question that failed once would make two rounds means over two
/// sets, so it is left out of all of them.
fn spread(questions: &[Watched<'_>], index: usize, measure: &str) -> Option<Spread> {
    let values: Vec<Vec<f64>> = questions.iter().filter_map(|watched| watched.values_of(index)).collect();
    let rounds = values.first().map_or(0, Vec::len);
    let means =
        (0..rounds).filter_map(|round| Mean::of(values.iter().map(|values| values.get(round).copied())).mean);
    let (low, high) = means.fold(None, |ends: Option<(f64, f64)>, mean| {
        Some(ends.map_or((mean, mean), |(low, high)| (low.min(mean), high.max(mean))))
    })?;
    Some(Spread { measure: measure.to_owned(), low, high })
}

fn has_same_ids(a: &[RankedHit], b: &[RankedHit]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.id == b.id)
}

/// Whether each run of equal scores holds the same hits in both lists. Of the last one in a full list only a part may
/// be seen, and another part each time.
fn differs_in_ties_only(a: &[RankedHit], b: &[RankedHit], depth: usize) -> bool {
    let mut rest = b;
    let mut end = 0;
    let is_tie = |a: &RankedHit, b: &RankedHit| a.score.is_some() && a.score == b.score;
    let groups_agree = a.chunk_by(is_tie).all(|group| {
        let Some((other, behind)) = rest.split_at_checked(group.len()) else { return false };
        rest = behind;
        end += group.len();
        let ids = |hits: &[RankedHit]| hits.iter().map(|hit| hit.id.clone()).collect::<BTreeSet<_>>();
        let scores_agree = || group.iter().zip(other).all(|(a, b)| is_tie(a, b));
        let is_cut = end == a.len() && end >= depth;
        has_same_ids(group, other) || scores_agree() && (is_cut || ids(group) == ids(other))
    });
    groups_agree && rest.is_empty()
}
