//! `rbp`: (1 − p) Σ p^(place − 1) over the relevant needs (Moffat and Zobel 2008).
//!
//! Relevance is yes or no here. A perfect list of n needs has 1 − p^n, not 1: the reader is
//! expected to go on beyond it.

use super::{power, relevant_placed, total};
use crate::measure::Arguments;
use crate::outcome::Outcome;

pub(crate) fn rbp(outcome: &Outcome, arguments: &Arguments) -> f64 {
    let persistence = arguments.persistence;
    let terms = relevant_placed(outcome, arguments).map(|need| power(persistence, need.place - 1));
    // At most 1 − p^n; with many needs and p close to 1 it may round above 1.
    ((1.0 - persistence) * total(terms)).min(1.0)
}

#[cfg(test)]
mod tests {
    use crate::measures::example::{case, check};

    #[test]
    fn worked_example() {
        // Places 1 and 3: 0.2 (1 + 0.64), or 0.5 (1 + 0.25).
        check(
            &case([(1, 1), (2, 3), (1, 0)], 8),
            &[("rbp", 0.328), ("rbp(p=0.5)", 0.625), ("rbp(rel=2)", 0.128), ("rbp(rel=3)", 0.0)],
        );
    }

    #[test]
    fn one_hit_for_three_needs_is_the_perfect_list() {
        check(&case([(1, 1), (1, 1), (1, 1)], 4), &[("rbp", 1.0 - 0.512)]);
    }
}
