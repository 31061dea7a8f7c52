//! CSV that a spreadsheet shows and does not calculate.
//!
//! Quotes and line ends follow RFC 4180, and the mark in front says UTF-8, which Excel needs to be told. A text that a
//! spreadsheet would calculate is kept a text by an apostrophe in front. Line ends inside a text become blanks, so that
//! a line is a row in every tool.

use crate::text::printable;

/// What tells Excel that a file is UTF-8; it stands in front.
pub(crate) const MARK: char = '\u{feff}';

/// One cell.
pub(crate) enum Cell {
    /// A text, whatever is in it.
    Text(String),
    /// A number, or nothing.
    Number(String),
}

impl Cell {
    /// A text.
    pub(crate) fn text(text: &str) -> Self {
        Self::Text(text.to_owned())
    }

    /// A rank, if there is one.
    pub(crate) fn rank(rank: Option<u32>) -> Self {
        Self::Number(rank.map(|rank| rank.to_string()).unwrap_or_default())
    }

    /// A value of a measure, if there is one.
    pub(crate) fn value(value: Option<f64>) -> Self {
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

/// Writes one line.
pub(crate) fn line(out: &mut String, cells: impl Iterator<Item = Cell>) {
    for (index, cell) in cells.enumerate() {
        if index > 0 {
            out.push(',');
        }
        out.push_str(&cell.written());
    }
    out.push_str("\r\n");
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
