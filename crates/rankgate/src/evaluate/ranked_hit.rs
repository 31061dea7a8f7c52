//! One place of a scored list, small: with a hundred of them a question they are most of a report.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Label;
use crate::Id;

/// One place of a scored list: a chunk, or at document level a document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(from = "Flat", into = "Flat")]
pub struct RankedHit {
    /// The id that was scored.
    pub id: Id,
    /// The retriever's score (of its first chunk), if it is a finite number.
    pub score: Option<f64>,
    /// What the labels say of it.
    pub label: Label,
    /// The document it is a part of, if that is known.
    pub within: Option<Box<Within>>,
}

/// A document that a hit is a part of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Within {
    /// Its id.
    pub doc: Id,
    /// Which characters of it the hit holds, end exclusive, if that is known.
    pub span: Option<(u32, u32)>,
}

impl RankedHit {
    /// Its document, where that is another id.
    pub fn doc(&self) -> Option<&Id> {
        self.within.as_ref().map(|within| &within.doc)
    }

    /// Where it stands in that document.
    pub fn span(&self) -> Option<(u32, u32)> {
        self.within.as_ref()?.span
    }
}

/// The same in JSON.
#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "RankedHit")]
struct Flat {
    /// The id that was scored.
    id: Id,
    /// Its document, where that is another id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    doc: Option<Id>,
    /// Where it stands in that document, in Unicode scalars, end exclusive; if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    span: Option<(u32, u32)>,
    /// The retriever's score (of its first chunk), if it is a finite number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
    /// What the labels say of it.
    label: Label,
}

impl From<Flat> for RankedHit {
    fn from(flat: Flat) -> Self {
        let Flat { id, doc, span, score, label } = flat;
        Self { id, score, label, within: doc.map(|doc| Box::new(Within { doc, span })) }
    }
}

impl From<RankedHit> for Flat {
    fn from(hit: RankedHit) -> Self {
        let (doc, span) = hit.within.map_or((None, None), |within| (Some(within.doc), within.span));
        Self { id: hit.id, doc, span, score: hit.score, label: hit.label }
    }
}
