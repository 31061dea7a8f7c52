//! Digests: of the files as they lie on disk, and of what each case asks.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};

use super::{Anchor, Case, Need};
use crate::{Error, Result};

/// SHA-256 over the bytes of each file in turn, before any decompression: for one file what `sha256sum` prints.
pub(super) fn of_files<'a>(paths: impl IntoIterator<Item = &'a Path>) -> Result<String> {
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    for path in paths {
        let mut file = File::open(path).map_err(|source| Error::read(path, source))?;
        loop {
            match file.read(&mut buffer).map_err(|source| Error::read(path, source))? {
                0 => break,
                length => hasher.update(buffer.get(..length).unwrap_or_default()),
            }
        }
    }
    Ok(hex(&hasher.finalize()))
}

/// The digest of a case: everything that decides what is asked and what counts as found. The same content in the
/// plain or the full shape, in JSON or CSV, in any order of keys, has the same digest.
///
/// The order of the needs is part of it, since a baseline keeps a rank per need; alternatives, judged and
/// forbidden anchors are sets.
pub(super) fn of_case(case: &Case) -> String {
    let needs: Vec<Value> =
        case.needs.iter().map(|need| json!({"grade": need.grade, "any": set(&need.alternatives)})).collect();
    let content = json!({
        "query": case.query,
        "needs": needs,
        "not_relevant": set(&case.not_relevant),
        "forbidden": set(&case.forbidden),
        "answerable": case.answerable,
        "params": case.params,
    });
    let mut text = String::from("rankgate case 1\n");
    write_sorted(&content, &mut text);
    hex(&Sha256::digest(text.as_bytes()))
}

/// The digest of what is asked of the retriever: an answer to another question, or under another filter, is another
/// answer.
pub(super) fn of_question(case: &Case) -> String {
    let mut text = String::from("rankgate question 1\n");
    write_sorted(&json!({ "query": case.query, "params": case.params }), &mut text);
    hex(&Sha256::digest(text.as_bytes()))
}

/// The digest of what meets a need; its grade is no part of it. Short, since it tells the needs of one case apart.
pub(super) fn of_need(need: &Need) -> String {
    let mut text = String::from("rankgate need 1\n");
    write_sorted(&set(&need.alternatives), &mut text);
    hex(&Sha256::digest(text.as_bytes())).chars().take(16).collect()
}

fn set(anchors: &[Anchor]) -> Value {
    let mut texts: Vec<(String, Value)> = anchors
        .iter()
        .map(|anchor| {
            let value = canonical(anchor);
            let mut text = String::new();
            write_sorted(&value, &mut text);
            (text, value)
        })
        .collect();
    texts.sort_by(|(a, _), (b, _)| a.cmp(b));
    texts.into_iter().map(|(_, value)| value).collect()
}

/// An anchor in the full shape of a golden file.
fn canonical(anchor: &Anchor) -> Value {
    let mut members = Map::new();
    let mut put = |key: &str, value: Option<Value>| {
        if let Some(value) = value {
            members.insert(key.to_owned(), value);
        }
    };
    put("doc", anchor.document().map(Value::from));
    match anchor {
        Anchor::Chunk { id, .. } => put("chunk", Some(id.as_str().into())),
        Anchor::Span { span, quote, .. } => {
            put("start", Some(span.start.into()));
            put("end", Some(span.end.into()));
            put("quote", quote.as_deref().map(Value::from));
        }
        Anchor::Quote { text, .. } => put("quote", Some(text.as_str().into())),
        Anchor::Document { .. } => {}
    }
    Value::Object(members)
}

/// JSON without spaces and with sorted keys. Sorted here, since whether `serde_json` sorts them is decided by a
/// feature that any other crate can turn on.
fn write_sorted(value: &Value, out: &mut String) {
    match value {
        Value::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_sorted(item, out);
            }
            out.push(']');
        }
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_by_key(|(key, _)| key.as_str());
            out.push('{');
            for (index, (key, item)) in members.into_iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                out.push_str(&Value::from(key.as_str()).to_string());
                out.push(':');
                write_sorted(item, out);
            }
            out.push('}');
        }
        plain => out.push_str(&plain.to_string()),
    }
}

/// Bytes in lower-case hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
