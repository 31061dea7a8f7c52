//! What is different from the baseline: which questions lost their evidence, in which category, and what else changed.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use super::{COLUMNS, ID, LISTED, Page, column, line, most_of};
use crate::compare::{Comparison, Moved, SliceChange};
use crate::gate::Outcome;
use crate::report::figures::{lost_from_top, lost_text, movements, rank_text, worsening};
use crate::report::{Fault, QuestionFacts, Report};
use crate::text::{clip, fit, printable, questions, width, wrap};

/// Those of a run that passed: what moved within noise.
const LISTED_IN_PASSING: usize = 3;
/// Categories that are listed.
const SLICES: usize = 12;
/// Smaller changes are none.
const SAME: f64 = 1e-9;

/// What happened to the evidence, in one or two sentences that name where it happened.
pub(super) fn sentences(report: &Report, comparison: &Comparison) -> Vec<String> {
    let cutoff = comparison.cutoff;
    let lost = lost_from_top(comparison);
    let mut said = Vec::new();
    match lost.as_slice() {
        _ if comparison.questions == 0 => said.push("no question has two answers to compare".to_owned()),
        [] => {
            let moved = movements(&comparison.counts);
            let moved = if moved.is_empty() { "none moved".to_owned() } else { moved.join(", ") };
            said.push(format!("no question lost its evidence from the top {cutoff}; {moved}"));
            said.extend(fell_most_in(comparison));
        }
        [one] => {
            let category = one.category.as_deref().map(|name| format!(" ({name})")).unwrap_or_default();
            said.push(format!("{}: {}{category}", lost_text(1, "question", cutoff), one.id));
        }
        lost => said.push(format!(
            "{}{}",
            lost_text(lost.len(), "question", cutoff),
            most_of(lost.iter().filter_map(|moved| moved.category.as_deref()), lost.len())
        )),
    }
    said.extend(without_sentence(&without(report, comparison), cutoff, lost.is_empty()));
    said
}

/// How many questions are without evidence beside those that lost it, and since when.
fn without_sentence(without: &[(&QuestionFacts, Since)], cutoff: u32, none_lost: bool) -> Option<String> {
    let all = without.len();
    let have = if all == 1 { "has" } else { "have" };
    let count = |since: Since| without.iter().filter(|(_, of)| *of == since).count();
    let kinds: Vec<String> = [Since::New, Since::NotCompared, Since::Before]
        .into_iter()
        .filter_map(|since| match (count(since), since) {
            (0, _) => None,
            (1, Since::New) => Some("1 is new".to_owned()),
            (n, Since::New) => Some(format!("{n} are new")),
            (n, Since::NotCompared) => Some(format!("{n} not compared")),
            (n, Since::Before) => Some(format!("{n} as before")),
        })
        .collect();
    Some(match (all, count(Since::Before) == all) {
        (0, _) => return None,
        (_, true) if none_lost => {
            format!("{} {have} no evidence in the top {cutoff}, as before", questions(all))
        }
        (_, true) => format!("{all} more had none there before and {have} none now"),
        (_, false) if none_lost => {
            format!("{} {have} no evidence in the top {cutoff}: {}", questions(all), kinds.join(", "))
        }
        (_, false) => format!("{all} more {have} none there: {}", kinds.join(", ")),
    })
}

/// Where the measure that losses are sorted by fell furthest.
fn fell_most_in(comparison: &Comparison) -> Option<String> {
    let lead = comparison.lead.as_deref()?;
    let worst = comparison.slices.first().filter(|_| comparison.slices.len() > 1)?;
    let (before, now) = worst.before.zip(worst.now)?;
    (lead_fell(comparison) && worsening(lead, before, now) > SAME).then(|| {
        format!("{lead} got worse most in {}: {before:.3} -> {now:.3}", clip(&printable(&worst.value), 40))
    })
}

/// Whether the measure that losses are sorted by got worse.
fn lead_fell(comparison: &Comparison) -> bool {
    let lead = comparison.lead.as_deref();
    let changed = comparison.measures.iter().find(|change| Some(change.measure.as_str()) == lead);
    changed.is_some_and(|change| worsening(&change.measure, change.before, change.now) > SAME)
}

/// Since when a question has no evidence in the top.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Since {
    /// It is in no older set.
    New,
    /// Nothing is known of before.
    NotCompared,
    /// It had none before.
    Before,
}

impl Since {
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::New => "new question",
            Self::NotCompared => "not compared",
            Self::Before => "as before",
        }
    }
}

fn ids(ids: &[String]) -> HashSet<&str> {
    ids.iter().map(String::as_str).collect()
}

/// Questions that have no evidence in the top and did not lose it just now, the most urgent first.
pub(super) fn without<'r>(report: &'r Report, comparison: &Comparison) -> Vec<(&'r QuestionFacts, Since)> {
    let (added, left_out) = (ids(&comparison.golden.added), ids(&comparison.left_out));
    let lost: HashSet<&str> = lost_from_top(comparison).iter().map(|moved| moved.id.as_str()).collect();
    report
        .missed()
        .into_iter()
        .filter(|question| question.faults.contains(&Fault::NoEvidence))
        .filter(|question| !lost.contains(question.id.as_str()))
        .map(|question| {
            let since = if added.contains(question.id.as_str()) {
                Since::New
            } else if left_out.contains(question.id.as_str()) {
                Since::NotCompared
            } else {
                Since::Before
            };
            (question, since)
        })
        .collect()
}

impl Page {
    /// The categories, the one that lost most first; nothing where nothing moved.
    pub(super) fn slice_changes(&mut self, comparison: &Comparison) {
        let slices = &comparison.slices;
        let lead = comparison.lead.as_deref().unwrap_or_default();
        let fell = |slice: &SliceChange| {
            slice.before.zip(slice.now).map_or(0.0, |(before, now)| worsening(lead, before, now))
        };
        let moved = |slice: &SliceChange| slice.lost + slice.found > 0 || fell(slice).abs() > SAME;
        if slices.len() < 2 || !slices.iter().any(moved) {
            return;
        }
        let name = slices.iter().map(|slice| width(&printable(&slice.value))).max().unwrap_or(0).clamp(8, 20);
        let head = format!("{} base", clip(lead, 18));
        let base = width(&head) + 2;
        line!(
            self,
            "{}{:>5}{head:>base$}{:>7}{:>6}{:>7}",
            self.heading(&fit("CATEGORY", name)),
            "n",
            "now",
            "lost",
            "found"
        );
        let value = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.3}"));
        for (index, slice) in slices.iter().take(SLICES).enumerate() {
            let is_worst = index == 0 && (slice.lost > slice.found || fell(slice) > SAME);
            line!(
                self,
                "{}{:>5}{:>base$}{:>7}{:>6}{:>7}{}",
                fit(&printable(&slice.value), name),
                slice.n,
                value(slice.before),
                value(slice.now),
                slice.lost,
                slice.found,
                if is_worst { "  <- worst" } else { "" }
            );
        }
        if slices.len() > SLICES {
            let rest = slices.iter().skip(SLICES);
            let lost: usize = rest.map(|slice| slice.lost).sum();
            line!(self, "... {} more, which lost {lost}", slices.len() - SLICES);
        }
        self.out.push('\n');
    }

    /// The questions that lost their evidence from the top; where none did, those that fell furthest.
    pub(super) fn lost(&mut self, report: &Report, comparison: &Comparison, json: Option<&str>) {
        let lost = lost_from_top(comparison);
        let passed = matches!(report.verdict.outcome, Outcome::Passed | Outcome::NothingGated);
        let most = if passed { LISTED_IN_PASSING } else { LISTED };
        if !lost.is_empty() {
            self.moved(report, &lost, &format!("LOST FROM THE TOP {}", comparison.cutoff), most, json);
            let stayed = comparison.counts.same;
            let mut also = movements(&comparison.counts);
            if stayed > 0 {
                also.push(format!("{stayed} same"));
            }
            let more = match lost.len().saturating_sub(most) {
                0 => String::new(),
                more => format!("... {more} more   "),
            };
            if !also.is_empty() {
                line!(self, "  {more}also: {}", also.join(", "));
            } else if !more.is_empty() {
                line!(self, "  {}", more.trim_end());
            }
            self.out.push('\n');
        } else if lead_fell(comparison) {
            let fell: Vec<&Moved> = comparison.moved.iter().filter(|moved| moved.loss > SAME).collect();
            let lead = comparison.lead.as_deref().unwrap_or_default();
            self.moved(report, &fell, &format!("FELL MOST IN {}", clip(lead, 28)), most, json);
            if fell.len() > most {
                line!(self, "  ... {} more", fell.len() - most);
            }
            self.out.push('\n');
        }
    }

    fn moved(&mut self, report: &Report, moved: &[&Moved], title: &str, most: usize, json: Option<&str>) {
        let mut legend = Vec::new();
        if moved.iter().any(|moved| moved.critical) {
            legend.push("! = critical".to_owned());
        }
        if let Some(json) = json.filter(|_| moved.len() > most) {
            legend.push(format!("all {} in {}", moved.len(), clip(&printable(json), 20)));
        }
        let legend = if legend.is_empty() { String::new() } else { format!("  ({})", legend.join("; ")) };
        let shown = "now in 1st place";
        let gap = 61_usize.saturating_sub(width(title) + width(&legend)).max(2);
        line!(self, "{}{legend}{:gap$}{shown}", self.heading(title), "");
        let by_id: HashMap<&str, &QuestionFacts> =
            report.questions.iter().map(|question| (question.id.as_str(), question)).collect();
        let moved: Vec<&Moved> = moved.iter().take(most).copied().collect();
        let id = column(&moved, 4, ID, |moved| moved.id.as_str());
        let category = column(&moved, 0, 12, |moved| moved.category.as_deref().unwrap_or(""));
        for moved in moved {
            let left = format!(
                "{} {}  {}{}{:>4} -> {:<4}  ",
                if moved.critical { "!" } else { " " },
                fit(&printable(&moved.id), id),
                fit(&printable(moved.category.as_deref().unwrap_or("")), category),
                if category > 0 { " " } else { "" },
                rank_text(moved.before),
                rank_text(moved.now),
            );
            let query = by_id.get(moved.id.as_str()).map_or("", |question| question.query.as_str());
            let query = fit(&printable(query), 60_usize.saturating_sub(width(&left)));
            let first = moved.first.as_deref().unwrap_or("nothing");
            line!(self, "{left}{query} {}", clip(&printable(first), 19));
        }
    }

    /// What else differs from the accepted state.
    pub(super) fn changed(&mut self, comparison: &Comparison) {
        const MOST: usize = 160;
        let about = accepted(comparison);
        let title = "CHANGED SINCE BASELINE";
        let about = clip(&printable(&about), COLUMNS - title.len() - 2).into_owned();
        line!(self, "{}  {about}", self.heading(title));
        let mut rows: Vec<(String, String)> = Vec::new();
        for change in &comparison.changed {
            let side = |text: &Option<String>| {
                text.as_ref().map_or("none".into(), |text| clip(&printable(text), MOST).into_owned())
            };
            let text = format!("{} -> {}", side(&change.before), side(&change.now));
            rows.push((printable(&change.what).into_owned(), text));
        }
        let same = comparison.same.join(", ");
        if rows.is_empty() {
            rows.push(("nothing".to_owned(), format!("the same: {same}")));
        } else if !same.is_empty() {
            rows.push(("same".to_owned(), same));
        }
        let name = rows.iter().map(|(what, _)| width(what)).max().unwrap_or(0).clamp(9, 28);
        for (what, text) in &rows {
            let mut lines = wrap(text, COLUMNS - name - 4).into_iter();
            line!(self, "  {}  {}", fit(what, name), lines.next().unwrap_or_default());
            for text in lines {
                line!(self, "  {:name$}  {text}", "");
            }
        }
        self.out.push('\n');
    }
}

/// Where, by whom and why the baseline was accepted, as far as that is known.
fn accepted(comparison: &Comparison) -> String {
    const NAME: usize = 20;
    let of = &comparison.with.accepted;
    let short = |commit: &String| commit.chars().take(8).collect::<String>();
    let mut about = String::new();
    if let Some(commit) = &of.commit {
        // Writing to a string cannot fail.
        let _ = write!(about, " at {}", short(commit));
    }
    if let Some(by) = &of.by {
        let _ = write!(about, " by {}", clip(by, NAME));
    }
    if let Some(reason) = &of.reason {
        let _ = write!(about, ": \"{reason}\"");
    }
    match (about.is_empty(), &comparison.with.revision) {
        (false, _) => format!("accepted{about}"),
        (true, Some(revision)) => format!("read at {}", short(revision)),
        (true, None) => about,
    }
}

/// What a new baseline changes, beside the means: `accept` says it of the one it replaces.
pub(super) fn replaced(comparison: &Comparison) -> String {
    let lost = lost_from_top(comparison);
    let mut parts = vec![format!("{} lost from the top {}", lost.len(), comparison.cutoff)];
    parts.extend(movements(&comparison.counts));
    parts.push(format!("{} same", comparison.counts.same));
    let which = most_of(lost.iter().filter_map(|moved| moved.category.as_deref()), lost.len());
    format!("since the one before: {}{which}", parts.join(", "))
}
