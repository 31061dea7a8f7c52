//! The library behind the `rankgate` command.
//!
//! Its modules are the nouns of one straight line; each arrow is one function and nothing flows back:
//!
//! ```text
//! Settings -> GoldenSet (+ Corpus) -> dyn Retriever -> Rankings -> Scores -> Verdict -> Report
//! ```

pub mod config;
pub mod corpus;
pub mod error;
pub mod formats;
pub mod golden;
pub mod ranking;
pub mod retriever;

pub use error::{Error, Place, Problem, Result};
