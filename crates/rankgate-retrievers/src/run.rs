//! `run`: answers that were recorded in a run file.

use std::fmt::Write as _;

use rankgate::Result;
use rankgate::config::{RunSettings, Ties};
use rankgate::formats::run::{Duplicates, Order, RunFile, read_run};
use rankgate::retriever::{Hit, Question, RetrieveError, Retriever, RetrieverInfo};

use crate::vocabulary::hash;

/// Raised when a change here may change a ranking.
const VERSION: &str = "run-v2";

/// A run file that answers by the ids of the questions.
#[derive(Debug)]
pub struct Run {
    run: RunFile,
    fingerprint: String,
}

impl Run {
    /// Reads the file. The same id twice in one list is an error.
    pub fn new(settings: &RunSettings) -> Result<Self> {
        let run = read_run(&settings.path, Duplicates::Error)
            .map_err(|error| error.named_by(&[("retriever.path", &settings.path)]))?;
        let fingerprint = fingerprint(&run);
        Ok(Self { run, fingerprint })
    }
}

impl Retriever for Run {
    fn info(&self) -> RetrieverInfo {
        RetrieverInfo {
            kind: "run",
            fingerprint: self.fingerprint.clone(),
            embedding_model_version: None,
            // A run is cut where whoever wrote it saw fit.
            exhaustive: false,
            ties: (self.run.order == Order::ByScore).then(|| Ties::IdDescending.name()),
            timed: false,
            recorded: Some(self.run.lists().iter().map(|list| list.query.clone()).collect()),
            warnings: self.run.warnings.clone(),
            facts: vec![("queries in the run".into(), self.run.len().to_string())],
        }
    }

    fn retrieve(&self, question: &Question<'_>) -> Result<Vec<Hit>, RetrieveError> {
        let list = self.run.get(question.id).ok_or(RetrieveError::Missing)?;
        Ok(list.hits.iter().take(question.depth).cloned().collect())
    }
}

/// What the run says decides its answers, wherever it lies: the ids in their order, by query.
fn fingerprint(run: &RunFile) -> String {
    let order = match run.order {
        Order::ByScore => "by-score ties=id-descending",
        Order::AsGiven => "as-given",
    };
    // In which order a file has the queries is no answer.
    let mut lists: Vec<_> = run.lists().iter().collect();
    lists.sort_by(|a, b| a.query.cmp(&b.query));
    let mut answers = String::new();
    let mut text = String::new();
    for list in lists {
        text.clear();
        for id in std::iter::once(list.query.as_str()).chain(list.hits.iter().map(|hit| hit.id.as_str())) {
            // Writing to a string does not fail. With its length, so that no id can pass for two.
            write!(text, "{}:{id}", id.len()).ok();
        }
        write!(answers, "{:016x}", hash(&text)).ok();
    }
    format!("{VERSION} order={order} queries={} answers={:016x}", run.len(), hash(&answers))
}
