//! Finds the first rank at which each need of a case is met, by the most specific means its anchors have.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use hashbrown::HashMap;
use rankgate_metrics::{NeedOutcome, Outcome};

use super::ties::{self, Labels, Met, TieOrders};
use super::{CaseScore, Label, Means, NeedScore, Policy, RankedHit, Within};
use crate::Id;
use crate::golden::quote::Quote;
use crate::golden::{Anchor, Case, Level, Span};
use crate::ranking::Lookup;
use crate::retriever::Hit;

/// One place of the list: the id that ranks, and the hits that stand there (several only at document level).
struct Rank<'a> {
    id: &'a str,
    document: &'a str,
    first: &'a Hit,
    more: Vec<&'a Hit>,
}

impl<'a> Rank<'a> {
    fn hits(&self) -> impl Iterator<Item = &'a Hit> {
        std::iter::once(self.first).chain(self.more.iter().copied())
    }
}

/// The list as it is scored, with what finds an id in it.
struct List<'a> {
    ranks: Vec<Rank<'a>>,
    by_id: HashMap<&'a str, u32>,
    /// Made when the first anchor asks for it: labels of chunks never do.
    by_document: OnceCell<HashMap<&'a str, Vec<u32>>>,
    lookup: &'a Lookup<'a>,
    policy: &'a Policy,
}

impl<'a> List<'a> {
    fn new(hits: &'a [Hit], lookup: &'a Lookup<'a>, policy: &'a Policy, depth: usize) -> Self {
        let mut list = Self {
            ranks: Vec::with_capacity(hits.len()),
            by_id: HashMap::with_capacity(hits.len()),
            by_document: OnceCell::new(),
            lookup,
            policy,
        };
        for hit in hits {
            let document = lookup.document(hit);
            let id = match policy.level {
                Level::Chunk => hit.id.as_str(),
                Level::Document => document,
            };
            if let Some(rank) = list.by_id.get(id) {
                if let Some(place) = list.ranks.get_mut(*rank as usize - 1) {
                    place.more.push(hit);
                }
                continue;
            }
            if list.ranks.len() == depth {
                continue;
            }
            list.ranks.push(Rank { id, document, first: hit, more: Vec::new() });
            let rank = rank_of(list.ranks.len());
            list.by_id.insert(id, rank);
        }
        list
    }

    /// Every rank that meets the anchor, ascending, and by what means.
    fn met_by(&self, anchor: &Anchor) -> (Vec<u32>, Means) {
        let one = |rank: Option<&u32>| rank.copied().into_iter().collect();
        match (self.policy.level, anchor) {
            (Level::Chunk, Anchor::Chunk { id, .. }) => (one(self.by_id.get(id.as_str())), Means::Id),
            (_, Anchor::Document { id }) => (self.of_document(id), Means::Document),
            (Level::Document, Anchor::Chunk { id, doc }) => {
                let document = doc.as_deref().unwrap_or_else(|| self.lookup.document_of(id));
                (self.of_document(document), Means::Document)
            }
            (Level::Document, Anchor::Span { doc, .. } | Anchor::Quote { doc: Some(doc), .. }) => {
                (self.of_document(doc), Means::Document)
            }
            (Level::Chunk, Anchor::Span { doc, span, .. }) => {
                let ranks = self.of_document(doc);
                (ranks.into_iter().filter(|rank| self.covers(*rank, *span)).collect(), Means::Span)
            }
            (_, Anchor::Quote { text, doc }) => {
                let quote = Quote::new(text);
                let candidates = match doc {
                    Some(doc) => self.of_document(doc),
                    None => (1..=rank_of(self.ranks.len())).collect(),
                };
                (candidates.into_iter().filter(|rank| self.quotes(*rank, &quote)).collect(), Means::Quote)
            }
        }
    }

    fn of_document(&self, document: &str) -> Vec<u32> {
        let by_document = self.by_document.get_or_init(|| {
            let mut ranks: HashMap<&str, Vec<u32>> = HashMap::new();
            for (rank, place) in (1..).zip(&self.ranks) {
                ranks.entry(place.document).or_default().push(rank);
            }
            ranks
        });
        by_document.get(document).cloned().unwrap_or_default()
    }

    fn hits_at(&self, rank: u32) -> impl Iterator<Item = &'a Hit> {
        self.ranks.get(rank as usize - 1).into_iter().flat_map(Rank::hits)
    }

    /// A place as reports and baselines keep it.
    fn ranked_hit(&self, rank: &Rank<'a>, label: Label) -> RankedHit {
        let is_chunk = self.policy.level == Level::Chunk;
        let doc = (rank.document != rank.id).then(|| match rank.first.doc() {
            Some(doc) => doc.clone(),
            None => Id::from(rank.document),
        });
        let span = self.lookup.range(rank.first).filter(|_| is_chunk && doc.is_some());
        let span =
            span.and_then(|span| Some((u32::try_from(span.start).ok()?, u32::try_from(span.end).ok()?)));
        RankedHit {
            id: if is_chunk { rank.first.id.clone() } else { Id::from(rank.id) },
            within: doc.map(|doc| Box::new(Within { doc, span })),
            score: rank.first.score.filter(|score| score.is_finite()),
            label,
        }
    }

    /// Whether one hit at this rank holds enough of the span.
    fn covers(&self, rank: u32, span: Span) -> bool {
        self.hits_at(rank).any(|hit| {
            self.lookup.range(hit).is_some_and(|range| {
                let shared = range.end.min(span.end).saturating_sub(range.start.max(span.start));
                let wanted = span.end.saturating_sub(span.start);
                shared > 0 && shared as f64 >= self.policy.coverage * wanted as f64
            })
        })
    }

    /// Whether one hit at this rank holds the quote.
    fn quotes(&self, rank: u32, quote: &Quote) -> bool {
        self.hits_at(rank).any(|hit| self.lookup.text(hit).is_some_and(|text| quote.stands_in(text)))
    }
}

fn rank_of(position: usize) -> u32 {
    u32::try_from(position).unwrap_or(u32::MAX)
}

/// Scores one case.
pub(super) fn score(
    index: usize,
    case: &Case,
    hits: &[Hit],
    lookup: &Lookup<'_>,
    policy: &Policy,
    depth: usize,
) -> CaseScore {
    let list = List::new(hits, lookup, policy, depth);
    let mut labels = vec![Label::Unjudged; list.ranks.len()];
    let mut mark = |ranks: &[u32], label: Label| {
        for rank in ranks {
            if let Some(place) = labels.get_mut(*rank as usize - 1) {
                *place = label;
            }
        }
    };

    for anchor in &case.not_relevant {
        mark(&list.met_by(anchor).0, Label::NotRelevant);
    }
    let groups = ties::groups(list.ranks.iter().map(|rank| rank.first.score));
    let mut all_met: Vec<Met> = Vec::new();
    let needs: Vec<NeedScore> = case
        .needs
        .iter()
        .map(|need| {
            let mut all: BTreeSet<u32> = BTreeSet::new();
            let mut first: Option<(u32, Means)> = None;
            for anchor in &need.alternatives {
                let (ranks, means) = list.met_by(anchor);
                mark(&ranks, Label::Relevant);
                if !groups.is_empty() {
                    all.extend(&ranks);
                }
                if let Some(rank) = ranks.first()
                    && first.is_none_or(|(best, _)| *rank < best)
                {
                    first = Some((*rank, means));
                }
            }
            if !groups.is_empty() {
                all_met.push(Met { grade: need.grade, ranks: all.into_iter().collect() });
            }
            NeedScore {
                grade: need.grade,
                rank: first.map(|(rank, _)| rank),
                means: first.map(|(_, means)| means),
            }
        })
        .collect();
    let forbidden: BTreeSet<u32> = case.forbidden.iter().flat_map(|anchor| list.met_by(anchor).0).collect();
    let forbidden: Vec<u32> = forbidden.into_iter().collect();
    let forbidden_rank = forbidden.first().copied();
    mark(&forbidden, Label::Forbidden);

    let returned = rank_of(list.ranks.len());
    let labelled: Vec<u32> = (1..=returned)
        .zip(&labels)
        .filter(|(_, label)| **label != Label::Unjudged)
        .map(|(rank, _)| rank)
        .collect();
    let mut ties = (!groups.is_empty()).then(|| {
        let has_forbidden = !case.forbidden.is_empty();
        let forbidden = has_forbidden.then_some(forbidden.as_slice());
        ties::orders(&groups, &Labels { needs: &all_met, labelled: &labelled, forbidden, returned })
    });
    let outcomes = needs.iter().map(|need| NeedOutcome { grade: need.grade, rank: need.rank }).collect();
    let mut outcome = Outcome::new(outcomes, returned, labelled);
    if !case.forbidden.is_empty() {
        outcome = outcome.with_forbidden(forbidden_rank);
    }
    if !case.answerable {
        // Equal scores are sure or unsure together, so their order changes nothing here.
        let confident = first_confident(&list, policy.min_score);
        outcome = outcome.unanswerable(confident);
        ties = ties.map(|ties| TieOrders {
            best: ties.best.unanswerable(confident),
            worst: ties.worst.unanswerable(confident),
        });
    }
    // Most ties are between hits that no label speaks of.
    let ties = ties.filter(|ties| ties.best != outcome || ties.worst != outcome).map(Box::new);

    let places = list.ranks.iter().zip(labels).map(|(rank, label)| list.ranked_hit(rank, label)).collect();
    CaseScore {
        case: index,
        outcome: Some(outcome),
        ties,
        needs,
        forbidden_rank,
        places,
        error: None,
        missing: false,
        repeats: 0,
        latency_ms: None,
    }
}

/// The first rank whose score is at or above the least that counts as an answer. A hit without a score counts.
fn first_confident(list: &List<'_>, min_score: Option<f64>) -> Option<u32> {
    list.ranks
        .iter()
        .position(|place| {
            place.hits().any(|hit| match (hit.score, min_score) {
                (Some(score), Some(least)) => score >= least,
                _ => true,
            })
        })
        .map(|position| rank_of(position + 1))
}
