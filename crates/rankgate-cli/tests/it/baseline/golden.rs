//! Golden sets that change between the accepted state and today.

use rankgate_test::Project;
use serde_json::{Value, json};

use super::{
    RULES, accepted, answers, config, incomplete, items, lines, note, question, questions, rule, run,
};
use crate::data::{self, assert_near, assert_says};

const COUNT: usize = 60;

/// An accepted state of sixty questions, and an edit of them.
fn edited(baseline: &str, edit: impl Fn(&mut Vec<Value>)) -> Project {
    let project = accepted(COUNT, RULES, baseline);
    let mut set = questions(COUNT);
    edit(&mut set);
    project.write("golden.jsonl", lines(&set)).write("run.jsonl", answers(COUNT + 1, |_| Some(1)));
    project
}

/// What a setting does with an edit: either the ids that it refuses over, or the number of questions compared.
struct Meets {
    refused: &'static [&'static str],
    common: usize,
    rescore: usize,
    /// The list of the report that names the edit, and the ids in it.
    list: (&'static str, Vec<&'static str>),
}

fn check(edit: impl Fn(&mut Vec<Value>), meets: &Meets) {
    let project = edited("", &edit);
    let (_, report) = run(&project, 2, &[]);
    assert_says(incomplete(&report, "not_comparable"), meets.refused);
    assert_says(incomplete(&report, "not_comparable"), &["golden_changed", "rankgate accept"]);
    assert!(report["comparison"].is_null());
    assert_eq!(rule(&report, "no regression on mrr@10")["reason"], "incomplete");

    for (setting, compared) in [("common", meets.common), ("rescore", meets.rescore)] {
        let project = edited(&format!("golden_changed = '{setting}'\n"), &edit);
        let (_, report) = run(&project, 0, &[]);
        let comparison = &report["comparison"];
        assert_eq!(comparison["questions"], compared, "{setting}");
        let (list, ids) = &meets.list;
        assert_eq!(comparison["golden"][list], json!(ids), "{setting}");
        for id in ids {
            assert_says(note(&report, "golden_changed"), &[id]);
        }
    }
}

#[test]
fn an_added_question_counts_for_floors_only() {
    check(
        |set| set.push(question(COUNT)),
        &Meets {
            refused: &["1 question added: q060"],
            common: 60,
            rescore: 60,
            list: ("added", vec!["q060"]),
        },
    );
    // The floor sees it, the comparison does not.
    let project = edited("golden_changed = 'rescore'\n", |set| set.push(question(COUNT)));
    project.write("run.jsonl", answers(COUNT + 1, |index| (index < COUNT).then_some(1)));
    let gate = ["--gate", "no regression on mrr@10", "--gate", "hit_rate@10 >= 1"];
    let (_, report) = run(&project, 1, &gate);
    assert_eq!(rule(&report, gate[1])["status"], "passed");
    assert_eq!(rule(&report, gate[3])["status"], "failed");
}

#[test]
fn a_renamed_category_changes_nothing() {
    let rename = |set: &mut Vec<Value>| {
        for question in set {
            question["category"] = format!("{} numbers", question["category"].as_str().unwrap()).into();
        }
    };
    for baseline in ["", "golden_changed = 'common'\n", "golden_changed = 'rescore'\n"] {
        let (_, report) = run(&edited(baseline, rename), 0, &[]);
        assert_eq!(report["comparison"]["questions"], COUNT);
        assert_eq!(report["comparison"]["golden"], json!({}));
        assert_eq!(report["comparison"]["slices"][0]["value"], "even numbers");
        assert!(items(&report["notes"]).all(|note| note["code"] != "golden_changed"));
    }
}

#[test]
fn a_changed_label_is_looked_for_in_the_old_list() {
    let relabel = |set: &mut Vec<Value>| set[3]["expected_chunk_ids"] = json!(["other003-4"]);
    check(
        relabel,
        &Meets {
            refused: &["1 question relabelled: q003"],
            common: 59,
            rescore: 60,
            list: ("relabelled", vec!["q003"]),
        },
    );
    // It stands at rank 4 of both lists; today's answers put it nowhere.
    let project = edited("golden_changed = 'rescore'\n", relabel);
    let (_, report) = run(&project, 0, &[]);
    assert_eq!(report["comparison"]["counts"]["same"], 60);
    project.write("run.jsonl", answers(COUNT, |index| Some(if index == 3 { 4 } else { 1 })));
    let (_, report) = run(&project, 0, &[]);
    let moved = &report["comparison"]["moved"];
    assert_eq!(moved[0]["id"], "q003", "{moved}");
    assert_eq!((moved[0]["before"].as_u64(), moved[0]["movement"].as_str()), (Some(4), Some("gone")));
}

#[test]
fn a_question_in_other_words_is_left_out_and_listed() {
    let edit = |set: &mut Vec<Value>| set[4]["query"] = "something else entirely".into();
    check(
        edit,
        &Meets {
            refused: &["1 question asked in other words: q004"],
            common: 59,
            rescore: 59,
            list: ("edited", vec!["q004"]),
        },
    );
    // Other parameters make another question, too.
    let project = edited("golden_changed = 'rescore'\n", |set| set[5]["params"] = json!({"tenant": "acme"}));
    let (_, report) = run(&project, 0, &[]);
    assert_eq!(report["comparison"]["golden"]["edited"], json!(["q005"]));
}

#[test]
fn removed_questions_are_listed() {
    check(
        |set| drop(set.drain(10..15)),
        &Meets {
            refused: &["5 questions removed: q010, q011, q012, q013, q014"],
            common: 55,
            rescore: 55,
            list: ("removed", vec!["q010", "q011", "q012", "q013", "q014"]),
        },
    );
}

#[test]
fn two_sets_with_little_in_common_are_two_sets() {
    // 48 of 60 are 80 %.
    for (removed, status) in [(12, 0), (13, 2)] {
        for setting in ["common", "rescore"] {
            let project =
                edited(&format!("golden_changed = '{setting}'\n"), |set| drop(set.drain(..removed)));
            let (_, report) = run(&project, status, &[]);
            if status == 2 {
                let why = incomplete(&report, "not_comparable");
                assert_says(
                    why,
                    &["only 47 of 60 questions", "80 %", "13 questions removed: q000", "and 3 more"],
                );
            }
        }
    }
    // Edited and added ones count, too.
    let project = edited("golden_changed = 'rescore'\n", |set| {
        for question in &mut set[..13] {
            question["query"] = "another".into();
        }
    });
    run(&project, 2, &[]);
    let project = edited("golden_changed = 'rescore'\n", |set| set.extend((60..76).map(question)));
    let (_, report) = run(&project, 2, &[]);
    assert_says(incomplete(&report, "not_comparable"), &["only 60 of 76 questions"]);
}

#[test]
fn the_flag_compares_what_did_not_change() {
    let project = edited("", |set| drop(set.drain(10..15)));
    run(&project, 2, &[]);
    let (_, report) = run(&project, 0, &["--common-queries"]);
    assert_eq!(report["comparison"]["questions"], 55);
    let output = data::project().run(["run", "--common-queries"]);
    assert_eq!(output.status, 2);
}

#[test]
fn changed_grades_are_noticed() {
    let graded = |grade: u32| -> Vec<Value> {
        (0..COUNT)
            .map(|index| {
                json!({"id": super::id(index), "query": format!("question {index}"), "expected": [
                    {"chunk": format!("gold{index:03}"), "grade": 1},
                    {"chunk": format!("other{index:03}-2"), "grade": if index == 7 { grade } else { 1 }}]})
            })
            .collect()
    };
    let project = accepted(COUNT, "['no regression on ndcg@10']", "");
    project.write("golden.jsonl", lines(&graded(1)));
    super::accept(&project, &["--force", "--reason", "graded labels"]);
    run(&project, 0, &[]);
    project.write("golden.jsonl", lines(&graded(3)));
    let (_, report) = run(&project, 2, &[]);
    assert_says(incomplete(&report, "not_comparable"), &["1 question relabelled: q007"]);
    // Scored with today's grades on both sides, the same answers are no change.
    let (_, report) = run(&project, 0, &["--set", "baseline.golden_changed=rescore"]);
    let measure = items(&report["comparison"]["measures"]).find(|measure| measure["measure"] == "ndcg@10");
    let measure = measure.expect("the gated measure");
    assert_near("ndcg@10", &measure["before"], &measure["now"], 0.0);
    assert!(super::number(&measure["now"]) < 1.0, "{measure}");
}

/// Six documents of three chunks each, and six questions that want text of their second chunk.
fn with_texts(labels: impl Fn(usize) -> Value) -> (String, String, String) {
    let (mut corpus, mut set, mut run) = (Vec::new(), Vec::new(), Vec::new());
    for index in 0..6 {
        let mut start = 0;
        for part in ["alpha", "beta", "gamma"] {
            let text = format!("{part} text of document {index}");
            let end = start + text.chars().count();
            corpus
                .push(json!({"id": format!("{index}-{part}"), "doc": format!("doc{index}"), "start": start,
                "end": end, "text": text}));
            start = end;
        }
        set.push(json!({"id": super::id(index), "query": format!("question {index}"),
            "expected": [labels(index)]}));
        let hits = ["alpha", "beta", "gamma"].map(|part| format!("{index}-{part}"));
        run.push(json!({"id": super::id(index), "retrieved": hits}));
    }
    (lines(&corpus), lines(&set), lines(&run))
}

/// The quote or the span of a part of a document; every part has a text of nearly the same length.
fn quote(index: usize, part: &str) -> Value {
    json!({"quote": format!("{part} text of document {index}")})
}

fn span(index: usize, part: &str) -> Value {
    let lengths = ["alpha", "beta", "gamma"].map(|part| (part, format!("{part} text of document 0").len()));
    let at = lengths.iter().position(|(name, _)| *name == part).expect("a part");
    let start: usize = lengths[..at].iter().map(|(_, length)| length).sum();
    json!({"doc": format!("doc{index}"), "start": start, "end": start + lengths[at].1})
}

fn rescored(label: fn(usize, &str) -> Value) -> Project {
    let (corpus, set, answers) = with_texts(|index| label(index, "beta"));
    let project = data::project();
    let tables = config("['no regression on mrr@10', 'mrr@10 drop <= 0']", "golden_changed = 'rescore'\n");
    project
        .write("corpus.jsonl", corpus)
        .write("golden.jsonl", set)
        .write("run.jsonl", answers)
        .write("rankgate.toml", format!("{tables}[corpus]\npath = 'corpus.jsonl'\n"));
    super::accept(&project, &[]);
    // Another need for the first question, and the first part of another corpus.
    let (_, set, _) = with_texts(|index| label(index, if index == 0 { "gamma" } else { "beta" }));
    project.write("golden.jsonl", set);
    project
}

#[test]
fn a_new_quote_is_looked_for_where_the_texts_are_still_known() {
    let project = rescored(quote);
    let (_, report) = run(&project, 0, &[]);
    let comparison = &report["comparison"];
    assert_eq!((comparison["questions"].as_u64(), comparison["counts"]["same"].as_u64()), (Some(6), Some(6)));
    assert_eq!(comparison["golden"], json!({"relabelled": ["q000"]}));

    // In another corpus the old texts are gone: the question is left out, and listed.
    let corpus = project.read("corpus.jsonl");
    project.write("corpus.jsonl", corpus + "{\"id\":\"new\",\"doc\":\"new\",\"text\":\"a new page\"}\n");
    let (_, report) = run(&project, 0, &[]);
    let comparison = &report["comparison"];
    assert_eq!(comparison["questions"], 5);
    assert_eq!(comparison["golden"], json!({"relabelled": ["q000"], "unreadable": ["q000"]}));
    assert_says(note(&report, "unreadable"), &["1 question", "q000"]);
    assert_eq!(items(&comparison["changed"]).next().unwrap()["what"], "corpus");
}

#[test]
fn a_new_span_is_looked_for_in_the_ranges_of_the_old_hits() {
    let project = rescored(span);
    let corpus = project.read("corpus.jsonl");
    for more in ["", "{\"id\":\"new\",\"doc\":\"new\",\"text\":\"a new page\"}\n"] {
        project.write("corpus.jsonl", format!("{corpus}{more}"));
        let (_, report) = run(&project, 0, &[]);
        let comparison = &report["comparison"];
        assert_eq!(comparison["questions"], 6);
        assert_eq!(comparison["counts"]["same"], 6, "{comparison}");
        assert_eq!(comparison["golden"], json!({"relabelled": ["q000"]}));
    }
}

#[test]
fn a_known_case_of_two_sets() {
    let Some(input) = rankgate_test::shared("cases/gate-golden-version-01.json") else { return };
    let case = data::json(&input);
    let (input, expected) = (&case["input"], &case["expected"]);
    let answers: String = data::entries(&input["retrieved_both_times"])
        .map(|(id, retrieved)| format!("{}\n", json!({"id": id, "retrieved": retrieved})))
        .collect();
    let project = data::project();
    project
        .write("golden.jsonl", data::lines(items(&input["golden_v1"])))
        .write("run.jsonl", &answers)
        .write("rankgate.toml", config("['mrr@5 drop <= 0']", ""));
    super::accept(&project, &[]);
    // Saved again in another shape it is the same set.
    let turned: String = items(&input["golden_v1"])
        .map(|case| {
            let (ids, query, id) = (&case["expected_chunk_ids"], &case["query"], &case["id"]);
            format!("{{ \"expected_chunk_ids\" : {ids},\t\"query\":{query}, \"id\":{id} }}\r\n\r\n")
        })
        .collect();
    project.write("golden.jsonl", turned);
    run(&project, 0, &[]);

    project.write("golden.jsonl", data::lines(items(&input["golden_v2"])));
    let (_, report) = run(&project, 2, &[]);
    let why = incomplete(&report, "not_comparable");
    assert_says(why, &["1 question added: q4", "1 question relabelled: q3"]);
    assert_near("today", data::mean(&report, "mrr@10"), &expected["candidate_mrr@5"], 1e-9);
    // Two of four questions are too few to speak for the set, even for who asks for what is common.
    let (_, report) = run(&project, 2, &["--common-queries"]);
    assert_says(incomplete(&report, "not_comparable"), &["only 2 of 4", "q4", "q3"]);

    // In a larger set those that did not change are compared, and the others listed.
    let more = lines(&(0..10).map(question).collect::<Vec<_>>());
    let both = answers + &super::answers(10, |_| Some(1));
    project.write("run.jsonl", both).write("golden.jsonl", data::lines(items(&input["golden_v1"])) + &more);
    super::accept(&project, &["--force", "--reason", "a larger set"]);
    project.write("golden.jsonl", data::lines(items(&input["golden_v2"])) + &more);
    let (_, report) = run(&project, 0, &["--common-queries"]);
    let result = rule(&report, "mrr@5 drop <= 0");
    let common = &expected["common_unchanged"];
    assert_eq!(result["n"], 12);
    assert_near("before", &result["before"], &common["baseline_mrr@5"], 1e-9);
    assert_near("now", &result["value"], &common["candidate_mrr@5"], 1e-9);
    let golden = &report["comparison"]["golden"];
    assert_eq!(golden["added"], expected["default"]["added"]);
    assert_eq!(golden["relabelled"], expected["default"]["edited"]);
}
