//! Run files: what a retriever answered, recorded by it or by another tool.
//!
//! The form is found out from the content, gzip or not:
//!
//! | form | looks like | order |
//! |---|---|---|
//! | TREC | `q1 Q0 doc7 1 12.5 tag` | by score |
//! | score map | `{"q1": {"doc7": 12.5}}` | by score |
//! | scored lines | `{"query_id": "q1", "doc_id": "doc7", "score": 12.5}` | by score |
//! | list map | `{"q1": ["doc7", {"id": "doc2", "score": 3.5}]}` | as given |
//! | list lines | `{"id": "q1", "retrieved": ["doc7"]}` | as given |
//!
//! By score means: score descending, then id descending bytewise, as `trec_eval` does it, whatever the order of the
//! lines. In lists scores never reorder anything, and a repeated id counts once, at its first place.

mod json;
mod order;
#[cfg(test)]
mod tests;
mod trec;

use std::collections::HashMap;
use std::path::Path;

use super::{input, qrels};
use crate::retriever::Hit;
use crate::{Error, Place, Problem, Result};

/// What to do about the same id twice for one query in an unordered form.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Duplicates {
    /// Refuse the file, naming both places.
    #[default]
    Error,
    /// Keep the best score, and count.
    KeepBest,
}

/// Where the order of a run comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// From the scores; ties by id, descending bytewise.
    ByScore,
    /// From the file.
    AsGiven,
}

/// The list of one query.
#[derive(Debug, Clone, PartialEq)]
pub struct RunList {
    /// The id of the query.
    pub query: String,
    /// The hits in their order. In an unordered form each id once; in an ordered form as given, and whoever ranks
    /// them counts a repeated id at its first place.
    pub hits: Vec<Hit>,
    /// How many lines of an unordered form repeated an id of the list and were left out.
    pub repeats: usize,
    /// Whether two scores are equal, so that the ids decided the order. Never in an ordered form.
    pub tied: bool,
}

/// A run that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct RunFile {
    /// Where the order comes from.
    pub order: Order,
    /// What the reader should know about the file, in one entry for each kind of oddity.
    pub warnings: Vec<Problem>,
    lists: Vec<RunList>,
    by_query: HashMap<String, usize>,
}

impl RunFile {
    fn new(lists: Vec<RunList>, order: Order, warnings: Vec<Problem>) -> Self {
        let by_query = lists.iter().enumerate().map(|(index, list)| (list.query.clone(), index)).collect();
        Self { order, warnings, lists, by_query }
    }

    /// The lists, in the order in which their queries first appear.
    pub fn lists(&self) -> &[RunList] {
        &self.lists
    }

    /// The list of a query, if the run has one; it may be empty.
    pub fn get(&self, query: &str) -> Option<&RunList> {
        self.by_query.get(query).and_then(|index| self.lists.get(*index))
    }

    /// The lists, given away.
    pub fn into_lists(self) -> Vec<RunList> {
        self.lists
    }

    /// How many queries the run answers.
    pub fn len(&self) -> usize {
        self.lists.len()
    }

    /// Whether it answers none; a run that was read answers at least one.
    pub fn is_empty(&self) -> bool {
        self.lists.is_empty()
    }

    /// How many queries have equal scores.
    pub fn tied_queries(&self) -> usize {
        self.lists.iter().filter(|list| list.tied).count()
    }

    /// How many hits were left out because they repeated an id, over all queries.
    pub fn repeats(&self) -> usize {
        self.lists.iter().map(|list| list.repeats).sum()
    }
}

/// Reads a run file.
pub fn read_run(path: &Path, duplicates: Duplicates) -> Result<RunFile> {
    parse(&input::read_text(path)?, path, duplicates)
}

/// Whether a line looks like one of a TREC run.
pub(super) fn is_result(line: &str) -> bool {
    trec::is_result(line)
}

/// Reads a run that is already in memory, gzip or not; `path` names it in errors (`-` for standard input).
pub fn read_run_from_bytes(bytes: Vec<u8>, path: &Path, duplicates: Duplicates) -> Result<RunFile> {
    parse(&input::utf8(input::decompress(bytes, path)?, path)?, path, duplicates)
}

fn parse(text: &str, path: &Path, duplicates: Duplicates) -> Result<RunFile> {
    let mut problems = Vec::new();
    let run = match Form::of(text) {
        Form::Trec if input::starts_with_lines(text, qrels::is_judgement) => {
            return Err(Problem::new(
                Place::file(path),
                "this looks like relevance judgements, and a run is wanted here",
            )
            .hint("a run has 6 columns: query Q0 document rank score tag; are the two files swapped?")
            .into());
        }
        Form::Trec => trec::read(text, path, duplicates, &mut problems),
        Form::JsonLines => json::read_lines(text, path, duplicates, &mut problems),
        Form::JsonMap => json::read_map(text, path, duplicates, &mut problems),
    };
    problems.sort_by(|a, b| a.place.cmp(&b.place));
    Error::unless_empty(input::fold_alike(problems))?;
    if run.is_empty() {
        let hint = "expected a TREC run (query Q0 document rank score tag), a JSON object or JSON Lines";
        return Err(Problem::new(Place::file(path), "no results in this run").hint(hint).into());
    }
    Ok(run)
}

enum Form {
    Trec,
    JsonLines,
    JsonMap,
}

impl Form {
    fn of(text: &str) -> Self {
        match input::lines(text).next() {
            Some((_, first)) if first.trim_start().starts_with('{') => {
                if json::is_record(first) {
                    Self::JsonLines
                } else {
                    Self::JsonMap
                }
            }
            Some((_, first)) if first.trim_start().starts_with('[') => Self::JsonMap,
            _ => Self::Trec,
        }
    }
}
