//! Golden set against corpus: whether the evidence that is wanted exists.

mod almost;
mod documents;
mod nearby;
mod whereabouts;

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use self::documents::Documents;
use self::nearby::Nearby;
use super::quote::Quote;
use super::{Anchor, Case, GoldenSet, Level, Span};
use crate::corpus::Corpus;
use crate::{Place, Problem};

pub use whereabouts::{Whereabouts, whereabouts};

/// What a corpus says about the labels of a golden set. Whether problems stop a run is `unknown_evidence`.
#[derive(Debug, Default)]
pub struct Evidence {
    /// Evidence that no retriever can find in this corpus: unknown chunks and documents, quotes that stand nowhere,
    /// offsets at which another text stands. An unknown id is named once, at the first label that wants it.
    pub problems: Vec<Problem>,
    /// How many labels the problems are about.
    pub labels: usize,
    /// How many labels stand in a document and in no single chunk, so that nothing meets them.
    pub cut: usize,
    /// Evidence that exists and still deserves a look: quotes that the chunker cuts, spans that cannot be checked.
    pub notes: Vec<Problem>,
}

/// Looks every expected and forbidden anchor up in the corpus.
///
/// At document level a chunk label may name a document, and a quote that crosses chunks does no harm.
pub fn check_against(set: &GoldenSet, corpus: &Corpus, level: Level) -> Evidence {
    let mut check = Check {
        corpus,
        level,
        documents: Documents::new(corpus),
        nearby: Nearby::new(corpus),
        unchecked: HashSet::new(),
        unknown: HashMap::new(),
        searched: 0,
        found: Evidence::default(),
    };
    for case in &set.cases {
        check.case(set, case);
    }
    check.finish()
}

struct Check<'a> {
    corpus: &'a Corpus,
    level: Level,
    documents: Documents<'a>,
    nearby: Nearby<'a>,
    /// Documents whose spans cannot be checked, each noted once.
    unchecked: HashSet<&'a str>,
    /// Ids that the corpus lacks: the place among the problems, and how many labels want it.
    unknown: HashMap<Unknown<'a>, (usize, usize)>,
    /// How many quotes were looked for in the whole corpus in other spellings.
    searched: usize,
    found: Evidence,
}

/// An id that the corpus lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Unknown<'a> {
    Chunk(&'a str),
    Document(&'a str),
}

impl<'a> Check<'a> {
    fn case(&mut self, set: &'a GoldenSet, case: &'a Case) {
        let expected =
            case.needs.iter().flat_map(|need| &need.alternatives).map(|anchor| ("expected", anchor));
        let forbidden = case.forbidden.iter().map(|anchor| ("forbidden", anchor));
        for (field, anchor) in expected.chain(forbidden) {
            self.anchor(anchor, &set.place(case).field(field));
        }
    }

    fn problem(&mut self, place: &Place, what: String, hint: Option<String>) {
        self.found.labels += 1;
        self.found.problems.push(Problem { place: place.clone(), what, hint });
    }

    /// One wrong id is one problem, however many labels want it.
    fn unknown(&mut self, id: Unknown<'a>, place: &Place) {
        if let Some((_, labels)) = self.unknown.get_mut(&id) {
            *labels += 1;
            self.found.labels += 1;
            return;
        }
        self.unknown.insert(id, (self.found.problems.len(), 1));
        let (what, hint) = match id {
            Unknown::Chunk(id) => (format!("chunk `{id}`"), self.nearby.of_chunk(id)),
            Unknown::Document(id) => (format!("document `{id}`"), self.nearby.of_document(id)),
        };
        self.problem(place, format!("{what} is not in the corpus"), hint);
    }

    fn finish(mut self) -> Evidence {
        for (problem, labels) in self.unknown.into_values().filter(|(_, labels)| *labels > 1) {
            if let Some(problem) = self.found.problems.get_mut(problem) {
                // Writing to a string cannot fail.
                let _ = write!(problem.what, ", and {labels} labels want it");
            }
        }
        self.found
    }

    fn note(&mut self, place: &Place, what: String, hint: &str) {
        self.found.notes.push(Problem::new(place.clone(), what).hint(hint));
    }

    fn anchor(&mut self, anchor: &'a Anchor, place: &Place) {
        match anchor {
            Anchor::Chunk { id, doc } => self.chunk(id, doc.as_deref(), place),
            Anchor::Document { id } => {
                self.document(id, place);
            }
            Anchor::Span { doc, span, quote } => {
                if self.document(doc, place) {
                    self.span(doc, *span, quote.as_deref(), place);
                }
            }
            Anchor::Quote { text, doc: Some(doc) } => {
                if self.document(doc, place) {
                    self.quote_in(anchor, &Quote::new(text), doc, place);
                }
            }
            Anchor::Quote { text, doc: None } => self.quote_anywhere(anchor, &Quote::new(text), place),
        }
    }

    fn chunk(&mut self, id: &'a str, doc: Option<&str>, place: &Place) {
        let Some(chunk) = self.corpus.get(id) else {
            if self.level == Level::Document && self.corpus.has_document(id) {
                return;
            }
            return self.unknown(Unknown::Chunk(id), place);
        };
        if let (Some(said), Some(is)) = (doc, chunk.doc.as_deref())
            && said != is
        {
            self.note(
                place,
                format!("chunk `{id}` belongs to `{is}`, not to `{said}`"),
                "the chunk id decides; mend the document beside it",
            );
        }
    }

    fn document(&mut self, id: &'a str, place: &Place) -> bool {
        let known = self.corpus.has_document(id);
        if !known {
            self.unknown(Unknown::Document(id), place);
        }
        known
    }

    fn span(&mut self, doc: &'a str, span: Span, quote: Option<&str>, place: &Place) {
        let quote = quote.map(Quote::new);
        let document = self.documents.get(doc);
        let Some(text) = document.exact.as_deref() else {
            if quote.as_ref().is_some_and(|quote| !document.holds(quote)) {
                self.problem(place, format!("the quote does not stand in any chunk of `{doc}`"), None);
            } else if self.unchecked.insert(doc) {
                self.note(
                    place,
                    format!("offsets in `{doc}` cannot be checked: its chunks do not say where they start"),
                    "give the chunks `start` and `end`",
                );
            }
            return;
        };
        let here = slice(text, span);
        let fits = match &quote {
            Some(quote) => here.is_some_and(|here| quote.is_all_of(here)),
            None => here.is_some(),
        };
        if fits {
            return;
        }
        let what = if here.is_some() {
            format!("another text than the quote stands at {} to {} of `{doc}`", span.start, span.end)
        } else {
            let length = text.chars().count();
            format!("the span ends at {}, and `{doc}` has {length} characters", span.end)
        };
        let hint = quote.and_then(|quote| explain(text, span, &quote));
        self.problem(place, what, hint);
    }

    fn quote_in(&mut self, anchor: &Anchor, quote: &Quote, doc: &'a str, place: &Place) {
        let document = self.documents.get(doc);
        if document.holds_in_a_chunk(quote) {
            return;
        }
        if document.holds(quote) {
            self.cut(anchor, doc, place);
        } else {
            let elsewhere = self
                .documents
                .chunk_with(quote)
                .map(|chunk| format!("it stands in `{}`, which belongs to `{}`", chunk.id, chunk.document()));
            let hint = elsewhere
                .or_else(|| document.almost(quoted(anchor)?))
                .unwrap_or_else(|| SAME_WORDS.to_owned());
            self.problem(place, format!("{} does not stand in `{doc}`", in_full(anchor)), Some(hint));
        }
    }

    fn quote_anywhere(&mut self, anchor: &Anchor, quote: &Quote, place: &Place) {
        if self.documents.chunk_with(quote).is_some() {
            return;
        }
        if let Some(doc) = self.documents.document_with(quote) {
            self.cut(anchor, doc, place);
            return;
        }
        let hint = self.almost_anywhere(anchor).unwrap_or_else(|| SAME_WORDS.to_owned());
        self.problem(place, format!("{} stands nowhere in the corpus", in_full(anchor)), Some(hint));
    }

    /// A text of the corpus that is almost the quote. Each search reads the whole corpus, and many quotes that stand
    /// nowhere have one cause, which the first of them show.
    fn almost_anywhere(&mut self, anchor: &Anchor) -> Option<String> {
        const SEARCHED: usize = 10;
        self.searched += 1;
        let quote = quoted(anchor).filter(|_| self.searched <= SEARCHED)?;
        let corpus = self.corpus;
        corpus
            .documents()
            .find_map(|doc| self.documents.get(doc).almost(quote).map(|hint| format!("in `{doc}`, {hint}")))
    }

    /// A quote that is there, but in no single chunk.
    fn cut(&mut self, anchor: &Anchor, doc: &str, place: &Place) {
        if self.level == Level::Chunk {
            self.found.cut += 1;
            self.note(
                place,
                format!("{anchor} stands in `{doc}`, but no chunk holds it whole: the chunker cuts it"),
                "quote a shorter piece, give `start` and `end`, or cut the document elsewhere",
            );
        }
    }
}

fn quoted(anchor: &Anchor) -> Option<&str> {
    match anchor {
        Anchor::Quote { text, .. } => Some(text),
        _ => None,
    }
}

/// A quote with enough of it to be looked for by eye.
fn in_full(anchor: &Anchor) -> String {
    const SHOWN: usize = 200;
    match quoted(anchor) {
        Some(text) if text.chars().count() <= SHOWN => format!("the quote \"{text}\""),
        Some(text) => format!("the quote \"{}…\"", text.chars().take(SHOWN).collect::<String>()),
        None => anchor.to_string(),
    }
}

const SAME_WORDS: &str = "a quote is compared letter by letter; only white space may differ";

/// What a wrong span most likely meant.
fn explain(text: &str, span: Span, quote: &Quote) -> Option<String> {
    let right = |span: Span| slice(text, span).filter(|here| quote.is_all_of(here)).map(|_| span);
    let unit = |name: &str, length: fn(char) -> usize| {
        let span = right(Span {
            start: to_chars(text, span.start, length)?,
            end: to_chars(text, span.end, length)?,
        })?;
        Some(format!("the offsets look like {name}; in characters it is {} to {}", span.start, span.end))
    };
    unit("UTF-16 units", char::len_utf16).or_else(|| unit("UTF-8 bytes", char::len_utf8)).or_else(|| {
        Some(match quote.find(text) {
            Some(found) => format!("the quote stands at {} to {}", found.start, found.end),
            None => "the quote stands nowhere in this document".to_owned(),
        })
    })
}

/// An offset in other units as an offset in characters, if a character starts there.
fn to_chars(text: &str, offset: usize, length: fn(char) -> usize) -> Option<usize> {
    let mut units = 0;
    let mut chars = 0;
    for char in text.chars() {
        if units >= offset {
            break;
        }
        units += length(char);
        chars += 1;
    }
    (units == offset).then_some(chars)
}

/// The text of a span, or none where it ends past the text.
fn slice(text: &str, span: Span) -> Option<&str> {
    let mut places = text.char_indices().map(|(place, _)| place).chain([text.len()]);
    let start = places.nth(span.start)?;
    let end = places.nth(span.end.checked_sub(span.start)?.checked_sub(1)?)?;
    text.get(start..end)
}
