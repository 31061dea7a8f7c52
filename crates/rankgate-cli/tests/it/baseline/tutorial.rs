//! Ten questions are too few for a test: the rule is a budget then, and says so.

use rankgate_test::{Project, shared};

use super::{accept, rule, run};
use crate::data::{self, assert_says};
use crate::shared_files::{json as read_json, toml};

const RULE: &str = "no regression on mrr@3";

/// The support articles of a tutorial with the retriever that it calls sound.
fn support_articles() -> Option<(Project, String)> {
    let folder = shared("conformance/tutorials/support-articles")?;
    let pattern = |file: &str| read_json(&folder.join(file))["token_pattern"].as_str().unwrap().to_owned();
    let project = data::project();
    project.write(
        "rankgate.toml",
        format!(
            "name = 'support-articles'\n[golden]\npath = {}\n[corpus]\npath = {}\n[retriever]\nkind = 'tfidf'\n\
             token_pattern = '{}'\nties = 'reverse-corpus-order'\n[baseline]\npath = 'baseline.jsonl'\n[gate]\n\
             rules = ['{RULE}']\n",
            toml(&folder.join("golden.jsonl")),
            toml(&folder.join("corpus.jsonl")),
            pattern("expected-baseline.json"),
        ),
    );
    accept(&project, &[]);
    Some((project, pattern("expected-regression.json")))
}

#[test]
fn the_regression_of_the_tutorial_exceeds_its_budget() {
    let Some((project, broken)) = support_articles() else { return };
    let (_, report) = run(&project, 1, &["--set", &format!("retriever.token_pattern={broken}")]);
    let result = rule(&report, RULE);
    assert_eq!((result["status"].as_str(), result["n"].as_u64()), (Some("failed"), Some(10)));
    let remark = result["remark"].as_str().unwrap();
    assert_says(remark, &["10 questions are too few for a test (it takes 50)", "the budget is 10 %"]);
    // What differs is said, in the words of the configuration.
    let changed = &report["comparison"]["changed"];
    assert!(data::items(changed).any(|change| change["what"] == "retriever.token_pattern"), "{changed}");
}

#[test]
fn ten_questions_that_did_not_change_pass() {
    let Some((project, _)) = support_articles() else { return };
    let (_, report) = run(&project, 0, &[]);
    let result = rule(&report, RULE);
    assert_eq!(result["status"], "passed");
    assert_says(result["remark"].as_str().unwrap(), &["within a budget of 10 %"]);
}
