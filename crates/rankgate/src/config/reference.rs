//! References: `${NAME}` in a string stands for an environment variable, `$${` for a literal `${`.

use toml::Value;

/// Looks an environment variable up.
pub(super) type Lookup<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Why a reference cannot be replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum BadReference {
    /// The variable is not set.
    Unset(String),
    /// `${` without a name and a brace after it.
    Malformed,
}

/// The value with every reference in its strings replaced; all that cannot be are reported.
pub(super) fn expand(value: &Value, lookup: Lookup<'_>, bad: &mut Vec<BadReference>) -> Value {
    match value {
        Value::String(text) => Value::String(expand_text(text, lookup, bad)),
        Value::Array(items) => Value::Array(items.iter().map(|item| expand(item, lookup, bad)).collect()),
        Value::Table(entries) => Value::Table(
            entries.iter().map(|(key, value)| (key.clone(), expand(value, lookup, bad))).collect(),
        ),
        other => other.clone(),
    }
}

fn expand_text(text: &str, lookup: Lookup<'_>, bad: &mut Vec<BadReference>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        if let Some(escaped) = before.strip_suffix('$') {
            out.push_str(escaped);
            out.push_str("${");
            rest = after;
            continue;
        }
        out.push_str(before);
        if let Some((name, tail)) = after.split_once('}').filter(|(name, _)| is_name(name)) {
            match lookup(name) {
                Some(value) => out.push_str(&value),
                None => bad.push(BadReference::Unset(name.to_owned())),
            }
            rest = tail;
        } else {
            bad.push(BadReference::Malformed);
            rest = after;
        }
    }
    out.push_str(rest);
    out
}

/// Whether a text can name an environment variable.
fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(text: &str) -> (String, Vec<BadReference>) {
        let lookup = |name: &str| (name == "HOST").then(|| "db ${USER}".to_owned());
        let mut bad = Vec::new();
        (expand_text(text, &lookup, &mut bad), bad)
    }

    #[test]
    fn a_reference_is_replaced_once() {
        assert_eq!(expanded("${HOST}/${HOST}").0, "db ${USER}/db ${USER}");
    }

    #[test]
    fn two_dollars_escape() {
        assert_eq!(expanded("$${HOST} $5 $$ $").0, "${HOST} $5 $$ $");
        assert_eq!(expanded("$${").0, "${");
    }

    #[test]
    fn what_cannot_be_replaced_is_reported() {
        assert_eq!(expanded("${NOPE}").1, [BadReference::Unset("NOPE".into())]);
        for text in ["${", "${}", "${2}", "${A B}", r"\w+${2,}"] {
            assert_eq!(expanded(text).1, [BadReference::Malformed], "{text}");
        }
    }
}
