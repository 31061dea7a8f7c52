//! `demo`: the whole loop on the built-in example, twice: as accepted, then with a tokenizer that drops short words.

use std::fmt::Write as _;
use std::path::Path;

use rankgate::config::{self, Inputs};
use rankgate::line::{self, Suite};
use rankgate::report::{Format as _, Report, Terminal};
use rankgate::select::Filter;
use rankgate::{Error, Result};

use crate::exit_status::ExitStatus;
use crate::printer::Printer;

/// The example, as it lies in `examples/help-center/`.
const FILES: [(&str, &str); 3] = [
    ("rankgate.toml", include_str!("../../../../examples/help-center/rankgate.toml")),
    ("questions.jsonl", include_str!("../../../../examples/help-center/questions.jsonl")),
    ("corpus.jsonl", include_str!("../../../../examples/help-center/corpus.jsonl")),
];

/// What somebody might change on a Friday: nothing raises an error.
const CHANGE: &str = r"retriever.token_pattern=(?u)\b\w{4,}\b";

/// Runs the example as it is and with the change, and sets the means side by side.
pub fn run(printer: &mut Printer) -> Result<ExitStatus> {
    let folder = tempfile::tempdir().map_err(|error| Error::write(std::env::temp_dir(), error))?;
    for (name, text) in FILES {
        let path = folder.path().join(name);
        std::fs::write(&path, text).map_err(|error| Error::write(&path, error))?;
    }

    printer.result("1. A help centre as it was accepted: 60 questions, 90 chunks, TF-IDF.\n\n");
    let before = report(folder.path(), None)?;
    printer.result(screen(&before, printer));
    printer.result(format_args!(
        "\n2. Somebody \"cleans up\" the tokenizer: words under four characters are dropped.\n   \
         --set '{CHANGE}'\n\n"
    ));
    let after = report(folder.path(), Some(CHANGE))?;
    printer.result(screen(&after, printer));
    printer.result(format_args!("\n{}", side_by_side(&before, &after)));
    printer.result(
        "\nThe same files are in examples/help-center of the source. To test your own\n\
         retrieval:\n  rankgate init\n",
    );
    Ok(ExitStatus::Passed)
}

fn report(folder: &Path, change: Option<&str>) -> Result<Report> {
    // Neither the environment nor a file of the user has a say: the demo is the same everywhere.
    let inputs = Inputs {
        config: Some(folder.join("rankgate.toml")),
        cwd: folder.to_owned(),
        sets: change.into_iter().map(String::from).collect(),
        ..Inputs::default()
    };
    let suite = Suite::read(config::resolve(&inputs)?)?;
    let retriever = rankgate_retrievers::of(&suite)?;
    let everything = Filter::default().select(&suite.golden)?;
    line::run(&suite, &everything, retriever.as_ref(), false)
}

fn screen(report: &Report, printer: &Printer) -> String {
    Terminal { style: printer.style(), wrote: Vec::new(), next: None }.render(report)
}

/// The means of both runs, and what they say together.
fn side_by_side(before: &Report, after: &Report) -> String {
    let mut out = format!("3. Side by side\n\n{:24}{:>8}{:>8}{:>9}\n", "", "before", "after", "change");
    for (old, new) in before.measures.iter().zip(&after.measures) {
        if let (Some(old_mean), Some(new_mean)) = (old.mean, new.mean) {
            // Writing to a string cannot fail.
            let _ = writeln!(
                out,
                "{:24}{old_mean:>8.3}{new_mean:>8.3}{:>+9.3}",
                old.measure,
                new_mean - old_mean
            );
        }
    }
    out.push_str(
        "\nContext precision rose, because lists got shorter, while a sixth of the\n\
         questions lost their evidence: whoever gates on precision alone lets this pass.\n\
         The gate did not.\n",
    );
    out
}
