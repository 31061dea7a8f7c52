//! `map`: (1/n) Σ m / p over p ≤ k, where p is the place of the m-th relevant need (Buckley and
//! Voorhees 2005).
//!
//! Needs that are never met stay in n, so a list cut short cannot raise the value.

use super::{relevant_count, relevant_placed, total};
use crate::measure::Arguments;
use crate::outcome::Outcome;

pub(crate) fn map(outcome: &Outcome, arguments: &Arguments) -> f64 {
    let needs = relevant_count(outcome, arguments);
    if needs == 0 {
        return 0.0;
    }
    let terms = relevant_placed(outcome, arguments)
        .zip(1_u32..)
        .filter(|(need, _)| arguments.keeps(need.place))
        .map(|(need, met)| f64::from(met) / need.place as f64);
    total(terms) / needs as f64
}

#[cfg(test)]
mod tests {
    use crate::measures::example::{case, check};

    #[test]
    fn worked_example() {
        // Needs at places 2 and 3, a third never met: (1/2 + 2/3) / 3.
        check(
            &case([(1, 2), (1, 3), (1, 0)], 10),
            &[("map", (0.5 + 2.0 / 3.0) / 3.0), ("map@2", 0.5 / 3.0), ("map@1", 0.0)],
        );
        check(&case([(1, 2), (1, 3)], 3), &[("map@3", 0.583_333_333_3)]);
    }

    #[test]
    fn relevance_is_counted_among_relevant_needs() {
        // Grades 1, 2, 2 at places 1, 2, 4: (1/2 + 2/4) / 2.
        check(&case([(1, 1), (2, 2), (2, 4)], 9), &[("map(rel=2)", 0.5), ("map(rel=3)", 0.0)]);
    }

    #[test]
    fn one_hit_for_three_needs_is_a_perfect_list_and_no_more() {
        check(&case([(1, 1), (1, 1), (1, 1)], 4), &[("map", 1.0), ("map@1", 1.0 / 3.0)]);
    }
}
