//! What was found within the cut-off, wherever it stands: `hit_rate`, `recall`, `all_needs`.
//!
//! These look at ranks: a hit that meets three needs has met all three at its own rank.

use super::{indicator, relevant_count, relevant_placed, share};
use crate::measure::Arguments;
use crate::outcome::Outcome;

fn met(outcome: &Outcome, arguments: &Arguments) -> usize {
    relevant_placed(outcome, arguments).filter(|need| arguments.keeps(need.rank)).count()
}

/// 1 if any r ≤ k (Craswell and Hawking 2004, success at n).
pub(crate) fn hit_rate(outcome: &Outcome, arguments: &Arguments) -> f64 {
    indicator(met(outcome, arguments) > 0)
}

/// Share of the needs with r ≤ k (Kent et al. 1955).
pub(crate) fn recall(outcome: &Outcome, arguments: &Arguments) -> f64 {
    share(met(outcome, arguments), relevant_count(outcome, arguments))
}

/// 1 if all r ≤ k.
pub(crate) fn all_needs(outcome: &Outcome, arguments: &Arguments) -> f64 {
    let needs = relevant_count(outcome, arguments);
    indicator(needs > 0 && met(outcome, arguments) == needs)
}

#[cfg(test)]
mod tests {
    use crate::measures::example::{case, check};

    #[test]
    fn worked_example() {
        // Two of three needs within 3, the third at 5; one of the two is of grade 2.
        check(
            &case([(1, 3), (2, 2), (1, 5)], 10),
            &[
                ("hit_rate@1", 0.0),
                ("hit_rate@2", 1.0),
                ("recall@1", 0.0),
                ("recall@3", 2.0 / 3.0),
                ("recall@5", 1.0),
                ("recall(rel=2)@3", 1.0),
                ("all_needs@4", 0.0),
                ("all_needs@5", 1.0),
                ("all_needs(rel=2)@2", 1.0),
            ],
        );
    }

    #[test]
    fn one_hit_may_meet_every_need() {
        check(
            &case([(1, 1), (1, 1), (1, 1)], 4),
            &[("hit_rate@1", 1.0), ("recall@1", 1.0), ("all_needs@1", 1.0)],
        );
    }

    #[test]
    fn no_relevant_need_is_zero() {
        let nothing_of_grade_two = case([(1, 1)], 3);
        check(
            &nothing_of_grade_two,
            &[("hit_rate(rel=2)@3", 0.0), ("recall(rel=2)@3", 0.0), ("all_needs(rel=2)@3", 0.0)],
        );
    }
}
