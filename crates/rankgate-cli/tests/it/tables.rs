//! Markdown and CSV of real runs.

use insta::assert_snapshot;
use rankgate_test::{Project, redact};

use crate::support::recorded;

/// Three questions and a baseline in which each had its evidence first.
fn fallen() -> Project {
    let project = recorded(
        r#"{"id":"a#1","query":"where is the key, @anna?","expected":[{"chunk":"c1"}],"category":"doors","critical":true}
{"id":"b","query":"=1+1 | how wide","expected":[{"chunk":"c2"}],"category":"doors"}
{"id":"c","query":"who cleans the windows","expected":[{"chunk":"c3"},{"chunk":"c4"}],"category":"windows"}
"#,
        "a#1 c1 c9\nb c2 c9\nc c3 c4\n",
        r#"["no regression on mrr@3", "hit_rate@3 >= 0.50"]"#,
    );
    let config = project.read("rankgate.toml");
    project.write(
        "rankgate.toml",
        format!(
            "{config}[measures]\nreport = [\"hit_rate@3\", \"mrr@3\"]\n[baseline]\npath = \"base.jsonl\"\n"
        ),
    );
    assert_eq!(project.run(["accept", "--by", "Ada"]).status, 0);
    let lines =
        "a#1 Q0 c9 1 3 x\na#1 Q0 c8 2 2 x\nb Q0 c9 1 3 x\nb Q0 c2 2 2 x\nc Q0 c3 1 3 x\nc Q0 c4 2 2 x\n";
    project.write("next.run", lines);
    project
}

fn written(project: &Project, output: &str) -> String {
    let run = project.run(["run", "--set", "retriever.path=next.run", "-o", output]);
    assert_eq!(run.status, 1, "{}{}", run.stdout, run.stderr);
    redact(&project.read(output), project)
}

#[test]
fn markdown_says_what_fell() {
    assert_snapshot!(written(&fallen(), "summary.md"), @"");
}

#[test]
fn csv_has_a_line_a_question() {
    let text = written(&fallen(), "questions.csv");
    assert!(text.starts_with('\u{feff}') && text.lines().count() == 4 && text.matches("\r\n").count() == 4);
    assert_snapshot!(text.replace("\r\n", "\n").trim_start_matches('\u{feff}'), @"");
}

#[test]
fn markdown_of_a_run_without_a_baseline_lists_what_missed() {
    let project = recorded(
        "{\"id\":\"a\",\"query\":\"x\",\"expected\":[{\"chunk\":\"c1\"}]}\n{\"id\":\"b\",\"query\":\"y\",\"expected\":[{\"chunk\":\"c2\"}]}\n",
        "a c1\nb c1\n",
        "[]",
    );
    assert_eq!(project.run(["run", "-o", "md:out/summary", "-m", "hit_rate@1"]).status, 0);
    assert_snapshot!(redact(&project.read("out/summary"), &project), @"");
}
