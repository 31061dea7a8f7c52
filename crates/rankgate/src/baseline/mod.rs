//! The baseline: the accepted answers, kept in a file in git, from which every measure can be computed again.
//!
//! ```text
//! Report --accept--> Baseline --write--> file --read--> Baseline --answers--> Outcomes of today's cases
//! ```
//!
//! [`mod@file`] is the format, `answers` meets a baseline with today's golden set, `git` finds the file of another
//! revision, `accept` makes a baseline of a report. [`crate::compare`] takes it from there.

pub mod accept;
pub(crate) mod answers;
pub mod file;
pub mod git;
mod read;
mod stamp;

pub use answers::{Answers, GoldenChanges, NotComparable};
pub use file::{Baseline, Header, KeptHit, KeptNeed, Line};
pub use read::{Found, find, find_to_replace, is_baseline, parse, read};
pub use stamp::{Accepted, CorpusStamp, GoldenStamp, PolicyStamp, RetrieverStamp, Stamps};
