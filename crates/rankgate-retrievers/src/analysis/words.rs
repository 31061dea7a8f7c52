//! Words and what is made of them.

use crate::charset::python_word;

/// The maximal runs of Python's word characters that are at least so many characters long.
pub fn runs<'t>(text: &'t str, least: usize, visit: &mut impl FnMut(&'t str)) {
    let word = python_word();
    let mut start = 0;
    let mut length = 0_usize;
    for (at, c) in text.char_indices() {
        if word.contains(c) {
            if length == 0 {
                start = at;
            }
            length += 1;
        } else if length > 0 {
            if length >= least
                && let Some(run) = text.get(start..at)
            {
                visit(run);
            }
            length = 0;
        }
    }
    if length > 0
        && length >= least
        && let Some(run) = text.get(start..)
    {
        visit(run);
    }
}

/// The word without one final `s`, unless it is three characters or shorter.
pub fn singular(word: &str) -> &str {
    match word.strip_suffix('s') {
        Some(stem) if stem.chars().nth(2).is_some() => stem,
        _ => word,
    }
}

/// All n-grams of the tokens, the shorter first, each joined by single blanks.
pub fn grams(tokens: &[&str], (shortest, longest): (usize, usize), visit: &mut impl FnMut(&str)) {
    let mut gram = String::new();
    for length in shortest..=longest.min(tokens.len()) {
        for window in tokens.windows(length) {
            if let [token] = window {
                visit(token);
                continue;
            }
            gram.clear();
            for (index, token) in window.iter().enumerate() {
                if index > 0 {
                    gram.push(' ');
                }
                gram.push_str(token);
            }
            visit(&gram);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plurals() {
        for (word, expected) in [
            ("plans", "plan"),
            ("bus", "bus"),
            ("buss", "bus"),
            ("s", "s"),
            ("", ""),
            ("ññs", "ññs"),
            ("ñññs", "ñññ"),
        ] {
            assert_eq!(singular(word), expected);
        }
    }

    #[test]
    fn grams_of_too_few_tokens() {
        let mut seen = Vec::new();
        grams(&["a", "b"], (2, usize::MAX), &mut |gram| seen.push(gram.to_owned()));
        grams(&[], (1, 3), &mut |gram| seen.push(gram.to_owned()));
        assert_eq!(seen, ["a b"]);
    }
}
