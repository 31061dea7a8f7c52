//! The real binary, in folders and with environments of its own.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on has failed")]

mod cases;
mod cli;
mod data;
mod quirks;
