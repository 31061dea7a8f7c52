//! The verbs, one short file each.

pub mod completions;
pub mod config;
pub mod init;
pub mod schema;
