//! Other people's programs as child processes: ended with everything they have started, their processor's time measured.
//!
//! A program that plays or answers for somebody may fork, leave a helper behind, or turn itself into a daemon. What
//! it leaves behind would run on and take the processor from whatever is measured next. A [`Program`] is started so that
//! its descendants can be found again, and [`end`](Program::end) leaves none of them.
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
//! | other Unix systems | the process group: what leaves the group survives |
//! | Windows | a job object |
//!
//! What this crate does not do: it cannot find a descendant that has left the group, lost its parent *and* cleared its
//! environment; it limits neither memory nor files; and when this process is killed without a chance to act (`kill -9`),
//! programs see the end of their input and nothing more. It has no features.

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

/// The variable of the environment that tells the descendants of a [`Program`] from all other processes. Its value
/// names the program, after the programs that this process is a descendant of itself.
pub const MARK: &str = "STONEWORK_PROGRAM";

/// How often a program that has been given time to end is looked at.
const STEP: Duration = Duration::from_millis(2);

/// A program that runs, together with everything that it has started.
///
/// It is in a process group of its own (on Windows: a job), so that Ctrl-C at a terminal does not reach it: whoever
/// starts a program also ends it. Dropping it ends it at once.
#[derive(Debug)]
pub struct Program {
    child: Box<dyn ChildWrapper>,
    #[cfg(target_os = "linux")]
    family: family::Family,
    /// Whether all of it has been ended.
    ended: bool,
    /// How its first process ended.
    status: Option<ExitStatus>,
    /// The processor's time that it had taken before it was ended.
    taken: Option<Duration>,
}

impl Program {
    /// Starts a program. Its standard streams are as the command says.
    ///
    /// # Errors
    /// If it cannot be started.
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
            taken: None,
        })
    }

    /// The number of its first process.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Its standard input, which can be taken once, if the command said that there is a pipe.
    pub fn take_stdin(&mut self) -> Option<ChildStdin> {
        self.child.stdin().take()
    }

    /// Its standard output, likewise.
    pub fn take_stdout(&mut self) -> Option<ChildStdout> {
        self.child.stdout().take()
    }

    /// Its standard error, likewise.
    pub fn take_stderr(&mut self) -> Option<ChildStderr> {
        self.child.stderr().take()
    }

    /// The processor's time that it has taken so far: all threads of all its processes that run, and those of
    /// children that have ended and were waited for. A daemon that has ended is forgotten, so that the time may fall.
    /// The steps are those of the system, usually 10 ms. After its end, what it had taken until then; `None` on systems
    /// other than Linux.
    ///
    /// It looks at every process of the system: some milliseconds.
    #[must_use]
    pub fn cpu_time(&self) -> Option<Duration> {
        if self.ended { self.taken } else { self.now_taken() }
    }

    /// The processor's time so far, as the system tells it.
    #[cfg(target_os = "linux")]
    fn now_taken(&self) -> Option<Duration> {
        self.family.cpu_time()
    }

    #[cfg(not(target_os = "linux"))]
    fn now_taken(&self) -> Option<Duration> {
        None
    }

    /// Waits for the first process to end, at most for the given time, and kills whatever of the program still runs.
    /// How the first process ended; `None` if the system does not tell.
    ///
    /// Called again, it does nothing and says the same.
    pub fn end(&mut self, grace: Duration) -> Option<ExitStatus> {
        if self.ended {
            return self.status;
        }
        // Of a process that has been waited for there is nothing to be learned any more.
        self.taken = self.now_taken();
        let since = Instant::now();
        while matches!(self.child.try_wait(), Ok(None)) && since.elapsed() < grace {
            thread::sleep(STEP.min(grace.saturating_sub(since.elapsed())));
        }
        self.taken = self.taken.max(self.now_taken());
        // While a first process that is killed here is known, its children are.
        #[cfg(target_os = "linux")]
        self.family.kill();
        // That there is nobody left to kill is no error.
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

/// A name for a program that no other has, of this process or any other that runs.
fn name() -> OsString {
    static STARTED: AtomicU64 = AtomicU64::new(0);
    let number = STARTED.fetch_add(1, Ordering::Relaxed);
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    format!("{}-{}-{number};", std::process::id(), since.as_nanos()).into()
}
