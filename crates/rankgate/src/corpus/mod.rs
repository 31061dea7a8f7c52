//! The corpus: the chunks that can be retrieved, each with its document and its place in it.

mod chunker;
mod digest;
mod folder;
mod html;
mod jsonl;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::collections::hash_map::Entry;

pub use chunker::{Chunker, Piece};

use crate::config::{CorpusFormat, CorpusSettings};
use crate::formats::record::check_span;
use crate::{Error, Place, Problem, Result};

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
    /// How it was made, in words: `jsonl`, `folder cut by text(size 800, overlap 0, characters)`.
    pub made_by: String,
    /// Chunks whose text is empty or blank: they keep their ids.
    pub without_text: Vec<String>,
    /// How many files of a folder were left out for their extension.
    pub skipped_files: usize,
    /// The sum of the chunks' lengths in Unicode scalars.
    characters: usize,
}

impl Corpus {
    /// Reads a corpus, whatever its form.
    pub fn read(settings: &CorpusSettings) -> Result<Self> {
        Self::read_any(settings).map_err(|error| error.named_by(&[("corpus.path", &settings.path)]))
    }

    fn read_any(settings: &CorpusSettings) -> Result<Self> {
        let path = settings.path.as_path();
        let is_folder = std::fs::metadata(path).map_err(|source| Error::read(path, source))?.is_dir();
        let beir = is_folder.then(|| jsonl::beir_file(path)).flatten();
        match (settings.format, beir) {
            (CorpusFormat::Auto | CorpusFormat::Beir, Some(file)) => jsonl::read(&file, "beir"),
            (CorpusFormat::Beir, None) => Err(Problem::new(Place::file(path), "not a BEIR folder")
                .hint("a BEIR folder holds `corpus.jsonl` or `corpus.jsonl.gz`")
                .into()),
            (CorpusFormat::Folder, _) if !is_folder => {
                Err(Problem::new(Place::file(path), "not a folder").into())
            }
            (CorpusFormat::Jsonl, _) if is_folder => {
                Err(Problem::new(Place::file(path), "a folder, not a JSONL file").into())
            }
            (CorpusFormat::Auto | CorpusFormat::Folder, _) if is_folder => {
                folder::read(path, &Chunker::new(&settings.chunker)?)
            }
            _ => jsonl::read(path, "jsonl"),
        }
    }

    /// A corpus of chunks that are already in memory. Their ids must be unique and their offsets in order.
    pub fn from_chunks(chunks: Vec<Chunk>, made_by: impl Into<String>) -> Result<Self> {
        let problems = chunks
            .iter()
            .filter_map(|chunk| {
                let what = check_span(chunk.start, chunk.end).err()?;
                Some(Problem::new(Place::default().of(&chunk.id), what))
            })
            .collect();
        Self::assemble(chunks, made_by.into(), |_| Place::default(), problems)
    }

    /// Builds the look-ups. `place` says where the chunk with an index stands in the source; `problems` are those
    /// met on the way here.
    fn assemble(
        chunks: Vec<Chunk>,
        made_by: String,
        place: impl Fn(usize) -> Place,
        mut problems: Vec<Problem>,
    ) -> Result<Self> {
        let mut corpus = Self { made_by, ..Self::default() };
        corpus.by_id.reserve(chunks.len());
        for (index, chunk) in chunks.iter().enumerate() {
            match corpus.by_id.entry(chunk.id.clone()) {
                Entry::Vacant(entry) => {
                    entry.insert(index);
                }
                Entry::Occupied(first) => {
                    problems.push(repeated(&chunk.id, &place(*first.get()), place(index)));
                }
            }
            if chunk.text.trim().is_empty() {
                corpus.without_text.push(chunk.id.clone());
            }
            corpus.characters += chunk.text.chars().count();
        }
        problems.sort_by(|a, b| a.place.cmp(&b.place));
        Error::unless_empty(problems)?;
        corpus.sha256 = digest::of(&chunks);
        corpus.chunks = chunks;
        corpus.index_documents();
        Ok(corpus)
    }

    fn index_documents(&mut self) {
        self.document_ids.clear();
        self.by_document.clear();
        for (index, chunk) in self.chunks.iter().enumerate() {
            let members = self.by_document.entry(chunk.document().to_owned()).or_default();
            if members.is_empty() {
                self.document_ids.push(chunk.document().to_owned());
            }
            members.push(index);
        }
    }

    /// Gives the chunks of which the source names no document the one that is found in their id. The digest stays that
    /// of the source.
    pub fn name_documents(&mut self, document_of: impl Fn(&str) -> String) {
        for chunk in self.chunks.iter_mut().filter(|chunk| chunk.doc.is_none()) {
            let document = document_of(&chunk.id);
            chunk.doc = Some(document).filter(|document| *document != chunk.id);
        }
        self.index_documents();
    }

    /// How many chunks the document with the most of them has.
    pub fn largest_document(&self) -> usize {
        self.document_ids.iter().map(|id| self.by_document.get(id).map_or(0, Vec::len)).max().unwrap_or(0)
    }

    /// The mean length of a chunk in Unicode scalars; 0 when there are no chunks.
    pub fn mean_characters(&self) -> f64 {
        if self.chunks.is_empty() { 0.0 } else { self.characters as f64 / self.chunks.len() as f64 }
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

    /// Whether a chunk is all that there is of its document, from the first character on: it was never cut, and
    /// offsets in the document are offsets in the chunk.
    pub fn is_whole(&self, chunk: &Chunk) -> bool {
        chunk.start.unwrap_or(0) == 0 && self.chunks_of(chunk.document()).nth(1).is_none()
    }

    /// Whether any chunk belongs to this document.
    pub fn has_document(&self, document: &str) -> bool {
        self.by_document.contains_key(document)
    }

    /// The ids of the documents, in the order of their first chunks.
    pub fn documents(&self) -> impl Iterator<Item = &str> {
        self.document_ids.iter().map(String::as_str)
    }

    /// Whether the chunks were cut here, so that their ids are `path#n`.
    pub fn is_cut_here(&self) -> bool {
        !self.texts.is_empty()
    }

    /// The whole text of a document, where the source has it.
    pub fn document_text(&self, document: &str) -> Option<&str> {
        self.texts.get(document).map(String::as_str)
    }
}

fn repeated(id: &str, first: &Place, again: Place) -> Problem {
    let what = match first.line {
        Some(line) => format!("the id is already that of line {line}"),
        None => "two chunks have this id".to_owned(),
    };
    Problem::new(again.of(id), what).hint("every chunk needs an id of its own")
}
