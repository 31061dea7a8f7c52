//! `[golden]`: the questions and their evidence.

use std::collections::BTreeMap;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::fault::Fault;

/// Where the golden set is and how strictly it is read.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct GoldenSettings {
    /// A JSONL, JSON, CSV or TSV file, or a BEIR folder.
    #[schemars(extend("format" = "path"))]
    pub path: Option<PathBuf>,
    /// Judgements in TREC or BEIR form; needs `queries`.
    #[schemars(extend("format" = "path"))]
    pub qrels: Option<PathBuf>,
    /// Query texts for `qrels`: TSV (`id<tab>text`) or BEIR JSONL.
    #[schemars(extend("format" = "path"))]
    pub queries: Option<PathBuf>,
    /// Further fields per query for `qrels`: TSV or CSV with a header whose first column is the query id.
    #[schemars(extend("format" = "path"))]
    pub attributes: Option<PathBuf>,
    /// Which split of a BEIR folder (`qrels/<split>.tsv`).
    pub split: String,
    /// CSV and TSV: which column holds which field, `field = "Column header"`.
    pub columns: BTreeMap<String, String>,
    /// CSV and TSV: parts several values in one cell.
    #[schemars(length(min = 1))]
    pub list_separator: String,
    /// With fewer questions evaluated the run is incomplete.
    pub min_questions: usize,
    /// The values `source` may have.
    pub sources: Vec<String>,
    /// What to do when the corpus lacks an expected chunk, document or quote.
    pub unknown_evidence: UnknownEvidence,
    /// What to do with a question without evidence: `error` for golden files, `skip` for qrels, unless set.
    pub no_needs: Option<NoNeeds>,
    /// Whether hits are scored as chunks or as their documents.
    pub level: LevelSetting,
}

impl Default for GoldenSettings {
    fn default() -> Self {
        Self {
            path: None,
            qrels: None,
            queries: None,
            attributes: None,
            split: "test".into(),
            columns: BTreeMap::new(),
            list_separator: "|".into(),
            min_questions: 1,
            sources: ["logs", "sme", "synthetic", "synthetic_reviewed", "production-log"]
                .map(String::from)
                .into(),
            unknown_evidence: UnknownEvidence::Refuse,
            no_needs: None,
            level: LevelSetting::Auto,
        }
    }
}

impl GoldenSettings {
    /// What the types cannot say: the questions are in one file, or in a pair of files.
    pub(super) fn faults(&self) -> Vec<Fault> {
        let mut faults = Vec::new();
        match (&self.path, &self.qrels) {
            (None, None) if self.queries.is_none() => faults.push(
                Fault::new("golden.path", "missing `golden.path`")
                    .hint("the file of your questions; judgements need `golden.qrels` and `golden.queries`"),
            ),
            (Some(_), Some(_)) => faults.push(
                Fault::new("golden.qrels", "`golden.path` and `golden.qrels` exclude each other")
                    .hint("keep the one that is your golden set"),
            ),
            _ => {}
        }
        if self.qrels.is_some() && self.queries.is_none() {
            faults.push(
                Fault::new("golden.queries", "missing `golden.queries`").hint(
                    "`golden.qrels` holds ids only; the texts of the queries are in a file of their own",
                ),
            );
        }
        if self.qrels.is_none() {
            for (key, given) in
                [("golden.queries", self.queries.is_some()), ("golden.attributes", self.attributes.is_some())]
            {
                if given {
                    faults.push(Fault::new(key, format!("`{key}` without `golden.qrels`")));
                }
            }
        }
        faults
    }
}

/// What to do about evidence that the corpus lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum UnknownEvidence {
    /// Stop and list it.
    Refuse,
    /// Warn; the need stays and is never met.
    Warn,
}

/// What to do with a question that has no evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum NoNeeds {
    /// Stop and name it.
    Error,
    /// Leave it out of every mean and count it.
    Skip,
    /// Keep it: it counts as zero, as in `trec_eval`.
    Zero,
}

/// The level as the user asks for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum LevelSetting {
    /// Document when every anchor is a document, else chunk.
    Auto,
    /// Hits are chunks.
    Chunk,
    /// Each hit stands for its document; repeats collapse before any cut-off.
    Document,
}
