//! Tests of the readers, each on a few lines written for it.

mod beside;
mod evidence;
mod fuzz;
mod json;
mod qrels;
mod tables;

use std::path::{Path, PathBuf};

use crate::config::GoldenSettings;
use crate::golden::{Anchor, GoldenSet};
use crate::{Error, Problem, Result};

/// Files in a folder that goes away with the test.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn with(self, name: &str, content: impl AsRef<[u8]>) -> Self {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
        self
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn root(&self) -> &Path {
        self.0.path()
    }
}

/// Reads one file under the default settings.
fn read(name: &str, content: impl AsRef<[u8]>) -> Result<GoldenSet> {
    read_with(name, content, GoldenSettings::default())
}

fn read_with(name: &str, content: impl AsRef<[u8]>, settings: GoldenSettings) -> Result<GoldenSet> {
    let folder = Folder::new().with(name, content);
    GoldenSet::read(&GoldenSettings { path: Some(folder.path(name)), ..settings })
}

fn problems<T: std::fmt::Debug>(result: Result<T>) -> Vec<Problem> {
    match result {
        Err(Error::Invalid(problems)) => problems,
        other => panic!("no problems: {other:?}"),
    }
}

/// The problems as `line id field: what`, without the file.
fn told<T: std::fmt::Debug>(result: Result<T>) -> Vec<String> {
    problems(result).iter().map(tell).collect()
}

fn tell(problem: &Problem) -> String {
    let place = &problem.place;
    let line = place.line.map(|line| line.to_string()).unwrap_or_default();
    let column = place.column.map(|column| format!(":{column}")).unwrap_or_default();
    let id = place.id.as_deref().unwrap_or("-");
    let field = place.field.as_deref().unwrap_or("-");
    format!("{line}{column} {id} {field}: {}", problem.what)
}

fn ids(set: &GoldenSet) -> Vec<&str> {
    set.cases.iter().map(|case| case.id.as_str()).collect()
}

fn chunk(id: &str) -> Anchor {
    Anchor::Chunk { id: id.into(), doc: None }
}

fn document(id: &str) -> Anchor {
    Anchor::Document { id: id.into() }
}

fn quote(text: &str, doc: Option<&str>) -> Anchor {
    Anchor::Quote { text: text.into(), doc: doc.map(Into::into) }
}

/// The first alternative of each need of a case.
fn needs(set: &GoldenSet, case: usize) -> Vec<Anchor> {
    set.cases[case].needs.iter().map(|need| need.alternatives[0].clone()).collect()
}
