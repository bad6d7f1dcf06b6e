//! Rules in another program, in any language, over JSON lines.

use std::io::{self, BufReader, ErrorKind, Write};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::time::{Duration, Instant};

use stonework_program::Program;

use crate::conform::beginning;
use crate::lines::{InputLine, Lines};
use crate::query::{Query, QueryResult, read_answer};
use crate::{MAX_LINE, Subject};

/// The interval at which the wait for an answer reads the cancel flag.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// The usual reason why an answer does not come.
const FLUSH: &str = "a program must read line by line, and flush its output after each answer";

/// The time that a program has to end, after it has closed its input or its output, before it is killed.
const GRACE: Duration = Duration::from_millis(500);

/// A program that answers [`Query`] lines on its standard input with answer lines on its standard
/// output, one for one and in order.
///
/// The shell starts the program at the first question, and again at the next question after a failure: the program
/// has ended, or has not given a valid answer in time. So the search for a smaller counterexample can go on. All processes that
/// the program has started end with it ([`Program`]). The program writes its errors to the standard error of this process.
#[derive(Debug)]
pub struct External {
    command: String,
    timeout: Duration,
    cancel: Option<Arc<AtomicBool>>,
    running: Option<Running>,
    /// The number of questions so far: the id of the latest question.
    questions: u64,
}

#[derive(Debug)]
struct Running {
    program: Program,
    questions: Sender<String>,
    /// The results of writing the questions. A program that does not read makes a write wait for ever, but not this process.
    written: Receiver<io::Result<()>>,
    answers: Receiver<io::Result<InputLine>>,
}

impl External {
    /// A program by its shell command; each answer may take as long as `timeout`.
    #[must_use]
    pub fn new(command: impl Into<String>, timeout: Duration) -> Self {
        Self { command: command.into(), timeout, cancel: None, running: None, questions: 0 }
    }

    /// Sets the cancel flag. Once the flag is true, waiting for an answer ends within a tenth of a second, and no further
    /// question is sent.
    #[must_use]
    pub fn cancel(mut self, flag: Arc<AtomicBool>) -> Self {
        self.cancel = Some(flag);
        self
    }

    fn start(&self) -> io::Result<Running> {
        let (shell, flag) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
        let mut command = Command::new(shell);
        command.args([flag, &self.command]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut program = Program::spawn(command)?;
        let no_pipe = || io::Error::other("no pipe to the program");
        let mut input = program.take_stdin().ok_or_else(no_pipe)?;
        let output = program.take_stdout().ok_or_else(no_pipe)?;
        // This thread ends when the program closes its output, or when the receiver of its lines is dropped.
        let (send, answers) = sync_channel(16);
        std::thread::spawn(move || {
            for line in Lines::new(BufReader::new(output), MAX_LINE) {
                if send.send(line).is_err() {
                    return;
                }
            }
        });
        let (questions, asked) = channel::<String>();
        let (tell, written) = channel();
        // This thread ends when the sender of questions is dropped, or with the first write that fails.
        std::thread::spawn(move || {
            for line in asked {
                let sent = input.write_all(line.as_bytes()).and_then(|()| input.flush());
                let fails = sent.is_err();
                if tell.send(sent).is_err() || fails {
                    return;
                }
            }
        });
        Ok(Running { program, questions, written, answers })
    }

    fn ask(&mut self, query: &Query) -> Result<QueryResult, String> {
        let cancel = self.cancel.clone();
        let is_cancelled = || cancel.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed));
        let stopped = || Err("stopped before the program answered".to_owned());
        if is_cancelled() {
            return stopped();
        }
        if self.running.is_none() {
            let running = self.start().map_err(|e| format!("`{}` does not start: {e}", self.command))?;
            self.running = Some(running);
        }
        self.questions += 1;
        let query = Query { id: self.questions.into(), ..query.clone() };
        let mut line = serde_json::to_string(&query).map_err(|e| e.to_string())?;
        line.push('\n');
        let Some(running) = &mut self.running else { return Err("not running".to_owned()) };
        // After a write that failed no thread takes a question.
        let mut unsent = running.questions.send(line).is_err().then(|| ErrorKind::BrokenPipe.into());
        let since = Instant::now();
        let mut limit = if unsent.is_none() { self.timeout } else { self.timeout.min(GRACE) };
        let received = loop {
            // A write fails if the program has ended or has closed its input. The wait for the answer finds the case and the exit
            // status.
            if let Some(error) = running.written.try_iter().find_map(Result::err) {
                (limit, unsent) = (limit.min(since.elapsed() + GRACE), Some(error));
            }
            let left = limit.saturating_sub(since.elapsed());
            match running.answers.recv_timeout(left.min(POLL_INTERVAL)) {
                Err(RecvTimeoutError::Timeout) if is_cancelled() => return stopped(),
                Err(RecvTimeoutError::Timeout) if left > POLL_INTERVAL => {}
                received => break received,
            }
        };
        let answer = match received {
            Ok(Ok(InputLine::Text(text))) => text,
            Ok(Ok(InputLine::TooLong(bytes))) => {
                return Err(format!("an answer of {bytes} bytes: at most {MAX_LINE}"));
            }
            Ok(Ok(InputLine::NotUtf8(at))) => {
                return Err(format!("an answer that is not UTF-8 at byte {at}"));
            }
            Ok(Err(e)) => return Err(format!("its output cannot be read: {e}")),
            Err(RecvTimeoutError::Timeout) if unsent.is_some() => {
                return Err("the program has closed its input".to_owned());
            }
            Err(RecvTimeoutError::Timeout) => {
                return Err(format!("no answer within {:?}: {FLUSH}", self.timeout));
            }
            Err(RecvTimeoutError::Disconnected) => {
                let status = running.program.end(GRACE);
                let status = status.map_or_else(|| "its output has ended".to_owned(), |s| s.to_string());
                return Err(format!(
                    "the program ended ({status}){}",
                    unsent.map_or(String::new(), |e| format!(": {e}"))
                ));
            }
        };
        let (id, verdict) = read_answer(&answer).map_err(|e| format!("{e}: {}", beginning(&answer)))?;
        if id != query.id {
            return Err(format!("the answer has the `id` {id}, the question has {}", query.id));
        }
        Ok(verdict)
    }
}

impl Subject for External {
    fn replay(&mut self, query: &Query) -> Result<QueryResult, String> {
        let answer = self.ask(query);
        if answer.is_err() {
            // The program may still be at work on this question. Dropping the program ends it, and all processes that it
            // has started.
            self.running = None;
        }
        answer
    }
}
