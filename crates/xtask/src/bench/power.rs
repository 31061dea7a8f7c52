//! `bench power`: how often `no regression on` fails a harmless change, and how often a real loss.
//!
//! The evidence of a question stands at a log-uniform rank of 1 to 30. The changed retriever ranks 30 % of the
//! questions anew, which is harmless, and loses evidence altogether with some probability, which is not. The decision
//! is that of the library.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use rankgate::gate::regression::{Loss, Settings, decide};
use rankgate_metrics::{Measure, NeedOutcome, Outcome};

use super::Result;

const MEASURES: [&str; 3] = ["mrr@10", "ndcg@10", "hit_rate@5"];
const DEPTH: u32 = 100;
const CHURN: f64 = 0.3;
/// The share of evidence that stands in no list, where it comes and goes.
const ABSENT: f64 = 0.1;

/// What is wanted of a question, and how its evidence moves.
#[derive(Debug, Clone, Copy)]
struct Shape {
    text: &'static str,
    needs: usize,
    /// All needs of a question leave the list and come back together, by chance: a test that takes them for
    /// independent sees losses everywhere.
    comes_and_goes: bool,
}

const SHAPES: [Shape; 3] = [
    Shape { text: "one need a question", needs: 1, comes_and_goes: false },
    Shape { text: "four needs a question", needs: 4, comes_and_goes: false },
    Shape { text: "four that come and go together", needs: 4, comes_and_goes: true },
];

struct Options {
    trials: u64,
    questions: usize,
    loss: f64,
    folder: Option<PathBuf>,
}

/// The ranks of a question's needs before and now.
type Ranks = (Vec<Option<u32>>, Vec<Option<u32>>);

/// Runs the simulation and returns the table.
pub fn run(options: &[&str]) -> Result<String> {
    let options = parse(options)?;
    let settings = Settings::default();
    let mut out = format!(
        "{} trials of {} questions; the share of trials in which the rule failed\n\n| evidence | loss |",
        options.trials, options.questions
    );
    let columns = MEASURES.len() + 2;
    writeln!(out, "{} |\n|{}", MEASURES.map(|name| format!(" {name}")).join(" |"), " --- |".repeat(columns))?;
    for shape in SHAPES {
        for loss in [0.0, options.loss] {
            let trials = (0..options.trials).map(|seed| trial(seed, options.questions, shape, loss));
            row(&mut out, shape.text, &format!("{:.0} %", loss * 100.0), trials, &settings)?;
        }
    }
    if let Some(folder) = &options.folder {
        let trials: Vec<Vec<Ranks>> = stored(folder)?;
        for (number, trial) in trials.iter().enumerate() {
            eprintln!("{number} {}", u8::from(fails(trial, &MEASURES[0].parse()?, &settings)));
        }
        row(&mut out, "the stored trials", "", trials.into_iter(), &settings)?;
    }
    Ok(out)
}

fn parse(arguments: &[&str]) -> Result<Options> {
    let mut options = Options { trials: 300, questions: 100, loss: 0.05, folder: None };
    let mut arguments = arguments.iter();
    while let Some(name) = arguments.next() {
        let value = arguments.next().ok_or_else(|| format!("{name} wants a value"))?;
        match *name {
            "--trials" => options.trials = value.parse()?,
            "--questions" => options.questions = value.parse()?,
            "--loss" => options.loss = value.parse()?,
            "--stored" => options.folder = Some(value.into()),
            _ => return Err(format!("no option {name}: --trials, --questions, --loss, --stored").into()),
        }
    }
    Ok(options)
}

fn row(
    out: &mut String,
    text: &str,
    loss: &str,
    trials: impl Iterator<Item = Vec<Ranks>>,
    settings: &Settings,
) -> Result<()> {
    let measures = MEASURES.iter().map(|name| Ok(name.parse()?)).collect::<Result<Vec<Measure>>>()?;
    let mut failed = vec![0_u32; measures.len()];
    let mut all = 0_u32;
    for trial in trials {
        all += 1;
        for (failed, measure) in failed.iter_mut().zip(&measures) {
            *failed += u32::from(fails(&trial, measure, settings));
        }
    }
    write!(out, "| {text} | {loss} |")?;
    for failed in failed {
        write!(out, " {:.1} % |", 100.0 * f64::from(failed) / f64::from(all.max(1)))?;
    }
    writeln!(out)?;
    Ok(())
}

/// Whether the rule fails a trial.
fn fails(trial: &[Ranks], measure: &Measure, settings: &Settings) -> bool {
    let losses: Vec<Loss> = trial.iter().map(|ranks| loss(ranks, measure)).collect();
    decide(&losses, settings).passed == Some(false)
}

fn loss((before, now): &Ranks, measure: &Measure) -> Loss {
    let value = |ranks: &[Option<u32>]| {
        let needs = ranks.iter().map(|rank| NeedOutcome { grade: 1, rank: *rank }).collect();
        let outcome = Outcome::new(needs, DEPTH, ranks.iter().flatten().copied().collect());
        measure.value(&outcome).unwrap_or_default()
    };
    let met = |ranks: &[Option<u32>]| ranks.iter().flatten().map(|_| 1).sum::<i64>();
    Loss {
        needs: now.len(),
        needs_lost: met(before) - met(now),
        measure: value(before) - value(now),
        critical_lost: false,
    }
}

/// One pair of runs.
fn trial(seed: u64, questions: usize, shape: Shape, loss: f64) -> Vec<Ranks> {
    // Not a multiple of the step below: the streams of two trials would be one, shifted.
    let mut rng = Rng(seed.wrapping_mul(0xD134_2543_DE82_EF95).wrapping_add(0xA076_1D64_78BD_642F));
    (0..questions)
        .map(|_| {
            let before = rng.ranks(shape);
            let mut now = if rng.share() < CHURN { rng.ranks(shape) } else { before.clone() };
            for rank in &mut now {
                if rng.share() < loss {
                    *rank = None;
                }
            }
            (before, now)
        })
        .collect()
}

/// splitmix64.
struct Rng(u64);

impl Rng {
    /// A number from 0 to 1, without 1.
    fn share(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^= z >> 31;
        (z >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn ranks(&mut self, shape: Shape) -> Vec<Option<u32>> {
        let is_absent = shape.comes_and_goes && self.share() < ABSENT;
        let rank = |most: f64| (1..=30_u32).rfind(|rank| f64::from(*rank) <= most);
        (0..shape.needs).map(|_| rank(30_f64.powf(self.share())).filter(|_| !is_absent)).collect()
    }
}

/// The trials that `gen_power.py` wrote: a folder each, with one need a question.
fn stored(folder: &Path) -> Result<Vec<Vec<Ranks>>> {
    let mut trials = Vec::new();
    while folder.join(trials.len().to_string()).exists() {
        let folder = folder.join(trials.len().to_string());
        let (before, now) = (gold(&folder.join("base.run"))?, gold(&folder.join("cand.run"))?);
        let qrels = fs::read_to_string(folder.join("qrels"))?;
        let mut queries: Vec<&str> =
            qrels.lines().filter_map(|line| line.split_whitespace().next()).collect();
        queries.sort_unstable();
        let ranks = |side: &HashMap<String, u32>, query: &str| vec![side.get(query).copied()];
        trials.push(queries.iter().map(|query| (ranks(&before, query), ranks(&now, query))).collect());
    }
    Ok(trials)
}

/// The rank of each question's evidence, which alone is named `g`.
fn gold(path: &Path) -> Result<HashMap<String, u32>> {
    let text = fs::read_to_string(path)?;
    let mut ranks = HashMap::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        if let [query, _, document, rank, ..] = words.as_slice()
            && document.starts_with('g')
        {
            ranks.insert((*query).to_owned(), rank.parse()?);
        }
    }
    Ok(ranks)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRIALS: u64 = 1_000;

    /// The share of trials of 100 questions in which the rule fails. Fewer draws than the rule makes are enough here.
    fn failed(shape: Shape, loss: f64) -> f64 {
        let settings = Settings { draws: 1_000, ..Settings::default() };
        let measure: Measure = "mrr@10".parse().expect("a measure");
        let trials = (0..TRIALS).map(|seed| trial(seed, 100, shape, loss));
        trials.filter(|trial| fails(trial, &measure, &settings)).count() as f64 / TRIALS as f64
    }

    #[test]
    fn harmless_changes_pass_and_real_losses_do_not() {
        for shape in SHAPES {
            let alarms = failed(shape, 0.0);
            assert!(alarms <= 0.05, "{}: {alarms} false alarms", shape.text);
        }
        let [one, four, _] = SHAPES;
        for shape in [one, four] {
            let power = failed(shape, 0.05);
            assert!(power >= 0.55, "{}: {power}", shape.text);
        }
    }
}
