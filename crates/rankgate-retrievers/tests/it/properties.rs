//! What holds for any text.

use proptest::prelude::*;
use rankgate::config::{
    Analyzer, Bm25Settings, Bm25Tokenizer, HashingSettings, LexicalSettings, RetrieverKind, Ties,
};
use rankgate::corpus::Corpus;
use rankgate_retrievers::build;

use crate::{ask, chunk, settings};

fn kinds() -> impl Strategy<Value = RetrieverKind> {
    let lexical = (
        prop::sample::select(vec![Analyzer::Word, Analyzer::Char, Analyzer::CharWb]),
        (1_usize..3, 0_usize..3),
        any::<[bool; 4]>(),
        prop::option::of(0_u32..8),
    )
        .prop_map(
            |(analyzer, (least, more), [plural, sublinear_tf, smooth_idf, lowercase], round_scores)| {
                LexicalSettings {
                    analyzer,
                    ngram_range: (least, least + more),
                    plural,
                    sublinear_tf,
                    smooth_idf,
                    lowercase,
                    round_scores,
                    ..LexicalSettings::default()
                }
            },
        );
    let tokenizers = vec![Bm25Tokenizer::Auto, Bm25Tokenizer::Words, Bm25Tokenizer::Bigrams];
    prop_oneof![
        lexical.clone().prop_map(RetrieverKind::Tfidf),
        (1_usize..100, lexical)
            .prop_map(|(dimension, lexical)| RetrieverKind::Hashing(HashingSettings { dimension, lexical })),
        prop::sample::select(tokenizers).prop_map(|tokenizer| {
            RetrieverKind::Bm25(Bm25Settings { tokenizer, ties: Ties::IdAscending, round_scores: None })
        }),
    ]
}

/// Few words, so that texts share some; any characters, so that nothing is taken for granted.
fn texts() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(r"(?s)((oven|door|doors|seal|退款|ไทย|फ्रिज|.)[ .]?){0,8}", 0..12)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn rankings_are_sound_and_do_not_depend_on_the_order_of_the_corpus(
        kind in kinds(),
        (texts, shuffled) in texts().prop_flat_map(|texts| {
            let numbered: Vec<(usize, String)> = texts.into_iter().enumerate().collect();
            (Just(numbered.clone()), Just(numbered).prop_shuffle())
        }),
        query in "(?s)((oven|doors|退款|फ्रिज|.) ?){0,5}",
        depth in 0_usize..8,
    ) {
        let answer = |texts: &[(usize, String)]| {
            let chunks = texts.iter().map(|(number, text)| chunk(&format!("c{number}"), text)).collect();
            let corpus = Corpus::from_chunks(chunks, "test").expect("it is sound");
            ask(build(&settings(kind.clone()), Some(&corpus)).expect("it is sound").as_ref(), &query, depth)
        };
        let hits = answer(&texts);
        prop_assert_eq!(&hits, &answer(&shuffled));
        prop_assert!(hits.len() <= depth);
        let scores: Vec<f64> = hits.iter().filter_map(|hit| hit.score).collect();
        prop_assert_eq!(scores.len(), hits.len());
        prop_assert!(scores.iter().all(|score| *score > 0.0 && score.is_finite()));
        prop_assert!(scores.is_sorted_by(|a, b| a >= b));
    }
}
