//! `bench gate`: CPU time and memory of a whole gate, from the run file to the verdict, with tests and movement.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

use super::{Result, median, output, root};

const SCRIPT: &str = include_str!("gate.py");

const CONFIG: &str = "name = 'task'\n[golden]\npath = 'golden.jsonl'\n[retriever]\nkind = 'run'\n\
    path = 'baseline.run'\n[measures]\nreport = ['hit_rate@10', 'ndcg@10', 'mrr@10']\n[baseline]\n\
    path = 'baseline.jsonl'\n[gate]\nrules = ['no regression on ndcg@10', 'lost@10 <= 3', \
    'each(category) hit_rate@10 drop <= 0.05', 'hit_rate@10 drop significant']\n";

/// One size of the task, and what the gate may take.
struct Task {
    preset: &'static str,
    text: &'static str,
    most_seconds: f64,
    most_megabytes: Option<f64>,
}

const TASKS: [Task; 2] = [
    Task { preset: "small", text: "200 questions", most_seconds: 0.05, most_megabytes: None },
    Task {
        preset: "large",
        text: "10,000 questions, 2 × 1M lines",
        most_seconds: 1.5,
        most_megabytes: Some(200.0),
    },
];

/// What one process took.
#[derive(Debug, Clone, Copy, Deserialize)]
struct Measured {
    seconds: f64,
    megabytes: f64,
}

/// Runs the benchmark and returns the table.
pub fn run(options: &[&str]) -> Result<String> {
    let (mut rounds, mut binary) = (7_usize, None);
    let mut arguments = options.iter();
    while let Some(name) = arguments.next() {
        let value = arguments.next().ok_or_else(|| format!("{name} wants a value"))?;
        match *name {
            "--rounds" => rounds = value.parse()?,
            "--binary" => binary = Some(PathBuf::from(value)),
            _ => return Err(format!("no option {name}: --rounds, --binary").into()),
        }
    }
    let root = root()?;
    let binary = match binary {
        Some(binary) => binary.canonicalize()?,
        None => build(root)?,
    };
    let mut out = format!(
        "One gate, from the run file to the verdict, medians of {rounds} rounds (CPU time, peak memory)\n\n\
         | task | step | time | at most | memory | at most |\n| --- | --- | ---: | ---: | ---: | ---: |\n"
    );
    for task in &TASKS {
        let folder = root.join("target/bench").join(format!("gate-{}", task.preset));
        task.make(root, &folder)?;
        let measure = |step: &str, arguments: &[&str], status: &str| -> Result<Vec<Measured>> {
            (1..=rounds)
                .map(|round| {
                    let mut command = Command::new("python3");
                    command.current_dir(&folder).args(["gate.py", status]).arg(&binary).args(arguments);
                    let measured: Measured = serde_json::from_str(&output(&mut command)?)?;
                    eprintln!("round {round}  {:6}  {step:10}  {measured:?}", task.preset);
                    Ok(measured)
                })
                .collect()
        };
        let candidate = ["run", "--set", "retriever.path=candidate.run"];
        let steps = [
            ("accept", measure("accept", &["accept"], "0")?),
            ("run", measure("run", &candidate, "1")?),
            ("run -o json", measure("run -o json", &[&candidate[..], &["-o", "report.json"]].concat(), "1")?),
        ];
        for (step, measured) in steps {
            // The yardstick is that of the gate itself.
            let is_gate = step == "run";
            let bound = |most: Option<f64>, unit: &str| {
                most.filter(|_| is_gate).map_or_else(String::new, |most| format!("{most} {unit}"))
            };
            writeln!(
                out,
                "| {} | {step} | {:.3} s | {} | {:.1} MB | {} |",
                task.text,
                median(measured.iter().map(|measured| measured.seconds)),
                bound(Some(task.most_seconds), "s"),
                median(measured.iter().map(|measured| measured.megabytes)),
                bound(task.most_megabytes, "MB"),
            )?;
        }
    }
    Ok(out)
}

/// Builds the binary as it is released, but for the optimisation across crates.
fn build(root: &Path) -> Result<PathBuf> {
    let mut command = Command::new(env!("CARGO"));
    output(command.current_dir(root).args(["build", "--release", "--package", "rankgate-cli"]))?;
    Ok(root.join("target/release/rankgate"))
}

impl Task {
    /// Generates the files unless they are there. No baseline is left from the round before.
    fn make(&self, root: &Path, folder: &Path) -> Result<()> {
        fs::create_dir_all(folder)?;
        if !folder.join("truth.json").exists() {
            let shared =
                std::env::var_os("RANKGATE_SHARED").map_or_else(|| root.join("../shared"), PathBuf::from);
            let generator = shared.join("bench/gen_gate.py");
            if !generator.exists() {
                return Err(format!("{} is missing: set RANKGATE_SHARED", generator.display()).into());
            }
            let mut command = Command::new("python3");
            output(command.arg(generator).args(["--preset", self.preset, "--out"]).arg(folder))?;
        }
        if folder.join("baseline.jsonl").exists() {
            fs::remove_file(folder.join("baseline.jsonl"))?;
        }
        fs::write(folder.join("gate.py"), SCRIPT)?;
        fs::write(folder.join("rankgate.toml"), CONFIG)?;
        Ok(())
    }
}
