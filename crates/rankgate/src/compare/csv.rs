//! The questions that moved, as a table for a spreadsheet.

use super::report::{ComparisonReport, letter};
use crate::spreadsheet::{Cell, MARK, line};

/// The columns.
const HEADS: [&str; 13] = [
    "before",
    "now",
    "id",
    "category",
    "critical",
    "movement",
    "rank_before",
    "rank_now",
    "needs_lost",
    "loss",
    "in_its_place",
    "first_now",
    "query",
];

impl ComparisonReport {
    /// One line a pair and question that moved, the largest loss first.
    pub fn csv(&self) -> String {
        let mut out = String::from(MARK);
        line(&mut out, HEADS.into_iter().map(Cell::text));
        for pair in &self.pairs {
            for question in &pair.moved {
                let moved = &question.moved;
                let text = |text: &Option<String>| Cell::text(text.as_deref().unwrap_or_default());
                let cells = [
                    Cell::Text(letter(pair.before)),
                    Cell::Text(letter(pair.now)),
                    Cell::text(&moved.id),
                    text(&moved.category),
                    Cell::Text(moved.critical.to_string()),
                    Cell::text(moved.movement.as_str()),
                    Cell::rank(moved.before),
                    Cell::rank(moved.now),
                    Cell::Number(moved.needs_lost.to_string()),
                    Cell::value(Some(moved.loss)),
                    text(&question.in_its_place),
                    text(&moved.first),
                    text(&question.query),
                ];
                line(&mut out, cells.into_iter());
            }
        }
        out
    }
}
