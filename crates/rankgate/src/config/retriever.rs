//! `[retriever]`: what answers the questions.
//!
//! The table holds the keys that every retriever has ([`RetrieverSettings`]) and those of its `kind`; each kind
//! has one struct, and an unknown key is judged against both.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Deserialize;

/// The keys that every retriever has, and the settings of its kind.
#[derive(Debug, Clone, PartialEq)]
pub struct RetrieverSettings {
    /// How many hits are asked for; found out from measures and corpus unless set.
    pub depth: Option<usize>,
    /// A hit below this score is no answer (`abstained@k`).
    pub min_score: Option<f64>,
    /// A regular expression whose first group is the document of a hit id, for retrievers that name no documents.
    pub doc_pattern: Option<String>,
    /// Which retriever, with its own keys.
    pub kind: RetrieverKind,
}

/// The retrievers there are.
#[derive(Debug, Clone, PartialEq)]
pub enum RetrieverKind {
    /// scikit-learn's TF-IDF with cosine.
    Tfidf(LexicalSettings),
    /// TF-IDF over a fixed number of hashed features.
    Hashing(HashingSettings),
    /// BM25 by an in-memory search index.
    Bm25(Bm25Settings),
    /// A run file.
    Run(RunSettings),
}

/// How text becomes weighted features; names and defaults are scikit-learn's `TfidfVectorizer`'s.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct LexicalSettings {
    /// Words or characters.
    pub analyzer: Analyzer,
    /// The shortest and longest n-gram.
    pub ngram_range: (usize, usize),
    /// What a word is, as a Python regular expression.
    pub token_pattern: String,
    /// Whether text is lowered first.
    pub lowercase: bool,
    /// Words to leave out.
    pub stop_words: Vec<String>,
    /// Drop one final `s` from words longer than three characters.
    pub plural: bool,
    /// Replace tf with 1 + ln(tf).
    pub sublinear_tf: bool,
    /// Add one to document frequencies, as if one document held every feature.
    pub smooth_idf: bool,
    /// The order of hits with equal scores.
    pub ties: Ties,
    /// Round scores to so many decimals before anything else.
    pub round_scores: Option<u32>,
}

impl Default for LexicalSettings {
    fn default() -> Self {
        Self {
            analyzer: Analyzer::Word,
            ngram_range: (1, 1),
            token_pattern: r"(?u)\b\w\w+\b".into(),
            lowercase: true,
            stop_words: Vec::new(),
            plural: false,
            sublinear_tf: false,
            smooth_idf: true,
            ties: Ties::IdDescending,
            round_scores: None,
        }
    }
}

/// What features are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Analyzer {
    /// Words, by `token_pattern`.
    Word,
    /// Characters, across words.
    Char,
    /// Characters inside words, which are padded with blanks.
    CharWb,
}

/// The order of hits whose scores are equal.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Ties {
    /// By id, bytewise, descending: what `trec_eval` makes of a run file.
    #[default]
    IdDescending,
    /// By id, bytewise, ascending.
    IdAscending,
    /// The chunk that comes first in the corpus first.
    CorpusOrder,
    /// The chunk that comes last in the corpus first.
    ReverseCorpusOrder,
}

/// `kind = "hashing"`: the keys of `tfidf` and the dimension.
#[derive(Debug, Clone, PartialEq)]
pub struct HashingSettings {
    /// How many features.
    pub dimension: usize,
    /// The rest.
    pub lexical: LexicalSettings,
}

impl HashingSettings {
    /// The dimension unless one is set: 2 to the 18th.
    pub const DEFAULT_DIMENSION: usize = 262_144;
}

/// `kind = "bm25"`.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Bm25Settings {
    /// How text becomes terms.
    pub tokenizer: Bm25Tokenizer,
    /// The order of hits with equal scores.
    pub ties: Ties,
    /// Round scores to so many decimals before anything else.
    pub round_scores: Option<u32>,
}

impl Default for Bm25Settings {
    fn default() -> Self {
        Self { tokenizer: Bm25Tokenizer::Auto, ties: Ties::IdDescending, round_scores: None }
    }
}

/// The tokenizers of `bm25`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Bm25Tokenizer {
    /// Words; runs of scripts written without spaces become overlapping character pairs.
    Auto,
    /// Words only.
    Words,
    /// Overlapping character pairs only.
    Bigrams,
}

/// `kind = "run"`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunSettings {
    /// A run file: TREC, JSON or JSONL.
    pub path: PathBuf,
}
