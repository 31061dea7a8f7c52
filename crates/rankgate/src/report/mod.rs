//! The report: one value that every format is made from.
//!
//! [`Report`] holds everything a reader may want, with no clock in it but the `timing` block; [`build`] makes it,
//! and each format is one file with one [`Format`] in it.

mod build;
mod csv;
pub(crate) mod figures;
mod json;
mod junit;
mod markdown;
mod notes;
mod schema;
mod terminal;

use std::collections::BTreeMap;
use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) use build::MISSING;
pub(crate) use build::faults;
pub use build::{Sources, build, measures_of};
pub use csv::Csv;
pub use json::Json;
pub use junit::Junit;
pub(crate) use markdown::{Align, ID, MOST, NAME, Page, QUERY, TEXT, code, prose};
pub use markdown::{Markdown, marker};
pub use schema::schema;
pub use terminal::{Next, Style, Terminal, accepted};

use crate::compare::Comparison;
use crate::evaluate::{LabelCounts, Lists, Means, RankedHit};
use crate::formats::input;
use crate::gate::{RuleKind, RuleStatus, Verdict};
use crate::noise::Noise;
use crate::privacy::Redaction;
use crate::{Place, Problem, Result};

/// The version of the JSON form. It rises when a field changes its meaning or goes away.
pub const FORMAT_VERSION: u32 = 1;

/// From a report to bytes. One file a format, one value in, no way to look anything else up.
pub trait Format {
    /// The whole output.
    fn render(&self, report: &Report) -> String;
}

/// One run, as every format shows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Report {
    /// The version of this form.
    pub format_version: u32,
    /// The version of rankgate that wrote it.
    pub rankgate: String,
    /// The name of the suite.
    pub name: String,
    /// The decision.
    pub verdict: Verdict,
    /// The golden set.
    pub golden: GoldenFacts,
    /// The corpus, when there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub corpus: Option<CorpusFacts>,
    /// The retriever.
    pub retriever: RetrieverFacts,
    /// What decided how rankings were scored.
    pub policy: PolicyFacts,
    /// The keys of `[corpus]` and `[retriever]` that hold, as they are written.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub settings: BTreeMap<String, String>,
    /// The filter of a partial run, in words; such a run judges promises only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partial: Option<String>,
    /// The means, in the order they were asked for.
    pub measures: Vec<MeasureFacts>,
    /// What is different from the baseline; absent where there is none, or none that can be compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comparison: Option<Comparison>,
    /// How much the retriever moved when it was asked again; absent where it was not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub noise: Option<Noise>,
    /// The means by category, worst first.
    pub slices: Vec<SliceFacts>,
    /// Every question that was asked, in the order of the set.
    pub questions: Vec<QuestionFacts>,
    /// How the labels were matched.
    pub labels: LabelCounts,
    /// What the lists themselves show.
    pub lists: Lists,
    /// What a reader should know before trusting the numbers.
    pub notes: Vec<Note>,
    /// Warnings of the readers: unknown evidence, repeated judgements.
    pub warnings: Vec<String>,
    /// What is hidden in it; absent where nothing is.
    #[serde(default, skip_serializing_if = "Redaction::shows_all")]
    pub privacy: Redaction,
    /// Times. Beside the verdict on a rule over a time, the only part that differs between two runs of the same
    /// inputs.
    pub timing: Timing,
}

/// The golden set of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GoldenFacts {
    /// The file or folder.
    pub path: String,
    /// The stem of its name.
    pub version: String,
    /// SHA-256 of its bytes.
    pub sha256: String,
    /// Questions in it.
    pub questions: usize,
    /// Questions that were asked.
    pub asked: usize,
    /// Questions that were scored and are in the rules.
    pub judged: usize,
    /// Questions without an answer in the corpus.
    pub unanswerable: usize,
    /// Questions that are run and shown, but out of every rule.
    pub quarantined: usize,
    /// Queries left out because no label says that anything is relevant.
    pub without_needs: usize,
    /// The embedding model the set is pinned to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub embedding_model_version: Option<String>,
}

/// The corpus of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CorpusFacts {
    /// The file or folder.
    pub path: String,
    /// How it became chunks.
    pub made_by: String,
    /// Chunks.
    pub chunks: usize,
    /// Documents.
    pub documents: usize,
    /// The mean length of a chunk, in characters.
    pub mean_characters: f64,
    /// Chunks without text.
    pub without_text: usize,
    /// SHA-256 over ids and texts.
    pub sha256: String,
}

/// The retriever of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RetrieverFacts {
    /// Its kind.
    pub kind: String,
    /// Everything that decides its answers.
    pub fingerprint: String,
    /// The embedding model it reports.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub embedding_model_version: Option<String>,
    /// Further facts, such as the size of its vocabulary.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub facts: BTreeMap<String, String>,
}

/// What decided how rankings were scored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PolicyFacts {
    /// `chunk` or `document`.
    pub level: String,
    /// How many hits were asked for.
    pub depth: usize,
    /// A question is found when evidence stands within this rank: the smallest gated cut-off, else the smallest
    /// reported one.
    pub cutoff: u32,
    /// Nothing forbidden may stand within this rank: the smallest cut-off of a `forbidden` measure, else `cutoff`.
    pub forbidden_cutoff: u32,
    /// An unanswerable question is answered when a hit within this rank reaches `min_score`: the smallest cut-off of an
    /// `abstained` measure; absent where none is reported or gated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub abstained_cutoff: Option<u32>,
    /// The share of a span that a hit must hold to meet it.
    pub coverage: f64,
    /// What orders hits of equal scores; `as-returned` where the retriever does.
    pub ties: String,
    /// A hit below this score is no answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_score: Option<f64>,
    /// The digest of the effective configuration.
    pub configuration: String,
}

/// One measure over all judged questions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MeasureFacts {
    /// Its canonical name.
    pub measure: String,
    /// The mean; absent when no judged question has this measure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mean: Option<f64>,
    /// Over how many questions.
    pub n: usize,
    /// Why it is here.
    pub because: Because,
}

/// Why a measure is in the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Because {
    /// `measures.report` names it.
    Reported,
    /// Only a rule names it.
    Gated,
    /// It is the other gain of an nDCG over graded labels.
    OtherGain,
}

/// The means over the questions of one category.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SliceFacts {
    /// The field; `category`.
    pub field: String,
    /// Its value.
    pub value: String,
    /// Judged questions in it that the first measure applies to.
    pub n: usize,
    /// Mean by measure.
    pub means: BTreeMap<String, f64>,
}

/// One question and what became of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct QuestionFacts {
    /// Its id.
    pub id: String,
    /// Its text.
    pub query: String,
    /// Its line in the golden file.
    pub line: usize,
    /// Its category.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// Its digest: query, needs, forbidden, answerable, params.
    pub digest: String,
    /// It carries the promise `critical`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub critical: bool,
    /// Why it is out of every rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quarantine: Option<String>,
    /// Whether the corpus holds an answer.
    pub answerable: bool,
    /// Whether it passed, missed or has no score.
    pub status: QuestionStatus,
    /// All that is wrong with its list; empty unless it missed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<Fault>,
    /// Every need must have this rank or a better one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub must_rank_within: Option<u32>,
    /// Why it has no score, or that the run lacks it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The needs, with the rank at which each was met.
    pub expected: Vec<NeedFacts>,
    /// What must not be retrieved, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forbidden: Vec<String>,
    /// The first rank of something forbidden.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forbidden_rank: Option<u32>,
    /// Of an unanswerable question the first rank of a hit that counts as an answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answered_rank: Option<u32>,
    /// The list as scored, to the depth.
    pub retrieved: Vec<RankedHit>,
    /// Value by measure, for the measures that apply to it.
    pub values: BTreeMap<String, f64>,
}

/// What became of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum QuestionStatus {
    /// Its evidence is where it should be, and nothing is where it should not be.
    Found,
    /// Something is wrong with its list: `faults` says what.
    Missed,
    /// The question is unanswerable, and was not answered.
    Unanswerable,
    /// The retriever failed.
    Unscored,
}

/// What is wrong with the list of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// No evidence stands within `policy.cutoff`.
    NoEvidence,
    /// Something forbidden stands within `policy.forbidden_cutoff`.
    Forbidden,
    /// The question is unanswerable, and a hit within `policy.abstained_cutoff` is an answer.
    Answered,
    /// A need ranks below its `must_rank_within`.
    TooLate,
}

/// One need of a question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NeedFacts {
    /// What is wanted, in words; alternatives joined by ` | `.
    pub anchor: String,
    /// Its grade.
    pub grade: u32,
    /// The first rank that met it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rank: Option<u32>,
    /// By what means.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Means>,
}

/// Something a reader should know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Note {
    /// A stable name.
    pub code: String,
    /// In words.
    pub text: String,
}

/// Times, in milliseconds.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Timing {
    /// From reading the first file to the verdict.
    pub total_ms: f64,
    /// Percentiles of the time to answer one question; absent for a run file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latency: Option<Latency>,
}

/// Percentiles of the time to answer one question, in milliseconds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Latency {
    pub p50: f64,
    pub p95: f64,
    pub p99: f64,
    pub max: f64,
}

impl Report {
    /// Reads the JSON form.
    pub fn read(path: &Path) -> Result<Self> {
        Self::parse(&input::read_text(path)?, path)
    }

    /// Reads the text of the JSON form.
    pub fn parse(text: &str, path: &Path) -> Result<Self> {
        #[derive(Deserialize)]
        struct Claim {
            format_version: u32,
        }

        let read = serde_json::from_str::<Self>(text);
        // Of another version nothing else can be expected to be right; reports are long, and this one is read once.
        let claimed = match &read {
            Ok(report) => Some(report.format_version),
            Err(_) => serde_json::from_str(text).ok().map(|Claim { format_version }| format_version),
        };
        if let Some(version) = claimed.filter(|version| *version != FORMAT_VERSION) {
            let what = format!("the report has format {version}, and this version reads {FORMAT_VERSION}");
            return Err(Problem::new(Place::file(path), what).hint("use the rankgate that wrote it").into());
        }
        read.map_err(|error| {
            let place = Place::line(path, error.line()).at_column(error.column());
            // Its place is told already.
            let text = error.to_string();
            let what = text.split(" at line ").next().unwrap_or_default();
            Problem::new(place, format!("not a JSON report of this version: {what}"))
                .hint("it is written by `rankgate run -o report.json`")
                .into()
        })
    }

    /// The ids of the questions to look at again: those that missed or have no score, and those that broke a promise or
    /// were counted by a rule that failed. A mean is everybody's.
    pub fn failed(&self) -> Vec<String> {
        let rules = self
            .verdict
            .rules
            .iter()
            .filter(|rule| rule.status == RuleStatus::Failed && rule.kind != RuleKind::Measure);
        let blamed: std::collections::HashSet<&str> =
            rules.flat_map(|rule| &rule.questions).map(String::as_str).collect();
        let failed = |question: &&QuestionFacts| {
            matches!(question.status, QuestionStatus::Missed | QuestionStatus::Unscored)
                || blamed.contains(question.id.as_str())
        };
        self.questions.iter().filter(failed).map(|question| question.id.clone()).collect()
    }

    /// The judged questions whose evidence is not where it should be, the most urgent first.
    pub fn missed(&self) -> Vec<&QuestionFacts> {
        let mut missed: Vec<&QuestionFacts> = self
            .questions
            .iter()
            .filter(|question| question.status == QuestionStatus::Missed && question.quarantine.is_none())
            .collect();
        missed.sort_by_key(|question| (!question.critical, question.best_rank().is_some()));
        missed
    }
}

impl QuestionFacts {
    /// The best rank of any need.
    pub fn best_rank(&self) -> Option<u32> {
        self.expected.iter().filter_map(|need| need.rank).min()
    }

    /// The worst rank of its needs; `None` when one of them was not retrieved.
    pub fn worst_rank(&self) -> Option<u32> {
        self.expected.iter().map(|need| need.rank).collect::<Option<Vec<_>>>()?.into_iter().max()
    }
}
