//! Makes the report from the nouns of the line.

use std::collections::BTreeMap;

use rankgate_metrics::{Gain, Mean, Measure, Outcome, percentile};

use super::{
    Because, CorpusFacts, FORMAT_VERSION, Fault, GoldenFacts, Latency, MeasureFacts, NeedFacts, Note,
    PolicyFacts, QuestionFacts, QuestionStatus, Report, RetrieverFacts, SliceFacts, Timing,
};
use crate::compare::Comparison;
use crate::corpus::Corpus;
use crate::evaluate::{CaseScore, Policy, Scores};
use crate::gate::Verdict;
use crate::golden::{Anchor, Case, GoldenSet};
use crate::privacy::Redaction;
use crate::retriever::RetrieverInfo;

/// The error of a question that the run lacks.
pub(crate) const MISSING: &str = "the run has no line for this question";

/// Everything a report is made from.
#[derive(Debug)]
pub struct Sources<'a> {
    /// The name of the suite.
    pub name: &'a str,
    /// The labels.
    pub golden: &'a GoldenSet,
    /// The corpus and how the user named it.
    pub corpus: Option<(&'a Corpus, String)>,
    /// What the retriever says of itself.
    pub retriever: RetrieverInfo,
    /// How rankings were scored.
    pub policy: Policy,
    /// The digest of the effective configuration.
    pub configuration: String,
    /// The keys of `[corpus]` and `[retriever]` that hold.
    pub settings: BTreeMap<String, String>,
    /// The filter of a partial run.
    pub partial: Option<String>,
    /// The scores.
    pub scores: Scores,
    /// The measures of the report.
    pub reported: &'a [Measure],
    /// The measures of the rules.
    pub gated: &'a [Measure],
    /// All measures of the report, as [`measures_of`] puts them together.
    pub measures: Vec<(Measure, Because)>,
    /// A question is found when evidence stands within this rank.
    pub cutoff: u32,
    /// The decision.
    pub verdict: Verdict,
    /// What is different from the baseline.
    pub comparison: Option<Comparison>,
    /// What to know of the baseline.
    pub notes: Vec<Note>,
    /// Warnings of the readers.
    pub warnings: Vec<String>,
    /// From reading the first file to the verdict, in milliseconds.
    pub total_ms: f64,
}

/// Makes the report.
pub fn build(mut sources: Sources<'_>) -> Report {
    let measures = std::mem::take(&mut sources.measures);
    let judged: Vec<Judged<'_>> = sources.scores.judged(sources.golden).collect();
    let bounds = Bounds::of(sources.cutoff, &measures);
    let mut report = Report {
        format_version: FORMAT_VERSION,
        rankgate: env!("CARGO_PKG_VERSION").to_owned(),
        name: sources.name.to_owned(),
        golden: sources.golden_facts(judged.len()),
        corpus: sources.corpus.as_ref().map(|(corpus, path)| corpus_facts(corpus, path)),
        retriever: RetrieverFacts {
            kind: sources.retriever.kind.to_owned(),
            fingerprint: sources.retriever.fingerprint.clone(),
            embedding_model_version: sources.retriever.embedding_model_version.clone(),
            facts: sources.retriever.facts.iter().cloned().collect(),
        },
        policy: PolicyFacts {
            level: sources.policy.level.name().to_owned(),
            depth: sources.scores.depth,
            cutoff: sources.cutoff,
            forbidden_cutoff: bounds.forbidden,
            abstained_cutoff: bounds.abstained,
            coverage: sources.policy.coverage,
            ties: sources.ties().to_owned(),
            min_score: sources.policy.min_score,
            configuration: sources.configuration.clone(),
        },
        settings: sources.settings.clone(),
        partial: sources.partial.clone(),
        measures: measures
            .iter()
            .map(|(measure, because)| {
                let Mean { mean, n } = Mean::of(judged.iter().map(|(_, score)| score.value(measure)));
                MeasureFacts { measure: measure.to_string(), mean, n, because: *because }
            })
            .collect(),
        comparison: None,
        noise: None,
        slices: slices(&judged, &measures),
        questions: Vec::new(),
        labels: sources.scores.labels.clone(),
        lists: sources.scores.lists.clone(),
        notes: sources.notes.iter().cloned().chain(sources.notes(&judged)).collect(),
        privacy: Redaction::default(),
        timing: sources.timing(),
        verdict: sources.verdict,
        warnings: sources.warnings,
    };
    // The lists move from the scores into the report: they are most of both.
    let Sources { golden, scores, comparison, .. } = sources;
    report.comparison = comparison;
    report.questions = scores
        .cases
        .into_iter()
        .filter_map(|score| golden.cases.get(score.case).map(|case| (case, score)))
        .map(|(case, score)| question_facts(case, score, &measures, bounds))
        .collect();
    report
}

/// What is reported, then what only rules name, then the other gain of each nDCG where grades make the two
/// differ. Each once.
pub fn measures_of(golden: &GoldenSet, reported: &[Measure], gated: &[Measure]) -> Vec<(Measure, Because)> {
    let graded = golden.cases.iter().flat_map(|case| &case.needs).any(|need| need.grade > 1);
    let named = reported.iter().map(|measure| (measure.clone(), Because::Reported));
    let by_rule = gated.iter().map(|measure| (measure.clone(), Because::Gated));
    let other_gain = reported.iter().chain(gated).filter(|_| graded).filter_map(|measure| {
        let other = match measure.gain()? {
            Gain::Linear => Gain::Exponential,
            Gain::Exponential => Gain::Linear,
        };
        Some((measure.with_gain(other)?, Because::OtherGain))
    });
    let mut all: Vec<(Measure, Because)> = Vec::new();
    for (measure, because) in named.chain(by_rule).chain(other_gain) {
        if all.iter().all(|(known, _)| *known != measure) {
            all.push((measure, because));
        }
    }
    all
}

/// A judged question: scored, and not in quarantine.
pub(super) type Judged<'a> = (&'a Case, &'a CaseScore);

impl Sources<'_> {
    fn ties(&self) -> &'static str {
        self.retriever.ties()
    }

    fn golden_facts(&self, judged: usize) -> GoldenFacts {
        let golden = self.golden;
        let count = |test: fn(&Case) -> bool| golden.cases.iter().filter(|case| test(case)).count();
        GoldenFacts {
            path: golden.path.display().to_string(),
            version: golden.version.clone(),
            sha256: golden.sha256.clone(),
            questions: golden.cases.len(),
            asked: self.scores.cases.len(),
            judged,
            unanswerable: count(|case| !case.answerable),
            quarantined: count(|case| case.quarantine.is_some()),
            without_needs: golden.without_needs.len(),
            embedding_model_version: golden.embedding_model_version.clone(),
        }
    }

    fn timing(&self) -> Timing {
        let times = self.scores.latencies();
        let at = |share| percentile(&times, share).filter(|_| self.retriever.timed);
        let latency = match (at(0.50), at(0.95), at(0.99), at(1.0)) {
            (Some(p50), Some(p95), Some(p99), Some(max)) => Some(Latency { p50, p95, p99, max }),
            _ => None,
        };
        Timing { total_ms: self.total_ms, latency }
    }
}

fn corpus_facts(corpus: &Corpus, path: &str) -> CorpusFacts {
    CorpusFacts {
        path: path.to_owned(),
        made_by: corpus.made_by.clone(),
        chunks: corpus.len(),
        documents: corpus.documents().count(),
        mean_characters: corpus.mean_characters(),
        without_text: corpus.without_text.len(),
        sha256: corpus.sha256.clone(),
    }
}

/// Means by category, the lowest first by the first measure.
fn slices(judged: &[Judged<'_>], measures: &[(Measure, Because)]) -> Vec<SliceFacts> {
    let mut by_category: BTreeMap<&str, Vec<&CaseScore>> = BTreeMap::new();
    for (case, score) in judged {
        if let Some(category) = &case.category {
            by_category.entry(category).or_default().push(score);
        }
    }
    let mut slices: Vec<SliceFacts> = by_category
        .into_iter()
        .map(|(value, scores)| SliceFacts {
            field: "category".into(),
            value: value.to_owned(),
            n: scores
                .iter()
                .filter(|score| measures.first().is_none_or(|(m, _)| score.value(m).is_some()))
                .count(),
            means: measures
                .iter()
                .filter_map(|(measure, _)| {
                    let mean = Mean::of(scores.iter().map(|score| score.value(measure))).mean?;
                    Some((measure.to_string(), mean))
                })
                .collect(),
        })
        .collect();
    if let Some((measure, _)) = measures.first() {
        let name = measure.to_string();
        let key = |slice: &SliceFacts| slice.means.get(&name).copied().unwrap_or(f64::INFINITY);
        slices.sort_by(|a, b| key(a).total_cmp(&key(b)));
    }
    slices
}

/// Within which ranks a question is looked at.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    evidence: u32,
    forbidden: u32,
    abstained: Option<u32>,
}

impl Bounds {
    fn of(evidence: u32, measures: &[(Measure, Because)]) -> Self {
        let smallest = |name: &str| {
            let named = measures.iter().filter(|(measure, _)| measure.definition().name == name);
            named.filter_map(|(measure, _)| measure.cutoff()).min()
        };
        Self {
            evidence,
            forbidden: smallest("forbidden").unwrap_or(evidence),
            abstained: smallest("abstained"),
        }
    }

    /// All that is wrong with the list of a scored question.
    fn faults(self, case: &Case, score: &CaseScore) -> Vec<Fault> {
        let within = |rank: Option<u32>, bound: u32| rank.is_some_and(|rank| rank <= bound);
        let answer = score.outcome.as_ref().and_then(Outcome::first_confident);
        let is_late = |bound: u32| !score.needs.iter().all(|need| within(need.rank, bound));
        let faults = [
            (case.answerable && !score.hits_within(self.evidence), Fault::NoEvidence),
            (within(score.forbidden_rank, self.forbidden), Fault::Forbidden),
            (!case.answerable && self.abstained.is_some_and(|bound| within(answer, bound)), Fault::Answered),
            (case.must_rank_within.is_some_and(is_late), Fault::TooLate),
        ];
        faults.into_iter().filter(|(is_so, _)| *is_so).map(|(_, fault)| fault).collect()
    }
}

/// All that is wrong with the list of a scored question, by the ranks that a report looks at.
pub(crate) fn faults(case: &Case, score: &CaseScore, policy: &PolicyFacts) -> Vec<Fault> {
    let PolicyFacts { cutoff, forbidden_cutoff, abstained_cutoff, .. } = *policy;
    Bounds { evidence: cutoff, forbidden: forbidden_cutoff, abstained: abstained_cutoff }.faults(case, score)
}

fn question_facts(
    case: &Case,
    score: CaseScore,
    measures: &[(Measure, Because)],
    bounds: Bounds,
) -> QuestionFacts {
    let faults = if score.error.is_some() { Vec::new() } else { bounds.faults(case, &score) };
    let status = match (&score.error, faults.as_slice(), case.answerable) {
        (Some(_), ..) => QuestionStatus::Unscored,
        (None, [_, ..], _) => QuestionStatus::Missed,
        (None, [], false) => QuestionStatus::Unanswerable,
        (None, [], true) => QuestionStatus::Found,
    };
    let missing = || score.missing.then(|| MISSING.to_owned());
    QuestionFacts {
        id: case.id.clone(),
        query: case.query.clone(),
        line: case.line,
        category: case.category.clone(),
        digest: case.digest.clone(),
        critical: case.critical,
        quarantine: case.quarantine.clone(),
        answerable: case.answerable,
        status,
        faults,
        must_rank_within: case.must_rank_within,
        error: score.error.clone().or_else(missing),
        expected: case
            .needs
            .iter()
            .zip(&score.needs)
            .map(|(need, met)| NeedFacts {
                anchor: need.alternatives.iter().map(Anchor::to_string).collect::<Vec<_>>().join(" | "),
                grade: need.grade,
                rank: met.rank,
                by: met.means,
            })
            .collect(),
        forbidden: case.forbidden.iter().map(Anchor::to_string).collect(),
        forbidden_rank: score.forbidden_rank,
        answered_rank: score.outcome.as_ref().and_then(Outcome::first_confident),
        values: measures
            .iter()
            .filter_map(|(measure, _)| score.value(measure).map(|value| (measure.to_string(), value)))
            .collect(),
        retrieved: score.places,
    }
}
