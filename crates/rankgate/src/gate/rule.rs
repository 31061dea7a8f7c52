//! What a rule says, and its canonical text. `gate/parse.rs` reads it back.

use std::fmt;

use rankgate_metrics::Measure;

use super::change::Significance;
use super::regression::{MEASURE_ALPHA, NEEDS_ALPHA};
use crate::golden::Case;

/// One rule of the gate.
#[derive(Debug, Clone, PartialEq)]
pub enum Rule {
    /// A measure against a number.
    Bound {
        /// What is measured.
        subject: Subject,
        /// How it is compared.
        comparison: Comparison,
        /// With what.
        value: f64,
    },
    /// A measure against the baseline, with a budget.
    Change {
        /// What is measured.
        subject: Subject,
        /// In which direction.
        direction: Direction,
        /// How far it may go.
        amount: Amount,
    },
    /// A measure against the baseline, by a test.
    Significant {
        /// What is measured.
        subject: Subject,
        /// The test's settings.
        options: Options,
    },
    /// The default rule against the baseline.
    NoRegression {
        /// What is measured.
        measure: Measure,
        /// The tests' settings.
        options: Options,
    },
    /// How many questions may lose their evidence from the top of the list.
    Lost {
        /// The cut-off.
        cutoff: u32,
        /// At most so many.
        count: u32,
    },
    /// A statistic of the run itself.
    Statistic {
        /// Which.
        statistic: Statistic,
        /// How it is compared.
        comparison: Comparison,
        /// With what: milliseconds or a count.
        quantity: f64,
    },
}

impl Rule {
    /// Whether the rule says anything without a baseline.
    pub fn needs_baseline(&self) -> bool {
        !matches!(self, Self::Bound { .. } | Self::Statistic { .. })
    }

    /// The measure that the rule judges.
    pub fn measure(&self) -> Option<&Measure> {
        match self {
            Self::Bound { subject, .. }
            | Self::Change { subject, .. }
            | Self::Significant { subject, .. } => Some(&subject.measure),
            Self::NoRegression { measure, .. } => Some(measure),
            Self::Lost { .. } | Self::Statistic { .. } => None,
        }
    }

    /// The cut-off that the rule looks at.
    pub fn cutoff(&self) -> Option<u32> {
        match self {
            Self::Lost { cutoff, .. } => Some(*cutoff),
            _ => self.measure().and_then(Measure::cutoff),
        }
    }

    /// How often the rule alone fails a change that is harmless, by its tests; 0 for a rule without one.
    pub fn alpha(&self) -> f64 {
        match self {
            Self::Significant { options, .. } => {
                Significance::of(options).map_or(0.0, |settings| settings.alpha)
            }
            Self::NoRegression { .. } => NEEDS_ALPHA + MEASURE_ALPHA,
            _ => 0.0,
        }
    }

    /// The field and the value that the questions of the rule have.
    pub(crate) fn filter_mut(&mut self) -> Option<&mut (String, String)> {
        match self {
            Self::Bound { subject, .. }
            | Self::Change { subject, .. }
            | Self::Significant { subject, .. } => subject.filter.as_mut(),
            Self::NoRegression { .. } | Self::Lost { .. } | Self::Statistic { .. } => None,
        }
    }

    /// The subject, for rules that have slices.
    pub fn subject(&self) -> Option<&Subject> {
        match self {
            Self::Bound { subject, .. }
            | Self::Change { subject, .. }
            | Self::Significant { subject, .. } => Some(subject),
            _ => None,
        }
    }
}

/// A measure over all questions, over some, or over each slice apart.
#[derive(Debug, Clone, PartialEq)]
pub struct Subject {
    /// Judge each value of this field apart.
    pub each: Option<String>,
    /// What is measured.
    pub measure: Measure,
    /// Only questions whose field has this value.
    pub filter: Option<(String, String)>,
}

impl Subject {
    /// Whether a question is among those that it is about.
    pub fn includes(&self, case: &Case) -> bool {
        let Some((field, value)) = &self.filter else { return true };
        case.field(field).iter().any(|known| known == value)
    }
}

/// How a value is compared with a limit; equal within 1e-9 counts as met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// At least.
    AtLeast,
    /// At most.
    AtMost,
    /// Equal.
    Equal,
}

/// Float noise does not decide: ten scores of 0.8 average to a hair under 0.8.
const TOLERANCE: f64 = 1e-9;

impl Comparison {
    /// Whether the value meets the limit.
    pub fn holds(self, value: f64, limit: f64) -> bool {
        match self {
            Self::AtLeast => value >= limit - TOLERANCE,
            Self::AtMost => value <= limit + TOLERANCE,
            Self::Equal => (value - limit).abs() <= TOLERANCE,
        }
    }
}

/// The direction that is bounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// The measure may fall so far.
    Drop,
    /// The measure may rise so far.
    Rise,
}

/// How far a measure may go.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Amount {
    /// In units of the measure.
    Absolute(f64),
    /// In per cent of the baseline.
    Percent(f64),
}

/// Settings of a test, as written.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Options(pub Vec<(String, String)>);

/// What can be said of a run without its labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Statistic {
    /// The median time to answer.
    LatencyP50,
    /// The time that 95 in 100 answers keep.
    LatencyP95,
    /// The time that 99 in 100 answers keep.
    LatencyP99,
    /// The mean time to answer.
    LatencyMean,
    /// The longest time to answer.
    LatencyMax,
    /// Questions at which the retriever failed.
    Errors,
    /// Questions without any hit.
    Empty,
}

impl Statistic {
    /// All of them, by name.
    pub const ALL: [(&'static str, Self); 7] = [
        ("latency_p50", Self::LatencyP50),
        ("latency_p95", Self::LatencyP95),
        ("latency_p99", Self::LatencyP99),
        ("latency_mean", Self::LatencyMean),
        ("latency_max", Self::LatencyMax),
        ("errors", Self::Errors),
        ("empty", Self::Empty),
    ];

    /// The name that rules use.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, statistic)| *statistic == self).map_or("", |(name, _)| name)
    }

    /// Whether it is a time (in milliseconds) and not a count.
    pub fn is_time(self) -> bool {
        !matches!(self, Self::Errors | Self::Empty)
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bound { subject, comparison, value } => {
                // 0.9 and 0.90 are one limit; people write the second.
                let short = format!("{value}");
                let one_decimal = short.split_once('.').is_some_and(|(_, decimals)| decimals.len() == 1);
                let zero = if one_decimal { "0" } else { "" };
                write!(f, "{subject} {comparison} {short}{zero}")
            }
            Self::Change { subject, direction, amount } => {
                let direction = if *direction == Direction::Drop { "drop" } else { "rise" };
                write!(f, "{subject} {direction} <= {amount}")
            }
            Self::Significant { subject, options } => write!(f, "{subject} drop significant{options}"),
            Self::NoRegression { measure, options } => write!(f, "no regression on {measure}{options}"),
            Self::Lost { cutoff, count } => write!(f, "lost@{cutoff} <= {count}"),
            Self::Statistic { statistic, comparison, quantity } => {
                let unit = if statistic.is_time() { "ms" } else { "" };
                write!(f, "{} {comparison} {quantity}{unit}", statistic.name())
            }
        }
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(field) = &self.each {
            write!(f, "each({field}) ")?;
        }
        write!(f, "{}", self.measure)?;
        if let Some((field, value)) = &self.filter {
            let plain = value.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'));
            match (plain && !value.is_empty(), value.contains('"')) {
                (true, _) => write!(f, " where {field} = {value}")?,
                (false, false) => write!(f, " where {field} = \"{value}\"")?,
                (false, true) => write!(f, " where {field} = '{value}'")?,
            }
        }
        Ok(())
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::AtLeast => ">=",
            Self::AtMost => "<=",
            Self::Equal => "==",
        })
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absolute(value) => write!(f, "{value}"),
            Self::Percent(value) => write!(f, "{value}%"),
        }
    }
}

impl fmt::Display for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return Ok(());
        }
        let pairs: Vec<String> = self.0.iter().map(|(key, value)| format!("{key}={value}")).collect();
        write!(f, " ({})", pairs.join(", "))
    }
}
