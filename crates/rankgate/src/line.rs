//! The straight line: a configuration in, a report out.
//!
//! [`Suite::read`] goes from a resolved configuration to everything that can be known before a question is asked,
//! and refuses all that is wrong there; [`run`] asks, scores, judges and reports. The caller brings the retriever
//! between them.

mod again;
mod against;
pub(crate) mod recorded;

use std::time::Instant;

use again::Scoring;
use rankgate_metrics::{Applies, Measure};

use crate::baseline;
use crate::config::{BaselineSettings, Resolved, Settings, UnknownEvidence};
use crate::corpus::Corpus;
use crate::evaluate::{Policy, evaluate};
use crate::gate::judge::{Evidence, judge};
use crate::gate::{Gate, Verdict};
use crate::golden::evidence::check_against;
use crate::golden::{GoldenSet, Level};
use crate::noise::Repeat;
use crate::ranking::{Lookup, Rankings};
use crate::report::{Note, Report, Sources, build, measures_of};
use crate::retriever::{Retriever, RetrieverInfo};
use crate::select::Selection;
use crate::{Error, Place, Problem, Result};

/// Everything that is known before the first question is asked, and has been found right.
#[derive(Debug)]
pub struct Suite {
    /// The configuration.
    pub resolved: Resolved,
    /// The questions.
    pub golden: GoldenSet,
    /// What can be retrieved, where it is known.
    pub corpus: Option<Corpus>,
    /// Whether hits are scored as chunks or documents.
    pub level: Level,
    /// The measures of the report.
    pub reported: Vec<Measure>,
    /// The rules.
    pub gate: Gate,
    /// The accepted answers, where a baseline is configured.
    pub baseline: Option<baseline::Found>,
    /// What the readers want the user to know.
    pub warnings: Vec<Problem>,
    /// Labels whose evidence the corpus lacks.
    pub unknown_labels: usize,
    /// Labels that the chunker cuts, so that no chunk meets them.
    pub cut_labels: usize,
    started: Instant,
}

impl Suite {
    /// Reads golden set and corpus, and checks them, the measures and the rules against each other.
    pub fn read(resolved: Resolved) -> Result<Self> {
        Self::read_with(resolved, |settings| Ok((baseline::find(settings)?, None)))
    }

    /// The same for a run that is to replace the baseline: one that cannot be read is a warning.
    pub fn read_to_replace(resolved: Resolved) -> Result<Self> {
        Self::read_with(resolved, |settings| Ok(baseline::find_to_replace(settings)))
    }

    fn read_with(
        resolved: Resolved,
        find: impl Fn(&BaselineSettings) -> Result<(baseline::Found, Option<Error>)>,
    ) -> Result<Self> {
        let started = Instant::now();
        let settings = &resolved.settings;
        let locate = |error| resolved.locate(error);
        let mut problems = Vec::new();
        let reported = measures(settings).map_err(locate).or_note(&mut problems)?;
        let has_baseline = settings.baseline.is_some();
        let gate = Gate::parse(&settings.gate, has_baseline).map_err(locate).or_note(&mut problems)?;
        let golden = GoldenSet::read(&settings.golden).map_err(locate).or_note(&mut problems)?;
        let corpus = settings.corpus.as_ref().map(Corpus::read).transpose().or_note(&mut problems)?;
        let baseline =
            settings.baseline.as_ref().map(find).transpose().map_err(locate).or_note(&mut problems)?;
        let (Some(reported), Some(gate), Some(golden), Some(mut corpus), Some(baseline)) =
            (reported, gate, golden, corpus, baseline)
        else {
            return Err(Error::Invalid(problems));
        };
        gate.check_against(&golden).map_err(locate)?;
        let level = golden.level(settings.golden.level);
        if let Some(corpus) = corpus.as_mut().filter(|_| settings.retriever.doc_pattern.is_some()) {
            // The ids of hits and of chunks are the same ids.
            let by_id = Lookup::new(None, settings.retriever.doc_pattern.as_deref()).map_err(locate)?;
            corpus.name_documents(|id| by_id.document_of(id).to_owned());
        }
        let mut warnings = golden.warnings.clone();
        let (baseline, broken) = baseline.map_or((None, None), |(found, broken)| (Some(found), broken));
        if let Some(Error::Invalid(problems)) = broken {
            warnings.extend(problems);
        }
        let (mut unknown_labels, mut cut_labels) = (0, 0);
        if let Some(corpus) = &corpus {
            warnings.extend(without_text(settings, corpus));
            let evidence = check_against(&golden, corpus, level);
            if settings.golden.unknown_evidence == UnknownEvidence::Refuse {
                Error::unless_empty(evidence.problems)?;
            } else {
                unknown_labels = evidence.labels;
                warnings.extend(evidence.problems);
            }
            cut_labels = evidence.cut;
            warnings.extend(evidence.notes);
        }
        let suite = Self {
            resolved,
            golden,
            corpus,
            level,
            reported,
            gate,
            baseline,
            warnings,
            unknown_labels,
            cut_labels,
            started,
        };
        suite.check_depth().map_err(|error| suite.resolved.locate(error))?;
        Ok(suite)
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.resolved.settings
    }

    /// The measures that only rules name.
    fn gated(&self) -> Vec<Measure> {
        self.gate.rules.iter().filter_map(|rule| rule.rule.measure().cloned()).collect()
    }

    fn cutoffs(&self) -> impl Iterator<Item = u32> {
        self.gate.cutoffs().chain(self.reported.iter().filter_map(Measure::cutoff))
    }

    /// The cut-off at which a critical hit must stand and a question counts as found: the smallest of the gated
    /// measures of evidence, else of the reported ones, else the depth. A rule about forbidden hits says nothing of
    /// where evidence should stand.
    pub fn cutoff(&self, depth: usize) -> u32 {
        let smallest = |measures: &[Measure]| {
            let evidence = measures.iter().filter(|measure| {
                measure.definition().applies == Applies::Answerable && measure.definition().name != "judged"
            });
            evidence.filter_map(Measure::cutoff).min()
        };
        let depth = u32::try_from(depth).unwrap_or(u32::MAX);
        smallest(&self.gated()).or_else(|| smallest(&self.reported)).unwrap_or(depth)
    }

    /// How many hits to ask for.
    pub fn depth(&self) -> usize {
        let largest = self.cutoffs().max().unwrap_or(0) as usize;
        crate::run::depth(self.settings().retriever.depth, largest, &self.golden, self.corpus.as_ref())
    }

    /// Asks these cases; `depth` places of each list are scored.
    pub fn ask(&self, cases: &[usize], retriever: &dyn Retriever, depth: usize) -> Rankings {
        let hits = crate::run::hits_for(depth, self.level, self.corpus.as_ref());
        crate::run::ask(&self.golden, cases, retriever, depth, hits)
    }

    fn check_depth(&self) -> Result<()> {
        let Some(depth) = self.settings().retriever.depth else { return Ok(()) };
        match self.cutoffs().max() {
            Some(largest) if largest as usize > depth => Err(Problem::new(
                Place::default().field("retriever.depth"),
                format!("{depth} hits cannot be cut at {largest}"),
            )
            .hint("raise the depth to the largest cut-off of the measures and rules, or leave it out")
            .into()),
            _ => Ok(()),
        }
    }

    /// What to know of labels and corpus before any answer.
    fn notes(&self) -> Vec<Note> {
        let mut notes = Vec::new();
        let mut say = |code: &str, text: String| notes.push(Note { code: code.into(), text });
        if self.cut_labels > 0 {
            let labels = if self.cut_labels == 1 {
                "1 label lies".into()
            } else {
                format!("{} labels lie", self.cut_labels)
            };
            say(
                "cut_labels",
                format!(
                    "{labels} in no single chunk: the chunker cuts the text, so nothing that is retrieved can meet \
                     them. Cut elsewhere, quote less, or give `start` and `end`."
                ),
            );
        }
        let largest = self.cutoffs().max().unwrap_or(0) as usize;
        if let Some(corpus) = self.corpus.as_ref().filter(|corpus| largest > 0 && corpus.len() <= largest * 2)
        {
            say(
                "small_corpus",
                format!(
                    "the corpus has {} chunks: the first {largest} hits are much or all of it, and finding evidence \
                     there says little.",
                    corpus.len()
                ),
            );
        }
        notes
    }

    /// How rankings of this retriever are scored.
    pub fn policy(&self, retriever: &RetrieverInfo) -> Policy {
        Policy {
            level: self.level,
            coverage: self.settings().measures.coverage,
            min_score: self.settings().retriever.min_score,
            exhaustive: retriever.exhaustive,
        }
    }

    /// Where hits find their documents and texts.
    pub fn lookup(&self) -> Result<Lookup<'_>> {
        Lookup::new(self.corpus.as_ref(), self.settings().retriever.doc_pattern.as_deref())
            .map_err(|error| self.resolved.locate(error))
    }

    /// What the retriever says of itself, and what the configuration says where it is silent.
    pub fn info(&self, retriever: &dyn Retriever) -> RetrieverInfo {
        let mut info = retriever.info();
        if info.embedding_model_version.is_none() {
            info.embedding_model_version.clone_from(&self.settings().retriever.embedding_model_version);
        }
        info
    }

    /// Refuses a retriever that reports another embedding model than the set is pinned to.
    pub fn check_pin(&self, retriever: &RetrieverInfo) -> Result<()> {
        let Some(pinned) = &self.golden.embedding_model_version else { return Ok(()) };
        if retriever.embedding_model_version.as_ref() == Some(pinned) {
            return Ok(());
        }
        let place = Place::file(&self.golden.path).field("embedding_model_version");
        let what = match &retriever.embedding_model_version {
            Some(reported) => {
                format!("the set is pinned to `{pinned}`, but the retriever reports `{reported}`")
            }
            None => format!(
                "the set is pinned to `{pinned}`, but the retriever `{}` reports no model",
                retriever.kind
            ),
        };
        Err(Problem::new(place, what)
            .hint(
                "run the pinned model, review the labels and change the pin, or say in \
                 `retriever.embedding_model_version` what stands behind the answers",
            )
            .into())
    }
}

/// A warning about chunks that no retriever can read.
fn without_text(settings: &Settings, corpus: &Corpus) -> Option<Problem> {
    const SHOWN: usize = 5;
    let ids = &corpus.without_text;
    let shown: Vec<String> = ids.iter().take(SHOWN).map(|id| format!("`{id}`")).collect();
    let more = if ids.len() > SHOWN { ", ..." } else { "" };
    let place = settings.corpus.as_ref().map_or_else(Place::default, |corpus| Place::file(&corpus.path));
    let what = format!("{} of {} chunks without text: {}{more}", ids.len(), corpus.len(), shown.join(", "));
    (!ids.is_empty())
        .then(|| Problem::new(place, what).hint("they keep their ids; a title alone can be found"))
}

/// For readers whose mistakes are told together.
trait OrNote<T> {
    /// The value, or none after its problems were noted. What the system refuses ends the reading.
    fn or_note(self, problems: &mut Vec<Problem>) -> Result<Option<T>>;
}

impl<T> OrNote<T> for Result<T> {
    fn or_note(self, problems: &mut Vec<Problem>) -> Result<Option<T>> {
        match self {
            Ok(value) => Ok(Some(value)),
            Err(Error::Invalid(found)) => {
                problems.extend(found);
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }
}

/// Parses the measures of the report; all faulty ones are named together.
fn measures(settings: &Settings) -> Result<Vec<Measure>> {
    let mut problems = Vec::new();
    let mut measures = Vec::new();
    for (index, text) in settings.measures.report.iter().enumerate() {
        match text.parse::<Measure>() {
            Ok(measure) => measures.push(measure),
            Err(error) => {
                let place = Place::default().field(format!("measures.report[{index}]"));
                problems.push(Problem::new(place, error.to_string()));
            }
        }
    }
    Error::unless_empty(problems)?;
    Ok(measures)
}

/// Asks the selected questions, scores the answers, judges them and reports.
pub fn run(
    suite: &Suite,
    selection: &Selection,
    retriever: &dyn Retriever,
    report_only: bool,
) -> Result<Report> {
    run_repeated(suite, selection, retriever, report_only, None)
}

/// The same, and asks again afterwards, to tell how far the retriever moves by itself.
pub fn run_repeated(
    suite: &Suite,
    selection: &Selection,
    retriever: &dyn Retriever,
    report_only: bool,
    repeat: Option<Repeat>,
) -> Result<Report> {
    let info = suite.info(retriever);
    suite.check_pin(&info)?;
    let recorded = suite.check_recorded(&info)?;
    let lookup = suite.lookup()?;
    let policy = suite.policy(&info);
    let depth = suite.depth();
    let cutoff = suite.cutoff(depth);
    let largest = suite.cutoffs().max().map_or(depth, |largest| largest as usize);

    let rankings = suite.ask(&selection.cases, retriever, depth);
    let mut scores = evaluate(&suite.golden, rankings, &lookup, &policy, largest);
    scores.labels.unknown = suite.unknown_labels;
    let stamps = suite.stamps(&info, &policy, depth);
    let met = suite.meet(&stamps, &policy, &lookup)?;
    let pairs = met.pairs(suite, &scores);
    let evidence = Evidence {
        golden: &suite.golden,
        scores: &scores,
        critical_cutoff: cutoff,
        min_questions: suite.settings().golden.min_questions,
        partial: selection.partial.is_some(),
        timed: info.timed,
        baseline: met.against(&pairs),
    };
    let verdict: Verdict = judge(&suite.gate, &evidence, report_only);
    let gated = suite.gated();
    let measures = measures_of(&suite.golden, &suite.reported, &gated);
    let named: Vec<Measure> = measures.iter().map(|(measure, _)| measure.clone()).collect();
    let comparison = met.comparison(suite, &scores, &pairs, &named, cutoff);
    let mut notes = suite.notes();
    notes.extend(met.notes(&suite.gate, &verdict, comparison.as_ref()));
    let is_recorded = info.recorded.is_some();
    if repeat.is_some() && is_recorded {
        notes.push(again::nothing_new());
    }
    let mut report = build(Sources {
        name: &suite.settings().name,
        golden: &suite.golden,
        corpus: suite
            .corpus
            .as_ref()
            .zip(suite.settings().corpus.as_ref().map(|corpus| corpus.path.display().to_string())),
        warnings: suite
            .warnings
            .iter()
            .chain(&info.warnings)
            .chain(&recorded)
            .map(Problem::to_string)
            .collect(),
        retriever: info,
        policy,
        configuration: suite.resolved.digest.clone(),
        partial: selection.partial.clone(),
        scores,
        reported: &suite.reported,
        gated: &gated,
        measures,
        comparison,
        notes,
        settings: stamps.settings.clone(),
        cutoff,
        verdict,
        total_ms: suite.started.elapsed().as_secs_f64() * 1000.0,
    });
    if let Some(repeat) = repeat.filter(|_| !is_recorded) {
        let scoring = Scoring { lookup: &lookup, policy: &policy, compared_depth: met.depth };
        report.noise = suite.noise(&report, retriever, scoring, repeat);
    }
    Ok(report)
}
