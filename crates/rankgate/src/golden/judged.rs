//! Golden sets from judgements: qrels with the texts of their queries, and BEIR folders.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use super::builder::{Builder, Draft, Label};
use super::queries::{Attributes, Queries, QueryText};
use super::{Anchor, GoldenSet, digest};
use crate::config::{GoldenSettings, NoNeeds};
use crate::formats::qrels::{Judgement, Qrels};
use crate::{Error, Place, Problem, Result};

/// The files of a judged collection.
pub(super) struct Files<'a> {
    pub qrels: &'a Path,
    pub queries: Option<&'a Path>,
    pub attributes: Option<&'a Path>,
}

impl<'a> Files<'a> {
    /// Reads all of them. The digest is over qrels, queries, attributes, in this order.
    pub fn read(&self, settings: &GoldenSettings) -> Result<GoldenSet> {
        let mut problems = Vec::new();
        let qrels = gather(Qrels::read(self.qrels), &mut problems)?;
        let queries = match self.queries {
            Some(path) => Some(gather(Queries::read(path), &mut problems)?),
            None => None,
        };
        let attributes = match self.attributes {
            Some(path) => gather(Attributes::read(path), &mut problems)?,
            None => Attributes::default(),
        };
        Error::unless_empty(problems)?;
        let mut set = build(qrels, queries.as_ref(), attributes, settings)?;
        set.sha256 = digest::of_files(self.paths())?;
        Ok(set)
    }

    fn paths(&self) -> impl Iterator<Item = &'a Path> {
        [Some(self.qrels), self.queries, self.attributes].into_iter().flatten()
    }
}

/// Puts off what is wrong with one file until the others are read too.
fn gather<T: Default>(result: Result<T>, problems: &mut Vec<Problem>) -> Result<T> {
    match result {
        Err(Error::Invalid(mut found)) => {
            problems.append(&mut found);
            Ok(T::default())
        }
        other => other,
    }
}

impl GoldenSet {
    /// A golden set from judgements: each judged document is a chunk id, graded. Without `queries` the questions
    /// have no text, which is enough to score a run file. Queries without a relevant document are left out and
    /// listed in [`without_needs`](Self::without_needs), unless `no_needs` says otherwise.
    ///
    /// The digest of the files is left empty; [`GoldenSet::read`] and [`GoldenSet::read_qrels`] fill it in.
    pub fn from_qrels(qrels: Qrels, queries: Option<&Queries>, no_needs: NoNeeds) -> Result<Self> {
        let settings = GoldenSettings { no_needs: Some(no_needs), ..GoldenSettings::default() };
        build(qrels, queries, Attributes::default(), &settings)
    }

    /// Reads judgements for scoring a run: the texts of the queries may be missing.
    pub fn read_qrels(qrels: &Path, queries: Option<&Path>, no_needs: NoNeeds) -> Result<Self> {
        let settings = GoldenSettings { no_needs: Some(no_needs), ..GoldenSettings::default() };
        Files { qrels, queries, attributes: None }.read(&settings)
    }
}

fn build(
    qrels: Qrels,
    queries: Option<&Queries>,
    mut attributes: Attributes,
    settings: &GoldenSettings,
) -> Result<GoldenSet> {
    let path = qrels.path;
    let mut builder = Builder::new(&path, &settings.sources, settings.no_needs.unwrap_or(NoNeeds::Skip));
    let texts = queries.map(|queries| by_id(&queries.list));
    let groups = by_query(qrels.judgements);
    for warning in qrels.warnings {
        builder.warn(warning);
    }
    for warning in queries.into_iter().flat_map(|queries| &queries.warnings).chain(&attributes.warnings) {
        builder.warn(warning.clone());
    }
    let mut judged: HashSet<String> = HashSet::with_capacity(groups.len());
    for (id, judgements) in groups {
        let place = Place { line: judgements.first().map(|first| first.line), ..Place::file(&path) }.of(&id);
        judged.insert(id.clone());
        let mut draft = Draft { place, id, ..Draft::default() };
        match texts.as_ref().map(|texts| texts.get(draft.id.as_str())) {
            None => {}
            Some(Some(text)) => {
                draft.query.clone_from(&text.text);
                for (name, value) in &text.metadata {
                    draft.attribute(name, value.clone());
                }
            }
            Some(None) => {
                draft.damaged = true;
                builder.problems.push(
                    Problem::new(draft.place.clone(), "the query is judged here and has no text")
                        .hint("add it to the queries, or take its judgements out"),
                );
            }
        }
        for judgement in judgements {
            match label(judgement) {
                Ok(label) => draft.labels.push(label),
                Err((line, what)) => {
                    draft.damaged = true;
                    builder
                        .problems
                        .push(Problem::new(Place::line(&path, line).of(&draft.id).field("score"), what));
                }
            }
        }
        attributes.give(&mut draft, &settings.list_separator);
        builder.add(draft);
    }
    let is_known =
        |id: &str| judged.contains(id) || texts.as_ref().is_some_and(|texts| texts.contains_key(id));
    if let Some(warning) = attributes.leftovers(is_known) {
        builder.warn(warning);
    }
    if let Some(queries) = queries {
        for query in queries.list.iter().filter(|query| !judged.contains(&query.id)) {
            builder.without_needs(&query.id, Place::line(&queries.path, query.line).of(&query.id));
        }
    }
    let mut set = builder.finish()?;
    set.version = super::stem(&path);
    set.path = path;
    Ok(set)
}

fn by_id(queries: &[QueryText]) -> HashMap<&str, &QueryText> {
    queries.iter().map(|query| (query.id.as_str(), query)).collect()
}

/// The judgements of each query, in the order of their first lines: files are not always grouped.
fn by_query(judgements: Vec<Judgement>) -> Vec<(String, Vec<Judgement>)> {
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut groups: Vec<(String, Vec<Judgement>)> = Vec::new();
    for judgement in judgements {
        let place = places.get(&judgement.query).copied().unwrap_or(groups.len());
        if place == groups.len() {
            places.insert(judgement.query.clone(), place);
            groups.push((judgement.query.clone(), Vec::new()));
        }
        if let Some((_, group)) = groups.get_mut(place) {
            group.push(judgement);
        }
    }
    groups
}

fn label(judgement: Judgement) -> Result<Label, (usize, String)> {
    let Judgement { doc, grade, line, .. } = judgement;
    let grade = u32::try_from(grade.max(0)).map_err(|_| (line, format!("the grade {grade} is too large")))?;
    Ok(Label { grade, alternatives: vec![Anchor::Chunk { id: doc, doc: None }], field: String::new() })
}

/// Reads a BEIR folder: `queries.jsonl` and `qrels/<split>.tsv` or `qrels.tsv`, compressed or not.
pub(super) fn folder(path: &Path, settings: &GoldenSettings) -> Result<GoldenSet> {
    let split = &settings.split;
    let queries = existing(path, &["queries.jsonl".to_owned()]);
    let qrels = existing(path, &[format!("qrels/{split}.tsv"), "qrels.tsv".to_owned()]);
    let (Some(queries), Some(qrels)) = (&queries, &qrels) else {
        let mut problems = Vec::new();
        if queries.is_none() {
            problems.push(
                Problem::new(Place::file(path), "there is no `queries.jsonl` in this folder")
                    .hint("`[golden] path` takes a file, or a BEIR folder"),
            );
        }
        if qrels.is_none() {
            let what = format!("there is neither `qrels/{split}.tsv` nor `qrels.tsv` in this folder");
            let problem = Problem::new(Place::file(path), what);
            let splits = splits(path);
            problems.push(if splits.is_empty() {
                problem
            } else {
                problem.hint(format!("set `split` under `[golden]` to one of {}", splits.join(", ")))
            });
        }
        return Err(Error::Invalid(problems));
    };
    let files = Files { qrels, queries: Some(queries), attributes: settings.attributes.as_deref() };
    let mut set = files.read(settings)?;
    path.clone_into(&mut set.path);
    // `.` and `..` have a name only once they are resolved.
    let resolved = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    set.version = resolved.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(set)
}

/// The first of some files that the folder holds, plain or compressed.
fn existing(folder: &Path, names: &[String]) -> Option<PathBuf> {
    let names = names.iter().flat_map(|name| [name.clone(), format!("{name}.gz")]);
    names.map(|name| folder.join(name)).find(|path| path.is_file())
}

/// The splits that a folder has judgements for, sorted.
fn splits(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder.join("qrels")).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.file_name().to_str()?.strip_suffix(".tsv").map(str::to_owned))
        .collect();
    names.sort_unstable();
    names
}
