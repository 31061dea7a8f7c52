//! Text from anywhere inside Markdown: shown as it is, and nothing in it works.
//!
//! Every ASCII character that could mean something to Markdown, HTML or a table is written as a numeric entity. The
//! sites look for mentions, references and addresses in what has been rendered, where an entity is the character
//! again, but not inside of `<code>`. So ids stand in `<code>`, where they can be copied, and prose has a character of
//! no width behind whatever starts a reference.

use std::fmt::Write as _;

use crate::text::{clip, printable};

/// A character that is not seen, and that no reference may hold.
const NO_WIDTH: &str = "&#8203;";

/// A text as prose, cut to so many columns.
pub(crate) fn prose(text: &str, columns: usize) -> String {
    let text = printable(text);
    let mut out = String::new();
    let mut chars = clip(&text, columns).trim().chars().collect::<Vec<_>>().into_iter().peekable();
    let mut word = String::new();
    while let Some(c) = chars.next() {
        push(&mut out, c);
        if c.is_alphanumeric() {
            word.push(c.to_ascii_lowercase());
        }
        let starts = match c {
            '@' | '#' | '!' | '~' | '%' | '$' | '&' | '^' | ':' | '*' | '[' => true,
            // `GH-12` and `www.example.org` are links.
            '-' => word == "gh",
            '.' => word == "www",
            _ => false,
        };
        if starts && chars.peek().is_some_and(|next| !next.is_whitespace()) {
            out.push_str(NO_WIDTH);
        }
        if !c.is_alphanumeric() {
            word.clear();
        }
    }
    out
}

/// A text that is copied, such as an id, cut to so many columns.
pub(crate) fn code(text: &str, columns: usize) -> String {
    let text = printable(text);
    let mut out = String::new();
    clip(&text, columns).trim().chars().for_each(|c| push(&mut out, c));
    if out.is_empty() { out } else { format!("<code>{out}</code>") }
}

fn push(out: &mut String, c: char) {
    if c.is_ascii_punctuation() && c != ',' {
        // Writing to a string cannot fail.
        let _ = write!(out, "&#{};", u32::from(c));
    } else {
        out.push(c);
    }
}

/// The first line of a report, which is not shown: by it a later run finds the comment of the same suite again.
pub fn marker(name: &str) -> String {
    let mut safe = String::new();
    for c in clip(&printable(name), 100).chars() {
        if c.is_alphanumeric() || matches!(c, ' ' | '.' | '_' | '/') || (c == '-' && !safe.ends_with('-')) {
            safe.push(c);
        } else {
            for byte in c.to_string().bytes() {
                let _ = write!(safe, "%{byte:02X}");
            }
        }
    }
    format!("<!-- rankgate: {} -->", safe.trim())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_works_elsewhere_is_text_here() {
        assert_eq!(prose("@octocat fixed #12", 99), "&#64;&#8203;octocat fixed &#35;&#8203;12");
        assert_eq!(prose("a|b `c` <b>", 99), "a&#124;b &#96;c&#96; &#60;b&#62;");
        assert_eq!(prose("see GH-7, www.a.org", 99), "see GH&#45;&#8203;7, www&#46;&#8203;a&#46;org");
        assert_eq!(prose("http://x", 99), "http&#58;&#8203;&#47;&#47;x");
        assert_eq!(prose("two\nlines", 99), "two lines");
        assert_eq!(code("faq.md#3", 99), "<code>faq&#46;md&#35;3</code>");
        assert_eq!(code("", 99), "");
    }

    #[test]
    fn the_marker_is_one_comment() {
        assert_eq!(marker("help-center"), "<!-- rankgate: help-center -->");
        assert_eq!(marker("a --> <b>"), "<!-- rankgate: a -%2D%3E %3Cb%3E -->");
        assert_eq!(marker("x\ny"), "<!-- rankgate: x y -->");
    }

    proptest! {
        #[test]
        fn no_special_is_left(text in any::<String>()) {
            for written in [prose(&text, 200), code(&text, 200).replace("<code>", "").replace("</code>", "")] {
                let entities = written.replace("&#", "").replace(';', "");
                prop_assert!(!entities.contains(|c: char| c.is_ascii_punctuation() && c != ','), "{}", written);
                prop_assert!(!written.contains(char::is_control));
            }
        }

        #[test]
        fn a_marker_ends_where_it_ends(name in any::<String>()) {
            let marker = marker(&name);
            let inner = marker.strip_prefix("<!-- ").and_then(|rest| rest.strip_suffix(" -->")).unwrap();
            prop_assert!(!inner.contains("--") && !inner.contains(['<', '>', '\n']));
        }
    }
}
