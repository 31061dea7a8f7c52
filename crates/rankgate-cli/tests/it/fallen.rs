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
fn a_question_without_evidence_is_named_with_what_is_known_of_it() {
    let project = sixty(&[(3, 2)]);
    let new = "{\"id\":\"q60\",\"query\":\"what is new\",\"expected\":[{\"chunk\":\"c60\"}]}\n";
    let relabelled = project.read("questions.jsonl").replace("\"c7\"", "\"c70\"");
    project.write("questions.jsonl", format!("{relabelled}{new}"));
    let floor = "gate.rules=[\"hit_rate@5 >= 0.999\", \"no regression on mrr@10\"]";
    let shown = |how: &str| {
        let how = format!("baseline.golden_changed={how}");
        screen(&project, NOW.into_iter().chain(["--set", how.as_str(), "--set", floor]))
    };
    let common = shown("common");
    assert!(
        common.contains("2 questions have no evidence in the top 5: 1 is new, 1 not compared"),
        "{common}"
    );
    assert!(common.contains("NO EVIDENCE IN THE TOP 5"), "{common}");
    assert!(common.contains("  q07   billing  none  not compared  what is 7"), "{common}");
    assert!(common.contains("  q60            none  new question  what is new"), "{common}");
    // Nothing was lost, so that there is nothing to accept.
    assert!(!common.contains("rankgate accept"), "{common}");
    let rescored = shown("rescore");
    assert!(
        rescored.contains("2 questions have no evidence in the top 5: 1 is new, 1 as before"),
        "{rescored}"
    );
}

#[test]
fn accepting_a_loss_leaves_the_floors() {
    let project = sixty(&(0..9).map(|n| (n, 0)).collect::<Vec<_>>());
    let remain = "floors and promises remain, and still fail once it is accepted: hit_rate@5";
    let failed = screen(&project, NOW);
    assert!(failed.contains("rankgate accept --force") && failed.contains(remain), "{failed}");
    let args = ["accept", "--by", "x", "--force", "--reason", "x", "--set", "retriever.path=now.run"];
    let accepted = screen(&project, args);
    assert!(accepted.contains(remain), "{accepted}");
}

#[test]
fn a_budget_has_no_p() {
    let project = sixty(&(0..9).map(|n| (n, 0)).collect::<Vec<_>>());
    let budget = "no regression on mrr@10 (max_loss = 0.05)";
    let with = |rules: &str| {
        let rules = format!("gate.rules=[{rules}]");
        screen(&project, NOW.into_iter().chain(["--set", rules.as_str()]))
    };
    let alone = with(&format!("\"{budget}\""));
    assert!(alone.contains("too few for a test") && !alone.contains("p*"), "{alone}");
    let beside = with(&format!("\"{budget}\", \"mrr@10 drop significant\""));
    let row = beside.lines().find(|line| line.contains("no regression")).unwrap_or_default();
    assert!(
        row.ends_with("  -") && beside.contains("p*  one-sided: exact sign-flip on the measure"),
        "{beside}"
    );
}

#[test]
fn hashed_ids_are_shown_whole() {
    let project = sixty(&[(0, 0)]);
    let shown = screen(&project, NOW.into_iter().chain(["--set", "privacy.ids=hash"]));
    let row = shown.lines().skip_while(|line| !line.starts_with("LOST FROM")).nth(1).unwrap_or_default();
    let id = row.split_whitespace().next().unwrap_or_default();
    assert!(id.len() == 14 && id.starts_with("h:") && id.is_ascii(), "{shown}");
}

#[test]
fn more_rules_are_items_for_the_array_that_is_there() {
    let project = sixty(&[]);
    let old = project.read("rankgate.toml");
    let (before, _) = old.split_once("[gate]").unwrap();
    let first = "\"hit_rate@5 >= 0.50\",";
    project.write("rankgate.toml", format!("{before}[gate]\nrules = [{first}]\n"));
    let shown = screen(&project, ["accept", "--by", "a test", "--reason", "again"]);
    let (_, items) = shown.split_once("add to `rules` under [gate]:\n\n").unwrap();
    let (items, _) = items.split_once("\n\n").unwrap();
    assert!(!items.contains("hit_rate@5 >=") && !items.contains("[gate]"), "{items}");
    project.write("rankgate.toml", format!("{before}[gate]\nrules = [{first}\n{items}\n]\n"));
    let output = project.run(["run"]);
    assert_eq!(output.status, 0, "{items}\n{}{}", output.stdout, output.stderr);
    assert!(output.stdout.contains("no regression on mrr@"), "{}", output.stdout);
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
