//! `${NAME}`.

use super::*;

const TEXT: &str = "name = \"${TEAM}-$${x}\"\n[golden]\npath = \"${ROOT}/q.jsonl\"\n[retriever]\nkind = \"run\"\npath = \"a\"\n[measures]\nreport = [\"${M}\"]";

#[test]
fn are_replaced_in_strings_and_shown_as_written() {
    let resolved = with(TEXT, &env(&[("TEAM", "core"), ("ROOT", "/data"), ("M", "mrr@5")])).unwrap();
    assert_eq!(resolved.settings.name, "core-${x}");
    assert_eq!(resolved.settings.golden.path, Some("/data/q.jsonl".into()));
    assert_eq!(resolved.settings.measures.report, ["mrr@5"]);
    assert_eq!(effective(&resolved, "golden.path"), "\"${ROOT}/q.jsonl\" (rankgate.toml:3)");
}

#[test]
fn to_unset_variables_are_errors_that_show_no_value() {
    let text = error_with(TEXT, &env(&[("TEAM", "s3cret")]));
    assert!(!text.contains("s3cret"));
    assert_snapshot!(text, @r#"
    rankgate.toml:3:8: the environment variable `ROOT` is not set, and `golden.path` refers to it
      hint: `${NAME}` stands for a variable, `$${` for the characters `${`
    rankgate.toml:8:10: the environment variable `M` is not set, and `measures.report` refers to it
      hint: `${NAME}` stands for a variable, `$${` for the characters `${`
    "#);
}

#[test]
fn are_not_shown_replaced_in_errors() {
    let text = MINIMAL.replace("\"tfidf\"", "\"${KIND}\"");
    assert_snapshot!(error_with(&text, &env(&[("KIND", "s3cret")])), @r#"rankgate.toml:7:8: `retriever.kind` must be `tfidf`, `hashing`, `bm25` or `run`, not "${KIND}""#);
}
