//! Stamps: what a list was made from, and what decided how it was scored. A report has the same.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::report::Report;

/// Who made a report the baseline, and why.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Accepted {
    /// Who.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// The commit that was checked out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// Why; always there when the gate had failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// What a baseline was made from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Stamps {
    /// The golden set.
    pub golden: GoldenStamp,
    /// The corpus, when there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub corpus: Option<CorpusStamp>,
    /// The retriever.
    pub retriever: RetrieverStamp,
    /// What decided how rankings were scored: where these differ, nothing can be compared.
    pub policy: PolicyStamp,
    /// The digest of the effective configuration.
    pub configuration: String,
    /// The keys of `[corpus]` and `[retriever]` that held, as they were written.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub settings: BTreeMap<String, String>,
}

/// A golden set, as a baseline remembers it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GoldenStamp {
    /// The stem of the file's name.
    pub version: String,
    /// SHA-256 of its bytes.
    pub sha256: String,
    /// Questions in it.
    pub questions: usize,
}

/// A corpus, as a baseline remembers it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CorpusStamp {
    /// Chunks.
    pub chunks: usize,
    /// Documents.
    pub documents: usize,
    /// The mean length of a chunk, in characters.
    pub mean_characters: f64,
    /// SHA-256 over ids and texts.
    pub sha256: String,
}

/// A retriever, as a baseline remembers it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RetrieverStamp {
    /// Its kind.
    pub kind: String,
    /// Everything that decides its answers.
    pub fingerprint: String,
    /// The embedding model it reported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub embedding_model_version: Option<String>,
}

/// What decided how rankings were scored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PolicyStamp {
    /// `chunk` or `document`.
    pub level: String,
    /// How many places of a list were kept.
    pub depth: usize,
    /// The share of a span that a hit must hold to meet it.
    pub coverage: f64,
    /// What ordered hits of equal scores.
    pub ties: String,
    /// A hit below this score was no answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_score: Option<f64>,
}

impl Stamps {
    /// What a report was made from.
    pub fn of(report: &Report) -> Self {
        Self {
            golden: GoldenStamp {
                version: report.golden.version.clone(),
                sha256: report.golden.sha256.clone(),
                questions: report.golden.questions,
            },
            corpus: report.corpus.as_ref().map(|corpus| CorpusStamp {
                chunks: corpus.chunks,
                documents: corpus.documents,
                mean_characters: corpus.mean_characters,
                sha256: corpus.sha256.clone(),
            }),
            retriever: RetrieverStamp {
                kind: report.retriever.kind.clone(),
                fingerprint: report.retriever.fingerprint.clone(),
                embedding_model_version: report.retriever.embedding_model_version.clone(),
            },
            policy: PolicyStamp {
                level: report.policy.level.clone(),
                depth: report.policy.depth,
                coverage: report.policy.coverage,
                ties: report.policy.ties.clone(),
                min_score: report.policy.min_score,
            },
            configuration: report.policy.configuration.clone(),
            settings: report.settings.clone(),
        }
    }
}
