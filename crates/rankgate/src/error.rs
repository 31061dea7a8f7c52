//! Errors: what happened, where, and what would be right.
//!
//! Every [`Error`] means "no verdict could be reached" and ends the process with exit status 2; a gate that
//! failed is not an error but a [`Verdict`](crate::gate::Verdict). Readers of golden sets, corpora and run files
//! collect all their [`Problem`]s before they give up, so that one run shows everything there is to mend.

use std::fmt;
use std::path::{Path, PathBuf};

/// The result of everything in this crate that can meet bad input.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Where in the user's files something stands.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The file, as the user would name it.
    pub file: Option<PathBuf>,
    /// The line, from 1.
    pub line: Option<usize>,
    /// The column in characters, from 1.
    pub column: Option<usize>,
    /// The id of the case, chunk or query.
    pub id: Option<String>,
    /// The field, dotted.
    pub field: Option<String>,
}

impl Place {
    /// A place in a file.
    pub fn file(path: impl AsRef<Path>) -> Self {
        Self { file: Some(path.as_ref().to_owned()), ..Self::default() }
    }

    /// A line of a file.
    pub fn line(path: impl AsRef<Path>, line: usize) -> Self {
        Self { line: Some(line), ..Self::file(path) }
    }

    /// The same place, at a column.
    pub fn at_column(mut self, column: usize) -> Self {
        self.column = Some(column);
        self
    }

    /// The same place, with the id of what stands there.
    pub fn of(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// The same place, with the field.
    pub fn field(mut self, field: impl Into<String>) -> Self {
        self.field = Some(field.into());
        self
    }
}

/// `file:line:column (id) field`, as far as each is known.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut gap = "";
        if let Some(file) = &self.file {
            write!(f, "{}", file.display())?;
            if let Some(line) = self.line {
                write!(f, ":{line}")?;
                if let Some(column) = self.column {
                    write!(f, ":{column}")?;
                }
            }
            gap = " ";
        }
        if let Some(id) = &self.id {
            write!(f, "{gap}({id})")?;
            gap = " ";
        }
        if let Some(field) = &self.field {
            write!(f, "{gap}`{field}`")?;
        }
        Ok(())
    }
}

/// One thing that is wrong, where it stands, and what would be right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Where.
    pub place: Place,
    /// What is wrong: a fragment without a full stop.
    pub what: String,
    /// What would be right.
    pub hint: Option<String>,
}

impl Problem {
    /// A problem at a place.
    pub fn new(place: Place, what: impl Into<String>) -> Self {
        Self { place, what: what.into(), hint: None }
    }

    /// The same problem, with advice.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = self.place.to_string();
        if place.is_empty() {
            write!(f, "{}", self.what)?;
        } else {
            write!(f, "{place}: {}", self.what)?;
        }
        if let Some(hint) = &self.hint {
            write!(f, "\n  hint: {hint}")?;
        }
        Ok(())
    }
}

/// Why no verdict could be reached.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The user's input is wrong, in one or more places.
    #[error("{}", Problems(.0))]
    Invalid(Vec<Problem>),
    /// The operating system refused a file.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was tried: `read`, `write`.
        action: &'static str,
        /// On which file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}

impl Error {
    /// A file that cannot be read.
    pub fn read(path: impl AsRef<Path>, source: std::io::Error) -> Self {
        Self::Io { action: "read", path: path.as_ref().to_owned(), source }
    }

    /// A file that cannot be written.
    pub fn write(path: impl AsRef<Path>, source: std::io::Error) -> Self {
        Self::Io { action: "write", path: path.as_ref().to_owned(), source }
    }

    /// `Ok` when there are no problems.
    pub fn unless_empty(problems: Vec<Problem>) -> Result<()> {
        if problems.is_empty() { Ok(()) } else { Err(Self::Invalid(problems)) }
    }
}

impl From<Problem> for Error {
    fn from(problem: Problem) -> Self {
        Self::Invalid(vec![problem])
    }
}

/// How many problems of one run are printed in full.
pub const SHOWN: usize = 50;

struct Problems<'a>(&'a [Problem]);

impl fmt::Display for Problems<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.0.iter().take(SHOWN).enumerate() {
            if index > 0 {
                writeln!(f)?;
            }
            write!(f, "{problem}")?;
        }
        if self.0.len() > SHOWN {
            write!(f, "\n... and {} more problems", self.0.len() - SHOWN)?;
        }
        Ok(())
    }
}

/// The known name nearest to a mistyped one, if any is near enough to be meant.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    known
        .into_iter()
        .map(|candidate| {
            (strsim::damerau_levenshtein(&name.to_lowercase(), &candidate.to_lowercase()), candidate)
        })
        .filter(|(distance, candidate)| {
            *distance <= 1.max(candidate.chars().count().min(name.chars().count()) / 3)
        })
        .min()
        .map(|(_, candidate)| candidate)
}
