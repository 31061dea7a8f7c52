//! From text to features, as scikit-learn's text vectorizers do it.
//!
//! The order of work is theirs: lower-case, cut into tokens, leave out stop words, join n-grams. The one addition,
//! the plural rule, comes after the stop words, which are thus written as they stand in the text.

mod chars;
mod pattern;
mod translate;
mod words;

use std::collections::HashSet;

use rankgate::Result;
use rankgate::config::{Analyzer, LexicalSettings};
use rankgate::error::{Place, Problem};

use self::pattern::Pattern;

/// Why a text could not be cut: the pattern took too long on it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`retriever.token_pattern` gave up on a text: {0}")]
pub struct AnalysisError(String);

/// How text becomes features.
#[derive(Debug)]
pub struct Analysis {
    lowercase: bool,
    plural: bool,
    stop_words: HashSet<String>,
    /// Shortest and longest n-gram.
    grams: (usize, usize),
    source: Source,
    fingerprint: String,
}

/// What is cut, and how.
#[derive(Debug)]
enum Source {
    /// Maximal runs of word characters, of at least so many: nearly every pattern in use means this.
    Runs(usize),
    /// Whatever the pattern finds.
    Pattern(Box<Pattern>),
    Chars,
    CharsInWords,
}

impl Analysis {
    /// Reads the settings; what is wrong with them is named.
    pub fn new(settings: &LexicalSettings) -> Result<Self> {
        let (shortest, longest) = settings.ngram_range;
        if shortest == 0 || longest < shortest {
            let what = format!("[{shortest}, {longest}] is no range of lengths");
            return Err(Problem::new(Place::default().field("retriever.ngram_range"), what)
                .hint("the shortest n-gram, at least 1, then the longest: [1, 2]")
                .into());
        }
        let source = match settings.analyzer {
            Analyzer::Word => match pattern::run_length(&settings.token_pattern) {
                Some(least) => Source::Runs(least),
                None => Source::Pattern(Box::new(Pattern::parse(&settings.token_pattern)?)),
            },
            Analyzer::Char => Source::Chars,
            Analyzer::CharWb => Source::CharsInWords,
        };
        Ok(Self {
            lowercase: settings.lowercase,
            plural: settings.plural,
            stop_words: settings.stop_words.iter().cloned().collect(),
            grams: settings.ngram_range,
            source,
            fingerprint: fingerprint(settings),
        })
    }

    /// Every setting that decides the features, on one line.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// Shows each feature of the text, as often as it occurs.
    pub fn features(&self, text: &str, visit: &mut impl FnMut(&str)) -> Result<(), AnalysisError> {
        let lowered;
        let text = if self.lowercase {
            lowered = text.to_lowercase();
            &lowered
        } else {
            text
        };
        match &self.source {
            Source::Runs(least) if self.is_plain() => words::runs(text, *least, visit),
            Source::Runs(least) => {
                let mut tokens = Vec::new();
                words::runs(text, *least, &mut |token| tokens.push(token));
                self.words(tokens, visit);
            }
            Source::Pattern(pattern) => {
                let mut tokens = Vec::new();
                pattern.tokens(text, &mut |token| tokens.push(token)).map_err(AnalysisError)?;
                self.words(tokens, visit);
            }
            Source::Chars => chars::across_words(text, self.grams, visit),
            Source::CharsInWords => chars::inside_words(text, self.grams, visit),
        }
        Ok(())
    }

    /// Whether tokens are features just as they are.
    fn is_plain(&self) -> bool {
        self.stop_words.is_empty() && !self.plural && self.grams == (1, 1)
    }

    fn words(&self, mut tokens: Vec<&str>, visit: &mut impl FnMut(&str)) {
        if !self.stop_words.is_empty() {
            tokens.retain(|token| !self.stop_words.contains(*token));
        }
        if self.plural {
            for token in &mut tokens {
                *token = words::singular(token);
            }
        }
        words::grams(&tokens, self.grams, visit);
    }
}

fn fingerprint(settings: &LexicalSettings) -> String {
    let analyzer = match settings.analyzer {
        Analyzer::Word => "word",
        Analyzer::Char => "char",
        Analyzer::CharWb => "char_wb",
    };
    let (shortest, longest) = settings.ngram_range;
    let line =
        format!("analyzer={analyzer} ngram_range={shortest}-{longest} lowercase={}", settings.lowercase);
    if settings.analyzer != Analyzer::Word {
        return line;
    }
    let mut stop_words: Vec<&str> = settings.stop_words.iter().map(String::as_str).collect();
    stop_words.sort_unstable();
    stop_words.dedup();
    // Quoted, so that neither a blank nor a line break in a pattern or a word can pass for something else.
    let (pattern, plural) = (&settings.token_pattern, settings.plural);
    format!("{line} token_pattern={pattern:?} stop_words={stop_words:?} plural={plural}")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn features(settings: &LexicalSettings, text: &str) -> Vec<String> {
        let mut out = Vec::new();
        let analysis = Analysis::new(settings).expect("the settings are sound");
        analysis.features(text, &mut |feature| out.push(feature.to_owned())).expect("the pattern is simple");
        out
    }

    #[test]
    fn words_are_lowered_then_cut() {
        // Python: "İSTANBUL ΟΔΟΣ 3a".lower() ends the Greek word with a final sigma and parts the Turkish one
        // at the dot that follows the i.
        let got = features(&LexicalSettings::default(), "İSTANBUL ΟΔΟΣ 3a x नमस्ते");
        assert_eq!(got, ["stanbul", "οδος", "3a", "नमस"]);
    }

    #[test]
    fn stop_words_go_before_plurals_and_plurals_before_pairs() {
        let settings = LexicalSettings {
            stop_words: vec!["does".into(), "the".into()],
            plural: true,
            ngram_range: (1, 2),
            ..LexicalSettings::default()
        };
        let got = features(&settings, "Does the bus stops gas doors");
        assert_eq!(got, ["bus", "stop", "gas", "door", "bus stop", "stop gas", "gas door"]);
    }

    #[test]
    fn stop_words_are_compared_as_written() {
        let settings = LexicalSettings { stop_words: vec!["The".into()], ..LexicalSettings::default() };
        assert_eq!(features(&settings, "The end"), ["the", "end"]);
    }

    #[test]
    fn a_range_upside_down_is_named() {
        for range in [(0, 1), (2, 1)] {
            let error = Analysis::new(&LexicalSettings { ngram_range: range, ..LexicalSettings::default() });
            assert!(error.unwrap_err().to_string().starts_with("`retriever.ngram_range`: "));
        }
    }

    proptest! {
        #[test]
        fn scanner_and_engine_cut_alike(
            text in r"(?s)([a-z0-9_ ]|\w|\p{Mn}|[\x{900}-\x{97F}]|.){0,60}",
            least in 1_usize..4,
        ) {
            let pattern = Pattern::parse(&format!(r"(?u)\b\w{{{least},}}\b")).expect("it is valid");
            let (mut by_scanner, mut by_engine) = (Vec::new(), Vec::new());
            words::runs(&text, least, &mut |token| by_scanner.push(token));
            pattern.tokens(&text, &mut |token| by_engine.push(token)).expect("it is simple");
            prop_assert_eq!(by_scanner, by_engine);
        }

        #[test]
        fn no_text_and_no_pattern_panics(text in "(?s).{0,40}", pattern in r"(\\.|[\[\]()|*+?{}^$.\\a-c0-2,]|\PC){0,12}") {
            let settings = LexicalSettings { token_pattern: pattern, ..LexicalSettings::default() };
            if let Ok(analysis) = Analysis::new(&settings) {
                analysis.features(&text, &mut |_| ()).ok();
            }
        }
    }
}
