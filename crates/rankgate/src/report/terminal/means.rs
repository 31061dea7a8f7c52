//! The means: over all questions, and by category.

use std::fmt::Write as _;

use super::rules::NAME;
use super::{COLUMNS, Page, line};
use crate::compare::Comparison;
use crate::report::figures::{INTERVAL, change_text, interval_text};
use crate::report::{Because, MeasureFacts, Report, SliceFacts};
use crate::text::{fit, printable, width};

/// The columns of a measure: those of a rule and its word.
const MEASURE: usize = NAME + 7;

impl Page {
    pub(super) fn measures(&mut self, measures: &[&MeasureFacts]) {
        line!(self, "{}{:>40}{:>7}", self.heading("MEASURES"), "mean", "n");
        for facts in measures {
            let mean = facts.mean.map_or("-".to_owned(), |mean| format!("{mean:.3}"));
            let why = match facts.because {
                Because::Reported => "",
                Because::Gated => "gated only",
                Because::OtherGain => "the other gain",
            };
            line!(self, "{}{mean:>8}{:>7}  {why}", fit(&facts.measure, 40), facts.n);
        }
        self.out.push('\n');
    }

    /// The means on both sides, over the questions that have two answers; the means where no question changed.
    pub(super) fn measure_changes(&mut self, measures: &[&MeasureFacts], comparison: &Comparison) {
        if comparison.measures.iter().all(|change| change.wins + change.losses == 0) {
            return self.measures(measures);
        }
        line!(
            self,
            "{}{:>33}{:>7}{:>8}  {:INTERVAL$}{:>6}",
            self.heading("MEASURES"),
            "base",
            "now",
            "change",
            "95 % interval",
            "n"
        );
        for facts in measures {
            let name = fit(&facts.measure, MEASURE);
            let known = comparison.measures.iter().find(|change| change.measure == facts.measure);
            if let Some(change) = known {
                let interval = interval_text(&change.change);
                line!(
                    self,
                    "{name}{:>7.3}{:>7.3}{:>8}  {interval:INTERVAL$}{:>6}",
                    change.before,
                    change.now,
                    change_text(change.now - change.before, None),
                    change.change.n
                );
            } else {
                let mean = facts.mean.map_or("-".to_owned(), |mean| format!("{mean:.3}"));
                line!(self, "{name}{:>7}{mean:>7}", "");
            }
        }
        self.out.push('\n');
    }

    pub(super) fn slices(&mut self, report: &Report) {
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
}
