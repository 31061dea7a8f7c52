//! How the process ends. This is the one place that says what each exit status means.

use std::process::ExitCode;

use rankgate::gate::Verdict;

/// What the exit status tells the caller. Scripts may rely on the numbers.
///
/// A rule of the gate is passed, failed or unjudged. In this order:
///
/// 1. The run is incomplete (bad input, too many errors, a store that cannot be reached, a baseline that cannot be
///    compared, nothing evaluated): [`NoVerdict`](Self::NoVerdict).
/// 2. A rule failed, whatever became of the others: [`GateFailed`](Self::GateFailed).
/// 3. A rule could not be judged: [`NoVerdict`](Self::NoVerdict).
/// 4. Else [`Passed`](Self::Passed). So ends a run without rules, too, and its first line says that nothing was
///    gated.
///
/// Wrong usage of the command line is no verdict either. Commands that judge nothing end with `Passed` when they
/// did what was asked of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum ExitStatus {
    /// Every rule passed.
    Passed = 0,
    /// A rule failed: retrieval got worse than the rules allow.
    GateFailed = 1,
    /// It cannot be said whether retrieval is good enough.
    NoVerdict = 2,
}

impl ExitStatus {
    /// The status that the verdict has decided.
    pub fn of(verdict: &Verdict) -> Self {
        match verdict.exit_status {
            0 => Self::Passed,
            1 => Self::GateFailed,
            _ => Self::NoVerdict,
        }
    }
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> Self {
        Self::from(status as u8)
    }
}

/// The same, as `--help` says it.
pub const HELP: &str = "\
Exit status:
  0  passed: every rule of the gate holds, or nothing was gated
  1  gate failed: at least one rule failed
  2  no verdict: wrong usage, bad input, too many errors, nothing evaluated,
     or a rule that could not be judged (and none that failed)";
