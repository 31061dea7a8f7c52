//! What one query got: all that a measure may look at.
//!
//! A need is credited once, at a rank of its own. When several needs are first met by the same
//! hit they share that rank, and a sum over ranks could then exceed what any list can reach. So
//! measures that add up positions use *places*: the needs queue in order of rank (the higher grade
//! first on equal ranks, then the order of the labels), and each takes the first place that is
//! free at or after its rank. Places are distinct, never above the ranks, and equal to the ranks
//! when every need is met by a hit of its own.

/// One need of a case, and where the list first meets it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct NeedOutcome {
    /// The grade of the label, at least 1.
    pub grade: u32,
    /// The first rank, counted from 1, at which the need is met; `None` if it never is.
    pub rank: Option<u32>,
}

/// A need that was met, in the queue of places.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PlacedNeed {
    /// The first rank at which the need is met.
    pub rank: u32,
    /// The place it takes: at least `rank`, and no two needs share one.
    pub place: u64,
    /// The grade of the label.
    pub grade: u32,
}

/// The outcome of one query.
///
/// Ranks count the hits of the list after repeats have been collapsed, from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    needs: Vec<NeedOutcome>,
    placed: Vec<PlacedNeed>,
    grades_descending: Vec<u32>,
    returned: u32,
    labelled: Vec<u32>,
    forbidden: Watch,
    confident: Watch,
}

/// Whether a case asks about a kind of hit, and where the first one stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Watch {
    NotAsked,
    Never,
    FirstAt(u32),
}

impl Watch {
    /// A rank of 0 does not exist; here it is read as 1, so that it cannot hide a bad hit.
    fn asked(first_rank: Option<u32>) -> Self {
        first_rank.map_or(Self::Never, |rank| Self::FirstAt(rank.max(1)))
    }

    fn first(self) -> Option<u32> {
        match self {
            Self::NotAsked | Self::Never => None,
            Self::FirstAt(rank) => Some(rank),
        }
    }

    fn is_asked(self) -> bool {
        self != Self::NotAsked
    }
}

impl Outcome {
    /// The outcome of an answerable case: its needs in label order, the length of the collapsed
    /// list, and the ranks of the hits that carry any label, in any order.
    ///
    /// Input that cannot be true is read so that no score rises by it: a need of grade 0 is not a
    /// need and is dropped, a need with rank 0 counts as never met, labelled ranks are sorted,
    /// counted once, and 0 is dropped. A rank beyond `returned` proves that the list was longer,
    /// so `returned` is raised to it.
    pub fn new(mut needs: Vec<NeedOutcome>, returned: u32, mut labelled: Vec<u32>) -> Self {
        needs.retain(|need| need.grade > 0);
        for need in &mut needs {
            need.rank = need.rank.filter(|&rank| rank > 0);
        }
        labelled.retain(|&rank| rank > 0);
        labelled.sort_unstable();
        labelled.dedup();

        let mut grades_descending: Vec<u32> = needs.iter().map(|need| need.grade).collect();
        grades_descending.sort_unstable_by(|a, b| b.cmp(a));
        let placed = place(&needs);
        let deepest_need = placed.last().map_or(0, |need| need.rank);
        let deepest_label = labelled.last().copied().unwrap_or(0);

        Self {
            needs,
            placed,
            grades_descending,
            returned: returned.max(deepest_need).max(deepest_label),
            labelled,
            forbidden: Watch::NotAsked,
            confident: Watch::NotAsked,
        }
    }

    /// Says that the case names forbidden evidence, and the first rank at which some of it stands.
    pub fn with_forbidden(mut self, first_rank: Option<u32>) -> Self {
        self.forbidden = Watch::asked(first_rank);
        self.returned = self.returned.max(first_rank.unwrap_or(0));
        self
    }

    /// Says that the case has no answer, and the first rank of a hit that the retriever is sure
    /// of: one at or above its minimum score. Without a minimum score every hit is such a hit.
    pub fn unanswerable(mut self, first_confident_rank: Option<u32>) -> Self {
        self.confident = Watch::asked(first_confident_rank);
        self.returned = self.returned.max(first_confident_rank.unwrap_or(0));
        self
    }

    /// The needs, in label order.
    pub fn needs(&self) -> &[NeedOutcome] {
        &self.needs
    }

    /// The needs that are met, in order of their places.
    pub fn placed(&self) -> &[PlacedNeed] {
        &self.placed
    }

    /// The best rank of any need.
    pub fn best_rank(&self) -> Option<u32> {
        self.placed.first().map(|need| need.rank)
    }

    /// The grades of all needs, highest first: the ideal list, which depends on the labels alone.
    pub fn grades_descending(&self) -> &[u32] {
        &self.grades_descending
    }

    /// The length of the collapsed list.
    pub fn returned(&self) -> u32 {
        self.returned
    }

    /// The ranks of the hits that carry any label, ascending, each once.
    pub fn labelled(&self) -> &[u32] {
        &self.labelled
    }

    /// Whether the case has an answer, so that measures on needs apply.
    pub fn is_answerable(&self) -> bool {
        !self.confident.is_asked()
    }

    /// Whether the case names forbidden evidence.
    pub fn has_forbidden(&self) -> bool {
        self.forbidden.is_asked()
    }

    /// The first rank of forbidden evidence, if any stands in the list.
    pub fn first_forbidden(&self) -> Option<u32> {
        self.forbidden.first()
    }

    /// The first rank of a confident hit, for a case without an answer.
    pub fn first_confident(&self) -> Option<u32> {
        self.confident.first()
    }
}

/// Queues the needs that are met and gives each its place.
fn place(needs: &[NeedOutcome]) -> Vec<PlacedNeed> {
    let mut queue: Vec<PlacedNeed> = needs
        .iter()
        .filter_map(|need| {
            need.rank.map(|rank| PlacedNeed { rank, place: u64::from(rank), grade: need.grade })
        })
        .collect();
    // Stable, so that the order of the labels decides what rank and grade leave open.
    queue.sort_by(|a, b| a.rank.cmp(&b.rank).then(b.grade.cmp(&a.grade)));
    let mut taken = 0;
    for need in &mut queue {
        need.place = need.place.max(taken + 1);
        taken = need.place;
    }
    queue
}

#[cfg(test)]
mod tests {
    use super::*;

    fn need(grade: u32, rank: impl Into<Option<u32>>) -> NeedOutcome {
        let rank = rank.into();
        NeedOutcome { grade, rank }
    }

    #[test]
    fn needs_on_one_rank_take_the_next_free_places() {
        let outcome = Outcome::new(
            vec![need(1, 5), need(1, 2), need(3, 2), need(1, None), need(1, 3), need(1, 2)],
            9,
            vec![],
        );
        let queue: Vec<_> = outcome.placed().iter().map(|p| (p.rank, p.place, p.grade)).collect();
        assert_eq!(queue, [(2, 2, 3), (2, 3, 1), (2, 4, 1), (3, 5, 1), (5, 6, 1)]);
        assert_eq!(outcome.grades_descending(), [3, 1, 1, 1, 1, 1]);
    }

    #[test]
    fn distinct_ranks_are_the_places() {
        let outcome = Outcome::new(vec![need(1, 7), need(2, 1), need(1, 4)], 8, vec![]);
        assert!(outcome.placed().iter().all(|p| p.place == u64::from(p.rank)));
    }

    #[test]
    fn impossible_input_never_raises_a_score() {
        let outcome = Outcome::new(
            vec![need(0, 1), need(2, 0), need(1, u32::MAX), need(1, u32::MAX)],
            3,
            vec![4, 0, 2, 4],
        );
        assert_eq!(outcome.needs(), [need(2, None), need(1, u32::MAX), need(1, u32::MAX)]);
        assert_eq!(outcome.labelled(), [2, 4]);
        assert_eq!(outcome.returned(), u32::MAX);
        let last = outcome.placed().last().map(|p| p.place);
        assert_eq!(last, Some(u64::from(u32::MAX) + 1));
        let watched = Outcome::new(vec![], 0, vec![]).with_forbidden(Some(0)).unanswerable(Some(0));
        assert_eq!(watched.first_forbidden(), Some(1));
        assert_eq!(watched.first_confident(), Some(1));
    }

    #[test]
    fn a_watched_hit_that_never_came_is_still_watched() {
        let plain = Outcome::new(vec![], 2, vec![]);
        assert!(plain.is_answerable() && !plain.has_forbidden());
        let watched = plain.with_forbidden(None).unanswerable(None);
        assert!(!watched.is_answerable() && watched.has_forbidden());
        assert_eq!((watched.first_forbidden(), watched.first_confident()), (None, None));
    }
}
