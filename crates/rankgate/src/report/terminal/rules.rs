//! The rules, each with its value and what decided it.

use std::fmt::Write as _;

use super::{COLUMNS, Page, line};
use crate::config::RuleLevel;
use crate::gate::{RuleKind, RuleResult, RuleStatus};
use crate::text::{clip, fit, printable, width, wrap};

impl Page {
    pub(super) fn rules(&mut self, rules: &[RuleResult]) {
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
            let detail = detail(rule);
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

/// How many questions that broke a promise are named.
const NAMED: usize = 8;

/// What a rule has to add: the worst slice, who broke a promise, why it was not judged.
fn detail(rule: &RuleResult) -> String {
    if let Some(reason) = rule.reason {
        return reason.words().to_owned();
    }
    if let Some(worst) = rule.slices.first() {
        let small = rule.slices.iter().filter(|slice| slice.status == RuleStatus::Unjudged).count();
        let small = match small {
            0 => String::new(),
            1 => "; 1 slice is too small to judge".to_owned(),
            n => format!("; {n} slices are too small to judge"),
        };
        return format!("{} (n {}){small}", clip(&printable(&worst.name), 40), worst.n);
    }
    // The questions behind a mean have lists of their own.
    if rule.kind != RuleKind::Measure && rule.status != RuleStatus::Unjudged {
        let named: Vec<_> =
            rule.questions.iter().take(NAMED).map(|id| clip(&printable(id), 40).into_owned()).collect();
        let more = rule.questions.len().saturating_sub(NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        return named.join(", ") + &more;
    }
    String::new()
}
