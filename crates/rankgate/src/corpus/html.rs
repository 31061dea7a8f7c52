//! HTML as plain text: what a reader of the page sees, with a line for each block.

use html5gum::Tokenizer;
use html5gum::emitters::default::{DefaultEmitter, Token};

/// The text of a page. White space collapses as a browser shows it, `pre` aside; entities are resolved; scripts,
/// styles, the page's title and what else is never shown on the page is left out.
pub(super) fn to_text(html: &str) -> String {
    let mut emitter = DefaultEmitter::default();
    // Without this the tokenizer would read `<` in scripts and styles as tags.
    emitter.naively_switch_states(true);
    let mut page = Page::default();
    for token in Tokenizer::new_with_emitter(html, emitter) {
        match token {
            Ok(Token::StartTag(tag)) => page.open(&tag.name, tag.self_closing),
            Ok(Token::EndTag(tag)) => page.close(&tag.name),
            Ok(Token::String(text)) => page.text(&String::from_utf8_lossy(&text)),
            _ => {}
        }
    }
    page.text
}

#[derive(Default)]
struct Page {
    text: String,
    /// What stands between the text so far and the next character.
    gap: Gap,
    /// How deep inside `pre` elements.
    preformatted: usize,
    /// The element that is not shown, and how deep inside elements of its kind.
    hidden: Option<(Vec<u8>, usize)>,
}

#[derive(Default)]
enum Gap {
    #[default]
    None,
    Blank,
    Lines(usize),
}

impl Page {
    fn open(&mut self, name: &[u8], self_closing: bool) {
        match &mut self.hidden {
            Some((hidden, depth)) => *depth += usize::from(hidden == name),
            None if is_hidden(name) && !self_closing => self.hidden = Some((name.to_owned(), 1)),
            None => {
                self.preformatted += usize::from(name == b"pre");
                self.around(name);
            }
        }
    }

    fn close(&mut self, name: &[u8]) {
        if let Some((hidden, depth)) = &mut self.hidden {
            *depth -= usize::from(hidden == name);
            if *depth == 0 {
                self.hidden = None;
            }
        } else {
            self.preformatted = self.preformatted.saturating_sub(usize::from(name == b"pre"));
            // A line break has no content to stand around.
            if name != b"br" {
                self.around(name);
            }
        }
    }

    fn around(&mut self, name: &[u8]) {
        match name {
            b"p" | b"h1" | b"h2" | b"h3" | b"h4" | b"h5" | b"h6" | b"ul" | b"ol" | b"dl" | b"table"
            | b"blockquote" | b"pre" | b"figure" | b"section" | b"article" | b"header" | b"footer"
            | b"hr" => {
                self.lines(2);
            }
            b"div" | b"li" | b"dt" | b"dd" | b"tr" | b"br" | b"main" | b"nav" | b"aside" | b"form"
            | b"figcaption" | b"caption" | b"details" | b"summary" | b"address" | b"option" | b"body" => {
                self.lines(1);
            }
            b"td" | b"th" => self.blank(),
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        if self.hidden.is_some() {
            return;
        }
        for character in text.chars() {
            match character {
                '\n' if self.preformatted > 0 => match self.gap {
                    Gap::Lines(lines) => self.gap = Gap::Lines(lines + 1),
                    _ => self.gap = Gap::Lines(1),
                },
                ' ' | '\t' | '\n' | '\r' | '\u{c}' if self.preformatted == 0 => self.blank(),
                _ => {
                    self.fill_gap();
                    self.text.push(character);
                }
            }
        }
    }

    fn lines(&mut self, wanted: usize) {
        self.gap = match self.gap {
            Gap::Lines(lines) => Gap::Lines(lines.max(wanted)),
            _ => Gap::Lines(wanted),
        };
    }

    fn blank(&mut self) {
        if matches!(self.gap, Gap::None) {
            self.gap = Gap::Blank;
        }
    }

    fn fill_gap(&mut self) {
        let gap = std::mem::take(&mut self.gap);
        if self.text.is_empty() {
            return;
        }
        match gap {
            Gap::None => {}
            Gap::Blank => self.text.push(' '),
            Gap::Lines(lines) => self.text.extend(std::iter::repeat_n('\n', lines)),
        }
    }
}

fn is_hidden(name: &[u8]) -> bool {
    matches!(
        name,
        b"script" | b"style" | b"title" | b"template" | b"noscript" | b"svg" | b"iframe" | b"object"
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn blocks_become_lines_and_white_space_collapses() {
        let html = "<!doctype html><html><head><title>Shop</title><style>p > a { x: 1 }</style></head><body>\n\
                    <h1>Opening\n  hours</h1><p>From <b>nine</b> to&nbsp;five,<br>except&#32;Sunday &amp; Monday.</p>\
                    <ul><li>one</li><li>two</li></ul><table><tr><td>a</td><td>b</td></tr></table>";
        assert_eq!(
            to_text(html),
            "Opening hours\n\nFrom nine to\u{a0}five,\nexcept Sunday & Monday.\n\none\ntwo\n\na b"
        );
    }

    #[test]
    fn scripts_templates_and_comments_are_not_text() {
        let html = "a<script>if (1 < 2) { '<p>' }</script> b<template><template>x</template>y</template>\
                    <!-- no --> c<script src=x></script>";
        assert_eq!(to_text(html), "a b c");
    }

    #[test]
    fn preformatted_text_keeps_its_lines() {
        assert_eq!(to_text("<p>x</p><pre>if a:\n    b\n\nc</pre> d"), "x\n\nif a:\n    b\n\nc\n\nd");
    }

    proptest! {
        #[test]
        fn anything_is_a_page(html in any::<String>()) {
            to_text(&html);
        }

        #[test]
        fn tag_soup_is_a_page(parts in prop::collection::vec(
            prop::sample::select(vec!["<p", ">", "</pre>", "<pre>", "<script>", "</script>", "<svg/>", "<svg>", "</svg>",
                "&#x110000;", "&amp", "<!--", "-->", "é", "\u{1f680}", " ", "\n", "\"", "a=b", "a=c", "]]>"]), 0..40)) {
            to_text(&parts.concat());
        }

        #[test]
        fn text_without_tags_is_kept(text in "[^<>&\\x00-\\x1f ]{0,3000}") {
            prop_assert_eq!(to_text(&text), text);
        }
    }
}
