//! Applies every rule to the scores.

use std::collections::BTreeMap;

use rankgate_metrics::stats::{Estimate, usual_interval, wilson};
use rankgate_metrics::{Mean, Measure, percentile};

use super::incomplete::incomplete;
use super::{
    Comparison, Gate, GateRule, Reason, Rule, RuleKind, RuleResult, RuleStatus, SliceResult, Statistic,
    Subject, Verdict,
};
use crate::baseline::NotComparable;
use crate::compare::{CONFIDENCE, Pair, SEED};
use crate::config::RuleLevel;
use crate::evaluate::{CaseScore, Scores};
use crate::golden::{Case, GoldenSet};

/// What the judge looks at.
#[derive(Debug, Clone, Copy)]
pub struct Evidence<'a> {
    /// The labels.
    pub golden: &'a GoldenSet,
    /// The scores.
    pub scores: &'a Scores,
    /// The cut-off at which the hit of a critical question must stand.
    pub critical_cutoff: u32,
    /// With fewer questions evaluated the run is incomplete.
    pub min_questions: usize,
    /// Only some questions were asked: rules over the whole set are left out.
    pub partial: bool,
    /// Whether the lists were answered now, and not read from a file.
    pub timed: bool,
    /// What a baseline says of the same questions.
    pub baseline: Against<'a>,
}

/// What a run is judged against.
#[derive(Debug, Clone, Copy)]
pub enum Against<'a> {
    /// No baseline is configured.
    Nothing,
    /// The baseline is not there yet.
    Missing,
    /// It cannot be compared with this run.
    NotComparable(&'a NotComparable),
    /// The judged questions that have two answers, in the byte order of their ids.
    Pairs {
        /// Each with its labels.
        pairs: &'a [(&'a Case, Pair<'a>)],
        /// How far down both sides have lists.
        depth: u32,
    },
}

/// Judges the run.
pub fn judge(gate: &Gate, evidence: &Evidence<'_>, report_only: bool) -> Verdict {
    let mut rules = Vec::new();
    if !evidence.partial {
        rules.extend(gate.rules.iter().map(|rule| {
            let mut result = evidence.apply(gate, rule);
            evidence.over_ties(&rule.rule, &mut result);
            result
        }));
        rules.extend(evidence.quarantine(gate));
    }
    rules.extend(evidence.critical());
    rules.extend(evidence.must_rank_within());
    Verdict::decide(incomplete(gate, evidence), rules, evidence.partial, report_only)
}

impl<'a> Evidence<'a> {
    /// The questions that rules are about: scored, and not in quarantine.
    pub(super) fn judged(&self) -> impl Iterator<Item = (&'a Case, &'a CaseScore)> {
        self.scores.judged(self.golden)
    }

    fn apply(&self, gate: &Gate, GateRule { rule, level }: &GateRule) -> RuleResult {
        let mut result = RuleResult::new(rule.to_string(), RuleKind::Measure, *level);
        match rule {
            Rule::Bound { subject, comparison, value } => {
                result.limit = Some(*value);
                result.reason = self.too_deep(gate, rule).then_some(Reason::ShortLists);
                self.bound(subject, *comparison, *value, gate.settings.min_slice, &mut result);
            }
            Rule::Statistic { statistic, comparison, quantity } => {
                result.kind = if statistic.is_time() { RuleKind::Time } else { RuleKind::Count };
                result.n = self.scores.cases.len();
                result.limit = Some(*quantity);
                (result.value, result.questions) = self.statistic(*statistic);
                match result.value {
                    Some(value) => result.status = status(comparison.holds(value, *quantity)),
                    None => result.reason = Some(Reason::NotTimed),
                }
            }
            Rule::Change { .. }
            | Rule::Significant { .. }
            | Rule::NoRegression { .. }
            | Rule::Lost { .. } => self.change(gate, rule, &mut result),
        }
        result
    }

    /// Whether every list ends before the cut-off of the rule.
    pub(super) fn too_deep(&self, gate: &Gate, rule: &Rule) -> bool {
        let cap = self.scores.lists.never_longer_than.filter(|_| !gate.settings.allow_short);
        rule.cutoff().zip(cap).is_some_and(|(cutoff, cap)| cutoff as usize > cap)
    }

    fn bound(
        &self,
        subject: &Subject,
        comparison: Comparison,
        limit: f64,
        min_slice: usize,
        result: &mut RuleResult,
    ) {
        let questions: Vec<(&Case, f64)> = self
            .judged()
            .filter(|(case, _)| subject.includes(case))
            .filter_map(|(case, score)| score.value(&subject.measure).map(|value| (case, value)))
            .collect();
        let judge = |values: &mut dyn Iterator<Item = f64>| {
            let Mean { mean, n } = Mean::of(values.map(Some));
            mean.map(|mean| (mean, n, status(comparison.holds(mean, limit))))
        };
        if !has_grade(questions.iter().map(|(case, _)| *case), &subject.measure) {
            result.reason = Some(Reason::NoGrades);
        }
        let may_judge = result.reason.is_none();
        let Some(field) = &subject.each else {
            match judge(&mut questions.iter().map(|(_, value)| *value)) {
                Some((value, n, status)) => {
                    (result.value, result.n) = (Some(value), n);
                    let values: Vec<f64> = questions.iter().map(|(_, value)| *value).collect();
                    result.interval = interval(&values);
                    if may_judge {
                        result.status = status;
                    }
                }
                None => result.reason = Some(Reason::NoQuestions),
            }
            if result.status == RuleStatus::Failed {
                result.questions = worst_first(&questions, comparison, limit, |_| true);
            }
            return;
        };

        let mut slices: BTreeMap<String, Vec<f64>> = BTreeMap::new();
        for (case, value) in &questions {
            for name in case.field(field) {
                slices.entry(name).or_default().push(*value);
            }
        }
        result.n = questions.len();
        result.slices = slices
            .into_iter()
            .filter_map(|(name, values)| {
                let (value, n, status) = judge(&mut values.into_iter())?;
                let status = if n < min_slice || !may_judge { RuleStatus::Unjudged } else { status };
                Some(SliceResult { name, n, value, before: None, p: None, status })
            })
            .collect();
        // Worst first: the end that the comparison looks at, then by name.
        result.slices.sort_by(|a, b| {
            let order = match comparison {
                Comparison::AtLeast => a.value.total_cmp(&b.value),
                Comparison::AtMost => b.value.total_cmp(&a.value),
                Comparison::Equal => (b.value - limit).abs().total_cmp(&(a.value - limit).abs()),
            };
            (a.n < min_slice).cmp(&(b.n < min_slice)).then(order)
        });
        result.value = result.slices.first().map(|slice| slice.value);
        let has = |status| result.slices.iter().any(|slice| slice.status == status);
        if has(RuleStatus::Failed) {
            let failed = |slice: &&SliceResult| slice.status == RuleStatus::Failed;
            let failed: Vec<&str> =
                result.slices.iter().filter(failed).map(|slice| slice.name.as_str()).collect();
            let is_in_one =
                |case: &Case| case.field(field).iter().any(|name| failed.contains(&name.as_str()));
            result.questions = worst_first(&questions, comparison, limit, is_in_one);
            result.status = RuleStatus::Failed;
        } else if has(RuleStatus::Passed) {
            result.status = RuleStatus::Passed;
        } else if may_judge {
            let reason = if result.slices.is_empty() { Reason::NoQuestions } else { Reason::SmallSlices };
            result.reason = Some(reason);
        }
    }

    /// The value of a statistic, and for a count the questions that it counts.
    fn statistic(&self, statistic: Statistic) -> (Option<f64>, Vec<String>) {
        let counted = |ids: Vec<String>| (Some(ids.len() as f64), ids);
        let share = match statistic {
            Statistic::Errors => return counted(self.failed()),
            Statistic::Empty => return counted(self.empty()),
            Statistic::LatencyP50 => Some(0.50),
            Statistic::LatencyP95 => Some(0.95),
            Statistic::LatencyP99 => Some(0.99),
            Statistic::LatencyMax => Some(1.0),
            Statistic::LatencyMean => None,
        };
        if !self.timed {
            return (None, Vec::new());
        }
        let times = self.scores.latencies();
        let value = match share {
            Some(share) => percentile(&times, share),
            None => Mean::of(times.into_iter().map(Some)).mean,
        };
        (value, Vec::new())
    }

    /// The questions at which the retriever failed.
    fn failed(&self) -> Vec<String> {
        self.scores
            .asked(self.golden)
            .filter(|(case, score)| score.error.is_some() && case.quarantine.is_none())
            .map(|(case, _)| case.id.clone())
            .collect()
    }

    /// The questions that have an answer and got no hit at all.
    fn empty(&self) -> Vec<String> {
        self.judged()
            .filter(|(case, score)| case.answerable && score.places.is_empty())
            .map(|(case, _)| case.id.clone())
            .collect()
    }

    fn quarantine(&self, gate: &Gate) -> Option<RuleResult> {
        let most = gate.settings.max_quarantined?;
        let ids: Vec<String> = self
            .golden
            .cases
            .iter()
            .filter(|case| case.quarantine.is_some())
            .map(|case| case.id.clone())
            .collect();
        Some(RuleResult {
            status: status(ids.len() <= most),
            value: Some(ids.len() as f64),
            limit: Some(most as f64),
            n: self.golden.cases.len(),
            questions: ids,
            ..RuleResult::new(format!("quarantined <= {most}"), RuleKind::Count, RuleLevel::Fail)
        })
    }

    /// Critical questions: one of their needs stands at the smallest gated cut-off.
    fn critical(&self) -> Option<RuleResult> {
        let cutoff = self.critical_cutoff;
        let promised = self.judged().filter(|(case, _)| case.critical);
        promise(format!("promises: critical in the top {cutoff}"), promised, |_, score| {
            score.hits_within(cutoff)
        })
    }

    /// `must_rank_within`: every need of the question has at most this rank.
    fn must_rank_within(&self) -> Option<RuleResult> {
        let promised = self.judged().filter(|(case, _)| case.must_rank_within.is_some());
        promise("promises: must_rank_within".into(), promised, |case, score| {
            score.needs.iter().all(|need| need.rank.is_some_and(|rank| Some(rank) <= case.must_rank_within))
        })
    }
}

/// Between which values the true mean lies: of a share by Wilson, of anything else by the bootstrap or by Student's t.
pub(super) fn interval(values: &[f64]) -> Option<Estimate> {
    let whole = |target: f64| values.iter().filter(|value| (**value - target).abs() < f64::EPSILON).count();
    let (ones, zeros) = (whole(1.0), whole(0.0));
    if ones + zeros == values.len() {
        wilson(ones, values.len(), CONFIDENCE)
    } else {
        usual_interval(values, CONFIDENCE, SEED)
    }
}

/// The questions that keep a mean on the wrong side of its limit, the worst first.
fn worst_first(
    questions: &[(&Case, f64)],
    comparison: Comparison,
    limit: f64,
    counts: impl Fn(&Case) -> bool,
) -> Vec<String> {
    let off = |value: f64| match comparison {
        Comparison::AtLeast => limit - value,
        Comparison::AtMost => value - limit,
        Comparison::Equal => (value - limit).abs(),
    };
    let mut bad: Vec<(&Case, f64)> = questions
        .iter()
        .filter(|(case, value)| counts(case) && !comparison.holds(*value, limit))
        .copied()
        .collect();
    bad.sort_by(|a, b| off(b.1).total_cmp(&off(a.1)));
    bad.into_iter().map(|(case, _)| case.id.clone()).collect()
}

fn promise<'a>(
    rule: String,
    promised: impl Iterator<Item = (&'a Case, &'a CaseScore)>,
    kept: impl Fn(&Case, &CaseScore) -> bool,
) -> Option<RuleResult> {
    let all: Vec<_> = promised.collect();
    if all.is_empty() {
        return None;
    }
    let broken: Vec<String> =
        all.iter().filter(|(case, score)| !kept(case, score)).map(|(case, _)| case.id.clone()).collect();
    Some(RuleResult {
        status: status(broken.is_empty()),
        value: Some((all.len() - broken.len()) as f64),
        limit: Some(all.len() as f64),
        n: all.len(),
        questions: broken,
        ..RuleResult::new(rule, RuleKind::Promise, RuleLevel::Fail)
    })
}

/// Whether a rule on this measure is about anything: a question without a need of its grade scores 0, as in `trec_eval`,
/// but some question must have one.
pub(super) fn has_grade<'a>(mut cases: impl Iterator<Item = &'a Case>, measure: &Measure) -> bool {
    let rel = measure.rel();
    rel <= 1 || cases.any(|case| case.needs.iter().any(|need| need.grade >= rel))
}

pub(super) fn status(holds: bool) -> RuleStatus {
    if holds { RuleStatus::Passed } else { RuleStatus::Failed }
}
