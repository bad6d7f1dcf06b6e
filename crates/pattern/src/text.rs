//! Reads the text of one file.

use std::sync::Arc;

use crate::cells::Cells;
use crate::code::Reach;
use crate::fault::{Fault, FaultKind, SourcePlace};
use crate::source::{MAX_WEIGHT, Pattern};

/// An item of a text: a pattern or an include.
pub(crate) enum Item {
    Pattern(Pattern),
    Include { path: String, at: SourcePlace },
}

/// The most characters of the name of a pattern, which stands in each fault about it.
const MAX_NAME: usize = 100;

/// A word, a text in quotes or a sign.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Token<'a> {
    Word(&'a str),
    /// The text without its quotes.
    Quoted(&'a str),
    Sign(char),
    End,
}

impl Token<'_> {
    /// The token in messages, with a long text cut.
    fn describe(self) -> String {
        match self {
            Self::Word(text) => format!("`{}`", head(text)),
            Self::Quoted(text) => format!("\"{}\"", head(text)),
            Self::Sign(sign) => format!("`{}`", sign.escape_debug()),
            Self::End => "the end".to_owned(),
        }
    }
}

/// The beginning of a text, for messages.
fn head(text: &str) -> String {
    text.chars().take(40).collect()
}

/// A text that is read from its beginning to its end, item by item.
pub(crate) struct Reader {
    text: Arc<str>,
    file: Arc<str>,
    /// The index of the first unread byte.
    at: usize,
    line: usize,
    /// An index on the current line up to `at`, and the number of characters of the line before it.
    counted: (usize, usize),
}

type Read<T> = Result<T, Fault>;

impl Reader {
    pub(crate) const fn new(file: Arc<str>, text: Arc<str>) -> Self {
        Self { text, file, at: 0, line: 1, counted: (0, 0) }
    }

    /// The name of the file.
    pub(crate) const fn file(&self) -> &Arc<str> {
        &self.file
    }

    /// The next pattern or include; `None` at the end. After a fault, reading goes on at the next line that can begin an item.
    pub(crate) fn next(&mut self) -> Option<Read<Item>> {
        let text = Arc::clone(&self.text);
        self.skip(&text);
        if self.at == text.len() {
            return None;
        }
        let item = self.item(&text);
        if item.is_err() {
            self.recover(&text);
        }
        Some(item)
    }

    /// The place of the first unread byte. All places of a line together take one pass over the line.
    fn place(&mut self) -> SourcePlace {
        let (from, before) = self.counted;
        let before = before + self.text[from..self.at].chars().count();
        self.counted = (self.at, before);
        SourcePlace { file: Arc::clone(&self.file), line: self.line, column: before + 1 }
    }

    /// Passes over white space, ends of lines and comments.
    fn skip(&mut self, text: &str) {
        loop {
            let rest = &text[self.at..];
            if rest.starts_with("//") {
                self.at += rest.find('\n').unwrap_or(rest.len());
                continue;
            }
            match rest.chars().next() {
                Some('\n') => {
                    self.at += 1;
                    (self.line, self.counted) = (self.line + 1, (self.at, 0));
                }
                Some(c) if c.is_whitespace() || c == '\u{feff}' => self.at += c.len_utf8(),
                _ => return,
            }
        }
    }

    /// Skips to the next line that can begin an item.
    fn recover(&mut self, text: &str) {
        loop {
            let rest = &text[self.at..];
            self.at += rest.find('\n').unwrap_or(rest.len());
            self.skip(text);
            let begins = matches!(self.peek(text), Some(Token::Word(_) | Token::Sign('{') | Token::End));
            if begins && self.clause(text).is_none() {
                return;
            }
        }
    }

    /// The next token and its place.
    fn token<'a>(&mut self, text: &'a str) -> Read<(Token<'a>, SourcePlace)> {
        self.skip(text);
        let (rest, place) = (&text[self.at..], self.place());
        let Some(first) = rest.chars().next() else { return Ok((Token::End, place)) };
        if first == '"' {
            let rest = &rest[1..];
            let Some(end) = rest.find(['"', '\n']).filter(|&end| rest[end..].starts_with('"')) else {
                return Err(Fault { at: place, what: FaultKind::Unclosed });
            };
            self.at += end + 2;
            return Ok((Token::Quoted(&rest[..end]), place));
        }
        let in_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '+');
        let end = rest.find(|c| !in_word(c)).unwrap_or(rest.len());
        if end > 0 {
            self.at += end;
            return Ok((Token::Word(&rest[..end]), place));
        }
        self.at += first.len_utf8();
        Ok((Token::Sign(first), place))
    }

    /// The next token, which stays unread.
    fn peek<'a>(&mut self, text: &'a str) -> Option<Token<'a>> {
        let (at, line, counted) = (self.at, self.line, self.counted);
        let token = self.token(text).ok().map(|(token, _)| token);
        (self.at, self.line, self.counted) = (at, line, counted);
        token
    }

    /// The word of the clause that comes next, which stays unread. With a `:` behind it, the word is the name of a pattern.
    fn clause<'a>(&mut self, text: &'a str) -> Option<&'a str> {
        let before = (self.at, self.line, self.counted);
        let word = match self.token(text) {
            Ok((Token::Word(word @ ("except" | "weight")), _)) => Some(word),
            _ => None,
        };
        let word = word.filter(|_| self.peek(text) != Some(Token::Sign(':')));
        (self.at, self.line, self.counted) = before;
        word
    }

    fn sign(&mut self, text: &str, sign: char, expected: &'static str) -> Read<()> {
        match self.token(text)? {
            (Token::Sign(found), _) if found == sign => Ok(()),
            (token, at) => Err(unexpected(token, at, expected)),
        }
    }

    fn quoted<'a>(&mut self, text: &'a str, expected: &'static str) -> Read<(&'a str, SourcePlace)> {
        match self.token(text)? {
            (Token::Quoted(quoted), at) => Ok((quoted, at)),
            (token, at) => Err(unexpected(token, at, expected)),
        }
    }

    fn word<'a>(&mut self, text: &'a str, expected: &'static str) -> Read<(&'a str, SourcePlace)> {
        match self.token(text)? {
            (Token::Word(word), at) => Ok((word, at)),
            (token, at) => Err(unexpected(token, at, expected)),
        }
    }

    fn item(&mut self, text: &str) -> Read<Item> {
        let expected = "a pattern: `{`, a name and `:`, or `include`";
        let (token, at) = self.token(text)?;
        match token {
            Token::Sign('{') => self.pattern(text, None, at).map(Item::Pattern),
            Token::Word(word) if self.peek(text) == Some(Token::Sign(':')) => {
                if !word.starts_with(|c: char| c.is_ascii_alphabetic()) {
                    return Err(unexpected(token, at, "a name that begins with a letter"));
                }
                if word.len() > MAX_NAME {
                    let (count, limit) = (word.len(), MAX_NAME);
                    let what = FaultKind::Limit { what: "characters of a name", count, limit };
                    return Err(Fault { at, what });
                }
                self.token(text)?;
                self.sign(text, '{', "`{` after the name of a pattern")?;
                self.pattern(text, Some(word.to_owned()), at).map(Item::Pattern)
            }
            Token::Word("include") => {
                let (path, at) = self.quoted(text, "a file in quotes")?;
                Ok(Item::Include { path: path.to_owned(), at })
            }
            _ => Err(unexpected(token, at, expected)),
        }
    }

    /// Reads a pattern from the byte after its `{`.
    fn pattern(&mut self, text: &str, name: Option<String>, at: SourcePlace) -> Read<Pattern> {
        let cells = self.cells(text)?;
        self.sign(text, ',', "`,` after the cells")?;
        let (answer, answer_at) = self.quoted(text, "the answer in quotes")?;
        let answer = read_answer(answer, &answer_at)?;
        self.sign(text, ',', "`,` after the answer")?;
        let (found, chance_at) = self.word(text, "a chance, 0 to 8")?;
        let Some(chance) = found.parse().ok().filter(|chance| *chance <= 8) else {
            return Err(Fault { at: chance_at, what: FaultKind::Chance { found: head(found) } });
        };
        self.sign(text, '}', "`}` after the chance")?;
        let (exceptions, weight) = (Vec::new(), 1.0);
        let mut pattern = Pattern { name, cells, exceptions, answer, chance, weight, at, answer_at };
        self.clauses(text, &mut pattern)?;
        Ok(pattern)
    }

    /// Reads the clauses after the `}`.
    fn clauses(&mut self, text: &str, pattern: &mut Pattern) -> Read<()> {
        let mut weighed = false;
        loop {
            match self.clause(text) {
                Some("except") => {
                    self.token(text)?;
                    self.skip(text);
                    let at = self.place();
                    let cells = self.cells(text)?;
                    pattern.exceptions.push((at, cells));
                }
                Some(_) => {
                    let (_, at) = self.token(text)?;
                    if weighed {
                        return Err(Fault { at, what: FaultKind::Weights });
                    }
                    let (found, at) = self.word(text, "a weight")?;
                    let read = found.parse().ok().filter(|weight| (0.0..=MAX_WEIGHT).contains(weight));
                    let what = FaultKind::Weight { found: head(found), most: MAX_WEIGHT };
                    pattern.weight = read.ok_or(Fault { at, what })?;
                    weighed = true;
                }
                None => {
                    if self.peek(text) == Some(Token::Sign(',')) {
                        self.token(text)?;
                    }
                    return Ok(());
                }
            }
        }
    }

    fn cells(&mut self, text: &str) -> Read<Cells> {
        let (cells, at) = self.quoted(text, "cells in quotes")?;
        Cells::parse(cells).map_err(|error| Fault { at: within(&at, error.at()), what: error.into() })
    }
}

/// The place `skipped` characters into a text in quotes that begins at `at`.
fn within(at: &SourcePlace, skipped: usize) -> SourcePlace {
    SourcePlace { column: at.column + 1 + skipped, ..at.clone() }
}

fn unexpected(token: Token<'_>, at: SourcePlace, expected: &'static str) -> Fault {
    Fault { at, what: FaultKind::Unexpected { found: token.describe(), expected } }
}

/// Reads `.` and `o` in rings.
fn read_answer(text: &str, at: &SourcePlace) -> Read<u32> {
    let wrong =
        |(skipped, letter)| Fault { at: within(at, skipped), what: FaultKind::Answer { found: letter } };
    let odd = text.chars().enumerate().find(|(_, letter)| !matches!(letter, '.' | 'o' | '/'));
    if let Some(odd) = odd {
        return Err(wrong(odd));
    }
    let cells =
        Cells::parse(text).map_err(|error| Fault { at: within(at, error.at()), what: error.into() })?;
    Ok(Reach::Thirty.mask() & cells.reach().mask() & !cells.empty())
}
