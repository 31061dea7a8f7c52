//! `kind = "run"`: replays a recorded run file; the question is found by the id of its case.

use rankgate::Result;
use rankgate::config::RunSettings;
use rankgate::formats::run::{Duplicates, RunFile, read_run};
use rankgate::retriever::{Hit, Question, RetrieveError, Retriever, RetrieverInfo};

/// A run file that answers by case id.
#[derive(Debug)]
pub struct Replay {
    file: RunFile,
    path: String,
}

impl Replay {
    /// Reads the run; a document that stands twice in one of its lists is an error.
    pub fn new(settings: &RunSettings) -> Result<Self> {
        let file = read_run(&settings.path, Duplicates::Error)?;
        Ok(Self { file, path: settings.path.display().to_string() })
    }
}

impl Retriever for Replay {
    fn info(&self) -> RetrieverInfo {
        RetrieverInfo {
            kind: "run",
            fingerprint: format!("run file {}", self.path),
            embedding_model_version: None,
            exhaustive: false,
            timed: false,
            facts: vec![("queries".into(), self.file.len().to_string())],
            warnings: self.file.warnings.clone(),
        }
    }

    fn retrieve(&self, question: &Question<'_>) -> Result<Vec<Hit>, RetrieveError> {
        let list = self.file.get(question.id).ok_or(RetrieveError::Missing)?;
        Ok(list.hits.iter().take(question.depth).cloned().collect())
    }
}
