//! [`Listener`]: the controller of a command that reports while it runs.

use std::io::{self, Write};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crate::protocol::GtpReply;

/// The controller of a command that reports while it runs. The next line of the controller ends the command.
pub(crate) trait Listener {
    /// Waits at most this long; `true` once the controller has sent its next line, or has gone away.
    fn heard(&mut self, wait: Duration) -> bool;

    /// Sends a line of the reply to the command with this id. The line has no control character.
    fn say(&mut self, id: Option<&str>, line: &str);
}

/// A controller that sends its next line after the first wait, and gets all lines with the reply.
#[derive(Default)]
pub(crate) struct Collector(Vec<String>);

impl Listener for Collector {
    fn heard(&mut self, wait: Duration) -> bool {
        thread::sleep(wait);
        true
    }

    fn say(&mut self, _: Option<&str>, line: &str) {
        self.0.push(line.to_owned());
    }
}

impl Collector {
    /// The reply with the lines.
    pub(crate) fn reply(self, reply: GtpReply) -> GtpReply {
        if self.0.is_empty() { reply } else { reply.with_lines(&self.0) }
    }
}

/// The number of the last line that was read; `u64::MAX` after the end of the input.
#[derive(Default)]
pub(crate) struct Heard {
    last: Mutex<u64>,
    news: Condvar,
}

impl Heard {
    pub(crate) fn line(&self, number: u64) {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = number;
        self.news.notify_all();
    }
}

/// A controller behind a reader and a writer.
pub(crate) struct Stream<'a, W> {
    writer: &'a mut W,
    heard: &'a Heard,
    /// The number of the line with the command.
    number: u64,
    /// `true` once a line of the reply has been sent.
    begun: bool,
    fault: Option<io::Error>,
}

impl<'a, W: Write> Stream<'a, W> {
    pub(crate) const fn new(writer: &'a mut W, heard: &'a Heard, number: u64) -> Self {
        Self { writer, heard, number, begun: false, fault: None }
    }

    /// Sends the reply, or the end of the reply whose lines have been sent.
    pub(crate) fn end(self, reply: Option<GtpReply>) -> io::Result<()> {
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        match reply {
            _ if self.begun => self.writer.write_all(b"\n")?,
            Some(reply) => write!(self.writer, "{reply}")?,
            None => return Ok(()),
        }
        self.writer.flush()
    }
}

impl<W: Write> Listener for Stream<'_, W> {
    fn heard(&mut self, wait: Duration) -> bool {
        let last = self.heard.last.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.heard.news.wait_timeout_while(last, wait, |last| *last <= self.number);
        *waited.unwrap_or_else(PoisonError::into_inner).0 > self.number || self.fault.is_some()
    }

    fn say(&mut self, id: Option<&str>, line: &str) {
        let begin = if self.begun { String::new() } else { format!("={}\n", id.unwrap_or_default()) };
        self.begun = true;
        let sent = writeln!(self.writer, "{begin}{line}").and_then(|()| self.writer.flush());
        self.fault = self.fault.take().or(sent.err());
    }
}
