//! The judgement of what was set: which keys there are, what they may hold, which are missing.

use std::collections::BTreeSet;
use std::path::Path;

use toml::{Table, Value};

use super::fault::{Fault, any_of};
use super::key::dotted;
use super::layers::{Layers, Leaf};
use super::origin::Origin;
use super::reference::{BadReference, Lookup, expand};
use super::retriever::{KINDS, KindEntry, LATER_KINDS};
use super::spec::{self, Accepts, KeySpec, suggestion};
use crate::error::nearest;

/// What was set, judged.
pub(super) struct Judged {
    /// The kind of the retriever, if it is one.
    pub(super) kind: Option<&'static KindEntry>,
    /// The keys that there are with that kind.
    pub(super) keys: Vec<KeySpec>,
    /// The values of the right type, references replaced and paths joined.
    pub(super) values: Table,
    /// All that is wrong.
    pub(super) faults: Vec<Fault>,
}

/// Judges every value by itself, and what is missing.
pub(super) fn judge(layers: &Layers, lookup: Lookup<'_>) -> Judged {
    let kind_given = layers.get(&["retriever", "kind"]);
    let kind_name = kind_given.and_then(|leaf| match expand(&leaf.written, lookup, &mut Vec::new()) {
        Value::String(name) => Some(name),
        _ => None,
    });
    let kind = KINDS.iter().find(|kind| Some(kind.name) == kind_name.as_deref());
    let keys = spec::root(kind.map(|kind| kind.name));

    let mut values = Table::new();
    let mut faults = Vec::new();
    let mut unknown = BTreeSet::new();
    for (path, leaf) in &layers.leaves {
        match walk(&keys, path) {
            Step::Key(accepts) => match value_of(&dotted(path), leaf, accepts, lookup) {
                Ok(value) => insert(&mut values, path, value),
                Err(found) => faults.extend(found),
            },
            Step::TooDeep { depth, accepts } => {
                let at = dotted(path.get(..=depth).unwrap_or(path));
                faults.push(Fault::new(&at, format!("`{at}` must be {}, not a table", accepts.wanted())));
            }
            Step::Unknown { depth, known } => {
                // Of a retriever of no kind it cannot be said which keys it has.
                let unjudged = kind.is_none()
                    && kind_given.is_some()
                    && depth == 1
                    && path.starts_with(&["retriever".into()]);
                let first = path.get(..=depth).unwrap_or(path);
                if !unjudged && unknown.insert(first.to_vec()) {
                    let is_table = path.len() > 1 || leaf.written.is_table();
                    faults.push(unknown_key(first, is_table, known, kind).at_key());
                }
            }
        }
    }
    later_kind(kind_name.as_deref(), &mut faults);
    faults.extend(missing(&keys, layers, kind));
    Judged { kind, keys, values, faults }
}

/// The value of a leaf, or all that is wrong with it.
fn value_of(key: &str, leaf: &Leaf, accepts: &Accepts, lookup: Lookup<'_>) -> Result<Value, Vec<Fault>> {
    let mut bad = Vec::new();
    let value = expand(&leaf.written, lookup, &mut bad);
    let mut faults: Vec<_> = bad.iter().map(|bad| bad_reference(key, bad)).collect();
    if faults.is_empty() {
        accepts.check(key, &value, &leaf.written, &mut faults);
    }
    if faults.is_empty() { Ok(joined(accepts, value, &leaf.origin)) } else { Err(faults) }
}

/// What the key of this path accepts, if there is such a key.
pub(super) fn accepted<'a>(keys: &'a [KeySpec], path: &[String]) -> Option<&'a Accepts> {
    match walk(keys, path) {
        Step::Key(accepts) => Some(accepts),
        Step::Unknown { .. } | Step::TooDeep { .. } => None,
    }
}

/// Where a path leads.
enum Step<'a> {
    /// To a key.
    Key(&'a Accepts),
    /// To a name that the table above it does not have.
    Unknown { depth: usize, known: &'a [KeySpec] },
    /// Past a key whose value is no table.
    TooDeep { depth: usize, accepts: &'a Accepts },
}

fn walk<'a>(keys: &'a [KeySpec], path: &[String]) -> Step<'a> {
    let mut known = keys;
    for (depth, name) in path.iter().enumerate() {
        let Some(key) = known.iter().find(|key| key.name == *name) else {
            return Step::Unknown { depth, known };
        };
        let is_last = depth + 1 == path.len();
        match &key.accepts {
            accepts if is_last => return Step::Key(accepts),
            Accepts::Table(inner) => known = inner,
            Accepts::Map(value) if depth + 2 == path.len() => return Step::Key(value),
            accepts => return Step::TooDeep { depth, accepts },
        }
    }
    Step::Unknown { depth: 0, known }
}

/// The fault of a key that does not exist.
fn unknown_key(path: &[String], is_table: bool, known: &[KeySpec], kind: Option<&KindEntry>) -> Fault {
    let key = dotted(path);
    let name = path.last().map_or("", String::as_str);
    match path {
        [table] if is_table => {
            let tables = || known.iter().map(|key| key.name.as_str()).filter(|name| *name != "name");
            let hint = match nearest(table, tables()) {
                Some(near) => format!("did you mean `[{near}]`?"),
                None => format!("the tables are {}", any_of(tables()).replace(" or ", " and ")),
            };
            Fault::new(&key, format!("unknown table `[{table}]`")).hint(hint)
        }
        [retriever, _] if retriever == "retriever" => {
            let owners: Vec<_> = KINDS
                .iter()
                .filter(|kind| kind.parts.iter().any(|part| part.fields().contains(&name)))
                .map(|kind| kind.name)
                .collect();
            match (owners.as_slice(), kind) {
                ([_, ..], Some(kind)) => {
                    let what = format!("`{name}` belongs to kind {}, not to `{}`", any_of(owners), kind.name);
                    Fault::new(&key, what)
                        .hint(format!("take out `{key}`, or set `retriever.kind` to its kind"))
                }
                _ => Fault::new(&key, format!("unknown key `{key}`")).hint(suggestion(name, known)),
            }
        }
        _ => Fault::new(&key, format!("unknown key `{key}`")).hint(suggestion(name, known)),
    }
}

fn bad_reference(key: &str, bad: &BadReference) -> Fault {
    match bad {
        BadReference::Unset(name) => {
            Fault::new(key, format!("the environment variable `{name}` is not set, and `{key}` refers to it"))
        }
        BadReference::Malformed => {
            Fault::new(key, format!("`{key}` has a `${{` that does not name an environment variable"))
        }
    }
    .hint("`${NAME}` stands for a variable, `$${` for the characters `${`")
}

/// Says of a kind that is to come that it is no mistake of spelling.
fn later_kind(name: Option<&str>, faults: &mut [Fault]) {
    let Some(name) = name.filter(|name| LATER_KINDS.contains(name)) else { return };
    for fault in faults.iter_mut().filter(|fault| fault.key == "retriever.kind") {
        fault.hint = Some(format!("kind `{name}` is not available in this version"));
    }
}

/// The value of a path, joined to the folder of the file it stands in.
fn joined(accepts: &Accepts, value: Value, origin: &Origin) -> Value {
    match (accepts, origin, &value) {
        (Accepts::Path, Origin::File { path, .. }, Value::String(relative)) => {
            let folder = path.parent().unwrap_or(Path::new(""));
            Value::String(folder.join(relative).to_string_lossy().into_owned())
        }
        _ => value,
    }
}

fn insert(table: &mut Table, path: &[String], value: Value) {
    match path {
        [] => {}
        [last] => {
            table.insert(last.clone(), value);
        }
        [first, rest @ ..] => {
            let inner = table.entry(first.clone()).or_insert_with(|| Table::new().into());
            if let Value::Table(inner) = inner {
                insert(inner, rest, value);
            }
        }
    }
}

/// The required keys that nobody set. (What `[golden]` requires depends on more than one key.)
fn missing(keys: &[KeySpec], layers: &Layers, kind: Option<&KindEntry>) -> Vec<Fault> {
    let mut faults = Vec::new();
    for table in keys {
        let Accepts::Table(inner) = &table.accepts else { continue };
        if layers.get(&[&table.name]).is_some_and(|leaf| !leaf.written.is_table()) {
            continue;
        }
        let needed = match table.name.as_str() {
            "corpus" => kind.is_some_and(|kind| kind.needs_corpus),
            "retriever" => true,
            _ => false,
        };
        let present = layers.leaves.keys().any(|path| path.first() == Some(&table.name));
        for key in inner.iter().filter(|key| key.required && (needed || present)) {
            if layers.get(&[&table.name, &key.name]).is_some() {
                continue;
            }
            let name = format!("{}.{}", table.name, key.name);
            let mut fault = Fault::new(&name, format!("missing `{name}`"));
            fault.hint = match (name.as_str(), kind) {
                ("retriever.kind", _) => {
                    Some(format!("one of {}", any_of(KINDS.iter().map(|kind| kind.name))))
                }
                ("corpus.path", Some(kind)) if kind.needs_corpus => {
                    Some(format!("kind `{}` searches the corpus itself", kind.name))
                }
                ("retriever.path", Some(kind)) => Some(format!("kind `{}` is {}", kind.name, kind.about)),
                _ => None,
            };
            faults.push(fault);
        }
    }
    faults
}
