//! Rules about change, over small sets whose ranks are given.

use rankgate_metrics::stats::TestName;

use super::*;
use crate::config::{GateSettings, RuleLevel, RuleSetting};
use crate::evaluate::{Policy, Scores, evaluate};
use crate::golden::{Anchor, GoldenSet, Level, Need};
use crate::ranking::{Lookup, Ranking, Rankings};
use crate::retriever::Hit;

const DEPTH: usize = 20;

/// A question: its category, where its evidence stood, and where it stands now.
#[derive(Clone, Copy)]
struct Row {
    category: &'static str,
    before: Option<usize>,
    now: Option<usize>,
}

fn row(before: Option<usize>, now: Option<usize>) -> Row {
    Row { category: "all", before, now }
}

/// So many questions of one kind.
fn rows(count: usize, category: &'static str, before: Option<usize>, now: Option<usize>) -> Vec<Row> {
    vec![Row { category, before, now }; count]
}

fn case(index: usize, row: Row) -> Case {
    let chunk = |id: &str| Anchor::Chunk { id: id.into(), doc: None };
    Case {
        id: format!("q{index:04}"),
        query: String::new(),
        needs: vec![Need { grade: 1, alternatives: vec![chunk("gold")] }],
        not_relevant: Vec::new(),
        forbidden: vec![chunk("bad")],
        answerable: true,
        params: serde_json::Map::new(),
        category: Some(row.category.into()),
        tags: vec![if index.is_multiple_of(2) { "even" } else { "odd" }.into()],
        source: None,
        critical: false,
        must_rank_within: None,
        quarantine: None,
        attributes: BTreeMap::new(),
        line: index + 1,
        digest: String::new(),
    }
}

/// Lists in which `id` stands at the given ranks.
fn scores(golden: &GoldenSet, id: &str, ranks: &[Option<usize>]) -> Scores {
    let list = |rank: &Option<usize>| {
        (1..=DEPTH)
            .map(|place| if *rank == Some(place) { id.to_owned() } else { format!("other-{place}") })
            .map(|id| Hit { id: id.as_str().into(), ..Hit::default() })
            .collect()
    };
    let rankings =
        ranks.iter().enumerate().map(|(case, rank)| Ranking::from_hits(case, list(rank), DEPTH)).collect();
    let rankings = Rankings { rankings, depth: DEPTH };
    let policy = Policy { level: Level::Chunk, coverage: 0.5, min_score: None, exhaustive: false };
    evaluate(golden, rankings, &Lookup::new(None, None).expect("a lookup"), &policy, DEPTH)
}

/// What a rule decides when `id` moves: `gold` is evidence, `bad` is forbidden.
fn judged_of(id: &str, rule: &str, rows: &[Row], min_slice: usize) -> RuleResult {
    let cases = rows.iter().enumerate().map(|(index, row)| case(index, *row)).collect();
    let golden = GoldenSet { cases, ..GoldenSet::default() };
    let side = |of: &dyn Fn(&Row) -> Option<usize>| rows.iter().map(of).collect::<Vec<_>>();
    let before = scores(&golden, id, &side(&|row| row.before));
    let now = scores(&golden, id, &side(&|row| row.now));
    let both = before.judged(&golden).zip(now.judged(&golden));
    let pairs: Vec<(&Case, Pair<'_>)> = both
        .map(|((case, before), (_, now))| {
            let pair = Pair {
                id: &case.id,
                category: case.category.as_deref(),
                critical: case.critical,
                before: before.outcome.as_ref().expect("an outcome"),
                now: now.outcome.as_ref().expect("an outcome"),
                first: None,
            };
            (case, pair)
        })
        .collect();
    let setting = RuleSetting { rule: rule.into(), level: RuleLevel::Fail };
    let settings = GateSettings { rules: vec![setting], min_slice, ..GateSettings::default() };
    let gate = Gate::parse(&settings, true).expect(rule);
    let evidence = Evidence {
        golden: &golden,
        scores: &now,
        critical_cutoff: 5,
        min_questions: 0,
        partial: false,
        timed: false,
        baseline: Against::Pairs { pairs: &pairs, depth: 20 },
    };
    // The rule alone: whether the whole run can be judged is another question.
    let rule = &gate.rules[0].rule;
    let mut result = RuleResult::new(rule.to_string(), RuleKind::Measure, RuleLevel::Fail);
    evidence.change(&gate, rule, &mut result);
    result
}

fn judged(rule: &str, rows: &[Row]) -> RuleResult {
    judged_of("gold", rule, rows, 1)
}

fn passes(rule: &str, rows: &[Row]) -> bool {
    match judged(rule, rows).status {
        RuleStatus::Passed => true,
        RuleStatus::Failed => false,
        RuleStatus::Unjudged => panic!("{rule} is not judged"),
    }
}

/// A hundred questions of which so many lost the first place to nothing.
fn lost(count: usize) -> Vec<Row> {
    let mut all = rows(count, "all", Some(1), None);
    all.extend(rows(100 - count, "all", Some(1), Some(1)));
    all
}

#[test]
fn a_budget_is_a_plain_number() {
    assert!(passes("hit_rate@5 drop <= 0.03", &lost(3)));
    assert!(!passes("hit_rate@5 drop <= 0.03", &lost(4)));
    assert!(passes("hit_rate@5 drop <= 0", &lost(0)));
    // Ten times a tenth is one, whatever the sum of floats says.
    assert!(passes(
        "mrr@10 drop <= 0.1",
        &rows(10, "all", Some(1), Some(1))
            .iter()
            .enumerate()
            .map(|(i, row)| { if i == 0 { Row { now: None, ..*row } } else { *row } })
            .collect::<Vec<_>>()
    ));
    // A rise is no drop, and a drop no rise.
    let up: Vec<Row> = lost(10).iter().map(|row| Row { before: row.now, now: row.before, ..*row }).collect();
    assert!(passes("hit_rate@5 drop <= 0", &up));
    assert!(!passes("hit_rate@5 rise <= 0.05", &up));
    assert!(passes("hit_rate@5 rise <= 0", &lost(10)));
}

#[test]
fn a_share_is_one_of_the_accepted_mean() {
    // Half are found: a tenth of 0.5 is 0.05.
    let half = |lost: usize| {
        let mut all = rows(50, "all", None, None);
        all.extend(rows(lost, "all", Some(1), None));
        all.extend(rows(50 - lost, "all", Some(1), Some(1)));
        all
    };
    assert!(passes("hit_rate@5 drop <= 10%", &half(5)));
    assert!(!passes("hit_rate@5 drop <= 10%", &half(6)));
    // Of nothing no share can be lost.
    assert!(passes("hit_rate@5 drop <= 10%", &rows(10, "all", None, None)));
    assert!(!passes("hit_rate@5 rise <= 10%", &rows(10, "all", None, Some(1))));
}

#[test]
fn a_drop_within_noise_is_said_to_be() {
    let mut noisy = lost(2);
    for row in noisy.iter_mut().skip(90) {
        row.before = Some(3);
    }
    let result = judged("hit_rate@5 drop <= 0", &noisy);
    assert_eq!(result.status, RuleStatus::Failed);
    assert_eq!(result.remark.as_deref(), Some("within noise (p .250)"));
    assert_eq!(result.questions, ["q0000", "q0001"]);
    assert_eq!(judged("hit_rate@5 drop <= 0", &lost(6)).remark, None);
    assert_eq!(judged("hit_rate@5 drop <= 0", &lost(0)).remark, None);
}

#[test]
fn the_change_comes_with_both_means_and_a_paired_interval() {
    let result = judged("mrr@10 drop <= 0.5", &lost(20));
    assert_eq!((result.kind, result.n), (RuleKind::Change, 100));
    let (before, now) = (result.before.expect("before"), result.value.expect("now"));
    assert!((before - 1.0).abs() < 1e-12 && (now - 0.8).abs() < 1e-12);
    let interval = result.interval.expect("an interval");
    assert!((interval.point + 0.2).abs() < 1e-12);
    assert!(interval.low < -0.2 && -0.2 < interval.high && interval.high < 0.0);
}

#[test]
fn only_the_questions_of_a_filter_count() {
    let mut all = rows(40, "billing", Some(1), None);
    all.extend(rows(40, "legal", Some(1), Some(1)));
    assert!(passes("hit_rate@5 where category = legal drop <= 0", &all));
    let result = judged("hit_rate@5 where category = billing drop <= 0", &all);
    assert_eq!((result.status, result.n), (RuleStatus::Failed, 40));
    assert!(!passes("hit_rate@5 where category = billing drop significant", &all));
    assert!(passes("hit_rate@5 where category = legal drop significant", &all));
}

#[test]
fn each_slice_has_its_own_budget_and_the_worst_is_first() {
    let mut all = rows(20, "billing", Some(1), Some(1));
    all.extend(rows(16, "legal", Some(1), Some(1)));
    all.extend(rows(4, "legal", Some(1), None));
    all.extend(rows(18, "tables", Some(1), Some(1)));
    all.extend(rows(2, "tables", Some(1), None));
    let result = judged("each(category) hit_rate@5 drop <= 0.15", &all);
    assert_eq!((result.status, result.n), (RuleStatus::Failed, 60));
    let slices: Vec<_> =
        result.slices.iter().map(|slice| (slice.name.as_str(), slice.n, slice.status)).collect();
    let (passed, failed) = (RuleStatus::Passed, RuleStatus::Failed);
    assert_eq!(slices, [("legal", 20, failed), ("tables", 20, passed), ("billing", 20, passed)]);
    // Only those of the failed slices are to blame.
    assert_eq!(result.questions, ["q0036", "q0037", "q0038", "q0039"]);
    assert_eq!((result.before, result.value), (Some(1.0), Some(0.8)));
    // A question with a tag of each kind counts in both.
    assert_eq!(judged("each(tag) hit_rate@5 drop <= 0.15", &all).slices.len(), 2);
}

#[test]
fn a_small_slice_is_not_judged_unless_all_are_small() {
    let mut all = rows(20, "large", Some(1), Some(1));
    all.extend(rows(3, "small", Some(1), None));
    for rule in ["each(category) hit_rate@5 drop <= 0", "each(category) hit_rate@5 drop significant"] {
        let result = judged_of("gold", rule, &all, 10);
        assert_eq!((result.status, result.reason), (RuleStatus::Passed, None), "{rule}");
        let last = result.slices.last().expect("two");
        assert_eq!((last.name.as_str(), last.status), ("small", RuleStatus::Unjudged));
        let result = judged_of("gold", rule, &all, 50);
        assert_eq!(
            (result.status, result.reason),
            (RuleStatus::Unjudged, Some(Reason::SmallSlices)),
            "{rule}"
        );
    }
}

#[test]
fn significance_over_slices_is_corrected_for_their_number() {
    // Five lost and none found: p is 1/32, below .05; as the best of three slices it is not.
    let mut all = rows(5, "hit", Some(1), None);
    all.extend(rows(45, "hit", Some(1), Some(1)));
    assert!(!passes("hit_rate@5 drop significant", &all));
    all.extend(rows(50, "calm", Some(1), Some(1)));
    all.extend(rows(50, "quiet", Some(1), Some(1)));
    let result = judged("each(category) hit_rate@5 drop significant", &all);
    assert_eq!(result.status, RuleStatus::Passed);
    let p = |name: &str| result.slices.iter().find(|slice| slice.name == name).and_then(|slice| slice.p);
    assert!((p("hit").expect("tested") - 3.0 / 32.0).abs() < 1e-12, "{result:?}");
    assert_eq!(p("calm"), Some(1.0));
    assert_eq!(result.tests.len(), 3);
    // Eight are enough for three slices.
    all.extend(rows(3, "hit", Some(1), None));
    let result = judged("each(category) hit_rate@5 drop significant", &all);
    assert_eq!((result.status, result.questions.len()), (RuleStatus::Failed, 8));
    assert_eq!(result.slices[0].name, "hit");
    assert!(passes("each(category) hit_rate@5 drop significant (alpha=0.01)", &all));
}

#[test]
fn a_test_is_named_with_what_repeats_it() {
    let mut churn: Vec<Row> = (0..40).map(|index| row(Some(1 + index % 7), Some(1 + index % 5))).collect();
    churn.extend(rows(10, "all", Some(1), Some(6)));
    let result = judged("mrr@10 drop significant (draws=500, seed=9)", &churn);
    let [test] = result.tests.as_slice() else { panic!("{result:?}") };
    assert_eq!((test.name, test.draws, test.seed), (TestName::SignFlip, Some(500), Some(9)));
    let few = judged("mrr@10 drop significant", &lost(3));
    assert_eq!((few.tests[0].name, few.tests[0].draws), (TestName::ExactSignFlip, None));
    // Again it is the same.
    assert_eq!(judged("mrr@10 drop significant (draws=500, seed=9)", &churn), result);
}

#[test]
fn of_a_measure_that_should_be_low_more_is_worse() {
    let turn = |rows: Vec<Row>| -> Vec<Row> {
        rows.iter().map(|row| Row { before: row.now, now: row.before, ..*row }).collect()
    };
    let rules = ["forbidden@5 drop significant", "no regression on forbidden@5"];
    for rule in rules {
        // Twelve questions show what they must not; then they do no longer.
        let worse = judged_of("bad", rule, &turn(lost(12)), 1);
        assert_eq!(worse.status, RuleStatus::Failed, "{worse:?}");
        assert_eq!(worse.questions.len(), 12, "{rule}");
        assert_eq!(judged_of("bad", rule, &lost(12), 1).status, RuleStatus::Passed, "{rule}");
    }
    assert_eq!(judged_of("bad", "forbidden@5 rise <= 0.1", &turn(lost(12)), 1).status, RuleStatus::Failed);
    assert_eq!(judged_of("bad", "forbidden@5 rise <= 0.1", &lost(12), 1).status, RuleStatus::Passed);
}

#[test]
fn lost_counts_questions_that_left_the_top() {
    let all = [
        row(Some(1), None),
        row(Some(5), Some(6)),
        row(Some(6), None),
        row(None, Some(1)),
        row(Some(2), Some(5)),
    ];
    let result = judged("lost@5 <= 1", &all);
    assert_eq!((result.status, result.kind, result.value), (RuleStatus::Failed, RuleKind::Count, Some(2.0)));
    assert_eq!(result.questions, ["q0000", "q0001"]);
    // What was found does not make up for it.
    assert!(passes("lost@5 <= 2", &all));
}

#[test]
fn no_regression_blames_those_that_fell_the_furthest_first() {
    let mut all = rows(90, "all", Some(1), Some(1));
    all.push(row(Some(3), None));
    all.extend(rows(8, "all", Some(1), None));
    all.push(row(None, Some(2)));
    let result = judged("no regression on mrr@10", &all);
    assert_eq!((result.status, result.limit), (RuleStatus::Failed, Some(0.02)));
    assert_eq!(result.questions.first().map(String::as_str), Some("q0091"));
    assert_eq!(result.questions.last().map(String::as_str), Some("q0090"));
    assert_eq!(result.questions.len(), 9);
    assert_eq!(result.tests.len(), 2);
}

#[test]
fn without_pairs_nothing_is_judged() {
    let result = judged("no regression on mrr@10", &[]);
    assert_eq!((result.status, result.reason), (RuleStatus::Unjudged, Some(Reason::NoQuestions)));
}
