//! A replayed run against the questions: answers are found by the ids of the questions, so a file that spells these
//! otherwise looks exactly like a retriever that finds nothing.

use std::collections::{BTreeMap, BTreeSet};

use super::Suite;
use crate::config::RetrieverKind;
use crate::retriever::RetrieverInfo;
use crate::text::questions;
use crate::{Place, Problem, Result};

/// How many ids are shown of each side.
const EXAMPLES: usize = 3;

impl Suite {
    /// Refuses recorded answers of which none is to a question of the set; what is missing on one side only is a
    /// warning.
    pub fn check_recorded(&self, retriever: &RetrieverInfo) -> Result<Vec<Problem>> {
        let Some(recorded) = &retriever.recorded else { return Ok(Vec::new()) };
        let place = match &self.settings().retriever.kind {
            RetrieverKind::Run(run) => Place::file(&run.path),
            _ => Place::default(),
        };
        let recorded: BTreeSet<&str> = recorded.iter().map(String::as_str).collect();
        let asked: Vec<&str> = self.golden.cases.iter().map(|case| case.id.as_str()).collect();
        let unanswered: Vec<&str> = asked.iter().copied().filter(|id| !recorded.contains(id)).collect();
        if unanswered.len() == asked.len() {
            return Err(no_question(place, &asked, &recorded).into());
        }
        let mut warnings = Vec::new();
        if !unanswered.is_empty() {
            let what = format!(
                "the run has no line for {}: {}",
                questions(unanswered.len()),
                listed(&unanswered, unanswered.len())
            );
            warnings.push(Problem::new(place.clone(), what).hint("each counts as an empty list"));
        }
        // A query that was left out for want of labels is still one of the set.
        let known: BTreeSet<&str> =
            asked.into_iter().chain(self.golden.without_needs.iter().map(String::as_str)).collect();
        let unasked: Vec<&str> = recorded.into_iter().filter(|id| !known.contains(id)).collect();
        if !unasked.is_empty() {
            let what = format!(
                "the run answers {} that the golden set does not have: {}",
                questions(unasked.len()),
                listed(&unasked, unasked.len())
            );
            warnings.push(Problem::new(place, what).hint("answers to other questions are not scored"));
        }
        Ok(warnings)
    }
}

fn no_question(place: Place, asked: &[&str], recorded: &BTreeSet<&str>) -> Problem {
    let likely = likely_mapping(asked, recorded);
    let (ours, theirs): (Vec<&str>, Vec<&str>) = match &likely {
        Some((_, pairs)) => pairs.iter().copied().unzip(),
        None => (asked.to_vec(), recorded.iter().copied().collect()),
    };
    let what = format!(
        "the run answers no question of the golden set: the ids are {} there and {} here",
        listed(&ours, asked.len()),
        listed(&theirs, recorded.len())
    );
    Problem::new(place, what).hint(match likely {
        Some((words, _)) => format!("{words}; write the ids of the questions alike in both files"),
        None => "is this a run of these questions? It answers them by their ids".to_owned(),
    })
}

fn listed(ids: &[&str], all: usize) -> String {
    let shown: Vec<String> = ids.iter().take(EXAMPLES).map(|id| format!("`{id}`")).collect();
    let more = if all > shown.len() { ", ..." } else { "" };
    format!("{}{more}", shown.join(", "))
}

/// A way of rewriting the id of a question, where it can be; ids that it makes equal are probably one question.
type Rewrite = fn(&str) -> Option<String>;

/// Most specific first, each with the words that describe it to the user.
const REWRITES: [(Rewrite, &str); 4] = [
    (|id| Some(id.trim().to_owned()), "they differ only in blanks around the id"),
    (|id| Some(id.to_lowercase()), "they differ only in upper and lower case"),
    (number, "they differ only in leading zeros, as when one side kept ids as numbers and the other as text"),
    (number_behind_letters, "they have the same numbers and differ in what stands before them"),
];

/// The words of the first rewrite that makes any two ids equal, and these, ours first.
pub(crate) fn likely_mapping<'a>(
    asked: &[&'a str],
    recorded: &BTreeSet<&'a str>,
) -> Option<(&'static str, Vec<(&'a str, &'a str)>)> {
    REWRITES.iter().find_map(|(rewrite, words)| {
        let mut theirs: BTreeMap<String, &str> = BTreeMap::new();
        for id in recorded {
            if let Some(rewritten) = rewrite(id) {
                theirs.entry(rewritten).or_insert(id);
            }
        }
        let pairs: Vec<_> = asked
            .iter()
            .filter_map(|id| theirs.get(&rewrite(id)?).map(|recorded| (*id, *recorded)))
            .collect();
        (!pairs.is_empty()).then_some((*words, pairs))
    })
}

/// An id that is a number, without what a spreadsheet or a data frame adds to it: `007` and `7.0` are 7.
fn number(id: &str) -> Option<String> {
    let digits = id.strip_suffix(".0").unwrap_or(id);
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let digits = digits.trim_start_matches('0');
    is_number.then(|| if digits.is_empty() { "0" } else { digits }.to_owned())
}

/// The number that an id ends in: `q1` and `Q-001` are 1.
fn number_behind_letters(id: &str) -> Option<String> {
    number(id.trim_start_matches(|char: char| !char.is_ascii_digit()))
}
