//! Run files in JSON: one object for the whole run, or JSON Lines.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::path::Path;

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::order::{ByQuery, Scored};
use super::{Duplicates, Order, RunFile, RunList, input};
use crate::formats::json::{self, FromAny, Key, Scalar};
use crate::formats::record::Record;
use crate::retriever::Hit;
use crate::{Place, Problem};

const QUERY_KEYS: [&str; 3] = ["query_id", "qid", "id"];
const LIST_KEYS: [&str; 3] = ["retrieved", "results", "hits"];

/// Whether a line that starts with `{` is a record of a JSON Lines run, and not (the start of) an object whose keys
/// are queries: a query key holds a single value there, or a list key a list. A line that breaks off is judged by
/// what stands before.
pub(super) fn is_record(line: &str) -> bool {
    let mut seen = false;
    let mut deserializer = serde_json::Deserializer::from_str(line);
    // The answer is in `seen`; a syntax error is for the reader to report.
    let _ = deserializer.deserialize_map(Signs(&mut seen));
    seen
}

struct Signs<'s>(&'s mut bool);

impl<'de> Visitor<'de> for Signs<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(Key(key)) = map.next_key()? {
            if LIST_KEYS.contains(&&*key) {
                // Set first: a line that breaks off inside its list is a record all the same.
                *self.0 = true;
                *self.0 = map.next_value::<Scalar<'_>>()? == Scalar::List;
            } else if QUERY_KEYS.contains(&&*key) {
                *self.0 = !matches!(map.next_value::<Scalar<'_>>()?, Scalar::List | Scalar::Object);
            } else {
                map.next_value::<IgnoredAny>()?;
            }
            if *self.0 {
                break;
            }
        }
        Ok(())
    }
}

/// One line of a JSON Lines run: a query with its list, or a query with one result.
#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow, default)]
    query_id: Scalar<'a>,
    #[serde(borrow, default)]
    qid: Scalar<'a>,
    #[serde(borrow, default)]
    id: Scalar<'a>,
    #[serde(borrow, default, alias = "results", alias = "hits")]
    retrieved: Option<Items<'a>>,
    #[serde(borrow, default)]
    chunk_id: Scalar<'a>,
    #[serde(borrow, default)]
    doc_id: Scalar<'a>,
    #[serde(borrow, default)]
    doc: Scalar<'a>,
    #[serde(borrow, default)]
    start: Scalar<'a>,
    #[serde(borrow, default)]
    end: Scalar<'a>,
    #[serde(borrow, default)]
    text: Scalar<'a>,
    #[serde(borrow, default)]
    score: Scalar<'a>,
}

/// What a line holds, once its query is known.
enum Content<'a> {
    List(Items<'a>),
    Result(Box<Record<'a>>),
}

impl<'a> Line<'a> {
    fn parts(self, place: &Place, problems: &mut Vec<Problem>) -> Option<(Cow<'a, str>, Content<'a>)> {
        let ids = [("query_id", self.query_id), ("qid", self.qid), ("id", self.id)];
        let Some((field, query)) = ids.into_iter().find(|(_, id)| *id != Scalar::Absent) else {
            let hint = "expected `query_id`, `qid` or `id`";
            problems.push(Problem::new(place.clone(), "no query id").hint(hint));
            return None;
        };
        let refused = |what| problems.push(Problem::new(place.clone().field(field), what));
        let query = query.id().map_err(refused).ok()?;
        if let Some(items) = self.retrieved {
            return Some((query, Content::List(items)));
        }
        let (chunk_id, doc_id) = (self.chunk_id, self.doc_id);
        if chunk_id == Scalar::Absent && doc_id == Scalar::Absent {
            let hint =
                "expected a list in `retrieved`, `results` or `hits`, or a result in `doc_id` and `score`";
            problems.push(Problem::new(place.clone().of(query), "neither a list nor a result").hint(hint));
            return None;
        }
        let Self { doc, start, end, text, score, .. } = self;
        let record = Record { chunk_id, doc_id, doc, start, end, text, score, ..Record::default() };
        Some((query, Content::Result(Box::new(record))))
    }
}

/// Reads JSON Lines. The first line decides between lists in order and single results with scores.
pub(super) fn read_lines(
    text: &str,
    path: &Path,
    duplicates: Duplicates,
    problems: &mut Vec<Problem>,
) -> RunFile {
    let mut ordered = Ordered::new(path);
    let mut scored = ByQuery::default();
    let mut order = None;
    for (number, line) in input::lines(text) {
        if problems.len() >= input::MOST_PROBLEMS {
            problems.push(Problem::new(Place::line(path, number), "too many problems: not read further"));
            break;
        }
        let place = Place::line(path, number);
        let Some((query, content)) = json::object_on_line::<Line<'_>>(path, number, line, problems)
            .and_then(|line| line.parts(&place, problems))
        else {
            continue;
        };
        let here = if matches!(content, Content::List(_)) { Order::AsGiven } else { Order::ByScore };
        if *order.get_or_insert(here) != here {
            problems.push(mixed(place.of(query)));
            continue;
        }
        match content {
            Content::List(items) => ordered.add(query, items, Some(number), problems),
            Content::Result(record) => {
                if let Some((hit, score)) = scored_hit(*record, &place.clone().of(&*query), problems)
                    && let Some(results) = scored.of(query)
                {
                    results.push(Scored { item: hit, score, rank: None, line: Some(number) });
                }
            }
        }
    }
    match order {
        Some(Order::ByScore) => scored.into_run(path, duplicates, problems),
        _ => ordered.into_run(),
    }
}

fn scored_hit(record: Record<'_>, place: &Place, problems: &mut Vec<Problem>) -> Option<(Hit, f64)> {
    let hit = record.hit(|| place.clone(), problems)?;
    let Some(score) = hit.score else {
        let what = format!("the result `{}` has no score", hit.id);
        problems.push(Problem::new(place.clone().field("score"), what));
        return None;
    };
    Some((hit, score))
}

fn mixed(place: Place) -> Problem {
    Problem::new(place, "lists in order and results with scores in one run")
        .hint("the order of a run comes either from the file or from the scores")
}

/// Lists that are in order already.
struct Ordered<'p> {
    path: &'p Path,
    lists: Vec<RunList>,
    lines: HashMap<String, Option<usize>>,
}

impl<'p> Ordered<'p> {
    fn new(path: &'p Path) -> Self {
        Self { path, lists: Vec::new(), lines: HashMap::new() }
    }

    fn add(
        &mut self,
        query: Cow<'_, str>,
        items: Items<'_>,
        line: Option<usize>,
        problems: &mut Vec<Problem>,
    ) {
        let query = query.into_owned();
        let place = || Place { line, ..Place::file(self.path) }.of(&query);
        if let Some(first) = self.lines.get(&query) {
            let what = match first {
                Some(first) => format!("the query is already on line {first}"),
                None => "the query stands here twice".to_owned(),
            };
            problems.push(Problem::new(place(), what).hint("a run answers every query once"));
            return;
        }
        let mut hits = Vec::with_capacity(items.0.len());
        let mut faults = Faults::default();
        for (index, item) in items.0.into_iter().enumerate() {
            let mut found = Vec::new();
            hits.extend(item.hit(place, &mut found));
            faults.of_hit(index + 1, found);
        }
        faults.told_in(problems);
        self.lines.insert(query.clone(), line);
        self.lists.push(RunList { query, hits, repeats: 0, tied: false });
    }

    fn into_run(self) -> RunFile {
        RunFile::new(self.lists, Order::AsGiven, Vec::new())
    }
}

/// What is wrong with the hits of one list: each kind of fault is told once, at the first hit that has it.
#[derive(Default)]
struct Faults(Vec<Fault>);

struct Fault {
    problem: Problem,
    position: usize,
    count: usize,
}

impl Faults {
    fn of_hit(&mut self, position: usize, found: Vec<Problem>) {
        for problem in found {
            match self.0.iter_mut().find(|known| known.problem == problem) {
                Some(known) => known.count += 1,
                None => self.0.push(Fault { problem, position, count: 1 }),
            }
        }
    }

    fn told_in(self, problems: &mut Vec<Problem>) {
        problems.extend(self.0.into_iter().map(|Fault { problem, position, count }| {
            let more = match count {
                1 => String::new(),
                2 => " (and 1 more hit)".to_owned(),
                count => format!(" (and {} more hits)", count - 1),
            };
            Problem { what: format!("hit {position} of the list: {}{more}", problem.what), ..problem }
        }));
    }
}

/// Reads one object whose keys are queries, with a score for each id or a list in order.
pub(super) fn read_map(
    text: &str,
    path: &Path,
    duplicates: Duplicates,
    problems: &mut Vec<Problem>,
) -> RunFile {
    let mut ordered = Ordered::new(path);
    let mut scored = ByQuery::default();
    let mut order = None;
    let queries = match serde_json::from_str::<Queries<'_>>(text) {
        Ok(Queries(queries)) => queries,
        Err(error) => {
            problems.push(json::problem(path, 1, text, &error));
            return ordered.into_run();
        }
    };
    for (Key(query), answer) in queries {
        let place = Place::file(path).of(&*query);
        let here = if matches!(answer, Lists::Items(_)) { Order::AsGiven } else { Order::ByScore };
        if *order.get_or_insert(here) != here && !matches!(answer, Lists::Other) {
            problems.push(mixed(place));
            continue;
        }
        match answer {
            Lists::Items(items) => ordered.add(query, items, None, problems),
            Lists::Scores(by_id) => {
                let Some(results) = scored.of(query) else { continue };
                if !results.is_empty() {
                    problems.push(Problem::new(place.clone(), "the query stands here twice"));
                }
                for (Key(id), score) in by_id {
                    match score.score() {
                        Ok(Some(score)) => results.push(Scored { item: id, score, rank: None, line: None }),
                        Ok(None) => problems.push(Problem::new(place.clone().field(&*id), "no score")),
                        Err(what) => problems.push(Problem::new(place.clone().field(&*id), what)),
                    }
                }
            }
            Lists::Other => problems.push(
                Problem::new(place, "neither scores by id nor a list of results")
                    .hint("a run is {query: {id: score}}, {query: [id, …]}, or one record on every line"),
            ),
        }
    }
    match order {
        Some(Order::ByScore) => scored.into_run(path, duplicates, problems),
        _ => ordered.into_run(),
    }
}

/// The entries of an object as they stand, so that a key that comes twice is seen.
struct Queries<'a>(Vec<(Key<'a>, Lists<'a>)>);

enum Lists<'a> {
    Scores(Vec<(Key<'a>, Scalar<'a>)>),
    Items(Items<'a>),
    Other,
}

/// A list of ids, or of hits.
struct Items<'a>(Vec<Item<'a>>);

enum Item<'a> {
    Id(Scalar<'a>),
    Hit(Box<Record<'a>>),
}

impl Item<'_> {
    fn hit(self, place: impl Fn() -> Place, problems: &mut Vec<Problem>) -> Option<Hit> {
        match self {
            Self::Id(id) => match id.id() {
                Ok(id) => Some(Hit { id: id.into(), ..Hit::default() }),
                Err(what) => {
                    problems.push(Problem::new(place(), what));
                    None
                }
            },
            Self::Hit(record) => record.hit(place, problems),
        }
    }
}

impl<'de> FromAny<'de> for Item<'de> {
    fn scalar(value: Scalar<'de>) -> Self {
        Self::Id(value)
    }

    fn object<A: MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        Record::deserialize(MapAccessDeserializer::new(map)).map(|record| Self::Hit(Box::new(record)))
    }
}

impl<'de> FromAny<'de> for Lists<'de> {
    fn scalar(_: Scalar<'de>) -> Self {
        Self::Other
    }

    fn list<A: SeqAccess<'de>>(list: A) -> Result<Self, A::Error> {
        ItemsVisitor.visit_seq(list).map(Self::Items)
    }

    fn object<A: MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        entries(map).map(Self::Scores)
    }
}

impl<'de> Deserialize<'de> for Item<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        json::any(deserializer)
    }
}

impl<'de> Deserialize<'de> for Lists<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        json::any(deserializer)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Items<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(ItemsVisitor)
    }
}

impl<'de> Deserialize<'de> for Queries<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(QueriesVisitor)
    }
}

struct ItemsVisitor;

impl<'de> Visitor<'de> for ItemsVisitor {
    type Value = Items<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of ids or hits")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut items = Vec::with_capacity(list.size_hint().unwrap_or(0));
        while let Some(item) = list.next_element()? {
            items.push(item);
        }
        Ok(Items(items))
    }
}

struct QueriesVisitor;

impl<'de> Visitor<'de> for QueriesVisitor {
    type Value = Queries<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object whose keys are query ids")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        entries(map).map(Queries)
    }
}

fn entries<'de, A: MapAccess<'de>, K: Deserialize<'de>, V: Deserialize<'de>>(
    mut map: A,
) -> Result<Vec<(K, V)>, A::Error> {
    let mut entries = Vec::new();
    while let Some(entry) = map.next_entry()? {
        entries.push(entry);
    }
    Ok(entries)
}
