//! From scores to a ranking: rounding, order, ties and the cut.
//!
//! Every index of this crate numbers its chunks in the order in which ties are broken ([`tie_order`]). A smaller
//! number then wins among equal scores, which makes the rule free of cost, exact at the cut, and the index itself
//! independent of the order of the corpus wherever ties go by id.

use rankgate::Id;
use rankgate::config::Ties;
use rankgate::corpus::{Chunk, Corpus};
use rankgate::retriever::Hit;

/// The chunks, those first that win ties.
pub fn tie_order(corpus: &Corpus, ties: Ties) -> Vec<&Chunk> {
    let mut chunks: Vec<&Chunk> = corpus.chunks().iter().collect();
    match ties {
        Ties::IdAscending => chunks.sort_by(|a, b| a.id.cmp(&b.id)),
        Ties::IdDescending => chunks.sort_by(|a, b| b.id.cmp(&a.id)),
        Ties::CorpusOrder => {}
        Ties::ReverseCorpusOrder => chunks.reverse(),
    }
    chunks
}

/// Rounds to a number of decimals, halves to the even neighbour, as numpy does.
#[derive(Debug, Clone, Copy)]
pub struct Rounding {
    scale: Option<f64>,
}

impl Rounding {
    /// More than 17 decimals say nothing about a double, and would only overflow.
    const MOST: u32 = 17;

    /// `None` leaves scores as they are.
    pub fn new(decimals: Option<u32>) -> Self {
        let scale = decimals.filter(|d| *d <= Self::MOST).map(|d| 10_f64.powi(d.cast_signed()));
        Self { scale }
    }

    #[inline]
    fn apply(self, score: f64) -> f64 {
        self.scale.map_or(score, |scale| (score * scale).round_ties_even() / scale)
    }
}

/// Scores under way: one sum per chunk, and which chunks have one. Kept between questions so that none has to
/// clear more than it touched.
#[derive(Debug, Default)]
pub struct Sums {
    scores: Vec<f64>,
    touched: Vec<u32>,
}

impl Sums {
    /// Sums for so many chunks, all zero.
    pub fn new(chunks: usize) -> Self {
        Self { scores: vec![0.0; chunks], touched: Vec::new() }
    }

    /// Adds to the sum of a chunk. What is added is greater than zero: that is how a first touch is told.
    #[inline]
    pub fn add(&mut self, chunk: u32, amount: f64) {
        if let Some(score) = self.scores.get_mut(chunk as usize) {
            if *score == 0.0 {
                self.touched.push(chunk);
            }
            *score += amount;
        }
    }

    /// Takes the best `depth` chunks, best first, and leaves all sums at zero.
    pub fn take_best(&mut self, depth: usize, rounding: Rounding) -> Vec<Candidate> {
        let mut best = Best::new(depth);
        for chunk in self.touched.drain(..) {
            if let Some(sum) = self.scores.get_mut(chunk as usize) {
                let score = rounding.apply(std::mem::take(sum));
                if score > 0.0 {
                    best.offer(Candidate { score, chunk });
                }
            }
        }
        best.into_ranking()
    }
}

/// A chunk, by its number in tie order, and its score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidate {
    /// The score.
    pub score: f64,
    /// The number.
    pub chunk: u32,
}

impl Candidate {
    /// Whether it ranks before another.
    #[inline]
    fn beats(&self, other: &Self) -> bool {
        self.score > other.score || (self.score >= other.score && self.chunk < other.chunk)
    }

    fn order(a: &Self, b: &Self) -> std::cmp::Ordering {
        b.score.total_cmp(&a.score).then(a.chunk.cmp(&b.chunk))
    }
}

/// The best so far. Candidates gather until there are twice as many as wanted; then the worse half goes, and its
/// best sets the bar for all that follow. Most candidates are turned away by one comparison.
struct Best {
    depth: usize,
    kept: Vec<Candidate>,
    bar: Option<Candidate>,
}

impl Best {
    fn new(depth: usize) -> Self {
        Self { depth, kept: Vec::new(), bar: None }
    }

    #[inline]
    fn offer(&mut self, candidate: Candidate) {
        if self.bar.is_some_and(|bar| !candidate.beats(&bar)) {
            return;
        }
        self.kept.push(candidate);
        if self.kept.len() >= self.depth.saturating_mul(2).max(16) {
            self.prune();
        }
    }

    fn prune(&mut self) {
        if self.kept.len() > self.depth {
            self.kept.select_nth_unstable_by(self.depth, Candidate::order);
            self.bar = self.kept.get(self.depth).copied();
            self.kept.truncate(self.depth);
        }
    }

    fn into_ranking(mut self) -> Vec<Candidate> {
        self.prune();
        self.kept.sort_unstable_by(Candidate::order);
        self.kept
    }
}

/// The candidates as hits.
pub fn hits(ranking: &[Candidate], ids: &[Id]) -> Vec<Hit> {
    ranking
        .iter()
        .filter_map(|c| ids.get(c.chunk as usize).map(|id| Hit::scored(id.clone(), c.score)))
        .collect()
}

/// The terms without repeats, in their order.
pub fn each_once(terms: Vec<String>) -> Vec<String> {
    let mut seen = std::collections::HashSet::new();
    terms.into_iter().filter(|term| seen.insert(term.clone())).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_best_are_the_head_of_the_sorted_list(
            scores in prop::collection::vec(1_u8..6, 0..200),
            depth in 0_usize..40,
        ) {
            let mut sums = Sums::new(scores.len());
            for (chunk, score) in (0..).zip(&scores) {
                sums.add(chunk, f64::from(*score));
            }
            let mut all: Vec<(u8, u32)> = scores.iter().copied().zip(0..).collect();
            all.sort_by_key(|&(score, chunk)| (std::cmp::Reverse(score), chunk));
            all.truncate(depth);
            let best = sums.take_best(depth, Rounding::new(None));
            let got: Vec<(f64, u32)> = best.iter().map(|c| (c.score, c.chunk)).collect();
            let want: Vec<(f64, u32)> = all.into_iter().map(|(score, chunk)| (score.into(), chunk)).collect();
            prop_assert_eq!(got, want);
            prop_assert!(sums.take_best(depth, Rounding::new(None)).is_empty());
        }
    }

    #[test]
    fn scores_that_round_to_zero_are_no_results_and_those_that_round_alike_tie() {
        let mut sums = Sums::new(4);
        for (chunk, score) in [(0, 0.000_4), (1, 0.122_9), (2, 0.123_1), (3, 0.000_6)] {
            sums.add(chunk, score);
        }
        let best = sums.take_best(10, Rounding::new(Some(3)));
        let want = [(0.123, 1), (0.123, 2), (0.001, 3)];
        assert_eq!(best, want.map(|(score, chunk)| Candidate { score, chunk }));
    }

    #[test]
    fn absurd_precision_rounds_nothing() {
        assert!((Rounding::new(Some(u32::MAX)).apply(0.1) - 0.1).abs() < f64::EPSILON);
    }
}
