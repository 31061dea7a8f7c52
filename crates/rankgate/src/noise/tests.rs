//! What counts as movement.

use super::*;
use crate::evaluate::Label;

/// Hits as `id:score`, or without a score.
fn list(hits: &str) -> Vec<RankedHit> {
    hits.split_whitespace()
        .map(|hit| {
            let (id, score) = hit.split_once(':').map_or((hit, None), |(id, score)| (id, Some(score)));
            RankedHit {
                id: id.into(),
                within: None,
                score: score.map(|score| score.parse().expect("a number")),
                label: Label::Unjudged,
            }
        })
        .collect()
}

fn watched<'a>(id: &'a str, ranks: &[Option<u32>]) -> Watched<'a> {
    let mut watched = Watched::new(id);
    for rank in ranks {
        let list = list(if rank.is_some() { "a b" } else { "b" });
        let asking =
            Asking { list: Some(list.into()), rank: *rank, fell: rank.is_none(), values: vec![Some(1.0)] };
        watched.add(asking, 10);
    }
    watched
}

fn view(again: Again) -> View<'static> {
    View { again, askings: 3, cutoff: 5, depth: 10, measures: &[] }
}

#[test]
fn only_the_order_of_equal_scores() {
    let differs = |a: &str, b: &str| differs_in_ties_only(&list(a), &list(b), 4);
    assert!(differs("a:3 b:2 c:2 d:1", "a:3 c:2 b:2 d:1"));
    assert!(!differs("a:3 b:2 c:2 d:1", "b:3 a:2 c:2 d:1"), "another score");
    assert!(!differs("a:3 b:2 c:2 d:1", "a:3 b:2 x:2 d:1"), "another hit in the middle");
    assert!(differs("a:3 b:2 c:1 d:1", "a:3 b:2 c:1 x:1"), "cut in a tie");
    assert!(!differs("a:3 c:1 d:1", "a:3 c:1 x:1"), "a whole list");
    assert!(!differs("a b", "b a"), "without scores nothing is tied");
    assert!(!differs("a:1 b:1", "a:1 b:1 c:1"), "another length");
}

#[test]
fn the_worst_come_first() {
    let questions = [
        watched("still", &[Some(1), Some(1), Some(1)]),
        watched("near", &[Some(1), Some(2), Some(1)]),
        watched("b-flips", &[Some(5), Some(6), Some(5)]),
        watched("a-flips", &[Some(6), Some(5), Some(5)]),
        watched("far", &[Some(6), None, Some(6)]),
        watched("gone", &[Some(1), None, Some(1)]),
    ];
    let noise = Noise::of(&questions, view(Again::All));
    let ids: Vec<&str> = noise.unstable.iter().map(|unstable| unstable.id.as_str()).collect();
    assert_eq!(ids, ["gone", "a-flips", "b-flips", "far", "near"]);
    assert_eq!((noise.flipped, noise.rank_changes, noise.order_changes), (3, 5, 2));
    assert_eq!((noise.tie_orders, noise.errors, noise.fell_every_time), (0, 0, None));
    assert_eq!(noise.unstable[0].ranks, [Some(1), None, Some(1)]);
}

#[test]
fn a_failed_asking_is_no_answer() {
    let mut question = watched("q", &[Some(1), Some(1)]);
    question.add(Asking { list: None, rank: None, fell: false, values: Vec::new() }, 10);
    let still = watched("still", &[Some(1), Some(1), Some(1)]);
    let names = ["m".to_owned()];
    let noise = Noise::of(&[question, still], View { measures: &names, ..view(Again::All) });
    assert_eq!((noise.flipped, noise.rank_changes, noise.errors), (0, 0, 1));
    assert_eq!(noise.unstable.len(), 1);
    assert_eq!((noise.unstable[0].errors, noise.unstable[0].flipped), (1, false));
    assert_eq!(noise.measures, [Spread { measure: "m".to_owned(), low: 1.0, high: 1.0 }]);
}

#[test]
fn a_fall_that_does_not_repeat_is_unstable() {
    let questions = [watched("sure", &[None, None, None]), watched("once", &[None, Some(1), Some(1)])];
    let noise = Noise::of(&questions, view(Again::Fallen));
    assert_eq!(noise.fell_every_time, Some(1));
    assert_eq!(noise.unstable.len(), 1);
    assert_eq!((noise.unstable[0].id.as_str(), noise.unstable[0].fell), ("once", Some(1)));
    assert!(noise.measures.is_empty());
}
