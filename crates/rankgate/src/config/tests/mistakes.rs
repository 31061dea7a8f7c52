//! Every message.

use super::*;

#[test]
fn all_unknown_keys_are_named() {
    assert_snapshot!(error(r#"
nam = "x"
[golden]
path = "q"
colunms = { id = "ID" }
[corpus]
path = "c"
chunker = { sise = 3 }
[retreiver]
kind = "tfidf"
a = 1
[retriever]
kind = "tfidf"
tokenpattern = 'x'
zzz = 1
[privacy]
comment = "full"
[gate]
rules = ["a", { rule = "b", lvl = "warn" }, { level = "loud" }]
"#), @r#"
    rankgate.toml:2:1: unknown key `nam`
      hint: did you mean `name`?
    rankgate.toml:5:1: unknown key `golden.colunms`
      hint: did you mean `columns`?
    rankgate.toml:8:13: unknown key `corpus.chunker.sise`
      hint: did you mean `size`?
    rankgate.toml:9:2: unknown table `[retreiver]`
      hint: did you mean `[retriever]`?
    rankgate.toml:14:1: unknown key `retriever.tokenpattern`
      hint: did you mean `token_pattern`?
    rankgate.toml:15:1: unknown key `retriever.zzz`
      hint: the keys are `kind`, `analyzer`, `ngram_range`, `token_pattern`, `lowercase`, `stop_words`, `plural`, `sublinear_tf`, `smooth_idf`, `ties`, `round_scores`, `depth`, `min_score`, `doc_pattern` and `embedding_model_version`
    rankgate.toml:19:29: unknown key `gate.rules[1].lvl`
      hint: the keys are `level` and `rule`
    rankgate.toml:19:45: `gate.rules[2]` lacks `rule`
    rankgate.toml:19:55: `gate.rules[2].level` must be `fail` or `warn`, not "loud"
    "#);
}

#[test]
fn keys_of_another_kind_are_told_apart() {
    let text = MINIMAL.replace("tfidf", "bm25") + "token_pattern = 'x'\ndimension = 1\npath = 'x'\nn = 1";
    assert_snapshot!(error(&text), @r#"
    rankgate.toml:8:1: `token_pattern` belongs to kind `tfidf` or `hashing`, not to `bm25`
      hint: take out `retriever.token_pattern`, or set `retriever.kind` to its kind
    rankgate.toml:9:1: `dimension` belongs to kind `hashing`, not to `bm25`
      hint: take out `retriever.dimension`, or set `retriever.kind` to its kind
    rankgate.toml:10:1: `path` belongs to kind `run`, not to `bm25`
      hint: take out `retriever.path`, or set `retriever.kind` to its kind
    rankgate.toml:11:1: unknown key `retriever.n`
      hint: the keys are `kind`, `ties`, `round_scores`, `tokenizer`, `depth`, `min_score`, `doc_pattern` and `embedding_model_version`
    "#);
}

#[test]
fn all_type_errors_are_named() {
    assert_snapshot!(error(r#"
name = ""
[golden]
path = 7
min_questions = -1
level = "chunks"
sources = ["a", 2]
columns = { id = 1 }
split = { a = 1 }
[corpus]
path = ["c"]
[corpus.chunker]
size = 0
overlap = 2.5
unit = "words of the longest kind that anybody could wish for"
[retriever]
kind = "tfidf"
ngram_range = [1]
lowercase = "yes"
round_scores = 16
min_score = nan
depth = 9999999999
[measures]
coverage = 0.0
[gate]
rules = "mrr@5 >= 1"
max_quarantined = true
"#), @r#"
    rankgate.toml:2:8: `name` must be a string that is not empty, not ""
    rankgate.toml:4:8: `golden.path` must be a path, not 7
    rankgate.toml:5:17: `golden.min_questions` must be a whole number, 0 or more, not -1
    rankgate.toml:6:9: `golden.level` must be `auto`, `chunk` or `document`, not "chunks"
      hint: did you mean `chunk`?
    rankgate.toml:7:17: `golden.sources[1]` must be a string, not 2
    rankgate.toml:8:18: `golden.columns.id` must be a string, not 1
    rankgate.toml:9:9: `golden.split` must be a string, not a table
    rankgate.toml:11:8: `corpus.path` must be a path, not ["c"]
    rankgate.toml:13:8: `corpus.chunker.size` must be a whole number, 1 or more, not 0
    rankgate.toml:14:11: `corpus.chunker.overlap` must be a whole number, 0 or more, not 2.5
    rankgate.toml:15:8: `corpus.chunker.unit` must be `characters` or `words`, not "words of the longest kind that anybody ...
    rankgate.toml:18:15: `retriever.ngram_range` must be a list of 2 values, each a whole number, 0 or more, not [1]
    rankgate.toml:19:13: `retriever.lowercase` must be `true` or `false`, not "yes"
    rankgate.toml:20:16: `retriever.round_scores` must be a whole number from 0 to 15, not 16
    rankgate.toml:21:13: `retriever.min_score` must be a number, not nan
    rankgate.toml:24:12: `measures.coverage` must be a number above 0 and at most 1, not 0.0
    rankgate.toml:26:9: `gate.rules` must be a list, each a string, or a table with `level` and `rule`, not "mrr@5 >= 1"
    rankgate.toml:27:19: `gate.max_quarantined` must be a whole number, 0 or more, not true
    "#);
}

#[test]
fn what_only_the_whole_can_say() {
    assert_snapshot!(error(r#"
golden = { path = "q", qrels = "r", attributes = "a" }
corpus = { path = "c", chunker = { size = 10, overlap = 10 } }
[retriever]
kind = "hashing"
ngram_range = [3, 2]
doc_pattern = '(.*'
"#), @r#"
    rankgate.toml:2:10: missing `golden.queries`
      hint: `golden.qrels` holds ids only; the texts of the queries are in a file of their own
    rankgate.toml:2:32: `golden.path` and `golden.qrels` exclude each other
      hint: keep the one that is your golden set
    rankgate.toml:3:57: `corpus.chunker.overlap` must be smaller than `corpus.chunker.size`, 10 is not below 10
    rankgate.toml:6:15: `retriever.ngram_range` must be [shortest, longest] with 1 <= shortest <= longest <= 64, not [3, 2]
    rankgate.toml:7:15: `retriever.doc_pattern` is not a regular expression: unclosed group
      hint: its first group is the document of a hit id, as in '^(.*)#'
    "#);
    assert_snapshot!(error("[golden]\nqueries = 'q'\n[retriever]\nkind = 'run'\npath = 'r'\ndoc_pattern = '.*'"), @r#"
    rankgate.toml:2:11: `golden.queries` without `golden.qrels`
    rankgate.toml:6:15: `retriever.doc_pattern` has no group
      hint: its first group is the document of a hit id, as in '^(.*)#'
    "#);
}

#[test]
fn what_is_required_is_named() {
    assert_snapshot!(error(""), @r#"
    rankgate.toml: missing `retriever.kind`
      hint: one of `tfidf`, `hashing`, `bm25` or `run`
    rankgate.toml: missing `golden.path`
      hint: the file of your questions; judgements need `golden.qrels` and `golden.queries`
    "#);
    assert_snapshot!(error("[golden]\nqrels = 'q'\n[corpus]\nformat = 'beir'\n[retriever]\nkind = 'run'"), @r#"
    rankgate.toml:1:1: missing `golden.queries`
      hint: `golden.qrels` holds ids only; the texts of the queries are in a file of their own
    rankgate.toml:3:1: missing `corpus.path`
    rankgate.toml:5:1: missing `retriever.path`
      hint: kind `run` is a run file: the recorded answers of any retriever
    "#);
    assert_snapshot!(error("golden.path = 'q'\nretriever.kind = 'bm25'"), @r#"
    rankgate.toml: missing `corpus.path`
      hint: kind `bm25` searches the corpus itself
    "#);
}

#[test]
fn kinds_that_are_not_there_are_named() {
    assert_snapshot!(error(&(MINIMAL.replace("tfidf", "http") + "url = 'x'")), @r#"
    rankgate.toml:7:8: `retriever.kind` must be `tfidf`, `hashing`, `bm25` or `run`, not "http"
      hint: kind `http` is not available in this version
    "#);
    assert_snapshot!(error(&(MINIMAL.replace("tfidf", "tdidf") + "url = 'x'")), @r#"
    rankgate.toml:7:8: `retriever.kind` must be `tfidf`, `hashing`, `bm25` or `run`, not "tdidf"
      hint: did you mean `tfidf`?
    "#);
}

#[test]
fn text_that_is_not_toml_has_a_place() {
    assert_snapshot!(error("[golden]\npath = \"é\" x\n"), @r"rankgate.toml:2:12: not TOML: unexpected key or value, expected newline, `#`");
    assert_snapshot!(error("a = 1\na = 2\n"), @r"rankgate.toml:2:1: not TOML: duplicate key");
    assert_snapshot!(error("[gate]\nmin_slice = 99999999999999999999\n"), @r#"
    rankgate.toml: missing `retriever.kind`
      hint: one of `tfidf`, `hashing`, `bm25` or `run`
    rankgate.toml: missing `golden.path`
      hint: the file of your questions; judgements need `golden.qrels` and `golden.queries`
    rankgate.toml:2:13: `gate.min_slice` holds a number that is out of range
    "#);
}

#[test]
fn what_comes_from_outside_the_file_is_named_by_its_origin() {
    let mut inputs = sets(&["retriever.tokenpattern=x", "golden.path", "gate.min_slice=few", "nope.a=1"]);
    inputs.env.push(("RANKGATE_RETRIEVER__TOKENPATTERN2".into(), "x".into()));
    inputs.env.push(("RANKGATE_RETRIEVER__DEPTH".into(), "0".into()));
    inputs.flags.push(Flag::set("-m", "measures.report", Value::Array(vec![1.into()])));
    assert_snapshot!(error_with(MINIMAL, &inputs), @r#"
    --set: `golden.path` is not of the form key=value
      hint: for instance --set retriever.kind=bm25
    --set: `gate.min_slice` must be a whole number, 1 or more, not "few"
    -m: `measures.report[0]` must be a string, not 1
    --set: unknown table `[nope]`
      hint: the tables are `golden`, `corpus`, `retriever`, `measures`, `gate`, `baseline` and `privacy`
    RANKGATE_RETRIEVER__DEPTH: `retriever.depth` must be a whole number, 1 or more, not 0
    --set: unknown key `retriever.tokenpattern`
      hint: did you mean `token_pattern`?
    RANKGATE_RETRIEVER__TOKENPATTERN2: unknown key `retriever.tokenpattern2`
      hint: did you mean `token_pattern`?
    "#);
}
