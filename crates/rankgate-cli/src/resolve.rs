//! From parsed arguments to the inputs of the configuration.

use std::path::{Path, PathBuf};

use rankgate::config::{self, Flag, IdLevel, Inputs, PrivacySettings, Resolved, TextLevel, resolve};
use rankgate::privacy::Redaction;
use rankgate::{Error, Problem, Result};

use crate::args::{GlobalArgs, RunArgs};
use crate::printer::Printer;

/// The configuration. From here on the printer hides what `[privacy]` says.
pub fn resolved(global: &GlobalArgs, flags: Vec<Flag>, printer: &mut Printer) -> Result<Resolved> {
    let resolved = resolve(&inputs(global, flags)?)?;
    printer.hide(Redaction::terminal(&resolved.settings.privacy), data(&resolved));
    Ok(resolved)
}

/// `[privacy]` for a verb that needs no configuration. One that is named must be right. One that only lies about does
/// not stop the verb where it is broken; it may have meant to hide something, so everything is hidden.
pub fn privacy(global: &GlobalArgs, redact: bool, printer: &mut Printer) -> Result<PrivacySettings> {
    let inputs = inputs(global, redact_flags(redact))?;
    let is_named = inputs.names_file();
    let only_file = |problem: &Problem| problem.place.file.is_some();
    match config::privacy(&inputs) {
        Err(Error::Invalid(problems)) if !is_named && problems.iter().all(only_file) => {
            for problem in &problems {
                printer.warning(problem);
            }
            printer.warning("so its [privacy] is not known, and every text and id is hidden");
            Ok(PrivacySettings { text: TextLevel::None, ids: IdLevel::Hash, ..PrivacySettings::default() })
        }
        found => found,
    }
}

/// The files that hold questions, ids and texts.
fn data(resolved: &Resolved) -> Vec<PathBuf> {
    let baseline = resolved.settings.baseline.iter().map(|baseline| baseline.path.clone());
    let config = resolved.config_path.as_ref();
    resolved.files().into_iter().filter(|file| Some(file) != config).chain(baseline).collect()
}

/// `--redact`: the most that `[privacy]` can hide.
pub fn redact_flags(redact: bool) -> Vec<Flag> {
    let flags = [("privacy.text", "none"), ("privacy.ids", "hash")];
    flags.into_iter().filter(|_| redact).map(|(key, value)| Flag::set("--redact", key, value)).collect()
}

/// Everything that settings are made of. What comes later overrides what comes before:
///
/// 1. the defaults,
/// 2. the configuration file (`--config`, else `RANKGATE_CONFIG`, else the nearest `rankgate.toml` upwards),
/// 3. the environment (`RANKGATE_<TABLE>__<KEY>`),
/// 4. `--set`,
/// 5. flags of their own.
pub fn inputs(global: &GlobalArgs, flags: Vec<Flag>) -> Result<Inputs> {
    let cwd = std::env::current_dir().map_err(|error| Error::read(Path::new("."), error))?;
    // A variable that is not Unicode can be neither a key's value nor referred to.
    let env = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect();
    Ok(Inputs { config: global.config.clone(), cwd, env, sets: global.set.clone(), flags })
}

/// The flags of `run` that stand for a key.
pub fn run_flags(args: &RunArgs) -> Vec<Flag> {
    let mut flags = redact_flags(args.redact);
    if let Some(depth) = args.depth {
        flags.push(Flag::set("--depth", "retriever.depth", i64::from(depth)));
    }
    let measures = measures(&args.measures);
    if !measures.is_empty() {
        flags.push(Flag::set("--measures", "measures.report", measures));
    }
    if args.common_queries {
        flags.push(Flag::set("--common-queries", "baseline.golden_changed", "common"));
    }
    // `--gate` adds to the rules of the file: what the file asks for cannot be dropped by asking for more.
    flags.extend(args.gate.iter().map(|rule| Flag::add("--gate", "gate.rules", rule.as_str())));
    flags
}

/// The measures of repeated `-m` flags: each holds one or more, parted by commas outside parentheses. A part that is
/// only a number is a further cut-off of the measure before it, as in `P_5,10`.
pub fn measures(flags: &[String]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for flag in flags {
        let mut depth = 0_usize;
        let parts = flag.split(|c: char| {
            match c {
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                _ => {}
            }
            c == ',' && depth == 0
        });
        for (index, part) in parts.map(str::trim).filter(|part| !part.is_empty()).enumerate() {
            match found.last_mut().filter(|_| index > 0 && part.starts_with(|c: char| c.is_ascii_digit())) {
                Some(measure) => {
                    measure.push(',');
                    measure.push_str(part);
                }
                None => found.push(part.to_owned()),
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_are_parted_at_commas_outside_parentheses() {
        let flags = ["ndcg(gain=linear, rel=2)@10, mrr@5".to_owned(), "map".to_owned(), ",".to_owned()];
        assert_eq!(measures(&flags), ["ndcg(gain=linear, rel=2)@10", "mrr@5", "map"]);
        let flags = ["map,P_5,10, recall@20".to_owned(), "5".to_owned()];
        assert_eq!(measures(&flags), ["map", "P_5,10", "recall@20", "5"]);
    }
}
