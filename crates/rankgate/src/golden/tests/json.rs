use serde_json::json;

use super::*;
use crate::config::{LevelSetting, NoNeeds};
use crate::golden::{Level, Need, Span};

#[test]
fn the_full_shape() {
    let set = read(
        "v3.jsonl",
        r#"{"id":"q1","query":"when do seedlings go out","expected":[{"chunk":"spring-2","grade":2},{"doc":"frost.md","start":4,"end":9,"quote":"mid May"},{"any":[{"quote":"after frost"},{"doc":"calendar.md"}]},{"chunk":"tools-1","grade":0}],"forbidden":[{"doc":"draft.md"}],"params":{"zone":{"no":7}},"category":"beds","tags":["spring","frost"],"source":"sme","critical":true,"must_rank_within":3,"quarantine":"moving house","attributes":{"length":2.5},"metadata":{"who":"ana","more":{"deep":1}},"notes":"ask again"}"#,
    )
    .unwrap();
    let case = &set.cases[0];
    assert_eq!((set.version.as_str(), case.line), ("v3", 1));
    assert_eq!(case.query, "when do seedlings go out");
    assert_eq!(case.needs[0], Need { grade: 2, alternatives: vec![chunk("spring-2")] });
    let span = Span { start: 4, end: 9 };
    let anchor = Anchor::Span { doc: "frost.md".into(), span, quote: Some("mid May".into()) };
    assert_eq!(case.needs[1], Need { grade: 1, alternatives: vec![anchor] });
    assert_eq!(case.needs[2].alternatives, [quote("after frost", None), document("calendar.md")]);
    assert_eq!(case.needs.len(), 3);
    assert_eq!(case.not_relevant, [chunk("tools-1")]);
    assert_eq!(case.forbidden, [document("draft.md")]);
    assert_eq!(json!(case.params), json!({"zone": {"no": 7}}));
    assert_eq!(case.category.as_deref(), Some("beds"));
    assert_eq!(case.tags, ["spring", "frost"]);
    assert_eq!(case.source.as_deref(), Some("sme"));
    assert!(case.critical && case.answerable);
    assert_eq!(case.must_rank_within, Some(3));
    assert_eq!(case.quarantine.as_deref(), Some("moving house"));
    assert_eq!(json!(case.attributes), json!({"length": "2.5", "who": "ana"}));
    assert!(set.warnings.is_empty());
}

#[test]
fn plain_shapes() {
    let set = read(
        "a.jsonl",
        r#"{"id":"a","question":"x","expected_chunk_ids":["c1","c2"],"query_type":"how"}
{"id":"b","question":"x","relevant_doc_ids":["d1"]}
{"id":"c","question":"x","target_chunk_id":"c1","expected_doc_id":"d1","relevance_score":3.0}
{"id":"d","question":"x","expected_doc_id":"d1"}"#,
    )
    .unwrap();
    assert_eq!(needs(&set, 0), [chunk("c1"), chunk("c2")]);
    assert_eq!(set.cases[0].category.as_deref(), Some("how"));
    assert_eq!(needs(&set, 1), [document("d1")]);
    assert_eq!(needs(&set, 2), [Anchor::Chunk { id: "c1".into(), doc: Some("d1".into()) }]);
    assert_eq!(set.cases[2].needs[0].grade, 3);
    assert_eq!(needs(&set, 3), [document("d1")]);
    assert_eq!(set.cases[3].line, 4);
}

#[test]
fn wrapper_list_and_lines_are_told_apart() {
    let case = r#"{"id":"a","query":"x","expected_chunk_ids":["c"]}"#;
    let wrapper = format!(
        "{{\n \"embedding_model_version\": \"bge-2\",\n \"version\": 3,\n \"queries\": [\n\n{case}\n]}}"
    );
    for name in ["s.json", "s.txt", "s"] {
        let set = read(name, &wrapper).unwrap();
        assert_eq!(set.embedding_model_version.as_deref(), Some("bge-2"));
        assert_eq!((ids(&set), set.cases[0].line), (vec!["a"], 6));
    }
    let one_line = format!("{{\"queries\": [{case}]}}");
    assert_eq!(ids(&read("s.jsonl", one_line).unwrap()), ["a"]);
    let list = format!("[\n{case},\n{}]", case.replace("\"a\"", "\"b\""));
    let set = read("s.json", list).unwrap();
    assert_eq!((ids(&set), set.cases[1].line), (vec!["a", "b"], 3));
    assert_eq!(ids(&read("s.json", format!("[{case}]")).unwrap()), ["a"]);
    let lines = format!("{case}\n{}", case.replace("\"a\"", "\"b\""));
    assert_eq!(ids(&read("s.json", lines).unwrap()), ["a", "b"]);
}

#[test]
fn wrappers_are_checked_too() {
    assert_eq!(
        told(read("s.json", r#"{"quries": [], "embedding_model_version": 3}"#)),
        [
            " - quries: unknown field of the golden set: did you mean `queries`?",
            " - embedding_model_version: a string is wanted here, not a number (`3`)",
            " - queries: the list of questions is missing",
        ]
    );
}

#[test]
fn ids_keep_every_digit() {
    let set = read(
        "a.jsonl",
        "{\"id\":7,\"query\":\"x\",\"expected_chunk_ids\":[9007199254740993,\"012\"]}\n\
         {\"id\":123456789012345678901234567890,\"query\":\"x\",\"expected_chunk_ids\":[-3]}",
    )
    .unwrap();
    assert_eq!(ids(&set), ["7", "123456789012345678901234567890"]);
    assert_eq!(needs(&set, 0), [chunk("9007199254740993"), chunk("012")]);
    assert_eq!(needs(&set, 1), [chunk("-3")]);
}

#[test]
fn other_types_are_no_ids() {
    let lines = r#"{"id":"a","query":"x","expected_chunk_ids":[1.5]}
{"id":"b","query":"x","expected_chunk_ids":[true, null]}
{"id":null,"query":"x","expected_chunk_ids":["a"]}
{"id":"d","query":"x","expected_chunk_ids":"abc"}
{"id":1.0e3,"query":"x","expected_chunk_ids":["a"]}
{"query":"x","expected_chunk_ids":["a"]}
{"id":"g","query":"x","expected":[{"chunk":" "}],"target_chunk_id":null}"#;
    assert_eq!(
        told(read("a.jsonl", lines)),
        [
            "1 a expected_chunk_ids[0]: an id, that is a string or a whole number, is wanted here, not a number (`1.5`)",
            "2 b expected_chunk_ids[0]: an id, that is a string or a whole number, is wanted here, not true or false (`true`)",
            "2 b expected_chunk_ids[1]: an id, that is a string or a whole number, is wanted here, not null",
            "3 - id: an id, that is a string or a whole number, is wanted here, not null",
            "4 d expected_chunk_ids: a list is wanted here, not a string (`\"abc\"`)",
            "5 - id: an id, that is a string or a whole number, is wanted here, not a number (`1.0e3`)",
            "6 - id: the question has no id",
            "7 g expected[0].chunk: the id is blank",
            "7 g target_chunk_id: an id, that is a string or a whole number, is wanted here, not null",
        ]
    );
}

#[test]
fn slips_of_the_pen_are_named() {
    let found = problems(read(
        "a.jsonl",
        r#"{"id":"a","query":"x","expcted":[{"chunk":"c"}]}
{"id":"b","query":"x","expected":[{"chunck":"c"}]}
{"id":"c","query":"x","expected":[{"chunk":"c"}],"team":"search"}"#,
    ));
    let hints: Vec<_> =
        found.iter().map(|problem| (tell(problem), problem.hint.clone().unwrap_or_default())).collect();
    assert_eq!(hints[0], ("1 a expcted: unknown field".into(), "did you mean `expected`?".into()));
    assert_eq!(hints[1], ("2 b expected[0].chunck: unknown field".into(), "did you mean `chunk`?".into()));
    assert!(hints[2].0.starts_with("2 b expected[0]: no evidence is named"));
    assert_eq!(hints[3].0, "3 c team: unknown field");
    assert!(hints[3].1.contains("attributes"));
}

#[test]
fn a_bare_id_is_no_anchor() {
    let line = r#"{"id":"a","query":"x","expected":["c"],"forbidden":["d"]}"#;
    let found = told(read("a.jsonl", line));
    assert!(found[0].starts_with("1 a expected[0]: an object is wanted here, not a string (`\"c\"`): write"));
    assert!(found[1].starts_with("1 a forbidden[0]: an object"));
}

#[test]
fn syntax_errors_have_a_line_and_a_column() {
    let lines =
        "{\"id\":\"a\",\"query\":\"x\",\"expected_chunk_ids\":[\"c\"]}\n\n{\"id\":\"é\" \"query\":1}\n[1]\n";
    let found = told(read("a.jsonl", lines));
    assert!(found[0].starts_with("3:11 - -: not valid JSON: expected `,` or `}`"), "{found:?}");
    assert_eq!(found[1], "4 - -: an object is wanted here, not a list");
    let found = told(read("a.json", "{\"queries\": [\n{\"id\": \"a\",}\n]}"));
    assert!(found[0].starts_with("2:12 - -: not valid JSON"), "{found:?}");
}

#[test]
fn field_types() {
    let found = told(read(
        "a.jsonl",
        r#"{"id":"a","query":" ","expected":[{"chunk":"c","grade":0.5},{"chunk":"d","grade":-1},{"doc":"d","start":3,"end":3}]}
{"id":"b","query":"x","expected":[{"start":1,"end":2},{"doc":"d","start":1},{"chunk":"c","quote":"q"},{"any":[]},{"any":[{"chunk":"c","grade":2}]}]}
{"id":"c","query":"x","expected_chunk_ids":["c"],"critical":"yes","must_rank_within":0,"tags":"x","params":[1],"answerable":1,"quarantine":true,"source":"guess","attributes":{"a":[]}}
{"id":"d","query":"x","question":"y","expected_chunk_ids":["c"],"query":"z"}
{"id":"e","query":"x","expected_chunk_ids":["c"],"relevance_score":2}
{"id":"f","query":"x","expected_chunk_ids":["c"],"source":"synthetik"}"#,
    ));
    let starts = [
        "1 a query: the text is blank",
        "1 a expected[0].grade: a whole number of 0 or more is wanted here, not a number (`0.5`)",
        "1 a expected[1].grade: a whole number",
        "1 a expected[2]: the span is empty",
        "2 b expected[0]: a span needs the `doc`",
        "2 b expected[1]: a span needs both",
        "2 b expected[2]: a chunk id stands alone",
        "2 b expected[3].any: there is no alternative",
        "2 b expected[4].any[0].grade: unknown field",
        "3 c critical: true or false is wanted here, not a string (`\"yes\"`)",
        "3 c must_rank_within: ranks count from 1",
        "3 c tags: a list is wanted",
        "3 c params: an object is wanted",
        "3 c answerable: true or false",
        "3 c quarantine: a reason is wanted here",
        "3 c attributes.a: an attribute is",
        "4 d query: the field is given twice",
        "4 d question: `query` is given too",
        "5 e relevance_score: it grades",
        "6 f source: unknown source `synthetik`",
    ];
    for (found, start) in found.iter().zip(starts) {
        assert!(found.starts_with(start), "{found} is not {start}");
    }
    assert_eq!(found.len(), starts.len(), "{found:#?}");
}

#[test]
fn cases_that_contradict_themselves() {
    let found = told(read(
        "a.jsonl",
        r#"{"id":"a","query":"x","expected_chunk_ids":["c"],"forbidden":[{"chunk":"c","doc":"d"}]}
{"id":"b","query":"x","expected":[{"doc":"d","quote":"q"}],"forbidden":[{"doc":"d"}]}
{"id":"c","query":"x","expected_chunk_ids":["c"],"answerable":false}
{"id":"d","query":"x","answerable":false,"critical":true}
{"id":"e","query":"x","must_rank_within":2}
{"id":"f","query":"x","expected":[{"chunk":"c","grade":1},{"chunk":"c","grade":2}]}
{"id":"g","query":"x","expected":[{"any":[{"chunk":"c"},{"chunk":"d"}]},{"chunk":"d","grade":0}]}
{"id":"a","query":"x","expected_chunk_ids":["c"]}
{"id":"h","query":"x","expected":[{"chunk":"c","grade":0}]}"#,
    ));
    assert_eq!(
        found,
        [
            "1 a forbidden: chunk `c` is both expected and forbidden",
            "2 b forbidden: the quote \"q\" is both expected and forbidden",
            "3 c answerable: the question is not answerable, yet evidence is expected",
            "4 d critical: `critical` promises a rank for evidence, and there is none",
            "5 e must_rank_within: `must_rank_within` promises a rank for evidence, and there is none",
            "6 f expected[1]: chunk `c` has grade 2 here and grade 1 before",
            "7 g expected: chunk `d` is both expected and judged not relevant (grade 0)",
            "8 a id: the id is taken by line 1 already",
            "9 h expected: the question has no evidence",
        ]
    );
}

#[test]
fn questions_without_evidence_are_left_out_on_request() {
    let lines = "{\"id\":\"a\",\"query\":\"x\",\"expected\":[]}\n\
                 {\"id\":\"b\",\"query\":\"x\",\"expected_chunk_ids\":[\"c\"]}\n\
                 {\"id\":\"c\",\"query\":\"x\",\"answerable\":false}";
    assert_eq!(told(read("a.jsonl", lines)), ["1 a expected: the question has no evidence"]);
    let skip = GoldenSettings { no_needs: Some(NoNeeds::Skip), ..GoldenSettings::default() };
    let set = read_with("a.jsonl", lines, skip).unwrap();
    assert_eq!(ids(&set), ["b", "c"]);
    assert_eq!(set.without_needs, ["a"]);
    assert!(!set.cases[1].answerable);
}

#[test]
fn a_repeated_label_counts_once() {
    let set = read("a.jsonl", r#"{"id":"a","query":"x","expected_chunk_ids":["c","c","d"]}"#).unwrap();
    assert_eq!(needs(&set, 0), [chunk("c"), chunk("d")]);
    assert_eq!(tell(&set.warnings[0]), "1 a expected_chunk_ids[1]: chunk `c` is listed twice: counted once");
}

#[test]
fn a_set_without_questions_is_refused() {
    for (name, content) in [
        ("a.jsonl", ""),
        ("a.jsonl", "\n\n  \n"),
        ("a.json", "[]"),
        ("a.json", "{\"queries\":[]}"),
        ("a.csv", "id,query,chunk\n"),
        ("a.csv", ""),
        ("a", ""),
    ] {
        let found = problems(read(name, content));
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].what, "no questions");
        assert!(found[0].place.file.as_ref().unwrap().ends_with(name));
    }
}

#[test]
fn encodings_and_line_ends() {
    let text = "\u{feff}{\"id\": \"a\", \"query\": \"où?\", \"expected_chunk_ids\": [\"é#0\"]}  \r\n\r\n\
                {\"id\": \"b\", \"query\": \"x\u{2028}y\", \"expected_chunk_ids\": [\"ü\"]}";
    let set = read("a.jsonl", text).unwrap();
    assert_eq!(ids(&set), ["a", "b"]);
    assert_eq!(needs(&set, 0), [chunk("é#0")]);
    let damaged = b"{\"id\": \"a\", \"query\": \"o\xF9?\", \"expected_chunk_ids\": [\"a\"]}";
    assert_eq!(told(read("a.jsonl", damaged)), ["1 - -: not UTF-8"]);
}

#[test]
fn digests_follow_the_meaning() {
    let digest = |line: &str| read("a.jsonl", line).unwrap().cases[0].digest.clone();
    let plain = digest(r#"{"id":"a","question":"x","expected_chunk_ids":["c"],"params":{"b":1,"a":2}}"#);
    for same in [
        r#"{"params":{"a":2,  "b":1},"expected":[{"grade":1.0,"chunk":"c"}],"query":"x","id":"a"}"#,
        r#"{"id":"other","query":"x","target_chunk_id":"c","params":{"b":1,"a":2},"category":"k","tags":["t"],"source":"sme","critical":true,"notes":"n"}"#,
        r#"{"id":"a","query":"x","expected":[{"any":[{"chunk":"c"}]}],"params":{"b":1,"a":2},"answerable":true}"#,
    ] {
        assert_eq!(digest(same), plain, "{same}");
    }
    for other in [
        r#"{"id":"a","question":"y","expected_chunk_ids":["c"],"params":{"b":1,"a":2}}"#,
        r#"{"id":"a","question":"x","expected_chunk_ids":["C"],"params":{"b":1,"a":2}}"#,
        r#"{"id":"a","question":"x","relevant_doc_ids":["c"],"params":{"b":1,"a":2}}"#,
        r#"{"id":"a","question":"x","expected_chunk_ids":["c"],"params":{"b":1,"a":"2"}}"#,
        r#"{"id":"a","question":"x","expected":[{"chunk":"c","grade":2}],"params":{"b":1,"a":2}}"#,
        r#"{"id":"a","question":"x","expected":[{"chunk":"c"},{"chunk":"d","grade":0}],"params":{"b":1,"a":2}}"#,
        r#"{"id":"a","question":"x","expected_chunk_ids":["c"],"params":{"b":1,"a":2},"forbidden":[{"chunk":"d"}]}"#,
    ] {
        assert_ne!(digest(other), plain, "{other}");
    }
}

#[test]
fn the_file_digest_is_over_its_bytes() {
    let set = read("a.jsonl", "{\"id\":1,\"query\":\"x\",\"expected_chunk_ids\":[1]}\n").unwrap();
    // `sha256sum` of the same line.
    assert_eq!(set.sha256, "c0413dd3fc4fa2f76d213afdc68dbaff65088381e79f6d778f6f9dd06dc1b1a9");
}

#[test]
fn levels() {
    let level = |lines: &str, setting| read("a.jsonl", lines).unwrap().level(setting);
    let documents = r#"{"id":1,"query":"x","relevant_doc_ids":["d"]}"#;
    let mixed = r#"{"id":1,"query":"x","expected":[{"any":[{"doc":"d"},{"quote":"q"}]}]}"#;
    let nothing = r#"{"id":1,"query":"x","answerable":false}"#;
    assert_eq!(level(documents, LevelSetting::Auto), Level::Document);
    assert_eq!(level(documents, LevelSetting::Chunk), Level::Chunk);
    assert_eq!(level(mixed, LevelSetting::Auto), Level::Chunk);
    assert_eq!(level(mixed, LevelSetting::Document), Level::Document);
    assert_eq!(level(nothing, LevelSetting::Auto), Level::Chunk);
}

#[test]
fn fields_by_name() {
    let set = read(
        "a.jsonl",
        r#"{"id":"a","query":"x","expected_chunk_ids":["c"],"tags":["t","u"],"category":"k","critical":true,"params":{"lang":"pt","in":{"year":2026},"who":"p"},"attributes":{"who":"me"}}"#,
    )
    .unwrap();
    let case = &set.cases[0];
    assert_eq!(case.field("tag"), ["t", "u"]);
    assert_eq!(case.field("category"), ["k"]);
    assert_eq!(case.field("critical"), ["true"]);
    assert_eq!(case.field("lang"), ["pt"]);
    assert_eq!(case.field("params.in.year"), ["2026"]);
    assert_eq!(case.field("who"), ["me"]);
    assert_eq!(case.field("params.who"), ["p"]);
    assert!(case.field("source").is_empty() && case.field("nowhere").is_empty());
    let names = set.field_names();
    for name in ["category", "lang", "params.lang", "params.in.year", "who"] {
        assert!(names.iter().any(|known| known == name), "{name} in {names:?}");
    }
}

#[test]
fn only_fields_that_some_question_has_are_named() {
    let names = |line: &str| read("a.jsonl", line).unwrap().field_names();
    let always = ["answerable", "critical", "id"];
    assert_eq!(
        names(r#"{"id":"a","query":"x","expected_chunk_ids":["c"],"params":{"x":null,"y":[]}}"#),
        always
    );
    for (field, name) in [
        (r#""category":"k""#, "category"),
        (r#""tags":["t"]"#, "tag"),
        (r#""source":"logs""#, "source"),
        (r#""must_rank_within":2"#, "must_rank_within"),
        (r#""attributes":{"who":"me"}"#, "who"),
    ] {
        let line = format!(r#"{{"id":"a","query":"x","expected_chunk_ids":["c"],{field}}}"#);
        let mut expected: Vec<&str> = always.into_iter().chain([name]).collect();
        expected.sort_unstable();
        assert_eq!(names(&line), expected);
    }
}
