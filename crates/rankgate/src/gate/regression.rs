//! `no regression on m`: is this run worse than the accepted one, beyond noise and by more than a trifle?
//!
//! Two one-sided tests share an error of 5 %. The first counts needs lost against needs found within the whole depth: it
//! does not care about churn inside the list, so it sees small real losses that a test on the measure drowns in noise.
//! The second looks at the measure itself, for losses of rank that leave the evidence in the list. Either only fails
//! the gate when the loss has a size, too.
//!
//! With few questions no test can tell; the rule is then a budget, and says so.

use rankgate_metrics::stats::{Alternative, Test, sign_flip, sign_flip_counts};

use super::rule::Options;
use crate::compare::{DRAWS, SEED};
use crate::text::questions;

/// The error of the test on needs.
pub const NEEDS_ALPHA: f64 = 0.035;
/// The error of the test on the measure.
pub const MEASURE_ALPHA: f64 = 0.015;
/// With fewer questions than this, times the share that may be lost, a test cannot tell.
pub(super) const LEAST_LOST: f64 = 5.0;
/// Float noise does not decide.
const TOLERANCE: f64 = 1e-9;

/// What the remark of a decision says that no test made.
pub(crate) const TOO_FEW: &str = "too few for a test";

/// What to do when there are too few questions for a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Underpowered {
    /// Bound the loss by `max_loss`.
    Budget,
    /// Do not judge.
    Error,
    /// Let it pass.
    Pass,
}

/// The settings of the rule.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// Smaller losses pass, however sure they are.
    pub min_effect: f64,
    /// The loss that a budget allows, and that a test must be able to see.
    pub max_loss: f64,
    /// What to do with too few questions.
    pub underpowered: Underpowered,
    /// Draws of the sampled test.
    pub draws: u32,
    /// Their seed.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            min_effect: 0.02,
            max_loss: 0.10,
            underpowered: Underpowered::Budget,
            draws: DRAWS,
            seed: SEED,
        }
    }
}

impl Settings {
    /// The settings that a rule gives, or what is wrong with them.
    pub(super) fn of(options: &Options) -> Result<Self, String> {
        let mut settings = Self::default();
        for (key, value) in &options.0 {
            match key.as_str() {
                "min_effect" => settings.min_effect = share(key, value)?,
                "max_loss" => settings.max_loss = share(key, value)?,
                "underpowered" => {
                    settings.underpowered = match value.as_str() {
                        "budget" => Underpowered::Budget,
                        "error" => Underpowered::Error,
                        "pass" => Underpowered::Pass,
                        _ => return Err(format!("`underpowered` is budget, error or pass, not `{value}`")),
                    }
                }
                "draws" => settings.draws = draws(value)?,
                "seed" => settings.seed = seed(value)?,
                _ => {}
            }
        }
        Ok(settings)
    }
}

/// A share between 0 and 1.
pub(super) fn share(key: &str, value: &str) -> Result<f64, String> {
    let number = value.parse::<f64>().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| format!("`{key}` is a share from 0 to 1, not `{value}`"))
}

/// How many draws.
pub(super) fn draws(value: &str) -> Result<u32, String> {
    let number = value.parse::<u32>().ok().filter(|draws| (100..=10_000_000).contains(draws));
    number.ok_or_else(|| format!("`draws` is a whole number from 100 to 10000000, not `{value}`"))
}

/// A seed.
pub(super) fn seed(value: &str) -> Result<u64, String> {
    value.parse().map_err(|_| format!("`seed` is a whole number from 0, not `{value}`"))
}

/// One question with two answers, in numbers.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Loss {
    /// Needs it has.
    pub needs: usize,
    /// Needs met within the depth before and not now, less those met only now.
    pub needs_lost: i64,
    /// How much of the measure it lost: above zero is worse.
    pub measure: f64,
    /// It is critical, its evidence stood near the top, and does not now.
    pub critical_lost: bool,
}

/// What the rule decides.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// Whether it passed; `None` where it does not judge.
    pub passed: Option<bool>,
    /// The share of needs lost, net.
    pub needs_lost: f64,
    /// The mean loss of the measure.
    pub measure_lost: f64,
    /// Both tests: needs, then the measure.
    pub tests: [Test; 2],
    /// Whether they decided; else there were too few questions for them.
    pub is_tested: bool,
    /// In words: what decided, when that is not plain from the numbers.
    pub remark: Option<String>,
}

/// Decides. The questions come in the byte order of their ids, which the draws follow.
pub fn decide(losses: &[Loss], settings: &Settings) -> Decision {
    let counts: Vec<i64> = losses.iter().map(|loss| loss.needs_lost).collect();
    let values: Vec<f64> = losses.iter().map(|loss| loss.measure).collect();
    let tests = [
        sign_flip_counts(&counts, Alternative::Greater),
        sign_flip(&values, Alternative::Greater, settings.draws, settings.seed),
    ];
    let needs: usize = losses.iter().map(|loss| loss.needs).sum();
    let share = |lost: f64, of: usize| if of == 0 { 0.0 } else { lost / of as f64 };
    let needs_lost = share(counts.iter().sum::<i64>() as f64, needs);
    let measure_lost = share(values.iter().sum(), losses.len());
    let reaches = |lost: f64, limit: f64| lost >= limit - TOLERANCE;
    let mut decision =
        Decision { passed: None, needs_lost, measure_lost, tests, is_tested: true, remark: None };

    let n = losses.len();
    if (n as f64) * settings.max_loss < LEAST_LOST - TOLERANCE {
        decision.is_tested = false;
        let least = (LEAST_LOST / settings.max_loss).ceil();
        let few = match (n, least.is_finite()) {
            (1, true) => format!("1 question is {TOO_FEW} (it takes {least})"),
            (_, true) => format!("{n} questions are {TOO_FEW} (it takes {least})"),
            (_, false) => format!("no loss is allowed, and no test tells that of {}", questions(n)),
        };
        let critical = losses.iter().filter(|loss| loss.critical_lost).count();
        let per_cent = settings.max_loss * 100.0;
        (decision.passed, decision.remark) = match settings.underpowered {
            Underpowered::Error => (None, Some(few)),
            Underpowered::Pass => (Some(true), Some(format!("{few}: passed unjudged"))),
            Underpowered::Budget => {
                // A loss of nothing is no loss, whatever the budget.
                let over = |lost: f64| lost > TOLERANCE && reaches(lost, settings.max_loss);
                let why = if over(needs_lost) {
                    format!("{:.1} % of the needs are lost", needs_lost * 100.0)
                } else if over(measure_lost) {
                    format!("the mean fell by {measure_lost:.3}")
                } else if critical > 0 {
                    "a critical question lost its evidence".to_owned()
                } else {
                    return Decision {
                        passed: Some(true),
                        remark: Some(format!("{few}: within a budget of {per_cent:.0} %")),
                        ..decision
                    };
                };
                (Some(false), Some(format!("{few}: {why}, and the budget is {per_cent:.0} %")))
            }
        };
        return decision;
    }
    let [on_needs, on_measure] = decision.tests;
    let needs_fail = on_needs.p <= NEEDS_ALPHA && reaches(needs_lost, settings.min_effect);
    let measure_fails = on_measure.p <= MEASURE_ALPHA && reaches(measure_lost, settings.min_effect);
    decision.passed = Some(!(needs_fail || measure_fails));
    decision.remark = match (needs_fail, measure_fails) {
        (true, _) => Some(format!("{:.1} % of the needs are lost from the list", needs_lost * 100.0)),
        (false, false) if measure_lost > TOLERANCE || needs_lost > TOLERANCE => {
            let is_sure = on_needs.p <= NEEDS_ALPHA || on_measure.p <= MEASURE_ALPHA;
            Some(if is_sure { "a loss below `min_effect`" } else { "within noise" }.to_owned())
        }
        (false, _) => None,
    };
    decision
}

#[cfg(test)]
mod tests {
    use super::*;

    fn losses(n: usize, lost: usize, found: usize) -> Vec<Loss> {
        (0..n)
            .map(|i| {
                let by = if i < lost {
                    1
                } else if i < lost + found {
                    -1
                } else {
                    0
                };
                Loss { needs: 1, needs_lost: by, measure: by as f64 * 0.5, critical_lost: false }
            })
            .collect()
    }

    fn passed(losses: &[Loss], settings: &Settings) -> Option<bool> {
        decide(losses, settings).passed
    }

    #[test]
    fn five_lost_and_none_found_is_more_than_chance() {
        // One in 32.
        let decision = decide(&losses(100, 5, 0), &Settings::default());
        assert_eq!(decision.passed, Some(false));
        assert!((decision.tests[0].p - 1.0 / 32.0).abs() < 1e-12);
        assert_eq!(passed(&losses(100, 4, 0), &Settings::default()), Some(true));
        assert_eq!(passed(&losses(100, 6, 3), &Settings::default()), Some(true));
    }

    #[test]
    fn a_sure_loss_of_a_trifle_passes() {
        assert_eq!(passed(&losses(1_000, 10, 0), &Settings::default()), Some(true));
        assert_eq!(passed(&losses(1_000, 20, 0), &Settings::default()), Some(false));
        let strict = Settings { min_effect: 0.0, ..Settings::default() };
        assert_eq!(passed(&losses(1_000, 10, 0), &strict), Some(false));
    }

    #[test]
    fn no_difference_is_never_a_loss() {
        for n in [0, 1, 10, 49, 50, 1_000] {
            for min_effect in [0.0, 0.02] {
                let settings = Settings { min_effect, max_loss: 0.10, ..Settings::default() };
                assert_eq!(passed(&losses(n, 0, 0), &settings), Some(true), "{n}");
            }
        }
        let nothing_allowed = Settings { max_loss: 0.0, ..Settings::default() };
        assert_eq!(passed(&losses(10, 0, 0), &nothing_allowed), Some(true));
    }

    #[test]
    fn too_few_questions_have_a_budget() {
        let settings = Settings::default();
        assert_eq!(passed(&losses(10, 1, 0), &settings), Some(false));
        assert_eq!(passed(&losses(20, 1, 0), &settings), Some(true));
        assert_eq!(passed(&losses(49, 5, 0), &settings), Some(false));
        let mut critical = losses(20, 1, 0);
        critical[0].critical_lost = true;
        assert_eq!(passed(&critical, &settings), Some(false));
        let error = Settings { underpowered: Underpowered::Error, ..settings };
        assert_eq!(passed(&losses(10, 9, 0), &error), None);
        let pass = Settings { underpowered: Underpowered::Pass, ..settings };
        assert_eq!(passed(&losses(10, 9, 0), &pass), Some(true));
    }

    #[test]
    fn ranks_alone_can_fail_it() {
        let sunk: Vec<Loss> = (0..100)
            .map(|i| Loss { needs: 1, measure: if i < 30 { 0.5 } else { 0.0 }, ..Loss::default() })
            .collect();
        let decision = decide(&sunk, &Settings::default());
        assert_eq!((decision.passed, decision.needs_lost), (Some(false), 0.0));
    }
}
