//! A value with its interval.

use std::fmt;

/// How the ends of an interval were found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema),
    serde(rename_all = "snake_case")
)]
pub enum IntervalKind {
    /// Percentiles of resampled means.
    Percentile,
    /// Percentiles of resampled means, corrected for bias and skew.
    Bca,
    /// Student's t.
    StudentT,
    /// Wilson's score interval for a share.
    Wilson,
}

impl IntervalKind {
    /// The name in words.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Percentile => "percentile bootstrap",
            Self::Bca => "BCa bootstrap",
            Self::StudentT => "Student's t",
            Self::Wilson => "Wilson",
        }
    }
}

impl fmt::Display for IntervalKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A mean or a share, and the interval that covers the true one with the stated confidence.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
pub struct Estimate {
    /// The value itself.
    pub point: f64,
    /// The lower end, a finite number.
    pub low: f64,
    /// The upper end, a finite number.
    pub high: f64,
    /// The confidence, between 0 and 1.
    pub confidence: f64,
    /// How many values it is made of.
    pub n: usize,
    /// How the ends were found, which is not always what was asked for.
    pub method: IntervalKind,
    /// How many samples were drawn, when any were.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub draws: Option<u32>,
    /// The seed they were drawn with.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub seed: Option<u64>,
}

/// Whether a confidence, or the like, lies strictly between 0 and 1.
pub(super) fn is_share(value: f64) -> bool {
    value > 0.0 && value < 1.0
}
