//! Why a run as a whole cannot be judged.

use super::judge::{Against, Evidence};
use super::{Gate, Incomplete};
use crate::text::questions;

/// Every reason there is; none for a run that can be judged.
pub(super) fn incomplete(gate: &Gate, evidence: &Evidence<'_>) -> Vec<Incomplete> {
    let Evidence { scores, golden, partial, .. } = evidence;
    let lists = &scores.lists;
    let mut found = Vec::new();
    let mut because = |code: &str, message: String| found.push(Incomplete { code: code.into(), message });
    let (errors, cap) = (lists.errors, gate.settings.max_errors);
    if errors > cap {
        let first =
            scores.cases.iter().find_map(|case| Some((golden.cases.get(case.case)?, case.error.as_ref()?)));
        let example = first.map(|(case, error)| format!("\nfirst: {}: {error}", case.id)).unwrap_or_default();
        let asked = scores.cases.len();
        because(
            "errors",
            format!(
                "the retriever failed on {errors} of {}; gate.max_errors allows {cap}{example}",
                questions(asked)
            ),
        );
    }
    let evaluated = evidence.judged().count();
    if evaluated == 0 && errors == 0 {
        because("nothing_evaluated", "no question was evaluated".into());
    } else if evaluated < evidence.min_questions && !partial {
        because(
            "too_few_questions",
            format!(
                "only {} could be evaluated; golden.min_questions asks for {}",
                questions(evaluated),
                evidence.min_questions
            ),
        );
    }
    if lists.answered == 0 && evaluated > 0 && !partial {
        because(
            "no_hits",
            "no question got a single hit: the retriever, or the connection to it, is broken".into(),
        );
    }
    // A run of some questions judges no rule about change.
    if let (Against::NotComparable(why), false) = (evidence.baseline, *partial) {
        because(
            "not_comparable",
            format!("the baseline cannot be compared: {}\n{}", why.reasons.join("\n"), why.hint),
        );
    }
    if let Some(mismatch) = &scores.mismatch {
        let mapping = match &mismatch.mapping {
            Some(mapping) => format!("\nlikely: {mapping}"),
            None => {
                "\nno simple rewriting makes them equal: is this the right corpus, index or field?".into()
            }
        };
        because(
            "no_overlap",
            format!(
                "no returned id or document is ever an expected one\nexpected, as labelled: {}\nreturned:             \
                 \u{20}{}{mapping}",
                mismatch.expected.join(", "),
                mismatch.returned.join(", ")
            ),
        );
    }
    found
}
