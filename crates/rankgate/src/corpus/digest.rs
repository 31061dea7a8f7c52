//! The digest that tells whether two corpora are the same.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

use super::Chunk;

/// SHA-256 over ids, documents, offsets, titles and texts, in lower-case hex. Every part comes after its length,
/// so that no two lists of chunks run together into the same bytes.
pub(super) fn of(chunks: &[Chunk]) -> String {
    let mut hash = Sha256::new();
    for chunk in chunks {
        part(&mut hash, Some(chunk.id.as_bytes()));
        part(&mut hash, chunk.doc.as_deref().map(str::as_bytes));
        for offset in [chunk.start, chunk.end] {
            part(
                &mut hash,
                offset.map(|offset| (offset as u64).to_le_bytes()).as_ref().map(<[u8; 8]>::as_slice),
            );
        }
        part(&mut hash, Some(chunk.title.as_bytes()));
        part(&mut hash, Some(chunk.text.as_bytes()));
    }
    let mut hex = String::with_capacity(64);
    for byte in hash.finalize() {
        // Writing to a String cannot fail.
        let _ = write!(hex, "{byte:02x}");
    }
    hex
}

/// What is missing has a length that no text can have.
fn part(hash: &mut Sha256, bytes: Option<&[u8]>) {
    let length = bytes.map_or(u64::MAX, |bytes| bytes.len() as u64);
    hash.update(length.to_le_bytes());
    hash.update(bytes.unwrap_or_default());
}
