//! Meets the run with the accepted one: which questions have two answers, and what is different.

use rankgate_metrics::Measure;
use rankgate_metrics::stats::{minimum_detectable_effect, sample_size};

use super::Suite;
use crate::Result;
use crate::baseline::answers::Today;
use crate::baseline::{
    Answers, CorpusStamp, Found, GoldenStamp, NotComparable, PolicyStamp, RetrieverStamp, Stamps,
};
use crate::compare::{ComparedWith, Comparison, MeasureChange, Pair, Want, changes};
use crate::config::GoldenChanged;
use crate::evaluate::{Policy, Scores};
use crate::gate::judge::Against;
use crate::gate::{Gate, Rule, RuleKind, RuleResult, RuleStatus, Verdict, regression};
use crate::golden::Case;
use crate::ranking::Lookup;
use crate::report::Note;
use crate::retriever::RetrieverInfo;

/// The accepted answers, as far as there are any.
pub(super) struct Met<'a> {
    found: Option<&'a Found>,
    answers: Option<std::result::Result<Answers, NotComparable>>,
    stamps: &'a Stamps,
    /// How far down both sides have lists.
    pub(super) depth: u32,
}

/// The questions that have two answers, each with its labels, in the byte order of their ids.
pub(super) type Pairs<'a> = Vec<(&'a Case, Pair<'a>)>;

impl Suite {
    /// What this run is made from.
    pub(super) fn stamps(&self, info: &RetrieverInfo, policy: &Policy, depth: usize) -> Stamps {
        Stamps {
            golden: GoldenStamp {
                version: self.golden.version.clone(),
                sha256: self.golden.sha256.clone(),
                questions: self.golden.cases.len(),
            },
            corpus: self.corpus.as_ref().map(|corpus| CorpusStamp {
                chunks: corpus.len(),
                documents: corpus.documents().count(),
                mean_characters: corpus.mean_characters(),
                sha256: corpus.sha256.clone(),
            }),
            retriever: RetrieverStamp {
                kind: info.kind.to_owned(),
                fingerprint: info.fingerprint.clone(),
                embedding_model_version: info.embedding_model_version.clone(),
            },
            policy: PolicyStamp {
                level: policy.level.name().to_owned(),
                depth,
                coverage: policy.coverage,
                ties: info.ties().to_owned(),
                min_score: policy.min_score,
            },
            configuration: self.resolved.digest.clone(),
            settings: self.resolved.stamped(),
        }
    }

    /// The accepted answers to the questions of this suite.
    pub(super) fn meet<'a>(
        &'a self,
        stamps: &'a Stamps,
        policy: &Policy,
        lookup: &Lookup<'_>,
    ) -> Result<Met<'a>> {
        let settings = self.settings();
        let bare_lookup = Lookup::new(None, settings.retriever.doc_pattern.as_deref())
            .map_err(|error| self.resolved.locate(error))?;
        let today = Today {
            golden: &self.golden,
            stamps,
            largest_cutoff: self.cutoffs().max().unwrap_or(0),
            uncut: self
                .gate
                .rules
                .iter()
                .filter(|rule| rule.rule.needs_baseline())
                .filter_map(|rule| rule.rule.measure())
                .find(|measure| measure.cutoff().is_none()),
            golden_changed: settings
                .baseline
                .as_ref()
                .map_or(GoldenChanged::Refuse, |baseline| baseline.golden_changed),
            policy,
            lookup,
            bare_lookup: &bare_lookup,
        };
        let baseline = self.baseline.as_ref().and_then(|found| found.baseline.as_ref());
        let kept = baseline.map_or(stamps.policy.depth, |baseline| baseline.header.made_from.policy.depth);
        Ok(Met {
            found: self.baseline.as_ref(),
            answers: baseline.map(|baseline| baseline.answers(&today)),
            stamps,
            depth: u32::try_from(kept.min(stamps.policy.depth)).unwrap_or(u32::MAX),
        })
    }

    /// The measure that losses are sorted by: that of the first rule about change, else the first that is reported.
    fn lead(&self) -> Option<&Measure> {
        let rules = || self.gate.rules.iter().map(|rule| &rule.rule);
        let no_regression = rules().find(|rule| matches!(rule, Rule::NoRegression { .. }));
        let change = || rules().filter(|rule| rule.needs_baseline()).find_map(Rule::measure);
        no_regression.and_then(Rule::measure).or_else(change).or_else(|| self.reported.first())
    }
}

impl Met<'_> {
    fn answers(&self) -> Option<&Answers> {
        self.answers.as_ref()?.as_ref().ok()
    }

    /// The judged questions that have two answers.
    pub(super) fn pairs<'a>(&'a self, suite: &'a Suite, scores: &'a Scores) -> Pairs<'a> {
        let Some(answers) = self.answers() else { return Vec::new() };
        // Scores stand in the byte order of their ids, and so does everything that is made of them.
        scores
            .judged(&suite.golden)
            .filter_map(|(case, score)| {
                let pair = Pair {
                    id: &case.id,
                    category: case.category.as_deref(),
                    critical: case.critical,
                    before: answers.of(score.case)?,
                    now: score.outcome.as_ref()?,
                    first: score.places.first().map(|hit| hit.id.as_str()),
                };
                Some((case, pair))
            })
            .collect()
    }

    /// What the gate judges against.
    pub(super) fn against<'a>(&'a self, pairs: &'a Pairs<'a>) -> Against<'a> {
        match (&self.found, &self.answers) {
            (None, _) => Against::Nothing,
            (Some(_), None) => Against::Missing,
            (_, Some(Err(why))) => Against::NotComparable(why),
            (_, Some(Ok(_))) => Against::Pairs { pairs, depth: self.depth },
        }
    }

    /// Everything that is different.
    pub(super) fn comparison(
        &self,
        suite: &Suite,
        scores: &Scores,
        pairs: &Pairs<'_>,
        measures: &[Measure],
        cutoff: u32,
    ) -> Option<Comparison> {
        let (found, answers) = (self.found?, self.answers()?);
        let header = &found.baseline.as_ref()?.header;
        let pairs: Vec<Pair<'_>> = pairs.iter().map(|(_, pair)| *pair).collect();
        let want = Want { lead: suite.lead(), cutoff, depth: self.depth };
        let (changed, same) = changes(&header.made_from, self.stamps);
        let is_one_depth = header.made_from.policy.depth == self.stamps.policy.depth;
        let unscored: Vec<String> = scores
            .asked(&suite.golden)
            .filter(|(case, score)| {
                let failed_now = score.error.is_some() && answers.of(score.case).is_some();
                case.quarantine.is_none() && (failed_now || answers.had_failed(score.case))
            })
            .map(|(case, _)| case.id.clone())
            .collect();
        let left_out: Vec<String> = scores
            .judged(&suite.golden)
            .filter(|(_, score)| answers.of(score.case).is_none())
            .map(|(case, _)| case.id.clone())
            .collect();
        Some(Comparison {
            with: ComparedWith {
                path: found.path.display().to_string(),
                revision: found.revision.clone(),
                edited_here: found.edited_here,
                accepted: header.accepted.clone(),
                hashed_ids: header.hashed_ids,
            },
            questions: pairs.len(),
            unscored,
            left_out,
            golden: answers.changes.clone(),
            measures: measures
                .iter()
                // Of lists that end at two depths a measure of the whole list compares nothing.
                .filter(|measure| is_one_depth || measure.cutoff().is_some())
                .filter_map(|measure| MeasureChange::of(measure, &pairs))
                .collect(),
            lead: want.lead.map(Measure::to_string),
            cutoff,
            counts: want.counts(&pairs),
            slices: want.slices(&pairs),
            moved: want.moved(&pairs),
            changed,
            same,
        })
    }

    /// What a reader should know of the baseline.
    pub(super) fn notes(&self, gate: &Gate, verdict: &Verdict, comparison: Option<&Comparison>) -> Vec<Note> {
        let mut notes = Vec::new();
        let Some(found) = self.found else { return notes };
        let mut say = |code: &str, text: String| notes.push(Note { code: code.into(), text });
        let path = found.path.display();
        let commit = |revision: &String| revision.chars().take(8).collect::<String>();
        if let (None, true, Some(revision)) = (&found.baseline, found.edited_here, &found.revision) {
            say(
                "baseline_unmerged",
                format!(
                    "there is no baseline at {path} in {}: the one that this change brings counts once it is merged.",
                    commit(revision)
                ),
            );
        } else if found.baseline.is_none() {
            let at = found.revision.as_ref().map(|revision| format!(" in {}", commit(revision)));
            say(
                "no_baseline",
                format!(
                    "there is no baseline at {path}{}: `rankgate accept` makes this state the one that later runs \
                     are compared with.",
                    at.unwrap_or_default()
                ),
            );
        }
        if let (true, true, Some(revision)) = (found.baseline.is_some(), found.edited_here, &found.revision) {
            say(
                "baseline_edited",
                format!(
                    "this change edits the baseline {path}; the run is judged by the one of {}.",
                    commit(revision)
                ),
            );
        }
        let Some(comparison) = comparison else { return notes };
        notes.extend(comparison.notes());
        let alpha: f64 = gate.rules.iter().map(|rule| rule.rule.alpha()).sum();
        if alpha > 0.10 + 1e-9 {
            notes.push(Note {
                code: "alpha".into(),
                text: format!(
                    "the tests of all rules together fail up to {:.0} % of harmless changes: keep the ones you \
                     act on.",
                    alpha * 100.0
                ),
            });
        }
        // Where a rule has seen a change, or had too few questions for a test, this has no bearing.
        let is_quiet = |rule: &RuleResult| rule.status == RuleStatus::Passed && !rule.tests.is_empty();
        let change = |rule: &&RuleResult| rule.kind == RuleKind::Change;
        let is_tested = alpha > 0.0 && verdict.rules.iter().filter(change).all(is_quiet);
        notes.extend(power(comparison, is_tested));
        notes
    }
}

/// What the set can and cannot see.
fn power(comparison: &Comparison, is_tested: bool) -> Option<Note> {
    const ALPHA: f64 = 0.05;
    const POWER: f64 = 0.80;
    let lead = comparison.lead.as_ref().filter(|_| is_tested)?;
    let change = comparison.measures.iter().find(|change| change.measure == *lead)?;
    let n = change.change.n;
    let sd = change.spread;
    let seen = minimum_detectable_effect(sd, n, ALPHA, POWER)?;
    let wanted = regression::Settings::default().min_effect;
    if sd <= 0.0 || seen <= wanted {
        return None;
    }
    let more = sample_size(sd, wanted, ALPHA, POWER)?.saturating_sub(n);
    // Nobody counts questions to the last one.
    let more = more.div_ceil(10) * 10;
    Some(Note {
        code: "power".into(),
        text: format!(
            "{n} questions show a drop of {lead} that is smaller than {seen:.3} less than 4 times in 5; about {more} more \
             would show {wanted}."
        ),
    })
}

impl crate::config::Resolved {
    /// The keys that decide answers, as they were written.
    fn stamped(&self) -> std::collections::BTreeMap<String, String> {
        let decides = |key: &str| ["corpus.", "retriever."].iter().any(|table| key.starts_with(table));
        self.origins
            .iter()
            .filter(|effective| decides(&effective.key))
            .map(|effective| (effective.key.clone(), effective.value.clone()))
            .collect()
    }
}
