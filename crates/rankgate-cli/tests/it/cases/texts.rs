//! Texts of any kind, on their way in and on their way out.

use std::collections::BTreeMap;

use rankgate::report::{Format as _, Junit};
use rankgate_test::shared;
use roxmltree::{Document, Node};
use serde_json::{Value, json};

use super::{Case, case};
use crate::data::{
    self, RECORDED, Scripted, assert_near, assert_refused, items, lines, project, recorded, run_with, strings,
};

#[test]
fn files_are_utf8_whatever_the_locale() {
    let Some(Case { input, expected }) = case("dataset-encoding-01/case") else { return };
    let Some(folder) = shared("cases/dataset-encoding-01") else { return };
    let mut project = project();
    let config = |golden: &str| {
        let path = |name: &str| folder.join(name).display().to_string();
        let (golden, run) = (path(golden), path("run.jsonl"));
        format!("[golden]\npath = '{golden}'\n[retriever]\nkind = 'run'\npath = '{run}'\n")
    };
    // The names stand before the words that describe the files.
    let name = |key: &str| input[key].as_str().unwrap().split(' ').next().unwrap();
    project.write("rankgate.toml", config(name("golden")));
    project.write("latin1.toml", config(name("bad")));
    for locale in [None, Some("C"), Some("en_US.ISO-8859-1")] {
        if let Some(locale) = locale {
            project.env("LC_ALL", locale);
        }
        let (output, report) = data::run(&project, &["-m", "mrr@2,hit_rate@2", "-o", "junit.xml"]);
        assert_eq!((output.status, output.stderr.as_str()), (0, ""));
        let ids: Vec<&Value> = items(&report["questions"]).map(|question| &question["id"]).collect();
        assert_eq!(json!(ids), expected["ids"]);
        for name in ["mrr@2", "hit_rate@2"] {
            assert_near(name, data::mean(&report, name), &expected[name], 1e-9);
        }
        let anchors = items(&report["questions"]).map(|question| question["expected"][0]["anchor"].clone());
        for (anchor, expected) in anchors.zip(items(&expected["expected_chunk_ids"])) {
            assert!(anchor.as_str().unwrap().contains(expected[0].as_str().unwrap()), "{anchor}");
        }
        for output in ["report.json", "junit.xml"] {
            let text = project.read(output);
            assert!(text.contains("estação") && text.ends_with('\n') && !text.contains('\r'), "{output}");
        }
        let output = project.run(["check", "--config", "latin1.toml"]);
        assert_refused(&output, &["latin1.jsonl:1", "not UTF-8"]);
    }
}

/// The only suite of a JUnit document whose name ends so.
fn suite<'a>(document: &'a Document<'_>, name: &str) -> Node<'a, 'a> {
    document
        .descendants()
        .filter(|node| node.has_tag_name("testsuite"))
        .find(|node| node.attribute("name").is_some_and(|suite| suite.ends_with(name)))
        .expect(name)
}

/// How many cases of a suite hold such an element.
fn with(suite: Node<'_, '_>, tag: &str) -> usize {
    suite.descendants().filter(|node| node.has_tag_name(tag)).count()
}

/// Asserts that a suite counts what it lists; its tests, failures and errors.
fn counts(suite: Node<'_, '_>) -> [usize; 3] {
    let counted =
        [("tests", "testcase"), ("failures", "failure"), ("errors", "error")].map(|(count, tag)| {
            let count: usize = suite.attribute(count).expect(count).parse().expect("a number");
            assert_eq!(count, with(suite, tag), "{tag}");
            count
        });
    assert_eq!(suite.attribute("skipped").unwrap_or("0"), with(suite, "skipped").to_string());
    counted
}

/// The questions of the case, and what a retriever says to them.
fn questions(input: &Value) -> (String, Scripted) {
    let mut golden = Vec::new();
    let mut script = BTreeMap::new();
    for test in items(&input["cases"]) {
        let (id, query) = test["name"].as_str().unwrap().split_once(' ').unwrap();
        // "expected doc, got other": the wanted id, and the one that came instead.
        let message = test["message"].as_str().unwrap_or_default();
        let (wanted, got) = message.split_once(", got ").unwrap_or(("a", "a"));
        let wanted = wanted.trim_start_matches("expected ");
        golden.push(json!({"id": id, "query": query, "expected_chunk_ids": [wanted]}));
        let answer = match test["status"].as_str() {
            Some("pass") => Ok(vec![wanted.to_owned()]),
            Some("fail") => Ok(vec![got.to_owned()]),
            _ => Err(message.to_owned()),
        };
        script.insert(id.to_owned(), answer);
    }
    (lines(&golden), Scripted(script))
}

/// Control characters come out as visible escapes. Asserts that strict XML came out that holds what it must and nothing that XML or a terminal forbids.
fn assert_clean<'x>(xml: &'x str, expected: &Value) -> Document<'x> {
    let document = Document::parse(xml).expect("strict XML");
    let texts: Vec<&str> = document
        .descendants()
        .flat_map(|node| node.attributes().map(|attribute| attribute.value()).chain(node.text()))
        .collect();
    for code_point in strings(&expected["no_code_points"]) {
        let number = u32::from_str_radix(code_point.trim_start_matches("U+"), 16).unwrap();
        let forbidden = char::from_u32(number).unwrap();
        assert!(!xml.contains(forbidden), "{code_point}");
        for reference in [format!("&#{number};"), format!("&#x{number:x};"), format!("&#x{number:X};")] {
            assert!(!xml.contains(&reference), "{reference}");
        }
    }
    for kept in strings(&expected["kept"]) {
        assert!(texts.iter().any(|text| text.contains(kept)), "{kept} is not in {xml}");
    }
    document
}

#[test]
fn junit_is_valid_whatever_the_questions_hold() {
    let Some(Case { input, expected }) = case("junit-escape-01") else { return };
    let (golden, retriever) = questions(&input);
    let project = project();
    project.write("golden.jsonl", &golden);
    let config = format!("{RECORDED}[gate]\nrules = ['hit_rate@1 >= 0.9']\nmax_errors = 1\n");
    let report = run_with(&project, &config, &retriever);
    let xml = Junit.render(&report);
    let document = assert_clean(&xml, &expected);
    let count = |key: &str| usize::try_from(expected[key].as_u64().unwrap()).unwrap();
    let wanted = [count("tests"), count("failures"), count("errors")];
    assert_eq!(counts(suite(&document, "questions")), wanted);
    assert_eq!(counts(suite(&document, "rules")), [1, 1, 0]);
    let root = document.root_element();
    assert_eq!(root.attribute("tests"), Some("5"), "{xml}");
}

#[test]
fn junit_is_valid_through_the_run_path() {
    // A run file cannot fail on one question: q3 is missing from it, and misses.
    let Some(Case { input, expected }) = case("junit-escape-01") else { return };
    let (golden, Scripted(script)) = questions(&input);
    let answers: Vec<Value> = script
        .iter()
        .filter_map(|(id, answer)| Some(json!({"id": id, "retrieved": answer.as_ref().ok()?})))
        .collect();
    let project = recorded(&golden, &lines(&answers));
    let gate = ["--gate", "hit_rate@1 >= 0.9", "-o", "junit.xml"];
    let (output, _) = data::run(&project, &gate);
    assert_eq!(output.status, 1, "{}{}", output.stdout, output.stderr);
    let xml = project.read("junit.xml");
    let document = assert_clean(&xml, &expected);
    assert_eq!(counts(suite(&document, "questions")), [4, 2, 0]);
    // The terminal gets none of it either.
    for forbidden in ['\u{0}', '\u{7}', '\u{1b}'] {
        assert!(!output.stdout.contains(forbidden), "{}", output.stdout);
    }
}
