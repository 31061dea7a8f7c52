//! On plain labels, one hit for each need, the values are those of the textbook.
//!
//! The functions here walk a list of grades from the top, as evaluation tools do, and share
//! nothing with the crate: no needs, no ranks, no places.

use proptest::prelude::*;
use rankgate_metrics::{CutoffRule, Measure, NeedOutcome, Outcome, definitions};

/// A ranking as the grade of each hit, 0 for a hit that is not relevant, and the grades of the
/// relevant documents that it lacks.
#[derive(Debug, Clone)]
struct Plain {
    hits: Vec<u32>,
    missed: Vec<u32>,
}

impl Plain {
    fn outcome(&self) -> Outcome {
        let found = self.hits.iter().zip(1..).filter(|(grade, _)| **grade > 0);
        let needs: Vec<NeedOutcome> = found
            .map(|(&grade, rank)| NeedOutcome { grade, rank: Some(rank) })
            .chain(self.missed.iter().map(|&grade| NeedOutcome { grade, rank: None }))
            .collect();
        let labelled = needs.iter().filter_map(|need| need.rank).collect();
        Outcome::new(needs, u32::try_from(self.hits.len()).unwrap(), labelled)
    }

    fn relevant_in_top(&self, k: usize, rel: u32) -> f64 {
        let mut count = 0.0;
        for position in 0..k {
            if position < self.hits.len() && self.hits[position] >= rel {
                count += 1.0;
            }
        }
        count
    }

    fn relevant_in_all(&self, rel: u32) -> f64 {
        let mut count = self.relevant_in_top(self.hits.len(), rel);
        for grade in &self.missed {
            count += if *grade >= rel { 1.0 } else { 0.0 };
        }
        count
    }
}

fn ratio(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

fn dcg(grades: &[u32], k: usize, linear: bool) -> f64 {
    let mut sum = 0.0;
    for (index, grade) in grades.iter().take(k).enumerate() {
        let gain = if linear { f64::from(*grade) } else { 2_f64.powf(f64::from(*grade)) - 1.0 };
        sum += gain * 2_f64.ln() / (index as f64 + 2.0).ln();
    }
    sum
}

/// The value of the measure `name`, from the list alone.
fn slow(name: &str, plain: &Plain, k: usize, rel: u32, p: f64, linear: bool) -> f64 {
    let length = plain.hits.len();
    let hits = plain.relevant_in_top(k, rel);
    let all = plain.relevant_in_all(rel);
    match name {
        "hit_rate" => f64::from(u8::from(hits > 0.0)),
        "recall" => ratio(hits, all),
        "all_needs" => f64::from(u8::from(all > 0.0 && hits >= all)),
        "precision" => hits / k as f64,
        "context_precision" => ratio(hits, k.min(length) as f64),
        "f1" => ratio(2.0 * hits, k as f64 + all),
        "judged" => ratio(plain.relevant_in_top(k, 1), k.min(length) as f64),
        "r_precision" => {
            let mut depth = 0;
            while (depth as f64) < all {
                depth += 1;
            }
            ratio(plain.relevant_in_top(depth, rel), all)
        }
        "mrr" => {
            for position in 1..=k.min(length) {
                if plain.hits[position - 1] >= rel {
                    return 1.0 / position as f64;
                }
            }
            0.0
        }
        "map" => {
            let mut sum = 0.0;
            for position in 1..=k.min(length) {
                if plain.hits[position - 1] >= rel {
                    sum += plain.relevant_in_top(position, rel) / position as f64;
                }
            }
            ratio(sum, all)
        }
        "ndcg" => {
            let mut ideal: Vec<u32> = [plain.hits.as_slice(), plain.missed.as_slice()].concat();
            ideal.sort_unstable();
            ideal.reverse();
            ratio(dcg(&plain.hits, k, linear), dcg(&ideal, k, linear))
        }
        "rbp" => {
            let (mut sum, mut reach) = (0.0, 1.0);
            for grade in &plain.hits {
                sum += if *grade >= rel { reach } else { 0.0 };
                reach *= p;
            }
            sum * (1.0 - p)
        }
        _ => panic!("the reference lacks `{name}`"),
    }
}

fn plain() -> impl Strategy<Value = Plain> {
    let hits = prop::collection::vec(prop_oneof![2 => Just(0), 1 => 1..=5_u32], 0..20);
    let missed = prop::collection::vec(1..=5_u32, 0..5);
    (hits, missed).prop_map(|(hits, missed)| Plain { hits, missed })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn plain_labels_give_the_textbook_values(
        plain in plain(),
        k in 1..=25_usize,
        rel in 1..=6_u32,
        percent in 1..=99_u32,
        linear: bool,
    ) {
        let outcome = plain.outcome();
        prop_assert!(outcome.placed().iter().all(|need| need.place == u64::from(need.rank)));
        let p = f64::from(percent) / 100.0;
        let gain = if linear { "linear" } else { "exponential" };
        // Every measure on needs, once with the cut-off and once without where both are defined.
        for definition in definitions().iter().filter(|d| !["forbidden", "abstained"].contains(&d.name)) {
            let full = definition
                .signature()
                .replace("rel=1", &format!("rel={rel}"))
                .replace("p=0.8", &format!("p={p}"))
                .replace("gain=exponential", &format!("gain={gain}"));
            let at_k = full.replace("[@k]", "@k").replace("@k", &format!("@{k}"));
            let mut texts = vec![(at_k, k)];
            if definition.cutoff == CutoffRule::Optional {
                texts.push((full.replace("[@k]", ""), 1000));
            }
            for (text, depth) in texts {
                let measure: Measure = text.parse().unwrap();
                let value = measure.value(&outcome).unwrap();
                let expected = slow(definition.name, &plain, depth, rel, p, linear);
                prop_assert!((value - expected).abs() < 1e-9, "{}: {}, not {}", measure, value, expected);
            }
        }
    }
}
