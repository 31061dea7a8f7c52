//! The fields of a case by name, as `where` and `each` of a rule use them.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::{Case, GoldenSet};

/// The fields of a case by the names that are told; `tags` is `tag`, too.
const FIELDS: [&str; 7] = ["id", "category", "tag", "source", "critical", "answerable", "must_rank_within"];

impl Case {
    /// The values of a field: none when the case does not have it, several for tags and lists.
    ///
    /// A name is a field of the case, else an attribute, else a parameter; `params.lang` names a parameter for
    /// certain, with a further dot for one inside another.
    pub fn field(&self, name: &str) -> Vec<String> {
        let mut values = self.values(name);
        // A tag that is written twice does not make two questions.
        let mut seen = BTreeSet::new();
        if values.len() > 1 {
            values.retain(|value| seen.insert(value.clone()));
        }
        values
    }

    fn values(&self, name: &str) -> Vec<String> {
        match name {
            "id" => vec![self.id.clone()],
            "category" => self.category.iter().cloned().collect(),
            "tag" | "tags" => self.tags.clone(),
            "source" => self.source.iter().cloned().collect(),
            "critical" => vec![self.critical.to_string()],
            "answerable" => vec![self.answerable.to_string()],
            "must_rank_within" => self.must_rank_within.iter().map(ToString::to_string).collect(),
            _ => match (self.attributes.get(name), name.strip_prefix("params.")) {
                (Some(value), _) => vec![value.clone()],
                (None, Some(param)) => param_values(&self.params, param),
                (None, None) => param_values(&self.params, name),
            },
        }
    }
}

impl GoldenSet {
    /// The names of the fields that at least one case has, sorted.
    pub fn field_names(&self) -> Vec<String> {
        let is_there = |name: &&str| self.cases.iter().any(|case| !case.field(name).is_empty());
        let mut names: BTreeSet<String> = FIELDS.into_iter().filter(is_there).map(String::from).collect();
        for case in &self.cases {
            names.extend(case.attributes.keys().cloned());
            collect_names(&case.params, "", &mut names);
        }
        names.into_iter().collect()
    }
}

fn collect_names(params: &Map<String, Value>, prefix: &str, names: &mut BTreeSet<String>) {
    for (key, value) in params {
        let path = if prefix.is_empty() { key.clone() } else { format!("{prefix}.{key}") };
        if let Value::Object(inner) = value {
            collect_names(inner, &path, names);
        } else if !plain(value).is_empty() {
            names.insert(format!("params.{path}"));
            names.insert(path);
        }
    }
}

/// The plain values at a dotted path; a key that holds dots itself goes first.
fn param_values(params: &Map<String, Value>, path: &str) -> Vec<String> {
    if let Some(value) = params.get(path) {
        return plain(value);
    }
    match path.split_once('.') {
        Some((key, rest)) => match params.get(key) {
            Some(Value::Object(inner)) => param_values(inner, rest),
            _ => Vec::new(),
        },
        None => Vec::new(),
    }
}

fn plain(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Number(_) | Value::Bool(_) => vec![value.to_string()],
        Value::Array(items) => items.iter().filter(|item| !item.is_array()).flat_map(plain).collect(),
        Value::Null | Value::Object(_) => Vec::new(),
    }
}
