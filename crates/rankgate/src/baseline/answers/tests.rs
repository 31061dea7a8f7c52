//! An old list met with today's labels.

use super::*;
use crate::baseline::file::{FORMAT_VERSION, Header, KeptNeed};
use crate::baseline::{Accepted, CorpusStamp, GoldenStamp, PolicyStamp, RetrieverStamp};
use crate::golden::{Level, Need, Span};

const COUNT: usize = 10;

fn chunk(id: &str) -> Anchor {
    Anchor::Chunk { id: id.into(), doc: None }
}

fn case(index: usize, needs: &[(u32, Anchor)]) -> Case {
    let mut case = Case {
        id: format!("q{index}"),
        query: format!("question {index}"),
        needs: needs
            .iter()
            .map(|(grade, anchor)| Need { grade: *grade, alternatives: vec![anchor.clone()] })
            .collect(),
        not_relevant: Vec::new(),
        forbidden: Vec::new(),
        answerable: true,
        params: serde_json::Map::new(),
        category: None,
        tags: Vec::new(),
        source: None,
        critical: false,
        must_rank_within: None,
        quarantine: None,
        attributes: std::collections::BTreeMap::new(),
        line: 1,
        digest: String::new(),
    };
    case.digest = case.digest_of_today();
    case
}

impl Case {
    /// Something that differs as the digest of a reader does.
    fn digest_of_today(&self) -> String {
        let needs: Vec<String> =
            self.needs.iter().map(|need| format!("{}{}", need.grade, need.digest())).collect();
        format!("{} {needs:?} {}", self.query, self.answerable)
    }
}

fn stamps(corpus: Option<&str>) -> Stamps {
    Stamps {
        golden: GoldenStamp { version: "v".into(), sha256: String::new(), questions: COUNT },
        corpus: corpus.map(|sha256| CorpusStamp {
            chunks: 1,
            documents: 1,
            mean_characters: 1.0,
            sha256: sha256.into(),
        }),
        retriever: RetrieverStamp {
            kind: "run".into(),
            fingerprint: String::new(),
            embedding_model_version: None,
        },
        policy: PolicyStamp {
            level: "chunk".into(),
            depth: 10,
            coverage: 0.5,
            ties: "as returned".into(),
            min_score: None,
        },
        configuration: String::new(),
        settings: std::collections::BTreeMap::new(),
    }
}

/// Ten questions that want `gold` and `late`; the lists hold `gold`, a chunk of `manual.md`, and a plain one.
fn baseline() -> Baseline {
    let ranking = r#"["gold",["part","manual.md",100,200],"plain"]"#;
    let line = |index: usize| {
        let case = case(index, &[(1, chunk("gold")), (1, chunk("late"))]);
        Line {
            id: case.id.clone(),
            digest: case.digest.clone(),
            question: case.question_digest(),
            category: None,
            answerable: true,
            failed: false,
            needs: vec![
                KeptNeed { grade: 1, rank: Some(1), need: case.needs[0].digest() },
                KeptNeed { grade: 1, rank: None, need: case.needs[1].digest() },
            ],
            labelled: vec![1],
            forbidden: None,
            answered: None,
            ranking: serde_json::value::RawValue::from_string(ranking.to_owned()).expect("JSON"),
        }
    };
    Baseline {
        header: Header {
            lines_sha256: String::new(),
            rankgate_baseline: FORMAT_VERSION,
            rankgate: String::new(),
            name: String::new(),
            accepted: Accepted::default(),
            hashed_ids: false,
            made_from: stamps(Some("then")),
        },
        lines: (0..COUNT).map(line).collect(),
    }
}

/// Meets the baseline with a set in which the first question wants something else.
fn meet(baseline: &Baseline, needs: &[(u32, Anchor)], mode: GoldenChanged) -> Result<Answers, NotComparable> {
    meet_with(baseline, needs, mode, &stamps(Some("then")), 10)
}

fn meet_with(
    baseline: &Baseline,
    needs: &[(u32, Anchor)],
    golden_changed: GoldenChanged,
    stamps: &Stamps,
    largest_cutoff: u32,
) -> Result<Answers, NotComparable> {
    let usual = [(1, chunk("gold")), (1, chunk("late"))];
    let cases = (0..COUNT).map(|index| case(index, if index == 0 { needs } else { &usual })).collect();
    let golden = GoldenSet { cases, ..GoldenSet::default() };
    let lookup = Lookup::new(None, None).expect("a lookup");
    let policy = Policy { level: Level::Chunk, coverage: 0.5, min_score: None, exhaustive: false };
    baseline.answers(&Today {
        uncut: None,
        golden: &golden,
        stamps,
        largest_cutoff,
        golden_changed,
        policy: &policy,
        lookup: &lookup,
        bare_lookup: &lookup,
    })
}

/// Grades and ranks of the first question.
fn first(answers: &Answers) -> Option<Vec<(u32, Option<u32>)>> {
    let outcome = answers.of(0)?;
    Some(outcome.needs().iter().map(|need| (need.grade, need.rank)).collect())
}

fn rescored(needs: &[(u32, Anchor)]) -> Option<Vec<(u32, Option<u32>)>> {
    first(&meet(&baseline(), needs, GoldenChanged::Rescore).expect("comparable"))
}

#[test]
fn the_same_labels_need_no_list() {
    for mode in [GoldenChanged::Refuse, GoldenChanged::Common, GoldenChanged::Rescore] {
        let answers = meet(&baseline(), &[(1, chunk("gold")), (1, chunk("late"))], mode).expect("the same");
        assert_eq!((answers.len(), answers.changes.any()), (COUNT, false));
        assert_eq!(first(&answers), Some(vec![(1, Some(1)), (1, None)]));
    }
}

#[test]
fn new_labels_are_looked_for_by_id_document_and_range() {
    let span = |start, end| Anchor::Span { doc: "manual.md".into(), span: Span { start, end }, quote: None };
    assert_eq!(rescored(&[(3, chunk("plain"))]), Some(vec![(3, Some(3))]));
    assert_eq!(rescored(&[(1, Anchor::Document { id: "manual.md".into() })]), Some(vec![(1, Some(2))]));
    assert_eq!(rescored(&[(1, span(120, 150))]), Some(vec![(1, Some(2))]));
    assert_eq!(rescored(&[(1, span(300, 400)), (1, chunk("gold"))]), Some(vec![(1, None), (1, Some(1))]));
    // What was there before keeps its rank, with today's grade.
    assert_eq!(rescored(&[(2, chunk("gold"))]), Some(vec![(2, Some(1))]));
    assert_eq!(
        rescored(&[(1, chunk("late")), (1, chunk("part")), (1, chunk("gold"))]),
        Some(vec![(1, None), (1, Some(2)), (1, Some(1))])
    );
}

#[test]
fn a_new_quote_needs_the_texts_of_the_old_hits() {
    let quote = [(1, Anchor::Quote { text: "thirty days".into(), doc: None }), (1, chunk("gold"))];
    let other = stamps(Some("now"));
    let answers = meet_with(&baseline(), &quote, GoldenChanged::Rescore, &other, 10).expect("nine of ten");
    assert_eq!((answers.changes.unreadable.as_slice(), answers.len()), (&["q0".to_owned()][..], COUNT - 1));
    assert_eq!(first(&answers), None);
    // Where neither side has a corpus, nothing says that it is the same.
    let mut bare = baseline();
    bare.header.made_from.corpus = None;
    let answers = meet_with(&bare, &quote, GoldenChanged::Rescore, &stamps(None), 10).expect("nine of ten");
    assert_eq!(answers.changes.unreadable, ["q0"]);
    // An old quote keeps its rank in any corpus.
    let mut kept = baseline();
    let digest = Need { grade: 1, alternatives: vec![quote[0].1.clone()] }.digest();
    kept.lines[0].needs[1] = KeptNeed { grade: 1, rank: Some(3), need: digest };
    let answers = meet_with(&kept, &quote, GoldenChanged::Rescore, &other, 10).expect("comparable");
    assert_eq!(first(&answers), Some(vec![(1, Some(3)), (1, Some(1))]));
}

#[test]
fn other_ways_of_scoring_are_not_compared() {
    let refused = |change: &dyn Fn(&mut Stamps), largest: u32| {
        let mut now = stamps(Some("then"));
        change(&mut now);
        let usual = [(1, chunk("gold")), (1, chunk("late"))];
        meet_with(&baseline(), &usual, GoldenChanged::Rescore, &now, largest).err().map(|why| why.reasons)
    };
    assert_eq!(refused(&|_| {}, 10), None);
    assert_eq!(
        refused(&|now| now.policy.level = "document".into(), 10),
        Some(vec!["level: chunk in the baseline, document now".to_owned()])
    );
    assert_eq!(
        refused(&|now| now.policy.coverage = 1.0, 10),
        Some(vec!["coverage: 0.5 in the baseline, 1 now".to_owned()])
    );
    assert_eq!(refused(&|now| now.policy.ties = "by id".into(), 11).map(|reasons| reasons.len()), Some(2));
    // A greater depth, another corpus, another retriever: those are what is compared.
    assert_eq!(refused(&|now| now.policy.depth = 500, 10), None);
    assert_eq!(refused(&|now| now.corpus = None, 10), None);
    assert_eq!(refused(&|now| now.retriever.kind = "bm25".into(), 10), None);
}

#[test]
fn a_question_at_which_the_retriever_had_failed_has_no_answer() {
    let mut baseline = baseline();
    baseline.lines[0].failed = true;
    for needs in [vec![(1, chunk("gold")), (1, chunk("late"))], vec![(1, chunk("plain"))]] {
        let answers = meet(&baseline, &needs, GoldenChanged::Rescore).expect("nine of ten");
        assert!(answers.of(0).is_none() && answers.had_failed(0) && !answers.had_failed(1));
        assert!(answers.changes.unreadable.is_empty());
    }
}

#[test]
fn a_question_that_lost_its_answer_keeps_what_can_be_known() {
    // Today no document answers it, so any hit is a wrong answer.
    let mut set = meet_none(&baseline());
    assert!(set.remove(0).is_some_and(|outcome| !outcome.is_answerable()));
}

/// The outcomes where the first question wants nothing.
fn meet_none(baseline: &Baseline) -> Vec<Option<Outcome>> {
    let mut none = case(0, &[]);
    none.answerable = false;
    none.digest = none.digest_of_today();
    let usual = [(1, chunk("gold")), (1, chunk("late"))];
    let cases = std::iter::once(none).chain((1..COUNT).map(|index| case(index, &usual))).collect();
    let golden = GoldenSet { cases, ..GoldenSet::default() };
    let lookup = Lookup::new(None, None).expect("a lookup");
    let policy = Policy { level: Level::Chunk, coverage: 0.5, min_score: None, exhaustive: false };
    let today = Today {
        uncut: None,
        golden: &golden,
        stamps: &stamps(Some("then")),
        largest_cutoff: 10,
        golden_changed: GoldenChanged::Rescore,
        policy: &policy,
        lookup: &lookup,
        bare_lookup: &lookup,
    };
    baseline.answers(&today).expect("comparable").outcomes
}
