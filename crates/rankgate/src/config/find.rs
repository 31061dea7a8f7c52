//! Finding and reading the configuration file.

use std::path::{Path, PathBuf};

use super::FILE_NAME;
use super::resolve::Inputs;
use crate::error::Place;
use crate::formats::input;
use crate::{Error, Problem, Result};

/// The variable that names the configuration file.
const VARIABLE: &str = "RANKGATE_CONFIG";

/// The configuration file, as it is best shown, and its text; none if none is named and none is found.
pub(super) fn find(inputs: &Inputs) -> Result<Option<(PathBuf, String)>> {
    // 1. `--config`.
    if let Some(path) = &inputs.config {
        return read(&inputs.cwd, path, "--config").map(Some);
    }
    // 2. The environment; a variable that is set to nothing is not set.
    if let Some(path) = inputs.variable(VARIABLE).filter(|path| !path.is_empty()) {
        return read(&inputs.cwd, Path::new(path), VARIABLE).map(Some);
    }
    // 3. The working directory and the folders above it.
    let mut shown = PathBuf::new();
    for folder in inputs.cwd.ancestors() {
        if folder.join(FILE_NAME).is_file() {
            return read(&inputs.cwd, &shown.join(FILE_NAME), "").map(Some);
        }
        shown.push("..");
    }
    Ok(None)
}

impl Inputs {
    /// Whether the user names a file, so that none is looked for.
    pub fn names_file(&self) -> bool {
        self.config.is_some() || self.variable(VARIABLE).is_some_and(|path| !path.is_empty())
    }
}

/// The error of a run without any configuration.
pub(super) fn none(cwd: &Path) -> Error {
    Problem::new(Place::default(), format!("no `{FILE_NAME}` in {} or any folder above it", cwd.display()))
        .hint("`rankgate init` writes one to start from; `--config PATH` names one elsewhere")
        .into()
}

fn read(cwd: &Path, shown: &Path, named_by: &str) -> Result<(PathBuf, String)> {
    let bytes = input::read_bytes(&cwd.join(shown)).map_err(|error| {
        let reason = match &error {
            Error::Io { source, .. } => source.to_string(),
            other @ Error::Invalid(_) => other.to_string(),
        };
        let problem = Problem::new(Place::file(shown), format!("cannot read the configuration: {reason}"));
        match named_by {
            "" => problem,
            _ => problem.hint(format!("the file is named by `{named_by}`")),
        }
    })?;
    Ok((shown.to_owned(), input::utf8(bytes, shown)?))
}
