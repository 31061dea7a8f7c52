//! `check`: everything that can be wrong before a question is asked.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use rankgate::Result;
use rankgate::config::RuleLevel;
use rankgate::golden::{Anchor, Level};
use rankgate::line::Suite;
use rankgate::privacy::Redaction;
use rankgate::retriever::RetrieverInfo;
use rankgate::text::{printable, questions, wrap};

use crate::args::GlobalArgs;
use crate::exit_status::ExitStatus;
use crate::printer::Printer;
use crate::resolve::resolved;

/// Columns of the output.
const COLUMNS: usize = 80;

/// Reads and checks everything, and says what there is.
pub fn run(global: &GlobalArgs, printer: &mut Printer) -> Result<ExitStatus> {
    let suite = Suite::read(resolved(global, Vec::new(), printer)?)?;
    let retriever = rankgate_retrievers::of(&suite)?;
    let info = suite.info(retriever.as_ref());
    suite.check_pin(&info)?;
    let recorded = suite.check_recorded(&info)?;
    suite.lookup()?;
    let warnings = suite.warnings.iter().chain(&info.warnings).chain(&recorded);
    let shown = Redaction::terminal(&suite.settings().privacy);
    let warnings: Vec<String> = warnings.map(|warning| shown.problem(warning).to_string()).collect();
    printer.warnings(&warnings);
    printer.result(summary(&suite, &info, shown));
    Ok(ExitStatus::Passed)
}

fn summary(suite: &Suite, info: &RetrieverInfo, shown: Redaction) -> String {
    let golden = &suite.golden;
    let mut out = String::new();
    let mut row = |name: &str, text: String| {
        for (index, line) in wrap(&printable(&text), COLUMNS - 11).iter().enumerate() {
            // Writing to a string cannot fail.
            let _ = writeln!(out, "{:10} {line}", if index == 0 { name } else { "" });
        }
    };
    let of_cases = |test: &dyn Fn(&rankgate::golden::Case) -> bool| {
        golden.cases.iter().filter(|case| test(case)).count()
    };
    row("golden", format!("{}: {}", golden.path.display(), questions(golden.cases.len())));
    for (what, count) in [
        ("unanswerable", of_cases(&|case| !case.answerable)),
        ("critical", of_cases(&|case| case.critical)),
        ("with must_rank_within", of_cases(&|case| case.must_rank_within.is_some())),
        ("with forbidden hits", of_cases(&|case| !case.forbidden.is_empty())),
        ("quarantined", of_cases(&|case| case.quarantine.is_some())),
        ("left out for want of relevant labels", golden.without_needs.len()),
    ] {
        if count > 0 {
            row("", format!("{count} {what}"));
        }
    }
    let mut categories = BTreeMap::<&str, usize>::new();
    for category in golden.cases.iter().filter_map(|case| case.category.as_deref()) {
        *categories.entry(category).or_default() += 1;
    }
    if !categories.is_empty() {
        let parts: Vec<String> = categories.iter().map(|(name, count)| format!("{name} {count}")).collect();
        row("", format!("by category: {}", parts.join(", ")));
    }
    row("labels", labels(suite));
    if let Some(corpus) = &suite.corpus {
        row(
            "corpus",
            format!(
                "{} chunks of {} documents, mean length {:.0} characters ({})",
                corpus.len(),
                corpus.documents().count(),
                corpus.mean_characters(),
                corpus.made_by
            ),
        );
        if !corpus.without_text.is_empty() {
            row("", format!("{} without text", corpus.without_text.len()));
        }
    }
    let level = match suite.level {
        Level::Chunk => "chunk",
        Level::Document => "document",
    };
    row("retriever", info.fingerprint.clone());
    row("", format!("depth {}, level {level}", suite.depth()));
    let measures: Vec<&str> = suite.reported.iter().map(rankgate_metrics::Measure::as_str).collect();
    row("measures", measures.join(", "));
    if let Some(found) = &suite.baseline {
        let path = found.path.display();
        row(
            "baseline",
            match &found.baseline {
                Some(baseline) => format!("{path}: {}", questions(baseline.lines.len())),
                None => format!("{path}: not there yet; `rankgate accept` writes it"),
            },
        );
    }
    match suite.gate.rules.as_slice() {
        [] => row("gate", "no rules: nothing is gated".into()),
        rules => {
            for (index, rule) in rules.iter().enumerate() {
                let level = if rule.level == RuleLevel::Warn { " (warn)" } else { "" };
                row(if index == 0 { "gate" } else { "" }, format!("{}{level}", shown.rule(&rule.rule)));
            }
        }
    }
    out.push_str("ok\n");
    out
}

/// The needs by the means that their labels have.
fn labels(suite: &Suite) -> String {
    let mut means = BTreeMap::<&str, usize>::new();
    for need in suite.golden.cases.iter().flat_map(|case| &case.needs) {
        let by = match need.alternatives.first() {
            Some(Anchor::Chunk { .. }) => "id",
            Some(Anchor::Span { .. }) => "span",
            Some(Anchor::Quote { .. }) => "quote",
            Some(Anchor::Document { .. }) | None => "document",
        };
        *means.entry(by).or_default() += 1;
    }
    let mut parts: Vec<String> = means.iter().map(|(by, count)| format!("{count} by {by}")).collect();
    if suite.corpus.is_some() {
        parts.push(format!("{} unknown to the corpus", suite.unknown_labels));
    }
    parts.join(", ")
}
