//! The published schema of the JSON form.

use serde_json::Value;

use super::Report;

/// JSON Schema of the report.
pub fn schema() -> Value {
    schemars::schema_for!(Report).to_value()
}
