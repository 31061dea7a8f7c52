//! Settings: what is under test, from one file.
//!
//! One file per table of `rankgate.toml`; the structs are the only list of keys. Their JSON Schema
//! ([`schema()`]) tells editors and [`resolve()`] alike which keys there are, what each may hold and what it holds
//! unless set.
//!
//! ```text
//! defaults <- file <- environment <- --set <- flags      layers: the values, each with its origin
//!    -> references and types, leaf by leaf               judge, reference, spec
//!    -> one struct per table, and what only it can say   build, the files of the tables
//! ```
//!
//! Every path in a ready [`Settings`] is absolute or relative to the working directory; [`resolve()`] has joined
//! it to the folder of the configuration file.

mod baseline;
mod build;
mod corpus;
mod fault;
mod find;
mod gate;
mod golden;
mod judge;
mod key;
mod layers;
mod measures;
mod origin;
mod privacy;
mod reference;
mod resolve;
mod retriever;
mod schema;
mod spec;
#[cfg(test)]
mod tests;

pub use baseline::{BaselineSettings, GoldenChanged};
pub use corpus::{ChunkUnit, ChunkerKind, ChunkerSettings, CorpusFormat, CorpusSettings};
pub use gate::{GateSettings, RuleLevel, RuleSetting};
pub use golden::{GoldenSettings, LevelSetting, NoNeeds, UnknownEvidence};
pub use measures::MeasureSettings;
pub use origin::{Effective, Origin};
pub use privacy::{IdLevel, PrivacySettings, TextLevel};
pub use resolve::{Flag, Inputs, Resolved, privacy, resolve, resolve_text};
pub use retriever::{
    Analyzer, Bm25Settings, Bm25Tokenizer, HashingSettings, LexicalSettings, RetrieverKind,
    RetrieverSettings, RunSettings, Ties,
};
pub use schema::schema;

/// What a configuration file is called.
pub const FILE_NAME: &str = "rankgate.toml";

/// The `name` of a configuration that gives none.
pub const DEFAULT_NAME: &str = "rankgate";

/// A configuration to start from: every key with its default, explained. What stands in it as a comment is what
/// holds without it.
pub const DEFAULT_CONFIG: &str = include_str!("default-config.toml");

/// Everything one run needs to know.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Names the suite in every report and comment.
    pub name: String,
    /// `[golden]`
    pub golden: GoldenSettings,
    /// `[corpus]`
    pub corpus: Option<CorpusSettings>,
    /// `[retriever]`
    pub retriever: RetrieverSettings,
    /// `[measures]`
    pub measures: MeasureSettings,
    /// `[baseline]`
    pub baseline: Option<BaselineSettings>,
    /// `[gate]`
    pub gate: GateSettings,
    /// `[privacy]`
    pub privacy: PrivacySettings,
}
