//! CSV for a spreadsheet: one line a question.
//!
//! Quotes and line ends follow RFC 4180, and the mark in front says UTF-8, which Excel needs to be told. A text that a
//! spreadsheet would calculate is kept a text by an apostrophe in front. Line ends inside a text become blanks, so that
//! a line is a question in every tool.

use std::collections::{HashMap, HashSet};

use rankgate_metrics::{Direction, Measure};

use super::{Because, Format, MeasureFacts, QuestionFacts, QuestionStatus, Report};
use crate::compare::{Comparison, Moved, Movement};
use crate::text::printable;

/// The questions as a table.
#[derive(Debug, Clone, Copy)]
pub struct Csv;

/// What tells Excel that a file is UTF-8.
const MARK: char = '\u{feff}';

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
                Cell::text(then.as_ref().map_or("", |then| movement(then.movement))),
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

enum Cell {
    Text(String),
    Number(String),
}

impl Cell {
    fn text(text: &str) -> Self {
        Self::Text(text.to_owned())
    }

    fn rank(rank: Option<u32>) -> Self {
        Self::Number(rank.map(|rank| rank.to_string()).unwrap_or_default())
    }

    fn value(value: Option<f64>) -> Self {
        // What is left of a subtraction is no digit of a measure.
        let digits = |value: f64| ((value * 1e9).round() / 1e9).to_string();
        Self::Number(value.map(digits).unwrap_or_default())
    }

    fn written(self) -> String {
        let text = match self {
            Self::Number(number) => return number,
            Self::Text(text) => safe(&text),
        };
        if text.contains(['"', ',', ';', '\'', ' ']) {
            format!("\"{}\"", text.replace('"', "\"\""))
        } else {
            text
        }
    }
}

/// What makes a cell a formula, or is skipped before one; the wide forms are read like the narrow ones in some
/// languages.
const STARTS: [char; 11] =
    ['=', '+', '-', '@', '\t', '\r', '\n', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}'];

/// A text that no spreadsheet calculates, on one line.
fn safe(text: &str) -> String {
    let starts_formula = text.starts_with(STARTS) && !is_number(text);
    let line = printable(text);
    if starts_formula { format!("'{line}") } else { line.into_owned() }
}

/// Whether a text is a plain number, which may have a sign.
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (whole, rest) = digits.split_once('.').unwrap_or((digits, "0"));
    [whole, rest].iter().all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
}

fn line(out: &mut String, cells: impl Iterator<Item = Cell>) {
    for (index, cell) in cells.enumerate() {
        if index > 0 {
            out.push(',');
        }
        out.push_str(&cell.written());
    }
    out.push_str("\r\n");
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

fn movement(movement: Movement) -> &'static str {
    match movement {
        Movement::Gone => "gone",
        Movement::Lost => "lost",
        Movement::Fell => "fell",
        Movement::Same => "same",
        Movement::Rose => "rose",
        Movement::Found => "found",
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn written(text: &str) -> String {
        Cell::text(text).written()
    }

    #[test]
    fn a_text_is_never_calculated() {
        for text in ["=1+1", "+1+1", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "--1", "-", "+1e5x"] {
            let cell = written(text);
            assert!(cell.trim_start_matches('"').starts_with('\''), "{text:?} is {cell}");
        }
        assert_eq!(written("-5"), "-5");
        assert_eq!(written("+1.50"), "+1.50");
        assert_eq!(written("=a,b"), "\"'=a,b\"");
        assert_eq!(written("say \"no\""), "\"say \"\"no\"\"\"");
        assert_eq!(written("two\nlines"), "\"two lines\"");
        assert_eq!(written("faq#3"), "faq#3");
    }

    /// The fields of one line by RFC 4180.
    fn fields(line: &str) -> Vec<String> {
        let mut fields = vec![String::new()];
        let mut chars = line.chars().peekable();
        let mut is_quoted = false;
        while let Some(c) = chars.next() {
            let field = fields.last_mut().unwrap();
            match c {
                '"' if is_quoted && chars.peek() == Some(&'"') => {
                    field.push('"');
                    chars.next();
                }
                '"' => is_quoted = !is_quoted,
                ',' if !is_quoted => fields.push(String::new()),
                c => field.push(c),
            }
        }
        fields
    }

    proptest! {
        #[test]
        fn any_text_is_one_field_of_one_line(texts in prop::collection::vec(any::<String>(), 1..6)) {
            let mut out = String::new();
            line(&mut out, texts.iter().map(|text| Cell::text(text)));
            let body = out.strip_suffix("\r\n").unwrap();
            prop_assert!(!body.contains(['\r', '\n']));
            let read = fields(body);
            prop_assert_eq!(read.len(), texts.len());
            for (read, text) in read.iter().zip(&texts) {
                prop_assert!(is_number(read) || !read.starts_with(['=', '+', '-', '@', '\t', '\r']));
                let line = printable(text).into_owned();
                prop_assert_eq!(read.strip_prefix('\'').unwrap_or(read), line.strip_prefix('\'').unwrap_or(&line));
            }
        }
    }
}
