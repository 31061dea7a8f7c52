//! Relevance judgements: TREC qrels and the tab-separated form of BEIR.
//!
//! The layout is settled by the first line that holds anything and then kept for the whole file, so that a
//! damaged line is named instead of being read as another layout.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::formats::{input, run};
use crate::{Error, Place, Problem, Result};

/// One judgement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    /// The id of the query.
    pub query: String,
    /// The id of what was judged.
    pub doc: String,
    /// The grade; 0 and below mean judged and not relevant.
    pub grade: i64,
    /// The line, from 1.
    pub line: usize,
}

/// The judgements of a file, in its order; each pair of query and document stands once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Qrels {
    /// The file, as the user named it.
    pub path: PathBuf,
    /// The judgements.
    pub judgements: Vec<Judgement>,
    /// Judgements that were repeated word for word and count once.
    pub warnings: Vec<Problem>,
}

impl Qrels {
    /// Reads a file, compressed or not.
    pub fn read(path: &Path) -> Result<Self> {
        Self::parse(&input::read_text(path)?, path)
    }

    /// Reads a text; `path` only names it in messages. All problems are collected.
    pub fn parse(text: &str, path: &Path) -> Result<Self> {
        let is_json = |line: &str| line.trim_start().starts_with(['{', '[']) && !is_judgement(line);
        let other = if input::starts_with_lines(text, run::is_result) {
            Some("this looks like a run file (6 columns)")
        } else {
            input::starts_with_lines(text, is_json).then_some("this looks like JSON")
        };
        if let Some(other) = other {
            let what = format!("{other}, and relevance judgements are wanted here");
            return Err(Problem::new(Place::file(path), what)
                .hint("judgements have 4 columns: query iteration document grade; are the two files swapped?")
                .into());
        }
        let mut qrels = Self { path: path.to_owned(), ..Self::default() };
        let mut problems = Vec::new();
        let mut layout = None;
        let mut seen: HashMap<(Cow<'_, str>, Cow<'_, str>), (i64, usize)> = HashMap::new();
        for (number, line) in input::lines(text).filter(|(_, line)| !line.starts_with('#')) {
            if problems.len() > input::MOST_PROBLEMS {
                break;
            }
            let first = layout.is_none();
            let layout = *layout.get_or_insert_with(|| Layout::of(line));
            let place = || Place::line(path, number);
            let (query, doc, grade) = match layout.fields(line) {
                Ok(fields) => fields,
                Err(what) => {
                    problems.push(Problem::new(place(), what).hint(layout.hint()));
                    continue;
                }
            };
            if first && is_header(&grade) {
                continue;
            }
            if query.is_empty() || doc.is_empty() {
                problems.push(Problem::new(place(), "an id is empty"));
                continue;
            }
            let Some(grade) = whole_number(&grade) else {
                problems.push(not_a_grade(place().of(&*query), &grade));
                continue;
            };
            match seen.get(&(Cow::Borrowed(&*query), Cow::Borrowed(&*doc))).copied() {
                Some((same, earlier)) if same == grade => qrels.warnings.push(Problem::new(
                    place().of(query),
                    format!("`{doc}` is judged on line {earlier} already, with the same grade: counted once"),
                )),
                Some((other, earlier)) => problems.push(
                    Problem::new(
                        place().of(query),
                        format!("`{doc}` has grade {grade} here and grade {other} on line {earlier}"),
                    )
                    .hint("keep one of the two lines"),
                ),
                None => {
                    qrels.judgements.push(Judgement {
                        query: query.clone().into_owned(),
                        doc: doc.clone().into_owned(),
                        grade,
                        line: number,
                    });
                    seen.insert((query, doc), (grade, number));
                }
            }
        }
        Error::unless_empty(input::fold_alike(problems))?;
        Ok(qrels)
    }
}

/// Whether a line looks like a judgement: three or four columns, the last of them a grade.
pub(super) fn is_judgement(line: &str) -> bool {
    let columns: Vec<&str> = line.split_ascii_whitespace().collect();
    match columns.as_slice() {
        [_, _, grade] | [_, _, _, grade] => whole_number(grade).is_some() || is_header(grade),
        _ => false,
    }
}

/// A whole number in decimal digits; a fraction of zeros is allowed, so `2.0` is 2 and `0.5` is none.
pub fn whole_number(text: &str) -> Option<i64> {
    let digits = match text.split_once('.') {
        Some((digits, zeros)) if !zeros.is_empty() && zeros.bytes().all(|byte| byte == b'0') => digits,
        Some(_) => return None,
        None => text,
    };
    digits.parse().ok()
}

fn not_a_grade(place: Place, grade: &str) -> Problem {
    let problem = Problem::new(place.field("score"), format!("the grade `{grade}` is not a whole number"));
    if grade.parse::<f64>().is_ok() {
        problem.hint("grades are never rounded; scale them to whole numbers, such as 0.5 -> 1 and 1.0 -> 2")
    } else {
        problem
    }
}

/// Whether the last column of a first line is a title. Data has a number there.
fn is_header(last: &str) -> bool {
    const TITLES: [&str; 8] =
        ["score", "relevance", "relevancy", "rel", "grade", "label", "rating", "judgement"];
    TITLES.iter().any(|title| last.eq_ignore_ascii_case(title))
}

/// How the columns of a file are parted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Layout {
    /// `query iteration document grade`, by any white space.
    Trec,
    /// `query<tab>document<tab>grade`; ids may hold blanks.
    Tabs,
    /// `query document grade`, by any white space.
    Blanks,
}

type Fields<'a> = (Cow<'a, str>, Cow<'a, str>, Cow<'a, str>);

impl Layout {
    fn of(line: &str) -> Self {
        let line = line.trim();
        let mut tabs = line.split('\t');
        let by_tabs = tabs.clone().count();
        // A blank in the first of three tabbed columns is the one between query and iteration of a TREC line.
        let blank_in_query = tabs.next().is_some_and(|query| query.trim().contains(char::is_whitespace));
        match line.split_ascii_whitespace().count() {
            4 if by_tabs != 3 || blank_in_query => Self::Trec,
            3 if by_tabs != 3 => Self::Blanks,
            _ if by_tabs == 3 => Self::Tabs,
            _ => Self::Trec,
        }
    }

    fn hint(self) -> &'static str {
        match self {
            Self::Trec => "a TREC line holds `query iteration document grade`; ids cannot hold blanks",
            Self::Tabs => "the first line has three columns, parted by tabs: query, document, grade",
            Self::Blanks => "the first line has three columns: query, document, grade",
        }
    }

    /// The three fields of a line, or what is wrong with it.
    fn fields(self, line: &str) -> Result<Fields<'_>, String> {
        let [query, doc, grade] = match self {
            Self::Trec => {
                let [query, _, doc, grade] = columns(line.split_ascii_whitespace())?;
                // Quotes are part of a TREC id, unless the grade shows that a spreadsheet quoted every field.
                if !grade.starts_with('"') {
                    return Ok((query.into(), doc.into(), grade.into()));
                }
                [query, doc, grade]
            }
            Self::Tabs => columns(line.trim_end().split('\t').map(str::trim))?,
            Self::Blanks => columns(line.split_ascii_whitespace())?,
        };
        Ok((unquote(query), unquote(doc), unquote(grade)))
    }
}

/// Exactly `N` columns, or a message with the number that there is.
fn columns<'a, const N: usize>(columns: impl Iterator<Item = &'a str>) -> Result<[&'a str; N], String> {
    let found: Vec<&str> = columns.collect();
    let count = found.len();
    found
        .try_into()
        .map_err(|_| format!("{count} {} instead of {N}", if count == 1 { "column" } else { "columns" }))
}

/// A field without the double quotes around it.
fn unquote(field: &str) -> Cow<'_, str> {
    match field.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        Some(inner) if inner.contains("\"\"") => inner.replace("\"\"", "\"").into(),
        Some(inner) => inner.into(),
        None => field.into(),
    }
}
