//! The command line as it is parsed: plain values, nothing looked up.
//!
//! What the doc comments here say is what `--help` prints.

use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::builder::NonEmptyStringValueParser;
use clap::builder::styling::{AnsiColor, Styles};
use clap::{ArgGroup, Args, ColorChoice, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use crate::exit_status;

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

/// Retrieval regression testing for RAG.
///
/// A golden set of questions with known evidence is asked of the retriever, scored with information retrieval
/// measures, and judged by the rules of `rankgate.toml`: the exit status says whether retrieval got worse.
#[derive(Debug, Parser)]
#[command(
    name = "rankgate",
    version,
    styles = STYLES,
    max_term_width = 100,
    disable_help_subcommand = true,
    after_long_help = exit_status::HELP
)]
pub struct Cli {
    #[command(flatten)]
    pub global: GlobalArgs,
    #[command(subcommand)]
    pub command: Command,
}

/// What every verb understands.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Global options")]
pub struct GlobalArgs {
    /// The configuration file [default: the nearest `rankgate.toml`, from here upwards]
    ///
    /// Without this flag the variable `RANKGATE_CONFIG` names the file.
    #[arg(short, long, global = true, value_name = "PATH")]
    pub config: Option<PathBuf>,

    /// Set a key of the configuration, such as `retriever.kind=bm25`; may be repeated
    ///
    /// Overrides the file and the environment (`RANKGATE_<TABLE>__<KEY>`). The value is read as TOML where the key
    /// wants more than text, and taken as it is otherwise.
    #[arg(long, global = true, value_name = "KEY=VALUE")]
    pub set: Vec<String>,

    /// Colour: on terminals, always or never
    #[arg(long, global = true, value_name = "WHEN", default_value_t = ColorChoice::Auto)]
    pub color: ColorChoice,

    /// Print results and errors only
    #[arg(long, global = true)]
    pub quiet: bool,
}

/// The verbs.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Watch a gate pass, and then fail, on a built-in example
    ///
    /// Needs no file and no network: a small corpus is searched for a golden set twice, the second time with a
    /// tokenizer that is broken on purpose.
    Demo,
    /// Write a configuration, a starter golden set and a CI workflow
    ///
    /// The starter works at once. Files that exist are left alone.
    #[command(after_help = "Examples:\n  rankgate init\n  rankgate init services/search")]
    Init(InitArgs),
    /// Check configuration, golden set, corpus and retriever without scoring
    ///
    /// Names everything that is wrong at once: keys, questions without evidence, evidence that the corpus lacks,
    /// rules that cannot be read.
    #[command(
        after_help = "Examples:\n  rankgate check\n  rankgate check --set corpus.path=build/corpus.jsonl"
    )]
    Check,
    /// Ask all questions, score the answers and judge the gate
    ///
    /// Asks the retriever every question of the golden set, scores what it returns, judges the rules of `[gate]`,
    /// prints the report and ends with the exit status of the verdict. A run of some questions only (`--only`,
    /// `--category`, `--tag`, `--where`, `--failed`, `--limit`) skips the rules that need them all.
    #[command(after_help = RUN_EXAMPLES)]
    Run(RunArgs),
    /// Make a report the baseline that later runs are compared with
    ///
    /// Writes the answers of a JSON report, or of a run made now, to `baseline.path`, to be committed. Refuses what
    /// should not become the standard: a gate that failed (unless `--force` says that the loss is intended), rules that
    /// could not be judged, a run of some questions, a golden set that has changed since the report.
    #[command(after_help = ACCEPT_EXAMPLES)]
    Accept(AcceptArgs),
    /// Ask one question and see its hits beside the expected evidence
    ///
    /// Prints the hits with their texts, marks the expected ones, and says which needs are met.
    #[command(
        after_help = "Examples:\n  rankgate query q17\n  rankgate query --text \"how do refunds work\" -k 5"
    )]
    Query(QueryArgs),
    /// Score a run file against relevance judgements, compatible with `trec_eval`
    ///
    /// Needs no configuration. Measures may be named as `rankgate metrics` does or as `trec_eval` does.
    #[command(after_help = SCORE_EXAMPLES)]
    Score(ScoreArgs),
    /// Compare reports, baselines or run files: what moved, and whether it is more than chance
    ///
    /// The first input is the reference, and every other is compared with it: means with intervals and tests, categories,
    /// questions by what they lost, hits that nobody judged, what else is different. Questions meet by their ids. Needs
    /// no configuration, and judges nothing: it ends with 0 wherever it could compare.
    #[command(after_help = COMPARE_EXAMPLES)]
    Compare(CompareArgs),
    /// List the measures, or explain one
    #[command(after_help = "Examples:\n  rankgate metrics\n  rankgate metrics ndcg")]
    Metrics(MetricsArgs),
    /// Show every value of the configuration that holds, and where it came from
    ///
    /// The output is TOML. References to environment variables are shown as they are written.
    #[command(after_help = "Examples:\n  rankgate config\n  rankgate config --set retriever.kind=bm25")]
    Config,
    /// Print a JSON Schema
    #[command(after_help = "Examples:\n  rankgate schema config > rankgate.schema.json")]
    Schema(SchemaArgs),
    /// Print the completions of a shell
    #[command(after_help = COMPLETIONS_EXAMPLES)]
    Completions(CompletionsArgs),
}

const RUN_EXAMPLES: &str = "\
Examples:
  rankgate run
  rankgate run -o report.json -o junit:build/retrieval.xml
  rankgate run --gate 'mrr@10 >= 0.75' --set retriever.kind=bm25
  rankgate run --category billing --failed report.json";

const ACCEPT_EXAMPLES: &str = "\
Examples:
  rankgate accept
  rankgate accept report.json
  rankgate accept --force --reason 'smaller index, agreed with support'";

const SCORE_EXAMPLES: &str = "\
Examples:
  rankgate score --qrels test.qrels --run bm25.run
  rankgate score --qrels test.qrels --run bm25.run -m ndcg_cut_10 -m map -q --format trec";

const COMPARE_EXAMPLES: &str = "\
Examples:
  rankgate compare main.json branch.json
  rankgate compare eval/baseline.jsonl report.json --all
  rankgate compare old.run new.run --qrels test.qrels -m ndcg@10 -m mrr@10
  rankgate compare old.run new.run --golden eval/questions.jsonl --unjudged-out todo.tsv -o moved.csv";

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  rankgate completions bash > ~/.local/share/bash-completion/completions/rankgate
  rankgate completions zsh > ~/.zfunc/_rankgate
  rankgate completions fish > ~/.config/fish/completions/rankgate.fish";

/// `init`
#[derive(Debug, Args)]
pub struct InitArgs {
    /// The folder to write to; made if it is not there
    #[arg(default_value = ".", value_name = "DIR")]
    pub dir: PathBuf,
}

/// `run`
#[derive(Debug, Args)]
pub struct RunArgs {
    /// Write a report as `json`, `junit`, `md`, `csv` or `text`; may be repeated
    ///
    /// The format is known by the ending (`.json`, `.xml`, `.md`, `.csv`, `.txt`) unless it is named before a colon, as
    /// in `junit:out/report`. The path `-`, after a format, is standard output in place of the screen. `md` is for a
    /// job summary or a comment, `csv` for a spreadsheet: one line a question.
    #[arg(short, long, value_name = "[FORMAT:]PATH")]
    pub output: Vec<String>,

    /// Add a rule to those of the configuration; may be repeated
    ///
    /// The rules of the file stay: this asks for more, never for less. To replace them, use `--set gate.rules=[...]`.
    #[arg(long, value_name = "RULE")]
    pub gate: Vec<String>,

    /// Compare only the questions that have not changed since the baseline
    ///
    /// The same as `--set baseline.golden_changed=common`.
    #[arg(long)]
    pub common_queries: bool,

    /// Print the verdict, but do not fail on it: end with 0, or with 2 where there is none
    #[arg(long)]
    pub report_only: bool,

    /// Ask every question N times, to see how much the retriever moves by itself
    ///
    /// The first asking is scored and judged, as without this flag; the others tell how many hits come and go, how far
    /// the means move, and which questions are unstable.
    #[arg(long, value_name = "N", value_parser = times_in_all, conflicts_with = "repeat_failed")]
    pub repeat: Option<u32>,

    /// Ask the questions that fell N times more, to see which falls repeat
    ///
    /// Those that lost their evidence since the baseline; without a baseline those that missed. The verdict stays that of
    /// the first asking.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub repeat_failed: Option<u32>,
    /// Hide every text and hash every id, in all that is written and printed
    ///
    /// The same as `--set privacy.text=none --set privacy.ids=hash`.
    #[arg(long)]
    pub redact: bool,

    /// Report these measures instead of the configured ones; may be repeated, or parted by commas
    #[arg(short, long, value_name = "MEASURE")]
    pub measures: Vec<String>,

    /// Ask for this many hits
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub depth: Option<u32>,

    #[command(flatten)]
    pub selection: SelectionArgs,
}

/// Which questions are asked: those that every given filter lets through.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Some questions only")]
pub struct SelectionArgs {
    /// Ask the questions with these ids; may be repeated
    #[arg(long, value_name = "ID[,ID...]", value_delimiter = ',')]
    pub only: Vec<String>,

    /// Ask the questions of this category; may be repeated (any of them)
    #[arg(long, value_name = "NAME")]
    pub category: Vec<String>,

    /// Ask the questions with this tag; may be repeated (any of them)
    #[arg(long, value_name = "NAME")]
    pub tag: Vec<String>,

    /// Ask the questions whose field, tag or parameter has this value; may be repeated (all of them)
    #[arg(long = "where", value_name = "FIELD=VALUE", value_parser = field_value)]
    pub conditions: Vec<(String, String)>,

    /// Ask the questions that failed in this JSON report
    #[arg(long, value_name = "REPORT")]
    pub failed: Option<PathBuf>,

    /// Ask the first N questions that are left
    #[arg(long, value_name = "N")]
    pub limit: Option<NonZeroU32>,
}

/// `accept`
#[derive(Debug, Args)]
pub struct AcceptArgs {
    /// A JSON report of `run` [default: asks all questions now]
    #[arg(value_name = "REPORT")]
    pub report: Option<PathBuf>,

    /// Accept although the gate failed, could not be judged or could not be compared
    #[arg(long, requires = "reason")]
    pub force: bool,

    /// Why, for whoever reads the history
    #[arg(long, value_name = "TEXT", value_parser = NonEmptyStringValueParser::new())]
    pub reason: Option<String>,

    /// Hash the ids that the baseline keeps, and hide texts and ids on the screen
    ///
    /// The same as `--set privacy.text=none --set privacy.ids=hash`. Later runs find their questions by the hashes.
    #[arg(long)]
    pub redact: bool,

    /// Who accepts [default: `user.name` of git]
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    pub by: Option<String>,
}

/// `query`
#[derive(Debug, Args)]
#[group(skip)]
#[command(group(ArgGroup::new("question").required(true).args(["case", "text"])))]
pub struct QueryArgs {
    /// The id of a question of the golden set
    #[arg(value_name = "CASE_ID")]
    pub case: Option<String>,

    /// Any other question
    #[arg(long, value_name = "TEXT")]
    pub text: Option<String>,

    /// How many hits to show
    #[arg(short, value_name = "N", default_value = "10")]
    pub k: NonZeroU32,
}

/// `score`
#[derive(Debug, Args)]
pub struct ScoreArgs {
    /// Relevance judgements, in TREC or BEIR form
    #[arg(long, value_name = "FILE")]
    pub qrels: PathBuf,

    /// The run, in TREC or JSON form
    #[arg(long, value_name = "FILE")]
    pub run: PathBuf,

    /// What to compute; may be repeated, or parted by commas
    #[arg(short, long, value_name = "MEASURE")]
    pub measures: Vec<String>,

    /// Print the values of each query, too
    #[arg(short = 'q', long)]
    pub per_query: bool,

    /// What to print
    #[arg(long, value_enum, value_name = "HOW", default_value_t = ScoreFormat::Table)]
    pub format: ScoreFormat,

    /// A judged query that the run lacks
    #[arg(long, value_enum, value_name = "HOW", default_value_t = Missing::Zero)]
    pub missing: Missing,

    /// A query that is judged, and has nothing relevant
    #[arg(long, value_enum, value_name = "HOW", default_value_t = NoNeeds::Skip)]
    pub no_needs: NoNeeds,

    /// A document that the run lists twice for a query
    #[arg(long, value_enum, value_name = "HOW", default_value_t = Duplicates::Error)]
    pub duplicates: Duplicates,
}

/// `compare`
#[derive(Debug, Args)]
pub struct CompareArgs {
    /// JSON reports of `run`, baselines, or run files in TREC or JSON form, the reference first
    #[arg(required = true, value_name = "INPUT")]
    pub inputs: Vec<PathBuf>,

    /// Relevance judgements for run files, in TREC or BEIR form
    #[arg(long, value_name = "FILE", conflicts_with = "golden")]
    pub qrels: Option<PathBuf>,

    /// The texts of the queries of `--qrels`, to be shown
    #[arg(long, value_name = "FILE", requires = "qrels")]
    pub queries: Option<PathBuf>,

    /// A golden set for run files
    #[arg(long, value_name = "FILE")]
    pub golden: Option<PathBuf>,

    /// Compare by these measures; may be repeated, or parted by commas [default: those of the reports]
    ///
    /// The first is the one that losses are sorted by.
    #[arg(short, long, value_name = "MEASURE")]
    pub measures: Vec<String>,

    /// Leave out questions that were asked or labelled otherwise, instead of refusing
    #[arg(long)]
    pub common_queries: bool,

    /// List every question that moved, not only the largest losses
    #[arg(long)]
    pub all: bool,

    /// Write the hits of the top that nobody judged to a table, for labelling
    #[arg(long, value_name = "FILE")]
    pub unjudged_out: Option<PathBuf>,

    /// Hide every text and hash every id, in all that is written and printed
    ///
    /// The same as `--set privacy.text=none --set privacy.ids=hash`.
    #[arg(long)]
    pub redact: bool,

    /// Write the comparison as `json`, `md`, `csv` or `text`; may be repeated
    ///
    /// The format is known by the ending (`.json`, `.md`, `.csv`, `.txt`) unless it is named before a colon. The path `-`,
    /// after a format, is standard output in place of the screen.
    #[arg(short, long, value_name = "[FORMAT:]PATH")]
    pub output: Vec<String>,
}

/// How scores are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ScoreFormat {
    /// Aligned columns
    Table,
    /// As `trec_eval` prints them
    Trec,
    /// JSON
    Json,
}

/// What becomes of a judged query that the run lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Missing {
    /// Counts as zero
    Zero,
    /// Is left out and counted, as `trec_eval` does without -c
    Skip,
    /// Stops with an error
    Error,
}

/// What becomes of a query without anything relevant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum NoNeeds {
    /// Is left out and counted
    Skip,
    /// Counts as zero, as `trec_eval` does
    Zero,
}

/// What becomes of a document that is listed twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Duplicates {
    /// Stops with an error
    Error,
    /// Counts once, with its best score
    KeepBest,
}

/// `metrics`
#[derive(Debug, Args)]
pub struct MetricsArgs {
    /// The measure to explain
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
}

/// `schema`
#[derive(Debug, Args)]
pub struct SchemaArgs {
    /// Of what
    #[arg(value_enum, value_name = "NAME")]
    pub name: SchemaName,
}

/// What there is a schema of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SchemaName {
    /// The configuration, `rankgate.toml`
    Config,
    /// The JSON report of `run`
    Report,
    /// The JSON form of `compare`
    Compare,
}

/// `completions`
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    pub shell: Shell,
}

/// How often every question is asked, the first time included.
fn times_in_all(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(0 | 1) => Err("the first asking counts as one: it takes 2 or more to see a difference".to_owned()),
        Ok(times) => Ok(times),
        Err(_) => Err("wanted is a whole number from 2".to_owned()),
    }
}

/// Parts `FIELD=VALUE`.
fn field_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((field, value)) if !field.trim().is_empty() => {
            Ok((field.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err("wanted is a field and its value, such as `category=billing`".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_parser_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_verb_explains_itself() {
        for verb in Cli::command().get_subcommands() {
            assert!(verb.get_about().is_some(), "{}", verb.get_name());
            for argument in verb.get_arguments() {
                assert!(argument.get_help().is_some(), "{} {}", verb.get_name(), argument.get_id());
            }
        }
    }

    #[test]
    fn filters_parse() {
        let args =
            ["rankgate", "run", "--only", "a,b", "--only", "c", "--where", "lang = en", "--limit", "3"];
        let Command::Run(run) = Cli::try_parse_from(args).unwrap().command else { panic!("not run") };
        assert_eq!(run.selection.only, ["a", "b", "c"]);
        assert_eq!(run.selection.conditions, [("lang".to_owned(), "en".to_owned())]);
        for bad in [["--where", "lang"], ["--where", "=x"], ["--limit", "0"], ["--depth", "0"]] {
            assert!(Cli::try_parse_from(["rankgate", "run"].iter().chain(&bad)).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn repeats_parse() {
        let parse = |args: &[&str]| Cli::try_parse_from(["rankgate", "run"].iter().chain(args));
        let Command::Run(run) = parse(&["--repeat", "3"]).unwrap().command else { panic!("not run") };
        assert_eq!((run.repeat, run.repeat_failed), (Some(3), None));
        assert!(parse(&["--repeat-failed", "1"]).is_ok());
        let bad: [&[&str]; 5] = [
            &["--repeat", "1"],
            &["--repeat", "0"],
            &["--repeat", "twice"],
            &["--repeat-failed", "0"],
            &["--repeat", "2", "--repeat-failed", "2"],
        ];
        for bad in bad {
            assert!(parse(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_query_is_a_case_or_a_text() {
        assert!(Cli::try_parse_from(["rankgate", "query"]).is_err());
        assert!(Cli::try_parse_from(["rankgate", "query", "q1", "--text", "x"]).is_err());
        assert!(Cli::try_parse_from(["rankgate", "query", "q1", "-k", "3"]).is_ok());
    }
}
