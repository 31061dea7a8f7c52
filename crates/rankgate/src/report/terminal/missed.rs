//! The questions that missed: how many, which, and what stood in the place of their evidence.

use std::fmt::Write as _;

use super::{Page, line};
use crate::report::{QuestionFacts, Report};
use crate::text::{clip, fit, printable, width};

/// Missed questions that are listed.
const LISTED: usize = 10;

impl Page {
    pub(super) fn missed(&mut self, report: &Report) {
        let cutoff = report.policy.cutoff;
        let missed = without_evidence(report);
        if missed.is_empty() {
            return;
        }
        let title = format!("NO EVIDENCE IN THE TOP {cutoff}");
        let legend = if missed.iter().any(|question| question.critical) { "  (! = critical)" } else { "" };
        let gap = 61_usize.saturating_sub(title.len() + legend.len());
        line!(self, "{}{legend}{:gap$}in 1st place", self.heading(&title), "");
        let id = column(&missed, 4, 12, |question| &question.id);
        let category = column(&missed, 0, 12, |question| question.category.as_deref().unwrap_or(""));
        for question in missed.iter().take(LISTED) {
            let mark = if question.critical { "!" } else { " " };
            let rank = question.best_rank().map_or("none".to_owned(), |rank| rank.to_string());
            let first = question.retrieved.first().map_or("nothing", |hit| hit.id.as_str());
            let left = format!(
                "{mark} {}  {}{}{rank:>5}  ",
                fit(&printable(&question.id), id),
                fit(&printable(question.category.as_deref().unwrap_or("")), category),
                if category > 0 { " " } else { "" },
            );
            let query = fit(&printable(&question.query), 60_usize.saturating_sub(width(&left)));
            line!(self, "{left}{query} {}", clip(&printable(first), 19));
        }
        if missed.len() > LISTED {
            line!(self, "  ... {} more", missed.len() - LISTED);
        }
        self.out.push('\n');
    }

    pub(super) fn forbidden(&mut self, report: &Report) {
        let cutoff = report.policy.cutoff;
        let found = with_forbidden(report);
        if found.is_empty() {
            return;
        }
        let title = format!("FORBIDDEN IN THE TOP {cutoff}");
        let gap = 61_usize.saturating_sub(title.len());
        line!(self, "{}{:gap$}hit", self.heading(&title), "");
        let listed: Vec<&QuestionFacts> = found.iter().map(|(question, _)| *question).collect();
        let id = column(&listed, 4, 12, |question| &question.id);
        for (question, rank) in found.iter().take(LISTED) {
            let hit = question.retrieved.get(*rank as usize - 1).map_or("", |hit| hit.id.as_str());
            let left = format!("  {}  {rank:>4}  ", fit(&printable(&question.id), id));
            let query = fit(&printable(&question.query), 60_usize.saturating_sub(width(&left)));
            line!(self, "{left}{query} {}", clip(&printable(hit), 19));
        }
        if found.len() > LISTED {
            line!(self, "  ... {} more", found.len() - LISTED);
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
    let missed = without_evidence(report);
    let mut parts = Vec::new();
    match missed.len() {
        0 => {}
        1 => parts.push(format!("1 question has no evidence in the top {cutoff}")),
        n => parts.push(format!("{n} questions have no evidence in the top {cutoff}{}", mostly(&missed))),
    }
    match with_forbidden(report).len() {
        0 => {}
        1 => parts.push(format!("1 question has something forbidden in the top {cutoff}")),
        n => parts.push(format!("{n} questions have something forbidden in the top {cutoff}")),
    }
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

/// Judged questions whose evidence is not where it should be.
fn without_evidence(report: &Report) -> Vec<&QuestionFacts> {
    let cutoff = report.policy.cutoff;
    let is_out = |question: &&QuestionFacts| question.best_rank().is_none_or(|rank| rank > cutoff);
    report.missed().into_iter().filter(|question| question.answerable).filter(is_out).collect()
}

/// Judged questions with something forbidden where it should not be, and its rank.
fn with_forbidden(report: &Report) -> Vec<(&QuestionFacts, u32)> {
    let cutoff = report.policy.cutoff;
    let rank = |question: &QuestionFacts| question.forbidden_rank.filter(|rank| *rank <= cutoff);
    report.missed().into_iter().filter_map(|question| rank(question).map(|rank| (question, rank))).collect()
}
