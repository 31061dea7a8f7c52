//! Readers of the formats that several nouns share.
pub mod input;
