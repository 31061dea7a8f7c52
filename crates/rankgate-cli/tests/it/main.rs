//! The real binary from outside: files and flags in, screens, reports and exit statuses out.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::format_push_string,
    reason = "a test that cannot go on has failed"
)]

mod baseline;
mod cases;
mod cli;
mod collections;
mod compare;
mod data;
mod exit_status;
mod fallen;
mod noise;
mod privacy;
mod quirks;
mod reports;
mod screens;
mod shared_files;
mod spreadsheet;
mod starter;
mod support;
mod tables;
mod trec_eval;
mod tutorials;
mod untrusted;
mod verbs;
