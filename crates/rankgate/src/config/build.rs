//! From values that are each of the right type to settings.

use serde::de::DeserializeOwned;
use toml::{Table, Value};

use super::fault::Fault;
use super::retriever::KindEntry;
use super::{
    BaselineSettings, CorpusSettings, DEFAULT_NAME, GoldenSettings, PrivacySettings, RetrieverSettings,
    Settings,
};

/// The settings in values that are each of the right type, and what is wrong with them together.
pub(super) fn build(
    mut values: Table,
    kind: Option<&KindEntry>,
    faults: &mut Vec<Fault>,
) -> Option<Settings> {
    let name = match values.remove("name") {
        Some(Value::String(name)) => name,
        _ => DEFAULT_NAME.to_owned(),
    };
    let mut table = |name: &str| match values.remove(name) {
        Some(Value::Table(table)) => Some(table),
        _ => None,
    };
    let golden: GoldenSettings = read("golden", table("golden").unwrap_or_default(), faults)?;
    let corpus: Option<Option<CorpusSettings>> = match table("corpus") {
        Some(corpus) => read("corpus", corpus, faults).map(Some),
        None => Some(None),
    };
    let mut own = table("retriever").unwrap_or_default();
    own.remove("kind");
    let retriever = kind.and_then(|kind| checked("retriever", RetrieverSettings::build(kind, own), faults));
    let measures = read("measures", table("measures").unwrap_or_default(), faults);
    let baseline: Option<Option<BaselineSettings>> = match table("baseline") {
        Some(baseline) => read("baseline", baseline, faults).map(Some),
        None => Some(None),
    };
    let gate = read("gate", table("gate").unwrap_or_default(), faults);

    let privacy = privacy(&mut values, faults);

    // A key that was left out for its type is not also missing.
    let questions = ["golden.path", "golden.qrels", "golden.queries"];
    if !faults.iter().any(|fault| questions.contains(&fault.key.as_str())) {
        faults.extend(golden.faults());
    }
    if let Some(Some(corpus)) = &corpus {
        faults.extend(corpus.chunker.faults());
    }
    if let Some(retriever) = &retriever {
        faults.extend(retriever.faults());
    }
    Some(Settings {
        name,
        golden,
        corpus: corpus?,
        retriever: retriever?,
        measures: measures?,
        baseline: baseline?,
        gate: gate?,
        privacy: privacy?,
    })
}

/// `[privacy]`.
pub(super) fn privacy(values: &mut Table, faults: &mut Vec<Fault>) -> Option<PrivacySettings> {
    let table = match values.remove("privacy") {
        Some(Value::Table(table)) => table,
        _ => Table::new(),
    };
    read("privacy", table, faults)
}

fn read<T: DeserializeOwned>(name: &str, table: Table, faults: &mut Vec<Fault>) -> Option<T> {
    checked(name, table.try_into(), faults)
}

/// The result of reading a table. Types were checked before: an error follows from one already found, or else is
/// named as it is.
fn checked<T>(table: &str, result: Result<T, toml::de::Error>, faults: &mut Vec<Fault>) -> Option<T> {
    match result {
        Ok(settings) => Some(settings),
        Err(error) => {
            if !faults.iter().any(|fault| fault.key.starts_with(table)) {
                faults.push(Fault::new(table, format!("`[{table}]`: {}", error.message())));
            }
            None
        }
    }
}
