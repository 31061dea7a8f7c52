//! The files that a run writes: known to be writable before the first question is asked, and never half written.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use rankgate::config::PrivacySettings;
use rankgate::error::nearest;
use rankgate::privacy::Redaction;
use rankgate::report::{Csv, Format, Json, Junit, Markdown, Report, Style, Terminal};
use rankgate::{Error, Place, Problem, Result};
use tempfile::NamedTempFile;

use crate::printer::Printer;

/// Formats by name, with the file extensions that stand for them.
pub type Formats = &'static [(&'static str, &'static [&'static str])];

/// Those of a report.
const FORMATS: Formats =
    &[("json", &["json"]), ("junit", &["xml"]), ("md", &["md"]), ("csv", &["csv"]), ("text", &["txt"])];

/// The outputs of one run.
pub struct Outputs(Vec<Output>);

struct Output {
    format: &'static str,
    target: Target,
}

enum Target {
    /// `-`: standard output, in place of the terminal's report.
    Stdout,
    /// A file: written beside its place under another name, and then renamed, so that it is never half written.
    File { path: PathBuf, place: PathBuf },
    /// What is no regular file, such as a pipe: written as it is.
    Stream { path: PathBuf },
}

impl Outputs {
    /// Reads `[FORMAT:]PATH` arguments and finds out whether every file can be written. `inputs` are not: a report over
    /// the golden set would be the last one.
    pub fn open(arguments: &[String], inputs: &[PathBuf]) -> Result<Self> {
        Self::open_as(FORMATS, arguments, inputs)
    }

    /// The same in other formats than those of a report.
    pub fn open_as(formats: Formats, arguments: &[String], inputs: &[PathBuf]) -> Result<Self> {
        let mut problems = Vec::new();
        let mut outputs: Vec<Output> = Vec::new();
        for argument in arguments {
            match Output::parse(formats, argument) {
                Ok((format, path)) => {
                    let target = Target::open(path, inputs)?;
                    if outputs.iter().any(|output| output.target.is(&target)) {
                        let what = format!("`{path}` is written by another `--output` already");
                        problems
                            .push(Problem::new(place(), what).hint("give every report a file of its own"));
                    }
                    outputs.push(Output { format, target });
                }
                Err(Error::Invalid(found)) => problems.extend(found),
                Err(error) => return Err(error),
            }
        }
        Error::unless_empty(problems)?;
        Ok(Self(outputs))
    }

    /// Whether one of them is this file.
    pub fn write_to(&self, path: &Path) -> bool {
        let is_it =
            |output: &Output| matches!(&output.target, Target::File { place, .. } if is_same(place, path));
        self.0.iter().any(is_it)
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

    /// Writes every report, each as its readers may see it; the paths of the files.
    pub fn write(
        self,
        report: &Report,
        privacy: &PrivacySettings,
        printer: &mut Printer,
    ) -> Result<Vec<String>> {
        let comment = Redaction::comment(privacy);
        let artifact = Redaction::artifact(privacy).view(report);
        self.write_as(printer, |format| match format {
            "json" => Json.render(&artifact),
            "junit" => Junit.render(&artifact),
            "md" => Markdown.render(&comment.view(report)),
            "csv" => Csv.render(&artifact),
            _ => Terminal { style: Style::Plain, wrote: Vec::new(), next: None }.render(&artifact),
        })
    }

    /// Writes whatever `render` makes of each format; the paths of the files.
    pub fn write_as(
        self,
        printer: &mut Printer,
        render: impl Fn(&'static str) -> String,
    ) -> Result<Vec<String>> {
        let mut wrote = Vec::new();
        for Output { format, target } in self.0 {
            let text = render(format);
            match target {
                Target::Stdout => printer.result(text),
                Target::File { path, place } => {
                    save(&path, &place, &text)?;
                    wrote.push(path.display().to_string());
                }
                Target::Stream { path } => {
                    std::fs::write(&path, &text).map_err(|error| Error::write(&path, error))?;
                    wrote.push(path.display().to_string());
                }
            }
        }
        Ok(wrote)
    }
}

impl Output {
    fn parse(formats: Formats, argument: &str) -> Result<(&'static str, &str)> {
        let known =
            |name: &str| formats.iter().find(|(format, _)| *format == name).map(|(format, _)| *format);
        let names = || formats.iter().map(|(format, _)| *format).collect::<Vec<_>>();
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
        let found = formats.iter().find(|(_, extensions)| extensions.contains(&extension));
        found.map(|(format, _)| (*format, argument)).ok_or_else(|| unnamed(formats, argument).into())
    }
}

/// A file whose name tells no format.
fn unnamed(formats: Formats, argument: &str) -> Problem {
    let examples: Vec<String> =
        formats.iter().take(2).map(|(format, _)| format!("`{format}:{argument}`")).collect();
    let endings: Vec<String> =
        formats.iter().flat_map(|(_, endings)| *endings).map(|ending| format!("`.{ending}`")).collect();
    let known = match endings.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => endings.concat(),
    };
    Problem::new(place(), format!("no format is known by the name of `{argument}`"))
        .hint(format!("name it: {}; {known} are known", examples.join(" or ")))
}

impl Target {
    fn open(path: &str, inputs: &[PathBuf]) -> Result<Self> {
        if path == "-" {
            return Ok(Self::Stdout);
        }
        if path.is_empty() {
            return Err(Problem::new(place(), "the path is empty").into());
        }
        let path = PathBuf::from(path);
        if inputs.iter().any(|input| is_same(input, &path)) {
            return Err(Problem::new(
                Place::file(&path),
                "is read by this run, and a report would replace it",
            )
            .into());
        }
        match std::fs::metadata(&path) {
            Ok(found) if found.is_dir() => {
                return Err(Problem::new(Place::file(&path), "is a folder, and a report is a file").into());
            }
            Ok(found) if !found.is_file() => return Ok(Self::Stream { path }),
            _ => {}
        }
        let place = writable(&path)?;
        Ok(Self::File { path, place })
    }

    fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Stdout, Self::Stdout) => true,
            (Self::File { place, .. }, Self::File { place: other, .. }) => place == other,
            _ => false,
        }
    }
}

/// The place of a file that can be written; its folder is made.
pub fn writable(path: &Path) -> Result<PathBuf> {
    if path.is_dir() {
        return Err(Problem::new(Place::file(path), "is a folder, and a file is wanted").into());
    }
    // A link stays, and what it points to is written.
    let place = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let folder = folder_of(&place);
    std::fs::create_dir_all(folder).map_err(|error| Error::write(folder, error))?;
    // Whether a file can be made there is known only by making one. It does not stay: a run that is interrupted
    // leaves nothing behind.
    drop(temporary(path, folder)?);
    // Now that the folder is there, a new file has one name, however it was written.
    let named = folder.canonicalize().ok().zip(place.file_name()).map(|(folder, name)| folder.join(name));
    Ok(named.unwrap_or(place))
}

/// Whether two paths lead to one file, whether or not it is there yet.
pub fn is_same(one: &Path, other: &Path) -> bool {
    let place = |path: &Path| {
        path.canonicalize()
            .ok()
            .or_else(|| Some(folder_of(path).canonicalize().ok()?.join(path.file_name()?)))
    };
    place(one).is_some_and(|one| Some(one) == place(other))
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// A file beside the place of a report, under a name of its own; gone unless it is given its place.
fn temporary(path: &Path, folder: &Path) -> Result<NamedTempFile> {
    readable(&mut tempfile::Builder::new())
        .prefix(".rankgate-")
        .tempfile_in(folder)
        // The random name of the file says nothing to the user.
        .map_err(|error| Error::write(path, error.kind().into()))
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

/// Writes a file so that it is never half written: beside its place, and then renamed.
pub fn save(path: &Path, place: &Path, text: &str) -> Result<()> {
    let failed = |error| Error::write(path, error);
    let mut temporary = temporary(path, folder_of(place))?;
    temporary.write_all(text.as_bytes()).map_err(failed)?;
    temporary.as_file().sync_all().map_err(failed)?;
    // A report that was there before keeps its mode.
    if let Ok(before) = std::fs::metadata(place) {
        temporary.as_file().set_permissions(before.permissions()).map_err(failed)?;
    }
    temporary.persist(place).map_err(|error| failed(error.error))?;
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
        let parsed = |argument| Output::parse(FORMATS, argument).map_err(|error| error.to_string());
        assert_eq!(parsed("report.json"), Ok(("json", "report.json")));
        assert_eq!(parsed("build/junit.xml"), Ok(("junit", "build/junit.xml")));
        assert_eq!(parsed("summary.md"), Ok(("md", "summary.md")));
        assert_eq!(parsed("csv:-"), Ok(("csv", "-")));
        assert_eq!(parsed("junit:a.b/report"), Ok(("junit", "a.b/report")));
        assert_eq!(parsed("json:-"), Ok(("json", "-")));
        assert_eq!(parsed("C:\\out\\report.json"), Ok(("json", "C:\\out\\report.json")));
        assert!(parsed("jsn:x").is_err_and(|text| text.contains("did you mean `json:x`?")));
        assert!(parsed("report").is_err_and(|text| text.contains("json:report")));
    }
}
