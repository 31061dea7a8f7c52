//! Markdown for the summary of a job or a comment on a change: what a reviewer has to know, on one screen.
//!
//! Below the 65,536 characters that a comment may have, whatever the report holds: every section has a ceiling, and
//! says how much it left out.

mod escape;
mod sections;
#[cfg(test)]
mod tests;

use super::{Format, Report};
use crate::gate::Outcome;
use crate::text::questions;

pub use escape::marker;
pub(crate) use escape::{code, prose};

/// Markdown as GitHub and GitLab show it.
#[derive(Debug, Clone, Copy)]
pub struct Markdown;

/// No report is longer than this, in characters.
pub(crate) const MOST: usize = 59_900;

/// Columns of a query, of an id, of a name, and of whatever else is text.
pub(crate) const QUERY: usize = 120;
pub(crate) const ID: usize = 80;
pub(crate) const NAME: usize = 40;
pub(crate) const TEXT: usize = 400;

impl Format for Markdown {
    fn render(&self, report: &Report) -> String {
        let mut page = Page::default();
        page.line(&marker(&report.name));
        page.verdict(report);
        page.rules(report, 24_000);
        page.slices(report, 30_000);
        page.changed(report, 36_000);
        page.notes(report, 44_000);
        page.questions(report, MOST);
        page.finish()
    }
}

/// What is written, and how long it is.
#[derive(Debug, Default)]
pub(crate) struct Page {
    out: String,
    characters: usize,
}

impl Page {
    /// All of it.
    pub(crate) fn finish(self) -> String {
        self.out
    }

    /// Characters that are left below a ceiling.
    pub(crate) fn room(&self, ceiling: usize) -> usize {
        ceiling.saturating_sub(self.characters)
    }

    /// One line, whether there is room or not.
    pub(crate) fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
        self.characters += text.chars().count() + 1;
    }

    /// As many of these lines as there is room for below the ceiling, and at most so many; how many were left out.
    pub(crate) fn lines(
        &mut self,
        lines: impl ExactSizeIterator<Item = String>,
        most: usize,
        ceiling: usize,
    ) -> usize {
        // What follows the last one must fit, too.
        const REST: usize = 200;
        let all = lines.len();
        let mut written = 0;
        for line in lines.take(most) {
            if self.characters + line.chars().count() + REST >= ceiling {
                break;
            }
            self.line(&line);
            written += 1;
        }
        all - written
    }

    /// A table whose rows are made of ready cells.
    pub(crate) fn table(
        &mut self,
        heads: &[(&str, Align)],
        rows: impl ExactSizeIterator<Item = Vec<String>>,
        most: usize,
        ceiling: usize,
    ) {
        let names: Vec<&str> = heads.iter().map(|(name, _)| *name).collect();
        let rules: Vec<&str> = heads.iter().map(|(_, align)| align.rule()).collect();
        self.line(&format!("| {} |", names.join(" | ")));
        self.line(&format!("|{}|", rules.join("|")));
        let left = self.lines(rows.map(|cells| format!("| {} |", cells.join(" | "))), most, ceiling);
        self.line("");
        self.more(left);
    }

    /// How much was left out, if anything was.
    pub(crate) fn more(&mut self, left: usize) {
        if left > 0 {
            self.line(&format!("... {left} more"));
            self.line("");
        }
    }

    fn verdict(&mut self, report: &Report) {
        let verdict = &report.verdict;
        let word = match verdict.outcome {
            Outcome::Passed => "PASS",
            Outcome::Failed if verdict.report_only => "FAIL (report only)",
            Outcome::Failed => "FAIL",
            Outcome::Unjudged | Outcome::Incomplete => "NO VERDICT",
            Outcome::NothingGated => "DONE",
        };
        self.line(&format!("### {word}: {}", prose(&verdict.headline, 400)));
        self.line("");
        let asked = match (report.golden.asked, report.golden.questions) {
            (asked, all) if asked == all => questions(all),
            (asked, all) => format!("{asked} of {all} questions"),
        };
        let facts = [
            prose(&report.name, 100),
            asked,
            prose(&report.retriever.kind, 40),
            format!("depth {}", report.policy.depth),
            format!("rankgate {}", report.rankgate),
        ];
        self.line(&facts.join(" &middot; "));
        self.line("");
        if let Some(partial) = &report.partial {
            let partial = prose(partial, 400);
            self.line(&format!("Partial run ({partial}): rules over the whole set are left out."));
            self.line("");
        }
        let reasons: Vec<&str> =
            verdict.incomplete.iter().flat_map(|incomplete| incomplete.message.lines()).collect();
        if !reasons.is_empty() {
            let left =
                self.lines(reasons.iter().map(|reason| format!("- {}", prose(reason, 400))), 30, 14_000);
            self.line("");
            self.more(left);
        }
    }
}

/// Where the text of a column stands.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Align {
    /// Text.
    Left,
    /// Numbers.
    Right,
}

impl Align {
    fn rule(self) -> &'static str {
        match self {
            Self::Left => "---",
            Self::Right => "--:",
        }
    }
}
