//! What a reader should know before trusting the numbers.

use rankgate_metrics::Measure;

use super::build::Judged;
use super::{Note, Sources};
use crate::gate::RuleStatus;
use crate::text::questions;

impl Sources<'_> {
    pub(super) fn notes(&self, judged: &[Judged<'_>]) -> Vec<Note> {
        let lists = &self.scores.lists;
        let mut notes = Vec::new();
        let mut say = |code: &str, text: String| notes.push(Note { code: code.into(), text });
        if let Some(length) = lists.never_longer_than {
            say(
                "short_lists",
                format!(
                    "never more than {length} hits: @{} equals @{length}. The retriever caps its answers; ask it \
                     for {} to see further.",
                    length + 1,
                    self.scores.depth
                ),
            );
        }
        let longest = self.scores.cases.iter().map(|score| score.places.len()).max().unwrap_or(0);
        let largest = self.reported.iter().chain(self.gated).filter_map(Measure::cutoff).max().unwrap_or(0);
        if lists.never_longer_than.is_none() && !self.policy.exhaustive && longest < largest as usize {
            say(
                "no_long_list",
                format!("no list is longer than {longest}: cut-offs beyond that see nothing more."),
            );
        }
        let precision = self
            .reported
            .iter()
            .chain(self.gated)
            .find(|measure| measure.definition().name == "context_precision");
        if let Some(measure) = precision {
            let short = judged
                .iter()
                .filter(|(case, _)| case.answerable)
                .filter(|(_, score)| {
                    measure.cutoff().is_some_and(|cutoff| score.places.len() < cutoff as usize)
                })
                .count();
            if short > 0 {
                say(
                    "precision_alone",
                    format!(
                        "{} shorter than the cut-off of {measure}, which divides by what came back: \
                         precision alone rises when a retriever gives up on questions. Read it beside recall.",
                        if short == 1 { "1 list is".into() } else { format!("{short} lists are") },
                    ),
                );
            }
        }
        if lists.tied > 0 {
            let rule = "their order comes from the tie rule and not from the score";
            say(
                "ties",
                format!("{} equal scores next to each other near the top: {rule}.", have(lists.tied)),
            );
        }
        let hanging: Vec<&str> = self
            .verdict
            .rules
            .iter()
            .filter(|rule| rule.status != RuleStatus::Unjudged)
            .filter(|rule| rule.over_ties.is_some_and(|over| over.hangs))
            .map(|rule| rule.rule.as_str())
            .collect();
        if !hanging.is_empty() {
            let (verb, rules) =
                if let [_] = *hanging { ("hangs", "the rule") } else { ("hang", "the rules") };
            say(
                "hangs_on_ties",
                format!(
                    "{rules} {} {verb} on tied scores: another order of equal scores would decide otherwise. Remove \
                     duplicates from the corpus, or leave the limit room for it.",
                    hanging.iter().map(|rule| format!("`{rule}`")).collect::<Vec<_>>().join(", ")
                ),
            );
        }
        if lists.repeats > 0 {
            say(
                "repeats",
                match lists.repeats {
                    1 => "1 repeated hit was counted once, at its first place.".into(),
                    n => format!("{n} repeated hits were counted once, at their first places."),
                },
            );
        }
        if lists.missing > 0 {
            say(
                "missing",
                format!("the run has no line for {}: counted as empty.", questions(lists.missing)),
            );
        }
        if lists.errors > 0 {
            say("errors", format!("the retriever failed on {}: in no mean.", questions(lists.errors)));
        }
        let skipped = self.golden.without_needs.len();
        if skipped > 0 {
            say("without_needs", format!("{} without any relevant label: left out.", questions(skipped)));
        }
        notes
    }
}

/// So many questions have something.
fn have(n: usize) -> String {
    if n == 1 { "1 question has".into() } else { format!("{n} questions have") }
}
