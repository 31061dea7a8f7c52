//! Text that people read: made safe for a terminal, cut and padded to a width.

use std::borrow::Cow;

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// Text from anywhere as one line that a terminal shows and does not obey, and that XML can hold: white space becomes
/// blanks; control characters, those that turn the direction of writing, and code points that are no characters become
/// visible.
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.contains(acts) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\t' | '\n' | '\r' => out.push(' '),
            c if acts(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// The same over several lines: line ends stay.
pub fn printable_lines(text: &str) -> String {
    text.lines().map(printable).collect::<Vec<_>>().join("\n")
}

/// Whether a terminal acts on a character instead of showing it, or has nothing to show. XML allows no U+FFFE and no
/// U+FFFF.
fn acts(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        || matches!(c, '\u{feff}' | '\u{fffe}' | '\u{ffff}')
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
    fn text_is_shown_and_not_obeyed() {
        assert!(matches!(printable("plain, é, 漢字, שלום"), Cow::Borrowed(_)));
        assert_eq!(printable("a\u{1b}[31mred\u{7}"), "a\\u{1b}[31mred\\u{7}");
        assert_eq!(printable("no \u{fffe}\u{ffff} but \u{fffd}"), "no \\u{fffe}\\u{ffff} but \u{fffd}");
        assert_eq!(printable("two\r\nlines\tand a tab"), "two  lines and a tab");
        assert_eq!(printable("\u{202e}evil\u{9b}1m"), "\\u{202e}evil\\u{9b}1m");
    }

    proptest! {
        #[test]
        fn fit_is_exact(text in "\\PC*", columns in 0_usize..60) {
            prop_assert_eq!(width(&fit(&text, columns)), columns);
        }
    }
}
