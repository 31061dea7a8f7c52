//! Layers: the values as they were written, each with its origin; a later layer replaces an earlier one.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::Deserialize as _;
use toml::Value;
use toml::de::{DeTable, DeValue, ValueDeserializer};

use super::fault::Fault;
use super::key::{Key, dotted};
use super::origin::Origin;
use crate::error::Place;
use crate::{Problem, Result};

/// A value that is no table, or a table without entries.
#[derive(Debug, Clone)]
pub(super) struct Leaf {
    /// The value as it was written.
    pub(super) written: Value,
    pub(super) origin: Origin,
}

/// Where a key and its value stand in the file.
#[derive(Debug, Clone, Copy)]
struct Spot {
    key: (usize, usize),
    value: (usize, usize),
}

/// Everything that was set.
#[derive(Debug, Default)]
pub(super) struct Layers {
    pub(super) leaves: BTreeMap<Key, Leaf>,
    /// The file, as the user would name it.
    pub(super) file: Option<PathBuf>,
    /// By dotted key, which goes on into values: `gate.rules[1].level`.
    spots: BTreeMap<String, Spot>,
}

impl Layers {
    /// The layer of the file. Text that is not TOML ends it all.
    pub(super) fn read_file(&mut self, path: &Path, text: &str) -> Result<Vec<Problem>> {
        let lines = Lines::of(text);
        let table = DeTable::parse(text).map_err(|error| {
            let (line, column) = lines.at(error.span().unwrap_or_default().start);
            let what = format!("not TOML: {}", error.message().replace('\n', ", "));
            Problem::new(Place::line(path, line).at_column(column), what)
        })?;
        self.file = Some(path.to_owned());
        let mut problems = Vec::new();
        self.walk(&lines, &mut Vec::new(), table.into_inner(), &mut problems);
        Ok(problems)
    }

    fn walk(&mut self, lines: &Lines<'_>, above: &mut Key, table: DeTable<'_>, problems: &mut Vec<Problem>) {
        for (name, value) in table {
            let name_span = name.span();
            let line = lines.at(name_span.start).0;
            above.push(name.into_inner().into_owned());
            let key = dotted(above);
            self.spot(lines, key.clone(), name_span, value.span());
            self.spots_within(lines, &key, value.get_ref());
            if value.get_ref().as_table().is_some_and(|inner| !inner.is_empty()) {
                if let DeValue::Table(inner) = value.into_inner() {
                    self.walk(lines, above, inner, problems);
                }
            } else if let Ok(written) = Value::deserialize(ValueDeserializer::from(value)) {
                let origin = Origin::File { path: self.file.clone().unwrap_or_default(), line };
                self.leaves.insert(above.clone(), Leaf { written, origin });
            } else {
                // What parsed as TOML and is no value of it is a number of too many digits.
                let fault = Fault::new(&key, format!("`{key}` holds a number that is out of range"));
                problems.push(self.problem(fault));
            }
            above.pop();
        }
    }

    /// Remembers where the parts of a list stand.
    fn spots_within(&mut self, lines: &Lines<'_>, at: &str, value: &DeValue<'_>) {
        match value {
            DeValue::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    let key = format!("{at}[{index}]");
                    self.spot(lines, key.clone(), item.span(), item.span());
                    self.spots_within(lines, &key, item.get_ref());
                }
            }
            DeValue::Table(entries) if at.ends_with(']') => {
                for (name, value) in entries {
                    let key = format!("{at}.{}", name.get_ref());
                    self.spot(lines, key, name.span(), value.span());
                }
            }
            _ => {}
        }
    }

    fn spot(&mut self, lines: &Lines<'_>, key: String, name: Range<usize>, value: Range<usize>) {
        self.spots.insert(key, Spot { key: lines.at(name.start), value: lines.at(value.start) });
    }

    /// The value at a key.
    pub(super) fn get(&self, key: &[&str]) -> Option<&Leaf> {
        let key: Key = key.iter().map(ToString::to_string).collect();
        self.leaves.get(&key)
    }

    /// Sets a key: whatever stood at it or below it is gone.
    pub(super) fn assign(&mut self, key: &[String], value: Value, origin: &Origin) {
        self.leaves.retain(|other, leaf| {
            let is_below = other.starts_with(key);
            let is_empty_above =
                key.starts_with(other) && leaf.written.as_table().is_some_and(toml::Table::is_empty);
            !(is_below || is_empty_above)
        });
        self.insert(key, value, origin);
    }

    fn insert(&mut self, key: &[String], value: Value, origin: &Origin) {
        match value {
            Value::Table(entries) if !entries.is_empty() => {
                for (name, value) in entries {
                    self.insert(&[key, &[name]].concat(), value, origin);
                }
            }
            written => {
                self.leaves.insert(key.to_vec(), Leaf { written, origin: origin.clone() });
            }
        }
    }

    /// Adds to the end of a list, which is set if it was not.
    pub(super) fn add(&mut self, key: &[String], value: Value, flag: &str) {
        match self.leaves.get_mut(key) {
            Some(Leaf { written: Value::Array(items), origin }) => {
                items.push(value);
                match origin {
                    Origin::Flag { name } | Origin::Added { flag: name, .. } if name == flag => {}
                    _ => *origin = Origin::Added { to: Box::new(origin.clone()), flag: flag.to_owned() },
                }
            }
            // Something else stands there, and is named as such in its own right.
            Some(_) => {}
            None => self.insert(key, Value::Array(vec![value]), &Origin::Flag { name: flag.to_owned() }),
        }
    }

    /// A fault, said of the place or the layer that its value came from.
    pub(super) fn problem(&self, fault: Fault) -> Problem {
        let (place, by) = self.locate(&fault.key, fault.at_key);
        let what = match by {
            Some(by) => format!("{by}: {}", fault.what),
            None => fault.what,
        };
        Problem { place, what, hint: fault.hint }
    }

    /// Where in the file a key, or else its value, stands. What another layer set has no place but a name.
    fn locate(&self, key: &str, at_key: bool) -> (Place, Option<String>) {
        let file = || self.file.as_ref().map(Place::file).unwrap_or_default();
        let origin = std::iter::successors(Some(key), |key| shorter(key)).find_map(|part| {
            // A fault of a whole table is one of whatever stands in it.
            let is_it = |leaf: &str| {
                leaf == part
                    || (part == key && leaf.strip_prefix(key).is_some_and(|rest| rest.starts_with('.')))
            };
            self.leaves.iter().find(|(leaf, _)| is_it(&dotted(leaf))).map(|(_, leaf)| &leaf.origin)
        });
        let from_file = match origin {
            None | Some(Origin::File { .. }) => true,
            Some(Origin::Added { to, .. }) => {
                matches!(**to, Origin::File { .. }) && (self.spots.contains_key(key) || !key.contains('['))
            }
            Some(_) => false,
        };
        if !from_file {
            let by = origin.map(|origin| match origin {
                Origin::Added { flag, .. } => flag.clone(),
                other => other.to_string(),
            });
            return (Place::default(), by);
        }
        let spot = std::iter::successors(Some(key), |key| shorter(key)).find_map(|key| self.spots.get(key));
        let place = match (spot, &self.file) {
            (Some(spot), Some(path)) => {
                let (line, column) = if at_key { spot.key } else { spot.value };
                Place::line(path, line).at_column(column)
            }
            _ => file(),
        };
        (place, None)
    }
}

/// A dotted key without its last part.
fn shorter(key: &str) -> Option<&str> {
    key.rfind(['.', '[']).and_then(|at| key.get(..at))
}

/// Byte offsets as lines and columns.
struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    fn of(text: &'a str) -> Self {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Self { text, starts }
    }

    /// The line and the column in characters, both from 1.
    fn at(&self, offset: usize) -> (usize, usize) {
        let line = self.starts.partition_point(|start| *start <= offset).max(1);
        let start = self.starts.get(line - 1).copied().unwrap_or_default();
        let before = self.text.get(start..offset).unwrap_or_default();
        (line, before.chars().count() + 1)
    }
}
