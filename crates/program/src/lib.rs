//! Programs of other authors as child processes: each is ended with all processes that it has started, and its
//! processor time is measured.
//!
//! A program may fork, leave a helper process behind, or turn itself into a daemon. Such processes would run on and take the
//! processor from later measurements. A [`Program`] is started so that its descendants can be found, and
//! [`end`](Program::end) leaves none of them.
//!
//! ```
//! # #[cfg(unix)] {
//! use std::process::{Command, Stdio};
//! use std::time::Duration;
//! use stonework_program::Program;
//! let mut command = Command::new("sh");
//! command.args(["-c", "sleep 1000 & exit 3"]).stdin(Stdio::null());
//! let mut program = Program::spawn(command)?;
//! let status = program.end(Duration::from_secs(5));
//! assert_eq!(status.and_then(|status| status.code()), Some(3)); // and the `sleep` is gone too
//! # }
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! | system | how descendants are found |
//! |---|---|
//! | Linux | the process group; children of children; a variable of the environment, [`MARK`], which daemons inherit |
//! | other Unix systems | the process group: a process that leaves the group survives |
//! | Windows | a job object |
//!
//! What this crate does not do: it cannot find a descendant that has left the group, lost its parent *and* cleared its
//! environment; it limits neither memory nor files; and if this process is killed without a chance to act (`kill -9`), its
//! programs get the end of their input, but are not killed. It has no features.

#[cfg(target_os = "linux")]
mod family;

use std::ffi::OsString;
use std::io;
use std::process::{ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

#[cfg(windows)]
use process_wrap::std::JobObject;
#[cfg(unix)]
use process_wrap::std::ProcessGroup;
use process_wrap::std::{ChildWrapper, CommandWrap};

/// The environment variable by which the descendants of a [`Program`] are found. Its value is a list of names: the
/// names of the programs of which this process is a descendant, and then the name of the program.
pub const MARK: &str = "STONEWORK_PROGRAM";

/// The interval between two checks for the end of a program.
const STEP: Duration = Duration::from_millis(2);

/// A running program, with all processes that it has started.
///
/// The program is in a process group of its own (on Windows: a job), so that Ctrl-C at a terminal does not reach it: the
/// caller must end it. Dropping the value ends the program at once.
#[derive(Debug)]
pub struct Program {
    child: Box<dyn ChildWrapper>,
    #[cfg(target_os = "linux")]
    family: family::Family,
    /// `true` if the program has been ended.
    ended: bool,
    /// The exit status of its first process.
    status: Option<ExitStatus>,
    /// The processor time that the program had used when it was ended.
    used: Option<Duration>,
}

impl Program {
    /// Starts a program, with the standard streams of the command.
    ///
    /// # Errors
    /// An error if the program cannot be started.
    pub fn spawn(mut command: Command) -> io::Result<Self> {
        let name = name();
        let mut mark = std::env::var_os(MARK).unwrap_or_default();
        mark.push(&name);
        command.env(MARK, mark);
        let mut command = CommandWrap::from(command);
        #[cfg(unix)]
        command.wrap(ProcessGroup::leader());
        #[cfg(windows)]
        command.wrap(JobObject);
        let child = command.spawn()?;
        Ok(Self {
            #[cfg(target_os = "linux")]
            family: family::Family::new(child.id(), name),
            child,
            ended: false,
            status: None,
            used: None,
        })
    }

    /// The process identifier of its first process.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// The standard input of the program, if the command made it a pipe; only the first call returns it.
    pub fn take_stdin(&mut self) -> Option<ChildStdin> {
        self.child.stdin().take()
    }

    /// The standard output of the program, if the command made it a pipe; only the first call returns it.
    pub fn take_stdout(&mut self) -> Option<ChildStdout> {
        self.child.stdout().take()
    }

    /// The standard error of the program, if the command made it a pipe; only the first call returns it.
    pub fn take_stderr(&mut self) -> Option<ChildStderr> {
        self.child.stderr().take()
    }

    /// The processor time that the program has used so far: of all threads of all its running processes, and of children that
    /// have ended and were waited for. After its end, the time until the end. `None` on systems other than Linux.
    ///
    /// A daemon that has ended no longer counts, so the time may fall. The resolution is that of the system, usually 10 ms.
    /// A call takes some milliseconds, as it reads about every process of the system.
    #[must_use]
    pub fn cpu_time(&self) -> Option<Duration> {
        if self.ended { self.used } else { self.now_used() }
    }

    /// The processor time so far, from the system.
    #[cfg(target_os = "linux")]
    fn now_used(&self) -> Option<Duration> {
        self.family.cpu_time()
    }

    #[cfg(not(target_os = "linux"))]
    fn now_used(&self) -> Option<Duration> {
        None
    }

    /// Waits at most `grace` for the first process to end, and kills all processes of the program that still run. Returns the
    /// exit status of the first process; `None` if the system does not report it.
    ///
    /// On Linux the call returns once none of them runs. It waits at most six seconds for descendants that cannot be killed or
    /// keep appearing.
    ///
    /// A second call does nothing and returns the same.
    pub fn end(&mut self, grace: Duration) -> Option<ExitStatus> {
        if self.ended {
            return self.status;
        }
        // The system forgets the time of a process that has been waited for.
        self.used = self.now_used();
        let since = Instant::now();
        while matches!(self.child.try_wait(), Ok(None)) && since.elapsed() < grace {
            thread::sleep(STEP.min(grace.saturating_sub(since.elapsed())));
        }
        self.used = self.used.max(self.now_used());
        // Before the first process is waited for, its children can be found through it.
        #[cfg(target_os = "linux")]
        self.family.kill();
        // It is no error if no process is left.
        let _ = self.child.start_kill();
        self.status = self.child.wait().ok();
        #[cfg(target_os = "linux")]
        self.family.kill();
        self.ended = true;
        self.status
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.end(Duration::ZERO);
    }
}

/// A name that is unique among all programs of all running processes.
fn name() -> OsString {
    static STARTED: AtomicU64 = AtomicU64::new(0);
    let number = STARTED.fetch_add(1, Ordering::Relaxed);
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    format!("{}-{}-{number};", std::process::id(), since.as_nanos()).into()
}
