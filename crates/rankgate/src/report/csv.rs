//! CSV for a spreadsheet: one line a question.

use std::collections::{HashMap, HashSet};

use rankgate_metrics::{Direction, Measure};

use super::{Because, Format, MeasureFacts, QuestionFacts, QuestionStatus, Report};
use crate::compare::{Comparison, Moved, Movement};
use crate::spreadsheet::{Cell, MARK, line};

/// The questions as a table.
#[derive(Debug, Clone, Copy)]
pub struct Csv;

impl Format for Csv {
    fn render(&self, report: &Report) -> String {
        let measures: Vec<&MeasureFacts> =
            report.measures.iter().filter(|facts| facts.because != Because::OtherGain).collect();
        let before = report.comparison.as_ref().map(Before::of);
        let lead = before.as_ref().and_then(|before| before.lead);
        let mut out = String::from(MARK);
        let names = measures.iter().map(|facts| facts.measure.clone());
        let fixed = [
            "id",
            "category",
            "query",
            "status",
            "movement",
            "rank_before",
            "rank_now",
            "needs_met",
            "needs",
            "first_hit",
            "error",
        ];
        let heads = fixed.map(String::from).into_iter().chain(names);
        line(&mut out, heads.chain(lead.map(|lead| format!("{lead} before"))).map(Cell::Text));
        for question in &report.questions {
            let then = before.as_ref().and_then(|before| before.question(question));
            let met = question.expected.iter().filter(|need| need.rank.is_some()).count();
            let fixed = [
                Cell::text(&question.id),
                Cell::text(question.category.as_deref().unwrap_or_default()),
                Cell::text(&question.query),
                Cell::text(status(question)),
                Cell::text(then.as_ref().map_or("", |then| then.movement.as_str())),
                Cell::rank(then.as_ref().and_then(|then| then.rank)),
                Cell::rank(question.best_rank()),
                Cell::Number(met.to_string()),
                Cell::Number(question.expected.len().to_string()),
                Cell::text(question.retrieved.first().map_or("", |hit| &hit.id)),
                Cell::text(question.error.as_deref().unwrap_or_default()),
            ];
            let values =
                measures.iter().map(|facts| Cell::value(question.values.get(&facts.measure).copied()));
            let of_lead = lead.map(|_| Cell::value(then.and_then(|then| then.value)));
            line(&mut out, fixed.into_iter().chain(values).chain(of_lead));
        }
        out
    }
}

/// What the comparison says of single questions.
struct Before<'a> {
    /// The measure that losses are given in.
    lead: Option<&'a str>,
    /// 1 where more of it is better.
    sign: f64,
    moved: HashMap<&'a str, &'a Moved>,
    /// Questions that have no two answers, or may have none.
    apart: HashSet<&'a str>,
    /// Both lists were looked at to the same rank.
    is_same_depth: bool,
}

/// What a question had.
struct Then {
    movement: Movement,
    rank: Option<u32>,
    value: Option<f64>,
}

impl<'a> Before<'a> {
    fn of(comparison: &'a Comparison) -> Self {
        let golden = &comparison.golden;
        let lead = comparison.lead.as_deref();
        let measure: Option<Measure> = lead.and_then(|lead| lead.parse().ok());
        let is_better_lower =
            measure.is_some_and(|measure| measure.definition().direction == Direction::LowerIsBetter);
        Self {
            lead,
            sign: if is_better_lower { -1.0 } else { 1.0 },
            moved: comparison.moved.iter().map(|moved| (moved.id.as_str(), moved)).collect(),
            apart: [&golden.added, &golden.edited, &golden.relabelled, &comparison.unscored]
                .into_iter()
                .flatten()
                .map(String::as_str)
                .collect(),
            is_same_depth: comparison.same.iter().any(|what| what == "depth"),
        }
    }

    /// What moved is listed; what is not listed and has two answers has not moved.
    fn question(&self, question: &QuestionFacts) -> Option<Then> {
        let now = self.lead.and_then(|lead| question.values.get(lead)).copied();
        if let Some(moved) = self.moved.get(question.id.as_str()) {
            let value = now.map(|now| now + self.sign * moved.loss);
            return Some(Then { movement: moved.movement, rank: moved.before, value });
        }
        let has_two = question.quarantine.is_none()
            && question.status != QuestionStatus::Unscored
            && !self.apart.contains(question.id.as_str());
        let rank = question.best_rank().filter(|_| self.is_same_depth);
        has_two.then_some(Then { movement: Movement::Same, rank, value: now })
    }
}

fn status(question: &QuestionFacts) -> &'static str {
    match (&question.quarantine, question.status) {
        (Some(_), _) => "quarantined",
        (None, QuestionStatus::Found) => "found",
        (None, QuestionStatus::Missed) => "missed",
        (None, QuestionStatus::Unanswerable) => "unanswerable",
        (None, QuestionStatus::Unscored) => "unscored",
    }
}
