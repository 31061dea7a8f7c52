//! What a list could have scored had its hits of equal scores come in another order.
//!
//! A retriever that gives two hits one score says nothing about which is first; something else does: an id, the order
//! of the index, a thread. Here the two ends are found, without trying the orders one by one. A need is met in the
//! first group of equal scores that holds a hit for it, whatever the order in there, so groups are looked at apart.
//!
//! Each part of an outcome (needs, labels, forbidden hits) is at its own end: no single order need reach all of them,
//! and a measure looks at one part only. The ends are exact where no hit of a group meets two needs that are first met
//! there, and grades are equal or no need has two hits there. Else:
//! - grades that differ while needs have several hits: the worst end is a bound, which no order may reach;
//! - a hit that meets several needs: measures of ranks (`recall`, `mrr`, `hit_rate`, `all_needs`) are exact for one
//!   grade, sums over places (`ndcg`, `map`, `rbp`) are bounded, and the counts of useful hits (`precision` and its
//!   kin), which rise when two hits share what one could meet, are those of the two orders that are good and bad for
//!   ranks.
//!
//! What stands behind the end of the returned list cannot be seen, even where its score is that of the last hit: the
//! true ends may lie further apart. Ask for more hits to see them.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use rankgate_metrics::{NeedOutcome, Outcome};

/// The two ends of what a list could have scored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TieOrders {
    /// What is wanted stands first among equal scores.
    pub best: Outcome,
    /// What is wanted stands last among them.
    pub worst: Outcome,
}

/// Ranks of equal scores, at least two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Group {
    pub from: u32,
    pub to: u32,
}

/// A need and every rank that meets it, ascending.
#[derive(Debug, Clone)]
pub(super) struct Met {
    pub grade: u32,
    pub ranks: Vec<u32>,
}

/// The neighbours of equal scores in a list.
pub(super) fn groups(scores: impl Iterator<Item = Option<f64>>) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut last = None;
    for (score, rank) in scores.zip(1_u32..) {
        let score = score.filter(|score| score.is_finite());
        if score.is_some() && score == last {
            match groups.last_mut().filter(|group| group.to + 1 == rank) {
                Some(group) => group.to = rank,
                None => groups.push(Group { from: rank - 1, to: rank }),
            }
        }
        last = score;
    }
    groups
}

/// What decides the ends, beside the groups.
#[derive(Debug)]
pub(super) struct Labels<'a> {
    pub needs: &'a [Met],
    /// The ranks with any label, ascending.
    pub labelled: &'a [u32],
    /// The ranks of forbidden hits, ascending; `None` where the case names none.
    pub forbidden: Option<&'a [u32]>,
    /// The length of the list.
    pub returned: u32,
}

/// Both ends.
pub(super) fn orders(groups: &[Group], labels: &Labels<'_>) -> TieOrders {
    let (best_needs, worst_needs) = needs(groups, labels.needs);
    let (early, late) = moved_labels(groups, labels.labelled);
    let outcome = |needs, labelled, forbidden| {
        let outcome = Outcome::new(needs, labels.returned, labelled);
        if labels.forbidden.is_some() { outcome.with_forbidden(forbidden) } else { outcome }
    };
    let (early_forbidden, late_forbidden) = moved_labels(groups, labels.forbidden.unwrap_or_default());
    TieOrders {
        best: outcome(best_needs, early, late_forbidden.first().copied()),
        worst: outcome(worst_needs, late, early_forbidden.first().copied()),
    }
}

fn group_of(groups: &[Group], rank: u32) -> Option<usize> {
    let index = groups.partition_point(|group| group.to < rank);
    groups.get(index).filter(|group| group.from <= rank).map(|_| index)
}

/// These ranks, as early and as late as their groups allow.
fn moved_labels(groups: &[Group], ranks: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let mut counts: BTreeMap<usize, u32> = BTreeMap::new();
    let (mut early, mut late) = (Vec::with_capacity(ranks.len()), Vec::with_capacity(ranks.len()));
    for rank in ranks {
        if let Some(group) = group_of(groups, *rank) {
            *counts.entry(group).or_default() += 1;
        } else {
            early.push(*rank);
            late.push(*rank);
        }
    }
    for (group, count) in counts {
        if let Some(Group { from, to }) = groups.get(group) {
            early.extend(*from..from + count);
            late.extend(to + 1 - count..=*to);
        }
    }
    early.sort_unstable();
    late.sort_unstable();
    (early, late)
}

/// The needs with their ranks at both ends, in label order.
fn needs(groups: &[Group], needs: &[Met]) -> (Vec<NeedOutcome>, Vec<NeedOutcome>) {
    let today = |need: &Met| NeedOutcome { grade: need.grade, rank: need.ranks.first().copied() };
    let mut best: Vec<NeedOutcome> = needs.iter().map(today).collect();
    let mut worst = best.clone();
    let mut by_group: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (index, need) in needs.iter().enumerate() {
        if let Some(group) = need.ranks.first().and_then(|rank| group_of(groups, *rank)) {
            by_group.entry(group).or_default().push(index);
        }
    }
    for (group, mut members) in by_group {
        let Some(group) = groups.get(group) else { continue };
        let hits: Vec<Vec<u32>> = members
            .iter()
            .filter_map(|index| needs.get(*index))
            .map(|need| need.ranks.iter().copied().filter(|rank| *rank <= group.to).collect())
            .collect();
        let (first, last) = ends(*group, &hits);
        // The higher grade gets the better of the best ranks, and the worse of the worst.
        members.sort_by_key(|index| std::cmp::Reverse(needs.get(*index).map_or(0, |need| need.grade)));
        for (member, (first, last)) in members.into_iter().zip(first.into_iter().zip(last)) {
            if let (Some(best), Some(worst)) = (best.get_mut(member), worst.get_mut(member)) {
                (best.rank, worst.rank) = (Some(first), Some(last));
            }
        }
    }
    (best, worst)
}

/// More subsets than those of so many things are not looked through.
const MANY: usize = 12;

/// The ranks of the needs that a group meets, each with the hits for it: the earliest ascending, the latest descending.
fn ends(group: Group, hits: &[Vec<u32>]) -> (Vec<u32>, Vec<u32>) {
    let mut classes: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (need, ranks) in hits.iter().enumerate() {
        for rank in ranks {
            classes.entry(*rank).or_default().push(need);
        }
    }
    let classes: Vec<Vec<usize>> = classes.into_values().collect();
    let earliest = covered(&classes, hits.len());
    let first = (0..hits.len()).map(|need| {
        // The first hit count that can meet so many needs.
        let before = earliest.iter().filter(|met| **met <= need).count();
        group.from + u32::try_from(before).unwrap_or(u32::MAX)
    });
    let last = held_back(&classes, hits).into_iter().map(|hits| group.to + 1 - hits);
    (first.collect(), last.collect())
}

/// How many needs one hit can meet at most, how many two can, and so on until all are met.
fn covered(classes: &[Vec<usize>], needs: usize) -> Vec<usize> {
    let masks: Option<Vec<u64>> = (needs <= 64).then(|| {
        let mut masks: Vec<u64> = classes.iter().map(|class| mask(class)).collect();
        masks.sort_unstable();
        masks.dedup();
        masks
    });
    if let Some(masks) = masks.filter(|masks| masks.len() <= MANY) {
        let mut most = vec![0; masks.len()];
        for subset in 1_u64..1 << masks.len() {
            let union = masks
                .iter()
                .zip(0..)
                .filter(|(_, bit)| subset >> bit & 1 == 1)
                .fold(0, |all, (m, _)| all | m);
            if let Some(most) = most.get_mut(subset.count_ones() as usize - 1) {
                *most = union.count_ones().max(*most);
            }
        }
        return most.into_iter().map(|met| met as usize).collect();
    }
    // A bound: as if no two hits met the same need.
    let mut sizes: Vec<usize> = classes.iter().map(Vec::len).collect();
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    let sums = sizes.into_iter().scan(0, |sum, size| {
        *sum += size;
        Some(*sum)
    });
    sums.collect()
}

/// How many hits must come last for one need to be met late, how many for two, and so on: the fewest hits that any so
/// many needs have between them.
fn held_back(classes: &[Vec<usize>], hits: &[Vec<u32>]) -> Vec<u32> {
    let mut counts: Vec<u32> =
        hits.iter().map(|ranks| u32::try_from(ranks.len()).unwrap_or(u32::MAX)).collect();
    counts.sort_unstable();
    if classes.iter().all(|class| class.len() == 1) {
        let sums = counts.into_iter().scan(0, |sum, count| {
            *sum += count;
            Some(*sum)
        });
        return sums.collect();
    }
    if hits.len() <= MANY {
        let masks: Vec<u64> = classes.iter().map(|class| mask(class)).collect();
        let mut fewest = vec![u32::MAX; hits.len()];
        for subset in 1_u64..1 << hits.len() {
            let held = masks.iter().filter(|mask| **mask & subset != 0).count();
            if let Some(fewest) = fewest.get_mut(subset.count_ones() as usize - 1) {
                *fewest = u32::try_from(held).unwrap_or(u32::MAX).min(*fewest);
            }
        }
        return fewest;
    }
    // A bound: as if the hits of a need met all the needs that have fewer.
    counts
}

fn mask(needs: &[usize]) -> u64 {
    needs.iter().fold(0, |mask, need| mask | 1 << need)
}
