//! The `rankgate` command: arguments to settings, settings to a verdict, a verdict to an exit status.

mod args;
mod commands;
mod exit_status;
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
                printer.failure(&error);
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
        Command::Init(args) => commands::init::run(args, printer),
        Command::Config => commands::config::run(global, printer),
        Command::Schema(args) => Ok(commands::schema::run(args, printer)),
        Command::Completions(args) => Ok(commands::completions::run(args, printer)),
        Command::Run(args) => {
            rankgate::config::resolve(&resolve::inputs(global, resolve::run_flags(args))?)?;
            printer.warning("only the configuration was read: nothing can be run in this version");
            Ok(ExitStatus::NoVerdict)
        }
        Command::Demo | Command::Check | Command::Query(_) | Command::Score(_) | Command::Metrics(_) => {
            printer.error("this command is not available in this version");
            Ok(ExitStatus::NoVerdict)
        }
    }
}
