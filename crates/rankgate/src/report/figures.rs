//! What numbers of a comparison look like, and which questions it is about: the same in every format.

use std::fmt::Write as _;

use rankgate_metrics::Measure;
use rankgate_metrics::stats::{Estimate, Test};

use crate::compare::{Comparison, Moved, Movement, MovementCounts};
pub(crate) use crate::gate::p_text;
use crate::gate::regression::TOO_FEW;
use crate::gate::{RuleKind, RuleResult, RuleStatus};
use crate::text::{list_of, questions};

/// A number without the zero in front, in four characters and a sign: `.794`, `-.101`, `1.00`.
fn short(value: f64) -> String {
    let text = format!("{value:.3}");
    let (sign, digits) = text.strip_prefix('-').map_or(("", text.as_str()), |digits| ("-", digits));
    match digits.strip_prefix('0') {
        Some(".000") => ".000".to_owned(),
        Some(decimals) => format!("{sign}{decimals}"),
        None => format!("{sign}{}", digits.get(..4).unwrap_or(digits)),
    }
}

/// The columns that an interval takes.
pub(crate) const INTERVAL: usize = 13;

/// The ends of an interval, within [`INTERVAL`] columns as long as measures end at 1.
pub(crate) fn interval_text(interval: &Estimate) -> String {
    let (low, high) = (short(interval.low), short(interval.high));
    let blank = if low.len() + high.len() + 4 > INTERVAL { "" } else { " " };
    format!("[{low},{blank}{high}]")
}

/// A change with its sign, and with a fourth digit where it takes that to tell it from the limit that it broke.
pub(crate) fn change_text(change: f64, limit: Option<f64>) -> String {
    let text = format!("{change:+.3}");
    let is_told = limit.is_none_or(|limit| text.get(1..) != Some(&format!("{limit:.3}")));
    let text = if is_told { text } else { format!("{change:+.4}") };
    // What rounds to nothing has no direction.
    if matches!(text.as_str(), "-0.000" | "+0.000") { "0.000".to_owned() } else { text }
}

/// Now minus before, where a rule is about that.
pub(crate) fn change_of(rule: &RuleResult) -> Option<String> {
    let (before, now) = rule.before.zip(rule.value)?;
    let limit = rule.limit.filter(|_| rule.status == RuleStatus::Failed);
    Some(change_text(now - before, limit))
}

/// The tests that decided; of a budget none did.
fn tests(rule: &RuleResult) -> &[Test] {
    let is_budget = rule.remark.as_ref().is_some_and(|remark| remark.contains(TOO_FEW));
    if is_budget { &[] } else { &rule.tests }
}

/// The smallest p of a rule: of its worst slice where it was corrected for the number of slices.
pub(crate) fn smallest_p(rule: &RuleResult) -> Option<f64> {
    if !rule.slices.is_empty() {
        return rule.slices.iter().filter_map(|slice| slice.p).min_by(f64::total_cmp);
    }
    tests(rule).iter().map(|test| test.p).min_by(f64::total_cmp)
}

/// Which tests the rules were judged by, with draws and seed, each once; `None` where no p is shown.
pub(crate) fn tests_text(rules: &[RuleResult]) -> Option<String> {
    rules.iter().find_map(smallest_p)?;
    let mut named: Vec<String> = Vec::new();
    for rule in rules {
        let tests = tests(rule);
        let is_pair = tests.len() == 2 && rule.rule.starts_with("no regression");
        for (index, test) in tests.iter().enumerate() {
            let text = test_text(test, if is_pair && index == 0 { "needs" } else { "the measure" });
            if !named.contains(&text) {
                named.push(text);
            }
        }
    }
    if rules.iter().flat_map(|rule| &rule.slices).any(|slice| slice.p.is_some()) {
        named.push("Holm over slices".to_owned());
    }
    (!named.is_empty()).then(|| format!("one-sided: {}", named.join(", ")))
}

fn test_text(test: &Test, about: &str) -> String {
    let mut out = format!("{} on {about}", test.name);
    if let (Some(draws), Some(seed)) = (test.draws, test.seed) {
        // Writing to a string cannot fail.
        let _ = write!(out, " ({} draws, seed {seed})", thousands(draws));
    }
    out
}

fn thousands(n: u32) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A rank, or that there is none.
pub(crate) fn rank_text(rank: Option<u32>) -> String {
    rank.map_or_else(|| "none".to_owned(), |rank| rank.to_string())
}

/// Whether the evidence of a question left the top.
pub(crate) fn left_the_top(moved: &Moved, cutoff: u32) -> bool {
    moved.movement <= Movement::Lost && moved.before.is_some_and(|rank| rank <= cutoff)
}

/// The questions that lost their evidence from the top, the critical ones first and then the largest loss.
pub(crate) fn lost_from_top(comparison: &Comparison) -> Vec<&Moved> {
    let mut lost: Vec<&Moved> =
        comparison.moved.iter().filter(|moved| left_the_top(moved, comparison.cutoff)).collect();
    lost.sort_by_key(|moved| !moved.critical);
    lost
}

/// How many questions moved, by what they did, without those that left the top.
pub(crate) fn movements(counts: &MovementCounts) -> Vec<String> {
    let below = (counts.gone + counts.lost).saturating_sub(counts.lost_from_top);
    [
        (below, "gone from below the top"),
        (counts.fell, "fell"),
        (counts.rose, "rose"),
        (counts.found, "found"),
    ]
    .into_iter()
    .filter(|(n, _)| *n > 0)
    .map(|(n, what)| format!("{n} {what}"))
    .collect()
}

/// How many questions lost their evidence, as the start of a sentence: what comes before is their noun.
pub(crate) fn lost_text(n: usize, noun: &str, cutoff: u32) -> String {
    let noun = if noun.is_empty() { String::new() } else { format!(" {noun}") };
    let (plural, whose) = if n == 1 {
        ("", "its")
    } else if noun.is_empty() {
        ("", "their")
    } else {
        ("s", "their")
    };
    format!("{n}{noun}{plural} lost {whose} evidence from the top {cutoff}")
}

/// What a list of questions that got worse holds: those that lost their evidence, then those that only fell.
pub(crate) fn worse_text(lost: usize, fell: usize, cutoff: u32) -> String {
    match (lost, fell) {
        (0, fell) => format!("{} fell", questions(fell)),
        (lost, 0) => lost_text(lost, "question", cutoff),
        (lost, fell) => format!("{}, {fell} more fell", lost_text(lost, "question", cutoff)),
    }
}

/// The change of a measure that a question lost so much of.
pub(crate) fn change_of_loss(measure: &str, loss: f64) -> String {
    change_text(worsening(measure, 0.0, 1.0) * loss, None)
}

/// Texts of which the first few are named.
pub(crate) fn first_of(names: &[String]) -> String {
    /// How many are named.
    const NAMED: usize = 8;
    list_of(names, NAMED)
}

/// The names of the slices that failed beside the worst one.
pub(crate) fn failed_beside_worst(rule: &RuleResult) -> impl Iterator<Item = &str> {
    let others = rule.slices.iter().skip(1).filter(|slice| slice.status == RuleStatus::Failed);
    others.map(|slice| slice.name.as_str())
}

/// How many slices could not be judged, unless that is why the rule was not.
pub(crate) fn too_small(rule: &RuleResult) -> Option<String> {
    match rule.slices.iter().filter(|slice| slice.status == RuleStatus::Unjudged).count() {
        _ if rule.reason.is_some() => None,
        0 => None,
        1 => Some("1 slice is too small to judge".to_owned()),
        n => Some(format!("{n} slices are too small to judge")),
    }
}

/// The questions that a count or a promise is about. Those that lost their evidence have a list of their own.
pub(crate) fn blamed<'a>(rule: &'a RuleResult, comparison: Option<&Comparison>) -> &'a [String] {
    let is_listed =
        comparison.is_some_and(|comparison| rule.rule.starts_with(&format!("lost@{} ", comparison.cutoff)));
    let is_about = matches!(rule.kind, RuleKind::Count | RuleKind::Promise);
    if is_about && !is_listed { &rule.questions } else { &[] }
}

/// How far a measure got worse.
pub(crate) fn worsening(measure: &str, before: f64, now: f64) -> f64 {
    measure.parse::<Measure>().map_or(before - now, |measure| measure.loss(before, now))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rankgate_metrics::stats::IntervalKind;

    use super::*;

    fn interval(low: f64, high: f64) -> String {
        interval_text(&Estimate {
            point: low,
            low,
            high,
            confidence: 0.95,
            n: 9,
            method: IntervalKind::Bca,
            draws: None,
            seed: None,
        })
    }

    #[test]
    fn one_question_lost_its_evidence_and_two_lost_theirs() {
        assert_eq!(lost_text(1, "", 5), "1 lost its evidence from the top 5");
        assert_eq!(lost_text(0, "", 5), "0 lost their evidence from the top 5");
        assert_eq!(worse_text(1, 0, 5), "1 question lost its evidence from the top 5");
        assert_eq!(worse_text(2, 3, 5), "2 questions lost their evidence from the top 5, 3 more fell");
        assert_eq!(worse_text(0, 1, 5), "1 question fell");
    }

    #[test]
    fn a_loss_has_the_sign_of_its_measure() {
        assert_eq!(change_of_loss("mrr@5", 0.5), "-0.500");
        assert_eq!(change_of_loss("forbidden@5", 0.5), "+0.500");
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!(interval(0.794, 0.9161), "[.794, .916]");
        assert_eq!(interval(-0.101, -0.03), "[-.101,-.030]");
        assert_eq!(interval(-0.0001, 1.0), "[.000, 1.00]");
        assert_eq!(change_text(-0.0201, Some(0.02)), "-0.0201");
        assert_eq!(change_text(-0.0201, Some(0.05)), "-0.020");
        assert_eq!(change_text(-0.00001, None), "0.000");
        assert_eq!(
            (thousands(10_000), thousands(100), thousands(1_234_567)),
            ("10,000".into(), "100".into(), "1,234,567".into())
        );
    }

    proptest! {
        #[test]
        fn intervals_fit_their_column(low in -1.0_f64..=1.0, high in -1.0_f64..=1.0) {
            prop_assert!(interval(low, high).len() <= INTERVAL);
        }
    }
}
