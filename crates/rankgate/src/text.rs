//! Text that people read: made safe for a terminal, cut and padded to a width.

use std::borrow::Cow;
use std::fmt::Write as _;

use unicode_width::UnicodeWidthStr as _;

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
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        || matches!(c, '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

/// JSON text whose strings hold nothing that a terminal obeys: what JSON leaves as it is (C1 controls, marks that turn
/// the direction of writing) is escaped, and reads back as the same text.
pub fn json_for_terminals(json: &str) -> Cow<'_, str> {
    let is_open = |c: char| !c.is_ascii() && acts(c) || c == '\u{7f}';
    if !json.contains(is_open) {
        return Cow::Borrowed(json);
    }
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if is_open(c) {
            let mut units = [0; 2];
            // Writing to a string cannot fail.
            for unit in c.encode_utf16(&mut units) {
                let _ = write!(out, "\\u{unit:04x}");
            }
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
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
    if columns == 0 {
        return Cow::Borrowed("");
    }
    Cow::Owned(format!("{}…", split(text, columns - 1).0.trim_end()))
}

/// Parts a text behind the last character that fits into so many columns.
fn split(text: &str, columns: usize) -> (&str, &str) {
    // The width of a text is not that of its characters: a selector may widen the one before it.
    let ends = text.char_indices().map(|(at, c)| at + c.len_utf8());
    let end = ends.take_while(|end| text[..*end].width() <= columns).last().unwrap_or(0);
    text.split_at(end)
}

/// The text clipped and then filled with blanks to exactly so many columns.
pub fn fit(text: &str, columns: usize) -> String {
    let mut text = clip(text, columns).into_owned();
    text.extend(std::iter::repeat_n(' ', columns.saturating_sub(text.width())));
    text
}

/// The text broken at blanks into lines of at most so many columns; a longer word is broken where the line ends.
pub fn wrap(text: &str, columns: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        let mut used = 0;
        for mut word in paragraph.split_whitespace() {
            let mut wide = word.width();
            if !line.is_empty() && used + 1 + wide > columns {
                lines.push(std::mem::take(&mut line));
                used = 0;
            }
            while line.is_empty() && wide > columns {
                let (head, rest) = split(word, columns);
                if head.is_empty() {
                    break;
                }
                lines.push(head.to_owned());
                wide = wide.saturating_sub(head.width());
                word = rest;
            }
            if !line.is_empty() {
                line.push(' ');
                used += 1;
            }
            line.push_str(word);
            used += wide;
        }
        lines.push(line);
    }
    lines
}

/// So many questions, in words.
pub fn questions(n: usize) -> String {
    if n == 1 { "1 question".into() } else { format!("{n} questions") }
}

/// The first so many of these texts, and how many more there are.
pub fn list_of(texts: &[impl AsRef<str>], most: usize) -> String {
    let shown: Vec<&str> = texts.iter().take(most).map(AsRef::as_ref).collect();
    match texts.len().saturating_sub(most) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// A text as one word of a POSIX shell, in quotes where it needs them.
pub fn shell_word(text: &str) -> Cow<'_, str> {
    let is_plain =
        |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '/' | '=' | ':' | '@' | ',' | '+');
    if !text.is_empty() && text.chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(format!("'{}'", text.replace('\'', r"'\''")))
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

    #[test]
    fn a_word_of_a_shell_is_quoted_where_it_must_be() {
        assert_eq!(shell_word("billing/refunds-1"), "billing/refunds-1");
        assert_eq!(shell_word("it's $5"), r"'it'\''s $5'");
        assert_eq!(shell_word(""), "''");
    }

    #[test]
    fn lines_break_at_blanks_and_inside_what_has_none() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("a 漢字漢字漢字 b", 6), ["a", "漢字漢", "字漢字", "b"]);
        assert_eq!(wrap("abcdefgh ij", 3), ["abc", "def", "gh", "ij"]);
    }

    #[test]
    fn json_reads_back_and_obeys_nothing() {
        let json = serde_json::to_string("a\u{9b}31m\u{202e}b\u{7f}é漢").unwrap();
        let safe = json_for_terminals(&json);
        assert_eq!(safe, "\"a\\u009b31m\\u202eb\\u007fé漢\"");
        assert_eq!(serde_json::from_str::<String>(&safe).unwrap(), "a\u{9b}31m\u{202e}b\u{7f}é漢");
    }

    proptest! {
        #[test]
        fn lines_keep_to_their_columns_and_lose_nothing(text in "(\\PC| ){0,80}", columns in 2_usize..40) {
            let lines = wrap(&text, columns);
            for line in &lines {
                prop_assert!(width(line) <= columns, "{line:?}");
            }
            let solid = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
            prop_assert_eq!(solid(&lines.concat()), solid(&text));
        }

        #[test]
        fn fit_is_exact(text in "\\PC*", columns in 0_usize..60) {
            prop_assert_eq!(width(&fit(&text, columns)), columns);
        }
    }
}
