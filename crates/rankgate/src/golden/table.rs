//! Tables as spreadsheets save them: rows of cells, each row with its line in the file.
//!
//! Read here and not by a general CSV crate, because two things matter more than speed: the line a row really
//! starts on, after blank lines and cells of several lines, and a quote that is never closed, which would otherwise
//! swallow the rest of the file as one cell.

use std::path::Path;

use crate::error::nearest;
use crate::formats::input;
use crate::{Error, Place, Problem, Result};

/// One row that holds something.
#[derive(Debug)]
pub(super) struct Row {
    /// The line of its first cell, from 1.
    pub line: usize,
    /// Trimmed.
    pub cells: Vec<String>,
}

impl Row {
    /// The cell of a column; a row may leave off its last cells.
    pub fn cell(&self, column: usize) -> &str {
        self.cells.get(column).map_or("", String::as_str)
    }
}

/// A table with a title over each column.
#[derive(Debug)]
pub(super) struct Table {
    pub header: Row,
    pub rows: Vec<Row>,
}

impl Table {
    /// Reads a text. Rows with more cells than the header, and quotes left open, are problems.
    pub fn parse(text: &str, file: &Path, problems: &mut Vec<Problem>) -> Option<Self> {
        let (_, first) = input::lines(text).next()?;
        let mut rows = rows(text, delimiter(first), file, problems).into_iter();
        let header = rows.next()?;
        let width = header.cells.len();
        let mut kept = Vec::new();
        for row in rows {
            if row.cells.iter().skip(width).any(|cell| !cell.is_empty()) {
                let what = format!("{} cells, and the header has {width}", row.cells.len());
                problems.push(
                    Problem::new(Place::line(file, row.line), what)
                        .hint("put double quotes around a cell that holds the delimiter"),
                );
            } else {
                kept.push(row);
            }
        }
        Some(Self { header, rows: kept })
    }

    /// The column with this title, exactly; a message with the titles that there are if there is none, or two.
    pub fn column(&self, title: &str) -> Result<usize, (String, String)> {
        let title = title.trim();
        let mut found = self.header.cells.iter().enumerate().filter(|(_, cell)| *cell == title);
        match (found.next(), found.next()) {
            (Some((column, _)), None) => Ok(column),
            (Some(_), Some(_)) => {
                Err((format!("two columns are called `{title}`"), "rename one of them".to_owned()))
            }
            (None, _) => {
                let titles = self.header.cells.iter().map(String::as_str);
                let near = nearest(title, titles).map(|near| format!("did you mean `{near}`? "));
                Err((
                    format!("there is no column `{title}`"),
                    format!("{}the columns are {}", near.unwrap_or_default(), self.header.cells.join(", ")),
                ))
            }
        }
    }
}

/// The text of a table: UTF-8, UTF-16 with a byte order mark, else Windows-1252, which is reported.
pub(super) fn text_of(path: &Path) -> Result<(String, Option<Problem>)> {
    let bytes = input::read_bytes(path)?;
    if let Some((encoding, _)) = encoding_rs::Encoding::for_bom(&bytes)
        && encoding != encoding_rs::UTF_8
    {
        let (text, _, damaged) = encoding.decode(&bytes);
        return if damaged {
            Err(Error::from(Problem::new(Place::file(path), format!("not {}", encoding.name()))))
        } else {
            Ok((text.into_owned(), None))
        };
    }
    if std::str::from_utf8(&bytes).is_ok() {
        return input::utf8(bytes, path).map(|text| (text, None));
    }
    let (text, _) = encoding_rs::WINDOWS_1252.decode_without_bom_handling(&bytes);
    let warning = Problem::new(Place::file(path), "not UTF-8: read as Windows-1252")
        .hint("save it as `CSV UTF-8` if letters with accents look wrong");
    Ok((text.into_owned(), Some(warning)))
}

/// The delimiter of a header line: whichever of tab, semicolon and comma stands there most often outside quotes.
fn delimiter(header: &str) -> char {
    let mut quoted = false;
    let mut counts = [('\t', 0), (';', 0), (',', 0)];
    for char in header.chars() {
        if char == '"' {
            quoted = !quoted;
        }
        for (delimiter, count) in &mut counts {
            *count += usize::from(!quoted && char == *delimiter);
        }
    }
    // The first of equals: a tab is never there by accident.
    counts.into_iter().rev().max_by_key(|(_, count)| *count).map_or(',', |(delimiter, _)| delimiter)
}

/// All rows that are not blank.
fn rows(text: &str, delimiter: char, file: &Path, problems: &mut Vec<Problem>) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut chars = text.chars().peekable();
    let mut line = 1;
    let mut row = Row { line, cells: Vec::new() };
    let mut cell = String::new();
    let mut end_row = |row: &mut Row, cell: &mut String, next: usize| {
        row.cells.push(cell.trim().to_owned());
        cell.clear();
        let done = std::mem::replace(row, Row { line: next, cells: Vec::new() });
        if done.cells.iter().any(|cell| !cell.is_empty()) {
            rows.push(done);
        }
    };
    while let Some(char) = chars.next() {
        match char {
            '"' if cell.trim().is_empty() => {
                cell.clear();
                let opened = line;
                loop {
                    match chars.next() {
                        Some('"') if chars.next_if_eq(&'"').is_none() => break,
                        Some(char) => {
                            line += usize::from(char == '\n');
                            cell.push(char);
                        }
                        None => {
                            problems.push(
                                Problem::new(
                                    Place::line(file, opened),
                                    "a double quote is opened and never closed",
                                )
                                .hint("close it, or double it where it is part of the text"),
                            );
                            break;
                        }
                    }
                }
            }
            '\n' => {
                line += 1;
                end_row(&mut row, &mut cell, line);
            }
            char if char == delimiter => {
                row.cells.push(cell.trim().to_owned());
                cell.clear();
            }
            char => cell.push(char),
        }
    }
    end_row(&mut row, &mut cell, line);
    rows
}
