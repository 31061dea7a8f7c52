//! The functions behind the table, one file for each family.
//!
//! Each takes an outcome it applies to, and arguments that were checked against the table. With no
//! relevant need the value is 0.

pub(crate) mod average_precision;
pub(crate) mod found;
pub(crate) mod judged;
pub(crate) mod ndcg;
pub(crate) mod precision;
pub(crate) mod rank_biased;
pub(crate) mod reciprocal_rank;
pub(crate) mod refusal;

use crate::measure::Arguments;
use crate::outcome::{Outcome, PlacedNeed};

/// How many needs are relevant.
fn relevant_count(outcome: &Outcome, arguments: &Arguments) -> usize {
    outcome.needs().iter().filter(|need| arguments.is_relevant(need.grade)).count()
}

/// The relevant needs that are met, in order of their places.
fn relevant_placed<'a>(outcome: &'a Outcome, arguments: &Arguments) -> impl Iterator<Item = &'a PlacedNeed> {
    let arguments = *arguments;
    outcome.placed().iter().filter(move |need| arguments.is_relevant(need.grade))
}

/// `part / whole`, and 0 for a share of nothing.
fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// A plain sum from left to right. Unlike [`Iterator::sum`] it starts at 0, so that the sum of
/// nothing is not −0 and never prints with a sign.
fn total(terms: impl Iterator<Item = f64>) -> f64 {
    terms.fold(0.0, |sum, term| sum + term)
}

fn indicator(condition: bool) -> f64 {
    if condition { 1.0 } else { 0.0 }
}

/// `base` to a whole power, by repeated squaring: only multiplications, so the result is the same
/// on every platform, and exact for powers of one half until they vanish.
fn power(base: f64, mut exponent: u64) -> f64 {
    let (mut result, mut square) = (1.0, base);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result *= square;
        }
        square *= square;
        exponent >>= 1;
    }
    result
}

#[cfg(test)]
mod example {
    //! What the worked examples beside the functions share.

    use crate::{Measure, NeedOutcome, Outcome};

    /// A case from `(grade, rank)` pairs, rank 0 for never, over `returned` hits.
    pub(crate) fn case<const N: usize>(needs: [(u32, u32); N], returned: u32) -> Outcome {
        let needs = needs.map(|(grade, rank)| NeedOutcome { grade, rank: (rank > 0).then_some(rank) });
        let labelled = needs.iter().filter_map(|need| need.rank).collect();
        Outcome::new(needs.to_vec(), returned, labelled)
    }

    #[track_caller]
    pub(crate) fn check(outcome: &Outcome, expected: &[(&str, f64)]) {
        for (text, value) in expected {
            let measure: Measure = text.parse().unwrap();
            let got = measure.value(outcome).unwrap();
            assert!((got - value).abs() < 1e-9, "{text}: {got}, not {value}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::power;

    #[test]
    fn powers_of_one_half_are_exact() {
        let bits = |x: f64| x.to_bits();
        assert_eq!(bits(power(0.5, 0)), bits(1.0));
        assert_eq!(bits(power(0.5, 10)), bits(1.0 / 1024.0));
        assert_eq!(bits(power(0.5, 1022)), bits(f64::MIN_POSITIVE));
        assert_eq!(bits(power(0.5, 1074)), 1);
        assert_eq!(bits(power(0.5, u64::MAX)), bits(0.0));
    }
}
