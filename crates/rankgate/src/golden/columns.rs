//! Golden sets in tables: CSV and TSV with a column map.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use super::Anchor;
use super::builder::{Builder, Draft, Label};
use super::jsonl::ANNOTATIONS;
use super::table::{Row, Table};
use crate::config::GoldenSettings;
use crate::error::nearest;
use crate::formats::qrels::whole_number;
use crate::{Place, Problem};

/// The fields that a column can hold, each with the titles that mean it when no map is given.
const FIELDS: [(&str, &[&str]); 16] = [
    ("id", &["id", "_id"]),
    ("query", &["query", "question"]),
    ("chunk", &["chunk", "expected_chunk_ids", "target_chunk_id"]),
    ("doc", &["doc", "relevant_doc_ids", "expected_doc_id"]),
    ("start", &["start"]),
    ("end", &["end"]),
    ("quote", &["quote"]),
    ("grade", &["grade", "relevance_score"]),
    ("forbidden", &["forbidden"]),
    ("category", &["category", "query_type"]),
    ("tags", &["tags"]),
    ("source", &["source"]),
    ("critical", &["critical"]),
    ("must_rank_within", &["must_rank_within"]),
    ("answerable", &["answerable"]),
    ("quarantine", &["quarantine"]),
];

/// Which column holds which field.
type Map = BTreeMap<String, usize>;

/// Reads a text into the builder.
pub(super) fn read(text: &str, file: &Path, settings: &GoldenSettings, builder: &mut Builder<'_>) {
    let Some(table) = Table::parse(text, file, &mut builder.problems) else { return };
    let place = Place::line(file, table.header.line);
    let before = builder.problems.len();
    let map = if settings.columns.is_empty() {
        by_title(&table, &place, builder)
    } else {
        by_settings(&table, settings, &place, builder)
    };
    if !map.contains_key("query") && builder.problems.len() == before {
        let titles = table.header.cells.join(", ");
        builder.problems.push(
            Problem::new(place.clone().field("query"), "no column holds the questions").hint(format!(
                "name it, such as `columns = {{ query = \"Question\" }}`; the columns are {titles}"
            )),
        );
    }
    if builder.problems.len() > before {
        return;
    }
    if !map.contains_key("id") {
        builder.warn(
            Problem::new(place, "no column holds ids: questions are called by their lines, `row2`")
                .hint("add a column `id`, or a question that moves to another line counts as a new one"),
        );
    }
    let separator = settings.list_separator.as_str();
    for row in &table.rows {
        let cells =
            Cells { row, map: &map, separator, place: Place::line(file, row.line), problems: Vec::new() };
        cells.read(builder);
    }
}

/// What a name starts with that is an attribute for certain, however near it is to a field.
const ATTRIBUTE: &str = "attributes.";

/// The field that a name of the map nearly is, or that it is called by elsewhere.
fn misspelt(name: &str) -> Option<&'static str> {
    if FIELDS.iter().any(|(field, _)| *field == name)
        || name.starts_with(ATTRIBUTE)
        || name.starts_with("params.")
    {
        return None;
    }
    let names = FIELDS.iter().flat_map(|(field, titles)| titles.iter().chain([field]).copied());
    let near = nearest(name, names)?;
    FIELDS.iter().find(|(field, titles)| *field == near || titles.contains(&near)).map(|(field, _)| *field)
}

/// The map as the settings give it. Every column named there must exist, and no name may be one that only looks like
/// a field.
fn by_settings(table: &Table, settings: &GoldenSettings, place: &Place, builder: &mut Builder<'_>) -> Map {
    let mut map = Map::new();
    for (field, title) in &settings.columns {
        if let Some(near) = misspelt(field) {
            let place = Place::default().field(format!("golden.columns.{field}"));
            builder.problems.push(Problem::new(place, format!("`{field}` is no field")).hint(format!(
                "did you mean `{near}`? To keep the column as an attribute, write `\"{ATTRIBUTE}{field}\"`"
            )));
            continue;
        }
        match table.column(title) {
            Ok(column) => {
                map.insert(field.clone(), column);
            }
            Err((what, hint)) => {
                builder.problems.push(Problem::new(place.clone().field(field), what).hint(hint));
            }
        }
    }
    map
}

/// The map that the titles speak for themselves. A title that means no field is an attribute; one that nearly means
/// a field is called out.
fn by_title(table: &Table, place: &Place, builder: &mut Builder<'_>) -> Map {
    let mut map = Map::new();
    for (column, title) in table.header.cells.iter().enumerate().filter(|(_, title)| !title.is_empty()) {
        let plain = title.to_lowercase().replace(' ', "_");
        if ANNOTATIONS.contains(&plain.as_str()) {
            continue;
        }
        let known = FIELDS.iter().find(|(_, titles)| titles.contains(&plain.as_str()));
        let field = match known {
            Some((field, _)) => (*field).to_owned(),
            None => title.clone(),
        };
        if known.is_none()
            && let Some(near) = nearest(&plain, FIELDS.iter().flat_map(|(_, titles)| *titles).copied())
        {
            builder.warn(
                Problem::new(place.clone().field(title), "the column is kept as an attribute")
                    .hint(format!("did you mean `{near}`?")),
            );
        }
        if map.insert(field.clone(), column).is_some() {
            builder.problems.push(
                Problem::new(place.clone().field(title), format!("two columns mean `{field}`"))
                    .hint("say which under `[golden] columns`"),
            );
        }
    }
    map
}

/// One row on its way to a draft.
struct Cells<'a> {
    row: &'a Row,
    map: &'a Map,
    separator: &'a str,
    place: Place,
    problems: Vec<Problem>,
}

impl Cells<'_> {
    fn read(mut self, builder: &mut Builder<'_>) {
        let id = match self.map.get("id") {
            None => format!("row{}", self.row.line),
            Some(_) if self.one("id").is_empty() => {
                let problem = Problem::new(self.place.field("id"), "the question has no id");
                return builder.problems.push(problem);
            }
            Some(_) => self.one("id").to_owned(),
        };
        self.place = self.place.of(&id);
        let mut draft = Draft { id, query: self.one("query").to_owned(), ..Draft::default() };
        if draft.query.is_empty() {
            self.refuse("query", "the question has no text");
        }
        draft.labels = self.labels();
        draft.forbidden =
            self.many("forbidden").into_iter().map(|id| Anchor::Chunk { id, doc: None }).collect();
        draft.tags = self.many("tags");
        draft.category = self.filled("category");
        draft.source = self.filled("source");
        draft.quarantine = self.filled("quarantine");
        draft.critical = self.boolean("critical").unwrap_or(false);
        draft.unanswerable = self.boolean("answerable") == Some(false);
        draft.must_rank_within = self.numbers("must_rank_within").first().copied();
        if draft.must_rank_within == Some(0) {
            self.refuse("must_rank_within", "ranks count from 1");
        }
        for (name, column) in
            self.map.iter().filter(|(name, _)| !FIELDS.iter().any(|(field, _)| field == name))
        {
            let cell = self.row.cell(*column);
            match name.strip_prefix("params.") {
                _ if cell.is_empty() => {}
                Some(param) => {
                    draft.params.insert(param.to_owned(), Value::from(cell));
                }
                None => draft.attribute(name.strip_prefix(ATTRIBUTE).unwrap_or(name), cell.to_owned()),
            }
        }
        draft.place = self.place;
        draft.damaged = !self.problems.is_empty();
        builder.problems.append(&mut self.problems);
        builder.add(draft);
    }

    fn refuse(&mut self, field: &str, what: impl Into<String>) {
        self.problems.push(Problem::new(self.place.clone().field(field), what));
    }

    fn one(&self, field: &str) -> &str {
        self.map.get(field).map_or("", |column| self.row.cell(*column))
    }

    fn filled(&self, field: &str) -> Option<String> {
        Some(self.one(field)).filter(|cell| !cell.is_empty()).map(str::to_owned)
    }

    /// The values of a cell.
    fn many(&self, field: &str) -> Vec<String> {
        let cell = self.one(field);
        let parts: Vec<&str> =
            if self.separator.is_empty() { vec![cell] } else { cell.split(self.separator).collect() };
        parts.into_iter().map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect()
    }

    fn numbers<T: TryFrom<i64>>(&mut self, field: &str) -> Vec<T> {
        let mut numbers = Vec::new();
        for part in self.many(field) {
            match whole_number(&part)
                .filter(|number| *number >= 0)
                .and_then(|number| T::try_from(number).ok())
            {
                Some(number) => numbers.push(number),
                None => {
                    self.refuse(field, format!("a whole number of 0 or more is wanted here, not `{part}`"));
                }
            }
        }
        numbers
    }

    fn boolean(&mut self, field: &str) -> Option<bool> {
        let cell = self.one(field).to_lowercase();
        match cell.as_str() {
            "" => None,
            "yes" | "y" | "true" | "1" | "x" => Some(true),
            "no" | "n" | "false" | "0" => Some(false),
            _ => {
                self.refuse(field, format!("yes or no is wanted here, not `{cell}`"));
                None
            }
        }
    }

    /// The labels of the row: its chunks, or its spans and quotes, or its documents.
    fn labels(&mut self) -> Vec<Label> {
        let before = self.problems.len();
        let (chunks, docs, quotes) = (self.many("chunk"), self.many("doc"), self.many("quote"));
        let (starts, ends) = (self.numbers::<usize>("start"), self.numbers::<usize>("end"));
        let grades = self.numbers::<u32>("grade");
        if self.problems.len() > before {
            return Vec::new();
        }
        let pieces =
            [&chunks, &quotes].map(Vec::len).into_iter().max().unwrap_or(0).max(starts.len()).max(ends.len());
        let of_documents = pieces == 0;
        let count = if of_documents { docs.len() } else { pieces };
        for (field, length, shared) in [
            ("chunk", chunks.len(), false),
            ("quote", quotes.len(), false),
            ("start", starts.len(), false),
            ("end", ends.len(), false),
            ("doc", docs.len(), !of_documents),
            ("grade", grades.len(), true),
        ] {
            if !(length == 0 || length == count || shared && length == 1) {
                self.refuse(
                    field,
                    format!(
                        "{length} {} here, and {count} pieces of evidence in the row",
                        if length == 1 { "value" } else { "values" }
                    ),
                );
            }
        }
        if self.problems.len() > before {
            return Vec::new();
        }
        let mut labels = Vec::with_capacity(count);
        for index in 0..count {
            let anchor = Anchor::from_parts(
                chunks.get(index).cloned(),
                shared(&docs, index).cloned(),
                starts.get(index).copied(),
                ends.get(index).copied(),
                quotes.get(index).cloned(),
            );
            match anchor {
                Ok(anchor) => labels.push(Label {
                    grade: shared(&grades, index).copied().unwrap_or(1),
                    alternatives: vec![anchor],
                    field: "expected".to_owned(),
                }),
                Err(what) => self.refuse("expected", what),
            }
        }
        labels
    }
}

/// The value at an index, or the only one there is.
fn shared<T>(values: &[T], index: usize) -> Option<&T> {
    values.get(if values.len() == 1 { 0 } else { index })
}
