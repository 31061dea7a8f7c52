//! How a quote is compared with a text: the one rule for checking labels and for scoring hits.
//!
//! White space is what differs between a page, an export and a chunk, so every run of it counts as one blank.
//! Nothing else is forgiven: case, punctuation and accents must agree.

use std::borrow::Cow;

use memchr::memmem;

use super::Span;

/// A text with every run of white space as one blank, and none at its ends.
pub fn squeeze(text: &str) -> Cow<'_, str> {
    let mut blank_before = true;
    let is_squeezed = text.chars().all(|char| {
        let fine = !char.is_whitespace() || char == ' ' && !blank_before;
        blank_before = char.is_whitespace();
        fine
    });
    if is_squeezed && (!blank_before || text.is_empty()) {
        return Cow::Borrowed(text);
    }
    let mut squeezed = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !squeezed.is_empty() {
            squeezed.push(' ');
        }
        squeezed.push_str(word);
    }
    Cow::Owned(squeezed)
}

/// A quote, ready to be looked for in many texts.
#[derive(Debug, Clone)]
pub struct Quote {
    finder: memmem::Finder<'static>,
}

impl Quote {
    /// Prepares a quote.
    pub fn new(quote: &str) -> Self {
        Self { finder: memmem::Finder::new(squeeze(quote).as_bytes()).into_owned() }
    }

    /// Whether the quote stands in a text. A blank quote stands nowhere.
    pub fn stands_in(&self, text: &str) -> bool {
        self.stands_in_squeezed(&squeeze(text))
    }

    /// Whether the quote stands in a text that [`squeeze`] has been applied to.
    pub fn stands_in_squeezed(&self, squeezed: &str) -> bool {
        !self.finder.needle().is_empty() && self.finder.find(squeezed.as_bytes()).is_some()
    }

    /// Whether the quote is all of a text.
    pub fn is_all_of(&self, text: &str) -> bool {
        !self.finder.needle().is_empty() && squeeze(text).as_bytes() == self.finder.needle()
    }

    /// Where the quote first stands in a text, in the text's own characters.
    pub fn find(&self, text: &str) -> Option<Span> {
        let squeezed = squeeze(text);
        let at = self.finder.find(squeezed.as_bytes()).filter(|_| !self.finder.needle().is_empty())?;
        // Neither end of a squeezed quote is a blank, so counting what is not white space finds both in the text.
        let solid =
            |text: &[u8]| String::from_utf8_lossy(text).chars().filter(|char| !char.is_whitespace()).count();
        let before = solid(squeezed.as_bytes().get(..at)?);
        let length = solid(self.finder.needle());
        let mut places =
            text.chars().enumerate().filter(|(_, char)| !char.is_whitespace()).map(|(place, _)| place);
        let start = places.nth(before)?;
        let end = if length == 1 { start } else { places.nth(length - 2)? };
        Some(Span { start, end: end + 1 })
    }
}
