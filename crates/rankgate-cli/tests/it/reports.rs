//! The files of a run: valid by their own schemas, the same bytes every time, and made again from the JSON form.

use insta::assert_snapshot;
use rankgate::report::{Csv, Format as _, Json, Junit, Markdown, Report, Style, Terminal};
use rankgate_test::{Project, redact};
use serde_json::Value;

use crate::support::{CHANGE, HELP_CENTER, example, small, with_example};

fn schema(project: &Project, name: &str) -> jsonschema::Validator {
    let schema: Value = serde_json::from_str(&project.run(["schema", name]).stdout).unwrap();
    jsonschema::meta::validate(&schema).unwrap();
    jsonschema::validator_for(&schema).unwrap()
}

fn assert_valid(schema: &jsonschema::Validator, value: &Value) {
    let errors: Vec<String> =
        schema.iter_errors(value).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{errors:#?}");
}

/// Runs of every outcome, as arguments.
fn runs() -> Vec<(i32, Vec<&'static str>)> {
    vec![
        (0, vec![]),
        (1, vec!["--set", CHANGE]),
        (0, vec!["--set", CHANGE, "--report-only"]),
        (0, vec!["--only", "q01,q02"]),
        (2, vec!["--set", "golden.min_questions=100"]),
        (0, vec!["--set", "gate={ rules = [] }"]),
    ]
}

fn run(project: &Project, args: &[&str], outputs: &[&str]) -> i32 {
    let outputs = outputs.iter().flat_map(|output| ["-o", output]);
    project.run(["run", "-c", HELP_CENTER].into_iter().chain(args.iter().copied()).chain(outputs)).status
}

#[test]
fn reports_are_valid_by_their_schema() {
    let project = with_example("help-center");
    let schema = schema(&project, "report");
    for (status, args) in runs() {
        assert_eq!(run(&project, &args, &["report.json"]), status, "{args:?}");
        let mut report: Value = serde_json::from_str(&project.read("report.json")).unwrap();
        assert_valid(&schema, &report);
        report["verdict"]["outcome"] = "green".into();
        assert!(!schema.is_valid(&report), "the schema refuses what it should");
    }
}

#[test]
fn configurations_are_valid_by_their_schema() {
    let project = small();
    project.run(["init", "starter"]);
    let schema = schema(&project, "config");
    let files = [
        example("help-center/rankgate.toml"),
        example("spreadsheet/rankgate.toml"),
        project.root().join("starter/rankgate.toml"),
        project.root().join("rankgate.toml"),
    ];
    for file in files {
        let mut config: toml::Table = std::fs::read_to_string(&file).unwrap().parse().unwrap();
        assert_valid(&schema, &serde_json::to_value(&config).unwrap());
        config.insert("glden".to_owned(), true.into());
        assert!(!schema.is_valid(&serde_json::to_value(&config).unwrap()), "{}", file.display());
    }
}

#[test]
fn every_format_is_made_again_from_the_json_form() {
    let project = with_example("help-center");
    for (_, args) in runs() {
        run(&project, &args, &["report.json", "junit.xml", "report.md", "report.csv", "report.txt"]);
        let json = project.read("report.json");
        let report: Report = serde_json::from_str(&json).unwrap();
        assert_eq!(Json.render(&report), json);
        assert_eq!(Junit.render(&report), project.read("junit.xml"));
        assert_eq!(Markdown.render(&report), project.read("report.md"));
        assert_eq!(Csv.render(&report), project.read("report.csv"));
        let terminal = Terminal { style: Style::Plain, wrote: Vec::new(), next: None };
        assert_eq!(terminal.render(&report), project.read("report.txt"));
    }
}

/// The cases of a suite that hold an element of this name.
fn cases(suite: roxmltree::Node<'_, '_>, what: &str) -> usize {
    suite.children().filter(|case| case.children().any(|child| child.has_tag_name(what))).count()
}

#[test]
fn junit_is_xml_and_its_counts_are_those_of_its_cases() {
    let project = with_example("help-center");
    for (status, args) in runs() {
        run(&project, &args, &["junit.xml", "report.json"]);
        let text = project.read("junit.xml");
        let document = roxmltree::Document::parse(&text).unwrap();
        let root = document.root_element();
        assert!(root.has_tag_name("testsuites"));
        let mut totals = [0; 3];
        for suite in root.children().filter(|node| node.has_tag_name("testsuite")) {
            let count = |name: &str| suite.attribute(name).map(|text| text.parse::<usize>().unwrap());
            let all = suite.children().filter(|node| node.has_tag_name("testcase")).count();
            let (failures, errors) = (cases(suite, "failure"), cases(suite, "error"));
            assert_eq!(count("tests"), Some(all));
            assert_eq!(count("failures"), Some(failures));
            assert_eq!(count("errors"), Some(errors));
            assert_eq!(count("skipped"), Some(cases(suite, "skipped")));
            totals = [totals[0] + all, totals[1] + failures, totals[2] + errors];
        }
        let count = |name: &str| root.attribute(name).unwrap().parse::<usize>().unwrap();
        assert_eq!([count("tests"), count("failures"), count("errors")], totals);
        let report: Report = serde_json::from_str(&project.read("report.json")).unwrap();
        let complete = report.verdict.incomplete.len();
        assert_eq!(totals[0], report.questions.len() + report.verdict.rules.len() + complete);
        // A build has one verdict.
        assert_eq!(totals[1] + totals[2] > 0, status != 0, "{args:?}");
        assert_eq!(totals[2] > 0, status == 2, "{args:?}");
    }
}

#[test]
fn junit_of_a_failed_gate() {
    let project = small();
    project.run([
        "run",
        "--gate",
        "hit_rate@1 >= 0.5",
        "--gate",
        "each(category) mrr@3 >= 0.5",
        "-o",
        "junit.xml",
    ]);
    assert_snapshot!(redact(&project.read("junit.xml"), &project), @r#"
    <?xml version="1.0" encoding="UTF-8"?>
    <testsuites name="small" tests="6" skipped="0" failures="4" errors="0">
        <testsuite name="small: rules" tests="3" skipped="0" errors="0" failures="2">
            <testcase name="hit_rate@3 &gt;= 0.90" classname="rules"/>
            <testcase name="hit_rate@1 &gt;= 0.50" classname="rules">
                <failure message="hit_rate@1 &gt;= 0.50: 0.333 over 3 questions" type="rule">hit_rate@1 &gt;= 0.50: 0.333 over 3 questions
    questions: b, c</failure>
            </testcase>
            <testcase name="each(category) mrr@3 &gt;= 0.50" classname="rules">
                <failure message="each(category) mrr@3 &gt;= 0.50: worst of category: windows 0.333 over 1 question (3 in all)" type="rule">each(category) mrr@3 &gt;= 0.50: worst of category: windows 0.333 over 1 question (3 in all)
    windows: 0.333 over 1 question
    questions: c</failure>
            </testcase>
        </testsuite>
        <testsuite name="small: questions" tests="3" skipped="0" errors="0" failures="2">
            <testcase name="a where is the key" classname="doors"/>
            <testcase name="b how wide is the door" classname="doors">
                <failure message="no evidence in the top 1" type="missed">no evidence in the top 1
    expected chunk `c2` (grade 1): rank 2
    retrieved c1</failure>
            </testcase>
            <testcase name="c who cleans the windows" classname="windows">
                <failure message="no evidence in the top 1" type="missed">no evidence in the top 1
    expected chunk `c3` (grade 1): rank 3
    retrieved c1</failure>
            </testcase>
        </testsuite>
    </testsuites>
    "#);
}

#[test]
fn two_runs_give_the_same_bytes_save_for_the_times() {
    let project = with_example("help-center");
    let mut seen = Vec::new();
    for name in ["first", "second"] {
        run(&project, &["--set", CHANGE], &[&format!("{name}.json"), &format!("{name}.xml")]);
        let mut report: Value = serde_json::from_str(&project.read(&format!("{name}.json"))).unwrap();
        let timing = report["timing"].take();
        assert!(timing["total_ms"].as_f64().is_some_and(|total| total > 0.0));
        // The value of a rule over a time is a time.
        for rule in report["verdict"]["rules"].as_array_mut().unwrap() {
            if rule["kind"] == "time" {
                rule["value"].take();
            }
        }
        seen.push((report.to_string(), project.read(&format!("{name}.xml"))));
    }
    assert_eq!(seen[0], seen[1]);
}

#[test]
fn a_report_on_standard_output_stands_there_alone() {
    let project = small();
    let output = project.run(["run", "-o", "json:-", "--gate", "hit_rate@1 >= 0.9", "--color", "always"]);
    assert_eq!((output.status, output.stderr.as_str()), (1, ""));
    let report: Report = serde_json::from_str(&output.stdout).unwrap();
    assert_eq!(Json.render(&report), output.stdout);
    assert_eq!(project.files(), ["last.run", "questions.jsonl", "rankgate.toml"]);
}

#[test]
fn a_report_replaces_the_one_before_it() {
    let project = small();
    project.write("report.json", "x".repeat(1_000_000));
    assert_eq!(project.run(["run", "-o", "report.json"]).status, 0);
    assert!(serde_json::from_str::<Report>(&project.read("report.json")).is_ok());
    // A run that is refused leaves it as it was.
    let before = project.read("report.json");
    assert_eq!(project.run(["run", "-o", "report.json", "--only", "z"]).status, 2);
    assert_eq!(project.read("report.json"), before);
}

#[cfg(unix)]
#[test]
fn others_may_read_a_report_as_far_as_the_mask_allows() {
    use std::os::unix::fs::PermissionsExt as _;
    let project = small();
    for (mask, expected) in [("022", 0o644), ("077", 0o600), ("002", 0o664)] {
        let command = format!("umask {mask}; exec \"$0\" run -o mask.json -o junit:mask.xml");
        let binary = env!("CARGO_BIN_EXE_rankgate");
        let mut shell = std::process::Command::new("sh");
        let status =
            shell.current_dir(project.root()).args(["-c", &command, binary]).output().unwrap().status;
        assert!(status.success());
        for file in ["mask.json", "mask.xml"] {
            let mode = std::fs::metadata(project.root().join(file)).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, expected, "{file} under umask {mask}");
            std::fs::remove_file(project.root().join(file)).unwrap();
        }
    }
}

#[cfg(unix)]
#[test]
fn a_report_goes_through_a_link_and_keeps_the_mode_of_the_one_before_it() {
    use std::os::unix::fs::PermissionsExt as _;
    let project = small();
    project.write("real.json", "old");
    let real = project.root().join("real.json");
    std::fs::set_permissions(&real, std::fs::Permissions::from_mode(0o600)).unwrap();
    std::os::unix::fs::symlink("real.json", project.root().join("link.json")).unwrap();
    assert_eq!(project.run(["run", "-o", "link.json"]).status, 0);
    assert!(project.root().join("link.json").is_symlink());
    assert!(serde_json::from_str::<Report>(&project.read("real.json")).is_ok());
    assert_eq!(std::fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o600);
}

#[cfg(unix)]
#[test]
fn what_is_no_regular_file_is_written_to_and_not_replaced() {
    use std::os::unix::fs::FileTypeExt as _;
    let project = small();
    let pipe = project.root().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let reader = {
        let pipe = pipe.clone();
        std::thread::spawn(move || std::fs::read_to_string(pipe).unwrap())
    };
    assert_eq!(project.run(["run", "-o", "json:pipe"]).status, 0);
    assert!(serde_json::from_str::<Report>(&reader.join().unwrap()).is_ok());
    assert!(std::fs::metadata(&pipe).unwrap().file_type().is_fifo());
}

#[test]
fn a_report_replaces_no_input_and_no_other_report() {
    let project = small();
    let before = project.files();
    for (args, told) in [
        (["-o", "json:rankgate.toml", "-o", "b.json"], "rankgate.toml: is read by this run"),
        (["-o", "same.json", "-o", "json:./same.json"], "`./same.json` is written by another `--output`"),
        (["-o", "json:-", "-o", "junit:-"], "`-` is written by another `--output`"),
        (["-o", "json:", "-o", "b.json"], "the path is empty"),
    ] {
        let output = project.run(["run"].iter().chain(&args));
        assert_eq!(output.status, 2, "{args:?}");
        assert!(output.stderr.contains(told), "{args:?}: {}", output.stderr);
        assert_eq!(project.files(), before, "{args:?}");
    }
}
