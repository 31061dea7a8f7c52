//! The file: every version that was ever written is understood, and what is wrong with one is named by its place.

use std::path::Path;

use rankgate::Ids;
use rankgate::baseline::read;
use rankgate_test::Project;

use super::{RULES, accepted, run};
use crate::data::{assert_refused, assert_says};

/// A baseline of version 1 as it was written by the release that began it. It is never written anew.
fn version_1() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../rankgate/tests/data/baseline-v1.jsonl")
}

#[test]
fn version_1_is_understood() {
    let path = version_1();
    let baseline = read(&path).unwrap();
    assert_eq!(baseline.render(), std::fs::read_to_string(&path).unwrap());
    let header = &baseline.header;
    assert_eq!((header.rankgate_baseline, header.name.as_str()), (1, "bicycle workshop"));
    assert_eq!(header.accepted.by.as_deref(), Some("Ada Tester"));
    assert_eq!(header.accepted.reason.as_deref(), Some("the first state that everybody was content with"));
    assert_eq!(header.accepted.commit.as_ref().map(String::len), Some(40));
    let stamps = &header.made_from;
    assert_eq!(stamps.golden.questions, 5);
    let corpus = stamps.corpus.as_ref().unwrap();
    assert_eq!((corpus.chunks, corpus.documents, corpus.mean_characters), (6, 3, 31.5));
    assert_eq!(stamps.policy.level, "chunk");
    assert_eq!((stamps.policy.depth, stamps.policy.min_score), (10, Some(0.2)));
    assert_eq!(stamps.settings["retriever.kind"], "\"run\"");

    let ids: Vec<&str> = baseline.lines.iter().map(|line| line.id.as_str()).collect();
    assert_eq!(ids, ["brakes", "chain", "lights", "tyres", "weather"]);
    let [brakes, chain, lights, tyres, weather] = baseline.lines.as_slice() else { panic!() };
    // Two needs of different grades, one of them unmet.
    assert_eq!(brakes.category.as_deref(), Some("repair"));
    let needs: Vec<_> = brakes.needs.iter().map(|need| (need.grade, need.rank)).collect();
    assert_eq!(needs, [(2, Some(1)), (1, None)]);
    let outcome = brakes.outcome().unwrap();
    assert_eq!((outcome.returned(), outcome.labelled()), (3, &[1, 3][..]));
    let mut texts = Ids::default();
    // An id alone; an id and its document; and where it stood in that document.
    let hits = brakes.hits(&mut texts);
    let told: Vec<_> = hits
        .iter()
        .map(|hit| {
            let told = hit.told.as_ref();
            let doc = told.and_then(|told| told.doc.as_ref().map(rankgate::Id::as_str));
            (hit.id.as_str(), doc, told.and_then(|told| told.start.zip(told.end)))
        })
        .collect();
    assert_eq!(
        told,
        [
            ("manual-3", Some("manual.md"), Some((64, 97))),
            ("faq", None, None),
            ("leaflet-1", Some("leaflet.md"), None),
        ]
    );
    // The retriever had failed; something forbidden stood in the list; a question without an answer got none.
    assert!(chain.failed && chain.outcome().is_none() && chain.hits(&mut texts).is_empty());
    assert_eq!(lights.outcome().unwrap().first_forbidden(), Some(2));
    assert_eq!(tyres.outcome().unwrap().first_forbidden(), None);
    assert!(!weather.answerable && weather.outcome().is_some());
}

/// A small baseline with one of its lines changed; line 1 is the header.
fn with_line(number: usize, change: impl Fn(&str) -> String) -> Project {
    let project = accepted(5, RULES, "");
    let text = project.read("baseline.jsonl");
    let lines: Vec<String> = (1..)
        .zip(text.lines())
        .map(|(at, line)| if at == number { change(line) } else { line.to_owned() })
        .collect();
    project.write("baseline.jsonl", lines.join("\n") + "\n");
    project
}

#[track_caller]
fn refuses(number: usize, change: impl Fn(&str) -> String, parts: &[&str]) {
    let output = with_line(number, change).run(["run"]);
    assert_refused(&output, parts);
    assert!(!output.stderr.contains("panicked"), "{}", output.stderr);
}

#[test]
fn a_newer_version_is_refused() {
    let newer = |line: &str| line.replace("\"rankgate_baseline\":1", "\"rankgate_baseline\":2");
    let says = ["baseline.jsonl:1", "format 2", "reads up to 1", "use the rankgate that wrote it"];
    refuses(1, newer, &says);
    // Whatever else the new version has put into the header.
    refuses(1, |_| "{\"rankgate_baseline\":2,\"zones\":[1]}".into(), &says);
    // There was never a version 0.
    refuses(
        1,
        |line| line.replace("\"rankgate_baseline\":1", "\"rankgate_baseline\":0"),
        &["baseline.jsonl:1"],
    );
}

#[test]
fn a_file_that_is_no_baseline_is_refused() {
    for first in ["{}", "[]", "", "name = 'x'", "{\"id\":\"q\",\"query\":\"a golden set\"}", "\u{1f}"] {
        let project = accepted(5, RULES, "");
        project.write("baseline.jsonl", format!("{first}\n{{}}\n"));
        assert_refused(&project.run(["run"]), &["baseline.jsonl", "baseline"]);
    }
    let project = accepted(5, RULES, "");
    project.write("baseline.jsonl", b"\xff\xfe\x00");
    assert_refused(&project.run(["run"]), &["baseline.jsonl"]);
    project.write("baseline.jsonl", "");
    assert_refused(&project.run(["run"]), &["the baseline is empty"]);
}

#[test]
fn what_is_wrong_with_a_line_is_named() {
    refuses(4, |line| line[..line.len() - 10].to_owned(), &["baseline.jsonl:4"]);
    refuses(4, |_| "[1, 2]".into(), &["baseline.jsonl:4"]);
    refuses(
        4,
        |line| line.replace("\"ranking\":[", "\"ranking\":[7,"),
        &["baseline.jsonl:4", "(q002)", "ranking"],
    );
    refuses(4, |line| line.replace("\"ranking\":[", "\"ranking\":[[\"a\",\"b\",9],"), &["(q002)", "ranking"]);
    refuses(
        4,
        |line| line.replace("\"ranking\":[", "\"ranking\":[[\"a\",\"b\",9,3],"),
        &["(q002)", "ranking"],
    );
    refuses(4, |line| line.replace("\"ranking\":", "\"list\":"), &["baseline.jsonl:4", "list"]);
    refuses(4, |line| line.replace("\"grade\":1", "\"grade\":-1"), &["baseline.jsonl:4:", "-1"]);
    refuses(4, |line| line.replace("q002", "q001"), &["baseline.jsonl:4", "(q001)", "not sorted"]);
    refuses(4, |line| line.replace("\"id\":\"q002\",", ""), &["baseline.jsonl:4", "id"]);
    // All of them together.
    let project = with_line(4, |_| "{}".into());
    let text = project.read("baseline.jsonl").replace("\"q003\"", "3");
    project.write("baseline.jsonl", text);
    assert_refused(&project.run(["run"]), &["baseline.jsonl:4", "baseline.jsonl:5"]);
}

#[test]
fn ranks_that_no_list_has_are_refused() {
    refuses(4, |line| line.replace("\"rank\":1", "\"rank\":0"), &["baseline.jsonl:4", "(q002)", "rank"]);
    refuses(4, |line| line.replace("\"rank\":1", "\"rank\":11"), &["baseline.jsonl:4", "(q002)", "rank"]);
    refuses(4, |line| line.replace("\"labelled\":[1]", "\"labelled\":[11]"), &["(q002)", "labelled"]);
}

#[test]
fn line_ends_and_a_mark_at_the_beginning_change_nothing() {
    let project = accepted(5, RULES, "");
    let text = project.read("baseline.jsonl");
    for other in [text.replace('\n', "\r\n"), format!("\u{feff}{text}"), text.replace('\n', "\n\n")] {
        project.write("baseline.jsonl", other);
        run(&project, 0, &[]);
    }
}

#[test]
fn a_packed_baseline_is_read() {
    let project = accepted(5, RULES, "");
    let packed = std::process::Command::new("gzip")
        .args(["-k", "baseline.jsonl"])
        .current_dir(project.root())
        .status()
        .unwrap();
    assert!(packed.success());
    run(&project, 0, &["--set", "baseline.path=baseline.jsonl.gz"]);
}

#[test]
fn conflict_markers_anywhere_are_told_as_a_conflict() {
    for marker in ["<<<<<<< HEAD", "=======", ">>>>>>> change", "||||||| 1234567"] {
        for number in [1, 3] {
            let project = with_line(number, |line| format!("{marker}\n{line}"));
            let output = project.run(["run"]);
            let place = format!("baseline.jsonl:{number}");
            assert_refused(&output, &[&place, "conflict markers", "run `rankgate accept` again"]);
            assert_eq!(output.stderr.matches("baseline.jsonl:").count(), 1, "{}", output.stderr);
            assert_says(&output.stderr, &["git checkout --ours"]);
        }
    }
}
