//! From drafts to cases: the rules that hold for a golden set whatever file it came from.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

use serde_json::{Map, Value};

use super::anchor::Target;
use super::{Anchor, Case, GoldenSet, Need, digest};
use crate::config::NoNeeds;
use crate::error::nearest;
use crate::{Error, Place, Problem, Result};

/// One label as a reader found it: a need, or with grade 0 anchors judged not relevant.
#[derive(Debug)]
pub(super) struct Label {
    pub grade: u32,
    /// At least one.
    pub alternatives: Vec<Anchor>,
    /// Where it stands in its case.
    pub field: String,
}

/// A case as a reader found it: each field is sound, their combination is not yet checked.
#[derive(Debug, Default)]
pub(super) struct Draft {
    /// File, line and id.
    pub place: Place,
    pub id: String,
    pub query: String,
    pub labels: Vec<Label>,
    pub forbidden: Vec<Anchor>,
    pub unanswerable: bool,
    pub params: Map<String, Value>,
    pub category: Option<String>,
    pub tags: Vec<String>,
    pub source: Option<String>,
    pub critical: bool,
    pub must_rank_within: Option<u32>,
    pub quarantine: Option<String>,
    pub attributes: BTreeMap<String, String>,
    /// A field of it was refused: what follows from the gap is not reported on top.
    pub damaged: bool,
}

impl Draft {
    /// Takes a loose value in. `category` is a field of its own; what the case says itself goes first.
    pub fn attribute(&mut self, name: &str, value: String) {
        if name == "category" {
            self.category.get_or_insert(value);
        } else {
            self.attributes.entry(name.to_owned()).or_insert(value);
        }
    }
}

/// Gathers cases and everything that is wrong with them.
pub(super) struct Builder<'a> {
    file: &'a Path,
    sources: &'a [String],
    no_needs: NoNeeds,
    lines: HashMap<String, usize>,
    set: GoldenSet,
    pub problems: Vec<Problem>,
}

impl<'a> Builder<'a> {
    /// `file` is the one whose lines the drafts name; an empty list of sources allows any.
    pub fn new(file: &'a Path, sources: &'a [String], no_needs: NoNeeds) -> Self {
        Self {
            file,
            sources,
            no_needs,
            lines: HashMap::new(),
            set: GoldenSet::default(),
            problems: Vec::new(),
        }
    }

    pub fn warn(&mut self, problem: Problem) {
        self.set.warnings.push(problem);
    }

    /// Leaves a query out that has no judgement at all.
    pub fn without_needs(&mut self, id: &str, place: Place) {
        match self.no_needs {
            // A query that nobody judged has no measures to be zero.
            NoNeeds::Skip | NoNeeds::Zero => self.set.without_needs.push(id.to_owned()),
            NoNeeds::Error => self.problems.push(no_evidence(place)),
        }
    }

    pub fn add(&mut self, mut draft: Draft) {
        let line = draft.place.line.unwrap_or_default();
        if let Some(earlier) = self.lines.get(&draft.id) {
            self.problems.push(
                Problem::new(draft.place.field("id"), format!("the id is taken by line {earlier} already"))
                    .hint("give every question an id of its own"),
            );
            return;
        }
        self.lines.insert(draft.id.clone(), line);
        if draft.damaged {
            return;
        }
        let before = self.problems.len();
        self.check_source(&draft);
        let (needs, not_relevant) = self.needs(&mut draft);
        self.check_contradictions(&draft, &needs, &not_relevant);
        let sound = self.problems.len() == before;
        if !sound || !self.has_what_it_promises(&draft, &needs) {
            return;
        }
        let mut case = Case {
            id: draft.id,
            query: draft.query,
            needs,
            not_relevant,
            forbidden: draft.forbidden,
            answerable: !draft.unanswerable,
            params: draft.params,
            category: draft.category,
            tags: draft.tags,
            source: draft.source,
            critical: draft.critical,
            must_rank_within: draft.must_rank_within,
            quarantine: draft.quarantine,
            attributes: draft.attributes,
            line,
            digest: String::new(),
        };
        case.digest = digest::of_case(&case);
        self.set.cases.push(case);
    }

    /// The set, when nothing was wrong and there is a question in it.
    pub fn finish(mut self) -> Result<GoldenSet> {
        Error::unless_empty(self.problems)?;
        if self.set.cases.is_empty() {
            let problem = Problem::new(Place::file(self.file), "no questions");
            return Err(match self.set.without_needs.len() {
                0 => problem,
                skipped => problem.hint(format!("{skipped} without any evidence were left out")),
            }
            .into());
        }
        self.set.labels_file = self.file.to_owned();
        Ok(self.set)
    }

    fn check_source(&mut self, draft: &Draft) {
        let Some(source) = &draft.source else { return };
        if self.sources.is_empty() || self.sources.contains(source) {
            return;
        }
        let known = self.sources.join(", ");
        let hint = match nearest(source, self.sources.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`? `[golden] sources` allows {known}"),
            None => format!("`[golden] sources` allows {known}"),
        };
        let place = draft.place.clone().field("source");
        self.problems.push(Problem::new(place, format!("unknown source `{source}`")).hint(hint));
    }

    /// Parts labels into needs and anchors judged not relevant. A label that is repeated counts once; one that is
    /// repeated with another grade is a problem.
    fn needs(&mut self, draft: &mut Draft) -> (Vec<Need>, Vec<Anchor>) {
        let labels = std::mem::take(&mut draft.labels);
        let mut grades: HashMap<Vec<Target<'_>>, u32> = HashMap::with_capacity(labels.len());
        let mut kept = Vec::with_capacity(labels.len());
        for label in &labels {
            let mut targets: Vec<Target<'_>> = label.alternatives.iter().map(Anchor::target).collect();
            targets.sort_unstable();
            let name = || label.alternatives.first().map(ToString::to_string).unwrap_or_default();
            let place = || draft.place.clone().field(&label.field);
            let earlier = grades.get(&targets).copied();
            kept.push(earlier.is_none());
            match earlier {
                Some(grade) if grade == label.grade => self
                    .set
                    .warnings
                    .push(Problem::new(place(), format!("{} is listed twice: counted once", name()))),
                Some(grade) => self.problems.push(Problem::new(
                    place(),
                    format!("{} has grade {} here and grade {grade} before", name(), label.grade),
                )),
                None => {
                    grades.insert(targets, label.grade);
                }
            }
        }
        drop(grades);
        let (mut needs, mut not_relevant) = (Vec::with_capacity(labels.len()), Vec::new());
        for (label, _) in labels.into_iter().zip(kept).filter(|(_, kept)| *kept) {
            match label.grade {
                0 => not_relevant.extend(label.alternatives),
                grade => needs.push(Need { grade, alternatives: label.alternatives }),
            }
        }
        (needs, not_relevant)
    }

    /// Nothing can be wanted and also forbidden, or wanted and also judged not relevant.
    fn check_contradictions(&mut self, draft: &Draft, needs: &[Need], not_relevant: &[Anchor]) {
        let forbidden: HashSet<Target<'_>> = draft.forbidden.iter().map(Anchor::target).collect();
        let judged: HashSet<Target<'_>> = not_relevant.iter().map(Anchor::target).collect();
        if forbidden.is_empty() && judged.is_empty() {
            return;
        }
        for anchor in needs.iter().flat_map(|need| &need.alternatives) {
            let in_forbidden_document =
                anchor.document().is_some_and(|doc| forbidden.contains(&Target::Document(doc)));
            if forbidden.contains(&anchor.target()) || in_forbidden_document {
                let what = format!("{anchor} is both expected and forbidden");
                self.problems.push(Problem::new(draft.place.clone().field("forbidden"), what));
            }
            if judged.contains(&anchor.target()) {
                let what = format!("{anchor} is both expected and judged not relevant (grade 0)");
                self.problems.push(Problem::new(draft.place.clone().field("expected"), what));
            }
        }
    }

    /// Whether the case can be scored; if not, it was reported or left out.
    fn has_what_it_promises(&mut self, draft: &Draft, needs: &[Need]) -> bool {
        if !needs.is_empty() {
            if draft.unanswerable {
                self.problems.push(
                    Problem::new(
                        draft.place.clone().field("answerable"),
                        "the question is not answerable, yet evidence is expected",
                    )
                    .hint("leave `expected` empty, or drop `answerable`"),
                );
            }
            return !draft.unanswerable;
        }
        let promise = match (draft.critical, draft.must_rank_within) {
            (true, _) => Some("critical"),
            (_, Some(_)) => Some("must_rank_within"),
            _ => None,
        };
        if let Some(field) = promise {
            self.problems.push(
                Problem::new(
                    draft.place.clone().field(field),
                    format!("`{field}` promises a rank for evidence, and there is none"),
                )
                .hint("add the evidence under `expected`, or drop the promise"),
            );
            return false;
        }
        if draft.unanswerable || self.no_needs == NoNeeds::Zero {
            return true;
        }
        self.without_needs(&draft.id, draft.place.clone());
        false
    }
}

fn no_evidence(place: Place) -> Problem {
    Problem::new(place.field("expected"), "the question has no evidence").hint(
        "label it, mark it `\"answerable\": false`, or set `no_needs = \"skip\"` under `[golden]` to leave such \
         questions out",
    )
}
