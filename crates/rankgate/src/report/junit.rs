//! JUnit XML: one case a rule, one case a question.
//!
//! A build has one verdict. A question that missed is a failure only where the gate failed; under a gate that
//! passed it is `skipped`, with the words that say why, so that a CI server does not turn a green build red. The same
//! goes for everything that failed in a run that was asked for the report only.

use std::collections::HashMap;
use std::fmt::Write as _;

use quick_junit::{NonSuccessKind, Report as Suites, TestCase, TestCaseStatus, TestSuite};

use super::figures::{change_of, p_text, rank_text, smallest_p};
use super::{Fault, Format, PolicyFacts, QuestionFacts, QuestionStatus, Report};
use crate::compare::{Moved, Movement};
use crate::config::RuleLevel;
use crate::gate::{Outcome, RuleResult, RuleStatus};
use crate::text::{self, questions};

/// JUnit XML, valid whatever the questions hold.
#[derive(Debug, Clone, Copy)]
pub struct Junit;

impl Format for Junit {
    fn render(&self, report: &Report) -> String {
        let mut suites = Suites::new(safe(&report.name));
        let mut rules = TestSuite::new(safe(&format!("{}: rules", report.name)));
        for incomplete in &report.verdict.incomplete {
            let status = broken(NonSuccessKind::Error, &incomplete.code, &incomplete.message);
            rules.add_test_case(case("the run is complete", "rules", status));
        }
        for rule in &report.verdict.rules {
            rules.add_test_case(case(&rule.rule, "rules", rule_status(rule, report.verdict.report_only)));
        }
        let moved: HashMap<&str, &Moved> = report
            .comparison
            .iter()
            .flat_map(|comparison| &comparison.moved)
            .map(|moved| (moved.id.as_str(), moved))
            .collect();
        let mut questions = TestSuite::new(safe(&format!("{}: questions", report.name)));
        for question in &report.questions {
            let name = format!("{} {}", question.id, question.query);
            let class = question.category.as_deref().unwrap_or("questions");
            let moved = moved.get(question.id.as_str()).copied();
            questions.add_test_case(case(&name, class, question_status(question, moved, report)));
        }
        suites.add_test_suites([rules, questions]);
        let mut xml = suites.to_string().unwrap_or_default();
        if !xml.ends_with('\n') {
            xml.push('\n');
        }
        xml
    }
}

fn case(name: &str, class: &str, status: TestCaseStatus) -> TestCase {
    let mut case = TestCase::new(safe(name), status);
    case.set_classname(safe(class));
    case
}

fn broken(kind: NonSuccessKind, what: &str, message: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(kind);
    status.set_type(what.to_owned());
    status.set_message(safe(message.lines().next().unwrap_or_default()));
    status.set_description(text::printable_lines(message));
    status
}

fn skipped(message: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::skipped();
    status.set_message(safe(message));
    status
}

fn rule_status(rule: &RuleResult, report_only: bool) -> TestCaseStatus {
    let value = value_text(rule);
    let mut message = match rule.slices.first().zip(rule.each()) {
        // The value is that of one slice.
        Some((worst, field)) => format!(
            "{}: worst of {field}: {} {value} over {} ({} in all)",
            rule.rule,
            worst.name,
            questions(worst.n),
            rule.n
        ),
        None => format!("{}: {value} over {}", rule.rule, questions(rule.n)),
    };
    if let Some(remark) = &rule.remark {
        let _ = write!(message, "\n{remark}");
    }
    for slice in rule.slices.iter().filter(|slice| slice.status == RuleStatus::Failed) {
        let before = slice.before.map(|before| format!("{before:.3} -> ")).unwrap_or_default();
        let p = slice.p.map(|p| format!(", p {}", p_text(p))).unwrap_or_default();
        let _ =
            write!(message, "\n{}: {before}{:.3}{p} over {}", slice.name, slice.value, questions(slice.n));
    }
    if !rule.questions.is_empty() {
        const NAMED: usize = 20;
        let named: Vec<&str> = rule.questions.iter().take(NAMED).map(String::as_str).collect();
        let more = rule.questions.len().saturating_sub(NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let _ = write!(message, "\nquestions: {}{more}", named.join(", "));
    }
    match (rule.status, rule.level) {
        (RuleStatus::Passed, _) => TestCaseStatus::success(),
        (RuleStatus::Failed, RuleLevel::Fail) if report_only => skipped(&format!("report only: {message}")),
        (RuleStatus::Failed, RuleLevel::Fail) => broken(NonSuccessKind::Failure, "rule", &message),
        (RuleStatus::Failed, RuleLevel::Warn) => skipped(&format!("warning: {message}")),
        (RuleStatus::Unjudged, level) => {
            let reason = rule.reason.map_or("not judged", |reason| reason.words());
            match level {
                RuleLevel::Fail => broken(NonSuccessKind::Error, "unjudged", reason),
                RuleLevel::Warn => skipped(reason),
            }
        }
    }
}

/// The value; of a rule about change both values, the change and what a test says of it.
fn value_text(rule: &RuleResult) -> String {
    let now = rule.value_text().unwrap_or_else(|| "no value".to_owned());
    let Some((before, change)) = rule.before.zip(change_of(rule)) else { return now };
    let mut text = format!("base {before:.3}, now {now}, change {change}");
    if let Some(interval) = &rule.interval {
        let _ = write!(text, " (95 % interval {:+.3} to {:+.3})", interval.low, interval.high);
    }
    if let Some(p) = smallest_p(rule) {
        let _ = write!(text, ", one-sided p {}", p_text(p));
    }
    text
}

fn question_status(question: &QuestionFacts, moved: Option<&Moved>, report: &Report) -> TestCaseStatus {
    let message = || {
        let lost = moved.filter(|moved| moved.movement <= Movement::Lost).map(|moved| {
            let (before, now) = (rank_text(moved.before), rank_text(moved.now));
            format!("lost its evidence since the baseline: rank {before} -> {now}\n")
        });
        lost.unwrap_or_default() + &describe(question, &report.policy)
    };
    match (&question.quarantine, question.status) {
        (Some(reason), _) => skipped(&format!("quarantined: {reason}")),
        (None, QuestionStatus::Unscored) => {
            broken(NonSuccessKind::Error, "unscored", question.error.as_deref().unwrap_or("no answer"))
        }
        (None, QuestionStatus::Found | QuestionStatus::Unanswerable) => TestCaseStatus::success(),
        (None, QuestionStatus::Missed)
            if report.verdict.outcome == Outcome::Failed && !report.verdict.report_only =>
        {
            broken(NonSuccessKind::Failure, "missed", &message())
        }
        (None, QuestionStatus::Missed) => skipped(&message()),
    }
}

/// Why a question missed: what was wanted, where it stood, and what stood in its place.
fn describe(question: &QuestionFacts, policy: &PolicyFacts) -> String {
    let mut lines: Vec<String> = question
        .faults
        .iter()
        .map(|fault| match fault {
            Fault::NoEvidence => format!("no evidence in the top {}", policy.cutoff),
            Fault::Forbidden => {
                format!("something forbidden stands at rank {}", question.forbidden_rank.unwrap_or_default())
            }
            Fault::Answered => "the question is unanswerable, and was answered".to_owned(),
            Fault::TooLate => {
                format!("must rank within {}, and does not", question.must_rank_within.unwrap_or_default())
            }
        })
        .collect();
    for need in &question.expected {
        let rank = need.rank.map_or("not retrieved".to_owned(), |rank| format!("rank {rank}"));
        lines.push(format!("expected {} (grade {}): {rank}", need.anchor, need.grade));
    }
    let first: Vec<&str> =
        question.retrieved.iter().take(policy.cutoff as usize).map(|hit| hit.id.as_str()).collect();
    lines.push(match first.as_slice() {
        [] => "retrieved nothing".to_owned(),
        ids => format!("retrieved {}", ids.join(", ")),
    });
    lines.join("\n")
}

/// One line without control characters: XML 1.0 has no way to write most of them.
fn safe(text: &str) -> String {
    text::printable(text).into_owned()
}
