//! `accept`: a report becomes the baseline.

use rankgate::baseline::accept::{baseline, check};
use rankgate::baseline::{Accepted, Baseline, git, parse};
use rankgate::config::Resolved;
use rankgate::gate::suggest;
use rankgate::golden::GoldenSet;
use rankgate::line::{self, Suite};
use rankgate::privacy::Redaction;
use rankgate::report::{Format as _, Next, Report, Terminal, accepted as accepted_lines};
use rankgate::select::Filter;
use rankgate::text::{printable, questions};
use rankgate::{Error, Place, Problem, Result};

use crate::args::{AcceptArgs, GlobalArgs};
use crate::exit_status::ExitStatus;
use crate::outputs::{is_same, save, writable};
use crate::printer::Printer;
use crate::resolve::{redact_flags, resolved};

/// Reads or makes the report, refuses what must not be accepted, and writes the baseline.
pub fn run(global: &GlobalArgs, args: &AcceptArgs, printer: &mut Printer) -> Result<ExitStatus> {
    let resolved = resolved(global, redact_flags(args.redact), printer)?;
    let Some(path) = resolved.settings.baseline.as_ref().map(|baseline| baseline.path.clone()) else {
        return Err(Error::from(
            resolved
                .problem("baseline.path", "no baseline is configured")
                .hint("name the file that is to hold it: [baseline] path = \"eval/baseline.jsonl\""),
        ));
    };
    let inputs = resolved.inputs();
    if let Some(input) = inputs.iter().chain(&args.report).find(|input| is_same(input, &path)) {
        let what = format!("is read as `{}`, and the baseline would replace it", input.display());
        return Err(Problem::new(Place::file(&path), what)
            .hint("give the baseline a file of its own: `baseline.path`")
            .into());
    }
    let place = writable(&path)?;
    let kept = Redaction::artifact(&resolved.settings.privacy);
    let (report, golden) = match &args.report {
        Some(file) => (Report::read(file)?, golden_of(&resolved)?),
        None => now(resolved)?,
    };
    let report = kept.redact(report);
    let refusal = check(&report, &golden, args.force);
    if args.report.is_none() {
        printer.warnings(&report.warnings);
        if refusal.is_err() {
            // What is refused is worth a look; what is accepted, a few lines.
            let screen = Terminal { style: printer.style(), wrote: Vec::new(), next: None::<Next> };
            printer.result(screen.render(&report));
        }
    }
    refusal?;

    let accepted = Accepted {
        by: args.by.clone().or_else(|| git::user(&path)),
        commit: git::head(&path),
        reason: args.reason.clone(),
    };
    let new = baseline(&report, &golden, accepted);
    let before = std::fs::read_to_string(&place).ok();
    if before.as_deref().is_some_and(|text| holds(text, &new)) && args.reason.is_none() {
        printer.result(format_args!("{} holds these answers already\n", path.display()));
        return Ok(ExitStatus::Passed);
    }
    let text = new.render();
    // What the next run could not read must not be written: a report may have been changed by hand.
    parse(&text, &path)?;
    save(&path, &place, &text)?;
    let verb = if before.is_some() { "replaced" } else { "wrote" };
    let place = printable(&path.display().to_string()).into_owned();
    printer.result(format_args!("{verb} {place}: {}\n", questions(new.lines.len())));
    printer.result(accepted_lines(&report, printer.style()));
    if !suggest::has_rule_about_change(&report)
        && let Some(suggest::Rules { place, text }) = suggest::rules_for(&report)
    {
        printer.result(format_args!("no rule compares with it yet. Rules that fit, {place}:\n\n{text}\n"));
    }
    printer.note("commit it: later runs are compared with this state");
    Ok(ExitStatus::Passed)
}

/// The golden set alone: of a report no question is asked again.
fn golden_of(resolved: &Resolved) -> Result<GoldenSet> {
    GoldenSet::read(&resolved.settings.golden).map_err(|error| resolved.locate(error))
}

/// A run made now.
fn now(resolved: Resolved) -> Result<(Report, GoldenSet)> {
    let suite = Suite::read_to_replace(resolved)?;
    let retriever = rankgate_retrievers::of(&suite)?;
    let everything = Filter::default().select(&suite.golden)?;
    let report = line::run(&suite, &everything, retriever.as_ref(), false)?;
    Ok((report, suite.golden))
}

/// Whether a file holds the same answers, whoever accepted them.
fn holds(text: &str, new: &Baseline) -> bool {
    let rendered = new.render();
    let answers = |text: &str| text.split_once('\n').map(|(_, lines)| lines.to_owned());
    let header = |text: &str| {
        let mut header: serde_json::Value = serde_json::from_str(text.lines().next()?).ok()?;
        header.as_object_mut()?.remove("accepted");
        Some(header)
    };
    answers(text) == answers(&rendered) && header(text) == header(&rendered)
}
