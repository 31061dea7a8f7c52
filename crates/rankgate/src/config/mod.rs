//! Settings: what is under test, from one file.
//!
//! One file per table of `rankgate.toml`. Every path in a ready `Settings` is absolute or relative to the
//! working directory; `resolve` has joined it to the folder of the configuration file.

mod corpus;
mod gate;
mod golden;
mod measures;
mod retriever;

pub use corpus::{ChunkUnit, ChunkerKind, ChunkerSettings, CorpusFormat, CorpusSettings};
pub use gate::{GateSettings, RuleLevel, RuleSetting};
pub use golden::{GoldenSettings, LevelSetting, NoNeeds, UnknownEvidence};
pub use measures::MeasureSettings;
pub use retriever::{
    Analyzer, Bm25Settings, Bm25Tokenizer, HashingSettings, LexicalSettings, RetrieverKind,
    RetrieverSettings, RunSettings, Ties,
};

/// Everything one run needs to know.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Names the suite in reports, JUnit and comments.
    pub name: String,
    /// `[golden]`
    pub golden: GoldenSettings,
    /// `[corpus]`
    pub corpus: Option<CorpusSettings>,
    /// `[retriever]`
    pub retriever: RetrieverSettings,
    /// `[measures]`
    pub measures: MeasureSettings,
    /// `[gate]`
    pub gate: GateSettings,
}
