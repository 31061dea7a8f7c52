//! The statistics seen from outside: against scipy's results on real runs, and what must hold for any data.
#![allow(clippy::unwrap_used, reason = "helpers of tests; a failure is the test's failure")]
#![allow(clippy::float_cmp, reason = "exact where exactness is the promise")]

mod draws;
mod properties;
mod recorded;
mod runs;
#[cfg(feature = "serde")]
mod serialized;

use rankgate_metrics::stats::Alternative;

const ALTERNATIVES: [Alternative; 3] = [Alternative::Less, Alternative::Greater, Alternative::TwoSided];

fn is_close(a: f64, b: f64, relative: f64) -> bool {
    (a - b).abs() <= relative * b.abs()
}
