//! `rankgate score` against what `trec_eval` 10 prints: its own test files, and made-up cases.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rankgate_metrics::{Dialect, Measure};
use rankgate_test::{Output, shared};
use serde_json::Value;

use crate::shared_files::{assert_close, float, json, project, table, text};

/// Cases that ask for what `score` has not, with the reason. What becomes of the first two is tested below.
const SKIPPED: [(&str, &str); 4] = [
    ("18_score_syntax", "scores that are no numbers (`7,5`, `abc`) are refused, not read as far as they go"),
    ("20_grade_syntax", "grades that are no whole numbers (`1.9`, `2x`) are refused, not cut off"),
    ("23_judged_only", "-J: there is no switch that drops unjudged documents before ranking"),
    ("25_all_flags", "-J, as above"),
];

/// The options of `trec_eval` that change values, and that a spelling of the measures can stand for.
#[derive(Default, Clone, Copy)]
struct Options {
    /// -l: the lowest relevant grade.
    level: Option<u32>,
    /// -M: results are cut there before anything else.
    depth: Option<u32>,
}

impl Options {
    /// Our measure with the value that `trec_eval` prints under this name, where there is one.
    fn measure(self, name: &str) -> Option<Measure> {
        let is_whole = ["map", "recip_rank", "Rprec", "ndcg"].contains(&name);
        let is_cut = name.rsplit_once('_').is_some_and(|(family, cutoff)| {
            ["P", "recall", "ndcg_cut", "map_cut", "success"].contains(&family)
                && cutoff.bytes().all(|byte| byte.is_ascii_digit())
        });
        if !(is_whole || is_cut) {
            return None;
        }
        let mut measure = Measure::parse(name, Dialect::TrecCompatible).unwrap();
        if let Some(depth) = self.depth {
            measure = match (name, measure.cutoff()) {
                ("map" | "recip_rank", None) => measure.with_cutoff(depth).unwrap(),
                (_, Some(cutoff)) if cutoff <= depth => measure,
                // The rest divides by something that the cut does not change.
                _ => return None,
            };
        }
        // nDCG uses all grades whatever the level.
        if let Some(level) = self.level.filter(|_| !name.starts_with("ndcg")) {
            let cutoff = measure.cutoff().map_or(String::new(), |cutoff| format!("@{cutoff}"));
            let text = format!("{}(rel={level}){cutoff}", measure.definition().name);
            measure = text.parse().unwrap();
        }
        Some(measure)
    }
}

/// A pair of files, scored as `trec_eval -c` does.
struct Pair {
    qrels: PathBuf,
    run: PathBuf,
}

impl Pair {
    fn new(folder: &Path, qrels: &str, run: &str) -> Self {
        Self { qrels: folder.join(qrels), run: folder.join(run) }
    }

    fn score(&self, measures: &[String], more: &[&str]) -> Output {
        let mut command = vec!["score".to_owned(), "--no-needs=zero".into(), "-m".into(), measures.join(",")];
        command
            .extend([format!("--qrels={}", self.qrels.display()), format!("--run={}", self.run.display())]);
        command.extend(more.iter().map(|flag| (*flag).to_owned()));
        project().run(command)
    }

    /// Compares with a file of `measure`, `qid`, `value`, within 1e-9; the number of values.
    fn assert_values(&self, expected: &Path, options: Options) -> usize {
        let rows: Vec<(String, String, Measure, f64)> = table(expected)
            .into_iter()
            .filter_map(|mut row| {
                let name = row.remove("measure")?;
                let measure = options.measure(&name)?;
                Some((name, row.remove("qid")?, measure, row["value"].parse().unwrap()))
            })
            .collect();
        let mut measures: Vec<String> = rows.iter().map(|row| row.2.to_string()).collect();
        measures.sort_unstable();
        measures.dedup();
        let output = self.score(&measures, &["-q", "--format=json"]);
        assert_eq!(output.status, 0, "{}", output.stderr);
        let scored: Value = serde_json::from_str(&output.stdout).unwrap();
        for (name, query, measure, value) in &rows {
            let means = if query == "all" { &scored["means"] } else { &scored["queries"][query] };
            let what = format!("{} {name} ({measure}) of {query}", expected.display());
            let is = means[measure.as_str()].as_f64().unwrap_or_else(|| panic!("{what}: no value"));
            assert_close(is, *value, 1e-9, &what);
        }
        let queries: BTreeSet<&str> =
            rows.iter().map(|row| row.1.as_str()).filter(|query| *query != "all").collect();
        let ours: BTreeSet<&str> =
            scored["queries"].as_object().unwrap().keys().map(String::as_str).collect();
        assert!(queries.is_empty() || queries == ours, "{}: other queries", expected.display());
        rows.len()
    }

    /// Compares with what `trec_eval` prints, byte for byte, for the measures that both have; the number of lines.
    fn assert_lines(&self, expected: &Path, options: Options) -> usize {
        let known =
            |line: &&str| line.split_whitespace().next().is_some_and(|name| options.measure(name).is_some());
        let text = text(expected);
        let lines: Vec<&str> = text.lines().filter(known).collect();
        let mut measures: Vec<String> = Vec::new();
        for line in &lines {
            let name = line.split_whitespace().next().unwrap().to_owned();
            if !measures.contains(&name) {
                measures.push(name);
            }
        }
        let per_query = lines.iter().any(|line| line.split('\t').nth(1) != Some("all"));
        let flags: &[&str] = if per_query { &["-q", "--format=trec"] } else { &["--format=trec"] };
        let output = self.score(&measures, flags);
        assert_eq!(output.status, 0, "{}", output.stderr);
        let summary = lines.iter().any(|line| line.split('\t').nth(1) == Some("all"));
        let printed: Vec<&str> =
            output.stdout.lines().filter(|line| summary || line.split('\t').nth(1) != Some("all")).collect();
        for (printed, line) in printed.iter().zip(&lines) {
            assert_eq!(printed, line, "{}", expected.display());
        }
        assert_eq!(printed.len(), lines.len(), "{}", expected.display());
        lines.len()
    }
}

const PLAIN: Options = Options { level: None, depth: None };
/// The measures of `-m all_trec` that are compared, at the cut-offs they have there.
const OF_ALL_TREC: usize = 43;

#[test]
fn values_of_its_own_test_files() {
    let Some(folder) = shared("conformance/trec_eval") else { return };
    let pair = Pair::new(&folder, "qrels.test", "results.test");
    assert_eq!(pair.assert_values(&folder.join("all_trec.q.tsv"), PLAIN), 4 * OF_ALL_TREC);
    let missing = Pair::new(&folder, "qrels.test", "results.trunc");
    assert_eq!(missing.assert_values(&folder.join("all_trec.qc_trunc.tsv"), PLAIN), 4 * OF_ALL_TREC);
    let second = Pair::new(&folder, "qrels.rel_level", "results.test");
    let level = Options { level: Some(2), ..PLAIN };
    assert_eq!(second.assert_values(&folder.join("all_trec.q_l2.tsv"), level), 4 * OF_ALL_TREC);
    // At most 100 results: 6 cut-offs of 4 families, those of `success`, `map` and `recip_rank`.
    let cut = Options { depth: Some(100), ..PLAIN };
    assert_eq!(pair.assert_values(&folder.join("all_trec.q_M100.tsv"), cut), 4 * (6 * 4 + 3 + 2));
}

#[test]
fn lines_of_its_own_test_files() {
    let Some(folder) = shared("conformance/trec_eval") else { return };
    let files = [
        ("out.test.a", "qrels.test", "results.test", OF_ALL_TREC),
        ("out.test.aq", "qrels.test", "results.test", 4 * OF_ALL_TREC),
        ("out.test.aqc", "qrels.test", "results.trunc", 4 * OF_ALL_TREC),
        // `map`, `recip_rank`, `Rprec` and `P`: the measures of the default report.
        ("out.test", "qrels.test", "results.test", 12),
        ("out.test", "qrels.test.with-comments", "results.test", 12),
        ("out.comment.test", "qrels.comment.test", "results.comment.test", 12),
    ];
    for (expected, qrels, run, lines) in files {
        let pair = Pair::new(&folder, qrels, run);
        assert_eq!(pair.assert_lines(&folder.join(expected), PLAIN), lines, "{expected} {qrels}");
    }
    let pair = Pair::new(&folder, "qrels.test", "results.test");
    assert_eq!(pair.assert_lines(&folder.join("out.test.meas_params"), PLAIN), 4 * 11);
}

#[test]
fn made_up_cases() {
    let Some(folder) = shared("conformance/synthetic") else { return };
    let mut compared = 0;
    for case in json(&folder.join("manifest.json")).as_array().unwrap() {
        let name = case["case"].as_str().unwrap();
        if case["exit"] != 0 || SKIPPED.iter().any(|(skipped, _)| *skipped == name) {
            continue;
        }
        let options = options(case["args"].as_str().unwrap());
        let folder = folder.join(name);
        let pair = Pair::new(&folder, "qrels", "run");
        let values = pair.assert_values(&folder.join("expected.tsv"), options);
        assert!(values > 0, "{name}");
        if options.level.is_none() && options.depth.is_none() {
            let lines = pair.assert_lines(&folder.join("expected.out"), options);
            assert_eq!(lines, values, "{name}");
        }
        compared += 1;
    }
    assert_eq!(compared, 30, "33 cases and `e7_crlf` end well, {} of which are skipped", SKIPPED.len());
}

fn options(args: &str) -> Options {
    let mut options = PLAIN;
    let mut words = args.split_whitespace();
    while let Some(word) = words.next() {
        match word {
            "-l" => options.level = words.next().map(|level| level.parse().unwrap()),
            "-M" => options.depth = words.next().map(|depth| depth.parse().unwrap()),
            // -c is what `--missing=zero` does, the others only choose what is printed.
            "-m" => _ = words.next(),
            "-q" | "-c" | "-n" => {}
            other => panic!("{other} is not known here: the case belongs to the skipped ones"),
        }
    }
    options
}

#[test]
fn cases_that_are_refused() {
    let Some(folder) = shared("conformance/synthetic") else { return };
    let cases: [(&str, &[&str], &str); 8] = [
        ("18_score_syntax", &[], "run:2 (300) `score`: `7,5` is not a number"),
        ("20_grade_syntax", &[], "qrels:1 (300) `score`: the grade `1.9` is not a whole number"),
        (
            "34_stop_c_absent_all",
            &["--missing=error"],
            "qrels (300): the query is judged, and the run has no",
        ),
        ("e1_duplicate_in_run", &[], "run:31 (301): `D00021` is already on line 15"),
        ("e3_short_run_line", &[], "run:11: 4 columns where a TREC run has 6"),
        (
            "e4_no_overlap",
            &[],
            "qrels: no judged query is in the run: judged are 9300, 9301, the run has 300, 301",
        ),
        ("e4_no_overlap", &["--missing=skip"], "no judged query is in the run"),
        ("e5_empty_run", &[], "run: no results in this run"),
    ];
    for (case, flags, message) in cases {
        let output = Pair::new(&folder.join(case), "qrels", "run").score(&["map".into()], flags);
        assert_eq!((output.status, output.stdout.as_str()), (2, ""), "{case}: {}", output.stderr);
        assert!(output.stderr.contains(message), "{case}: {}", output.stderr);
    }
}

/// What `trec_eval` stops at and we do not: it can be told what is meant.
#[test]
fn cases_that_are_read_all_the_same() {
    let Some(folder) = shared("conformance/synthetic") else { return };
    let scored = |case: &str, flags: &[&str]| -> (Value, String) {
        let pair = Pair::new(&folder.join(case), "qrels", "run");
        let flags: Vec<&str> = ["-q", "--format=json"].iter().chain(flags).copied().collect();
        let output = pair.score(&["map".into()], &flags);
        assert_eq!(output.status, 0, "{case}: {}", output.stderr);
        (serde_json::from_str(&output.stdout).unwrap(), output.stderr)
    };
    // The rows that it prints before it stops.
    let before = |case: &str| table(&folder.join(case).join("expected.tsv"));
    for (case, flags, told) in [
        ("e1_duplicate_in_run", &["--duplicates=keep-best"][..], "1 repeated result is counted once"),
        (
            "e2_duplicate_in_qrels",
            &[],
            "qrels:25 (301): `D00005` is judged on line 11 already, with the same",
        ),
    ] {
        let (scored, stderr) = scored(case, flags);
        assert!(stderr.contains(told), "{case}: {stderr}");
        let rows = before(case);
        assert!(!rows.is_empty());
        for row in rows {
            let is = float(&scored["queries"][&row["qid"]]["map"]);
            assert_close(is, row["value"].parse().unwrap(), 1e-9, case);
        }
    }
    // A blank line says nothing.
    let (blank, stderr) = scored("e6_blank_in_qrels", &[]);
    assert_eq!((blank["queries_scored"].as_u64(), stderr.as_str()), (Some(2), ""));
    // Queries that the run lacks: told, and left out on request as `trec_eval` 9 did.
    let (zero, stderr) = scored("34_stop_c_absent_all", &[]);
    assert_eq!(zero["queries_scored"], 5);
    assert!(
        stderr.contains("2 judged queries are missing from the run and counted as 0: 300, 302"),
        "{stderr}"
    );
    let (skip, stderr) = scored("34_stop_c_absent_all", &["--missing=skip"]);
    assert_eq!(skip["queries_scored"], 3);
    assert!(stderr.contains("left out: 300, 302"), "{stderr}");
    assert_close(5.0 * float(&zero["means"]["map"]), 3.0 * float(&skip["means"]["map"]), 1e-9, "the sum");
}
