//! The measures seen from outside: names, the table as a whole, and properties over random cases.
#![allow(clippy::unwrap_used, reason = "helpers of tests; a failure is the test's failure")]

mod names;
mod properties;
mod reference;
mod strategies;
mod table;
