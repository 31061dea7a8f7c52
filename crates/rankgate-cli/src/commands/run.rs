//! `run`: the main job.

use std::path::Path;

use rankgate::line::{self, Suite};
use rankgate::noise::Repeat;
use rankgate::privacy::Redaction;
use rankgate::report::{Format as _, Next, Report, Terminal};
use rankgate::select::Filter;
use rankgate::text::shell_word;
use rankgate::{Error, Place, Problem, Result};

use crate::args::{GlobalArgs, RunArgs, SelectionArgs};
use crate::exit_status::ExitStatus;
use crate::outputs::Outputs;
use crate::printer::Printer;
use crate::resolve::{resolved, run_flags};

/// Asks, scores, judges, reports.
pub fn run(global: &GlobalArgs, args: &RunArgs, printer: &mut Printer) -> Result<ExitStatus> {
    let resolved = resolved(global, run_flags(args), printer)?;
    let filter = filter(&args.selection)?;
    let outputs = Outputs::open(&args.output, &resolved.files())?;
    let suite = Suite::read(resolved)?;
    let selection = filter.select(&suite.golden)?;
    let retriever = rankgate_retrievers::of(&suite)?;
    let privacy = &suite.settings().privacy;
    let report = line::run_repeated(&suite, &selection, retriever.as_ref(), args.report_only, repeat(args))?;
    let report = Redaction::terminal(privacy).redact(report);

    printer.warnings(&report.warnings);
    let stdout_is_taken = outputs.take_stdout();
    let next = Next { options: options(global), json: outputs.json() };
    let wrote = outputs.write(&report, privacy, printer)?;
    if !stdout_is_taken {
        printer.result(Terminal { style: printer.style(), wrote, next: Some(next) }.render(&report));
    }
    Ok(ExitStatus::of(&report.verdict))
}

/// What must be said again for another command to speak of the same configuration.
fn options(global: &GlobalArgs) -> Vec<String> {
    let config = global.config.iter().map(|path| format!("-c {}", shell_word(&path.display().to_string())));
    let sets = global.set.iter().map(|set| format!("--set {}", shell_word(set)));
    config.chain(sets).collect()
}

/// What is asked again; the parser lets only one of the two through.
fn repeat(args: &RunArgs) -> Option<Repeat> {
    args.repeat.map(Repeat::All).or_else(|| args.repeat_failed.map(Repeat::Fallen))
}

/// The filter that the flags describe.
fn filter(args: &SelectionArgs) -> Result<Filter> {
    Ok(Filter {
        only: args.only.clone(),
        categories: args.category.clone(),
        tags: args.tag.clone(),
        fields: args.conditions.clone(),
        failed: args.failed.as_deref().map(failed_in).transpose()?,
        limit: args.limit.map(|limit| limit.get() as usize),
    })
}

/// The questions that failed by a former report.
fn failed_in(path: &Path) -> Result<(String, Vec<String>)> {
    let report = Report::read(path)?;
    let ids = report.failed();
    if ids.is_empty() {
        return Err(Error::from(Problem::new(Place::file(path), "no question failed in this report")));
    }
    Ok((path.display().to_string(), ids))
}
