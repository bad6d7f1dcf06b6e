//! `oracle`: answers questions, with a JSON line for each question and each answer.

use std::io::{self, BufReader, Write};

use clap::Args;
use serde_json::Value;
use stonework_oracle::{Fault, InputLine, Lines, MAX_LINE, answer, answer_line};

use crate::failure::Failure;
use crate::help;
use crate::out::Out;

/// Answer questions about the position after some moves: JSON lines in, JSON lines out
#[derive(Args)]
#[command(long_about = help::ORACLE_ABOUT, after_long_help = help::ORACLE)]
pub(crate) struct Oracle {}

impl Oracle {
    /// Answers every line of standard input, in order.
    #[expect(clippy::unused_self, reason = "every command runs from its arguments; this one has none")]
    pub(crate) fn run(&self, out: &mut Out) -> Result<(), Failure> {
        let mut input = BufReader::with_capacity(1 << 16, io::stdin().lock());
        loop {
            let line = match Lines::new(&mut input, MAX_LINE).next() {
                None => return Ok(()),
                Some(Ok(line)) => line,
                Some(Err(e)) => return Err(Failure::input(format!("standard input: {e}"))),
            };
            out.write_all(reply(line).as_bytes())?;
            out.write_all(b"\n")?;
            // The buffered answers are written before a wait for more input, because the other program may wait for
            // them.
            if !input.buffer().contains(&b'\n') {
                out.flush()?;
            }
        }
    }
}

/// The answer to a line, or the error for an invalid line.
fn reply(line: InputLine) -> String {
    let what = match line.text(MAX_LINE) {
        Ok(text) if text.trim().is_empty() => "an empty line: expected a JSON object".to_owned(),
        Ok(text) => return answer(&text),
        Err(what) => what,
    };
    answer_line(&Value::Null, &Err(Fault::new("line", what)))
}
