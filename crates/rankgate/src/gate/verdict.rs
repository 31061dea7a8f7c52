//! The verdict and its parts, as every report shows them.

use rankgate_metrics::stats::{Estimate, Test};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Rule;
use crate::config::RuleLevel;

/// The one value that reports and the exit status come from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Verdict {
    /// What was decided.
    pub outcome: Outcome,
    /// The exit status of the process: 0 passed, 1 failed, 2 no verdict.
    pub exit_status: u8,
    /// The decision in one sentence.
    pub headline: String,
    /// Why the run as a whole cannot be judged; empty for a complete run.
    pub incomplete: Vec<Incomplete>,
    /// Every rule and promise, in order.
    pub rules: Vec<RuleResult>,
    /// Set when the process ends with 0 although the gate failed, because the user asked only for the report.
    pub report_only: bool,
}

impl Verdict {
    /// The rules for which the build is red.
    pub fn failed(&self) -> impl Iterator<Item = &RuleResult> {
        let fails = |rule: &&RuleResult| rule.level == RuleLevel::Fail && rule.status == RuleStatus::Failed;
        self.rules.iter().filter(fails)
    }
}

/// What the gate decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Every rule passed.
    Passed,
    /// At least one rule failed.
    Failed,
    /// No rule failed, but at least one could not be judged.
    Unjudged,
    /// The run could not be completed, so no rule counts.
    Incomplete,
    /// There was no rule to judge.
    NothingGated,
}

/// Why a whole run cannot be judged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Incomplete {
    /// A stable name: `errors`, `too_few_questions`, `no_overlap`, `no_hits`, `nothing_evaluated`, `not_comparable`.
    pub code: String,
    /// What happened and what would be right.
    pub message: String,
}

/// One rule, judged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RuleResult {
    /// The rule in canonical text, or the name of the promise.
    pub rule: String,
    /// What kind of rule it is.
    pub kind: RuleKind,
    /// What its failure does.
    pub level: RuleLevel,
    /// Whether it holds.
    pub status: RuleStatus,
    /// Why it could not be judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    /// The value that was compared (of the worst slice where there are several), in milliseconds for times.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// What the value was compared with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<f64>,
    /// The value in the baseline, over the questions that have both.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<f64>,
    /// Between which values the truth lies: of the change for a rule about one (now minus before), else of the value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<Estimate>,
    /// The tests that were made, one-sided towards worse.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tests: Vec<Test>,
    /// What decided, where the numbers do not say it; that a change is within noise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remark: Option<String>,
    /// Between which values it lies over the orders of equal scores; absent where their order changes nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over_ties: Option<OverTies>,
    /// How many questions the value is over.
    pub n: usize,
    /// The slices of an `each` rule, worst first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub slices: Vec<SliceResult>,
    /// The questions that made the rule fail, the worst first: those that broke a promise, are counted, or keep the
    /// mean on the wrong side of the limit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub questions: Vec<String>,
}

/// The mean of a measure with what is wanted last, and first, among equal scores.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OverTies {
    /// The least mean.
    pub low: f64,
    /// The greatest mean.
    pub high: f64,
    /// The rule would be decided otherwise at one of these ends.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hangs: bool,
}

impl OverTies {
    /// In words, with as many digits as it takes to tell the ends apart.
    pub fn words(self) -> String {
        let text =
            |decimals: usize| (format!("{:.decimals$}", self.low), format!("{:.decimals$}", self.high));
        let (low, high) = (3..9).map(text).find(|(low, high)| low != high).unwrap_or_else(|| text(9));
        format!("{low} to {high} over their orders")
    }
}

/// What a rule is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RuleKind {
    /// A measure.
    Measure,
    /// A measure against the baseline.
    Change,
    /// A time.
    Time,
    /// A count: of errors, of empty lists, of quarantined questions.
    Count,
    /// A promise of single questions: `n` of them, `value` kept.
    Promise,
}

/// Whether a rule holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RuleStatus {
    /// It holds.
    Passed,
    /// It does not.
    Failed,
    /// It could not be judged.
    Unjudged,
}

/// Why a rule could not be judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// No question that the measure applies to was scored.
    NoQuestions,
    /// No question has a label of the grade that the measure asks for.
    NoGrades,
    /// The baseline file is not there.
    NoBaseline,
    /// There are too few questions for a test, and the rule asks not to judge then.
    Underpowered,
    /// Every slice has fewer questions than `min_slice`.
    SmallSlices,
    /// Every list ends before the cut-off.
    ShortLists,
    /// The run has no times (a run file).
    NotTimed,
    /// The run as a whole cannot be judged.
    Incomplete,
}

impl Reason {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::NoQuestions => "no scored question has this measure",
            Self::NoGrades => "no label has the grade that `rel` asks for",
            Self::NoBaseline => "there is no baseline to compare with yet",
            Self::Underpowered => "too few questions for a test",
            Self::SmallSlices => "every slice is smaller than gate.min_slice",
            Self::ShortLists => {
                "every list ends before the cut-off; gate.allow_short = true judges it anyway"
            }
            Self::NotTimed => "a run file has no times",
            Self::Incomplete => "the run is incomplete",
        }
    }
}

/// One slice of an `each` rule.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SliceResult {
    /// The value of the field.
    pub name: String,
    /// Questions in it that were scored.
    pub n: usize,
    /// The mean over them.
    pub value: f64,
    /// The mean in the baseline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<f64>,
    /// How often chance alone drops it so far, corrected for the number of slices.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p: Option<f64>,
    /// Whether the rule holds in it.
    pub status: RuleStatus,
}

impl RuleResult {
    /// Whether it compares with the baseline, so that accepting another one decides it anew.
    pub fn is_about_change(&self) -> bool {
        self.kind == RuleKind::Change || self.parsed().is_some_and(|rule| rule.needs_baseline())
    }

    /// The rule; `None` of a promise.
    pub fn parsed(&self) -> Option<Rule> {
        self.rule.parse().ok()
    }

    /// The field whose values are judged apart.
    pub(crate) fn each(&self) -> Option<String> {
        self.parsed()?.subject()?.each.clone()
    }

    /// A rule that nothing is known of yet.
    pub(super) fn new(rule: impl Into<String>, kind: RuleKind, level: RuleLevel) -> Self {
        Self {
            rule: rule.into(),
            kind,
            level,
            status: RuleStatus::Unjudged,
            reason: None,
            value: None,
            limit: None,
            before: None,
            interval: None,
            tests: Vec::new(),
            remark: None,
            over_ties: None,
            n: 0,
            slices: Vec::new(),
            questions: Vec::new(),
        }
    }

    /// The value with its unit, and with as many digits as it takes to tell it from the limit.
    pub fn value_text(&self) -> Option<String> {
        let value = self.value?;
        Some(match self.kind {
            RuleKind::Change => format!("{value:.3}"),
            RuleKind::Measure => {
                let limit = self.limit.unwrap_or(f64::NAN);
                let differ = |decimals: usize| format!("{value:.decimals$}") != format!("{limit:.decimals$}");
                let is_told = |decimals: &usize| self.status != RuleStatus::Failed || differ(*decimals);
                let decimals = (3..=9).find(is_told).unwrap_or(9);
                format!("{value:.decimals$}")
            }
            RuleKind::Time if value < 10.0 => format!("{value:.2} ms"),
            RuleKind::Time => format!("{value:.0} ms"),
            RuleKind::Count => format!("{value}"),
            RuleKind::Promise => format!("{value}/{}", self.n),
        })
    }
}

impl Verdict {
    /// Decides: an incomplete run has no verdict, and none of its rules has; else one failed rule fails it; else one
    /// unjudged rule leaves it without a verdict; else it passed. Rules at level `warn` are shown and decide nothing.
    pub fn decide(
        incomplete: Vec<Incomplete>,
        mut rules: Vec<RuleResult>,
        partial: bool,
        report_only: bool,
    ) -> Self {
        if !incomplete.is_empty() {
            for rule in &mut rules {
                (rule.status, rule.reason) = (RuleStatus::Unjudged, Some(Reason::Incomplete));
                rule.slices.iter_mut().for_each(|slice| slice.status = RuleStatus::Unjudged);
            }
        }
        let gated = || rules.iter().filter(|rule| rule.level == RuleLevel::Fail);
        let count = |status| gated().filter(|rule| rule.status == status).count();
        let (failed, unjudged, all) =
            (count(RuleStatus::Failed), count(RuleStatus::Unjudged), gated().count());
        // A run of some questions judges promises only.
        let (one, many) = if partial { ("promise", "promises") } else { ("rule", "rules") };
        let rules_of = |part: usize| match (part, all) {
            (1, 1) => format!("the only {one}"),
            (part, all) if part == all => format!("all {all} {many}"),
            (part, all) => format!("{part} of {all} {many}"),
        };
        let warnings = rules
            .iter()
            .filter(|rule| rule.level == RuleLevel::Warn && rule.status == RuleStatus::Failed)
            .count();
        let warned = match warnings {
            0 => String::new(),
            1 => ", 1 warning".to_owned(),
            n => format!(", {n} warnings"),
        };
        let (outcome, headline) = if let Some(first) = incomplete.first() {
            (Outcome::Incomplete, first.message.lines().next().unwrap_or_default().to_owned())
        } else if failed > 0 {
            let unjudged = match unjudged {
                0 => String::new(),
                n => format!(", {n} could not be judged"),
            };
            (Outcome::Failed, format!("{} failed{unjudged}{warned}", rules_of(failed)))
        } else if unjudged > 0 {
            (Outcome::Unjudged, format!("{} could not be judged{warned}", rules_of(unjudged)))
        } else if all > 0 {
            (Outcome::Passed, format!("{} passed{warned}", rules_of(all)))
        } else {
            (Outcome::NothingGated, "nothing was gated".to_owned())
        };
        let exit_status = match outcome {
            Outcome::Passed | Outcome::NothingGated => 0,
            Outcome::Failed if report_only => 0,
            Outcome::Failed => 1,
            Outcome::Unjudged | Outcome::Incomplete => 2,
        };
        Self { outcome, exit_status, headline, incomplete, rules, report_only }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(level: RuleLevel, status: RuleStatus) -> RuleResult {
        RuleResult {
            status,
            value: Some(0.5),
            limit: Some(0.9),
            n: 10,
            ..RuleResult::new("hit_rate@5 >= 0.9", RuleKind::Measure, level)
        }
    }

    #[test]
    fn incomplete_beats_failed_beats_unjudged_beats_passed() {
        use RuleLevel::{Fail, Warn};
        use RuleStatus::{Failed, Passed, Unjudged};
        let broken = || vec![Incomplete { code: "no_hits".into(), message: "no hits".into() }];
        let status = |incomplete, rules: &[(RuleLevel, RuleStatus)]| {
            let rules = rules.iter().map(|(level, status)| rule(*level, *status)).collect();
            Verdict::decide(incomplete, rules, false, false).exit_status
        };
        assert_eq!(status(broken(), &[(Fail, Failed)]), 2);
        assert_eq!(status(vec![], &[(Fail, Failed), (Fail, Unjudged)]), 1);
        assert_eq!(status(vec![], &[(Fail, Unjudged), (Fail, Passed)]), 2);
        assert_eq!(status(vec![], &[(Fail, Passed), (Warn, Failed), (Warn, Unjudged)]), 0);
        assert_eq!(status(vec![], &[]), 0);
    }

    #[test]
    fn only_a_failed_gate_is_forgiven_by_report_only() {
        let failed = vec![rule(RuleLevel::Fail, RuleStatus::Failed)];
        let unjudged = vec![rule(RuleLevel::Fail, RuleStatus::Unjudged)];
        assert_eq!(Verdict::decide(vec![], failed.clone(), false, true).exit_status, 0);
        assert_eq!(Verdict::decide(vec![], failed, false, true).outcome, Outcome::Failed);
        assert_eq!(Verdict::decide(vec![], unjudged, false, true).exit_status, 2);
    }
}
