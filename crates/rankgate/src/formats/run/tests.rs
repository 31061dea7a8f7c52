use proptest::prelude::*;

use super::*;
use crate::Id;
use crate::retriever::Told;

fn run_with(text: &str, duplicates: Duplicates) -> Result<RunFile> {
    read_run_from_bytes(text.as_bytes().to_vec(), Path::new("run"), duplicates)
}

fn run(text: &str) -> RunFile {
    run_with(text, Duplicates::Error).unwrap()
}

fn error(text: &str) -> String {
    run_with(text, Duplicates::Error).unwrap_err().to_string()
}

fn ids<'r>(run: &'r RunFile, query: &str) -> Vec<&'r str> {
    run.get(query).unwrap().hits.iter().map(|hit| hit.id.as_str()).collect()
}

#[test]
fn trec_runs_are_ordered_by_score_and_then_by_id_descending() {
    let run = run(
        "# a comment\nq2 Q0 x 1 1.0 t\r\nq1\tQ0  a 1 2 t \n\n q1 Q0 é 2 2e0 t\nq1 Q0 b 3 2.0 t\nq1 Q0 c 4 inf t\n",
    );
    assert_eq!(run.order, Order::ByScore);
    assert_eq!(run.lists().iter().map(|list| &*list.query).collect::<Vec<_>>(), ["q2", "q1"]);
    assert_eq!(ids(&run, "q1"), ["c", "é", "b", "a"]);
    assert_eq!(run.tied_queries(), 1);
    assert!(run.get("q1").unwrap().tied && !run.get("q2").unwrap().tied);
    assert_eq!(run.get("q3"), None);
}

#[test]
fn scores_keep_all_their_bits() {
    assert_eq!(ids(&run("q 0 z9 1 0.9 t\nq 0 a1 2 0.900000001 t\n"), "q"), ["a1", "z9"]);
}

#[test]
fn infinite_scores_sort() {
    let run = run("q 0 b 1 -inf t\nq 0 a 2 inf t\nq 0 c 3 0 t\nq 0 d 4 -0.0 t\n");
    assert_eq!(ids(&run, "q"), ["a", "d", "c", "b"]);
}

#[test]
fn ids_are_bytes_between_blanks() {
    let run =
        run("q#1 Q0 a#0 1 9 t\nq#1 Q0 https://x/?y=1&z 2 8 t\nq#1 Q0 007 3 7 t\nq#1 Q0 a\u{a0}b 4 6 t\n");
    assert_eq!(ids(&run, "q#1"), ["a#0", "https://x/?y=1&z", "007", "a\u{a0}b"]);
}

#[test]
fn a_line_with_other_than_six_columns_is_an_error() {
    let error = error("q Q0 a 1 1 t\nq Q0 annual report 2 1 t\nq a 1\nword\n");
    assert!(error.contains("run:2: 7 columns where a TREC run has 6"), "{error}");
    assert!(error.contains("run:3: 3 columns"), "{error}");
    assert!(error.contains("run:4: 1 column where"), "{error}");
}

#[test]
fn scores_that_are_no_numbers_are_errors() {
    let error = error("q Q0 a 1 NaN t\nq Q0 b 2 high t\nq Q0 c 3 1 t\n");
    assert!(error.contains("run:1 (q) `score`: `NaN` is not a number"), "{error}");
    assert!(error.contains("run:2 (q) `score`: `high` is not a number"), "{error}");
}

#[test]
fn a_repeated_document_is_an_error_or_counted() {
    let text = "q Q0 a 1 5 t\np Q0 a 1 5 t\nq Q0 b 2 4 t\nq Q0 a 3 9 t\nq Q0 a 4 1 t\n";
    let error = error(text);
    assert!(error.starts_with("run:4 (q): `a` is already on line 1"), "{error}");
    assert!(error.contains("run:5 (q): `a` is already on line"), "{error}");

    let run = run_with(text, Duplicates::KeepBest).unwrap();
    assert_eq!(ids(&run, "q"), ["a", "b"]);
    assert_eq!(run.get("q").unwrap().hits[0].score, Some(9.0));
    assert_eq!((run.get("q").unwrap().repeats, run.get("p").unwrap().repeats, run.repeats()), (2, 0, 2));
}

#[test]
fn ranks_that_contradict_the_scores_are_one_warning() {
    let run = run("q Q0 a 1 1 t\nq Q0 b 2 2 t\np Q0 a 2 1 t\np Q0 b 1 2 t\nr Q0 a 1 1 t\nr Q0 b 2 2 t\n");
    let [warning] = run.warnings.as_slice() else { panic!("{:?}", run.warnings) };
    assert_eq!(warning.what, "the rank column disagrees with the scores in 2 of 3 queries");
    assert_eq!(ids(&run, "q"), ["b", "a"]);
}

#[test]
fn ranks_may_start_anywhere_be_equal_or_missing_and_follow_any_order_among_ties() {
    for quiet in [
        "q 0 b 7 2 t\nq 0 a 9 1 t\n",
        "q 0 a 0 1 t\nq 0 b 0 2 t\n",
        "q 0 b - 2 t\nq 0 a 1 1 t\n",
        "q 0 b 1 1 t\n",
    ] {
        assert_eq!(run(quiet).warnings, [], "{quiet}");
    }
    let tied = run("q 0 a 1 2 t\nq 0 b 2 2 t\nq 0 c 3 1 t\n");
    let [warning] = tied.warnings.as_slice() else { panic!("{:?}", tied.warnings) };
    assert_eq!(warning.what, "equal scores in 1 of 1 queries");
}

#[test]
fn a_run_without_results_is_an_error() {
    for empty in ["", "\n \n", "# only\n# comments\n", "{}", "{\n}\n", "\u{feff}"] {
        assert!(error(empty).contains("run: no results"), "{empty:?}");
    }
}

#[test]
fn score_maps_are_ordered_by_score() {
    let run = run("{\"q1\": {\"a\": 1, \"b\": 2.5, \"c\": 2.5},\n \"q2\": {}}");
    assert_eq!(run.order, Order::ByScore);
    assert_eq!(ids(&run, "q1"), ["c", "b", "a"]);
    assert_eq!(ids(&run, "q2"), Vec::<&str>::new());
    assert_eq!(run.tied_queries(), 1);
}

#[test]
fn wrong_values_in_score_maps_are_all_named() {
    let error = error(
        "{\"q1\": {\"a\": \"1\", \"b\": null, \"c\": 1, \"c\": 2}, \"q2\": 7, \"q1\": {\"d\": 1}, \"q3\": [\"a\"]}",
    );
    assert!(error.contains("run (q1) `a`: a score is a number, not a string"), "{error}");
    assert!(error.contains("run (q1) `b`: no score"), "{error}");
    assert!(error.contains("run (q1): `c` stands here twice"), "{error}");
    assert!(error.contains("run (q1): the query stands here twice"), "{error}");
    assert!(error.contains("run (q2): neither scores by id nor a list"), "{error}");
    assert!(error.contains("run (q3): lists in order and results with scores"), "{error}");
}

#[test]
fn lists_keep_their_order_and_their_repeats() {
    let run =
        run("{\"q\": [\"b\", 12, {\"id\": \"a\", \"score\": 9}, \"b\", {\"chunk_id\": \"12\"}], \"p\": []}");
    assert_eq!(run.order, Order::AsGiven);
    assert_eq!(ids(&run, "q"), ["b", "12", "a", "b", "12"]);
    assert_eq!((run.get("q").unwrap().repeats, run.tied_queries()), (0, 0));
    assert_eq!(run.get("p").unwrap().hits, []);
}

#[test]
fn json_lines_hold_lists() {
    let run = run("\u{feff}{\"id\": \"q1\", \"query\": \"x\", \"retrieved\": [\"b\", \"a\"]}\r\n\n\
                   {\"results\": [{\"id\": \"c\", \"doc_id\": \"d\", \"start\": 1, \"end\": 4, \"text\": \"t\", \"score\": 0.5}], \"qid\": 2}\n\
                   {\"query_id\": 9007199254740993, \"id\": \"row\", \"hits\": []}");
    assert_eq!(run.order, Order::AsGiven);
    assert_eq!(ids(&run, "q1"), ["b", "a"]);
    assert_eq!(
        run.get("2").unwrap().hits,
        [Hit::scored("c", 0.5).telling(Told {
            doc: Some("d".into()),
            start: Some(1),
            end: Some(4),
            text: Some("t".into())
        })]
    );
    assert_eq!(run.get("9007199254740993").unwrap().hits, []);
    assert_eq!(run.len(), 3);
}

#[test]
fn json_lines_hold_results_with_scores() {
    let run = run("{\"query_id\": \"q\", \"doc_id\": \"a\", \"score\": 1}\n\
                   {\"query_id\": \"p\", \"doc_id\": \"a\", \"score\": 1}\n\
                   {\"query_id\": \"q\", \"chunk_id\": \"b\", \"doc_id\": \"d\", \"score\": 2}\n");
    assert_eq!(run.order, Order::ByScore);
    assert_eq!(ids(&run, "q"), ["b", "a"]);
    assert_eq!(run.get("q").unwrap().hits[0].doc().map(Id::as_str), Some("d"));
}

#[test]
fn wrong_json_lines_are_all_named() {
    let error = error(
        "{\"id\": \"q1\", \"retrieved\": [\"a\", 1.5, true]}\n\
         {\"id\": \"q2\", \"retrieved\": [{\"id\": \"a\", \"score\": \"x\", \"start\": 3}]}\n\
         {\"id\": null, \"retrieved\": []}\n\
         {\"id\": \"q1\", \"retrieved\": []}\n\
         {\"retrieved\": []}\n\
         {\"id\": \"q5\"}\n\
         {\"id\": \"q6\", \"retrieved\": \"abc\"}\n\
         {\"id\": \"q7\", \"doc_id\": \"a\", \"score\": 1}\n\
         [1]\n",
    );
    for expected in [
        "run:1 (q1): hit 2 of the list: an id is a string or a whole number from 0, not a negative, decimal",
        "run:1 (q1): hit 3 of the list: an id is a string or a whole number from 0, not a truth value",
        "run:2 (q2) `score`: hit 1 of the list: a score is a number, not a string",
        "run:3 `id`: an id is a string or a whole number from 0, not null",
        "run:4 (q1): the query is already on line 1",
        "run:5: no query id",
        "run:6 (q5): neither a list nor a result",
        "run:7:31: not valid JSON: invalid type: string \"abc\", expected a list of ids or hits",
        "run:8 (q7): lists in order and results with scores",
        "run:9: not a JSON object",
    ] {
        assert!(error.contains(expected), "{expected}\n--\n{error}");
    }
}

#[test]
fn repeats_and_missing_scores_among_scored_lines_are_errors() {
    let error = error(
        "{\"query_id\": \"q\", \"doc_id\": \"a\", \"score\": 1}\n{\"query_id\": \"q\", \"doc_id\": \"b\"}\n\
                       {\"query_id\": \"q\", \"doc_id\": \"a\", \"score\": 2}\n",
    );
    assert!(error.contains("run:2 (q) `score`: the result `b` has no score"), "{error}");
    assert!(error.contains("run:3 (q): `a` is already on line 1"), "{error}");
}

#[test]
fn json_that_breaks_off_is_an_error_with_its_place() {
    assert!(error("{\"id\": \"q1\", \"retrieved\": [\"a\"").starts_with("run:1:30: not valid JSON: EOF"));
    assert!(error("{\"retrieved\": [\"a\"").starts_with("run:1:18: not valid JSON: EOF"));
    assert!(error("{\n \"q1\": {\"a\": 1},\n").starts_with("run:3:1: not valid JSON: EOF"));
    assert!(error("{\"q1\": {\"a\": NaN}}").starts_with("run:1:14: not valid JSON"));
    assert!(error("[\"a\"]").contains("expected an object whose keys are query ids"));
}

#[test]
fn a_file_of_another_kind_is_not_read_to_its_end() {
    let error = error(&"not a run\n".repeat(100_000));
    assert!(error.contains("run:3: 3 columns where a TREC run has 6 (and 997 more like this)"), "{error}");
    assert!(error.contains("run:1001: too many problems"), "{error}");
}

proptest! {
    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = read_run_from_bytes(bytes, Path::new("run"), Duplicates::Error);
    }

    #[test]
    fn no_pieces_of_runs_panic(parts in prop::collection::vec(prop::sample::select(vec![
        "{", "}", "[", "]", ":", ",", "\"q\"", "\"id\"", "\"retrieved\"", "\"hits\"", "\"doc_id\"", "\"score\"",
        "\"start\"", "\"metadata\"", "1", "-1e999", "null", "\n", " ", "q Q0 d 1 2 t\n", "q Q0 d", "NaN", "#", "\u{feff}",
    ]), 0..30)) {
        for duplicates in [Duplicates::Error, Duplicates::KeepBest] {
            let _ = run_with(&parts.concat(), duplicates);
        }
    }

    #[test]
    fn the_order_of_the_lines_changes_nothing(
        (lines, shuffled) in prop::collection::vec((0..4u8, 0..30u8, 0..6u8), 1..60).prop_flat_map(|rows| {
            let lines: Vec<String> = rows.iter().map(|(q, d, s)| format!("q{q} Q0 d{d} 0 {s}.5 t\n")).collect();
            (Just(lines.clone()), Just(lines).prop_shuffle())
        })
    ) {
        let [a, b] = [lines, shuffled].map(|lines| {
            let mut lists = run_with(&lines.concat(), Duplicates::KeepBest).unwrap().into_lists();
            lists.sort_by(|a, b| a.query.cmp(&b.query));
            lists
        });
        prop_assert_eq!(a, b);
    }
}

#[test]
fn what_follows_the_tag_is_not_used() {
    let read = run("q1 Q0 d2 1 3.0 base run of May\nq1 Q0 d1 2 2.0 base fields 1 2\n");
    assert_eq!(read.lists()[0].hits.len(), 2);
    assert_eq!(read.warnings[0].what, "2 lines have more than 6 columns");
    // An id with a blank, which moves a number to where the rank should be.
    let error = error("q1 Q0 report 1992 1 3.0 base\n");
    assert!(error.contains("run:1: 7 columns where a TREC run has 6"), "{error}");
}

#[test]
fn what_is_wrong_with_many_hits_is_told_once_a_list_and_counted() {
    let list = |query: usize| {
        format!(
            "{{\"id\": \"q{query}\", \"retrieved\": [{{\"id\": \"a\"}}, {{\"doc\": \"d\"}}, {{\"doc\": \"e\"}}, {{\"doc\": \"f\"}}]}}\n"
        )
    };
    let text: String = (1..=9).map(list).collect();
    let told: Vec<String> =
        error(&text).lines().filter(|line| !line.starts_with(' ')).map(String::from).collect();
    assert_eq!(
        told,
        [
            "run:1 (q1): hit 2 of the list: no id (and 2 more hits)",
            "run:2 (q2): hit 2 of the list: no id (and 2 more hits)",
            "run:3 (q3): hit 2 of the list: no id (and 2 more hits) (and 6 more like this)",
        ]
    );
    assert!(error(&text).contains("a document by itself is a `doc_id`"));
    // The same in one object.
    let map = error("{\"q\": [{\"doc\": \"d\"}, {\"doc\": \"e\"}]}");
    assert!(map.starts_with("run (q): hit 1 of the list: no id (and 1 more hit)\n"), "{map}");
}

#[test]
fn judgements_are_not_read_as_a_run() {
    for qrels in ["q1 0 d1 1\nq2 0 d2 0\n", "query-id\tcorpus-id\tscore\nq1\td1\t1\n", "# by hand\nq1 d1 2\n"]
    {
        let error = error(qrels);
        assert_eq!(
            error.lines().next(),
            Some("run: this looks like relevance judgements, and a run is wanted here")
        );
        assert!(error.contains("are the two files swapped?"), "{error}");
    }
}
