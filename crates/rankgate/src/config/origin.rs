//! Origins: which layer a value came from.

use std::fmt::{self, Write as _};
use std::path::PathBuf;

use sha2::{Digest as _, Sha256};
use toml::Value;

use super::key::{Key, dotted};
use super::layers::Layers;
use super::spec::{self, Accepts, KeySpec};

/// Where an effective value came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// Nobody set it.
    Default,
    /// The configuration file.
    File {
        /// The file, as the user would name it.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
    },
    /// An environment variable.
    Env {
        /// Its name.
        name: String,
    },
    /// `--set`.
    Set,
    /// A flag of its own.
    Flag {
        /// The flag, with its dashes.
        name: String,
    },
    /// A flag that adds to a list.
    Added {
        /// Where the rest of the list came from.
        to: Box<Origin>,
        /// The flag, with its dashes.
        flag: String,
    },
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File { path, line } => write!(f, "{}:{line}", path.display()),
            Self::Env { name } | Self::Flag { name } => f.write_str(name),
            Self::Set => f.write_str("--set"),
            Self::Added { to, flag } => write!(f, "{to} + {flag}"),
        }
    }
}

/// One value that holds, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Effective {
    /// The dotted key.
    pub key: String,
    /// The value as one line of TOML, as it was written: a `${NAME}` stays one, a path is not joined.
    pub value: String,
    /// Where it came from.
    pub origin: Origin,
}

/// Every value that holds.
pub(super) fn effective(keys: &[KeySpec], layers: &Layers) -> Vec<Effective> {
    let mut found = Vec::new();
    // A table that nobody has to write holds nothing until it is written.
    let is_written =
        |table: &str| layers.leaves.keys().any(|path| path.first().is_some_and(|first| first == table));
    let is_optional = |table: &str| ["corpus", "baseline"].contains(&table);
    for key in keys.iter().filter(|key| !is_optional(&key.name) || is_written(&key.name)) {
        collect(key, &mut Vec::new(), layers, &mut found);
    }
    found
}

fn collect(key: &KeySpec, above: &mut Key, layers: &Layers, found: &mut Vec<Effective>) {
    above.push(key.name.clone());
    let mut push = |path: &Key, value: &Value, origin: &Origin| {
        found.push(Effective { key: dotted(path), value: spec::text(value), origin: origin.clone() });
    };
    match &key.accepts {
        Accepts::Table(inner) => {
            for key in inner {
                collect(key, above, layers, found);
            }
        }
        Accepts::Map(accepts) => {
            for (path, leaf) in
                layers.leaves.iter().filter(|(path, _)| path.len() > above.len() && path.starts_with(above))
            {
                push(path, &accepts.canonical(&leaf.written), &leaf.origin);
            }
        }
        accepts => match (layers.leaves.get(above), &key.default) {
            (Some(leaf), _) => push(above, &accepts.canonical(&leaf.written), &leaf.origin),
            (None, Some(default)) => push(above, &accepts.canonical(default), &Origin::Default),
            (None, None) => {}
        },
    }
    above.pop();
}

/// SHA-256 over the keys and values that decide a result, in lower-case hex.
pub(super) fn digest(effective: &[Effective]) -> String {
    let mut hasher = Sha256::new();
    for Effective { key, value, .. } in effective.iter().filter(|value| value.key != "name") {
        hasher.update(format!("{key} = {value}\n"));
    }
    hasher.finalize().iter().fold(String::new(), |mut hex, byte| {
        // Writing to a string cannot fail.
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}
