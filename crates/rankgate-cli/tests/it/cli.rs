//! The real binary in a folder of its own, with an environment of its own.

use std::path::Path;
use std::process::{Command, Output};

use insta::assert_snapshot;
use tempfile::TempDir;

fn rankgate(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rankgate"));
    command.current_dir(folder).env_clear().args(args);
    command
}

fn folder() -> TempDir {
    tempfile::Builder::new().prefix("help center ").tempdir().unwrap()
}

/// What a command prints and how it ends.
fn shown(command: &mut Command) -> String {
    let Output { status, stdout, stderr } = command.output().unwrap();
    let (stdout, stderr) = (String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap());
    format!("{stdout}--- stderr\n{stderr}--- exit {}", status.code().unwrap())
}

const CONFIG: &str = r#"name = "help"
[golden]
path = "eval/questions.csv"
columns = { id = "ID", query = "Question" }
[retriever]
kind = "run"
path = "${RUNS}/last.run"
[gate]
rules = ["hit_rate@5 >= 0.90", { rule = "mrr@5 >= 0.80", level = "warn" }]
"#;

#[test]
fn init_writes_what_is_not_there_and_overwrites_nothing() {
    let folder = folder();
    std::fs::create_dir(folder.path().join("eval")).unwrap();
    std::fs::write(folder.path().join("eval/questions.jsonl"), "mine").unwrap();
    assert_snapshot!(shown(&mut rankgate(folder.path(), &["init"])), @r#"
    --- stderr
    wrote       rankgate.toml
    left alone  eval/questions.jsonl
    wrote       eval/corpus.jsonl
    wrote       .github/workflows/rankgate.yml

    next: rankgate run
    then put your own questions and texts in their place, and raise the bar of `[gate]`
    --- exit 0
    "#);
    assert_eq!(std::fs::read_to_string(folder.path().join("eval/questions.jsonl")).unwrap(), "mine");
    assert_snapshot!(shown(&mut rankgate(folder.path(), &["init"])), @r#"
    --- stderr
    left alone  rankgate.toml
    left alone  eval/questions.jsonl
    left alone  eval/corpus.jsonl
    left alone  .github/workflows/rankgate.yml

    next: rankgate run
    then put your own questions and texts in their place, and raise the bar of `[gate]`
    --- exit 0
    "#);
    let config = std::fs::read_to_string(folder.path().join("rankgate.toml")).unwrap();
    assert!(config.contains("\nname = \"help-center-"), "{config}");
    assert!(rankgate(folder.path(), &["config"]).status().unwrap().success());
}

#[test]
fn init_writes_to_a_folder_that_is_not_there_yet() {
    let folder = folder();
    assert_snapshot!(shown(&mut rankgate(folder.path(), &["init", "services/search"])), @r#"
    --- stderr
    wrote       services/search/rankgate.toml
    wrote       services/search/eval/questions.jsonl
    wrote       services/search/eval/corpus.jsonl
    wrote       services/search/.github/workflows/rankgate.yml

    next: rankgate run --config services/search/rankgate.toml
    then put your own questions and texts in their place, and raise the bar of `[gate]`
    --- exit 0
    "#);
    let config = std::fs::read_to_string(folder.path().join("services/search/rankgate.toml")).unwrap();
    assert!(config.contains("\nname = \"search\"\n"));
    assert_snapshot!(shown(&mut rankgate(folder.path(), &["init", "quiet", "--quiet"])), @r#"
    --- stderr
    --- exit 0
    "#);
}

#[test]
fn config_shows_what_holds_and_why() {
    let folder = folder();
    std::fs::write(folder.path().join("rankgate.toml"), CONFIG).unwrap();
    let mut command = rankgate(folder.path(), &["config", "--set", "measures.coverage=0.75"]);
    command.env("RUNS", "/data/runs").env("RANKGATE_GATE__MIN_SLICE", "25");
    assert_snapshot!(shown(&mut command), @r#"
    name                    = "help"                      # rankgate.toml:1
    golden.path             = "eval/questions.csv"        # rankgate.toml:3
    golden.split            = "test"                      # default
    golden.columns.id       = "ID"                        # rankgate.toml:4
    golden.columns.query    = "Question"                  # rankgate.toml:4
    golden.list_separator   = "|"                         # default
    golden.min_questions    = 1                           # default
    golden.sources          = ["logs", "sme", "synthetic", "synthetic_reviewed", "production-log"]
                                                          # default
    golden.unknown_evidence = "refuse"                    # default
    golden.level            = "auto"                      # default
    retriever.kind          = "run"                       # rankgate.toml:6
    retriever.path          = "${RUNS}/last.run"          # rankgate.toml:7
    measures.report         = ["hit_rate@5", "recall@5", "mrr@10", "ndcg@10"]
                                                          # default
    measures.coverage       = 0.75                        # --set
    gate.rules              = ["hit_rate@5 >= 0.90", { level = "warn", rule = "mrr@5 >= 0.80" }]
                                                          # rankgate.toml:9
    gate.min_slice          = 25                          # RANKGATE_GATE__MIN_SLICE
    gate.max_errors         = 0                           # default
    gate.allow_short        = false                       # default
    privacy.text            = "full"                      # default
    privacy.ids             = "plain"                     # default
    # digest 2ec437d19a99be5cecc4ac6390302eaca83deddd70eb7f5203cb1dd9c9bdeb3e
    --- stderr
    --- exit 0
    "#);
}

#[test]
fn config_is_toml() {
    let folder = folder();
    std::fs::write(folder.path().join("rankgate.toml"), CONFIG).unwrap();
    let first = rankgate(folder.path(), &["config"]).env("RUNS", ".").output().unwrap().stdout;
    std::fs::write(folder.path().join("again.toml"), &first).unwrap();
    let again =
        rankgate(folder.path(), &["config", "-c", "again.toml"]).env("RUNS", ".").output().unwrap().stdout;
    let digest = |out: &[u8]| String::from_utf8_lossy(out).lines().last().map(String::from);
    assert_eq!(digest(&first), digest(&again));
}

#[test]
fn mistakes_end_with_status_2() {
    let folder = folder();
    std::fs::write(folder.path().join("rankgate.toml"), CONFIG.replace("path", "pth")).unwrap();
    assert_snapshot!(shown(&mut rankgate(folder.path(), &["config"])), @r#"
    --- stderr
    error: rankgate.toml:2:1: missing `golden.path`
    hint: the file of your questions; judgements need `golden.qrels` and `golden.queries`
    error: rankgate.toml:3:1: unknown key `golden.pth`
    hint: did you mean `path`?
    error: rankgate.toml:5:1: missing `retriever.path`
    hint: kind `run` is a run file: the recorded answers of any retriever
    error: rankgate.toml:7:1: unknown key `retriever.pth`
    hint: did you mean `path`?
    --- exit 2
    "#);
    assert_snapshot!(shown(&mut rankgate(folder.path(), &["confg"])), @r#"
    --- stderr
    error: unrecognized subcommand 'confg'

      tip: a similar subcommand exists: 'config'

    Usage: rankgate [OPTIONS] <COMMAND>

    For more information, try '--help'.
    --- exit 2
    "#);
    assert_snapshot!(shown(&mut rankgate(folder.path(), &["config", "--set", "\u{1b}[31mx", "-c", "rankgate.toml"])), @r#"
    --- stderr
    error: --set: `\u{1b}[31mx` is not of the form key=value
    hint: for instance --set retriever.kind=bm25
    error: rankgate.toml:2:1: missing `golden.path`
    hint: the file of your questions; judgements need `golden.qrels` and `golden.queries`
    error: rankgate.toml:3:1: unknown key `golden.pth`
    hint: did you mean `path`?
    error: rankgate.toml:5:1: missing `retriever.path`
    hint: kind `run` is a run file: the recorded answers of any retriever
    error: rankgate.toml:7:1: unknown key `retriever.pth`
    hint: did you mean `path`?
    --- exit 2
    "#);
}

#[test]
fn the_schema_of_the_configuration_is_json() {
    let folder = folder();
    let output = rankgate(folder.path(), &["schema", "config"]).output().unwrap();
    let schema: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(schema["title"], "rankgate.toml");
}

#[test]
fn completions_come_for_every_shell() {
    let folder = folder();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output = rankgate(folder.path(), &["completions", shell]).output().unwrap();
        assert!(output.status.success());
        let script = String::from_utf8(output.stdout).unwrap();
        assert!(script.contains("--report-only") || script.contains("report-only"), "{shell}");
    }
}

#[test]
fn help_says_what_the_exit_status_means() {
    let folder = folder();
    let help = shown(&mut rankgate(folder.path(), &["--help"]));
    assert!(help.contains("Exit status:\n  0  passed"), "{help}");
    assert!(help.lines().all(|line| line.chars().count() <= 100));
    assert_snapshot!(shown(&mut rankgate(folder.path(), &["-h"])), @r#"
    Retrieval regression testing for RAG

    Usage: rankgate [OPTIONS] <COMMAND>

    Commands:
      demo         Watch a gate pass, and then fail, on a built-in example
      init         Write a configuration, a starter golden set and a CI workflow
      check        Check configuration, golden set, corpus and retriever without scoring
      run          Ask all questions, score the answers and judge the gate
      accept       Make a report the baseline that later runs are compared with
      query        Ask one question and see its hits beside the expected evidence
      score        Score a run file against relevance judgements, compatible with `trec_eval`
      compare      Compare reports, baselines or run files: what moved, and whether it is more than
                   chance
      metrics      List the measures, or explain one
      config       Show every value of the configuration that holds, and where it came from
      schema       Print a JSON Schema
      completions  Print the completions of a shell

    Options:
      -h, --help     Print help (see more with '--help')
      -V, --version  Print version

    Global options:
      -c, --config <PATH>    The configuration file [default: the nearest `rankgate.toml`, from here
                             upwards]
          --set <KEY=VALUE>  Set a key of the configuration, such as `retriever.kind=bm25`; may be
                             repeated
          --color <WHEN>     Colour: on terminals, always or never [default: auto] [possible values:
                             auto, always, never]
          --quiet            Print results and errors only
    --- stderr
    --- exit 0
    "#);
    assert_snapshot!(shown(&mut rankgate(folder.path(), &["run", "-h"])), @r#"
    Ask all questions, score the answers and judge the gate

    Usage: rankgate run [OPTIONS]

    Options:
      -o, --output <[FORMAT:]PATH>  Write a report as `json`, `junit`, `md`, `csv` or `text`; may be
                                    repeated
          --gate <RULE>             Add a rule to those of the configuration; may be repeated
          --common-queries          Compare only the questions that have not changed since the baseline
          --report-only             Print the verdict, but do not fail on it: end with 0, or with 2
                                    where there is none
          --repeat <N>              Ask every question N times, to see how much the retriever moves by
                                    itself
          --repeat-failed <N>       Ask the questions that fell N times more, to see which falls repeat
          --redact                  Hide every text and hash every id, in all that is written and
                                    printed
      -m, --measures <MEASURE>      Report these measures instead of the configured ones; may be
                                    repeated, or parted by commas
          --depth <N>               Ask for this many hits
      -h, --help                    Print help (see more with '--help')

    Some questions only:
          --only <ID[,ID...]>    Ask the questions with these ids; may be repeated
          --category <NAME>      Ask the questions of this category; may be repeated (any of them)
          --tag <NAME>           Ask the questions with this tag; may be repeated (any of them)
          --where <FIELD=VALUE>  Ask the questions whose field, tag or parameter has this value; may be
                                 repeated (all of them)
          --failed <REPORT>      Ask the questions that failed in this JSON report
          --limit <N>            Ask the first N questions that are left

    Global options:
      -c, --config <PATH>    The configuration file [default: the nearest `rankgate.toml`, from here
                             upwards]
          --set <KEY=VALUE>  Set a key of the configuration, such as `retriever.kind=bm25`; may be
                             repeated
          --color <WHEN>     Colour: on terminals, always or never [default: auto] [possible values:
                             auto, always, never]
          --quiet            Print results and errors only

    Examples:
      rankgate run
      rankgate run -o report.json -o junit:build/retrieval.xml
      rankgate run --gate 'mrr@10 >= 0.75' --set retriever.kind=bm25
      rankgate run --category billing --failed report.json
    --- stderr
    --- exit 0
    "#);
}

#[test]
fn the_help_of_run_names_every_format() {
    let help = shown(&mut rankgate(folder().path(), &["run", "--help"]));
    for name in ["`json`", "`junit`", "`text`", "`.json`", "`.xml`", "`.txt`", "`-`"] {
        assert!(help.contains(name), "{name} in {help}");
    }
}
