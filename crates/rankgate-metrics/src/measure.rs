//! A measure with its cut-off and parameters: a value that prints as text and parses back.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use crate::error::MeasureError;
use crate::outcome::Outcome;
use crate::parse;
use crate::registry::{CutoffRule, Definition, Direction, DisputedSpelling};

/// How the names that tools disagree about are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Dialect {
    /// rankgate's own names. A name with two meanings is refused.
    #[default]
    Own,
    /// As [`Dialect::Own`], but a name with two meanings is read as `trec_eval` and the tools built
    /// on it read it, and the bare name of a family stands for its usual cut-offs.
    TrecCompatible,
}

/// What a grade is worth in nDCG.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Gain {
    /// 2^grade − 1: each grade outweighs all lower ones.
    #[default]
    Exponential,
    /// The grade itself.
    Linear,
}

impl Gain {
    /// The word for it in a measure's text.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Exponential => "exponential",
            Self::Linear => "linear",
        }
    }
}

/// The cut-off and the parameters, as the functions in `measures/` receive them.
///
/// Fields that a measure has no parameter for stay at their defaults.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Arguments {
    pub cutoff: Option<u32>,
    pub rel: u32,
    pub persistence: f64,
    pub gain: Gain,
}

impl Default for Arguments {
    fn default() -> Self {
        Self { cutoff: None, rel: 1, persistence: 0.8, gain: Gain::Exponential }
    }
}

impl Arguments {
    /// The cut-off, or the end of any list.
    pub fn depth(&self) -> u64 {
        self.cutoff.map_or(u64::MAX, u64::from)
    }

    /// Whether a rank or place lies within the cut-off.
    pub fn keeps(&self, position: impl Into<u64>) -> bool {
        position.into() <= self.depth()
    }

    /// Whether a grade counts as relevant.
    pub fn is_relevant(&self, grade: u32) -> bool {
        grade >= self.rel
    }
}

/// A measure: a definition from the table, with cut-off and parameters.
///
/// The canonical text ([`Display`](fmt::Display)) omits defaults, parses back to the same measure
/// in both dialects, and is the identity: equality, order and hash are those of the text.
#[derive(Debug, Clone)]
pub struct Measure {
    definition: &'static Definition,
    arguments: Arguments,
    text: String,
}

impl Measure {
    /// Reads one measure.
    ///
    /// ```
    /// use rankgate_metrics::{Dialect, Measure};
    ///
    /// let own = |text| Measure::parse(text, Dialect::Own).map(|m| m.to_string());
    /// assert_eq!(own("ndcg_cut_10"), own("ndcg(gain=linear)@10"));
    /// assert_eq!(own("AP"), Ok("map".to_owned()));
    /// // Linear in one tool, exponential in the next: refused, with both spellings.
    /// assert!(own("nDCG@10").is_err());
    /// let trec = Measure::parse("nDCG@10", Dialect::TrecCompatible)?;
    /// assert_eq!(trec.to_string(), "ndcg(gain=linear)@10");
    /// # Ok::<(), rankgate_metrics::MeasureError>(())
    /// ```
    pub fn parse(text: &str, dialect: Dialect) -> Result<Self, MeasureError> {
        parse::one(text, dialect)
    }

    /// Reads one measure with any number of cut-offs, such as `recall@5,10` or `ndcg_cut.5,10`.
    ///
    /// In [`Dialect::TrecCompatible`] the bare name of a `trec_eval` family (`P`, `recall`,
    /// `ndcg_cut`, `map_cut`, `success`) stands for the cut-offs it has there.
    pub fn parse_list(text: &str, dialect: Dialect) -> Result<Vec<Self>, MeasureError> {
        parse::list(text, dialect)
    }

    /// The only constructor. The caller has checked the cut-off against the definition.
    pub(crate) fn assemble(definition: &'static Definition, arguments: Arguments) -> Self {
        let text = canonical_text(definition, &arguments);
        Self { definition, arguments, text }
    }

    /// The canonical text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The entry in the table of measures.
    pub fn definition(&self) -> &'static Definition {
        self.definition
    }

    /// The cut-off, if there is one.
    pub fn cutoff(&self) -> Option<u32> {
        self.arguments.cutoff
    }

    /// The lowest grade that counts as relevant. 1 for measures without this parameter.
    pub fn rel(&self) -> u32 {
        self.arguments.rel
    }

    /// The gain, for measures that have one.
    pub fn gain(&self) -> Option<Gain> {
        self.definition.has_parameter("gain").then_some(self.arguments.gain)
    }

    /// Whether more of it is better.
    pub fn direction(&self) -> Direction {
        self.definition.direction
    }

    /// How much worse the second value is than the first; below zero where it is better.
    pub fn loss(&self, before: f64, now: f64) -> f64 {
        match self.direction() {
            Direction::HigherIsBetter => before - now,
            Direction::LowerIsBetter => now - before,
        }
    }

    /// The same measure at another cut-off.
    pub fn with_cutoff(&self, cutoff: u32) -> Result<Self, MeasureError> {
        parse::check_cutoff(self.definition, &self.text, Some(cutoff))?;
        Ok(Self::assemble(self.definition, Arguments { cutoff: Some(cutoff), ..self.arguments }))
    }

    /// The same measure with another gain, or `None` if it has no gain.
    pub fn with_gain(&self, gain: Gain) -> Option<Self> {
        self.gain().map(|_| Self::assemble(self.definition, Arguments { gain, ..self.arguments }))
    }

    /// The value for one query, or `None` when the measure does not apply to the case.
    pub fn value(&self, outcome: &Outcome) -> Option<f64> {
        self.definition.applies.to(outcome).then(|| (self.definition.compute)(outcome, &self.arguments))
    }
}

/// Name, parameters that are not at their default, cut-off.
fn canonical_text(definition: &Definition, arguments: &Arguments) -> String {
    // Without a cut-off the plain name can be in dispute; then every parameter is spelt.
    let plain_is_disputed = arguments.cutoff.is_none()
        && definition.disputes.iter().any(|d| d.spelling == DisputedSpelling::WithoutCutoff);
    let spelt: Vec<String> = definition
        .parameters
        .iter()
        .map(|parameter| (parameter, (parameter.print)(arguments)))
        .filter(|(parameter, value)| plain_is_disputed || *value != parameter.default)
        .map(|(parameter, value)| format!("{}={value}", parameter.name))
        .collect();

    let mut text = definition.name.to_owned();
    if !spelt.is_empty() {
        text = format!("{text}({})", spelt.join(","));
    }
    match arguments.cutoff {
        Some(cutoff) if definition.cutoff != CutoffRule::None => format!("{text}@{cutoff}"),
        _ => text,
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

impl FromStr for Measure {
    type Err = MeasureError;

    fn from_str(text: &str) -> Result<Self, MeasureError> {
        Self::parse(text, Dialect::Own)
    }
}

impl PartialEq for Measure {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Measure {}

impl PartialOrd for Measure {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Measure {
    fn cmp(&self, other: &Self) -> Ordering {
        self.text.cmp(&other.text)
    }
}

impl Hash for Measure {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}
