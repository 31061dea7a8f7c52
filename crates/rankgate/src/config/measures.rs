//! `[measures]`: what is reported.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which measures are reported; the gate may name others.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct MeasureSettings {
    /// The measures of the report, in order.
    pub report: Vec<String>,
    /// The share of a span that a hit must hold to meet it.
    #[schemars(extend("exclusiveMinimum" = 0, "maximum" = 1))]
    pub coverage: f64,
}

impl Default for MeasureSettings {
    fn default() -> Self {
        Self {
            report: ["hit_rate@5", "recall@5", "mrr@10", "ndcg@10"].map(String::from).into(),
            coverage: 0.5,
        }
    }
}
