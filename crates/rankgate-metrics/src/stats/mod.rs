//! Statistics for the paired comparison of two retrieval runs: pure functions of values and a seed.
//!
//! Two runs answered the same questions, so each question gives one difference (candidate minus
//! baseline), and everything here looks at those differences in the order given. Callers sort them
//! by the bytes of the question's id; then the same two runs give the same digits everywhere.
//!
//!  - [`sign_flip`] and [`sign_flip_counts`] assume least, and are the tests to take by default;
//!    [`paired_t`] and [`wilcoxon`] are there because readers know them;
//!  - [`usual_interval`] says how large a mean may be, [`wilson`] a share;
//!  - [`holm`] and [`benjamini_hochberg`] correct for several comparisons;
//!  - [`minimum_detectable_effect`] and [`sample_size`] say beforehand what can be seen at all.
//!
//! A test always has an answer: where the data cannot speak (no pairs, no differences, a value that
//! is no number), p is 1. An interval without data is `None`.
//!
//! ```
//! use rankgate_metrics::stats::{Alternative, sign_flip, usual_interval};
//!
//! // Reciprocal ranks of eight questions, candidate minus baseline.
//! let differences = [0.5, 0.0, 0.17, 0.3, 0.0, -0.17, 0.25, 0.17];
//! let test = sign_flip(&differences, Alternative::TwoSided, 10_000, 0);
//! assert_eq!(test.p, 0.125);
//! let interval = usual_interval(&differences, 0.95, 0).unwrap();
//! assert!(interval.low < interval.point && interval.point < interval.high);
//! ```

#![cfg_attr(test, allow(clippy::float_cmp, reason = "tests expect exact values where they are exact"))]

mod convolution;
mod distributions;
mod estimate;
mod hypothesis;
mod interval;
mod moments;
mod multiple;
mod power;
mod rng;
mod sign_flip;
mod student;
mod wilcoxon;
mod wilson;

pub use estimate::{Estimate, IntervalKind};
pub use hypothesis::{Alternative, Test, TestName};
pub use interval::{IntervalMethod, USUAL_DRAWS, USUAL_MOST_RESAMPLED, mean_interval, usual_interval};
pub use moments::standard_deviation;
pub use multiple::{benjamini_hochberg, holm};
pub use power::{minimum_detectable_effect, sample_size};
pub use sign_flip::{
    COUNTS_DRAWS, COUNTS_SEED, MOST_ENUMERATED, sign_flip, sign_flip_counts, sign_flip_exceedances,
};
pub use student::paired_t;
pub use wilcoxon::wilcoxon;
pub use wilson::wilson;
