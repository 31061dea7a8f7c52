//! Which questions of the set are asked: all of them, or those that a filter leaves.

use std::collections::HashSet;

use crate::error::nearest;
use crate::gate::unknown_slice;
use crate::golden::{Case, GoldenSet};
use crate::privacy::{hashed, names};
use crate::{Error, Place, Problem, Result};

/// What the user asked for. Every part narrows; several values of one part are alternatives.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// Ids.
    pub only: Vec<String>,
    /// Categories.
    pub categories: Vec<String>,
    /// Tags.
    pub tags: Vec<String>,
    /// Values of any field.
    pub fields: Vec<(String, String)>,
    /// Ids that failed before, and the report that says so.
    pub failed: Option<(String, Vec<String>)>,
    /// At most so many, from the front.
    pub limit: Option<usize>,
}

/// The questions to ask, as indices into the set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selection {
    /// In the order of the set.
    pub cases: Vec<usize>,
    /// The filter in words, when there is one: such a run cannot stand for the set.
    pub partial: Option<String>,
}

impl Filter {
    /// The filter in words; `None` when nothing is filtered.
    fn words(&self) -> Option<String> {
        let list = |name: &str, values: &[String]| {
            (!values.is_empty()).then(|| format!("{name}={}", values.join(",")))
        };
        let parts: Vec<String> =
            [list("only", &self.only), list("category", &self.categories), list("tag", &self.tags)]
                .into_iter()
                .flatten()
                .chain(self.fields.iter().map(|(field, value)| format!("{field}={value}")))
                .chain(self.failed.iter().map(|(report, _)| format!("failed in {report}")))
                .chain(self.limit.map(|limit| format!("limit={limit}")))
                .collect();
        (!parts.is_empty()).then(|| parts.join(" "))
    }

    /// Applies the filter. A name that the set does not have, and a filter that leaves nothing, are errors: an
    /// empty run would look like a green one.
    pub fn select(&self, golden: &GoldenSet) -> Result<Selection> {
        let Some(words) = self.words() else {
            return Ok(Selection { cases: (0..golden.cases.len()).collect(), partial: None });
        };
        self.check_names(golden)?;
        // A report may name ids by their hashes.
        let is_named = |ids: &HashSet<&str>, case: &Case| {
            ids.contains(case.id.as_str()) || ids.contains(hashed(&case.id).as_str())
        };
        let only: HashSet<&str> = self.only.iter().map(String::as_str).collect();
        let failed: Option<HashSet<&str>> =
            self.failed.as_ref().map(|(_, ids)| ids.iter().map(String::as_str).collect());
        let has = |case: &Case, field: &str, wanted: &[String]| {
            wanted.is_empty() || case.field(field).iter().any(|value| wanted.contains(value))
        };
        let cases: Vec<usize> = golden
            .cases
            .iter()
            .enumerate()
            .filter(|(_, case)| only.is_empty() || is_named(&only, case))
            .filter(|(_, case)| has(case, "category", &self.categories) && has(case, "tag", &self.tags))
            .filter(|(_, case)| {
                self.fields.iter().all(|(field, value)| has(case, field, std::slice::from_ref(value)))
            })
            .filter(|(_, case)| failed.as_ref().is_none_or(|ids| is_named(ids, case)))
            .map(|(index, _)| index)
            .take(self.limit.unwrap_or(usize::MAX))
            .collect();
        if cases.is_empty() {
            let place = Place::file(&golden.path);
            return Err(Problem::new(place, format!("no question is left by the filter {words}")).into());
        }
        Ok(Selection { cases, partial: Some(words) })
    }

    fn check_names(&self, golden: &GoldenSet) -> Result<()> {
        let mut problems = Vec::new();
        let is_there = |id: &str| golden.cases.iter().any(|case| names(id, &case.id));
        for id in self.only.iter().filter(|id| !is_there(id)) {
            let problem = Problem::new(Place::file(&golden.path), format!("no question has the id `{id}`"));
            problems.push(match nearest(id, golden.cases.iter().map(|case| case.id.as_str())) {
                Some(near) => problem.hint(format!("did you mean `{near}`?")),
                None => problem,
            });
        }
        let categories = self.categories.iter().map(|value| ("category", value));
        let tags = self.tags.iter().map(|value| ("tag", value));
        let fields = self.fields.iter().map(|(field, value)| (field.as_str(), value));
        for (field, value) in categories.chain(tags).chain(fields) {
            if let Some(problem) = unknown_slice(golden, field, Some(value)) {
                let what = format!("the filter {field}={value} matches nothing: {}", problem.what);
                problems.push(Problem { place: Place::file(&golden.path), what, ..problem });
            }
        }
        Error::unless_empty(problems)
    }
}
