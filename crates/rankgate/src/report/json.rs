//! The JSON form: the report as it is. Every other format can be made again from it.

use super::{Format, Report};
use crate::text::json_for_terminals;

/// Pretty-printed JSON with a final line end.
#[derive(Debug, Clone, Copy)]
pub struct Json;

impl Format for Json {
    fn render(&self, report: &Report) -> String {
        // Maps have text keys and floats are finite, so nothing can fail; an empty file would be noticed.
        let json = serde_json::to_string_pretty(report).unwrap_or_default();
        let mut text = json_for_terminals(&json).into_owned();
        text.push('\n');
        text
    }
}
