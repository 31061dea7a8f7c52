//! From everything a user may have set to ready settings, or to all that is wrong with it.

use std::path::{Path, PathBuf};

use toml::Value;

use super::build::{self, build};
use super::fault::Fault;
use super::judge::{Judged, accepted, judge};
use super::key::{self, Key};
use super::layers::Layers;
use super::origin::{Effective, Origin, digest, effective};
use super::spec::{self, KeySpec};
use super::{PrivacySettings, RetrieverKind, Settings, find};
use crate::error::Place;
use crate::{Error, Problem, Result};

/// What every variable that sets a key starts with.
const PREFIX: &str = "RANKGATE_";

/// Everything that settings are made of. Nothing else is looked at, the configuration file apart.
#[derive(Debug, Clone, Default)]
pub struct Inputs {
    /// The configuration file that was asked for.
    pub config: Option<PathBuf>,
    /// The working directory of the process: where the search for the file starts.
    pub cwd: PathBuf,
    /// The environment: `RANKGATE_<TABLE>__<KEY>` sets keys, any variable may be referred to as `${NAME}`.
    pub env: Vec<(String, String)>,
    /// `key=value`, as given to `--set`.
    pub sets: Vec<String>,
    /// What flags of their own set.
    pub flags: Vec<Flag>,
}

impl Inputs {
    /// The value of an environment variable.
    pub(super) fn variable(&self, name: &str) -> Option<&str> {
        self.env.iter().rev().find(|(variable, _)| variable == name).map(|(_, value)| value.as_str())
    }
}

/// A flag that sets a key, or adds to a list.
#[derive(Debug, Clone, PartialEq)]
pub struct Flag {
    /// The flag, with its dashes.
    name: &'static str,
    /// The dotted key.
    key: &'static str,
    value: Value,
    adds: bool,
}

impl Flag {
    /// A flag whose value replaces that of a key.
    pub fn set(name: &'static str, key: &'static str, value: impl Into<Value>) -> Self {
        Self { name, key, value: value.into(), adds: false }
    }

    /// A flag whose value is added to the list at a key.
    pub fn add(name: &'static str, key: &'static str, value: impl Into<Value>) -> Self {
        Self { name, key, value: value.into(), adds: true }
    }
}

/// Settings, and what they came from.
#[derive(Debug)]
pub struct Resolved {
    /// The settings, ready for use.
    pub settings: Settings,
    /// The configuration file, as the user would name it.
    pub config_path: Option<PathBuf>,
    /// Every value that holds, in the order of the schema.
    pub origins: Vec<Effective>,
    /// SHA-256 over the effective keys and values, `name` apart, in lower-case hex.
    pub digest: String,
    layers: Layers,
}

impl Resolved {
    /// A problem with the value of a key, which may go on into the value (`gate.rules[1]`): it is said of the line
    /// of the file, or of the variable or flag, that the value came from.
    pub fn problem(&self, key: &str, what: impl Into<String>) -> Problem {
        self.layers.problem(Fault::new(key, what))
    }

    /// The files that a run reads, the configuration and the baseline among them.
    pub fn files(&self) -> Vec<PathBuf> {
        let baseline = self.settings.baseline.iter().map(|baseline| baseline.path.clone());
        self.inputs().into_iter().chain(baseline).collect()
    }

    /// The files that somebody wrote, the configuration among them: all but the baseline.
    pub fn inputs(&self) -> Vec<PathBuf> {
        let Settings { golden, corpus, retriever, .. } = &self.settings;
        let run = match &retriever.kind {
            RetrieverKind::Run(run) => Some(&run.path),
            _ => None,
        };
        [&self.config_path, &golden.path, &golden.qrels, &golden.queries, &golden.attributes]
            .into_iter()
            .filter_map(Option::as_ref)
            .chain(corpus.iter().map(|corpus| &corpus.path))
            .chain(run)
            .cloned()
            .collect()
    }

    /// The same error, with the place of every problem that only names a key.
    pub fn locate(&self, error: Error) -> Error {
        let Error::Invalid(problems) = error else { return error };
        let located = problems.into_iter().map(|problem| match &problem.place {
            Place { file: None, field: Some(key), .. } => {
                let located = self.problem(key, problem.what);
                // `--set` alone does not say which key; a line of the file, a variable and any other flag do.
                let what = match located.what.strip_prefix("--set: ") {
                    Some(what) => format!("--set {key}: {what}"),
                    None => located.what,
                };
                Problem { place: located.place, what, hint: problem.hint }
            }
            _ => problem,
        });
        Error::Invalid(located.collect())
    }
}

/// Finds and reads the configuration file and resolves it with the other inputs.
pub fn resolve(inputs: &Inputs) -> Result<Resolved> {
    let file = find::find(inputs)?;
    resolve_text(file.as_ref().map(|(path, text)| (path.as_path(), text.as_str())), inputs)
}

/// Only `[privacy]` of the same inputs, for a verb that needs no configuration: without any, nothing is hidden. What is
/// wrong elsewhere is not looked at, but for a table that does not exist: it may be this one, misspelt.
pub fn privacy(inputs: &Inputs) -> Result<PrivacySettings> {
    let file = find::find(inputs)?;
    let file = file.as_ref().map(|(path, text)| (path.as_path(), text.as_str()));
    let (layers, mut problems) = layered(file, inputs)?;
    let lookup = |name: &str| inputs.variable(name).map(String::from);
    let Judged { keys, mut values, mut faults, .. } = judge(&layers, &lookup);
    let privacy = build::privacy(&mut values, &mut faults);
    let is_ours = |fault: &Fault| {
        let table = fault.key.split(['.', '[']).next().unwrap_or_default();
        table == "privacy" || keys.iter().all(|key| key.name != table)
    };
    problems.extend(faults.into_iter().filter(is_ours).map(|fault| layers.problem(fault)));
    Error::unless_empty(problems)?;
    Ok(privacy.unwrap_or_default())
}

/// Resolves the text of a configuration file, if there is one, with the other inputs.
///
/// Relative paths in the text are relative to the folder of `path`, all others to the working directory.
pub fn resolve_text(file: Option<(&Path, &str)>, inputs: &Inputs) -> Result<Resolved> {
    let (layers, mut problems) = layered(file, inputs)?;
    if file.is_none() && layers.get(&["retriever", "kind"]).is_none() {
        return Err(find::none(&inputs.cwd));
    }

    let lookup = |name: &str| inputs.variable(name).map(String::from);
    let Judged { kind, keys, values, mut faults } = judge(&layers, &lookup);
    let settings = build(values, kind, &mut faults);
    problems.extend(faults.into_iter().map(|fault| layers.problem(fault)));
    problems.sort_by(|a, b| a.place.cmp(&b.place));
    problems.dedup();
    Error::unless_empty(problems)?;
    // Without problems every part is there.
    let settings = settings.ok_or_else(|| find::none(&inputs.cwd))?;
    let origins = effective(&keys, &layers);
    let digest = digest(&origins);
    Ok(Resolved { settings, config_path: layers.file.clone(), origins, digest, layers })
}

/// Everything that was set, each value with its origin, and what could not be read.
fn layered(file: Option<(&Path, &str)>, inputs: &Inputs) -> Result<(Layers, Vec<Problem>)> {
    let mut layers = Layers::default();
    let mut problems = Vec::new();
    let any_kind = spec::root(None);
    // Each layer replaces what the ones before it set. Nothing is needed for
    // 1. the defaults: they hold where nothing is set.
    // 2. The file.
    if let Some((path, text)) = file {
        problems.extend(layers.read_file(path, text)?);
    }
    // 3. The environment.
    for (name, key, text) in variables(inputs, &any_kind) {
        let value = accepted(&any_kind, &key).map_or_else(|| text.into(), |accepts| accepts.read(text));
        layers.assign(&key, value, &Origin::Env { name: name.to_owned() });
    }
    // 4. `--set`.
    for set in &inputs.sets {
        if let Some((key, text)) = key::parse_assignment(set) {
            let value = accepted(&any_kind, &key).map_or_else(|| text.into(), |accepts| accepts.read(text));
            layers.assign(&key, value, &Origin::Set);
        } else {
            problems.push(
                Problem::new(Place::default(), format!("--set: `{set}` is not of the form key=value"))
                    .hint("for instance --set retriever.kind=bm25"),
            );
        }
    }
    // 5. Flags of their own.
    for Flag { name, key, value, adds } in &inputs.flags {
        let key = key::parse(key).unwrap_or_else(|| vec![(*key).to_owned()]);
        if *adds {
            layers.add(&key, value.clone(), name);
        } else {
            layers.assign(&key, value.clone(), &Origin::Flag { name: (*name).to_owned() });
        }
    }
    Ok((layers, problems))
}

/// The variables that set a key, with the key and the text, in the order of their names.
fn variables<'a>(inputs: &'a Inputs, keys: &[KeySpec]) -> Vec<(&'a str, Key, &'a str)> {
    let mut found: Vec<_> = inputs
        .env
        .iter()
        // A variable that is set to nothing is not set.
        .filter(|(_, value)| !value.is_empty())
        .filter_map(|(name, value)| {
            let key: Key = name.strip_prefix(PREFIX)?.split("__").map(str::to_lowercase).collect();
            let is_ours = match key.as_slice() {
                [only] => only == "name",
                [table, ..] => keys.iter().any(|key| key.name == *table && key.name != "name"),
                [] => false,
            };
            is_ours.then_some((name.as_str(), key, value.as_str()))
        })
        .collect();
    found.sort_by_key(|(name, ..)| *name);
    found
}
