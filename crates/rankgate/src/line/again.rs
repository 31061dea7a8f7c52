//! Asks again, to see how much the retriever moves by itself. Whatever comes of it, the verdict stays.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use rankgate_metrics::Measure;

use super::Suite;
use crate::compare::Movement;
use crate::evaluate::{CaseScore, Policy, score_ranking};
use crate::golden::Case;
use crate::noise::{Again, Asking, Noise, Repeat, View, Watched};
use crate::ranking::Lookup;
use crate::report::{Because, Note, QuestionFacts, QuestionStatus, Report, faults};
use crate::retriever::Retriever;

/// How answers are scored, as the first ones were.
#[derive(Clone, Copy)]
pub(super) struct Scoring<'a> {
    pub lookup: &'a Lookup<'a>,
    pub policy: &'a Policy,
    /// How far down both sides of a comparison have lists.
    pub compared_depth: u32,
}

/// Says by which answers a question falls.
struct Fall<'a> {
    report: &'a Report,
    /// The rank before, of the questions that lost their evidence; `None` without a comparison.
    before: Option<HashMap<&'a str, Option<u32>>>,
    compared_depth: u32,
}

impl<'a> Fall<'a> {
    fn new(report: &'a Report, compared_depth: u32) -> Self {
        let before = report.comparison.as_ref().map(|comparison| {
            let lost = comparison.moved.iter().filter(|moved| moved.movement <= Movement::Lost);
            lost.map(|moved| (moved.id.as_str(), moved.before)).collect()
        });
        Self { report, before, compared_depth }
    }

    /// The questions that fell by their first answers.
    fn ids(&self) -> HashSet<&'a str> {
        match &self.before {
            Some(before) => before.keys().copied().collect(),
            None => self.report.missed().into_iter().map(|question| question.id.as_str()).collect(),
        }
    }

    fn is_one(&self, case: &Case, score: &CaseScore) -> bool {
        let Some(before) = &self.before else { return !faults(case, score, &self.report.policy).is_empty() };
        let Some(before) = before.get(case.id.as_str()) else { return false };
        let now = score.best_rank().filter(|rank| *rank <= self.compared_depth);
        let cutoff = self.report.comparison.as_ref().map_or(0, |comparison| comparison.cutoff);
        Movement::of(*before, now, cutoff) <= Movement::Lost
    }
}

/// What to know when a run file is to be asked again.
pub(super) fn nothing_new() -> Note {
    Note {
        code: "recorded".into(),
        text: "a run file gives the same answers every time, so nothing was asked again: repeat with the retriever \
               that wrote it."
            .into(),
    }
}

impl Suite {
    /// Asks the questions of a report again, round by round. `None` where there is none to ask.
    pub(super) fn noise(
        &self,
        report: &Report,
        retriever: &dyn Retriever,
        scoring: Scoring<'_>,
        repeat: Repeat,
    ) -> Option<Noise> {
        let depth = report.policy.depth;
        let fall = Fall::new(report, scoring.compared_depth);
        let (again, askings) = match repeat {
            Repeat::All(times) => (Again::All, times),
            Repeat::Fallen(more) => (Again::Fallen, more.saturating_add(1)),
        };
        let fallen: HashSet<&str> = fall.ids();
        let is_asked =
            |question: &&QuestionFacts| again == Again::All || fallen.contains(question.id.as_str());
        let measures: Vec<Measure> = report
            .measures
            .iter()
            .filter(|facts| facts.because != Because::OtherGain)
            .filter_map(|facts| facts.measure.parse().ok())
            .collect();
        let names: Vec<String> = measures.iter().map(Measure::to_string).collect();

        let index: HashMap<&str, usize> =
            self.golden.cases.iter().enumerate().map(|(index, case)| (case.id.as_str(), index)).collect();
        let mut asked: Vec<(usize, Watched<'_>)> = report
            .questions
            .iter()
            .filter(is_asked)
            .filter_map(|question| {
                let mut watched = Watched::new(&question.id);
                watched.add(first(question, &names), depth);
                Some((*index.get(question.id.as_str())?, watched))
            })
            .collect();
        // In every round in the order of the first.
        asked.sort_by_key(|(case, _)| *case);
        let (cases, mut watched): (Vec<usize>, Vec<Watched<'_>>) = asked.into_iter().unzip();
        for _ in 1..askings {
            let rankings = self.ask(&cases, retriever, depth);
            for (ranking, watched) in rankings.rankings.iter().zip(&mut watched) {
                let Some(case) = self.golden.cases.get(ranking.case) else { continue };
                let score = score_ranking(case, ranking, scoring.lookup, scoring.policy, depth);
                let measures = if case.quarantine.is_none() { measures.as_slice() } else { &[] };
                watched.add(
                    Asking {
                        rank: score.best_rank(),
                        fell: fall.is_one(case, &score),
                        values: measures.iter().map(|measure| score.value(measure)).collect(),
                        list: score.error.is_none().then_some(Cow::Owned(score.places)),
                    },
                    depth,
                );
            }
        }
        let view = View { again, askings, cutoff: report.policy.cutoff, depth, measures: &names };
        (!watched.is_empty()).then(|| Noise::of(&watched, view))
    }
}

/// The first asking, which the report holds.
fn first<'a>(question: &'a QuestionFacts, measures: &[String]) -> Asking<'a> {
    let measures = if question.quarantine.is_none() { measures } else { &[] };
    let failed = question.status == QuestionStatus::Unscored;
    Asking {
        list: (!failed).then_some(Cow::Borrowed(question.retrieved.as_slice())),
        rank: question.best_rank(),
        fell: true,
        values: measures.iter().map(|name| question.values.get(name).copied()).collect(),
    }
}
