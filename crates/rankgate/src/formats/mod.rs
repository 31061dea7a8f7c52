//! Readers of the formats that several nouns share.
pub mod input;
pub mod json;
pub mod qrels;
pub mod record;
pub mod run;
