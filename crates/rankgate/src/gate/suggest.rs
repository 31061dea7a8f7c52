//! Rules that fit a run: what it would keep, less what chance alone may take.
//!
//! They are taken from the run as it is now, as if it were the accepted state: a floor where its interval ends, the test
//! against the baseline, and as many lost questions as chance alone may lose.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use rankgate_metrics::stats::{Alternative, minimum_detectable_effect, sign_flip_counts};
use rankgate_metrics::{Applies, Direction, Measure};

use super::{Comparison, Rule, RuleResult, judge, regression};
use crate::report::{Because, QuestionFacts, Report};
use crate::text::{questions, wrap};

/// Every slice must have so many questions to have a floor of its own.
const LEAST_IN_SLICE: usize = 25;
/// The error of a test, in what chance may lose and what the set can see.
const ALPHA: f64 = 0.05;
/// How often a loss is to be seen.
const POWER: f64 = 0.80;
/// The columns of a rule with a comment beside it.
const RULE: usize = 36;
/// Measures of whether the evidence is there at all.
const FINDS: [&str; 3] = ["hit_rate", "recall", "all_needs"];
/// Measures of how far up it stands.
const RANKS: [&str; 3] = ["mrr", "ndcg", "map"];

/// Whether a run was judged by nothing that its configuration says; promises come with the questions.
pub fn has_no_rules(report: &Report) -> bool {
    report.partial.is_none() && rules(report).next().is_none()
}

/// Whether a rule of the run compares with the baseline.
pub fn has_rule_about_change(report: &Report) -> bool {
    rules(report).any(|rule| rule.needs_baseline())
}

fn rules(report: &Report) -> impl Iterator<Item = Rule> {
    report.verdict.rules.iter().filter_map(RuleResult::parsed)
}

/// Rules for a run, as a text of the configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rules {
    /// Where it goes.
    pub place: &'static str,
    /// The whole table, or more items of an array that has some already.
    pub text: String,
}

/// Rules for this run; `None` where nothing of it can bear one that it has not.
pub fn rules_for(report: &Report) -> Option<Rules> {
    let measures = candidates(report);
    let named = |names: &[&str]| {
        measures.iter().find(|measure| names.contains(&measure.definition().name)).or(measures.first())
    };
    let (floor, ranks) = (named(&FINDS)?, named(&RANKS)?);
    let values: Vec<f64> = judged(report).filter_map(|question| value(question, floor)).collect();
    let n = values.len();
    let has_power = n as f64 * regression::Settings::default().max_loss >= regression::LEAST_LOST;

    let has_floor = |limit: f64| rules(report).any(|rule| bears(&rule, floor, limit));
    let mut missing: Vec<(String, &str)> = Vec::new();
    if let Some(limit) = low_end(&values).filter(|limit| !has_floor(*limit)) {
        missing.push((format!("{floor} >= {limit:.2}"), "the low end of its 95 % interval"));
    }
    if let Some(limit) = lowest_of_slices(report, floor).filter(|limit| !has_floor(*limit)) {
        let why = "the same in the weakest category";
        missing.push((format!("each(category) {floor} >= {limit:.2}"), why));
    }
    if !has_rule_about_change(report) {
        missing.push((format!("no regression on {ranks}"), "worse than accepted, beyond noise"));
    }
    if has_power && !rules(report).any(|rule| matches!(rule, Rule::Lost { .. })) {
        let cutoff = floor.cutoff().unwrap_or(report.policy.cutoff);
        let why = "chance alone may lose so many";
        missing.push((format!("lost@{cutoff} <= {}", lost_by_chance()), why));
    }
    if missing.is_empty() {
        return None;
    }

    let mut lines = String::new();
    for (rule, why) in missing {
        // A TOML string knows the escapes of JSON.
        let rule = format!("{},", serde_json::Value::String(rule));
        let _ = if rule.len() <= RULE {
            writeln!(lines, "    {rule:RULE$}  # {why}")
        } else {
            writeln!(lines, "    # {why}\n    {rule}")
        };
    }
    let remark = remark(n, has_power);
    let remark = |indent: usize| {
        let lines = wrap(&remark, 78 - indent).into_iter();
        lines.map(|line| format!("{:indent$}# {line}\n", "")).collect::<String>()
    };
    if rules(report).next().is_some() {
        lines.push_str(&remark(4));
        return Some(Rules { place: "to add to `rules` under [gate]", text: lines });
    }
    let table = if has_baseline(report) {
        ""
    } else {
        "[baseline]\npath = \"baseline.jsonl\"          # `rankgate accept` writes it\ngolden_changed = \
         \"rescore\"\n\n"
    };
    Some(Rules {
        place: "to be pasted into rankgate.toml",
        text: format!("{table}[gate]\nrules = [\n{lines}]\n{}", remark(0)),
    })
}

/// Whether a baseline is configured, as far as the run shows it.
fn has_baseline(report: &Report) -> bool {
    let is_missing = |code: &str| ["no_baseline", "baseline_unmerged"].contains(&code);
    report.comparison.is_some()
        || report.notes.iter().any(|note| is_missing(&note.code))
        || report.verdict.incomplete.iter().any(|incomplete| incomplete.code == "not_comparable")
}

/// Whether a rule is a floor of this measure, or one of its kind that is as high already.
fn bears(rule: &Rule, measure: &Measure, limit: f64) -> bool {
    let Rule::Bound { subject, comparison, value } = rule else { return false };
    let of = &subject.measure;
    *comparison != Comparison::AtMost
        && (of == measure || of.definition().name == measure.definition().name && *value >= limit)
}

/// The reported measures that a floor makes sense for.
fn candidates(report: &Report) -> Vec<Measure> {
    report
        .measures
        .iter()
        .filter(|facts| facts.because == Because::Reported && facts.mean.is_some())
        .filter_map(|facts| facts.measure.parse::<Measure>().ok())
        .filter(|measure| {
            let definition = measure.definition();
            definition.applies == Applies::Answerable
                && definition.direction == Direction::HigherIsBetter
                && definition.name != "judged"
        })
        .collect()
}

fn judged(report: &Report) -> impl Iterator<Item = &QuestionFacts> {
    report.questions.iter().filter(|question| question.quarantine.is_none())
}

fn value(question: &QuestionFacts, measure: &Measure) -> Option<f64> {
    question.values.get(measure.as_str()).copied()
}

/// The low end of the interval of a mean, rounded down to two decimals; `None` where that bounds nothing.
fn low_end(values: &[f64]) -> Option<f64> {
    let interval = judge::interval(values)?;
    let low = interval.low.min(interval.point);
    let rounded = ((low + 1e-9) * 100.0).floor() / 100.0;
    (rounded > 0.0).then_some(rounded)
}

/// The lowest of the low ends of all categories, where each has questions enough.
fn lowest_of_slices(report: &Report, measure: &Measure) -> Option<f64> {
    let mut slices: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for question in judged(report) {
        if let Some((category, value)) = question.category.as_deref().zip(value(question, measure)) {
            slices.entry(category).or_default().push(value);
        }
    }
    if slices.len() < 2 || slices.values().any(|values| values.len() < LEAST_IN_SLICE) {
        return None;
    }
    let lows: Option<Vec<f64>> = slices.values().map(|values| low_end(values)).collect();
    lows?.into_iter().min_by(f64::total_cmp)
}

/// How many questions may be lost, with none found, before that is more than chance.
fn lost_by_chance() -> usize {
    let is_chance = |lost: &usize| sign_flip_counts(&vec![1; *lost], Alternative::Greater).p > ALPHA;
    (1..64).take_while(is_chance).last().unwrap_or(0)
}

/// What a set of so many questions can see.
fn remark(n: usize, has_power: bool) -> String {
    let some = questions(n);
    if !has_power {
        let share = regression::Settings::default().max_loss;
        return format!(
            "{some}: too few for a test, so that `no regression` is a budget of {:.0} %. From {:.0} questions on it \
             is a test.",
            share * 100.0,
            regression::LEAST_LOST / share
        );
    }
    // The smallest loss of whole questions that stands out of its own spread.
    let is_seen = |lost: &usize| {
        let share = *lost as f64 / n as f64;
        let spread = (share * (1.0 - share)).sqrt();
        minimum_detectable_effect(spread, n, ALPHA, POWER).is_some_and(|seen| seen <= share)
    };
    (1..=n).find(is_seen).map_or_else(String::new, |seen| {
        format!(
            "{some} show a loss of {seen} of them ({:.1} %) 4 times in 5. Smaller losses may pass as noise: it takes \
             more questions to see them.",
            seen as f64 / n as f64 * 100.0
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chance_alone_may_lose_four() {
        // Five of five is one in 32.
        assert_eq!(lost_by_chance(), 4);
    }

    #[test]
    fn floors_are_rounded_down_and_bound_something() {
        // Wilson of 56 of 56 starts at 0.9358.
        assert_eq!(low_end(&[1.0; 56]), Some(0.93));
        assert_eq!(low_end(&[0.0; 56]), None);
        assert_eq!(low_end(&[]), None);
    }

    #[test]
    fn more_questions_see_smaller_losses() {
        assert!(remark(49, false).starts_with("49 questions: too few for a test"), "{}", remark(49, false));
        assert!(
            remark(100, true).starts_with("100 questions show a loss of 6 of them (6.0 %)"),
            "{}",
            remark(100, true)
        );
        assert!(remark(1000, true).contains("(0.7 %)"), "{}", remark(1000, true));
    }
}
