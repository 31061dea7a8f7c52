//! The sections below the verdict.

use std::collections::{HashMap, HashSet};

use super::escape::{code, prose};
use super::{Align, ID, NAME, Page, QUERY, TEXT};
use crate::compare::{Comparison, Moved, Movement};
use crate::config::RuleLevel;
use crate::gate::{RuleKind, RuleResult, RuleStatus, p_text};
use crate::report::figures::{
    blamed, change_text, failed_beside_worst, first_of, left_the_top, rank_text, too_small, worse_text,
};
use crate::report::{Because, MeasureFacts, QuestionFacts, Report};
use crate::text::questions;

/// Rules that are shown.
const RULES: usize = 40;
/// Categories that are shown.
const SLICES: usize = 5;
/// Changes and notes that are shown.
const REMARKS: usize = 20;
/// Questions of a list that are shown.
const QUESTIONS: usize = 100;

impl Page {
    pub(super) fn rules(&mut self, report: &Report, ceiling: usize) {
        if report.verdict.rules.is_empty() {
            return self.measures(report, ceiling);
        }
        let heads = [
            ("rule", Align::Left),
            ("base", Align::Right),
            ("now", Align::Right),
            ("change", Align::Right),
            ("95 % interval", Align::Left),
            ("p", Align::Right),
            ("status", Align::Left),
        ];
        // Where there is not room for all, the ones that decide are there.
        let mut rules: Vec<&RuleResult> = report.verdict.rules.iter().collect();
        if rules.len() > RULES {
            rules.sort_by_key(|rule| rule.status == RuleStatus::Passed);
        }
        self.table(
            &heads,
            rules.into_iter().map(|one| rule(one, report.comparison.as_ref())),
            RULES,
            ceiling,
        );
    }

    /// Of a run that nothing judged.
    fn measures(&mut self, report: &Report, ceiling: usize) {
        let changes = report.comparison.iter().flat_map(|comparison| &comparison.measures);
        let before: HashMap<&str, (f64, f64)> =
            changes.map(|change| (change.measure.as_str(), (change.before, change.change.point))).collect();
        let heads = [
            ("measure", Align::Left),
            ("base", Align::Right),
            ("now", Align::Right),
            ("change", Align::Right),
            ("n", Align::Right),
        ];
        let facts: Vec<&MeasureFacts> =
            report.measures.iter().filter(|facts| facts.because != Because::OtherGain).collect();
        let rows = facts.into_iter().map(|facts| {
            let then = before.get(facts.measure.as_str());
            vec![
                code(&facts.measure, TEXT),
                number(then.map(|(before, _)| *before)),
                number(facts.mean),
                signed(then.map(|(_, change)| *change)),
                facts.n.to_string(),
            ]
        });
        self.table(&heads, rows, RULES, ceiling);
    }

    pub(super) fn slices(&mut self, report: &Report, ceiling: usize) {
        match &report.comparison {
            Some(comparison) => self.fallen_slices(comparison, ceiling),
            None => self.worst_slices(report, ceiling),
        }
    }

    fn fallen_slices(&mut self, comparison: &Comparison, ceiling: usize) {
        let fell: Vec<_> = comparison
            .slices
            .iter()
            .filter(|slice| {
                slice.lost > 0
                    || slice.now.zip(slice.before).is_some_and(|(now, then)| (now - then).abs() > 1e-9)
            })
            .collect();
        if fell.is_empty() {
            return;
        }
        let lead = comparison.lead.as_deref().unwrap_or_default();
        self.line(&format!("**What lost most**, by {}", prose(lead, NAME)));
        self.line("");
        let heads = [
            ("category", Align::Left),
            ("n", Align::Right),
            ("base", Align::Right),
            ("now", Align::Right),
            ("lost", Align::Right),
            ("found", Align::Right),
        ];
        let rows = fell.into_iter().map(|slice| {
            vec![
                prose(&slice.value, NAME),
                slice.n.to_string(),
                number(slice.before),
                number(slice.now),
                slice.lost.to_string(),
                slice.found.to_string(),
            ]
        });
        self.table(&heads, rows, SLICES, ceiling);
    }

    fn worst_slices(&mut self, report: &Report, ceiling: usize) {
        let Some(first) = report.measures.first().filter(|_| report.slices.len() > 1) else { return };
        let heads = [("worst category", Align::Left), ("n", Align::Right), ("mean", Align::Right)];
        self.line(&format!("By {}:", prose(&first.measure, NAME)));
        self.line("");
        let rows = report.slices.iter().map(|slice| {
            let mean = slice.means.get(&first.measure).copied();
            vec![prose(&slice.value, NAME), slice.n.to_string(), number(mean)]
        });
        self.table(&heads, rows, SLICES, ceiling);
    }

    pub(super) fn changed(&mut self, report: &Report, ceiling: usize) {
        let Some(comparison) = &report.comparison else { return };
        if comparison.changed.is_empty() {
            return;
        }
        self.line("**Changed since the baseline**");
        self.line("");
        let side = |text: &Option<String>| {
            text.as_ref().map_or_else(|| "nothing".to_owned(), |text| prose(text, TEXT / 2))
        };
        let changes = comparison.changed.iter().map(|change| {
            let (before, now) = (side(&change.before), side(&change.now));
            format!("- {}: {before} &rarr; {now}", prose(&change.what, NAME))
        });
        let left = self.lines(changes, REMARKS, ceiling);
        self.line("");
        self.more(left);
    }

    pub(super) fn notes(&mut self, report: &Report, ceiling: usize) {
        if report.notes.is_empty() {
            return;
        }
        let notes = report.notes.iter().map(|note| format!("- Note: {}", prose(&note.text, TEXT)));
        let left = self.lines(notes, REMARKS, ceiling);
        self.line("");
        self.more(left);
    }

    pub(super) fn questions(&mut self, report: &Report, ceiling: usize) {
        let by_id: HashMap<&str, &QuestionFacts> =
            report.questions.iter().map(|question| (question.id.as_str(), question)).collect();
        let mut listed: HashSet<&str> = HashSet::new();
        if let Some(comparison) = &report.comparison {
            let fell = |moved: &&Moved| moved.movement <= Movement::Fell || moved.loss > 1e-9;
            let mut worse: Vec<&Moved> = comparison.moved.iter().filter(fell).collect();
            // A question that lost its evidence comes before one that only fell.
            worse.sort_by_key(|moved| !left_the_top(moved, comparison.cutoff));
            listed.extend(worse.iter().map(|moved| moved.id.as_str()));
            let lost = worse.iter().filter(|moved| left_the_top(moved, comparison.cutoff)).count();
            let title = worse_text(lost, worse.len() - lost, comparison.cutoff);
            let rows = worse.iter().map(|moved| {
                row(
                    (&moved.id, moved.critical, moved.category.as_deref()),
                    by_id.get(moved.id.as_str()).map_or("", |question| &question.query),
                    &[rank_text(moved.before), rank_text(moved.now)],
                    moved.first.as_deref(),
                )
            });
            let ranks = [("rank before", Align::Right), ("rank now", Align::Right)];
            self.folded(&title, &ranks, rows, ceiling - 8_000);
        }
        let mut missed = report.missed();
        missed.retain(|question| !listed.contains(question.id.as_str()));
        let rows = missed.iter().map(|question| {
            row(
                (&question.id, question.critical, question.category.as_deref()),
                &question.query,
                &[rank_text(question.best_rank())],
                question.retrieved.first().map(|hit| &*hit.id),
            )
        });
        let title = match (listed.is_empty(), missed.len()) {
            (true, n) => format!("{} missed", questions(n)),
            (false, 1) => "1 other question missed".to_owned(),
            (false, n) => format!("{n} other questions missed"),
        };
        self.folded(&title, &[("rank", Align::Right)], rows, ceiling);
    }

    /// A list of questions that opens when it is asked for.
    fn folded(
        &mut self,
        title: &str,
        ranks: &[(&str, Align)],
        rows: impl ExactSizeIterator<Item = Vec<String>>,
        ceiling: usize,
    ) {
        if rows.len() == 0 {
            return;
        }
        self.line(&format!("<details><summary>{title}</summary>"));
        self.line("");
        let mut heads = vec![("question", Align::Left), ("category", Align::Left), ("query", Align::Left)];
        heads.extend(ranks);
        heads.push(("in 1st place", Align::Left));
        self.table(&heads, rows, QUESTIONS, ceiling);
        self.line("</details>");
        self.line("");
    }
}

fn row(
    (id, is_critical, category): (&str, bool, Option<&str>),
    query: &str,
    ranks: &[String],
    first: Option<&str>,
) -> Vec<String> {
    let mark = if is_critical { " critical" } else { "" };
    let mut cells = vec![
        format!("{}{mark}", code(id, ID)),
        prose(category.unwrap_or_default(), NAME),
        prose(query, QUERY),
    ];
    cells.extend_from_slice(ranks);
    cells.push(first.map_or_else(|| "nothing".to_owned(), |first| code(first, ID)));
    cells
}

fn rule(rule: &RuleResult, comparison: Option<&Comparison>) -> Vec<String> {
    let word = match (rule.status, rule.level) {
        (RuleStatus::Passed, _) => "ok",
        (RuleStatus::Failed, RuleLevel::Fail) => "**FAIL**",
        (RuleStatus::Failed, RuleLevel::Warn) => "warn",
        (RuleStatus::Unjudged, _) => "?",
    };
    let change = rule.value.zip(rule.before).map(|(now, before)| now - before);
    let interval = rule.interval.as_ref().map(|estimate| match rule.kind {
        RuleKind::Change => format!("{:+.3} to {:+.3}", estimate.low, estimate.high),
        _ => format!("{:.3} to {:.3}", estimate.low, estimate.high),
    });
    let tests: Vec<String> = rule.tests.iter().map(|test| p_text(test.p)).collect();
    // Of slices, the worst is shown, and it has its own p.
    let p = match rule.slices.first() {
        Some(worst) => worst.p.map(p_text).unwrap_or_default(),
        None => tests.join(" / "),
    };
    let worst = rule.slices.first().map(|slice| format!("{} (n {})", slice.name, slice.n));
    let others: Vec<String> = failed_beside_worst(rule).map(|name| prose(name, NAME)).collect();
    let others = (!others.is_empty()).then(|| format!("also: {}", first_of(&others)));
    let ids: Vec<String> = blamed(rule, comparison).iter().map(|id| code(id, NAME)).collect();
    let ids = (!ids.is_empty()).then(|| first_of(&ids));
    let text = |text: String| prose(&text, TEXT / 2);
    let detail: Vec<String> = (rule.reason.map(|reason| text(reason.words().to_owned())).into_iter())
        .chain(worst.map(text))
        .chain(others)
        .chain(too_small(rule))
        .chain(ids)
        .chain(rule.remark.clone().map(text))
        .collect();
    let status = if detail.is_empty() { word.to_owned() } else { format!("{word}: {}", detail.join("; ")) };
    vec![
        code(&rule.rule, TEXT / 2),
        number(rule.before),
        rule.value_text().unwrap_or_default(),
        signed(change),
        interval.unwrap_or_default(),
        p.replace('<', "&lt;"),
        status,
    ]
}

fn number(value: Option<f64>) -> String {
    value.map(|value| format!("{value:.3}")).unwrap_or_default()
}

fn signed(value: Option<f64>) -> String {
    value.map(|value| change_text(value, None)).unwrap_or_default()
}
