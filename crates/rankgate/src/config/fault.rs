//! Faults: what is wrong with a value, before it is known where the value came from.

/// One thing that is wrong with the value of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    /// The dotted key, which may go on into a value: `gate.rules[1].level`.
    pub(super) key: String,
    /// What is wrong, naming the key.
    pub(super) what: String,
    /// Whether it is the key that is wrong, and not its value.
    pub(super) at_key: bool,
    /// What would be right.
    pub(super) hint: Option<String>,
}

impl Fault {
    /// A fault of a key.
    pub(super) fn new(key: impl Into<String>, what: impl Into<String>) -> Self {
        Self { key: key.into(), what: what.into(), at_key: false, hint: None }
    }

    /// The same fault, of the key itself.
    pub(super) fn at_key(mut self) -> Self {
        self.at_key = true;
        self
    }

    /// The same fault, with advice.
    pub(super) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

/// Names as a sentence has them: `` `a`, `b` or `c` ``.
pub(super) fn any_of<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<_> = names.into_iter().map(|name| format!("`{name}`")).collect();
    match names.split_last() {
        None => "nothing".to_owned(),
        Some((only, [])) => only.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
    }
}
