//! How results look in a report.

use rankgate_metrics::stats::{Alternative, Estimate, Test, paired_t, sign_flip, wilson};
use serde_json::{Value, json};

fn round_trip<T: serde::Serialize + serde::de::DeserializeOwned>(value: &T) -> (Value, T) {
    let written = serde_json::to_value(value).unwrap();
    (written.clone(), serde_json::from_value(written).unwrap())
}

#[test]
fn a_test_says_what_it_was() {
    let test = sign_flip(&[1.0; 17], Alternative::TwoSided, 99, 7);
    let (written, read) = round_trip(&test);
    assert_eq!(
        written,
        json!({
            "name": "sign_flip", "alternative": "two_sided", "p": 0.01, "statistic": 17.0, "n": 17, "nonzero": 17,
            "draws": 99, "seed": 7,
        })
    );
    assert_eq!(read, test);
}

#[test]
fn what_is_not_there_is_not_written() {
    let test = paired_t(&[0.0; 3], Alternative::Less);
    let (written, read) = round_trip(&test);
    assert_eq!(written, json!({ "name": "paired_t", "alternative": "less", "p": 1.0, "n": 3, "nonzero": 0 }));
    assert_eq!(read, test);
    let (written, read) = round_trip(&wilson(0, 4, 0.5).unwrap());
    assert_eq!((written["method"].as_str(), written.get("draws")), (Some("wilson"), None));
    assert_eq!(read, wilson(0, 4, 0.5).unwrap());
}

#[test]
fn both_have_a_schema() {
    for (schema, field) in
        [(schemars::schema_for!(Test), "nonzero"), (schemars::schema_for!(Estimate), "confidence")]
    {
        let required = schema.get("required").and_then(Value::as_array).unwrap();
        assert!(required.iter().any(|name| name == field));
        assert!(!required.iter().any(|name| name == "draws" || name == "seed"));
    }
}
