//! [`Controller`]: the side of the protocol that gives commands.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// The longest reply that is taken from an engine, in bytes: 4 MiB.
pub const MAX_REPLY: usize = 4 << 20;

/// The longest command that is given, in bytes.
pub const MAX_COMMAND: usize = 64 << 10;

/// How long a program that has closed its output may take to end before it is killed.
const GRACE: Duration = Duration::from_millis(500);

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

/// What the reading thread has found.
enum Event {
    /// A reply: whether it is a success, and its text.
    Reply(bool, String),
    /// A line that is none.
    NoReply(String),
    /// More than [`MAX_REPLY`] bytes.
    TooLong,
    /// The end of the output.
    End,
}

/// Drives an engine: gives commands and waits for the replies, within a time for each.
///
/// The engine is a child process, or whatever is at the other end of a reader and a writer. Nothing that
/// it does can block the caller for longer than the time limit or make it hold more than [`MAX_REPLY`]
/// bytes. After any error but [`ControllerError::Refused`] and [`ControllerError::NoCommand`] the session
/// is over: the two sides may no longer speak of the same command. A child process is killed then, and
/// when the controller is dropped.
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
    child: Option<Child>,
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
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let connected = match pipes {
            (Some(input), Some(output), Some(errors)) => {
                drain(errors).and_then(|()| Self::over(output, input))
            }
            _ => Err(io::Error::other("no pipes to the program")),
        };
        match connected {
            Ok(mut controller) => {
                controller.child = Some(child);
                Ok(controller)
            }
            Err(error) => {
                stop(&mut child, Duration::ZERO);
                Err(failed(error))
            }
        }
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
        // One reply may wait; whoever sends more unasked has to wait himself.
        let (found, events) = sync_channel(1);
        thread::Builder::new().name("gtp replies".to_owned()).spawn(move || {
            let mut reader = BufReader::new(replies);
            loop {
                let event = next(&mut reader);
                let last = !matches!(event, Event::Reply(..));
                if found.send(event).is_err() || last {
                    return;
                }
            }
        })?;
        let (sender, to_write) = sync_channel::<String>(1);
        thread::Builder::new().name("gtp commands".to_owned()).spawn(move || {
            for line in to_write {
                // That nobody reads shows in the reply that does not come.
                if commands.write_all(line.as_bytes()).and_then(|()| commands.flush()).is_err() {
                    return;
                }
            }
        })?;
        Ok(Self { commands: Some(sender), events, child: None, over: None })
    }

    /// Gives a command and waits for its reply: the text after `=` and a space, lines joined by line
    /// feeds, control characters left out.
    ///
    /// # Errors
    /// As each [`ControllerError`] says.
    pub fn send(&mut self, command: &str, timeout: Duration) -> Result<String, ControllerError> {
        check(command)?;
        let died = |how: String| ControllerError::Died { command: head(command), how };
        let line = format!("{command}\n");
        let Some(commands) = self.commands.as_ref().filter(|_| self.over.is_none()) else {
            return Err(died(self.over.clone().unwrap_or_else(|| "the session is over".to_owned())));
        };
        // What comes before the question is no answer to it.
        let event = match self.events.try_recv() {
            Ok(Event::Reply(_, text)) => Ok(Event::NoReply(text)),
            Ok(event) => Ok(event),
            Err(_) => {
                // If the writer has gone, so has the engine.
                let _ = commands.try_send(line);
                self.events.recv_timeout(timeout)
            }
        };
        let command = head(command);
        let error = match event {
            Ok(Event::Reply(true, text)) => return Ok(text),
            Ok(Event::Reply(false, text)) => return Err(ControllerError::Refused { command, text }),
            Ok(Event::NoReply(line)) => ControllerError::Malformed { command, line: head(&line) },
            Ok(Event::TooLong) => ControllerError::Flood { command, limit: MAX_REPLY },
            Err(RecvTimeoutError::Timeout) => ControllerError::Timeout { command, limit: timeout },
            Ok(Event::End) | Err(RecvTimeoutError::Disconnected) => {
                let status = self.end(GRACE);
                let how = status.map_or_else(|| "its output has ended".to_owned(), |s| s.to_string());
                ControllerError::Died { command, how }
            }
        };
        self.end(Duration::ZERO);
        self.over = Some(match &error {
            ControllerError::Died { how, .. } => how.clone(),
            other => other.to_string(),
        });
        Err(error)
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

    /// The processor's time that a child process has taken so far, all its threads together, in steps of
    /// 10 ms; `None` without one, after its end, and where the system does not tell it (it does on Linux).
    #[must_use]
    pub fn cpu_time(&self) -> Option<Duration> {
        let child = self.child.as_ref().filter(|_| self.is_open())?;
        let status = std::fs::read_to_string(format!("/proc/{}/stat", child.id())).ok()?;
        ticks(&status).map(|ticks| Duration::from_millis(10 * ticks))
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
        self.child.as_mut().and_then(|child| stop(child, grace))
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

/// User and system time in hundredths of a second, from a line of `/proc/PID/stat` (proc(5): fields 14 and 15,
/// counted behind the name, which may hold anything but is in brackets).
fn ticks(status: &str) -> Option<u64> {
    let mut fields = status.rsplit_once(')')?.1.split_whitespace().skip(11);
    let mut next = || fields.next()?.parse::<u64>().ok();
    next()?.checked_add(next()?)
}

/// Waits for a child to end, and kills it after the grace.
fn stop(child: &mut Child, grace: Duration) -> Option<ExitStatus> {
    let since = Instant::now();
    loop {
        if let Ok(Some(status)) = child.try_wait() {
            return Some(status);
        }
        if since.elapsed() >= grace {
            break;
        }
        thread::sleep(Duration::from_millis(2));
    }
    // Either it has ended meanwhile, or this ends it.
    let _ = child.kill();
    child.wait().ok()
}

/// Reads and forgets.
fn drain(mut errors: impl Read + Send + 'static) -> io::Result<()> {
    let forget = move || _ = io::copy(&mut errors, &mut io::sink());
    thread::Builder::new().name("gtp stderr".to_owned()).spawn(forget).map(drop)
}

/// The next reply: lines up to an empty one, empty lines before it passed over.
fn next(reader: &mut impl BufRead) -> Event {
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
            (None, first) => match first.strip_prefix('=').map(|rest| (true, rest)) {
                Some((good, rest)) => reply = Some((good, rest.trim_start().to_owned())),
                None => match first.strip_prefix('?') {
                    Some(rest) => reply = Some((false, rest.trim_start().to_owned())),
                    None => return Event::NoReply(first.to_owned()),
                },
            },
        }
    }
    reply.map_or(Event::End, |(good, text)| Event::Reply(good, text))
}

/// A line with its end, or its first `limit + 1` bytes; `None` at the end of the input.
fn line(reader: &mut impl BufRead, limit: usize) -> Option<Vec<u8>> {
    let mut line = Vec::new();
    match reader.take(limit as u64 + 1).read_until(b'\n', &mut line) {
        Ok(0) | Err(_) => None,
        Ok(_) => Some(line),
    }
}

/// The beginning of a text, for messages.
fn head(text: &str) -> String {
    text.chars().take(80).collect()
}
