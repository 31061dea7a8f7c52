//! Noise: a retriever that answers otherwise each time, falls that do not repeat, and rules that hang on tied scores.

use std::collections::BTreeMap;
use std::sync::Mutex;

use insta::assert_snapshot;
use rankgate::baseline::{Accepted, accept};
use rankgate::config::{Inputs, resolve};
use rankgate::gate::Outcome;
use rankgate::line::{self, Suite};
use rankgate::noise::{Again, Repeat, Spread};
use rankgate::report::{Format as _, Report, Style, Terminal};
use rankgate::retriever::{Hit, Question, RetrieveError, Retriever, RetrieverInfo};
use rankgate::select::Filter;
use rankgate_test::{Project, redact, shared};
use serde_json::Value;

use crate::data;
use crate::support::{HELP_CENTER, help_center, project, recorded, screen, small};

/// A retriever that has an answer for each asking: `id:score` words, or `!` to fail. The last one stays.
struct Changing {
    answers: BTreeMap<&'static str, Vec<&'static str>>,
    asked: Mutex<Vec<String>>,
}

impl Changing {
    fn new<const N: usize>(answers: [(&'static str, &[&'static str]); N]) -> Self {
        let answers = answers.into_iter().map(|(id, lists)| (id, lists.to_vec())).collect();
        Self { answers, asked: Mutex::default() }
    }
}

impl Retriever for Changing {
    fn info(&self) -> RetrieverInfo {
        RetrieverInfo { kind: "changing", fingerprint: "changing".to_owned(), ..RetrieverInfo::default() }
    }

    fn retrieve(&self, question: &Question<'_>) -> Result<Vec<Hit>, RetrieveError> {
        let mut asked = self.asked.lock().unwrap();
        let before = asked.iter().filter(|id| *id == question.id).count();
        asked.push(question.id.to_owned());
        let answers = &self.answers[question.id];
        let answer = answers.get(before).or(answers.last()).unwrap();
        if *answer == "!" {
            return Err(RetrieveError::Failed("busy".to_owned()));
        }
        let hits = answer.split_whitespace().map(|hit| match hit.split_once(':') {
            Some((id, score)) => Hit::scored(id, score.parse().unwrap()),
            None => Hit { id: hit.into(), ..Hit::default() },
        });
        Ok(hits.take(question.depth).collect())
    }
}

fn suite(project: &Project) -> Suite {
    let root = project.root().to_owned();
    let inputs = Inputs { config: Some(root.join("rankgate.toml")), cwd: root, ..Inputs::default() };
    Suite::read(resolve(&inputs).unwrap()).unwrap()
}

fn run(project: &Project, retriever: &dyn Retriever, repeat: Option<Repeat>) -> Report {
    let suite = suite(project);
    let everything = Filter::default().select(&suite.golden).unwrap();
    line::run_repeated(&suite, &everything, retriever, false, repeat).unwrap()
}

/// The section of the screen.
fn section(report: &Report, project: &Project) -> String {
    let screen = Terminal { style: Style::Plain, wrote: Vec::new(), next: None }.render(report);
    let screen = redact(&screen, project);
    let start = screen.find("NOISE").unwrap_or(screen.len());
    screen[start..].split("\n\n").next().unwrap_or_default().to_owned()
}

const WANT_A: &str = "{\"id\":\"ID\",\"query\":\"which\",\"expected\":[{\"chunk\":\"a\"}]}\n";

/// Questions that all want `a`, and a rule over the first place.
fn want_a(ids: &[&str], more: &str) -> Project {
    let golden: String = ids.iter().map(|id| WANT_A.replace("ID", id)).collect();
    let project = recorded(&golden, "", "[\"hit_rate@1 >= 0.5\"]");
    let config = project.read("rankgate.toml");
    project.write("rankgate.toml", format!("{config}{more}"));
    project
}

#[test]
fn rounds_are_held_against_the_first() {
    let project = want_a(&["still", "flips", "sinks", "ties", "fails"], "max_errors = 9\n");
    let retriever = Changing::new([
        ("still", &["a:3 b:2"]),
        ("flips", &["a:3 b:2", "b:3 a:2", "a:3 b:2"]),
        ("sinks", &["b:9 c:8 a:3", "b:9 c:8 d:7 a:3", "b:9 c:8 d:7 e:6 a:3"]),
        ("ties", &["a:3 b:2 c:2", "a:3 c:2 b:2"]),
        ("fails", &["a:1", "!", "a:1"]),
    ]);
    let report = run(&project, &retriever, Some(Repeat::All(3)));
    let round = ["still", "flips", "sinks", "ties", "fails"];
    assert_eq!(*retriever.asked.lock().unwrap(), [round, round, round].concat(), "round by round");

    let noise = report.noise.as_ref().unwrap();
    assert_eq!((noise.again, noise.askings, noise.questions, noise.cutoff), (Again::All, 3, 5, 1));
    assert_eq!((noise.flipped, noise.rank_changes), (1, 2));
    assert_eq!((noise.order_changes, noise.tie_orders, noise.errors), (3, 1, 1));
    // Over the four that were answered every time.
    let hits = noise.measures.iter().find(|spread| spread.measure == "hit_rate@1");
    assert_eq!(hits, Some(&Spread { measure: "hit_rate@1".to_owned(), low: 0.5, high: 0.75 }));
    let unstable: Vec<_> = noise.unstable.iter().map(|unstable| unstable.id.as_str()).collect();
    assert_eq!(unstable, ["flips", "sinks", "fails"]);
    assert_snapshot!(section(&report, &project), @r#"
    NOISE  5 questions asked 3 times
           1 hit in the top 1 comes and goes, 2 best ranks differ, 3 lists differ (1
           only in the order of equal scores), 1 asking failed
           hit_rate@5 1.000; mrr@10 0.688 to 0.833; ndcg@10 0.765 to 0.875;
           hit_rate@1 0.500 to 0.750
           flips  rank 1, 2, 1: comes and goes
           sinks  rank 3, 4, 5
           fails  rank 1, -, 1; failed in 1 of 3
    "#);

    // Nothing else is different: the first asking counts.
    let once = run(
        &project,
        &Changing::new([
            ("still", &["a:3 b:2"]),
            ("flips", &["a:3 b:2"]),
            ("sinks", &["b:9 c:8 a:3"]),
            ("ties", &["a:3 b:2 c:2"]),
            ("fails", &["a:1"]),
        ]),
        None,
    );
    assert_eq!((&report.verdict, &report.measures), (&once.verdict, &once.measures));
    assert_eq!(once.noise, None);
}

#[test]
fn falls_that_do_not_repeat() {
    let project = want_a(&["lost", "shaky", "kept", "never"], "[baseline]\npath = \"baseline.jsonl\"\n");
    let good =
        Changing::new([("lost", &["a b"]), ("shaky", &["a b"]), ("kept", &["a b"]), ("never", &["b c"])]);
    let before = run(&project, &good, None);
    let accepted = Accepted { by: None, commit: None, reason: None };
    let baseline = accept::baseline(&before, &suite(&project).golden, accepted);
    project.write("baseline.jsonl", baseline.render());

    let bad = Changing::new([
        ("lost", &["b c"]),
        ("shaky", &["b a", "a b", "a b", "b a"]),
        ("kept", &["a b"]),
        ("never", &["b c"]),
    ]);
    let report = run(&project, &bad, Some(Repeat::Fallen(3)));
    let asked = bad.asked.lock().unwrap().clone();
    assert_eq!(asked[4..], ["lost", "shaky", "lost", "shaky", "lost", "shaky"], "the fallen ones only");
    let noise = report.noise.as_ref().unwrap();
    assert_eq!((noise.again, noise.askings, noise.fell_every_time), (Again::Fallen, 4, Some(1)));
    let [shaky] = noise.unstable.as_slice() else { panic!("{:?}", noise.unstable) };
    assert_eq!((shaky.id.as_str(), shaky.fell, shaky.flipped), ("shaky", Some(2), true));
    assert_eq!(report.verdict.outcome, Outcome::Failed, "one of four, whatever came of it later");
    assert_snapshot!(section(&report, &project), @r#"
    NOISE  2 questions that fell, asked 3 times more: 1 fell every time
           1 hit in the top 1 comes and goes, 1 best rank differs, 1 list differs
           shaky  fell in 2 of 4 askings: unstable (rank 2, 1, 1, 2)
    "#);
}

#[test]
fn without_a_baseline_those_that_missed_are_asked() {
    let project = want_a(&["good", "bad"], "");
    let retriever = Changing::new([("good", &["a b"]), ("bad", &["b a", "a b"])]);
    let report = run(&project, &retriever, Some(Repeat::Fallen(1)));
    assert_eq!(*retriever.asked.lock().unwrap(), ["good", "bad", "bad"]);
    assert_snapshot!(section(&report, &project), @r#"
    NOISE  1 question that fell, asked once more: 0 fell every time
           1 hit in the top 1 comes and goes, 1 best rank differs, 1 list differs
           bad  fell in 1 of 2 askings: unstable (rank 2, 1)
    "#);
    // Where all is well there is nobody to ask.
    let project = want_a(&["good"], "");
    let report = run(&project, &Changing::new([("good", &["a b"])]), Some(Repeat::Fallen(1)));
    assert_eq!(report.noise, None);
}

#[test]
fn an_embedded_retriever_does_not_move() {
    let project = help_center();
    let output = project.run(["run", "-c", HELP_CENTER, "--repeat", "2", "-o", "report.json"]);
    assert_eq!(output.status, 0, "{}", output.stderr);
    assert!(output.stdout.contains("NOISE  60 questions asked 2 times: every list came back the same\n"));
    let report = data::json(&project.root().join("report.json"));
    let noise = &report["noise"];
    for count in ["flipped", "rank_changes", "order_changes", "tie_orders", "errors"] {
        assert_eq!(noise[count], 0, "{count}");
    }
    assert_eq!(noise["unstable"].as_array().map(Vec::len), Some(0));
    for spread in data::items(&noise["measures"]) {
        assert_eq!(spread["low"], spread["high"]);
        let measure = data::items(&report["measures"]).find(|facts| facts["measure"] == spread["measure"]);
        assert_eq!(measure.map(|facts| &facts["mean"]), Some(&spread["low"]));
    }
}

#[test]
fn a_run_file_has_nothing_new_to_say() {
    let project = small();
    for flag in ["--repeat=2", "--repeat-failed=2"] {
        let (output, report) = data::run(&project, &[flag]);
        assert_eq!(output.status, 0, "{}", output.stderr);
        assert!(output.stdout.contains("NOTE  a run file gives the same answers every time"));
        assert_eq!(report.get("noise"), None);
    }
}

#[test]
fn repeating_once_is_refused() {
    assert_snapshot!(screen(&small(), ["run", "--repeat", "1"]), @r#"
    --- stderr
    error: invalid value '1' for '--repeat <N>': the first asking counts as one: it takes 2 or more to see a difference

    For more information, try '--help'.
    --- exit 2
    "#);
    assert_snapshot!(screen(&small(), ["run", "--repeat", "2", "--repeat-failed", "2"]), @r#"
    --- stderr
    error: the argument '--repeat <N>' cannot be used with '--repeat-failed <N>'

    Usage: rankgate run --repeat <N>

    For more information, try '--help'.
    --- exit 2
    "#);
}

/// Three questions, of which the first has its evidence in a tie with another hit.
fn tied(rules: &str) -> Project {
    let project = recorded(
        r#"{"id":"a","query":"one","expected":[{"chunk":"x"}],"category":"k"}
{"id":"b","query":"two","expected":[{"chunk":"x"}],"category":"k"}
{"id":"c","query":"three","expected":[{"chunk":"x"}],"category":"l"}
"#,
        "",
        rules,
    );
    project.write(
        "last.run",
        "a Q0 z 1 5 r\na Q0 x 2 5 r\na Q0 y 3 4 r\nb Q0 x 1 5 r\nb Q0 y 2 4 r\nc Q0 x 1 5 r\nc Q0 y 2 4 r\n",
    );
    project
}

fn rule(report: &Value, index: usize) -> &Value {
    &report["verdict"]["rules"][index]
}

#[test]
fn a_rule_that_hangs_on_tied_scores() {
    let project = tied(
        r#"["hit_rate@1 >= 0.9", "hit_rate@1 >= 0.6", "hit_rate@2 >= 0.9", "mrr@3 == 1", "each(category) mrr@3 >= 0.8"]
min_slice = 1"#,
    );
    let (output, report) = data::run(&project, &[]);
    assert_eq!(output.status, 1, "{}{}", output.stdout, output.stderr);
    let over = |index| &rule(&report, index)["over_ties"];
    data::assert_near("low", &over(0)["low"], &(2.0 / 3.0).into(), 1e-12);
    data::assert_near("high", &over(0)["high"], &1.0.into(), 1e-12);
    assert_eq!(over(0)["hangs"], true);
    assert_eq!(rule(&report, 0)["remark"], "hangs on tied scores: 0.667 to 1.000 over their orders");
    // It lies on one side of its limit, whatever the order.
    assert_eq!((over(1).get("hangs"), rule(&report, 1).get("remark")), (None, None));
    assert_eq!(over(1)["low"], over(0)["low"]);
    assert_eq!(rule(&report, 2).get("over_ties"), None);
    assert_eq!(over(3)["hangs"], true);
    assert_eq!(rule(&report, 4)["remark"], "hangs on tied scores in k: 0.750 to 1.000 over their orders");
    let notes: Vec<_> =
        data::items(&report["notes"]).filter(|note| note["code"] == "hangs_on_ties").collect();
    let [note] = notes.as_slice() else { panic!("{notes:?}") };
    assert_snapshot!(note["text"].as_str().unwrap(), @"the rules `hit_rate@1 >= 0.90`, `mrr@3 == 1`, `each(category) mrr@3 >= 0.80` hang on tied scores: another order of equal scores would decide otherwise. Remove duplicates from the corpus, or leave the limit room for it.");
}

#[test]
fn a_budget_may_hang_on_tied_scores_too() {
    let project = tied(r#"["hit_rate@1 >= 0.1"]"#);
    let config = project.read("rankgate.toml");
    project.write("rankgate.toml", format!("{config}[baseline]\npath = \"baseline.jsonl\"\n"));
    let run = project.read("last.run");
    project.write("last.run", run.replace("a Q0 x 2 5", "a Q0 x 2 6"));
    let accepted = project.run(["accept"]);
    assert_eq!(accepted.status, 0, "{}", accepted.stderr);
    project.write("last.run", run);
    let rules = [
        "--gate",
        "hit_rate@1 drop <= 0.1",
        "--gate",
        "no regression on mrr@3",
        "--gate",
        "mrr@3 drop <= 50%",
    ];
    let (output, report) = data::run(&project, &rules);
    assert_eq!(output.status, 1, "{}{}", output.stdout, output.stderr);
    assert_eq!(rule(&report, 1)["status"], "failed");
    assert_eq!(rule(&report, 1)["over_ties"]["hangs"], true);
    let remark = rule(&report, 1)["remark"].as_str().unwrap();
    assert!(remark.ends_with("hangs on tied scores: 0.667 to 1.000 over their orders"), "{remark}");
    // Tests are not made again, and a wide budget holds at both ends.
    for index in [2, 3] {
        let over = &rule(&report, index)["over_ties"];
        assert!(over["low"].as_f64() < over["high"].as_f64(), "{over}");
        assert_eq!(over.get("hangs"), None, "{index}");
    }
}

#[test]
fn twins_in_a_real_collection() {
    let Some(folder) = shared("data/chunking-spans") else { return };
    let project = project();
    let run = folder.join("chunks-sent1200o200/runs/bm25.run.gz");
    project.write(
        "rankgate.toml",
        format!(
            "[golden]\nqrels = '{}'\nqueries = '{}'\n[retriever]\nkind = 'run'\npath = '{}'\n[gate]\n\
             rules = ['mrr@10 >= 0.78', 'mrr@10 >= 0.70']\n",
            folder.join("chunks-sent1200o200/qrels.tsv").display(),
            folder.join("queries.jsonl").display(),
            run.display()
        ),
    );
    let (_, report) = data::run(&project, &[]);
    let over = &rule(&report, 0)["over_ties"];
    // What its makers saw under two rules for ties.
    let (low, high) = (over["low"].as_f64().unwrap(), over["high"].as_f64().unwrap());
    assert!(low <= 0.7608 + 5e-5 && high >= 0.7928 - 5e-5, "{over}");
    assert!(high - low < 0.04, "{over}");
    assert_eq!((&over["hangs"], rule(&report, 1)["over_ties"].get("hangs")), (&Value::Bool(true), None));
}

#[test]
fn a_run_of_equal_scores_only() {
    let Some(folder) = shared("data/quirks") else { return };
    let expected = data::json(&folder.join("expected.json"));
    let file = &expected["files"]["run-ties.txt"];
    let file = if file.is_null() { &expected["run-ties.txt"] } else { file };
    let rules = ["ndcg(gain=linear)@10 >= 0.75", "recall@2 >= 0.7", "mrr@10 >= 0.7", "hit_rate@1 >= 0.3"];
    let project = project();
    project.write(
        "rankgate.toml",
        format!(
            "[golden]\nqrels = '{0}/base-qrels.tsv'\nqueries = '{0}/base-queries.jsonl'\n[retriever]\nkind = 'run'\n\
             path = '{0}/run-ties.txt'\n[gate]\nrules = {rules:?}\n",
            folder.display()
        ),
    );
    let (_, report) = data::run(&project, &[]);
    let names = ["nDCG@10", "recall@2", "MRR@10", "hit@1"];
    for (index, name) in names.into_iter().enumerate() {
        let over = &rule(&report, index)["over_ties"];
        for under in ["metrics_id_descending", "metrics_rank_column"] {
            let value = file[under][name].as_f64().expect(name);
            assert!(over["low"].as_f64() <= Some(value + 1e-6), "{name} {under}: {over}");
            assert!(over["high"].as_f64() >= Some(value - 1e-6), "{name} {under}: {over}");
        }
    }
}
