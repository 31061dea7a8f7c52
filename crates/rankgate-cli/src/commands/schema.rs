//! `schema`: the formats that other programs may rely on.

use crate::args::{SchemaArgs, SchemaName};
use crate::exit_status::ExitStatus;
use crate::printer::Printer;

/// Prints a JSON Schema.
pub fn run(args: &SchemaArgs, printer: &mut Printer) -> ExitStatus {
    let schema = match args.name {
        SchemaName::Config => rankgate::config::schema(),
        SchemaName::Report => rankgate::report::schema(),
        SchemaName::Compare => rankgate::compare::schema(),
    };
    printer.result(format_args!("{schema:#}\n"));
    ExitStatus::Passed
}
