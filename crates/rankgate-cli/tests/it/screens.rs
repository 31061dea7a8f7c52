//! What a person sees, in 80 columns.

use insta::assert_snapshot;
use rankgate_test::Project;

use crate::support::{CHANGE, HELP_CENTER, fits, recorded, screen, shown, small, with_example};

fn help_center() -> Project {
    with_example("help-center")
}

#[test]
fn demo() {
    let project = crate::support::project();
    assert_snapshot!(screen(&project, ["demo"]));
    assert!(project.files().is_empty(), "{:?}", project.files());
}

#[test]
fn a_run_that_passes() {
    assert_snapshot!(screen(&help_center(), ["run", "-c", HELP_CENTER]));
}

#[test]
fn a_run_that_fails() {
    let project = help_center();
    let screen = screen(&project, ["run", "-c", HELP_CENTER, "--set", CHANGE, "-o", "report.json"]);
    assert!(screen.contains("\n! q25   api "), "the critical question stands first");
    assert_snapshot!(screen);
}

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
    gate       hit_rate@3 >= 0.90
               recall@5 >= 0.90
               mrr@5 >= 0.85
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
    assert_snapshot!(screen(&crate::support::project(), ["metrics"]));
}

#[test]
fn every_measure_is_explained_in_80_columns() {
    let project = crate::support::project();
    assert_snapshot!(screen(&project, ["metrics", "ndcg"]));
    for definition in rankgate_metrics::definitions() {
        fits(&project.run(["metrics", definition.name]));
    }
}

#[test]
fn score() {
    let project = crate::support::project();
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

#[test]
fn without_rules_the_first_line_says_so() {
    let project = small();
    let screen = screen(&project, ["run", "--set", "gate.rules=[]"]);
    assert!(screen.starts_with("nothing was gated"), "{screen}");
    assert_snapshot!(screen, @r#"
    nothing was gated: add rules under [gate], or --gate RULE
    rankgate 0.0.0  small  3 questions  run  depth 100  0.00 s

    DONE  nothing was gated
          every question has evidence in the top 5

    MEASURES                                    mean      n
    hit_rate@5                                 1.000      3
    recall@5                                   1.000      3
    mrr@10                                     0.611      3
    ndcg@10                                    0.710      3

    CATEGORY    n  hit_rate@5  recall@5  mrr@10  ndcg@10
    doors       2       1.000     1.000   0.750    0.815
    windows     1       1.000     1.000   0.333    0.500

    LABELS 3 by id, 0 not retrieved   ERRORS 0
                                                           exit 0: nothing was gated
    --- stderr
    --- exit 0
    "#);
}

#[test]
fn promises_gate_without_rules() {
    let project = recorded(
        r#"{"id":"a","query":"where is the key","expected":[{"chunk":"c3"}],"critical":true,"must_rank_within":3}
{"id":"b","query":"how wide is the door","expected":[{"chunk":"c9"}],"must_rank_within":2}
"#,
        "a c1 c2 c3\nb c1 c2\n",
        "[]",
    );
    assert_snapshot!(screen(&project, ["run"]), @r#"
    rankgate 0.0.0  small  2 questions  run  depth 100  0.00 s

    FAIL  1 of 2 rules failed
          1 question has no evidence in the top 5

    RULES                                        now      n
    ok     promises: critical in the top 5        1/1
    FAIL   promises: must_rank_within             1/2         b

    MEASURES                                    mean      n
    hit_rate@5                                 0.500      2
    recall@5                                   0.500      2
    mrr@10                                     0.167      2
    ndcg@10                                    0.250      2

    NO EVIDENCE IN THE TOP 5                                     in 1st place
      b      none  how wide is the door                          c1

    LABELS 1 by id, 1 not retrieved   ERRORS 0

    NEXT  rankgate query b                    its results beside the expected text
                                                                 exit 1: gate failed
    --- stderr
    --- exit 1
    "#);
}

#[test]
fn a_run_of_some_questions_skips_rules_and_judges_promises() {
    let project = help_center();
    let run = |filter: &[&'static str]| {
        let args = ["run", "-c", HELP_CENTER, "--set", CHANGE].into_iter().chain(filter.iter().copied());
        let screen = screen(&project, args);
        let rules = screen.split_once("RULES").map_or("", |(_, rest)| rest);
        assert!(!rules.contains("hit_rate@3 >="), "{screen}");
        let head: Vec<&str> = screen.lines().take_while(|line| !line.starts_with("MEASURES")).collect();
        let end = screen.lines().last().unwrap_or_default();
        format!("{}\n{end}", head.join("\n").trim_end())
    };
    assert_snapshot!(run(&["--only", "q01,q25"]), @r#"
    rankgate 0.0.0  help-center  2 of 60 questions  tfidf  depth 10  0.00 s
    partial run (only=q01,q25): rules over the whole set are left out

    FAIL  the only rule failed
          1 question has no evidence in the top 3

    RULES                                        now      n
    FAIL   promises: critical in the top 3        1/2         q25
    --- exit 1
    "#);
    assert_snapshot!(run(&["--category", "account", "--category", "billing"]), @r#"
    rankgate 0.0.0  help-center  24 of 60 questions  tfidf  depth 10  0.00 s
    partial run (category=account,billing): rules over the whole set are left out

    PASS  the only rule passed
          1 question has no evidence in the top 3

    RULES                                        now      n
    ok     promises: critical in the top 3        2/2
    --- exit 0
    "#);
    assert_snapshot!(run(&["--tag", "refunds"]), @r#"
    rankgate 0.0.0  help-center  3 of 60 questions  tfidf  depth 10  0.00 s
    partial run (tag=refunds): rules over the whole set are left out

    PASS  the only rule passed
          1 question has no evidence in the top 3

    RULES                                        now      n
    ok     promises: critical in the top 3        1/1
    --- exit 0
    "#);
    assert_snapshot!(run(&["--where", "source=sme", "--where", "category=api"]), @r#"
    nothing was gated: rules over the whole set are left out, and no question makes
    a promise
    rankgate 0.0.0  help-center  2 of 60 questions  tfidf  depth 10  0.00 s
    partial run (source=sme category=api): rules over the whole set are left out

    DONE  nothing was gated
          1 question has no evidence in the top 3
    --- exit 0
    "#);
    assert_snapshot!(run(&["--limit", "2"]), @r#"
    rankgate 0.0.0  help-center  2 of 60 questions  tfidf  depth 10  0.00 s
    partial run (limit=2): rules over the whole set are left out

    PASS  the only rule passed
          1 question has no evidence in the top 3

    RULES                                        now      n
    ok     promises: critical in the top 3        1/1
    --- exit 0
    "#);
    project.run(["run", "-c", HELP_CENTER, "--set", CHANGE, "-o", "report.json"]);
    assert_snapshot!(run(&["--failed", "report.json"]), @r#"
    rankgate 0.0.0  help-center  12 of 60 questions  tfidf  depth 10  0.00 s
    partial run (failed in report.json): rules over the whole set are left out

    FAIL  all 2 rules failed
          11 questions have no evidence in the top 3; 5 of them are api
          1 question has something forbidden in the top 3

    RULES                                        now      n
    FAIL   promises: critical in the top 3        0/1         q25
    FAIL   promises: must_rank_within             1/2         q26
    --- exit 1
    "#);
}

#[test]
fn report_only_ends_with_0_and_says_why() {
    let project = small();
    let args = ["run", "--gate", "mrr@3 >= 0.99", "--report-only"];
    assert_snapshot!(screen(&project, args), @r#"
    rankgate 0.0.0  small  3 questions  run  depth 100  0.00 s

    FAIL  1 of 2 rules failed
          every question has evidence in the top 3

    RULES                                        now      n
    ok     hit_rate@3 >= 0.90                   1.000      3
    FAIL   mrr@3 >= 0.99                        0.611      3

    MEASURES                                    mean      n
    hit_rate@5                                 1.000      3
    recall@5                                   1.000      3
    mrr@10                                     0.611      3
    ndcg@10                                    0.710      3
    hit_rate@3                                 1.000      3  gated only
    mrr@3                                      0.611      3  gated only

    CATEGORY    n  hit_rate@5  recall@5  mrr@10  ndcg@10  hit_rate@3
    doors       2       1.000     1.000   0.750    0.815       1.000
    windows     1       1.000     1.000   0.333    0.500       1.000

    LABELS 3 by id, 0 not retrieved   ERRORS 0
                                                    exit 0: gate failed, report only
    --- stderr
    --- exit 0
    "#);
}

#[test]
fn a_rule_at_level_warn_fails_nothing() {
    let project = small();
    let rules = r#"gate.rules=["hit_rate@3 >= 0.5", { rule = "hit_rate@1 >= 0.9", level = "warn" }]"#;
    assert_snapshot!(screen(&project, ["run", "--set", rules]), @r#"
    rankgate 0.0.0  small  3 questions  run  depth 100  0.00 s

    PASS  the only rule passed
          2 questions have no evidence in the top 1

    RULES                                        now      n
    ok     hit_rate@3 >= 0.50                   1.000      3
    warn   hit_rate@1 >= 0.90                   0.333      3

    MEASURES                                    mean      n
    hit_rate@5                                 1.000      3
    recall@5                                   1.000      3
    mrr@10                                     0.611      3
    ndcg@10                                    0.710      3
    hit_rate@3                                 1.000      3  gated only
    hit_rate@1                                 0.333      3  gated only

    CATEGORY    n  hit_rate@5  recall@5  mrr@10  ndcg@10  hit_rate@3
    doors       2       1.000     1.000   0.750    0.815       1.000
    windows     1       1.000     1.000   0.333    0.500       1.000

    NO EVIDENCE IN THE TOP 1                                     in 1st place
      b     doors       2  how wide is the door                  c1
      c     windows     3  who cleans the windows                c1

    LABELS 3 by id, 0 not retrieved   ERRORS 0

    NEXT  its results beside the expected text, with the options of this run:
            rankgate query b
                                                                 exit 0: gate passed
    --- stderr
    --- exit 0
    "#);
}

#[test]
fn quarantined_questions_are_run_and_out_of_every_rule() {
    let set = r#"{"id":"a","query":"where is the key","expected":[{"chunk":"c1"}]}
{"id":"b","query":"how wide is the door","expected":[{"chunk":"c9"}],"critical":true,"quarantine":"label under review"}
{"id":"c","query":"who cleans the windows","expected":[{"chunk":"c8"}],"quarantine":"label under review"}
"#;
    let project = recorded(set, "a c1 c2\nb c1 c2 c3\nc c1\n", r#"["hit_rate@1 >= 0.90"]"#);
    assert_snapshot!(screen(&project, ["run", "--set", "gate.max_quarantined=2"]), @r#"
    rankgate 0.0.0  small  3 questions  run  depth 100  0.00 s

    PASS  all 2 rules passed
          every question has evidence in the top 1

    RULES                                        now      n
    ok     hit_rate@1 >= 0.90                   1.000      1
    ok     quarantined <= 2                         2

    MEASURES                                    mean      n
    hit_rate@5                                 1.000      1
    recall@5                                   1.000      1
    mrr@10                                     1.000      1
    ndcg@10                                    1.000      1
    hit_rate@1                                 1.000      1  gated only

    LABELS 1 by id, 2 not retrieved   ERRORS 0   QUARANTINED 2
                                                                 exit 0: gate passed
    --- stderr
    --- exit 0
    "#);
    assert_snapshot!(screen(&project, ["run", "--set", "gate.max_quarantined=1"]), @r#"
    rankgate 0.0.0  small  3 questions  run  depth 100  0.00 s

    FAIL  1 of 2 rules failed
          every question has evidence in the top 1

    RULES                                        now      n
    ok     hit_rate@1 >= 0.90                   1.000      1
    FAIL   quarantined <= 1                         2         b, c

    MEASURES                                    mean      n
    hit_rate@5                                 1.000      1
    recall@5                                   1.000      1
    mrr@10                                     1.000      1
    ndcg@10                                    1.000      1
    hit_rate@1                                 1.000      1  gated only

    LABELS 1 by id, 2 not retrieved   ERRORS 0   QUARANTINED 2
                                                                 exit 1: gate failed
    --- stderr
    --- exit 1
    "#);
}

#[test]
fn lists_that_all_end_early_leave_a_rule_unjudged() {
    let set = r#"{"id":"a","query":"where is the key","expected":[{"chunk":"c1"}]}
{"id":"b","query":"how wide is the door","expected":[{"chunk":"c2"}]}
"#;
    let rules = r#"["hit_rate@5 >= 0.90", "mrr@3 >= 0.50"]"#;
    let project = recorded(set, "a c1 c2 c3 c4\nb c1 c2 c3 c4\n", rules);
    assert_snapshot!(screen(&project, ["run"]), @r#"
    rankgate 0.0.0  small  2 questions  run  depth 100  0.00 s

    NO VERDICT  1 of 2 rules could not be judged
                every question has evidence in the top 3

    RULES                                        now      n
    ?      hit_rate@5 >= 0.90                   1.000      2
             every list ends before the cut-off; gate.allow_short = true judges it
             anyway
    ok     mrr@3 >= 0.50                        0.750      2

    MEASURES                                    mean      n
    hit_rate@5                                 1.000      2
    recall@5                                   1.000      2
    mrr@10                                     0.750      2
    ndcg@10                                    0.815      2
    mrr@3                                      0.750      2  gated only

    NOTE  never more than 4 hits: @5 equals @4. The retriever caps its answers; ask
          it for 100 to see further.
    LABELS 2 by id, 0 not retrieved   ERRORS 0
                                                                  exit 2: no verdict
    --- stderr
    --- exit 2
    "#);
    let judged = screen(&project, ["run", "--set", "gate.allow_short=true"]);
    assert!(judged.contains("\nok     hit_rate@5 >= 0.90"), "{judged}");
    assert!(judged.ends_with("--- exit 0"), "{judged}");
}
