//! The rules, each with its value and what decided it.

use std::fmt::Write as _;

use super::{COLUMNS, Page, line};
use crate::config::RuleLevel;
use crate::gate::{RuleKind, RuleResult, RuleStatus};
use crate::report::Report;
use crate::text::{clip, fit, printable, width, wrap};

impl Page {
    pub(super) fn rules(&mut self, report: &Report) {
        let rules = &report.verdict.rules;
        let listed: Vec<&str> = report.missed().iter().map(|question| question.id.as_str()).collect();
        if rules.is_empty() {
            return;
        }
        line!(self, "{}{:>43}{:>7}", self.heading("RULES"), "now", "n");
        for rule in rules {
            let word = match (rule.status, rule.level) {
                (RuleStatus::Passed, _) => "ok",
                (RuleStatus::Failed, RuleLevel::Fail) => "FAIL",
                (RuleStatus::Failed, RuleLevel::Warn) => "warn",
                (RuleStatus::Unjudged, _) => "?",
            };
            // The word says it where the rule failed.
            let is_quiet = rule.level == RuleLevel::Warn && rule.status != RuleStatus::Failed;
            let warn = if is_quiet { " (warn)" } else { "" };
            let rule_text = format!("{}{warn}", printable(&rule.rule));
            let mut parts = wrap(&rule_text, 33).into_iter();
            let first = parts.next().unwrap_or_default();
            let n = if rule.kind == RuleKind::Measure { rule.n.to_string() } else { String::new() };
            let columns = format!(
                "{} {:>8}{n:>7}",
                fit(&first, 33),
                rule.value_text().unwrap_or_else(|| "-".to_owned())
            );
            let detail = detail(rule, &listed);
            let beside = width(&detail) + 2 + width(&columns) + 7 <= COLUMNS;
            let (beside, below) = if beside { (detail.as_str(), "") } else { ("", detail.as_str()) };
            line!(self, "{}{columns}  {beside}", self.word(&fit(word, 7)));
            for text in parts.chain(wrap(below, COLUMNS - 9)) {
                line!(self, "         {text}");
            }
        }
        self.out.push('\n');
    }
}

/// How many questions of a rule are named.
const NAMED: usize = 8;

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
    match rule.slices.iter().filter(|slice| slice.status == RuleStatus::Unjudged).count() {
        0 => {}
        1 => parts.push("1 slice is too small to judge".to_owned()),
        n => parts.push(format!("{n} slices are too small to judge")),
    }
    let is_mean = rule.kind == RuleKind::Measure;
    let mut ids = rule.questions.iter().filter(|id| !is_mean || !listed.contains(&id.as_str())).peekable();
    if ids.peek().is_some() {
        let ids: Vec<_> = ids.map(|id| clip(&printable(id), 40).into_owned()).collect();
        let more = ids.len().saturating_sub(NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let also = if is_mean { "also: " } else { "" };
        parts.push(format!("{also}{}{more}", ids.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ")));
    }
    parts.join("; ")
}
