//! The output of an engine, as the controller reads it.

use std::io::{self, BufRead, Read};
use std::thread;

/// The longest reply that a controller accepts from an engine, in bytes: 4 MiB.
pub const MAX_REPLY: usize = 4 << 20;

/// An event of the reading thread or of the writing thread.
#[derive(Debug)]
pub(crate) enum Event {
    /// A reply.
    GtpReply(Answered),
    /// A line that is no reply.
    NoReply(String),
    /// A reply of more than [`MAX_REPLY`] bytes.
    TooLong,
    /// The end of the engine's output.
    End,
    /// The failure to write a command: the engine has closed its input.
    Unread,
}

/// A reply.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Answered {
    /// `true` if the reply is a success.
    pub(crate) good: bool,
    /// The number directly after `=` or `?`.
    pub(crate) id: Option<u64>,
    /// The text after the id.
    pub(crate) text: String,
}

impl Answered {
    /// Reads a reply from the text after its sign.
    fn new(good: bool, rest: &str) -> Self {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (id, text) = rest.split_at(digits);
        let id = id.parse().ok().filter(|_| text.is_empty() || text.starts_with(char::is_whitespace));
        Self {
            good,
            id,
            text: if id.is_some() { text } else { rest }.trim_start_matches([' ', '\t']).to_owned(),
        }
    }

    /// The same reply from an engine without ids: the number is part of the text.
    pub(crate) fn without_id(self) -> Self {
        let Self { good, id, text } = self;
        let number = id.map_or(String::new(), |id| id.to_string());
        let space = if number.is_empty() || text.is_empty() || text.starts_with('\n') { "" } else { " " };
        Self { good, id: None, text: format!("{number}{space}{text}") }
    }
}

/// Reads and discards the standard error of an engine, in a thread.
pub(crate) fn drain(mut errors: impl Read + Send + 'static) -> io::Result<()> {
    let forget = move || _ = io::copy(&mut errors, &mut io::sink());
    thread::Builder::new().name("gtp stderr".to_owned()).spawn(forget).map(drop)
}

/// The next reply: the lines up to an empty line. Empty lines before the reply are skipped.
pub(crate) fn next(reader: &mut impl BufRead) -> Event {
    let mut left = MAX_REPLY;
    let mut reply: Option<(bool, String)> = None;
    loop {
        let Some(line) = line(reader, left) else { return Event::End };
        if line.len() > left || left == 0 {
            return Event::TooLong;
        }
        left -= line.len();
        let text = String::from_utf8_lossy(&line);
        let text: String = text.chars().filter(|&c| c == '\t' || !c.is_control()).collect();
        match (&mut reply, text.trim_end()) {
            (None, "") => {}
            (Some(_), "") => break,
            (Some((_, lines)), more) => {
                lines.push('\n');
                lines.push_str(more);
            }
            (None, first) => match (first.strip_prefix('='), first.strip_prefix('?')) {
                (Some(rest), _) => reply = Some((true, rest.to_owned())),
                (_, Some(rest)) => reply = Some((false, rest.to_owned())),
                _ => return Event::NoReply(first.to_owned()),
            },
        }
    }
    reply.map_or(Event::End, |(good, rest)| Event::GtpReply(Answered::new(good, &rest)))
}

/// A line with its end, or its first `limit + 1` bytes; `None` at the end of the input.
fn line(reader: &mut impl BufRead, limit: usize) -> Option<Vec<u8>> {
    let mut line = Vec::new();
    match reader.take(limit as u64 + 1).read_until(b'\n', &mut line) {
        Ok(0) | Err(_) => None,
        Ok(_) => Some(line),
    }
}
