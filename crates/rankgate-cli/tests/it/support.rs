//! What these tests share: projects to run in, and what a screen must keep to wherever it comes from.

use std::path::{Path, PathBuf};

use rankgate::text::width;
use rankgate_test::{Output, Project, redact};

/// What `tfidf` must forget for the help centre to fail: words under four characters.
pub const CHANGE: &str = r"retriever.token_pattern=(?u)\b\w{4,}\b";

/// The configuration of the copied help centre.
pub const HELP_CENTER: &str = "examples/help-center/rankgate.toml";

/// An empty project.
pub fn project() -> Project {
    Project::new(env!("CARGO_BIN_EXE_rankgate"))
}

/// The folder of an example in the source.
pub fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name)
}

/// A project with a copy of an example at `examples/NAME`.
pub fn with_example(name: &str) -> Project {
    let project = project();
    project.copy(&example(name), &format!("examples/{name}"));
    project
}

/// A project with a copy of the help centre.
pub fn help_center() -> Project {
    with_example("help-center")
}

/// A project of a few questions and the recorded answers of some retriever: each line of `run` is a question and the
/// ids that it got.
pub fn recorded(questions: &str, run: &str, rules: &str) -> Project {
    let project = project();
    let config = format!(
        "name = \"small\"\n[golden]\npath = \"questions.jsonl\"\n[retriever]\nkind = \"run\"\npath = \"last.run\"\n\
         [gate]\nrules = {rules}\n"
    );
    let mut lines = String::new();
    for line in run.lines() {
        let mut words = line.split_whitespace();
        let question = words.next().unwrap_or_default();
        for (index, id) in words.enumerate() {
            lines += &format!("{question} Q0 {id} {} {} x\n", index + 1, 100 - index);
        }
    }
    project.write("rankgate.toml", config).write("questions.jsonl", questions).write("last.run", lines);
    project
}

/// Three questions that find their evidence at ranks 1, 2 and 3.
pub fn small() -> Project {
    recorded(
        r#"{"id":"a","query":"where is the key","expected":[{"chunk":"c1"}],"category":"doors","tags":["lock"]}
{"id":"b","query":"how wide is the door","expected":[{"chunk":"c2"}],"category":"doors","params":{"lang":"en"}}
{"id":"c","query":"who cleans the windows","expected":[{"chunk":"c3"}],"category":"windows","tags":["glass"]}
"#,
        "a c1 c2 c3 c4\nb c1 c2 c3\nc c1 c2 c3 c4 c5\n",
        r#"["hit_rate@3 >= 0.90"]"#,
    )
}

/// Runs a command and returns what it shows, after looking at it the way a terminal does: no line of standard output
/// is wider than 80 columns, and no character of either stream is one that a terminal obeys.
pub fn screen<'a>(project: &Project, args: impl IntoIterator<Item = &'a str>) -> String {
    let output = project.run(args);
    fits(&output);
    shown(project, &output)
}

/// Panics unless the output fits a terminal of 80 columns and leaves it as it was.
pub fn fits(output: &Output) {
    for line in output.stdout.lines() {
        assert!(width(line) <= 80, "{} columns: {line}\n{}", width(line), output.stdout);
        assert!(!line.ends_with(' '), "blanks at the end of {line:?}");
    }
    for text in [&output.stdout, &output.stderr] {
        let obeyed = text.chars().find(|c| {
            (c.is_control() && *c != '\n') || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        });
        assert_eq!(obeyed, None, "{text:?}");
    }
}

/// Standard output, standard error and the exit status, without what changes from run to run.
pub fn shown(project: &Project, output: &Output) -> String {
    let Output { status, stdout, stderr } = output;
    redact(&format!("{stdout}--- stderr\n{stderr}--- exit {status}"), project)
}
