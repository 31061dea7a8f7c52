//! `judged`: share of the first min(k, L) hits that carry any label, relevant or not.
//!
//! Buckley and Voorhees (SIGIR 2004) show what unjudged hits do to the other measures.

use crate::measure::Arguments;
use crate::outcome::Outcome;

pub(crate) fn judged(outcome: &Outcome, arguments: &Arguments) -> f64 {
    let shown = arguments.depth().min(outcome.returned().into());
    let labelled = outcome.labelled().iter().filter(|&&rank| u64::from(rank) <= shown).count();
    if shown == 0 { 0.0 } else { labelled as f64 / shown as f64 }
}

#[cfg(test)]
mod tests {
    use crate::measures::example::check;
    use crate::{NeedOutcome, Outcome};

    #[test]
    fn worked_example() {
        // Four hits: the first is relevant, the third is labelled as not relevant.
        let needs = vec![NeedOutcome { grade: 1, rank: Some(1) }];
        let outcome = Outcome::new(needs, 4, vec![3, 1]);
        check(&outcome, &[("judged@1", 1.0), ("judged@2", 0.5), ("judged@3", 2.0 / 3.0), ("judged@10", 0.5)]);
        check(&Outcome::new(vec![], 0, vec![]), &[("judged@10", 0.0)]);
    }
}
