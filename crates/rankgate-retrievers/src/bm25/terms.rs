//! From text to search terms, without dictionaries: the script decides.

use rankgate::config::Bm25Tokenizer;
use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

use crate::charset::{CharSet, extending, spaceless, word};

/// How long a word must be to be a term, in characters. Pairs and what stands alone in a spaceless run are exempt.
const SHORTEST_WORD: usize = 2;

/// The terms of a text. Words are terms; in scripts written without blanks, where a run of letters is a clause and
/// no word, each pair of neighbouring characters is one. Marks and joiners stay with the letters before them.
///
/// The text is lower-case already.
#[derive(Debug)]
pub struct Terms<'t> {
    tokenizer: Bm25Tokenizer,
    /// What has not been looked at.
    rest: &'t str,
    /// What remains of a run that is cut into pairs.
    pairs: &'t str,
}

impl<'t> Terms<'t> {
    /// The terms of a lower-case text.
    pub fn of(text: &'t str, tokenizer: Bm25Tokenizer) -> Self {
        Self { tokenizer, rest: text, pairs: "" }
    }

    /// Whether the character belongs to a run that is cut into pairs.
    fn is_paired(&self, c: char, spaceless: &CharSet) -> bool {
        match self.tokenizer {
            Bm25Tokenizer::Auto => spaceless.contains(c),
            Bm25Tokenizer::Words => false,
            Bm25Tokenizer::Bigrams => true,
        }
    }

    /// The next run of characters of one kind, and whether it is to be cut into pairs.
    fn run(&mut self) -> Option<(&'t str, bool)> {
        let (word, extending, spaceless) = (word(), extending(), spaceless());
        let start = self.rest.find(|c| word.contains(c) && !extending.contains(c))?;
        let text = self.rest.get(start..)?;
        let mut chars = text.char_indices();
        let (_, first) = chars.next()?;
        let paired = self.is_paired(first, spaceless);
        let end = chars
            .find(|&(_, c)| {
                !word.contains(c) || (!extending.contains(c) && self.is_paired(c, spaceless) != paired)
            })
            .map_or(text.len(), |(at, _)| at);
        let (run, rest) = text.split_at_checked(end)?;
        self.rest = rest;
        Some((run, paired))
    }

    fn pair(&mut self) -> Option<&'t str> {
        let mut chars = self.pairs.chars();
        let first = chars.next()?;
        let second = chars.next()?;
        let (pair, rest) = (self.pairs.get(..first.len_utf8() + second.len_utf8()), chars.as_str());
        self.pairs =
            if rest.is_empty() { "" } else { self.pairs.get(first.len_utf8()..).unwrap_or_default() };
        pair
    }
}

impl<'t> Iterator for Terms<'t> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        loop {
            if let Some(pair) = self.pair() {
                return Some(pair);
            }
            let (run, paired) = self.run()?;
            if run.chars().nth(SHORTEST_WORD - 1).is_none() {
                if paired {
                    return Some(run);
                }
            } else if paired {
                self.pairs = run;
            } else {
                return Some(run);
            }
        }
    }
}

/// The same for the index.
#[derive(Debug, Clone)]
pub struct TermTokenizer {
    tokenizer: Bm25Tokenizer,
    lowered: String,
}

impl TermTokenizer {
    /// A tokenizer of this kind.
    pub fn new(tokenizer: Bm25Tokenizer) -> Self {
        Self { tokenizer, lowered: String::new() }
    }
}

impl Tokenizer for TermTokenizer {
    type TokenStream<'a> = TermStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> TermStream<'a> {
        self.lowered = text.to_lowercase();
        TermStream { terms: Terms::of(&self.lowered, self.tokenizer), token: Token::default() }
    }
}

/// Terms as tokens. Offsets are left at zero: nothing here highlights.
#[derive(Debug)]
pub struct TermStream<'t> {
    terms: Terms<'t>,
    token: Token,
}

impl TokenStream for TermStream<'_> {
    fn advance(&mut self) -> bool {
        let Some(term) = self.terms.next() else { return false };
        self.token.text.clear();
        self.token.text.push_str(term);
        self.token.position = self.token.position.wrapping_add(1);
        true
    }

    fn token(&self) -> &Token {
        &self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.token
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn terms(text: &str, tokenizer: Bm25Tokenizer) -> String {
        Terms::of(text, tokenizer).collect::<Vec<_>>().join("|")
    }

    #[test]
    fn words_and_pairs_by_script() {
        for (text, expected) in [
            ("the x-ray of 2fa", "the|ray|of|2fa"),
            ("退款会到账。", "退款|款会|会到|到账"),
            ("猫 tv版", "猫|tv|版"),
            ("コーヒー豆", "コー|ーヒ|ヒー|ー豆"),
            ("हिन्दी में", "हिन्दी|में"),
            ("مُحَمَّد في", "مُحَمَّد|في"),
            ("나는 간다", "나는|간다"),
            ("กิน", "กิ|ิน"),
            ("か\u{3099}く", "か\u{3099}|\u{3099}く"),
            ("\u{301}\u{200d} ab", "ab"),
            ("", ""),
        ] {
            assert_eq!(terms(text, Bm25Tokenizer::Auto), expected);
        }
        assert_eq!(terms("退款 ab", Bm25Tokenizer::Words), "退款|ab");
        assert_eq!(terms("退款会a b2 abc", Bm25Tokenizer::Bigrams), "退款|款会|会a|b2|ab|bc");
    }

    proptest! {
        #[test]
        fn no_text_panics_and_every_term_is_in_it(text in r"(?s)(\p{Han}|\p{Thai}|\p{M}|\w|.){0,40}") {
            for tokenizer in [Bm25Tokenizer::Auto, Bm25Tokenizer::Words, Bm25Tokenizer::Bigrams] {
                for term in Terms::of(&text, tokenizer) {
                    prop_assert!(!term.is_empty() && text.contains(term));
                }
            }
        }
    }
}
