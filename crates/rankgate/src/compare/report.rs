//! The value that the screen and the files of `compare` are made from.

use std::collections::HashMap;

use rankgate_metrics::stats::{Alternative, Test, benjamini_hochberg, holm, sign_flip};
use rankgate_metrics::{Dialect, Measure};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::meet::{Met, named};
use super::side::{Answer, Kind, Labels, Side};
use super::unjudged::Unjudged;
use super::{Change, DRAWS, MeasureChange, Moved, MovementCounts, Pair, SEED, SliceChange, Want, changes};
use crate::privacy::Redaction;
use crate::report::Note;
use crate::text::{list_of, questions};
use crate::{Error, Place, Problem, Result};

/// The version of the JSON form. It rises when a field changes its meaning or goes away.
pub const FORMAT_VERSION: u32 = 1;
/// The cut-off where no measure has one.
const CUTOFF: u32 = 10;

/// Two or more states, each compared with the first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ComparisonReport {
    /// The version of this form.
    pub format_version: u32,
    /// The version of rankgate that wrote it.
    pub rankgate: String,
    /// What was compared; the first is the reference.
    pub inputs: Vec<InputFacts>,
    /// What the run files among them were scored with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub labels: Option<LabelFacts>,
    /// The measures, the one that losses are sorted by first.
    pub measures: Vec<String>,
    /// How many tests of means were made: `p_holm` is corrected over these.
    pub tests: usize,
    /// The reference and each of the others.
    pub pairs: Vec<ComparedPair>,
    /// What is hidden in it; absent where nothing is.
    #[serde(default, skip_serializing_if = "Redaction::shows_all")]
    pub privacy: Redaction,
}

/// One input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InputFacts {
    /// The file.
    pub path: String,
    /// What it is.
    pub kind: Kind,
    /// Questions in it; of a run the judged ones.
    pub questions: usize,
    /// How many places of a list it keeps; absent where it keeps all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Judged questions that a run has no line for: each counts as an empty list.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
    /// Questions of a run that nobody judged, and that were left out.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unjudged_questions: usize,
}

/// The labels of run files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LabelFacts {
    /// The file or folder.
    pub path: String,
    /// SHA-256 of its bytes.
    pub sha256: String,
    /// Questions in it.
    pub questions: usize,
}

/// One input beside the reference.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ComparedPair {
    /// The place of the reference among the inputs.
    pub before: usize,
    /// The place of the other.
    pub now: usize,
    /// Questions with two answers.
    pub questions: usize,
    /// Questions that only the reference has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub only_before: Vec<String>,
    /// Questions that only the other has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub only_now: Vec<String>,
    /// Questions that were left out because they were asked or labelled otherwise.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edited: Vec<String>,
    /// Questions that were left out because the retriever failed on them, then or now.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unscored: Vec<String>,
    /// Questions that were left out because they are in quarantine.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub quarantined: Vec<String>,
    /// The means.
    pub measures: Vec<ComparedMeasure>,
    /// Evidence is lost when it leaves the first so many ranks.
    pub cutoff: u32,
    /// How many questions moved in which way.
    pub counts: MovementCounts,
    /// By category, the one that lost most first.
    pub slices: Vec<ComparedSlice>,
    /// Every question whose evidence moved or whose first measure changed, the largest loss first.
    pub moved: Vec<ComparedQuestion>,
    /// What nobody judged; absent where ids are hashed on one side only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unjudged: Option<Unjudged>,
    /// What else is different; absent where a run file does not say what it was made from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made_from: Option<MadeFrom>,
    /// What a reader should know before trusting the numbers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
}

/// What two states were made from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MadeFrom {
    /// What is different.
    pub changed: Vec<Change>,
    /// What is the same.
    pub same: Vec<String>,
}

/// One measure on both sides.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ComparedMeasure {
    /// The means, their difference and its test.
    #[serde(flatten)]
    pub change: MeasureChange,
    /// The p of the test, corrected over all tests of means by Holm's method.
    pub p_holm: f64,
}

/// One category on both sides: for finding where to look, not for judging.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ComparedSlice {
    /// The means and movements.
    #[serde(flatten)]
    pub slice: SliceChange,
    /// Whether the change of the first measure is more than chance.
    pub test: Test,
    /// Its p, corrected over all slices of this pair by Benjamini and Hochberg's method.
    pub p_benjamini_hochberg: f64,
}

/// A question that moved.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ComparedQuestion {
    /// How it moved.
    #[serde(flatten)]
    pub moved: Moved,
    /// Its text, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// What stands now at the rank where its evidence stood.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub in_its_place: Option<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(n: &usize) -> bool {
    *n == 0
}

/// JSON Schema of the JSON form.
pub fn schema() -> Value {
    schemars::schema_for!(ComparisonReport).to_value()
}

/// An input by its place: `A` is the reference.
pub(super) fn letter(index: usize) -> String {
    match u8::try_from(index).ok().filter(|index| *index < 26) {
        Some(index) => char::from(b'A' + index).to_string(),
        None => (index + 1).to_string(),
    }
}

/// The measures to compare by when none is named: those of the reports, else the usual ones, as far as every input
/// keeps enough of its lists. The second list are those that were left out.
pub fn default_measures(sides: &[Side], usual: &[&str]) -> (Vec<Measure>, Vec<Measure>) {
    let mut measures: Vec<Measure> = Vec::new();
    for measure in sides.iter().flat_map(|side| &side.measures) {
        if !measures.contains(measure) {
            measures.push(measure.clone());
        }
    }
    if measures.is_empty() {
        measures.extend(usual.iter().filter_map(|text| Measure::parse(text, Dialect::Own).ok()));
    }
    let depth = sides.iter().filter_map(|side| side.depth).min().unwrap_or(u32::MAX);
    measures.into_iter().partition(|measure| measure.cutoff().is_none_or(|cutoff| cutoff <= depth))
}

/// Compares every input with the first. The first measure is the one that losses are sorted by.
pub fn compare(
    sides: &[Side],
    labels: Option<&Labels>,
    measures: &[Measure],
    common: bool,
) -> Result<ComparisonReport> {
    check_depth(sides, measures)?;
    let mut pairs = Vec::new();
    if let Some((reference, others)) = sides.split_first() {
        for (now, other) in (1..).zip(others) {
            let met = Met::of(reference, other, common)?;
            pairs.push(pair((reference, other), now, met, measures));
        }
    }
    let all = || pairs.iter().flat_map(|pair: &ComparedPair| &pair.measures);
    let raw: Vec<f64> = all().map(|measure| measure.change.test.p).collect();
    let tests = raw.len();
    let mut corrected = holm(&raw).into_iter();
    for measure in pairs.iter_mut().flat_map(|pair| &mut pair.measures) {
        measure.p_holm = corrected.next().unwrap_or(1.0);
    }
    Ok(ComparisonReport {
        format_version: FORMAT_VERSION,
        rankgate: env!("CARGO_PKG_VERSION").to_owned(),
        inputs: sides.iter().map(input_facts).collect(),
        labels: labels.map(|labels| LabelFacts {
            path: labels.golden.path.display().to_string(),
            sha256: labels.golden.sha256.clone(),
            questions: labels.golden.cases.len(),
        }),
        measures: measures.iter().map(Measure::to_string).collect(),
        tests,
        pairs,
        privacy: Redaction::default(),
    })
}

fn input_facts(side: &Side) -> InputFacts {
    InputFacts {
        path: side.path.display().to_string(),
        kind: side.kind,
        questions: side.answers.len(),
        depth: side.depth,
        missing: side.missing.clone(),
        unjudged_questions: side.unjudged,
    }
}

/// A measure beyond what a side keeps would be computed from a list that was cut.
fn check_depth(sides: &[Side], measures: &[Measure]) -> Result<()> {
    let mut problems = Vec::new();
    for side in sides {
        let Some(depth) = side.depth else { continue };
        for measure in measures.iter().filter(|measure| measure.cutoff().is_some_and(|k| k > depth)) {
            let what = format!(
                "`{measure}` looks beyond the {depth} hits that this {} keeps of each list",
                side.kind.as_str()
            );
            problems.push(
                Problem::new(Place::file(&side.path), what).hint(format!(
                    "compare at a cut-off of {depth} or less, or run again with a larger depth"
                )),
            );
        }
    }
    Error::unless_empty(problems)
}

fn pair((reference, other): (&Side, &Side), now: usize, met: Met<'_>, measures: &[Measure]) -> ComparedPair {
    let pairs: Vec<Pair<'_>> = met.both.iter().filter_map(|(before, now)| as_pair(before, now)).collect();
    let lead = measures.first();
    let cutoff = lead
        .and_then(Measure::cutoff)
        .or_else(|| measures.iter().filter_map(Measure::cutoff).min())
        .unwrap_or(CUTOFF);
    let keep = |side: &Side| side.depth.unwrap_or(u32::MAX);
    let want = Want { lead, cutoff, depth: keep(reference).min(keep(other)) };
    let changes = measures.iter().filter_map(|measure| MeasureChange::of(measure, &pairs));
    ComparedPair {
        before: 0,
        now,
        questions: pairs.len(),
        measures: changes.map(|change| ComparedMeasure { p_holm: change.test.p, change }).collect(),
        cutoff,
        counts: want.counts(&pairs),
        slices: slices(&want, &pairs),
        moved: moved(&want, &pairs, &met.both),
        unjudged: (reference.hashed == other.hashed).then(|| Unjudged::look(&met.both, &pairs, lead, cutoff)),
        made_from: made_from(reference, other),
        notes: notes(reference, other, &met, measures),
        only_before: met.only_before,
        only_now: met.only_now,
        edited: met.edited,
        unscored: met.unscored,
        quarantined: met.quarantined,
    }
}

fn as_pair<'a>(before: &'a Answer, now: &'a Answer) -> Option<Pair<'a>> {
    Some(Pair {
        id: named(before, now),
        category: now.category.as_deref().or(before.category.as_deref()),
        critical: before.critical || now.critical,
        before: before.outcome.as_ref()?,
        now: now.outcome.as_ref()?,
        first: now.hits.first().map(crate::Id::as_str),
    })
}

/// Every category with a test of its own, corrected over them.
fn slices(want: &Want<'_>, pairs: &[Pair<'_>]) -> Vec<ComparedSlice> {
    let mut slices: Vec<ComparedSlice> = want
        .slices(pairs)
        .into_iter()
        .map(|slice| {
            let inside = pairs.iter().filter(|pair| pair.category == Some(slice.value.as_str()));
            let differences: Vec<f64> = inside
                .filter_map(|pair| want.lead.and_then(|lead| pair.values(lead)))
                .map(|(before, now)| now - before)
                .collect();
            let test = sign_flip(&differences, Alternative::TwoSided, DRAWS, SEED);
            ComparedSlice { slice, p_benjamini_hochberg: test.p, test }
        })
        .collect();
    let raw: Vec<f64> = slices.iter().map(|slice| slice.test.p).collect();
    for (slice, p) in slices.iter_mut().zip(benjamini_hochberg(&raw)) {
        slice.p_benjamini_hochberg = p;
    }
    slices
}

fn moved(want: &Want<'_>, pairs: &[Pair<'_>], both: &[(&Answer, &Answer)]) -> Vec<ComparedQuestion> {
    let by_id: HashMap<&str, (&Answer, &Answer)> =
        both.iter().map(|(before, now)| (named(before, now), (*before, *now))).collect();
    want.moved(pairs)
        .into_iter()
        .map(|moved| {
            let answers = by_id.get(moved.id.as_str());
            let stood = moved.before.and_then(|rank| (rank as usize).checked_sub(1));
            let there = stood.zip(answers).and_then(|(at, (_, now))| now.hits.get(at));
            ComparedQuestion {
                query: answers.and_then(|(before, now)| now.query.clone().or_else(|| before.query.clone())),
                in_its_place: there.map(crate::Id::to_string),
                moved,
            }
        })
        .collect()
}

fn made_from(reference: &Side, other: &Side) -> Option<MadeFrom> {
    let (before, now) = reference.stamps.as_ref().zip(other.stamps.as_ref())?;
    let (mut changed, same) = changes(before, now);
    if before.policy.ties != now.policy.ties {
        changed.push(Change {
            what: "order of equal scores".into(),
            before: Some(before.policy.ties.clone()),
            now: Some(now.policy.ties.clone()),
        });
    }
    Some(MadeFrom { changed, same })
}

fn notes(reference: &Side, other: &Side, met: &Met<'_>, measures: &[Measure]) -> Vec<Note> {
    let mut notes = Vec::new();
    let mut say = |code: &str, text: String| notes.push(Note { code: code.into(), text });
    if let Some((words, pairs)) = &met.likely {
        let text = format!("some questions may be the same under two ids: {}; {words}.", list_of(pairs, 5));
        say("likely_ids", text);
    }
    let whole: Vec<&str> =
        measures.iter().filter(|measure| measure.cutoff().is_none()).map(Measure::as_str).collect();
    if let (Some(before), Some(now)) = (reference.depth, other.depth)
        && before != now
        && !whole.is_empty()
    {
        let text = format!(
            "the lists are kept to {before} hits before and {now} now: {} looks at all of them.",
            list_of(&whole, 5)
        );
        say("depth", text);
    }
    if reference.hashed != other.hashed {
        let text = "ids are hashed on one side only: which hits are the same cannot be said.";
        say("hashed_ids", text.into());
    }
    let common = met.both.len();
    let all = reference.answers.len().max(other.answers.len());
    if common * 2 < all {
        say("few_in_common", format!("only {common} of {} can be compared.", questions(all)));
    }
    notes
}
