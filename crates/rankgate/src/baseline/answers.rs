//! Meets a baseline with today's golden set: which questions can be compared, and what each had got.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap, HashSet};

use rankgate_metrics::{Measure, NeedOutcome, Outcome};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::file::{Baseline, Line};
use super::stamp::Stamps;
use crate::Ids;
use crate::config::GoldenChanged;
use crate::evaluate::{Policy, likely_mapping, score_ranking};
use crate::golden::{Anchor, Case, GoldenSet};
use crate::line::recorded;
use crate::privacy::hashed;
use crate::ranking::{Lookup, Ranking};
use crate::retriever::Hit;
use crate::text::{list_of, questions};

#[cfg(test)]
mod tests;

/// How the golden set differs from the one that was accepted. All ids are sorted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GoldenChanges {
    /// Questions that the baseline has not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub added: Vec<String>,
    /// Questions that only the baseline has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub removed: Vec<String>,
    /// Questions that are asked in other words or with other parameters: their old answers say nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edited: Vec<String>,
    /// Questions whose labels differ.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub relabelled: Vec<String>,
    /// Of the relabelled ones those whose new evidence cannot be looked for in the old list: its texts are gone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unreadable: Vec<String>,
    /// Of the relabelled ones those whose old list had what was wanted then and has nothing of what is wanted now: they
    /// count as not found before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub vanished: Vec<String>,
}

impl GoldenChanges {
    /// Whether anything is different.
    pub fn any(&self) -> bool {
        [&self.added, &self.removed, &self.edited, &self.relabelled].iter().any(|ids| !ids.is_empty())
    }

    /// In words, with ids.
    pub fn words(&self) -> Vec<String> {
        KINDS
            .into_iter()
            .zip([&self.added, &self.removed, &self.edited, &self.relabelled])
            .filter(|(_, ids)| !ids.is_empty())
            .map(|(what, ids)| format!("{} {what}: {}", questions(ids.len()), list_of(ids, 10)))
            .collect()
    }

    /// The message of a [`NotComparable`] without the ids that [`words`](Self::words) put there. Behind the first of
    /// them only lines of a known form are left: an id may hold line ends.
    pub(crate) fn without_ids(message: &str) -> String {
        let count = |line: &str| {
            let (number, rest) = line.split_once(" question")?;
            let rest = rest.strip_prefix('s').unwrap_or(rest).strip_prefix(' ')?;
            let number: usize = number.parse().ok()?;
            let kind = KINDS.into_iter().find(|kind| {
                rest.strip_prefix(kind).is_some_and(|ids| ids.is_empty() || ids.starts_with(':'))
            })?;
            Some(format!("{} {kind}", questions(number)))
        };
        let mut told = Vec::new();
        let mut has_ids = false;
        for line in message.lines() {
            if let Some(count) = count(line) {
                has_ids = true;
                told.push(count);
            } else if !has_ids || [ACCEPT, RESCORE].contains(&line) {
                told.push(line.to_owned());
            }
        }
        told.join("\n")
    }
}

/// In which ways a golden set differs, in the order of the fields of [`GoldenChanges`].
const KINDS: [&str; 4] = ["added", "removed", "asked in other words", "relabelled"];

const ACCEPT: &str = "make this state the standard, if it is good: rankgate accept --force --reason \"...\"";
const RESCORE: &str = "set `baseline.golden_changed` to \"rescore\" or \"common\", or make this state the standard, if it is \
                       good: rankgate accept --force --reason \"...\"";

impl GoldenChanges {
    /// What would make questions equal that were added and removed, if anything simple would.
    fn spelling(&self) -> Option<String> {
        let added: Vec<&str> = self.added.iter().map(String::as_str).collect();
        let removed: BTreeSet<&str> = self.removed.iter().map(String::as_str).collect();
        let (words, pairs) = recorded::likely_mapping(&added, &removed)?;
        let (now, then) = pairs.first()?;
        Some(format!("`{then}` was removed and `{now}` added: {words}"))
    }
}

/// Tells of labels that no old list has.
fn elsewhere(vanished: &[(&Case, &Line)]) -> String {
    let mut ids = Ids::default();
    let lists: Vec<Vec<Hit>> = vanished.iter().map(|(_, line)| line.hits(&mut ids)).collect();
    let returned: BTreeSet<&str> = lists.iter().flatten().map(|hit| hit.id.as_str()).collect();
    let anchors = vanished.iter().flat_map(|(case, _)| &case.needs).flat_map(|need| &need.alternatives);
    let expected: BTreeSet<&str> = anchors
        .filter_map(|anchor| match anchor {
            Anchor::Chunk { id, .. } | Anchor::Document { id } => Some(id.as_str()),
            Anchor::Span { .. } | Anchor::Quote { .. } => None,
        })
        .collect();
    let cases: Vec<String> = vanished.iter().map(|(case, _)| case.id.clone()).collect();
    let spelt = likely_mapping(&expected, &returned).and_then(|(words, pairs)| {
        let (now, then) = pairs.first()?;
        Some(format!("; `{then}` stands there and `{now}` is wanted now: {words}"))
    });
    format!(
        "no old list has what is wanted now, where it had what was wanted then, of {}: {}{}",
        questions(cases.len()),
        list_of(&cases, 10),
        spelt.unwrap_or_default()
    )
}

/// Whether any need was met.
fn had_met(line: &Line) -> bool {
    line.needs.iter().any(|need| need.rank.is_some())
}

/// Why a run cannot be compared with a baseline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotComparable {
    /// Every reason.
    pub reasons: Vec<String>,
    /// What would be right.
    pub hint: String,
}

/// The accepted answers to today's questions.
#[derive(Debug)]
pub struct Answers {
    /// By index of the case: what the question had got, where that can be compared.
    outcomes: Vec<Option<Outcome>>,
    /// The cases on which the retriever had failed.
    failed: HashSet<usize>,
    /// How the golden set differs.
    pub changes: GoldenChanges,
}

impl Answers {
    /// What a case had got.
    pub fn of(&self, case: usize) -> Option<&Outcome> {
        self.outcomes.get(case)?.as_ref()
    }

    /// Whether the retriever had failed on a case.
    pub fn had_failed(&self, case: usize) -> bool {
        self.failed.contains(&case)
    }

    /// How many questions can be compared.
    pub fn len(&self) -> usize {
        self.outcomes.iter().flatten().count()
    }

    /// Whether none can.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// With fewer questions in common, in a hundred, two golden sets are two.
const LEAST_IN_COMMON: usize = 80;

/// What decides how today's run is scored.
#[derive(Debug, Clone, Copy)]
pub struct Today<'a> {
    /// The questions.
    pub golden: &'a GoldenSet,
    /// What today's run is made from.
    pub stamps: &'a Stamps,
    /// The largest cut-off that is measured or gated.
    pub largest_cutoff: u32,
    /// A measure of a rule about change that looks at the whole list.
    pub uncut: Option<&'a Measure>,
    /// What to do when the golden set is another.
    pub golden_changed: GoldenChanged,
    /// How today's rankings are scored.
    pub policy: &'a Policy,
    /// Where today's hits find their documents and texts.
    pub lookup: &'a Lookup<'a>,
    /// The same without the corpus: what is said of old hits by their ids alone.
    pub bare_lookup: &'a Lookup<'a>,
}

impl Baseline {
    /// The accepted answers to today's questions, or why they say nothing of today's run.
    pub fn answers(&self, today: &Today<'_>) -> Result<Answers, NotComparable> {
        self.check_policy(today)?;
        let by_id: HashMap<&str, &Line> = self.lines.iter().map(|line| (line.id.as_str(), line)).collect();
        let mut changes = GoldenChanges::default();
        let mut outcomes = Vec::with_capacity(today.golden.cases.len());
        let mut ids = Ids::default();
        let mut failed = HashSet::new();
        let mut vanished = Vec::new();
        for (index, case) in today.golden.cases.iter().enumerate() {
            let line = by_id.get(&*self.key(&case.id));
            if line.is_some_and(|line| line.failed) {
                failed.insert(index);
            }
            let outcome = match line {
                None => {
                    changes.added.push(case.id.clone());
                    None
                }
                Some(line) if line.digest == case.digest => line.outcome(),
                Some(line) if line.question != case.question_digest() => {
                    changes.edited.push(case.id.clone());
                    None
                }
                Some(line) => {
                    changes.relabelled.push(case.id.clone());
                    match today.golden_changed {
                        GoldenChanged::Rescore => {
                            let rescored = self.rescore(line, case, today, &mut ids);
                            match &rescored {
                                None if !line.failed => changes.unreadable.push(case.id.clone()),
                                Some(outcome)
                                    if had_met(line) && case.answerable && outcome.best_rank().is_none() =>
                                {
                                    vanished.push((case, *line));
                                }
                                _ => {}
                            }
                            rescored
                        }
                        GoldenChanged::Refuse | GoldenChanged::Common => None,
                    }
                }
            };
            outcomes.push(outcome);
        }
        let known: HashSet<Cow<'_, str>> = today.golden.cases.iter().map(|case| self.key(&case.id)).collect();
        changes.removed = self
            .lines
            .iter()
            .map(|line| &line.id)
            .filter(|id| !known.contains(id.as_str()))
            .cloned()
            .collect();
        for ids in [&mut changes.added, &mut changes.edited, &mut changes.relabelled, &mut changes.unreadable]
        {
            ids.sort_unstable();
        }
        changes.vanished = vanished.iter().map(|(case, _)| case.id.clone()).collect();
        changes.vanished.sort_unstable();
        self.check_golden(today, &changes, &vanished)?;
        Ok(Answers { outcomes, failed, changes })
    }

    /// How this baseline spells the id of a question.
    fn key<'a>(&self, id: &'a str) -> Cow<'a, str> {
        if self.header.hashed_ids { hashed(id).into() } else { id.into() }
    }

    /// Lists that were scored in another way, or that are too short for the rules, cannot be compared.
    fn check_policy(&self, today: &Today<'_>) -> Result<(), NotComparable> {
        let (then, now) = (&self.header.made_from.policy, &today.stamps.policy);
        let mut reasons = Vec::new();
        let mut differ = |what: &str, then: String, now: String| {
            if then != now {
                reasons.push(format!("{what}: {then} in the baseline, {now} now"));
            }
        };
        differ("level", then.level.clone(), now.level.clone());
        differ("coverage", then.coverage.to_string(), now.coverage.to_string());
        differ("order of equal scores", then.ties.clone(), now.ties.clone());
        // What is an answer at all is decided by it.
        if today.golden.cases.iter().any(|case| !case.answerable) {
            let text =
                |score: Option<f64>| score.map_or_else(|| "none".to_owned(), |score| score.to_string());
            differ("min_score", text(then.min_score), text(now.min_score));
        }
        if let Some(measure) = today.uncut.filter(|_| then.depth != now.depth) {
            reasons.push(format!(
                "`{measure}` looks at the whole list, and lists end at {} in the baseline, at {} now (set \
                 `retriever.depth`, or give the measure a cut-off)",
                then.depth, now.depth
            ));
        }
        if today.largest_cutoff as usize > then.depth {
            reasons.push(format!(
                "a cut-off of {} is beyond the {} hits that the baseline keeps",
                today.largest_cutoff, then.depth
            ));
        }
        let hint = ACCEPT.to_owned();
        if reasons.is_empty() { Ok(()) } else { Err(NotComparable { reasons, hint }) }
    }

    /// `vanished` are questions whose evidence was found before and that want other evidence now, which no old list
    /// has. Of a few that is an answer; of many it says that the lists and the labels spell their ids in two ways.
    fn check_golden(
        &self,
        today: &Today<'_>,
        changes: &GoldenChanges,
        vanished: &[(&Case, &Line)],
    ) -> Result<(), NotComparable> {
        if today.golden_changed == GoldenChanged::Refuse && changes.any() {
            return Err(NotComparable {
                reasons: std::iter::once("the golden set is not the one that was accepted".to_owned())
                    .chain(changes.words())
                    .chain(changes.spelling())
                    .collect(),
                hint: RESCORE.to_owned(),
            });
        }
        let lost = changes.edited.len()
            + match today.golden_changed {
                GoldenChanged::Rescore => changes.unreadable.len(),
                GoldenChanged::Refuse | GoldenChanged::Common => changes.relabelled.len(),
            };
        let all = today.golden.cases.len().max(self.lines.len());
        let lost = lost + vanished.len();
        let common = today.golden.cases.len().saturating_sub(changes.added.len() + lost);
        if common * 100 < all * LEAST_IN_COMMON {
            return Err(NotComparable {
                reasons: std::iter::once(format!(
                    "only {common} of {} can be compared, and {LEAST_IN_COMMON} % must be",
                    questions(all)
                ))
                .chain(changes.words())
                .chain(changes.spelling())
                .chain((!vanished.is_empty()).then(|| elsewhere(vanished)))
                .collect(),
                hint: ACCEPT.to_owned(),
            });
        }
        Ok(())
    }

    /// The old list scored with today's labels. A need that was there before keeps its rank; what is new is looked for
    /// by id, document and range. A new quote needs the texts of the old hits, which only the same corpus still has;
    /// in a list of hashed ids nothing can be looked for.
    fn rescore(&self, line: &Line, case: &Case, today: &Today<'_>, ids: &mut Ids) -> Option<Outcome> {
        if line.failed || self.header.hashed_ids {
            return None;
        }
        // Whether an old hit was an answer is known by its score, which is not kept.
        if !case.answerable && line.answerable && today.policy.min_score.is_some() {
            return None;
        }
        let then = self.header.made_from.corpus.as_ref().map(|corpus| &corpus.sha256);
        let is_same_corpus =
            then.is_some() && then == today.stamps.corpus.as_ref().map(|corpus| &corpus.sha256);
        let kept: HashMap<&str, Option<u32>> =
            line.needs.iter().map(|need| (need.need.as_str(), need.rank)).collect();
        let digests: Vec<String> = case.needs.iter().map(crate::golden::Need::digest).collect();
        let is_quote = |anchor: &Anchor| matches!(anchor, Anchor::Quote { .. });
        let is_new = |digest: &&String| !kept.contains_key(digest.as_str());
        let needs_text = case
            .needs
            .iter()
            .zip(&digests)
            .any(|(need, digest)| is_new(&digest) && need.alternatives.iter().any(is_quote));
        if needs_text && !is_same_corpus {
            return None;
        }
        let depth = self.header.made_from.policy.depth;
        let ranking = Ranking::from_hits(0, line.hits(ids), depth);
        let lookup = if is_same_corpus { today.lookup } else { today.bare_lookup };
        let scored = score_ranking(case, &ranking, lookup, today.policy, depth);
        let found = scored.outcome?;
        let needs = scored
            .needs
            .iter()
            .zip(&digests)
            .map(|(need, digest)| NeedOutcome {
                grade: need.grade,
                rank: kept.get(digest.as_str()).copied().unwrap_or(need.rank),
            })
            .collect::<Vec<_>>();
        let mut labelled = found.labelled().to_vec();
        labelled.extend(needs.iter().filter_map(|need| need.rank));
        let mut outcome = Outcome::new(needs, found.returned(), labelled);
        if !case.forbidden.is_empty() {
            outcome = outcome.with_forbidden(found.first_forbidden());
        }
        if !case.answerable {
            let answered = line.answered.filter(|rank| *rank > 0);
            outcome = outcome.unanswerable(if line.answerable { found.first_confident() } else { answered });
        }
        Some(outcome)
    }
}
