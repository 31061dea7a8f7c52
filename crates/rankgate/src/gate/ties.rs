//! Rules that hang on tied scores: would another order of equal scores change the decision?
//!
//! The order of equal scores comes from a rule about ids or from the index, not from the retriever. So every rule over
//! a measure is told between which means its value lies over these orders; a rule that compares means is asked again at
//! both ends.

use super::change::within_budget;
use super::{OverTies, Rule, RuleResult, RuleStatus, Subject};
use crate::evaluate::CaseScore;
use crate::gate::judge::{Against, Evidence, status};
use crate::golden::Case;

/// A question with its least and greatest value.
struct Ends<'a> {
    case: &'a Case,
    before: f64,
    low: f64,
    high: f64,
}

/// Means of a set of questions: in the baseline, and now at both ends.
struct Means {
    before: f64,
    low: f64,
    high: f64,
    n: usize,
}

impl Means {
    fn of<'a>(ends: impl Iterator<Item = &'a Ends<'a>>) -> Option<Self> {
        let zero = Self { before: 0.0, low: 0.0, high: 0.0, n: 0 };
        let sums = ends.fold(zero, |sums, ends| Self {
            before: sums.before + ends.before,
            low: sums.low + ends.low,
            high: sums.high + ends.high,
            n: sums.n + 1,
        });
        let n = sums.n as f64;
        let Self { before, low, high, .. } = sums;
        (sums.n > 0).then(|| Self { before: before / n, low: low / n, high: high / n, ..sums })
    }
}

impl<'a> Evidence<'a> {
    /// Notes between which values the measure of a judged rule lies, and whether its decision would be another there.
    pub(super) fn over_ties(&self, rule: &Rule, result: &mut RuleResult) {
        let has_ties = self.scores.cases.iter().any(|score| score.ties.is_some());
        if !has_ties || result.status == RuleStatus::Unjudged {
            return;
        }
        let ends = self.ends(rule);
        let parts: Vec<(Option<&str>, Means)> =
            match rule.subject().and_then(|subject| subject.each.as_deref()) {
                None => Means::of(ends.iter()).map(|means| (None, means)).into_iter().collect(),
                Some(field) => result
                    .slices
                    .iter()
                    .filter(|slice| slice.status != RuleStatus::Unjudged)
                    .filter_map(|slice| {
                        let name = slice.name.as_str();
                        let is_in =
                            |ends: &&Ends<'_>| ends.case.field(field).iter().any(|value| value == name);
                        Some((Some(name), Means::of(ends.iter().filter(is_in))?))
                    })
                    .collect(),
            };
        // A test is not made again: it would take draws, and its p is no matter of means alone.
        let holds = |means: &Means, value: f64| match rule {
            Rule::Bound { comparison, value: limit, .. } => comparison.holds(value, *limit),
            Rule::Change { direction, amount, .. } => within_budget(means.before, value, *direction, *amount),
            _ => result.status == RuleStatus::Passed,
        };
        let low = parts.iter().all(|(_, means)| holds(means, means.low));
        let high = parts.iter().all(|(_, means)| holds(means, means.high));
        let hangs = [low, high].iter().any(|holds| status(*holds) != result.status);
        // Of several slices the one that decides is shown, else the worst.
        let decides =
            |(_, means): &&(Option<&str>, Means)| holds(means, means.low) != holds(means, means.high);
        let Some((name, means)) = parts.iter().find(|part| hangs && decides(part)).or_else(|| parts.first())
        else {
            return;
        };
        if means.low < means.high {
            let over = OverTies { low: means.low, high: means.high, hangs };
            let of = name.map(|name| format!(" in {name}")).unwrap_or_default();
            let remark = hangs.then(|| format!("hangs on tied scores{of}: {}", over.words()));
            let remarks: Vec<String> = result.remark.iter().cloned().chain(remark).collect();
            result.remark = (!remarks.is_empty()).then(|| remarks.join("; "));
            result.over_ties = Some(over);
        }
    }

    /// The questions that the rule is about.
    fn ends(&self, rule: &Rule) -> Vec<Ends<'a>> {
        let Some(measure) = rule.measure() else { return Vec::new() };
        let ends = |case: &'a Case, score: &CaseScore, before: f64| {
            let (low, high) = score.over_ties(measure)?;
            Some(Ends { case, before, low, high })
        };
        let included = |case: &Case| rule.subject().is_none_or(|subject: &Subject| subject.includes(case));
        let questions = self.judged().filter(|(case, _)| included(case));
        match self.baseline {
            Against::Pairs { pairs, .. } if rule.needs_baseline() => questions
                .filter_map(|(case, score)| {
                    let pair = pairs.binary_search_by(|(known, _)| known.id.cmp(&case.id)).ok()?;
                    let (_, pair) = pairs.get(pair)?;
                    ends(case, score, pair.values(measure)?.0)
                })
                .collect(),
            _ => questions.filter_map(|(case, score)| ends(case, score, 0.0)).collect(),
        }
    }
}
