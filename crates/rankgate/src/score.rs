//! Scores a run file against judgements: the line entered at rankings, without a corpus or a gate.

use std::collections::HashSet;

use rankgate_metrics::{Mean, Measure};

use crate::evaluate::{Mismatch, Policy, Scores, evaluate};
use crate::formats::run::RunFile;
use crate::golden::{GoldenSet, Level};
use crate::ranking::{Answer, Lookup, Ranking, Rankings};
use crate::{Place, Problem, Result};

/// What becomes of a judged query that the run lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    /// It counts as zero.
    Zero,
    /// It is left out and counted.
    Skip,
    /// It is an error.
    Error,
}

/// A run, scored.
#[derive(Debug)]
pub struct ScoredRun {
    /// Value by measure for each query, bytewise by query id.
    pub queries: Vec<(String, Vec<Option<f64>>)>,
    /// Mean by measure over these queries.
    pub means: Vec<Mean>,
    /// Judged queries that the run lacks, in bytewise order.
    pub missing: Vec<String>,
    /// Queries of the run that nobody judged.
    pub unjudged: usize,
    /// Queries with equal scores next to each other.
    pub tied: usize,
    /// Results that repeated a document of the same list; each counted once.
    pub repeats: usize,
    /// Set when no document of the run was ever judged relevant under that spelling.
    pub mismatch: Option<Mismatch>,
}

/// Scores every judged query. Queries go in bytewise order, so that sums are those of `trec_eval` to the last bit.
pub fn score(golden: &GoldenSet, run: &RunFile, measures: &[Measure], missing: Missing) -> Result<ScoredRun> {
    let mut order: Vec<usize> = (0..golden.cases.len()).collect();
    order.sort_by(|a, b| id(golden, *a).cmp(id(golden, *b)));
    let absent: Vec<String> = order
        .iter()
        .map(|index| id(golden, *index))
        .filter(|id| run.get(id).is_none())
        .map(String::from)
        .collect();
    if !golden.cases.is_empty() && absent.len() == golden.cases.len() {
        return Err(nothing_in_common(golden, run, &absent).into());
    }
    if missing == Missing::Error && !absent.is_empty() {
        let problems = absent.iter().map(|query| {
            Problem::new(
                Place::file(&golden.path).of(query),
                "the query is judged, and the run has no line for it",
            )
        });
        return Err(crate::Error::Invalid(problems.collect()));
    }
    let rankings = order
        .into_iter()
        .filter_map(|case| match run.get(id(golden, case)) {
            Some(list) => {
                let ranking = Ranking::from_hits(case, list.hits.clone(), usize::MAX);
                Some(Ranking { repeats: ranking.repeats + list.repeats, ..ranking })
            }
            None if missing == Missing::Skip => None,
            None => Some(Ranking { case, answer: Answer::Missing, repeats: 0, latency_ms: None }),
        })
        .collect();
    let rankings = Rankings { rankings, depth: usize::MAX };
    let policy = Policy { level: Level::Chunk, coverage: 1.0, min_score: None, exhaustive: true };
    let Scores { cases, lists, mismatch, .. } =
        evaluate(golden, rankings, &Lookup::new(None, None)?, &policy, usize::MAX);

    let judged: HashSet<&str> = golden
        .cases
        .iter()
        .map(|case| case.id.as_str())
        .chain(golden.without_needs.iter().map(String::as_str))
        .collect();
    let queries: Vec<(String, Vec<Option<f64>>)> = cases
        .iter()
        .map(|case| {
            (id(golden, case.case).to_owned(), measures.iter().map(|measure| case.value(measure)).collect())
        })
        .collect();
    Ok(ScoredRun {
        means: (0..measures.len())
            .map(|column| Mean::of(queries.iter().map(|(_, values)| values.get(column).copied().flatten())))
            .collect(),
        queries,
        missing: absent,
        unjudged: run.lists().iter().filter(|list| !judged.contains(list.query.as_str())).count(),
        tied: lists.tied,
        repeats: lists.repeats,
        mismatch,
    })
}

/// Zeros all over, or means over nothing, would hide that the files do not belong together.
fn nothing_in_common(golden: &GoldenSet, run: &RunFile, judged: &[String]) -> Problem {
    const SHOWN: usize = 3;
    let some = |ids: &mut dyn Iterator<Item = &str>| {
        let mut ids: Vec<&str> = ids.take(SHOWN + 1).collect();
        if ids.len() > SHOWN {
            ids.truncate(SHOWN);
            ids.push("...");
        }
        ids.join(", ")
    };
    let what = format!(
        "no judged query is in the run: judged are {}, the run has {}",
        some(&mut judged.iter().map(String::as_str)),
        some(&mut run.lists().iter().map(|list| list.query.as_str()))
    );
    Problem::new(Place::file(&golden.path), what).hint("are these judgements of this run?")
}

fn id(golden: &GoldenSet, case: usize) -> &str {
    golden.cases.get(case).map_or("", |case| &case.id)
}
