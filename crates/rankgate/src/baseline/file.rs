//! The format of a baseline: JSON Lines, a header and then one line a question, sorted by id, so that a change of it
//! reads well in a review.
//!
//! A line keeps the list to its depth and the rank at which each need was met. Measures are not kept: they follow.

use rankgate_metrics::{NeedOutcome, Outcome};
use serde::de::{self, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;
use sha2::{Digest as _, Sha256};

use super::{Accepted, Stamps};
use crate::Ids;
use crate::evaluate::RankedHit;
use crate::golden::{Span, hex};
use crate::retriever::{Hit, Told};

/// The version of the format. It rises when a reader of the version before would read something else.
pub const FORMAT_VERSION: u32 = 1;

/// The accepted answers.
#[derive(Debug, Clone)]
pub struct Baseline {
    /// The first line.
    pub header: Header,
    /// The others, by id.
    pub lines: Vec<Line>,
}

/// The first line: what the file is, and what it was made from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The version of the format.
    pub rankgate_baseline: u32,
    /// The version of rankgate that wrote it.
    pub rankgate: String,
    /// The name of the suite.
    pub name: String,
    /// Who accepted it, and why.
    pub accepted: Accepted,
    /// Whether ids are hashed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hashed_ids: bool,
    /// What it was made from.
    pub made_from: Stamps,
    /// SHA-256 of the lines that follow: a file that was cut, merged or edited by hand is none that anybody accepted.
    pub lines_sha256: String,
}

/// One question and its answer.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// The id of the question.
    pub id: String,
    /// The digest of the case.
    pub digest: String,
    /// The digest of what was asked.
    pub question: String,
    /// Its category.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// Whether the corpus held an answer.
    #[serde(default = "yes", skip_serializing_if = "Clone::clone")]
    pub answerable: bool,
    /// The retriever failed: there is no list.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub failed: bool,
    /// The needs, in the order of the labels.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub needs: Vec<KeptNeed>,
    /// The ranks whose hits carried any label, ascending.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub labelled: Vec<u32>,
    /// The first rank of something forbidden, 0 where none stood in the list; absent where nothing is forbidden.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forbidden: Option<u32>,
    /// Of an unanswerable question the first rank of an answer, 0 where there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answered: Option<u32>,
    /// The list as JSON: most of the file, and seldom looked at. [`Line::hits`] reads it.
    #[serde(default = "no_hits")]
    pub ranking: Box<RawValue>,
}

/// A need as a baseline keeps it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeptNeed {
    /// Its grade.
    pub grade: u32,
    /// The first rank that met it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rank: Option<u32>,
    /// The digest of what meets it.
    pub need: String,
}

fn yes() -> bool {
    true
}

fn no_hits() -> Box<RawValue> {
    RawValue::NULL.to_owned()
}

impl Line {
    /// What the measures are computed from; `None` where the retriever had failed.
    pub fn outcome(&self) -> Option<Outcome> {
        if self.failed {
            return None;
        }
        let needs =
            self.needs.iter().map(|need| NeedOutcome { grade: need.grade, rank: need.rank }).collect();
        let mut outcome = Outcome::new(needs, self.length(), self.labelled.clone());
        let first = |rank: u32| Some(rank).filter(|rank| *rank > 0);
        if let Some(rank) = self.forbidden {
            outcome = outcome.with_forbidden(first(rank));
        }
        if !self.answerable {
            outcome = outcome.unanswerable(self.answered.and_then(first));
        }
        Some(outcome)
    }

    /// The first rank that a list of this length does not have, and the field that names it.
    pub(super) fn rank_beyond(&self, length: usize) -> Option<(&'static str, u32)> {
        let is_beyond = |rank: &u32| *rank == 0 || *rank as usize > length;
        let needs =
            self.needs.iter().filter_map(|need| need.rank).find(is_beyond).map(|rank| ("needs", rank));
        let labelled = self.labelled.iter().copied().find(is_beyond).map(|rank| ("labelled", rank));
        // Here 0 is for none.
        let first =
            |field, rank: Option<u32>| rank.filter(|rank| *rank as usize > length).map(|rank| (field, rank));
        let forbidden = || first("forbidden", self.forbidden);
        needs.or(labelled).or_else(forbidden).or_else(|| first("answered", self.answered))
    }

    /// How long the list is.
    pub fn length(&self) -> u32 {
        let hits: Option<Vec<de::IgnoredAny>> = serde_json::from_str(self.ranking.get()).unwrap_or_default();
        u32::try_from(hits.map_or(0, |hits| hits.len())).unwrap_or(u32::MAX)
    }

    /// The list. Reading a baseline has made sure that it is one.
    pub fn hits(&self, ids: &mut Ids) -> Vec<Hit> {
        let kept: Option<Vec<KeptHit<'_>>> = serde_json::from_str(self.ranking.get()).unwrap_or_default();
        kept.unwrap_or_default().into_iter().map(|hit| hit.hit(ids)).collect()
    }

    /// The list of a report as JSON.
    pub fn ranking_of(hits: &[RankedHit]) -> Box<RawValue> {
        let kept: Vec<KeptHit<'_>> = hits.iter().map(KeptHit::of).collect();
        // Texts and whole numbers: nothing can fail.
        serde_json::value::to_raw_value(&kept).unwrap_or_else(|_| no_hits())
    }
}

/// One hit of a kept list: `"id"` where nothing else is known, else `["id", "doc"]` or `["id", "doc", start, end]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptHit<'a> {
    /// The id.
    pub id: std::borrow::Cow<'a, str>,
    /// Its document, where that is another id.
    pub doc: Option<std::borrow::Cow<'a, str>>,
    /// Where it stood in the document.
    pub span: Option<(u32, u32)>,
}

impl<'a> KeptHit<'a> {
    fn of(hit: &'a RankedHit) -> Self {
        Self { id: hit.id.as_str().into(), doc: hit.doc().map(|doc| doc.as_str().into()), span: hit.span() }
    }

    fn hit(self, ids: &mut Ids) -> Hit {
        let span = self.span.map(|(start, end)| Span { start: start as usize, end: end as usize });
        let told = Told {
            doc: self.doc.map(|doc| ids.of(&doc)),
            start: span.map(|span| span.start),
            end: span.map(|span| span.end),
            text: None,
        };
        Hit { id: ids.of(&self.id), score: None, told: None }.telling(told)
    }
}

impl Serialize for KeptHit<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match (&self.doc, self.span) {
            (None, _) => serializer.serialize_str(&self.id),
            (Some(doc), None) => (&self.id, doc).serialize(serializer),
            (Some(doc), Some((start, end))) => (&self.id, doc, start, end).serialize(serializer),
        }
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for KeptHit<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Hits;

        impl<'de> Visitor<'de> for Hits {
            type Value = KeptHit<'de>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an id, or a list of id, document, start and end")
            }

            fn visit_borrowed_str<E>(self, id: &'de str) -> Result<Self::Value, E> {
                Ok(KeptHit { id: id.into(), doc: None, span: None })
            }

            fn visit_str<E>(self, id: &str) -> Result<Self::Value, E> {
                Ok(KeptHit { id: id.to_owned().into(), doc: None, span: None })
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
                let wanted = "an id, a document and two offsets";
                let id: Text<'de> =
                    list.next_element()?.ok_or_else(|| de::Error::invalid_length(0, &wanted))?;
                let doc: Option<Text<'de>> = list.next_element()?;
                let span = match (list.next_element()?, list.next_element()?) {
                    (Some(start), Some(end)) if start <= end => Some((start, end)),
                    (None, None) => None,
                    _ => return Err(de::Error::invalid_length(3, &wanted)),
                };
                Ok(KeptHit { id: id.0, doc: doc.map(|doc| doc.0), span })
            }
        }

        deserializer.deserialize_any(Hits)
    }
}

/// A text, borrowed where it can be.
#[derive(Deserialize)]
#[serde(transparent)]
struct Text<'a>(#[serde(borrow)] std::borrow::Cow<'a, str>);

/// SHA-256 over lines, whatever ends them.
pub(super) fn digest<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    let mut hasher = Sha256::new();
    for line in lines {
        hasher.update(line.as_bytes());
        hasher.update(b"\n");
    }
    hex(&hasher.finalize())
}

impl Baseline {
    /// The file.
    pub fn render(&self) -> String {
        let mut lines = String::new();
        for line in &self.lines {
            // Maps have text keys and floats are finite: nothing can fail.
            lines.push_str(&serde_json::to_string(line).unwrap_or_default());
            lines.push('\n');
        }
        let header = Header { lines_sha256: digest(lines.lines()), ..self.header.clone() };
        format!("{}\n{lines}", serde_json::to_string(&header).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::baseline::read::parse;
    use crate::baseline::{CorpusStamp, GoldenStamp, PolicyStamp, RetrieverStamp};

    /// Ids as people have them: any text of one line.
    fn id() -> impl Strategy<Value = String> {
        prop_oneof![Just("a".to_owned()), "[a-z#/ \"\\\\äß中\u{1f600}\t]{1,12}"]
    }

    fn hit() -> impl Strategy<Value = KeptHit<'static>> {
        let span = (0..1_000_u32, 0..1_000_u32).prop_map(|(start, length)| (start, start + length));
        (id(), prop::option::of((id(), prop::option::of(span)))).prop_map(|(id, doc)| {
            let (doc, span) = doc.map_or((None, None), |(doc, span)| (Some(doc), span));
            KeptHit { id: id.into(), doc: doc.map(Into::into), span }
        })
    }

    prop_compose! {
        fn line()(
            hits in prop::collection::vec(hit(), 1..8),
            id in id(),
            category in prop::option::of(id()),
            (answerable, failed) in any::<(bool, bool)>(),
            needs in prop::collection::vec((1..5_u32, any::<Option<u32>>()), 0..4),
            labelled in any::<[bool; 8]>(),
            (forbidden, answered) in any::<(Option<u32>, Option<u32>)>(),
        ) -> Line {
            let length = u32::try_from(hits.len()).expect("a few");
            let ranks = (1..=length).zip(labelled);
            Line {
                digest: format!("digest of {id}"),
                question: format!("question of {id}"),
                id,
                category,
                answerable,
                failed,
                needs: needs
                    .iter()
                    .map(|(grade, rank)| {
                        let rank = rank.map(|rank| 1 + rank % length);
                        KeptNeed { grade: *grade, rank, need: format!("need {grade}") }
                    })
                    .collect(),
                labelled: ranks.filter(|(_, is_labelled)| *is_labelled).map(|(rank, _)| rank).collect(),
                forbidden: forbidden.map(|rank| rank % (length + 1)),
                answered: answered.filter(|_| !answerable).map(|rank| rank % (length + 1)),
                ranking: serde_json::value::to_raw_value(&hits).expect("JSON"),
            }
        }
    }

    fn header(name: String, reason: Option<String>, depth: usize, has_corpus: bool) -> Header {
        Header {
            lines_sha256: String::new(),
            rankgate_baseline: FORMAT_VERSION,
            rankgate: "0.0.0".into(),
            name,
            accepted: Accepted { by: None, commit: Some("0".repeat(40)), reason },
            hashed_ids: !has_corpus,
            made_from: Stamps {
                golden: GoldenStamp { version: "v1".into(), sha256: "1".repeat(64), questions: depth },
                corpus: has_corpus.then(|| CorpusStamp {
                    chunks: 12,
                    documents: 3,
                    mean_characters: depth as f64 / 3.0,
                    sha256: "2".repeat(64),
                }),
                retriever: RetrieverStamp {
                    kind: "run".into(),
                    fingerprint: "run-v1".into(),
                    embedding_model_version: None,
                },
                policy: PolicyStamp {
                    level: "chunk".into(),
                    depth,
                    coverage: 0.5,
                    ties: "id-descending".into(),
                    min_score: has_corpus.then_some(0.25),
                },
                configuration: "3".repeat(64),
                settings: [("retriever.kind".to_owned(), "\"run\"".to_owned())].into(),
            },
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(
            mut lines in prop::collection::vec(line(), 0..6),
            (name, reason, depth, has_corpus) in (id(), prop::option::of(id()), 1..200_usize, any::<bool>()),
        ) {
            lines.sort_by(|a, b| a.id.cmp(&b.id));
            lines.dedup_by(|a, b| a.id == b.id);
            let baseline = Baseline { header: header(name, reason, depth, has_corpus), lines };
            let text = baseline.render();
            prop_assert_eq!(text.lines().count(), 1 + baseline.lines.len());
            let read = parse(&text, "b.jsonl".as_ref()).expect("what was rendered");
            let digest = read.header.lines_sha256.clone();
            prop_assert_eq!(&read.header, &Header { lines_sha256: digest, ..baseline.header.clone() });
            prop_assert_eq!(read.render(), text);
            for (read, line) in read.lines.iter().zip(&baseline.lines) {
                prop_assert_eq!(read.outcome(), line.outcome());
                let hits: Vec<KeptHit<'_>> = serde_json::from_str(line.ranking.get()).expect("a list");
                let mut ids = Ids::default();
                let kept: Vec<_> = hits.into_iter().map(|hit| hit.hit(&mut ids)).collect();
                prop_assert_eq!(read.hits(&mut ids), kept);
            }
        }

        #[test]
        fn any_line_is_read_or_refused(text in "\\PC{0,200}") {
            let baseline = Baseline { header: header("n".into(), None, 10, true), lines: Vec::new() };
            // Neither panics, whatever stands there.
            let _ = parse(&text, "b.jsonl".as_ref());
            let _ = parse(&format!("{}{text}\n", baseline.render()), "b.jsonl".as_ref());
        }
    }
}
