//! What each key may hold, read from the JSON Schema, and the check of a value against it.

use serde_json::Value as Json;
use toml::Value;

use super::fault::{Fault, any_of};
use super::retriever::{COMMON, KINDS};
use super::schema::{TABLES, schema};
use crate::error::nearest;

/// A key that a table may have.
#[derive(Debug, Clone)]
pub(super) struct KeySpec {
    pub(super) name: String,
    pub(super) accepts: Accepts,
    /// What holds unless it is set; none for a key that is simply absent then.
    pub(super) default: Option<Value>,
    pub(super) required: bool,
}

/// What a value may be.
#[derive(Debug, Clone)]
pub(super) enum Accepts {
    Text { may_be_empty: bool },
    Path,
    Whole { min: i64, max: i64 },
    Number { above: f64, max: f64 },
    Truth,
    Choice(Vec<String>),
    List(Box<Accepts>),
    Tuple(Vec<Accepts>),
    Map(Box<Accepts>),
    Table(Vec<KeySpec>),
    Either(Vec<Accepts>),
}

/// The whole file, as it is with a retriever of this kind; of any kind if none is named.
pub(super) fn root(kind: Option<&str>) -> Vec<KeySpec> {
    let mut schema = schema();
    if let Some(retriever) = schema.pointer_mut("/properties/retriever") {
        *retriever = merged_kinds(retriever, kind);
    }
    let Accepts::Table(mut keys) = Accepts::from(&schema) else { return Vec::new() };
    // JSON objects have no order of their own: the structs give it back.
    for (path, part) in TABLES {
        if let Some(table) = table_mut(&mut keys, path) {
            reorder(table, part.fields());
        }
    }
    if let Some(table) = table_mut(&mut keys, &["retriever"]) {
        let parts = KINDS.iter().flat_map(|kind| kind.parts).chain([&COMMON]);
        let fields = parts.flat_map(|part| part.fields().iter().copied());
        let order: Vec<_> = ["kind"].into_iter().chain(fields).collect();
        reorder(table, &order);
    }
    reorder(&mut keys, &["name", "golden", "corpus", "retriever", "measures", "gate"]);
    keys
}

/// The branches of `[retriever]` as one object: that of the kind, or all of them.
fn merged_kinds(retriever: &Json, kind: Option<&str>) -> Json {
    let mut merged = serde_json::json!({ "type": "object", "required": ["kind"], "properties": {} });
    let branches = retriever.get("oneOf").and_then(Json::as_array).into_iter().flatten();
    for branch in
        branches.filter(|branch| kind.is_none() || branch.get("title").and_then(Json::as_str) == kind)
    {
        if let (Some(Json::Object(all)), Some(Json::Object(own))) =
            (merged.get_mut("properties"), branch.get("properties"))
        {
            all.extend(own.clone());
        }
        if let (Some(_), Some(required), Some(own)) =
            (kind, merged.get_mut("required"), branch.get("required"))
        {
            *required = own.clone();
        }
    }
    let names: Vec<_> = KINDS.iter().map(|kind| kind.name).collect();
    if let Some(kind) = merged.pointer_mut("/properties/kind") {
        *kind = serde_json::json!({ "enum": names });
    }
    merged
}

fn table_mut<'a>(keys: &'a mut Vec<KeySpec>, path: &[&str]) -> Option<&'a mut Vec<KeySpec>> {
    let Some((first, rest)) = path.split_first() else { return Some(keys) };
    match keys.iter_mut().find(|key| key.name == *first).map(|key| &mut key.accepts) {
        Some(Accepts::Table(inner)) => table_mut(inner, rest),
        _ => None,
    }
}

fn reorder(keys: &mut [KeySpec], order: &[&str]) {
    keys.sort_by_key(|key| order.iter().position(|name| *name == key.name).unwrap_or(order.len()));
}

impl Accepts {
    /// What a schema accepts. Whatever the schemas of this module do not use counts as text.
    fn from(schema: &Json) -> Self {
        if let Some(constants) = constants(schema) {
            return Self::Choice(constants);
        }
        if let Some(branches) = schema.get("anyOf").and_then(Json::as_array) {
            return Self::Either(branches.iter().map(Self::from).collect());
        }
        let number = |word: &str| schema.get(word).and_then(Json::as_f64);
        match schema.get("type").and_then(Json::as_str).unwrap_or_default() {
            "integer" => {
                let whole = |word: &str| schema.get(word).and_then(Json::as_i64);
                Self::Whole {
                    min: whole("minimum").unwrap_or(i64::MIN),
                    max: whole("maximum").unwrap_or(i64::MAX),
                }
            }
            "number" => Self::Number {
                above: number("exclusiveMinimum").unwrap_or(f64::NEG_INFINITY),
                max: number("maximum").unwrap_or(f64::INFINITY),
            },
            "boolean" => Self::Truth,
            "array" => match schema.get("items") {
                Some(Json::Array(items)) => Self::Tuple(items.iter().map(Self::from).collect()),
                Some(item) => Self::List(Box::new(Self::from(item))),
                None => Self::List(Box::new(Self::Text { may_be_empty: true })),
            },
            "object" => Self::object(schema),
            _ if schema.get("format").and_then(Json::as_str) == Some("path") => Self::Path,
            _ => Self::Text { may_be_empty: schema.get("minLength").is_none() },
        }
    }

    fn object(schema: &Json) -> Self {
        let Some(properties) = schema.get("properties").and_then(Json::as_object) else {
            let value = schema.get("additionalProperties").unwrap_or(&Json::Null);
            return Self::Map(Box::new(Self::from(value)));
        };
        let required = schema.get("required").and_then(Json::as_array);
        let keys = properties.iter().map(|(name, property)| KeySpec {
            name: name.clone(),
            accepts: Self::from(property),
            default: property.get("default").and_then(|default| Value::try_from(default).ok()),
            required: required.is_some_and(|names| names.iter().any(|required| required == name)),
        });
        Self::Table(keys.collect())
    }

    /// The value that a text outside any file stands for (a variable, `--set`): TOML where it is TOML of the right
    /// type, the text itself where text is wanted or nothing else fits.
    pub(super) fn read(&self, text: &str) -> Value {
        let parsed = toml::de::ValueDeserializer::parse(text)
            .ok()
            .and_then(|parsed| <Value as serde::Deserialize>::deserialize(parsed).ok());
        match (self, parsed) {
            (Self::Text { .. } | Self::Path | Self::Choice(_), Some(Value::String(unquoted))) => {
                Value::String(unquoted)
            }
            (Self::Text { .. } | Self::Path | Self::Choice(_), _) | (_, None) => {
                Value::String(text.to_owned())
            }
            (_, Some(value)) => value,
        }
    }

    /// The value in the one spelling that equal values share.
    pub(super) fn canonical(&self, value: &Value) -> Value {
        match (self, value) {
            #[expect(clippy::cast_precision_loss, reason = "settings are small numbers")]
            (Self::Number { .. }, Value::Integer(whole)) => Value::Float(*whole as f64),
            _ => value.clone(),
        }
    }

    /// Everything that is wrong with a value. It is judged by its `value`, and shown as it was `written`.
    pub(super) fn check(&self, key: &str, value: &Value, written: &Value, faults: &mut Vec<Fault>) {
        match (self, value) {
            (Self::Text { may_be_empty: true } | Self::Path, Value::String(_))
            | (Self::Truth, Value::Boolean(_)) => {}
            (Self::Text { .. }, Value::String(text)) if !text.is_empty() => {}
            (Self::Whole { min, max }, Value::Integer(whole)) if (min..=max).contains(&whole) => {}
            (Self::Number { above, max }, Value::Float(number))
                if number.is_finite() && number > above && number <= max => {}
            (Self::Number { .. }, Value::Integer(_)) => {
                let as_float = self.canonical(value);
                self.check(key, &as_float, written, faults);
            }
            (Self::Choice(names), Value::String(text)) if names.contains(text) => {}
            (Self::Choice(names), Value::String(_)) => {
                let mut fault = self.mismatch(key, written);
                fault.hint = written
                    .as_str()
                    .and_then(|text| nearest(text, names.iter().map(String::as_str)))
                    .map(|name| format!("did you mean `{name}`?"));
                faults.push(fault);
            }
            (Self::List(item), Value::Array(values)) => {
                for (index, value) in values.iter().enumerate() {
                    item.check(&format!("{key}[{index}]"), value, part(written, index), faults);
                }
            }
            (Self::Tuple(items), Value::Array(values)) if items.len() == values.len() => {
                for (index, (item, value)) in items.iter().zip(values).enumerate() {
                    item.check(&format!("{key}[{index}]"), value, part(written, index), faults);
                }
            }
            (Self::Map(item), Value::Table(entries)) => {
                for (name, value) in entries {
                    item.check(&format!("{key}.{name}"), value, part(written, name), faults);
                }
            }
            (Self::Table(keys), Value::Table(entries)) => check_table(keys, key, entries, written, faults),
            (Self::Either(branches), _) => {
                // The branch of the value's own shape tells most about it.
                let shaped = |branch: &&Self| {
                    matches!(
                        (branch, value),
                        (Self::Table(_), Value::Table(_)) | (Self::Text { .. }, Value::String(_))
                    )
                };
                match branches.iter().find(shaped) {
                    Some(branch) => branch.check(key, value, written, faults),
                    None => faults.push(self.mismatch(key, written)),
                }
            }
            _ => faults.push(self.mismatch(key, written)),
        }
    }

    fn mismatch(&self, key: &str, written: &Value) -> Fault {
        let mut shown = text(written);
        if let Some((cut, _)) = shown.char_indices().nth(SHOWN) {
            shown.truncate(cut);
            shown.push_str("...");
        }
        Fault::new(key, format!("`{key}` must be {}, not {shown}", self.wanted()))
    }

    /// What is accepted, in words.
    pub(super) fn wanted(&self) -> String {
        match self {
            Self::Text { may_be_empty: true } => "a string".into(),
            Self::Text { may_be_empty: false } => "a string that is not empty".into(),
            Self::Path => "a path".into(),
            Self::Whole { min: i64::MIN, max: i64::MAX } => "a whole number".into(),
            Self::Whole { min, max: i64::MAX } => format!("a whole number, {min} or more"),
            Self::Whole { min, max } => format!("a whole number from {min} to {max}"),
            Self::Number { above, max } if above.is_finite() && max.is_finite() => {
                format!("a number above {above} and at most {max}")
            }
            Self::Number { .. } => "a number".into(),
            Self::Truth => "`true` or `false`".into(),
            Self::Choice(names) => any_of(names.iter().map(String::as_str)),
            Self::List(item) => format!("a list, each {}", item.wanted()),
            Self::Tuple(items) => {
                let first = items.first().map(Self::wanted).unwrap_or_default();
                format!("a list of {} values, each {first}", items.len())
            }
            Self::Map(item) => format!("a table, each value {}", item.wanted()),
            Self::Table(keys) => {
                format!(
                    "a table with {}",
                    any_of(keys.iter().map(|key| key.name.as_str())).replace(" or ", " and ")
                )
            }
            Self::Either(branches) => branches.iter().map(Self::wanted).collect::<Vec<_>>().join(", or "),
        }
    }
}

/// A table inside a value, such as one rule of a list. (The tables of the file are taken apart before.)
fn check_table(keys: &[KeySpec], at: &str, entries: &toml::Table, written: &Value, faults: &mut Vec<Fault>) {
    for (name, value) in entries {
        let key = format!("{at}.{name}");
        if let Some(spec) = keys.iter().find(|spec| spec.name == *name) {
            spec.accepts.check(&key, value, part(written, name), faults);
        } else {
            faults.push(Fault {
                hint: Some(suggestion(name, keys)),
                ..Fault::new(&key, format!("unknown key `{key}`")).at_key()
            });
        }
    }
    for missing in keys.iter().filter(|spec| spec.required && !entries.contains_key(&spec.name)) {
        faults.push(Fault::new(at, format!("`{at}` lacks `{}`", missing.name)));
    }
}

/// What an unknown key may have been meant to be.
pub(super) fn suggestion(name: &str, keys: &[KeySpec]) -> String {
    match nearest(name, keys.iter().map(|key| key.name.as_str())) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!(
            "the keys are {}",
            any_of(keys.iter().map(|key| key.name.as_str())).replace(" or ", " and ")
        ),
    }
}

/// How much of a value a message shows.
const SHOWN: usize = 40;

/// The part of a value at an index, or the value where it has none.
fn part(value: &Value, index: impl toml::value::Index) -> &Value {
    value.get(index).unwrap_or(value)
}

/// A value as one line of TOML.
pub(super) fn text(value: &Value) -> String {
    match value {
        Value::String(string) => string_text(string),
        Value::Array(items) => format!("[{}]", items.iter().map(text).collect::<Vec<_>>().join(", ")),
        Value::Table(entries) if entries.is_empty() => "{}".into(),
        Value::Table(entries) => {
            let entry = |(key, value): (&String, &Value)| {
                format!("{} = {}", super::key::dotted(std::slice::from_ref(key)), text(value))
            };
            format!("{{ {} }}", entries.iter().map(entry).collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}

/// A string as one line of TOML: without escapes if it can be.
pub(super) fn string_text(string: &str) -> String {
    let plain = !string.chars().any(char::is_control);
    if plain && string.contains(['\\', '"']) && !string.contains('\'') {
        return format!("'{string}'");
    }
    let mut out = String::from("\"");
    for c in string.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => out.extend(format!("\\u{:04x}", u32::from(c)).chars()),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// The strings that a schema lists, if it lists its values.
fn constants(schema: &Json) -> Option<Vec<String>> {
    if let Some(Json::String(only)) = schema.get("const") {
        return Some(vec![only.clone()]);
    }
    if let Some(Json::Array(listed)) = schema.get("enum") {
        return Some(listed.iter().filter_map(Json::as_str).map(String::from).collect());
    }
    let branches = schema.get("oneOf")?.as_array()?;
    branches.iter().map(constants).collect::<Option<Vec<_>>>().map(|lists| lists.concat())
}
