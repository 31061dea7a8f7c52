//! Where evidence went, question by question.

use std::collections::BTreeMap;

use rankgate_metrics::{Direction, Measure, Outcome};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Pair, SAME};

/// What became of the evidence of a question; of its best rank, where there are several needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Movement {
    /// It stood in the list, and stands nowhere now.
    Gone,
    /// It left the top, and stands further down.
    Lost,
    /// It stands lower than before, on the same side of the cut-off.
    Fell,
    /// It stands where it stood.
    Same,
    /// It stands higher than before, on the same side of the cut-off.
    Rose,
    /// It came into the top, or into the list.
    Found,
}

impl Movement {
    /// The movement in a word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Gone => "gone",
            Self::Lost => "lost",
            Self::Fell => "fell",
            Self::Same => "same",
            Self::Rose => "rose",
            Self::Found => "found",
        }
    }

    /// From the best rank before and now.
    pub(crate) fn of(before: Option<u32>, now: Option<u32>, cutoff: u32) -> Self {
        match (before, now) {
            (Some(_), None) => Self::Gone,
            (None, Some(_)) => Self::Found,
            (Some(before), Some(now)) if before <= cutoff && now > cutoff => Self::Lost,
            (Some(before), Some(now)) if before > cutoff && now <= cutoff => Self::Found,
            (Some(before), Some(now)) if now > before => Self::Fell,
            (Some(before), Some(now)) if now < before => Self::Rose,
            _ => Self::Same,
        }
    }
}

/// How many questions moved in which way.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[allow(missing_docs, reason = "the names are those of `Movement`")]
pub struct MovementCounts {
    pub gone: usize,
    pub lost: usize,
    pub fell: usize,
    pub same: usize,
    pub rose: usize,
    pub found: usize,
    /// Of those gone and lost the ones that stood in the top.
    pub lost_from_top: usize,
}

/// A question whose evidence moved, or whose first measure changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Moved {
    /// Its id.
    pub id: String,
    /// Its category.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// It carries the promise `critical`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub critical: bool,
    /// What became of its evidence.
    pub movement: Movement,
    /// The best rank of its evidence before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<u32>,
    /// The best rank now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub now: Option<u32>,
    /// Needs that were met within the depth and are not any more, less those that are now.
    pub needs_lost: i64,
    /// How much of the measure that losses are sorted by it lost; negative where it won.
    pub loss: f64,
    /// What stands in the first place now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<String>,
}

/// One category on both sides.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SliceChange {
    /// The field; `category`.
    pub field: String,
    /// Its value.
    pub value: String,
    /// Questions with two answers.
    pub n: usize,
    /// The mean of the measure that losses are sorted by, before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<f64>,
    /// The mean now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub now: Option<f64>,
    /// Questions whose evidence left the top or the list.
    pub lost: usize,
    /// Questions whose evidence came into the top or the list.
    pub found: usize,
}

/// By what movement is judged.
#[derive(Debug, Clone, Copy)]
pub struct Want<'a> {
    /// The measure that losses are sorted by.
    pub lead: Option<&'a Measure>,
    /// Evidence is lost when it leaves the first so many ranks.
    pub cutoff: u32,
    /// Both lists are looked at to this rank.
    pub depth: u32,
}

impl Want<'_> {
    /// The best rank of any need, down to the depth.
    fn best(&self, outcome: &Outcome) -> Option<u32> {
        outcome.needs().iter().filter_map(|need| need.rank).filter(|rank| *rank <= self.depth).min()
    }

    fn movement(&self, pair: &Pair<'_>) -> Movement {
        Movement::of(self.best(pair.before), self.best(pair.now), self.cutoff)
    }

    /// How much of the lead measure a question lost.
    fn loss(&self, pair: &Pair<'_>) -> f64 {
        let Some(measure) = self.lead else { return 0.0 };
        pair.values(measure).map_or(0.0, |(before, now)| match measure.definition().direction {
            Direction::HigherIsBetter => before - now,
            Direction::LowerIsBetter => now - before,
        })
    }

    /// How many questions moved in which way.
    pub fn counts(&self, pairs: &[Pair<'_>]) -> MovementCounts {
        let mut counts = MovementCounts::default();
        for pair in pairs {
            let movement = self.movement(pair);
            *match movement {
                Movement::Gone => &mut counts.gone,
                Movement::Lost => &mut counts.lost,
                Movement::Fell => &mut counts.fell,
                Movement::Same => &mut counts.same,
                Movement::Rose => &mut counts.rose,
                Movement::Found => &mut counts.found,
            } += 1;
            let stood_in_top = self.best(pair.before).is_some_and(|rank| rank <= self.cutoff);
            counts.lost_from_top += usize::from(movement <= Movement::Lost && stood_in_top);
        }
        counts
    }

    /// The questions that moved, the largest loss first.
    pub fn moved(&self, pairs: &[Pair<'_>]) -> Vec<Moved> {
        let mut moved: Vec<Moved> = pairs
            .iter()
            .map(|pair| (pair, self.movement(pair), self.loss(pair)))
            .filter(|(_, movement, loss)| *movement != Movement::Same || loss.abs() > SAME)
            .map(|(pair, movement, loss)| Moved {
                id: pair.id.to_owned(),
                category: pair.category.map(String::from),
                critical: pair.critical,
                movement,
                before: self.best(pair.before),
                now: self.best(pair.now),
                needs_lost: needs_lost(pair, self.depth, 1),
                loss,
                first: pair.first.map(String::from),
            })
            .collect();
        moved.sort_by(|a, b| {
            let rank = |rank: Option<u32>| rank.unwrap_or(u32::MAX);
            b.loss
                .total_cmp(&a.loss)
                .then(a.movement.cmp(&b.movement))
                .then(rank(a.before).cmp(&rank(b.before)))
                .then(a.id.cmp(&b.id))
        });
        moved
    }

    /// By category, the one that lost most questions first.
    pub fn slices(&self, pairs: &[Pair<'_>]) -> Vec<SliceChange> {
        let mut by_category: BTreeMap<&str, Vec<&Pair<'_>>> = BTreeMap::new();
        for pair in pairs {
            if let Some(category) = pair.category {
                by_category.entry(category).or_default().push(pair);
            }
        }
        let mut slices: Vec<SliceChange> = by_category
            .into_iter()
            .map(|(category, pairs)| {
                let values: Vec<(f64, f64)> = self
                    .lead
                    .map(|measure| pairs.iter().filter_map(|pair| pair.values(measure)).collect())
                    .unwrap_or_default();
                let mean = |side: &dyn Fn(&(f64, f64)) -> f64| {
                    (!values.is_empty()).then(|| values.iter().map(side).sum::<f64>() / values.len() as f64)
                };
                let count = |test: &dyn Fn(Movement) -> bool| {
                    pairs.iter().filter(|pair| test(self.movement(pair))).count()
                };
                SliceChange {
                    field: "category".into(),
                    value: category.to_owned(),
                    n: pairs.len(),
                    before: mean(&|(before, _)| *before),
                    now: mean(&|(_, now)| *now),
                    lost: count(&|movement| movement <= Movement::Lost),
                    found: count(&|movement| movement == Movement::Found),
                }
            })
            .collect();
        let sign = self.lead.map_or(1.0, |measure| match measure.definition().direction {
            Direction::HigherIsBetter => 1.0,
            Direction::LowerIsBetter => -1.0,
        });
        let drop = |slice: &SliceChange| {
            slice.before.zip(slice.now).map_or(0.0, |(before, now)| (before - now) * sign)
        };
        slices.sort_by(|a, b| {
            let net = (b.lost + a.found).cmp(&(a.lost + b.found));
            net.then(drop(b).total_cmp(&drop(a))).then(a.value.cmp(&b.value))
        });
        slices
    }
}

/// Needs of at least this grade that were met within the depth and are not any more, less those that are now.
pub(crate) fn needs_lost(pair: &Pair<'_>, depth: u32, rel: u32) -> i64 {
    let met = |outcome: &Outcome| {
        let needs = outcome.needs().iter().filter(|need| need.grade >= rel);
        let met = needs.filter(|need| need.rank.is_some_and(|rank| rank <= depth)).count();
        i64::try_from(met).unwrap_or(i64::MAX)
    };
    met(pair.before) - met(pair.now)
}
