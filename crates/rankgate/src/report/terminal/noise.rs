//! How much the retriever moved by itself, and whose fall did not repeat.

use std::fmt::Write as _;

use super::{COLUMNS, Page, line};
use crate::noise::{Again, Noise, Spread, Unstable};
use crate::report::Report;
use crate::text::{clip, fit, printable, questions, width, wrap};

/// How many unstable questions are named.
const NAMED: usize = 8;
/// How many askings of one question are shown.
const ASKINGS: usize = 8;

impl Page {
    pub(super) fn noise(&mut self, report: &Report) {
        let Some(noise) = &report.noise else { return };
        line!(self, "{}  {}", self.heading("NOISE"), asked(noise));
        let spreads: Vec<String> = noise
            .measures
            .iter()
            .enumerate()
            // What did not move is said of the first measure only.
            .filter(|(index, spread)| *index == 0 && noise.order_changes > 0 || spread.low < spread.high)
            .map(|(_, Spread { measure, low, high })| {
                if low < high {
                    format!("{measure} {low:.3} to {high:.3}")
                } else {
                    format!("{measure} {low:.3}")
                }
            })
            .collect();
        for texts in [counts(noise).join(", "), spreads.join("; ")] {
            for text in wrap(&texts, COLUMNS - 7) {
                line!(self, "       {text}");
            }
        }
        let shown = || noise.unstable.iter().take(NAMED);
        let ids: Vec<String> =
            shown().map(|unstable| clip(&printable(&unstable.id), 24).into_owned()).collect();
        let columns = ids.iter().map(|id| width(id)).max().unwrap_or(0);
        for (unstable, id) in shown().zip(&ids) {
            let what = clip(&what(unstable, noise), COLUMNS - columns - 11).into_owned();
            line!(self, "       {}  {what}", fit(id, columns));
        }
        if let more @ 1.. = noise.unstable.len().saturating_sub(NAMED) {
            line!(self, "       and {more} more");
        }
        self.out.push('\n');
    }
}

/// What was asked, and what came of it as a whole.
fn asked(noise: &Noise) -> String {
    match noise.again {
        Again::All => {
            let asked = format!("{} asked {} times", questions(noise.questions), noise.askings);
            let is_still = noise.order_changes == 0 && noise.errors == 0;
            if is_still { format!("{asked}: every list came back the same") } else { asked }
        }
        Again::Fallen => {
            let more = match noise.askings.saturating_sub(1) {
                1 => "once more".to_owned(),
                times => format!("{times} times more"),
            };
            let fell = noise.fell_every_time.unwrap_or(0);
            format!("{} that fell, asked {more}: {fell} fell every time", questions(noise.questions))
        }
    }
}

/// The counts that are not zero, in words.
fn counts(noise: &Noise) -> Vec<String> {
    let number = |n: usize, one: &str, many: &str| match n {
        0 => None,
        1 => Some(format!("1 {one}")),
        n => Some(format!("{n} {many}")),
    };
    let top = noise.cutoff;
    let flips =
        [format!("hit in the top {top} comes and goes"), format!("hits in the top {top} come and go")];
    let ties = match noise.tie_orders {
        0 => String::new(),
        n => format!(" ({n} only in the order of equal scores)"),
    };
    let [flip, many_flips] = &flips;
    let counts = [
        number(noise.flipped, flip, many_flips),
        number(noise.rank_changes, "best rank differs", "best ranks differ"),
        number(noise.order_changes, "list differs", "lists differ").map(|lists| lists + &ties),
        number(noise.errors, "asking failed", "askings failed"),
    ];
    counts.into_iter().flatten().collect()
}

/// One question, asking by asking.
fn what(unstable: &Unstable, noise: &Noise) -> String {
    let rank = |rank: &Option<u32>| rank.map_or_else(|| "-".to_owned(), |rank| rank.to_string());
    let mut ranks: Vec<String> = unstable.ranks.iter().take(ASKINGS).map(rank).collect();
    if unstable.ranks.len() > ASKINGS {
        ranks.push("...".to_owned());
    }
    let ranks = format!("rank {}", ranks.join(", "));
    let failed = match unstable.errors {
        0 => String::new(),
        n => format!("; failed in {n} of {}", noise.askings),
    };
    match unstable.fell {
        Some(fell) if fell < noise.askings as usize => {
            format!("fell in {fell} of {} askings: unstable ({ranks}{failed})", noise.askings)
        }
        _ if unstable.flipped => format!("{ranks}: comes and goes{failed}"),
        _ => format!("{ranks}{failed}"),
    }
}
