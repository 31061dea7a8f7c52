//! What `run` and `demo` show, in 80 columns.

use insta::assert_snapshot;

use crate::support::{CHANGE, HELP_CENTER, help_center, recorded, screen, small};

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

    NOTE  no list is longer than 5: cut-offs beyond that see nothing more.
    LABELS 3 by id, 0 not retrieved   ERRORS 0

    GATE  rules that fit this run, to be pasted into rankgate.toml:

    [baseline]
    path = "baseline.jsonl"          # `rankgate accept` writes it
    golden_changed = "rescore"

    [gate]
    rules = [
        "hit_rate@5 >= 0.43",                 # the low end of its 95 % interval
        "no regression on mrr@10",            # worse than accepted, beyond noise
    ]
    # 3 questions: too few for a test, so that `no regression` is a budget of 10 %.
    # From 50 questions on it is a test.

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
          1 question has evidence below its promised rank

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

    EVIDENCE BELOW ITS PROMISED RANK                             in 1st place
      b      none  how wide is the door                          c1

    NOTE  no list is longer than 3: cut-offs beyond that see nothing more.
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
        let ends = ["CATEGORY", "LOST", "FELL", "CHANGED", "MEASURES"];
        let is_head = |line: &&str| !ends.iter().any(|end| line.starts_with(end));
        let head: Vec<&str> = screen.lines().take_while(is_head).collect();
        let end = screen.lines().last().unwrap_or_default();
        format!("{}\n{end}", head.join("\n").trim_end())
    };
    assert_snapshot!(run(&["--only", "q01,q25"]), @r#"
    rankgate 0.0.0  help-center  2 of 60 questions  tfidf  depth 10  0.00 s
    partial run (only=q01,q25): rules over the whole set are left out

    FAIL  the only promise failed
          1 question lost its evidence from the top 3: q25 (api)

    RULES                                 base    now  change  95 % interval
    FAIL   promises: critical in the top 3        1/2          q25
    --- exit 1
    "#);
    assert_snapshot!(run(&["--category", "account", "--category", "billing"]), @r#"
    rankgate 0.0.0  help-center  24 of 60 questions  tfidf  depth 10  0.00 s
    partial run (category=account,billing): rules over the whole set are left out

    PASS  the only promise passed
          no question lost its evidence from the top 3; 4 fell, 1 found
          1 question has no evidence in the top 3, as before

    RULES                                 base    now  change  95 % interval
    ok     promises: critical in the top 3        2/2
    --- exit 0
    "#);
    assert_snapshot!(run(&["--tag", "refunds"]), @r#"
    rankgate 0.0.0  help-center  3 of 60 questions  tfidf  depth 10  0.00 s
    partial run (tag=refunds): rules over the whole set are left out

    PASS  the only promise passed
          no question lost its evidence from the top 3; 1 fell, 1 found
          1 question has no evidence in the top 3, as before

    RULES                                 base    now  change  95 % interval
    ok     promises: critical in the top 3        1/1
    --- exit 0
    "#);
    assert_snapshot!(run(&["--where", "source=sme", "--where", "category=api"]), @r#"
    nothing was gated: rules over the whole set are left out, and no question makes
    a promise
    rankgate 0.0.0  help-center  2 of 60 questions  tfidf  depth 10  0.00 s
    partial run (source=sme category=api): rules over the whole set are left out

    DONE  nothing was gated
          1 question lost its evidence from the top 3: q27 (api)
    --- exit 0
    "#);
    assert_snapshot!(run(&["--limit", "2"]), @r#"
    rankgate 0.0.0  help-center  2 of 60 questions  tfidf  depth 10  0.00 s
    partial run (limit=2): rules over the whole set are left out

    PASS  the only promise passed
          no question lost its evidence from the top 3; 1 fell, 1 found
          1 question has no evidence in the top 3, as before

    RULES                                 base    now  change  95 % interval
    ok     promises: critical in the top 3        1/1
    --- exit 0
    "#);
    project.run(["run", "-c", HELP_CENTER, "--set", CHANGE, "-o", "report.json"]);
    assert_snapshot!(run(&["--failed", "report.json"]), @r#"
    rankgate 0.0.0  help-center  13 of 60 questions  tfidf  depth 10  0.00 s
    partial run (failed in report.json): rules over the whole set are left out

    FAIL  all 2 promises failed
          9 questions lost their evidence from the top 3; 5 of them are api
          2 more had none there before and have none now
          1 question has something forbidden in the top 3
          1 question has evidence below its promised rank

    RULES                                 base    now  change  95 % interval
    FAIL   promises: critical in the top 3        0/1          q25
    FAIL   promises: must_rank_within             1/2          q26
    --- exit 1
    "#);
}

#[test]
fn every_slice_below_a_floor_is_named() {
    let shown = screen(&small(), ["run", "--gate", "each(category) hit_rate@1 >= 0.99"]);
    assert!(shown.contains("windows (n 1); also: doors"), "{shown}");
}

#[test]
fn report_only_ends_with_0_and_says_why() {
    let project = small();
    let args = ["run", "--gate", "mrr@3 >= 0.99", "--report-only"];
    assert_snapshot!(screen(&project, args), @r#"
    rankgate 0.0.0  small  3 questions  run  depth 100  0.00 s

    FAIL  1 of 2 rules failed
          every question has evidence in the top 3

    RULES                                        now      n  95 % interval
    ok     hit_rate@3 >= 0.90                   1.000      3  [.439, 1.00]
    FAIL   mrr@3 >= 0.99                        0.611      3  [.389, 1.00]
             also: c, b

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

    NOTE  no list is longer than 5: cut-offs beyond that see nothing more.
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

    PASS  the only rule passed, 1 warning
          2 questions have no evidence in the top 1

    RULES                                        now      n  95 % interval
    ok     hit_rate@3 >= 0.50                   1.000      3  [.439, 1.00]
    warn   hit_rate@1 >= 0.90                   0.333      3  [.061, .792]

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

    NOTE  no list is longer than 5: cut-offs beyond that see nothing more.
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

    RULES                                        now      n  95 % interval
    ok     hit_rate@1 >= 0.90                   1.000      1  [.207, 1.00]
    ok     quarantined <= 2                         2         b, c

    MEASURES                                    mean      n
    hit_rate@5                                 1.000      1
    recall@5                                   1.000      1
    mrr@10                                     1.000      1
    ndcg@10                                    1.000      1
    hit_rate@1                                 1.000      1  gated only

    QUARANTINED
      b     missed    label under review
      c     missed    label under review

    NOTE  no list is longer than 3: cut-offs beyond that see nothing more.
    LABELS 1 by id, 2 not retrieved   ERRORS 0
                                                                 exit 0: gate passed
    --- stderr
    --- exit 0
    "#);
    assert_snapshot!(screen(&project, ["run", "--set", "gate.max_quarantined=1"]), @r#"
    rankgate 0.0.0  small  3 questions  run  depth 100  0.00 s

    FAIL  1 of 2 rules failed
          every question has evidence in the top 1

    RULES                                        now      n  95 % interval
    ok     hit_rate@1 >= 0.90                   1.000      1  [.207, 1.00]
    FAIL   quarantined <= 1                         2         b, c

    MEASURES                                    mean      n
    hit_rate@5                                 1.000      1
    recall@5                                   1.000      1
    mrr@10                                     1.000      1
    ndcg@10                                    1.000      1
    hit_rate@1                                 1.000      1  gated only

    QUARANTINED
      b     missed    label under review
      c     missed    label under review

    NOTE  no list is longer than 3: cut-offs beyond that see nothing more.
    LABELS 1 by id, 2 not retrieved   ERRORS 0
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

    RULES                                        now      n  95 % interval
    ?      hit_rate@5 >= 0.90                   1.000      2  [.342, 1.00]
             every list ends before the cut-off; gate.allow_short = true judges it
             anyway
    ok     mrr@3 >= 0.50                        0.750      2  [.500, 1.00]

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
