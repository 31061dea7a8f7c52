//! A comparison as Markdown, for a comment on a change: it judges nothing, and so has no verdict.

use super::Movement;
use super::report::{ComparedPair, ComparisonReport, letter};
use super::screen::{moved_words, stands};
use crate::report::figures::{
    change_of_loss, change_text, interval_text, left_the_top, lost_text, p_text, rank_text, worse_text,
};
use crate::report::{Align, ID, MOST, NAME, Page, QUERY, TEXT, code, marker, prose};
use crate::text::{list_of, questions};

/// Lines of any list, and questions of a pair.
const LISTED: usize = 20;
const QUESTIONS: usize = 100;
/// Ids that are named of any list.
const NAMED: usize = 10;
/// What the headings of one pair take, whatever is in its tables.
const HEADINGS: usize = 3_000;

impl ComparisonReport {
    /// The comparison below the characters that a comment may have.
    pub fn markdown(&self) -> String {
        let mut page = Page::default();
        page.line(&marker("compare"));
        let title = match self.inputs.as_slice() {
            [_, _] => "### Compared: B with A".to_owned(),
            inputs => format!("### Compared: {} inputs with A", inputs.len().saturating_sub(1)),
        };
        page.line(&title);
        page.line("");
        let left = page.lines(inputs(self).into_iter(), LISTED, MOST / 4);
        page.line("");
        page.more(left);
        for (index, one) in self.pairs.iter().enumerate() {
            let others = self.pairs.len() - index;
            let share = page.room(MOST) / others;
            if share < HEADINGS {
                page.more(others);
                break;
            }
            let ceiling = MOST - page.room(MOST) + share;
            pair(&mut page, self, one, ceiling);
        }
        page.finish()
    }
}

/// What was compared, and what is missing in it.
fn inputs(report: &ComparisonReport) -> Vec<String> {
    let mut lines = Vec::new();
    for (index, input) in report.inputs.iter().enumerate() {
        let depth = input.depth.map(|depth| format!(", depth {depth}")).unwrap_or_default();
        lines.push(format!(
            "- {}: {} ({}, {}{depth})",
            letter(index),
            code(&input.path, TEXT / 2),
            input.kind.as_str(),
            questions(input.questions)
        ));
        if !input.missing.is_empty() {
            let text = format!(
                "no line for {}, which count as empty lists: {}",
                questions(input.missing.len()),
                list_of(&input.missing, NAMED)
            );
            lines.push(format!("- Note: {} has {}", letter(index), prose(&text, TEXT)));
        }
        if input.unjudged_questions > 0 {
            let n = questions(input.unjudged_questions);
            lines.push(format!("- Note: {n} of {} left out, which nobody judged", letter(index)));
        }
    }
    if let Some(labels) = &report.labels {
        lines.push(format!("- labels: {}", code(&labels.path, TEXT / 2)));
    }
    lines
}

/// One input beside the reference. Each section may take what the ones before it leave of its ceiling.
fn pair(page: &mut Page, report: &ComparisonReport, pair: &ComparedPair, ceiling: usize) {
    let (before, now) = (letter(pair.before), letter(pair.now));
    let lost = lost_text(pair.counts.lost_from_top, "", pair.cutoff);
    page.line(&format!(
        "**{before} &rarr; {now}**: {}: {lost}, {} found it",
        questions(pair.questions),
        pair.counts.found
    ));
    page.line("");
    let start = ceiling - page.room(ceiling);
    let part = |tenths: usize| start + (ceiling - start) * tenths / 10;
    notes(page, pair, (&before, &now), part(2));
    measures(page, report, pair, part(4));
    slices(page, report, pair, part(5));
    changed(page, pair, part(6));
    moved(page, report, pair, ceiling);
}

fn notes(page: &mut Page, pair: &ComparedPair, (before, now): (&str, &str), ceiling: usize) {
    let lists = [
        (format!("only in {before}"), &pair.only_before),
        (format!("only in {now}"), &pair.only_now),
        ("left out, asked or labelled otherwise".to_owned(), &pair.edited),
        ("left out, the retriever failed on them".to_owned(), &pair.unscored),
        ("left out, in quarantine".to_owned(), &pair.quarantined),
    ];
    let lists = lists.into_iter().filter(|(_, ids)| !ids.is_empty());
    let lists = lists.map(|(what, ids)| format!("{} {what}: {}", questions(ids.len()), list_of(ids, NAMED)));
    let notes: Vec<String> = lists.chain(pair.notes.iter().map(|note| note.text.clone())).collect();
    if notes.is_empty() {
        return;
    }
    let left = page.lines(notes.iter().map(|note| format!("- Note: {}", prose(note, TEXT))), LISTED, ceiling);
    page.line("");
    page.more(left);
}

fn measures(page: &mut Page, report: &ComparisonReport, pair: &ComparedPair, ceiling: usize) {
    let is_corrected = report.tests > 1;
    let mut heads = vec![
        ("measure", Align::Left),
        ("before", Align::Right),
        ("now", Align::Right),
        ("change", Align::Right),
        ("95 % interval", Align::Left),
        ("win/tie/loss", Align::Right),
        ("p, two-sided", Align::Right),
    ];
    heads.extend(is_corrected.then_some(("p, Holm", Align::Right)));
    let rows = pair.measures.iter().map(|row| {
        let change = &row.change;
        let p = |p: f64| p_text(p).replace('<', "&lt;");
        let mut cells = vec![
            code(&change.measure, TEXT / 2),
            format!("{:.3}", change.before),
            format!("{:.3}", change.now),
            change_text(change.change.point, None),
            prose(&interval_text(&change.change), NAME),
            format!("{}/{}/{}", change.wins, change.ties, change.losses),
            p(change.test.p),
        ];
        cells.extend(is_corrected.then(|| p(row.p_holm)));
        cells
    });
    page.table(&heads, rows, LISTED, ceiling);
}

fn slices(page: &mut Page, report: &ComparisonReport, pair: &ComparedPair, ceiling: usize) {
    if pair.slices.len() < 2 {
        return;
    }
    let lead = report.measures.first().map_or("", String::as_str);
    page.line(&format!("By category, {}, exploratory:", prose(lead, NAME)));
    page.line("");
    let heads = [
        ("category", Align::Left),
        ("n", Align::Right),
        ("before", Align::Right),
        ("now", Align::Right),
        ("lost", Align::Right),
        ("found", Align::Right),
        ("p, corrected", Align::Right),
    ];
    let value = |value: Option<f64>| value.map(|value| format!("{value:.3}")).unwrap_or_default();
    let rows = pair.slices.iter().map(|row| {
        let slice = &row.slice;
        vec![
            prose(&slice.value, NAME),
            slice.n.to_string(),
            value(slice.before),
            value(slice.now),
            slice.lost.to_string(),
            slice.found.to_string(),
            p_text(row.p_benjamini_hochberg).replace('<', "&lt;"),
        ]
    });
    page.table(&heads, rows, LISTED, ceiling);
}

fn changed(page: &mut Page, pair: &ComparedPair, ceiling: usize) {
    let Some(made_from) = pair.made_from.as_ref().filter(|made_from| !made_from.changed.is_empty()) else {
        return;
    };
    page.line("**Changed**");
    page.line("");
    let side = |text: &Option<String>| {
        text.as_ref().map_or_else(|| "nothing".to_owned(), |text| prose(text, TEXT / 2))
    };
    let changes = made_from.changed.iter().map(|change| {
        format!("- {}: {} &rarr; {}", prose(&change.what, NAME), side(&change.before), side(&change.now))
    });
    let left = page.lines(changes, LISTED, ceiling);
    page.line("");
    page.more(left);
}

/// Who lost, and who only fell, in a list that opens when it is asked for.
fn moved(page: &mut Page, report: &ComparisonReport, pair: &ComparedPair, ceiling: usize) {
    page.line(&format!("In all: {}.", moved_words(pair).join(", ")));
    page.line("");
    let is_lost = |question: &super::ComparedQuestion| left_the_top(&question.moved, pair.cutoff);
    let mut worse: Vec<_> = pair
        .moved
        .iter()
        .filter(|question| question.moved.movement <= Movement::Fell || question.moved.loss > super::SAME)
        .collect();
    worse.sort_by_key(|question| !is_lost(question));
    if worse.is_empty() {
        return;
    }
    let lost = worse.iter().filter(|question| is_lost(question)).count();
    let title = worse_text(lost, worse.len() - lost, pair.cutoff);
    page.line(&format!("<details><summary>{title}</summary>"));
    page.line("");
    let lead = report.measures.first().map_or("", String::as_str);
    let change = format!("change of {}", code(lead, NAME));
    let heads = [
        ("question", Align::Left),
        ("category", Align::Left),
        ("query", Align::Left),
        ("rank before", Align::Right),
        ("rank now", Align::Right),
        (change.as_str(), Align::Right),
        ("in its place now", Align::Left),
    ];
    let rows = worse.iter().map(|question| {
        let moved = &question.moved;
        let stands = match stands(question) {
            "nothing" => "nothing".to_owned(),
            id => code(id, ID),
        };
        vec![
            format!("{}{}", code(&moved.id, ID), if moved.critical { " critical" } else { "" }),
            prose(moved.category.as_deref().unwrap_or_default(), NAME),
            prose(question.query.as_deref().unwrap_or_default(), QUERY),
            rank_text(moved.before),
            rank_text(moved.now),
            change_of_loss(lead, moved.loss),
            stands,
        ]
    });
    page.table(&heads, rows, QUESTIONS, ceiling);
    page.line("</details>");
    page.line("");
}
