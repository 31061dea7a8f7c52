//! Whatever the bytes are, a reader gives a set or problems.

use proptest::prelude::*;

use super::*;
use crate::formats::qrels::Qrels;
use crate::golden::Queries;
use crate::golden::quote::{Quote, squeeze};

/// Text made of what the formats care about.
fn crafted() -> impl Strategy<Value = String> {
    let pieces = proptest::sample::select(vec![
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "\\",
        "\n",
        "\r\n",
        "\t",
        ";",
        " ",
        "\"id\"",
        "\"query\"",
        "\"expected\"",
        "\"chunk\"",
        "\"any\"",
        "\"start\"",
        "\"queries\"",
        "id",
        "query",
        "chunk",
        "1",
        "2.0",
        "-7",
        "1e9",
        "null",
        "true",
        "é",
        "\u{2028}",
        "\u{feff}",
        "#",
        "|",
        "\\ud800",
        "\"a\":1",
        "{\"id\":1,\"query\":\"x\",\"expected\":[",
    ]);
    proptest::collection::vec(pieces, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn bytes(bytes in proptest::collection::vec(any::<u8>(), 0..200), kind in 0..4_usize) {
        let _ = read(["a.jsonl", "a.json", "a.csv", "a"][kind], bytes);
    }

    #[test]
    fn text(text in crafted(), kind in 0..4_usize) {
        let _ = read(["a.jsonl", "a.json", "a.tsv", "a"][kind], &text);
        let _ = Queries::parse(&text, Path::new("q"));
        let _ = Qrels::parse(&text, Path::new("q"));
    }

    #[test]
    fn judgements(text in "([q-s#\"]{1,2}[ \t]{0,2}){1,4}(-?[0-9](\\.[05])?)?(\r?\n)?") {
        let _ = Qrels::parse(&text, Path::new("q"));
    }

    #[test]
    fn a_quote_is_found_where_it_stands(before in "[a-c \n\u{a0}é🚀]{0,12}", quote in "[x-z][x-z \né🚀]{0,8}[x-z]", after in "[a-c \n]{0,6}") {
        let text = format!("{before}{quote}{after}");
        let quote = Quote::new(&quote);
        prop_assert!(quote.stands_in(&text));
        let span = quote.find(&text).unwrap();
        let here: String = text.chars().skip(span.start).take(span.end - span.start).collect();
        prop_assert!(quote.is_all_of(&here), "{here:?}");
        prop_assert_eq!(squeeze(&squeeze(&text)).into_owned(), squeeze(&text).into_owned());
    }
}
