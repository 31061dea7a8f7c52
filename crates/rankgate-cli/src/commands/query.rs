//! `query`: one question, its hits beside the expected evidence.

use std::borrow::Cow;

use rankgate::corpus::Corpus;
use rankgate::error::nearest;
use rankgate::evaluate::{CaseScore, Label, evaluate};
use rankgate::golden::evidence::{Whereabouts, whereabouts};
use rankgate::golden::{Anchor, Case};
use rankgate::line::Suite;
use rankgate::privacy::{Redaction, names};
use rankgate::ranking::{Answer, Lookup, Ranking, Rankings};
use rankgate::retriever::{Hit, Question, Retriever};
use rankgate::text::{clip, fit, printable, width, wrap};
use rankgate::{Place, Problem, Result};

use crate::args::{GlobalArgs, QueryArgs};
use crate::exit_status::ExitStatus;
use crate::printer::Printer;
use crate::resolve::resolved;

/// Columns of the screen.
const COLUMNS: usize = 80;
/// Lines of each text that are shown.
const LINES: usize = 3;

/// Asks one question and shows what came back.
pub fn run(global: &GlobalArgs, args: &QueryArgs, printer: &mut Printer) -> Result<ExitStatus> {
    let resolved = resolved(global, Vec::new(), printer)?;
    if !Redaction::terminal(&resolved.settings.privacy).shows_all() {
        let what = "`query` shows texts and ids, and [privacy] hides some of them";
        return Err(Problem::new(Place::default(), what)
            .hint("--set privacy.text=full --set privacy.ids=plain shows them here, this time")
            .into());
    }
    let suite = Suite::read(resolved)?;
    let retriever = rankgate_retrievers::of(&suite)?;
    let depth = suite.depth().max(args.k.get() as usize);
    let lookup = suite.lookup()?;
    let mut page = Page {
        out: String::new(),
        suite: &suite,
        lookup: &lookup,
        retriever: retriever.as_ref(),
        k: args.k.get() as usize,
    };
    if let Some(text) = &args.text {
        let params = serde_json::Map::new();
        let question = Question { id: "", query: text, params: &params, depth };
        let hits = retriever.retrieve(&question).map_err(|error| failed(text, &error.to_string()))?;
        page.title("", text);
        page.read_as(text);
        page.hits(&hits, None, |_| Label::Unjudged);
    } else {
        let (index, case) = find(&suite, args.case.as_deref().unwrap_or_default())?;
        let rankings = suite.ask(&[index], retriever.as_ref(), depth);
        let policy = suite.policy(&suite.info(retriever.as_ref()));
        let scores = evaluate(&suite.golden, rankings.clone(), &lookup, &policy, depth);
        if let Some(Ranking { answer: Answer::Failed(message), .. }) = rankings.rankings.first() {
            return Err(failed(&case.id, message));
        }
        page.case(case);
        page.read_as(&case.query);
        if let Some(score) = scores.cases.first() {
            page.expected(case, score);
            page.answers(case, &rankings, score);
        }
    }
    printer.result(page.out);
    Ok(ExitStatus::Passed)
}

fn failed(question: &str, message: &str) -> rankgate::Error {
    Problem::new(Place::default().of(printable(question)), format!("the retriever failed: {message}")).into()
}

fn find<'a>(suite: &'a Suite, id: &str) -> Result<(usize, &'a Case)> {
    let found = suite.golden.cases.iter().enumerate().find(|(_, case)| names(id, &case.id));
    Ok(found.ok_or_else(|| {
        let problem = Problem::new(Place::file(&suite.golden.path), format!("no question has the id `{id}`"));
        match nearest(id, suite.golden.cases.iter().map(|case| case.id.as_str())) {
            Some(near) => {
                problem.hint(format!("did you mean `{near}`? Any other question goes after `--text`"))
            }
            None => problem.hint("any other question goes after `--text`"),
        }
    })?)
}

struct Page<'a> {
    out: String,
    suite: &'a Suite,
    lookup: &'a Lookup<'a>,
    retriever: &'a dyn Retriever,
    k: usize,
}

impl Page<'_> {
    fn line(&mut self, text: &str) {
        self.out.push_str(text.trim_end());
        self.out.push('\n');
    }

    /// The question behind its id, over as many lines as it takes.
    fn title(&mut self, id: &str, query: &str) {
        let id = if id.is_empty() { String::new() } else { format!("{}  ", clip(&printable(id), 40)) };
        let indent = width(&id);
        for (index, line) in wrap(&printable(query), COLUMNS - indent).iter().enumerate() {
            self.line(&if index == 0 { format!("{id}{line}") } else { format!("{:indent$}{line}", "") });
        }
    }

    fn case(&mut self, case: &Case) {
        self.title(&case.id, &case.query);
        let mut facts: Vec<String> =
            case.category.iter().map(|category| format!("category {category}")).collect();
        if case.critical {
            facts.push("critical".into());
        }
        facts.extend(case.must_rank_within.map(|rank| format!("must rank within {rank}")));
        facts.extend(case.quarantine.iter().map(|reason| format!("quarantined: {reason}")));
        if !case.answerable {
            facts.push("unanswerable: nothing should come back".into());
        }
        if !case.params.is_empty() {
            facts.push(format!("params {}", serde_json::Value::from(case.params.clone())));
        }
        if !facts.is_empty() {
            for line in wrap(&printable(&facts.join(", ")), COLUMNS - 5) {
                self.line(&format!("     {line}"));
            }
        }
    }

    /// What the question is to the retriever: half of all lost evidence is lost here.
    fn read_as(&mut self, query: &str) {
        let Some(terms) = self.retriever.terms(query) else { return };
        let text = if terms.is_empty() { "nothing at all".to_owned() } else { terms.join(" ") };
        self.line("");
        for (index, line) in wrap(&printable(&text), COLUMNS - 9).iter().take(LINES).enumerate() {
            self.line(&format!("{:9}{line}", if index == 0 { "READ AS" } else { "" }));
        }
    }

    fn expected(&mut self, case: &Case, score: &CaseScore) {
        if case.needs.is_empty() {
            return;
        }
        self.line("\nEXPECTED");
        for (need, met) in case.needs.iter().zip(&score.needs) {
            let rank = met.rank.map_or("none".to_owned(), |rank| format!("rank {rank}"));
            let names: Vec<String> = need.alternatives.iter().map(ToString::to_string).collect();
            let grade = if need.grade == 1 { String::new() } else { format!(", grade {}", need.grade) };
            let told = format!("{rank:9}{}{grade}", printable(&names.join(" or ")));
            self.line(&clip(&told, COLUMNS));
            let suite = self.suite;
            if let Some(text) = need.alternatives.iter().find_map(|anchor| expected_text(suite, anchor)) {
                self.text(&text);
                self.shared(&case.query, &text);
            }
            if met.rank.is_none() {
                need.alternatives.iter().for_each(|anchor| self.stands(anchor));
            }
        }
    }

    /// Where evidence stands that was not found: what the retriever should have returned.
    fn stands(&mut self, anchor: &Anchor) {
        let Some(corpus) = &self.suite.corpus else { return };
        let coverage = self.suite.settings().measures.coverage;
        let told = match whereabouts(anchor, corpus, coverage) {
            None => return,
            Some(Whereabouts::In(chunks)) => format!("stands in {}", some(&chunks)),
            Some(Whereabouts::Cut(chunks)) => match (chunks.first(), chunks.last()) {
                (Some(first), Some(last)) if first != last => {
                    format!("no single chunk holds it: it is cut between {first} and {last}")
                }
                (Some(only), _) => format!("no chunk holds enough of it; a part stands in {only}"),
                _ => "no single chunk holds it whole: it is cut".to_owned(),
            },
            Some(Whereabouts::Nowhere) => "stands nowhere in the corpus".to_owned(),
        };
        for line in wrap(&printable(&told), COLUMNS - 9) {
            self.line(&format!("         {line}"));
        }
    }

    /// The words that question and evidence have in common, as the retriever sees them.
    fn shared(&mut self, query: &str, text: &str) {
        let (Some(asked), Some(there)) = (self.retriever.terms(query), self.retriever.terms(text)) else {
            return;
        };
        let shared: Vec<&str> =
            asked.iter().filter(|term| there.contains(term)).map(String::as_str).collect();
        let shared = if shared.is_empty() { "nothing".to_owned() } else { shared.join(" ") };
        self.line(&clip(&format!("         shares: {}", printable(&shared)), COLUMNS));
    }

    fn answers(&mut self, case: &Case, rankings: &Rankings, score: &CaseScore) {
        let hits = rankings.rankings.first().map(Ranking::hits).unwrap_or_default();
        let label_of = |hit: &Hit| {
            let document = self.lookup.document(hit);
            let place = score.places.iter().find(|place| place.id == hit.id || place.id == document);
            place.map_or(Label::Unjudged, |place| place.label)
        };
        let labels: Vec<Label> = hits.iter().map(label_of).collect();
        let mut labels = labels.into_iter();
        let min_score = self.suite.settings().retriever.min_score;
        let answers_from = (!case.answerable).then(|| min_score.unwrap_or(f64::NEG_INFINITY));
        if answers_from.is_some() {
            let least = min_score.map_or("not set: every hit (*) is an answer".to_owned(), |least| {
                format!("{least}: a hit at or above it (*) is an answer")
            });
            self.line(&format!("\nMIN SCORE  {least}"));
        }
        self.hits(hits, answers_from, |_| labels.next().unwrap_or(Label::Unjudged));
    }

    /// The hits with their texts. Where none should be an answer, `answers_from` is the least score
    /// of one.
    fn hits(&mut self, hits: &[Hit], answers_from: Option<f64>, mut label: impl FnMut(&Hit) -> Label) {
        let shown = hits.len().min(self.k);
        let of =
            if shown < hits.len() { format!("{shown} of {}", hits.len()) } else { hits.len().to_string() };
        if hits.is_empty() {
            self.line("\nHITS none");
            return;
        }
        self.line(&format!("\nHITS {of}   (+ expected, - judged not relevant, ! forbidden)"));
        for (index, hit) in hits.iter().take(self.k).enumerate() {
            let mark = match label(hit) {
                Label::Relevant => "+",
                Label::NotRelevant => "-",
                Label::Forbidden => "!",
                Label::Unjudged if answers_from.is_some_and(|least| is_answer(hit, least)) => "*",
                Label::Unjudged => " ",
            };
            let score = hit.score.map_or(String::new(), |score| format!("{score:.4}"));
            self.line(&format!("{:>3} {mark} {} {score:>10}", index + 1, fit(&printable(&hit.id), 62)));
            let whole = || document_text(self.suite.corpus.as_ref()?, &hit.id);
            if let Some(text) = self.lookup.text(hit).map(Cow::Borrowed).or_else(whole) {
                self.text(&text);
            }
        }
    }

    fn text(&mut self, text: &str) {
        let lines = wrap(&printable(text), COLUMNS - 11);
        for (index, line) in lines.iter().take(LINES).enumerate() {
            let more = if index + 1 == LINES && lines.len() > LINES { " …" } else { "" };
            self.line(&format!("         {line}{more}"));
        }
    }
}

/// Whether a hit counts where there should be none. One without a score does.
fn is_answer(hit: &Hit, least: f64) -> bool {
    hit.score.is_none_or(|score| score >= least)
}

/// Some ids, and that there are more.
fn some(ids: &[String]) -> String {
    const SHOWN: usize = 5;
    let more = if ids.len() > SHOWN { ", ..." } else { "" };
    format!("{}{more}", ids.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(", "))
}

/// The text of expected evidence, where it is known.
fn expected_text<'a>(suite: &'a Suite, anchor: &'a Anchor) -> Option<Cow<'a, str>> {
    match anchor {
        Anchor::Quote { text, .. } | Anchor::Span { quote: Some(text), .. } => Some(text.into()),
        Anchor::Chunk { id, .. } => suite.corpus.as_ref()?.get(id).map(|chunk| chunk.text.as_str().into()),
        Anchor::Span { doc, span, quote: None } => {
            let text = suite.corpus.as_ref()?.document_text(doc)?;
            Some(text.chars().skip(span.start).take(span.end - span.start).collect::<String>().into())
        }
        Anchor::Document { id } => document_text(suite.corpus.as_ref()?, id),
    }
}

/// The text of a document, or what its chunks say one after the other.
fn document_text<'a>(corpus: &'a Corpus, id: &str) -> Option<Cow<'a, str>> {
    if let Some(text) = corpus.document_text(id) {
        return Some(text.into());
    }
    let texts: Vec<&str> = corpus
        .chunks()
        .iter()
        .filter(|chunk| chunk.document() == id)
        .map(|chunk| chunk.text.as_str())
        .collect();
    (!texts.is_empty()).then(|| texts.join(" ").into())
}
