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
    /// Documents by their file name, without folder, ending and case.
    by_name: OnceCell<HashMap<String, Vec<&'a str>>>,
    compared: usize,
}

impl<'a> Nearby<'a> {
    pub fn new(corpus: &'a Corpus) -> Self {
        Self {
            corpus,
            plain: OnceCell::new(),
            sorted: OnceCell::new(),
            by_name: OnceCell::new(),
            compared: 0,
        }
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
        if let Some(hint) = self.numbered(id) {
            return Some(hint);
        }
        self.similar(id)
    }

    /// A hint for an id of the form `path#n` where the texts were cut here, so that this is the form of all ids.
    fn numbered(&self, id: &str) -> Option<String> {
        const MOVE: &str =
            "such ids move when the text or the chunker changes, and a label by quote or span survives";
        let (document, number) = id.rsplit_once('#')?;
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number || !self.corpus.is_cut_here() {
            return None;
        }
        if self.corpus.document_text(document).is_none() {
            let meant = listed(&self.of_the_same_name(document));
            return (!meant.is_empty())
                .then(|| format!("there is no document `{document}`, but {meant}; {MOVE}"));
        }
        let chunks = self.corpus.chunks_of(document).count();
        let there = match chunks {
            1 => format!("`{document}` is one chunk now, #0"),
            chunks => format!("`{document}` is cut into #0 to #{} now", chunks - 1),
        };
        Some(format!("{there}; {MOVE}"))
    }

    /// The documents whose path ends like this one, else those of the same name, whatever folder and ending they have.
    fn of_the_same_name(&self, id: &str) -> Vec<&'a str> {
        let corpus = self.corpus;
        let by_name = self.by_name.get_or_init(|| {
            let mut map: HashMap<String, Vec<&str>> = HashMap::new();
            for document in corpus.documents() {
                map.entry(file_name(document)).or_default().push(document);
            }
            map
        });
        let named = by_name.get(&file_name(id)).map(Vec::as_slice).unwrap_or_default();
        let plain = id.trim_start_matches("./").trim_start_matches('/');
        let ends = |long: &str, short: &str| {
            long.strip_suffix(short).is_some_and(|folder| folder.is_empty() || folder.ends_with('/'))
        };
        let by_path: Vec<&str> =
            named.iter().copied().filter(|known| ends(known, plain) || ends(plain, known)).collect();
        if by_path.is_empty() { named.to_vec() } else { by_path }
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
        match *self.of_the_same_name(id).as_slice() {
            [] => {}
            [document] => {
                return Some(format!("did you mean `{document}`?"));
            }
            ref documents => return Some(format!("documents of this name: {}", listed(documents))),
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

/// The last part of a path without its ending, in lower case.
fn file_name(id: &str) -> String {
    let name = id.rsplit(['/', '\\']).next().unwrap_or(id);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    if stem.is_empty() { name } else { stem }.to_lowercase()
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
