//! Dotted keys: `golden.columns."params.tenant"` as text and as segments.

/// The segments of a key.
pub(super) type Key = Vec<String>;

/// A key as TOML writes it, with quotes where a segment needs them.
pub(super) fn dotted(segments: &[String]) -> String {
    let mut text = String::new();
    for segment in segments {
        if !text.is_empty() {
            text.push('.');
        }
        let bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        if !segment.is_empty() && segment.chars().all(bare) {
            text.push_str(segment);
        } else {
            text.push_str(&super::spec::string_text(segment));
        }
    }
    text
}

/// Parts `key=value` at the first `=` outside quotes, and the key into its segments. The value keeps its blanks
/// at the end only if it is quoted.
pub(super) fn parse_assignment(text: &str) -> Option<(Key, &str)> {
    let mut quote = None;
    let at = text.char_indices().find_map(|(at, c)| {
        match (quote, c) {
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), _) if open == c => quote = None,
            (None, '=') => return Some(at),
            _ => {}
        }
        None
    })?;
    let (key, value) = text.split_at_checked(at)?;
    Some((parse(key.trim())?, value.strip_prefix('=')?.trim()))
}

/// The segments of a dotted key: TOML's own parser decides what is one.
pub(super) fn parse(text: &str) -> Option<Key> {
    if text.contains(['\n', '\r', '#', '=']) && !text.contains(['"', '\'']) {
        return None;
    }
    let mut table: toml::Table = toml::from_str(&format!("{text} = 0")).ok()?;
    let mut key = Vec::new();
    loop {
        let mut entries = std::mem::take(&mut table).into_iter();
        let (segment, value) = entries.next()?;
        if entries.next().is_some() {
            return None;
        }
        key.push(segment);
        match value {
            toml::Value::Table(inner) => table = inner,
            toml::Value::Integer(0) => return Some(key),
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_read_back_as_they_are_written() {
        for text in ["name", "golden.path", "golden.columns.\"params.tenant\"", "golden.columns.'a \"b\"'"] {
            let key = parse(text).unwrap();
            assert_eq!(parse(&dotted(&key)).unwrap(), key, "{text}");
        }
        assert_eq!(dotted(&["a".into(), "b c".into()]), "a.\"b c\"");
    }

    #[test]
    fn what_is_no_key_is_refused() {
        for text in ["", ".", "a.", "a b", "a = 1\nb", "[a]\nb", "\"open", "a#"] {
            assert_eq!(parse(text), None, "{text:?}");
        }
    }

    #[test]
    fn an_assignment_is_parted_at_the_first_bare_equals_sign() {
        let (key, value) = parse_assignment("golden.columns.\"a=b\" = c=d ").unwrap();
        assert_eq!(key, ["golden", "columns", "a=b"]);
        assert_eq!(value, "c=d");
        assert_eq!(parse_assignment("golden.path"), None);
        assert_eq!(parse_assignment("=x"), None);
    }
}
