//! The `rankgate` command: arguments to settings, settings to a verdict, a verdict to an exit status.

mod args;
mod commands;
mod exit_status;
mod outputs;
mod printer;
mod resolve;

use std::process::ExitCode;

use clap::Parser as _;

use crate::args::{Cli, Command, GlobalArgs};
use crate::exit_status::ExitStatus;
use crate::printer::Printer;

fn main() -> ExitCode {
    let (printer, status) = match Cli::try_parse() {
        Ok(Cli { global, command }) => {
            let mut printer = Printer::new(global.color, global.quiet);
            let status = run(&global, &command, &mut printer).unwrap_or_else(|error| {
                printer.failure(error);
                ExitStatus::NoVerdict
            });
            (printer, status)
        }
        Err(message) => {
            let mut printer = Printer::new(clap::ColorChoice::Auto, false);
            let status = printer.usage(&message);
            (printer, status)
        }
    };
    printer.finish(status).into()
}

fn run(global: &GlobalArgs, command: &Command, printer: &mut Printer) -> rankgate::Result<ExitStatus> {
    match command {
        Command::Demo => commands::demo::run(printer),
        Command::Init(args) => commands::init::run(args, printer),
        Command::Check => commands::check::run(global, printer),
        Command::Run(args) => commands::run::run(global, args, printer),
        Command::Accept(args) => commands::accept::run(global, args, printer),
        Command::Query(args) => commands::query::run(global, args, printer),
        Command::Score(args) => commands::score::run(args, printer),
        Command::Compare(args) => commands::compare::run(global, args, printer),
        Command::Metrics(args) => commands::metrics::run(args, printer),
        Command::Config => commands::config::run(global, printer),
        Command::Schema(args) => Ok(commands::schema::run(args, printer)),
        Command::Completions(args) => Ok(commands::completions::run(args, printer)),
    }
}
