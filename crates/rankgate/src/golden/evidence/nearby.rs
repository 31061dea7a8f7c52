//! What an unknown id was probably meant to be.

use std::cell::OnceCell;
use std::collections::HashMap;

use crate::corpus::Corpus;
use crate::error::nearest;

/// How many ids a hint lists.
const LISTED: usize = 5;

/// How many unknown ids are compared with every known one by edit distance. The comparison is slow on large corpora,
/// and hundreds of unknown ids have one cause, which the first of them show.
const COMPARED: usize = 20;

/// Looks for ids near to an unknown one.
pub(super) struct Nearby<'a> {
    corpus: &'a Corpus,
    /// Chunk and document ids by what is left when case and zero padding are taken away.
    plain: OnceCell<HashMap<String, &'a str>>,
    /// Chunk ids in byte order, so that those with one prefix stand together.
    sorted: OnceCell<Vec<&'a str>>,
    compared: usize,
}

impl<'a> Nearby<'a> {
    pub fn new(corpus: &'a Corpus) -> Self {
        Self { corpus, plain: OnceCell::new(), sorted: OnceCell::new(), compared: 0 }
    }

    /// A hint for an unknown chunk.
    pub fn of_chunk(&mut self, id: &str) -> Option<String> {
        let of_document: Vec<&str> =
            self.corpus.chunks_of(id).map(|chunk| chunk.id.as_str()).take(LISTED + 1).collect();
        if !of_document.is_empty() {
            return Some(format!(
                "`{id}` is a document; its chunks are {}; expect `doc` instead, or set `level = \"document\"`",
                listed(&of_document)
            ));
        }
        let with_prefix = self.with_prefix(id);
        if !with_prefix.is_empty() {
            return Some(format!("the corpus has chunks that start with it: {}", listed(&with_prefix)));
        }
        self.similar(id)
    }

    /// A hint for an unknown document.
    pub fn of_document(&mut self, id: &str) -> Option<String> {
        if let Some(chunk) = self.corpus.get(id) {
            return Some(format!("`{id}` is a chunk of `{}`: expect it as `chunk`", chunk.document()));
        }
        let with_prefix = self.with_prefix(id);
        if !with_prefix.is_empty() {
            let chunks = listed(&with_prefix);
            return Some(format!(
                "the corpus has chunks that start with it: {chunks}, and none says it is part of `{id}`"
            ));
        }
        self.similar(id)
    }

    /// The chunk ids that go on after this one with something other than a letter or a digit.
    fn with_prefix(&self, id: &str) -> Vec<&'a str> {
        let sorted = self.sorted.get_or_init(|| {
            let mut ids: Vec<&str> = self.corpus.chunks().iter().map(|chunk| chunk.id.as_str()).collect();
            ids.sort_unstable();
            ids
        });
        let first = sorted.partition_point(|known| *known < id);
        let candidates = sorted.get(first..).unwrap_or_default().iter().copied();
        candidates
            .take_while(|known| known.starts_with(id))
            .filter(|known| {
                known.get(id.len()..).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
            })
            .take(LISTED + 1)
            .collect()
    }

    fn similar(&mut self, id: &str) -> Option<String> {
        let corpus = self.corpus;
        let ids = || corpus.chunks().iter().map(|chunk| chunk.id.as_str()).chain(corpus.documents());
        let plain = self.plain.get_or_init(|| {
            let mut map = HashMap::new();
            for known in ids() {
                map.entry(without_padding(known)).or_insert(known);
            }
            map
        });
        if let Some(known) = plain.get(&without_padding(id)) {
            return Some(format!("the corpus has `{known}`: ids are compared letter by letter"));
        }
        self.compared += 1;
        if self.compared > COMPARED {
            return None;
        }
        nearest(id, ids()).map(|near| format!("did you mean `{near}`?"))
    }
}

/// Some ids, and that there are more.
fn listed(ids: &[&str]) -> String {
    let shown: Vec<String> = ids.iter().take(LISTED).map(|id| format!("`{id}`")).collect();
    let more = if ids.len() > LISTED { ", ..." } else { "" };
    format!("{}{more}", shown.join(", "))
}

/// An id in lower case, without white space at its ends and without the zeros that numbers in it start with.
fn without_padding(id: &str) -> String {
    let mut plain = String::with_capacity(id.len());
    let mut chars = id.trim().chars().flat_map(char::to_lowercase).peekable();
    let mut in_number = false;
    while let Some(char) = chars.next() {
        let padding = char == '0' && !in_number && chars.peek().is_some_and(char::is_ascii_digit);
        in_number = char.is_ascii_digit() && !padding;
        if !padding {
            plain.push(char);
        }
    }
    plain
}
