//! Rules in another program, in any language, over JSON lines.

use std::io::{self, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use crate::lines::{Line, Lines};
use crate::query::{Query, Verdict, read_answer};
use crate::{MAX_LINE, Subject};

/// A program that answers [`Query`] lines on its standard input with answer lines on its standard
/// output, one for one and in order.
///
/// It is started by the shell at the first question, and again after it has ended or failed to answer
/// in time, so that shrinking can go on. Its standard error is passed through.
#[derive(Debug)]
pub struct External {
    command: String,
    timeout: Duration,
    running: Option<Running>,
    asked: u64,
}

#[derive(Debug)]
struct Running {
    child: Child,
    input: ChildStdin,
    answers: Receiver<io::Result<Line>>,
}

impl External {
    /// A program by its shell command; each answer may take as long as `timeout`.
    #[must_use]
    pub fn new(command: impl Into<String>, timeout: Duration) -> Self {
        Self { command: command.into(), timeout, running: None, asked: 0 }
    }

    fn start(&self) -> io::Result<Running> {
        let (shell, flag) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
        let mut child = Command::new(shell)
            .args([flag, &self.command])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let missing = || io::Error::other("no pipe to the program");
        let input = child.stdin.take().ok_or_else(missing)?;
        let output = child.stdout.take().ok_or_else(missing)?;
        // The reader ends when the program's output does or when nobody listens any more.
        let (send, answers) = sync_channel(16);
        std::thread::spawn(move || {
            for line in Lines::new(BufReader::new(output), MAX_LINE) {
                if send.send(line).is_err() {
                    return;
                }
            }
        });
        Ok(Running { child, input, answers })
    }

    fn ask(&mut self, query: &Query) -> Result<Verdict, String> {
        if self.running.is_none() {
            let running = self.start().map_err(|e| format!("`{}` does not start: {e}", self.command))?;
            self.running = Some(running);
        }
        let Some(running) = &mut self.running else { return Err("not running".to_owned()) };
        self.asked += 1;
        let query = Query { id: self.asked.into(), ..query.clone() };
        let mut line = serde_json::to_string(&query).map_err(|e| e.to_string())?;
        line.push('\n');
        // A program that has ended shows in the answer, which also says how.
        let sent = running.input.write_all(line.as_bytes()).and_then(|()| running.input.flush());
        let answer = match running.answers.recv_timeout(self.timeout) {
            Ok(Ok(Line::Text(text))) => text,
            Ok(Ok(Line::TooLong(bytes))) => {
                return Err(format!("an answer of {bytes} bytes: at most {MAX_LINE}"));
            }
            Ok(Ok(Line::NotUtf8(at))) => return Err(format!("an answer that is not UTF-8 at byte {at}")),
            Ok(Err(e)) => return Err(format!("its output cannot be read: {e}")),
            Err(RecvTimeoutError::Timeout) => return Err(format!("no answer within {:?}", self.timeout)),
            Err(RecvTimeoutError::Disconnected) => {
                let status = running.child.wait().map_or_else(|e| e.to_string(), |s| s.to_string());
                return Err(format!(
                    "the program ended ({status}){}",
                    sent.err().map_or(String::new(), |e| format!(": {e}"))
                ));
            }
        };
        let (id, verdict) = read_answer(&answer)
            .map_err(|e| format!("{e}: {}", answer.chars().take(200).collect::<String>()))?;
        if id != query.id {
            return Err(format!("the answer is to question {id}, asked was {}", query.id));
        }
        Ok(verdict)
    }

    fn stop(&mut self) {
        if let Some(mut running) = self.running.take() {
            drop(running.input);
            // It may not have noticed that nobody asks any more; either way it is gone afterwards.
            let _ = running.child.kill();
            let _ = running.child.wait();
        }
    }
}

impl Subject for External {
    fn replay(&mut self, query: &Query) -> Result<Verdict, String> {
        let answer = self.ask(query);
        if answer.is_err() {
            self.stop();
        }
        answer
    }
}

impl Drop for External {
    fn drop(&mut self) {
        self.stop();
    }
}
