//! `bench stats`: CPU time of sign flips and of bootstrap intervals, ours and that of scipy, on the same differences.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

use super::{Result, build_example, install, is_installed, median, output, root};

const SCRIPT: &str = include_str!("stats.py");
const PACKAGES: [&str; 1] = ["scipy"];

/// One statistic, which all systems are asked for.
struct Task {
    text: &'static str,
    pairs: usize,
    draws: u32,
    /// What the printed result is.
    result: &'static str,
    /// Names and arguments. The first system is ours; the others are functions of the script.
    systems: &'static [(&'static str, &'static str)],
}

const TASKS: [Task; 2] = [
    Task {
        text: "sign-flip test",
        // As many questions as MS MARCO's small development set has.
        pairs: 6_980,
        draws: 10_000,
        result: "p",
        systems: &[
            ("rankgate", "sign_flip"),
            ("scipy permutation_test", "sign_flip"),
            ("scipy permutation_test, batch=1000", "sign_flip_batches"),
            ("numpy by hand, 1000 at a time", "sign_flip_numpy"),
        ],
    },
    Task {
        text: "BCa interval",
        pairs: 200,
        draws: 2_000,
        result: "low",
        systems: &[("rankgate", "bca"), ("scipy bootstrap", "bca")],
    },
];

struct Options {
    rounds: usize,
    python: Option<PathBuf>,
    install: bool,
}

/// What one process reports.
#[derive(Debug, Clone, Deserialize)]
struct Measured {
    version: String,
    seconds: f64,
    result: f64,
}

/// The measurements of one system.
struct Row {
    task: &'static Task,
    system: &'static str,
    argument: &'static str,
    is_ours: bool,
    measured: Vec<Measured>,
}

/// Runs the benchmark and returns the table.
pub fn run(options: &[&str]) -> Result<String> {
    let options = parse(options)?;
    let root = root()?;
    let folder = root.join("target/bench/stats");
    fs::create_dir_all(&folder)?;
    let script = folder.join("stats.py");
    fs::write(&script, SCRIPT)?;
    let python =
        if options.install { install(root, &PACKAGES)? } else { options.python.unwrap_or("python3".into()) };
    let has_scipy = is_installed(&python, "scipy");
    let example = build_example(root, "rankgate-metrics", "bench_stats")?;

    for task in &TASKS {
        let generate = ["generate", &task.pairs.to_string()];
        output(Command::new(&python).arg(&script).args(generate).arg(task.differences(&folder)))?;
    }
    let mut rows: Vec<Row> =
        TASKS.iter().flat_map(Task::rows).filter(|row| row.is_ours || has_scipy).collect();
    for round in 1..=options.rounds {
        for row in &mut rows {
            let mut command = if row.is_ours { Command::new(&example) } else { Command::new(&python) };
            command.args((!row.is_ours).then_some(&script));
            command.arg(row.argument).arg(row.task.differences(&folder)).arg(row.task.draws.to_string());
            let measured: Measured = serde_json::from_str(&output(&mut command)?)?;
            eprintln!("round {round}  {:14}  {:34}  {measured:?}", row.task.text, row.system);
            row.measured.push(measured);
        }
    }
    table(&rows, options.rounds)
}

fn parse(arguments: &[&str]) -> Result<Options> {
    let mut options = Options { rounds: 5, python: None, install: false };
    let mut arguments = arguments.iter();
    while let Some(name) = arguments.next() {
        if *name == "--install" {
            options.install = true;
            continue;
        }
        let value = arguments.next().ok_or_else(|| format!("{name} wants a value"))?;
        match *name {
            "--rounds" => options.rounds = value.parse()?,
            "--python" => options.python = Some(value.into()),
            _ => return Err(format!("no option {name}: --rounds, --python, --install").into()),
        }
    }
    Ok(options)
}

impl Task {
    fn differences(&self, folder: &Path) -> PathBuf {
        folder.join(format!("{}.txt", self.pairs))
    }

    fn rows(&'static self) -> impl Iterator<Item = Row> {
        self.systems.iter().enumerate().map(move |(index, &(system, argument))| Row {
            task: self,
            system,
            argument,
            is_ours: index == 0,
            measured: Vec::new(),
        })
    }
}

fn table(rows: &[Row], rounds: usize) -> Result<String> {
    let mut out = format!("One thread, medians of {rounds} rounds (CPU time):\n");
    let mut ours: &[Measured] = &[];
    for row in rows {
        let Task { text, pairs, draws, result, .. } = row.task;
        if row.is_ours {
            write!(out, "\n{text}, {pairs} pairs, {draws} draws:\n\n")?;
            writeln!(
                out,
                "| system | version | time | ratio | {result} |\n| --- | --- | ---: | ---: | ---: |"
            )?;
            ours = &row.measured;
        }
        let Some(Measured { version, result, .. }) = row.measured.first() else { continue };
        // Of times that were measured in the same round.
        let ratio = median(row.measured.iter().zip(ours).map(|(other, ours)| other.seconds / ours.seconds));
        let time = 1e3 * median(row.measured.iter().map(|measured| measured.seconds));
        writeln!(out, "| {} | {version} | {time:.2} ms | {ratio:.1} | {result:.4} |", row.system)?;
    }
    Ok(out)
}
