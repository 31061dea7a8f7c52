//! Which layer wins, and how its text is read.

use super::*;

#[test]
fn defaults_hold_where_nothing_is_set() {
    let resolved = ok("", &inputs());
    let Settings { name, golden, corpus, retriever, measures, baseline, gate, privacy } = &resolved.settings;
    assert_eq!(name, DEFAULT_NAME);
    assert_eq!(*golden, GoldenSettings { path: Some("eval/q.jsonl".into()), ..GoldenSettings::default() });
    assert_eq!(
        *corpus,
        Some(CorpusSettings {
            path: "docs".into(),
            format: CorpusFormat::Auto,
            chunker: ChunkerSettings::default()
        })
    );
    assert_eq!(retriever.kind, RetrieverKind::Tfidf(LexicalSettings::default()));
    assert_eq!(*measures, MeasureSettings::default());
    assert_eq!(*gate, GateSettings::default());
    assert_eq!((baseline, privacy), (&None, &PrivacySettings::default()));
}

#[test]
fn each_layer_overrides_the_ones_before() {
    let mut inputs = Inputs::default();
    let mut seen = vec![effective(&ok("", &inputs), "golden.split")];
    let text = MINIMAL.replace("[golden]", "[golden]\nsplit = \"file\"");
    let mut see = |inputs: &Inputs| seen.push(effective(&with(&text, inputs).unwrap(), "golden.split"));
    see(&inputs);
    inputs.env.push(("RANKGATE_GOLDEN__SPLIT".into(), "env".into()));
    see(&inputs);
    inputs.sets.push("golden.split=set".into());
    see(&inputs);
    inputs.flags.push(Flag::set("--split", "golden.split", "flag"));
    see(&inputs);
    assert_snapshot!(seen.join("\n"), @r#"
    "test" (default)
    "file" (rankgate.toml:3)
    "env" (RANKGATE_GOLDEN__SPLIT)
    "set" (--set)
    "flag" (--split)
    "#);
}

#[test]
fn text_from_outside_is_read_by_the_type_of_its_key() {
    let resolved = ok(
        "",
        &sets(&[
            r"retriever.token_pattern=(?u)\b\w{4,}\b",
            "name=42",
            "golden.split='quoted'",
            "retriever.ngram_range=[1, 2]",
            "retriever.lowercase=false",
            "measures.coverage=1",
            "measures.report=[\"mrr@5\"]",
            "corpus.chunker={size=300}",
            "golden.columns.\"params.tenant\"=Tenant",
            "gate.rules=[{rule=\"mrr@5 >= 0.5\", level=\"warn\"}]",
        ]),
    );
    let settings = &resolved.settings;
    assert_eq!(lexical(&resolved).token_pattern, r"(?u)\b\w{4,}\b");
    assert_eq!(lexical(&resolved).ngram_range, (1, 2));
    assert!(!lexical(&resolved).lowercase);
    assert_eq!(settings.name, "42");
    assert_eq!(settings.golden.split, "quoted");
    assert!((settings.measures.coverage - 1.0).abs() < f64::EPSILON);
    assert_eq!(settings.measures.report, ["mrr@5"]);
    assert_eq!(settings.corpus.as_ref().unwrap().chunker.size, 300);
    assert_eq!(settings.golden.columns["params.tenant"], "Tenant");
    assert_eq!(settings.gate.rules[0].level, RuleLevel::Warn);
    assert_eq!(effective(&resolved, "measures.coverage"), "1.0 (--set)");
    assert_eq!(effective(&resolved, "golden.columns.\"params.tenant\""), "\"Tenant\" (--set)");
}

#[test]
fn the_environment_sets_keys_of_tables_that_exist() {
    let resolved = ok(
        "",
        &env(&[
            ("RANKGATE_NAME", "help"),
            ("RANKGATE_RETRIEVER__TOKEN_PATTERN", r"\w+"),
            ("RANKGATE_CORPUS__CHUNKER__SIZE", "99"),
            ("RANKGATE_GOLDEN__MIN_QUESTIONS", ""),
            ("RANKGATE_LLM__KEY", "none of our business"),
            ("RANKGATE_LOG", "debug"),
            ("OTHER__KEY", "1"),
        ]),
    );
    assert_eq!(resolved.settings.name, "help");
    assert_eq!(lexical(&resolved).token_pattern, r"\w+");
    assert_eq!(effective(&resolved, "corpus.chunker.size"), "99 (RANKGATE_CORPUS__CHUNKER__SIZE)");
    assert_eq!(effective(&resolved, "golden.min_questions"), "1 (default)");
}

#[test]
fn setting_a_table_replaces_it() {
    let text = format!("{MINIMAL}plural = true\n");
    let resolved = with(&text, &sets(&["retriever={kind=\"bm25\"}"])).unwrap();
    assert_eq!(resolved.settings.retriever.kind, RetrieverKind::Bm25(Bm25Settings::default()));
}

#[test]
fn flags_add_to_a_list() {
    let mut inputs = inputs();
    inputs.flags.push(Flag::add("--gate", "gate.rules", "a >= 1"));
    inputs.flags.push(Flag::add("--gate", "gate.rules", "b >= 1"));
    assert_snapshot!(effective(&ok("", &inputs), "gate.rules"), @r#"["a >= 1", "b >= 1"] (--gate)"#);
    let with_rules = ok("[gate]\nrules = [\"c >= 1\"]", &inputs);
    assert_snapshot!(effective(&with_rules, "gate.rules"), @r#"["c >= 1", "a >= 1", "b >= 1"] (rankgate.toml:9 + --gate)"#);
    assert_eq!(with_rules.settings.gate.rules.len(), 3);
    assert_snapshot!(with_rules.problem("gate.rules[0]", "no such measure"), @r"rankgate.toml:9:10: no such measure");
    assert_snapshot!(with_rules.problem("gate.rules[2]", "no such measure"), @r"--gate: no such measure");
}

#[test]
fn a_configuration_may_come_without_a_file() {
    let sets = sets(&["golden.path=q.jsonl", "retriever.kind=run", "retriever.path=a.run"]);
    let resolved = resolve(&sets).unwrap();
    assert_eq!(resolved.config_path, None);
    assert_eq!(resolved.settings.corpus, None);
}

#[test]
fn the_digest_covers_all_but_the_name() {
    let digest = ok("", &inputs()).digest;
    assert_eq!(digest.len(), 64);
    assert_eq!(ok("", &sets(&["name=x"])).digest, digest);
    assert_eq!(ok("", &sets(&["measures.coverage=0.50"])).digest, digest);
    assert_ne!(ok("", &sets(&["measures.coverage=0.6"])).digest, digest);
    assert_ne!(ok("", &sets(&["retriever.kind=bm25"])).digest, digest);
}
