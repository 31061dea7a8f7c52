//! The one door through which files come in: gzip by its magic bytes, byte order mark, line ends.

use std::io::Read as _;
use std::path::Path;

use crate::{Error, Place, Problem, Result};

/// The two bytes that every gzip member starts with.
const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];

/// The bytes of a file, decompressed if they are gzip (every member of it), whatever the file is called.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>> {
    let raw = std::fs::read(path).map_err(|source| Error::read(path, source))?;
    if !raw.starts_with(&GZIP_MAGIC) {
        return Ok(raw);
    }
    let mut bytes = Vec::with_capacity(raw.len() * 4);
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
