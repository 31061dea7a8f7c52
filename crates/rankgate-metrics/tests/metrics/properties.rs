//! What holds for every measure and every case.

use proptest::prelude::*;
use rankgate_metrics::{Measure, NeedOutcome, Outcome};

use crate::strategies::{any_outcome, measure_text, measure_text_where, needs, outcome};

/// Sums of the same terms in another order may differ in their last digits.
const ROUNDING: f64 = 1e-12;

fn list(needs: Vec<NeedOutcome>) -> Outcome {
    let labelled = needs.iter().filter_map(|need| need.rank).collect();
    Outcome::new(needs, 12, labelled)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn values_stay_in_their_range(text in measure_text(), outcome in any_outcome()) {
        let measure: Measure = text.parse().unwrap();
        if let Some(value) = measure.value(&outcome) {
            let (low, high) = measure.definition().range;
            prop_assert!((low..=high).contains(&value), "{} = {}", measure, value);
            prop_assert!(value.is_sign_positive(), "{} = {}", measure, value);
        }
    }

    #[test]
    fn only_guards_apply_to_a_case_without_an_answer(text in measure_text(), outcome in any_outcome()) {
        let measure: Measure = text.parse().unwrap();
        let expected = match measure.definition().name {
            "forbidden" => outcome.has_forbidden(),
            "abstained" => !outcome.is_answerable(),
            _ => outcome.is_answerable(),
        };
        prop_assert_eq!(measure.value(&outcome).is_some(), expected);
    }

    /// The hit at r − 1 meets no need; it changes places with the one at r, which meets some.
    #[test]
    fn a_useful_hit_that_moves_up_never_lowers_a_value(
        needs in needs(),
        text in measure_text_where(|d| {
            ["hit_rate", "recall", "all_needs", "mrr", "ndcg", "map", "rbp", "r_precision", "precision",
             "context_precision", "f1"].contains(&d.name)
        }),
    ) {
        let measure: Measure = text.parse().unwrap();
        let before = measure.value(&list(needs.clone())).unwrap();
        let stands_at = |rank: u32| needs.iter().any(|need| need.rank == Some(rank));
        for rank in (2..=12).filter(|&rank| stands_at(rank) && !stands_at(rank - 1)) {
            let mut moved = needs.clone();
            for need in moved.iter_mut().filter(|need| need.rank == Some(rank)) {
                need.rank = Some(rank - 1);
            }
            let after = measure.value(&list(moved)).unwrap();
            prop_assert!(after >= before - ROUNDING, "{}: {} to {} from rank {}", measure, before, after, rank);
        }
    }

    #[test]
    fn an_irrelevant_tail_changes_nothing(
        outcome in outcome(),
        tail in 1..50_u32,
        text in measure_text_where(|d| !["context_precision", "judged"].contains(&d.name)),
    ) {
        let measure: Measure = text.parse().unwrap();
        let longer = Outcome::new(outcome.needs().to_vec(), outcome.returned() + tail, outcome.labelled().to_vec());
        prop_assert_eq!(measure.value(&outcome), measure.value(&longer));
    }

    #[test]
    fn finding_one_more_need_never_lowers_what_counts_needs(
        needs in needs(),
        rank in 1..=13_u32,
        text in measure_text_where(|d| ["hit_rate", "recall", "all_needs", "mrr"].contains(&d.name)),
    ) {
        let measure: Measure = text.parse().unwrap();
        let before = measure.value(&list(needs.clone())).unwrap();
        for index in (0..needs.len()).filter(|&index| needs[index].rank.is_none()) {
            let mut more = needs.clone();
            more[index].rank = Some(rank);
            prop_assert!(measure.value(&list(more)).unwrap() >= before);
        }
    }

    #[test]
    fn the_order_of_equal_labels_is_of_no_account(needs in needs(), text in measure_text()) {
        let measure: Measure = text.parse().unwrap();
        let mut reversed = needs.clone();
        reversed.reverse();
        prop_assert_eq!(measure.value(&list(needs)), measure.value(&list(reversed)));
    }

    /// A list that meets every need by a hit of its own, best grades first, is perfect.
    #[test]
    fn the_ideal_list_has_value_one(
        mut needs in needs(),
        text in measure_text_where(|d| ["ndcg", "map", "mrr"].contains(&d.name)),
    ) {
        let measure: Measure = text.parse().unwrap();
        prop_assume!(needs.iter().any(|need| need.grade >= measure.rel()));
        needs.sort_by_key(|need| std::cmp::Reverse(need.grade));
        for (need, rank) in needs.iter_mut().zip(1..) {
            need.rank = Some(rank);
        }
        let relevant = needs.iter().filter(|need| need.grade >= measure.rel()).count();
        let reachable = measure.cutoff().map_or(relevant, |k| relevant.min(k as usize));
        let expected = if measure.definition().name == "map" { reachable as f64 / relevant as f64 } else { 1.0 };
        let value = measure.value(&list(needs)).unwrap();
        prop_assert!((value - expected).abs() < ROUNDING, "{}: {}, not {}", measure, value, expected);
    }
}
