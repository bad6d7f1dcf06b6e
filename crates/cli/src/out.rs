//! Standard output, as text for people or as lines of JSON.

use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};

use serde::Serialize;

use crate::failure::Failure;

/// Standard output. Writing to it returns errors, so that a closed pipe ends the program in order.
pub(crate) struct Out {
    writer: BufWriter<StdoutLock<'static>>,
    json: bool,
}

impl Out {
    pub(crate) fn new(json: bool) -> Self {
        Self { writer: BufWriter::new(io::stdout().lock()), json }
    }

    /// Whether the reader wants JSON.
    pub(crate) const fn wants_json(&self) -> bool {
        self.json
    }

    /// Whether a person sees each line as it comes.
    pub(crate) fn is_terminal() -> bool {
        io::stdout().is_terminal()
    }

    /// Writes an object on a line of its own.
    pub(crate) fn object(&mut self, object: &impl Serialize) -> Result<(), Failure> {
        serde_json::to_writer(&mut self.writer, object).map_err(io::Error::from)?;
        self.writer.write_all(b"\n")?;
        Ok(())
    }

    /// Hands on what was written so far.
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        Ok(self.writer.flush()?)
    }
}

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}
