//! What is refused, and what retrievers say about themselves.

use std::num::NonZero;
use std::thread;

use rankgate::config::{Analyzer, Bm25Settings, HashingSettings, LexicalSettings, RetrieverKind, Ties};
use rankgate::corpus::{Chunk, Corpus};
use rankgate_retrievers::{TfIdf, build};

use crate::{ask, corpus, ids, settings, tfidf};

fn hashing(dimension: usize) -> HashingSettings {
    HashingSettings { dimension, lexical: LexicalSettings::default() }
}

fn refusal(kind: RetrieverKind, corpus: Option<&Corpus>) -> String {
    build(&settings(kind), corpus).err().map(|error| error.to_string()).unwrap_or_default()
}

#[test]
fn a_corpus_is_asked_for() {
    for kind in [
        RetrieverKind::Tfidf(LexicalSettings::default()),
        RetrieverKind::Hashing(hashing(16)),
        RetrieverKind::Bm25(Bm25Settings::default()),
    ] {
        assert!(refusal(kind, None).contains("`[corpus] path"));
    }
}

#[test]
fn wrong_settings_are_named() {
    let corpus = corpus([("a", "one")]);
    let pattern = LexicalSettings { token_pattern: r"\w+)".into(), ..LexicalSettings::default() };
    let error = refusal(RetrieverKind::Tfidf(pattern), Some(&corpus));
    assert_eq!(
        error.lines().next(),
        Some(r#"`retriever.token_pattern`: a parenthesis that closes nothing at column 4 of "\\w+)""#)
    );
    let error = refusal(RetrieverKind::Hashing(hashing(0)), Some(&corpus));
    assert!(
        error.starts_with("`retriever.dimension`: ")
            && error.contains(&HashingSettings::DEFAULT_DIMENSION.to_string()),
        "{error}"
    );
}

#[test]
fn a_pattern_without_end_names_the_chunk() {
    let text = "a".repeat(300);
    let corpus = corpus([("short", "ab"), ("long", text.as_str())]);
    let pattern =
        LexicalSettings { token_pattern: r"(a|aa)+(?!\w)b(?=c)".into(), ..LexicalSettings::default() };
    assert!(refusal(RetrieverKind::Tfidf(pattern), Some(&corpus)).starts_with("(long): "));
}

#[test]
fn fingerprints_hold_every_parameter() {
    let corpus = corpus([("a", "one two"), ("b", "two")]);
    let word = LexicalSettings { stop_words: vec!["x y".into(), "b".into()], ..LexicalSettings::default() };
    let info = tfidf(word, &corpus).info();
    assert_eq!(
        info.fingerprint,
        concat!(
            "tfidf-v1 analyzer=word ngram_range=1-1 lowercase=true ",
            r#"token_pattern="(?u)\\b\\w\\w+\\b" stop_words=["b", "x y"] plural=false "#,
            "sublinear_tf=false smooth_idf=true norm=l2 ties=id-descending round_scores=none",
        )
    );
    assert_eq!((info.kind, info.exhaustive), ("tfidf", true));
    assert_eq!(info.facts, [("vocabulary".to_owned(), "2".to_owned())]);

    let info =
        build(&settings(RetrieverKind::Hashing(hashing(64))), Some(&corpus)).expect("it is sound").info();
    assert!(info.fingerprint.starts_with("hashing-v1 dimension=64 analyzer=word "), "{}", info.fingerprint);
    assert_eq!(info.facts, [("buckets".to_owned(), "2 of 64".to_owned())]);

    let bm25 = Bm25Settings { round_scores: Some(4), ..Bm25Settings::default() };
    let info = build(&settings(RetrieverKind::Bm25(bm25)), Some(&corpus)).expect("it is sound").info();
    assert_eq!(info.fingerprint, "bm25-v1 tokenizer=auto k1=1.2 b=0.75 ties=id-descending round_scores=4");
    assert_eq!(info.facts, [("vocabulary".to_owned(), "2".to_owned())]);
}

#[test]
fn titles_are_indexed() {
    let title = Chunk {
        id: "t".into(),
        doc: None,
        start: None,
        end: None,
        title: "Kettle".into(),
        text: String::new(),
    };
    let corpus = Corpus::from_chunks(vec![title], "test").expect("it is sound");
    assert_eq!(ids(&ask(tfidf(LexicalSettings::default(), &corpus).as_ref(), "kettle", 3)), ["t"]);
}

#[test]
fn ties_follow_the_rule_at_the_cut() {
    let corpus = corpus([("b", "same words"), ("d", "same words"), ("a", "same words"), ("c", "same words")]);
    for (ties, expected) in [
        (Ties::IdDescending, ["d", "c", "b"]),
        (Ties::IdAscending, ["a", "b", "c"]),
        (Ties::CorpusOrder, ["b", "d", "a"]),
        (Ties::ReverseCorpusOrder, ["c", "a", "d"]),
    ] {
        let lexical = LexicalSettings { ties, ..LexicalSettings::default() };
        let bm25 = Bm25Settings { ties, ..Bm25Settings::default() };
        let dimension = HashingSettings::DEFAULT_DIMENSION;
        for kind in [
            RetrieverKind::Tfidf(lexical.clone()),
            RetrieverKind::Hashing(HashingSettings { dimension, lexical }),
            RetrieverKind::Bm25(bm25),
        ] {
            let retriever = build(&settings(kind), Some(&corpus)).expect("it is sound");
            assert_eq!(ids(&ask(retriever.as_ref(), "same", 3)), expected);
        }
    }
}

#[test]
fn nothing_known_is_no_match() {
    let nothing = corpus([]);
    let blank = corpus([("a", ""), ("b", "  ")]);
    let some = corpus([("a", "word")]);
    for kind in [
        RetrieverKind::Tfidf(LexicalSettings::default()),
        RetrieverKind::Tfidf(LexicalSettings { analyzer: Analyzer::Char, ..LexicalSettings::default() }),
        RetrieverKind::Hashing(hashing(1 << 20)),
        RetrieverKind::Bm25(Bm25Settings::default()),
    ] {
        for (corpus, query) in
            [(&nothing, "word"), (&blank, "word"), (&some, ""), (&some, "7"), (&some, "?!")]
        {
            let retriever = build(&settings(kind.clone()), Some(corpus)).expect("it is sound");
            assert_eq!(ask(retriever.as_ref(), query, 5), []);
        }
        let retriever = build(&settings(kind), Some(&some)).expect("it is sound");
        assert_eq!(ask(retriever.as_ref(), "word", 0), []);
        assert_eq!(ask(retriever.as_ref(), "word", usize::MAX).len(), 1);
    }
}

#[test]
fn terms_can_be_asked_for() {
    let corpus = corpus([("a", "Refund policies")]);
    let retriever = TfIdf::new(&LexicalSettings::default(), &corpus).expect("it is sound");
    assert!(retriever.contains_term("refund") && !retriever.contains_term("Refund"));
    let one = TfIdf::hashing(&hashing(1), &corpus).expect("it is sound");
    assert!(one.contains_term("anything"), "with one bucket all words are one");
    assert_eq!(one.vocabulary_size(), 1);
}

#[test]
fn threads_share_a_retriever() {
    let texts: Vec<(String, String)> =
        (0..200).map(|i| (format!("c{i}"), format!("word{} word{} shared", i % 7, i % 11))).collect();
    let corpus = corpus(texts.iter().map(|(id, text)| (id.as_str(), text.as_str())));
    let retriever = tfidf(LexicalSettings::default(), &corpus);
    let alone = ask(retriever.as_ref(), "word3 word5 shared", 20);
    let threads = thread::available_parallelism().map_or(2, NonZero::get);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                for _ in 0..50 {
                    assert_eq!(ask(retriever.as_ref(), "word3 word5 shared", 20), alone);
                }
            });
        }
    });
}
