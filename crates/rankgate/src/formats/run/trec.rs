//! TREC run files: query, Q0, document, rank, score, tag, parted by white space.

use std::borrow::Cow;
use std::path::Path;

use super::order::{ByQuery, Scored};
use super::{Duplicates, RunFile, input};
use crate::{Place, Problem};

/// Reads a TREC run. Lines that start with `#` are comments, as in `trec_eval` 10.
pub(super) fn read(text: &str, path: &Path, duplicates: Duplicates, problems: &mut Vec<Problem>) -> RunFile {
    let mut queries = ByQuery::default();
    for (number, line) in input::lines(text).filter(|(_, line)| !line.trim_start().starts_with('#')) {
        if problems.len() >= input::MOST_PROBLEMS {
            problems.push(Problem::new(Place::line(path, number), "too many problems: not read further"));
            break;
        }
        match result(line) {
            Ok((query, result)) => {
                if let Some(results) = queries.of(query) {
                    results.push(Scored { line: Some(number), ..result });
                }
            }
            Err(fault) => problems.push(fault.at(Place::line(path, number))),
        }
    }
    queries.into_run(path, duplicates, problems)
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

/// Reads one line. Only ASCII blanks part columns: others, such as U+00A0, occur in ids.
fn result(line: &str) -> Result<(Cow<'_, str>, Scored<Cow<'_, str>>), Fault<'_>> {
    let mut columns = line.split_ascii_whitespace();
    let mut next = || columns.next();
    let (Some(query), Some(_), Some(id), Some(rank), Some(score), Some(_), None) =
        (next(), next(), next(), next(), next(), next(), next())
    else {
        return Err(Fault::Columns(line.split_ascii_whitespace().count()));
    };
    let number = score.parse().ok().filter(|number: &f64| !number.is_nan());
    let number = number.ok_or(Fault::Score { query, score })?;
    Ok((query.into(), Scored { item: id.into(), score: number, rank: rank.parse().ok(), line: None }))
}
