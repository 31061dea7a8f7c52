//! `config`: every value that holds, and where it came from.

use std::fmt::Write as _;

use rankgate::Result;
use rankgate::config::{Effective, Resolved, resolve};

use rankgate::text::printable;

use crate::args::GlobalArgs;
use crate::exit_status::ExitStatus;
use crate::printer::Printer;
use crate::resolve::inputs;

/// Prints the effective configuration.
pub fn run(global: &GlobalArgs, printer: &mut Printer) -> Result<ExitStatus> {
    let resolved = resolve(&inputs(global, Vec::new())?)?;
    printer.result(render(&resolved));
    Ok(ExitStatus::Passed)
}

/// How wide the output is, unless a value is wider.
const WIDTH: usize = 80;

/// The values as TOML, each with its origin in a comment.
fn render(resolved: &Resolved) -> String {
    let lines: Vec<_> = resolved.origins.iter().map(|value| (value, value.origin.to_string())).collect();
    let width = |text: &str| text.chars().count();
    let key_width = lines.iter().map(|(value, _)| width(&value.key)).max().unwrap_or_default();
    let origin_width = lines.iter().map(|(_, origin)| width(origin) + 2).max().unwrap_or_default();
    // What is left for `key = value` beside `  # origin`.
    let setting_width = WIDTH.saturating_sub(origin_width + 2).max(key_width);
    let mut out = String::new();
    for (Effective { key, value, .. }, origin) in &lines {
        let setting = format!("{key:key_width$} = {value}");
        let setting = printable(&setting);
        if width(&setting) > setting_width {
            push(&mut out, &setting);
            push(&mut out, &format!("{:setting_width$}  # {}", "", printable(origin)));
        } else {
            push(&mut out, &format!("{setting:setting_width$}  # {}", printable(origin)));
        }
    }
    push(&mut out, &format!("# digest {}", resolved.digest));
    out
}

fn push(out: &mut String, line: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{line}");
}
