//! Lines of bounded length from any reader.

use std::io::{self, BufRead};

/// A line of input: its text, or the reason why it has no text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InputLine {
    /// The text of the line without its line ending, `\n` or `\r\n`.
    Text(String),
    /// A line longer than the limit, with its number of bytes without `\n`.
    TooLong(u64),
    /// A line that is not UTF-8, with the index of the first wrong byte.
    NotUtf8(usize),
}

impl InputLine {
    /// The text of the line. `limit`, for the error, is the limit of the [`Lines`] that returned the line.
    ///
    /// # Errors
    /// A sentence: the length of a line that is too long, or the first wrong byte of a line that is not UTF-8.
    pub fn text(self, limit: usize) -> Result<String, String> {
        match self {
            Self::Text(text) => Ok(text),
            Self::TooLong(bytes) => Err(format!("a line of {bytes} bytes: at most {limit} are read")),
            Self::NotUtf8(at) => Err(format!("not UTF-8 at byte {at} of the line")),
        }
    }
}

/// Reads lines, and keeps at most the limit of bytes of a line in memory.
///
/// A longer line is skipped to its end and returned as [`InputLine::TooLong`]; the next line follows. A `\r` before the `\n` counts
/// against the limit. An error of the reader is returned once and ends the lines: a reader that has failed may fail for ever.
///
/// ```
/// use stonework_oracle::{InputLine, Lines};
/// let lines: Result<Vec<InputLine>, _> = Lines::new(&b"one\ntwo and more\nthree"[..], 5).collect();
/// assert_eq!(lines?, [InputLine::Text("one".into()), InputLine::TooLong(12), InputLine::Text("three".into())]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Lines<R> {
    reader: R,
    limit: usize,
    /// `true` after an error of the reader.
    failed: bool,
}

impl<R: BufRead> Lines<R> {
    /// A reader of lines of at most `limit` bytes.
    pub const fn new(reader: R, limit: usize) -> Self {
        Self { reader, limit, failed: false }
    }

    /// The next line; `None` at the end of the input.
    fn read(&mut self) -> io::Result<Option<InputLine>> {
        let (mut line, mut length, mut has_begun) = (Vec::new(), 0_u64, false);
        loop {
            let chunk = match self.reader.fill_buf() {
                Ok(chunk) => chunk,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
                Err(e) => return Err(e),
            };
            if chunk.is_empty() {
                break;
            }
            has_begun = true;
            let end = chunk.iter().position(|&b| b == b'\n');
            let piece = &chunk[..end.unwrap_or(chunk.len())];
            length += piece.len() as u64;
            if length <= self.limit as u64 {
                line.extend_from_slice(piece);
            } else {
                line = Vec::new();
            }
            let used = piece.len() + usize::from(end.is_some());
            self.reader.consume(used);
            if end.is_some() {
                break;
            }
        }
        if !has_begun {
            return Ok(None);
        }
        if length > self.limit as u64 {
            return Ok(Some(InputLine::TooLong(length)));
        }
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        Ok(Some(
            String::from_utf8(line)
                .map_or_else(|e| InputLine::NotUtf8(e.utf8_error().valid_up_to()), InputLine::Text),
        ))
    }
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = io::Result<InputLine>;

    fn next(&mut self) -> Option<io::Result<InputLine>> {
        if self.failed {
            return None;
        }
        let line = self.read();
        self.failed = line.is_err();
        line.transpose()
    }
}
