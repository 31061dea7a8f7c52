//! `completions`: what a shell needs to complete the command line.

use clap::CommandFactory as _;

use crate::args::{Cli, CompletionsArgs};
use crate::exit_status::ExitStatus;
use crate::printer::Printer;

/// Prints the completions of a shell.
pub fn run(args: &CompletionsArgs, printer: &mut Printer) -> ExitStatus {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "rankgate", &mut script);
    printer.result(String::from_utf8_lossy(&script));
    ExitStatus::Passed
}
