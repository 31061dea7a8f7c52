//! Sets of characters by Unicode property.

use std::sync::LazyLock;

use regex_syntax::hir::{Class, HirKind};

/// How many 64-bit words hold one bit for each character of the Basic Multilingual Plane.
const BASIC_WORDS: usize = 0x1_0000 / 64;

/// A set of characters that answers quickly: a bit each for the plane nearly all text is written in, a sorted
/// list of ranges for the rest.
pub struct CharSet {
    basic: Vec<u64>,
    beyond: Vec<(u32, u32)>,
}

impl CharSet {
    /// The set a character class of the `regex` crate names. The tables are those of the regular expression
    /// engine, so that a hand-written scanner and a pattern can never disagree about a character.
    ///
    /// # Panics
    ///
    /// When `class` is no such class: classes are constants of this crate.
    #[expect(clippy::panic, reason = "the classes are constants, and each is built in a test")]
    fn of(class: &str) -> Self {
        let hir = regex_syntax::parse(class).ok();
        let Some(HirKind::Class(Class::Unicode(class))) = hir.map(regex_syntax::hir::Hir::into_kind) else {
            panic!("`{class}` is not a class of several characters");
        };
        let mut set = Self { basic: vec![0; BASIC_WORDS], beyond: Vec::new() };
        for range in class.iter() {
            let (first, last) = (u32::from(range.start()), u32::from(range.end()));
            for code in first..=last.min(0xFFFF) {
                if let Some(word) = set.basic.get_mut(code as usize / 64) {
                    *word |= 1 << (code % 64);
                }
            }
            if last > 0xFFFF {
                set.beyond.push((first.max(0x1_0000), last));
            }
        }
        set
    }

    /// Whether the character belongs to the set.
    #[inline]
    pub fn contains(&self, c: char) -> bool {
        let code = u32::from(c);
        if let Some(word) = self.basic.get(code as usize / 64) {
            return word >> (code % 64) & 1 == 1;
        }
        let after = self.beyond.partition_point(|&(first, _)| first <= code);
        after.checked_sub(1).and_then(|index| self.beyond.get(index)).is_some_and(|&(_, last)| code <= last)
    }
}

/// What `\w` means to Python: letters and numbers of any kind, and the underscore. Unlike in most other engines
/// combining marks are not among them, so the vowel signs of Hindi or Thai part words.
pub const PYTHON_WORD: &str = r"[\p{L}\p{N}_]";

/// The characters of [`PYTHON_WORD`].
pub fn python_word() -> &'static CharSet {
    static SET: LazyLock<CharSet> = LazyLock::new(|| CharSet::of(PYTHON_WORD));
    &SET
}

/// What words are made of in any script: letters, numbers, connecting punctuation, and the marks and joiners that
/// belong to the letter before them.
pub fn word() -> &'static CharSet {
    static SET: LazyLock<CharSet> = LazyLock::new(|| CharSet::of(r"[\p{L}\p{N}\p{M}\p{Pc}\p{Join_Control}]"));
    &SET
}

/// Marks and joiners: never the start of a word, always part of the word they follow.
pub fn extending() -> &'static CharSet {
    static SET: LazyLock<CharSet> = LazyLock::new(|| CharSet::of(r"[\p{M}\p{Join_Control}]"));
    &SET
}

/// Letters, marks and numbers of the scripts that are written without blanks between words. Script extensions
/// bring in what several of them share, such as the long-vowel mark of Japanese.
pub fn spaceless() -> &'static CharSet {
    static SET: LazyLock<CharSet> = LazyLock::new(|| {
        CharSet::of(concat!(
            r"[[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}",
            r"\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]&&[\p{L}\p{M}\p{N}]]"
        ))
    });
    &SET
}

/// White space as Python's `str.isspace` has it: Unicode's, and four control characters more.
pub fn python_space(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{1c}'..='\u{1f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn members(set: &CharSet, text: &str) -> String {
        text.chars().filter(|c| set.contains(*c)).collect()
    }

    #[test]
    fn pythons_words_have_no_marks() {
        // `unicodedata.category`: Lo, Mc, Mn, Nd, No, Nl, Pc (only the underscore), Lm, So, and a letter beyond
        // the Basic Multilingual Plane.
        assert_eq!(members(python_word(), "क\u{93f}\u{947}٣²Ⅷ_‿ー©𠀀😀"), "क٣²Ⅷ_ー𠀀");
    }

    #[test]
    fn words_keep_their_marks() {
        assert_eq!(members(word(), "क\u{93f}\u{200d}_‿.-"), "क\u{93f}\u{200d}_‿");
        assert_eq!(members(extending(), "क\u{93f}\u{200d}a\u{301}"), "\u{93f}\u{200d}\u{301}");
    }

    #[test]
    fn spaceless_scripts() {
        assert_eq!(members(spaceless(), "漢ひカーไทยລາວខ္မ々한aд。、1"), "漢ひカーไทยລາວខ္မ々");
    }

    #[test]
    fn spaces() {
        assert!([' ', '\n', '\u{a0}', '\u{1c}', '\u{3000}'].into_iter().all(python_space));
        assert!(!['\u{200b}', '\u{180e}', 'a'].into_iter().any(python_space));
    }
}
