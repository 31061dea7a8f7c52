//! Where evidence went, question by question.

use std::collections::BTreeMap;

use rankgate_metrics::{Measure, Outcome};
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
    /// It stands lower than before, on the same side of the cut-off; or its best rank is the same and another need was
    /// lost from the list.
    Fell,
    /// It stands where it stood.
    Same,
    /// It stands higher than before, on the same side of the cut-off; or another need was found.
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
        outcome.best_rank().filter(|rank| *rank <= self.depth)
    }

    fn movement(&self, pair: &Pair<'_>) -> Movement {
        let movement = Movement::of(self.best(pair.before), self.best(pair.now), self.cutoff);
        // The best rank does not tell of the other needs.
        match (movement, needs_lost(pair, self.depth, 1)) {
            (Movement::Same, 1..) => Movement::Fell,
            (Movement::Same, ..=-1) => Movement::Rose,
            _ => movement,
        }
    }

    /// How much of the lead measure a question lost.
    fn loss(&self, pair: &Pair<'_>) -> f64 {
        let Some(measure) = self.lead else { return 0.0 };
        pair.values(measure).map_or(0.0, |(before, now)| measure.loss(before, now))
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
        let drop = |slice: &SliceChange| match (self.lead, slice.before, slice.now) {
            (Some(measure), Some(before), Some(now)) => measure.loss(before, now),
            _ => 0.0,
        };
        // Lost less found, without a sign that could wrap.
        let by_net = |a: &SliceChange, b: &SliceChange| (b.lost + a.found).cmp(&(a.lost + b.found));
        slices.sort_by(|a, b| by_net(a, b).then(drop(b).total_cmp(&drop(a))).then(a.value.cmp(&b.value)));
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rankgate_metrics::NeedOutcome;

    use super::*;

    fn outcome(ranks: &[Option<u32>]) -> Outcome {
        let needs = ranks.iter().map(|rank| NeedOutcome { grade: 1, rank: *rank }).collect();
        Outcome::new(needs, 100, ranks.iter().flatten().copied().collect())
    }

    fn pair<'a>(id: &'a str, category: Option<&'a str>, before: &'a Outcome, now: &'a Outcome) -> Pair<'a> {
        Pair { id, category, critical: false, before, now, first: None }
    }

    #[test]
    fn a_need_that_is_lost_behind_the_best_one_is_seen() {
        let (both, one) = (outcome(&[Some(1), Some(5)]), outcome(&[Some(1), None]));
        let want = Want { lead: None, cutoff: 10, depth: 100 };
        let movement = |before, now| want.movement(&pair("q", None, before, now));
        assert_eq!(movement(&both, &one), Movement::Fell);
        assert_eq!(movement(&one, &both), Movement::Rose);
        assert_eq!(movement(&one, &one), Movement::Same);
        let counts = want.counts(&[pair("q", None, &both, &one)]);
        assert_eq!((counts.fell, counts.same, counts.lost_from_top), (1, 0, 0));
    }

    #[test]
    fn the_best_rank_crosses_the_cut_off_or_does_not() {
        use Movement::{Fell, Found, Gone, Lost, Rose, Same};
        for (before, now, movement) in [
            (Some(1), None, Gone),
            (Some(50), None, Gone),
            (None, Some(1), Found),
            (None, Some(50), Found),
            (Some(5), Some(6), Lost),
            (Some(6), Some(5), Found),
            (Some(1), Some(5), Fell),
            (Some(6), Some(7), Fell),
            (Some(5), Some(1), Rose),
            (Some(7), Some(6), Rose),
            (Some(5), Some(5), Same),
            (None, None, Same),
        ] {
            assert_eq!(Movement::of(before, now, 5), movement, "{before:?} {now:?}");
        }
    }

    #[test]
    fn ranks_below_the_depth_of_either_side_are_none() {
        let (before, now) = (outcome(&[Some(30)]), outcome(&[Some(70)]));
        let want = |depth| Want { lead: None, cutoff: 10, depth };
        let pair = pair("q", None, &before, &now);
        assert_eq!(want(100).movement(&pair), Movement::Fell);
        assert_eq!(want(50).movement(&pair), Movement::Gone);
        assert_eq!(want(20).movement(&pair), Movement::Same);
        assert_eq!([100, 50, 20].map(|depth| needs_lost(&pair, depth, 1)), [0, 1, 0]);
        assert_eq!(needs_lost(&pair, 50, 2), 0, "no need has this grade");
    }

    #[test]
    fn a_need_that_is_lost_and_one_that_is_found_are_no_loss() {
        let (before, now) = (outcome(&[Some(1), None]), outcome(&[None, Some(2)]));
        assert_eq!(needs_lost(&pair("q", None, &before, &now), 100, 1), 0);
    }

    #[test]
    fn the_category_with_the_largest_net_loss_is_first() {
        let (top, gone) = (outcome(&[Some(1)]), outcome(&[None]));
        let lead = "mrr@10".parse().expect("a measure");
        let want = Want { lead: Some(&lead), cutoff: 10, depth: 100 };
        let mut pairs = Vec::new();
        // Three lost and two found of eight; two lost of four; none of one; and one without a category.
        for (category, before, now, count) in [
            ("busy", &top, &gone, 3),
            ("busy", &gone, &top, 2),
            ("busy", &top, &top, 3),
            ("worst", &top, &gone, 2),
            ("worst", &top, &top, 2),
            ("calm", &top, &top, 1),
        ] {
            pairs.extend((0..count).map(|_| pair("q", Some(category), before, now)));
        }
        pairs.push(pair("q", None, &top, &gone));
        let slices = want.slices(&pairs);
        let told: Vec<_> =
            slices.iter().map(|slice| (slice.value.as_str(), slice.n, slice.lost, slice.found)).collect();
        assert_eq!(told, [("worst", 4, 2, 0), ("busy", 8, 3, 2), ("calm", 1, 0, 0)]);
        assert_eq!((slices[0].before, slices[0].now), (Some(1.0), Some(0.5)));
    }

    proptest! {
        #[test]
        fn every_question_is_counted_once_and_listed_if_it_moved(
            ranks in prop::collection::vec((prop::option::of(1..40_u32), prop::option::of(1..40_u32)), 0..40),
            cutoff in 1..20_u32,
            depth in 20..40_u32,
        ) {
            let outcomes: Vec<(Outcome, Outcome)> =
                ranks.iter().map(|(before, now)| (outcome(&[*before]), outcome(&[*now]))).collect();
            let ids: Vec<String> = (0..ranks.len()).map(|index| format!("q{index:02}")).collect();
            let pairs: Vec<Pair<'_>> = ids
                .iter()
                .zip(&outcomes)
                .map(|(id, (before, now))| pair(id, Some("all"), before, now))
                .collect();
            let lead = "mrr@10".parse().expect("a measure");
            let want = Want { lead: Some(&lead), cutoff, depth };
            let counts = want.counts(&pairs);
            let MovementCounts { gone, lost, fell, same, rose, found, lost_from_top } = counts;
            prop_assert_eq!(gone + lost + fell + same + rose + found, pairs.len());
            prop_assert!(lost <= lost_from_top && lost_from_top <= lost + gone);

            let moved = want.moved(&pairs);
            let is_listed = |id: &str| moved.iter().filter(|moved| moved.id == id).count();
            for pair in &pairs {
                let moves = want.movement(pair) != Movement::Same || want.loss(pair).abs() > SAME;
                prop_assert_eq!(is_listed(pair.id), usize::from(moves));
            }
            prop_assert!(moved.is_sorted_by(|a, b| a.loss >= b.loss));
            // The order of the pairs is none of its business.
            let turned: Vec<Pair<'_>> = pairs.iter().rev().copied().collect();
            prop_assert_eq!(want.moved(&turned), moved);

            // Turned about, what was lost is found.
            let back: Vec<Pair<'_>> =
                pairs.iter().map(|pair| Pair { before: pair.now, now: pair.before, ..*pair }).collect();
            let turned = want.counts(&back);
            prop_assert_eq!((turned.found, turned.rose, turned.same), (gone + lost, fell, same));
            let needs = |pairs: &[Pair<'_>]| pairs.iter().map(|pair| needs_lost(pair, depth, 1)).sum::<i64>();
            prop_assert_eq!(needs(&pairs), -needs(&back));
        }
    }
}
