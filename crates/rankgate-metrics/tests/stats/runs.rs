//! Values per question of the shared runs.

use std::collections::BTreeMap;
use std::fs;

use rankgate_test::shared;

/// The values of a measure, candidate minus baseline, in byte order of the ids; `None` without shared data.
pub fn differences(data: &str, candidate: &str, baseline: &str, measure: &str) -> Option<Vec<f64>> {
    let candidate = per_query(data, candidate, measure)?;
    let baseline = per_query(data, baseline, measure)?;
    assert_eq!(candidate.len(), baseline.len());
    Some(baseline.iter().map(|(id, value)| candidate[id] - value).collect())
}

fn per_query(data: &str, system: &str, measure: &str) -> Option<BTreeMap<String, f64>> {
    let text = fs::read_to_string(shared(&format!("data/{data}/runs/{system}.perquery.tsv"))?).unwrap();
    let mut lines = text.lines();
    let column = lines.next().unwrap().split('\t').position(|name| name == measure).unwrap();
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('\t').collect();
        (cells[0].to_owned(), cells[column].parse().unwrap())
    };
    Some(lines.map(row).collect())
}
