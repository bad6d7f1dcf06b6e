//! [`with_terminal`]: the terminal in the hands of a function, and given back as it was, however the function ends.

use std::io::{self, IsTerminal, Stdout, Write};
use std::panic;
use std::thread;
use std::time::Duration;

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
};
use ratatui::crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::crossterm::{cursor, execute};

/// A screen of the real terminal.
pub type Screenful = Terminal<CrosstermBackend<Stdout>>;

/// Takes the terminal: no echo, no line buffer, a screen of its own, events of the mouse.
fn take() -> io::Result<()> {
    enable_raw_mode()?;
    execute!(io::stdout(), EnterAlternateScreen, EnableMouseCapture, EnableBracketedPaste, cursor::Hide)
}

/// Gives the terminal back. Every step is tried, even if one of them fails.
fn give_back() {
    let mut out = io::stdout();
    let _ = execute!(out, DisableBracketedPaste, DisableMouseCapture, LeaveAlternateScreen, cursor::Show);
    let _ = disable_raw_mode();
    let _ = out.flush();
}

/// Gives the terminal back when it is dropped, also by a panic.
struct Taken;

impl Drop for Taken {
    fn drop(&mut self) {
        give_back();
    }
}

/// The hook for panics. A panic of this thread gives the terminal back before its message is printed. A panic of
/// another thread prints nothing, because the message would spoil the screen.
fn hook() -> impl FnOnce() {
    let (owner, before) = (thread::current().id(), panic::take_hook());
    let before = std::sync::Arc::new(before);
    let usual = std::sync::Arc::clone(&before);
    panic::set_hook(Box::new(move |info| {
        if thread::current().id() == owner {
            give_back();
            usual(info);
        }
    }));
    move || {
        if !thread::panicking() {
            drop(panic::take_hook());
            panic::set_hook(Box::new(move |info| before(info)));
        }
    }
}

/// Runs a function with the terminal. The terminal is as before when this function returns, and when the function panics.
///
/// # Errors
/// An error if standard input or standard output is no terminal; the errors of the terminal and of the function.
pub fn with_terminal<T>(work: impl FnOnce(&mut Screenful) -> io::Result<T>) -> io::Result<T> {
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        return Err(io::Error::other("standard input and standard output have to be a terminal"));
    }
    let unhook = hook();
    let taken = Taken;
    let done = take().and_then(|()| work(&mut Terminal::new(CrosstermBackend::new(io::stdout()))?));
    drop(taken);
    unhook();
    done
}

/// Waits until there is input, at most for this time; `false` if the terminal is gone, because its window was closed.
///
/// The terminal is asked before every read: crossterm 0.29 reads a terminal that is gone again and again, without an end.
///
/// # Errors
/// The errors of the terminal.
#[cfg(unix)]
pub(crate) fn wait_for_input(time: Duration) -> io::Result<bool> {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let (stdin, time) = (io::stdin(), Timespec::try_from(time).map_err(io::Error::other)?);
    let mut input = [PollFd::new(&stdin, PollFlags::IN)];
    match poll(&mut input, Some(&time)) {
        Ok(_) => Ok(!input[0].revents().intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL)),
        // A signal: the caller looks for the reason.
        Err(rustix::io::Errno::INTR) => Ok(true),
        Err(error) => Err(error.into()),
    }
}

/// Other systems wait in crossterm.
///
/// # Errors
/// The errors of the terminal.
#[cfg(not(unix))]
pub(crate) fn wait_for_input(time: Duration) -> io::Result<bool> {
    ratatui::crossterm::event::poll(time).map(|_| true)
}

/// Gives the terminal back, stops the process until it is continued, and takes the terminal again.
///
/// # Errors
/// The errors of the terminal.
#[cfg(unix)]
pub(crate) fn suspend(screen: &mut Screenful) -> io::Result<()> {
    give_back();
    // All processes of the job stop, as with Ctrl-Z in a terminal that is not taken.
    rustix::process::kill_current_process_group(rustix::process::Signal::TSTP)?;
    take()?;
    // A new screen: `Terminal::clear` would ask the terminal for the place of its cursor, and wait for the answer.
    execute!(io::stdout(), Clear(ClearType::All))?;
    *screen = Terminal::new(CrosstermBackend::new(io::stdout()))?;
    Ok(())
}

/// Other systems have no suspension.
#[cfg(not(unix))]
pub(crate) fn suspend(_screen: &mut Screenful) -> io::Result<()> {
    Ok(())
}
