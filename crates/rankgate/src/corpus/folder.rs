//! A folder of texts, cut into chunks here.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::{Chunk, Chunker, Corpus, html};
use crate::formats::input;
use crate::{Error, Place, Problem, Result};

/// The extensions that are read, in any case.
const EXTENSIONS: [(&str, Kind); 5] = [
    ("txt", Kind::Text),
    ("md", Kind::Markdown),
    ("markdown", Kind::Markdown),
    ("html", Kind::Html),
    ("htm", Kind::Html),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    Markdown,
    Html,
}

/// Reads a folder and what lies below it.
///
/// The id of a document is its path from the folder, with `/` between the names; its chunks are `path#0`, `path#1`
/// and so on. Offsets count in the document's text, which for HTML is the text taken out of it. A blank document
/// becomes one empty chunk, so that its id is known.
pub(super) fn read(root: &Path, chunker: &Chunker) -> Result<Corpus> {
    let found = Found::below(root)?;
    if found.files.is_empty() {
        let accepted: Vec<String> = EXTENSIONS.iter().map(|(extension, _)| format!(".{extension}")).collect();
        return Err(Problem::new(Place::file(root), "no texts in this folder")
            .hint(format!("files that are read: {}", accepted.join(", ")))
            .into());
    }
    let mut chunks = Vec::new();
    let mut texts = Vec::with_capacity(found.files.len());
    let mut problems = Vec::new();
    for File { id, path, kind } in found.files {
        match input::read_text(&path) {
            Ok(text) => {
                let text = if kind == Kind::Html { html::to_text(&text) } else { text };
                add(&mut chunks, &id, &text, chunker, kind == Kind::Markdown);
                texts.push((id, text));
            }
            Err(Error::Invalid(found)) => problems.extend(found),
            Err(other) => return Err(other),
        }
    }
    let made_by = format!("folder cut by {chunker}");
    let mut corpus = Corpus::assemble(chunks, made_by, |_| Place::file(root), problems)?;
    corpus.texts = texts.into_iter().collect();
    corpus.skipped_files = found.skipped;
    Ok(corpus)
}

fn add(chunks: &mut Vec<Chunk>, document: &str, text: &str, chunker: &Chunker, is_markdown: bool) {
    let chunk = |number: usize, start: usize, end: usize, text: &str| Chunk {
        id: format!("{document}#{number}"),
        doc: Some(document.to_owned()),
        start: Some(start),
        end: Some(end),
        title: String::new(),
        text: text.to_owned(),
    };
    let pieces = chunker.cut(text, is_markdown);
    if pieces.is_empty() {
        chunks.push(chunk(0, 0, 0, ""));
    }
    chunks.extend(
        pieces.iter().enumerate().map(|(number, piece)| chunk(number, piece.start, piece.end, piece.text)),
    );
}

struct File {
    /// The path from the folder, with `/`.
    id: String,
    path: PathBuf,
    kind: Kind,
}

#[derive(Default)]
struct Found {
    files: Vec<File>,
    skipped: usize,
    /// Links to folders, which are followed after everything that lies in the tree itself.
    links: BTreeSet<(String, PathBuf)>,
}

impl Found {
    /// The files below a folder, sorted bytewise by id. Each real folder is entered once, whatever links point to
    /// it, and by its own path if it has one here: links can neither loop nor multiply.
    fn below(root: &Path) -> Result<Self> {
        let mut found = Self::default();
        let mut entered = HashSet::new();
        found.links.insert((String::new(), root.to_owned()));
        while let Some(start) = found.links.pop_first() {
            let mut folders = vec![start];
            while let Some((id, folder)) = folders.pop() {
                if entered.insert(fs::canonicalize(&folder).map_err(|source| Error::read(&folder, source))?) {
                    found.list(&id, &folder, &mut folders)?;
                }
            }
        }
        found.files.sort_by(|a, b| a.id.cmp(&b.id));
        Ok(found)
    }

    fn list(&mut self, id: &str, folder: &Path, folders: &mut Vec<(String, PathBuf)>) -> Result<()> {
        for entry in fs::read_dir(folder).map_err(|source| Error::read(folder, source))? {
            let entry = entry.map_err(|source| Error::read(folder, source))?;
            let path = entry.path();
            let name = entry.file_name();
            if name.as_encoded_bytes().starts_with(b".") {
                continue;
            }
            let name = name.to_str().ok_or_else(|| {
                Problem::new(Place::file(&path), "the file name is not UTF-8, so it cannot be an id")
            })?;
            let id = if id.is_empty() { name.to_owned() } else { format!("{id}/{name}") };
            let of_entry = entry.file_type().map_err(|source| Error::read(&path, source))?;
            if of_entry.is_dir() {
                folders.push((id, path));
            } else if of_entry.is_symlink() && path.is_dir() {
                self.links.insert((id, path));
            } else {
                // Reading a pipe or a socket might never end; a link to nothing is kept, for its error.
                let can_be_read = of_entry.is_file() || path.is_file() || !path.exists();
                match kind_of(name).filter(|_| can_be_read) {
                    Some(kind) => self.files.push(File { id, path, kind }),
                    None => self.skipped += 1,
                }
            }
        }
        Ok(())
    }
}

fn kind_of(name: &str) -> Option<Kind> {
    let (_, extension) = name.rsplit_once('.')?;
    EXTENSIONS.into_iter().find(|(known, _)| extension.eq_ignore_ascii_case(known)).map(|(_, kind)| kind)
}
