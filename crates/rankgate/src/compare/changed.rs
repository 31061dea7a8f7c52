//! What else is different between two states: the things a person would look at first.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::baseline::{CorpusStamp, Stamps};

/// One thing that is different.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Change {
    /// What: `corpus`, `retriever`, a key of the configuration.
    pub what: String,
    /// How it was; absent where there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// How it is; absent where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub now: Option<String>,
}

/// What is different, and what is known to be the same.
pub fn changes(before: &Stamps, now: &Stamps) -> (Vec<Change>, Vec<String>) {
    let mut changed = Vec::new();
    let mut same = Vec::new();
    let mut look = |what: &str, is_same: bool, before: Option<String>, now: Option<String>| {
        if !is_same {
            changed.push(Change { what: what.to_owned(), before, now });
        } else if before.is_some() || now.is_some() {
            same.push(what.to_owned());
        }
    };
    let sha = |corpus: &Option<CorpusStamp>| corpus.as_ref().map(|corpus| corpus.sha256.clone());
    let corpus = |corpus: &Option<CorpusStamp>| {
        corpus.as_ref().map(|corpus| {
            format!("{} chunks (mean length {:.0} characters)", corpus.chunks, corpus.mean_characters)
        })
    };
    look("corpus", sha(&before.corpus) == sha(&now.corpus), corpus(&before.corpus), corpus(&now.corpus));
    let golden = |stamps: &Stamps| {
        let short: String = stamps.golden.sha256.chars().take(8).collect();
        Some(format!("{} (sha256 {short}), {} questions", stamps.golden.version, stamps.golden.questions))
    };
    look("golden set", before.golden.sha256 == now.golden.sha256, golden(before), golden(now));
    let model = |stamps: &Stamps| stamps.retriever.embedding_model_version.clone();
    look("embedding model", model(before) == model(now), model(before), model(now));
    let depth = |stamps: &Stamps| Some(stamps.policy.depth.to_string());
    look("depth", depth(before) == depth(now), depth(before), depth(now));
    let keys: BTreeSet<&String> = before.settings.keys().chain(now.settings.keys()).collect();
    let mut any_key = false;
    // Of another kind of retriever the keys are other keys: only those that both have are compared.
    let is_same_kind = before.retriever.kind == now.retriever.kind;
    let both = |key: &&String| before.settings.contains_key(*key) && now.settings.contains_key(*key);
    for key in keys.into_iter().filter(|key| is_same_kind || !key.starts_with("retriever.") || both(key)) {
        let (before, now) = (before.settings.get(key), now.settings.get(key));
        if before != now {
            any_key = true;
            look(key, false, before.cloned(), now.cloned());
        }
    }
    // Where a key says it, the fingerprint only repeats it.
    let fingerprint = |stamps: &Stamps| Some(stamps.retriever.fingerprint.clone());
    let is_same = before.retriever.fingerprint == now.retriever.fingerprint;
    if is_same || !any_key {
        look("retriever", is_same, fingerprint(before), fingerprint(now));
    }
    (changed, same)
}
