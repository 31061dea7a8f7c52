//! The terminal: what a person reads when the build is red. 80 columns, colour only as emphasis.

mod compared;
mod means;
mod missed;
mod noise;
mod rules;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anstyle::{AnsiColor, Style as Paint};

use super::figures::lost_from_top;
use super::{Because, Format, MeasureFacts, Report};
use crate::gate::{Outcome, RuleResult, suggest};
use crate::text::{clip, fit, list_of, printable, questions, shell_word, width, wrap};

/// Questions that are listed under one heading.
const LISTED: usize = 10;
/// Columns of an id in a list: a hashed one fits.
const ID: usize = 14;
/// Columns of the screen.
const COLUMNS: usize = 80;
/// Columns of one line of a command, and of each of its words: what an indent and a backslash leave.
const COMMAND: usize = COLUMNS - 12;

/// Whether words are coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// No escape sequence at all.
    Plain,
    /// Status words and headings stand out.
    Coloured,
}

impl Style {
    fn paint(self, text: &str, paint: Paint) -> String {
        match self {
            Self::Plain => text.to_owned(),
            Self::Coloured => format!("{}{text}{}", paint.render(), paint.render_reset()),
        }
    }

    /// A heading, which stands out.
    pub(crate) fn heading(self, text: &str) -> String {
        self.paint(text, Paint::new().bold())
    }
}

/// The report on one or two screens.
#[derive(Debug, Clone)]
pub struct Terminal {
    /// Whether words are coloured.
    pub style: Style,
    /// The files that were written beside it.
    pub wrote: Vec<String>,
    /// What one may do next; `None` says nothing of it.
    pub next: Option<Next>,
}

/// What a command needs to speak of this run again.
#[derive(Debug, Clone, Default)]
pub struct Next {
    /// The options that the run was given, each as one text with its value, ready for a shell.
    pub options: Vec<String>,
    /// The JSON report that was written.
    pub json: Option<String>,
}

impl Format for Terminal {
    fn render(&self, report: &Report) -> String {
        let mut page = Page { style: self.style, out: String::new() };
        page.header(report);
        page.verdict(report);
        page.rules(report);
        let is_judged = report.verdict.outcome != Outcome::Incomplete;
        let measures: Vec<&MeasureFacts> = report.measures.iter().collect();
        let json = self.next.as_ref().and_then(|next| next.json.as_deref());
        if let Some(comparison) = report.comparison.as_ref().filter(|_| is_judged) {
            page.slice_changes(comparison);
            page.lost(report, comparison, json);
            page.missed(report);
            page.quarantined(report);
            page.changed(comparison);
            page.measure_changes(&measures, comparison);
        } else {
            page.measures(&measures);
            page.slices(report);
            if is_judged {
                page.missed(report);
                page.quarantined(report);
            }
        }
        page.noise(report);
        page.notes(report);
        page.labels(report);
        if let Some(next) = &self.next {
            page.suggested(report);
            page.next(report, next);
        }
        page.footer(report, &self.wrote);
        page.out
    }
}

impl Terminal {
    /// The verdict alone, between the first line and the last.
    pub fn brief(&self, report: &Report) -> String {
        let mut page = Page { style: self.style, out: String::new() };
        page.header(report);
        page.verdict(report);
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
use line;

struct Page {
    style: Style,
    out: String,
}

impl Page {
    fn heading(&self, text: &str) -> String {
        self.style.heading(text)
    }

    fn word(&self, word: &str) -> String {
        let colour = match word.trim() {
            "FAIL" => AnsiColor::Red,
            "ok" | "PASS" => AnsiColor::Green,
            _ => AnsiColor::Yellow,
        };
        self.style.paint(word, colour.on_default().bold())
    }

    fn header(&mut self, report: &Report) {
        if report.verdict.outcome == Outcome::NothingGated {
            let why = match report.partial {
                Some(_) => "rules over the whole set are left out, and no question makes a promise",
                None => "add rules under [gate], or --gate RULE",
            };
            for text in wrap(&format!("nothing was gated: {why}"), COLUMNS) {
                line!(self, "{text}");
            }
        }
        let asked = match (report.golden.asked, report.golden.questions) {
            (asked, all) if asked == all => questions(all),
            (asked, all) => format!("{asked} of {all} questions"),
        };
        let parts = [
            format!("rankgate {}", report.rankgate),
            clip(&printable(&report.name), 24).into_owned(),
            asked,
            report.retriever.kind.clone(),
            format!("depth {}", report.policy.depth),
            format!("{:.2} s", report.timing.total_ms / 1000.0),
        ];
        line!(self, "{}", clip(&parts.join("  "), COLUMNS));
        if let Some(partial) = &report.partial {
            let text = format!("partial run ({partial}): rules over the whole set are left out");
            for text in wrap(&printable(&text), COLUMNS) {
                line!(self, "{text}");
            }
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
            said.extend(missed::missed_sentences(report));
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

    fn notes(&mut self, report: &Report) {
        for note in &report.notes {
            let mut lines = wrap(&printable(&note.text), COLUMNS - 6).into_iter();
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
        let text = format!("LABELS {}   ERRORS {}", parts.join(", "), report.lists.errors);
        for line in wrap_keeping(&text, COLUMNS) {
            line!(self, "{line}");
        }
    }

    /// Rules that this run would keep, where it has none.
    fn suggested(&mut self, report: &Report) {
        let is_fit = !matches!(report.verdict.outcome, Outcome::Incomplete | Outcome::Failed);
        if !is_fit || !suggest::has_no_rules(report) {
            return;
        }
        if let Some(suggest::Rules { place, text }) = suggest::rules_for(report) {
            line!(self, "\n{}  rules that fit this run, {place}:", self.heading("GATE"));
            line!(self, "\n{text}");
            self.out.push('\n');
        }
    }

    fn next(&mut self, report: &Report, next: &Next) {
        if report.verdict.outcome == Outcome::Incomplete {
            return;
        }
        let failed = report.verdict.outcome == Outcome::Failed;
        let comparison = report.comparison.as_ref();
        let changed = report.verdict.failed().any(RuleResult::is_about_change);
        let lost = comparison.and_then(|comparison| lost_from_top(comparison).first().copied());
        let fallen = || {
            let fallen = comparison.and_then(|comparison| comparison.moved.first());
            fallen.filter(|moved| changed && moved.loss > 0.0)
        };
        let moved = lost.or_else(fallen).map(|moved| moved.id.as_str());
        // Against a baseline a run that passed needs no look at what has always missed.
        let missed = || report.missed().first().map(|question| question.id.as_str());
        let id = moved.or_else(|| if failed || comparison.is_none() { missed() } else { None });
        let mut commands = Vec::new();
        if let Some(id) = id {
            commands
                .push((format!("rankgate query {}", shell_word(id)), "its results beside the expected text"));
            if let Some(json) = &next.json {
                let command = format!("rankgate run --failed {}", shell_word(json));
                commands.push((command, "ask only the missed ones again"));
            }
        }
        let has_no_baseline = report.notes.iter().any(|note| note.code == "no_baseline");
        let mut remark = None;
        if report.partial.is_none() {
            if let Some(comparison) = comparison.filter(|_| failed && (changed || lost.is_some())) {
                let command = "rankgate accept --force --reason \"...\"".to_owned();
                let is_local = comparison.with.revision.is_none();
                commands.push((
                    command,
                    if is_local {
                        "if this loss is intended"
                    } else {
                        "if this loss is intended: accepted, it counts once it is merged"
                    },
                ));
                remark = still_failing(report);
            } else if !failed && has_no_baseline {
                commands.push(("rankgate accept".to_owned(), "make this state the baseline"));
            }
        }
        let commands = commands
            .into_iter()
            .map(|(command, what)| (printable(&command).into_owned(), what))
            // What no line holds is not shown in pieces: it could not be copied.
            .filter(|(command, _)| width(command) <= COMMAND);
        for (index, (command, what)) in commands.enumerate() {
            if index == 0 && !self.out.ends_with("\n\n") {
                self.out.push('\n');
            }
            let title = self.heading(if index == 0 { "NEXT" } else { "    " });
            self.command(&title, command, what, next);
        }
        for text in remark.iter().flat_map(|remark| wrap(&printable(remark), COLUMNS - 6)) {
            line!(self, "      {text}");
        }
    }

    /// A command and what it shows, on one line where both fit: else the command has lines of its own, so that it
    /// can be copied.
    fn command(&mut self, title: &str, command: String, what: &str, next: &Next) {
        const BESIDE: usize = 34;
        let mut words = vec![command];
        words.extend(next.options.iter().map(|option| printable(option).into_owned()));
        let mut what = what.to_owned();
        if words.iter().any(|word| width(word) > COMMAND) {
            words.truncate(1);
            what.push_str(", with the options of this run");
        } else if width(&words.join(" ")) <= BESIDE {
            line!(self, "{title}  {}  {what}", fit(&words.join(" "), BESIDE));
            return;
        } else if 6 + width(&words.join(" ")) + 3 + width(&what) <= COLUMNS {
            line!(self, "{title}  {}   {what}", words.join(" "));
            return;
        }
        line!(self, "{title}  {what}:");
        let mut line = String::new();
        for word in words {
            if line.is_empty() {
                line = word;
            } else if width(&line) + 1 + width(&word) <= COMMAND {
                line = format!("{line} {word}");
            } else {
                line!(self, "        {line} \\");
                line = format!("  {word}");
            }
        }
        line!(self, "        {line}");
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
        let mut lines = Vec::new();
        if !wrote.is_empty() {
            lines = wrap(&printable(&format!("wrote {}", wrote.join(" "))), COLUMNS);
        }
        let last = lines.pop().unwrap_or_default();
        for text in lines {
            line!(self, "{text}");
        }
        if width(&last) + 2 + end.len() > COLUMNS {
            line!(self, "{last}");
            line!(self, "{end:>COLUMNS$}");
        } else {
            let gap = COLUMNS - width(&last);
            line!(self, "{last}{end:>gap$}");
        }
    }
}

/// Wraps at blanks, but leaves a line that fits as it is: its gaps are columns.
fn wrap_keeping(text: &str, columns: usize) -> Vec<String> {
    if width(text) <= columns { vec![text.to_owned()] } else { wrap(text, columns) }
}

/// The width that a column of these needs, within bounds.
fn column<T>(rows: &[&T], least: usize, most: usize, text: impl Fn(&T) -> &str) -> usize {
    let widths = rows.iter().take(LISTED).map(|row| width(&printable(text(row))));
    widths.max().unwrap_or(0).clamp(least, most)
}

/// The category that most of these are of, when it has more than one of them.
fn most_of<'a>(categories: impl Iterator<Item = &'a str>, all: usize) -> String {
    let mut by_category = BTreeMap::<&str, usize>::new();
    for category in categories {
        *by_category.entry(category).or_default() += 1;
    }
    let most = by_category.iter().max_by_key(|(name, count)| (**count, std::cmp::Reverse(**name)));
    match most {
        Some((name, count)) if *count == all && all > 1 => format!("; all of them are {name}"),
        Some((name, count)) if *count > 1 => format!("; {count} of them are {name}"),
        _ => String::new(),
    }
}

/// The failed rules that no baseline mends.
fn still_failing(report: &Report) -> Option<String> {
    const NAMED: usize = 4;
    let failed = report.verdict.failed().filter(|rule| !rule.is_about_change());
    let failed: Vec<&str> = failed.map(|rule| rule.rule.as_str()).collect();
    (!failed.is_empty()).then(|| {
        format!("floors and promises remain, and still fail once it is accepted: {}", list_of(&failed, NAMED))
    })
}

/// A report that becomes the baseline, in a few lines: its means, and what it changes against the one that it
/// replaces.
pub fn accepted(report: &Report, style: Style) -> String {
    let mut page = Page { style, out: String::new() };
    let reported: Vec<&MeasureFacts> =
        report.measures.iter().filter(|facts| facts.because == Because::Reported).collect();
    if let Some(comparison) = &report.comparison {
        for text in wrap(&printable(&compared::replaced(comparison)), COLUMNS) {
            line!(page, "{text}");
        }
    }
    for text in still_failing(report).iter().flat_map(|text| wrap(&printable(text), COLUMNS)) {
        line!(page, "{text}");
    }
    page.out.push('\n');
    match &report.comparison {
        Some(comparison) => page.measure_changes(&reported, comparison),
        None => page.measures(&reported),
    }
    page.out
}
