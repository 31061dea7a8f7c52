//! One input of `compare`: a report, a baseline, or a run with its labels, told apart by what the file holds.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use rankgate_metrics::{Dialect, Measure, NeedOutcome, Outcome};
use schemars::JsonSchema;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use crate::baseline::{self, Stamps};
use crate::config::{IdLevel, LevelSetting, TextLevel};
use crate::evaluate::{Label, Policy, overlap, score_ranking};
use crate::formats::input;
use crate::formats::run::{Duplicates, Order, RunFile, read_run_from_bytes};
use crate::golden::{Anchor, Case, GoldenSet, Level};
use crate::line::recorded::{likely_mapping, listed};
use crate::privacy::hashed;
use crate::ranking::{self, Lookup, Ranking};
use crate::report::{Because, QuestionFacts, QuestionStatus, Report};
use crate::retriever::Hit;
use crate::text::{list_of, questions};
use crate::{Error, Id, Ids, Place, Problem, Result};

/// What kind of file an input is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A JSON report of `run`.
    Report,
    /// A file that `accept` wrote.
    Baseline,
    /// A run file, scored here.
    Run,
}

impl Kind {
    /// The kind in a word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Report => "report",
            Self::Baseline => "baseline",
            Self::Run => "run",
        }
    }
}

/// What a run is scored with.
#[derive(Debug)]
pub struct Labels {
    /// The questions and their evidence.
    pub golden: GoldenSet,
    /// Whether they hold what the digest of a case is made of; judgements alone have no text of a question.
    pub digested: bool,
}

/// One question and what it got.
#[derive(Debug, Clone)]
pub struct Answer {
    /// What it is paired by: its id, or the hash of that where another input has only hashes.
    pub key: String,
    /// Its id.
    pub id: String,
    /// Its text, where that is known.
    pub query: Option<String>,
    /// Its category.
    pub category: Option<String>,
    /// It carries the promise `critical`.
    pub critical: bool,
    /// It is out of every mean.
    pub quarantined: bool,
    /// The digest of the case, where that is known.
    pub digest: Option<String>,
    /// What the measures are computed from; `None` where the retriever failed.
    pub outcome: Option<Outcome>,
    /// The list as it was scored.
    pub hits: Vec<Id>,
}

/// One input, read and scored.
#[derive(Debug)]
pub struct Side {
    /// The file, as the user named it.
    pub path: PathBuf,
    /// What it is.
    pub kind: Kind,
    /// By the bytes of their keys.
    pub answers: Vec<Answer>,
    /// How many places of a list it keeps; a run keeps what it has.
    pub depth: Option<u32>,
    /// What a rank counts: `chunk` or `document`.
    pub level: String,
    /// What it was made from; a run file does not say.
    pub stamps: Option<Stamps>,
    /// The measures that a report shows.
    pub measures: Vec<Measure>,
    /// Its ids are hashed; those of hits mean nothing beside plain ones.
    pub hashed: bool,
    /// Judged questions that a run has no line for: each counts as an empty list.
    pub missing: Vec<String>,
    /// How many questions of a run nobody judged.
    pub unjudged: usize,
    /// What its reader wants the user to know.
    pub warnings: Vec<String>,
}

impl Side {
    /// Reads an input. Only a run needs the labels; the others know where each need stood.
    pub fn read(path: &Path, labels: Option<&Labels>) -> Result<Self> {
        let text = input::read_text(path)?;
        if baseline::is_baseline(&text) {
            return Ok(Self::of_baseline(path, &baseline::parse(&text, path)?));
        }
        if is_report(&text) {
            return Self::of_report(path, Report::parse(&text, path)?);
        }
        let Some(labels) = labels else {
            return Err(Problem::new(Place::file(path), "this is a run, and without labels nothing can be scored")
                .hint(
                    "name them: `--qrels FILE` or `--golden FILE`; a JSON report of `rankgate run` or a baseline has \
                     its own",
                )
                .into());
        };
        let run = read_run_from_bytes(text.into_bytes(), path, Duplicates::Error)?;
        Self::of_run(path, run, labels)
    }

    fn of_baseline(path: &Path, baseline: &baseline::Baseline) -> Self {
        let mut ids = Ids::default();
        let header = &baseline.header;
        let answers = baseline.lines.iter().map(|line| Answer {
            key: line.id.clone(),
            id: line.id.clone(),
            query: None,
            category: line.category.clone(),
            critical: false,
            quarantined: false,
            digest: Some(line.digest.clone()),
            outcome: line.outcome(),
            hits: line.hits(&mut ids).into_iter().map(|hit| hit.id).collect(),
        });
        Self {
            hashed: header.hashed_ids,
            ..Self::new(path, Kind::Baseline, answers.collect(), Some(header.made_from.clone()))
        }
    }

    fn of_report(path: &Path, report: Report) -> Result<Self> {
        let stamps = Stamps::of(&report);
        let reported = report.measures.iter().filter(|facts| facts.because != Because::OtherGain);
        let measures =
            reported.filter_map(|facts| Measure::parse(&facts.measure, Dialect::Own).ok()).collect();
        let privacy = report.privacy;
        let mut answers: Vec<Answer> = report.questions.into_iter().map(answer_of).collect();
        if privacy.text == TextLevel::None {
            // Another input may know it.
            for answer in &mut answers {
                answer.query = None;
            }
        }
        answers.sort_by(|a, b| a.id.cmp(&b.id));
        if let Some([first, _]) = answers.windows(2).find(|two| matches!(two, [a, b] if a.id == b.id)) {
            let place = Place::file(path).of(&first.id);
            return Err(Problem::new(place, "the report has this question twice").into());
        }
        let hashed = privacy.ids == IdLevel::Hash;
        Ok(Self { measures, hashed, ..Self::new(path, Kind::Report, answers, Some(stamps)) })
    }

    fn of_run(path: &Path, run: RunFile, labels: &Labels) -> Result<Self> {
        let golden = &labels.golden;
        let level = golden.level(LevelSetting::Auto);
        check_texts(path, &run, golden, level)?;
        // A range that half holds the evidence meets it, as by default everywhere.
        let policy = Policy { level, coverage: 0.5, min_score: None, exhaustive: true };
        let lookup = Lookup::new(None, None)?;
        let cases: HashMap<&str, usize> =
            golden.cases.iter().enumerate().map(|(index, case)| (case.id.as_str(), index)).collect();
        let skipped: std::collections::HashSet<&str> =
            golden.without_needs.iter().map(String::as_str).collect();
        let warnings = run.warnings.iter().map(Problem::to_string).collect();
        let is_unique = run.order == Order::ByScore;
        let mut found: Vec<Option<Answer>> = Vec::new();
        found.resize_with(golden.cases.len(), || None);
        let mut answered: Vec<String> = Vec::new();
        let mut unjudged = 0;
        let mut is_met = false;
        for list in run.into_lists() {
            let Some((index, case)) = cases
                .get(list.query.as_str())
                .and_then(|index| golden.cases.get(*index).map(|case| (*index, case)))
            else {
                unjudged += usize::from(!skipped.contains(list.query.as_str()));
                answered.push(list.query);
                continue;
            };
            let ranking = if is_unique {
                let answer = ranking::Answer::Hits(list.hits);
                Ranking { case: index, answer, repeats: 0, latency_ms: None }
            } else {
                Ranking::from_hits(index, list.hits, usize::MAX)
            };
            let scored = score_ranking(case, &ranking, &lookup, &policy, usize::MAX);
            is_met |= scored.best_rank().is_some();
            let hits = scored.places.into_iter().map(|place| place.id).collect();
            if let Some(place) = found.get_mut(index) {
                *place = Some(labels.answer(case, scored.outcome, hits));
            }
        }
        if found.iter().all(Option::is_none) {
            return Err(no_question(path, golden, &answered).into());
        }
        let mut missing = Vec::new();
        let mut answers: Vec<Answer> = golden
            .cases
            .iter()
            .zip(found)
            .enumerate()
            .map(|(index, (case, answer))| {
                answer.unwrap_or_else(|| {
                    missing.push(case.id.clone());
                    let ranking = Ranking::from_hits(index, Vec::new(), usize::MAX);
                    let scored = score_ranking(case, &ranking, &lookup, &policy, usize::MAX);
                    labels.answer(case, scored.outcome, Vec::new())
                })
            })
            .collect();
        if !is_met {
            check_spelling(path, &answers, golden, &lookup)?;
        }
        answers.sort_by(|a, b| a.id.cmp(&b.id));
        missing.sort_unstable();
        let mut side = Self::new(path, Kind::Run, answers, None);
        level.name().clone_into(&mut side.level);
        Ok(Self { missing, unjudged, warnings, ..side })
    }

    fn new(path: &Path, kind: Kind, answers: Vec<Answer>, stamps: Option<Stamps>) -> Self {
        let policy = stamps.as_ref().map(|stamps| &stamps.policy);
        Self {
            path: path.to_owned(),
            kind,
            answers,
            depth: policy.map(|policy| u32::try_from(policy.depth).unwrap_or(u32::MAX)),
            level: policy.map(|policy| policy.level.clone()).unwrap_or_default(),
            stamps,
            measures: Vec::new(),
            hashed: false,
            missing: Vec::new(),
            unjudged: 0,
            warnings: Vec::new(),
        }
    }
}

/// Lets plain and hashed inputs meet: where the ids of one are hashed, the questions of all are paired by hashes.
pub fn pair_by_hash(sides: &mut [Side]) {
    if sides.iter().any(|side| side.hashed) {
        for side in sides.iter_mut().filter(|side| !side.hashed) {
            side.answers.iter_mut().for_each(|answer| answer.key = hashed(&answer.id));
            side.answers.sort_by(|a, b| a.key.cmp(&b.key));
        }
    }
}

impl Labels {
    fn answer(&self, case: &Case, outcome: Option<Outcome>, hits: Vec<Id>) -> Answer {
        Answer {
            key: case.id.clone(),
            id: case.id.clone(),
            query: Some(case.query.clone()).filter(|query| !query.is_empty()),
            category: case.category.clone(),
            critical: case.critical,
            quarantined: case.quarantine.is_some(),
            digest: self.digested.then(|| case.digest.clone()),
            outcome,
            hits,
        }
    }
}

/// Whether a text is a JSON report, or wants to be one: a broken report is no odd run.
fn is_report(text: &str) -> bool {
    #[derive(Deserialize)]
    #[expect(dead_code, reason = "what counts is that the keys are there")]
    struct Claim {
        format_version: IgnoredAny,
        verdict: IgnoredAny,
        questions: IgnoredAny,
    }

    const START: usize = 300;
    let text = text.trim_start();
    let start: String = text.chars().take(START).collect();
    text.starts_with('{')
        && (start.contains("\"format_version\"")
            || text.contains("\"verdict\"") && serde_json::from_str::<Claim>(text).is_ok())
}

fn answer_of(question: QuestionFacts) -> Answer {
    let outcome = (question.status != QuestionStatus::Unscored).then(|| {
        let needs = question.expected.iter().map(|need| NeedOutcome { grade: need.grade, rank: need.rank });
        let labelled = (1..).zip(&question.retrieved).filter(|(_, hit)| hit.label != Label::Unjudged);
        let returned = u32::try_from(question.retrieved.len()).unwrap_or(u32::MAX);
        let mut outcome = Outcome::new(needs.collect(), returned, labelled.map(|(rank, _)| rank).collect());
        if !question.forbidden.is_empty() {
            outcome = outcome.with_forbidden(question.forbidden_rank);
        }
        if !question.answerable {
            outcome = outcome.unanswerable(question.answered_rank);
        }
        outcome
    });
    Answer {
        key: question.id.clone(),
        id: question.id,
        query: Some(question.query).filter(|query| !query.is_empty()),
        category: question.category,
        critical: question.critical,
        quarantined: question.quarantine.is_some(),
        digest: Some(question.digest),
        outcome,
        hits: question.retrieved.into_iter().map(|hit| hit.id).collect(),
    }
}

/// Quotes and ranges are looked for in the hits: where these are nothing but ids, no need would ever be met.
fn check_texts(path: &Path, run: &RunFile, golden: &GoldenSet, level: Level) -> Result<()> {
    let is_told = |hit: &Hit| hit.text().is_some() || hit.range().is_some();
    if level == Level::Document || run.lists().iter().flat_map(|list| &list.hits).any(is_told) {
        return Ok(());
    }
    let is_text = |anchor: &Anchor| matches!(anchor, Anchor::Quote { .. } | Anchor::Span { .. });
    let lost: Vec<&str> = golden
        .cases
        .iter()
        .filter(|case| case.needs.iter().any(|need| need.alternatives.iter().all(is_text)))
        .map(|case| case.id.as_str())
        .collect();
    if lost.is_empty() {
        return Ok(());
    }
    let what = format!(
        "the evidence of {} is a quote or a range, and the hits of this run are ids alone: {}",
        questions(lost.len()),
        list_of(&lost, 3)
    );
    Err(Problem::new(Place::file(path), what)
        .hint("compare reports of `rankgate run`: it looks quotes up in the corpus")
        .into())
}

/// No line of the run is for a judged question.
fn no_question(path: &Path, golden: &GoldenSet, answered: &[String]) -> Problem {
    let judged: Vec<&str> = golden.cases.iter().map(|case| case.id.as_str()).collect();
    nothing_in_common(
        Place::file(path),
        ("the run", &answered.iter().map(String::as_str).collect::<Vec<_>>()),
        ("the labels", &judged),
        "are these the labels of this run? They meet by the ids of the questions",
    )
}

/// Two sets of questions that share no id, with both spellings.
pub(super) fn nothing_in_common(
    place: Place,
    (here, ours): (&str, &[&str]),
    (there, theirs): (&str, &[&str]),
    otherwise: &str,
) -> Problem {
    let likely = likely_mapping(ours, &theirs.iter().copied().collect());
    let (shown, beside): (Vec<&str>, Vec<&str>) = match &likely {
        Some((_, pairs)) => pairs.iter().copied().unzip(),
        None => (ours.to_vec(), theirs.to_vec()),
    };
    let what = format!(
        "no question is in both: the ids are {} in {here} and {} in {there}",
        listed(&shown, ours.len()),
        listed(&beside, theirs.len())
    );
    Problem::new(place, what).hint(match likely {
        Some((words, _)) => format!("{words}; write the ids of the questions alike in both files"),
        None => otherwise.to_owned(),
    })
}

/// No hit met any need: either the run is bad, or its ids are spelt in another way.
fn check_spelling(path: &Path, answers: &[Answer], golden: &GoldenSet, lookup: &Lookup<'_>) -> Result<()> {
    let rankings = answers.iter().enumerate().map(|(case, answer)| {
        let hits = answer.hits.iter().map(|id| Hit { id: id.clone(), ..Hit::default() }).collect();
        Ranking::from_hits(case, hits, usize::MAX)
    });
    match overlap::find(golden, &rankings.collect::<Vec<_>>(), lookup) {
        None => Ok(()),
        Some(mismatch) => Err(Error::from(
            Problem::new(
                Place::file(path),
                format!(
                    "no returned document is ever a judged one: returned {}, judged {}",
                    mismatch.returned.join(", "),
                    mismatch.expected.join(", ")
                ),
            )
            .hint(mismatch.mapping.unwrap_or_else(|| "are these the labels of this run?".into())),
        )),
    }
}
