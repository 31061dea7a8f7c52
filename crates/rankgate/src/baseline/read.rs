//! Finds and reads a baseline.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::file::{self, Baseline, FORMAT_VERSION, Header, KeptHit, Line};
use super::git;
use crate::config::BaselineSettings;
use crate::formats::{input, json};
use crate::text::questions;
use crate::{Error, Place, Problem, Result};

/// A baseline that was looked for.
#[derive(Debug)]
pub struct Found {
    /// The baseline, if the file is there.
    pub baseline: Option<Baseline>,
    /// The file, as the configuration names it.
    pub path: PathBuf,
    /// Where it was read from, when not from the working tree: the revision.
    pub revision: Option<String>,
    /// Set when the working tree holds another baseline than the revision, or only one of them holds any: the change
    /// edits what it is judged by.
    pub edited_here: bool,
}

/// Looks for the baseline of a configuration. A file that is not there is no error: the first run has none.
pub fn find(settings: &BaselineSettings) -> Result<Found> {
    let path = settings.path.clone();
    let here = match std::fs::metadata(&path) {
        Ok(_) => Some(input::read_text(&path)?),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => return Err(Error::read(&path, error)),
    };
    let (text, revision, edited_here) = match &settings.reference {
        None => (here, None, false),
        Some(reference) => {
            let git::Shown { revision, bytes } = git::show(&path, reference)?;
            let text = bytes.map(|bytes| input::utf8(input::decompress(bytes, &path)?, &path)).transpose()?;
            // Git may give a file other line ends than it keeps.
            let edited_here = match (&here, &text) {
                (Some(here), Some(text)) => !here.lines().eq(text.lines()),
                (here, text) => here.is_some() != text.is_some(),
            };
            (text, Some(revision), edited_here)
        }
    };
    let baseline = text.map(|text| parse(&text, &path)).transpose()?;
    Ok(Found { baseline, path, revision, edited_here })
}

/// The same for a run that is to replace the baseline: one that cannot be read is none, with the reason.
pub fn find_to_replace(settings: &BaselineSettings) -> (Found, Option<Error>) {
    match find(settings) {
        Ok(found) => (found, None),
        Err(error) => {
            let path = settings.path.clone();
            (Found { baseline: None, path, revision: None, edited_here: false }, Some(error))
        }
    }
}

/// Reads a baseline file.
pub fn read(path: &Path) -> Result<Baseline> {
    parse(&input::read_text(path)?, path)
}

/// Whether a text is a baseline, by its first line; one that a merge left its marker in front of is one, too.
pub fn is_baseline(text: &str) -> bool {
    let is_header = |line: &str| version(line).is_some();
    let mut lines = input::lines(text).map(|(_, line)| line);
    lines
        .next()
        .is_some_and(|first| is_header(first) || is_marker(first) && lines.next().is_some_and(is_header))
}

/// Whether a line is one that a merge leaves where two sides differ.
fn is_marker(line: &str) -> bool {
    ["<<<<<<< ", ">>>>>>> ", "||||||| "].iter().any(|marker| line.starts_with(marker)) || line == "======="
}

/// The format version that a first line claims.
fn version(line: &str) -> Option<u64> {
    #[derive(Deserialize)]
    struct Claim {
        rankgate_baseline: u64,
    }

    serde_json::from_str::<Claim>(line).ok().map(|claim| claim.rankgate_baseline)
}

const AGAIN: &str = "run `rankgate accept` again: a baseline is written, not edited";

/// Reads the text of a baseline file.
pub fn parse(text: &str, path: &Path) -> Result<Baseline> {
    if let Some((number, _)) = input::lines(text).find(|(_, line)| is_marker(line)) {
        let what = "a merge left its conflict markers in this baseline";
        return Err(Problem::new(Place::line(path, number), what)
            .hint("take either side (`git checkout --ours` or `--theirs`) and run `rankgate accept` again")
            .into());
    }
    let mut lines = input::lines(text);
    let Some((first, header)) = lines.next() else {
        return Err(Problem::new(Place::file(path), "the baseline is empty").hint(AGAIN).into());
    };
    match version(header) {
        Some(version) if version > u64::from(FORMAT_VERSION) => {
            let what =
                format!("the baseline has format {version}, and this version reads up to {FORMAT_VERSION}");
            return Err(Problem::new(Place::line(path, first), what)
                .hint("use the rankgate that wrote it")
                .into());
        }
        Some(1..) => {}
        Some(0) | None => {
            return Err(Problem::new(Place::line(path, first), "not a baseline")
                .hint("`baseline.path` names the file that `rankgate accept` writes")
                .into());
        }
    }
    let mut problems = Vec::new();
    let header: Option<Header> = json::object_on_line(path, first, header, &mut problems);
    let mut found: Vec<Line> = Vec::new();
    for (number, text) in lines {
        let Some(line) = json::object_on_line::<Line>(path, number, text, &mut problems) else { continue };
        let list = line.ranking.get();
        // Both are read, and neither is kept: a list is looked at when it is needed.
        let place = || Place::line(path, number).of(&line.id);
        match serde_json::from_str::<Option<Vec<KeptHit<'_>>>>(list) {
            Ok(hits) => {
                let length = hits.map_or(0, |hits| hits.len());
                problems.extend(line.rank_beyond(length).map(|(field, rank)| {
                    let what = format!("there is no rank {rank} in a list of {length} hits");
                    Problem::new(place().field(field), what).hint(AGAIN)
                }));
            }
            Err(error) => {
                let message = error.to_string();
                let what = message.split(" at line ").next().unwrap_or_default();
                problems.push(Problem::new(place().field("ranking"), what));
            }
        }
        if let Some(before) = found.last().filter(|before| before.id >= line.id) {
            let what = format!("the lines are not sorted: `{}` stands before it", before.id);
            problems.push(Problem::new(place(), what).hint(AGAIN));
        }
        found.push(line);
        if problems.len() > input::MOST_PROBLEMS {
            break;
        }
    }
    Error::unless_empty(problems)?;
    match header {
        Some(header)
            if header.lines_sha256 != file::digest(input::lines(text).skip(1).map(|(_, line)| line)) =>
        {
            let what = format!(
                "the lines are not those that were accepted: {} of {} are here, and their digest is another",
                found.len(),
                questions(header.made_from.golden.questions)
            );
            Err(Problem::new(Place::file(path), what)
                .hint("take the file from git as it was accepted, or run `rankgate accept` again")
                .into())
        }
        Some(header) => Ok(Baseline { header, lines: found }),
        None => Err(Problem::new(Place::line(path, first), "not a baseline").hint(AGAIN).into()),
    }
}
