//! `bm25`: Lucene's BM25 (k1 1.2, b 0.75) over an in-memory tantivy index.
//!
//! tantivy holds the postings and the formula; the walk over them is done here, term by term in the order of the
//! question, into one sum per chunk. Its own top-k collectors skip documents that cannot get in and add up scores
//! in an order that depends on the other documents: equal texts may then differ in the last bit, and which of
//! several tied documents is kept at the cut is chance. Here equal texts have equal scores and the rule of ties
//! holds to the last place.

mod terms;

use std::sync::{Arc, Mutex, PoisonError};

use hashbrown::HashMap;
use rankgate::config::{Bm25Settings, Bm25Tokenizer};
use rankgate::corpus::Corpus;
use rankgate::error::{Place, Problem};
use rankgate::retriever::{Hit, Question, RetrieveError, Retriever, RetrieverInfo};
use rankgate::{Id, Result};
use tantivy::directory::RamDirectory;
use tantivy::fieldnorm::FieldNormReader;
use tantivy::query::Bm25Weight;
use tantivy::schema::{Field, IndexRecordOption, Schema, TextFieldIndexing, TextOptions};
use tantivy::tokenizer::TokenizerManager;
use tantivy::{Index, InvertedIndexReader, SegmentReader, TantivyDocument, TantivyError, Term};

use self::terms::{TermTokenizer, Terms};
use crate::select::{self, Rounding, Sums};

/// Raised when a change here may change a ranking.
const VERSION: &str = "bm25-v1";

/// The name under which the index knows its tokenizer.
const TOKENIZER: &str = "rankgate";

/// Sizes the writer's first hash table; it grows as needed.
const WRITER_BUDGET: usize = 50_000_000;

/// The writer addresses its memory in 32 bits; well before they run out the corpus is called too large.
const WRITER_LIMIT: usize = 3 << 30;

/// An in-memory index that ranks by BM25.
pub struct Bm25 {
    settings: Bm25Settings,
    rounding: Rounding,
    /// Nothing for a corpus without chunks.
    index: Option<Segment>,
    ids: Vec<Id>,
    idle: Mutex<Vec<Sums>>,
}

/// The one segment of the index, opened.
struct Segment {
    field: Field,
    postings: Arc<InvertedIndexReader>,
    lengths: FieldNormReader,
    /// Kept since the rest reads from it.
    reader: SegmentReader,
}

impl Bm25 {
    /// Indexes a corpus.
    pub fn new(settings: &Bm25Settings, corpus: &Corpus) -> Result<Self> {
        crate::check_size(corpus)?;
        let chunks = select::tie_order(corpus, settings.ties);
        let texts = chunks.iter().map(|chunk| chunk.indexed_text().into_owned());
        let index = if chunks.is_empty() {
            None
        } else {
            let segment = Segment::write(texts, settings.tokenizer);
            Some(segment.map_err(|error| {
                let what = format!("the corpus cannot be indexed: {error}");
                Problem::new(Place::default().field("corpus.path"), what)
            })?)
        };
        let ids = chunks.iter().map(|chunk| chunk.id.as_str().into()).collect();
        let rounding = Rounding::new(settings.round_scores);
        Ok(Self { settings: settings.clone(), rounding, index, ids, idle: Mutex::default() })
    }

    /// How many terms the corpus has.
    pub fn vocabulary_size(&self) -> usize {
        self.index.as_ref().map_or(0, |segment| segment.postings.terms().num_terms())
    }

    /// Whether the corpus has this term, which is lower-case.
    pub fn contains_term(&self, term: &str) -> bool {
        self.index.as_ref().is_some_and(|segment| {
            let term = Term::from_field_text(segment.field, term);
            segment.postings.get_term_info(&term).is_ok_and(|info| info.is_some())
        })
    }
}

impl Retriever for Bm25 {
    fn info(&self) -> RetrieverInfo {
        let tokenizer = match self.settings.tokenizer {
            Bm25Tokenizer::Auto => "auto",
            Bm25Tokenizer::Words => "words",
            Bm25Tokenizer::Bigrams => "bigrams",
        };
        let round_scores = self.settings.round_scores.map_or_else(|| "none".to_owned(), |d| d.to_string());
        RetrieverInfo {
            kind: "bm25",
            fingerprint: format!(
                "{VERSION} tokenizer={tokenizer} k1=1.2 b=0.75 ties={} round_scores={round_scores}",
                self.settings.ties.name(),
            ),
            embedding_model_version: None,
            exhaustive: true,
            ties: Some(self.settings.ties.name()),
            timed: true,
            recorded: None,
            warnings: Vec::new(),
            facts: vec![("vocabulary".into(), self.vocabulary_size().to_string())],
        }
    }

    fn retrieve(&self, question: &Question<'_>) -> Result<Vec<Hit>, RetrieveError> {
        let Some(segment) = &self.index else { return Ok(Vec::new()) };
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut sums = idle.unwrap_or_else(|| Sums::new(self.ids.len()));
        // On an error the sums are dropped half filled, and the next question starts with new ones.
        segment
            .add_scores(&question.query.to_lowercase(), self.settings.tokenizer, &mut sums)
            .map_err(|error| RetrieveError::Failed(error.to_string()))?;
        let ranking = sums.take_best(question.depth, self.rounding);
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(sums);
        Ok(select::hits(&ranking, &self.ids))
    }

    fn terms(&self, text: &str) -> Option<Vec<String>> {
        let lower = text.to_lowercase();
        let terms = Terms::of(&lower, self.settings.tokenizer).map(str::to_owned).collect();
        Some(select::each_once(terms))
    }
}

impl Segment {
    /// Writes the texts into one segment, on this thread: document numbers are then the order of the texts.
    fn write(texts: impl Iterator<Item = String>, tokenizer: Bm25Tokenizer) -> tantivy::Result<Self> {
        let mut schema = Schema::builder();
        let indexing = TextFieldIndexing::default()
            .set_tokenizer(TOKENIZER)
            .set_index_option(IndexRecordOption::WithFreqs)
            .set_fieldnorms(true);
        let field = schema.add_text_field("text", TextOptions::default().set_indexing_options(indexing));
        let tokenizers = TokenizerManager::new();
        tokenizers.register(TOKENIZER, TermTokenizer::new(tokenizer));
        let mut writer = Index::builder()
            .schema(schema.build())
            .tokenizers(tokenizers)
            .single_segment_index_writer(RamDirectory::create(), WRITER_BUDGET)?;
        for text in texts {
            let mut document = TantivyDocument::new();
            document.add_text(field, text);
            writer.add_document(document)?;
            if writer.mem_usage() > WRITER_LIMIT {
                return Err(TantivyError::InvalidArgument("it is too large for one segment".into()));
            }
        }
        let index = writer.finalize()?;
        let segments = index.searchable_segments()?;
        let [segment] = segments.as_slice() else {
            return Err(TantivyError::InternalError(format!("{} segments, not one", segments.len())));
        };
        let reader = SegmentReader::open(segment)?;
        Ok(Self {
            field,
            postings: reader.inverted_index(field)?,
            lengths: reader.get_fieldnorms_reader(field)?,
            reader,
        })
    }

    /// Adds the score of each document for a lower-case question. A word that is repeated counts each time.
    fn add_scores(&self, query: &str, tokenizer: Bm25Tokenizer, sums: &mut Sums) -> tantivy::Result<()> {
        let documents = u64::from(self.reader.max_doc());
        #[expect(clippy::cast_possible_truncation, reason = "tantivy's own arithmetic is in f32")]
        let mean_length = (self.postings.total_num_tokens() as f64 / documents as f64) as f32;
        for (text, times) in counted(Terms::of(query, tokenizer)) {
            let term = Term::from_field_text(self.field, text);
            let Some(info) = self.postings.get_term_info(&term)? else { continue };
            let weight =
                Bm25Weight::for_one_term_without_explain(u64::from(info.doc_freq), documents, mean_length);
            let mut block =
                self.postings.read_block_postings_from_terminfo(&info, IndexRecordOption::WithFreqs)?;
            while !block.docs().is_empty() {
                for (document, frequency) in block.docs().iter().zip(block.freqs()) {
                    let score = weight.score(self.lengths.fieldnorm_id(*document), *frequency);
                    sums.add(*document, times * f64::from(score));
                }
                block.advance();
            }
        }
        Ok(())
    }
}

/// The distinct terms in order of first appearance, and how often each occurs.
fn counted(terms: Terms<'_>) -> Vec<(&str, f64)> {
    let mut counts: Vec<(&str, f64)> = Vec::new();
    let mut slots: HashMap<&str, usize> = HashMap::new();
    for term in terms {
        let slot = *slots.entry(term).or_insert(counts.len());
        match counts.get_mut(slot) {
            Some((_, times)) => *times += 1.0,
            None => counts.push((term, 1.0)),
        }
    }
    counts
}
