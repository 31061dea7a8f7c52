//! `[gate]`: what fails the build.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The rules and what bounds them.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct GateSettings {
    /// The rules, in the order of the report.
    pub rules: Vec<RuleSetting>,
    /// More quarantined questions than this fail the gate.
    pub max_quarantined: Option<usize>,
    /// A slice with fewer questions is not judged.
    #[schemars(range(min = 1))]
    pub min_slice: usize,
    /// With more failed questions the run is incomplete.
    pub max_errors: usize,
    /// Judge rules beyond the length at which every list ends.
    pub allow_short: bool,
}

impl Default for GateSettings {
    fn default() -> Self {
        Self { rules: Vec::new(), max_quarantined: None, min_slice: 1, max_errors: 0, allow_short: false }
    }
}

/// One rule: its text, and whether it fails the build.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RuleSetting {
    /// The rule.
    pub rule: String,
    /// What its failure does.
    pub level: RuleLevel,
}

/// What the failure of a rule does.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum RuleLevel {
    /// It fails the build.
    #[default]
    Fail,
    /// It is shown.
    Warn,
}

/// A rule is a string, or a table with `rule` and `level`.
impl<'de> Deserialize<'de> for RuleSetting {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;

        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Table {
            rule: String,
            #[serde(default)]
            level: RuleLevel,
        }

        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = RuleSetting;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a rule such as \"hit_rate@5 >= 0.90\", or a table with `rule` and `level`")
            }

            fn visit_str<E>(self, rule: &str) -> Result<RuleSetting, E> {
                Ok(RuleSetting { rule: rule.to_owned(), level: RuleLevel::Fail })
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(self, map: A) -> Result<RuleSetting, A::Error> {
                let Table { rule, level } =
                    Table::deserialize(serde::de::value::MapAccessDeserializer::new(map))?;
                Ok(RuleSetting { rule, level })
            }
        }

        deserializer.deserialize_any(Visitor)
    }
}

impl JsonSchema for RuleSetting {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Rule".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let level = generator.subschema_for::<RuleLevel>();
        schemars::json_schema!({
            "anyOf": [
                { "type": "string" },
                {
                    "type": "object",
                    "required": ["rule"],
                    "additionalProperties": false,
                    "properties": { "rule": { "type": "string" }, "level": level }
                }
            ]
        })
    }
}
