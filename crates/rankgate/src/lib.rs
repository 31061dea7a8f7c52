//! The library behind the `rankgate` command.
//!
//! Its modules are the nouns of one straight line; each arrow is one function and nothing flows back:
//!
//! ```text
//! Settings -> GoldenSet (+ Corpus) -> dyn Retriever -> Rankings -> Scores -> Verdict -> Report
//! ```

pub mod baseline;
pub mod compare;
pub mod config;
pub mod corpus;
pub mod error;
pub mod evaluate;
pub mod formats;
pub mod gate;
pub mod golden;
mod id;
pub mod line;
pub mod noise;
pub mod privacy;
pub mod ranking;
pub mod report;
pub mod retriever;
pub mod run;
pub mod score;
pub mod select;
mod spreadsheet;
pub mod text;

pub use error::{Error, Place, Problem, Result};
pub use id::{Id, Ids};
