//! `[privacy]`: what of the questions and the corpus may leave the machine that runs them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What reports, comments and baselines may show.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct PrivacySettings {
    /// Which texts may be shown at all.
    pub text: TextLevel,
    /// Which texts a comment (Markdown) may show; never more than `text`.
    pub comment: Option<TextLevel>,
    /// Which texts the files of a run (reports, baseline) may show; never more than `text`.
    pub artifact: Option<TextLevel>,
    /// Whether ids are shown as they are.
    pub ids: IdLevel,
}

/// Which texts may be shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TextLevel {
    /// No text: ids, ranks and numbers.
    None,
    /// The questions, but no quotes.
    Query,
    /// Questions and quotes.
    #[default]
    Full,
}

/// How ids are shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum IdLevel {
    /// As they are.
    #[default]
    Plain,
    /// As the first characters of their SHA-256.
    Hash,
}
