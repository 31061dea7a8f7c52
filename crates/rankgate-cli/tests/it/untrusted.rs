//! What a terminal is given, whatever stands in the files: text that fits, and nothing that it obeys.

use rankgate_test::{Project, redact};

use crate::support::{fits, project, screen, shown, small};

/// Ids, queries, categories, tags and names that are long, wide, or meant for a terminal to obey.
fn hostile() -> Project {
    let long = "very-long-part-".repeat(12);
    let wide = "検索の回帰テスト".repeat(20);
    let evil = r"\u001b[2J\u001b]0;owned\u0007\u202egnp.exe";
    let set = format!(
        r#"{{"id":"{long}","query":"{wide}","expected":[{{"chunk":"{long}0"}}],"category":"{long}","critical":true}}
{{"id":"漢字{wide}","query":"{long}","expected":[{{"chunk":"{wide}"}}],"category":"{wide}","must_rank_within":2}}
{{"id":"{evil}","query":"{evil} {evil}","expected":[{{"chunk":"{evil}"}},{{"chunk":"{evil}{long}"}}],"category":"{evil}","params":{{"{evil}":"{wide}"}}}}
{{"id":"forbidden","query":"{wide}","expected":[{{"chunk":"x0"}}],"forbidden":[{{"chunk":"{wide}"}}],"quarantine":"{evil}"}}
{{"id":"forbidden-{long}","query":"{wide}","expected":[{{"chunk":"x0"}}],"forbidden":[{{"chunk":"{wide}"}}]}}
"#
    );
    let mut corpus = format!(
        r#"{{"id":"{wide}","text":"{wide}{wide}","doc":"{long}"}}
{{"id":"{long}0","text":"{long} {evil}","doc":"{long}"}}
{{"id":"{evil}","text":"{evil}","doc":"{evil}"}}
{{"id":"{evil}{long}","text":"{evil}","doc":"{evil}"}}
"#
    );
    for index in 0..12 {
        corpus += &format!("{{\"id\":\"x{index}\",\"text\":\"some text {wide} {evil}\"}}\n");
    }
    let project = project();
    project.write("set.jsonl", set).write("corpus.jsonl", corpus).write(
        "rankgate.toml",
        format!(
            "name = \"{evil}{wide}\"\n[golden]\npath = \"set.jsonl\"\n[corpus]\npath = \"corpus.jsonl\"\n\
             [retriever]\nkind = \"bm25\"\n[gate]\nmax_quarantined = 0\nrules = [\"each(category) hit_rate@1 >= 1\", \
             \"recall@5 where category = '{long}' >= 0.9\", \"ndcg(gain=linear)@10 where category = '{wide}' >= 0.9\"]\n"
        ),
    );
    project
}

#[test]
fn nothing_long_wide_or_evil_breaks_the_screen() {
    let project = hostile();
    let long = "very-long-part-".repeat(12);
    let evil = "\u{1b}[2J\u{1b}]0;owned\u{7}\u{202e}gnp.exe";
    let report = format!("{}/report.json", "folder".repeat(20));
    assert!(screen(&project, ["run", "-o", &report, "-o", "short.xml"]).ends_with("--- exit 1"));
    screen(&project, ["run", "--category", &long, "--only", &long]);
    screen(&project, ["check"]);
    screen(&project, ["query", evil]);
    screen(&project, ["query", &long]);
    screen(&project, ["query", &format!("forbidden-{long}")]);
    screen(&project, ["query", "--text", &format!("{evil} {}", "検索の回帰テスト".repeat(20))]);
    // What is refused is repeated, and must not be obeyed either.
    screen(&project, ["query", &format!("{evil}x")]);
    screen(&project, ["run", "--category", evil, "--only", &format!("{evil}x")]);
    screen(&project, ["run", "--gate", &format!("{evil} >= 1")]);
    screen(&project, ["run", "-o", &format!("{evil}.json/x.json"), "-o", &format!("a:{evil}")]);
    screen(&project, ["metrics", evil]);
    for end in ["txt", "xml", "json"] {
        let path = format!("out.{end}");
        project.run(["run", "-o", &path]);
        let text = project.read(&path);
        assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "{end}");
    }
}

#[test]
fn colour_is_emphasis_only() {
    let project = small();
    let args = ["run", "--gate", "hit_rate@1 >= 1", "--color"];
    let with = |when: &'static str| project.run(args.into_iter().chain([when]));
    let (always, never, auto) = (with("always"), with("never"), with("auto"));
    assert!(always.stdout.contains("\u{1b}[1m\u{1b}[31mFAIL"), "{:?}", always.stdout);
    fits(&never);
    fits(&auto);
    // A pipe is no terminal.
    assert_eq!(shown(&project, &never), shown(&project, &auto));
    let mut plain = shown(&project, &always);
    while let Some(start) = plain.find('\u{1b}') {
        let end = start + plain[start..].find('m').unwrap();
        plain.replace_range(start..=end, "");
    }
    assert_eq!(plain, shown(&project, &never));
}

#[test]
fn no_colour_where_the_user_wants_none() {
    let mut project = small();
    project.env("NO_COLOR", "1");
    fits(&project.run(["run"]));
}

#[test]
fn quiet_leaves_out_what_is_not_a_result() {
    let project = small();
    project.write("corpus.jsonl", "{\"id\":\"c1\",\"text\":\"t\"}\n");
    let args = ["run", "--set", "corpus.path=corpus.jsonl", "--set", "golden.unknown_evidence=warn"];
    let (loud, quiet) = (project.run(args), project.run(args.into_iter().chain(["--quiet"])));
    assert!(loud.stderr.starts_with("warning: questions.jsonl:2 (b) `expected`: "), "{}", loud.stderr);
    assert_eq!(quiet.stderr, "");
    assert_eq!(redact(&quiet.stdout, &project), redact(&loud.stdout, &project));
}
