//! The real binary, as a user meets it: in a folder of its own, with an environment of its own.

#![allow(clippy::unwrap_used, clippy::format_push_string, reason = "a test that cannot go on has failed")]

mod cli;
mod exit_status;
mod reports;
mod screens;
mod spreadsheet;
mod starter;
mod support;
mod untrusted;
mod verbs;
