//! The real binary from outside: files and flags in, screens, reports and exit statuses out.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on has failed")]

mod cases;
mod cli;
mod collections;
mod data;
mod quirks;
mod shared_files;
mod trec_eval;
mod tutorials;
