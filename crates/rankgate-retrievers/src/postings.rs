//! An inverted index of weighted vectors, for cosines.
//!
//! Built in two steps: [`Counts`] gathers how often each feature occurs in each chunk; [`Postings`] turns counts
//! into weights of unit length, sorted by feature. All sums run in an order that the texts alone decide, so scores
//! are the same to the last bit wherever they are computed, and equal for equal texts.

use crate::select::Sums;

/// How counts become weights.
#[derive(Debug, Clone, Copy)]
pub struct Weighting {
    /// 1 + ln(tf) in place of tf.
    pub sublinear_tf: bool,
    /// Document frequencies as if one more chunk held every feature.
    pub smooth_idf: bool,
}

impl Weighting {
    fn tf(self, count: u32) -> f64 {
        let tf = f64::from(count);
        if self.sublinear_tf { 1.0 + tf.ln() } else { tf }
    }

    fn idf(self, chunks: usize, frequency: u32) -> f64 {
        let extra = if self.smooth_idf { 1.0 } else { 0.0 };
        ((chunks as f64 + extra) / (f64::from(frequency) + extra)).ln() + 1.0
    }
}

/// A feature, and how often it occurs in one text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count {
    /// The number of the feature.
    pub feature: u32,
    /// How often.
    pub times: u32,
}

/// Where a feature was last counted, and in how many chunks it occurs.
#[derive(Debug, Clone, Copy)]
struct Seen {
    text: usize,
    slot: usize,
    chunks: u32,
}

/// The features of each text, in order of first appearance.
#[derive(Debug, Default)]
pub struct Counts {
    all: Vec<Count>,
    /// Where the counts of each finished text end.
    ends: Vec<usize>,
    seen: Vec<Seen>,
}

impl Counts {
    /// Counts one occurrence in the text under way. Features are numbered without gaps as they appear.
    #[inline]
    pub fn count(&mut self, feature: u32) {
        let text = self.ends.len();
        let slot = self.all.len();
        match self.seen.get_mut(feature as usize) {
            Some(seen) if seen.text == text => {
                if let Some(count) = self.all.get_mut(seen.slot) {
                    count.times += 1;
                }
                return;
            }
            Some(seen) => *seen = Seen { text, slot, chunks: seen.chunks + 1 },
            None => self.seen.push(Seen { text, slot, chunks: 1 }),
        }
        self.all.push(Count { feature, times: 1 });
    }

    /// Ends the text under way.
    pub fn end_text(&mut self) {
        self.ends.push(self.all.len());
    }

    fn texts(&self) -> impl Iterator<Item = &[Count]> {
        let starts = [0].into_iter().chain(self.ends.iter().copied());
        starts.zip(&self.ends).filter_map(|(start, end)| self.all.get(start..*end))
    }
}

/// For each feature the chunks that hold it, in ascending order, each with its weight there.
#[derive(Debug)]
pub struct Postings {
    weighting: Weighting,
    idf: Vec<f64>,
    /// Where the postings of each feature end; they start where those of the one before end.
    ends: Vec<usize>,
    chunks: Vec<u32>,
    weights: Vec<f64>,
}

impl Postings {
    /// Weights the counts.
    pub fn new(counts: &Counts, weighting: Weighting) -> Self {
        let texts = counts.ends.len();
        let idf: Vec<f64> = counts.seen.iter().map(|seen| weighting.idf(texts, seen.chunks)).collect();
        // Each feature's postings are written at a cursor that starts where they start, so that in the end every
        // cursor stands where they end.
        let mut cursors: Vec<usize> = counts
            .seen
            .iter()
            .scan(0, |next, seen| {
                let start = *next;
                *next += seen.chunks as usize;
                Some(start)
            })
            .collect();
        let mut chunks = vec![0; counts.all.len()];
        let mut weights = vec![0.0; counts.all.len()];
        let mut vector = Vec::new();
        for (chunk, text) in (0..).zip(counts.texts()) {
            weigh(text, &idf, weighting, &mut vector);
            for (count, weight) in text.iter().zip(&vector) {
                let Some(cursor) = cursors.get_mut(count.feature as usize) else { continue };
                if let (Some(to), Some(at)) = (chunks.get_mut(*cursor), weights.get_mut(*cursor)) {
                    (*to, *at) = (chunk, *weight);
                }
                *cursor += 1;
            }
        }
        Self { weighting, idf, ends: cursors, chunks, weights }
    }

    /// Adds the cosine of each chunk with the text of these counts to the sums.
    pub fn add_cosines(&self, text: &[Count], sums: &mut Sums) {
        let mut vector = Vec::new();
        weigh(text, &self.idf, self.weighting, &mut vector);
        for (count, weight) in text.iter().zip(&vector) {
            let feature = count.feature as usize;
            let start = feature.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
            let Some(end) = self.ends.get(feature).copied() else { continue };
            let (Some(chunks), Some(weights)) = (self.chunks.get(start..end), self.weights.get(start..end))
            else {
                continue;
            };
            for (chunk, there) in chunks.iter().zip(weights) {
                sums.add(*chunk, weight * there);
            }
        }
    }
}

/// The weights of a text's features, as a vector of length one.
fn weigh(text: &[Count], idf: &[f64], weighting: Weighting, vector: &mut Vec<f64>) {
    vector.clear();
    vector.extend(text.iter().map(|count| {
        weighting.tf(count.times) * idf.get(count.feature as usize).copied().unwrap_or_default()
    }));
    let length = vector.iter().map(|weight| weight * weight).sum::<f64>().sqrt();
    for weight in vector {
        *weight /= length;
    }
}
