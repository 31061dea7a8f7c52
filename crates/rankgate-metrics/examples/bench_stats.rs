//! Makes one statistic of the differences in a file, one a line, and prints its CPU seconds as a line of JSON.
//!
//! ```text
//! bench_stats sign_flip|bca DIFFERENCES DRAWS
//! ```
//!
//! The time is that of one call, the median of several in one process.

#![expect(clippy::print_stdout, reason = "a program for measurements, whose output is a measurement")]

use std::error::Error;
use std::fs;
use std::hint::black_box;

use cpu_time::ProcessTime;
use rankgate_metrics::stats::{Alternative, IntervalMethod, mean_interval, sign_flip};

const CALLS: usize = 11;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [statistic, differences, draws] = arguments.as_slice() else {
        return Err("three arguments: sign_flip|bca DIFFERENCES DRAWS".into());
    };
    let differences: Vec<f64> =
        fs::read_to_string(differences)?.lines().map(str::parse).collect::<Result<_, _>>()?;
    let draws: u32 = draws.parse()?;
    let call = |seed: u64| match statistic.as_str() {
        "sign_flip" => Ok(sign_flip(&differences, Alternative::TwoSided, draws, seed).p),
        "bca" => mean_interval(&differences, 0.95, IntervalMethod::Bca { draws }, seed)
            .map(|interval| interval.low)
            .ok_or("no interval"),
        _ => Err("no such statistic"),
    };
    let mut seconds = Vec::with_capacity(CALLS);
    for seed in (1..).take(CALLS) {
        let start = ProcessTime::now();
        black_box(call(seed)?);
        seconds.push(start.elapsed().as_secs_f64());
    }
    seconds.sort_by(f64::total_cmp);
    let measured = serde_json::json!({
        "version": env!("CARGO_PKG_VERSION"),
        "seconds": seconds.get(CALLS / 2),
        "result": call(1)?,
    });
    println!("{measured}");
    Ok(())
}
