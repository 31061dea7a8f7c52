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

/// A text without what changes from run to run: times become `0.00 s` and `0.0 ms`, the version `0.0.0`, and the
/// folder of the project `[project]`.
pub fn redact(text: &str, project: &Project) -> String {
    let root = project.root().display().to_string();
    let canonical = project.root().canonicalize().map(|path| path.display().to_string()).unwrap_or_default();
    let mut text = text.to_owned();
    for root in [canonical, root].iter().filter(|root| !root.is_empty()) {
        text = text.replace(root.as_str(), "[project]");
    }
    let version = format!("rankgate {}", env!("CARGO_PKG_VERSION"));
    text = text.replace(&version, "rankgate 0.0.0");
    [" s", " ms"].iter().fold(text, |text, unit| without_times(&text, unit))
}

/// The digits of every number before this unit become `0`. Widths do not change within a run of tests as long as
/// times keep their order of magnitude, so leading digits become blanks.
fn without_times(text: &str, unit: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(unit) {
        let (before, after) = rest.split_at(at);
        let after = &after[unit.len()..];
        let head = before.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        let number = &before[head.len()..];
        let (whole, decimals) = number.split_once('.').unwrap_or((number, ""));
        if whole.is_empty() || decimals.is_empty() || after.starts_with(char::is_alphanumeric) {
            out.push_str(before);
        } else {
            // A right-aligned column keeps its width, whatever the magnitude.
            out.push_str(head);
            out.extend(std::iter::repeat_n(' ', if head.ends_with("  ") { whole.len() - 1 } else { 0 }));
            out.push_str("0.");
            out.extend(std::iter::repeat_n('0', decimals.len()));
        }
        out.push_str(unit);
        rest = after;
    }
    out.push_str(rest);
    out
}
