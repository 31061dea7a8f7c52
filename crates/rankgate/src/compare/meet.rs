//! Two inputs meet: by the ids of the questions, never by the order of lines.

use std::cmp::Ordering;

use super::side::{Answer, Side, nothing_in_common};
use crate::line::recorded::likely_mapping;
use crate::text::{list_of, questions};
use crate::{Error, Place, Problem, Result};

/// What two inputs have in common, in the order of their keys.
pub(super) struct Met<'a> {
    /// Questions with two answers that can be compared.
    pub both: Vec<(&'a Answer, &'a Answer)>,
    /// Questions that only the first has.
    pub only_before: Vec<String>,
    /// Questions that only the second has.
    pub only_now: Vec<String>,
    /// Questions that were asked or labelled in another way.
    pub edited: Vec<String>,
    /// Questions on which the retriever failed, then or now.
    pub unscored: Vec<String>,
    /// Questions that are out of every mean.
    pub quarantined: Vec<String>,
    /// Ids that are in one file only and are probably one question, with the reason.
    pub likely: Option<(&'static str, Vec<String>)>,
}

impl<'a> Met<'a> {
    /// Joins two inputs. Where a question changed between them the comparison is refused, unless `common` leaves it
    /// out.
    pub fn of(before: &'a Side, now: &'a Side, common: bool) -> Result<Self> {
        check_policy(before, now)?;
        let mut met = Self {
            both: Vec::with_capacity(before.answers.len().min(now.answers.len())),
            only_before: Vec::new(),
            only_now: Vec::new(),
            edited: Vec::new(),
            unscored: Vec::new(),
            quarantined: Vec::new(),
            likely: None,
        };
        let (mut ours, mut theirs) = (before.answers.iter().peekable(), now.answers.iter().peekable());
        loop {
            let order = match (ours.peek(), theirs.peek()) {
                (None, None) => break,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(our), Some(their)) => our.key.cmp(&their.key),
            };
            let our = if order == Ordering::Greater { None } else { ours.next() };
            let their = if order == Ordering::Less { None } else { theirs.next() };
            met.put(our, their);
        }
        let ids = |side: &'a Side| side.answers.iter().map(|answer| answer.id.as_str()).collect::<Vec<_>>();
        if met.only_before.len() == before.answers.len() {
            return Err(Error::from(nothing_in_common(
                Place::file(&now.path),
                ("this file", &ids(now)),
                (&before.path.display().to_string(), &ids(before)),
                "are these answers to the same questions? They meet by the ids of the questions",
            )));
        }
        if !common {
            met.check_edited(before, now)?;
        }
        if met.both.is_empty() {
            return Err(met.nothing_left(before, now).into());
        }
        if before.hashed || now.hashed {
            // That two hashes are alike means nothing.
            return Ok(met);
        }
        let only_now = met.only_now.iter().map(String::as_str).collect();
        let only_before: Vec<&str> = met.only_before.iter().map(String::as_str).collect();
        met.likely = likely_mapping(&only_before, &only_now).map(|(words, pairs)| {
            (words, pairs.into_iter().map(|(before, now)| format!("{before} and {now}")).collect())
        });
        Ok(met)
    }

    fn put(&mut self, before: Option<&'a Answer>, now: Option<&'a Answer>) {
        match (before, now) {
            (None, None) => {}
            (Some(before), None) => self.only_before.push(before.id.clone()),
            (None, Some(now)) => self.only_now.push(now.id.clone()),
            (Some(before), Some(now)) if before.quarantined || now.quarantined => {
                self.quarantined.push(named(before, now).to_owned());
            }
            (Some(before), Some(now)) if is_edited(before, now) => {
                self.edited.push(named(before, now).to_owned());
            }
            (Some(before), Some(now)) if before.outcome.is_none() || now.outcome.is_none() => {
                self.unscored.push(named(before, now).to_owned());
            }
            (Some(before), Some(now)) => self.both.push((before, now)),
        }
    }

    fn check_edited(&self, before: &Side, now: &Side) -> Result<()> {
        if self.edited.is_empty() {
            return Ok(());
        }
        let what = format!(
            "{} asked or labelled otherwise than in {}: {}",
            if self.edited.len() == 1 {
                "1 question is".into()
            } else {
                format!("{} questions are", self.edited.len())
            },
            before.path.display(),
            list_of(&self.edited, 10)
        );
        Err(Problem::new(Place::file(&now.path), what)
            .hint("`--common-queries` leaves them out and compares the others")
            .into())
    }

    fn nothing_left(&self, before: &Side, now: &Side) -> Problem {
        let why = [
            ("asked or labelled otherwise", &self.edited),
            ("without an answer on one side, because the retriever failed", &self.unscored),
            ("in quarantine", &self.quarantined),
        ];
        let why: Vec<String> = why
            .into_iter()
            .filter(|(_, ids)| !ids.is_empty())
            .map(|(what, ids)| format!("{} {what}", questions(ids.len())))
            .collect();
        Problem::new(
            Place::file(&now.path),
            format!("no question can be compared with {}: {}", before.path.display(), why.join(", ")),
        )
    }
}

/// The id that a question is shown by: the plain one, where one side has it.
pub(super) fn named<'a>(before: &'a Answer, now: &'a Answer) -> &'a str {
    if now.id == now.key { &before.id } else { &now.id }
}

/// Whether a question is not the same on both sides. Without digests its grades must do: other labels give other
/// values, whatever the retriever did.
fn is_edited(before: &Answer, now: &Answer) -> bool {
    match (&before.digest, &now.digest) {
        (Some(before), Some(now)) => before != now,
        _ => before.outcome.as_ref().zip(now.outcome.as_ref()).is_some_and(|(before, now)| {
            before.grades_descending() != now.grades_descending()
                || before.is_answerable() != now.is_answerable()
                || before.has_forbidden() != now.has_forbidden()
        }),
    }
}

/// Lists that were scored in another way cannot be compared.
fn check_policy(before: &Side, now: &Side) -> Result<()> {
    let mut problems = Vec::new();
    let mut differ = |what: &str, then: String, here: String| {
        if then != here {
            let text = format!(
                "cannot be compared with {}: {what} is {then} there and {here} here",
                before.path.display()
            );
            problems.push(Problem::new(Place::file(&now.path), text).hint("score both in the same way"));
        }
    };
    differ("the level", before.level.clone(), now.level.clone());
    if let (Some(then), Some(here)) = (&before.stamps, &now.stamps) {
        differ("the coverage", then.policy.coverage.to_string(), here.policy.coverage.to_string());
    }
    Error::unless_empty(problems)
}
