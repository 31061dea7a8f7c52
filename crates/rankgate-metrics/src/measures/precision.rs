//! The hits that earn their place: `precision`, `context_precision`, `f1`, `r_precision`.
//!
//! A hit is counted once however many needs it meets, and a hit that only meets needs which an
//! earlier one has met is not counted: hence distinct ranks, not needs.

use super::{found, relevant_count, relevant_placed, share};
use crate::measure::Arguments;
use crate::outcome::Outcome;

/// How many distinct ranks r ≤ k first meet a relevant need.
fn useful_hits(outcome: &Outcome, arguments: &Arguments) -> f64 {
    let mut last = 0;
    let mut count = 0_u32;
    for need in relevant_placed(outcome, arguments).filter(|need| arguments.keeps(need.rank)) {
        if need.rank != last {
            last = need.rank;
            count += 1;
        }
    }
    f64::from(count)
}

/// Useful hits / k (Kent et al. 1955): a list shorter than k is not excused.
pub(crate) fn precision(outcome: &Outcome, arguments: &Arguments) -> f64 {
    useful_hits(outcome, arguments) / arguments.depth() as f64
}

/// Useful hits / min(k, L).
pub(crate) fn context_precision(outcome: &Outcome, arguments: &Arguments) -> f64 {
    let shown = arguments.depth().min(outcome.returned().into());
    if shown == 0 { 0.0 } else { useful_hits(outcome, arguments) / shown as f64 }
}

/// 2 P R / (P + R) (van Rijsbergen 1979).
pub(crate) fn f1(outcome: &Outcome, arguments: &Arguments) -> f64 {
    let precision = precision(outcome, arguments);
    let recall = found::recall(outcome, arguments);
    // When one is zero both are, for both need a hit within the cut-off.
    if recall > 0.0 { 2.0 * precision * recall / (precision + recall) } else { 0.0 }
}

/// Share of the needs with p ≤ n (Buckley and Voorhees 2005).
pub(crate) fn r_precision(outcome: &Outcome, arguments: &Arguments) -> f64 {
    let needs = relevant_count(outcome, arguments);
    let early = relevant_placed(outcome, arguments).filter(|need| need.place <= needs as u64).count();
    share(early, needs)
}

#[cfg(test)]
mod tests {
    use crate::measures::example::{case, check};

    #[test]
    fn worked_example() {
        // Two of four needs within 5, at 1 and 3; three hits returned.
        check(
            &case([(1, 1), (2, 3), (1, 0), (1, 0)], 3),
            &[
                ("precision@5", 0.4),
                ("precision@1", 1.0),
                ("precision(rel=2)@5", 0.2),
                ("context_precision@5", 2.0 / 3.0),
                ("context_precision@2", 0.5),
                ("f1@5", 2.0 * 0.4 * 0.5 / 0.9),
                ("f1(rel=3)@5", 0.0),
                ("r_precision", 0.5),
                ("r_precision(rel=2)", 0.0),
            ],
        );
    }

    #[test]
    fn a_short_list_shows_in_precision_and_not_in_context_precision() {
        check(&case([(1, 1)], 1), &[("precision@5", 0.2), ("context_precision@5", 1.0)]);
        check(&case([(1, 1)], 2), &[("precision@5", 0.2), ("context_precision@5", 0.5)]);
        check(&case([(1, 0)], 0), &[("precision@5", 0.0), ("context_precision@5", 0.0), ("f1@5", 0.0)]);
    }

    #[test]
    fn one_hit_for_three_needs_is_one_hit() {
        check(
            &case([(1, 1), (1, 1), (1, 1)], 4),
            &[("precision@1", 1.0), ("precision@4", 0.25), ("f1@4", 0.4), ("r_precision", 1.0)],
        );
    }
}
