//! `score`: a run file against judgements.

use std::fmt::Write as _;
use std::io::Read as _;
use std::path::Path;

use rankgate::config::NoNeeds;
use rankgate::formats::run::{Duplicates, RunFile, read_run, read_run_from_bytes};
use rankgate::golden::GoldenSet;
use rankgate::score::{Missing, ScoredRun, score};
use rankgate::text::{fit, json_for_terminals, printable};
use rankgate::{Error, Place, Problem, Result};
use rankgate_metrics::{Dialect, Gain, Mean, Measure};
use serde_json::{Map, Value, json};

use crate::args::{self, ScoreArgs, ScoreFormat};
use crate::exit_status::ExitStatus;
use crate::printer::Printer;
use crate::resolve;

/// What is computed unless measures are named.
pub(super) const DEFAULT: [&str; 7] =
    ["map", "mrr", "ndcg(gain=linear)@10", "precision@10", "recall@10", "recall@100", "hit_rate@5"];

/// Scores the run and prints the values.
pub fn run(args: &ScoreArgs, printer: &mut Printer) -> Result<ExitStatus> {
    let measures = measures(&args.measures)?;
    let no_needs = match args.no_needs {
        args::NoNeeds::Skip => NoNeeds::Skip,
        args::NoNeeds::Zero => NoNeeds::Zero,
    };
    let golden = GoldenSet::read_qrels(&args.qrels, None, no_needs)?;
    let file = read(&args.run, args.duplicates)?;
    let missing = match args.missing {
        args::Missing::Zero => Missing::Zero,
        args::Missing::Skip => Missing::Skip,
        args::Missing::Error => Missing::Error,
    };
    let scored = score(&golden, &file, &measures, missing)?;
    if let Some(mismatch) = &scored.mismatch {
        return Err(Problem::new(
            Place::file(&args.run),
            format!(
                "no returned document is ever a judged one: returned {}, judged {}",
                mismatch.returned.join(", "),
                mismatch.expected.join(", ")
            ),
        )
        .hint(mismatch.mapping.clone().unwrap_or_else(|| "are these judgements of this run?".into()))
        .into());
    }
    let warnings: Vec<String> =
        golden.warnings.iter().chain(&file.warnings).map(Problem::to_string).collect();
    printer.warnings(&warnings);
    for note in notes(&scored, &golden, missing) {
        printer.note(note);
    }
    printer.result(match args.format {
        ScoreFormat::Table => table(&measures, &scored, args.per_query),
        ScoreFormat::Trec => trec(&measures, &scored, args.per_query),
        ScoreFormat::Json => json(&measures, &scored, &golden, args),
    });
    Ok(ExitStatus::Passed)
}

/// The measures that were asked for, with all that is wrong with them.
fn measures(texts: &[String]) -> Result<Vec<Measure>> {
    if texts.is_empty() {
        let parsed = DEFAULT.iter().filter_map(|text| Measure::parse(text, Dialect::TrecCompatible).ok());
        return Ok(parsed.collect());
    }
    let mut measures = Vec::new();
    let mut problems = Vec::new();
    for text in resolve::measures(texts) {
        match Measure::parse_list(&text, Dialect::TrecCompatible) {
            Ok(found) => measures.extend(found),
            Err(error) => {
                problems.push(Problem::new(Place::default().field("--measures"), error.to_string()));
            }
        }
    }
    Error::unless_empty(problems)?;
    Ok(measures)
}

/// The run; `-` is standard input.
fn read(path: &Path, duplicates: args::Duplicates) -> Result<RunFile> {
    let duplicates = match duplicates {
        args::Duplicates::Error => Duplicates::Error,
        args::Duplicates::KeepBest => Duplicates::KeepBest,
    };
    if path != Path::new("-") {
        return read_run(path, duplicates);
    }
    let path = Path::new("standard input");
    let mut bytes = Vec::new();
    std::io::stdin().read_to_end(&mut bytes).map_err(|error| Error::read(path, error))?;
    read_run_from_bytes(bytes, path, duplicates)
}

/// What a reader must know to trust the means.
fn notes(scored: &ScoredRun, golden: &GoldenSet, missing: Missing) -> Vec<String> {
    let mut notes = Vec::new();
    if !scored.missing.is_empty() {
        let becomes = if missing == Missing::Zero { "counted as 0" } else { "left out" };
        notes.push(format!(
            "{} missing from the run and {becomes}: {}",
            are(scored.missing.len(), "judged query", "judged queries"),
            some(&scored.missing)
        ));
    }
    if !golden.without_needs.is_empty() {
        notes.push(format!(
            "{} left out, without any relevant document: {}",
            are(golden.without_needs.len(), "query", "queries"),
            some(&golden.without_needs)
        ));
    }
    if scored.repeats > 0 {
        notes.push(format!("{} counted once", are(scored.repeats, "repeated result", "repeated results")));
    }
    if scored.unjudged > 0 {
        notes.push(format!(
            "{} not judged and left out",
            are(scored.unjudged, "query of the run", "queries of the run")
        ));
    }
    notes
}

fn are(n: usize, one: &str, more: &str) -> String {
    if n == 1 { format!("1 {one} is") } else { format!("{n} {more} are") }
}

fn some(ids: &[String]) -> String {
    const SHOWN: usize = 5;
    let more = if ids.len() > SHOWN { ", ..." } else { "" };
    format!("{}{more}", ids.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(", "))
}

/// Aligned columns: one line a measure, or one line a query and measure.
fn table(measures: &[Measure], scored: &ScoredRun, per_query: bool) -> String {
    let names: Vec<&str> = measures.iter().map(Measure::as_str).collect();
    let width = names.iter().map(|name| name.len()).max().unwrap_or(0).max(24);
    let mut out = String::new();
    // Writing to a string cannot fail.
    let mut line = |name: &str, query: &str, value: Option<f64>, n: &str| {
        let value = value.map_or("-".to_owned(), |value| format!("{value:.4}"));
        let _ = writeln!(out, "{}", format!("{name:width$}  {query}{value:>8}{n:>9}").trim_end());
    };
    if per_query {
        for (query, values) in &scored.queries {
            for (name, value) in names.iter().zip(values) {
                line(name, &fit(&printable(query), 16), *value, "");
            }
        }
    }
    let all = if per_query { fit("all", 16) } else { String::new() };
    for (name, Mean { mean, n }) in names.iter().zip(&scored.means) {
        line(name, &all, *mean, &n.to_string());
    }
    let head = format!(
        "{:width$}  {}{:>8}{:>9}\n",
        "measure",
        if per_query { fit("query", 16) } else { String::new() },
        "value",
        "queries"
    );
    head + &out
}

/// The lines of `trec_eval`: name, query, value.
fn trec(measures: &[Measure], scored: &ScoredRun, per_query: bool) -> String {
    let names: Vec<String> = measures.iter().map(trec_name).collect();
    let mut out = String::new();
    // Writing to a string cannot fail.
    let mut line = |name: &str, query: &str, value: Option<f64>| {
        if let Some(value) = value {
            let _ = writeln!(out, "{name:22}\t{}\t{value:6.4}", printable(query));
        }
    };
    if per_query {
        for (query, values) in &scored.queries {
            for (name, value) in names.iter().zip(values) {
                line(name, query, *value);
            }
        }
    }
    for (name, Mean { mean, .. }) in names.iter().zip(&scored.means) {
        line(name, "all", *mean);
    }
    out
}

/// The name that `trec_eval` prints, or the canonical one where it has none.
fn trec_name(measure: &Measure) -> String {
    let definition = measure.definition();
    let gain = measure.gain();
    // A parameter off its default has no name there; a gain is part of the name.
    let plain = measure.rel() == 1 && gain.is_none_or(|gain| gain == Gain::Linear);
    let is_whole = measure.cutoff().is_none();
    let known = definition.trec.iter().filter(|_| plain).find(|trec| trec.is_family() != is_whole);
    match (known, measure.cutoff()) {
        (Some(trec), Some(cutoff)) => format!("{}_{cutoff}", trec.name),
        (Some(trec), None) => trec.name.to_owned(),
        // Our own name where it means the same there.
        (None, _) if Measure::parse(definition.name, Dialect::TrecCompatible).as_ref() == Ok(measure) => {
            definition.name.to_owned()
        }
        (None, _) => measure.to_string(),
    }
}

fn json(measures: &[Measure], scored: &ScoredRun, golden: &GoldenSet, args: &ScoreArgs) -> String {
    let object = |values: &mut dyn Iterator<Item = Option<f64>>| -> Value {
        measures
            .iter()
            .map(Measure::to_string)
            .zip(values)
            .filter_map(|(name, value)| Some((name, Value::from(value?))))
            .collect::<Map<String, Value>>()
            .into()
    };
    let mut report = json!({
        "format_version": 1,
        "rankgate": env!("CARGO_PKG_VERSION"),
        "policy": {
            "missing": format!("{:?}", args.missing).to_lowercase(),
            "no_needs": format!("{:?}", args.no_needs).to_lowercase(),
            "ties": "score descending, then id descending",
        },
        "queries_scored": scored.queries.len(),
        "queries_missing": scored.missing,
        "queries_without_needs": golden.without_needs,
        "queries_with_ties": scored.tied,
        "repeats_collapsed": scored.repeats,
        "means": object(&mut scored.means.iter().map(|mean| mean.mean)),
    });
    if args.per_query {
        let queries: Map<String, Value> = scored
            .queries
            .iter()
            .map(|(query, values)| (query.clone(), object(&mut values.iter().copied())))
            .collect();
        report["queries"] = queries.into();
    }
    json_for_terminals(&format!("{report:#}\n")).into_owned()
}
