//! Character classes, the shorthands for them, and the escapes that stand for one character.

use super::{Fault, Last, Translator, fault};
use crate::charset::PYTHON_WORD;

/// Python's white space, as the inside of a class.
const SPACE: &str =
    r"\x{9}-\x{D}\x{1C}-\x{20}\x{85}\x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}";

/// The inside of a class that equals `\d`, `\s`, `\w` or the negation of one.
pub fn shorthand(letter: char, ascii: bool) -> Option<String> {
    let inside = match (letter.to_ascii_lowercase(), ascii) {
        ('d', false) => r"\p{Nd}",
        ('d', true) => "0-9",
        ('s', false) => SPACE,
        ('s', true) => r"\x{9}-\x{D}\x{20}",
        ('w', false) => PYTHON_WORD.trim_matches(['[', ']']),
        ('w', true) => "0-9A-Za-z_",
        _ => return None,
    };
    Some(if letter.is_ascii_uppercase() { format!("[^{inside}]") } else { inside.to_owned() })
}

/// What stands in a class.
enum Member {
    Char(char),
    Set(String),
}

impl Translator {
    /// A class, after its bracket.
    pub(super) fn class(&mut self, start: usize) -> Result<(), Fault> {
        let negated = self.eat("^");
        self.out.text.push_str(if negated { "[^" } else { "[" });
        let first = self.at;
        loop {
            let member_at = self.at;
            if self.at > first && self.eat("]") {
                break;
            }
            let from = match self.member(start)? {
                Member::Char(c) => c,
                Member::Set(set) => {
                    self.out.text.push_str(&set);
                    continue;
                }
            };
            self.literal(from);
            let ends = self.chars.get(self.at + 1).is_none_or(|c| *c == ']');
            if ends || !self.eat("-") {
                continue;
            }
            match self.member(start)? {
                Member::Char(to) if from <= to => {
                    self.out.text.push('-');
                    self.literal(to);
                }
                Member::Char(_) => return fault(member_at, "a range that is upside down"),
                Member::Set(_) => return fault(member_at, "a range that ends in more than one character"),
            }
        }
        self.emit("]", Last::Atom);
        Ok(())
    }

    fn member(&mut self, start: usize) -> Result<Member, Fault> {
        let at = self.at;
        match self.next() {
            None => fault(start, "a class that is never closed"),
            Some('\\') => match self.peek() {
                None => fault(start, "a class that is never closed"),
                Some('b') => {
                    self.at += 1;
                    Ok(Member::Char('\u{8}'))
                }
                Some(letter) => match shorthand(letter, self.ascii) {
                    Some(set) => {
                        self.at += 1;
                        Ok(Member::Set(set))
                    }
                    None => self.escaped_char(at).map(Member::Char),
                },
            },
            Some(c) => Ok(Member::Char(c)),
        }
    }

    /// The character an escape stands for, read after its backslash.
    pub(super) fn escaped_char(&mut self, start: usize) -> Result<char, Fault> {
        let Some(c) = self.next() else {
            return fault(start, "a backslash ends the pattern");
        };
        match c {
            'a' => Ok('\u{7}'),
            'f' => Ok('\u{c}'),
            'n' => Ok('\n'),
            'r' => Ok('\r'),
            't' => Ok('\t'),
            'v' => Ok('\u{b}'),
            'x' => self.hexadecimal(start, 2),
            'u' => self.hexadecimal(start, 4),
            'U' => self.hexadecimal(start, 8),
            '0' => {
                let mut code = 0;
                for _ in 0..2 {
                    if let Some(digit) = self.peek().and_then(|c| c.to_digit(8)) {
                        code = code * 8 + digit;
                        self.at += 1;
                    }
                }
                Ok(char::from_u32(code).unwrap_or_default())
            }
            c if c.is_ascii_alphanumeric() => fault(start, format!(r"`\{c}` is no escape known here")),
            c => Ok(c),
        }
    }

    fn hexadecimal(&mut self, start: usize, digits: usize) -> Result<char, Fault> {
        let mut code = 0_u32;
        for _ in 0..digits {
            let Some(digit) = self.peek().and_then(|c| c.to_digit(16)) else {
                return fault(start, format!("an escape that wants {digits} hexadecimal digits"));
            };
            code = code.wrapping_mul(16).wrapping_add(digit);
            self.at += 1;
        }
        match char::from_u32(code) {
            Some(c) => Ok(c),
            None => fault(start, "an escape that stands for no character"),
        }
    }
}
