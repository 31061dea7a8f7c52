//! Rules about change: this run against the accepted one, question by question.

use std::collections::BTreeMap;

use rankgate_metrics::stats::{Alternative, Test, holm, sign_flip, usual_interval};
use rankgate_metrics::{Direction, Measure, Outcome};

use super::judge::{Against, Evidence, has_grade, status};
use super::regression::{self, Loss};
use super::rule::{Amount, Direction as Way, Options};
use super::{Gate, Reason, Rule, RuleKind, RuleResult, RuleStatus, SliceResult, Subject};
use crate::compare::{CONFIDENCE, DRAWS, Pair, SEED, needs_lost};
use crate::golden::Case;

#[cfg(test)]
mod tests;

/// Below this p a drop is more than noise, in a remark that decides nothing.
const NOISE: f64 = 0.05;

/// The settings of `drop significant`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Significance {
    pub alpha: f64,
    draws: u32,
    seed: u64,
}

impl Significance {
    /// Whether something dropped, and not even a drop of every question would be sure: one pattern of signs in 2^n.
    fn is_blind(self, values: &[Both<'_>], way: Way) -> bool {
        let has_dropped = values.iter().any(|both| worsening(both, way) > 1e-9);
        has_dropped && i32::try_from(values.len()).is_ok_and(|n| 0.5_f64.powi(n) > self.alpha)
    }

    pub(super) fn of(options: &Options) -> Result<Self, String> {
        let mut settings = Self { alpha: 0.05, draws: DRAWS, seed: SEED };
        for (key, value) in &options.0 {
            match key.as_str() {
                "alpha" => settings.alpha = regression::share(key, value)?,
                "draws" => settings.draws = regression::draws(value)?,
                "seed" => settings.seed = regression::seed(value)?,
                _ => {}
            }
        }
        Ok(settings)
    }
}

/// A question with both of its values.
#[derive(Clone, Copy)]
struct Both<'a> {
    case: &'a Case,
    before: f64,
    now: f64,
}

/// Means and the change between them.
struct Means {
    before: f64,
    now: f64,
    n: usize,
}

impl Means {
    fn of(values: &[Both<'_>]) -> Option<Self> {
        let n = values.len();
        let mean = |side: &dyn Fn(&Both<'_>) -> f64| values.iter().map(side).sum::<f64>() / n as f64;
        (n > 0).then(|| Self { before: mean(&|both| both.before), now: mean(&|both| both.now), n })
    }
}

impl<'a> Evidence<'a> {
    /// Judges a rule that needs a baseline.
    pub(super) fn change(&self, gate: &Gate, rule: &Rule, result: &mut RuleResult) {
        result.kind = if matches!(rule, Rule::Lost { .. }) { RuleKind::Count } else { RuleKind::Change };
        let Against::Pairs { pairs, depth } = self.baseline else {
            result.reason = Some(match self.baseline {
                Against::NotComparable(_) => Reason::Incomplete,
                _ => Reason::NoBaseline,
            });
            return;
        };
        if pairs.is_empty() {
            result.reason = Some(Reason::NoQuestions);
            return;
        }
        match rule {
            Rule::Change { subject, direction, amount } => {
                let (Amount::Absolute(limit) | Amount::Percent(limit)) = *amount;
                result.limit = Some(limit);
                budget(gate, pairs, subject, *direction, *amount, result);
            }
            Rule::Significant { subject, options } => {
                // `Rule::from_str` has read them before.
                if let Ok(settings) = Significance::of(options) {
                    significant(gate, pairs, subject, settings, result);
                }
            }
            Rule::NoRegression { measure, options } => {
                if let Ok(settings) = regression::Settings::of(options) {
                    self.no_regression(pairs, depth, measure, &settings, result);
                }
            }
            Rule::Lost { cutoff, count } => {
                let within = |rank: Option<u32>| rank.is_some_and(|rank| rank <= *cutoff);
                let lost = pairs
                    .iter()
                    .filter(|(_, pair)| within(pair.before.best_rank()) && !within(pair.now.best_rank()));
                result.questions = lost.map(|(case, _)| case.id.clone()).collect();
                result.value = Some(result.questions.len() as f64);
                result.limit = Some(f64::from(*count));
                result.n = pairs.len();
                result.status = status(result.questions.len() <= *count as usize);
            }
            Rule::Bound { .. } | Rule::Statistic { .. } => {}
        }
        let lacks_grade = |measure: &Measure| !has_grade(pairs.iter().map(|(case, _)| *case), measure);
        if rule.measure().is_some_and(lacks_grade) {
            (result.status, result.reason) = (RuleStatus::Unjudged, Some(Reason::NoGrades));
            result.slices.iter_mut().for_each(|slice| slice.status = RuleStatus::Unjudged);
        }
        if self.too_deep(gate, rule) {
            (result.status, result.reason) = (RuleStatus::Unjudged, Some(Reason::ShortLists));
        }
    }

    fn no_regression(
        &self,
        pairs: &[(&'a Case, Pair<'a>)],
        depth: u32,
        measure: &Measure,
        settings: &regression::Settings,
        result: &mut RuleResult,
    ) {
        let way = worse(measure);
        let rel = measure.rel();
        let found = |side: &Outcome| side.best_rank().is_some_and(|rank| rank <= self.critical_cutoff);
        let both: Vec<(Both<'_>, Loss)> = pairs
            .iter()
            .filter_map(|(case, pair)| {
                let (before, now) = pair.values(measure)?;
                let both = Both { case, before, now };
                let loss = Loss {
                    needs: pair.now.needs().iter().filter(|need| need.grade >= rel).count(),
                    needs_lost: needs_lost(pair, depth, rel),
                    measure: worsening(&both, way),
                    critical_lost: case.critical && found(pair.before) && !found(pair.now),
                };
                Some((both, loss))
            })
            .collect();
        let (values, losses): (Vec<Both<'_>>, Vec<Loss>) = both.into_iter().unzip();
        whole(&values, result);
        if values.is_empty() {
            return;
        }
        let decision = regression::decide(&losses, settings);
        result.limit = Some(settings.min_effect);
        if decision.is_tested {
            result.tests = decision.tests.to_vec();
        }
        result.remark = decision.remark;
        match decision.passed {
            Some(passed) => result.status = status(passed),
            None => result.reason = Some(Reason::Underpowered),
        }
        if result.status == RuleStatus::Failed {
            let mut fallen: Vec<(&Case, Loss)> = values
                .iter()
                .zip(&losses)
                .filter(|(_, loss)| loss.needs_lost > 0 || loss.measure > 1e-9)
                .map(|(both, loss)| (both.case, *loss))
                .collect();
            fallen.sort_by(|a, b| {
                b.1.measure.total_cmp(&a.1.measure).then(b.1.needs_lost.cmp(&a.1.needs_lost))
            });
            result.questions = fallen.into_iter().map(|(case, _)| case.id.clone()).collect();
        }
    }
}

/// Whether a mean moved no further than it may.
pub(super) fn within_budget(before: f64, now: f64, way: Way, amount: Amount) -> bool {
    let moved = match way {
        Way::Drop => before - now,
        Way::Rise => now - before,
    };
    let most = match amount {
        Amount::Absolute(most) => most,
        Amount::Percent(share) => before.abs() * share / 100.0,
    };
    super::Comparison::AtMost.holds(moved, most)
}

/// `drop <= x`, `rise <= x`.
fn budget(
    gate: &Gate,
    pairs: &[(&Case, Pair<'_>)],
    subject: &Subject,
    way: Way,
    amount: Amount,
    result: &mut RuleResult,
) {
    let values = values(pairs, subject);
    let holds = |means: &Means| within_budget(means.before, means.now, way, amount);
    if let Some(field) = &subject.each {
        let slices = slices(&values, field);
        let judged = slices.iter().filter_map(|(name, values)| {
            let means = Means::of(values)?;
            let small = means.n < gate.settings.min_slice;
            let status = if small { RuleStatus::Unjudged } else { status(holds(&means)) };
            Some(slice(name, &means, None, status))
        });
        each(judged.collect(), way, result);
        result.n = values.len();
        blame_slices(&values, field, way, result);
        return;
    }
    whole(&values, result);
    if let Some(means) = Means::of(&values) {
        result.status = status(holds(&means));
    }
    let worse: Vec<f64> = values.iter().map(|both| worsening(both, way)).collect();
    let test = sign_flip(&worse, Alternative::Greater, DRAWS, SEED);
    result.tests = vec![test];
    if worse.iter().sum::<f64>() > 0.0 && test.p > NOISE {
        result.remark = Some(format!("within noise (p {})", p_text(test.p)));
    }
    if result.status == RuleStatus::Failed {
        result.questions = blame(&values, way, |_| true);
    }
}

/// `drop significant`: Holm over the slices, where there are any.
fn significant(
    gate: &Gate,
    pairs: &[(&Case, Pair<'_>)],
    subject: &Subject,
    settings: Significance,
    result: &mut RuleResult,
) {
    let way = worse(&subject.measure);
    let values = values(pairs, subject);
    let test = |values: &[Both<'_>]| {
        let worse: Vec<f64> = values.iter().map(|both| worsening(both, way)).collect();
        sign_flip(&worse, Alternative::Greater, settings.draws, settings.seed)
    };
    result.limit = Some(settings.alpha);
    if let Some(field) = &subject.each {
        let slices = slices(&values, field);
        let large: Vec<(&String, &Vec<Both<'_>>)> = slices
            .iter()
            .filter(|(_, values)| values.len() >= gate.settings.min_slice && !settings.is_blind(values, way))
            .collect();
        let tests: Vec<Test> = large.iter().map(|(_, values)| test(values)).collect();
        let corrected = holm(&tests.iter().map(|test| test.p).collect::<Vec<_>>());
        let by_name: BTreeMap<&String, f64> = large.iter().map(|(name, _)| *name).zip(corrected).collect();
        let judged = slices.iter().filter_map(|(name, values)| {
            let means = Means::of(values)?;
            let p = by_name.get(name).copied();
            let status = p.map_or(RuleStatus::Unjudged, |p| status(p > settings.alpha));
            Some(slice(name, &means, p, status))
        });
        each(judged.collect(), way, result);
        result.n = values.len();
        result.tests = tests;
        blame_slices(&values, field, way, result);
        return;
    }
    whole(&values, result);
    if values.is_empty() {
        return;
    }
    if settings.is_blind(&values, way) {
        result.reason = Some(Reason::Underpowered);
        return;
    }
    let test = test(&values);
    result.tests = vec![test];
    result.status = status(test.p > settings.alpha);
    if result.status == RuleStatus::Failed {
        result.questions = blame(&values, way, |_| true);
    }
}

/// The direction in which a measure gets worse.
fn worse(measure: &Measure) -> Way {
    match measure.definition().direction {
        Direction::HigherIsBetter => Way::Drop,
        Direction::LowerIsBetter => Way::Rise,
    }
}

/// How far a question went in the bounded direction.
fn worsening(both: &Both<'_>, way: Way) -> f64 {
    match way {
        Way::Drop => both.before - both.now,
        Way::Rise => both.now - both.before,
    }
}

/// Both values of every question that the subject is about.
fn values<'a>(pairs: &[(&'a Case, Pair<'_>)], subject: &Subject) -> Vec<Both<'a>> {
    pairs
        .iter()
        .filter(|(case, _)| subject.includes(case))
        .filter_map(|(case, pair)| {
            pair.values(&subject.measure).map(|(before, now)| Both { case, before, now })
        })
        .collect()
}

fn slices<'a>(values: &[Both<'a>], field: &str) -> BTreeMap<String, Vec<Both<'a>>> {
    let mut slices: BTreeMap<String, Vec<Both<'a>>> = BTreeMap::new();
    for both in values {
        for name in both.case.field(field) {
            slices.entry(name).or_default().push(*both);
        }
    }
    slices
}

fn slice(name: &str, means: &Means, p: Option<f64>, status: RuleStatus) -> SliceResult {
    SliceResult { name: name.to_owned(), n: means.n, value: means.now, before: Some(means.before), p, status }
}

/// Fills in what holds for all questions together.
fn whole(values: &[Both<'_>], result: &mut RuleResult) {
    let Some(means) = Means::of(values) else {
        result.reason = Some(Reason::NoQuestions);
        return;
    };
    let differences: Vec<f64> = values.iter().map(|both| both.now - both.before).collect();
    (result.before, result.value, result.n) = (Some(means.before), Some(means.now), means.n);
    result.interval = usual_interval(&differences, CONFIDENCE, SEED);
}

/// Fills in what holds for the slices, the worst first.
fn each(mut slices: Vec<SliceResult>, way: Way, result: &mut RuleResult) {
    let moved = |slice: &SliceResult| {
        let change = slice.value - slice.before.unwrap_or(slice.value);
        if way == Way::Drop { change } else { -change }
    };
    slices.sort_by(|a, b| {
        let unjudged = |slice: &SliceResult| slice.status == RuleStatus::Unjudged;
        unjudged(a).cmp(&unjudged(b)).then(moved(a).total_cmp(&moved(b)))
    });
    let has = |status| slices.iter().any(|slice| slice.status == status);
    if has(RuleStatus::Failed) {
        result.status = RuleStatus::Failed;
    } else if has(RuleStatus::Passed) {
        result.status = RuleStatus::Passed;
    } else {
        result.reason = Some(if slices.is_empty() { Reason::NoQuestions } else { Reason::SmallSlices });
    }
    if let Some(worst) = slices.first() {
        (result.value, result.before) = (Some(worst.value), worst.before);
    }
    result.slices = slices;
}

/// The questions that moved in the bounded direction, the furthest first.
fn blame(values: &[Both<'_>], way: Way, counts: impl Fn(&Case) -> bool) -> Vec<String> {
    let mut fallen: Vec<(&Case, f64)> = values
        .iter()
        .map(|both| (both.case, worsening(both, way)))
        .filter(|(case, moved)| *moved > 1e-9 && counts(case))
        .collect();
    fallen.sort_by(|a, b| b.1.total_cmp(&a.1));
    fallen.into_iter().map(|(case, _)| case.id.clone()).collect()
}

fn blame_slices(values: &[Both<'_>], field: &str, way: Way, result: &mut RuleResult) {
    let failed: Vec<String> = result
        .slices
        .iter()
        .filter(|slice| slice.status == RuleStatus::Failed)
        .map(|slice| slice.name.clone())
        .collect();
    if !failed.is_empty() {
        result.questions =
            blame(values, way, |case| case.field(field).iter().any(|name| failed.contains(name)));
    }
}

/// A p as people read it.
pub(crate) fn p_text(p: f64) -> String {
    if p < 0.001 { "<.001".to_owned() } else { format!("{p:.3}").trim_start_matches('0').to_owned() }
}
