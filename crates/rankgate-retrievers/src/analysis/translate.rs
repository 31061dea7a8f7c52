//! Python regular expressions, in the syntax of the engine used here.
//!
//! The two languages look alike and differ where it hurts: what `\w`, `\d`, `\s`, `\b` and `$` mean, what may stand
//! bare in a character class, which braces are literal. So the pattern is read as Python reads it, and each
//! element written out in a form the engine cannot misread. Named groups become numbers on the way.
//!
//! Not taken over, and refused: conditional groups, `\N{...}`, flags other than `i` and `s` on a group, and a
//! look-around that is repeated. (20,000 random patterns gave what Python 3.11 finds but for such, for `\B` in an
//! empty text, which Python itself has changed since, and for what groups hold after an empty repetition.)

mod class;

use crate::charset::PYTHON_WORD;

/// What is wrong with a pattern, and where, in characters from 1.
#[derive(Debug)]
pub struct Fault {
    pub what: String,
    pub column: usize,
}

/// A pattern for the engine.
#[derive(Debug, Default)]
pub struct Translation {
    pub text: String,
    /// How many capturing groups it has.
    pub groups: usize,
    /// The column of the second one.
    pub second_group: Option<usize>,
    /// Whether it has assertions or back references, which may match nothing in a text though not in an empty one.
    pub looks_around: bool,
    /// Where in `text` the element of a column starts.
    origins: Vec<(usize, usize)>,
}

impl Translation {
    /// The column of the Python pattern that a byte of the translation comes from.
    pub fn column(&self, byte: usize) -> usize {
        let after = self.origins.partition_point(|&(at, _)| at <= byte);
        after.checked_sub(1).and_then(|index| self.origins.get(index)).map_or(1, |&(_, column)| column)
    }
}

/// Translates, or says what is wrong.
pub fn from_python(pattern: &str) -> Result<Translation, Fault> {
    let mut translator = Translator { chars: pattern.chars().collect(), ..Translator::default() };
    translator.leading_flags()?;
    while !translator.is_done() {
        translator.element()?;
    }
    match translator.open.pop() {
        Some(group) => Err(Fault { what: "a group that is never closed".into(), column: group.column }),
        None => Ok(translator.out),
    }
}

/// The fault of an element that starts after so many characters.
fn fault<T>(start: usize, what: impl Into<String>) -> Result<T, Fault> {
    Err(Fault { what: what.into(), column: start + 1 })
}

/// What a repetition may follow.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Last {
    /// The start of the pattern, of a group or of an alternative, or an anchor.
    #[default]
    Nothing,
    Atom,
    Repeated,
}

#[derive(Debug)]
struct OpenGroup {
    column: usize,
    /// Its number, if it captures.
    number: Option<usize>,
}

#[derive(Debug, Default)]
struct Translator {
    chars: Vec<char>,
    at: usize,
    ascii: bool,
    multi_line: bool,
    verbose: bool,
    last: Last,
    open: Vec<OpenGroup>,
    names: Vec<(String, usize)>,
    out: Translation,
}

impl Translator {
    fn is_done(&self) -> bool {
        self.at >= self.chars.len()
    }

    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek();
        self.at += usize::from(c.is_some());
        c
    }

    fn eat(&mut self, text: &str) -> bool {
        let length = text.chars().count();
        let found =
            self.chars.get(self.at..).is_some_and(|rest| rest.iter().copied().take(length).eq(text.chars()));
        if found {
            self.at += length;
        }
        found
    }

    fn emit(&mut self, text: &str, last: Last) {
        self.out.text.push_str(text);
        self.last = last;
    }

    /// One character that means itself, in or out of a class.
    fn literal(&mut self, c: char) {
        if c.is_ascii_alphanumeric() || !c.is_ascii() {
            self.emit(c.encode_utf8(&mut [0; 4]), Last::Atom);
        } else {
            self.emit(&format!(r"\x{{{:X}}}", u32::from(c)), Last::Atom);
        }
    }

    /// `(?imsx)` at the very start, which holds for the whole pattern.
    fn leading_flags(&mut self) -> Result<(), Fault> {
        while self.eat("(?") {
            let start = self.at - 2;
            let mut engine = String::new();
            loop {
                match self.next() {
                    Some('u') => {}
                    Some('a') => self.ascii = true,
                    Some('m') => self.multi_line = true,
                    Some('x') => self.verbose = true,
                    Some(flag @ ('i' | 's')) => engine.push(flag),
                    Some(')') if self.at > start + 3 => break,
                    Some(c) if c.is_ascii_alphabetic() && c != 'P' => {
                        return fault(self.at - 1, format!("`{c}` is no flag for text"));
                    }
                    // Some other kind of group, or flags for one group only.
                    _ => {
                        self.at = start;
                        return Ok(());
                    }
                }
            }
            if !engine.is_empty() {
                self.emit(&format!("(?{engine})"), Last::Nothing);
            }
        }
        Ok(())
    }

    fn element(&mut self) -> Result<(), Fault> {
        let start = self.at;
        self.out.origins.push((self.out.text.len(), start + 1));
        let Some(c) = self.next() else { return Ok(()) };
        match c {
            '\\' => self.escape(start)?,
            '[' => self.class(start)?,
            '(' => self.group(start)?,
            ')' => {
                let Some(group) = self.open.pop() else {
                    return fault(start, "a parenthesis that closes nothing");
                };
                if let Some(number) = group.number {
                    self.out.groups = self.out.groups.max(number);
                }
                self.emit(")", Last::Atom);
            }
            '|' => self.emit("|", Last::Nothing),
            '.' => self.emit(".", Last::Atom),
            '^' => self.assertion(if self.multi_line { "(?m:^)" } else { r"\A" }),
            '$' => self.assertion(if self.multi_line { "(?m:$)" } else { r"(?=\n?\z)" }),
            '*' | '+' | '?' => self.repeat(start, c.encode_utf8(&mut [0; 4]))?,
            '{' => match self.braces(start)? {
                Some(quantifier) => self.repeat(start, &quantifier)?,
                None => self.literal('{'),
            },
            '#' if self.verbose => while self.next().is_some_and(|c| c != '\n') {},
            c if self.verbose && c.is_ascii_whitespace() => {}
            c => self.literal(c),
        }
        Ok(())
    }

    fn assertion(&mut self, text: &str) {
        self.out.looks_around = true;
        self.emit(text, Last::Nothing);
    }

    fn repeat(&mut self, start: usize, quantifier: &str) -> Result<(), Fault> {
        match self.last {
            Last::Nothing => return fault(start, "nothing to repeat"),
            Last::Repeated => return fault(start, "a quantifier that repeats a repetition"),
            Last::Atom => {}
        }
        self.emit(quantifier, Last::Repeated);
        if let Some(mode @ ('?' | '+')) = self.peek() {
            self.at += 1;
            self.out.text.push(mode);
        }
        Ok(())
    }

    /// `{m}`, `{m,}`, `{,n}` or `{m,n}`, after the brace; any other brace is a literal one.
    fn braces(&mut self, start: usize) -> Result<Option<String>, Fault> {
        let digits = |this: &mut Self| {
            let from = this.at;
            while this.peek().is_some_and(|c| c.is_ascii_digit()) {
                this.at += 1;
            }
            this.chars.get(from..this.at).unwrap_or_default().iter().collect::<String>()
        };
        let least = digits(self);
        let comma = self.eat(",");
        let most = if comma { digits(self) } else { String::new() };
        if !self.eat("}") || (least.is_empty() && !comma) {
            self.at = start + 1;
            return Ok(None);
        }
        let number = |text: &str, default: u32| match text {
            "" => Some(default),
            _ => text.parse().ok(),
        };
        let (Some(low), Some(high)) = (number(&least, 0), number(&most, u32::MAX)) else {
            return fault(start, "a repetition beyond all bounds");
        };
        if high < low {
            return fault(start, "a repetition that is upside down");
        }
        Ok(Some(match (comma, most.is_empty()) {
            (false, _) => format!("{{{low}}}"),
            (true, true) => format!("{{{low},}}"),
            (true, false) => format!("{{{low},{high}}}"),
        }))
    }

    fn group(&mut self, start: usize) -> Result<(), Fault> {
        let mut number = None;
        let opening = if !self.eat("?") {
            number = Some(self.capture(start));
            "(".to_owned()
        } else if self.eat("P<") {
            let name_at = self.at;
            let name = self.name('>')?;
            if self.names.iter().any(|(known, _)| *known == name) {
                return fault(name_at, format!("a second group of the name `{name}`"));
            }
            let capture = self.capture(start);
            self.names.push((name, capture));
            number = Some(capture);
            "(".to_owned()
        } else if self.eat("P=") {
            let name = self.name(')')?;
            let Some((_, group)) = self.names.iter().find(|(known, _)| *known == name) else {
                return fault(start, format!("there is no group `{name}` to refer to"));
            };
            return self.back_reference(start, *group);
        } else if self.eat("#") {
            while let Some(c) = self.next() {
                if c == ')' {
                    return Ok(());
                }
            }
            return fault(start, "a comment that is never closed");
        } else if let Some(kind) = ["<=", "<!", "=", "!"].into_iter().find(|kind| self.eat(kind)) {
            self.out.looks_around = true;
            format!("(?{kind}")
        } else if let Some(kind) = [":", ">"].into_iter().find(|kind| self.eat(kind)) {
            format!("(?{kind}")
        } else {
            format!("(?{}:", self.group_flags(start)?)
        };
        self.open.push(OpenGroup { column: start + 1, number });
        self.emit(&opening, Last::Nothing);
        Ok(())
    }

    fn capture(&mut self, start: usize) -> usize {
        self.out.groups += 1;
        if self.out.groups == 2 {
            self.out.second_group = Some(start + 1);
        }
        self.out.groups
    }

    /// The flags of one group, up to and with the colon.
    fn group_flags(&mut self, start: usize) -> Result<String, Fault> {
        let mut flags = String::new();
        while let Some(c) = self.next() {
            match c {
                'i' | 's' => flags.push(c),
                '-' if !flags.contains('-') => flags.push(c),
                ':' if !flags.is_empty() => return Ok(flags),
                ')' if !flags.is_empty() => {
                    return fault(start, "flags for the whole pattern go at the start");
                }
                _ => {
                    let what =
                        format!("`{c}` after `(?` makes no group known here, nor is it the flag i or s");
                    return fault(start, what);
                }
            }
        }
        fault(start, "a group that is never closed")
    }

    fn name(&mut self, end: char) -> Result<String, Fault> {
        let start = self.at;
        let mut name = String::new();
        while let Some(c) = self.next() {
            if c == end {
                break;
            }
            name.push(c);
        }
        let sound = name.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_alphanumeric() || c == '_');
        if sound { Ok(name) } else { fault(start, format!("`{name}` is no name for a group")) }
    }

    fn back_reference(&mut self, start: usize, group: usize) -> Result<(), Fault> {
        if group == 0 || group > self.out.groups {
            return fault(start, format!("there is no group {group} to refer to"));
        }
        if self.open.iter().any(|open| open.number == Some(group)) {
            return fault(start, format!("a reference to group {group} from within"));
        }
        self.out.looks_around = true;
        self.emit(&format!(r"(?:\{group})"), Last::Atom);
        Ok(())
    }

    /// An escape outside of classes, after the backslash.
    fn escape(&mut self, start: usize) -> Result<(), Fault> {
        let Some(c) = self.peek() else {
            return fault(start, "a backslash ends the pattern");
        };
        let word = if self.ascii { "[0-9A-Za-z_]" } else { PYTHON_WORD };
        match c {
            'b' => self.assertion(&format!("(?:(?<={word})(?!{word})|(?<!{word})(?={word}))")),
            'B' => self.assertion(&format!("(?:(?<={word})(?={word})|(?<!{word})(?!{word}))")),
            'A' => self.assertion(r"\A"),
            'Z' => self.assertion(r"\z"),
            '1'..='9' => {
                let mut digits = String::new();
                while let Some(digit) = self.peek().filter(|c| c.is_ascii_digit() && digits.len() < 2) {
                    digits.push(digit);
                    self.at += 1;
                }
                return self.back_reference(start, digits.parse().unwrap_or_default());
            }
            _ => {
                if let Some(set) = class::shorthand(c, self.ascii) {
                    self.emit(&format!("[{set}]"), Last::Atom);
                } else {
                    let c = self.escaped_char(start)?;
                    self.literal(c);
                    return Ok(());
                }
            }
        }
        self.at += 1;
        Ok(())
    }
}
