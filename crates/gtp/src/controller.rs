//! [`Controller`]: the side of the protocol that gives commands.

use std::io::{self, BufReader, Read, Write};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use stonework_program::Program;
use web_time::Instant;

use crate::MAX_REPLY;
use crate::replies::{Answered, Event, drain, next};

/// The longest command that is given, in bytes.
pub const MAX_COMMAND: usize = 64 << 10;

/// How long a program that has closed its output may take to end before it is killed.
const GRACE: Duration = Duration::from_millis(500);

/// How often the flag that ends waiting is looked at.
const SLICE: Duration = Duration::from_millis(50);

/// Why a command has no reply to go on with.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ControllerError {
    /// The program cannot be started.
    #[error("`{command}` does not start: {error}")]
    Start {
        /// The command line.
        command: String,
        /// Why not.
        error: io::Error,
    },
    /// The command line has no program, or its quotes are not closed.
    #[error("`{command}` is no command line: {why}")]
    CommandLine {
        /// The command line.
        command: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// A text that is no single command; nothing was sent.
    #[error("cannot send `{command}`: {why}")]
    NoCommand {
        /// The beginning of the text.
        command: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// The engine has ended, or its output has.
    #[error("the engine has gone ({how}) before it answered `{command}`")]
    Died {
        /// The command without an answer.
        command: String,
        /// Its exit status, or what ended the session before.
        how: String,
    },
    /// The engine reads no more commands, though it has not ended. The engine is stopped.
    #[error("the engine has closed its input before it has read `{command}`")]
    InputClosed {
        /// The command that was not read.
        command: String,
    },
    /// The flag of [`Controller::cancel`] was set. The engine is stopped.
    #[error("stopped before the reply to `{command}`")]
    Cancelled {
        /// The command without an answer.
        command: String,
    },
    /// The engine has answered a command once more than it was asked. The engine is stopped.
    #[error("two answers to `{command}`, the second of them `{text}`")]
    Twice {
        /// The command that was answered twice.
        command: String,
        /// The beginning of the second answer.
        text: String,
    },
    /// The engine puts the ids of commands into its replies, but not into this one. The engine is stopped.
    #[error("the reply to `{command}`, which has the id {id}, has {found}")]
    OtherId {
        /// The command.
        command: String,
        /// Its id.
        id: u64,
        /// The id of the reply, in words.
        found: String,
    },
    /// There was no complete reply in time. The engine is stopped.
    #[error("no reply to `{command}` within {limit:?}")]
    Timeout {
        /// The command without an answer.
        command: String,
        /// The time that it had.
        limit: Duration,
    },
    /// The engine says that it cannot do this: its reply begins with `?`. The session goes on.
    #[error("the engine refuses `{command}`: {text}")]
    Refused {
        /// The command.
        command: String,
        /// What it says.
        text: String,
    },
    /// Something that is no reply. The engine is stopped.
    #[error("`{line}` in answer to `{command}` is no reply, which begins with `=` or `?`")]
    Malformed {
        /// The command.
        command: String,
        /// The beginning of the line.
        line: String,
    },
    /// A reply without an end. The engine is stopped.
    #[error("the reply to `{command}` is longer than {limit} bytes")]
    Flood {
        /// The command.
        command: String,
        /// The limit.
        limit: usize,
    },
}

/// Drives an engine: gives commands and waits for the replies, within a time for each.
///
/// The engine is a child process, or whatever is at the other end of a reader and a writer. Nothing that
/// it does can block the caller for longer than the time limit or make it hold more than [`MAX_REPLY`]
/// bytes. After any error but [`ControllerError::Refused`] and [`ControllerError::NoCommand`] the session
/// is over: the two sides may no longer speak of the same command. A child process is killed then with everything
/// that it has started ([`Program`]), and when the controller is dropped.
///
/// Each command has an id, which the reply to it has to repeat. An engine whose first reply shows no id is given commands
/// without ids from then on ([`echoes_ids`](Self::echoes_ids)); if that reply was a refusal, perhaps of the id, the
/// command is given again. Of such an engine an answer too many is noticed only if it comes before the next command.
///
/// ```
/// use std::time::Duration;
/// use stonework_gtp::{Controller, ControllerError};
/// # #[cfg(unix)] {
/// let engine = r#"sh -c 'read command; printf "= Echo\n\n"; read command; printf "? no\n\n"'"#;
/// let mut controller = Controller::spawn(engine)?;
/// let second = Duration::from_secs(1);
/// assert_eq!(controller.send("name", second)?, "Echo");
/// let error = controller.send("genmove w", second).unwrap_err();
/// assert!(matches!(error, ControllerError::Refused { .. }), "{error}");
/// # }
/// # Ok::<(), ControllerError>(())
/// ```
#[derive(Debug)]
pub struct Controller {
    /// To the writing thread; gone when the session is over.
    commands: Option<SyncSender<String>>,
    events: Receiver<Event>,
    program: Option<Program>,
    cancel: Option<Arc<AtomicBool>>,
    /// Whether replies have ids, as the first of them has shown.
    ids: Option<bool>,
    /// How many commands were given.
    given: u64,
    /// The beginning of the last command that was answered.
    last: Option<String>,
    /// What has ended the session.
    over: Option<String>,
}

impl Controller {
    /// Starts a program, given as in a shell: words, which may be quoted. There is no shell between, so
    /// nothing is expanded. Its standard error is read and thrown away.
    ///
    /// # Errors
    /// [`ControllerError::CommandLine`] and [`ControllerError::Start`].
    pub fn spawn(command_line: &str) -> Result<Self, ControllerError> {
        let wrong = |why| ControllerError::CommandLine { command: command_line.to_owned(), why };
        let words = shlex::split(command_line).ok_or_else(|| wrong("a quote is not closed"))?;
        let (program, arguments) = words.split_first().ok_or_else(|| wrong("it is empty"))?;
        let failed = |error| ControllerError::Start { command: command_line.to_owned(), error };
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut program = Program::spawn(command).map_err(failed)?;
        let pipes = (program.take_stdin(), program.take_stdout(), program.take_stderr());
        let connected = match pipes {
            (Some(input), Some(output), Some(errors)) => {
                drain(errors).and_then(|()| Self::over(output, input))
            }
            _ => Err(io::Error::other("no pipes to the program")),
        };
        let mut controller = connected.map_err(failed)?;
        controller.program = Some(program);
        Ok(controller)
    }

    /// Drives what answers on `replies` to what is written to `commands`, such as the two directions of
    /// a connection. A thread for each lasts until its side is closed.
    ///
    /// # Errors
    /// If no thread can be started.
    pub fn over(
        replies: impl Read + Send + 'static,
        mut commands: impl Write + Send + 'static,
    ) -> io::Result<Self> {
        // One reply may wait here; an engine that sends more than it was asked for is blocked by its pipe.
        let (found, events) = sync_channel(1);
        let unread = found.clone();
        thread::Builder::new().name("gtp replies".to_owned()).spawn(move || {
            let mut reader = BufReader::new(replies);
            loop {
                let event = next(&mut reader);
                let last = !matches!(event, Event::GtpReply(..));
                if found.send(event).is_err() || last {
                    return;
                }
            }
        })?;
        let (sender, to_write) = sync_channel::<String>(1);
        thread::Builder::new().name("gtp commands".to_owned()).spawn(move || {
            for line in to_write {
                if commands.write_all(line.as_bytes()).and_then(|()| commands.flush()).is_err() {
                    // That the session is over is no news to anybody.
                    let _ = unread.send(Event::Unread);
                    return;
                }
            }
        })?;
        let (program, cancel, ids, last, over) = (None, None, None, None, None);
        Ok(Self { commands: Some(sender), events, program, cancel, ids, given: 0, last, over })
    }

    /// Ends waiting for a reply, and with it the session, soon after this flag is set: in a tenth of a second.
    #[must_use]
    pub fn cancel(mut self, flag: Arc<AtomicBool>) -> Self {
        self.cancel = Some(flag);
        self
    }

    /// Gives a command and waits for its reply: the text after `=` and a space, lines joined by line
    /// feeds, control characters left out.
    ///
    /// # Errors
    /// As each [`ControllerError`] says.
    pub fn send(&mut self, command: &str, timeout: Duration) -> Result<String, ControllerError> {
        check(command)?;
        if let Some(how) = &self.over {
            return Err(ControllerError::Died { command: head(command), how: how.clone() });
        }
        let since = Instant::now();
        let mut answer = self.ask(command, since, timeout);
        if self.ids.is_none() && answer.is_ok() {
            self.ids = Some(matches!(answer, Ok(Answered { id: Some(_), .. })));
            if let Ok(Answered { good: false, id: None, .. }) = answer {
                answer = self.ask(command, since, timeout);
            }
        }
        let command = head(command);
        let error = match answer {
            Ok(Answered { good, text, .. }) => {
                self.last = Some(command.clone());
                return if good { Ok(text) } else { Err(ControllerError::Refused { command, text }) };
            }
            Err(error) => error,
        };
        self.end(Duration::ZERO);
        self.over = Some(match &error {
            ControllerError::Died { how, .. } => how.clone(),
            other => other.to_string(),
        });
        Err(error)
    }

    /// Gives a command, with an id unless the engine has shown that it does not repeat them, and waits for the
    /// reply, which is the one to this command. Any error is the end of the session.
    fn ask(&mut self, line: &str, since: Instant, timeout: Duration) -> Result<Answered, ControllerError> {
        let command = head(line);
        // What comes before the question is no answer to it.
        match self.events.try_recv() {
            Ok(Event::GtpReply(early)) => return Err(self.unasked(command, &early)),
            Ok(event) => return self.read(event, command),
            Err(_) => {}
        }
        self.given += 1;
        let id = self.given;
        let line = if self.ids == Some(false) { format!("{line}\n") } else { format!("{id} {line}\n") };
        if let Some(commands) = &self.commands {
            // If the writer has gone, it has said so.
            let _ = commands.try_send(line);
        }
        let event = loop {
            if self.cancel.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
                return Err(ControllerError::Cancelled { command });
            }
            let left = timeout.saturating_sub(since.elapsed());
            match self.events.recv_timeout(left.min(SLICE)) {
                Ok(event) => break event,
                Err(RecvTimeoutError::Timeout) if left > SLICE => {}
                Err(RecvTimeoutError::Timeout) => {
                    return Err(ControllerError::Timeout { command, limit: timeout });
                }
                Err(RecvTimeoutError::Disconnected) => break Event::End,
            }
        };
        let answered = self.read(event, command.clone())?;
        let other = |found: String| ControllerError::OtherId { command: command.clone(), id, found };
        match (self.ids, answered.id) {
            (Some(false), _) => Ok(answered.without_id()),
            (None, None) => Ok(answered),
            (_, Some(found)) if found == id => Ok(answered),
            // The one before this has been answered already.
            (_, Some(found)) if found.checked_add(1) == Some(id) => Err(self.unasked(command, &answered)),
            (_, Some(found)) => Err(other(format!("the id {found}"))),
            (_, None) => Err(other("no id".to_owned())),
        }
    }

    /// What an answer that nobody has asked for means before the reply to a command.
    fn unasked(&self, command: String, early: &Answered) -> ControllerError {
        let text = head(&early.text);
        match &self.last {
            Some(last) => ControllerError::Twice { command: last.clone(), text },
            None => ControllerError::Malformed { command, line: text },
        }
    }

    /// The reply, or why there is none.
    fn read(&mut self, event: Event, command: String) -> Result<Answered, ControllerError> {
        Err(match event {
            Event::GtpReply(answered) => return Ok(answered),
            Event::NoReply(line) => ControllerError::Malformed { command, line: head(&line) },
            Event::TooLong => ControllerError::Flood { command, limit: MAX_REPLY },
            // An engine that ends closes its input too.
            Event::Unread if !matches!(self.events.recv_timeout(GRACE), Ok(Event::End)) => {
                ControllerError::InputClosed { command }
            }
            Event::Unread | Event::End => {
                let status = self.end(GRACE);
                let how = status.map_or_else(|| "its output has ended".to_owned(), |s| s.to_string());
                ControllerError::Died { command, how }
            }
        })
    }

    /// What the engine calls itself.
    ///
    /// # Errors
    /// As [`send`](Self::send).
    pub fn name(&mut self, timeout: Duration) -> Result<String, ControllerError> {
        self.send("name", timeout)
    }

    /// Which version of itself it says it is.
    ///
    /// # Errors
    /// As [`send`](Self::send).
    pub fn version(&mut self, timeout: Duration) -> Result<String, ControllerError> {
        self.send("version", timeout)
    }

    /// Whether the engine knows a command, by its own account.
    ///
    /// # Errors
    /// As [`send`](Self::send).
    pub fn knows(&mut self, command: &str, timeout: Duration) -> Result<bool, ControllerError> {
        Ok(self.send(&format!("known_command {command}"), timeout)?.trim() == "true")
    }

    /// Whether the session goes on, as far as the last command has shown.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        self.over.is_none()
    }

    /// Whether the engine repeats the ids of commands in its replies, as the protocol asks; `None` before the first reply.
    #[must_use]
    pub const fn echoes_ids(&self) -> Option<bool> {
        self.ids
    }

    /// The processor's time that a child process has taken so far, with everything that it has started
    /// ([`Program::cpu_time`]), until its end after that; `None` without one, and where the system does not tell it.
    #[must_use]
    pub fn cpu_time(&self) -> Option<Duration> {
        self.program.as_ref()?.cpu_time()
    }

    /// Says goodbye, and kills a child process that has not ended `timeout` later.
    ///
    /// # Errors
    /// As [`send`](Self::send); that the engine ends without an answer is no error.
    pub fn quit(mut self, timeout: Duration) -> Result<(), ControllerError> {
        let since = Instant::now();
        let said = self.send("quit", timeout);
        self.end(timeout.saturating_sub(since.elapsed()));
        match said {
            Ok(_) | Err(ControllerError::Died { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Closes the engine's input, and waits for a child process to end.
    fn end(&mut self, grace: Duration) -> Option<ExitStatus> {
        self.commands = None;
        self.program.as_mut().and_then(|program| program.end(grace))
    }
}

impl Drop for Controller {
    fn drop(&mut self) {
        self.end(Duration::ZERO);
    }
}

/// Whether a text is one command.
fn check(command: &str) -> Result<(), ControllerError> {
    let why = match command {
        text if text.len() > MAX_COMMAND => "it is longer than 64 KiB",
        text if text.contains(['\n', '\r']) => "it has several lines",
        text if text.split('#').next().is_none_or(|t| t.trim().is_empty()) => "it is empty",
        _ => return Ok(()),
    };
    Err(ControllerError::NoCommand { command: head(command), why })
}

/// The beginning of a text, for messages.
fn head(text: &str) -> String {
    text.chars().take(80).collect()
}
