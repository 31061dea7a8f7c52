//! Readers of the formats that several nouns share.
pub mod input;
pub(crate) mod json;
pub(crate) mod record;
pub mod run;
