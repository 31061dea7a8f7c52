//! A chunk as a JSON object, under the keys that public data sets and tools use for it: a line of a corpus, a
//! hit of a run.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess};

use super::json::{self, FromAny, Key, Scalar};
use crate::corpus::Chunk;
use crate::retriever::{Hit, Told};
use crate::{Id, Place, Problem};

/// The keys as they stand. Keys that are not named here are ignored.
///
/// The id is the first there is of `chunk_id`, `id`, `_id`, `doc_id`; `doc_id` beside another one of them names
/// the document. Document and offsets may also stand in `metadata`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Record<'a> {
    /// The chunk.
    #[serde(borrow)]
    pub chunk_id: Scalar<'a>,
    /// The chunk.
    #[serde(borrow)]
    pub id: Scalar<'a>,
    /// The chunk, as in BEIR.
    #[serde(borrow, rename = "_id")]
    pub beir_id: Scalar<'a>,
    /// The document beside another id, else the chunk.
    #[serde(borrow)]
    pub doc_id: Scalar<'a>,
    /// The document.
    #[serde(borrow)]
    pub doc: Scalar<'a>,
    /// Where the chunk starts in its document.
    #[serde(borrow)]
    pub start: Scalar<'a>,
    /// Where it ends.
    #[serde(borrow)]
    pub end: Scalar<'a>,
    /// The text.
    #[serde(borrow)]
    pub text: Scalar<'a>,
    /// The text, as in Anserini's collections.
    #[serde(borrow)]
    pub contents: Scalar<'a>,
    /// The title.
    #[serde(borrow)]
    pub title: Scalar<'a>,
    /// The score of a hit.
    #[serde(borrow)]
    pub score: Scalar<'a>,
    /// Where chunk folders in BEIR's form keep document and offsets.
    #[serde(borrow)]
    pub metadata: Metadata<'a>,
}

/// What is read from `metadata`. It is free-form, so what does not fit there is somebody else's, not an error.
#[derive(Debug, Default)]
pub struct Metadata<'a> {
    doc: Scalar<'a>,
    doc_id: Scalar<'a>,
    start: Scalar<'a>,
    end: Scalar<'a>,
}

impl<'a> Record<'a> {
    /// The record as a hit of a run. Every value that cannot be read is added to `problems`; `place` is where the
    /// record stands, with the id of the query.
    pub fn hit(mut self, place: impl Fn() -> Place, problems: &mut Vec<Problem>) -> Option<Hit> {
        let score = std::mem::take(&mut self.score).score();
        let located = self.located_text(&place, problems);
        let id = located.as_ref().map(|(id, _)| &**id);
        let score = Sieve { place: &place, id, problems }.keep("score", score);
        let (id, told) = located?;
        Some(Hit { id: id.into(), score: score?, told: None }.telling(told))
    }

    /// The record as a line of a corpus, which may have a title; a score there is somebody's metadata.
    pub fn chunk(mut self, place: impl Fn() -> Place, problems: &mut Vec<Problem>) -> Option<Chunk> {
        let title = std::mem::take(&mut self.title).text();
        let located = self.located_text(&place, problems);
        let id = located.as_ref().map(|(id, _)| &**id);
        let title = Sieve { place: &place, id, problems }.keep("title", title);
        let (id, Told { doc, start, end, text }) = located?;
        let doc = doc.map(|doc| doc.to_string());
        let (id, text) = (id.into_owned(), text.unwrap_or_default());
        Some(Chunk { id, doc, start, end, title: title?.into_owned(), text })
    }

    fn located_text(
        self,
        place: &impl Fn() -> Place,
        problems: &mut Vec<Problem>,
    ) -> Option<(Cow<'a, str>, Told)> {
        let mut sieve = Sieve { place, id: None, problems };
        let mut doc_id = self.doc_id;
        let ids = [("chunk_id", self.chunk_id), ("id", self.id), ("_id", self.beir_id)];
        let (field, id) = ids
            .into_iter()
            .find(|(_, id)| *id != Scalar::Absent)
            .unwrap_or_else(|| ("doc_id", std::mem::take(&mut doc_id)));
        if id == Scalar::Absent {
            let what = "no id";
            let hint = if self.doc.is_missing() {
                "expected one of `id`, `_id`, `chunk_id`, `doc_id`"
            } else {
                "expected one of `id`, `_id`, `chunk_id`, `doc_id`; `doc` goes beside an id, and a document by itself \
                 is a `doc_id`"
            };
            sieve.problems.push(Problem::new(place(), what).hint(hint));
            return None;
        }
        let id = sieve.keep(field, id.id())?;
        sieve.id = Some(&id);

        let document = |value: Scalar<'a>| if value.is_missing() { Ok(None) } else { value.id().map(Some) };
        let doc = sieve.keep("doc", document(self.doc));
        let doc_id = sieve.keep("doc_id", document(doc_id));
        let start = sieve.keep("start", self.start.offset());
        let end = sieve.keep("end", self.end.offset());
        let body = if self.text.is_missing() { ("contents", self.contents) } else { ("text", self.text) };
        let text = sieve.keep(body.0, body.1.text());

        let (mut span, nested) = ((start?, end?), self.metadata.span());
        if span == (None, None) {
            span = nested;
        }
        sieve.keep("start", check_span(span.0, span.1))?;
        let doc = doc?.or(doc_id?).or_else(|| self.metadata.document()).map(Id::from);
        let text = Some(text?).filter(|text| !text.is_empty()).map(Cow::into_owned);
        Some((id, Told { doc, start: span.0, end: span.1, text }))
    }
}

impl<'a> Metadata<'a> {
    fn document(self) -> Option<Cow<'a, str>> {
        self.doc_id.id().or_else(|_| self.doc.id()).ok()
    }

    /// Both offsets, or none: a lone number is as likely a date or a second of a film.
    fn span(&self) -> (Option<usize>, Option<usize>) {
        match (self.start.offset(), self.end.offset()) {
            (Ok(Some(start)), Ok(Some(end))) => (Some(start), Some(end)),
            _ => (None, None),
        }
    }
}

/// What is wrong with a pair of offsets, if anything is.
pub fn check_span(start: Option<usize>, end: Option<usize>) -> Result<(), String> {
    match (start, end) {
        (Some(start), Some(end)) if start > end => Err(format!("`start` {start} lies behind `end` {end}")),
        (Some(_), None) => Err("`start` without `end`".to_owned()),
        (None, Some(_)) => Err("`end` without `start`".to_owned()),
        _ => Ok(()),
    }
}

/// Lets values through and puts what is wrong with the others where it belongs.
struct Sieve<'s, P> {
    place: &'s P,
    id: Option<&'s str>,
    problems: &'s mut Vec<Problem>,
}

impl<P: Fn() -> Place> Sieve<'_, P> {
    fn keep<T>(&mut self, field: &str, value: Result<T, String>) -> Option<T> {
        value
            .map_err(|what| {
                let place = (self.place)().field(field);
                // Of a hit, the place already names the query.
                let place = match self.id {
                    Some(id) if place.id.is_none() => place.of(id),
                    _ => place,
                };
                self.problems.push(Problem::new(place, what));
            })
            .ok()
    }
}

impl<'de> FromAny<'de> for Metadata<'de> {
    fn scalar(_: Scalar<'de>) -> Self {
        Self::default()
    }

    fn object<A: MapAccess<'de>>(mut map: A) -> Result<Self, A::Error> {
        let mut metadata = Self::default();
        while let Some(Key(key)) = map.next_key()? {
            match &*key {
                "doc" => metadata.doc = map.next_value()?,
                "doc_id" => metadata.doc_id = map.next_value()?,
                "start" => metadata.start = map.next_value()?,
                "end" => metadata.end = map.next_value()?,
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(metadata)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Metadata<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        json::any::<Metadata<'de>, D>(deserializer)
    }
}
