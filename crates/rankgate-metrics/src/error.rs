//! Why a measure's name was not understood, and what would be right.

use crate::registry::definitions;

/// A measure's text that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MeasureError {
    /// No measure has this name.
    #[error("unknown measure `{name}`; {}", known_measures(suggestion.as_deref()))]
    Unknown {
        /// The name, as written.
        name: String,
        /// The nearest spelling that would be understood, if one is near.
        suggestion: Option<String>,
    },
    /// Two tools use this name for two numbers.
    #[error(
        "`{name}` has two meanings: write `{}` ({}) or `{}` ({})",
        spellings[0].text, spellings[0].whose, spellings[1].text, spellings[1].whose
    )]
    Ambiguous {
        /// The text, as written.
        name: String,
        /// Both readings, spelt without doubt.
        spellings: [CandidateReading; 2],
    },
    /// The measure is only defined with a cut-off.
    #[error("`{name}` needs a cut-off, such as `{example}`")]
    MissingCutoff {
        /// The text, as written.
        name: String,
        /// The same with a cut-off.
        example: String,
    },
    /// The measure looks at the whole list.
    #[error("`{name}` looks at the whole list and takes no cut-off; write `{instead}`")]
    CutoffNotAllowed {
        /// The name of the measure.
        name: String,
        /// The spelling without a cut-off.
        instead: String,
    },
    /// The cut-off is not a whole number in range.
    #[error("cut-off `{cutoff}` of `{name}` is not a whole number from 1 to {}", u32::MAX)]
    BadCutoff {
        /// The text, as written.
        name: String,
        /// The cut-off, as written.
        cutoff: String,
    },
    /// The measure has no such parameter.
    #[error("`{measure}` has no parameter `{name}`; {}", known_parameters(known))]
    UnknownParameter {
        /// The name of the measure.
        measure: String,
        /// The parameter, as written.
        name: String,
        /// The parameters that the measure has.
        known: Vec<&'static str>,
    },
    /// The value of a parameter is out of its range, or given twice.
    #[error("parameter `{name}={value}` of `{measure}`: {wanted}")]
    BadParameter {
        /// The name of the measure.
        measure: String,
        /// The name of the parameter.
        name: String,
        /// The value, as written.
        value: String,
        /// What would be right.
        wanted: String,
    },
    /// The text does not have the form of a measure.
    #[error("`{text}` is not a measure: {problem}")]
    Syntax {
        /// The text, as written.
        text: String,
        /// What is wrong with it, and what the form is.
        problem: &'static str,
    },
}

/// One of the two readings of a name that is in dispute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CandidateReading {
    /// The canonical text of the reading.
    pub text: String,
    /// Who reads the name so.
    pub whose: &'static str,
}

fn known_measures(suggestion: Option<&str>) -> String {
    if let Some(suggestion) = suggestion {
        return format!("did you mean `{suggestion}`?");
    }
    let names: Vec<&str> = definitions().iter().map(|d| d.name).collect();
    format!("known measures: {}", names.join(", "))
}

fn known_parameters(known: &[&str]) -> String {
    if known.is_empty() { "it takes none".to_owned() } else { format!("known: {}", known.join(", ")) }
}
