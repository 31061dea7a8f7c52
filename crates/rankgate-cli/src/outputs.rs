//! The files that a run writes: known to be writable before the first question is asked, and never half written.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use rankgate::error::nearest;
use rankgate::report::{Format, Json, Junit, Report, Style, Terminal};
use rankgate::{Error, Place, Problem, Result};
use tempfile::NamedTempFile;

use crate::printer::Printer;

/// The formats by name, with the file extensions that stand for them.
const FORMATS: [(&str, &[&str]); 3] = [("json", &["json"]), ("junit", &["xml"]), ("text", &["txt"])];

/// The outputs of one run.
pub struct Outputs(Vec<Output>);

struct Output {
    format: &'static str,
    target: Target,
}

enum Target {
    /// `-`: standard output, in place of the terminal's report.
    Stdout,
    /// A file: written beside its place under another name, and then renamed.
    File { path: PathBuf, temporary: NamedTempFile },
}

impl Outputs {
    /// Reads `[FORMAT:]PATH` arguments and opens every file.
    pub fn open(arguments: &[String]) -> Result<Self> {
        let mut problems = Vec::new();
        let mut outputs = Vec::new();
        for argument in arguments {
            match Output::parse(argument) {
                Ok((format, path)) => outputs.push(Output { format, target: Target::open(path)? }),
                Err(Error::Invalid(found)) => problems.extend(found),
                Err(error) => return Err(error),
            }
        }
        Error::unless_empty(problems)?;
        Ok(Self(outputs))
    }

    /// Whether a report goes to standard output, so that nothing else may.
    pub fn take_stdout(&self) -> bool {
        self.0.iter().any(|output| matches!(output.target, Target::Stdout))
    }

    /// The first file that is a JSON report.
    pub fn json(&self) -> Option<String> {
        self.0.iter().find_map(|output| match &output.target {
            Target::File { path, .. } if output.format == "json" => Some(path.display().to_string()),
            _ => None,
        })
    }

    /// Writes every report; the paths of the files.
    pub fn write(self, report: &Report, printer: &mut Printer) -> Result<Vec<String>> {
        let mut wrote = Vec::new();
        for Output { format, target } in self.0 {
            let text = match format {
                "json" => Json.render(report),
                "junit" => Junit.render(report),
                _ => Terminal { style: Style::Plain, wrote: Vec::new(), next: None }.render(report),
            };
            match target {
                Target::Stdout => printer.result(text),
                Target::File { path, temporary } => {
                    save(&path, temporary, &text)?;
                    wrote.push(path.display().to_string());
                }
            }
        }
        Ok(wrote)
    }
}

impl Output {
    fn parse(argument: &str) -> Result<(&'static str, &str)> {
        let known =
            |name: &str| FORMATS.iter().find(|(format, _)| *format == name).map(|(format, _)| *format);
        let names = || FORMATS.map(|(format, _)| format);
        // A drive letter is no format.
        if let Some((name, path)) =
            argument.split_once(':').filter(|(name, _)| name.len() > 1 && !name.contains(['/', '.']))
        {
            let format = known(name).ok_or_else(|| {
                let problem = Problem::new(place(), format!("unknown format `{name}` of `{argument}`"));
                match nearest(name, names()) {
                    Some(near) => problem.hint(format!("did you mean `{near}:{path}`?")),
                    None => problem.hint(format!("the formats are {}", names().join(", "))),
                }
            })?;
            return Ok((format, path));
        }
        let extension =
            Path::new(argument).extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        match FORMATS.iter().find(|(_, extensions)| extensions.contains(&extension)) {
            Some((format, _)) => Ok((format, argument)),
            None => Err(Problem::new(place(), format!("no format is known by the name of `{argument}`"))
                .hint(format!(
                    "name it: `json:{argument}` or `junit:{argument}`; `.json`, `.xml` and `.txt` are known"
                ))
                .into()),
        }
    }
}

impl Target {
    fn open(path: &str) -> Result<Self> {
        if path == "-" {
            return Ok(Self::Stdout);
        }
        let path = PathBuf::from(path);
        if path.is_dir() {
            return Err(Problem::new(Place::file(&path), "is a folder, and a report is a file").into());
        }
        let folder = match path.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        std::fs::create_dir_all(folder).map_err(|error| Error::write(folder, error))?;
        let temporary = readable(&mut tempfile::Builder::new())
            .prefix(".rankgate-")
            .tempfile_in(folder)
            .map_err(|error| Error::write(&path, error))?;
        Ok(Self::File { path, temporary })
    }
}

/// Others may read a report: what the user's mask allows, as for any new file.
#[cfg(unix)]
fn readable<'a, 'b, 'c>(builder: &'c mut tempfile::Builder<'a, 'b>) -> &'c mut tempfile::Builder<'a, 'b> {
    use std::os::unix::fs::PermissionsExt as _;
    builder.permissions(std::fs::Permissions::from_mode(0o666))
}

#[cfg(not(unix))]
fn readable<'a, 'b, 'c>(builder: &'c mut tempfile::Builder<'a, 'b>) -> &'c mut tempfile::Builder<'a, 'b> {
    builder
}

fn save(path: &Path, mut temporary: NamedTempFile, text: &str) -> Result<()> {
    let failed = |error| Error::write(path, error);
    temporary.write_all(text.as_bytes()).map_err(failed)?;
    temporary.as_file().sync_all().map_err(failed)?;
    temporary.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}

fn place() -> Place {
    Place::default().field("--output")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_format_is_named_or_known_by_the_ending() {
        let parsed = |argument| Output::parse(argument).map_err(|error| error.to_string());
        assert_eq!(parsed("report.json"), Ok(("json", "report.json")));
        assert_eq!(parsed("build/junit.xml"), Ok(("junit", "build/junit.xml")));
        assert_eq!(parsed("junit:a.b/report"), Ok(("junit", "a.b/report")));
        assert_eq!(parsed("json:-"), Ok(("json", "-")));
        assert_eq!(parsed("C:\\out\\report.json"), Ok(("json", "C:\\out\\report.json")));
        assert!(parsed("jsn:x").is_err_and(|text| text.contains("did you mean `json:x`?")));
        assert!(parsed("report").is_err_and(|text| text.contains("json:report")));
    }
}
