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
    /// [`Chunk::document`] of the chunks in the order of first appearance.
    document_ids: Vec<String>,
    by_document: HashMap<String, Vec<usize>>,
    /// The texts of whole documents, where the source has them (a folder that was cut here).
    texts: HashMap<String, String>,
    /// SHA-256 over ids, documents, offsets, titles and texts, in lower-case hex.
    pub sha256: String,
    /// How it was made, in words: `jsonl`, `folder cut by text(size=800, overlap=0, unit=characters)`.
    pub made_by: String,
    /// Chunks whose text is empty: they keep their ids.
    pub without_text: Vec<String>,
}

impl Corpus {
    /// A corpus of these chunks. Stand-in until the readers of corpora arrive: no digest, no check of ids.
    pub fn from_chunks(chunks: Vec<Chunk>, made_by: impl Into<String>) -> crate::Result<Self> {
        let mut corpus = Self { made_by: made_by.into(), ..Self::default() };
        for (index, chunk) in chunks.iter().enumerate() {
            corpus.by_id.insert(chunk.id.clone(), index);
            let document = chunk.document().to_owned();
            if !corpus.by_document.contains_key(&document) {
                corpus.document_ids.push(document.clone());
            }
            corpus.by_document.entry(document).or_default().push(index);
        }
        corpus.chunks = chunks;
        Ok(corpus)
    }

    /// The chunks in the order of the source.
    pub fn chunks(&self) -> &[Chunk] {
        &self.chunks
    }

    /// How many chunks there are.
    pub fn len(&self) -> usize {
        self.chunks.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    /// The chunk with this id.
    pub fn get(&self, id: &str) -> Option<&Chunk> {
        self.by_id.get(id).and_then(|index| self.chunks.get(*index))
    }

    /// The chunks of a document, in order; empty when the corpus does not know it.
    pub fn chunks_of<'a>(&'a self, document: &'a str) -> impl Iterator<Item = &'a Chunk> {
        self.by_document.get(document).into_iter().flatten().filter_map(|index| self.chunks.get(*index))
    }

    /// Whether any chunk belongs to this document.
    pub fn has_document(&self, document: &str) -> bool {
        self.by_document.contains_key(document)
    }

    /// The ids of the documents, in the order of their first chunks.
    pub fn documents(&self) -> impl Iterator<Item = &str> {
        self.document_ids.iter().map(String::as_str)
    }

    /// The whole text of a document, where the source has it.
    pub fn document_text(&self, document: &str) -> Option<&str> {
        self.texts.get(document).map(String::as_str)
    }
}
