//! The texts of whole documents, as far as a corpus knows them.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashMap;
use std::rc::Rc;

use crate::corpus::{Chunk, Corpus};
use crate::golden::quote::{Quote, squeeze};

/// The text of a document.
pub(super) struct Document<'a> {
    /// Every character at its own offset, where that is known.
    pub exact: Option<Cow<'a, str>>,
    /// The text as quotes are looked for in it; without an exact text the chunks one after the other.
    squeezed: OnceCell<String>,
}

impl<'a> Document<'a> {
    fn exact(text: impl Into<Cow<'a, str>>) -> Self {
        Self { exact: Some(text.into()), squeezed: OnceCell::new() }
    }

    fn pieces(chunks: &[&Chunk]) -> Self {
        let texts: Vec<&str> = chunks.iter().map(|chunk| chunk.text.as_str()).collect();
        Self { exact: None, squeezed: squeeze(&texts.join(" ")).into_owned().into() }
    }

    /// Whether a quote stands in it, be it across chunks.
    pub fn holds(&self, quote: &Quote) -> bool {
        let text = || squeeze(self.exact.as_deref().unwrap_or_default()).into_owned();
        quote.stands_in_squeezed(self.squeezed.get_or_init(text))
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
    if let Some(text) = corpus.document_text(id) {
        return Document::exact(text);
    }
    let chunks: Vec<&Chunk> = corpus.chunks_of(id).collect();
    match chunks.as_slice() {
        // A document that was never cut: its offsets are those of its only chunk.
        [only] if only.start.unwrap_or(0) == 0 => Document::exact(only.text.as_str()),
        _ => stitch(&chunks).map_or_else(|| Document::pieces(&chunks), Document::exact),
    }
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
