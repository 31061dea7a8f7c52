//! `[corpus]`: what can be retrieved.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::fault::Fault;

/// Where the corpus is and how it becomes chunks.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CorpusSettings {
    /// A JSONL file (gzip or not), a BEIR folder, or a folder of `.txt`, `.md` and `.html` files.
    #[schemars(extend("format" = "path"))]
    pub path: PathBuf,
    /// How to read it; found out from the path unless set.
    #[serde(default)]
    pub format: CorpusFormat,
    /// How a folder of texts is cut into chunks.
    #[serde(default)]
    pub chunker: ChunkerSettings,
}

/// The form of a corpus.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CorpusFormat {
    /// A file is JSONL; a folder with `corpus.jsonl` in it is BEIR; any other folder is cut.
    #[default]
    Auto,
    /// One chunk a line.
    Jsonl,
    /// A folder with `corpus.jsonl`.
    Beir,
    /// A folder of texts. Documents are named by their paths, chunks `path#0`, `path#1`, …; offsets count in the
    /// text of the file, which for HTML is the text taken out of it.
    Folder,
}

/// How texts are cut into chunks.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ChunkerSettings {
    /// Which chunker.
    pub kind: ChunkerKind,
    /// The most that a chunk may hold; at least 1.
    #[schemars(range(min = 1))]
    pub size: usize,
    /// How much of the end of a chunk the next one repeats, at most; smaller than `size`.
    pub overlap: usize,
    /// What `size` and `overlap` count.
    pub unit: ChunkUnit,
}

impl Default for ChunkerSettings {
    fn default() -> Self {
        Self { kind: ChunkerKind::Auto, size: 800, overlap: 0, unit: ChunkUnit::Characters }
    }
}

impl ChunkerSettings {
    /// What the types cannot say: every chunk must bring something new.
    pub(super) fn faults(&self) -> Vec<Fault> {
        if self.overlap < self.size {
            return Vec::new();
        }
        let what = format!(
            "`corpus.chunker.overlap` must be smaller than `corpus.chunker.size`, {} is not below {}",
            self.overlap, self.size
        );
        vec![Fault::new("corpus.chunker.overlap", what)]
    }
}

/// The chunkers there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ChunkerKind {
    /// `markdown` for `.md` files, `text` for the rest.
    Auto,
    /// At paragraph, sentence and word ends.
    Text,
    /// Like `text`, and headings start chunks.
    Markdown,
    /// Every `size` units, wherever that falls.
    Fixed,
}

/// What a chunk's size counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ChunkUnit {
    /// Unicode scalars.
    Characters,
    /// Runs of anything but white space.
    Words,
}
