//! Character n-grams, with scikit-learn's treatment of white space.

use crate::charset::python_space;

/// White space of two characters or more becomes one blank; a single one stays what it is.
fn squeeze(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if python_space(c) && chars.peek().copied().is_some_and(python_space) {
            while chars.next_if(|c| python_space(*c)).is_some() {}
            out.push(' ');
        } else {
            out.push(c);
        }
    }
    out
}

/// The byte offsets at which characters start, and the end.
fn bounds(text: &str) -> Vec<usize> {
    text.char_indices().map(|(at, _)| at).chain([text.len()]).collect()
}

/// The n-grams of one length: each reaches over `length` characters.
fn slide(text: &str, bounds: &[usize], length: usize, visit: &mut impl FnMut(&str)) {
    for (from, to) in bounds.iter().zip(bounds.iter().skip(length)) {
        if let Some(gram) = text.get(*from..*to) {
            visit(gram);
        }
    }
}

/// All n-grams of the text.
pub fn across_words(text: &str, (shortest, longest): (usize, usize), visit: &mut impl FnMut(&str)) {
    let text = squeeze(text);
    let bounds = bounds(&text);
    for length in shortest..=longest.min(bounds.len() - 1) {
        slide(&text, &bounds, length, visit);
    }
}

/// The n-grams of each word between blanks, with one blank before it and one behind. A padded word shorter than
/// an n-gram is one itself, once, however many lengths there are beyond it.
pub fn inside_words(text: &str, (shortest, longest): (usize, usize), visit: &mut impl FnMut(&str)) {
    let mut padded = String::new();
    for word in text.split(python_space).filter(|word| !word.is_empty()) {
        padded.clear();
        padded.push(' ');
        padded.push_str(word);
        padded.push(' ');
        let bounds = bounds(&padded);
        for length in shortest..=longest {
            if length >= bounds.len() - 1 {
                visit(&padded);
                break;
            }
            slide(&padded, &bounds, length, visit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(
        cut: impl Fn(&str, (usize, usize), &mut dyn FnMut(&str)),
        text: &str,
        range: (usize, usize),
    ) -> String {
        let mut all = Vec::new();
        cut(text, range, &mut |gram| all.push(gram.to_owned()));
        all.join("|")
    }

    // The expected values are what scikit-learn 1.9.1's `build_analyzer()` returns.

    #[test]
    fn across() {
        let cut = |text: &str, range: (usize, usize), visit: &mut dyn FnMut(&str)| {
            across_words(text, range, &mut |gram| visit(gram));
        };
        assert_eq!(seen(cut, "a \n bç", (1, 3)), "a| |b|ç|a | b|bç|a b| bç");
        assert_eq!(seen(cut, "a\nb", (2, 2)), "a\n|\nb");
        assert_eq!(seen(cut, "ab", (3, 9)), "");
        assert_eq!(seen(cut, "", (1, 2)), "");
    }

    #[test]
    fn inside() {
        let cut = |text: &str, range: (usize, usize), visit: &mut dyn FnMut(&str)| {
            inside_words(text, range, &mut |gram| visit(gram));
        };
        assert_eq!(seen(cut, "ab \t c", (2, 4)), " a|ab|b | ab|ab | ab | c|c | c ");
        assert_eq!(seen(cut, "c", (5, 9)), " c ");
        assert_eq!(seen(cut, "\u{1c}c", (1, 1)), " |c| ");
        assert_eq!(seen(cut, " \n", (1, 2)), "");
    }
}
