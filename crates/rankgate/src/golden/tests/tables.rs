use std::collections::BTreeMap;

use super::*;
use crate::golden::Span;

fn columns<const N: usize>(map: [(&str, &str); N]) -> GoldenSettings {
    let columns: BTreeMap<String, String> = map.map(|(field, title)| (field.into(), title.into())).into();
    GoldenSettings { columns, ..GoldenSettings::default() }
}

#[test]
fn a_column_map() {
    let table = "\u{feff}ID;Question;Source file;Evidence;Area;Must work;Tenant;Season\r\n\
                 1;\"when; and\r\nhow\";frost.md;after frost| mid May ;beds;yes;acme;spring\r\n\
                 ;;;;;;;\r\n\
                 2; where ;a.md|b.md;one|two;;;;\r\n\
                 3;what;c.md|d.md;;;N;;";
    let settings = columns([
        ("id", "ID"),
        ("query", "Question"),
        ("doc", "Source file"),
        ("quote", "Evidence"),
        ("category", "Area"),
        ("critical", "Must work"),
        ("params.tenant", "Tenant"),
        ("season", "Season"),
    ]);
    let set = read_with("q.csv", table, settings).unwrap();
    assert_eq!(ids(&set), ["1", "2", "3"]);
    assert_eq!(set.cases[0].query, "when; and\r\nhow");
    assert_eq!(needs(&set, 0), [quote("after frost", Some("frost.md")), quote("mid May", Some("frost.md"))]);
    assert!(set.cases[0].critical && !set.cases[1].critical && !set.cases[2].critical);
    assert_eq!(set.cases[0].field("params.tenant"), ["acme"]);
    assert_eq!(set.cases[0].field("season"), ["spring"]);
    assert_eq!(needs(&set, 1), [quote("one", Some("a.md")), quote("two", Some("b.md"))]);
    assert_eq!(set.cases[1].query, "where");
    assert_eq!(needs(&set, 2), [document("c.md"), document("d.md")]);
    assert_eq!(set.cases.iter().map(|case| case.line).collect::<Vec<_>>(), [2, 5, 6]);
    assert!(set.warnings.is_empty(), "{:?}", set.warnings);
}

#[test]
fn titles_that_speak_for_themselves() {
    let set = read(
        "q.tsv",
        "id\tQuestion\texpected_chunk_ids\tgrade\ttags\tnotes\tteam\ttag\n\
         a\tsay \"x\"\tc1|c2\t2|1\tt|u\tn\tred\tz\n",
    )
    .unwrap();
    assert_eq!(set.cases[0].query, "say \"x\"");
    assert_eq!(needs(&set, 0), [chunk("c1"), chunk("c2")]);
    assert_eq!(set.cases[0].needs[0].grade, 2);
    assert_eq!(set.cases[0].tags, ["t", "u"]);
    assert_eq!(set.cases[0].attributes.keys().collect::<Vec<_>>(), ["tag", "team"]);
    assert_eq!(set.warnings.len(), 1);
    assert_eq!(tell(&set.warnings[0]), "1 - tag: the column is kept as an attribute");
}

#[test]
fn spans_and_ids_from_lines() {
    let set = read(
        "q.csv",
        "query,doc,start,end,quote,forbidden,answerable,must_rank_within\n\nx,d,3|9,5|12,,f,,2\ny,,,,,,no,\n",
    )
    .unwrap();
    assert_eq!(ids(&set), ["row3", "row4"]);
    let span = |start, end| Anchor::Span { doc: "d".into(), span: Span { start, end }, quote: None };
    assert_eq!(needs(&set, 0), [span(3, 5), span(9, 12)]);
    assert_eq!(set.cases[0].forbidden, [chunk("f")]);
    assert_eq!(set.cases[0].must_rank_within, Some(2));
    assert!(!set.cases[1].answerable);
    assert!(set.warnings[0].what.starts_with("no column holds ids"));
}

#[test]
fn rows_that_are_wrong_are_named_by_their_lines() {
    let found = told(read(
        "q.csv",
        "id,query,chunk,doc,quote,critical,grade\n\
         a,\"two\nlines\",c,,,maybe,\n\
         b,x,,d1|d2,q1|q2|q3,,\n\
         c,x,c,,q,,\n\
         d,,c,,,,1.5\n\
         ,x,c,,,,\n\
         f,x,c,,,,,surplus\n\
         b,x,c,,,,\n\
         h,x,,,,,\n",
    ));
    assert_eq!(
        found,
        [
            "8 - -: 8 cells, and the header has 7",
            "2 a critical: yes or no is wanted here, not `maybe`",
            "4 b doc: 2 values here, and 3 pieces of evidence in the row",
            "5 c expected: a chunk id stands alone, or with its `doc`: a span or a quote is evidence of its own, which `any` can offer beside the chunk",
            "6 d query: the question has no text",
            "6 d grade: a whole number of 0 or more is wanted here, not `1.5`",
            "7 - id: the question has no id",
            "9 b id: the id is taken by line 4 already",
            "10 h expected: the question has no evidence",
        ]
    );
}

#[test]
fn missing_columns_are_named_with_those_there_are() {
    let settings = columns([("id", "ID"), ("query", "Qestion"), ("chunk", "Chunk")]);
    let found = problems(read_with("q.csv", "ID,Question,Chunk,Chunk\n1,x,c,c\n", settings));
    assert_eq!(found[0].what, "two columns are called `Chunk`");
    assert_eq!(found[1].what, "there is no column `Qestion`");
    let hint = found[1].hint.as_deref().unwrap();
    assert_eq!(hint, "did you mean `Question`? the columns are ID, Question, Chunk, Chunk");
    let found = problems(read("q.csv", "id,chunk\n1,c\n"));
    assert_eq!(found[0].what, "no column holds the questions");
    assert_eq!(
        told(read("q.csv", "id,query,question,chunk\n1,x,y,c\n")),
        ["1 - question: two columns mean `query`"]
    );
}

#[test]
fn quotes_left_open_are_named() {
    let found = told(read("q.csv", "id,query,chunk\na,x,c\nb,\"open,c\nc,y,c\n"));
    assert_eq!(found[0], "3 - -: a double quote is opened and never closed");
}

#[test]
fn encodings_of_spreadsheets() {
    let set = read("q.csv", b"id,query,chunk\na,caf\xE9 \x80,c\n").unwrap();
    assert_eq!(set.cases[0].query, "café €");
    assert_eq!(set.warnings[0].what, "not UTF-8: read as Windows-1252");
    let utf16: Vec<u8> =
        "\u{feff}id\tquery\tchunk\na\tcafé\tc\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let set = read("q.csv", utf16).unwrap();
    assert_eq!(set.cases[0].query, "café");
    assert!(set.warnings.is_empty());
}

#[test]
fn a_table_has_the_digests_of_the_same_lines() {
    let table = read("q.csv", "id,query,doc,quote\na,x,d,q\n").unwrap();
    let lines = read("q.jsonl", r#"{"id":"a","query":"x","expected":[{"doc":"d","quote":"q"}]}"#).unwrap();
    assert_eq!(table.cases[0].digest, lines.cases[0].digest);
}

#[test]
fn a_name_in_the_map_that_is_nearly_a_field_is_refused() {
    for (name, field) in [
        ("docs", "doc"),
        ("categroy", "category"),
        ("Query", "query"),
        ("question", "query"),
        ("expected_chunk_id", "chunk"),
        ("tag", "tags"),
        ("qoute", "quote"),
        ("answerabel", "answerable"),
    ] {
        let settings = columns([("query", "Question"), (name, "X")]);
        let found = problems(read_with("q.csv", "Question,X\nhow,y\n", settings));
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(tell(&found[0]), format!(" - golden.columns.{name}: `{name}` is no field"));
        let hint = found[0].hint.as_deref().unwrap();
        assert!(hint.starts_with(&format!("did you mean `{field}`?")), "{hint}");
        assert!(hint.contains(&format!("\"attributes.{name}\"")), "{hint}");

        // Under the name that the hint gives, it is an attribute.
        let attribute = format!("attributes.{name}");
        let settings = columns([("query", "Question"), ("chunk", "C"), (attribute.as_str(), "X")]);
        let set = read_with("q.csv", "Question,C,X\nhow,c1,y\n", settings).unwrap();
        assert_eq!(set.cases[0].attributes.get(name).map(String::as_str), Some("y"));
    }
    for name in ["season", "team", "lang", "owner", "region", "product"] {
        let settings = columns([("query", "Question"), ("chunk", "C"), (name, "X")]);
        let set = read_with("q.csv", "Question,C,X\nhow,c1,y\n", settings).unwrap();
        assert_eq!(set.cases[0].field(name), ["y"]);
    }
}
