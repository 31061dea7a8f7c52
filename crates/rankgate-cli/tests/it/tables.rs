//! Markdown and CSV of real runs.

use insta::assert_snapshot;
use rankgate_test::{Project, redact};

use crate::support::recorded;

/// Three questions and a baseline in which each had its evidence first.
fn fallen() -> Project {
    let project = recorded(
        r#"{"id":"a#1","query":"where is the key, @anna?","expected":[{"chunk":"c1"}],"category":"doors","critical":true}
{"id":"b","query":"=1+1 | how wide","expected":[{"chunk":"c2"}],"category":"doors"}
{"id":"c","query":"who cleans the windows","expected":[{"chunk":"c3"},{"chunk":"c4"}],"category":"windows"}
"#,
        "a#1 c1 c9 c5 c6\nb c2 c9 c5\nc c3 c4 c5 c6 c7\n",
        r#"["no regression on mrr@3", "hit_rate@3 >= 0.50"]"#,
    );
    let config = project.read("rankgate.toml");
    project.write(
        "rankgate.toml",
        format!(
            "{config}[measures]\nreport = [\"hit_rate@3\", \"mrr@3\"]\n[baseline]\npath = \"base.jsonl\"\n"
        ),
    );
    assert_eq!(project.run(["accept", "--by", "Ada"]).status, 0);
    let ranked = |question: &str, ids: &str| -> String {
        let lines = (1..).zip(ids.split(' ')).map(|(n, id)| format!("{question} Q0 {id} {n} {} x\n", 9 - n));
        lines.collect()
    };
    let lines =
        [ranked("a#1", "c9 c8 c5 c6"), ranked("b", "c9 c2 c5"), ranked("c", "c3 c4 c5 c6 c7")].concat();
    project.write("next.run", lines);
    project
}

fn written(project: &Project, output: &str) -> String {
    let run = project.run(["run", "--set", "retriever.path=next.run", "-o", output]);
    assert_eq!(run.status, 1, "{}{}", run.stdout, run.stderr);
    redact(&project.read(output), project)
}

#[test]
fn markdown_says_what_fell() {
    assert_snapshot!(written(&fallen(), "summary.md"), @r#"
    <!-- rankgate: small -->
    ### FAIL: 2 of 3 rules failed

    small &middot; 3 questions &middot; run &middot; depth 100 &middot; rankgate 0.0.0

    | rule | base | now | change | 95 % interval | p | status |
    |---|--:|--:|--:|---|--:|---|
    | <code>no regression on mrr&#64;3</code> | 1.000 | 0.500 | -0.500 | -1.000 to +0.000 |  | **FAIL**: 3 questions are too few for a test &#40;it takes 50&#41;&#58; 25&#46;0 &#37; of the needs are lost, and the budget is 10 &#37; |
    | <code>hit&#95;rate&#64;3 &#62;&#61; 0&#46;50</code> |  | 0.667 |  | 0.208 to 0.939 |  | ok |
    | <code>promises&#58; critical in the top 3</code> |  | 0/1 |  |  |  | **FAIL**: <code>a&#35;1</code> |

    **What lost most**, by mrr&#64;&#8203;3

    | category | n | base | now | lost | found |
    |---|--:|--:|--:|--:|--:|
    | doors | 2 | 1.000 | 0.250 | 1 | 0 |

    **Changed since the baseline**

    - retriever&#46;path: &#34;last&#46;run&#34; &rarr; &#34;next&#46;run&#34;

    <details><summary>1 question lost its evidence from the top 3, 1 more fell</summary>

    | question | category | query | rank before | rank now | in 1st place |
    |---|---|---|--:|--:|---|
    | <code>a&#35;1</code> critical | doors | where is the key, &#64;&#8203;anna&#63; | 1 | none | <code>c9</code> |
    | <code>b</code> | doors | &#61;1&#43;1 &#124; how wide | 1 | 2 | <code>c9</code> |

    </details>
    "#);
}

#[test]
fn csv_has_a_line_a_question() {
    let text = written(&fallen(), "questions.csv");
    assert!(text.starts_with('\u{feff}') && text.lines().count() == 4 && text.matches("\r\n").count() == 4);
    assert_snapshot!(text.replace("\r\n", "\n").trim_start_matches('\u{feff}'), @r#"
    id,category,query,status,movement,rank_before,rank_now,needs_met,needs,first_hit,error,hit_rate@3,mrr@3,"mrr@3 before"
    a#1,doors,"where is the key, @anna?",missed,gone,1,,0,1,c9,,0,0,1
    b,doors,"'=1+1 | how wide",found,fell,1,2,1,1,c9,,1,0.5,1
    c,windows,"who cleans the windows",found,same,1,1,2,2,c3,,1,1,1
    "#);
}

#[test]
fn markdown_of_a_run_without_a_baseline_lists_what_missed() {
    let project = recorded(
        "{\"id\":\"a\",\"query\":\"x\",\"expected\":[{\"chunk\":\"c1\"}]}\n{\"id\":\"b\",\"query\":\"y\",\"expected\":[{\"chunk\":\"c2\"}]}\n",
        "a c1\nb c1\n",
        "[]",
    );
    assert_eq!(project.run(["run", "-o", "md:out/summary", "-m", "hit_rate@1"]).status, 0);
    assert_snapshot!(redact(&project.read("out/summary"), &project), @r#"
    <!-- rankgate: small -->
    ### DONE: nothing was gated

    small &middot; 2 questions &middot; run &middot; depth 100 &middot; rankgate 0.0.0

    | measure | base | now | change | n |
    |---|--:|--:|--:|--:|
    | <code>hit&#95;rate&#64;1</code> |  | 0.500 |  | 2 |

    - Note: never more than 1 hits&#58; &#64;&#8203;2 equals &#64;&#8203;1&#46; The retriever caps its answers&#59; ask it for 100 to see further&#46;

    <details><summary>1 question missed</summary>

    | question | category | query | rank | in 1st place |
    |---|---|---|--:|---|
    | <code>b</code> |  | y | none | <code>c1</code> |

    </details>
    "#);
}
