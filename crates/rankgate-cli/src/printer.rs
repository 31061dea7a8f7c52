//! The printer: the only place that writes to standard output and standard error.
//!
//! Results go to standard output, everything said about them to standard error. Colour is used on terminals only,
//! unless `--color` says otherwise, and `NO_COLOR` is respected. A reader that hangs up (`rankgate run | head`) ends
//! the output and nothing else.

use std::fmt::Display;
use std::io::{self, Write};
use std::path::PathBuf;

use anstream::{AutoStream, ColorChoice};
use anstyle::AnsiColor;
use rankgate::error::SHOWN;
use rankgate::privacy::Redaction;
use rankgate::report::Style;
use rankgate::text::printable_lines;
use rankgate::{Error, Problem};

use crate::exit_status::ExitStatus;

const ERROR: anstyle::Style = AnsiColor::Red.on_default().bold();
const WARNING: anstyle::Style = AnsiColor::Yellow.on_default().bold();
const HINT: anstyle::Style = AnsiColor::Cyan.on_default().bold();

/// How many warnings of one run are printed.
const SHOWN_WARNINGS: usize = 10;

/// Writes to the two streams.
pub struct Printer {
    out: AutoStream<io::Stdout>,
    err: AutoStream<io::Stderr>,
    quiet: bool,
    /// Why standard output takes no more.
    broken: Option<io::Error>,
    /// What may be shown of problems in these files.
    shown: (Redaction, Vec<PathBuf>),
}

impl Printer {
    /// A printer that speaks unless `quiet`, in colour as chosen.
    pub fn new(color: clap::ColorChoice, quiet: bool) -> Self {
        let choice = match color {
            clap::ColorChoice::Auto => ColorChoice::Auto,
            clap::ColorChoice::Always => ColorChoice::Always,
            clap::ColorChoice::Never => ColorChoice::Never,
        };
        Self {
            out: AutoStream::new(io::stdout(), choice),
            err: AutoStream::new(io::stderr(), choice),
            quiet,
            broken: None,
            shown: (Redaction::default(), Vec::new()),
        }
    }

    /// Hides from now on what must not be shown of problems in the files that hold questions, ids and texts.
    pub fn hide(&mut self, shown: Redaction, data: Vec<PathBuf>) {
        self.shown = (shown, data);
    }

    /// What was asked for, as it is: styled text loses its styles where there is no colour. Text from users must
    /// have been made [`printable`](rankgate::text::printable).
    pub fn result(&mut self, text: impl Display) {
        if self.broken.is_none() {
            self.broken = write!(self.out, "{text}").err();
        }
    }

    /// What happened, on standard error; `--quiet` leaves it out.
    pub fn note(&mut self, text: impl Display) {
        if !self.quiet {
            self.say(None, &text.to_string());
        }
    }

    /// Something that is wrong and stops nothing; `--quiet` leaves it out.
    pub fn warning(&mut self, text: impl Display) {
        if !self.quiet {
            self.say(Some((WARNING, "warning")), &text.to_string());
        }
    }

    /// Warnings of a run, as many as one reads.
    pub fn warnings(&mut self, warnings: &[String]) {
        for warning in warnings.iter().take(SHOWN_WARNINGS) {
            self.warning(warning);
        }
        if warnings.len() > SHOWN_WARNINGS {
            self.warning(format_args!(
                "... and {} more; the JSON report has all",
                warnings.len() - SHOWN_WARNINGS
            ));
        }
    }

    /// Whether a report for standard output is coloured.
    pub fn style(&self) -> Style {
        if self.out.current_choice() == ColorChoice::Never { Style::Plain } else { Style::Coloured }
    }

    /// Something that is wrong.
    pub fn error(&mut self, text: impl Display) {
        self.say(Some((ERROR, "error")), &text.to_string());
    }

    /// What would be right.
    pub fn hint(&mut self, text: impl Display) {
        self.say(Some((HINT, "hint")), &text.to_string());
    }

    /// Why there is no verdict, problem by problem.
    pub fn failure(&mut self, error: Error) {
        let (shown, data) = &self.shown;
        match &shown.error(error, data) {
            Error::Invalid(problems) => {
                for Problem { place, what, hint } in problems.iter().take(SHOWN) {
                    let place = place.to_string();
                    if place.is_empty() {
                        self.error(what);
                    } else {
                        self.error(format_args!("{place}: {what}"));
                    }
                    if let Some(hint) = hint {
                        self.hint(hint);
                    }
                }
                if problems.len() > SHOWN {
                    self.error(format_args!("... and {} more problems", problems.len() - SHOWN));
                }
            }
            other @ Error::Io { .. } => self.error(other),
        }
    }

    /// What the argument parser has to say: help and version to standard output, mistakes to standard error.
    pub fn usage(&mut self, message: &clap::Error) -> ExitStatus {
        let text = message.render();
        if message.use_stderr() {
            // A standard error that takes nothing leaves nobody to tell.
            let _ = write!(self.err, "{}", text.ansi());
            ExitStatus::NoVerdict
        } else {
            self.result(text.ansi());
            ExitStatus::Passed
        }
    }

    /// Ends the output. A result that could not be written is no result, unless its reader had enough of it.
    pub fn finish(mut self, status: ExitStatus) -> ExitStatus {
        match self.broken.take().or_else(|| self.out.flush().err()) {
            Some(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                self.error(format_args!("cannot write to standard output: {error}"));
                ExitStatus::NoVerdict
            }
            _ => status,
        }
    }

    fn say(&mut self, prefix: Option<(anstyle::Style, &str)>, text: &str) {
        let text = printable_lines(text);
        // A standard error that takes nothing leaves nobody to tell.
        let _ = match prefix {
            Some((style, word)) => writeln!(self.err, "{style}{word}:{style:#} {text}"),
            None => writeln!(self.err, "{text}"),
        };
    }
}
