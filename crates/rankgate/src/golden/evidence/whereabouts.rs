//! Where in a corpus a quote or a span stands, for whoever wonders why no hit has met it.

use super::documents::Documents;
use crate::corpus::{Chunk, Corpus};
use crate::golden::quote::Quote;
use crate::golden::{Anchor, Span};

/// Which chunks hold a piece of evidence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Whereabouts {
    /// Each of these chunks holds it.
    In(Vec<String>),
    /// No chunk holds it (or enough of it), and these chunks of its document hold a part each. They may be unknown.
    Cut(Vec<String>),
    /// It does not stand in the corpus.
    Nowhere,
}

/// Looks a quote or a span up; chunks and documents are where their ids say. `coverage` is how much of a span a chunk
/// must hold.
pub fn whereabouts(anchor: &Anchor, corpus: &Corpus, coverage: f64) -> Option<Whereabouts> {
    match anchor {
        Anchor::Chunk { .. } | Anchor::Document { .. } => None,
        Anchor::Span { doc, span, .. } => Some(of_span(corpus, doc, *span, coverage)),
        Anchor::Quote { text, doc } => Some(of_quote(corpus, &Quote::new(text), doc.as_deref())),
    }
}

fn of_span(corpus: &Corpus, doc: &str, span: Span, coverage: f64) -> Whereabouts {
    let wanted = span.end.saturating_sub(span.start) as f64;
    let parts: Vec<(&Chunk, usize)> = corpus
        .chunks_of(doc)
        .map(|chunk| (chunk, shared(corpus, chunk, span)))
        .filter(|part| part.1 > 0)
        .collect();
    let whole: Vec<String> = parts
        .iter()
        .filter(|(_, shared)| *shared as f64 >= coverage * wanted)
        .map(|(chunk, _)| chunk.id.clone())
        .collect();
    match (whole.is_empty(), parts.is_empty()) {
        (false, _) => Whereabouts::In(whole),
        (true, false) => Whereabouts::Cut(parts.into_iter().map(|(chunk, _)| chunk.id.clone()).collect()),
        (true, true) => Whereabouts::Nowhere,
    }
}

/// How many characters of a span a chunk holds.
fn shared(corpus: &Corpus, chunk: &Chunk, span: Span) -> usize {
    let (start, end) = match (chunk.start, chunk.end) {
        (Some(start), Some(end)) => (start, end),
        _ if corpus.is_whole(chunk) => (0, chunk.text.chars().count()),
        _ => return 0,
    };
    end.min(span.end).saturating_sub(start.max(span.start))
}

fn of_quote(corpus: &Corpus, quote: &Quote, doc: Option<&str>) -> Whereabouts {
    let holds = |chunk: &&Chunk| quote.stands_in(&chunk.text);
    let id = |chunk: &Chunk| chunk.id.clone();
    let whole: Vec<String> = match doc {
        Some(doc) => corpus.chunks_of(doc).filter(holds).map(id).collect(),
        None => corpus.chunks().iter().filter(holds).map(id).collect(),
    };
    if !whole.is_empty() {
        return Whereabouts::In(whole);
    }
    let mut documents = Documents::new(corpus);
    let doc = match doc {
        Some(doc) => corpus.documents().find(|id| *id == doc && documents.get(id).holds(quote)),
        None => documents.document_with(quote),
    };
    let Some(doc) = doc else { return Whereabouts::Nowhere };
    let found = documents.get(doc).exact.as_deref().and_then(|text| quote.find(text));
    let parts = found
        .map(|span| corpus.chunks_of(doc).filter(|chunk| shared(corpus, chunk, span) > 0).map(id).collect());
    Whereabouts::Cut(parts.unwrap_or_default())
}
