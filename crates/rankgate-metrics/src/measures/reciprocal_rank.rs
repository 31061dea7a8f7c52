//! `mrr`: 1 / min r if that is within the cut-off, else 0 (Voorhees 1999).

use super::relevant_placed;
use crate::measure::Arguments;
use crate::outcome::Outcome;

pub(crate) fn mrr(outcome: &Outcome, arguments: &Arguments) -> f64 {
    relevant_placed(outcome, arguments)
        .next()
        .filter(|first| arguments.keeps(first.rank))
        .map_or(0.0, |first| 1.0 / f64::from(first.rank))
}

#[cfg(test)]
mod tests {
    use crate::measures::example::{case, check};

    #[test]
    fn worked_example() {
        check(
            &case([(2, 7), (1, 3), (1, 0)], 10),
            &[
                ("mrr", 1.0 / 3.0),
                ("mrr@3", 1.0 / 3.0),
                ("mrr@2", 0.0),
                ("mrr(rel=2)", 1.0 / 7.0),
                ("mrr(rel=3)", 0.0),
            ],
        );
        check(&case([(1, 0)], 0), &[("mrr", 0.0)]);
    }

    #[test]
    fn a_shared_rank_is_not_pushed_down() {
        // The need of grade 1 takes place 2, but its rank, which is what mrr looks at, is 1.
        check(&case([(1, 1), (5, 1)], 3), &[("mrr", 1.0), ("mrr(rel=5)", 1.0)]);
    }
}
