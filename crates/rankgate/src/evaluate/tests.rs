//! Small worked examples of how hits and labels meet.

use serde_json::Map;

use super::*;
use crate::corpus::{Chunk, Corpus};
use crate::golden::{Anchor, Case, Need, Span};
use crate::ranking::Ranking;
use crate::retriever::{Hit, Told};

fn chunk(id: &str) -> Anchor {
    Anchor::Chunk { id: id.into(), doc: None }
}

fn document(id: &str) -> Anchor {
    Anchor::Document { id: id.into() }
}

fn span(doc: &str, start: usize, end: usize) -> Anchor {
    Anchor::Span { doc: doc.into(), span: Span { start, end }, quote: None }
}

fn quote(text: &str) -> Anchor {
    Anchor::Quote { text: text.into(), doc: None }
}

fn case(needs: Vec<Vec<Anchor>>) -> Case {
    Case {
        id: "q1".into(),
        query: "?".into(),
        needs: needs.into_iter().map(|alternatives| Need { grade: 1, alternatives }).collect(),
        not_relevant: Vec::new(),
        forbidden: Vec::new(),
        answerable: true,
        params: Map::new(),
        category: None,
        tags: Vec::new(),
        source: None,
        critical: false,
        must_rank_within: None,
        quarantine: None,
        attributes: std::collections::BTreeMap::new(),
        line: 1,
        digest: String::new(),
    }
}

fn hits(ids: &str) -> Vec<Hit> {
    ids.split_whitespace().map(|id| Hit { id: id.into(), ..Hit::default() }).collect()
}

fn placed(id: &str, doc: &str, start: usize, end: usize) -> Hit {
    Hit { id: id.into(), ..Hit::default() }.telling(Told {
        doc: Some(doc.into()),
        start: Some(start),
        end: Some(end),
        text: None,
    })
}

const CHUNKS: Policy = Policy { level: Level::Chunk, coverage: 0.5, min_score: None, exhaustive: false };
const DOCUMENTS: Policy = Policy { level: Level::Document, ..CHUNKS };

fn score_with(case: Case, hits: Vec<Hit>, policy: &Policy, doc_pattern: Option<&str>) -> Scores {
    let rankings = Rankings { rankings: vec![Ranking::from_hits(0, hits, 100)], depth: 100 };
    let golden = GoldenSet { cases: vec![case], ..GoldenSet::default() };
    let lookup = Lookup::new(None, doc_pattern).expect("a good pattern");
    evaluate(&golden, rankings.clone(), &lookup, policy, 10)
}

fn score(case: Case, hits: Vec<Hit>) -> CaseScore {
    score_with(case, hits, &CHUNKS, None).cases.remove(0)
}

fn ranks(score: &CaseScore) -> Vec<Option<u32>> {
    score.needs.iter().map(|need| need.rank).collect()
}

fn value(score: &CaseScore, measure: &str) -> Option<f64> {
    score.value(&measure.parse().expect("a measure"))
}

#[test]
fn repeats_collapse_to_their_first_place_before_any_cutoff() {
    let scores = score_with(case(vec![vec![chunk("b")], vec![chunk("c")]]), hits("a a b c"), &CHUNKS, None);
    assert_eq!(ranks(&scores.cases[0]), [Some(2), Some(3)]);
    assert_eq!(scores.lists.repeats, 1);
}

#[test]
fn a_need_is_met_by_the_first_of_its_alternatives() {
    let score =
        score(case(vec![vec![chunk("late"), chunk("early")], vec![chunk("never")]]), hits("x early y late"));
    assert_eq!(ranks(&score), [Some(2), None]);
    assert_eq!(value(&score, "precision@4"), Some(0.25), "the second alternative earns nothing");
}

#[test]
fn one_hit_that_meets_two_needs_fills_two_places() {
    let score = score(case(vec![vec![quote("ten days")], vec![chunk("a")]]), {
        let mut hits = hits("a b");
        hits[0] =
            hits[0].clone().telling(Told { text: Some("within ten\n days of".into()), ..Told::default() });
        hits
    });
    assert_eq!(ranks(&score), [Some(1), Some(1)]);
    assert_eq!(value(&score, "recall@1"), Some(1.0));
    assert!(value(&score, "ndcg@10").is_some_and(|ndcg| ndcg <= 1.0));
}

#[test]
fn a_span_needs_half_of_itself_in_one_hit() {
    let needs = || case(vec![vec![span("d", 100, 200)]]);
    assert_eq!(ranks(&score(needs(), vec![placed("c", "d", 0, 149)])), [None]);
    assert_eq!(ranks(&score(needs(), vec![placed("c", "d", 0, 150)])), [Some(1)]);
    assert_eq!(ranks(&score(needs(), vec![placed("c", "e", 0, 300)])), [None], "another document");
    assert_eq!(ranks(&score(needs(), hits("c d"))), [None], "a hit without a range meets no span");
}

#[test]
fn a_document_that_was_never_cut_is_its_own_range() {
    let piece = |id: &str, doc: Option<&str>| Chunk {
        id: id.into(),
        doc: doc.map(Into::into),
        start: None,
        end: None,
        title: "Title".into(),
        text: "grün".into(),
    };
    let chunks = vec![piece("whole", None), piece("cut#0", Some("cut")), piece("cut#1", Some("cut"))];
    let corpus = Corpus::from_chunks(chunks, "test").unwrap();
    let lookup = Lookup::new(Some(&corpus), None).unwrap();
    let ranges: Vec<_> = hits("whole cut#0").iter().map(|hit| lookup.range(hit)).collect();
    assert_eq!(ranges, [Some(Span { start: 0, end: 4 }), None]);
}

#[test]
fn nothing_falls_back_to_a_laxer_means() {
    let labelled = case(vec![vec![Anchor::Quote { text: "thirty days".into(), doc: Some("d".into()) }]]);
    let mut right_document_wrong_text = placed("c", "d", 0, 10);
    right_document_wrong_text.told.as_mut().unwrap().text = Some("sixty days".into());
    assert_eq!(ranks(&score(labelled, vec![right_document_wrong_text])), [None]);
}

#[test]
fn documents_collapse_before_the_cutoff() {
    let labels = || case(vec![vec![document("guide")], vec![document("faq")]]);
    let list = || hits("guide#0 guide#3 faq#1 guide#1");
    let scores = score_with(labels(), list(), &DOCUMENTS, Some(r"^(.+)#\d+$"));
    assert_eq!(ranks(&scores.cases[0]), [Some(1), Some(2)]);
    assert_eq!(scores.cases[0].places.len(), 2);
    assert_eq!(value(&scores.cases[0], "recall@2"), Some(1.0));
}

#[test]
fn every_label_is_judged_and_forbidden_hits_are_found() {
    let mut labels = case(vec![vec![chunk("a")]]);
    labels.not_relevant = vec![chunk("b")];
    labels.forbidden = vec![chunk("c")];
    let score = score(labels, hits("x b c a"));
    assert_eq!(value(&score, "judged@4"), Some(0.75));
    assert_eq!(score.forbidden_rank, Some(3));
    assert_eq!(value(&score, "forbidden@2"), Some(0.0));
    assert_eq!(value(&score, "forbidden@3"), Some(1.0));
    let labels: Vec<Label> = score.places.iter().map(|place| place.label).collect();
    assert_eq!(labels, [Label::Unjudged, Label::NotRelevant, Label::Forbidden, Label::Relevant]);
}

#[test]
fn a_question_without_an_answer_is_scored_by_its_silence() {
    let unanswerable = || Case { answerable: false, ..case(Vec::new()) };
    let faint = vec![Hit::scored("a", 0.1), Hit::scored("b", 0.05)];
    let strict = Policy { min_score: Some(0.2), ..CHUNKS };
    let silent = score_with(unanswerable(), faint.clone(), &strict, None).cases.remove(0);
    assert_eq!(value(&silent, "abstained@5"), Some(1.0));
    assert_eq!(value(&silent, "recall@5"), None, "need measures do not apply");
    let any = score_with(unanswerable(), faint, &CHUNKS, None).cases.remove(0);
    assert_eq!(value(&any, "abstained@5"), Some(0.0), "without min_score every hit is an answer");
}

#[test]
fn spellings_that_never_meet_are_noticed_with_a_mapping() {
    let mapping = |expected: &str, returned: &str| {
        let labels = case(expected.split_whitespace().map(|id| vec![chunk(id)]).collect());
        score_with(labels, hits(returned), &CHUNKS, None).mismatch.map(|mismatch| mismatch.mapping)
    };
    let says = |expected: &str, returned: &str, words: &str| {
        let mapping = mapping(expected, returned).expect("a mismatch").expect("a mapping");
        assert!(mapping.contains(words), "{expected} against {returned}: {mapping}");
    };
    says("Refunds", "refunds hours", "case");
    says("012 007", "7 12", "leading zeros");
    says("12.0", "12", "numbers");
    says("refunds.md", "refunds.md#0 refunds.md#1", "#n");
    says("refunds.md", "refunds", "extension");
    says("refunds.md", "docs/refunds.md", "path");
    says("doc-12", "12", "prefix");
    says("docs/Refunds.md", "refunds#3", "without path");
    assert_eq!(mapping("a b", "x y"), Some(None), "no mapping is better than a wrong one");
    assert_eq!(mapping("a b", "x b"), None);
}

#[test]
fn an_id_returned_for_another_question_is_no_mismatch() {
    let golden = GoldenSet {
        cases: vec![case(vec![vec![chunk("a")]]), case(vec![vec![chunk("b")]])],
        ..GoldenSet::default()
    };
    let rankings = Rankings {
        rankings: vec![Ranking::from_hits(0, hits("b x"), 10), Ranking::from_hits(1, hits("a x"), 10)],
        depth: 10,
    };
    let lookup = Lookup::new(None, None).expect("no pattern");
    assert_eq!(evaluate(&golden, rankings.clone(), &lookup, &CHUNKS, 5).mismatch, None);
}

#[test]
fn lists_of_one_short_length_are_a_cap() {
    let cap = |lists: &[&str], policy: &Policy| {
        let cases = lists.iter().map(|_| case(vec![vec![chunk("a")]])).collect();
        let golden = GoldenSet { cases, ..GoldenSet::default() };
        let rankings =
            lists.iter().enumerate().map(|(index, ids)| Ranking::from_hits(index, hits(ids), 5)).collect();
        let lookup = Lookup::new(None, None).expect("no pattern");
        let scores = evaluate(&golden, Rankings { rankings, depth: 5 }, &lookup, policy, 5);
        scores.lists.never_longer_than
    };
    assert_eq!(cap(&["a b", "c d", "e f"], &CHUNKS), Some(2));
    assert_eq!(cap(&["a b", "", "e e"], &CHUNKS), Some(2), "empty lists and repeats do not hide it");
    assert_eq!(cap(&["a b", "c", "e f"], &CHUNKS), None);
    assert_eq!(cap(&["a b c d e", "f g h i j"], &CHUNKS), None, "as deep as asked");
    assert_eq!(cap(&["a b"], &CHUNKS), None, "one list shows nothing");
    assert_eq!(cap(&["a b", "c d"], &Policy { exhaustive: true, ..CHUNKS }), None);
}

#[test]
fn ties_are_counted_where_they_can_decide() {
    let tied = |scores: &[f64], cutoff: usize| {
        let list =
            scores.iter().enumerate().map(|(index, score)| Hit::scored(index.to_string(), *score)).collect();
        let golden = GoldenSet { cases: vec![case(vec![vec![chunk("0")]])], ..GoldenSet::default() };
        let rankings = Rankings { rankings: vec![Ranking::from_hits(0, list, 10)], depth: 10 };
        let lookup = Lookup::new(None, None).expect("no pattern");
        evaluate(&golden, rankings.clone(), &lookup, &CHUNKS, cutoff).lists.tied
    };
    assert_eq!(tied(&[3.0, 2.0, 2.0, 1.0], 3), 1);
    assert_eq!(tied(&[3.0, 2.0, 2.0, 1.0], 2), 1, "a tie across the cut-off decides who is in");
    assert_eq!(tied(&[3.0, 2.0, 1.0, 1.0], 2), 0);
}

#[test]
fn a_document_that_fills_the_list_with_its_chunks_takes_one_place() {
    let golden = GoldenSet { cases: vec![case(vec![vec![document("b")]])], ..GoldenSet::default() };
    let list: Vec<String> = (0..120).map(|n| format!("a#{n}")).chain(["b#0".to_owned()]).collect();
    let rankings =
        Rankings { rankings: vec![Ranking::from_hits(0, hits(&list.join(" ")), usize::MAX)], depth: 10 };
    let lookup = Lookup::new(None, Some(r"^(.+)#\d+$")).expect("a good pattern");
    let scores = evaluate(&golden, rankings.clone(), &lookup, &DOCUMENTS, 10);
    assert_eq!(ranks(&scores.cases[0]), [Some(2)]);
}

#[test]
fn a_cap_on_documents_is_seen_behind_their_chunks() {
    let golden = GoldenSet {
        cases: (0..2).map(|_| case(vec![vec![document("a")]])).collect(),
        ..GoldenSet::default()
    };
    let list = "a#0 a#1 a#2 b#0 b#1 c#0 c#1 c#2 c#3";
    let rankings = (0..2).map(|index| Ranking::from_hits(index, hits(list), usize::MAX)).collect();
    let lookup = Lookup::new(None, Some(r"^(.+)#\d+$")).expect("a good pattern");
    let scores = evaluate(&golden, Rankings { rankings, depth: 10 }, &lookup, &DOCUMENTS, 10);
    assert_eq!(scores.lists.never_longer_than, Some(3));
}
