//! Text that people read: made safe for a terminal, cut and padded to a width.

use std::borrow::Cow;

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// Text of a corpus or a question on one line: control characters (colours, cursor moves, line ends), and the marks
/// that turn the direction of writing, become blanks or visible signs, so that nothing but letters reaches a
/// terminal.
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.chars().any(|c| c.is_control() || turns_direction(c)) {
        return Cow::Borrowed(text);
    }
    let safe = |c: char| match c {
        '\n' | '\r' | '\t' => ' ',
        c if c.is_control() || turns_direction(c) => '\u{fffd}',
        c => c,
    };
    Cow::Owned(text.chars().map(safe).collect())
}

/// The same over several lines: line ends stay.
pub fn printable_lines(text: &str) -> String {
    text.lines().map(printable).collect::<Vec<_>>().join("\n")
}

fn turns_direction(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// How many columns a text takes.
pub fn width(text: &str) -> usize {
    text.width()
}

/// The text cut to at most so many columns, with `…` where something was cut.
pub fn clip(text: &str, columns: usize) -> Cow<'_, str> {
    if text.width() <= columns {
        return Cow::Borrowed(text);
    }
    let mut used = 1;
    let mut cut = String::new();
    for c in text.chars() {
        used += c.width().unwrap_or(0);
        if used > columns {
            break;
        }
        cut.push(c);
    }
    if columns > 0 {
        cut.truncate(cut.trim_end().len());
        cut.push('…');
    }
    Cow::Owned(cut)
}

/// The text clipped and then filled with blanks to exactly so many columns.
pub fn fit(text: &str, columns: usize) -> String {
    let mut text = clip(text, columns).into_owned();
    text.extend(std::iter::repeat_n(' ', columns.saturating_sub(text.width())));
    text
}

/// The text broken at blanks into lines of at most so many columns.
pub fn wrap(text: &str, columns: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            if !line.is_empty() && line.width() + 1 + word.width() > columns {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn colours_and_direction_marks_do_not_reach_the_terminal() {
        assert_eq!(printable("a\u{1b}[31mred\u{202e}x\n"), "a\u{fffd}[31mred\u{fffd}x ");
        assert_eq!(printable("estação 時間"), "estação 時間");
    }

    proptest! {
        #[test]
        fn fit_is_exact(text in "\\PC*", columns in 0_usize..60) {
            prop_assert_eq!(width(&fit(&text, columns)), columns);
        }
    }
}
