//! `[retriever]`: what answers the questions.
//!
//! The table holds the keys that every retriever has ([`RetrieverSettings`]) and those of its `kind`; each kind
//! has one struct, and an unknown key is judged against both.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::fault::Fault;
use super::schema::Part;

/// The keys that every retriever has, and the settings of its kind.
#[derive(Debug, Clone, PartialEq)]
pub struct RetrieverSettings {
    /// How many hits are asked for; found out from measures and corpus unless set.
    pub depth: Option<usize>,
    /// A hit below this score is no answer (`abstained@k`).
    pub min_score: Option<f64>,
    /// A regular expression whose first group is the document of a hit id, where neither retriever nor corpus names one.
    pub doc_pattern: Option<String>,
    /// The embedding model behind the answers, for retrievers that cannot report it.
    pub embedding_model_version: Option<String>,
    /// Which retriever, with its own keys.
    pub kind: RetrieverKind,
}

/// The keys that every retriever has, as they stand in the file.
#[derive(Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct CommonKeys {
    /// How many hits are asked for; found out from measures and corpus unless set.
    #[schemars(range(min = 1))]
    depth: Option<usize>,
    /// A hit below this score is no answer (`abstained@k`).
    min_score: Option<f64>,
    /// A regular expression whose first group is the document of a hit id, where neither retriever nor corpus names one.
    doc_pattern: Option<String>,
    /// The embedding model behind the answers, for retrievers that cannot report it; a golden set may be pinned to it.
    embedding_model_version: Option<String>,
}

/// The part of the table that every kind shares.
pub(super) const COMMON: Part = Part::of::<CommonKeys>();

/// A kind of retriever: what `kind` calls it, where its keys are declared, and how they become settings.
pub(super) struct KindEntry {
    /// The value of `kind`.
    pub(super) name: &'static str,
    /// What it is.
    pub(super) about: &'static str,
    /// Whether it searches the corpus itself and so cannot do without.
    pub(super) needs_corpus: bool,
    /// The structs that declare its keys.
    pub(super) parts: &'static [Part],
    build: fn(toml::Table) -> Result<RetrieverKind, toml::de::Error>,
}

/// The only table of kinds.
pub(super) const KINDS: &[KindEntry] = &[
    KindEntry {
        name: "tfidf",
        about: "TF-IDF with cosine similarity, as scikit-learn defines it",
        needs_corpus: true,
        parts: &[Part::of::<LexicalSettings>()],
        build: |keys| keys.try_into().map(RetrieverKind::Tfidf),
    },
    KindEntry {
        name: "hashing",
        about: "TF-IDF over a fixed number of hashed features",
        needs_corpus: true,
        parts: &[Part::of::<HashingKeys>(), Part::of::<LexicalSettings>()],
        build: |mut keys| {
            let HashingKeys { dimension } = take(&mut keys, &Part::of::<HashingKeys>()).try_into()?;
            Ok(RetrieverKind::Hashing(HashingSettings { dimension, lexical: keys.try_into()? }))
        },
    },
    KindEntry {
        name: "bm25",
        about: "BM25 by an in-memory search index",
        needs_corpus: true,
        parts: &[Part::of::<Bm25Settings>()],
        build: |keys| keys.try_into().map(RetrieverKind::Bm25),
    },
    KindEntry {
        name: "run",
        about: "a run file: the recorded answers of any retriever",
        needs_corpus: false,
        parts: &[Part::of::<RunSettings>()],
        build: |keys| keys.try_into().map(RetrieverKind::Run),
    },
];

/// Kinds that the design has and this version has not.
pub(super) const LATER_KINDS: &[&str] = &["python", "command", "http", "postgres", "dense", "hybrid"];

/// Longer n-grams than this are a mistake, and would fill the memory.
const LONGEST_GRAM: usize = 64;

/// Moves the keys of a part out of a table.
fn take(table: &mut toml::Table, part: &Part) -> toml::Table {
    part.fields().iter().filter_map(|field| table.remove_entry(*field)).collect()
}

impl RetrieverSettings {
    /// The settings in the keys of `[retriever]`, `kind` apart.
    pub(super) fn build(kind: &KindEntry, mut keys: toml::Table) -> Result<Self, toml::de::Error> {
        let common: CommonKeys = take(&mut keys, &COMMON).try_into()?;
        Ok(Self {
            depth: common.depth,
            min_score: common.min_score,
            doc_pattern: common.doc_pattern,
            embedding_model_version: common.embedding_model_version,
            kind: (kind.build)(keys)?,
        })
    }

    /// What the types cannot say.
    pub(super) fn faults(&self) -> Vec<Fault> {
        let mut faults = Vec::new();
        if let Some(pattern) = &self.doc_pattern {
            faults.extend(doc_pattern_fault(pattern));
        }
        let lexical = match &self.kind {
            RetrieverKind::Tfidf(lexical) => Some(lexical),
            RetrieverKind::Hashing(hashing) => Some(&hashing.lexical),
            RetrieverKind::Bm25(_) | RetrieverKind::Run(_) => None,
        };
        if let Some(LexicalSettings { ngram_range: (shortest, longest), .. }) = lexical
            && !((1..=*longest).contains(shortest) && *longest <= LONGEST_GRAM)
        {
            let what = format!(
                "`retriever.ngram_range` must be [shortest, longest] with 1 <= shortest <= longest <= {LONGEST_GRAM}, not [{shortest}, {longest}]"
            );
            faults.push(Fault::new("retriever.ngram_range", what));
        }
        faults
    }
}

/// What is wrong with a `doc_pattern`.
fn doc_pattern_fault(pattern: &str) -> Option<Fault> {
    let what = match regex::Regex::new(pattern) {
        Ok(regex) if regex.captures_len() >= 2 => return None,
        Ok(_) => "has no group".to_owned(),
        // The last line of the explanation says what is wrong; those before it draw the pattern.
        Err(error) => {
            let text = error.to_string();
            let reason = text.lines().last().unwrap_or_default();
            format!("is not a regular expression: {}", reason.trim_start_matches("error: "))
        }
    };
    Some(
        Fault::new("retriever.doc_pattern", format!("`retriever.doc_pattern` {what}"))
            .hint("its first group is the document of a hit id, as in '^(.*)#'"),
    )
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
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own that users know by this name")]
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
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
    #[schemars(range(max = 15))]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
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
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
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

impl Ties {
    /// The name that the configuration uses.
    pub fn name(self) -> &'static str {
        match self {
            Self::IdDescending => "id-descending",
            Self::IdAscending => "id-ascending",
            Self::CorpusOrder => "corpus-order",
            Self::ReverseCorpusOrder => "reverse-corpus-order",
        }
    }
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
    /// How many features there are unless set: 2^20.
    pub const DEFAULT_DIMENSION: usize = 1_048_576;
}

impl Default for HashingSettings {
    fn default() -> Self {
        Self { dimension: Self::DEFAULT_DIMENSION, lexical: LexicalSettings::default() }
    }
}

/// The keys that `hashing` has beyond those of `tfidf`.
#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct HashingKeys {
    /// How many features there are; texts whose features collide look alike.
    #[schemars(range(min = 1))]
    dimension: usize,
}

impl Default for HashingKeys {
    fn default() -> Self {
        Self { dimension: HashingSettings::DEFAULT_DIMENSION }
    }
}

/// `kind = "bm25"`.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Bm25Settings {
    /// How text becomes terms.
    pub tokenizer: Bm25Tokenizer,
    /// The order of hits with equal scores.
    pub ties: Ties,
    /// Round scores to so many decimals before anything else.
    #[schemars(range(max = 15))]
    pub round_scores: Option<u32>,
}

impl Default for Bm25Settings {
    fn default() -> Self {
        Self { tokenizer: Bm25Tokenizer::Auto, ties: Ties::IdDescending, round_scores: None }
    }
}

/// The tokenizers of `bm25`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
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
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunSettings {
    /// A run file: TREC, JSON or JSONL.
    #[schemars(extend("format" = "path"))]
    pub path: PathBuf,
}
