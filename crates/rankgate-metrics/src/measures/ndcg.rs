//! `ndcg`: Σ gain(g) / log2(p + 1) over p ≤ k, divided by the same sum for the ideal list
//! (Järvelin and Kekäläinen 2002; the exponential gain is that of Burges et al. 2005).
//!
//! The ideal has the grades of all needs, highest first, at places 1 to min(n, k). It depends on
//! the labels alone: needs that were not found still count in it, and it is cut at k, never at the
//! length of the list.

use super::{power, total};
use crate::measure::{Arguments, Gain};
use crate::outcome::Outcome;

pub(crate) fn ndcg(outcome: &Outcome, arguments: &Arguments) -> f64 {
    let Some(&highest) = outcome.grades_descending().first() else {
        return 0.0;
    };
    let term = |(place, grade): (u64, u32)| {
        let gain = match arguments.gain {
            Gain::Linear => f64::from(grade),
            Gain::Exponential => scaled_exponential(grade, highest),
        };
        gain / (place as f64 + 1.0).log2()
    };
    let within = |&(place, _): &(u64, u32)| arguments.keeps(place);
    let found = outcome.placed().iter().map(|need| (need.place, need.grade));
    let ideal = (1..).zip(outcome.grades_descending().iter().copied());
    let ratio = total(found.take_while(within).map(term)) / total(ideal.take_while(within).map(term));
    // Mathematically at most 1; the two sums may round differently when grades are far apart.
    ratio.min(1.0)
}

/// (2^grade − 1) / 2^highest. The division cancels in the ratio, and without it a grade above 1023
/// would be infinite.
fn scaled_exponential(grade: u32, highest: u32) -> f64 {
    power(0.5, u64::from(highest - grade.min(highest))) - power(0.5, u64::from(highest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measures::example::{case, check};

    #[test]
    fn worked_example() {
        // Grades 1, 3, -, 2 down the list.
        // Linear: 1 + 3/log2(3) + 2/log2(5) = 3.754142 of 3 + 2/log2(3) + 1/2 = 4.761860.
        // Exponential: 1 + 7/log2(3) + 3/log2(5) = 6.708538 of 7 + 3/log2(3) + 1/2 = 9.392789.
        check(
            &case([(3, 2), (1, 1), (2, 4)], 4),
            &[("ndcg(gain=linear)@4", 0.788_377_391_5), ("ndcg@4", 0.714_222_129_7)],
        );
    }

    #[test]
    fn the_ideal_is_cut_at_k_and_not_at_the_list() {
        let five = |found: u32| [1, 2, 3, 4, 5].map(|rank| (1, if rank <= found { rank } else { 0 }));
        check(&case(five(3), 3), &[("ndcg@3", 1.0), ("ndcg@5", 0.722_726_572_6)]);
        check(&case(five(1), 1), &[("ndcg@10", 0.339_160_205_3)]);
        let late = [6, 7, 8, 9, 10].map(|rank| (1, rank));
        check(&case(late, 10), &[("ndcg@10", 0.540_994_517_8)]);
    }

    #[test]
    fn on_binary_labels_the_gains_agree() {
        check(
            &case([(1, 2), (1, 3), (1, 0)], 3),
            &[
                ("ndcg(gain=linear)", (1.0 / 3_f64.log2() + 0.5) / (1.5 + 1.0 / 3_f64.log2())),
                ("ndcg(gain=exponential)", (1.0 / 3_f64.log2() + 0.5) / (1.5 + 1.0 / 3_f64.log2())),
            ],
        );
    }

    #[test]
    fn huge_grades_stay_finite() {
        let huge = case([(u32::MAX, 2), (u32::MAX - 1, 1), (1, 3)], 3);
        let discount = 3_f64.log2();
        check(&huge, &[("ndcg@3", (0.5 + 1.0 / discount) / (1.0 + 0.5 / discount))]);
        assert!(scaled_exponential(1, u32::MAX) >= 0.0);
    }

    #[test]
    fn no_needs_is_zero() {
        check(&case([], 3), &[("ndcg@3", 0.0)]);
    }
}
