//! From results as they come to lists in their final order.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::path::Path;

use hashbrown::HashMap;

use super::{Duplicates, Order, RunFile, RunList};
use crate::retriever::Hit;
use crate::{Ids, Place, Problem};

/// One result of an unordered form.
pub(super) struct Scored<T> {
    pub item: T,
    pub score: f64,
    /// The rank the file gives it, where it gives one.
    pub rank: Option<u64>,
    /// The line it stands on, where every result has its own.
    pub line: Option<usize>,
}

/// What is scored: an id, or all that is known about a hit.
pub(super) trait Item {
    fn id(&self) -> &str;
    fn into_hit(self, score: f64, ids: &mut Ids) -> Hit;
}

impl Item for Cow<'_, str> {
    fn id(&self) -> &str {
        self
    }

    fn into_hit(self, score: f64, ids: &mut Ids) -> Hit {
        Hit::scored(ids.of(&self), score)
    }
}

impl Item for Hit {
    fn id(&self) -> &str {
        &self.id
    }

    fn into_hit(self, _: f64, _: &mut Ids) -> Hit {
        self
    }
}

/// Results by query, the queries in the order of their first appearance.
pub(super) struct ByQuery<'a, T> {
    queries: Vec<(Cow<'a, str>, Vec<Scored<T>>)>,
    places: HashMap<Cow<'a, str>, usize>,
    /// The query of the result before: most files keep a query's results together.
    latest: usize,
}

impl<T> Default for ByQuery<'_, T> {
    fn default() -> Self {
        Self { queries: Vec::new(), places: HashMap::new(), latest: 0 }
    }
}

impl<'a, T: Item> ByQuery<'a, T> {
    /// The results of a query, to add to.
    pub fn of(&mut self, query: Cow<'a, str>) -> Option<&mut Vec<Scored<T>>> {
        if self.queries.get(self.latest).is_none_or(|(latest, _)| *latest != query) {
            let new = self.queries.len();
            self.latest = *self.places.entry(query).or_insert_with_key(|query| {
                self.queries.push((query.clone(), Vec::new()));
                new
            });
        }
        self.queries.get_mut(self.latest).map(|(_, results)| results)
    }

    /// Sorts every list. Repeats are added to `problems` unless they are to be kept out in silence.
    pub fn into_run(self, path: &Path, duplicates: Duplicates, problems: &mut Vec<Problem>) -> RunFile {
        let mut ids = Ids::default();
        let mut contradicted = 0;
        let mut lists = Vec::with_capacity(self.queries.len());
        for (query, mut results) in self.queries {
            let repeats = drop_repeats(&mut results, |first, again| {
                if duplicates == Duplicates::Error {
                    problems.push(repeated(path, &query, first, again));
                }
            });
            results.sort_by(|a, b| descending(a.score, b.score).then_with(|| b.item.id().cmp(a.item.id())));
            contradicted += usize::from(ranks_disagree(&results));
            let tied = results.windows(2).any(|pair| match pair {
                [a, b] => descending(a.score, b.score).is_eq(),
                _ => false,
            });
            let hits =
                results.into_iter().map(|result| result.item.into_hit(result.score, &mut ids)).collect();
            lists.push(RunList { query: query.into_owned(), hits, repeats, tied });
        }
        let run = RunFile::new(lists, Order::ByScore, Vec::new());
        RunFile { warnings: warnings(path, &run, contradicted), ..run }
    }
}

fn warnings(path: &Path, run: &RunFile, contradicted: usize) -> Vec<Problem> {
    let mut warnings = Vec::new();
    if contradicted > 0 {
        let what =
            format!("the rank column disagrees with the scores in {contradicted} of {} queries", run.len());
        warnings
            .push(Problem::new(Place::file(path), what).hint("the order is by score; ranks are not used"));
    }
    let tied = run.tied_queries();
    if tied > 0 {
        let what = format!("equal scores in {tied} of {} queries", run.len());
        warnings.push(Problem::new(Place::file(path), what).hint("ties are ordered by id, descending"));
    }
    warnings
}

/// Higher scores first. Readers have refused NaN, so every two scores compare.
fn descending(a: f64, b: f64) -> Ordering {
    b.partial_cmp(&a).unwrap_or(Ordering::Equal)
}

/// Keeps the best-scored result of every id, at the place of its first. Returns how many were dropped.
fn drop_repeats<T: Item>(
    results: &mut Vec<Scored<T>>,
    mut on_repeat: impl FnMut(&Scored<T>, &Scored<T>),
) -> usize {
    let mut firsts: HashMap<&str, usize> = HashMap::with_capacity(results.len());
    // The place of the first result with the same id.
    let mut again: Vec<(usize, usize)> = Vec::new();
    for (index, result) in results.iter().enumerate() {
        let first = *firsts.entry(result.item.id()).or_insert(index);
        if first != index {
            again.push((first, index));
        }
    }
    drop(firsts);
    for (first, index) in &again {
        let Ok([kept, repeat]) = results.get_disjoint_mut([*first, *index]) else { continue };
        on_repeat(kept, repeat);
        if repeat.score > kept.score {
            std::mem::swap(kept, repeat);
        }
    }
    if !again.is_empty() {
        let mut repeats = again.iter().map(|(_, index)| *index).peekable();
        let mut index = 0;
        results.retain(|_| {
            let is_repeat = repeats.next_if_eq(&index).is_some();
            index += 1;
            !is_repeat
        });
    }
    again.len()
}

fn repeated<T: Item>(path: &Path, query: &str, first: &Scored<T>, again: &Scored<T>) -> Problem {
    let id = again.item.id();
    let (place, what) = match (first.line, again.line) {
        (Some(first), Some(again)) => {
            (Place::line(path, first.max(again)), format!("`{id}` is already on line {}", first.min(again)))
        }
        _ => (Place::file(path), format!("`{id}` stands here twice")),
    };
    Problem::new(place.of(query), what).hint("a run gives every result of a query once")
}

/// Whether a better-scored result has a worse rank. Results with equal scores may have their ranks in any order, and
/// ranks may start anywhere, or all be the same.
fn ranks_disagree<T>(results: &[Scored<T>]) -> bool {
    let (mut above, mut here) = (0, 0);
    let mut score = f64::INFINITY;
    for result in results {
        let Some(rank) = result.rank else { return false };
        if result.score < score {
            above = here;
            score = result.score;
        }
        if rank < above {
            return true;
        }
        here = here.max(rank);
    }
    false
}
