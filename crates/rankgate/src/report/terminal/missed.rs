//! The questions that missed: how many, which, and what stood in the place of their evidence.

use std::fmt::Write as _;

use super::{COLUMNS, Page, line};
use crate::report::{Fault, QuestionFacts, QuestionStatus, Report};
use crate::text::{clip, fit, printable, width};

/// Missed questions that are listed.
const LISTED: usize = 10;

impl Page {
    /// One list a fault: who has it, and what stands there.
    pub(super) fn missed(&mut self, report: &Report) {
        let policy = &report.policy;
        let top = |cutoff: u32| format!("THE TOP {cutoff}");
        self.list(
            report,
            Fault::NoEvidence,
            &format!("NO EVIDENCE IN {}", top(policy.cutoff)),
            "in 1st place",
        );
        self.list(report, Fault::Forbidden, &format!("FORBIDDEN IN {}", top(policy.forbidden_cutoff)), "hit");
        self.list(report, Fault::Answered, "ANSWERED, THOUGH UNANSWERABLE", "in 1st place");
        self.list(report, Fault::TooLate, "EVIDENCE BELOW ITS PROMISED RANK", "in 1st place");
    }

    fn list(&mut self, report: &Report, fault: Fault, title: &str, shown: &str) {
        let found = with(report, fault);
        if found.is_empty() {
            return;
        }
        let legend = if found.iter().any(|question| question.critical) { "  (! = critical)" } else { "" };
        let gap = 61_usize.saturating_sub(title.len() + legend.len());
        line!(self, "{}{legend}{:gap$}{shown}", self.heading(title), "");
        let id = column(&found, 4, 12, |question| &question.id);
        let category = column(&found, 0, 12, |question| question.category.as_deref().unwrap_or(""));
        for question in found.iter().take(LISTED) {
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
                "{mark} {}  {}{}{rank:>5}  ",
                fit(&printable(&question.id), id),
                fit(&printable(question.category.as_deref().unwrap_or("")), category),
                if category > 0 { " " } else { "" },
            );
            let query = fit(&printable(&question.query), 60_usize.saturating_sub(width(&left)));
            let hit = hit.map_or("nothing", |hit| hit.id.as_str());
            line!(self, "{left}{query} {}", clip(&printable(hit), 19));
        }
        if found.len() > LISTED {
            line!(self, "  ... {} more", found.len() - LISTED);
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
        let id = column(&out, 4, 12, |question| &question.id);
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

/// The width that a column of these questions needs, within bounds.
fn column<'a>(
    questions: &[&'a QuestionFacts],
    least: usize,
    most: usize,
    text: impl Fn(&'a QuestionFacts) -> &'a str,
) -> usize {
    questions
        .iter()
        .take(LISTED)
        .map(|question| width(&printable(text(question))))
        .max()
        .unwrap_or(0)
        .clamp(least, most)
}

/// How many questions missed, and where most of them are.
pub(super) fn missed_sentence(report: &Report) -> Option<String> {
    let cutoff = report.policy.cutoff;
    if report.golden.judged == 0 {
        return None;
    }
    let policy = &report.policy;
    let mut parts = Vec::new();
    let mut say = |fault: Fault, one: &str, many: &str, rest: String| {
        let found = with(report, fault);
        match found.len() {
            0 => {}
            1 => parts.push(format!("1 {one} {rest}")),
            n => parts.push(format!("{n} {many} {rest}{}", mostly(&found))),
        }
    };
    say(Fault::NoEvidence, "question has", "questions have", format!("no evidence in the top {cutoff}"));
    let forbidden = format!("something forbidden in the top {}", policy.forbidden_cutoff);
    say(Fault::Forbidden, "question has", "questions have", forbidden);
    say(Fault::Answered, "unanswerable question was", "unanswerable questions were", "answered".into());
    say(Fault::TooLate, "question has", "questions have", "evidence below its promised rank".into());
    if parts.is_empty() {
        parts.push(format!("every question has evidence in the top {cutoff}"));
    }
    Some(parts.join("\n"))
}

/// The category that most of these questions are of.
fn mostly(missed: &[&QuestionFacts]) -> String {
    let mut by_category = std::collections::BTreeMap::<&str, usize>::new();
    for category in missed.iter().filter_map(|question| question.category.as_deref()) {
        *by_category.entry(category).or_default() += 1;
    }
    let most = by_category.iter().max_by_key(|(name, count)| (**count, std::cmp::Reverse(**name)));
    match most {
        Some((name, count)) if *count > 1 => format!("; {count} of them are {name}"),
        _ => String::new(),
    }
}

/// The judged questions with this fault, the most urgent first.
fn with(report: &Report, fault: Fault) -> Vec<&QuestionFacts> {
    report.missed().into_iter().filter(|question| question.faults.contains(&fault)).collect()
}
