//! JSON as golden files need it: every digit of an integer id kept, repeated keys noticed, nothing coerced.
//!
//! A value stays raw text until the reader asks it for a type, so `9007199254740993` is never a float and a
//! string is never taken for a list of its characters.

use std::collections::HashSet;
use std::fmt;
use std::path::Path;

use serde::Deserialize;
use serde::de::{MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::Problem;
use crate::formats::json;
use crate::formats::qrels::whole_number;

/// One JSON value that has been read as text only. Messages say what is wrong, without a place.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(transparent)]
pub(super) struct Json<'a>(#[serde(borrow)] &'a RawValue);

/// The members of an object, in order, and the keys that it repeats.
#[derive(Debug, Default)]
pub(super) struct Members<'a> {
    pub list: Vec<(String, Json<'a>)>,
    pub repeated: Vec<String>,
}

impl<'a> Json<'a> {
    /// Reads a text that holds one value and starts on line `first` of a file.
    pub fn parse(text: &'a str, file: &Path, first: usize) -> Result<Self, Box<Problem>> {
        serde_json::from_str(text).map_err(|error| Box::new(json::problem(file, first, text, &error)))
    }

    /// The text of the value.
    pub fn raw(self) -> &'a str {
        self.0.get()
    }

    pub fn is_null(self) -> bool {
        self.raw() == "null"
    }

    /// What the value is, for messages.
    fn kind(self) -> &'static str {
        match self.raw().as_bytes().first() {
            Some(b'"') => "a string",
            Some(b'[') => "a list",
            Some(b'{') => "an object",
            Some(b'n') => "null",
            Some(b't' | b'f') => "true or false",
            _ => "a number",
        }
    }

    fn typed<T: Deserialize<'a>>(self, first: u8, wanted: &str) -> Result<T, String> {
        if self.raw().as_bytes().first() != Some(&first) {
            return Err(format!("{wanted} is wanted here, not {}", self.described()));
        }
        serde_json::from_str(self.raw()).map_err(|error| without_position(&error))
    }

    /// The kind, and the value where it is short.
    fn described(self) -> String {
        match self.raw() {
            raw if raw.len() <= 40 && !raw.starts_with(['{', '[']) && !self.is_null() => {
                format!("{} (`{raw}`)", self.kind())
            }
            _ => self.kind().to_owned(),
        }
    }

    pub fn object(self) -> Result<Members<'a>, String> {
        self.typed(b'{', "an object")
    }

    /// An object that names evidence; an id by itself does not say what it is the id of.
    pub fn anchor(self) -> Result<Members<'a>, String> {
        self.object()
            .map_err(|what| format!("{what}: write {{\"chunk\": …}}, {{\"doc\": …}} or {{\"quote\": …}}"))
    }

    pub fn list(self) -> Result<Vec<Self>, String> {
        self.typed(b'[', "a list")
    }

    pub fn text(self) -> Result<String, String> {
        let text: String = self.typed(b'"', "a string")?;
        if text.trim().is_empty() { Err("the text is blank".to_owned()) } else { Ok(text) }
    }

    /// An id: a string, or an integer by its exact digits.
    pub fn id(self) -> Result<String, String> {
        let raw = self.raw();
        match raw.strip_prefix('-').unwrap_or(raw) {
            digits if digits.bytes().all(|byte| byte.is_ascii_digit()) => Ok(raw.to_owned()),
            _ => match self.typed::<String>(b'"', "an id, that is a string or a whole number,")? {
                id if id.trim().is_empty() => Err("the id is blank".to_owned()),
                id => Ok(id),
            },
        }
    }

    pub fn boolean(self) -> Result<bool, String> {
        match self.raw() {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err(format!("true or false is wanted here, not {}", self.described())),
        }
    }

    /// A whole number of 0 or more; `2.0` is 2.
    pub fn count<T: TryFrom<i64>>(self) -> Result<T, String> {
        whole_number(self.raw())
            .filter(|number| *number >= 0)
            .and_then(|number| T::try_from(number).ok())
            .ok_or_else(|| format!("a whole number of 0 or more is wanted here, not {}", self.described()))
    }

    /// A string, number or boolean as text; `None` for anything else.
    pub fn scalar(self) -> Option<String> {
        match self.kind() {
            "a string" => serde_json::from_str(self.raw()).ok(),
            "a number" | "true or false" => Some(self.raw().to_owned()),
            _ => None,
        }
    }

    pub fn value(self) -> Result<Value, String> {
        serde_json::from_str(self.raw()).map_err(|error| without_position(&error))
    }

    /// How many bytes into `text` this value starts; it must have been read from there.
    pub fn offset_in(self, text: &str) -> usize {
        (self.raw().as_ptr() as usize).saturating_sub(text.as_ptr() as usize)
    }
}

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Keys;
        impl<'de> Visitor<'de> for Keys {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Members::default();
                let mut known = HashSet::new();
                while let Some((key, value)) = map.next_entry::<String, Json<'de>>()? {
                    if known.insert(key.clone()) {
                        members.list.push((key, value));
                    } else {
                        members.repeated.push(key);
                    }
                }
                Ok(members)
            }
        }
        deserializer.deserialize_map(Keys)
    }
}

/// What `serde_json` says, without the place: within a raw value it would count from there.
fn without_position(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rsplit_once(" at line ") {
        Some((what, _)) => what.to_owned(),
        None => text,
    }
}
