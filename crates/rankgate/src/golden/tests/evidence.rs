use super::*;
use crate::corpus::{Chunk, Corpus};
use crate::golden::Level;
use crate::golden::evidence::{Evidence, Whereabouts, check_against, whereabouts};
use crate::golden::quote::{Quote, squeeze};

fn piece(id: &str, doc: Option<&str>, start: Option<usize>, text: &str) -> Chunk {
    Chunk {
        id: id.into(),
        doc: doc.map(Into::into),
        start,
        end: start.map(|start| start + text.chars().count()),
        title: String::new(),
        text: text.into(),
    }
}

fn check(line: &str, chunks: Vec<Chunk>, level: Level) -> Evidence {
    let set = read("a.jsonl", line).unwrap();
    check_against(&set, &Corpus::from_chunks(chunks, "test").unwrap(), level)
}

/// The only problem of one expected anchor at chunk level, and its hint.
fn wrong(anchor: &str, chunks: Vec<Chunk>) -> (String, String) {
    let line = format!(r#"{{"id":"a","query":"x","expected":[{anchor}]}}"#);
    let mut found = check(&line, chunks, Level::Chunk);
    assert_eq!(found.problems.len(), 1, "{found:?}");
    let problem = found.problems.remove(0);
    assert!(tell(&problem).starts_with("1 a expected: "));
    (problem.what, problem.hint.unwrap_or_default())
}

fn nothing_wrong(anchor: &str, chunks: Vec<Chunk>) {
    let line = format!(r#"{{"id":"a","query":"x","expected":[{anchor}]}}"#);
    let found = check(&line, chunks, Level::Chunk);
    assert!(found.problems.is_empty() && found.notes.is_empty(), "{found:?}");
}

fn note(anchor: &str, chunks: Vec<Chunk>) -> String {
    let line = format!(r#"{{"id":"a","query":"x","expected":[{anchor}]}}"#);
    let mut found = check(&line, chunks, Level::Chunk);
    assert!(found.problems.is_empty() && found.notes.len() == 1, "{found:?}");
    found.notes.remove(0).what
}

fn bare(ids: &[&str]) -> Vec<Chunk> {
    ids.iter().map(|id| piece(id, None, None, "soil")).collect()
}

#[test]
fn unknown_chunks_and_what_they_may_have_meant() {
    for (id, known, hint) in [
        ("beds", vec!["beds#0", "beds#1", "bedsheet"], "start with it: `beds#0`, `beds#1`"),
        ("D3", vec!["d3"], "the corpus has `d3`"),
        ("d03", vec!["d3"], "the corpus has `d3`"),
        ("CACM-756", vec!["CACM-0756"], "the corpus has `CACM-0756`"),
        ("seedling-1", vec!["seedlings-1"], "did you mean `seedlings-1`?"),
    ] {
        let (what, found) = wrong(&format!(r#"{{"chunk":"{id}"}}"#), bare(&known));
        assert_eq!(what, format!("chunk `{id}` is not in the corpus"));
        assert!(found.contains(hint), "{found}");
    }
    let (_, hint) = wrong(r#"{"chunk":"nothing-near"}"#, bare(&["d3"]));
    assert_eq!(hint, "");
    let many: Vec<String> = (0..9).map(|number| format!("beds#{number}")).collect();
    let (_, hint) = wrong(r#"{"chunk":"beds"}"#, bare(&many.iter().map(String::as_str).collect::<Vec<_>>()));
    assert!(hint.ends_with("`beds#4`, ..."), "{hint}");
}

#[test]
fn documents_and_chunks_taken_for_each_other() {
    let chunks =
        || vec![piece("c1", Some("beds.md"), None, "soil"), piece("c2", Some("beds.md"), None, "sand")];
    let (_, hint) = wrong(r#"{"chunk":"beds.md"}"#, chunks());
    assert!(hint.starts_with("`beds.md` is a document; its chunks are `c1`, `c2`"), "{hint}");
    let (what, hint) = wrong(r#"{"doc":"c1"}"#, chunks());
    assert_eq!(
        (what.as_str(), hint.as_str()),
        ("document `c1` is not in the corpus", "`c1` is a chunk of `beds.md`: expect it as `chunk`")
    );
    let (_, hint) = wrong(r#"{"doc":"Beds.md"}"#, chunks());
    assert!(hint.contains("`beds.md`"));
    let line = r#"{"id":"a","query":"x","expected_chunk_ids":["beds.md"]}"#;
    assert!(check(line, chunks(), Level::Document).problems.is_empty());
    assert_eq!(
        note(r#"{"chunk":"c1","doc":"sand.md"}"#, chunks()),
        "chunk `c1` belongs to `beds.md`, not to `sand.md`"
    );
}

#[test]
fn every_alternative_and_everything_forbidden_is_looked_up() {
    let line = r#"{"id":"a","query":"x","expected":[{"any":[{"chunk":"c1"},{"chunk":"zz"}]},{"chunk":"yy","grade":0}],"forbidden":[{"doc":"xx"}]}"#;
    let found = check(line, bare(&["c1"]), Level::Chunk);
    let told: Vec<_> = found.problems.iter().map(tell).collect();
    assert_eq!(
        told,
        [
            "1 a expected: chunk `zz` is not in the corpus",
            "1 a forbidden: document `xx` is not in the corpus"
        ]
    );
}

#[test]
fn offsets_count_characters() {
    let text = "🚀 Samen: 3 € — Garantie, immer.";
    let chunks = || vec![piece("d", None, None, text)];
    let span = |start, end| format!(r#"{{"doc":"d","start":{start},"end":{end},"quote":"Garantie"}}"#);
    nothing_wrong(&span(15, 23), chunks());
    let (what, hint) = wrong(&span(16, 24), chunks());
    assert_eq!(what, "another text than the quote stands at 16 to 24 of `d`");
    assert_eq!(hint, "the offsets look like UTF-16 units; in characters it is 15 to 23");
    let (_, hint) = wrong(&span(22, 30), chunks());
    assert_eq!(hint, "the offsets look like UTF-8 bytes; in characters it is 15 to 23");
    let (_, hint) = wrong(&span(14, 22), chunks());
    assert_eq!(hint, "the quote stands at 15 to 23");
    let (what, _) = wrong(&span(15, 99), chunks());
    assert_eq!(what, "the span ends at 99, and `d` has 31 characters");
    nothing_wrong(r#"{"doc":"d","start":0,"end":31}"#, chunks());
    wrong(r#"{"doc":"d","start":0,"end":32}"#, chunks());
}

#[test]
fn a_document_is_stitched_from_chunks_that_say_where_they_start() {
    let chunks = || {
        vec![
            piece("c2", Some("d"), Some(4), "zwei drei"),
            piece("c1", Some("d"), Some(0), "één zwei"),
            piece("c3", Some("d"), Some(15), "vier"),
        ]
    };
    nothing_wrong(r#"{"doc":"d","start":4,"end":8,"quote":"zwei"}"#, chunks());
    nothing_wrong(r#"{"doc":"d","start":0,"end":13,"quote":"één zwei drei"}"#, chunks());
    nothing_wrong(r#"{"doc":"d","start":15,"end":19,"quote":"vier"}"#, chunks());
    assert_eq!(
        note(r#"{"doc":"d","quote":"één zwei drei"}"#, chunks()),
        "the quote \"één zwei drei\" stands in `d`, but no chunk holds it whole: the chunker cuts it"
    );
    wrong(r#"{"doc":"d","quote":"drei vier"}"#, chunks());
    let line = r#"{"id":"a","query":"x","expected":[{"quote":"één zwei drei"}]}"#;
    assert!(check(line, chunks(), Level::Document).notes.is_empty());
}

#[test]
fn chunks_without_places_are_read_one_after_the_other() {
    let chunks =
        || vec![piece("c1", Some("d"), None, "sow in "), piece("c2", Some("d"), None, "May\nor June")];
    nothing_wrong(r#"{"doc":"d","quote":"May  or June"}"#, chunks());
    assert!(note(r#"{"quote":"in May"}"#, chunks()).contains("the chunker cuts it"));
    assert!(note(r#"{"doc":"d","start":1,"end":3}"#, chunks()).contains("cannot be checked"));
    wrong(r#"{"doc":"d","start":1,"end":3,"quote":"July"}"#, chunks());
}

#[test]
fn quotes_that_stand_elsewhere() {
    let chunks =
        || vec![piece("c1", Some("d"), None, "sow in May"), piece("c2", Some("e"), None, "reap in June")];
    let (what, hint) = wrong(r#"{"doc":"d","quote":"in June"}"#, chunks());
    assert_eq!(
        (what.as_str(), hint.as_str()),
        ("the quote \"in June\" does not stand in `d`", "it stands in `c2`, which belongs to `e`")
    );
    let (what, _) = wrong(r#"{"quote":"in july"}"#, chunks());
    assert_eq!(what, "the quote \"in july\" stands nowhere in the corpus");
    wrong(r#"{"quote":"Sow in May"}"#, chunks());
    nothing_wrong(r#"{"quote":" sow\nin May"}"#, chunks());
}

#[test]
fn only_white_space_is_forgiven() {
    assert_eq!(squeeze(" a\u{a0}\n b "), "a b");
    assert!(matches!(squeeze("a b"), std::borrow::Cow::Borrowed(_)));
    assert!(!Quote::new(" ").stands_in("a b"));
    assert!(!Quote::new("").stands_in(""));
    assert!(Quote::new("b  c").stands_in("a b\tc d"));
    assert!(!Quote::new("bc").stands_in("b c"));
}

#[test]
fn starts_far_beyond_the_text_fill_no_memory() {
    let chunks =
        vec![piece("c1", Some("d"), Some(usize::MAX - 10), "soil"), piece("c2", Some("d"), Some(0), "sand")];
    assert!(note(r#"{"doc":"d","start":1,"end":3}"#, chunks).contains("cannot be checked"));
}

#[test]
fn an_unknown_id_is_one_problem_for_all_who_want_it() {
    let line = r#"{"id":"a","query":"x","expected":[{"chunk":"d03"},{"doc":"gone"}]}
{"id":"b","query":"y","expected":[{"chunk":"d03"},{"chunk":"d3"}]}
{"id":"c","query":"z","expected":[{"chunk":"d3"}],"forbidden":[{"chunk":"d03"}]}"#;
    let found = check(line, bare(&["d3"]), Level::Chunk);
    let told: Vec<String> = found.problems.iter().map(tell).collect();
    assert_eq!(
        told,
        [
            "1 a expected: chunk `d03` is not in the corpus, and 3 labels want it",
            "1 a expected: document `gone` is not in the corpus"
        ]
    );
    assert_eq!(found.labels, 4);
}

/// A corpus that was cut from these files.
fn folder(files: &[(&str, &str)], size: usize) -> Corpus {
    let mut folder = Folder::new();
    for (name, text) in files {
        folder = folder.with(&format!("docs/{name}"), text);
    }
    let chunker = crate::config::ChunkerSettings { size, overlap: 0, ..Default::default() };
    let path = folder.path("docs");
    let settings =
        crate::config::CorpusSettings { path, format: crate::config::CorpusFormat::Folder, chunker };
    Corpus::read(&settings).unwrap()
}

fn hint_in(corpus: &Corpus, anchor: &str) -> String {
    let set = read("a.jsonl", format!(r#"{{"id":"a","query":"x","expected":[{anchor}]}}"#)).unwrap();
    let found = check_against(&set, corpus, Level::Chunk);
    assert_eq!(found.problems.len(), 1, "{found:?}");
    found.problems[0].hint.clone().unwrap_or_default()
}

#[test]
fn numbers_of_chunks_that_the_chunker_has_moved() {
    let corpus =
        folder(&[("kb/laptops.md", "One word.\n\nTwo words.\n\nThree words.\n"), ("kb/vpn.md", "On.")], 14);
    let survives =
        "such ids move when the text or the chunker changes, and a label by quote or span survives";
    for (chunk, there) in [
        ("kb/laptops.md#3", "`kb/laptops.md` is cut into #0 to #2 now"),
        ("kb/vpn.md#1", "`kb/vpn.md` is one chunk now, #0"),
        ("laptops.md#0", "there is no document `laptops.md`, but `kb/laptops.md`"),
    ] {
        assert_eq!(hint_in(&corpus, &format!(r#"{{"chunk":"{chunk}"}}"#)), format!("{there}; {survives}"));
    }
    // Elsewhere such an id is one like others.
    let (_, hint) = wrong(r#"{"chunk":"laptops.md#1"}"#, bare(&["laptops.md#0"]));
    assert_eq!(hint, "did you mean `laptops.md#0`?");
}

#[test]
fn documents_are_found_by_their_names() {
    let files = [
        ("kb/vpn.md", "a"),
        ("kb/wifi.md", "b"),
        ("it/printers/faq.md", "c"),
        ("hr/faq.md", "d"),
        ("vpm.md", "e"),
    ];
    let corpus = folder(&files, 100);
    for (doc, hint) in [
        ("vpn.md", "did you mean `kb/vpn.md`?"),
        ("vpn", "did you mean `kb/vpn.md`?"),
        ("./kb/vpn.md", "did you mean `kb/vpn.md`?"),
        ("docs/kb/vpn.md", "did you mean `kb/vpn.md`?"),
        ("old/VPN.html", "did you mean `kb/vpn.md`?"),
        ("faq.md", "documents of this name: `hr/faq.md`, `it/printers/faq.md`"),
        ("printers/faq.md", "did you mean `it/printers/faq.md`?"),
        ("kb/wifl.md", "did you mean `kb/wifi.md`?"),
    ] {
        assert_eq!(hint_in(&corpus, &format!(r#"{{"doc":"{doc}"}}"#)), hint, "{doc}");
    }
}

#[test]
fn a_quote_that_is_almost_there() {
    let text =
        "Before it all: the user’s “big” wish — a naïve café — is served from 9–17 h… and co\u{ad}operation.";
    for (quote, hint) in [
        (
            "the user's",
            "almost: \"the user’s\" stands there, with `’` (U+2019) where the quote has `'` (U+0027)",
        ),
        (
            "from 9-17 h",
            "almost: \"from 9–17 h\" stands there, with `–` (U+2013) where the quote has `-` (U+002D)",
        ),
        (
            "before it",
            "almost: \"Before it\" stands there, with `B` (U+0042) where the quote has `b` (U+0062)",
        ),
        (
            "naïve cafe\u{301}",
            "almost: \"naïve café\" stands there, with `é` (U+00E9) where the quote has `e\u{301}` (U+0065 U+0301)",
        ),
        (
            "cooperation",
            "almost: \"co\u{ad}operation\" stands there, with `o\u{ad}` (U+006F U+00AD) where the quote has `o` (U+006F)",
        ),
        (
            "user's \\\"big\\\" wish",
            "almost: \"user’s “big” wish\" stands there, with `’` (U+2019) where the quote has `'` (U+0027), and 2 more \
             differences",
        ),
    ] {
        let chunks = || vec![piece("c", Some("d"), None, text)];
        let (what, found) = wrong(&format!(r#"{{"doc":"d","quote":"{quote}"}}"#), chunks());
        assert!(what.ends_with("does not stand in `d`"), "{what}");
        assert_eq!(found, hint);
        let (_, found) = wrong(&format!(r#"{{"quote":"{quote}"}}"#), chunks());
        assert_eq!(found, format!("in `d`, {hint}"));
    }
    // A long quote is shown, and of what is there the part that differs.
    let long = "a sentence that goes on and on, as the ones in manuals do, until nobody knows how it began, and isn't over";
    let there = long.replace('\'', "’");
    let (what, hint) =
        wrong(&format!(r#"{{"doc":"d","quote":"{long}"}}"#), vec![piece("c", Some("d"), None, &there)]);
    assert!(what.contains(long), "{what}");
    assert!(hint.starts_with("almost: \"…ows how it began, and isn’t over\""), "{hint}");
    // Other words are no near miss.
    let (_, hint) = wrong(r#"{"quote":"naive coffee"}"#, vec![piece("c", Some("d"), None, text)]);
    assert!(hint.starts_with("a quote is compared"), "{hint}");
}

#[test]
fn where_evidence_stands() {
    let corpus =
        folder(&[("rooms.md", "The red room.\n\nThe blue room.\n"), ("other.md", "The red room.")], 16);
    let quote = |text: &str, doc: Option<&str>| whereabouts(&super::quote(text, doc), &corpus, 0.5).unwrap();
    let ids = |ids: &[&str]| ids.iter().map(|id| (*id).to_owned()).collect::<Vec<_>>();
    assert_eq!(quote("red room", Some("rooms.md")), Whereabouts::In(ids(&["rooms.md#0"])));
    assert_eq!(quote("red room", None), Whereabouts::In(ids(&["other.md#0", "rooms.md#0"])));
    assert_eq!(quote("room. The blue", None), Whereabouts::Cut(ids(&["rooms.md#0", "rooms.md#1"])));
    assert_eq!(quote("green", None), Whereabouts::Nowhere);
    let span = |start, end, coverage| {
        let anchor =
            Anchor::Span { doc: "rooms.md".into(), span: crate::golden::Span { start, end }, quote: None };
        whereabouts(&anchor, &corpus, coverage).unwrap()
    };
    assert_eq!(span(4, 12, 0.5), Whereabouts::In(ids(&["rooms.md#0"])));
    assert_eq!(span(4, 23, 1.0), Whereabouts::Cut(ids(&["rooms.md#0", "rooms.md#1"])));
    assert_eq!(span(400, 410, 0.5), Whereabouts::Nowhere);
    assert_eq!(whereabouts(&document("rooms.md"), &corpus, 0.5), None);
}
