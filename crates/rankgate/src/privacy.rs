//! `[privacy]`, applied to the one value that everything written and printed is made from.
//!
//! What is known by its structure is hidden piece by piece: texts become `(hidden)`, ids become their hashes. What is
//! free text (the words of a retriever, of a reader, of a person) may hold either, and goes as a whole as soon as
//! anything is hidden. So nothing has to be recognized, and nothing slips through.

use std::borrow::Cow;
use std::collections::HashSet;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::baseline::GoldenChanges;
use crate::compare::{Comparison, ComparisonReport, Side};
use crate::config::{IdLevel, PrivacySettings, TextLevel};
use crate::evaluate::is_known_mapping;
use crate::gate::NO_QUESTION_HAS;
use crate::gate::{Incomplete, Outcome, Rule, RuleResult, Verdict};
use crate::golden::hex;
use crate::report::{MISSING, Note, QuestionFacts, Report};
use crate::{Error, Id, Problem};

/// What stands in the place of a text.
const HIDDEN: &str = "(hidden)";
/// What stands in the place of a quote.
const QUOTE: &str = "the quote (hidden)";
/// What stands in the place of an anchor that cannot be taken apart.
const EVIDENCE: &str = "evidence (hidden)";
/// What stands in the place of words that may hold anything.
const HIDDEN_WORDS: &str = "hidden by [privacy]";
/// How to see what is hidden.
const HOW: &str = "--set privacy.text=full --set privacy.ids=plain shows it";

/// The notes that are made of numbers, measures and files alone. A note that is not named here is hidden.
const PLAIN_NOTES: [&str; 16] = [
    "alpha",
    "baseline_edited",
    "baseline_unmerged",
    "cut_labels",
    "errors",
    "missing",
    "no_baseline",
    "no_long_list",
    "power",
    "precision_alone",
    "recorded",
    "repeats",
    "short_lists",
    "small_corpus",
    "ties",
    "without_needs",
];

/// What a reader may see.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Redaction {
    /// Which texts are shown.
    pub text: TextLevel,
    /// How ids are shown.
    pub ids: IdLevel,
}

impl Redaction {
    /// For the two streams, and so for everything: no reader sees more.
    pub fn terminal(settings: &PrivacySettings) -> Self {
        Self { text: settings.text, ids: settings.ids }
    }

    /// For a comment.
    pub fn comment(settings: &PrivacySettings) -> Self {
        Self::terminal(settings).at_most(settings.comment)
    }

    /// For the files of a run, and for the baseline.
    pub fn artifact(settings: &PrivacySettings) -> Self {
        Self::terminal(settings).at_most(settings.artifact)
    }

    fn at_most(self, text: Option<TextLevel>) -> Self {
        Self { text: text.unwrap_or(self.text).min(self.text), ..self }
    }

    /// Whether everything is shown.
    pub fn shows_all(&self) -> bool {
        *self == Self::default()
    }

    fn hashes(self) -> bool {
        self.ids == IdLevel::Hash
    }

    /// The report as such a reader may see it.
    pub fn view(self, report: &Report) -> Cow<'_, Report> {
        if self.and(report.privacy) == report.privacy {
            Cow::Borrowed(report)
        } else {
            Cow::Owned(self.redact(report.clone()))
        }
    }

    /// The same of a report that nobody else needs. What is hidden already stays hidden.
    pub fn redact(self, mut report: Report) -> Report {
        let shown = self.and(report.privacy);
        if shown == report.privacy {
            return report;
        }
        shown.report(&mut report);
        report.privacy = shown;
        report
    }

    /// An input of `compare`, before it meets another: its ids hashed, so that nothing that is made from them later, an
    /// error among it, holds any.
    pub fn side(self, mut side: Side) -> Side {
        if !self.shows_all() {
            let file = side.path.display().to_string();
            side.warnings = side.warnings.iter().map(|warning| place_only(warning, &[&file])).collect();
        }
        if self.hashes() && !side.hashed {
            side.hashed = true;
            let ids: HashSet<String> = side.answers.iter().map(|answer| answer.id.clone()).collect();
            hash_set(&mut side.missing);
            for answer in &mut side.answers {
                hash(&mut answer.id);
                answer.key.clone_from(&answer.id);
                if let Some(category) = answer.category.as_mut().filter(|category| ids.contains(*category)) {
                    hash(category);
                }
                for hit in &mut answer.hits {
                    *hit = Id::from(hashed(hit));
                }
            }
            side.answers.sort_by(|a, b| a.key.cmp(&b.key));
        }
        side
    }

    /// The comparison of such inputs as a reader may see it: what is left are texts.
    pub fn comparison(self, comparison: &ComparisonReport) -> Cow<'_, ComparisonReport> {
        let shown = self.and(comparison.privacy);
        if shown == comparison.privacy {
            return Cow::Borrowed(comparison);
        }
        let mut comparison = comparison.clone();
        comparison.privacy = shown;
        if shown.text == TextLevel::None {
            for question in comparison.pairs.iter_mut().flat_map(|pair| &mut pair.moved) {
                question.query = question.query.take().map(|_| HIDDEN.to_owned());
            }
        }
        Cow::Owned(comparison)
    }

    /// What both show.
    fn and(self, other: Self) -> Self {
        let ids = if self.hashes() || other.hashes() { IdLevel::Hash } else { IdLevel::Plain };
        Self { text: self.text.min(other.text), ids }
    }

    /// Problems as such a reader may see them: of those that lie in the user's data only the place is told.
    pub fn error(self, error: Error, data: &[PathBuf]) -> Error {
        match error {
            Error::Invalid(problems) if !self.shows_all() => {
                let is_data = |problem: &Problem| {
                    problem.place.id.is_some()
                        || problem
                            .place
                            .file
                            .as_ref()
                            .is_some_and(|file| data.iter().any(|data| file.starts_with(data)))
                };
                let problem = |problem: Problem| match &problem {
                    data if is_data(data) => self.problem(data),
                    // Its hint shows values that nobody has named.
                    value if value.what.contains(NO_QUESTION_HAS) => Problem { hint: None, ..problem },
                    _ => problem,
                };
                Error::Invalid(problems.into_iter().map(problem).collect())
            }
            error => error,
        }
    }

    /// The place of a problem, and how to see the rest.
    pub fn problem(self, problem: &Problem) -> Problem {
        if self.shows_all() {
            return problem.clone();
        }
        // A field may be a key that somebody made up.
        let mut place = crate::Place { field: None, ..problem.place.clone() };
        if self.hashes() {
            place.id = place.id.map(|id| hashed(&id));
        }
        Problem::new(place, HIDDEN_WORDS).hint(HOW)
    }

    /// A rule of the configuration.
    pub fn rule(self, rule: &Rule) -> String {
        if self.hashes() { without_id(rule) } else { rule.to_string() }
    }

    fn report(self, report: &mut Report) {
        let ids: HashSet<String> = report.questions.iter().map(|question| question.id.clone()).collect();
        for question in &mut report.questions {
            self.question(question);
        }
        let files: Vec<&str> = std::iter::once(report.golden.path.as_str())
            .chain(report.corpus.as_ref().map(|corpus| corpus.path.as_str()))
            .collect();
        let warnings = report.warnings.iter().map(|warning| place_only(warning, &files)).collect();
        report.warnings = warnings;
        self.verdict(&mut report.verdict, &ids);
        if self.hashes() || self.text == TextLevel::None {
            report.partial = report.partial.take().map(|_| format!("a filter that is {HIDDEN_WORDS}"));
        }
        if self.hashes() {
            for slice in report.slices.iter_mut().filter(|slice| ids.contains(&slice.value)) {
                slice.value = hashed(&slice.value);
            }
            if let Some(comparison) = &mut report.comparison {
                hash_comparison(comparison);
            }
            for unstable in report.noise.iter_mut().flat_map(|noise| &mut noise.unstable) {
                hash(&mut unstable.id);
            }
        }
        notes(&mut report.notes, report.comparison.as_ref());
    }

    fn question(self, question: &mut QuestionFacts) {
        if self.text == TextLevel::None {
            HIDDEN.clone_into(&mut question.query);
        }
        // The words of people and of retrievers: they may hold anything.
        question.quarantine = question.quarantine.take().map(|_| HIDDEN_WORDS.to_owned());
        question.error = question.error.take().map(|error| match error.as_str() {
            MISSING => error,
            _ => HIDDEN_WORDS.to_owned(),
        });
        for anchor in question.expected.iter_mut().map(|need| &mut need.anchor).chain(&mut question.forbidden)
        {
            *anchor = self.anchor(anchor);
        }
        if self.hashes() {
            hash(&mut question.id);
            for hit in &mut question.retrieved {
                hit.id = Id::from(hashed(&hit.id));
                if let Some(within) = &mut hit.within {
                    within.doc = Id::from(hashed(&within.doc));
                }
            }
        }
    }

    /// An anchor in words. What comes out is fixed words, numbers and hashes, whatever ids and quotes look like: from
    /// the first quote on, nothing can be told apart.
    fn anchor(self, text: &str) -> String {
        const BETWEEN: &str = " | ";
        const OPEN: &str = "the quote \"";
        let at = if text.starts_with(OPEN) { Some(0) } else { text.find(&format!("{BETWEEN}{OPEN}")) };
        let (head, rest) = text.split_at(at.unwrap_or(text.len()));
        let head = match self.ids {
            IdLevel::Plain => head.to_owned(),
            IdLevel::Hash if head.is_empty() => String::new(),
            IdLevel::Hash => head.split(BETWEEN).map(hashed_anchor).collect::<Vec<_>>().join(BETWEEN),
        };
        let quote = rest.strip_prefix(BETWEEN).unwrap_or(rest);
        let is_alone = quote.ends_with('"') && !quote.contains(BETWEEN);
        let quote = match (quote, self.text) {
            ("", _) => return head,
            (quote, TextLevel::Full) if is_alone || self.ids == IdLevel::Plain => quote,
            _ => QUOTE,
        };
        if head.is_empty() { quote.to_owned() } else { format!("{head}{BETWEEN}{quote}") }
    }

    fn verdict(self, verdict: &mut Verdict, ids: &HashSet<String>) {
        for incomplete in &mut verdict.incomplete {
            incomplete.message = self.incomplete(incomplete);
        }
        if verdict.outcome == Outcome::Incomplete {
            let first = verdict.incomplete.first().and_then(|incomplete| incomplete.message.lines().next());
            verdict.headline = first.unwrap_or_default().to_owned();
        }
        if self.hashes() {
            verdict.rules.iter_mut().for_each(|rule| hash_rule(rule, ids));
        }
        if self.text == TextLevel::None {
            // Parameters are free text: a rule may name their key, and shows no value that it does not name.
            for rule in verdict.rules.iter_mut().filter(|rule| rule.rule.starts_with("each(params.")) {
                rule.slices.iter_mut().for_each(|slice| hash(&mut slice.name));
            }
        }
    }

    /// Why a run cannot be judged, without what may be an id or a text.
    fn incomplete(self, Incomplete { code, message }: &Incomplete) -> String {
        let first = message.lines().next().unwrap_or_default();
        match code.as_str() {
            "nothing_evaluated" | "too_few_questions" | "no_hits" => message.clone(),
            "errors" => format!("{first}\nits words are {HIDDEN_WORDS}"),
            // Ids are all that these show.
            "not_comparable" | "no_overlap" if !self.hashes() => message.clone(),
            "not_comparable" => GoldenChanges::without_ids(message),
            "no_overlap" => {
                let likely = message
                    .rsplit_once("\nlikely: ")
                    .filter(|(_, words)| is_known_mapping(words))
                    .map(|(_, words)| format!("\nlikely: {words}"));
                format!("{first}\nboth are {HIDDEN_WORDS}{}", likely.unwrap_or_default())
            }
            _ => format!("{code}: {HIDDEN_WORDS}"),
        }
    }
}

/// Notes that name questions are made again from what they are made of.
fn notes(notes: &mut [Note], comparison: Option<&Comparison>) {
    let made_again = comparison.map(Comparison::notes).unwrap_or_default();
    for note in notes {
        if let Some(again) = made_again.iter().find(|again| again.code == note.code) {
            note.text.clone_from(&again.text);
        } else if !PLAIN_NOTES.contains(&note.code.as_str()) {
            note.text = format!("{}: {HIDDEN_WORDS}", note.code);
        }
    }
}

/// The form of an id that says nothing: the start of its SHA-256. What has this form stays, so that hiding twice is
/// hiding once.
pub fn hashed(id: &str) -> String {
    const DIGITS: usize = 12;
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    if id.strip_prefix("h:").is_some_and(|hash| hash.len() == DIGITS && hash.bytes().all(is_digit)) {
        return id.to_owned();
    }
    let digest = hex(&Sha256::digest(id.as_bytes()));
    format!("h:{}", digest.chars().take(DIGITS).collect::<String>())
}

/// Whether a name that somebody gives is this id, plain or hashed.
pub fn names(name: &str, id: &str) -> bool {
    name == id || (name.starts_with("h:") && name == hashed(id))
}

fn hash(id: &mut String) {
    *id = hashed(id);
}

/// Hashed ids, in their own order.
fn hash_set(ids: &mut [String]) {
    ids.iter_mut().for_each(hash);
    ids.sort_unstable();
}

/// An anchor that is no quote, its id hashed.
fn hashed_anchor(text: &str) -> String {
    for what in ["chunk", "document"] {
        let id = text.strip_prefix(what).and_then(|rest| rest.strip_prefix(" `")).and_then(unquoted);
        if let Some(id) = id {
            return format!("{what} `{}`", hashed(id));
        }
    }
    let span = || {
        let (start, rest) = text.strip_prefix("characters ")?.split_once(" to ")?;
        let (end, doc) = rest.split_once(" of `")?;
        let (start, end): (usize, usize) = (start.parse().ok()?, end.parse().ok()?);
        Some(format!("characters {start} to {end} of `{}`", hashed(unquoted(doc)?)))
    };
    if text == QUOTE { QUOTE.to_owned() } else { span().unwrap_or_else(|| EVIDENCE.to_owned()) }
}

fn unquoted(text: &str) -> Option<&str> {
    text.strip_suffix('`')
}

fn hash_rule(rule: &mut RuleResult, ids: &HashSet<String>) {
    rule.questions.iter_mut().for_each(hash);
    for slice in rule.slices.iter_mut().filter(|slice| ids.contains(&slice.name)) {
        hash(&mut slice.name);
    }
    // A promise is no rule, and names nothing.
    if let Ok(parsed) = rule.rule.parse::<Rule>() {
        rule.rule = without_id(&parsed);
    }
}

/// A rule in its canonical text, the id that it may be about hashed.
fn without_id(rule: &Rule) -> String {
    let mut rule = rule.clone();
    if let Some((_, id)) = rule.filter_mut().filter(|(field, _)| field == "id") {
        hash(id);
    }
    rule.to_string()
}

fn hash_comparison(comparison: &mut Comparison) {
    let golden = &mut comparison.golden;
    for ids in [
        &mut golden.added,
        &mut golden.removed,
        &mut golden.edited,
        &mut golden.relabelled,
        &mut golden.unreadable,
        &mut golden.vanished,
        &mut comparison.unscored,
        &mut comparison.left_out,
    ] {
        hash_set(ids);
    }
    for moved in &mut comparison.moved {
        hash(&mut moved.id);
        moved.first = moved.first.as_deref().map(hashed);
    }
}

/// A warning without its words: the file, if it is one that the report names anyway, and the line.
fn place_only(warning: &str, files: &[&str]) -> String {
    let place = files.iter().find_map(|file| {
        let rest = warning.strip_prefix(file)?.strip_prefix(':')?;
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        Some(format!("{file}:{}: ", rest.get(..digits).filter(|line| !line.is_empty())?))
    });
    format!("{}{HIDDEN_WORDS}", place.unwrap_or_default())
}

#[cfg(test)]
mod tests;
