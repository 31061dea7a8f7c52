//! From a spreadsheet and a folder of documents to a verdict.

use insta::assert_snapshot;
use rankgate::evaluate::Means;
use rankgate::report::Report;
use rankgate_test::Project;

use crate::support::{fits, screen, with_example};

const CONFIG: &str = "examples/spreadsheet/rankgate.toml";
const QUESTIONS: &str = "examples/spreadsheet/questions.csv";

fn report(project: &Project) -> Report {
    let output = project.run(["run", "-c", CONFIG, "-o", "report.json"]);
    assert_eq!(output.status, 0, "{}{}", output.stdout, output.stderr);
    fits(&output);
    serde_json::from_str(&project.read("report.json")).unwrap()
}

#[test]
fn the_example_passes() {
    let project = with_example("spreadsheet");
    assert_snapshot!(screen(&project, ["run", "-c", CONFIG]), @r#"
    rankgate 0.0.0  warehouse-handbook  24 questions  bm25  depth 10  0.00 s

    PASS  all 5 rules passed
          every question has evidence in the top 3

    RULES                                        now      n  95 % interval
    ok     hit_rate@3 >= 0.90                   1.000     24  [.862, 1.00]
    ok     recall@5 >= 0.90                     1.000     24  [.862, 1.00]
    ok     each(category) hit_rate@3 >= 0.80    1.000     24  Inbound (n 6)
    ok     recall@5 where params.tenant =       1.000     17  [.816, 1.00]
             north >= 0.85
    ok     promises: critical in the top 3        8/8

    MEASURES                                    mean      n
    hit_rate@3                                 1.000     24
    recall@5                                   1.000     24
    mrr@5                                      1.000     24
    ndcg@5                                     1.000     24

    CATEGORY    n  hit_rate@3  recall@5   mrr@5  ndcg@5
    Inbound     6       1.000     1.000   1.000   1.000
    Outbound    8       1.000     1.000   1.000   1.000
    People      3       1.000     1.000   1.000   1.000
    Storage     7       1.000     1.000   1.000   1.000

    LABELS 31 by quote, 0 not retrieved   ERRORS 0
                                                                 exit 0: gate passed
    --- stderr
    --- exit 0
    "#);
    let report = report(&project);
    assert_eq!(report.labels.met.keys().collect::<Vec<_>>(), [&Means::Quote]);
    assert_eq!((report.labels.not_retrieved, report.labels.unknown), (0, 0));
    let mut categories: Vec<&str> = report.slices.iter().map(|slice| slice.value.as_str()).collect();
    categories.sort_unstable();
    assert_eq!(categories, ["Inbound", "Outbound", "People", "Storage"]);
    assert_eq!(report.questions.iter().filter(|question| question.critical).count(), 8);
    // The evidence of a question may be several quotes.
    let needs: Vec<usize> = report.questions.iter().map(|question| question.expected.len()).collect();
    assert_eq!((needs.iter().sum::<usize>(), needs.iter().max()), (31, Some(&2)));
    let filtered = screen(&project, ["run", "-c", CONFIG, "--where", "params.tenant=north"]);
    assert!(filtered.contains("17 of 24 questions"), "{filtered}");
    assert_snapshot!(screen(&project, ["check", "-c", CONFIG]), @r#"
    golden     examples/spreadsheet/questions.csv: 24 questions
               8 critical
               by category: Inbound 6, Outbound 8, People 3, Storage 7
    labels     31 by quote, 0 unknown to the corpus
    corpus     38 chunks of 12 documents, mean length 446 characters (folder cut by
               markdown(size 600, overlap 0, characters))
    retriever  bm25-v1 tokenizer=auto k1=1.2 b=0.75 ties=id-descending
               round_scores=none
               depth 10, level chunk
    measures   hit_rate@3, recall@5, mrr@5, ndcg@5
    gate       hit_rate@3 >= 0.90
               recall@5 >= 0.90
               each(category) hit_rate@3 >= 0.80
               recall@5 where params.tenant = north >= 0.85
    ok
    --- stderr
    --- exit 0
    "#);
}

/// The table as other programs save it: parted by semicolons, every cell in quotes.
fn with_semicolons(text: &str) -> String {
    let quoted = |cell: &str| match cell.strip_prefix('"') {
        Some(_) => cell.to_owned(),
        None => format!("\"{cell}\""),
    };
    let mut out = String::new();
    for row in text.lines() {
        let mut inside = false;
        let cells = row.split(|c: char| {
            inside ^= c == '"';
            c == ',' && !inside
        });
        out += &cells.map(quoted).collect::<Vec<_>>().join(";");
        out.push('\n');
    }
    out
}

#[test]
fn the_same_table_as_other_programs_save_it() {
    let project = with_example("spreadsheet");
    let plain = report(&project);
    let text = with_semicolons(&project.read(QUESTIONS)).replace('\n', "\r\n");
    let (windows, _, lost) = encoding_rs::WINDOWS_1252.encode(&text);
    assert!(!lost && !windows.is_ascii(), "the example has letters that tell the encodings apart");
    let utf16: Vec<u8> = std::iter::once('\u{feff}')
        .chain(text.chars())
        .flat_map(|c| c.encode_utf16(&mut [0; 2]).to_vec())
        .flat_map(u16::to_le_bytes)
        .collect();
    for (bytes, warnings) in
        [(format!("\u{feff}{text}").into_bytes(), 0), (windows.into_owned(), 1), (utf16, 0)]
    {
        project.write(QUESTIONS, bytes);
        let saved = report(&project);
        assert_eq!(saved.questions, plain.questions);
        assert_eq!(saved.labels, plain.labels);
        assert_eq!(saved.warnings.len(), warnings, "{:?}", saved.warnings);
    }
}

#[test]
fn windows_1252_is_read_and_said() {
    let project = with_example("spreadsheet");
    let text = project.read(QUESTIONS);
    project.write(QUESTIONS, &encoding_rs::WINDOWS_1252.encode(&text).0);
    let output = project.run(["check", "-c", CONFIG]);
    assert_snapshot!(output.stderr, @r#"
    warning: examples/spreadsheet/questions.csv: not UTF-8: read as Windows-1252
      hint: save it as `CSV UTF-8` if letters with accents look wrong
    "#);
    assert_eq!(output.status, 0);
}

#[test]
fn mistakes_are_named_by_their_row() {
    let project = with_example("spreadsheet");
    let text = project.read(QUESTIONS);
    let mut rows: Vec<String> = text.lines().map(String::from).collect();
    rows[2] = rows[2].replace("before you sign", "before you sing");
    rows[4] = rows[4].replace("inbound/damaged-goods.md", "inbound/damaged.md");
    rows[6] = rows[6].replacen("H06", "H01", 1);
    rows[8].push_str(",extra");
    // A blank row and a cell of two lines do not shift what follows.
    rows.insert(1, String::new());
    project.write(
        QUESTIONS,
        rows.join("\n") + "\nH99,\"two\nlines\",inbound/receiving.md,nowhere,Inbound,perhaps,north\n",
    );
    let output = project.run(["run", "-c", CONFIG]);
    assert_eq!((output.status, output.stdout.as_str()), (2, ""));
    assert_snapshot!(output.stderr, @r#"
    error: examples/spreadsheet/questions.csv:10: 8 cells, and the header has 7
    hint: put double quotes around a cell that holds the delimiter
    error: examples/spreadsheet/questions.csv:8 (H01) `id`: the id is taken by line 3 already
    hint: give every question an id of its own
    error: examples/spreadsheet/questions.csv:27 (H99) `critical`: yes or no is wanted here, not `perhaps`
    "#);
    // What only the corpus can tell comes when the table itself is right.
    rows[9] = rows[9].trim_end_matches(",extra").to_owned();
    rows[7] = rows[7].replacen("H01", "H06", 1);
    project.write(QUESTIONS, rows.join("\n"));
    let output = project.run(["run", "-c", CONFIG]);
    assert_eq!((output.status, output.stdout.as_str()), (2, ""));
    assert_snapshot!(output.stderr, @r#"
    error: examples/spreadsheet/questions.csv:4 (H02) `expected`: the quote "If the count is off by more than two cartons, call the buyer before you sing." does not stand in `inbound/receiving.md`
    hint: a quote is compared letter by letter; only white space may differ
    error: examples/spreadsheet/questions.csv:6 (H04) `expected`: document `inbound/damaged.md` is not in the corpus
    hint: did you mean `inbound/damaged-goods.md`?
    "#);
}

#[test]
fn a_column_that_is_not_there() {
    let project = with_example("spreadsheet");
    project.write(CONFIG, project.read(CONFIG).replace("query = \"Question\"", "query = \"Questions\""));
    let output = project.run(["run", "-c", CONFIG]);
    assert_eq!((output.status, output.stdout.as_str()), (2, ""));
    assert_snapshot!(output.stderr, @r#"
    error: examples/spreadsheet/questions.csv:1 `query`: there is no column `Questions`
    hint: did you mean `Question`? the columns are ID, Question, Source file, Evidence, Area, Must work, Tenant
    "#);
}
