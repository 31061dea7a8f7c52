//! `[baseline]`: the accepted state that a run is compared with.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Where the baseline is and how changes of the golden set are met.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BaselineSettings {
    /// The file, kept in git; `rankgate accept` writes it.
    #[schemars(extend("format" = "path"))]
    pub path: PathBuf,
    /// Read the baseline from git instead of the working tree: `merge-base` (with the target branch, which
    /// `merge-base:BRANCH` names), or a revision.
    #[serde(rename = "ref", default)]
    #[schemars(length(min = 1))]
    pub reference: Option<String>,
    /// What to do when the golden set is not the one that was accepted.
    #[serde(default)]
    pub golden_changed: GoldenChanged,
}

/// What to do when the golden set is not the one that was accepted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum GoldenChanged {
    /// Do not compare.
    #[default]
    Refuse,
    /// Compare the questions that did not change.
    Common,
    /// Score the old rankings with today's labels.
    Rescore,
}
