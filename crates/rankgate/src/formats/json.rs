//! JSON as other tools write it: values are taken in first and judged afterwards, when the field and the id are
//! known, so that an error can name both and the rest of the file is still looked at.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::path::Path;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::{Place, Problem};

/// One JSON value where a string or a number is wanted. Text is borrowed from the input where it can be.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Scalar<'a> {
    /// The key is not there.
    #[default]
    Absent,
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool,
    /// A whole number from 0 to 2^64 - 1, every digit kept.
    Whole(u64),
    /// Any other number.
    Number(f64),
    /// A string.
    Text(Cow<'a, str>),
    /// An array.
    List,
    /// An object.
    Object,
}

impl<'a> Scalar<'a> {
    /// Whether there is nothing to read: no key, or `null`.
    pub fn is_missing(&self) -> bool {
        matches!(self, Self::Absent | Self::Null)
    }

    /// As an id: a string as it stands, a whole number as its digits. The error says what was found instead.
    pub fn id(self) -> Result<Cow<'a, str>, String> {
        match self {
            Self::Text(text) if text.is_empty() => Err("an id cannot be empty".to_owned()),
            Self::Text(text) => Ok(text),
            Self::Whole(number) => Ok(number.to_string().into()),
            other => Err(format!("an id is a string or a whole number from 0, not {}", other.kind())),
        }
    }

    /// As text, empty when missing.
    pub fn text(self) -> Result<Cow<'a, str>, String> {
        match self {
            Self::Text(text) => Ok(text),
            Self::Absent | Self::Null => Ok(Cow::Borrowed("")),
            other => Err(format!("a text is a string, not {}", other.kind())),
        }
    }

    /// As an offset.
    pub fn offset(&self) -> Result<Option<usize>, String> {
        match self {
            Self::Absent | Self::Null => Ok(None),
            Self::Whole(number) => usize::try_from(*number).map(Some).map_err(|error| error.to_string()),
            other => Err(format!("an offset is a whole number from 0, not {}", other.kind())),
        }
    }

    /// As a score.
    pub fn score(&self) -> Result<Option<f64>, String> {
        match self {
            Self::Absent | Self::Null => Ok(None),
            Self::Whole(number) => Ok(Some(*number as f64)),
            Self::Number(number) => Ok(Some(*number)),
            other => Err(format!("a score is a number, not {}", other.kind())),
        }
    }

    fn kind(&self) -> &'static str {
        match self {
            Self::Absent => "missing",
            Self::Null => "null",
            Self::Bool => "a truth value",
            Self::Whole(_) => "a whole number",
            Self::Number(_) => "a negative, decimal or larger number",
            Self::Text(_) => "a string",
            Self::List => "a list",
            Self::Object => "an object",
        }
    }
}

/// What can be made of any JSON value, for the places where other tools put now one kind of value, now another.
pub(super) trait FromAny<'de>: Sized {
    /// From a value that is neither a list nor an object, or from one of these that nobody looks into.
    fn scalar(value: Scalar<'de>) -> Self;

    /// From a list.
    fn list<A: SeqAccess<'de>>(mut list: A) -> Result<Self, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Self::scalar(Scalar::List))
    }

    /// From an object.
    fn object<A: MapAccess<'de>>(mut map: A) -> Result<Self, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Self::scalar(Scalar::Object))
    }
}

/// Reads any JSON value.
pub(super) fn any<'de, T: FromAny<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    deserializer.deserialize_any(AnyVisitor(PhantomData))
}

impl<'de> FromAny<'de> for Scalar<'de> {
    fn scalar(value: Self) -> Self {
        value
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Scalar<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        any::<Scalar<'de>, D>(deserializer)
    }
}

struct AnyVisitor<T>(PhantomData<T>);

impl<'de, T: FromAny<'de>> Visitor<'de> for AnyVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<T, E> {
        Ok(T::scalar(Scalar::Null))
    }

    fn visit_bool<E>(self, _: bool) -> Result<T, E> {
        Ok(T::scalar(Scalar::Bool))
    }

    fn visit_u64<E>(self, number: u64) -> Result<T, E> {
        Ok(T::scalar(Scalar::Whole(number)))
    }

    fn visit_i64<E>(self, number: i64) -> Result<T, E> {
        Ok(T::scalar(u64::try_from(number).map_or(Scalar::Number(number as f64), Scalar::Whole)))
    }

    fn visit_f64<E>(self, number: f64) -> Result<T, E> {
        Ok(T::scalar(Scalar::Number(number)))
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<T, E> {
        Ok(T::scalar(Scalar::Text(Cow::Borrowed(text))))
    }

    fn visit_str<E>(self, text: &str) -> Result<T, E> {
        Ok(T::scalar(Scalar::Text(Cow::Owned(text.to_owned()))))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<T, A::Error> {
        T::list(list)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        T::object(map)
    }
}

/// A key of an object, borrowed where it can be.
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub(super) struct Key<'a>(#[serde(borrow)] pub Cow<'a, str>);

/// One JSON object on one line of a JSON Lines file; what is wrong with it is added to `problems`.
pub fn object_on_line<'a, T: Deserialize<'a>>(
    path: &Path,
    number: usize,
    line: &'a str,
    problems: &mut Vec<Problem>,
) -> Option<T> {
    // serde would also fill a struct from an array, by position.
    if !line.trim_start().starts_with('{') {
        let problem = Problem::new(Place::line(path, number), "not a JSON object")
            .hint("JSON Lines has one object, {\"id\": …}, on every line");
        problems.push(problem);
        return None;
    }
    serde_json::from_str(line).map_err(|error| problems.push(problem(path, number, line, &error))).ok()
}

/// A JSON error with its place; `text` starts on line `first` of the file.
pub fn problem(path: &Path, first: usize, text: &str, error: &serde_json::Error) -> Problem {
    let (line, column) = (error.line(), error.column());
    let place = Place::line(path, first + line.saturating_sub(1));
    let place = if line == 0 { place } else { place.at_column(characters(text, line, column)) };
    let message = error.to_string();
    let what = message.strip_suffix(&format!(" at line {line} column {column}")).unwrap_or(&message);
    Problem::new(place, format!("not valid JSON: {what}"))
}

/// serde counts columns in bytes.
fn characters(text: &str, line: usize, bytes: usize) -> usize {
    let line = text.split('\n').nth(line.saturating_sub(1)).unwrap_or_default();
    let before = line.as_bytes().get(..bytes).unwrap_or(line.as_bytes());
    String::from_utf8_lossy(before).chars().count().max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(json: &str) -> Result<String, String> {
        serde_json::from_str::<Scalar<'_>>(json).unwrap().id().map(Cow::into_owned)
    }

    fn fault(number: usize, line: &str) -> String {
        let mut problems = Vec::new();
        assert!(object_on_line::<IgnoredAny>(Path::new("f"), number, line, &mut problems).is_none());
        problems.remove(0).to_string()
    }

    #[test]
    fn ids_are_strings_or_whole_numbers_with_every_digit() {
        assert_eq!(id("\"007\"").as_deref(), Ok("007"));
        assert_eq!(id("7").as_deref(), Ok("7"));
        assert_eq!(id("9007199254740993").as_deref(), Ok("9007199254740993"));
        assert_eq!(id("18446744073709551615").as_deref(), Ok("18446744073709551615"));
        for refused in ["1.0e3", "7.0", "-1", "18446744073709551616", "true", "null", "[1]", "{}", "\"\""] {
            assert!(id(refused).is_err(), "{refused}");
        }
    }

    #[test]
    fn errors_stand_at_the_character_and_not_at_the_byte() {
        let line = "{\"ä\": 1, \"b\": ]}";
        assert_eq!(fault(7, line), "f:7:15: not valid JSON: expected value");
    }

    #[test]
    fn an_array_is_no_object() {
        assert!(fault(1, "[\"a\", \"b\"]").starts_with("f:1: not a JSON object"));
    }
}
