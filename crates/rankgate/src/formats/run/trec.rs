//! TREC run files: query, Q0, document, rank, score, tag, parted by white space.

use std::borrow::Cow;
use std::path::Path;

use super::order::{ByQuery, Scored};
use super::{Duplicates, RunFile, input};
use crate::{Place, Problem};

/// Reads a TREC run. Lines that start with `#` are comments, as in `trec_eval` 10, and so is what follows the tag.
pub(super) fn read(text: &str, path: &Path, duplicates: Duplicates, problems: &mut Vec<Problem>) -> RunFile {
    let mut queries = ByQuery::default();
    let mut long = 0;
    for (number, line) in input::lines(text).filter(|(_, line)| !line.trim_start().starts_with('#')) {
        if problems.len() >= input::MOST_PROBLEMS {
            problems.push(Problem::new(Place::line(path, number), "too many problems: not read further"));
            break;
        }
        match result(line) {
            Ok((query, result, has_more)) => {
                long += usize::from(has_more);
                if let Some(results) = queries.of(query) {
                    results.push(Scored { line: Some(number), ..result });
                }
            }
            Err(fault) => problems.push(fault.at(Place::line(path, number))),
        }
    }
    let mut run = queries.into_run(path, duplicates, problems);
    if long > 0 {
        let lines = if long == 1 { "1 line has".to_owned() } else { format!("{long} lines have") };
        let problem = Problem::new(Place::file(path), format!("{lines} more than 6 columns"));
        run.warnings.push(problem.hint("what follows the tag is not used"));
    }
    run
}

enum Fault<'a> {
    Columns(usize),
    Score { query: &'a str, score: &'a str },
}

impl Fault<'_> {
    fn at(self, place: Place) -> Problem {
        match self {
            Self::Columns(count) => {
                let columns = if count == 1 { "1 column".to_owned() } else { format!("{count} columns") };
                Problem::new(place, format!("{columns} where a TREC run has 6"))
                    .hint("query Q0 document rank score tag; ids cannot contain blanks")
            }
            Self::Score { query, score } => {
                Problem::new(place.of(query).field("score"), format!("`{score}` is not a number"))
            }
        }
    }
}

/// The query and the result of a line, and whether there is more behind the tag.
type Line<'a> = (Cow<'a, str>, Scored<Cow<'a, str>>, bool);

/// Reads one line. Only ASCII blanks part columns: others, such as U+00A0, occur in ids.
fn result(line: &str) -> Result<Line<'_>, Fault<'_>> {
    let mut columns = line.split_ascii_whitespace();
    let mut next = || columns.next();
    let (Some(query), Some(_), Some(id), Some(rank), Some(score), Some(_)) =
        (next(), next(), next(), next(), next(), next())
    else {
        return Err(Fault::Columns(line.split_ascii_whitespace().count()));
    };
    let more = columns.count();
    if more > 0 && !(is_place(rank, score) && ends_in_words(line)) {
        return Err(Fault::Columns(6 + more));
    }
    let number = number(score).ok_or(Fault::Score { query, score })?;
    let result = Scored { item: id.into(), score: number, rank: rank.parse().ok(), line: None };
    Ok((query.into(), result, more > 0))
}

fn number(score: &str) -> Option<f64> {
    score.parse().ok().filter(|number: &f64| !number.is_nan())
}

/// Whether a line has the six columns.
pub(super) fn is_result(line: &str) -> bool {
    let columns: Vec<&str> = line.split_ascii_whitespace().collect();
    matches!(columns.as_slice(), [_, _, _, rank, score, _] if is_place(rank, score))
}

fn is_place(rank: &str, score: &str) -> bool {
    rank.parse::<u64>().is_ok() && number(score).is_some()
}

/// Whether a long line ends in a comment. When its last three columns read as rank, score and tag, a blank in the id
/// may have moved them there.
fn ends_in_words(line: &str) -> bool {
    let mut from_the_end = line.split_ascii_whitespace().rev().skip(1);
    match (from_the_end.next(), from_the_end.next()) {
        (Some(score), Some(rank)) => !is_place(rank, score),
        _ => true,
    }
}
