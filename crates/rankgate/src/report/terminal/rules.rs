//! The rules, each with its value and what decided it; against a baseline with both values and the change.

use std::fmt::Write as _;

use super::{COLUMNS, Page, line};
use crate::compare::{Comparison, SliceChange};
use crate::config::RuleLevel;
use crate::gate::{RuleKind, RuleResult, RuleStatus};
use crate::report::Report;
use crate::report::figures::{
    INTERVAL, blamed, change_of, change_text, failed_beside_worst, first_of, interval_text, p_text,
    smallest_p, tests_text, too_small,
};
use crate::text::{clip, fit, printable, width, wrap};

/// The columns of the status word.
const WORD: usize = 7;
/// Those of a rule that has a value before.
pub(super) const NAME: usize = 28;
/// Those of a rule and its value, where there is one value only.
const NAME_AND_NOW: usize = NAME + 14;
/// What is left beside the change.
const BESIDE: usize = INTERVAL + 7;

impl Page {
    pub(super) fn rules(&mut self, report: &Report) {
        if report.verdict.rules.is_empty() {
            return;
        }
        match &report.comparison {
            Some(comparison) => self.rules_compared(report, comparison),
            None => self.rules_now(report),
        }
        self.out.push('\n');
    }

    fn rules_now(&mut self, report: &Report) {
        let rules = &report.verdict.rules;
        let listed: Vec<&str> = report.missed().iter().map(|question| question.id.as_str()).collect();
        let any_interval = rules.iter().any(|rule| value_interval(rule).is_some());
        let interval = if any_interval { "  95 % interval" } else { "" };
        line!(self, "{}{:>43}{:>7}{interval}", self.heading("RULES"), "now", "n");
        for rule in rules {
            let mut parts = wrap(&rule_text(rule), 33).into_iter();
            let first = parts.next().unwrap_or_default();
            let n = if rule.kind == RuleKind::Measure { rule.n.to_string() } else { String::new() };
            let mut columns = format!("{} {:>8}{n:>7}", fit(&first, 33), now(rule));
            let detail = detail(rule, &listed);
            if let Some(interval) = value_interval(rule) {
                let gap = if detail.is_empty() { 0 } else { INTERVAL };
                // Writing to a string cannot fail.
                let _ = write!(columns, "  {interval:gap$}");
            }
            let beside = width(&detail) + 2 + width(&columns) + WORD <= COLUMNS;
            let (beside, below) = if beside { (detail.as_str(), "") } else { ("", detail.as_str()) };
            line!(self, "{}{columns}  {beside}", self.word(&fit(word(rule), WORD)));
            for text in parts.chain(wrap(below, COLUMNS - 9)) {
                line!(self, "         {text}");
            }
        }
    }

    fn rules_compared(&mut self, report: &Report, comparison: &Comparison) {
        let rules = &report.verdict.rules;
        let tests = tests_text(rules);
        let p = if tests.is_some() { "  p*" } else { "" };
        line!(
            self,
            "{}{:>37}{:>7}{:>8}  {}{p}",
            self.heading("RULES"),
            "base",
            "now",
            "change",
            fit("95 % interval", INTERVAL)
        );
        for rule in rules {
            let row = Row::of(rule, comparison, tests.is_some());
            let now = width(&row.now);
            // Without a value before, its column belongs to the rule.
            let (name, values) = if row.before.is_empty() {
                let name = NAME_AND_NOW - (now + 1).clamp(8, NAME_AND_NOW / 2);
                (name, format!("{:>1$}", row.now, NAME_AND_NOW - name))
            } else {
                (NAME, format!(" {:>6}{:>7}", row.before, row.now))
            };
            let mut parts = wrap(&rule_text(rule), name).into_iter();
            let first = parts.next().unwrap_or_default();
            line!(
                self,
                "{}{}{values}{:>8}  {}",
                self.word(&fit(word(rule), WORD)),
                fit(&first, name),
                row.change,
                row.beside
            );
            for text in parts.chain(row.below.iter().flat_map(|text| wrap(text, COLUMNS - 9))) {
                line!(self, "         {text}");
            }
        }
        if let Some(tests) = tests {
            let mut lines = wrap(&tests, COLUMNS - 4).into_iter();
            line!(self, "p*  {}", lines.next().unwrap_or_default());
            for text in lines {
                line!(self, "    {text}");
            }
        }
    }
}

fn word(rule: &RuleResult) -> &'static str {
    match (rule.status, rule.level) {
        (RuleStatus::Passed, _) => "ok",
        (RuleStatus::Failed, RuleLevel::Fail) => "FAIL",
        (RuleStatus::Failed, RuleLevel::Warn) => "warn",
        (RuleStatus::Unjudged, _) => "?",
    }
}

/// The rule; its level where the word does not say it.
fn rule_text(rule: &RuleResult) -> String {
    let is_quiet = rule.level == RuleLevel::Warn && rule.status != RuleStatus::Failed;
    format!("{}{}", printable(&rule.rule), if is_quiet { " (warn)" } else { "" })
}

fn now(rule: &RuleResult) -> String {
    rule.value_text().unwrap_or_else(|| "-".to_owned())
}

/// The interval of a value, in words.
fn value_interval(rule: &RuleResult) -> Option<String> {
    rule.interval.as_ref().filter(|_| rule.kind == RuleKind::Measure).map(interval_text)
}

/// One rule against the baseline, in words.
struct Row {
    before: String,
    now: String,
    change: String,
    /// Interval or worst slice, and p.
    beside: String,
    below: Vec<String>,
}

impl Row {
    fn of(rule: &RuleResult, comparison: &Comparison, has_p: bool) -> Self {
        let before = rule.before.or_else(|| slice_before(rule, comparison));
        let mut now = now(rule);
        if let (Some(_), Some(value)) = (before, rule.value.filter(|_| rule.kind == RuleKind::Change)) {
            // The change tells it from its limit.
            now = format!("{value:.3}");
        }
        let change = change_of(rule)
            .or_else(|| before.zip(rule.value).map(|(before, now)| change_text(now - before, None)));
        let mut below = Vec::new();
        let mut beside = rule.interval.as_ref().map(interval_text).unwrap_or_default();
        let named = slice_text(rule).or_else(|| ids(rule, comparison));
        let p = match smallest_p(rule) {
            Some(p) => p_text(p),
            // A budget decided, and no test.
            None if has_p && rule.kind == RuleKind::Change => "-".to_owned(),
            None => String::new(),
        };
        if let Some(named) = named {
            let room = if p.is_empty() { BESIDE } else { INTERVAL };
            if beside.is_empty() && width(&named) <= room {
                beside = named;
            } else {
                below.push(named);
            }
        }
        if !p.is_empty() {
            beside = format!("{}  {p:<5}", fit(&beside, INTERVAL));
        }
        below.extend(other_slices(rule));
        below.extend(rule.reason.map(|reason| reason.words().to_owned()));
        below.extend(rule.remark.as_deref().map(|remark| printable(remark).into_owned()));
        Self {
            before: before.map_or_else(String::new, |before| format!("{before:.3}")),
            now,
            change: change.unwrap_or_default(),
            beside,
            below,
        }
    }
}

/// Of a bound on each category the value that the worst one had, where the comparison knows it.
fn slice_before(rule: &RuleResult, comparison: &Comparison) -> Option<f64> {
    let worst = rule.slices.first()?;
    let judged = rule.parsed()?;
    let subject = judged.subject().filter(|subject| subject.filter.is_none())?;
    let is_lead = comparison.lead.as_deref() == Some(subject.measure.as_str());
    // Another value now is one over other questions.
    let same = |slice: &&SliceChange| {
        subject.each.as_deref() == Some(slice.field.as_str())
            && slice.value == worst.name
            && slice.now.is_some_and(|now| (now - worst.value).abs() < 1e-9)
    };
    comparison.slices.iter().filter(|_| is_lead).find(same)?.before
}

/// The worst slice.
fn slice_text(rule: &RuleResult) -> Option<String> {
    let worst = rule.slices.first()?;
    Some(format!("{}, n {}", clip(&printable(&worst.name), 40), worst.n))
}

/// What else is to be said of the slices.
fn other_slices(rule: &RuleResult) -> Vec<String> {
    let names = clipped(failed_beside_worst(rule));
    let also = (!names.is_empty()).then(|| format!("also: {}", first_of(&names)));
    also.into_iter().chain(too_small(rule)).collect()
}

/// The questions that a rule names.
fn ids(rule: &RuleResult, comparison: &Comparison) -> Option<String> {
    let ids = clipped(blamed(rule, Some(comparison)).iter().map(String::as_str));
    (!ids.is_empty()).then(|| first_of(&ids))
}

fn clipped<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    names.map(|name| clip(&printable(name), 40).into_owned()).collect()
}

/// What a rule has to add: why it was not judged, the worst slice, the questions that made it fail. Those behind a
/// mean are named unless they are listed further down.
fn detail(rule: &RuleResult, listed: &[&str]) -> String {
    if let Some(reason) = rule.reason {
        return reason.words().to_owned();
    }
    let mut parts = Vec::new();
    if let Some(worst) = rule.slices.first() {
        parts.push(format!("{} (n {})", clip(&printable(&worst.name), 40), worst.n));
    }
    parts.extend(other_slices(rule));
    let is_mean = rule.kind == RuleKind::Measure;
    let mut ids = rule.questions.iter().filter(|id| !is_mean || !listed.contains(&id.as_str())).peekable();
    if ids.peek().is_some() {
        let ids = clipped(ids.map(String::as_str));
        let what = match (is_mean, rule.slices.is_empty()) {
            (true, true) => "also: ",
            (true, false) => "questions: ",
            (false, _) => "",
        };
        parts.push(format!("{what}{}", first_of(&ids)));
    }
    parts.join("; ")
}
