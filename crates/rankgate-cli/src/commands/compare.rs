//! `compare`: reports, baselines and run files side by side.

use std::path::{Path, PathBuf};

use rankgate::compare::{
    ComparisonReport, Kind, Labels, Screen, Side, compare, default_measures, pair_by_hash, unjudged_table,
};
use rankgate::config::{GoldenSettings, IdLevel, NoNeeds};
use rankgate::golden::GoldenSet;
use rankgate::privacy::Redaction;
use rankgate::report::Style;
use rankgate::text::{json_for_terminals, list_of};
use rankgate::{Error, Place, Problem, Result};
use rankgate_metrics::{Dialect, Measure};

use super::score;
use crate::args::{CompareArgs, GlobalArgs};
use crate::exit_status::ExitStatus;
use crate::outputs::{Formats, Outputs, save, writable};
use crate::printer::Printer;
use crate::resolve;

/// The formats of a comparison.
const FORMATS: Formats = &[("json", &["json"]), ("md", &["md"]), ("csv", &["csv"]), ("text", &["txt"])];

/// Reads, compares, reports.
pub fn run(global: &GlobalArgs, args: &CompareArgs, printer: &mut Printer) -> Result<ExitStatus> {
    if args.inputs.len() < 2 {
        let problem = Problem::new(Place::default(), "one input has nothing to be compared with");
        return Err(problem.hint("name two or more: rankgate compare OLD NEW").into());
    }
    let measures = measures(&args.measures)?;
    let privacy = resolve::privacy(global, args.redact, printer)?;
    let shown = Redaction::terminal(&privacy);
    if args.unjudged_out.is_some() && shown.ids == IdLevel::Hash {
        return Err(unlabelled().into());
    }
    let read = files(args);
    let outputs = Outputs::open_as(FORMATS, &args.output, &read)?;
    let unjudged_out = args.unjudged_out.as_deref().map(|path| place_for(path, &read)).transpose()?;
    if let Some((path, _)) = unjudged_out.as_ref().filter(|(path, _)| outputs.write_to(path)) {
        let what = "is written by `--output` already";
        return Err(Problem::new(Place::file(path), what).hint("give the table a file of its own").into());
    }
    printer.hide(shown, read);
    let labels = labels(args)?;
    let sides = sides(args, labels.as_ref())?;
    let mut sides: Vec<Side> = sides.into_iter().map(|side| shown.side(side)).collect();
    pair_by_hash(&mut sides);
    // What is said from here on is made of what may be shown.
    printer.hide(Redaction::default(), Vec::new());
    let used = sides.iter().any(|side| side.kind == Kind::Run);
    for side in &sides {
        printer.warnings(&side.warnings);
    }
    if let Some(labels) = &labels {
        if !used {
            printer.warning("the labels are for run files: reports and baselines have their own");
        }
        let warnings = labels.golden.warnings.iter();
        printer.warnings(&warnings.map(|warning| shown.problem(warning).to_string()).collect::<Vec<_>>());
    }
    let measures = if measures.is_empty() { defaults(&sides, printer)? } else { measures };
    let report = compare(&sides, labels.as_ref().filter(|_| used), &measures, args.common_queries)?;
    let report = shown.comparison(&report);
    let artifact = Redaction::artifact(&privacy).comparison(&report);

    let stdout_is_taken = outputs.take_stdout();
    let mut wrote = outputs.write_as(printer, |format| match format {
        "json" => json(&artifact),
        "md" => Redaction::comment(&privacy).comparison(&report).markdown(),
        "csv" => artifact.csv(),
        _ => Screen { style: Style::Plain, all: args.all, wrote: Vec::new() }.render(&artifact),
    })?;
    if let Some((path, place)) = unjudged_out {
        let cutoff = report.pairs.first().map_or(0, |pair| pair.cutoff);
        save(&path, &place, &unjudged_table(&sides, cutoff)?)?;
        wrote.push(path.display().to_string());
    }
    if !stdout_is_taken {
        printer.result(Screen { style: printer.style(), all: args.all, wrote }.render(&report));
    }
    Ok(ExitStatus::Passed)
}

/// Hashes are no ids that anybody could label.
fn unlabelled() -> Problem {
    let what = "a table for labelling needs ids, and these are hidden by [privacy] or `--redact`";
    Problem::new(Place::default().field("--unjudged-out"), what)
        .hint("leave `--redact` out, or show them with `--set privacy.ids=plain`")
}

/// Every file that is read.
fn files(args: &CompareArgs) -> Vec<PathBuf> {
    let labels = [&args.qrels, &args.queries, &args.golden].into_iter().flatten();
    args.inputs.iter().chain(labels).cloned().collect()
}

/// A file that can be written and is none of those that are read.
fn place_for(path: &Path, read: &[PathBuf]) -> Result<(PathBuf, PathBuf)> {
    let is_read = |place: &Path| read.iter().any(|file| file.canonicalize().is_ok_and(|file| file == place));
    if path.canonicalize().is_ok_and(|place| is_read(&place)) {
        return Err(Problem::new(Place::file(path), "is read here, and the table would replace it").into());
    }
    Ok((path.to_owned(), writable(path)?))
}

fn labels(args: &CompareArgs) -> Result<Option<Labels>> {
    if let Some(qrels) = &args.qrels {
        let golden = GoldenSet::read_qrels(qrels, args.queries.as_deref(), NoNeeds::Skip)?;
        return Ok(Some(Labels { golden, digested: args.queries.is_some() }));
    }
    let Some(path) = &args.golden else { return Ok(None) };
    let settings = GoldenSettings { path: Some(path.clone()), ..GoldenSettings::default() };
    Ok(Some(Labels { golden: GoldenSet::read(&settings)?, digested: true }))
}

/// All inputs, with all that is wrong with them.
fn sides(args: &CompareArgs, labels: Option<&Labels>) -> Result<Vec<Side>> {
    let mut sides = Vec::new();
    let mut problems = Vec::new();
    for path in &args.inputs {
        match Side::read(path, labels) {
            Ok(side) => sides.push(side),
            Err(Error::Invalid(found)) => problems.extend(found),
            Err(error) => return Err(error),
        }
    }
    Error::unless_empty(problems)?;
    Ok(sides)
}

/// The measures that were asked for, with all that is wrong with them.
fn measures(texts: &[String]) -> Result<Vec<Measure>> {
    let mut measures: Vec<Measure> = Vec::new();
    let mut problems = Vec::new();
    for text in resolve::measures(texts) {
        match Measure::parse_list(&text, Dialect::Own) {
            Ok(found) => {
                for measure in found {
                    if !measures.contains(&measure) {
                        measures.push(measure);
                    }
                }
            }
            Err(error) => {
                problems.push(Problem::new(Place::default().field("--measures"), error.to_string()));
            }
        }
    }
    Error::unless_empty(problems)?;
    Ok(measures)
}

fn defaults(sides: &[Side], printer: &mut Printer) -> Result<Vec<Measure>> {
    let (measures, left_out) = default_measures(sides, &score::DEFAULT);
    let names: Vec<&str> = left_out.iter().map(Measure::as_str).collect();
    if measures.is_empty() {
        let what = format!("no measure can be compared: the lists are too short for {}", list_of(&names, 10));
        return Err(Problem::new(Place::default().field("--measures"), what)
            .hint("name some with smaller cut-offs, such as `-m mrr@3`")
            .into());
    }
    if !names.is_empty() {
        printer.note(format!("left out, beyond what the inputs keep of each list: {}", list_of(&names, 10)));
    }
    Ok(measures)
}

fn json(report: &ComparisonReport) -> String {
    // Maps have text keys and floats are finite: nothing can fail.
    let mut text = serde_json::to_string_pretty(report).unwrap_or_default();
    text.push('\n');
    json_for_terminals(&text).into_owned()
}
