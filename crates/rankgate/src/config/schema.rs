//! The JSON Schema of `rankgate.toml`: what the structs declare, put together.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::de::{Deserializer, Error as _, Visitor, value::Error};
use serde_json::{Map, Value, json};

use super::retriever::{COMMON, KINDS, KindEntry};
use super::{
    BaselineSettings, ChunkerSettings, CorpusSettings, DEFAULT_NAME, FILE_NAME, GateSettings, GoldenSettings,
    MeasureSettings, PrivacySettings,
};

/// A struct that declares keys: their schema, and their names in the order of declaration.
pub(super) struct Part {
    schema: fn() -> Value,
    fields: fn() -> &'static [&'static str],
}

impl Part {
    /// The keys of a struct.
    pub(super) const fn of<T: JsonSchema + for<'de> serde::Deserialize<'de>>() -> Self {
        Self { schema: schema_of::<T>, fields: fields_of::<T> }
    }

    /// The names of the keys, as declared.
    pub(super) fn fields(&self) -> &'static [&'static str] {
        (self.fields)()
    }

    fn schema(&self) -> Value {
        (self.schema)()
    }
}

/// The tables whose keys are those of one struct, in the order in which they are shown, each by its path.
pub(super) const TABLES: &[(&[&str], Part)] = &[
    (&["golden"], Part::of::<GoldenSettings>()),
    (&["corpus"], Part::of::<CorpusSettings>()),
    (&["corpus", "chunker"], Part::of::<ChunkerSettings>()),
    (&["measures"], Part::of::<MeasureSettings>()),
    (&["baseline"], Part::of::<BaselineSettings>()),
    (&["gate"], Part::of::<GateSettings>()),
    (&["privacy"], Part::of::<PrivacySettings>()),
];

/// The JSON Schema of the configuration file: what editors complete and check by.
pub fn schema() -> Value {
    let mut properties = Map::new();
    let name = json!({
        "type": "string",
        "minLength": 1,
        "default": DEFAULT_NAME,
        "description": "Names the suite in every report and comment."
    });
    properties.insert("name".into(), name);
    for (path, part) in TABLES {
        // What stands deeper is declared within its table.
        if let [table] = path {
            properties.insert((*table).into(), part.schema());
        }
    }
    let kinds: Vec<_> = KINDS.iter().map(kind_schema).collect();
    let retriever = json!({
        "description": "What answers the questions: the keys that every retriever has, and those of its `kind`.",
        "type": "object",
        "required": ["kind"],
        "oneOf": kinds
    });
    properties.insert("retriever".into(), retriever);
    json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": FILE_NAME,
        "description": "What is under test: golden set, corpus, retriever, measures and gate.",
        "type": "object",
        "required": ["golden", "retriever"],
        "additionalProperties": false,
        "properties": properties
    })
}

/// `[retriever]` as it is with one `kind`.
fn kind_schema(kind: &KindEntry) -> Value {
    let mut properties = Map::new();
    let mut required = vec![json!("kind")];
    properties.insert("kind".into(), json!({ "const": kind.name, "description": kind.about }));
    for part in kind.parts.iter().chain([&COMMON]) {
        if let Value::Object(mut schema) = part.schema() {
            if let Some(Value::Object(own)) = schema.remove("properties") {
                properties.extend(own);
            }
            if let Some(Value::Array(own)) = schema.remove("required") {
                required.extend(own);
            }
        }
    }
    json!({
        "title": kind.name,
        "description": kind.about,
        "type": "object",
        "required": required,
        "additionalProperties": false,
        "properties": properties
    })
}

fn schema_of<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft07().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    without_null(&mut schema);
    schema
}

/// Takes `null` out of a schema: TOML has none, a key without a value is simply not there.
fn without_null(schema: &mut Value) {
    match schema {
        Value::Object(words) => {
            if words.get("default").is_some_and(Value::is_null) {
                words.remove("default");
            }
            if let Some(Value::Array(types)) = words.get_mut("type") {
                types.retain(|name| name != "null");
                if let [only] = types.as_slice() {
                    let only = only.clone();
                    words.insert("type".into(), only);
                }
            }
            if let Some(Value::Array(branches)) = words.get_mut("anyOf") {
                branches.retain(|branch| branch.get("type").is_none_or(|name| name != "null"));
                if let [Value::Object(only)] = branches.as_slice() {
                    let only = only.clone();
                    words.remove("anyOf");
                    for (word, value) in only {
                        words.entry(word).or_insert(value);
                    }
                }
            }
            words.values_mut().for_each(without_null);
        }
        Value::Array(items) => items.iter_mut().for_each(without_null),
        _ => {}
    }
}

/// The names of a struct's fields, which its `Deserialize` tells the deserializer.
fn fields_of<T: for<'de> serde::Deserialize<'de>>() -> &'static [&'static str] {
    struct Probe<'a>(&'a mut &'static [&'static str]);

    impl<'de> Deserializer<'de> for Probe<'_> {
        type Error = Error;

        fn deserialize_struct<V: Visitor<'de>>(
            self,
            _name: &'static str,
            fields: &'static [&'static str],
            _visitor: V,
        ) -> Result<V::Value, Error> {
            *self.0 = fields;
            Err(Error::custom("only the names were wanted"))
        }

        fn deserialize_any<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, Error> {
            Err(Error::custom("not a struct"))
        }

        serde::forward_to_deserialize_any! {
            bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
            unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
        }
    }

    let mut fields: &'static [&'static str] = &[];
    // It always errs: the probe has no value to give.
    let _ = T::deserialize(Probe(&mut fields));
    fields
}
