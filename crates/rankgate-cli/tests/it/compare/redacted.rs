//! Reports and baselines with hashed ids beside plain ones.

use rankgate::privacy::hashed;

use super::{compared, states};
use crate::support::screen;

#[test]
fn a_hashed_input_meets_a_plain_one() {
    let project = states();
    let rest = ["-m", "mrr@3,hit_rate@3", "--depth", "5", "--redact", "-o", "hidden.json"];
    assert_eq!(project.run(["run", "--set", "retriever.path=old.run"].iter().chain(&rest)).status, 0);
    let hidden = project.read("hidden.json");
    assert!(hidden.contains(&hashed("b")) && !hidden.contains("how wide"), "{hidden}");
    project.run(["accept", "hidden.json", "--force", "--reason", "hide"]);
    assert!(project.read("base.jsonl").contains("\"hashed_ids\":true"));

    let plain = compared(&project, ["a.json", "b.json"]).pairs.remove(0);
    for hidden in ["hidden.json", "base.jsonl"] {
        for (before, now) in [(hidden, "b.json"), ("b.json", hidden)] {
            let report = compared(&project, [before, now, "-m", "mrr@3,hit_rate@3"]);
            let pair = &report.pairs[0];
            assert_eq!((pair.questions, pair.moved.len()), (3, 2), "{before} {now}");
            // What one side knows is shown.
            let shown = |id: &str| pair.moved.iter().find(|question| question.moved.id == id);
            assert!(shown("c").is_some());
            assert_eq!(
                shown("b").and_then(|question| question.query.as_deref()),
                Some("how wide is the door")
            );
            assert!(pair.notes.iter().any(|note| note.code == "hashed_ids"), "{:?}", pair.notes);
            if now == "b.json" {
                assert_eq!((&pair.measures, &pair.counts), (&plain.measures, &plain.counts));
            }
        }
    }
    // Two of a kind are as comparable as two plain ones.
    let both = compared(&project, ["base.jsonl", "hidden.json"]).pairs.remove(0);
    assert!(both.moved.is_empty() && both.unjudged.is_some() && both.notes.is_empty(), "{both:?}");
    let three = compared(&project, ["a.json", "hidden.json", "b.json"]);
    assert_eq!(three.pairs.iter().map(|pair| pair.questions).collect::<Vec<_>>(), [3, 3]);
    let shown = screen(&project, ["compare", "a.json", "b.json", "--redact"]);
    assert!(shown.contains(&hashed("b")) && !shown.contains("how wide"), "{shown}");
}
