//! Problems that people reported of other tools, restated with data of their own, and what is right.
//!
//! A case may go further than this version does; the test then covers what there is and says what is left.

mod gate;
mod ids;
mod lexical;
mod metrics;
mod scores;
mod texts;

use rankgate_test::shared;
use serde_json::Value;

/// A case: its input and what is right.
struct Case {
    input: Value,
    expected: Value,
}

/// A case by its name, where there is shared data.
fn case(name: &str) -> Option<Case> {
    let mut case = crate::data::json(&shared(&format!("cases/{name}.json"))?);
    Some(Case { input: case["input"].take(), expected: case["expected"].take() })
}
