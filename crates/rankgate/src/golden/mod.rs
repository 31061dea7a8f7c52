//! Golden sets: questions with the evidence that answers them.

mod anchor;
mod builder;
mod columns;
mod digest;
pub mod evidence;
mod field;
mod json;
mod jsonl;
mod judged;
mod queries;
pub mod quote;
mod read;
mod table;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::Place;
use crate::config::LevelSetting;

pub(crate) use digest::hex;
pub use queries::{Queries, QueryText};

/// A span of a document, in Unicode scalars, end exclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The first character.
    pub start: usize,
    /// One past the last.
    pub end: usize,
}

/// One way to recognise evidence. A hit meets an anchor by the most specific means that the anchor has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Anchor {
    /// The chunk with this id. The document is a hint for people and for document level.
    Chunk {
        /// The id.
        id: String,
        /// The document it is said to be in.
        doc: Option<String>,
    },
    /// A range of a document.
    Span {
        /// The document.
        doc: String,
        /// The range.
        span: Span,
        /// The text that stands there.
        quote: Option<String>,
    },
    /// A text to be found in a hit, in one document when that is named.
    Quote {
        /// The text.
        text: String,
        /// The document.
        doc: Option<String>,
    },
    /// Any hit of this document.
    Document {
        /// The document.
        id: String,
    },
}

/// One piece of evidence that is wanted; any of its alternatives will do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Need {
    /// How much it is worth: 1 or more.
    pub grade: u32,
    /// At least one.
    pub alternatives: Vec<Anchor>,
}

/// What a rank counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// Chunks.
    Chunk,
    /// Documents: each hit stands for its document, and repeats collapse before any cut-off.
    Document,
}

impl Level {
    /// `chunk` or `document`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Chunk => "chunk",
            Self::Document => "document",
        }
    }
}

/// One question of a golden set.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// Its id, unique in the set.
    pub id: String,
    /// The question.
    pub query: String,
    /// The evidence: all of it is wanted.
    pub needs: Vec<Need>,
    /// Anchors judged not relevant (grade 0 or below).
    pub not_relevant: Vec<Anchor>,
    /// What must not be retrieved.
    pub forbidden: Vec<Anchor>,
    /// Whether the corpus holds an answer.
    pub answerable: bool,
    /// Free JSON that reaches the retriever.
    pub params: Map<String, Value>,
    /// The slice it belongs to.
    pub category: Option<String>,
    /// Further slices.
    pub tags: Vec<String>,
    /// Where the question came from.
    pub source: Option<String>,
    /// Its hit must stand at the smallest gated cut-off.
    pub critical: bool,
    /// Every need's rank must be at most this.
    pub must_rank_within: Option<u32>,
    /// Run and shown, but out of every rule, for this reason.
    pub quarantine: Option<String>,
    /// Further columns of the file or of the attributes file, usable in `where` and `each`.
    pub attributes: BTreeMap<String, String>,
    /// The line it stands on, from 1.
    pub line: usize,
    /// SHA-256 over query, needs, judged anchors, forbidden, answerable and params, in lower-case hex.
    pub digest: String,
}

/// A golden set as read: validated in itself, not yet against a corpus.
#[derive(Debug, Clone, Default)]
pub struct GoldenSet {
    /// The file or folder, as the user named it.
    pub path: PathBuf,
    /// The file in which the lines of the cases count: `path`, or the qrels of a folder.
    pub labels_file: PathBuf,
    /// The stem of the file's name; of a folder its name.
    pub version: String,
    /// SHA-256 of the bytes of the file (of qrels, queries and attributes in turn where there are several), as they
    /// lie on disk, in lower-case hex.
    pub sha256: String,
    /// The embedding model that the labels were made for, if the set pins one.
    pub embedding_model_version: Option<String>,
    /// The questions, in the order of the file.
    pub cases: Vec<Case>,
    /// Ids of queries that had no need and were left out (`no_needs = "skip"`).
    pub without_needs: Vec<String>,
    /// What the reader wants the user to know: repeated judgements, unknown evidence under `warn`.
    pub warnings: Vec<crate::Problem>,
}

impl Case {
    /// SHA-256 over query and params, in lower-case hex: what the retriever is asked.
    pub fn question_digest(&self) -> String {
        digest::of_question(self)
    }
}

impl Need {
    /// A short digest of what meets it, whatever its grade.
    pub fn digest(&self) -> String {
        digest::of_need(self)
    }
}

impl GoldenSet {
    /// Where a case stands.
    pub fn place(&self, case: &Case) -> Place {
        Place::line(&self.labels_file, case.line).of(&case.id)
    }

    /// What a rank counts: `auto` is documents when every need names nothing but documents.
    pub fn level(&self, setting: LevelSetting) -> Level {
        match setting {
            LevelSetting::Chunk => Level::Chunk,
            LevelSetting::Document => Level::Document,
            LevelSetting::Auto => {
                let mut anchors =
                    self.cases.iter().flat_map(|case| &case.needs).flat_map(|need| &need.alternatives);
                let any = anchors.clone().next().is_some();
                if any && anchors.all(|anchor| matches!(anchor, Anchor::Document { .. })) {
                    Level::Document
                } else {
                    Level::Chunk
                }
            }
        }
    }
}

/// The name of a file without its extension, and without the `.gz` behind that.
fn stem(path: &Path) -> String {
    read::uncompressed(path).file_stem().unwrap_or_default().to_string_lossy().into_owned()
}
