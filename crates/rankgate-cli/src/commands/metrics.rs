//! `metrics`: the table of measures, or one of them explained.

use std::fmt::Write as _;

use rankgate::error::nearest;
use rankgate::text::wrap;
use rankgate::{Place, Problem, Result};
use rankgate_metrics::{Definition, Direction, definitions, find};

use crate::args::MetricsArgs;
use crate::exit_status::ExitStatus;
use crate::printer::Printer;

/// Columns of the output.
const COLUMNS: usize = 80;

/// Prints all measures, or the one that goes by the name.
pub fn run(args: &MetricsArgs, printer: &mut Printer) -> Result<ExitStatus> {
    let Some(name) = &args.name else {
        printer.result(list());
        return Ok(ExitStatus::Passed);
    };
    // `ndcg@10` is asked for as often as `ndcg`.
    let family = name.split(['@', '(']).next().unwrap_or(name);
    let definition = find(family).ok_or_else(|| {
        let problem = Problem::new(Place::default(), format!("unknown measure `{name}`"));
        match nearest(family, definitions().iter().flat_map(Definition::spellings)) {
            Some(near) => problem.hint(format!("did you mean `{near}`?")),
            None => problem.hint("`rankgate metrics` lists them all"),
        }
    })?;
    printer.result(explain(definition));
    Ok(ExitStatus::Passed)
}

fn list() -> String {
    let mut out = String::new();
    for definition in definitions() {
        let mut lines = wrap(definition.description, COLUMNS - 28).into_iter();
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{:26}  {}", definition.signature(), lines.next().unwrap_or_default());
        for line in lines {
            let _ = writeln!(out, "{:28}{line}", "");
        }
    }
    out.push_str("\n`rankgate metrics NAME` explains one: formula, range, other names, source.\n");
    out
}

/// One measure, as the list explains it.
fn explain(definition: &Definition) -> String {
    let mut out = format!("{}\n\n", definition.signature());
    let mut paragraph = |name: &str, text: &str| {
        for (index, line) in wrap(text, COLUMNS - 12).into_iter().enumerate() {
            let name = if index == 0 { name } else { "" };
            // Writing to a string cannot fail.
            let _ = writeln!(out, "{name:10}  {line}");
        }
    };
    paragraph("what", definition.description);
    paragraph("formula", definition.formula);
    let (least, most) = definition.range;
    let better = match definition.direction {
        Direction::HigherIsBetter => "higher is better",
        Direction::LowerIsBetter => "lower is better",
    };
    paragraph("range", &format!("{least} to {most}, {better}"));
    for parameter in definition.parameters {
        let text = format!("{} ({}; default {})", parameter.help, parameter.wanted, parameter.default);
        paragraph(parameter.name, &text);
    }
    let others: Vec<&str> = definition.spellings().skip(1).collect();
    if !others.is_empty() {
        paragraph("also", &others.join(", "));
    }
    if let Some(dispute) = definition.disputes.first() {
        let readings: Vec<String> = dispute
            .readings
            .iter()
            .map(|reading| format!("gain={} ({})", reading.gain.as_str(), reading.whose))
            .collect();
        paragraph(
            "disputed",
            &format!(
                "some spellings mean two things and are refused outside `score -m`: {}",
                readings.join(", or ")
            ),
        );
    }
    paragraph("source", definition.citation);
    out
}
