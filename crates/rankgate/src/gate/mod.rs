//! The gate: rules and scores in, one verdict out.
//!
//! [`mod@rule`] says what a rule is, `parse` reads it, [`mod@judge`] applies each rule, and [`Verdict::decide`] is the only place where a run
//! passes, fails or cannot be judged: the report's words and the exit status both come from its value.

mod change;
mod incomplete;
pub mod judge;
mod parse;
pub mod regression;
pub mod rule;
pub mod suggest;
mod ties;
mod verdict;

pub(crate) use change::p_text;
pub use judge::judge;
pub use parse::RuleError;
pub use rule::{Comparison, Rule, Statistic, Subject};
pub use verdict::{
    Incomplete, Outcome, OverTies, Reason, RuleKind, RuleResult, RuleStatus, SliceResult, Verdict,
};

use crate::config::{GateSettings, RuleLevel};
use crate::golden::GoldenSet;
use crate::{Error, Place, Problem, Result, error::nearest};

/// A rule and what its failure does.
#[derive(Debug, Clone, PartialEq)]
pub struct GateRule {
    /// The rule.
    pub rule: Rule,
    /// What its failure does.
    pub level: RuleLevel,
}

/// The rules of a configuration and the bounds around them, ready to judge.
#[derive(Debug, Clone, PartialEq)]
pub struct Gate {
    /// In the order of the configuration.
    pub rules: Vec<GateRule>,
    /// The settings they came from.
    pub settings: GateSettings,
}

impl Gate {
    /// Parses every rule; all faulty ones are named together. A rule about change needs a baseline to be configured.
    pub fn parse(settings: &GateSettings, has_baseline: bool) -> Result<Self> {
        let mut problems = Vec::new();
        let mut rules = Vec::new();
        for (index, setting) in settings.rules.iter().enumerate() {
            match setting.rule.parse::<Rule>() {
                Ok(rule) if rule.needs_baseline() && !has_baseline => problems.push(
                    Problem::new(
                        place(index),
                        format!("`{rule}` compares with a baseline, and no baseline is configured"),
                    )
                    .hint(
                        "set `baseline.path`, and run `rankgate accept` on a state that is known to be good",
                    ),
                ),
                Ok(rule) => rules.push(GateRule { rule, level: setting.level }),
                Err(error) => {
                    let problem = Problem::new(place(index), error.what);
                    problems.push(match error.hint {
                        Some(hint) => problem.hint(hint),
                        None => problem,
                    });
                }
            }
        }
        Error::unless_empty(problems)?;
        Ok(Self { rules, settings: settings.clone() })
    }

    /// Refuses rules that name a field, or a value of a field, that the set does not have: a mistyped slice would
    /// otherwise be an empty one.
    pub fn check_against(&self, golden: &GoldenSet) -> Result<()> {
        let mut problems = Vec::new();
        for (index, GateRule { rule, .. }) in self.rules.iter().enumerate() {
            let Some(subject) = rule.subject() else { continue };
            let filter = subject.filter.as_ref();
            let fields = subject.each.iter().map(|field| (field, None));
            for (field, value) in fields.chain(filter.map(|(field, value)| (field, Some(value)))) {
                if let Some(problem) = unknown_slice(golden, field, value.map(String::as_str)) {
                    problems.push(Problem { place: place(index), ..problem });
                }
            }
        }
        Error::unless_empty(problems)
    }

    /// The cut-offs of the rules.
    pub fn cutoffs(&self) -> impl Iterator<Item = u32> {
        self.rules.iter().filter_map(|rule| rule.rule.cutoff())
    }
}

fn place(index: usize) -> Place {
    Place::default().field(format!("gate.rules[{index}]"))
}

/// How a problem with the value of a field begins; its hint shows other values.
pub(crate) const NO_QUESTION_HAS: &str = "no question has";

/// What is wrong with a field or a value of it, if the golden set lacks it.
pub fn unknown_slice(golden: &GoldenSet, field: &str, value: Option<&str>) -> Option<Problem> {
    let names = golden.field_names();
    // A field may have a second name, such as `tags`.
    if !names.iter().any(|name| name == field) && golden.cases.iter().all(|case| case.field(field).is_empty())
    {
        let problem = Problem::new(Place::default(), format!("no question has a field `{field}`"));
        return Some(match nearest(field, names.iter().map(String::as_str)) {
            Some(name) => problem.hint(format!("did you mean `{name}`?")),
            None => problem.hint(format!("fields of this set: {}", names.join(", "))),
        });
    }
    let value = value?;
    let mut values: Vec<String> = golden.cases.iter().flat_map(|case| case.field(field)).collect();
    values.sort_unstable();
    values.dedup();
    if values.iter().any(|known| known == value) {
        return None;
    }
    let problem = Problem::new(Place::default(), format!("{NO_QUESTION_HAS} `{field} = {value}`"));
    // Ids may be private, and whoever writes a rule for one question knows its id.
    if field == "id" {
        return Some(problem);
    }
    if let Some(name) = nearest(value, values.iter().map(String::as_str)) {
        return Some(problem.hint(format!("did you mean `{name}`?")));
    }
    values.truncate(12);
    Some(problem.hint(format!("values of `{field}`: {}", values.join(", "))))
}
