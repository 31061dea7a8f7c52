//! The retrieval measures of rankgate: pure mathematics, without I/O, clock, threads or ids.
//!
//! Three nouns, their statistics and one table:
//!
//!  - an [`Outcome`] says what one query got: for each need its grade and the rank at which it was
//!    met, and a few facts about the list;
//!  - a [`Measure`] is a named definition with its cut-off and parameters. Its text form parses
//!    back to itself and is its identity;
//!  - [`Mean`] averages values over queries, and [`percentile`] reads a sorted list of latencies;
//!  - [`stats`] compares the values of two runs: tests, intervals, corrections and power;
//!  - [`definitions`] is the only table of measures. Parsing, printing and documentation walk it;
//!    to add a measure, add one entry in `registry.rs` and one function in `measures/`.
//!
//! ```
//! use rankgate_metrics::{Measure, NeedOutcome, Outcome};
//!
//! // Two needs: the first is met by the hit in second place, the other by none of the ten hits.
//! let outcome = Outcome::new(
//!     vec![
//!         NeedOutcome { grade: 1, rank: Some(2) },
//!         NeedOutcome { grade: 1, rank: None },
//!     ],
//!     10,
//!     vec![2],
//! );
//! let recall: Measure = "context_recall@5".parse()?;
//! assert_eq!(recall.to_string(), "recall@5");
//! assert_eq!(recall.value(&outcome), Some(0.5));
//! # Ok::<(), rankgate_metrics::MeasureError>(())
//! ```

mod aggregate;
mod error;
mod measure;
mod measures;
mod outcome;
mod parse;
mod registry;
pub mod stats;

pub use aggregate::{Mean, percentile};
pub use error::{CandidateReading, MeasureError};
pub use measure::{Dialect, Gain, Measure};
pub use outcome::{NeedOutcome, Outcome, PlacedNeed};
pub use registry::{
    Alias, Applies, CutoffRule, Definition, Direction, Dispute, DisputedReading, DisputedSpelling, Parameter,
    TrecName, definitions, find,
};
