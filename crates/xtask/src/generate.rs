//! Files that the code can make again: written, or compared with what is checked in.

use std::fmt::Write as _;
use std::path::Path;

use rankgate_metrics::{Direction, definitions};

/// A generated file: its path in the repository and its content.
type Generated = (&'static str, String);

/// Writes the files, or with `check` says which of them are out of date.
pub fn run(check: bool) -> Result<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut stale = Vec::new();
    for (path, content) in files() {
        let full = root.join(path);
        if std::fs::read_to_string(&full).is_ok_and(|current| current == content) {
            continue;
        }
        stale.push(path);
        if !check {
            write(&full, &content).map_err(|error| format!("cannot write {path}: {error}"))?;
        }
    }
    match (check, stale.as_slice()) {
        (_, []) => Ok("generated files are up to date".into()),
        (true, stale) => Err(format!("out of date: {}\nrun `cargo xtask generate`", stale.join(", "))),
        (false, stale) => Ok(format!("wrote {}", stale.join(", "))),
    }
}

fn write(path: &Path, content: &str) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(path, content)
}

fn files() -> [Generated; 4] {
    [
        ("schemas/rankgate.schema.json", format!("{:#}\n", rankgate::config::schema())),
        ("schemas/report.schema.json", format!("{:#}\n", rankgate::report::schema())),
        ("schemas/compare.schema.json", format!("{:#}\n", rankgate::compare::schema())),
        ("docs/measures.md", measures()),
    ]
}

/// The reference of the measures, from the table that computes them.
fn measures() -> String {
    let mut page = String::from(
        "# Measures\n\n\
         Made from `crates/rankgate-metrics/src/registry.rs` by `cargo xtask generate`; `rankgate metrics` prints the \
         same.\n\n\
         A case has needs: pieces of evidence that are all wanted. *n* is the number of relevant needs, *k* the \
         cut-off, *L* the length of the list after repeats are collapsed. The *rank* r of a need is the first rank \
         that meets it. Its *place* p is that rank, moved down where one hit meets several needs, so that no two \
         needs share a place: with one need a chunk, p = r. A value is for one question; a report shows means over \
         the questions that the measure applies to.\n",
    );
    for definition in definitions() {
        // Writing to a string cannot fail.
        let _ = write!(page, "\n## `{}`\n\n{}\n\n", definition.signature(), definition.description);
        let (least, most) = definition.range;
        let better = match definition.direction {
            Direction::HigherIsBetter => "higher is better",
            Direction::LowerIsBetter => "lower is better",
        };
        let _ = writeln!(page, "- Formula: {}", definition.formula);
        let _ = writeln!(page, "- Range: {least} to {most}; {better}");
        for parameter in definition.parameters {
            let _ = writeln!(
                page,
                "- `{}`: {} ({}; default {})",
                parameter.name, parameter.help, parameter.wanted, parameter.default
            );
        }
        let others: Vec<String> = definition.spellings().skip(1).map(|name| format!("`{name}`")).collect();
        if !others.is_empty() {
            let _ = writeln!(page, "- Also: {}", others.join(", "));
        }
        let _ = writeln!(page, "- Source: {}", definition.citation);
    }
    page
}
