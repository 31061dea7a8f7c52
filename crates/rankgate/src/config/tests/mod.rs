//! Every layer, every message.

mod any_input;
mod defaults_file;
mod layers;
mod mistakes;
mod paths;
mod references;
mod the_schema;

use std::path::Path;

use insta::assert_snapshot;
use toml::Value;

use super::resolve::*;
use super::*;
use crate::Result;

const MINIMAL: &str = r#"
[golden]
path = "eval/q.jsonl"
[corpus]
path = "docs"
[retriever]
kind = "tfidf"
"#;

fn inputs() -> Inputs {
    Inputs { cwd: "/nowhere".into(), ..Inputs::default() }
}

fn env(pairs: &[(&str, &str)]) -> Inputs {
    let env = pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    Inputs { env, ..inputs() }
}

fn sets(sets: &[&str]) -> Inputs {
    Inputs { sets: sets.iter().map(|set| (*set).to_owned()).collect(), ..inputs() }
}

fn with(text: &str, inputs: &Inputs) -> Result<Resolved> {
    resolve_text(Some((Path::new("rankgate.toml"), text)), inputs)
}

/// The minimal configuration with more lines at its end (in `[retriever]`, unless they open another table).
fn ok(more: &str, inputs: &Inputs) -> Resolved {
    with(&format!("{MINIMAL}{more}"), inputs).unwrap()
}

fn error(text: &str) -> String {
    error_with(text, &inputs())
}

fn error_with(text: &str, inputs: &Inputs) -> String {
    with(text, inputs).unwrap_err().to_string()
}

fn effective(resolved: &Resolved, key: &str) -> String {
    let found = resolved.origins.iter().find(|value| value.key == key);
    found.map_or_else(|| "nothing".into(), |value| format!("{} ({})", value.value, value.origin))
}

fn lexical(resolved: &Resolved) -> &LexicalSettings {
    match &resolved.settings.retriever.kind {
        RetrieverKind::Tfidf(lexical) => lexical,
        other => panic!("{other:?}"),
    }
}
