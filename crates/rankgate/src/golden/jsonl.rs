//! The own format: one JSON object a question, on lines of their own, in a list, or in a wrapper object.

use std::path::Path;

use super::Anchor;
use super::builder::{Builder, Draft, Label};
use super::json::{Json, Members};
use crate::error::nearest;
use crate::formats::input;
use crate::{Place, Problem};

/// The fields of a case that mean something.
const FIELDS: [&str; 22] = [
    "id",
    "_id",
    "query",
    "question",
    "expected",
    "expected_chunk_ids",
    "relevant_doc_ids",
    "target_chunk_id",
    "expected_doc_id",
    "relevance_score",
    "forbidden",
    "params",
    "category",
    "query_type",
    "tags",
    "source",
    "critical",
    "must_rank_within",
    "answerable",
    "quarantine",
    "attributes",
    "metadata",
];

/// What people and tools note beside a question: read over, in JSON and in tables. Any other unknown field is
/// taken for a slip of the pen.
pub(super) const ANNOTATIONS: [&str; 17] = [
    "answer",
    "expected_answer",
    "reference_answer",
    "reference",
    "comment",
    "comments",
    "note",
    "notes",
    "description",
    "rationale",
    "author",
    "created_by",
    "created_at",
    "updated_at",
    "reviewed_by",
    "reviewed_at",
    "version",
];

/// The fields of one entry of `expected`, of `any` and of `forbidden`.
const ANCHOR_FIELDS: [&str; 5] = ["chunk", "doc", "start", "end", "quote"];

/// Reads a whole text into the builder; gives the pinned embedding model, if there is one.
///
/// `lines` says that the name of the file promises JSON Lines. Otherwise a text is JSON Lines when its first line is
/// a value of its own.
pub(super) fn read(text: &str, file: &Path, lines: bool, builder: &mut Builder<'_>) -> Option<String> {
    let (number, first) = input::lines(text).next()?;
    let alone = Json::parse(first, file, number).ok();
    if let Some(members) = alone.and_then(|value| value.object().ok())
        && members.list.iter().any(|(key, _)| key == "queries" || key == "embedding_model_version")
    {
        return wrapper(members, text, file, builder);
    }
    // A list on one line is a document too.
    let is_lines = lines || alone.is_some_and(|value| value.object().is_ok());
    if is_lines && !first.trim_start().starts_with('[') {
        for (number, line) in input::lines(text) {
            match Json::parse(line, file, number) {
                Ok(value) => case(value, Place::line(file, number), builder),
                Err(problem) => builder.problems.push(*problem),
            }
        }
        return None;
    }
    let value = match Json::parse(text, file, 1) {
        Ok(value) => value,
        Err(problem) => {
            builder.problems.push(*problem);
            return None;
        }
    };
    if let Ok(members) = value.object() {
        return wrapper(members, text, file, builder);
    }
    cases(value, text, file, builder);
    None
}

/// `{"embedding_model_version": …, "queries": […]}`
fn wrapper(members: Members<'_>, text: &str, file: &Path, builder: &mut Builder<'_>) -> Option<String> {
    let mut model = None;
    let mut found = false;
    let refuse = |builder: &mut Builder<'_>, key: &str, what: String| {
        builder.problems.push(Problem::new(Place::file(file).field(key), what));
    };
    for key in &members.repeated {
        refuse(builder, key, "the field is given twice".to_owned());
    }
    for (key, value) in members.list {
        match key.as_str() {
            "queries" => {
                found = true;
                cases(value, text, file, builder);
            }
            "embedding_model_version" if value.is_null() => {}
            "embedding_model_version" => match value.text() {
                Ok(version) => model = Some(version),
                Err(what) => refuse(builder, &key, what),
            },
            "name" | "metadata" => {}
            key if ANNOTATIONS.contains(&key) => {}
            key => {
                let near = nearest(key, ["queries", "embedding_model_version", "name", "metadata"]);
                let hint = near.map(|near| format!(": did you mean `{near}`?")).unwrap_or_default();
                refuse(builder, key, format!("unknown field of the golden set{hint}"));
            }
        }
    }
    if !found {
        refuse(builder, "queries", "the list of questions is missing".to_owned());
    }
    model
}

/// The cases of a list. Lines are counted on from case to case: offsets only grow.
fn cases(list: Json<'_>, text: &str, file: &Path, builder: &mut Builder<'_>) {
    let (mut line, mut counted) = (1, 0);
    let mut line_of = |value: Json<'_>| {
        let offset = value.offset_in(text);
        line +=
            text.as_bytes().get(counted..offset).into_iter().flatten().filter(|byte| **byte == b'\n').count();
        counted = offset;
        line
    };
    let first = Place::line(file, line_of(list));
    match list.list() {
        Ok(values) => {
            for value in values {
                let place = Place::line(file, line_of(value));
                case(value, place, builder);
            }
        }
        Err(what) => builder.problems.push(Problem::new(first, what)),
    }
}

/// Reads one case; what is wrong with a field is reported, and the case is then only good for its id.
fn case(value: Json<'_>, place: Place, builder: &mut Builder<'_>) {
    let members = match value.object() {
        Ok(members) => members,
        Err(what) => return builder.problems.push(Problem::new(place, what)),
    };
    let get = |name: &str| members.list.iter().find(|(key, _)| key == name).map(|(_, value)| *value);
    let id = match get("id").or_else(|| get("_id")) {
        Some(id) => id.id(),
        None => Err("the question has no id".to_owned()),
    };
    let id = match id {
        Ok(id) => id,
        Err(what) => {
            let problem = Problem::new(place.field("id"), what);
            return builder
                .problems
                .push(problem.hint("an id is a string or a whole number, such as \"q1\""));
        }
    };
    let mut fields = Fields { place: place.of(&id), problems: Vec::new() };
    let mut draft = Draft { id, place: fields.place.clone(), ..Draft::default() };
    for key in &members.repeated {
        fields.refuse(key, "the field is given twice");
    }
    for [name, alias] in [["id", "_id"], ["query", "question"], ["category", "query_type"]] {
        if get(name).is_some() && get(alias).is_some() {
            fields.refuse(alias, format!("`{name}` is given too"));
        }
    }
    if get("query").or_else(|| get("question")).is_none() {
        fields.refuse("query", "the question has no text");
    }
    for (key, value) in &members.list {
        fields.read(key, *value, &mut draft);
    }
    fields.target(&get, &mut draft);
    draft.damaged = !fields.problems.is_empty();
    builder.problems.append(&mut fields.problems);
    builder.add(draft);
}

/// Reads the fields of one case and gathers their problems.
struct Fields {
    place: Place,
    problems: Vec<Problem>,
}

impl Fields {
    fn refuse(&mut self, field: &str, what: impl Into<String>) {
        self.problems.push(Problem::new(self.place.clone().field(field), what));
    }

    fn keep<T>(&mut self, field: &str, value: Result<T, String>) -> Option<T> {
        value.map_err(|what| self.refuse(field, what)).ok()
    }

    /// A field that may also be `null`.
    fn optional<'j, T>(
        &mut self,
        field: &str,
        value: Json<'j>,
        read: impl Fn(Json<'j>) -> Result<T, String>,
    ) -> Option<T> {
        if value.is_null() { None } else { self.keep(field, read(value)) }
    }

    /// The items of a list, each with the name of its place.
    fn items<'j>(&mut self, field: &str, value: Json<'j>) -> Vec<(String, Json<'j>)> {
        let items = self.keep(field, value.list()).unwrap_or_default();
        items.into_iter().enumerate().map(|(index, item)| (format!("{field}[{index}]"), item)).collect()
    }

    fn read(&mut self, key: &str, value: Json<'_>, draft: &mut Draft) {
        match key {
            "query" | "question" => draft.query = self.keep(key, value.text()).unwrap_or_default(),
            "expected" => {
                for (field, item) in self.items(key, value) {
                    let label = self.label(field, item);
                    draft.labels.extend(label);
                }
            }
            "expected_chunk_ids" => self.plain(key, value, draft, |id| Anchor::Chunk { id, doc: None }),
            "relevant_doc_ids" => self.plain(key, value, draft, |id| Anchor::Document { id }),
            "forbidden" => {
                for (field, item) in self.items(key, value) {
                    let anchor = self.keep(&field, item.anchor()).and_then(|members| {
                        self.known(&field, &members, &ANCHOR_FIELDS);
                        self.anchor(&field, &members)
                    });
                    draft.forbidden.extend(anchor);
                }
            }
            "params" => {
                let params = self.optional(key, value, |value| match value.value()? {
                    serde_json::Value::Object(params) => Ok(params),
                    _ => Err("an object is wanted here, such as {\"tenant\": \"acme\"}".to_owned()),
                });
                draft.params = params.unwrap_or_default();
            }
            "category" | "query_type" => {
                if let Some(category) = self.optional(key, value, Json::id) {
                    draft.category = Some(category);
                }
            }
            "tags" if !value.is_null() => {
                for (field, item) in self.items(key, value) {
                    let tag = self.keep(&field, item.id());
                    draft.tags.extend(tag);
                }
            }
            "source" => draft.source = self.optional(key, value, Json::text),
            "critical" => draft.critical = self.optional(key, value, Json::boolean).unwrap_or(false),
            "must_rank_within" => {
                draft.must_rank_within = self.optional(key, value, |value| match value.count()? {
                    0 => Err("ranks count from 1".to_owned()),
                    rank => Ok(rank),
                });
            }
            "answerable" => draft.unanswerable = self.optional(key, value, Json::boolean) == Some(false),
            "quarantine" => {
                draft.quarantine = self.optional(key, value, |value| {
                    value.text().map_err(|what| format!("a reason is wanted here: {what}"))
                });
            }
            "attributes" => self.attributes(key, value, draft),
            "metadata" => {
                // Other people's notes: what is plain can be sliced by, the rest is none of ours.
                for (name, value) in value.object().unwrap_or_default().list {
                    if let Some(value) = value.scalar() {
                        draft.attribute(&name, value);
                    }
                }
            }
            // Read by `target`, all three together.
            "target_chunk_id" | "expected_doc_id" | "relevance_score" => {}
            key if FIELDS.contains(&key) || ANNOTATIONS.contains(&key) => {}
            key => {
                let problem = Problem::new(self.place.clone().field(key), "unknown field");
                self.problems.push(match nearest(key, FIELDS) {
                    Some(near) => problem.hint(format!("did you mean `{near}`?")),
                    None => problem.hint("put fields of your own under `attributes` or `metadata`"),
                });
            }
        }
    }

    fn attributes(&mut self, key: &str, value: Json<'_>, draft: &mut Draft) {
        if value.is_null() {
            return;
        }
        let members = self.keep(key, value.object()).unwrap_or_default();
        for (name, value) in members.list {
            match value.scalar() {
                Some(value) => draft.attribute(&name, value),
                None if value.is_null() => {}
                None => self
                    .refuse(&format!("{key}.{name}"), "an attribute is a string, a number, or true or false"),
            }
        }
    }

    /// A list of ids, each a need of grade 1.
    fn plain(&mut self, key: &str, value: Json<'_>, draft: &mut Draft, anchor: impl Fn(String) -> Anchor) {
        for (field, item) in self.items(key, value) {
            if let Some(id) = self.keep(&field, item.id()) {
                draft.labels.push(Label { grade: 1, alternatives: vec![anchor(id)], field });
            }
        }
    }

    /// `target_chunk_id` with `expected_doc_id` as its hint, or the document alone, with the grade of both.
    fn target<'j>(&mut self, get: &impl Fn(&str) -> Option<Json<'j>>, draft: &mut Draft) {
        let mut id = |field: &str| get(field).and_then(|value| self.keep(field, value.id()));
        let (chunk, doc) = (id("target_chunk_id"), id("expected_doc_id"));
        let grade =
            get("relevance_score").and_then(|value| self.optional("relevance_score", value, Json::count));
        let (anchor, field) = match (chunk, doc) {
            (Some(id), doc) => (Anchor::Chunk { id, doc }, "target_chunk_id"),
            (None, Some(id)) => (Anchor::Document { id }, "expected_doc_id"),
            (None, None) => {
                if grade.is_some() {
                    self.refuse(
                        "relevance_score",
                        "it grades `target_chunk_id` or `expected_doc_id`, and there is neither",
                    );
                }
                return;
            }
        };
        draft.labels.push(Label {
            grade: grade.unwrap_or(1),
            alternatives: vec![anchor],
            field: field.to_owned(),
        });
    }

    fn known(&mut self, field: &str, members: &Members<'_>, known: &[&str]) {
        for key in &members.repeated {
            self.refuse(&format!("{field}.{key}"), "the field is given twice");
        }
        for (key, _) in members.list.iter().filter(|(key, _)| !known.contains(&key.as_str())) {
            let mut problem =
                Problem::new(self.place.clone().field(format!("{field}.{key}")), "unknown field");
            problem.hint = Some(match nearest(key, known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("known here are {}", known.join(", ")),
            });
            self.problems.push(problem);
        }
    }

    /// One entry of `expected`: an anchor or `any` of several, with a grade.
    fn label(&mut self, field: String, value: Json<'_>) -> Option<Label> {
        let members = self.keep(&field, value.anchor())?;
        let get = |name: &str| members.list.iter().find(|(key, _)| key == name).map(|(_, value)| *value);
        let grade = match get("grade") {
            Some(grade) => self.keep(&format!("{field}.grade"), grade.count())?,
            None => 1,
        };
        let Some(any) = get("any") else {
            self.known(&field, &members, &["chunk", "doc", "start", "end", "quote", "grade", "any"]);
            let anchor = self.anchor(&field, &members)?;
            return Some(Label { grade, alternatives: vec![anchor], field });
        };
        self.known(&field, &members, &["any", "grade"]);
        let before = self.problems.len();
        let mut alternatives = Vec::new();
        for (field, item) in self.items(&format!("{field}.any"), any) {
            let Some(members) = self.keep(&field, item.anchor()) else { continue };
            self.known(&field, &members, &ANCHOR_FIELDS);
            alternatives.extend(self.anchor(&field, &members));
        }
        if alternatives.is_empty() && self.problems.len() == before {
            self.refuse(&format!("{field}.any"), "there is no alternative");
        }
        (!alternatives.is_empty()).then_some(Label { grade, alternatives, field })
    }

    /// The anchor that an object spells: a chunk, a span, a quote or a document.
    fn anchor(&mut self, field: &str, members: &Members<'_>) -> Option<Anchor> {
        let before = self.problems.len();
        let get = |name: &str| members.list.iter().find(|(key, _)| key == name).map(|(_, value)| *value);
        let mut id =
            |name: &str| get(name).and_then(|value| self.keep(&format!("{field}.{name}"), value.id()));
        let (chunk, doc) = (id("chunk"), id("doc"));
        let quote = get("quote").and_then(|value| self.keep(&format!("{field}.quote"), value.text()));
        let mut offset =
            |name: &str| get(name).and_then(|value| self.keep(&format!("{field}.{name}"), value.count()));
        let (start, end) = (offset("start"), offset("end"));
        if self.problems.len() > before {
            return None;
        }
        Anchor::from_parts(chunk, doc, start, end, quote).map_err(|what| self.refuse(field, what)).ok()
    }
}
