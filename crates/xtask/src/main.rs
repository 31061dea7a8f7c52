//! `cargo xtask`: the chores of this repository that are more than one command.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "what a chore prints is its result")]

mod bench;
mod generate;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask CHORE

  generate [--check]
                 schemas/ and docs/measures.md from the code, or whether they are up to date
  bench retrieve [--chunks N] [--queries N] [--rounds N] [--python PATH | --install]
                 embedded retrievers against scikit-learn, bm25s and tantivy, as a Markdown table
  bench stats [--rounds N] [--python PATH | --install]
                 sign flips and bootstrap intervals against scipy, as a Markdown table
  bench power [--trials N] [--questions N] [--loss SHARE] [--stored DIR]
                 false alarms and power of `no regression on`, as a Markdown table
  bench gate [--rounds N] [--binary PATH]
                 CPU time and memory of a whole gate, as a Markdown table";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match words.as_slice() {
        ["generate"] => generate::run(false).map_err(Into::into),
        ["generate", "--check"] => generate::run(true).map_err(Into::into),
        ["bench", "gate", options @ ..] => bench::gate::run(options),
        ["bench", "power", options @ ..] => bench::power::run(options),
        ["bench", "retrieve", options @ ..] => bench::retrieve::run(options),
        ["bench", "stats", options @ ..] => bench::stats::run(options),
        _ => Err(USAGE.into()),
    };
    match result {
        Ok(report) => {
            println!("{report}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
