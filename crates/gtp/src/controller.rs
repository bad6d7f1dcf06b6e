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

/// The longest command that a controller sends, in bytes.
pub const MAX_COMMAND: usize = 64 << 10;

/// The time that a program with a closed output has to end. After that time, the controller kills the program.
const GRACE: Duration = Duration::from_millis(500);

/// The interval at which a waiting controller checks the flag of [`Controller::cancel`].
const SLICE: Duration = Duration::from_millis(50);

/// The reason why a command has no reply.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ControllerError {
    /// The program cannot be started.
    #[error("`{command}` does not start: {error}")]
    Start {
        /// The command line.
        command: String,
        /// The error of the system.
        error: io::Error,
    },
    /// The command line has no program, or its quotes are not closed.
    #[error("`{command}` is no command line: {why}")]
    CommandLine {
        /// The command line.
        command: String,
        /// The fault of the command line.
        why: &'static str,
    },
    /// The text is not one single command; the controller sent nothing.
    #[error("cannot send `{command}`: {why}")]
    NoCommand {
        /// The beginning of the text.
        command: String,
        /// The fault of the text.
        why: &'static str,
    },
    /// The engine has ended, or has closed its output.
    #[error("the engine has gone ({how}) before it answered `{command}`")]
    Died {
        /// The command without an answer.
        command: String,
        /// The exit status of the engine, or the earlier error that ended the session.
        how: String,
    },
    /// The engine has closed its input, and has not ended. The controller stops the engine.
    #[error("the engine has closed its input before it has read `{command}`")]
    InputClosed {
        /// The command that the engine has not read.
        command: String,
    },
    /// The flag of [`Controller::cancel`] was set. The controller stops the engine.
    #[error("stopped before the reply to `{command}`")]
    Cancelled {
        /// The command without an answer.
        command: String,
    },
    /// The engine has sent two answers to one command. The controller stops the engine.
    #[error("two answers to `{command}`, the second of them `{text}`")]
    Twice {
        /// The command with two answers.
        command: String,
        /// The beginning of the second answer.
        text: String,
    },
    /// The engine puts the ids of commands into its replies, but this reply has another id or none. The controller
    /// stops the engine.
    #[error("the reply to `{command}`, which has the id {id}, has {found}")]
    OtherId {
        /// The command.
        command: String,
        /// The id of the command.
        id: u64,
        /// The id of the reply, in words.
        found: String,
    },
    /// The engine has sent no complete reply within the time limit. The controller stops the engine.
    #[error("no reply to `{command}` within {limit:?}")]
    Timeout {
        /// The command without an answer.
        command: String,
        /// The time limit of the command.
        limit: Duration,
    },
    /// The engine refuses the command: its reply begins with `?`. The session goes on.
    #[error("the engine refuses `{command}`: {text}")]
    Refused {
        /// The command.
        command: String,
        /// The text of the reply.
        text: String,
    },
    /// The engine has sent a line that is no reply. The controller stops the engine.
    #[error("`{line}` in answer to `{command}` is no reply, which begins with `=` or `?`")]
    Malformed {
        /// The command.
        command: String,
        /// The beginning of the line.
        line: String,
    },
    /// The reply is too long. The controller stops the engine.
    #[error("the reply to `{command}` is longer than {limit} bytes")]
    Flood {
        /// The command.
        command: String,
        /// The limit in bytes.
        limit: usize,
    },
}

/// Drives an engine: sends commands, and waits for each reply within a time limit.
///
/// The engine is a child process, or the program at the other end of a reader and a writer. An engine cannot block
/// the caller beyond the time limit, and cannot make the controller store more than [`MAX_REPLY`] bytes. Every error
/// but [`ControllerError::Refused`] and [`ControllerError::NoCommand`] ends the session, because a later reply could
/// belong to another command. The end of the session, and the drop of the controller, kill a child process with all
/// processes that the child has started ([`Program`]).
///
/// Each command has an id, which the reply has to repeat. If the first reply of an engine has no id, the controller
/// sends the later commands without ids ([`echoes_ids`](Self::echoes_ids)). If that first reply is a refusal, perhaps
/// of the id, the controller sends the command again. Without ids, the controller notices a surplus answer only if
/// the answer comes before the next command.
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
    /// The channel to the writing thread; `None` after the end of the session.
    commands: Option<SyncSender<String>>,
    events: Receiver<Event>,
    program: Option<Program>,
    cancel: Option<Arc<AtomicBool>>,
    /// `true` if the first reply had an id; `None` before the first reply.
    ids: Option<bool>,
    /// The number of commands sent.
    given: u64,
    /// The beginning of the last command that the engine has answered.
    last: Option<String>,
    /// The reason for the end of the session.
    over: Option<String>,
}

impl Controller {
    /// Starts a program. The command line consists of words, with quotes as in a shell. No shell runs, so nothing is
    /// expanded. The controller reads and discards the standard error of the program.
    ///
    /// # Errors
    /// [`ControllerError::CommandLine`] or [`ControllerError::Start`].
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

    /// Drives an engine that reads commands from `commands` and writes replies to `replies`, such as the two
    /// directions of a connection. Each direction has a thread, which lasts until that direction is closed.
    ///
    /// # Errors
    /// An error if a thread cannot be started.
    pub fn over(
        replies: impl Read + Send + 'static,
        mut commands: impl Write + Send + 'static,
    ) -> io::Result<Self> {
        // The channel has room for one reply. The pipe blocks an engine that sends more replies than the controller
        // has asked for.
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
                    // The event has no receiver only if the session is over.
                    let _ = unread.send(Event::Unread);
                    return;
                }
            }
        })?;
        let (program, cancel, ids, last, over) = (None, None, None, None, None);
        Ok(Self { commands: Some(sender), events, program, cancel, ids, given: 0, last, over })
    }

    /// Sets the flag that ends a wait for a reply, and the session: within a tenth of a second after the flag is set.
    #[must_use]
    pub fn cancel(mut self, flag: Arc<AtomicBool>) -> Self {
        self.cancel = Some(flag);
        self
    }

    /// Sends a command and waits for its reply. Returns the text after `=` and a space: lines joined by line feeds,
    /// without control characters.
    ///
    /// # Errors
    /// The cases of [`ControllerError`].
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

    /// Sends a command and waits for its reply. The command has an id unless the engine does not repeat ids. An error
    /// ends the session; a refusal is no error here.
    fn ask(&mut self, line: &str, since: Instant, timeout: Duration) -> Result<Answered, ControllerError> {
        let command = head(line);
        // A reply that comes before the command is no answer to the command.
        match self.events.try_recv() {
            Ok(Event::GtpReply(early)) => return Err(self.unasked(command, &early)),
            Ok(event) => return self.read(event, command),
            Err(_) => {}
        }
        self.given += 1;
        let id = self.given;
        let line = if self.ids == Some(false) { format!("{line}\n") } else { format!("{id} {line}\n") };
        if let Some(commands) = &self.commands {
            // A writing thread that has ended has sent an event with the reason.
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
            // The command before this one has had its answer already.
            (_, Some(found)) if found.checked_add(1) == Some(id) => Err(self.unasked(command, &answered)),
            (_, Some(found)) => Err(other(format!("the id {found}"))),
            (_, None) => Err(other("no id".to_owned())),
        }
    }

    /// The error for a reply to no command, which came before the reply to `command`.
    fn unasked(&self, command: String, early: &Answered) -> ControllerError {
        let text = head(&early.text);
        match &self.last {
            Some(last) => ControllerError::Twice { command: last.clone(), text },
            None => ControllerError::Malformed { command, line: text },
        }
    }

    /// The reply of an event, or the error for an event without a reply.
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

    /// The name of the engine, in its own words.
    ///
    /// # Errors
    /// The errors of [`send`](Self::send).
    pub fn name(&mut self, timeout: Duration) -> Result<String, ControllerError> {
        self.send("name", timeout)
    }

    /// The version of the engine, in its own words.
    ///
    /// # Errors
    /// The errors of [`send`](Self::send).
    pub fn version(&mut self, timeout: Duration) -> Result<String, ControllerError> {
        self.send("version", timeout)
    }

    /// `true` if the engine says that it has a command.
    ///
    /// # Errors
    /// The errors of [`send`](Self::send).
    pub fn knows(&mut self, command: &str, timeout: Duration) -> Result<bool, ControllerError> {
        Ok(self.send(&format!("known_command {command}"), timeout)?.trim() == "true")
    }

    /// `true` if no command so far has ended the session.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        self.over.is_none()
    }

    /// `true` if the engine repeats the ids of commands in its replies, as the protocol asks; `None` before the first
    /// reply.
    #[must_use]
    pub const fn echoes_ids(&self) -> Option<bool> {
        self.ids
    }

    /// The processor time of a child process so far, with all processes that the child has started
    /// ([`Program::cpu_time`]). After the end of the child the time stays. `None` without a child process, and on
    /// systems without this figure.
    #[must_use]
    pub fn cpu_time(&self) -> Option<Duration> {
        self.program.as_ref()?.cpu_time()
    }

    /// Sends `quit`, and kills a child process that has not ended after `timeout`.
    ///
    /// # Errors
    /// The errors of [`send`](Self::send). An engine that ends without an answer is no error.
    pub fn quit(mut self, timeout: Duration) -> Result<(), ControllerError> {
        let since = Instant::now();
        let said = self.send("quit", timeout);
        self.end(timeout.saturating_sub(since.elapsed()));
        match said {
            Ok(_) | Err(ControllerError::Died { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Closes the input of the engine, and waits for the end of a child process.
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

/// Checks that a text is one command.
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
