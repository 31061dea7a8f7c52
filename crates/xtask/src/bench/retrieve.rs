//! `bench retrieve`: CPU time of indexing and of answering, ours and that of Python libraries, on the same corpus.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

use super::{Result, build_example, install, is_installed, median, output, root};

const SCRIPT: &str = include_str!("retrieve.py");
const PACKAGES: [&str; 3] = ["scikit-learn", "bm25s", "tantivy"];

/// The tutorial loop takes milliseconds a question; so many show it well enough.
const LOOP_QUERIES: usize = 200;

/// What is measured.
struct System {
    name: &'static str,
    /// The argument of our example, or of the script.
    argument: &'static str,
    python: Option<&'static str>,
    /// The row that ratios of this row refer to; rows of one family answer the same questions the same way.
    family: &'static str,
}

const SYSTEMS: [System; 7] = [
    System { name: "rankgate tfidf", argument: "tfidf", python: None, family: "tfidf" },
    System { name: "rankgate hashing", argument: "hashing", python: None, family: "tfidf" },
    System {
        name: "scikit-learn, a query at a time",
        argument: "sklearn_loop",
        python: Some("scikit-learn"),
        family: "tfidf",
    },
    System {
        name: "scikit-learn, all queries at once",
        argument: "sklearn_batch",
        python: Some("scikit-learn"),
        family: "tfidf",
    },
    System { name: "rankgate bm25", argument: "bm25", python: None, family: "bm25" },
    System { name: "tantivy-py", argument: "tantivy", python: Some("tantivy"), family: "bm25" },
    System { name: "bm25s", argument: "bm25s", python: Some("bm25s"), family: "bm25" },
];

struct Options {
    chunks: usize,
    queries: usize,
    rounds: usize,
    python: Option<PathBuf>,
    install: bool,
}

/// What one process reports.
#[derive(Debug, Clone, Deserialize)]
struct Measured {
    version: String,
    index_seconds: f64,
    query_seconds: f64,
    queries: usize,
}

/// Runs the benchmark and returns the table.
pub fn run(options: &[&str]) -> Result<String> {
    let options = parse(options)?;
    let root = root()?;
    let folder = root.join("target/bench").join(format!("retrieve-{}-{}", options.chunks, options.queries));
    fs::create_dir_all(&folder)?;
    let python = if options.install { Some(install(root, &PACKAGES)?) } else { options.python.clone() };
    let generator = python.clone().unwrap_or_else(|| "python3".into());
    let data = Data::make(root, &folder, &options, &generator)?;
    let example = build_example(root, "rankgate-retrievers", "bench_retrieve")?;
    fs::write(folder.join("retrieve.py"), SCRIPT)?;

    let present: Vec<&System> = SYSTEMS
        .iter()
        .filter(|system| match (&python, system.python) {
            (_, None) => true,
            (Some(python), Some(package)) => is_installed(python, package),
            (None, Some(_)) => false,
        })
        .collect();
    let mut rows: Vec<Row> = present.into_iter().map(|system| Row { system, measured: Vec::new() }).collect();
    for round in 1..=options.rounds {
        for row in &mut rows {
            let mut command = match &python {
                Some(python) if row.system.python.is_some() => {
                    let mut command = Command::new(python);
                    command.arg(folder.join("retrieve.py"));
                    command
                }
                _ => Command::new(&example),
            };
            command.arg(row.system.argument).args([&data.corpus, &data.queries]).arg(row.answers(&folder));
            if row.system.argument == "sklearn_loop" {
                command.arg(LOOP_QUERIES.min(options.queries).to_string());
            }
            let measured: Measured = serde_json::from_str(&output(&mut command)?)?;
            eprintln!("round {round}  {:34}  {measured:?}", row.system.name);
            row.measured.push(measured);
        }
    }
    table(&rows, &folder, &options)
}

fn parse(arguments: &[&str]) -> Result<Options> {
    let mut options = Options { chunks: 10_000, queries: 1_000, rounds: 5, python: None, install: false };
    let mut arguments = arguments.iter();
    while let Some(name) = arguments.next() {
        if *name == "--install" {
            options.install = true;
            continue;
        }
        let value = arguments.next().ok_or_else(|| format!("{name} wants a value"))?;
        match *name {
            "--chunks" => options.chunks = value.parse()?,
            "--queries" => options.queries = value.parse()?,
            "--rounds" => options.rounds = value.parse()?,
            "--python" => options.python = Some(value.into()),
            _ => {
                return Err(
                    format!("no option {name}: --chunks, --queries, --rounds, --python, --install").into()
                );
            }
        }
    }
    Ok(options)
}

/// The generated files.
struct Data {
    corpus: PathBuf,
    queries: PathBuf,
}

impl Data {
    /// Generates them unless they are there.
    fn make(root: &Path, folder: &Path, options: &Options, python: &Path) -> Result<Self> {
        let data = Self { corpus: folder.join("corpus.jsonl"), queries: folder.join("queries.tsv") };
        if !data.corpus.exists() || !data.queries.exists() {
            let shared =
                std::env::var_os("RANKGATE_SHARED").map_or_else(|| root.join("../shared"), PathBuf::from);
            let generator = shared.join("bench/gen_corpus.py");
            if !generator.exists() {
                return Err(format!("{} is missing: set RANKGATE_SHARED", generator.display()).into());
            }
            let mut command = Command::new(python);
            command.arg(generator).args(["--chunks", &options.chunks.to_string()]);
            command.args(["--queries", &options.queries.to_string()]).arg("--out").arg(folder);
            output(&mut command)?;
        }
        Ok(data)
    }
}

/// The measurements of one system.
struct Row {
    system: &'static System,
    measured: Vec<Measured>,
}

impl Row {
    fn answers(&self, folder: &Path) -> PathBuf {
        folder.join(format!("{}.answers", self.system.argument))
    }

    fn index_seconds(&self) -> f64 {
        median(self.measured.iter().map(|m| m.index_seconds))
    }

    fn query_microseconds(&self) -> f64 {
        median(self.measured.iter().map(|m| 1e6 * m.query_seconds / m.queries as f64))
    }

    /// The share of another system's ten best that are among this one's.
    fn overlap(&self, other: &Self, folder: &Path) -> Result<f64> {
        let (ours, theirs) =
            (fs::read_to_string(self.answers(folder))?, fs::read_to_string(other.answers(folder))?);
        let (mut shared, mut all) = (0_usize, 0_usize);
        for (ours, theirs) in ours.lines().zip(theirs.lines()) {
            let ours: HashSet<&str> = ours.split_whitespace().collect();
            all += theirs.split_whitespace().count();
            shared += theirs.split_whitespace().filter(|id| ours.contains(id)).count();
        }
        Ok(shared as f64 / all.max(1) as f64)
    }
}

fn table(rows: &[Row], folder: &Path, options: &Options) -> Result<String> {
    let mut out = format!(
        "{} chunks, {} queries, ten best, one thread, medians of {} rounds (CPU time)\n\n",
        options.chunks, options.queries, options.rounds
    );
    out += "| system | version | index | ratio | query | ratio | same ten best |\n";
    out += "| --- | --- | ---: | ---: | ---: | ---: | ---: |\n";
    for row in rows {
        let first = rows.iter().find(|other| other.system.family == row.system.family).unwrap_or(row);
        let version = row.measured.first().map_or("", |measured| measured.version.as_str());
        let (index, query) = (row.index_seconds(), row.query_microseconds());
        writeln!(
            out,
            "| {} | {version} | {index:.3} s | {:.1} | {query:.1} µs | {:.1} | {:.1} % |",
            row.system.name,
            index / first.index_seconds(),
            query / first.query_microseconds(),
            100.0 * row.overlap(first, folder)?,
        )?;
    }
    Ok(out)
}
