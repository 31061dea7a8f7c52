//! The screen and the files.

use rankgate::compare::{ComparisonReport, Effect};

use super::{compared, qrels, states};
use crate::support::{project, screen};

#[test]
fn reports_are_compared_without_labels() {
    let project = states();
    insta::assert_snapshot!(screen(&project, ["compare", "a.json", "b.json"]), @r#"
    rankgate 0.0.0  compare

    A  a.json (report, 3 questions, depth 5)
    B  b.json (report, 3 questions, depth 5)

    A -> B  3 questions: 2 lost their evidence from the top 3, 0 found it

    MEASURE              before   now change  95 % interval win/tie/loss    p*  Holm
    mrr@3                 0.611 0.333 -0.278  [-.444, .000]        0/1/2  .500 1.000
    hit_rate@3            1.000 0.333 -0.667  [-1.00, .000]        0/1/2  .500 1.000

    CATEGORY  by mrr@3, exploratory
                              n   before     now   change  lost  found     p*     BH
    windows                   1    0.333   0.000   -0.333     1      0  1.000  1.000
    doors                     2    0.750   0.500   -0.250     1      0  1.000  1.000

    LOST MOST  rank before -> now; change of mrr@3
      id    category before -> now   change  question            in its place now
      b     doors         2 -> 4     -0.500  how wide is the do… c9
      c     windows       3 -> none  -0.333  who cleans the win… c9
        in all: 2 lost from the top 3 (1 gone from the list), 1 same

    UNJUDGED  of the top 3: A 66.7 % (6 of 9), B 88.9 % (8 of 9)
              if these 8 hits counted as relevant, the drop of mrr@3 vanishes: 1.000
              -> 1.000, change 0.000

    CHANGED
      retriever                   run-v2 order=by-score ties=id-descending queries=3
                                  answers=054b0c36df89aec0 -> run-v2 order=by-score
                                  ties=id-descending queries=3
                                  answers=3baeeb0dc11dcf30
      same                        golden set, depth

    *  p two-sided, exact sign-flip; Holm: corrected over 2 comparisons; BH: over
       the categories, Benjamini and Hochberg; intervals: BCa bootstrap (2000 draws,
       seed 42)
    --- stderr
    --- exit 0
    "#);
}

#[test]
fn files_hold_all_that_moved() {
    let project = states();
    let output = project
        .run(["compare", "a.json", "b.json", "-o", "c.json", "-o", "c.csv", "-o", "c.txt", "-o", "c.md"]);
    assert_eq!(output.status, 0, "{}", output.stderr);
    assert!(output.stdout.ends_with("wrote c.json c.csv c.txt c.md\n"), "{}", output.stdout);
    insta::assert_snapshot!(project.read("c.csv").trim_start_matches('\u{feff}'), @r#"
    before,now,id,category,critical,movement,rank_before,rank_now,needs_lost,loss,in_its_place,first_now,query
    A,B,b,doors,false,lost,2,4,0,0.5,c9,c1,"how wide is the door"
    A,B,c,windows,false,gone,3,,1,0.333333333,c9,c1,"who cleans the windows"
    "#);
    let report: ComparisonReport = serde_json::from_str(&project.read("c.json")).unwrap();
    assert_eq!((report.format_version, report.pairs[0].moved.len()), (1, 2));
    assert!(output.stdout.starts_with(&project.read("c.txt")));
    insta::assert_snapshot!(project.read("c.md"), @r#"
    <!-- rankgate: compare -->
    ### Compared: B with A

    - A: <code>a&#46;json</code> (report, 3 questions, depth 5)
    - B: <code>b&#46;json</code> (report, 3 questions, depth 5)

    **A &rarr; B**: 3 questions: 2 lost their evidence from the top 3, 0 found it

    | measure | before | now | change | 95 % interval | win/tie/loss | p, two-sided | p, Holm |
    |---|--:|--:|--:|---|--:|--:|--:|
    | <code>mrr&#64;3</code> | 0.611 | 0.333 | -0.278 | &#91;&#8203;&#45;&#46;444, &#46;000&#93; | 0/1/2 | .500 | 1.000 |
    | <code>hit&#95;rate&#64;3</code> | 1.000 | 0.333 | -0.667 | &#91;&#8203;&#45;1&#46;00, &#46;000&#93; | 0/1/2 | .500 | 1.000 |

    By category, mrr&#64;&#8203;3, exploratory:

    | category | n | before | now | lost | found | p, corrected |
    |---|--:|--:|--:|--:|--:|--:|
    | windows | 1 | 0.333 | 0.000 | 1 | 0 | 1.000 |
    | doors | 2 | 0.750 | 0.500 | 1 | 0 | 1.000 |

    **Changed**

    - retriever: run&#45;v2 order&#61;by&#45;score ties&#61;id&#45;descending queries&#61;3 answers&#61;054b0c36df89aec0 &rarr; run&#45;v2 order&#61;by&#45;score ties&#61;id&#45;descending queries&#61;3 answers&#61;3baeeb0dc11dcf30

    In all: 2 lost from the top 3 (1 gone from the list), 1 same.

    <details><summary>2 questions lost their evidence from the top 3</summary>

    | question | category | query | rank before | rank now | change of <code>mrr&#64;3</code> | in its place now |
    |---|---|---|--:|--:|--:|---|
    | <code>b</code> | doors | how wide is the door | 2 | 4 | -0.500 | <code>c9</code> |
    | <code>c</code> | windows | who cleans the windows | 3 | none | -0.333 | <code>c9</code> |

    </details>
    "#);
}

#[test]
fn a_drop_that_is_made_of_unjudged_hits_vanishes() {
    let project = project();
    let ids = ["q1", "q2", "q3"];
    // The new system puts something that nobody judged before the judged document.
    let run = |top: [&str; 3]| -> String {
        ids.iter().fold(String::new(), |lines, id| {
            top.iter()
                .enumerate()
                .fold(lines, |lines, (at, hit)| lines + &format!("{id} Q0 {hit} 1 {} x\n", 9 - at))
        })
    };
    project.write("q.qrels", qrels(&ids)).write("a.run", run(["yes", "new", "old"]));
    project.write("b.run", run(["new", "yes", "other"]));
    let args = ["a.run", "b.run", "--qrels", "q.qrels", "-m", "mrr@2"];
    let report = compared(&project, args);
    let unjudged = report.pairs[0].unjudged.as_ref().unwrap();
    assert_eq!((unjudged.before.hits, unjudged.before.unjudged, unjudged.documents), (6, 3, 3));
    let found = unjudged.if_relevant.as_ref().unwrap();
    assert_eq!((found.before, found.now, found.drop), (1.0, 1.0, Some(Effect::Vanishes)));

    let out = project.run(["compare", "--unjudged-out", "todo.tsv"].into_iter().chain(args));
    let said = out.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("the drop of mrr@2 vanishes: 1.000 -> 1.000"), "{said}");
    assert_eq!(
        project.read("todo.tsv"),
        "query-id\tcorpus-id\trank_a\trank_b\nq1\tnew\t2\t1\nq2\tnew\t2\t1\nq3\tnew\t2\t1\n"
    );
    // At three ranks there is more to judge, and a list that lacks it says nothing.
    let args = ["a.run", "b.run", "--qrels", "q.qrels", "-m", "mrr@3", "--unjudged-out", "todo.tsv"];
    assert_eq!(project.run(["compare"].iter().chain(&args)).status, 0);
    assert!(project.read("todo.tsv").contains("q1\told\t3\t\nq1\tother\t\t3\nq2\tnew\t2\t1\n"));
}

#[test]
fn two_tables_never_go_to_one_file() {
    let project = states();
    for path in ["-o=csv:one.csv", "-o=csv:./one.csv"] {
        let output = project.run(["compare", "a.json", "b.json", path, "--unjudged-out", "one.csv"]);
        crate::data::assert_refused(&output, &["one.csv", "written by `--output` already"]);
        assert!(!project.files().contains(&"one.csv".to_owned()));
    }
}
