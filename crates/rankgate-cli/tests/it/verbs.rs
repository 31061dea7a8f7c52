//! What the verbs beside `run` show, in 80 columns.

use insta::assert_snapshot;

use crate::support::{CHANGE, HELP_CENTER, fits, help_center, project, screen, shown};

#[test]
fn a_question_that_the_retriever_cannot_read() {
    assert_snapshot!(screen(&help_center(), ["query", "q25", "-c", HELP_CENTER, "--set", CHANGE]), @r#"
    q25  how do I get an API key
         category api, critical

    READ AS  nothing at all

    EXPECTED
    none     chunk `api/keys#0`, grade 2
             An API key belongs to one workspace and one user. Make it under
             Settings, then Developers, then New key. It is shown only once, so
             copy it to a safe place. Give each app its own key, and name it after …
             shares: nothing

    HITS none
    --- stderr
    --- exit 0
    "#);
}

#[test]
fn a_question_that_finds_its_evidence() {
    assert_snapshot!(screen(&help_center(), ["query", "q01", "-c", HELP_CENTER, "-k", "3"]), @r#"
    q01  can I get a refund after 30 days
         category billing, critical

    READ AS  can get refund after 30 days

    EXPECTED
    rank 1   chunk `billing/refunds#0`, grade 2
             You can ask for a refund of a monthly plan within 14 days of the
             charge, and of an annual plan within 30 days. The owner of the
             workspace sends the request from Billing, then Past charges. We do …
             shares: can refund 30 days

    HITS 3 of 10   (+ expected, - judged not relevant, ! forbidden)
      1 + billing/refunds#0                                                  0.2080
             You can ask for a refund of a monthly plan within 14 days of the
             charge, and of an annual plan within 30 days. The owner of the
             workspace sends the request from Billing, then Past charges. We do …
      2   account/deletion#1                                                 0.1794
             Deleting a workspace needs the owner, the password and the name of
             the workspace typed in full. It is hidden at once and erased after 30
             days. Until then an owner can restore it from the list Removed …
      3   security/sla#1                                                     0.1511
             To claim SLA credit, write to us within 30 days with the times of the
             outage. It is taken off the next bill and not paid out. You can see
             live status and past faults on the status page, and get them by mail, …
    --- stderr
    --- exit 0
    "#);
}

#[test]
fn a_question_with_a_forbidden_hit_and_one_that_has_no_answer() {
    let project = help_center();
    assert_snapshot!(screen(&project, ["query", "q28", "-c", HELP_CENTER, "-k", "2", "--set", CHANGE]), @r#"
    q28  how do I rotate a key if it is in an app
         category api, must rank within 3

    READ AS  rotate

    EXPECTED
    rank 1   chunk `api/keys#2`
             To rotate a key, make the new one first, put it into your app, and
             then revoke the old one. Both work side by side, so there is no gap.
             If a key has leaked, revoke it right now: it stops in less than ten …
             shares: rotate

    HITS 2   (+ expected, - judged not relevant, ! forbidden)
      1 + api/keys#2                                                         0.2225
             To rotate a key, make the new one first, put it into your app, and
             then revoke the old one. Both work side by side, so there is no gap.
             If a key has leaked, revoke it right now: it stops in less than ten …
      2 ! api/keys-v1#0                                                      0.2164
             This page is about version 1, which was shut down. An API key of
             version 1 was passed in the URL as the token field and had no end
             date. It was shared by all users of a workspace, and to rotate it you …
    --- stderr
    --- exit 0
    "#);
    let set = project.read("examples/help-center/questions.jsonl");
    let line = set.lines().find(|line| line.contains("\"answerable\": false")).unwrap();
    let id = &line[8..11];
    assert_snapshot!(screen(&project, ["query", id, "-c", HELP_CENTER, "-k", "1"]), @r#"
    q12  Do you sell branded hoodies?
         category billing, unanswerable: nothing should come back

    READ AS  do you sell branded hoodies

    MIN SCORE  0.19: a hit at or above it (*) is an answer

    HITS 1 of 10   (+ expected, - judged not relevant, ! forbidden)
      1   internal/support-access#1                                          0.1800
             Staff only. To clear the second factor of an owner, do the ID check
             by video, compare the last bill, then press Clear. Never do it by
             call or chat. The same desk lifts an IP block or a lock after too …
    --- stderr
    --- exit 0
    "#);
}

#[test]
fn any_other_question() {
    let args = ["query", "--text", "how do I rotate an API key", "-c", HELP_CENTER, "-k", "2"];
    assert_snapshot!(screen(&help_center(), args), @r#"
    how do I rotate an API key

    READ AS  how do rotate an api key

    HITS 2 of 10   (+ expected, - judged not relevant, ! forbidden)
      1   api/keys#0                                                         0.2410
             An API key belongs to one workspace and one user. Make it under
             Settings, then Developers, then New key. It is shown only once, so
             copy it to a safe place. Give each app its own key, and name it after …
      2   api/keys-v1#0                                                      0.2331
             This page is about version 1, which was shut down. An API key of
             version 1 was passed in the URL as the token field and had no end
             date. It was shared by all users of a workspace, and to rotate it you …
    --- stderr
    --- exit 0
    "#);
}

/// A folder of two rooms, cut into chunks of a line each, and recorded answers that never find any.
fn rooms(level: &str, question: &str) -> rankgate_test::Project {
    let project = project();
    project
        .write("docs/rooms.md", "The red room seats ten.\n\nThe blue room seats two.\n")
        .write("docs/other.md", "Nothing here.\n")
        .write("questions.jsonl", question)
        .write(
            "last.run",
            "{\"a\": [{\"id\": \"other.md\", \"score\": 0.5}, {\"id\": \"other.md#0\", \"score\": 0.25}]}",
        )
        .write(
            "rankgate.toml",
            format!(
                "[golden]\npath = 'questions.jsonl'\nlevel = '{level}'\n[corpus]\npath = 'docs'\n\
                 chunker = {{ size = 26 }}\n[retriever]\nkind = 'run'\npath = 'last.run'\n"
            ),
        );
    project
}

#[test]
fn a_question_whose_evidence_stands_elsewhere_or_is_cut() {
    let question = r#"{"id":"a","query":"how many","expected":[{"quote":"red room seats"},{"doc":"rooms.md","quote":"seats ten. The blue"},{"doc":"rooms.md","start":4,"end":12},{"doc":"rooms.md","start":10,"end":43,"quote":"om seats ten.\n\nThe blue room seat"}]}"#;
    let project = rooms("chunk", question);
    assert_snapshot!(screen(&project, ["query", "a", "--set", "measures.coverage=0.9"]), @r#"
    a  how many

    EXPECTED
    none     the quote "red room seats"
             red room seats
             stands in rooms.md#0
    none     the quote "seats ten. The blue"
             seats ten. The blue
             no single chunk holds it: it is cut between rooms.md#0 and rooms.md#1
    none     characters 4 to 12 of `rooms.md`
             red room
             stands in rooms.md#0
    none     characters 10 to 43 of `rooms.md`
             om seats ten. The blue room seat
             no single chunk holds it: it is cut between rooms.md#0 and rooms.md#1

    HITS 2   (+ expected, - judged not relevant, ! forbidden)
      1   other.md                                                           0.5000
             Nothing here.
      2   other.md#0                                                         0.2500
             Nothing here.
    --- stderr
    --- exit 0
    "#);
}

#[test]
fn a_question_about_documents() {
    let project = rooms("document", r#"{"id":"a","query":"how many","expected":[{"doc":"rooms.md"}]}"#);
    assert_snapshot!(screen(&project, ["query", "a", "-k", "1"]), @r#"
    a  how many

    EXPECTED
    none     document `rooms.md`
             The red room seats ten. The blue room seats two.

    HITS 1 of 2   (+ expected, - judged not relevant, ! forbidden)
      1   other.md                                                           0.5000
             Nothing here.
    --- stderr
    --- exit 0
    "#);
}

#[test]
fn a_question_without_an_answer_shows_what_counts_as_one() {
    let project = rooms("chunk", r#"{"id":"a","query":"where is the pool","answerable":false}"#);
    assert_snapshot!(screen(&project, ["query", "a", "--set", "retriever.min_score=0.5"]), @r#"
    a  where is the pool
         unanswerable: nothing should come back

    MIN SCORE  0.5: a hit at or above it (*) is an answer

    HITS 2   (+ expected, - judged not relevant, ! forbidden)
      1 * other.md                                                           0.5000
             Nothing here.
      2   other.md#0                                                         0.2500
             Nothing here.
    --- stderr
    --- exit 0
    "#);
    assert_snapshot!(screen(&project, ["query", "a", "-k", "1"]), @r#"
    a  where is the pool
         unanswerable: nothing should come back

    MIN SCORE  not set: every hit (*) is an answer

    HITS 1 of 2   (+ expected, - judged not relevant, ! forbidden)
      1 * other.md                                                           0.5000
             Nothing here.
    --- stderr
    --- exit 0
    "#);
}

#[test]
fn check() {
    assert_snapshot!(screen(&help_center(), ["check", "-c", HELP_CENTER]), @r#"
    golden     examples/help-center/questions.jsonl: 60 questions
               4 unanswerable
               4 critical
               3 with must_rank_within
               9 with forbidden hits
               by category: account 12, api 12, billing 12, integrations 12,
               security 12
    labels     2 by document, 64 by id, 3 by quote, 0 unknown to the corpus
    corpus     90 chunks of 38 documents, mean length 241 characters (jsonl)
    retriever  tfidf-v1 analyzer=word ngram_range=1-1 lowercase=true
               token_pattern="(?u)\\b\\w\\w+\\b" stop_words=[] plural=false
               sublinear_tf=false smooth_idf=true norm=l2 ties=id-descending
               round_scores=none
               depth 10, level chunk
    measures   hit_rate@3, recall@5, mrr@5, ndcg@5, context_precision@3
    baseline   examples/help-center/baseline.jsonl: 60 questions
    gate       hit_rate@3 >= 0.90
               recall@5 >= 0.90
               mrr@5 >= 0.85
               no regression on recall@5
               each(category) hit_rate@3 >= 0.80
               forbidden@3 <= 0
               abstained@3 >= 1
               latency_p95 <= 50ms (warn)
    ok
    --- stderr
    --- exit 0
    "#);
}

#[test]
fn metrics() {
    assert_snapshot!(screen(&project(), ["metrics"]));
}

#[test]
fn every_measure_is_explained_in_80_columns() {
    let project = project();
    assert_snapshot!(screen(&project, ["metrics", "ndcg"]));
    for definition in rankgate_metrics::definitions() {
        fits(&project.run(["metrics", definition.name]));
    }
}

#[test]
fn score() {
    let project = project();
    project.write("test.qrels", "1 0 d1 2\n1 0 d2 1\n2 0 d3 1\n3 0 d9 1\n5 0 d1 0\n").write(
        "bm25.run",
        "1 Q0 d1 1 0.9 x\n1 Q0 d5 2 0.8 x\n2 Q0 d4 1 0.9 x\n2 Q0 d3 2 0.8 x\n4 Q0 d3 1 1 x\n",
    );
    let files = ["score", "--qrels", "test.qrels", "--run", "bm25.run"];
    assert_snapshot!(screen(&project, files), @r#"
    measure                      value  queries
    map                         0.3333        3
    mrr                         0.5000        3
    ndcg(gain=linear)@10        0.4637        3
    precision@10                0.0667        3
    recall@10                   0.5000        3
    recall@100                  0.5000        3
    hit_rate@5                  0.6667        3
    --- stderr
    1 judged query is missing from the run and counted as 0: 3
    1 query is left out, without any relevant document: 5
    1 query of the run is not judged and left out
    --- exit 0
    "#);
    let measures = ["-m", "mrr@5,recall@5,10", "-m", "ndcg(gain=linear)@3, map"];
    assert_snapshot!(screen(&project, files.into_iter().chain(measures).chain(["-q"])), @r#"
    measure                   query              value  queries
    mrr@5                     1                 1.0000
    recall@5                  1                 0.5000
    recall@10                 1                 0.5000
    ndcg(gain=linear)@3       1                 0.7602
    map                       1                 0.5000
    mrr@5                     2                 0.5000
    recall@5                  2                 1.0000
    recall@10                 2                 1.0000
    ndcg(gain=linear)@3       2                 0.6309
    map                       2                 0.5000
    mrr@5                     3                 0.0000
    recall@5                  3                 0.0000
    recall@10                 3                 0.0000
    ndcg(gain=linear)@3       3                 0.0000
    map                       3                 0.0000
    mrr@5                     all               0.5000        3
    recall@5                  all               0.5000        3
    recall@10                 all               0.5000        3
    ndcg(gain=linear)@3       all               0.4637        3
    map                       all               0.3333        3
    --- stderr
    1 judged query is missing from the run and counted as 0: 3
    1 query is left out, without any relevant document: 5
    1 query of the run is not judged and left out
    --- exit 0
    "#);
    // This format has tabs.
    let trec = project.run(files.into_iter().chain(["-m", "ndcg_cut.5,10", "--format", "trec"]));
    assert_snapshot!(shown(&project, &trec), @r#"
    ndcg_cut_5            	all	0.4637
    ndcg_cut_10           	all	0.4637
    --- stderr
    1 judged query is missing from the run and counted as 0: 3
    1 query is left out, without any relevant document: 5
    1 query of the run is not judged and left out
    --- exit 0
    "#);
}
