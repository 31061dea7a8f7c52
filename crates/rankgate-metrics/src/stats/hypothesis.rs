//! What a test is asked and what it answers.

use std::fmt;

/// Which departure from "no difference" counts as evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema),
    serde(rename_all = "snake_case")
)]
pub enum Alternative {
    /// The differences lie below zero.
    Less,
    /// The differences lie above zero.
    Greater,
    /// The differences lie on either side of zero.
    TwoSided,
}

impl Alternative {
    /// The alternative in words.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Less => "less",
            Self::Greater => "greater",
            Self::TwoSided => "two-sided",
        }
    }
}

impl fmt::Display for Alternative {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The test that was made: a reader must be able to repeat it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema),
    serde(rename_all = "snake_case")
)]
pub enum TestName {
    /// Every pattern of signs was counted.
    ExactSignFlip,
    /// Patterns of signs were drawn at random.
    SignFlip,
    /// Student's t on the differences.
    PairedT,
    /// Wilcoxon's signed ranks with the exact distribution of the rank sum.
    ExactWilcoxon,
    /// Wilcoxon's signed ranks with a normal approximation.
    Wilcoxon,
}

impl TestName {
    /// The name in words.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ExactSignFlip => "exact sign-flip",
            Self::SignFlip => "sign-flip",
            Self::PairedT => "paired t",
            Self::ExactWilcoxon => "exact Wilcoxon",
            Self::Wilcoxon => "Wilcoxon",
        }
    }
}

impl fmt::Display for TestName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The result of a test on paired differences.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
pub struct Test {
    /// The test that was made.
    pub name: TestName,
    /// The alternative it was made against.
    pub alternative: Alternative,
    /// How often chance alone gives what was seen or more: above 0, at most 1.
    pub p: f64,
    /// The sum of the differences, t, or the rank sum W; `None` where it has no finite value.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub statistic: Option<f64>,
    /// How many pairs there are.
    pub n: usize,
    /// How many of them differ.
    pub nonzero: usize,
    /// How many patterns were drawn, when they were drawn.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub draws: Option<u32>,
    /// The seed they were drawn with.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub seed: Option<u64>,
}

impl Test {
    /// A test without draws. A p that is too small for a number is the smallest number: chance alone
    /// can give everything, so no p is 0. A p that is no number is 1.
    pub(super) fn new(
        name: TestName,
        alternative: Alternative,
        p: f64,
        statistic: f64,
        n: usize,
        nonzero: usize,
    ) -> Self {
        let p = if p.is_nan() { 1.0 } else { p.clamp(f64::MIN_POSITIVE, 1.0) };
        let statistic = Some(statistic).filter(|value| value.is_finite());
        Self { name, alternative, p, statistic, n, nonzero, draws: None, seed: None }
    }

    /// The answer where the data cannot speak.
    pub(super) fn silent(name: TestName, alternative: Alternative, n: usize, nonzero: usize) -> Self {
        Self::new(name, alternative, 1.0, f64::NAN, n, nonzero)
    }

    pub(super) fn drawn(self, draws: u32, seed: u64) -> Self {
        Self { draws: Some(draws), seed: Some(seed), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p_is_never_zero_and_never_nan() {
        for (given, expected) in
            [(0.0, f64::MIN_POSITIVE), (-1.0, f64::MIN_POSITIVE), (f64::NAN, 1.0), (1.5, 1.0)]
        {
            let test = Test::new(TestName::PairedT, Alternative::Less, given, f64::INFINITY, 2, 2);
            assert_eq!((test.p, test.statistic), (expected, None));
        }
    }

    #[test]
    fn names_are_words() {
        assert_eq!(TestName::ExactSignFlip.to_string(), "exact sign-flip");
        assert_eq!(Alternative::TwoSided.to_string(), "two-sided");
    }
}
