use std::fs;
use std::path::Path;

use proptest::prelude::*;
use tempfile::TempDir;

use super::*;
use crate::config::{ChunkUnit, ChunkerKind, ChunkerSettings};

fn settings(path: &Path) -> CorpusSettings {
    CorpusSettings {
        path: path.to_owned(),
        format: CorpusFormat::Auto,
        chunker: ChunkerSettings { size: 20, ..ChunkerSettings::default() },
    }
}

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

fn jsonl(text: &str) -> Result<Corpus> {
    let folder = folder(&[("c.jsonl", text)]);
    Corpus::read(&settings(&folder.path().join("c.jsonl")))
}

/// The error for a JSONL text, without the folder in its file names.
fn jsonl_error(text: &str) -> String {
    let error = jsonl(text).unwrap_err().to_string();
    error
        .lines()
        .map(|line| line.rsplit_once("/c.jsonl").map_or(line, |(_, rest)| rest))
        .collect::<Vec<_>>()
        .join("\n")
}

fn chunk_ids(corpus: &Corpus) -> Vec<&str> {
    corpus.chunks().iter().map(|chunk| chunk.id.as_str()).collect()
}

#[test]
fn every_spelling_of_the_keys_is_read() {
    let corpus = jsonl(
        "\u{feff}{\"id\": \"a\", \"text\": \"x\", \"title\": \"T\", \"doc\": \"d\", \"start\": 3, \"end\": 4, \"lang\": {\"x\": [1]}}\r\n\
         \n\
         {\"_id\": 7, \"contents\": \"y\", \"score\": \"high\"}\n\
         {\"doc_id\": \"c\", \"text\": \"z\"}\n\
         {\"chunk_id\": \"c#0\", \"doc_id\": \"c\"}\n\
         {\"_id\": \"e\", \"text\": \"v\", \"metadata\": {\"doc_id\": \"d\", \"start\": 0, \"end\": 1}}\n\
         {\"_id\": \"f\", \"text\": \"w\", \"metadata\": {\"doc\": {\"id\": 1}, \"start\": 12.5}}\n\
         {\"_id\": \"007\", \"text\": \"u\", \"metadata\": [1]}",
    )
    .unwrap();
    assert_eq!(chunk_ids(&corpus), ["a", "7", "c", "c#0", "e", "f", "007"]);
    let a = corpus.get("a").unwrap();
    assert_eq!(
        (a.doc.as_deref(), a.start, a.end, &*a.title, &*a.text),
        (Some("d"), Some(3), Some(4), "T", "x")
    );
    assert_eq!(corpus.get("7").unwrap().text, "y");
    assert_eq!(corpus.get("c#0").unwrap().doc.as_deref(), Some("c"));
    let e = corpus.get("e").unwrap();
    assert_eq!((e.doc.as_deref(), e.start, e.end), (Some("d"), Some(0), Some(1)));
    let f = corpus.get("f").unwrap();
    assert_eq!((f.doc.as_deref(), f.start, f.end), (None, None, None));
    assert_eq!(corpus.documents().collect::<Vec<_>>(), ["d", "7", "c", "f", "007"]);
    assert_eq!(corpus.chunks_of("d").map(|chunk| &*chunk.id).collect::<Vec<_>>(), ["a", "e"]);
    assert_eq!(corpus.made_by, "jsonl");
}

#[test]
fn documents_can_be_named_by_the_ids_of_chunks() {
    let text = "{\"id\": \"a#0\"}\n{\"id\": \"a#1\"}\n{\"id\": \"b#0\", \"doc\": \"own\"}\n{\"id\": \"c\"}\n";
    let mut corpus = jsonl(text).unwrap();
    let sha256 = corpus.sha256.clone();
    corpus.name_documents(|id| id.split('#').next().unwrap_or(id).to_owned());
    assert_eq!(corpus.documents().collect::<Vec<_>>(), ["a", "own", "c"]);
    assert_eq!(corpus.chunks_of("a").map(|chunk| chunk.id.as_str()).collect::<Vec<_>>(), ["a#0", "a#1"]);
    assert!(!corpus.has_document("a#0") && corpus.get("a#0").is_some());
    assert_eq!(corpus.sha256, sha256);
}

#[test]
fn chunks_without_text_keep_their_ids() {
    let corpus = jsonl("{\"id\": 1, \"text\": \"\"}\n{\"id\": 2, \"text\": \" \\n\"}\n{\"id\": 3, \"text\": null, \"title\": null}\n{\"id\": 4}\n{\"id\": 5, \"text\": \"é€\"}").unwrap();
    assert_eq!(corpus.len(), 5);
    assert_eq!(corpus.without_text, ["1", "2", "3", "4"]);
    assert!((corpus.mean_characters() - 0.8).abs() < 1e-12);
}

#[test]
fn only_line_feeds_part_records() {
    assert_eq!(
        chunk_ids(&jsonl("{\"id\":1,\"text\":\"a\u{2028}b\u{85}c\"}\n\n{\"id\":2}").unwrap()),
        ["1", "2"]
    );
}

#[test]
fn everything_wrong_is_named_at_once() {
    let error = jsonl_error(
        "{\"id\": \"a\", \"text\": \"x\"}\n\
         {\"_id\": 1.0e3}\n\
         {\"id\": true}\n\
         {\"id\": null, \"text\": \"x\"}\n\
         {\"id\": \"a\", \"text\": \"y\"}\n\
         {\"id\": \"b\", \"text\": 5, \"doc\": false}\n\
         {\"id\": \"c\", \"start\": 5}\n\
         {\"id\": \"d\", \"start\": 5, \"end\": 4}\n\
         {\"id\": \"e\", \"start\": -1, \"end\": 4}\n\
         {\"id\": \"f\", \"é\": ]}\n\
         {\"text\": \"x\"}\n\
         [\"g\"]\n\
         {\"id\": \"h\", \"id\": \"i\"}\n\
         {\"id\": \"\"}\n",
    );
    for expected in [
        ":2 `_id`: an id is a string or a whole number from 0, not a negative, decimal or larger number",
        ":3 `id`: an id is a string or a whole number from 0, not a truth value",
        ":4 `id`: an id is a string or a whole number from 0, not null",
        ":5 (a): the id is already that of line 1",
        ":6 (b) `text`: a text is a string, not a whole number",
        ":6 (b) `doc`: an id is a string",
        ":7 (c) `start`: `start` without `end`",
        ":8 (d) `start`: `start` 5 lies behind `end` 4",
        ":9 (e) `start`: an offset is a whole number from 0",
        ":10:18: not valid JSON: expected value",
        ":11: no id",
        ":12: not a JSON object",
        ":13:16: not valid JSON: duplicate field `id`",
        ":14 `id`: an id cannot be empty",
    ] {
        assert!(error.contains(expected), "{expected}\n--\n{error}");
    }
}

#[test]
fn an_empty_corpus_is_an_error() {
    assert!(jsonl_error(" \n\n").contains(": the corpus is empty"));
}

#[test]
fn the_digest_tells_parts_apart() {
    let digest = |text: &str| jsonl(text).unwrap().sha256;
    let plain = digest("{\"id\": \"a\", \"text\": \"bc\"}");
    assert_eq!(plain.len(), 64);
    assert_eq!(plain, digest("\n{\"page\": 1, \"_id\": \"a\", \"contents\": \"bc\"}"));
    for other in [
        "{\"id\": \"ab\", \"text\": \"c\"}",
        "{\"id\": \"a\", \"title\": \"b\", \"text\": \"c\"}",
        "{\"id\": \"a\", \"text\": \"bc\", \"doc\": \"a\"}",
        "{\"id\": \"a\", \"text\": \"bc\", \"start\": 0, \"end\": 2}",
    ] {
        assert_ne!(plain, digest(other), "{other}");
    }
}

#[test]
fn chunks_in_memory_are_checked_too() {
    let chunk = |id: &str, start, end| Chunk {
        id: id.into(),
        doc: None,
        start,
        end,
        title: String::new(),
        text: "x".into(),
    };
    let corpus = Corpus::from_chunks(vec![chunk("a", None, None)], "demo").unwrap();
    assert_eq!((corpus.len(), corpus.made_by.as_str()), (1, "demo"));
    let error =
        Corpus::from_chunks(vec![chunk("a", None, None), chunk("a", Some(1), None)], "demo").unwrap_err();
    assert_eq!(error.to_string().lines().filter(|line| line.starts_with("(a): ")).count(), 2, "{error}");
}

#[test]
fn a_beir_folder_is_known_by_its_corpus() {
    let folder = folder(&[("corpus.jsonl", "{\"_id\": \"a\", \"text\": \"x\"}\n"), ("readme.md", "# no")]);
    let corpus = Corpus::read(&settings(folder.path())).unwrap();
    assert_eq!((chunk_ids(&corpus), corpus.made_by.as_str()), (vec!["a"], "beir"));
    let as_folder = CorpusSettings { format: CorpusFormat::Folder, ..settings(folder.path()) };
    assert_eq!(chunk_ids(&Corpus::read(&as_folder).unwrap()), ["readme.md#0"]);
}

#[test]
fn a_format_that_does_not_fit_the_path_is_an_error() {
    let folder = folder(&[("c.jsonl", "{\"id\": \"a\"}")]);
    let error = |path: &Path, format| {
        Corpus::read(&CorpusSettings { format, ..settings(path) }).unwrap_err().to_string()
    };
    assert!(error(folder.path(), CorpusFormat::Beir).contains("not a BEIR folder"));
    assert!(error(folder.path(), CorpusFormat::Jsonl).contains("a folder, not a JSONL file"));
    assert!(error(&folder.path().join("c.jsonl"), CorpusFormat::Folder).contains("not a folder"));
    assert!(error(&folder.path().join("none"), CorpusFormat::Auto).starts_with("cannot read "));
}

#[test]
fn a_folder_is_read_in_order_and_cut() {
    let folder = folder(&[
        ("b/z.TXT", "É one two three. Four five six seven."),
        ("b.md", "# Head\n\nBody.\n\n# Next\n\nMore."),
        ("a.html", "<p>1 &lt; 2</p><script>x</script>"),
        ("empty.txt", " \n"),
        (".hidden.md", "no"),
        (".git/x.md", "no"),
        ("logo.png", "no"),
        ("Makefile", "no"),
    ]);
    let corpus = Corpus::read(&settings(folder.path())).unwrap();
    assert_eq!(chunk_ids(&corpus), ["a.html#0", "b.md#0", "b.md#1", "b/z.TXT#0", "b/z.TXT#1", "empty.txt#0"]);
    assert_eq!(corpus.document_text("a.html"), Some("1 < 2"));
    let last = corpus.get("b/z.TXT#1").unwrap();
    assert_eq!((last.start, last.end, &*last.text), (Some(17), Some(37), "Four five six seven."));
    assert_eq!(last.doc.as_deref(), Some("b/z.TXT"));
    assert_eq!(corpus.without_text, ["empty.txt#0"]);
    assert_eq!(corpus.skipped_files, 2);
    assert_eq!(corpus.made_by, "folder cut by markdown/text(size 20, overlap 0, characters)");
}

#[test]
fn a_folder_without_texts_names_what_would_be_read() {
    let error = Corpus::read(&settings(folder(&[("a.pdf", "x")]).path())).unwrap_err().to_string();
    assert!(error.contains(".txt, .md, .markdown, .html, .htm"), "{error}");
}

#[test]
fn files_that_are_not_utf8_are_all_named() {
    let folder = folder(&[("ok.txt", "x")]);
    fs::write(folder.path().join("a.txt"), b"x\ncaf\xe9").unwrap();
    fs::write(folder.path().join("b.txt"), b"\xff").unwrap();
    let error = Corpus::read(&settings(folder.path())).unwrap_err().to_string();
    assert!(error.contains("a.txt:2: not UTF-8") && error.contains("b.txt:1: not UTF-8"), "{error}");
}

#[cfg(unix)]
#[test]
fn links_are_followed_once_and_never_in_circles() {
    use std::os::unix::fs::symlink;

    let folder = folder(&[("x/a.txt", "a"), ("y/b.txt", "b")]);
    let outside = self::folder(&[("c.txt", "c")]);
    let at = |name: &str| folder.path().join(name);
    symlink(folder.path(), at("x/up")).unwrap();
    symlink(at("y"), at("x/side")).unwrap();
    symlink(at("x"), at("y/side")).unwrap();
    symlink(outside.path(), at("w")).unwrap();
    symlink(outside.path(), at("z")).unwrap();
    let corpus = Corpus::read(&settings(folder.path())).unwrap();
    assert_eq!(chunk_ids(&corpus), ["w/c.txt#0", "x/a.txt#0", "y/b.txt#0"]);

    symlink(at("nowhere"), at("gone.txt")).unwrap();
    assert!(Corpus::read(&settings(folder.path())).unwrap_err().to_string().contains("gone.txt"));
}

fn chunker(kind: ChunkerKind, size: usize, overlap: usize, unit: ChunkUnit) -> Result<Chunker> {
    Chunker::new(&ChunkerSettings { kind, size, overlap, unit })
}

#[test]
fn chunkers_that_cannot_work_are_refused_by_key() {
    let error = chunker(ChunkerKind::Fixed, 5, 5, ChunkUnit::Words).unwrap_err().to_string();
    assert!(
        error.starts_with("`corpus.chunker.overlap`: ") && error.contains("`corpus.chunker.size` 5"),
        "{error}"
    );
    let error = chunker(ChunkerKind::Text, 0, 0, ChunkUnit::Words).unwrap_err().to_string();
    assert!(error.starts_with("`corpus.chunker.size`: "), "{error}");
}

#[test]
fn fixed_windows_end_with_the_text() {
    let cut = |size, overlap, unit, text| -> Vec<&str> {
        let chunker = chunker(ChunkerKind::Fixed, size, overlap, unit).unwrap();
        chunker.cut(text, false).iter().map(|piece| piece.text).collect()
    };
    assert_eq!(cut(3, 1, ChunkUnit::Characters, "aébcdef"), ["aéb", "bcd", "def"]);
    assert_eq!(cut(4, 0, ChunkUnit::Characters, "abcdef"), ["abcd", "ef"]);
    assert_eq!(cut(2, 1, ChunkUnit::Words, " one  two\nthree "), ["one  two", "two\nthree"]);
    assert_eq!(cut(9, 0, ChunkUnit::Words, "one"), ["one"]);
    assert_eq!(cut(usize::MAX, 0, ChunkUnit::Words, "one two"), ["one two"]);
}

#[test]
fn pieces_are_in_order_and_none_lies_within_another() {
    let text = "\u{a0}aa. \r\n\u{a0}---\n\t . ";
    let pieces = chunker(ChunkerKind::Markdown, 8, 3, ChunkUnit::Characters).unwrap().cut(text, true);
    assert_eq!(pieces.iter().map(|piece| (piece.start, piece.end)).collect::<Vec<_>>(), [(1, 4), (7, 15)]);
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        prop::collection::vec(
            prop::sample::select(vec![
                "a",
                "Wort",
                "é",
                "e\u{301}",
                "👩‍👩‍👧",
                "\r\n",
                "\n",
                "\n\n",
                " ",
                "\t",
                "\u{a0}",
                "\u{2003}",
                ". ",
                "! ",
                "# ",
                "## x\n",
                "- ",
                "1. ",
                "```\n",
                "> ",
                "|a|b|\n",
                "|-|-|\n",
                "**",
                "`",
                "<b>",
                "[x](y)",
                "---\n",
                "กขค",
                "日本語",
                "\u{feff}",
                "\0",
            ]),
            0..80
        )
        .prop_map(|parts| parts.concat()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn pieces_are_slices_within_the_size_that_cover_the_text(
        text in any_text(),
        kind in prop::sample::select(vec![ChunkerKind::Auto, ChunkerKind::Text, ChunkerKind::Markdown, ChunkerKind::Fixed]),
        unit in prop::sample::select(vec![ChunkUnit::Characters, ChunkUnit::Words]),
        (size, overlap) in (1usize..30).prop_flat_map(|size| (Just(size), 0..size)),
    ) {
        let chunker = chunker(kind, size, overlap, unit).unwrap();
        let scalars: Vec<char> = text.chars().collect();
        let mut covered = vec![false; scalars.len()];
        let pieces = chunker.cut(&text, true);
        for piece in &pieces {
            prop_assert_eq!(scalars[piece.start..piece.end].iter().collect::<String>(), piece.text);
            let length = match unit {
                ChunkUnit::Characters => piece.text.chars().count(),
                ChunkUnit::Words => piece.text.split_whitespace().count(),
            };
            prop_assert!(length <= size, "{} > {}: {:?}", length, size, piece.text);
            prop_assert!(!piece.text.trim().is_empty());
            covered[piece.start..piece.end].fill(true);
        }
        prop_assert!(pieces.is_sorted_by(|a, b| a.start <= b.start && a.end < b.end));
        for (at, character) in scalars.iter().enumerate() {
            prop_assert!(covered[at] || character.is_whitespace(), "{:?} at {} is in no piece", character, at);
        }
    }

    #[test]
    fn no_bytes_panic_the_reader(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let folder = tempfile::tempdir().unwrap();
        for name in ["c.jsonl", "c.md", "c.html"] {
            fs::write(folder.path().join(name), &bytes).unwrap();
        }
        let _ = Corpus::read(&settings(&folder.path().join("c.jsonl")));
        let _ = Corpus::read(&settings(folder.path()));
    }
}
