//! A folder that the real binary runs in, with a clean environment.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A temporary folder and the binary under test.
#[derive(Debug)]
pub struct Project {
    root: tempfile::TempDir,
    binary: PathBuf,
    environment: Vec<(String, String)>,
}

/// What a run of the binary left behind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// The exit status; -1 after a signal.
    pub status: i32,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl Project {
    /// An empty project for the binary at this path (`env!("CARGO_BIN_EXE_rankgate")`).
    ///
    /// # Panics
    /// When no temporary folder can be made.
    #[expect(clippy::expect_used, reason = "a test cannot go on without it")]
    pub fn new(binary: impl AsRef<Path>) -> Self {
        Self {
            root: tempfile::tempdir().expect("a temporary folder"),
            binary: binary.as_ref().to_owned(),
            environment: Vec::new(),
        }
    }

    /// The folder.
    pub fn root(&self) -> &Path {
        self.root.path()
    }

    /// Writes a file; folders on the way are made.
    ///
    /// # Panics
    /// When it cannot be written.
    #[expect(clippy::expect_used, reason = "a test cannot go on without it")]
    pub fn write(&self, path: &str, content: impl AsRef<[u8]>) -> &Self {
        let path = self.root().join(path);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).expect("a folder");
        }
        std::fs::write(path, content).expect("a file");
        self
    }

    /// The text of a file of the project.
    ///
    /// # Panics
    /// When it cannot be read.
    #[expect(clippy::expect_used, reason = "a test cannot go on without it")]
    pub fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.root().join(path)).expect(path)
    }

    /// Sets a variable for the runs that follow.
    pub fn env(&mut self, name: &str, value: &str) -> &mut Self {
        self.environment.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Copies a folder with all that is in it to a folder of the project.
    ///
    /// # Panics
    /// When it cannot be copied.
    #[expect(clippy::expect_used, reason = "a test cannot go on without it")]
    pub fn copy(&self, from: &Path, to: &str) -> &Self {
        for entry in std::fs::read_dir(from).expect("a folder") {
            let entry = entry.expect("an entry");
            let to = format!("{to}/{}", entry.file_name().to_string_lossy());
            if entry.path().is_dir() {
                self.copy(&entry.path(), &to);
            } else {
                self.write(&to, std::fs::read(entry.path()).expect("a file"));
            }
        }
        self
    }

    /// All files of the project, sorted, with `/` between their parts.
    pub fn files(&self) -> Vec<String> {
        let mut files = Vec::new();
        list(self.root(), self.root(), &mut files);
        files.sort();
        files
    }

    /// The command, ready to run in the folder with nothing else in its environment.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.binary);
        command.current_dir(self.root()).env_clear().stdin(Stdio::null());
        // Coverage and temporary folders need these; nothing of rankgate reads them.
        for name in ["PATH", "TMPDIR", "LLVM_PROFILE_FILE", "SystemRoot"] {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Runs the binary.
    ///
    /// # Panics
    /// When it cannot be started.
    #[expect(clippy::expect_used, reason = "a test cannot go on without it")]
    pub fn run<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Output {
        let output = self.command().args(args).output().expect("the binary starts");
        Output {
            status: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

#[expect(clippy::expect_used, reason = "a test cannot go on without it")]
fn list(root: &Path, folder: &Path, files: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            list(root, &path, files);
        } else {
            let path = path.strip_prefix(root).unwrap_or(&path);
            files.push(path.to_string_lossy().replace('\\', "/"));
        }
    }
}

/// A text without what changes from run to run: times become `0.00`, the version `0.0.0`, and the folder of the
/// project `[project]`. Whether a rule over a time holds is a question of time, too: such a rule is shown as kept.
pub fn redact(text: &str, project: &Project) -> String {
    let root = project.root().display().to_string();
    let canonical = project.root().canonicalize().map(|path| path.display().to_string()).unwrap_or_default();
    let mut text = text.to_owned();
    for root in [canonical, root].iter().filter(|root| !root.is_empty()) {
        text = text.replace(root.as_str(), "[project]");
    }
    let version = format!("rankgate {}", env!("CARGO_PKG_VERSION"));
    text = text.replace(&version, "rankgate 0.0.0");
    let lines: Vec<String> = text.split('\n').map(without_times).collect();
    lines.join("\n")
}

/// One line with `0.00` for every number that stands apart before ` s` or ` ms`. A number in a column keeps the
/// place of its last digit.
fn without_times(line: &str) -> String {
    let is_rule = ["FAIL ", "warn ", "ok "].iter().any(|word| line.starts_with(word));
    let line = match line.split_once(' ').filter(|(_, rest)| is_rule && rest.contains("latency_")) {
        Some((word, rest)) => format!("ok{:1$}{rest}", "", word.len() - 1),
        None => line.to_owned(),
    };
    [" s", " ms"].iter().fold(line, |line, unit| zeroed(&line, unit))
}

fn zeroed(line: &str, unit: &str) -> String {
    const ZERO: &str = "0.00";
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find(unit) {
        let (before, after) = rest.split_at(at);
        let after = &after[unit.len()..];
        let head = before.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        let number = &before[head.len()..];
        let gap = head.len() - head.trim_end_matches(' ').len();
        if number.is_empty() || gap == 0 || after.starts_with(char::is_alphanumeric) {
            out.push_str(before);
        } else if gap <= 2 {
            out.push_str(head);
            out.push_str(ZERO);
        } else {
            out.push_str(head.trim_end_matches(' '));
            out.extend(std::iter::repeat_n(' ', (gap + number.len()).saturating_sub(ZERO.len())));
            out.push_str(ZERO);
        }
        out.push_str(unit);
        rest = after;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_any_length_look_alike() {
        for time in ["0.03 ms", "9.87 ms", "  12 ms", " 345 ms"] {
            let line = format!("ok     latency_p95 <= 50ms                {time}");
            assert_eq!(without_times(&line), "ok     latency_p95 <= 50ms                0.00 ms");
        }
        assert_eq!(
            without_times("warn   latency_p95 <= 50ms                  60 ms"),
            "ok     latency_p95 <= 50ms                0.00 ms"
        );
        assert_eq!(without_times("depth 10  12.34 s"), "depth 10  0.00 s");
        assert_eq!(without_times("5 seconds, and 3 sorts"), "5 seconds, and 3 sorts");
    }
}
