//! `[privacy]` and `--redact`: what is hidden is in no stream and in no file, whatever happens.

use rankgate::config::{IdLevel, TextLevel};
use rankgate::gate::Incomplete;
use rankgate::privacy::{Redaction, hashed};
use rankgate::report::{Csv, Format as _, Json, Junit, Markdown, Report, Style, Terminal};
use rankgate_test::{Output, Project};

use crate::support::project;

/// In every id, every text and every reason of the project below. Capitals, so that no hash holds them.
const SECRETS: [&str; 5] = ["QQID", "CCID", "DDID", "TTXT", "WWHY"];

const GOLDEN: &str = r#"{"id":"QQID-1","query":"TTXT ask alpha","expected":[{"chunk":"CCID-1"}],"category":"doors","critical":true}
{"id":"QQID-2","query":"TTXT ask beta","expected":[{"quote":"TTXT quote of beta"},{"chunk":"CCID-2"}],"category":"doors"}
{"id":"QQID-3","query":"TTXT ask gamma","expected":[{"doc":"DDID-3.md","start":0,"end":9}],"category":"walls"}
{"id":"QQID-4","query":"TTXT ask delta","expected":[{"any":[{"chunk":"CCID-4"},{"quote":"TTXT quote of delta"}]}],"forbidden":[{"chunk":"CCID-1"}],"category":"walls"}
{"id":"QQID-5","query":"TTXT ask epsilon","expected":[{"chunk":"CCID-5"}],"quarantine":"WWHY nobody knows"}
{"id":"QQID-6","query":"TTXT ask zeta","expected":[{"doc":"DDID-6.md"}],"category":"walls"}
"#;

const NAMES: [&str; 6] = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta"];

const OUTPUTS: [&str; 5] = ["o.json", "o.xml", "o.md", "o.csv", "o.txt"];

/// Six questions; the recorded answers `good.run` find everything, `bad.run` loses some.
fn private(privacy: &str) -> Project {
    let project = project();
    project.write(
        "rankgate.toml",
        format!(
            "name = \"small\"\n[golden]\npath = \"golden.jsonl\"\n[corpus]\npath = \"corpus.jsonl\"\n[retriever]\nkind = \
             \"run\"\npath = \"good.run\"\n[measures]\nreport = [\"hit_rate@3\", \"mrr@3\"]\n[baseline]\npath = \
             \"base.jsonl\"\n[gate]\nrules = [\"no regression on mrr@3\", \"lost@3 <= 0\", \"each(id) hit_rate@3 >= 0.5\", \
             \"hit_rate@3 where id = QQID-1 >= 0.5\"]\nmin_slice = 1\n[privacy]\n{privacy}\n"
        ),
    );
    let mut corpus = String::new();
    for (index, name) in NAMES.iter().enumerate() {
        let id = index + 1;
        corpus += &format!(
            "{{\"id\":\"CCID-{id}\",\"doc\":\"DDID-{id}.md\",\"start\":0,\"end\":40,\"text\":\"TTXT quote of {name} and \
             more\"}}\n"
        );
    }
    project.write("golden.jsonl", GOLDEN).write("corpus.jsonl", corpus);
    project.write("good.run", answers("QQID", "CCID", |question| question));
    project.write("bad.run", answers("QQID", "CCID", |question| question % 6 + 1));
    project
}

/// A run in which the first hit of each question is chosen.
fn answers(question: &str, chunk: &str, first: impl Fn(usize) -> usize) -> String {
    (1..=6)
        .map(|n| format!("{question}-{n} Q0 {chunk}-{} 1 9 x\n{question}-{n} Q0 {chunk}-6 2 8 x\n", first(n)))
        .map(|lines| {
            if lines.matches("-6 ").count() > 1 {
                lines.lines().next().unwrap_or_default().to_owned() + "\n"
            } else {
                lines
            }
        })
        .collect()
}

/// Runs with every output and looks for what should not be there.
fn run(project: &Project, args: &[&str]) -> Output {
    let outputs = OUTPUTS.iter().flat_map(|output| ["-o", output]);
    let output = project.run(["run"].into_iter().chain(args.iter().copied()).chain(outputs));
    assert_private(project, args, &output);
    output
}

fn assert_private(project: &Project, args: &[&str], output: &Output) {
    assert_hidden(&args.join(" "), &output.stdout);
    assert_hidden(&args.join(" "), &output.stderr);
    for file in OUTPUTS.into_iter().chain(["base.jsonl"]) {
        if project.files().iter().any(|there| there == file) {
            assert_hidden(file, &project.read(file));
        }
    }
}

fn assert_hidden(what: &str, text: &str) {
    for secret in SECRETS {
        assert!(!text.contains(secret), "{secret} of {what} is in {text}");
    }
}

const HIDE: &str = "text = \"none\"\nids = \"hash\"";

#[test]
fn a_hashed_baseline_finds_its_questions_again() {
    let project = private(HIDE);
    let first = run(&project, &[]);
    assert_eq!(first.status, 2, "{}", first.stdout);
    let accepted = project.run(["accept"]);
    assert_private(&project, &["accept"], &accepted);
    assert_eq!(accepted.status, 0, "{}{}", accepted.stdout, accepted.stderr);
    let base = project.read("base.jsonl");
    assert!(
        base.contains("\"hashed_ids\":true")
            && base.contains(&hashed("QQID-1"))
            && base.contains(&hashed("CCID-1"))
    );

    let again = run(&project, &[]);
    assert_eq!(again.status, 0, "{}", again.stdout);
    let report: Report = serde_json::from_str(&project.read("o.json")).unwrap();
    assert_eq!(report.comparison.unwrap().questions, 5);
    let unchanged = project.run(["accept"]);
    assert!(unchanged.stdout.contains("holds these answers already"), "{}", unchanged.stdout);

    let fallen = run(&project, &["--set", "retriever.path=bad.run"]);
    assert_eq!(fallen.status, 1, "{}", fallen.stdout);
    let report: Report = serde_json::from_str(&project.read("o.json")).unwrap();
    assert_eq!(report.privacy, Redaction { text: TextLevel::None, ids: IdLevel::Hash });
    let moved = report.comparison.unwrap().moved;
    assert!(moved.iter().any(|moved| moved.id == hashed("QQID-1")), "{moved:?}");
    for output in ["o.md", "o.csv", "o.xml", "o.txt"] {
        assert!(project.read(output).replace("&#58;", ":").contains(&hashed("QQID-1")), "{output}");
    }
    // What a hashed report names can be asked again.
    let failed = project.run(["run", "--failed", "o.json", "--set", "retriever.path=bad.run"]);
    assert!(
        failed.stdout.contains("partial run (a filter that is hidden by [privacy])"),
        "{}",
        failed.stdout
    );
    let only = project.run(["run", "--only", &hashed("QQID-1")]);
    assert_eq!(only.status, 0, "{}{}", only.stdout, only.stderr);
}

#[test]
fn a_hashed_report_is_accepted_with_or_without_privacy() {
    let project = private("");
    run_plain(&project, &["--redact", "-o", "o.json"]);
    assert_hidden("o.json", &project.read("o.json"));
    let accepted = project.run(["accept", "o.json", "--force", "--reason", "first"]);
    assert_eq!(accepted.status, 0, "{}", accepted.stderr);
    assert!(project.read("base.jsonl").contains("\"hashed_ids\":true"));
    let plain = run_plain(&project, &["-o", "plain.json"]);
    assert_eq!(plain.status, 0, "{}", plain.stdout);
    assert!(project.read("plain.json").contains("QQID-1"));
    let fallen = run_plain(&project, &["--set", "retriever.path=bad.run"]);
    assert_eq!(fallen.status, 1, "{}", fallen.stdout);
    // A plain run, accepted with the flag.
    let accepted = project.run(["accept", "plain.json", "--redact"]);
    assert_eq!(accepted.status, 0, "{}", accepted.stderr);
    assert_hidden("base.jsonl", &project.read("base.jsonl"));
}

fn run_plain(project: &Project, args: &[&str]) -> Output {
    project.run(["run"].into_iter().chain(args.iter().copied()))
}

#[test]
fn nothing_gets_out_whatever_goes_wrong() {
    let project = private(HIDE);
    project.run(["accept"]);
    let renamed_chunks = answers("QQID", "CCID-x", |question| question);
    let renamed_questions = answers("QQID-x", "CCID", |question| question);
    project.write("chunks.run", renamed_chunks).write("questions.run", renamed_questions);
    project.write("some.run", answers("QQID", "CCID", |question| question).replace("QQID-1", "QQID-77"));
    let unknown = GOLDEN.replace("CCID-2", "CCID-unknown").replace("quote of delta", "quote of nothing");
    let changed = GOLDEN
        .replace("ask alpha", "ask again")
        .replace("\"QQID-6\"", "\"QQID-7\"")
        .replace("\"chunk\":\"CCID-5\"", "\"chunk\":\"CCID-4\"")
        .replace("\"doc\":\"DDID-3.md\",\"start\":0", "\"doc\":\"DDID-3.md\",\"start\":1");
    project.write("unknown.jsonl", unknown).write("changed.jsonl", changed);
    let one_more = GOLDEN.lines().last().unwrap_or_default().replace("QQID-6", "QQID-7");
    project
        .write("one.jsonl", GOLDEN.replace("DDID-6", "DDID-5"))
        .write("more.jsonl", format!("{GOLDEN}{one_more}\n"));
    project.write("twice.jsonl", GOLDEN.replace("QQID-2", "QQID-1"));
    project.write(
        "broken.jsonl",
        GOLDEN
            .replace("\"grade\"", "")
            .replace("\"expected\":[{\"chunk\":\"CCID-1\"}]", "\"expected\":[\"CCID\""),
    );
    project.write("mixed.jsonl", project.read("base.jsonl").replace("\"ranking\"", "\"rankings\""));
    let runs: [(i32, &[&str]); 20] = [
        (0, &[]),
        (1, &["--set", "retriever.path=bad.run"]),
        (2, &["--set", "retriever.path=chunks.run", "--set", "golden.unknown_evidence=warn"]),
        (2, &["--set", "retriever.path=questions.run"]),
        (1, &["--set", "retriever.path=some.run"]),
        (2, &["--set", "golden.path=unknown.jsonl"]),
        (2, &["--set", "golden.path=unknown.jsonl", "--set", "golden.unknown_evidence=warn"]),
        (2, &["--set", "golden.path=changed.jsonl", "--set", "baseline.golden_changed=refuse"]),
        (2, &["--set", "golden.path=changed.jsonl", "--set", "baseline.golden_changed=common"]),
        (2, &["--set", "golden.path=changed.jsonl", "--set", "baseline.golden_changed=rescore"]),
        (2, &["--set", "golden.path=twice.jsonl"]),
        (2, &["--set", "golden.path=broken.jsonl"]),
        (2, &["--set", "baseline.path=mixed.jsonl"]),
        (2, &["--only", "qqid-1"]),
        (0, &["--category", "doors"]),
        (2, &["--gate", "hit_rate@3 where id = 1 >= 0.5"]),
        (2, &["--set", "gate.max_errors=0", "--set", "golden.min_questions=100"]),
        (1, &["--set", "retriever.path=bad.run", "--gate", "hit_rate@1 >= 1"]),
        (1, &["--set", "golden.path=one.jsonl", "--set", "baseline.golden_changed=rescore"]),
        (1, &["--set", "golden.path=more.jsonl", "--common-queries"]),
    ];
    for (status, args) in runs {
        let output = run(&project, args);
        assert_eq!(output.status, status, "{args:?}\n{}{}", output.stdout, output.stderr);
    }
    let verbs: [&[&str]; 6] = [
        &["check"],
        &["check", "--set", "golden.path=unknown.jsonl", "--set", "golden.unknown_evidence=warn"],
        &["check", "--set", "golden.path=twice.jsonl"],
        &["accept", "--set", "retriever.path=bad.run"],
        &["accept", "--set", "golden.path=changed.jsonl", "--set", "baseline.golden_changed=refuse"],
        &["query", "1"],
    ];
    for args in verbs {
        assert_private(&project, args, &project.run(args));
    }
}

#[test]
fn the_place_of_a_problem_is_told_and_how_to_see_it() {
    let project = private(HIDE);
    project.write("golden.jsonl", GOLDEN.replace("QQID-2", "QQID-1"));
    let output = project.run(["run"]);
    assert_eq!(output.status, 2);
    assert!(output.stderr.contains("golden.jsonl:2"), "{}", output.stderr);
    assert!(
        output.stderr.contains("hidden by [privacy]\nhint: --set privacy.text=full"),
        "{}",
        output.stderr
    );
    // A mistake in the configuration is nobody's secret.
    let output = project.run(["run", "--gate", "hit_rat@3 >= 0.5"]);
    assert!(output.stderr.contains("hit_rate"), "{}", output.stderr);
}

#[test]
fn the_words_of_a_retriever_go_as_a_whole() {
    let project = private("");
    run_plain(&project, &["-o", "o.json"]);
    let mut report: Report = serde_json::from_str(&project.read("o.json")).unwrap();
    report.questions[0].error = Some("TTXT ask alpha was too long".to_owned());
    report.verdict.outcome = rankgate::gate::Outcome::Incomplete;
    report.verdict.headline = "the retriever failed".to_owned();
    for (code, message) in [
        ("errors", "the retriever failed on 1 of 6 questions\nfirst: QQID-1: TTXT"),
        ("no_overlap", "nothing is\nexpected, as labelled: CCID-1\nreturned: CCID-2\nlikely: WWHY"),
        ("something_new", "QQID-1"),
    ] {
        report.verdict.incomplete.push(Incomplete { code: code.to_owned(), message: message.to_owned() });
    }
    report.warnings = vec!["golden.jsonl:3 (QQID-3): TTXT".to_owned(), "WWHY".to_owned()];
    let hidden = Redaction { text: TextLevel::None, ids: IdLevel::Hash }.redact(report);
    for text in [
        Json.render(&hidden),
        Junit.render(&hidden),
        Markdown.render(&hidden),
        Csv.render(&hidden),
        Terminal { style: Style::Plain, wrote: Vec::new(), next: None }.render(&hidden),
    ] {
        assert_hidden("a report", &text);
    }
}

#[test]
fn each_reader_sees_what_is_theirs() {
    let project = private("comment = \"query\"\nartifact = \"none\"");
    project.run(["accept"]);
    let outputs = OUTPUTS.iter().flat_map(|output| ["-o", output]);
    let args = ["run", "--set", "retriever.path=bad.run"];
    let screen = project.run(args.into_iter().chain(outputs));
    assert!(screen.stdout.contains("TTXT ask alpha"), "{}", screen.stdout);
    let comment = project.read("o.md");
    assert!(comment.contains("TTXT ask alpha") && !comment.contains("quote of"), "{comment}");
    for file in ["o.json", "o.xml", "o.csv", "o.txt"] {
        let text = project.read(file);
        assert!(text.contains("QQID-1") && !text.contains("TTXT"), "{file}: {text}");
    }
    assert!(project.read("base.jsonl").contains("QQID-1"));
    let report: Report = serde_json::from_str(&project.read("o.json")).unwrap();
    assert_eq!(report.privacy, Redaction { text: TextLevel::None, ids: IdLevel::Plain });
}

/// Compares with every output and looks for what should not be there.
fn compare(project: &Project, args: &[&str]) -> Output {
    let outputs = ["o.json", "o.md", "o.csv", "o.txt"];
    let all = outputs.iter().flat_map(|output| ["-o", output]);
    let output = project.run(["compare"].into_iter().chain(args.iter().copied()).chain(all));
    assert_private(project, args, &output);
    output
}

#[test]
fn a_comparison_hides_what_a_run_hides() {
    let plain = private("");
    run_plain(&plain, &["-o", "a.json"]);
    run_plain(&plain, &["-o", "b.json", "--set", "retriever.path=bad.run"]);
    let project = private(HIDE);
    project.run(["accept"]);
    let less = GOLDEN.lines().skip(1).collect::<Vec<_>>().join("\n");
    project
        .write("a.json", plain.read("a.json"))
        .write("b.json", plain.read("b.json"))
        .write(
            "c.json",
            plain.read("b.json").replace("\"doors\"", "\"QQID-3\"").replace("QQID-4\"", "QQID-44\""),
        )
        .write("broken.json", plain.read("b.json").replacen("\"QQID-2\"", "QQID-2", 1))
        .write("less.jsonl", less)
        .write("twice.jsonl", GOLDEN.replace("QQID-2", "QQID-1"))
        .write("other.run", answers("QQID-x", "CCID", |question| question))
        .write("q.qrels", "QQID-1 0 CCID-1 1\nQQID-2 0 CCID-2 1\nQQID-9 0 CCID-1 1\n")
        .write("x.qrels", "QQID-1 0 ccid-1 1\nQQID-2 0 ccid-2 1\n")
        .write("twice.run", "QQID-1 Q0 CCID-1 1 9 x\nQQID-1 Q0 CCID-1 2 8 x\n");
    let runs: [(i32, &[&str]); 13] = [
        (0, &["a.json", "b.json"]),
        (0, &["a.json", "b.json", "--all"]),
        (0, &["base.jsonl", "b.json"]),
        (0, &["a.json", "base.jsonl", "b.json"]),
        (0, &["a.json", "c.json", "--common-queries"]),
        (2, &["a.json", "broken.json"]),
        (0, &["good.run", "bad.run", "--qrels", "q.qrels"]),
        (2, &["good.run", "bad.run", "--qrels", "x.qrels"]),
        (2, &["good.run", "other.run", "--qrels", "q.qrels"]),
        (2, &["good.run", "twice.run", "--qrels", "q.qrels"]),
        (2, &["good.run", "bad.run", "--golden", "golden.jsonl"]),
        (2, &["good.run", "bad.run", "--golden", "twice.jsonl"]),
        (2, &["a.json", "bad.run", "--golden", "less.jsonl"]),
    ];
    for (status, args) in runs {
        let output = compare(&project, args);
        assert_eq!(output.status, status, "{args:?}\n{}{}", output.stdout, output.stderr);
    }
    assert!(compare(&project, &["a.json", "b.json"]).stdout.contains(&hashed("QQID-1")));
    let refused = compare(&project, &["a.json", "b.json", "--unjudged-out", "todo.tsv"]);
    assert_eq!((refused.status, project.files().contains(&"todo.tsv".into())), (2, false));
    assert!(refused.stderr.contains("a table for labelling needs ids"), "{}", refused.stderr);
    // Shown again by the same key as everywhere.
    let shown = project.run(["compare", "a.json", "b.json", "--set", "privacy.ids=plain"]);
    assert!(shown.stdout.contains("QQID-1") && !shown.stdout.contains("TTXT"), "{}", shown.stdout);
}

#[test]
fn a_comparison_needs_no_configuration_and_fears_a_broken_one() {
    let project = private("");
    run_plain(&project, &["-o", "a.json"]);
    run_plain(&project, &["-o", "b.json", "--set", "retriever.path=bad.run"]);
    let args = ["compare", "a.json", "b.json"];
    assert!(project.run(args).stdout.contains("QQID-1"));
    compare(&project, &["a.json", "b.json", "--redact"]);
    // What is broken elsewhere is none of its business.
    let config = project.read("rankgate.toml");
    project
        .write("rankgate.toml", config.replace("golden.jsonl", "absent.jsonl").replace("\"run\"", "\"ran\""));
    let output = project.run(args);
    assert!(output.stdout.contains("QQID-1") && output.stderr.is_empty(), "{}", output.stderr);
    for broken in ["[privcy]\nids = \"hash\"", "[privacy]\nids = \"hashed\"", "[privacy\n"] {
        project.write("rankgate.toml", config.replace("[privacy]", broken));
        let output = compare(&project, &["a.json", "b.json"]);
        assert_eq!(output.status, 0, "{}", output.stderr);
        assert!(output.stderr.contains("every text and id is hidden"), "{}", output.stderr);
        for named in [&["-c", "rankgate.toml"][..], &["--config=rankgate.toml"]] {
            let output = project.run(args.iter().chain(named));
            assert_eq!((output.status, output.stdout.as_str()), (2, ""), "{}", output.stderr);
        }
    }
    std::fs::remove_file(project.root().join("rankgate.toml")).unwrap();
    let output = project.run(args);
    assert!(output.stdout.contains("QQID-1") && output.stderr.is_empty(), "{}", output.stderr);
}

#[test]
fn each_reader_of_a_comparison_sees_what_is_theirs() {
    let project = private("comment = \"query\"\nartifact = \"none\"");
    run_plain(&project, &["-o", "a.json", "--set", "privacy.artifact=full"]);
    run_plain(
        &project,
        &["-o", "b.json", "--set", "privacy.artifact=full", "--set", "retriever.path=bad.run"],
    );
    let screen = project
        .run(["compare", "a.json", "b.json", "-o", "o.md", "-o", "o.json", "-o", "o.csv", "-o", "o.txt"]);
    assert!(screen.stdout.contains("TTXT ask alpha"), "{}{}", screen.stdout, screen.stderr);
    assert!(project.read("o.md").contains("TTXT ask alpha"));
    for file in ["o.json", "o.csv", "o.txt"] {
        let text = project.read(file);
        assert!(text.contains("QQID-1") && !text.contains("TTXT"), "{file}: {text}");
    }
}
