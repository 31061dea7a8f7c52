//! The files beside qrels: the texts of the queries, and further fields for them.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use super::builder::Draft;
use super::json::Json;
use super::table::{self, Table};
use crate::formats::input;
use crate::{Error, Place, Problem, Result};

/// One query of a queries file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryText {
    /// Its id.
    pub id: String,
    /// The question.
    pub text: String,
    /// The plain entries of its metadata.
    pub metadata: BTreeMap<String, String>,
    /// The line, from 1.
    pub line: usize,
}

/// The queries of a file, in its order; each id stands once.
#[derive(Debug, Clone, Default)]
pub struct Queries {
    /// The file, as the user named it.
    pub path: PathBuf,
    /// The queries.
    pub list: Vec<QueryText>,
    /// What the user should know about how the file was read.
    pub warnings: Vec<Problem>,
}

impl Queries {
    /// Reads a file: JSON Lines with `_id` or `id` and `text` or `query`, else `id<tab>text`.
    pub fn read(path: &Path) -> Result<Self> {
        let (text, warning) = table::text_of(path)?;
        // The fallback encoding is for tables; in JSON it is damage.
        if is_json(&text) && warning.is_some() {
            return Self::parse(&input::read_text(path)?, path);
        }
        let mut queries = Self::parse(&text, path)?;
        queries.warnings.extend(warning);
        Ok(queries)
    }

    /// Reads a text; `path` only names it in messages. All problems are collected.
    pub fn parse(text: &str, path: &Path) -> Result<Self> {
        let read = if is_json(text) { from_json } else { from_tabs };
        let mut problems = Vec::new();
        let mut lines: HashMap<String, usize> = HashMap::new();
        let mut list: Vec<QueryText> = Vec::new();
        for (index, (number, line)) in input::lines(text).enumerate() {
            let query = match read(line, path, number) {
                Ok(query) => query,
                Err(problem) => {
                    problems.push(*problem);
                    continue;
                }
            };
            if index == 0 && is_header(&query) {
                continue;
            }
            if let Some(earlier) = lines.insert(query.id.clone(), number) {
                problems.push(
                    Problem::new(
                        Place::line(path, number).of(query.id),
                        format!("the id is taken by line {earlier} already"),
                    )
                    .hint("give every query an id of its own"),
                );
            } else {
                list.push(query);
            }
        }
        Error::unless_empty(problems)?;
        Ok(Self { path: path.to_owned(), list, warnings: Vec::new() })
    }
}

fn is_json(text: &str) -> bool {
    text.trim_start().starts_with('{')
}

/// Whether the first row of a table of queries is a title.
fn is_header(query: &QueryText) -> bool {
    let is = |text: &str, names: &[&str]| names.iter().any(|name| text.eq_ignore_ascii_case(name));
    is(&query.id, &["id", "_id", "qid", "query_id", "query-id", "topic"])
        && is(&query.text, &["text", "query", "question", "title"])
}

/// `id<tab>text`; quotes are part of the text, and so are further tabs.
fn from_tabs(line: &str, file: &Path, number: usize) -> Result<QueryText, Box<Problem>> {
    let place = Place::line(file, number);
    let Some((id, text)) = line.split_once('\t') else {
        return Err(Problem::new(place, "there is no tab between an id and a text")
            .hint("a file of queries holds `id<tab>text`, or JSON Lines with `_id` and `text`")
            .into());
    };
    let (id, text) = (id.trim(), text.trim());
    if id.is_empty() {
        return Err(Problem::new(place.field("id"), "the id is blank").into());
    }
    if text.is_empty() {
        return Err(Problem::new(place.of(id).field("text"), "the text is blank").into());
    }
    Ok(QueryText { id: id.to_owned(), text: text.to_owned(), metadata: BTreeMap::new(), line: number })
}

/// `{"_id": …, "text": …, "metadata": {…}}`; what else stands there belongs to other tools.
fn from_json(line: &str, file: &Path, number: usize) -> Result<QueryText, Box<Problem>> {
    let place = Place::line(file, number);
    let refuse = |place: Place, what: String| Box::new(Problem::new(place, what));
    let members = Json::parse(line, file, number)?.object().map_err(|what| refuse(place.clone(), what))?.list;
    let get = |names: &[&str]| {
        members
            .iter()
            .find(|(key, _)| names.contains(&key.as_str()))
            .map(|(key, value)| (key.as_str(), *value))
    };
    let Some((key, id)) = get(&["_id", "id"]) else {
        return Err(refuse(place.clone().field("_id"), "the query has no id".to_owned()));
    };
    let id = id.id().map_err(|what| refuse(place.clone().field(key), what))?;
    let place = place.of(&id);
    let Some((key, text)) = get(&["text", "query", "question"]) else {
        return Err(refuse(place.field("text"), "the query has no text".to_owned()));
    };
    let text = text.text().map_err(|what| refuse(place.clone().field(key), what))?;
    let metadata = get(&["metadata"]).and_then(|(_, value)| value.object().ok()).unwrap_or_default();
    let metadata =
        metadata.list.into_iter().filter_map(|(name, value)| Some((name, value.scalar()?))).collect();
    Ok(QueryText { id, text, metadata, line: number })
}

/// Further fields per query, by its id.
#[derive(Debug, Default)]
pub(super) struct Attributes {
    /// The line and the filled cells by title.
    queries: BTreeMap<String, (usize, Vec<(String, String)>)>,
    path: PathBuf,
    pub warnings: Vec<Problem>,
}

/// Fields that change how a case is scored. As attributes they would be hidden by the fields of the same name.
const OWN_FIELDS: [&str; 6] = ["id", "query", "answerable", "critical", "must_rank_within", "quarantine"];

impl Attributes {
    /// Reads a table whose first column is the query id.
    pub fn read(path: &Path) -> Result<Self> {
        let (text, warning) = table::text_of(path)?;
        let mut attributes = Self { path: path.to_owned(), ..Self::default() };
        attributes.warnings.extend(warning);
        let mut problems = Vec::new();
        let Some(table) = Table::parse(&text, path, &mut problems) else {
            return Err(Problem::new(Place::file(path), "no attributes")
                .hint("the first line names the columns, such as `qid`, `segment`, `language`")
                .into());
        };
        for title in table.header.cells.iter().skip(1).filter(|title| OWN_FIELDS.contains(&title.as_str())) {
            problems.push(
                Problem::new(Place::line(path, table.header.line).field(title), "not a field of this file")
                    .hint("qrels cannot carry it: use a golden file, or rename the column"),
            );
        }
        for row in &table.rows {
            let id = row.cell(0);
            let place = Place::line(path, row.line);
            if id.is_empty() {
                problems.push(Problem::new(place, "the query id in the first column is blank"));
                continue;
            }
            let cells = table.header.cells.iter().enumerate().skip(1);
            let filled = cells
                .map(|(column, title)| (title.clone(), row.cell(column).to_owned()))
                .filter(|(title, cell)| !title.is_empty() && !cell.is_empty())
                .collect();
            match attributes.queries.get(id) {
                Some((earlier, _)) => problems.push(Problem::new(
                    place.of(id),
                    format!("the query is described on line {earlier} already"),
                )),
                None => {
                    attributes.queries.insert(id.to_owned(), (row.line, filled));
                }
            }
        }
        Error::unless_empty(problems)?;
        Ok(attributes)
    }

    /// Hands the fields of a query over to its draft. What is left at the end belongs to no query.
    pub fn give(&mut self, draft: &mut Draft, list_separator: &str) {
        let Some((_, cells)) = self.queries.remove(&draft.id) else { return };
        for (title, cell) in cells {
            match title.as_str() {
                "tags" if list_separator.is_empty() => draft.tags.push(cell),
                "tags" => {
                    let tags = cell.split(list_separator).map(str::trim).filter(|tag| !tag.is_empty());
                    draft.tags.extend(tags.map(str::to_owned));
                }
                "source" => draft.source = Some(cell),
                _ => draft.attribute(&title, cell),
            }
        }
    }

    /// A warning for the queries that nothing else speaks of.
    pub fn leftovers(&self, is_known: impl Fn(&str) -> bool) -> Option<Problem> {
        let unknown: Vec<_> = self.queries.iter().filter(|(id, _)| !is_known(id)).collect();
        let (id, (line, _)) = unknown.iter().min_by_key(|(_, (line, _))| *line)?;
        let what = format!(
            "{} described here and judged nowhere, first this one",
            count(unknown.len(), "query is", "queries are")
        );
        Some(Problem::new(Place::line(&self.path, *line).of(*id), what))
    }
}

/// A number with its noun.
pub(super) fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}
