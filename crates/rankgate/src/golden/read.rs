//! From settings to a golden set: which reader reads what.

use std::path::{Path, PathBuf};

use super::builder::Builder;
use super::judged::{self, Files};
use super::{GoldenSet, columns, digest, jsonl, table};
use crate::config::{GoldenSettings, NoNeeds};
use crate::formats::input;
use crate::{Place, Problem, Result};

impl GoldenSet {
    /// Reads the golden set that the settings name and validates it in itself. All problems are collected.
    pub fn read(settings: &GoldenSettings) -> Result<Self> {
        let files = [
            ("golden.path", &settings.path),
            ("golden.qrels", &settings.qrels),
            ("golden.queries", &settings.queries),
            ("golden.attributes", &settings.attributes),
        ];
        let keys: Vec<(&str, &Path)> =
            files.into_iter().filter_map(|(key, path)| Some((key, path.as_deref()?))).collect();
        Self::read_files(settings).map_err(|error| error.named_by(&keys))
    }

    fn read_files(settings: &GoldenSettings) -> Result<Self> {
        let problem =
            |what: &str, hint: &str| Problem::new(Place::default().field("golden"), what).hint(hint);
        match (&settings.path, &settings.qrels) {
            (Some(_), Some(_)) => Err(problem("both `path` and `qrels` are set", "keep one of them").into()),
            (None, None) => Err(problem(
                "no golden set is named",
                "set `path`, or `qrels` with `queries`, under `[golden]`",
            )
            .into()),
            (None, Some(qrels)) => {
                let Some(queries) = &settings.queries else {
                    return Err(
                        problem("`qrels` needs `queries`", "name the file that holds their texts").into()
                    );
                };
                let attributes = settings.attributes.as_deref();
                Files { qrels, queries: Some(queries), attributes }.read(settings)
            }
            (Some(_), None) if settings.queries.is_some() => {
                Err(problem("`queries` goes with `qrels`, not with `path`", "drop one of them").into())
            }
            (Some(path), None) if path.is_dir() => judged::folder(path, settings),
            (Some(_), None) if settings.attributes.is_some() => {
                Err(problem("`attributes` goes with `qrels` or a BEIR folder", "drop one of them").into())
            }
            (Some(path), None) => file(path, settings),
        }
    }
}

/// Reads a JSON or table file: by its name where that says enough, else by how it starts.
fn file(path: &Path, settings: &GoldenSettings) -> Result<GoldenSet> {
    let mut builder = Builder::new(path, &settings.sources, settings.no_needs.unwrap_or(NoNeeds::Error));
    let extension =
        uncompressed(path).extension().map(|extension| extension.to_string_lossy().to_lowercase());
    let is_table = match extension.as_deref() {
        Some("csv" | "tsv") => true,
        Some("json" | "jsonl" | "ndjson") => false,
        _ => {
            let bytes = input::read_bytes(path)?;
            let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes);
            !matches!(bytes.trim_ascii_start().first(), Some(b'{' | b'['))
        }
    };
    let mut model = None;
    if is_table {
        let (text, warning) = table::text_of(path)?;
        if let Some(warning) = warning {
            builder.warn(warning);
        }
        columns::read(&text, path, settings, &mut builder);
    } else {
        let lines = matches!(extension.as_deref(), Some("jsonl" | "ndjson"));
        model = jsonl::read(&input::read_text(path)?, path, lines, &mut builder);
    }
    let mut set = builder.finish()?;
    path.clone_into(&mut set.path);
    set.version = super::stem(path);
    set.sha256 = digest::of_files([path])?;
    set.embedding_model_version = model;
    Ok(set)
}

/// The name of a file as it would be uncompressed.
pub(super) fn uncompressed(path: &Path) -> PathBuf {
    match path.extension() {
        Some(extension) if extension.eq_ignore_ascii_case("gz") => path.with_extension(""),
        _ => path.to_owned(),
    }
}
