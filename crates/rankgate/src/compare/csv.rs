//! The questions that moved, as a table for a spreadsheet.

use std::fmt::Write as _;

use super::report::{ComparisonReport, letter};

impl ComparisonReport {
    /// One line a pair and question that moved, the largest loss first.
    pub fn csv(&self) -> String {
        let mut out = String::from(
            "before,now,id,category,critical,movement,rank_before,rank_now,needs_lost,loss,in_its_place,first_now,\
             query\r\n",
        );
        for pair in &self.pairs {
            for question in &pair.moved {
                let moved = &question.moved;
                let rank = |rank: Option<u32>| rank.map(|rank| rank.to_string()).unwrap_or_default();
                // Writing to a string cannot fail.
                let _ = write!(
                    out,
                    "{},{},{},{},{},{},{},{},{},{},{},{},{}\r\n",
                    letter(pair.before),
                    letter(pair.now),
                    cell(&moved.id),
                    cell(moved.category.as_deref().unwrap_or_default()),
                    moved.critical,
                    moved.movement.as_str(),
                    rank(moved.before),
                    rank(moved.now),
                    moved.needs_lost,
                    moved.loss,
                    cell(question.in_its_place.as_deref().unwrap_or_default()),
                    cell(moved.first.as_deref().unwrap_or_default()),
                    cell(question.query.as_deref().unwrap_or_default()),
                );
            }
        }
        out
    }
}

/// A text as one cell that a spreadsheet shows and does not compute.
fn cell(text: &str) -> String {
    let guard = if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { "'" } else { "" };
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{guard}{}\"", text.replace('"', "\"\""))
    } else {
        format!("{guard}{text}")
    }
}
