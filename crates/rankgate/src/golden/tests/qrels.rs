use super::*;
use crate::formats::qrels::{Judgement, Qrels, whole_number};

fn parse(text: &str) -> Result<Qrels> {
    Qrels::parse(text, Path::new("qrels"))
}

fn triples(text: &str) -> Vec<(String, String, i64, usize)> {
    let judgements = parse(text).unwrap().judgements;
    judgements.into_iter().map(|Judgement { query, doc, grade, line }| (query, doc, grade, line)).collect()
}

fn row(query: &str, doc: &str, grade: i64, line: usize) -> (String, String, i64, usize) {
    (query.into(), doc.into(), grade, line)
}

#[test]
fn layouts() {
    for (text, first) in [
        ("a 0 x 2\nb 0 y 0\n", 1),
        ("a\tQ0\tx\t2\nb\tQ0\ty\t0", 1),
        ("\n  a  0\t x   2  \n\n b 0\t y  0", 2),
        ("a\tx\t2\nb\ty\t0\n", 1),
        ("a x 2\nb y 0\n", 1),
        ("query-id\tcorpus-id\tscore\r\na\tx\t2\r\nb\ty\t0\r\n", 2),
        ("\"query-id\"\t\"corpus-id\"\t\"score\"\n\"a\"\t\"x\"\t\"2\"\n\"b\"\t\"y\"\t\"0\"\n", 2),
        ("\"a\"\t0\t\"x\"\t\"2\"\n\"b\"\t0\t\"y\"\t\"0\"\n", 1),
        ("# two judges\na 0 x 2.0\n# again\nb 0 y 0\n", 2),
    ] {
        let found = triples(text);
        assert_eq!(found[0], row("a", "x", 2, first), "{text:?}");
        assert_eq!(
            (found[1].0.as_str(), found[1].1.as_str(), found[1].2, found.len()),
            ("b", "y", 0, 2),
            "{text:?}"
        );
    }
}

#[test]
fn ids_are_bytes() {
    let found = triples("a 0 9#1 1\na 0 C:\\x/../y 1\na 0 007 1\na 0 \"q\" 1\na 0 日#2 -3\n");
    let docs: Vec<_> = found.iter().map(|row| row.1.as_str()).collect();
    assert_eq!(docs, ["9#1", "C:\\x/../y", "007", "\"q\"", "日#2"]);
    assert_eq!(found[4].2, -3);
    assert_eq!(triples("a\tSan Remo\t1\n")[0], row("a", "San Remo", 1, 1));
    assert_eq!(triples("query-id\tcorpus-id\tscore\na\t\"x \"\"y\"\"\"\t1\n")[0], row("a", "x \"y\"", 1, 2));
}

#[test]
fn repeats_and_conflicts() {
    let qrels = parse("a 0 x 1\na 0 y 1\na 0 x 1\n").unwrap();
    assert_eq!(qrels.judgements.len(), 2);
    assert_eq!(
        tell(&qrels.warnings[0]),
        "3 a -: `x` is judged on line 1 already, with the same grade: counted once"
    );
    assert_eq!(told(parse("a 0 x 1\n\na 0 x 0\n")), ["3 a -: `x` has grade 0 here and grade 1 on line 1"]);
}

#[test]
fn damaged_lines() {
    assert_eq!(
        told(parse("a 0 x 1\na 0 y\na 0 a b 1\na 0 x 0.5\na 0 x high\n")),
        [
            "2 - -: 3 columns instead of 4",
            "3 - -: 5 columns instead of 4",
            "4 a score: the grade `0.5` is not a whole number",
            "5 a score: the grade `high` is not a whole number",
        ]
    );
    assert_eq!(
        told(parse("a\tx\t1\na\tx\n\tx\t1\n")),
        ["2 - -: 2 columns instead of 3", "3 - -: an id is empty"]
    );
    assert_eq!(told(parse("hello\n")), ["1 - -: 1 column instead of 4"]);
}

#[test]
fn whole_numbers() {
    for (text, number) in [("2", Some(2)), ("-1", Some(-1)), ("2.0", Some(2)), ("2.000", Some(2))] {
        assert_eq!(whole_number(text), number);
    }
    for text in ["", ".", "2.", ".0", "0.5", "1e2", "1.0e3", "x", "99999999999999999999"] {
        assert_eq!(whole_number(text), None, "{text}");
    }
}

#[test]
fn a_large_file_is_read_at_once() {
    use std::fmt::Write as _;
    let mut text = String::new();
    for line in 0..200_000 {
        writeln!(text, "q{} 0 d{line} {}", line % 1000, line % 3).unwrap();
    }
    let set = GoldenSet::from_qrels(parse(&text).unwrap(), None, crate::config::NoNeeds::Skip).unwrap();
    assert_eq!(set.cases.len(), 1000);
    assert_eq!(
        set.cases.iter().map(|case| case.needs.len() + case.not_relevant.len()).sum::<usize>(),
        200_000
    );
}

#[test]
fn a_run_is_not_read_as_judgements() {
    for (run, look) in [
        ("q1 Q0 d1 1 12.5 tag\nq1 Q0 d2 2 11 tag\n", "a run file (6 columns)"),
        ("{\"id\": \"q1\", \"retrieved\": [\"d1\"]}\n", "JSON"),
    ] {
        let found = problems(crate::formats::qrels::Qrels::parse(run, Path::new("run")));
        assert_eq!(found.len(), 1, "{found:?}");
        let what = format!("this looks like {look}, and relevance judgements are wanted here");
        assert_eq!(found[0].what, what);
        assert!(found[0].hint.as_deref().unwrap().ends_with("are the two files swapped?"));
    }
}
