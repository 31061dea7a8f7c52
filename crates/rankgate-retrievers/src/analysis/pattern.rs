//! Token patterns: Python regular expressions, with what `re.findall` makes of them.

use fancy_regex::Regex;
use rankgate::Result;
use rankgate::error::{Place, Problem};

use super::translate::{self, Fault};

/// A pattern ready to cut text.
#[derive(Debug)]
pub struct Pattern {
    regex: Regex,
    /// The same, but with no empty match where the search starts; only where a pattern can match nothing at all.
    /// After an empty match `re` looks once more at the same place, for something that is not empty.
    not_empty: Option<Regex>,
    /// Whether the tokens are what the one group of the pattern matches.
    group: bool,
}

impl Pattern {
    /// Reads a Python pattern, or says what is wrong with it and in which column.
    pub fn parse(pattern: &str) -> Result<Self> {
        Self::compile(pattern).map_err(|fault| {
            let what = format!("{} at column {} of {pattern:?}", fault.what, fault.column);
            Problem::new(Place::default().field("retriever.token_pattern"), what)
                .hint(r"a Python regular expression with at most one group, such as '(?u)\b\w\w+\b'")
                .into()
        })
    }

    fn compile(pattern: &str) -> Result<Self, Fault> {
        let translation = translate::from_python(pattern)?;
        if let Some(column) = translation.second_group {
            return Err(Fault {
                what: "a second capturing group (write `(?:` for one that captures nothing)".into(),
                column,
            });
        }
        let build = |text: &str| {
            // Positions in the engine's own words would be those of the translation.
            Regex::new(text).map_err(|error| match error {
                fancy_regex::Error::ParseError(at, kind) => {
                    Fault { what: kind.to_string(), column: translation.column(at) }
                }
                other => Fault { what: format!("more than the engine can build ({other})"), column: 1 },
            })
        };
        let regex = build(&translation.text)?;
        let matches_nothing = regex.is_match("").unwrap_or(true) || translation.looks_around;
        let not_empty =
            if matches_nothing { Some(build(&format!(r"(?:{})(?!\G)", translation.text))?) } else { None };
        Ok(Self { regex, not_empty, group: translation.groups == 1 })
    }

    /// Shows every token of the text. A group that took no part in a match is an empty token, as in Python.
    pub fn tokens<'t>(&self, text: &'t str, visit: &mut impl FnMut(&'t str)) -> Result<(), String> {
        let mut at = 0;
        let mut after_empty = false;
        while at <= text.len() {
            let regex =
                if after_empty { self.not_empty.as_ref().unwrap_or(&self.regex) } else { &self.regex };
            let captures;
            let (found, token) = if self.group {
                captures = regex.captures_from_pos(text, at).map_err(|error| error.to_string())?;
                let Some(captures) = &captures else { break };
                let Some(found) = captures.get(0) else { break };
                (found, captures.get(1).map_or("", |group| group.as_str()))
            } else {
                let Some(found) = regex.find_from_pos(text, at).map_err(|error| error.to_string())? else {
                    break;
                };
                (found, found.as_str())
            };
            visit(token);
            after_empty = found.start() == found.end();
            at = found.end();
            if after_empty && self.not_empty.is_none() {
                // Not reached: a pattern that can match nothing has the second form. It keeps the loop finite.
                at += text.get(at..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8);
            }
        }
        Ok(())
    }
}

/// Recognises the patterns that mean "maximal runs of at least so many word characters", in the spellings in use:
/// `\b\w\w+\b`, `\w+`, `\b\w{4,}\b`, with or without `(?u)` and either `\b`. Greedy repetition makes the `\b`
/// idle: a run is taken whole or, being too short, not at all.
pub fn run_length(pattern: &str) -> Option<usize> {
    let pattern = pattern.strip_prefix("(?u)").unwrap_or(pattern);
    let pattern = pattern.strip_prefix(r"\b").unwrap_or(pattern);
    let mut rest = pattern.strip_suffix(r"\b").unwrap_or(pattern);
    let mut least = 0;
    while let Some(after) = rest.strip_prefix(r"\w") {
        least += 1;
        match after {
            "+" => return Some(least),
            "*" => return Some(least - 1).filter(|least| *least > 0),
            _ => rest = after,
        }
    }
    let count = rest.strip_prefix('{')?.strip_suffix(",}")?;
    if count.is_empty() || !count.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let count: usize = count.parse().ok()?;
    // The last `\w` read is the one that is repeated.
    least.checked_sub(1)?.checked_add(count).filter(|least| *least > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(pattern: &str, text: &str) -> String {
        let mut out = Vec::new();
        Pattern::parse(pattern)
            .expect("it is valid")
            .tokens(text, &mut |token| out.push(token))
            .expect("it ends");
        out.join("|")
    }

    #[test]
    fn common_shapes() {
        let shapes = [
            (r"(?u)\b\w\w+\b", Some(2)),
            (r"\b\w{4,}\b", Some(4)),
            (r"\w+", Some(1)),
            (r"\w\w*", Some(1)),
            (r"\w*", None),
            (r"\w{0,}", None),
            (r"\w\w{2,}\b", Some(3)),
            (r"\w{+2,}", None),
            (r"\w{2}", None),
            (r"\w\w", None),
            (r"\b[a-z]\w+\b", None),
            (r"(?i)\w+", None),
            ("", None),
        ];
        for (pattern, expected) in shapes {
            assert_eq!(run_length(pattern), expected, "{pattern}");
        }
    }

    // The expected values are those of `re.findall` in Python 3.11.
    #[test]
    fn finds_what_python_finds() {
        for (pattern, text, expected) in [
            (r"[a-z0-9]+", "ab-3 É x", "ab|3|x"),
            (r"\b\w\w+\b", "नमस्ते हिन्दी", "नमस"),
            (r"\w+", "हिन्दी", "ह|न|द"),
            (r"\w*", "ab cd", "ab||cd|"),
            (r"|a", "aa", "|a||a|"),
            (r"\w*?", "ab", "|a||b|"),
            (r"(a)|b", "ab", "a|"),
            (r"(?=\w)", "ab", "|"),
            (r"(?i)\bX(\d+)", "x12 X3 ax4", "12|3"),
            (r"(?P<q>['`])?\w+", "'a b", "'|"),
            (r"(?a)\w+", "aé", "a"),
            (r"[^\W\d_]+", "aé1_b", "aé|b"),
            (r"[]a[-]+", "a]b[-", "a]|[-"),
            (r"\d{,2}x", "123x x", "23x|x"),
            (r"a{,b}", "a{,b}", "a{,b}"),
            (r"(\w)\1", "aab", "a"),
            (r"(?x) \w+  # words", "ab c", "ab|c"),
            (r"\w+$", "ab cd\n", "cd"),
            (r"(?m)^\w", "ab\ncd", "a|c"),
            (r"\x41\u00e9|\t|[\b]", "Aé\t\u{8}", "Aé|\t|\u{8}"),
            (r"a.c|\.", "a\nc abc .", "abc|."),
            (r"(?s)a.c", "a\nc", "a\nc"),
            (r"[A-Za-z]+(?:'[a-z]+)?", "don't O'Neil", "don't|O|Neil"),
            (r"\B\w", "abc", "b|c"),
            (r"(?>a+)b|\w++", "aab ac", "aab|ac"),
            (r"[&&a~~#-]+", "&a~ -", "&a~|-"),
            (r"a{,}", "aa", "aa|"),
            (r"a{}", "a{}", "a{}"),
        ] {
            assert_eq!(tokens(pattern, text), expected, "{pattern}");
        }
    }

    #[test]
    fn faults_name_their_column() {
        for (pattern, column, what) in [
            (r"\b(\w+", 3, "is never closed"),
            (r"a)b", 2, "closes nothing"),
            (r"+a", 1, "nothing to repeat"),
            (r"é**", 3, "repeats a repetition"),
            (r"[a-", 1, "is never closed"),
            (r"[z-a]", 2, "upside down"),
            (r"a{3,2}", 2, "upside down"),
            (r"ab\q", 3, "no escape"),
            (r"ab\", 3, "ends"),
            (r"(a)(b)", 4, "second capturing group"),
            (r"a(?i)b", 2, "at the start"),
            (r"(?y)", 3, "flag"),
            (r"\2(a)", 1, "no group"),
            (r"(?P=x)", 1, "no group"),
            (r"(?P<1>a)", 5, "name"),
            (r"\x4", 1, "hexadecimal"),
            (r"a(?=b)+", 7, "repeat"),
            (r"a{99999}{2}", 9, "repeats a repetition"),
            (r"(?:\w{5000}){5000}", 1, "more than the engine can build"),
        ] {
            let problem = Pattern::parse(pattern).expect_err(pattern).to_string();
            assert!(problem.starts_with("`retriever.token_pattern`: "), "{problem}");
            assert!(problem.contains(&format!("at column {column} of")), "{pattern}: {problem}");
            assert!(problem.contains(what), "{pattern}: {problem}");
        }
    }

    #[test]
    fn a_pattern_that_explodes_is_an_error_and_not_a_hang() {
        let pattern = Pattern::parse(r"(?:(a|aa)+)+\1b").map(|_| ());
        assert!(pattern.is_ok());
        let pattern = Pattern::parse(r"(a|aa)+(?!\w)b(?=c)").expect("it is valid");
        let error =
            pattern.tokens(&"a".repeat(200), &mut |_| ()).expect_err("there are too many ways to fail");
        assert!(!error.is_empty());
    }
}
