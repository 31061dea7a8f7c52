//! The language of rules: text in, [`Rule`] out. `Display` writes the same text.
//!
//! ```text
//! rule    = subject cmp value | subject ("drop"|"rise") "<=" amount | subject "drop" "significant" [opts]
//!         | "no regression on" measure [opts] | "lost@" K "<=" count | stat cmp quantity
//! subject = ["each(" field ")"] measure ["where" field "=" word]     worst(f) is an input alias of each(f)
//! cmp     = ">=" | "<=" | "=="     amount = number | number "%"      opts = "(" key "=" v, … ")"
//! ```

use std::str::FromStr;

use rankgate_metrics::{Measure, MeasureError};

use super::rule::{Amount, Comparison, Direction, Options, Rule, Statistic, Subject};
use crate::error::nearest;

/// Why a text is not a rule.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct RuleError {
    /// What is wrong.
    pub what: String,
    /// What would be right.
    pub hint: Option<String>,
}

impl RuleError {
    fn new(what: impl Into<String>) -> Self {
        Self { what: what.into(), hint: None }
    }

    fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

const FORMS: &str =
    "write a measure and a limit, such as `hit_rate@5 >= 0.90` or `each(category) recall@5 >= 0.80`";
const NO_REGRESSION_OPTIONS: [&str; 5] = ["min_effect", "max_loss", "underpowered", "draws", "seed"];
const SIGNIFICANT_OPTIONS: [&str; 3] = ["alpha", "draws", "seed"];

impl FromStr for Rule {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<Self, RuleError> {
        let mut scanner = Scanner { rest: text };
        let rule = scanner.rule()?;
        match scanner.peek() {
            None => Ok(rule),
            Some(_) => Err(RuleError::new(format!("`{}` is left over after the rule", scanner.rest.trim()))
                .hint("write one rule a string")),
        }
    }
}

/// Reads a rule from left to right, a word at a time.
struct Scanner<'a> {
    rest: &'a str,
}

impl<'a> Scanner<'a> {
    fn rule(&mut self) -> Result<Rule, RuleError> {
        let first = self.peek().ok_or_else(|| RuleError::new("an empty rule").hint(FORMS))?;
        if first == "no" {
            return self.no_regression();
        }
        if let Some(cutoff) = first.strip_prefix("lost@") {
            return self.lost(cutoff);
        }
        if let Some((_, statistic)) = Statistic::ALL.iter().find(|(name, _)| *name == first) {
            self.word();
            let comparison = self.comparison()?;
            return Ok(Rule::Statistic {
                statistic: *statistic,
                comparison,
                quantity: self.quantity(*statistic)?,
            });
        }
        let subject = self.subject()?;
        match self.peek() {
            Some("drop" | "rise") => self.change(subject),
            _ => Ok(Rule::Bound { subject, comparison: self.comparison()?, value: self.number()? }),
        }
    }

    fn no_regression(&mut self) -> Result<Rule, RuleError> {
        for expected in ["no", "regression", "on"] {
            if self.word() != Some(expected) {
                return Err(RuleError::new("an incomplete rule").hint("write `no regression on mrr@5`"));
            }
        }
        let measure = self.measure()?;
        let options = self.options(&NO_REGRESSION_OPTIONS)?;
        super::regression::Settings::of(&options).map_err(RuleError::new)?;
        Ok(Rule::NoRegression { measure, options })
    }

    fn lost(&mut self, cutoff: &str) -> Result<Rule, RuleError> {
        self.word();
        let cutoff = positive(cutoff).ok_or_else(|| {
            RuleError::new(format!("`lost@{cutoff}` has no cut-off")).hint("write `lost@5 <= 3`")
        })?;
        if self.comparison()? != Comparison::AtMost {
            return Err(RuleError::new("lost questions are bounded from above").hint("write `lost@5 <= 3`"));
        }
        let count = self.word().unwrap_or_default();
        let count = count.parse().map_err(|_| {
            RuleError::new(format!("`{count}` is not a number of questions")).hint("write `lost@5 <= 3`")
        })?;
        Ok(Rule::Lost { cutoff, count })
    }

    fn subject(&mut self) -> Result<Subject, RuleError> {
        let mut each = None;
        if let Some(word) = self.peek()
            && let Some(field) = word.strip_prefix("each(").or_else(|| word.strip_prefix("worst("))
        {
            let field = field.strip_suffix(')').map(str::trim).filter(|field| !field.is_empty());
            let field = field.ok_or_else(|| {
                RuleError::new(format!("`{word}` names no field"))
                    .hint("write `each(category) recall@5 >= 0.80`")
            })?;
            each = Some(field.to_owned());
            self.word();
        }
        let measure = self.measure()?;
        let mut filter = None;
        if self.peek() == Some("where") {
            self.word();
            let field = self.word().unwrap_or_default();
            let sign = self.word();
            let value = self.value();
            match (field, sign, value) {
                ("", ..) | (_, None, _) | (.., None) => {
                    return Err(RuleError::new("`where` needs a field and a value")
                        .hint("write `recall@5 where lang = en >= 0.80`"));
                }
                (field, Some("="), Some(value)) => filter = Some((field.to_owned(), value)),
                (_, Some(sign), _) => {
                    return Err(RuleError::new(format!("`where` compares with `=`, not with `{sign}`"))
                        .hint("write `recall@5 where lang = en >= 0.80`"));
                }
            }
        }
        Ok(Subject { each, measure, filter })
    }

    fn measure(&mut self) -> Result<Measure, RuleError> {
        let word = self.word().ok_or_else(|| RuleError::new("the rule names no measure").hint(FORMS))?;
        word.parse().map_err(|error: MeasureError| {
            let statistic = nearest(word, Statistic::ALL.iter().map(|(name, _)| *name));
            RuleError {
                what: error.to_string(),
                hint: statistic.map(|name| format!("did you mean `{name}`?")),
            }
        })
    }

    fn change(&mut self, subject: Subject) -> Result<Rule, RuleError> {
        let direction = if self.word() == Some("rise") { Direction::Rise } else { Direction::Drop };
        if self.peek() == Some("significant") {
            self.word();
            if direction == Direction::Rise {
                return Err(RuleError::new("only a drop is tested").hint("write `mrr@5 drop significant`"));
            }
            let options = self.options(&SIGNIFICANT_OPTIONS)?;
            super::change::Significance::of(&options).map_err(RuleError::new)?;
            return Ok(Rule::Significant { subject, options });
        }
        if self.comparison()? != Comparison::AtMost {
            return Err(RuleError::new("a change is bounded from above").hint("write `mrr@5 drop <= 0.02`"));
        }
        let word = self.word().unwrap_or_default();
        let number = |text: &str| {
            text.parse::<f64>().ok().filter(|value| value.is_finite() && *value >= 0.0).ok_or_else(|| {
                RuleError::new(format!("`{word}` is not an amount"))
                    .hint("write `drop <= 0.02` or `drop <= 5%`")
            })
        };
        let amount = match word.strip_suffix('%') {
            Some(percent) => Amount::Percent(number(percent)?),
            None if self.peek() == Some("%") => {
                self.word();
                Amount::Percent(number(word)?)
            }
            None => Amount::Absolute(number(word)?),
        };
        Ok(Rule::Change { subject, direction, amount })
    }

    fn options(&mut self, known: &[&'static str]) -> Result<Options, RuleError> {
        let Some(word) = self.peek() else { return Ok(Options::default()) };
        let Some(inside) = word.strip_prefix('(').and_then(|word| word.strip_suffix(')')) else {
            return Ok(Options::default());
        };
        self.word();
        let pairs = inside.split(',').map(str::trim).filter(|pair| !pair.is_empty()).map(|pair| {
            let (key, value) =
                pair.split_once('=').map(|(key, value)| (key.trim(), value.trim())).ok_or_else(|| {
                    RuleError::new(format!("`{pair}` is not `key=value`"))
                        .hint(format!("known keys: {}", known.join(", ")))
                })?;
            if !known.contains(&key) {
                let error = RuleError::new(format!("unknown option `{key}`"));
                return Err(match nearest(key, known.iter().copied()) {
                    Some(name) => error.hint(format!("did you mean `{name}`?")),
                    None => error.hint(format!("known keys: {}", known.join(", "))),
                });
            }
            Ok((key.to_owned(), value.to_owned()))
        });
        let pairs: Vec<(String, String)> = pairs.collect::<Result<_, _>>()?;
        for (index, (key, _)) in pairs.iter().enumerate() {
            if pairs.iter().take(index).any(|(before, _)| before == key) {
                return Err(RuleError::new(format!("the option `{key}` is given twice")));
            }
        }
        Ok(Options(pairs))
    }

    fn comparison(&mut self) -> Result<Comparison, RuleError> {
        match self.word() {
            Some(">=") => Ok(Comparison::AtLeast),
            Some("<=") => Ok(Comparison::AtMost),
            Some("==") => Ok(Comparison::Equal),
            Some(word) => Err(RuleError::new(format!("`{word}` is not a comparison")).hint(
                "compare with `>=`, `<=` or `==`, or with the baseline: `drop <=`, `drop significant`",
            )),
            None => Err(RuleError::new("the rule has no limit").hint(FORMS)),
        }
    }

    fn number(&mut self) -> Result<f64, RuleError> {
        let word = self.word().unwrap_or_default();
        word.parse::<f64>().ok().filter(|value| value.is_finite()).ok_or_else(|| {
            RuleError::new(format!("`{word}` is not a number")).hint("write a limit such as `0.90`")
        })
    }

    fn quantity(&mut self, statistic: Statistic) -> Result<f64, RuleError> {
        let mut word = self.word().unwrap_or_default().to_owned();
        if let Some(unit @ ("ms" | "s")) = self.peek() {
            word.push_str(unit);
            self.word();
        }
        let wrong = || {
            let example = if statistic.is_time() { "300ms` or `0.3s" } else { "0" };
            RuleError::new(format!("`{word}` is not a limit for `{}`", statistic.name()))
                .hint(format!("write `{} <= {example}`", statistic.name()))
        };
        let (digits, factor) = match (statistic.is_time(), word.strip_suffix("ms"), word.strip_suffix('s')) {
            (true, Some(digits), _) => (digits, 1.0),
            (true, None, Some(digits)) => (digits, 1000.0),
            (true, None, None) => return Err(wrong()),
            (false, ..) => (word.as_str(), 1.0),
        };
        let value = digits.parse::<f64>().ok().filter(|value| value.is_finite() && *value >= 0.0);
        value.map(|value| value * factor).ok_or_else(wrong)
    }

    /// A word of `where`: bare, or in double or single quotes.
    fn value(&mut self) -> Option<String> {
        self.rest = self.rest.trim_start();
        for quote in ['"', '\''] {
            if let Some((value, rest)) = self.rest.strip_prefix(quote).and_then(|rest| rest.split_once(quote))
            {
                self.rest = rest;
                return Some(value.to_owned());
            }
        }
        self.word().map(str::to_owned)
    }

    fn word(&mut self) -> Option<&'a str> {
        let (word, rest) = split_word(self.rest)?;
        self.rest = rest;
        Some(word)
    }

    fn peek(&self) -> Option<&'a str> {
        split_word(self.rest).map(|(word, _)| word)
    }
}

/// The next word: a run of comparison signs, or everything up to a blank or a sign outside parentheses. Blanks
/// inside parentheses belong to the word, as does what follows the closing one.
fn split_word(text: &str) -> Option<(&str, &str)> {
    let is_sign = |c: char| matches!(c, '<' | '>' | '=' | '!');
    let text = text.trim_start();
    let first = text.chars().next()?;
    let mut depth = 0_usize;
    let end = text
        .char_indices()
        .find(|(_, c)| {
            if is_sign(first) {
                return !is_sign(*c);
            }
            match c {
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0 && (c.is_whitespace() || is_sign(*c))
        })
        .map_or(text.len(), |(end, _)| end);
    Some(text.split_at(end))
}

fn positive(text: &str) -> Option<u32> {
    text.parse().ok().filter(|number| *number > 0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn canonical(text: &str) -> String {
        match text.parse::<Rule>() {
            Ok(rule) => rule.to_string(),
            Err(error) => {
                format!(
                    "error: {error}{}",
                    error.hint.as_ref().map(|hint| format!(" ({hint})")).unwrap_or_default()
                )
            }
        }
    }

    #[test]
    fn every_form_of_the_grammar_is_read_and_written_back() {
        for (text, expected) in [
            ("hit_rate@5 >= 0.90", "hit_rate@5 >= 0.90"),
            ("  success@5>=.9 ", "hit_rate@5 >= 0.90"),
            ("recall(rel=2)@100 >= 0.80", "recall(rel=2)@100 >= 0.80"),
            ("ndcg( gain = linear )@10 == 1", "ndcg(gain=linear)@10 == 1"),
            ("each(category) hit_rate@5 >= 0.80", "each(category) hit_rate@5 >= 0.80"),
            ("worst(lang) mrr@5 >= 0.5", "each(lang) mrr@5 >= 0.50"),
            ("mrr@5 where lang = en >= 0.7", "mrr@5 where lang = en >= 0.70"),
            ("mrr@5 where area=\"food & wine\" >= 0.7", "mrr@5 where area = \"food & wine\" >= 0.70"),
            ("each(segment) ndcg_cut_10 drop <= 0.03", "each(segment) ndcg(gain=linear)@10 drop <= 0.03"),
            ("mrr@5 drop <= 5%", "mrr@5 drop <= 5%"),
            ("mrr@5 drop <= 5 %", "mrr@5 drop <= 5%"),
            ("forbidden@5 rise <= 0", "forbidden@5 rise <= 0"),
            ("mrr@5 drop significant", "mrr@5 drop significant"),
            ("mrr@5 drop significant (alpha=0.01, seed=7)", "mrr@5 drop significant (alpha=0.01, seed=7)"),
            ("no regression on mrr@5", "no regression on mrr@5"),
            ("no regression on mrr@5 (min_effect=0.01)", "no regression on mrr@5 (min_effect=0.01)"),
            ("lost@5 <= 3", "lost@5 <= 3"),
            ("latency_p95 <= 300ms", "latency_p95 <= 300ms"),
            ("latency_p95 <= 0.3 s", "latency_p95 <= 300ms"),
            ("errors == 0", "errors == 0"),
            ("empty<=2", "empty <= 2"),
        ] {
            assert_eq!(canonical(text), expected, "{text}");
            assert_eq!(canonical(expected), expected, "the canonical text parses back");
        }
    }

    #[test]
    fn faults_say_what_would_be_right() {
        insta::assert_snapshot!(
            [
                "",
                "hit_rate@5",
                "hit_rate@5 > 0.9",
                "hit_rate@5 >= lots",
                "hit_rate@5 >= NaN",
                "hit_rat@5 >= 0.9",
                "hit_rate >= 0.9",
                "ndcg >= 0.9",
                "latency_p9 <= 300ms",
                "latency_p95 <= 300",
                "errors <= -1",
                "each() mrr@5 >= 0.5",
                "mrr@5 where lang >= 0.5",
                "mrr@5 where lang ~ en >= 0.5",
                "mrr@5 drop >= 0.5",
                "mrr@5 rise significant",
                "mrr@5 drop <= -1",
                "no regression of mrr@5",
                "no regression on mrr@5 (min_efect=1)",
                "lost@0 <= 3",
                "lost@5 <= some",
                "hit_rate@5 >= 0.9 and mrr@5 >= 0.8",
            ]
            .map(|text| format!("{text:38} {}", canonical(text)))
            .join("\n")
        );
    }

    proptest! {
        #[test]
        fn no_text_panics_and_what_is_read_is_written_back(text in "(each\\([a-z]*\\)|no|regression|on|mrr@5|recall\\(rel=2\\)@[0-9]|where|[a-z\"']{0,4}|=|<=|>=|drop|[0-9.%]{0,4}|lost@[0-9]|\\PC| ){0,9}") {
            if let Ok(rule) = text.parse::<Rule>() {
                let written = rule.to_string();
                prop_assert_eq!(written.parse::<Rule>().map(|rule| rule.to_string()), Ok(written.clone()), "{}", text);
            }
        }
    }
}
