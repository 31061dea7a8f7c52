//! What must not come back: `forbidden` evidence, and anything at all where the case has no
//! answer (`abstained`). Both are rankgate's own.

use super::indicator;
use crate::measure::Arguments;
use crate::outcome::Outcome;

/// 1 if a forbidden hit stands at a rank ≤ k.
pub(crate) fn forbidden(outcome: &Outcome, arguments: &Arguments) -> f64 {
    indicator(outcome.first_forbidden().is_some_and(|rank| arguments.keeps(rank)))
}

/// 1 if no confident hit stands at a rank ≤ k.
pub(crate) fn abstained(outcome: &Outcome, arguments: &Arguments) -> f64 {
    indicator(!outcome.first_confident().is_some_and(|rank| arguments.keeps(rank)))
}

#[cfg(test)]
mod tests {
    use crate::measures::example::{case, check};
    use crate::{Measure, Outcome};

    #[test]
    fn worked_example() {
        let leaking = case([(1, 1)], 5).with_forbidden(Some(3));
        check(&leaking, &[("forbidden@2", 0.0), ("forbidden@3", 1.0), ("recall@5", 1.0)]);
        check(&case([(1, 1)], 5).with_forbidden(None), &[("forbidden@5", 0.0)]);

        let overconfident = case([], 5).unanswerable(Some(3));
        check(&overconfident, &[("abstained@2", 1.0), ("abstained@3", 0.0)]);
        check(&case([], 5).unanswerable(None), &[("abstained@5", 1.0)]);
        check(&case([], 0).unanswerable(None).with_forbidden(Some(2)), &[("forbidden@2", 1.0)]);
    }

    #[test]
    fn a_case_that_does_not_ask_has_no_value() {
        let value = |text: &str, outcome: &Outcome| {
            let measure: Measure = text.parse().unwrap();
            measure.value(outcome)
        };
        let plain = case([(1, 1)], 5);
        assert_eq!(value("forbidden@5", &plain), None);
        assert_eq!(value("abstained@5", &plain), None);
        let unanswerable = case([], 5).unanswerable(None);
        for text in ["recall@5", "mrr", "ndcg@5", "judged@5"] {
            assert_eq!(value(text, &unanswerable), None, "{text}");
        }
    }
}
