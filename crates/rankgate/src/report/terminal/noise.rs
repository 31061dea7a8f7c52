//! How much the retriever moved by itself, and whose fall did not repeat.

use std::fmt::Write as _;

use super::{COLUMNS, Page, line};
use crate::noise::{Again, Noise, Unstable};
use crate::report::Report;
use crate::text::{clip, fit, printable, questions, width, wrap};

/// How many unstable questions are named.
const NAMED: usize = 8;
/// How many askings of one question are shown.
const ASKINGS: usize = 8;

impl Page {
    pub(super) fn noise(&mut self, report: &Report) {
        let Some(noise) = &report.noise else { return };
        let mut lines = wrap(&summary(noise), COLUMNS - 7).into_iter();
        line!(self, "{}  {}", self.heading("NOISE"), lines.next().unwrap_or_default());
        let spreads: Vec<String> = noise
            .measures
            .iter()
            .enumerate()
            // What did not move is said of the first measure only.
            .filter(|(index, spread)| *index == 0 && noise.order_changes > 0 || spread.low < spread.high)
            .map(|(_, spread)| format!("{} {:.3} to {:.3}", spread.measure, spread.low, spread.high))
            .collect();
        for text in lines.chain(wrap(&spreads.join("; "), COLUMNS - 7)) {
            line!(self, "       {text}");
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

/// The counts, in words.
fn summary(noise: &Noise) -> String {
    let asked = match noise.again {
        Again::All => format!("{} asked {} times", questions(noise.questions), noise.askings),
        Again::Fallen => {
            let more = match noise.askings.saturating_sub(1) {
                1 => "once more".to_owned(),
                times => format!("{times} times more"),
            };
            let fell = noise.fell_every_time.unwrap_or(0);
            format!("{} that fell asked {more}: {fell} fell every time", questions(noise.questions))
        }
    };
    let mut parts = Vec::new();
    let mut count = |n: usize, one: &str, many: &str| match n {
        0 => {}
        1 => parts.push(format!("1 {one}")),
        n => parts.push(format!("{n} {many}")),
    };
    let flips = format!("in the top {}", noise.cutoff);
    count(noise.flipped, &format!("hit {flips} comes and goes"), &format!("hits {flips} come and go"));
    count(noise.rank_changes, "best rank differs", "best ranks differ");
    count(noise.order_changes, "list differs", "lists differ");
    count(
        noise.tie_orders,
        "of these in the order of equal scores only",
        "of these in the order of equal scores only",
    );
    count(noise.errors, "asking failed", "askings failed");
    match (parts.is_empty(), noise.again) {
        (true, Again::All) => format!("{asked}: every list came back the same"),
        (true, Again::Fallen) => asked,
        (false, _) => format!("{asked}; {}", parts.join(", ")),
    }
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
