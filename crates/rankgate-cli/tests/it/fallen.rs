//! What a run against a baseline shows: which questions fell, in which category, and what may be done.

use std::fmt::Write as _;

use insta::assert_snapshot;
use rankgate_test::Project;

use crate::support::{HELP_CENTER, help_center, project, screen};

/// Sixty questions of three categories that find their evidence in the first place, and a run in which some do not:
/// each of `fallen` is a question and the new place, 0 for none.
fn sixty(fallen: &[(usize, usize)]) -> Project {
    let project = project();
    let (mut questions, mut before, mut now) = (String::new(), String::new(), String::new());
    for n in 0..60 {
        let category = ["billing", "doors", "windows"][n / 20];
        let critical = if n == 3 { ",\"critical\":true" } else { "" };
        writeln!(
            questions,
            "{{\"id\":\"q{n:02}\",\"query\":\"what is {n}\",\"expected\":[{{\"chunk\":\"c{n}\"}}],\
             \"category\":\"{category}\"{critical}}}"
        )
        .unwrap();
        let place = fallen.iter().find(|(fallen, _)| *fallen == n).map_or(1, |(_, place)| *place);
        for (run, place) in [(&mut before, 1), (&mut now, place)] {
            for rank in 1..=12 {
                let id = if rank == place { format!("c{n}") } else { format!("other-{rank}") };
                writeln!(run, "q{n:02} Q0 {id} {rank} {} x", 100 - rank).unwrap();
            }
        }
    }
    let config = "name = \"sixty\"\n[golden]\npath = \"questions.jsonl\"\n[retriever]\nkind = \"run\"\npath = \
                  \"before.run\"\n[baseline]\npath = \"baseline.jsonl\"\n[measures]\nreport = [\"hit_rate@5\", \
                  \"mrr@10\"]\n[gate]\nrules = [\"hit_rate@5 >= 0.90\", \"no regression on mrr@10\", \
                  \"each(category) mrr@10 >= 0.80\", \"each(category) mrr@10 drop significant\", \"mrr@10 drop <= \
                  0.05\", \"lost@5 <= 3\"]\n";
    project.write("rankgate.toml", config).write("questions.jsonl", questions);
    project.write("before.run", before).write("now.run", now);
    let output = project.run(["accept", "--by", "a test", "--reason", "first"]);
    assert_eq!(output.status, 0, "{}{}", output.stdout, output.stderr);
    project
}

const NOW: [&str; 3] = ["run", "--set", "retriever.path=now.run"];

#[test]
fn the_screen_names_what_fell_and_where() {
    let fallen: Vec<(usize, usize)> =
        (0..9).map(|n| (n, 0)).chain([(20, 7), (25, 8), (41, 9), (30, 2), (31, 3)]).collect();
    let project = sixty(&fallen);
    let args = NOW.into_iter().chain(["-o", "report.json", "-o", "junit.xml"]);
    assert_snapshot!(screen(&project, args));
    let junit = project.read("junit.xml");
    let start = junit.find("no regression on").unwrap_or_default();
    let message: String = junit[start..].lines().nth(1).unwrap_or_default().trim().to_owned();
    assert_snapshot!(message);
    assert!(junit.contains("lost its evidence since the baseline: rank 1 -&gt; none"), "{junit}");
    assert!(junit.contains("lost its evidence since the baseline: rank 1 -&gt; 7"), "{junit}");
}

#[test]
fn where_nothing_is_lost_the_screen_is_calm_or_names_what_fell() {
    let project = sixty(&[]);
    assert_snapshot!(screen(&project, NOW));
    let project = sixty(&(0..14).map(|n| (n, 4)).collect::<Vec<_>>());
    let screen = screen(&project, NOW);
    let head: Vec<&str> = screen.lines().take_while(|line| !line.starts_with("CHANGED")).collect();
    assert_snapshot!(head.join("\n"));
}

#[test]
fn a_loss_within_noise_passes_and_is_shown() {
    let project = sixty(&[(3, 2), (20, 7)]);
    let screen = screen(&project, NOW);
    let head: Vec<&str> = screen.lines().take_while(|line| !line.starts_with("MEASURES")).collect();
    assert_snapshot!(head.join("\n"));
}

#[test]
fn whatever_the_questions_hold_the_screen_fits() {
    let project = project();
    let long = "x".repeat(90);
    let ids = [long.as_str(), "漢字漢字漢字漢字漢字", "red\\u001b[31m", "\\u202eevil", "plain"];
    let (mut questions, mut before, mut now) = (String::new(), String::new(), String::new());
    let line = |run: &mut String, id: &str, hits: [&str; 2]| {
        writeln!(run, "{{\"id\":\"{id}\",\"retrieved\":[\"{}\",\"{}\"]}}", hits[0], hits[1]).unwrap();
    };
    for (n, id) in ids.iter().enumerate() {
        writeln!(
            questions,
            "{{\"id\":\"{id}\",\"query\":\"{id} {long} 漢字漢字\",\"expected\":[{{\"chunk\":\"c{n}\"}}],\
             \"category\":\"{id}{n}\",\"critical\":true}}"
        )
        .unwrap();
        line(&mut before, id, [&format!("c{n}"), "other"]);
        line(&mut now, id, [id, &format!("c{}", (n + 1) % 5)]);
    }
    let name = "\\u001b[2J漢字漢字 ".repeat(8);
    let config = format!(
        "name = \"{name}\"\n[golden]\npath = \"questions.jsonl\"\n[retriever]\nkind = \"run\"\npath = \
         \"before.jsonl\"\n[baseline]\npath = \"baseline.jsonl\"\n[measures]\nreport = \
         [\"ndcg(gain=linear, rel=1)@10\"]\n[gate]\nallow_short = true\nmin_slice = 1\nrules = [\"no regression on \
         ndcg(gain=linear)@10\", \"each(category) ndcg(gain=linear)@10 drop <= 0.05\", \"lost@1 <= 0\"]\n"
    );
    project.write("rankgate.toml", config.replace(", rel=1", "")).write("questions.jsonl", questions);
    project.write("before.jsonl", before).write("now.jsonl", now);
    let reason = format!("{long} 漢字\u{1b}[31m");
    let accepted = screen(&project, ["accept", "--by", "x", "--reason", &reason]);
    assert!(accepted.ends_with("--- exit 0"), "{accepted}");
    let failed = screen(&project, ["run", "--set", "retriever.path=now.jsonl", "-o", "r.json"]);
    assert!(failed.contains("LOST FROM THE TOP"), "{failed}");
    assert!(failed.contains("<- worst"), "{failed}");
}

#[test]
fn suggested_rules_are_a_configuration_that_the_run_keeps() {
    let rules = "gate.rules=[]";
    for (project, config, baseline) in
        [(sixty(&[]), "rankgate.toml", false), (help_center(), HELP_CENTER, true)]
    {
        let shown = screen(&project, ["run", "-c", config, "--set", rules]);
        let (_, block) = shown.split_once("rankgate.toml:\n\n").unwrap_or_default();
        let block = block.split("\n\nNEXT").next().unwrap_or_default();
        let block: String = block
            .lines()
            .take_while(|line| !line.trim_start().starts_with("exit 0"))
            .map(|line| format!("{line}\n"))
            .collect();
        let table: toml::Table = block.parse().unwrap();
        let suggested = table["gate"]["rules"].as_array().unwrap();
        assert!(suggested.len() >= 3, "{block}");

        let old = project.read(config);
        let (before, _) = old.split_once("[gate]").unwrap();
        project.write(config, format!("{before}{block}"));
        if !baseline {
            project.run(["accept", "-c", config, "--reason", "again"]);
        }
        let output = project.run(["run", "-c", config]);
        assert_eq!(output.status, 0, "{block}\n{}{}", output.stdout, output.stderr);
        assert!(output.stdout.contains("no regression on mrr@"), "{}", output.stdout);
    }
}

#[test]
fn what_is_accepted_is_said_in_a_few_lines() {
    let project = sixty(&[(0, 0), (1, 0), (20, 7)]);
    let args = ["accept", "--by", "a test", "--reason", "meant so", "--set", "retriever.path=now.run"];
    assert_snapshot!(screen(&project, args));
    let project = sixty(&[]);
    let again = ["accept", "--by", "a test", "--reason", "no rules", "--set", "gate.rules=[]"];
    assert_snapshot!(screen(&project, again));
}

#[test]
fn a_floor_that_fails_shows_why_it_was_not_accepted() {
    let project = sixty(&(0..30).map(|n| (n, 0)).collect::<Vec<_>>());
    let args = ["accept", "--by", "a test", "--reason", "x", "--set", "retriever.path=now.run"];
    let shown = screen(&project, args);
    assert!(shown.contains("LOST FROM THE TOP 5"), "{shown}");
    assert!(shown.contains("error: the gate failed"), "{shown}");
}

/// The baseline of the example is what the example answers.
#[test]
fn the_example_has_the_baseline_of_today() {
    let project = help_center();
    let path = "examples/help-center/baseline.jsonl";
    let answers = |text: String| text.split_once('\n').map(|(_, lines)| lines.to_owned()).unwrap();
    let before = answers(project.read(path));
    project.run(["accept", "-c", HELP_CENTER, "--reason", "today"]);
    assert_eq!(answers(project.read(path)), before);
}
