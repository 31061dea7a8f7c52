//! Texts that are almost a quote: the same words, in characters that only look or sound alike.

use crate::golden::quote::squeeze;

/// How much of a text is shown on either side of a difference, in characters.
const AROUND: usize = 25;

/// A text in which characters that are easily taken for each other are one, and where each came from.
struct Folded<'a> {
    text: String,
    /// For each character of `text` the bytes of the squeezed text that it stands for.
    origin: Vec<(usize, usize)>,
    squeezed: std::borrow::Cow<'a, str>,
}

/// A letter with marks above or below it, however it is composed.
const MARKED: char = '\u{1}';

impl<'a> Folded<'a> {
    fn new(text: &'a str) -> Self {
        let squeezed = squeeze(text);
        let mut folded = String::with_capacity(squeezed.len());
        let mut origin: Vec<(usize, usize)> = Vec::with_capacity(squeezed.len());
        for (start, char) in squeezed.char_indices() {
            let end = start + char.len_utf8();
            if is_mark(char) {
                // Part of the letter before it.
                if let Some(last) = origin.last_mut() {
                    last.1 = end;
                    folded.pop();
                    folded.push(MARKED);
                }
                continue;
            }
            if is_invisible(char) {
                if let Some(last) = origin.last_mut() {
                    last.1 = end;
                }
                continue;
            }
            for plain in plain(char) {
                folded.push(plain);
                origin.push((start, end));
            }
        }
        Self { text: folded, origin, squeezed }
    }

    fn original(&self, index: usize) -> Option<&str> {
        let (start, end) = *self.origin.get(index)?;
        self.squeezed.get(start..end)
    }
}

fn is_mark(char: char) -> bool {
    matches!(char, '\u{300}'..='\u{36f}')
}

fn is_invisible(char: char) -> bool {
    matches!(char, '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}')
}

/// What a character is taken for.
fn plain(char: char) -> impl Iterator<Item = char> {
    let (one, more) = match char {
        '‘' | '’' | '‚' | '‛' | '`' | '´' | '′' => ('\'', ""),
        '“' | '”' | '„' | '‟' | '«' | '»' | '″' => ('"', ""),
        '‐'..='―' | '−' => ('-', ""),
        '…' => ('.', ".."),
        'ﬁ' => ('f', "i"),
        'ﬂ' => ('f', "l"),
        '×' | '÷' => (char, ""),
        // Letters of the Latin script that are composed with a mark.
        '\u{c0}'..='\u{17f}' | '\u{1cd}'..='\u{233}' | '\u{1e00}'..='\u{1eff}' => (MARKED, ""),
        char => (char.to_lowercase().next().unwrap_or(char), ""),
    };
    std::iter::once(one).chain(more.chars())
}

/// Where a text has almost this quote: what is shown to the user is the first difference.
pub(super) fn almost(quote: &str, text: &str) -> Option<String> {
    let wanted = Folded::new(quote);
    if wanted.text.is_empty() {
        return None;
    }
    let there = Folded::new(text);
    let at = memchr::memmem::find(there.text.as_bytes(), wanted.text.as_bytes())?;
    let first = there.text.get(..at)?.chars().count();
    let mut differences = (0..wanted.origin.len()).filter_map(|index| {
        let (ours, theirs) = (wanted.original(index)?, there.original(first + index)?);
        (ours != theirs).then_some((index, ours, theirs))
    });
    let (index, ours, theirs) = differences.next()?;
    let more = match differences.count() {
        0 => String::new(),
        1 => ", and 1 more difference".to_owned(),
        more => format!(", and {more} more differences"),
    };
    let from = first + index.saturating_sub(AROUND);
    let to = first + (index + AROUND).min(wanted.origin.len() - 1);
    let here = there.squeezed.get(there.origin.get(from)?.0..there.origin.get(to)?.1)?;
    let before = if from > first { "…" } else { "" };
    let after = if to + 1 < first + wanted.origin.len() { "…" } else { "" };
    Some(format!(
        "almost: \"{before}{here}{after}\" stands there, with {} where the quote has {}{more}",
        named(theirs),
        named(ours)
    ))
}

/// Characters with their numbers, which tell those apart that look alike.
fn named(text: &str) -> String {
    let numbers: Vec<String> = text.chars().map(|char| format!("U+{:04X}", u32::from(char))).collect();
    format!("`{text}` ({})", numbers.join(" "))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn no_text_panics(
            quote in "[a-cÀé\u{301}\u{ad}’'…ﬁ\"“ -]{0,12}",
            text in "[a-cÀé\u{301}\u{ad}’'…ﬁ\"“ -]{0,40}",
        ) {
            let _ = almost(&quote, &text);
        }

        #[test]
        fn a_change_of_look_is_found_wherever_it_is(
            before in "[a-z ]{0,30}", start in "[a-z]{1,40}", end in "[a-z]{1,40}", after in "[a-z ]{0,30}",
            look in prop::sample::select(vec![
                ("'", "’"), ("\"", "”"), ("-", "–"), ("e\u{301}", "é"), ("ñ", "n\u{303}"), ("A", "a"), ("...", "…"),
            ]),
        ) {
            let (ours, theirs) = look;
            for (ours, theirs) in [(ours, theirs), (theirs, ours)] {
                let hint = almost(&format!("{start}{ours}{end}"), &format!("{before}{start}{theirs}{end}{after}"));
                prop_assert!(hint.is_some_and(|hint| hint.starts_with("almost: ")));
            }
        }
    }
}
