//! The one door through which files come in: gzip by its magic bytes, byte order mark, line ends.

use std::collections::HashMap;
use std::io::Read as _;
use std::path::Path;

use crate::{Error, Place, Problem, Result};

/// The two bytes that every gzip member starts with.
const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];

/// How many problems are collected before a reader gives up: a file of another kind has one on every line.
pub(crate) const MOST_PROBLEMS: usize = 1000;

/// How many problems of one kind are told apart.
const OF_A_KIND: usize = 3;

/// The first problems of each kind, the last of them with the number of those left out. A kind is what is wrong without
/// the values that it names, with the same advice.
pub(crate) fn fold_alike(problems: Vec<Problem>) -> Vec<Problem> {
    let mut kinds: HashMap<(String, Option<String>), (usize, usize)> = HashMap::new();
    let mut kept: Vec<Problem> = Vec::new();
    for problem in problems {
        let kind = (without_values(&problem.what), problem.hint.clone());
        let (count, last) = kinds.entry(kind).or_default();
        *count += 1;
        if *count <= OF_A_KIND {
            *last = kept.len();
            kept.push(problem);
        }
    }
    for (count, last) in kinds.into_values().filter(|(count, _)| *count > OF_A_KIND) {
        if let Some(problem) = kept.get_mut(last) {
            problem.what = format!("{} (and {} more like this)", problem.what, count - OF_A_KIND);
        }
    }
    kept
}

/// A message without what stands between backticks, and without numbers.
fn without_values(what: &str) -> String {
    let outside = what.split('`').step_by(2).collect::<Vec<_>>().join("`");
    outside.chars().filter(|char| !char.is_ascii_digit()).collect()
}

/// Whether the first lines of a text all have a look, and there are any.
pub(crate) fn starts_with_lines(text: &str, look: impl Fn(&str) -> bool) -> bool {
    const LOOKED_AT: usize = 5;
    let mut first = lines(text)
        .map(|(_, line)| line)
        .filter(|line| !line.trim_start().starts_with('#'))
        .take(LOOKED_AT)
        .peekable();
    first.peek().is_some() && first.all(look)
}

impl Error {
    /// The same error; of a file that cannot be read it says which key of the configuration named it. A file in a
    /// folder is named by the key of the folder.
    pub fn named_by(self, keys: &[(&str, &Path)]) -> Self {
        let Self::Io { action: "read", path, source } = &self else { return self };
        match keys.iter().find(|(_, named)| path.starts_with(named)) {
            Some((key, _)) => {
                Problem::new(Place::default(), format!("cannot read {}: {source}", path.display()))
                    .hint(format!("the file is named by `{key}`"))
                    .into()
            }
            None => self,
        }
    }
}

/// The bytes of a file, decompressed if they are gzip (every member of it), whatever the file is called.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>> {
    decompress(std::fs::read(path).map_err(|source| Error::read(path, source))?, path)
}

/// Bytes that came from elsewhere (standard input), decompressed if they are gzip; `path` names them in errors.
pub fn decompress(raw: Vec<u8>, path: &Path) -> Result<Vec<u8>> {
    if !raw.starts_with(&GZIP_MAGIC) {
        return Ok(raw);
    }
    let mut bytes = Vec::with_capacity(raw.len().saturating_mul(4));
    flate2::read::MultiGzDecoder::new(raw.as_slice())
        .read_to_end(&mut bytes)
        .map_err(|source| Error::read(path, source))?;
    Ok(bytes)
}

/// A file as UTF-8 text without its byte order mark. Bytes that are not UTF-8 are named by line.
pub fn read_text(path: &Path) -> Result<String> {
    utf8(read_bytes(path)?, path)
}

/// Bytes as UTF-8 text without a byte order mark.
pub fn utf8(bytes: Vec<u8>, path: &Path) -> Result<String> {
    match String::from_utf8(bytes) {
        Ok(mut text) => {
            if text.starts_with('\u{feff}') {
                text.drain(..'\u{feff}'.len_utf8());
            }
            Ok(text)
        }
        Err(error) => {
            let good = error.utf8_error().valid_up_to();
            let line = 1 + error.as_bytes().iter().take(good).filter(|byte| **byte == b'\n').count();
            Err(Problem::new(Place::line(path, line), "not UTF-8")
                .hint("save the file as UTF-8; only CSV and TSV files may be in Windows-1252")
                .into())
        }
    }
}

/// The lines of a text with their numbers from 1: split at `\n` only (U+2028 and the like are text), a `\r`
/// before it dropped, blank lines left out.
pub fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split('\n')
        .enumerate()
        .map(|(index, line)| (index + 1, line.strip_suffix('\r').unwrap_or(line)))
        .filter(|(_, line)| !line.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn gzip(text: &str) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn every_gzip_member_is_read() {
        let both = [gzip("first\n"), gzip("second\n")].concat();
        assert_eq!(decompress(both, Path::new("f")).unwrap(), b"first\nsecond\n");
    }

    #[test]
    fn a_cut_gzip_file_is_an_error_and_not_a_shorter_file() {
        let mut cut = gzip("a long enough text to be cut");
        cut.truncate(cut.len() - 9);
        assert!(matches!(decompress(cut, Path::new("f.gz")), Err(Error::Io { .. })));
    }

    #[test]
    fn many_problems_of_a_kind_are_told_as_three_and_a_number() {
        let at = |line: usize, what: &str| Problem::new(Place::line("f", line), what);
        let problems: Vec<Problem> = (1..=9)
            .flat_map(|line| [at(line, &format!("`v{line}` is no number")), at(line, "an id is empty")])
            .chain([at(10, "an id is empty").hint("another advice")])
            .collect();
        let told: Vec<String> =
            fold_alike(problems).iter().map(|p| p.to_string().lines().next().unwrap().to_owned()).collect();
        assert_eq!(
            told,
            [
                "f:1: `v1` is no number",
                "f:1: an id is empty",
                "f:2: `v2` is no number",
                "f:2: an id is empty",
                "f:3: `v3` is no number (and 6 more like this)",
                "f:3: an id is empty (and 6 more like this)",
                "f:10: an id is empty",
            ]
        );
    }

    #[test]
    fn a_byte_that_is_not_utf8_is_named_by_line() {
        let error = utf8(b"one\ntwo\ncaf\xe9\n".to_vec(), Path::new("f")).unwrap_err().to_string();
        assert!(error.starts_with("f:3: not UTF-8"), "{error}");
    }

    #[test]
    fn only_line_feeds_end_lines() {
        let text = "a\u{2028}b\r\n\n \t\nc\u{85}d";
        assert_eq!(lines(text).collect::<Vec<_>>(), [(1, "a\u{2028}b"), (4, "c\u{85}d")]);
    }
}
