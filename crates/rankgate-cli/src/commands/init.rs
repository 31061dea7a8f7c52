//! `init`: what a project needs to start from.

use std::fs::{self, File};
use std::io::{ErrorKind, Write as _};
use std::path::Path;

use rankgate::config::{DEFAULT_CONFIG, DEFAULT_NAME, FILE_NAME};
use rankgate::{Error, Result};

use rankgate::text::printable;

use crate::args::InitArgs;
use crate::exit_status::ExitStatus;
use crate::printer::Printer;

/// The files beside the configuration. Questions and corpus are a starter that works at once: all of their paths
/// stand in the default configuration.
const FILES: &[(&str, &str)] = &[
    ("eval/questions.jsonl", include_str!("init/questions.jsonl")),
    ("eval/corpus.jsonl", include_str!("init/corpus.jsonl")),
    (".github/workflows/rankgate.yml", include_str!("init/workflow.yml")),
];

/// Writes the files that are not there yet.
pub fn run(args: &InitArgs, printer: &mut Printer) -> Result<ExitStatus> {
    let config = configuration(&args.dir);
    let files = [(FILE_NAME, config.as_str())];
    for (name, text) in files.iter().chain(FILES) {
        // `./` in front of every line is noise.
        let path = if args.dir == Path::new(".") { name.into() } else { args.dir.join(name) };
        let done = if create(&path, text)? { "wrote" } else { "left alone" };
        printer.note(format_args!("{done:10}  {}", path.display()));
    }
    let run = if args.dir == Path::new(".") {
        "rankgate run".to_owned()
    } else {
        format!("rankgate run --config {}", args.dir.join(FILE_NAME).display())
    };
    printer.note(format_args!("\nnext: {}", printable(&run)));
    printer.note("then put your own questions and texts in their place, and raise the bar of `[gate]`");
    Ok(ExitStatus::Passed)
}

/// The commented default under the name of the folder.
fn configuration(dir: &Path) -> String {
    // A folder that is not there yet has the name that it will have.
    let folder = dir.canonicalize().unwrap_or_else(|_| dir.to_owned());
    let name: String = folder
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default()
        .chars()
        .map(|c| if c.is_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '-' })
        .collect();
    if name.is_empty() {
        return DEFAULT_CONFIG.to_owned();
    }
    DEFAULT_CONFIG.replacen(&format!("\nname = \"{DEFAULT_NAME}\"\n"), &format!("\nname = \"{name}\"\n"), 1)
}

/// Writes a file unless there is one; whether it did.
fn create(path: &Path, text: &str) -> Result<bool> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|error| Error::write(folder, error))?;
    }
    // Asking the system for a new file leaves no moment in which somebody else's could be overwritten.
    let mut file = match File::create_new(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::AlreadyExists => return Ok(false),
        Err(error) => return Err(Error::write(path, error)),
    };
    file.write_all(text.as_bytes()).map_err(|error| Error::write(path, error))?;
    Ok(true)
}
