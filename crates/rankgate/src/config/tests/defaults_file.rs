//! The commented default holds what the structs hold.

use super::super::spec::{self, Accepts, KeySpec};
use super::*;

/// The commented default with every commented key uncommented.
pub(super) fn uncommented() -> String {
    let is_key = |rest: &str| rest.starts_with(|c: char| c.is_ascii_lowercase()) && rest.contains(" = ");
    let line = |line: &'static str| line.strip_prefix('#').filter(|rest| is_key(rest)).unwrap_or(line);
    DEFAULT_CONFIG.lines().map(line).collect::<Vec<_>>().join("\n")
}

fn leaves(keys: &[KeySpec], above: &str, found: &mut Vec<(String, KeySpec)>) {
    for key in keys {
        let path = if above.is_empty() { key.name.clone() } else { format!("{above}.{}", key.name) };
        match &key.accepts {
            Accepts::Table(inner) => leaves(inner, &path, found),
            _ => found.push((path, key.clone())),
        }
    }
}

fn all_leaves() -> Vec<(String, KeySpec)> {
    let mut found = Vec::new();
    leaves(&spec::root(None), "", &mut found);
    found
}

fn at<'a>(table: &'a toml::Table, path: &str) -> Option<&'a Value> {
    let (first, rest) = path.split_once('.').unwrap_or((path, ""));
    let value = table.get(first)?;
    if rest.is_empty() { Some(value) } else { at(value.as_table()?, rest) }
}

#[test]
fn resolves_as_it_is() {
    let resolved = with(DEFAULT_CONFIG, &inputs()).unwrap();
    assert_eq!(resolved.settings.name, DEFAULT_NAME);
    assert_eq!(resolved.settings.retriever.kind, RetrieverKind::Tfidf(LexicalSettings::default()));
}

#[test]
fn holds_every_key_and_says_what_holds_without_it() {
    let table: toml::Table = toml::from_str(&uncommented()).unwrap();
    // These stand in it as a choice to start from.
    let chosen = [
        "golden.path",
        "corpus.path",
        "retriever.kind",
        "gate.rules",
        "baseline.path",
        "baseline.golden_changed",
    ];
    for (path, key) in all_leaves() {
        let value = at(&table, &path).unwrap_or_else(|| panic!("{path} is not in default-config.toml"));
        if let (Some(default), false) = (&key.default, chosen.contains(&path.as_str())) {
            assert_eq!(value, default, "{path}");
        }
    }
}

#[test]
fn resolves_with_every_key_of_each_kind() {
    for kind in super::super::retriever::KINDS {
        let mut table: toml::Table = toml::from_str(&uncommented()).unwrap();
        let golden = table["golden"].as_table_mut().unwrap();
        for key in ["qrels", "queries", "attributes"] {
            golden.remove(key).unwrap();
        }
        let known: Vec<_> = spec::root(Some(kind.name));
        let mut own = Vec::new();
        leaves(&known, "", &mut own);
        let retriever = table["retriever"].as_table_mut().unwrap();
        retriever.insert("kind".into(), kind.name.into());
        retriever.retain(|key, _| own.iter().any(|(path, _)| *path == format!("retriever.{key}")));
        let text = toml::to_string(&table).unwrap();
        with(&text, &inputs()).unwrap_or_else(|error| panic!("{}: {error}", kind.name));
    }
}
