//! The corpus: the chunks that can be retrieved, each with its document and its place in it.

use std::collections::HashMap;

/// One retrievable chunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    /// Its id, unique in the corpus.
    pub id: String,
    /// The document it belongs to, when the corpus says so.
    pub doc: Option<String>,
    /// Where it starts in its document, in Unicode scalars.
    pub start: Option<usize>,
    /// Where it ends, exclusive.
    pub end: Option<usize>,
    /// Its title; may be empty.
    pub title: String,
    /// Its text, as quotes are looked for and spans are measured in; may be empty.
    pub text: String,
}

impl Chunk {
    /// The text to index: title and text, parted by a blank.
    pub fn indexed_text(&self) -> std::borrow::Cow<'_, str> {
        if self.title.is_empty() {
            (&self.text).into()
        } else {
            format!("{} {}", self.title, self.text).into()
        }
    }

    /// The document of the chunk: the one named, else the chunk itself.
    pub fn document(&self) -> &str {
        self.doc.as_deref().unwrap_or(&self.id)
    }
}

/// All chunks, in the order of the source.
#[derive(Debug, Default)]
pub struct Corpus {
    chunks: Vec<Chunk>,
    by_id: HashMap<String, usize>,
    /// The texts of whole documents, where the source has them (a folder that was cut here).
    documents: HashMap<String, String>,
    /// SHA-256 over ids, documents, offsets, titles and texts, in lower-case hex.
    pub sha256: String,
    /// How it was made, in words: `jsonl`, `folder cut by text(size=800, overlap=0, unit=characters)`.
    pub made_by: String,
    /// Chunks whose text is empty: they keep their ids.
    pub without_text: Vec<String>,
}
