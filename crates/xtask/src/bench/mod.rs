//! Benchmarks against other tools, on generated data.

pub mod retrieve;
