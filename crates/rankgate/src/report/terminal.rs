//! The terminal: what a person reads when the build is red. 80 columns, colour only as emphasis.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style as Paint};

use super::{Because, Format, QuestionFacts, Report, SliceFacts};
use crate::config::RuleLevel;
use crate::gate::{Outcome, RuleKind, RuleResult, RuleStatus};
use crate::text::{clip, fit, printable, width, wrap};

/// Columns of the screen.
const COLUMNS: usize = 80;
/// Missed questions that are listed.
const LISTED: usize = 10;

/// Whether words are coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// No escape sequence at all.
    Plain,
    /// Status words and headings stand out.
    Coloured,
}

/// The report on one or two screens.
#[derive(Debug, Clone)]
pub struct Terminal {
    /// Whether words are coloured.
    pub style: Style,
    /// The files that were written beside it.
    pub wrote: Vec<String>,
    /// Whether to say what one may do next.
    pub next: bool,
}

impl Format for Terminal {
    fn render(&self, report: &Report) -> String {
        let mut page = Page { style: self.style, out: String::new() };
        page.header(report);
        page.verdict(report);
        page.rules(&report.verdict.rules);
        page.measures(report);
        page.slices(report);
        page.missed(report);
        page.forbidden(report);
        page.notes(report);
        page.labels(report);
        if self.next {
            page.next(report);
        }
        page.footer(report, &self.wrote);
        page.out
    }
}

/// Writing to a string cannot fail.
macro_rules! line {
    ($page:expr, $($arg:tt)*) => {{
        let start = $page.out.len();
        let _ = write!($page.out, $($arg)*);
        $page.out.truncate(start + $page.out[start..].trim_end().len());
        $page.out.push('\n');
    }};
}

struct Page {
    style: Style,
    out: String,
}

impl Page {
    fn paint(&self, text: &str, paint: Paint) -> String {
        match self.style {
            Style::Plain => text.to_owned(),
            Style::Coloured => format!("{}{text}{}", paint.render(), paint.render_reset()),
        }
    }

    fn heading(&self, text: &str) -> String {
        self.paint(text, Paint::new().bold())
    }

    fn word(&self, word: &str) -> String {
        let colour = match word.trim() {
            "FAIL" => AnsiColor::Red,
            "ok" | "PASS" => AnsiColor::Green,
            _ => AnsiColor::Yellow,
        };
        self.paint(word, colour.on_default().bold())
    }

    fn header(&mut self, report: &Report) {
        if report.verdict.outcome == Outcome::NothingGated {
            line!(self, "nothing was gated: add rules under [gate], or --gate RULE");
        }
        let asked = match (report.golden.asked, report.golden.questions) {
            (asked, all) if asked == all => format!("{all} questions"),
            (asked, all) => format!("{asked} of {all} questions"),
        };
        let parts = [
            format!("rankgate {}", report.rankgate),
            printable(&report.name).into_owned(),
            asked,
            report.retriever.kind.clone(),
            format!("depth {}", report.policy.depth),
            format!("{:.2} s", report.timing.total_ms / 1000.0),
        ];
        line!(self, "{}", clip(&parts.join("  "), COLUMNS));
        if let Some(partial) = &report.partial {
            line!(self, "partial run ({}): rules over the whole set are left out", printable(partial));
        }
        self.out.push('\n');
    }

    fn verdict(&mut self, report: &Report) {
        let verdict = &report.verdict;
        let word = match verdict.outcome {
            Outcome::Passed => "PASS",
            Outcome::Failed => "FAIL",
            Outcome::Unjudged | Outcome::Incomplete => "NO VERDICT",
            Outcome::NothingGated => "DONE",
        };
        let indent = word.len() + 2;
        let mut said = vec![verdict.headline.clone()];
        if verdict.incomplete.is_empty() {
            said.extend(missed_sentence(report).iter().flat_map(|text| text.lines()).map(String::from));
        } else {
            said = verdict
                .incomplete
                .iter()
                .flat_map(|incomplete| incomplete.message.lines())
                .map(String::from)
                .collect();
        }
        let mut lines = said.iter().flat_map(|text| wrap_keeping(&printable(text), COLUMNS - indent));
        line!(self, "{}  {}", self.word(word), lines.next().unwrap_or_default());
        for text in lines {
            line!(self, "{:indent$}{text}", "");
        }
        self.out.push('\n');
    }

    fn rules(&mut self, rules: &[RuleResult]) {
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
            let rule_text = printable(&rule.rule);
            let mut parts = wrap(&rule_text, 33).into_iter();
            let first = parts.next().unwrap_or_default();
            let n = if rule.kind == RuleKind::Measure { rule.n.to_string() } else { String::new() };
            let columns = format!("{} {:>8}{n:>7}", fit(&first, 33), value_text(rule));
            let detail = detail(rule);
            let room = COLUMNS - 7 - width(&columns) - 2;
            line!(self, "{}{columns}  {}", self.word(&fit(word, 7)), clip(&detail, room));
            for part in parts {
                line!(self, "         {part}");
            }
        }
        self.out.push('\n');
    }

    fn measures(&mut self, report: &Report) {
        line!(self, "{}{:>40}{:>7}", self.heading("MEASURES"), "mean", "n");
        for facts in &report.measures {
            let mean = facts.mean.map_or("-".to_owned(), |mean| format!("{mean:.3}"));
            let why = match facts.because {
                Because::Reported => "",
                Because::Gated => "gated only",
                Because::OtherGain => "the other gain, for comparison",
            };
            line!(self, "{}{mean:>8}{:>7}  {why}", fit(&facts.measure, 40), facts.n);
        }
        self.out.push('\n');
    }

    fn slices(&mut self, report: &Report) {
        if report.slices.len() < 2 {
            return;
        }
        let name = report.slices.iter().map(|slice| width(&slice.value)).max().unwrap_or(0).clamp(8, 20);
        let mut columns = Vec::new();
        let mut used = name + 5;
        for facts in report.measures.iter().filter(|facts| facts.because != Because::OtherGain) {
            let column = facts.measure.len().max(6) + 2;
            if used + column > COLUMNS - 10 {
                break;
            }
            used += column;
            columns.push((facts.measure.as_str(), column));
        }
        let heads: String = columns.iter().map(|(measure, column)| format!("{measure:>column$}")).collect();
        line!(self, "{}{:>5}{heads}", self.heading(&fit("CATEGORY", name)), "n");
        let worst = |index: usize, slice: &SliceFacts| {
            let key = |slice: &SliceFacts| {
                columns.first().and_then(|(measure, _)| slice.means.get(*measure)).copied()
            };
            index == 0 && report.slices.iter().skip(1).any(|other| key(other) > key(slice))
        };
        for (index, slice) in report.slices.iter().enumerate() {
            let values: String = columns
                .iter()
                .map(|(measure, column)| {
                    let value =
                        slice.means.get(*measure).map_or("-".to_owned(), |value| format!("{value:.3}"));
                    format!("{value:>column$}")
                })
                .collect();
            let mark = if worst(index, slice) { "  <- worst" } else { "" };
            line!(self, "{}{:>5}{values}{mark}", fit(&printable(&slice.value), name), slice.n);
        }
        self.out.push('\n');
    }

    fn missed(&mut self, report: &Report) {
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

    fn forbidden(&mut self, report: &Report) {
        let cutoff = report.policy.cutoff;
        let found = with_forbidden(report);
        if found.is_empty() {
            return;
        }
        line!(self, "{}", self.heading(&format!("FORBIDDEN IN THE TOP {cutoff}")));
        for (question, rank) in found.iter().take(LISTED) {
            let hit = question.retrieved.get(*rank as usize - 1).map_or("", |hit| hit.id.as_str());
            let left = format!("  {}  {rank:>4}  ", fit(&printable(&question.id), 12));
            let query = fit(&printable(&question.query), 60 - width(&left));
            line!(self, "{left}{query} {}", clip(&printable(hit), 19));
        }
        if found.len() > LISTED {
            line!(self, "  ... {} more", found.len() - LISTED);
        }
        self.out.push('\n');
    }

    fn notes(&mut self, report: &Report) {
        for note in &report.notes {
            let mut lines = wrap(&note.text, COLUMNS - 6).into_iter();
            line!(self, "{}  {}", self.heading("NOTE"), lines.next().unwrap_or_default());
            for text in lines {
                line!(self, "      {text}");
            }
        }
    }

    fn labels(&mut self, report: &Report) {
        let labels = &report.labels;
        let mut parts: Vec<String> = labels
            .met
            .iter()
            .map(|(means, n)| format!("{n} by {}", format!("{means:?}").to_lowercase()))
            .collect();
        parts.push(format!("{} not retrieved", labels.not_retrieved));
        if labels.unknown > 0 {
            parts.push(format!("{} unknown to the corpus", labels.unknown));
        }
        let mut text = format!("LABELS {}   ERRORS {}", parts.join(", "), report.lists.errors);
        if report.golden.quarantined > 0 {
            let _ = write!(text, "   QUARANTINED {}", report.golden.quarantined);
        }
        for line in wrap_keeping(&text, COLUMNS) {
            line!(self, "{line}");
        }
    }

    fn next(&mut self, report: &Report) {
        let Some(question) = report.missed().first().copied() else { return };
        if report.verdict.outcome == Outcome::Incomplete {
            return;
        }
        self.out.push('\n');
        let command = format!("rankgate query {}", question.id);
        line!(
            self,
            "{}  {} its results beside the expected text",
            self.heading("NEXT"),
            fit(&printable(&command), 30)
        );
        line!(self, "      {} ask only these again", fit("rankgate run --failed report.json", 34));
    }

    fn footer(&mut self, report: &Report, wrote: &[String]) {
        let verdict = &report.verdict;
        let end = match (verdict.outcome, verdict.exit_status) {
            (Outcome::Failed, 0) => "exit 0: gate failed, report only",
            (Outcome::Failed, _) => "exit 1: gate failed",
            (Outcome::Passed, _) => "exit 0: gate passed",
            (Outcome::NothingGated, _) => "exit 0: nothing was gated",
            (Outcome::Unjudged | Outcome::Incomplete, _) => "exit 2: no verdict",
        };
        let wrote = if wrote.is_empty() { String::new() } else { format!("wrote {}", wrote.join(" ")) };
        if width(&wrote) + 2 + end.len() > COLUMNS {
            line!(self, "{wrote}");
            line!(self, "{end:>COLUMNS$}");
        } else {
            let gap = COLUMNS - width(&wrote);
            line!(self, "{wrote}{end:>gap$}");
        }
    }
}

/// Wraps at blanks, but leaves a line that fits as it is: its gaps are columns.
fn wrap_keeping(text: &str, columns: usize) -> Vec<String> {
    if width(text) <= columns { vec![text.to_owned()] } else { wrap(text, columns) }
}

/// The width that a column of these questions needs, within bounds.
fn column<'a>(
    questions: &[&'a QuestionFacts],
    least: usize,
    most: usize,
    text: impl Fn(&'a QuestionFacts) -> &'a str,
) -> usize {
    questions.iter().take(LISTED).map(|question| width(text(question))).max().unwrap_or(0).clamp(least, most)
}

/// How many questions missed, and where most of them are.
fn missed_sentence(report: &Report) -> Option<String> {
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

/// The value of a rule, with as many digits as it takes to tell it from the limit.
fn value_text(rule: &RuleResult) -> String {
    let Some(value) = rule.value else { return "-".to_owned() };
    match rule.kind {
        RuleKind::Measure => {
            let limit = rule.limit.unwrap_or(f64::NAN);
            let differ = |decimals: usize| format!("{value:.decimals$}") != format!("{limit:.decimals$}");
            let decimals =
                (3..=9).find(|decimals| rule.status != RuleStatus::Failed || differ(*decimals)).unwrap_or(9);
            format!("{value:.decimals$}")
        }
        RuleKind::Time if value < 10.0 => format!("{value:.2} ms"),
        RuleKind::Time => format!("{value:.0} ms"),
        RuleKind::Count => format!("{value}"),
        RuleKind::Promise => format!("{value}/{}", rule.n),
    }
}

/// What a rule has to add: the worst slice, who broke a promise, why it was not judged.
fn detail(rule: &RuleResult) -> String {
    if let Some(reason) = rule.reason {
        return reason.words().to_owned();
    }
    if let Some(worst) = rule.slices.first() {
        return format!("{} (n {})", printable(&worst.name), worst.n);
    }
    if rule.kind == RuleKind::Promise || rule.status == RuleStatus::Failed {
        return printable(&rule.questions.join(", ")).into_owned();
    }
    String::new()
}
