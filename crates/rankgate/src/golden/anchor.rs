//! What two anchors have in common, and how an anchor is called in messages.

use std::fmt;

use super::{Anchor, Span};

/// What an anchor points at, without its hints: anchors with equal targets are met by the same hits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Target<'a> {
    Chunk(&'a str),
    Span(&'a str, Span),
    Quote(Option<&'a str>, &'a str),
    Document(&'a str),
}

impl Anchor {
    pub(super) fn target(&self) -> Target<'_> {
        match self {
            Self::Chunk { id, .. } => Target::Chunk(id),
            Self::Span { doc, span, .. } => Target::Span(doc, *span),
            Self::Quote { text, doc } => Target::Quote(doc.as_deref(), text),
            Self::Document { id } => Target::Document(id),
        }
    }

    /// The document that the anchor names, as its place or as a hint.
    pub fn document(&self) -> Option<&str> {
        match self {
            Self::Chunk { doc, .. } | Self::Quote { doc, .. } => doc.as_deref(),
            Self::Span { doc: id, .. } | Self::Document { id } => Some(id),
        }
    }

    /// Puts the parts of an anchor together, or says why they do not fit.
    pub(super) fn from_parts(
        chunk: Option<String>,
        doc: Option<String>,
        start: Option<usize>,
        end: Option<usize>,
        quote: Option<String>,
    ) -> Result<Self, String> {
        match (chunk, doc, start, end, quote) {
            (Some(id), doc, None, None, None) => Ok(Self::Chunk { id, doc }),
            (Some(_), ..) => {
                Err("a chunk id stands alone, or with its `doc`: a span or a quote is evidence of its own, \
                                  which `any` can offer beside the chunk"
                    .to_owned())
            }
            (None, Some(doc), Some(start), Some(end), quote) if start < end => {
                Ok(Self::Span { doc, span: Span { start, end }, quote })
            }
            (None, Some(_), Some(start), Some(end), _) => {
                Err(format!("the span is empty: it starts at {start} and ends before {end}"))
            }
            (None, None, Some(_), _, _) | (None, None, _, Some(_), _) => {
                Err("a span needs the `doc` that it counts in".to_owned())
            }
            (None, Some(_), Some(_), None, _) | (None, Some(_), None, Some(_), _) => {
                Err("a span needs both `start` and `end`".to_owned())
            }
            (None, doc, None, None, Some(text)) => Ok(Self::Quote { text, doc }),
            (None, Some(id), None, None, None) => Ok(Self::Document { id }),
            (None, None, None, None, None) => {
                Err("no evidence is named: give `chunk`, `doc`, `doc` with `start` and `end`, or `quote`"
                    .to_owned())
            }
        }
    }
}

/// How much of a quote a message shows, in characters.
const SHOWN: usize = 40;

/// ``chunk `faq-7` ``, ``characters 120 to 171 of `refunds.md` ``, `"within 30 days…"`.
impl fmt::Display for Anchor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Chunk { id, .. } => write!(f, "chunk `{id}`"),
            Self::Document { id } => write!(f, "document `{id}`"),
            Self::Span { doc, span, .. } => {
                write!(f, "characters {} to {} of `{doc}`", span.start, span.end)
            }
            Self::Quote { text, .. } => match text.char_indices().nth(SHOWN) {
                Some((end, _)) => write!(f, "the quote \"{}…\"", text.get(..end).unwrap_or_default()),
                None => write!(f, "the quote \"{text}\""),
            },
        }
    }
}
