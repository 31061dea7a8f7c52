use proptest::prelude::*;

use super::*;

const ALL: [Redaction; 5] = [
    Redaction { text: TextLevel::Full, ids: IdLevel::Hash },
    Redaction { text: TextLevel::Query, ids: IdLevel::Plain },
    Redaction { text: TextLevel::Query, ids: IdLevel::Hash },
    Redaction { text: TextLevel::None, ids: IdLevel::Plain },
    Redaction { text: TextLevel::None, ids: IdLevel::Hash },
];

#[test]
fn anchors_keep_their_form() {
    let [full_hash, query_plain, ..] = ALL;
    let anchor = "chunk `a` | characters 3 to 9 of `b` | document `c` | the quote \"words\"";
    assert_eq!(
        full_hash.anchor(anchor),
        "chunk `h:ca978112ca1b` | characters 3 to 9 of `h:3e23e8160039` | document `h:2e7d2c03a950` | the \
         quote \"words\""
    );
    assert_eq!(
        query_plain.anchor(anchor),
        "chunk `a` | characters 3 to 9 of `b` | document `c` | the quote (hidden)"
    );
}

#[test]
fn what_is_only_like_an_anchor_is_hidden() {
    let both = Redaction { text: TextLevel::None, ids: IdLevel::Hash };
    assert_eq!(both.anchor("chunk `a | b`"), "evidence (hidden) | evidence (hidden)");
    assert_eq!(both.anchor("the quote \"a\" | chunk `b`"), QUOTE);
    assert_eq!(both.anchor("chunk `x | the quote \"y`"), "evidence (hidden) | the quote (hidden)");
    assert_eq!(both.anchor("characters x to 9 of `d`"), EVIDENCE);
}

#[test]
fn a_hash_is_hashed_once_and_found_by_either_name() {
    assert_eq!(hashed("a"), "h:ca978112ca1b");
    assert_eq!(hashed("h:ca978112ca1b"), "h:ca978112ca1b");
    assert_ne!(hashed("h:CA978112CA1B"), "h:CA978112CA1B");
    assert!(names("a", "a") && names("h:ca978112ca1b", "a") && !names("h:ca978112ca1b", "b"));
}

#[test]
fn a_warning_keeps_its_line() {
    let files = ["golden.jsonl", "corpus"];
    assert_eq!(place_only("golden.jsonl:12: chunk `x`", &files), "golden.jsonl:12: hidden by [privacy]");
    assert_eq!(place_only("golden.jsonl:secret", &files), HIDDEN_WORDS);
    assert_eq!(place_only("secret:12: x", &files), HIDDEN_WORDS);
}

#[test]
fn only_counts_are_left_of_what_changed() {
    let message = "the baseline cannot be compared: it is another\n2 questions added: a, b\nsecret\n1 question \
                   relabelled: c\nmake this state the standard, if it is good: rankgate accept --force --reason \"...\"";
    assert_eq!(
        GoldenChanges::without_ids(message),
        "the baseline cannot be compared: it is another\n2 questions added\n1 question relabelled\nmake this state \
         the standard, if it is good: rankgate accept --force --reason \"...\""
    );
}

proptest! {
    /// Ids and quotes of any look, in anchors as the golden set spells them.
    #[test]
    fn nothing_of_an_anchor_gets_out(
        parts in prop::collection::vec(
            (0_usize..4, "(secret|`| \\| |the quote \"|\"|chunk `|document `){1,4}"), 1..4)
    ) {
        use crate::golden::{Anchor, Span};
        let anchors: Vec<(bool, String)> = parts
            .into_iter()
            .map(|(kind, id)| {
                let id = format!("secret{id}");
                let anchor = match kind {
                    0 => Anchor::Chunk { id, doc: None },
                    1 => Anchor::Document { id },
                    2 => Anchor::Span { doc: id, span: Span { start: 1, end: 2 }, quote: None },
                    _ => Anchor::Quote { text: id, doc: None },
                };
                (kind == 3, anchor.to_string())
            })
            .collect();
        let text = anchors.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>().join(" | ");
        let is_quote = anchors.iter().any(|(is_quote, _)| *is_quote);
        for redaction in ALL {
            let shown = redaction.anchor(&text);
            if redaction.hashes() && (redaction.text != TextLevel::Full || !is_quote) {
                prop_assert!(!shown.contains("secret"), "{redaction:?}: {text} is {shown}");
            }
            if is_quote && redaction.text != TextLevel::Full && anchors.len() == 1 {
                prop_assert!(!shown.contains("secret"), "{redaction:?}: {text} is {shown}");
            }
            prop_assert_eq!(redaction.anchor(&shown), shown.clone());
        }
    }
}
