//! Recorded answers.

use rankgate::config::{RetrieverKind, RunSettings};
use rankgate::retriever::{Question, RetrieveError};
use serde_json::Map;

use crate::{ids, settings};

#[test]
fn a_run_answers_by_the_ids_of_questions() {
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join("lexical.run");
    std::fs::write(&path, "q1 Q0 a 1 0.5 x\nq1 Q0 c 2 0.5 x\nq1 Q0 b 3 0.9 x\n").expect("it is writable");
    let retriever = rankgate_retrievers::build(&settings(RetrieverKind::Run(RunSettings { path })), None)
        .expect("it is sound");
    let ask =
        |id, depth| retriever.retrieve(&Question { id, query: "not looked at", params: &Map::new(), depth });
    assert_eq!(ask("q1", 9).map(|hits| ids(&hits).join(" ")), Ok("b c a".to_owned()));
    assert_eq!(ask("q1", 2).map(|hits| ids(&hits).join(" ")), Ok("b c".to_owned()));
    assert_eq!(ask("q2", 2), Err(RetrieveError::Missing));
    let info = retriever.info();
    assert!(!info.exhaustive);
    assert!(info.fingerprint.starts_with("run-v2 order=by-score ties=id-descending queries=1 answers="));
}

#[test]
fn a_run_that_cannot_be_read_is_an_error() {
    let kind = RetrieverKind::Run(RunSettings { path: "no/such.run".into() });
    let error = rankgate_retrievers::build(&settings(kind), None).err().map(|error| error.to_string());
    assert!(error.is_some_and(|error| error.contains("no/such.run")));
}
