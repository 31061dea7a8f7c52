//! Every way to end, by number. A run that is refused leaves no file behind.

use insta::assert_snapshot;
use rankgate::config::{self, Inputs};
use rankgate::gate::Outcome;
use rankgate::line::{self, Suite};
use rankgate::report::Report;
use rankgate::retriever::{Hit, Question, RetrieveError, Retriever, RetrieverInfo};
use rankgate::select::Filter;
use rankgate_test::{Project, redact};

use crate::support::{project, recorded, small, with_example};

/// Runs `rankgate run` with reports to write: it must end with 2, print no result and leave the folder as it was.
/// Returns what it says.
fn refused<'a>(project: &Project, args: impl IntoIterator<Item = &'a str>) -> String {
    let before = project.files();
    let reports = ["run", "-o", "out/report.json", "-o", "junit.xml"];
    let output = project.run(reports.into_iter().chain(args));
    assert_eq!(output.status, 2, "{}{}", output.stdout, output.stderr);
    assert_eq!(output.stdout, "");
    assert_eq!(project.files(), before);
    let lines: Vec<String> = redact(&output.stderr, project).lines().map(without_system).collect();
    lines.join("\n")
}

/// A message without what the operating system says in its own words.
fn without_system(line: &str) -> String {
    match line.find(" (os error ").and_then(|end| line[..end].rfind(": ")) {
        Some(start) => format!("{}: [reason]", &line[..start]),
        None => line.to_owned(),
    }
}

fn set(key_value: &str) -> [&str; 2] {
    ["--set", key_value]
}

#[test]
fn passed_is_0_and_failed_is_1() {
    let project = small();
    let status = |args: &[&str]| project.run(["run"].iter().chain(args)).status;
    assert_eq!(status(&[]), 0);
    assert_eq!(status(&["--gate", "mrr@3 >= 0.99"]), 1);
    assert_eq!(status(&["--gate", "mrr@3 >= 0.99", "--report-only"]), 0);
    assert_eq!(status(&["--set", "gate.rules=[]"]), 0);
    assert_eq!(status(&["--only", "a"]), 0);
    // A failed rule outweighs one that could not be judged.
    assert_eq!(status(&["--gate", "latency_p95 <= 1s"]), 2);
    assert_eq!(status(&["--gate", "latency_p95 <= 1s", "--gate", "mrr@3 >= 0.99"]), 1);
    assert_eq!(status(&["--gate", "latency_p95 <= 1s", "--report-only"]), 2);
    for verb in ["check", "config", "metrics"] {
        assert_eq!(project.run([verb]).status, 0, "{verb}");
    }
}

#[test]
fn a_missing_file() {
    let none = project();
    assert_snapshot!(refused(&none, []), @r#"
    error: no `rankgate.toml` in [project] or any folder above it
    hint: `rankgate init` writes one to start from; `--config PATH` names one elsewhere
    "#);
    assert_snapshot!(refused(&none, ["-c", "elsewhere.toml"]), @r#"
    error: elsewhere.toml: cannot read the configuration: [reason]
    hint: the file is named by `--config`
    "#);
    let project = small();
    assert_snapshot!(refused(&project, set("golden.path=none.jsonl")), @r#"
    error: cannot read none.jsonl: [reason]
    hint: the file is named by `golden.path`
    "#);
    assert_snapshot!(refused(&project, set("corpus.path=none.jsonl")), @r#"
    error: cannot read none.jsonl: [reason]
    hint: the file is named by `corpus.path`
    "#);
    assert_snapshot!(refused(&project, set("retriever.path=none.run")), @r#"
    error: cannot read none.run: [reason]
    hint: the file is named by `retriever.path`
    "#);
    assert_snapshot!(refused(&project, ["--failed", "none.json"]), @r#"
    error: cannot read none.json: [reason]
    "#);
}

#[test]
fn a_configuration_that_is_no_toml() {
    let project = small();
    project.write("rankgate.toml", "name = \"small\"\n[golden\npath = 1\n");
    assert_snapshot!(refused(&project, []), @r#"
    error: rankgate.toml:2:8: not TOML: unclosed table, expected `]`
    "#);
}

#[test]
fn an_unknown_key() {
    let project = small();
    let config = project.read("rankgate.toml").replace("[gate]", "[gate]\nmin_slise = 2");
    project.write("rankgate.toml", config);
    assert_snapshot!(refused(&project, set("golden.colums.id=ID")), @r#"
    error: --set: unknown key `golden.colums`
    hint: did you mean `columns`?
    error: rankgate.toml:8:1: unknown key `gate.min_slise`
    hint: did you mean `min_slice`?
    "#);
}

#[test]
fn an_unknown_measure() {
    let args = ["-m", "recal@5", "--gate", "hit_rat@5 >= 0.9"];
    assert_snapshot!(refused(&small(), args), @r#"
    error: --measures: unknown measure `recal`; did you mean `recall@5`?
    error: --gate: unknown measure `hit_rat`; did you mean `hit_rate@5`?
    "#);
}

#[test]
fn a_measure_that_two_tools_compute_in_two_ways() {
    assert_snapshot!(refused(&small(), ["-m", "nDCG@10"]), @r#"
    error: --measures: `nDCG@10` has two meanings: write `ndcg(gain=linear)@10` (ir_measures) or `ndcg@10` (most other tools)
    "#);
    assert_snapshot!(refused(&small(), ["--gate", "ndcg >= 0.5"]), @r#"
    error: --gate: `ndcg` has two meanings: write `ndcg(gain=linear)` (trec_eval) or `ndcg(gain=exponential)` (most other tools)
    "#);
}

#[test]
fn an_unknown_chunk() {
    let project = small();
    project.write("corpus.jsonl", "{\"id\":\"c1\",\"text\":\"t\"}\n{\"id\":\"c2\",\"text\":\"t\"}\n");
    assert_snapshot!(refused(&project, set("corpus.path=corpus.jsonl")), @r#"
    error: questions.jsonl:3 (c) `expected`: chunk `c3` is not in the corpus
    hint: did you mean `c1`?
    "#);
    // Asked for, it is a warning, and the need is never met.
    let output =
        project.run(["run", "--set", "corpus.path=corpus.jsonl", "--set", "golden.unknown_evidence=warn"]);
    assert_eq!(output.status, 0, "{}", output.stderr);
    assert!(output.stdout.contains("1 unknown to the corpus"), "{}", output.stdout);
}

#[test]
fn an_empty_golden_set() {
    let project = small();
    project.write("questions.jsonl", "\n");
    assert_snapshot!(refused(&project, []), @"error: questions.jsonl: no questions");
    project.write("table.csv", "id,query,expected_chunk_ids\n");
    assert_snapshot!(refused(&project, set("golden.path=table.csv")), @"error: table.csv: no questions");
}

#[test]
fn a_filter_that_matches_nothing() {
    let project = small();
    assert_snapshot!(refused(&project, ["--only", "aa"]), @r#"
    error: questions.jsonl: no question has the id `aa`
    hint: did you mean `a`?
    "#);
    assert_snapshot!(refused(&project, ["--category", "dors"]), @r#"
    error: questions.jsonl: the filter category=dors matches nothing: no question has `category = dors`
    hint: did you mean `doors`?
    "#);
    assert_snapshot!(refused(&project, ["--tag", "wood"]), @r#"
    error: questions.jsonl: the filter tag=wood matches nothing: no question has `tag = wood`
    hint: values of `tag`: glass, lock
    "#);
    assert_snapshot!(refused(&project, ["--where", "lang=de"]), @r#"
    error: questions.jsonl: the filter lang=de matches nothing: no question has `lang = de`
    hint: values of `lang`: en
    "#);
    assert_snapshot!(refused(&project, ["--where", "langg=en"]), @r#"
    error: questions.jsonl: the filter langg=en matches nothing: no question has a field `langg`
    hint: did you mean `lang`?
    "#);
    assert_snapshot!(refused(&project, ["--category", "doors", "--tag", "glass"]), @r#"
    error: questions.jsonl: no question is left by the filter category=doors tag=glass
    "#);
}

#[test]
fn a_former_report_in_which_nothing_failed_or_that_is_none() {
    let project = small();
    project.run(["run", "-o", "former.json"]);
    assert_snapshot!(refused(&project, ["--failed", "former.json"]), @"error: former.json: no question failed in this report");
    project.write("other.json", "{\"format_version\": 1}");
    assert_snapshot!(refused(&project, ["--failed", "other.json"]), @r#"
    error: other.json:1:21: not a JSON report of this version: missing field `rankgate`
    hint: it is written by `rankgate run -o report.json`
    "#);
    // The questions that failed have left the set since.
    let gone = project
        .read("former.json")
        .replace("\"id\": \"a\"", "\"id\": \"z\"")
        .replace("\"found\"", "\"missed\"");
    project.write(
        "gone.json",
        gone.replace("\"id\": \"b\"", "\"id\": \"y\"").replace("\"id\": \"c\"", "\"id\": \"x\""),
    );
    assert_snapshot!(refused(&project, ["--failed", "gone.json"]), @r#"
    error: questions.jsonl: no question is left by the filter failed in gone.json
    "#);
}

#[test]
fn an_empty_corpus() {
    let project = small();
    project.write("corpus.jsonl", "");
    let embedded = ["--set", "corpus.path=corpus.jsonl", "--set", "retriever={ kind = \"tfidf\" }"];
    assert_snapshot!(refused(&project, embedded), @r#"
    error: corpus.jsonl: the corpus is empty
    hint: expected one JSON object a line, with `id` and `text`
    "#);
    std::fs::create_dir(project.root().join("docs")).unwrap();
    let folder = ["--set", "corpus.path=docs", "--set", "retriever={ kind = \"bm25\" }"];
    assert_snapshot!(refused(&project, folder), @r#"
    error: docs: no texts in this folder
    hint: files that are read: .txt, .md, .markdown, .html, .htm
    "#);
}

#[test]
fn an_output_that_cannot_be_written() {
    let project = small();
    std::fs::create_dir(project.root().join("folder.json")).unwrap();
    assert_snapshot!(refused(&project, ["-o", "folder.json"]), @"error: folder.json: is a folder, and a report is a file");
    // What a file stands in the way of is called differently by every system.
    assert!(refused(&project, ["-o", "last.run/report.json"]).starts_with("error: cannot write last.run"));
    assert_snapshot!(refused(&project, ["-o", "report"]), @r#"
    error: `--output`: no format is known by the name of `report`
    hint: name it: `json:report` or `junit:report`; `.json`, `.xml`, `.md`, `.csv` and `.txt` are known
    "#);
    assert_snapshot!(refused(&project, ["-o", "jsn:report"]), @r#"
    error: `--output`: unknown format `jsn` of `jsn:report`
    hint: did you mean `json:report`?
    "#);
}

#[cfg(unix)]
#[test]
fn a_folder_that_takes_no_file() {
    use std::os::unix::fs::PermissionsExt as _;
    let project = small();
    let folder = project.root().join("closed");
    std::fs::create_dir(&folder).unwrap();
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o555)).unwrap();
    // The superuser may write anywhere, and has nothing to test here.
    if std::fs::write(folder.join("probe"), "").is_err() {
        let message = refused(&project, ["-o", "closed/report.json"]);
        assert!(message.starts_with("error: cannot write closed/report.json: "), "{message}");
    }
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// The report of a run without a verdict: it ends with 2 and is written all the same.
fn incomplete(project: &Project, args: &[&str]) -> Report {
    let before = project.files();
    let output = project.run(["run", "-o", "report.json"].iter().chain(args));
    assert_eq!(output.status, 2, "{}{}", output.stdout, output.stderr);
    assert!(output.stdout.contains("\nNO VERDICT  "), "{}", output.stdout);
    let mut after = before;
    after.push("report.json".to_owned());
    after.sort();
    assert_eq!(project.files(), after);
    let report: Report = serde_json::from_str(&project.read("report.json")).unwrap();
    std::fs::remove_file(project.root().join("report.json")).unwrap();
    assert_eq!((report.verdict.outcome, report.verdict.exit_status), (Outcome::Incomplete, 2));
    assert!(report.verdict.rules.iter().all(|rule| rule.status == rankgate::gate::RuleStatus::Unjudged));
    report
}

fn messages(report: &Report) -> String {
    report
        .verdict
        .incomplete
        .iter()
        .map(|because| format!("{}: {}\n", because.code, because.message))
        .collect()
}

#[test]
fn labels_and_hits_that_never_speak_of_the_same_ids() {
    let set = |id: &str| format!("{{\"id\":\"a\",\"query\":\"q\",\"expected\":[{{\"chunk\":\"{id}\"}}]}}\n");
    let rules = r#"["hit_rate@5 >= 0.90"]"#;
    let project = recorded(&set("docs/Refunds.md#3"), "a refunds terms\n", rules);
    assert_snapshot!(messages(&incomplete(&project, &[])), @r#"
    no_overlap: no returned id or document is ever an expected one
    expected, as labelled: docs/Refunds.md#3
    returned:              refunds
    likely: they are equal without path, extension, chunk number and case
    "#);
    let project = recorded(&set("doc-7"), "a doc-007 doc-008\n", rules);
    assert_snapshot!(messages(&incomplete(&project, &[])), @r#"
    no_overlap: no returned id or document is ever an expected one
    expected, as labelled: doc-7
    returned:              doc-007
    likely: they differ only in leading zeros, as when one side kept ids as numbers and the other as text
    "#);
    let project = recorded(&set("refunds"), "a x17 x18\n", rules);
    assert_snapshot!(messages(&incomplete(&project, &[])), @r#"
    no_overlap: no returned id or document is ever an expected one
    expected, as labelled: refunds
    returned:              x17, x18
    no simple rewriting makes them equal: is this the right corpus, index or field?
    "#);
}

#[test]
fn lists_that_are_all_empty() {
    let set = r#"{"id":"a","query":"q","expected":[{"chunk":"c1"}]}"#;
    let project = recorded(set, "", r#"["hit_rate@5 >= 0.90"]"#);
    project.write("last.run", "{\"a\": []}");
    assert_snapshot!(messages(&incomplete(&project, &[])), @r#"
    no_hits: no question got a single hit: the retriever, or the connection to it, is broken
    "#);
}

#[test]
fn recorded_answers_to_other_questions() {
    let set = |ids: &[&str]| -> String {
        let case = |id| format!("{{\"id\":\"{id}\",\"query\":\"q\",\"expected\":[{{\"chunk\":\"c1\"}}]}}\n");
        ids.iter().map(case).collect()
    };
    let rules = r#"["hit_rate@5 >= 0.5"]"#;
    let told = |ids: &[&str], run: &str| {
        let project = recorded(&set(ids), run, rules);
        let message = refused(&project, []);
        let check = project.run(["check"]);
        assert_eq!((check.status, check.stdout.as_str()), (2, ""));
        assert_eq!(check.stderr.trim_end(), message);
        message
    };
    assert_snapshot!(told(&["1", "2", "3", "4"], "q1 c1\nq2 c1\nq3 c1\nq4 c1\n"), @r#"
    error: last.run: the run answers no question of the golden set: the ids are `1`, `2`, `3`, ... there and `q1`, `q2`, `q3`, ... here
    hint: they have the same numbers and differ in what stands before them; write the ids of the questions alike in both files
    "#);
    assert_snapshot!(told(&["007"], "7 c1\n9 c1\n"), @r#"
    error: last.run: the run answers no question of the golden set: the ids are `007` there and `7`, ... here
    hint: they differ only in leading zeros, as when one side kept ids as numbers and the other as text; write the ids of the questions alike in both files
    "#);
    assert_snapshot!(told(&["A-1"], "a-1 c1\n"), @r#"
    error: last.run: the run answers no question of the golden set: the ids are `A-1` there and `a-1` here
    hint: they differ only in upper and lower case; write the ids of the questions alike in both files
    "#);
    assert_snapshot!(told(&["refunds", "terms"], "x c1\ny c1\n"), @r#"
    error: last.run: the run answers no question of the golden set: the ids are `refunds`, `terms` there and `x`, `y` here
    hint: is this a run of these questions? It answers them by their ids
    "#);

    // What is missing on one side only is said, and no more.
    let project = recorded(&set(&["a", "b"]), "a c1\nc c1\nd c1\ne c1\nf c1\n", rules);
    let [check, run] = ["check", "run"].map(|verb| project.run([verb]));
    assert_eq!((check.status, run.status), (0, 0), "{}", run.stderr);
    assert_eq!(check.stderr, run.stderr);
    assert_snapshot!(run.stderr, @r#"
    warning: last.run: the run has no line for 1 question: `b`
      hint: each counts as an empty list
    warning: last.run: the run answers 4 questions that the golden set does not have: `c`, `d`, `e`, ...
      hint: answers to other questions are not scored
    "#);
}

#[test]
fn questions_that_are_all_in_quarantine() {
    let set = r#"{"id":"a","query":"q","expected":[{"chunk":"c1"}],"quarantine":"under review"}"#;
    let project = recorded(set, "a c1\n", r#"["hit_rate@5 >= 0.90"]"#);
    assert_snapshot!(messages(&incomplete(&project, &[])), @"nothing_evaluated: no question was evaluated");
}

#[test]
fn too_few_questions() {
    assert_snapshot!(messages(&incomplete(&small(), &["--set", "golden.min_questions=4"])), @r#"
    too_few_questions: only 3 questions could be evaluated; golden.min_questions asks for 4
    "#);
    // A run of some questions is asked for fewer on purpose.
    assert_eq!(small().run(["run", "--set", "golden.min_questions=3", "--only", "a"]).status, 0);
}

/// Fails on some questions, and answers the others.
struct Failing(&'static [&'static str]);

impl Retriever for Failing {
    fn info(&self) -> RetrieverInfo {
        RetrieverInfo { kind: "failing", ..RetrieverInfo::default() }
    }

    fn retrieve(&self, question: &Question<'_>) -> Result<Vec<Hit>, RetrieveError> {
        if self.0.contains(&question.id) {
            return Err(RetrieveError::Failed("connection reset".to_owned()));
        }
        Ok(["c1", "c2", "c3"].map(|id| Hit::scored(id, 1.0)).into())
    }
}

#[test]
fn a_retriever_that_fails_too_often() {
    let project = small();
    let run = |retriever: &Failing, max_errors: &str| {
        let inputs = Inputs {
            config: Some(project.root().join("rankgate.toml")),
            cwd: project.root().to_owned(),
            sets: vec![format!("gate.max_errors={max_errors}")],
            ..Inputs::default()
        };
        let suite = Suite::read(config::resolve(&inputs).unwrap()).unwrap();
        let everything = Filter::default().select(&suite.golden).unwrap();
        line::run(&suite, &everything, retriever, false).unwrap()
    };
    let report = run(&Failing(&["b", "c"]), "1");
    assert_eq!((report.verdict.outcome, report.verdict.exit_status), (Outcome::Incomplete, 2));
    assert_snapshot!(messages(&report), @r#"
    errors: the retriever failed on 2 of 3 questions; gate.max_errors allows 1
    first: b: connection reset
    "#);
    // Within the cap the others are judged, and the failures are in no mean.
    let report = run(&Failing(&["b", "c"]), "2");
    assert_eq!((report.verdict.exit_status, report.golden.judged, report.lists.errors), (0, 1, 2));
    assert_eq!(run(&Failing(&["a", "b", "c"]), "3").verdict.exit_status, 2);
}

#[test]
fn another_embedding_model_than_the_set_is_pinned_to() {
    let project = small();
    let queries: Vec<String> = project.read("questions.jsonl").lines().map(String::from).collect();
    let wrapped =
        format!("{{\"embedding_model_version\":\"bge-small 1.5\",\"queries\":[{}]}}", queries.join(","));
    project.write("pinned.json", wrapped);
    assert_snapshot!(refused(&project, set("golden.path=pinned.json")), @r#"
    error: pinned.json `embedding_model_version`: the set is pinned to `bge-small 1.5`, but the retriever `run` reports no model
    hint: run the pinned model, review the labels and change the pin, or say in `retriever.embedding_model_version` what stands behind the answers
    "#);
    let other =
        ["--set", "golden.path=pinned.json", "--set", "retriever.embedding_model_version=bge-base 1.5"];
    assert_snapshot!(refused(&project, other), @r#"
    error: pinned.json `embedding_model_version`: the set is pinned to `bge-small 1.5`, but the retriever reports `bge-base 1.5`
    hint: run the pinned model, review the labels and change the pin, or say in `retriever.embedding_model_version` what stands behind the answers
    "#);
    let same = [
        "run",
        "--set",
        "golden.path=pinned.json",
        "--set",
        "retriever.embedding_model_version=bge-small 1.5",
    ];
    assert_eq!(project.run(same).status, 0);
}

#[test]
fn a_rule_that_needs_a_baseline() {
    let rules = ["--gate", "no regression on mrr@3", "--gate", "lost@3 <= 1", "--gate", "mrr@3 drop <= 5%"];
    assert_snapshot!(refused(&small(), rules), @r#"
    error: --gate: `no regression on mrr@3` compares with a baseline, and no baseline is configured
    hint: set `baseline.path`, and run `rankgate accept` on a state that is known to be good
    error: --gate: `lost@3 <= 1` compares with a baseline, and no baseline is configured
    hint: set `baseline.path`, and run `rankgate accept` on a state that is known to be good
    error: --gate: `mrr@3 drop <= 5%` compares with a baseline, and no baseline is configured
    hint: set `baseline.path`, and run `rankgate accept` on a state that is known to be good
    "#);
}

#[test]
fn a_rule_over_what_the_set_does_not_have() {
    let project = small();
    assert_snapshot!(refused(&project, ["--gate", "each(categroy) mrr@3 >= 0.1"]), @r#"
    error: --gate: no question has a field `categroy`
    hint: did you mean `category`?
    "#);
    assert_snapshot!(refused(&project, ["--gate", "mrr@3 where team = red >= 0.1"]), @r#"
    error: --gate: no question has a field `team`
    hint: fields of this set: answerable, category, critical, id, lang, params.lang, tag
    "#);
    assert_snapshot!(refused(&project, ["--gate", "mrr@3 where category = door >= 0.1"]), @r#"
    error: --gate: no question has `category = door`
    hint: did you mean `doors`?
    "#);
}

#[test]
fn a_depth_below_a_cutoff() {
    assert_snapshot!(refused(&small(), ["--depth", "2"]), @r#"
    error: --depth: 2 hits cannot be cut at 10
    hint: raise the depth to the largest cut-off of the measures and rules, or leave it out
    "#);
}

#[test]
fn a_column_map_with_a_name_that_is_nearly_a_field() {
    let project = small();
    project.write("table.csv", "ID,Question,File\na,how,c1\n");
    let map = "golden.columns={ id = 'ID', query = 'Question', docs = 'File' }";
    assert_snapshot!(refused(&project, ["--set", "golden.path=table.csv", "--set", map]), @r#"
    error: --set golden.columns.docs: `docs` is no field
    hint: did you mean `doc`? To keep the column as an attribute, write `"attributes.docs"`
    "#);
}

#[test]
fn a_value_that_does_not_fit_its_key() {
    assert_snapshot!(refused(&small(), set("gate")), @r#"
    error: --set: `gate` is not of the form key=value
    hint: for instance --set retriever.kind=bm25
    "#);
    assert_snapshot!(refused(&small(), set("gate.min_slice=few")), @r#"
    error: --set: `gate.min_slice` must be a whole number, 1 or more, not "few"
    "#);
    assert_snapshot!(refused(&small(), set("gate.min_slize=2")), @r#"
    error: --set: unknown key `gate.min_slize`
    hint: did you mean `min_slice`?
    "#);
    assert_snapshot!(refused(&small(), set("golden.path=${NOT_SET}/q.jsonl")), @r#"
    error: --set: the environment variable `NOT_SET` is not set, and `golden.path` refers to it
    hint: `${NAME}` stands for a variable, `$${` for the characters `${`
    "#);
}

#[test]
fn judgements_and_run_that_are_swapped() {
    let project = project();
    project
        .write("test.qrels", "1 0 d1 2\n1 0 d2 1\n")
        .write("bm25.run", "1 Q0 d1 1 0.9 x\n1 Q0 d5 2 0.8 x\n");
    let score = |qrels: &str, run: &str| {
        let output = project.run(["score", "--qrels", qrels, "--run", run]);
        assert_eq!((output.status, output.stdout.as_str()), (2, ""));
        output.stderr
    };
    assert_snapshot!(score("bm25.run", "test.qrels"), @r#"
    error: bm25.run: this looks like a run file (6 columns), and relevance judgements are wanted here
    hint: judgements have 4 columns: query iteration document grade; are the two files swapped?
    "#);
    assert_snapshot!(score("test.qrels", "test.qrels"), @r#"
    error: test.qrels: this looks like relevance judgements, and a run is wanted here
    hint: a run has 6 columns: query Q0 document rank score tag; are the two files swapped?
    "#);
}

#[test]
fn wrong_usage() {
    let project = small();
    for args in [
        &["rnu"][..],
        &[],
        &["run", "--limit", "0"],
        &["run", "--where", "lang"],
        &["run", "--dept", "3"],
        &["query"],
        &["query", "a", "--text", "b"],
        &["score", "--run", "last.run"],
        &["schema", "everything"],
    ] {
        let output = project.run(args);
        assert_eq!((output.status, output.stdout.as_str()), (2, ""), "{args:?}");
        assert!(
            output.stderr.contains("Usage:") || output.stderr.contains("For more information"),
            "{args:?}"
        );
    }
}

#[test]
fn an_id_that_no_question_has() {
    let project = with_example("help-center");
    let output = project.run(["query", "q61", "-c", crate::support::HELP_CENTER]);
    assert_eq!((output.status, output.stdout.as_str()), (2, ""));
    assert_snapshot!(output.stderr, @r#"
    error: examples/help-center/questions.jsonl: no question has the id `q61`
    hint: did you mean `q01`? Any other question goes after `--text`
    "#);
}
