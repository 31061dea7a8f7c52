//! The verbs, one short file each.

pub mod accept;
pub mod check;
pub mod compare;
pub mod completions;
pub mod config;
pub mod demo;
pub mod init;
pub mod metrics;
pub mod query;
pub mod run;
pub mod schema;
pub mod score;
