//! The guard against labels and hits that never speak of the same ids: two spellings of one thing look exactly
//! like a retriever that finds nothing.

use std::collections::{BTreeMap, BTreeSet};

use crate::golden::{Anchor, GoldenSet};
use crate::ranking::{Lookup, Ranking};

/// No returned id or document is ever an expected one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// Some expected ids, as the labels spell them.
    pub expected: Vec<String>,
    /// Some returned ids, as the retriever spells them.
    pub returned: Vec<String>,
    /// What would make them equal, if anything simple would.
    pub mapping: Option<String>,
}

/// How many examples of each spelling are shown.
const EXAMPLES: usize = 3;

/// Looks at all ids of the run and of the whole golden set: an id that is returned for another question is still
/// the same spelling. `rankings` are those of a run in which nothing was met: quotes and spans are not spelt, so a run that
/// met one is never a mismatch.
pub(crate) fn find(golden: &GoldenSet, rankings: &[Ranking], lookup: &Lookup<'_>) -> Option<Mismatch> {
    let mut expected = BTreeSet::new();
    for anchor in golden.cases.iter().flat_map(|case| &case.needs).flat_map(|need| &need.alternatives) {
        match anchor {
            Anchor::Chunk { id, .. } | Anchor::Document { id } => expected.insert(id.as_str()),
            Anchor::Span { doc, .. } | Anchor::Quote { doc: Some(doc), .. } => expected.insert(doc.as_str()),
            Anchor::Quote { doc: None, .. } => false,
        };
    }
    let mut returned = BTreeSet::new();
    for hit in rankings.iter().flat_map(Ranking::hits) {
        returned.insert(hit.id.as_str());
        returned.insert(lookup.document(hit));
    }
    if expected.is_empty() || returned.is_empty() || !expected.is_disjoint(&returned) {
        return None;
    }
    // Where the corpus knows both, they are spelt alike and the retriever is simply wrong every time.
    if expected.iter().any(|id| lookup.is_known(id)) && returned.iter().any(|id| lookup.is_known(id)) {
        return None;
    }
    let mapping = likely_mapping(&expected, &returned);
    let (shown_expected, shown_returned) = match &mapping {
        Some((_, pairs)) => {
            pairs.iter().take(EXAMPLES).map(|(e, r)| ((*e).to_owned(), (*r).to_owned())).unzip()
        }
        None => (sample(&expected), sample(&returned)),
    };
    Some(Mismatch {
        expected: shown_expected,
        returned: shown_returned,
        mapping: mapping.map(|(text, _)| text.to_owned()),
    })
}

fn sample(ids: &BTreeSet<&str>) -> Vec<String> {
    ids.iter().take(EXAMPLES).map(|id| (*id).to_owned()).collect()
}

/// A way of rewriting an id; two spellings that it makes equal are one thing.
type Rewrite = fn(&str) -> String;

/// The rewrites, most specific first, each with the words that describe it to the user.
const REWRITES: [(Rewrite, &str); 8] = [
    (|id| id.trim().to_owned(), "they differ only in blanks around the id"),
    (str::to_lowercase, "they differ only in upper and lower case"),
    (
        without_leading_zeros,
        "they differ only in leading zeros, as when one side kept ids as numbers and the other as text",
    ),
    (
        without_chunk_number,
        "the hits are chunks (`#n`) of the expected documents: set `golden.level = \"document\"` and \
         `retriever.doc_pattern = '^(.+)#\\d+$'`, or label chunks",
    ),
    (without_extension, "they differ only in the file extension"),
    (last_segment, "they differ only in a leading path or prefix"),
    (without_word_prefix, "they differ only in a prefix such as `doc-` or `chunk_`"),
    (bare, "they are equal without path, extension, chunk number and case"),
];

/// Whether a text is one of the descriptions, and so holds no id.
pub(crate) fn is_known_mapping(text: &str) -> bool {
    REWRITES.iter().any(|(_, words)| *words == text)
}

/// A description, and the pairs (expected, returned) that it makes equal.
pub(crate) type Mapping<'a> = (&'static str, Vec<(&'a str, &'a str)>);

/// The first rewrite that makes any two ids equal.
pub(crate) fn likely_mapping<'a>(
    expected: &BTreeSet<&'a str>,
    returned: &BTreeSet<&'a str>,
) -> Option<Mapping<'a>> {
    REWRITES.iter().find_map(|(rewrite, words)| {
        let mut by_rewritten: BTreeMap<String, &str> = BTreeMap::new();
        for id in returned {
            by_rewritten.entry(rewrite(id)).or_insert(id);
        }
        let pairs: Vec<_> = expected
            .iter()
            .filter_map(|id| by_rewritten.get(&rewrite(id)).map(|returned| (*id, *returned)))
            .collect();
        (!pairs.is_empty()).then_some((*words, pairs))
    })
}

fn without_leading_zeros(id: &str) -> String {
    // `doc-007` and `doc-7`, `007` and `7`, `12.0` and `12`.
    let id = id.strip_suffix(".0").unwrap_or(id);
    let mut out = String::with_capacity(id.len());
    let mut in_number = false;
    let mut chars = id.chars().peekable();
    while let Some(c) = chars.next() {
        let next_is_digit = chars.peek().is_some_and(char::is_ascii_digit);
        if c == '0' && !in_number && next_is_digit {
            continue;
        }
        in_number = c.is_ascii_digit();
        out.push(c);
    }
    out
}

fn without_chunk_number(id: &str) -> String {
    match id.rsplit_once('#') {
        Some((document, number)) if !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) => {
            document.to_owned()
        }
        _ => id.to_owned(),
    }
}

fn without_extension(id: &str) -> String {
    match id.rsplit_once('.') {
        Some((stem, extension))
            if !stem.is_empty()
                && (1..=5).contains(&extension.len())
                && extension.bytes().all(|b| b.is_ascii_alphanumeric()) =>
        {
            stem.to_owned()
        }
        _ => id.to_owned(),
    }
}

fn last_segment(id: &str) -> String {
    id.rsplit(['/', ':', '\\']).next().unwrap_or(id).to_owned()
}

fn without_word_prefix(id: &str) -> String {
    match id.split_once(['-', '_', '#', '.']) {
        Some((word, rest)) if !rest.is_empty() && word.chars().all(char::is_alphabetic) => rest.to_owned(),
        _ => id.to_owned(),
    }
}

fn bare(id: &str) -> String {
    let id = without_extension(&without_chunk_number(id.trim()));
    without_leading_zeros(&last_segment(&id)).to_lowercase()
}
