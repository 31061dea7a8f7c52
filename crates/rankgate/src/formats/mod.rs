//! Readers of the formats that several nouns share.
pub mod input;
pub(crate) mod json;
pub mod qrels;
pub(crate) mod record;
pub mod run;
