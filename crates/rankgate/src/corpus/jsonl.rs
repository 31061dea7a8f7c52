//! JSON Lines, one chunk a line, alone or as the `corpus.jsonl` of a BEIR folder.

use std::path::{Path, PathBuf};

use super::Corpus;
use crate::formats::record::Record;
use crate::formats::{input, json};
use crate::{Place, Problem, Result};

/// The corpus file of a BEIR folder, if the folder is one.
pub(super) fn beir_file(folder: &Path) -> Option<PathBuf> {
    ["corpus.jsonl", "corpus.jsonl.gz"].into_iter().map(|name| folder.join(name)).find(|path| path.is_file())
}

/// Reads every line as a [`Record`].
pub(super) fn read(path: &Path, made_by: &str) -> Result<Corpus> {
    let text = input::read_text(path)?;
    let mut chunks = Vec::new();
    let mut lines = Vec::new();
    let mut problems = Vec::new();
    for (number, line) in input::lines(&text) {
        if problems.len() >= input::MOST_PROBLEMS {
            problems.push(Problem::new(Place::line(path, number), "too many problems: not read further"));
            break;
        }
        if let Some(record) = json::object_on_line::<Record<'_>>(path, number, line, &mut problems)
            && let Some(chunk) = record.chunk(|| Place::line(path, number), &mut problems)
        {
            chunks.push(chunk);
            lines.push(number);
        }
    }
    if chunks.is_empty() && problems.is_empty() {
        return Err(Problem::new(Place::file(path), "the corpus is empty")
            .hint("expected one JSON object a line, with `id` and `text`")
            .into());
    }
    let place = |index: usize| Place { line: lines.get(index).copied(), ..Place::file(path) };
    Corpus::assemble(chunks, made_by.to_owned(), place, problems)
}
