//! `tfidf` and `hashing`: cosines of TF-IDF vectors.
//!
//! `tfidf` returns what scikit-learn's `TfidfVectorizer` and `cosine_similarity` give for the same settings, to
//! nine decimals and better. `hashing` keeps no vocabulary: a feature is the bucket its hash falls into. Hashes
//! carry no sign, so features that share a bucket add up and never cancel, and every text that shares a feature
//! with the question still has a score above zero.

use std::sync::{Mutex, PoisonError};

use hashbrown::HashMap;
use rankgate::config::{HashingSettings, LexicalSettings, Ties};
use rankgate::corpus::Corpus;
use rankgate::error::{Error, Place, Problem};
use rankgate::retriever::{Hit, Question, RetrieveError, Retriever, RetrieverInfo};
use rankgate::{Id, Result};

use crate::analysis::{Analysis, AnalysisError};
use crate::postings::{Count, Counts, Postings, Weighting};
use crate::select::{self, Rounding, Sums};
use crate::vocabulary::Vocabulary;

/// The algorithms' versions, in every fingerprint: raised when a change here may change a ranking.
const TFIDF_VERSION: &str = "tfidf-v1";
const HASHING_VERSION: &str = "hashing-v1";

/// An index of a corpus that ranks by cosine of TF-IDF vectors.
#[derive(Debug)]
pub struct TfIdf {
    kind: &'static str,
    /// The algorithm and what else decides the vectors' shape: as an embedding model, its version.
    version: String,
    fingerprint: String,
    analysis: Analysis,
    vocabulary: Vocabulary,
    postings: Postings,
    rounding: Rounding,
    ties: Ties,
    /// The ids of the chunks, those first that win ties.
    ids: Vec<Id>,
    /// Sums to be used again, as many as there were questions at once.
    idle: Mutex<Vec<Sums>>,
}

impl TfIdf {
    /// Indexes a corpus by words or characters.
    pub fn new(settings: &LexicalSettings, corpus: &Corpus) -> Result<Self> {
        Self::build("tfidf", TFIDF_VERSION, Vocabulary::Exact(HashMap::new()), settings, corpus)
    }

    /// Indexes a corpus by hashes of the same features.
    pub fn hashing(settings: &HashingSettings, corpus: &Corpus) -> Result<Self> {
        if settings.dimension == 0 {
            return Err(Problem::new(
                Place::default().field("retriever.dimension"),
                "0 leaves no room for a feature",
            )
            .hint(format!("the number of buckets; {} unless set", HashingSettings::DEFAULT_DIMENSION))
            .into());
        }
        let vocabulary = Vocabulary::Hashed { dimension: settings.dimension as u64, buckets: HashMap::new() };
        let version = format!("{HASHING_VERSION} dimension={}", settings.dimension);
        Self::build("hashing", &version, vocabulary, &settings.lexical, corpus)
    }

    fn build(
        kind: &'static str,
        version: &str,
        mut vocabulary: Vocabulary,
        settings: &LexicalSettings,
        corpus: &Corpus,
    ) -> Result<Self> {
        let analysis = Analysis::new(settings)?;
        crate::check_size(corpus)?;
        let mut counts = Counts::default();
        let mut ids = Vec::with_capacity(corpus.len());
        for chunk in select::tie_order(corpus, settings.ties) {
            let mut full = false;
            let cut =
                analysis.features(&chunk.indexed_text(), &mut |feature| match vocabulary.insert(feature) {
                    Some(feature) => counts.count(feature),
                    None => full = true,
                });
            cut.map_err(|error| unindexed(&chunk.id, error.to_string()))?;
            if full {
                return Err(unindexed(&chunk.id, "more distinct features than can be numbered"));
            }
            counts.end_text();
            ids.push(chunk.id.as_str().into());
        }
        let weighting = Weighting { sublinear_tf: settings.sublinear_tf, smooth_idf: settings.smooth_idf };
        Ok(Self {
            kind,
            version: version.to_owned(),
            fingerprint: fingerprint(version, &analysis, settings),
            analysis,
            vocabulary,
            postings: Postings::new(&counts, weighting),
            rounding: Rounding::new(settings.round_scores),
            ties: settings.ties,
            ids,
            idle: Mutex::default(),
        })
    }

    /// How many features the corpus has.
    pub fn vocabulary_size(&self) -> usize {
        self.vocabulary.len()
    }

    /// Whether the corpus has this feature (with `hashing`: one that falls into the same bucket).
    pub fn contains_term(&self, term: &str) -> bool {
        self.vocabulary.get(term).is_some()
    }

    /// The known features of a question, in order of first appearance.
    fn counts(&self, query: &str) -> Result<Vec<Count>, AnalysisError> {
        let mut counts: Vec<Count> = Vec::new();
        let mut slots: HashMap<u32, usize> = HashMap::new();
        self.analysis.features(query, &mut |feature| {
            let Some(feature) = self.vocabulary.get(feature) else { return };
            let slot = *slots.entry(feature).or_insert(counts.len());
            match counts.get_mut(slot) {
                Some(count) => count.times += 1,
                None => counts.push(Count { feature, times: 1 }),
            }
        })?;
        Ok(counts)
    }
}

impl Retriever for TfIdf {
    fn info(&self) -> RetrieverInfo {
        RetrieverInfo {
            kind: self.kind,
            fingerprint: self.fingerprint.clone(),
            embedding_model_version: Some(self.version.clone()),
            exhaustive: true,
            ties: Some(self.ties.name()),
            timed: true,
            recorded: None,
            warnings: Vec::new(),
            facts: vec![self.vocabulary.fact()],
        }
    }

    fn retrieve(&self, question: &Question<'_>) -> Result<Vec<Hit>, RetrieveError> {
        let counts = self.counts(question.query).map_err(|error| RetrieveError::Failed(error.to_string()))?;
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut sums = idle.unwrap_or_else(|| Sums::new(self.ids.len()));
        self.postings.add_cosines(&counts, &mut sums);
        let ranking = sums.take_best(question.depth, self.rounding);
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(sums);
        Ok(select::hits(&ranking, &self.ids))
    }

    fn terms(&self, text: &str) -> Option<Vec<String>> {
        let mut terms = Vec::new();
        // A text that cannot be cut has no terms; asking it says why.
        self.analysis.features(text, &mut |feature| terms.push(feature.to_owned())).ok()?;
        Some(select::each_once(terms))
    }
}

fn unindexed(chunk: &str, what: impl Into<String>) -> Error {
    Problem::new(Place::default().of(chunk), what).into()
}

fn fingerprint(version: &str, analysis: &Analysis, settings: &LexicalSettings) -> String {
    format!(
        "{version} {} sublinear_tf={} smooth_idf={} norm=l2 ties={} round_scores={}",
        analysis.fingerprint(),
        settings.sublinear_tf,
        settings.smooth_idf,
        settings.ties.name(),
        settings.round_scores.map_or_else(|| "none".to_owned(), |decimals| decimals.to_string()),
    )
}
