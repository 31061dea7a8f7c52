//! The texts of documents, as far as a corpus knows them.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashMap;
use std::rc::Rc;

use super::almost::almost;
use crate::corpus::{Chunk, Corpus};
use crate::golden::quote::{Quote, squeeze};

/// A document and its chunks. Squeezed texts are kept: many quotes are looked for in one document.
pub(super) struct Document<'a> {
    /// Every character at its own offset, where that is known.
    pub exact: Option<Cow<'a, str>>,
    chunks: Vec<&'a Chunk>,
    squeezed: OnceCell<String>,
    squeezed_chunks: OnceCell<Vec<Cow<'a, str>>>,
}

impl<'a> Document<'a> {
    fn new(chunks: Vec<&'a Chunk>, exact: Option<Cow<'a, str>>) -> Self {
        Self { exact, chunks, squeezed: OnceCell::new(), squeezed_chunks: OnceCell::new() }
    }

    /// Whether a quote stands in it, be it across chunks. Without an exact text these are read one after the other.
    pub fn holds(&self, quote: &Quote) -> bool {
        quote.stands_in_squeezed(self.squeezed())
    }

    /// How a text of it is almost a quote, if one is.
    pub fn almost(&self, quote: &str) -> Option<String> {
        almost(quote, self.squeezed())
    }

    fn squeezed(&self) -> &str {
        self.squeezed.get_or_init(|| {
            if let Some(text) = &self.exact {
                return squeeze(text).into_owned();
            }
            let texts: Vec<&str> = self.chunks.iter().map(|chunk| chunk.text.as_str()).collect();
            squeeze(&texts.join(" ")).into_owned()
        })
    }

    /// Whether one of its chunks holds a quote whole.
    pub fn holds_in_a_chunk(&self, quote: &Quote) -> bool {
        let squeezed = self
            .squeezed_chunks
            .get_or_init(|| self.chunks.iter().map(|chunk| squeeze(&chunk.text)).collect());
        squeezed.iter().any(|text| quote.stands_in_squeezed(text))
    }
}

/// Finds documents, and chunks by what stands in them.
pub(super) struct Documents<'a> {
    corpus: &'a Corpus,
    read: HashMap<&'a str, Rc<Document<'a>>>,
    /// Squeezing a whole corpus pays only when there are quotes that name no document.
    squeezed: OnceCell<Vec<(&'a Chunk, Cow<'a, str>)>>,
}

impl<'a> Documents<'a> {
    pub fn new(corpus: &'a Corpus) -> Self {
        Self { corpus, read: HashMap::new(), squeezed: OnceCell::new() }
    }

    /// The text of a document that the corpus knows.
    pub fn get(&mut self, id: &'a str) -> Rc<Document<'a>> {
        let corpus = self.corpus;
        Rc::clone(self.read.entry(id).or_insert_with(|| Rc::new(read(corpus, id))))
    }

    /// The first chunk that holds a quote whole.
    pub fn chunk_with(&self, quote: &Quote) -> Option<&'a Chunk> {
        let squeezed = self
            .squeezed
            .get_or_init(|| self.corpus.chunks().iter().map(|chunk| (chunk, squeeze(&chunk.text))).collect());
        squeezed.iter().find(|(_, text)| quote.stands_in_squeezed(text)).map(|(chunk, _)| *chunk)
    }

    /// The first document that holds a quote, be it across chunks.
    pub fn document_with(&mut self, quote: &Quote) -> Option<&'a str> {
        let corpus = self.corpus;
        corpus.documents().find(|id| self.get(id).holds(quote))
    }
}

fn read<'a>(corpus: &'a Corpus, id: &'a str) -> Document<'a> {
    let chunks: Vec<&Chunk> = corpus.chunks_of(id).collect();
    let exact = match (corpus.document_text(id), chunks.as_slice()) {
        (Some(text), _) => Some(text.into()),
        // A document that was never cut: its offsets are those of its only chunk.
        (None, [only]) if corpus.is_whole(only) => Some(only.text.as_str().into()),
        (None, chunks) => stitch(chunks).map(Cow::Owned),
    };
    Document::new(chunks, exact)
}

/// The document from its chunks, each laid down where it says it starts; what no chunk covers is filled with a
/// character that no quote holds. None when a chunk has no place, or not the length that its place says.
fn stitch(chunks: &[&Chunk]) -> Option<String> {
    const NOTHING: char = '\0';
    let mut placed = Vec::with_capacity(chunks.len());
    for chunk in chunks {
        let (start, end) = (chunk.start?, chunk.end?);
        if start.checked_add(chunk.text.chars().count()) != Some(end) {
            return None;
        }
        placed.push((start, chunk.text.as_str()));
    }
    // A start far beyond all texts is damage, not a gap to be filled.
    let total: usize = placed.iter().map(|(_, text)| text.len()).sum();
    placed.sort_by_key(|(start, _)| *start);
    let mut text = String::new();
    let mut length = 0;
    for (start, piece) in placed {
        if start > length {
            let gap = start - length;
            if gap > 10 * total + 10_000 {
                return None;
            }
            text.extend(std::iter::repeat_n(NOTHING, gap));
            length = start;
        }
        let known = length - start;
        let before = text.len();
        text.extend(piece.chars().skip(known));
        length += text.get(before..).unwrap_or_default().chars().count();
    }
    Some(text)
}
