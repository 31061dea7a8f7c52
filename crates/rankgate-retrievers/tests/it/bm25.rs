//! BM25: its formula, and scripts without blanks.

use rankgate::config::{Bm25Settings, Bm25Tokenizer};
use rankgate_retrievers::Bm25;

use crate::{ask, corpus, ids};

fn bm25(chunks: &[(&str, &str)]) -> Bm25 {
    Bm25::new(&Bm25Settings::default(), &corpus(chunks.iter().copied())).expect("it is sound")
}

/// Robertson's formula as Lucene has it, by hand: two of three chunks hold the word, all are two words long, so
/// that length plays no part. Our scores have the constant factor k1 + 1 that Lucene dropped in version 8.
#[test]
fn scores_are_those_of_the_formula() {
    let retriever = bm25(&[("a", "seal seal"), ("b", "seal door"), ("c", "lamp door")]);
    let idf = (1.0 + (3.0 - 2.0 + 0.5) / (2.0 + 0.5_f64)).ln();
    let score = |tf: f64| idf * 2.2 * tf / (tf + 1.2);
    for (query, times) in [("seal", 1.0), ("seal, Seal!", 2.0)] {
        let hits = ask(&retriever, query, 5);
        assert_eq!(ids(&hits), ["a", "b"]);
        for (hit, tf) in hits.iter().zip([2.0, 1.0]) {
            let got = hit.score.expect("embedded retrievers score");
            assert!((got - times * score(tf)).abs() < 1e-6, "{query}: {got}");
        }
    }
}

#[test]
fn text_without_blanks_is_found_by_its_pairs() {
    let retriever = bm25(&[
        ("zh", "烤箱的门在高温时锁住。"),
        ("ja", "冷蔵庫のドアを閉めてください。"),
        ("th", "กรุณาปิดประตูตู้เย็น"),
        ("hi", "फ्रिज का दरवाज़ा बंद रखें"),
    ]);
    for (query, expected) in
        [("烤箱锁", "zh"), ("ドアが閉まらない", "ja"), ("ประตูตู้เย็นเปิด", "th"), ("दरवाज़ा कैसे", "hi")]
    {
        assert_eq!(ids(&ask(&retriever, query, 5)), [expected]);
    }
    assert_eq!(ask(&retriever, "停车场", 5), []);
}

#[test]
fn vocabulary() {
    let retriever = bm25(&[("a", "Café 退款会"), ("b", "café")]);
    assert_eq!(retriever.vocabulary_size(), 3);
    assert!(
        retriever.contains_term("café") && retriever.contains_term("款会") && !retriever.contains_term("会")
    );
    let words = Bm25Settings { tokenizer: Bm25Tokenizer::Words, ..Bm25Settings::default() };
    let words = Bm25::new(&words, &corpus([("a", "退款会")])).expect("it is sound");
    assert!(words.contains_term("退款会"));
}

/// More postings than fit into one block of the index, all tied: the walk goes to the end, and the cut is exact.
#[test]
fn long_posting_lists_are_read_to_the_end() {
    let ids_of_all: Vec<String> = (0..1_000).map(|i| format!("c{i:04}")).collect();
    let retriever = Bm25::new(
        &Bm25Settings::default(),
        &corpus(ids_of_all.iter().map(|id| (id.as_str(), "the same words"))),
    )
    .expect("it is sound");
    assert_eq!(ask(&retriever, "words", 5_000).len(), 1_000);
    assert_eq!(ids(&ask(&retriever, "same words", 3)), ["c0999", "c0998", "c0997"]);
}
