use proptest::prelude::*;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use serde_json::json;

use super::*;
use crate::text::{clip, printable};

/// A report whose every text is the given one; `n` questions lost their evidence, and `n` others miss it as before.
fn report(text: &str, n: usize) -> Report {
    let question = |index: usize| {
        json!({
            "id": format!("{index}{text}"), "query": text, "line": 1, "category": text, "digest": "",
            "answerable": true, "status": "missed", "faults": ["no_evidence"],
            "expected": [{"anchor": text, "grade": 1}],
            "retrieved": [{"id": text, "label": "unjudged"}], "values": {"mrr@5": 0.0},
        })
    };
    let moved = |index: usize| {
        json!({
            "id": format!("{index}{text}"), "category": text, "movement": "gone", "before": 1, "needs_lost": 1,
            "loss": 1.0, "first": text,
        })
    };
    let slice = |index: usize| {
        json!({"field": "category", "value": format!("{index}{text}"), "n": 9, "before": 1.0, "now": 0.5,
               "lost": 1, "found": 0})
    };
    let rule = json!({
        "rule": format!("each({text}) mrr@5 >= 0.5"), "kind": "change", "level": "fail", "status": "failed",
        "value": 0.5, "limit": 0.9, "before": 0.9, "n": n, "remark": text, "questions": [],
        "slices": [{"name": text, "n": 9, "value": 0.5, "before": 1.0, "p": 0.0001, "status": "failed"}],
    });
    let estimate =
        json!({"point": -0.5, "low": -0.6, "high": -0.4, "confidence": 0.95, "n": n, "method": "student_t"});
    let drawn = json!({"name": "exact_sign_flip", "alternative": "greater", "p": 0.01, "n": n, "nonzero": n});
    let mut value = json!({
        "format_version": 1, "rankgate": "0.0.0", "name": text,
        "verdict": {
            "outcome": "failed", "exit_status": 1, "headline": text, "rules": vec![rule; 60],
            "incomplete": vec![json!({"code": "x", "message": text}); 60], "report_only": false,
        },
        "golden": {
            "path": "g", "version": "g", "sha256": "", "questions": n, "asked": n, "judged": n, "unanswerable": 0,
            "quarantined": 0, "without_needs": 0,
        },
        "retriever": {"kind": "tfidf", "fingerprint": ""},
        "policy": {
            "level": "chunk", "depth": 10, "cutoff": 5, "forbidden_cutoff": 5, "coverage": 0.5, "ties": "",
            "configuration": "",
        },
        "partial": text,
        "measures": [{"measure": "mrr@5", "mean": 0.5, "n": n, "because": "reported"}],
        "slices": [],
        "comparison": {
            "with": {"path": "b", "accepted": {}}, "questions": n, "golden": {}, "measures": [], "lead": "mrr@5",
            "cutoff": 5, "counts": {"gone": n, "lost": 0, "fell": 0, "same": 0, "rose": 0, "found": 0,
            "lost_from_top": n}, "slices": (0..9).map(slice).collect::<Vec<_>>(), "moved": [], "same": [],
            "changed": vec![json!({"what": text, "before": text, "now": text}); 60],
        },
        "questions": [], "labels": {"met": {}, "not_retrieved": n, "unknown": 0},
        "lists": {"answered": n, "empty": 0, "missing": 0, "errors": 0, "repeats": 0, "tied": 0,
                  "never_longer_than": null},
        "notes": vec![json!({"code": "x", "text": text}); 60], "warnings": [], "timing": {"total_ms": 1.0},
    });
    value["questions"] = (0..2 * n).map(question).collect();
    value["comparison"]["moved"] = (0..n).map(moved).collect();
    let mut report: Report = serde_json::from_value(value).unwrap();
    for rule in &mut report.verdict.rules {
        rule.interval = Some(serde_json::from_value(estimate.clone()).unwrap());
        rule.tests = serde_json::from_value(json!([drawn])).unwrap();
    }
    report
}

/// Every table as rows of the texts of their cells; panics at anything that is no text.
fn tables(markdown: &str) -> Vec<Vec<Vec<String>>> {
    let mut tables: Vec<Vec<Vec<String>>> = Vec::new();
    let mut cell: Option<String> = None;
    for event in Parser::new_ext(markdown, Options::all()) {
        match event {
            Event::Start(Tag::Table(_)) => tables.push(Vec::new()),
            Event::Start(Tag::TableHead | Tag::TableRow) => tables.last_mut().unwrap().push(Vec::new()),
            Event::Start(Tag::TableCell) => cell = Some(String::new()),
            Event::End(TagEnd::TableCell) => {
                tables.last_mut().unwrap().last_mut().unwrap().push(cell.take().unwrap());
            }
            Event::Text(text) => {
                if let Some(cell) = &mut cell {
                    cell.push_str(&text.replace('\u{200b}', ""));
                }
            }
            Event::InlineHtml(html) => assert!(["<code>", "</code>"].contains(&&*html), "{html}"),
            Event::Html(html) => {
                let html = html.trim();
                let is_ours = html.starts_with("<!-- rankgate: ")
                    || html.starts_with("<details><summary>")
                    || html == "</details>";
                assert!(is_ours, "{html}");
            }
            Event::Start(
                Tag::Heading { .. }
                | Tag::Paragraph
                | Tag::List(None)
                | Tag::Item
                | Tag::Strong
                | Tag::HtmlBlock,
            )
            | Event::End(_)
            | Event::SoftBreak => {}
            other => panic!("{other:?} in {markdown}"),
        }
    }
    tables
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_text_is_shown_as_it_is_and_does_nothing(
        text in prop_oneof![
            any::<String>(),
            "([|`*_~<>&#@!\\[\\]():$\\\\\n\r\t -]|a|www\\.|http://|1\\.|<b>|-->|<!--|</details>){1,30}",
        ]
    ) {
        // The signs of no width are ours.
        let text = text.replace('\u{200b}', "");
        let out = Markdown.render(&report(&text, 3));
        let tables = tables(&out);
        prop_assert!((2..=41).contains(&tables[0].len()), "{} rows", tables[0].len());
        prop_assert_eq!(tables[1..].iter().map(Vec::len).collect::<Vec<_>>(), [6, 4, 4]);
        let plain = |columns: usize| clip(&printable(&text), columns).trim().to_owned();
        for row in tables[2].iter().skip(1) {
            prop_assert_eq!(&row[1], &plain(40));
            prop_assert_eq!(&row[2], &plain(120));
            prop_assert_eq!(row[3..5].join(" "), "1 none");
            prop_assert_eq!(&row[5], &plain(80));
        }
        for row in tables[0].iter().skip(1) {
            prop_assert_eq!(&row[1..6].join(" "), "0.900 0.500 -0.400 -0.600 to -0.400 <.001");
            prop_assert!(row[6].starts_with("FAIL"), "{row:?}");
        }
    }
}

#[test]
fn a_rule_names_every_slice_that_failed_and_whom_it_blames() {
    let mut report = report("x", 1);
    report.verdict.rules.truncate(2);
    let [each, promise] = report.verdict.rules.as_mut_slice() else { panic!("two rules") };
    let mut other = each.slices[0].clone();
    other.name = "account@home".to_owned();
    each.slices.push(other);
    promise.kind = crate::gate::RuleKind::Promise;
    promise.questions = vec!["a#1".to_owned()];
    let tables = tables(&Markdown.render(&report));
    assert_eq!(tables[0][1][6], "FAIL: x (n 9); also: account@home; x");
    assert_eq!(tables[0][2][6], "FAIL: x (n 9); a#1; x");
}

/// A comparison whose every text is the given one.
fn comparison(text: &str, inputs: usize, n: usize) -> crate::compare::ComparisonReport {
    let estimate =
        json!({"point": -0.5, "low": -0.6, "high": -0.4, "confidence": 0.95, "n": n, "method": "student_t"});
    let sign_flip =
        json!({"name": "exact_sign_flip", "alternative": "two_sided", "p": 0.01, "n": n, "nonzero": n});
    let measure = json!({
        "measure": "mrr@5", "before": 1.0, "now": 0.5, "change": estimate, "spread": 0.1, "wins": 0, "ties": 0,
        "losses": n, "test": sign_flip, "p_holm": 0.01,
    });
    let slice = |index: usize| {
        json!({"field": "category", "value": format!("{index}{text}"), "n": 9, "before": 1.0, "now": 0.5,
               "lost": 1, "found": 0, "test": sign_flip, "p_benjamini_hochberg": 0.01})
    };
    let moved = |index: usize| {
        json!({
            "id": format!("{index}{text}"), "category": text, "movement": "gone", "before": 1, "needs_lost": 1,
            "loss": 1.0, "first": text, "query": text, "in_its_place": text,
        })
    };
    let pair = |now: usize| {
        json!({
            "before": 0, "now": now, "questions": n, "only_before": [text], "edited": [text],
            "measures": vec![measure.clone(); 30], "cutoff": 5,
            "counts": {"gone": n, "lost": 0, "fell": 0, "same": 0, "rose": 0, "found": 0, "lost_from_top": n},
            "slices": (0..60).map(slice).collect::<Vec<_>>(), "moved": (0..n).map(moved).collect::<Vec<_>>(),
            "made_from": {"changed": vec![json!({"what": text, "before": text, "now": text}); 60], "same": []},
            "notes": vec![json!({"code": "x", "text": text}); 60],
        })
    };
    let input = json!({"path": text, "kind": "report", "questions": n, "missing": [text]});
    serde_json::from_value(json!({
        "format_version": 1, "rankgate": "0.0.0", "inputs": vec![input; inputs], "measures": ["mrr@5"], "tests": 30,
        "pairs": (1..inputs).map(pair).collect::<Vec<_>>(),
    }))
    .unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn any_text_of_a_comparison_does_nothing(text in any::<String>()) {
        let text = text.replace('\u{200b}', "");
        let tables = tables(&comparison(&text, 2, 3).markdown());
        prop_assert_eq!(tables.len(), 3);
        let plain = clip(&printable(&text), 120).trim().to_owned();
        prop_assert_eq!(&tables[2][1][2], &plain);
    }
}

#[test]
fn a_comparison_is_never_too_long() {
    for (text, times, inputs, n) in [("@|`<", 900, 2, 500), ("'", 300, 40, 50), ("漢字", 60, 3, 1000)] {
        let out = comparison(&text.repeat(times), inputs, n).markdown();
        assert!(out.chars().count() < 60_000, "{} characters", out.chars().count());
        assert!(out.contains(" more\n"));
        assert_eq!(out.matches("<details>").count(), out.matches("</details>").count());
        tables(&out);
    }
}

#[test]
fn a_report_is_never_too_long() {
    let texts = [("@|`<", 9_000, 1), ("漢字", 60, 10_000), ("'", 150, 10_000), ("&amp;\n", 300, 500)];
    for (text, times, n) in texts {
        let text = &text.repeat(times);
        let out = Markdown.render(&report(text, n));
        assert!(out.chars().count() < 60_000, "{} characters", out.chars().count());
        assert_eq!(out.matches("</details>").count(), 2);
        if n > 100 {
            assert!(out.contains(" more\n\n</details>"));
        }
        let tables = tables(&out);
        assert_eq!(tables.len(), 4);
    }
}
