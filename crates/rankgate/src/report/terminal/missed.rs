//! The questions that missed: how many, which, and what stood in the place of their evidence.

use std::collections::HashMap;
use std::fmt::Write as _;

use rankgate_metrics::Applies;

use super::compared::Since;
use super::{COLUMNS, ID, LISTED, Page, column, compared, line, most_of};
use crate::gate::{RuleKind, RuleResult, RuleStatus};
use crate::report::figures::lost_from_top;
use crate::report::{Fault, QuestionFacts, QuestionStatus, Report};
use crate::text::{clip, fit, printable, width};

/// Against a baseline so many are listed that have no evidence as they had none before.
const LISTED_AGAIN: usize = 5;

/// Whether a rule failed that questions without evidence break, whatever they had before.
fn is_broken_by_missing(rule: &RuleResult) -> bool {
    let is_floor = || {
        let rule = rule.parsed();
        rule.is_some_and(|rule| {
            rule.measure().is_some_and(|measure| measure.definition().applies == Applies::Answerable)
        })
    };
    rule.status == RuleStatus::Failed
        && (rule.kind == RuleKind::Promise || rule.kind == RuleKind::Measure && is_floor())
}

impl Page {
    /// One list a fault: who has it, and what stands there.
    pub(super) fn missed(&mut self, report: &Report) {
        let policy = &report.policy;
        let top = |cutoff: u32| format!("THE TOP {cutoff}");
        // Against a baseline those that lost it stand in a list of their own, and the others are of interest where a
        // rule failed that looks at this run alone.
        if report.comparison.is_none() || report.verdict.rules.iter().any(is_broken_by_missing) {
            let title = format!("NO EVIDENCE IN {}", top(policy.cutoff));
            self.list(report, Fault::NoEvidence, &title, "in 1st place");
        }
        self.list(report, Fault::Forbidden, &format!("FORBIDDEN IN {}", top(policy.forbidden_cutoff)), "hit");
        self.list(report, Fault::Answered, "ANSWERED, THOUGH UNANSWERABLE", "in 1st place");
        self.list(report, Fault::TooLate, "EVIDENCE BELOW ITS PROMISED RANK", "in 1st place");
    }

    fn list(&mut self, report: &Report, fault: Fault, title: &str, shown: &str) {
        let mut found = with(report, fault);
        let mut most = LISTED;
        let mut since: HashMap<&str, Since> = HashMap::new();
        if let (Fault::NoEvidence, Some(comparison)) = (fault, &report.comparison) {
            most = LISTED_AGAIN;
            let without = compared::without(report, comparison);
            since.extend(without.into_iter().map(|(question, since)| (question.id.as_str(), since)));
            found.retain(|question| since.contains_key(question.id.as_str()));
        }
        let since =
            |question: &QuestionFacts| since.get(question.id.as_str()).map_or("", |since| since.words());
        if let (Fault::TooLate, Some(comparison)) = (fault, &report.comparison) {
            // What left the top is listed there.
            let lost = lost_from_top(comparison);
            found.retain(|question| lost.iter().all(|moved| moved.id != question.id));
        }
        if found.is_empty() {
            return;
        }
        let legend = if found.iter().any(|question| question.critical) { "  (! = critical)" } else { "" };
        let gap = 61_usize.saturating_sub(title.len() + legend.len());
        line!(self, "{}{legend}{:gap$}{shown}", self.heading(title), "");
        let id = column(&found, 4, ID, |question| question.id.as_str());
        let category = column(&found, 0, 12, |question| question.category.as_deref().unwrap_or(""));
        let known = found.iter().take(most).map(|question| width(since(question))).max().unwrap_or(0);
        for question in found.iter().take(most) {
            let mark = if question.critical { "!" } else { " " };
            let (rank, hit) = match fault {
                Fault::Forbidden => (question.forbidden_rank, question.forbidden_rank.unwrap_or(1)),
                Fault::Answered => (None, 1),
                // The rank that broke the promise: the worst.
                Fault::TooLate => (question.worst_rank(), 1),
                Fault::NoEvidence => (question.best_rank(), 1),
            };
            let rank = match rank {
                Some(rank) => rank.to_string(),
                None if fault == Fault::Answered => String::new(),
                None => "none".to_owned(),
            };
            let hit = question.retrieved.get((hit as usize).saturating_sub(1));
            let left = format!(
                "{mark} {}  {}{}{rank:>5}  {}{}",
                fit(&printable(&question.id), id),
                fit(&printable(question.category.as_deref().unwrap_or("")), category),
                if category > 0 { " " } else { "" },
                fit(since(question), known),
                if known > 0 { "  " } else { "" },
            );
            let query = fit(&printable(&question.query), 60_usize.saturating_sub(width(&left)));
            let hit = hit.map_or("nothing", |hit| hit.id.as_str());
            line!(self, "{left}{query} {}", clip(&printable(hit), 19));
        }
        if found.len() > most {
            line!(self, "  ... {} more", found.len() - most);
        }
        self.out.push('\n');
    }

    /// The questions that are out of every rule, and why.
    pub(super) fn quarantined(&mut self, report: &Report) {
        let out: Vec<&QuestionFacts> =
            report.questions.iter().filter(|question| question.quarantine.is_some()).collect();
        if out.is_empty() {
            return;
        }
        line!(self, "{}", self.heading("QUARANTINED"));
        let id = column(&out, 4, ID, |question| question.id.as_str());
        for question in out.iter().take(LISTED) {
            let now = match question.status {
                QuestionStatus::Missed => "missed",
                QuestionStatus::Unscored => "failed",
                QuestionStatus::Found | QuestionStatus::Unanswerable => "fine now",
            };
            let reason = printable(question.quarantine.as_deref().unwrap_or_default());
            let text = format!("  {}  {now:8}  {reason}", fit(&printable(&question.id), id));
            line!(self, "{}", clip(&text, COLUMNS));
        }
        if out.len() > LISTED {
            line!(self, "  ... {} more", out.len() - LISTED);
        }
        self.out.push('\n');
    }
}

/// How many questions missed, and where most of them are. Against a baseline the questions without evidence are
/// told apart by what they had.
pub(super) fn missed_sentences(report: &Report) -> Vec<String> {
    if report.golden.judged == 0 {
        return Vec::new();
    }
    let policy = &report.policy;
    let mut parts = match &report.comparison {
        Some(comparison) => compared::sentences(report, comparison),
        None => Vec::new(),
    };
    let mut say = |fault: Fault, one: &str, many: &str, rest: String| {
        let found = with(report, fault);
        match found.len() {
            0 => {}
            1 => parts.push(format!("1 {one} {rest}")),
            n => {
                let categories = found.iter().filter_map(|question| question.category.as_deref());
                parts.push(format!("{n} {many} {rest}{}", most_of(categories, n)));
            }
        }
    };
    if report.comparison.is_none() {
        let rest = format!("no evidence in the top {}", policy.cutoff);
        say(Fault::NoEvidence, "question has", "questions have", rest);
    }
    let forbidden = format!("something forbidden in the top {}", policy.forbidden_cutoff);
    say(Fault::Forbidden, "question has", "questions have", forbidden);
    say(Fault::Answered, "unanswerable question was", "unanswerable questions were", "answered".into());
    say(Fault::TooLate, "question has", "questions have", "evidence below its promised rank".into());
    if parts.is_empty() {
        parts.push(format!("every question has evidence in the top {}", policy.cutoff));
    }
    parts
}

/// The judged questions with this fault, the most urgent first.
fn with(report: &Report, fault: Fault) -> Vec<&QuestionFacts> {
    report.missed().into_iter().filter(|question| question.faults.contains(&fault)).collect()
}
