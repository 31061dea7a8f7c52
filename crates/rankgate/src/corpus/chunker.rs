//! Chunkers: how a text becomes chunks, each of them a slice of the text.

use std::cmp::Reverse;
use std::fmt;

use text_splitter::{ChunkConfig, ChunkSizer, MarkdownSplitter, TextSplitter};

use crate::config::{ChunkUnit, ChunkerKind, ChunkerSettings};
use crate::{Place, Problem, Result};

/// A chunker whose settings make sense.
#[derive(Debug, Clone)]
pub struct Chunker {
    settings: ChunkerSettings,
}

/// A slice of a text, with its place there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece<'t> {
    /// Where it starts, in Unicode scalars.
    pub start: usize,
    /// Where it ends, exclusive.
    pub end: usize,
    /// The slice itself.
    pub text: &'t str,
}

impl Chunker {
    /// Checks the settings.
    pub fn new(settings: &ChunkerSettings) -> Result<Self> {
        let at = |key: &str| Place::default().field(format!("corpus.chunker.{key}"));
        if settings.size == 0 {
            return Err(Problem::new(at("size"), "a chunk must hold at least 1").into());
        }
        if settings.overlap >= settings.size {
            let what = format!(
                "the overlap {} is not smaller than `corpus.chunker.size` {}",
                settings.overlap, settings.size
            );
            return Err(Problem::new(at("overlap"), what)
                .hint("usual is a tenth to a fifth of the size")
                .into());
        }
        Ok(Self { settings: settings.clone() })
    }

    /// Cuts a text into pieces, in order. Blank pieces are left out, so a blank text has none.
    pub fn cut<'t>(&self, text: &'t str, is_markdown: bool) -> Vec<Piece<'t>> {
        let mut ranges = match self.settings.kind {
            ChunkerKind::Fixed => self.fixed(text),
            ChunkerKind::Markdown => self.at_markdown(text),
            ChunkerKind::Auto if is_markdown => self.at_markdown(text),
            ChunkerKind::Auto | ChunkerKind::Text => self.config().map_or_else(Vec::new, |config| {
                TextSplitter::new(config).chunk_indices(text).map(range).collect()
            }),
        };
        in_order(&mut ranges);
        place(text, &ranges)
    }

    fn at_markdown(&self, text: &str) -> Vec<Range> {
        self.config().map_or_else(Vec::new, |config| {
            MarkdownSplitter::new(config).chunk_indices(text).map(range).collect()
        })
    }

    /// `None` for an overlap that [`Chunker::new`] has refused.
    fn config(&self) -> Option<ChunkConfig<ChunkUnit>> {
        let ChunkerSettings { size, overlap, unit, .. } = self.settings;
        ChunkConfig::new(size).with_sizer(unit).with_overlap(overlap).ok()
    }

    fn fixed(&self, text: &str) -> Vec<Range> {
        let ChunkerSettings { size, overlap, unit, .. } = self.settings;
        let units: Vec<Range> = match unit {
            ChunkUnit::Characters => {
                text.char_indices().map(|(at, character)| (at, at + character.len_utf8())).collect()
            }
            ChunkUnit::Words => words(text),
        };
        let mut ranges = Vec::new();
        let mut rest = units.as_slice();
        while let [(start, _), ..] = rest {
            let (window, behind) = rest.split_at(size.min(rest.len()));
            ranges.push((*start, window.last().map_or(*start, |(_, end)| *end)));
            if behind.is_empty() {
                break;
            }
            rest = rest.get(size - overlap..).unwrap_or_default();
        }
        ranges
    }
}

/// `markdown/text(size 800, overlap 0, characters)`: everything that decides where the cuts fall.
impl fmt::Display for Chunker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ChunkerSettings { kind, size, overlap, unit } = self.settings;
        let kind = match kind {
            ChunkerKind::Auto => "markdown/text",
            ChunkerKind::Text => "text",
            ChunkerKind::Markdown => "markdown",
            ChunkerKind::Fixed => "fixed",
        };
        let unit = match unit {
            ChunkUnit::Characters => "characters",
            ChunkUnit::Words => "words",
        };
        write!(f, "{kind}(size {size}, overlap {overlap}, {unit})")
    }
}

impl ChunkSizer for ChunkUnit {
    fn size(&self, chunk: &str) -> usize {
        match self {
            Self::Characters => chunk.chars().count(),
            Self::Words => chunk.split_whitespace().count(),
        }
    }
}

/// Bytes from and to.
type Range = (usize, usize);

fn range((start, chunk): (usize, &str)) -> Range {
    (start, start + chunk.len())
}

fn words(text: &str) -> Vec<Range> {
    let mut words = Vec::new();
    let mut start = None;
    for (at, character) in text.char_indices() {
        if character.is_whitespace() {
            words.extend(start.take().map(|start| (start, at)));
        } else {
            start.get_or_insert(at);
        }
    }
    words.extend(start.map(|start| (start, text.len())));
    words
}

/// Sorts the ranges and drops those that lie within another one. With an overlap and white space to trim, the
/// splitters now and then step back behind the start of the chunk before.
fn in_order(ranges: &mut Vec<Range>) {
    ranges.sort_by_key(|(from, to)| (*from, Reverse(*to)));
    let mut covered = 0;
    ranges.retain(|(_, to)| {
        let adds = *to > covered;
        covered = covered.max(*to);
        adds
    });
}

/// Byte ranges as pieces. Their starts ascend, so scalars are counted on from one start to the next.
fn place<'t>(text: &'t str, ranges: &[Range]) -> Vec<Piece<'t>> {
    let (mut bytes, mut scalars) = (0, 0);
    let mut pieces = Vec::with_capacity(ranges.len());
    for &(from, to) in ranges {
        let (Some(gap), Some(slice)) = (text.get(bytes..from), text.get(from..to)) else { continue };
        scalars += gap.chars().count();
        bytes = from;
        if !slice.trim().is_empty() {
            pieces.push(Piece { start: scalars, end: scalars + slice.chars().count(), text: slice });
        }
    }
    pieces
}
