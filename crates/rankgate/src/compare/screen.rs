//! What `compare` shows on a terminal: 80 columns, colour only as emphasis.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::Movement;
use super::report::{ComparedMeasure, ComparedPair, ComparedQuestion, ComparisonReport, letter};
use super::unjudged::{Effect, SideJudged, Unjudged};
use crate::report::Style;
use crate::report::figures::{
    change_of_loss, change_text, interval_text, lost_text, movements, p_text, rank_text,
};
use crate::text::{clip, fit, list_of, printable, questions, width, wrap};

/// Columns of the screen.
const COLUMNS: usize = 80;
/// Questions that are listed unless all are asked for.
const LISTED: usize = 10;
/// Columns of what changed, before from what to what.
const WHAT: usize = 26;
/// Ids that are named of any list.
const NAMED: usize = 10;

/// The comparison on one or two screens.
#[derive(Debug, Clone)]
pub struct Screen {
    /// Whether headings stand out.
    pub style: Style,
    /// Whether every question that moved is listed.
    pub all: bool,
    /// The files that were written beside it.
    pub wrote: Vec<String>,
}

impl Screen {
    /// The whole output.
    pub fn render(&self, report: &ComparisonReport) -> String {
        let mut page = Page { style: self.style, out: String::new() };
        page.inputs(report);
        for pair in &report.pairs {
            page.pair(report, pair, self.all);
        }
        page.footnotes(report);
        if !self.wrote.is_empty() {
            page.text("", &format!("wrote {}", self.wrote.join(" ")));
        }
        page.out
    }
}

struct Page {
    style: Style,
    out: String,
}

impl Page {
    fn line(&mut self, text: &str) {
        self.out.push_str(text.trim_end());
        self.out.push('\n');
    }

    /// A title with text behind it, wrapped under itself.
    fn text(&mut self, title: &str, text: &str) {
        let indent = if title.is_empty() { 0 } else { width(title) + 2 };
        let mut lines = wrap(&printable(text), COLUMNS - indent).into_iter();
        let gap = if title.is_empty() { "" } else { "  " };
        let first = lines.next().unwrap_or_default();
        self.line(&format!("{}{gap}{first}", self.style.heading(title)));
        for text in lines {
            self.line(&format!("{:indent$}{text}", ""));
        }
    }

    fn inputs(&mut self, report: &ComparisonReport) {
        self.line(&format!("rankgate {}  compare", report.rankgate));
        self.out.push('\n');
        for (index, input) in report.inputs.iter().enumerate() {
            let depth = input.depth.map(|depth| format!(", depth {depth}")).unwrap_or_default();
            let (kind, n) = (input.kind.as_str(), questions(input.questions));
            self.text(&letter(index), &format!("{}  ({kind}, {n}{depth})", input.path));
        }
        if let Some(labels) = &report.labels {
            self.text("labels", &labels.path);
        }
        for (index, input) in report.inputs.iter().enumerate() {
            if !input.missing.is_empty() {
                let text = format!(
                    "{} has no line for {}, which count as empty lists: {}",
                    letter(index),
                    questions(input.missing.len()),
                    list_of(&input.missing, NAMED)
                );
                self.text("NOTE", &text);
            }
            if input.unjudged_questions > 0 {
                let n = questions(input.unjudged_questions);
                self.text("NOTE", &format!("{} of {} left out: nobody judged them", n, letter(index)));
            }
        }
        self.out.push('\n');
    }

    fn pair(&mut self, report: &ComparisonReport, pair: &ComparedPair, all: bool) {
        let (before, now) = (letter(pair.before), letter(pair.now));
        let counts = &pair.counts;
        let said = format!(
            "{}: {}, {} found it",
            questions(pair.questions),
            lost_text(counts.lost_from_top, "", pair.cutoff),
            counts.found
        );
        self.text(&format!("{before} -> {now}"), &said);
        for (what, ids) in [
            (format!("only in {before}"), &pair.only_before),
            (format!("only in {now}"), &pair.only_now),
            ("left out, asked or labelled otherwise".to_owned(), &pair.edited),
            ("left out, the retriever failed on them".to_owned(), &pair.unscored),
            ("left out, in quarantine".to_owned(), &pair.quarantined),
        ] {
            if !ids.is_empty() {
                let text = format!("{} {what}: {}", questions(ids.len()), list_of(ids, NAMED));
                self.text("NOTE", &text);
            }
        }
        for note in &pair.notes {
            self.text("NOTE", &note.text);
        }
        self.out.push('\n');
        self.measures(pair, report.tests > 1);
        self.slices(report, pair, all);
        self.moved(report, pair, all);
        if let Some(unjudged) = &pair.unjudged {
            self.unjudged(unjudged, &before, &now);
        }
        self.made_from(pair);
    }

    fn measures(&mut self, pair: &ComparedPair, is_corrected: bool) {
        let tally = |row: &ComparedMeasure| {
            let change = &row.change;
            format!("{}/{}/{}", change.wins, change.ties, change.losses)
        };
        let tallied = pair.measures.iter().map(|row| tally(row).len()).max().unwrap_or(0).max(12);
        let rest = 7 + 6 + 7 + 15 + 1 + tallied + 6 + if is_corrected { 6 } else { 0 };
        let name = COLUMNS.saturating_sub(rest).max(8);
        let holm = if is_corrected { format!("{:>6}", "Holm") } else { String::new() };
        let head = format!(
            "{:>7}{:>6}{:>7}{:>15} {:>tallied$}{:>6}{holm}",
            "before", "now", "change", "95 % interval", "win/tie/loss", "p*"
        );
        self.line(&format!("{}{head}", self.style.heading(&fit("MEASURE", name))));
        for row in &pair.measures {
            let change = &row.change;
            let p_holm = if is_corrected { format!("{:>6}", p_text(row.p_holm)) } else { String::new() };
            let columns = format!(
                "{:>7.3}{:>6.3}{:>7}{:>15} {:>tallied$}{:>6}{p_holm}",
                change.before,
                change.now,
                change_text(change.change.point, None),
                interval_text(&change.change),
                tally(row),
                p_text(change.test.p)
            );
            if width(&change.measure) <= name {
                self.line(&format!("{}{columns}", fit(&change.measure, name)));
            } else {
                self.line(&clip(&change.measure, COLUMNS));
                self.line(&format!("{:name$}{columns}", ""));
            }
        }
        self.out.push('\n');
    }

    fn slices(&mut self, report: &ComparisonReport, pair: &ComparedPair, all: bool) {
        if pair.slices.len() < 2 {
            return;
        }
        let name = COLUMNS - (6 + 9 + 8 + 9 + 6 + 7 + 7 + 7);
        let lead = report.measures.first().map_or("", String::as_str);
        self.line(&clip(&format!("{}  by {lead}, exploratory", self.style.heading("CATEGORY")), COLUMNS + 8));
        self.line(&format!(
            "{}{:>6}{:>9}{:>8}{:>9}{:>6}{:>7}{:>7}{:>7}",
            fit("", name),
            "n",
            "before",
            "now",
            "change",
            "lost",
            "found",
            "p*",
            "BH"
        ));
        let shown = if all { pair.slices.len() } else { LISTED };
        for row in pair.slices.iter().take(shown) {
            let slice = &row.slice;
            let value = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.3}"));
            let change =
                slice.before.zip(slice.now).map_or("-".to_owned(), |(b, n)| change_text(n - b, None));
            self.line(&format!(
                "{}{:>6}{:>9}{:>8}{change:>9}{:>6}{:>7}{:>7}{:>7}",
                fit(&printable(&slice.value), name),
                slice.n,
                value(slice.before),
                value(slice.now),
                slice.lost,
                slice.found,
                p_text(row.test.p),
                p_text(row.p_benjamini_hochberg)
            ));
        }
        if pair.slices.len() > shown {
            self.line(&format!("  ... {} more (--all)", pair.slices.len() - shown));
        }
        self.out.push('\n');
    }

    fn moved(&mut self, report: &ComparisonReport, pair: &ComparedPair, all: bool) {
        let is_loss = |question: &&ComparedQuestion| {
            question.moved.loss > 0.0
                || question.moved.loss == 0.0 && question.moved.movement < Movement::Same
        };
        let losses = pair.moved.iter().filter(is_loss).count();
        let shown: Vec<&ComparedQuestion> = if all {
            pair.moved.iter().collect()
        } else {
            pair.moved.iter().filter(is_loss).take(LISTED).collect()
        };
        if !shown.is_empty() {
            let title = if all { "MOVED" } else { "LOST MOST" };
            let lead = report.measures.first().map_or("", String::as_str);
            let legend =
                if shown.iter().any(|question| question.moved.critical) { " (! = critical)" } else { "" };
            let order = if all { ", the largest loss first" } else { "" };
            self.text(title, &format!("rank before -> now; change of {lead}{order}{legend}"));
            self.questions(&shown, lead);
        }
        let hidden = losses.saturating_sub(shown.len());
        let words = moved_words(pair);
        let more = if !all && hidden > 0 { format!("... {hidden} more (--all); ") } else { String::new() };
        self.text("  ", &format!("{more}in all: {}", words.join(", ")));
        self.out.push('\n');
    }

    fn questions(&mut self, shown: &[&ComparedQuestion], lead: &str) {
        let column = |least: usize, most: usize, text: &dyn Fn(&ComparedQuestion) -> String| {
            shown.iter().map(|question| width(&text(question))).max().unwrap_or(0).clamp(least, most)
        };
        let id_of = |question: &ComparedQuestion| printable(&question.moved.id).into_owned();
        let category_of = |question: &ComparedQuestion| {
            question.moved.category.as_deref().map(|text| printable(text).into_owned()).unwrap_or_default()
        };
        let any_category = shown.iter().any(|question| question.moved.category.is_some());
        let (id, category) =
            (column(4, 14, &id_of), if any_category { column(8, 12, &category_of) } else { 0 });
        let gap = if any_category { " " } else { "" };
        let row = |mark: &str, cells: [&str; 5]| {
            let [id_text, category_text, before, now, change] = cells;
            let (id, category) = (fit(id_text, id), fit(category_text, category));
            format!("{mark} {id}  {category}{gap}{before:>6} -> {now:<4} {change:>7}  ")
        };
        let line = |left: &str, query: &str, stands: &str| {
            format!("{left}{} {}", fit(query, 60_usize.saturating_sub(width(left))), clip(stands, 19))
        };
        let head = row(" ", ["id", if any_category { "category" } else { "" }, "before", "now", "change"]);
        self.line(&line(&head, "question", "in its place now"));
        for question in shown {
            let moved = &question.moved;
            let left = row(
                if moved.critical { "!" } else { " " },
                [
                    &id_of(question),
                    &category_of(question),
                    &rank_text(moved.before),
                    &rank_text(moved.now),
                    &change_of_loss(lead, moved.loss),
                ],
            );
            let query = question.query.as_deref().map(printable).unwrap_or_default();
            self.line(&line(&left, &query, &printable(stands(question))));
        }
    }

    fn unjudged(&mut self, unjudged: &Unjudged, before: &str, now: &str) {
        let share = |side: &SideJudged| {
            if side.hits == 0 {
                return "no hits".to_owned();
            }
            let share = side.unjudged as f64 / side.hits as f64 * 100.0;
            format!("{share:.1} % ({} of {})", side.unjudged, side.hits)
        };
        let mut text = format!(
            "of the top {}: {before} {}, {now} {}",
            unjudged.cutoff,
            share(&unjudged.before),
            share(&unjudged.now)
        );
        if let Some(found) = &unjudged.if_relevant {
            let figures = format!(
                "{:.3} -> {:.3}, change {}",
                found.before,
                found.now,
                change_text(found.change, None)
            );
            let what = match found.drop {
                Some(Effect::Stays) => format!("the drop of {} stays", found.measure),
                Some(Effect::Shrinks) => format!("the drop of {} shrinks", found.measure),
                Some(Effect::Vanishes) => format!("the drop of {} vanishes", found.measure),
                None => format!("{} would be", found.measure),
            };
            let _ = write!(
                text,
                "\nif these {} counted as relevant, {what}: {figures}",
                if unjudged.documents == 1 { "1 hit".into() } else { format!("{} hits", unjudged.documents) }
            );
        }
        for (index, text) in text.lines().enumerate() {
            self.text(if index == 0 { "UNJUDGED" } else { "        " }, text);
        }
        self.out.push('\n');
    }

    fn made_from(&mut self, pair: &ComparedPair) {
        let Some(made_from) = &pair.made_from else { return };
        let title = if made_from.changed.is_empty() { "NOTHING ELSE CHANGED" } else { "CHANGED" };
        self.line(&self.style.heading(title));
        let none = || "none".to_owned();
        for change in &made_from.changed {
            let text = format!(
                "{} -> {}",
                change.before.clone().unwrap_or_else(none),
                change.now.clone().unwrap_or_else(none)
            );
            self.text(&format!("  {}", fit(&printable(&change.what), WHAT)), &text);
        }
        if !made_from.same.is_empty() {
            self.text(&format!("  {}", fit("same", WHAT)), &made_from.same.join(", "));
        }
        self.out.push('\n');
    }

    /// By what test each p came about, and how each interval.
    fn footnotes(&mut self, report: &ComparisonReport) {
        let means = || report.pairs.iter().flat_map(|pair| &pair.measures).map(|row| &row.change);
        let slices = report.pairs.iter().flat_map(|pair| &pair.slices).map(|row| &row.test);
        let tests = means().map(|change| &change.test).chain(slices);
        let tests = tests.map(|test| drawn(test.name.as_str(), test.draws, test.seed));
        let intervals = means().map(|change| &change.change);
        let intervals = intervals.map(|found| drawn(found.method.as_str(), found.draws, found.seed));
        let holm = match report.tests {
            0 | 1 => String::new(),
            n => format!("; Holm: corrected over {n} comparisons"),
        };
        let has_slices = report.pairs.iter().any(|pair| pair.slices.len() > 1);
        let slices = if has_slices { "; BH: over the categories, Benjamini and Hochberg" } else { "" };
        let text = format!("p two-sided, {}{holm}{slices}; intervals: {}", either(tests), either(intervals));
        self.text("*", &text);
    }
}

/// How many questions moved in which way.
pub(super) fn moved_words(pair: &ComparedPair) -> Vec<String> {
    let counts = &pair.counts;
    let mut words = Vec::new();
    if counts.lost_from_top > 0 {
        let gone = counts.lost_from_top.saturating_sub(counts.lost);
        let gone = if gone > 0 { format!(" ({gone} gone from the list)") } else { String::new() };
        words.push(format!("{} lost from the top {}{gone}", counts.lost_from_top, pair.cutoff));
    }
    words.extend(movements(counts));
    if counts.same > 0 {
        words.push(format!("{} same", counts.same));
    }
    words
}

/// What stands where the evidence of a question stood, else what is first.
pub(super) fn stands(question: &ComparedQuestion) -> &str {
    question.in_its_place.as_ref().or(question.moved.first.as_ref()).map_or("nothing", String::as_str)
}

/// A method with what it takes to repeat it.
fn drawn(name: &str, draws: Option<u32>, seed: Option<u64>) -> String {
    match (draws, seed) {
        (Some(draws), Some(seed)) => format!("{name} ({draws} draws, seed {seed})"),
        _ => name.to_owned(),
    }
}

/// Each of these once.
fn either(names: impl Iterator<Item = String>) -> String {
    let names: BTreeSet<String> = names.collect();
    names.into_iter().collect::<Vec<_>>().join(" or ")
}
