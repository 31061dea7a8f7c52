//! Two answers to the same questions, side by side.
//!
//! [`Pair`]s go in, joined by the ids of the questions and never by the order of lines; a [`Comparison`] comes out:
//! how far each mean moved and how sure that is, where evidence went, and what else is different. It judges nothing:
//! the gate does, from the same pairs.
//!
//! `compare`, the verb, puts files in the place of a run and its baseline: [`Side`] reads one, `meet` joins two,
//! [`ComparisonReport`] is the value that its screen and its files are made from.

mod changed;
mod csv;
mod markdown;
mod meet;
mod movement;
mod report;
mod screen;
mod side;
mod unjudged;

use rankgate_metrics::stats::{Alternative, Estimate, Test, sign_flip, standard_deviation, usual_interval};
use rankgate_metrics::{Measure, Outcome};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use changed::{Change, changes};
pub(crate) use movement::needs_lost;
pub use movement::{Moved, Movement, MovementCounts, SliceChange, Want};
pub use report::{
    ComparedMeasure, ComparedPair, ComparedQuestion, ComparedSlice, ComparisonReport, FORMAT_VERSION,
    InputFacts, LabelFacts, MadeFrom, compare, default_measures, schema,
};
pub use screen::Screen;
pub use side::{Answer, Kind, Labels, Side, pair_by_hash};
pub use unjudged::{Effect, IfRelevant, SideJudged, Unjudged, unjudged_table};

use crate::baseline::{Accepted, GoldenChanges};
use crate::report::Note;
use crate::text::{list_of, questions};

/// Draws of a sampled test: p is known to about half a per cent where it matters.
pub const DRAWS: u32 = 10_000;
/// The seed of everything that is drawn, unless a rule gives one.
pub const SEED: u64 = 42;
/// The confidence of every interval.
pub const CONFIDENCE: f64 = 0.95;

/// One question with its two answers.
#[derive(Debug, Clone, Copy)]
pub struct Pair<'a> {
    /// Its id.
    pub id: &'a str,
    /// Its category.
    pub category: Option<&'a str>,
    /// Whether its evidence must stand near the top.
    pub critical: bool,
    /// What it had got.
    pub before: &'a Outcome,
    /// What it gets.
    pub now: &'a Outcome,
    /// What stands in the first place now.
    pub first: Option<&'a str>,
}

impl Pair<'_> {
    /// Both values of a measure, where it applies to both answers.
    pub fn values(&self, measure: &Measure) -> Option<(f64, f64)> {
        measure.value(self.before).zip(measure.value(self.now))
    }
}

/// Everything that is different between the baseline and this run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Comparison {
    /// What the run is compared with.
    pub with: ComparedWith,
    /// How many questions have two answers.
    pub questions: usize,
    /// Questions that have only one answer because the retriever failed, then or now.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unscored: Vec<String>,
    /// Questions that were judged now and have no accepted answer to compare with, for whatever reason. Sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
    /// How the golden set differs.
    pub golden: GoldenChanges,
    /// The means, in the order of the report.
    pub measures: Vec<MeasureChange>,
    /// The measure that losses are sorted by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lead: Option<String>,
    /// Evidence is lost when it leaves the first so many ranks.
    pub cutoff: u32,
    /// How many questions moved in which way.
    pub counts: MovementCounts,
    /// By category, the one that lost most first.
    pub slices: Vec<SliceChange>,
    /// Every question whose evidence moved or whose first measure changed, the largest loss first.
    pub moved: Vec<Moved>,
    /// What else is different: corpus, retriever, keys of the configuration.
    pub changed: Vec<Change>,
    /// What is the same.
    pub same: Vec<String>,
}

impl Comparison {
    /// What a reader should know of the questions that have no two answers.
    pub fn notes(&self) -> Vec<Note> {
        const NAMED: usize = 10;
        let golden = &self.golden;
        let mut notes = Vec::new();
        let mut say = |code: &str, text: String| notes.push(Note { code: code.into(), text });
        if golden.any() {
            say(
                "golden_changed",
                format!("the golden set has changed since it was accepted: {}.", golden.words().join("; ")),
            );
        }
        if !golden.unreadable.is_empty() {
            let (what, gone) = if self.with.hashed_ids {
                ("labels", "ids are hashed")
            } else {
                ("quotes", "texts are gone")
            };
            say(
                "unreadable",
                format!(
                    "the new {what} of {} cannot be looked for in the old lists, whose {gone}: {}.",
                    questions(golden.unreadable.len()),
                    list_of(&golden.unreadable, NAMED)
                ),
            );
        }
        if !golden.vanished.is_empty() {
            say(
                "vanished",
                format!(
                    "{} want other evidence than was accepted, and their old lists have none of it: they count as not \
                     found before, which may hide a loss of others. Where only ids were renamed, accept again: {}.",
                    questions(golden.vanished.len()),
                    list_of(&golden.vanished, NAMED)
                ),
            );
        }
        if !self.unscored.is_empty() {
            say(
                "unscored",
                format!(
                    "{} compared without: the retriever failed on them, then or now: {}.",
                    questions(self.unscored.len()),
                    list_of(&self.unscored, NAMED)
                ),
            );
        }
        notes
    }
}

/// What a run is compared with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ComparedWith {
    /// The file.
    pub path: String,
    /// The commit it was read from, where it is not the file as it lies there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<String>,
    /// Whether the working tree holds another one than that commit.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub edited_here: bool,
    /// Who accepted it, and why.
    pub accepted: Accepted,
    /// Whether its ids are hashed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hashed_ids: bool,
}

/// One measure on both sides, over the questions that have both.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MeasureChange {
    /// Its canonical name.
    pub measure: String,
    /// The mean before.
    pub before: f64,
    /// The mean now.
    pub now: f64,
    /// Now minus before, question by question.
    pub change: Estimate,
    /// The standard deviation of these differences.
    pub spread: f64,
    /// Questions that got better.
    pub wins: usize,
    /// Questions that stayed.
    pub ties: usize,
    /// Questions that got worse.
    pub losses: usize,
    /// Whether the change is more than chance, in either direction.
    pub test: Test,
}

/// Values closer than this are equal.
const SAME: f64 = 1e-9;

impl MeasureChange {
    /// One measure over the pairs it applies to; `None` where there is none.
    pub fn of(measure: &Measure, pairs: &[Pair<'_>]) -> Option<Self> {
        let values: Vec<(f64, f64)> = pairs.iter().filter_map(|pair| pair.values(measure)).collect();
        let differences: Vec<f64> = values.iter().map(|(before, now)| now - before).collect();
        let change = usual_interval(&differences, CONFIDENCE, SEED)?;
        let losses = values.iter().map(|(before, now)| measure.loss(*before, *now));
        let count = |test: fn(f64) -> bool| losses.clone().filter(|loss| test(*loss)).count();
        let mean =
            |side: &dyn Fn(&(f64, f64)) -> f64| values.iter().map(side).sum::<f64>() / values.len() as f64;
        Some(Self {
            measure: measure.to_string(),
            before: mean(&|(before, _)| *before),
            now: mean(&|(_, now)| *now),
            change,
            spread: standard_deviation(&differences)?,
            wins: count(|loss| loss < -SAME),
            ties: count(|loss| loss.abs() <= SAME),
            losses: count(|loss| loss > SAME),
            test: sign_flip(&differences, Alternative::TwoSided, DRAWS, SEED),
        })
    }
}
