//! Work in a thread that Ctrl-C ends.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// The time between two looks at signals.
const LOOK: Duration = Duration::from_millis(10);

/// Messages from a thread: a channel of the standard library would be three times as large in the wheel.
pub(crate) struct Inbox<T> {
    /// The messages, and `true` while the thread may send more.
    messages: Mutex<(VecDeque<T>, bool)>,
    news: Condvar,
}

/// The sending side of an [`Inbox`], whose end is the end of the messages.
pub(crate) struct Outbox<T>(Arc<Inbox<T>>);

impl<T> Inbox<T> {
    pub(crate) fn new() -> (Outbox<T>, Arc<Self>) {
        let inbox = Arc::new(Self { messages: Mutex::new((VecDeque::new(), true)), news: Condvar::new() });
        (Outbox(Arc::clone(&inbox)), inbox)
    }

    fn lock(&self) -> MutexGuard<'_, (VecDeque<T>, bool)> {
        self.messages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next message, `None` after the last one; an error after [`LOOK`] without either.
    fn next(&self) -> Result<Option<T>, ()> {
        let waits = |state: &mut (VecDeque<T>, bool)| state.0.is_empty() && state.1;
        let waited = self.news.wait_timeout_while(self.lock(), LOOK, waits);
        let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        match state.0.pop_front() {
            None if state.1 => Err(()),
            message => Ok(message),
        }
    }
}

impl<T> Outbox<T> {
    /// Sends a message, unless `most` messages wait already.
    pub(crate) fn send(&self, message: T, most: usize) {
        let mut state = self.0.lock();
        if state.0.len() < most {
            state.0.push_back(message);
            self.0.news.notify_all();
        }
    }
}

impl<T> Drop for Outbox<T> {
    fn drop(&mut self) {
        self.0.lock().1 = false;
        self.0.news.notify_all();
    }
}

/// The next message of a thread, `None` after its last one. Waits without the interpreter's lock; Ctrl-C sets the flag.
pub(crate) fn receive<T: Send>(py: Python<'_>, inbox: &Inbox<T>, cancel: &AtomicBool) -> PyResult<Option<T>> {
    loop {
        match py.detach(|| inbox.next()) {
            Ok(message) => return Ok(message),
            Err(()) => py.check_signals().inspect_err(|_| cancel.store(true, Ordering::Relaxed))?,
        }
    }
}

/// Runs work in a thread of its own, without the interpreter's lock. Ctrl-C, or another signal whose handler raises, sets the
/// flag and raises; the work ends behind it, within a second, and its result is dropped.
///
/// # Errors
/// The error of the signal's handler; `RuntimeError` if the work panics.
pub(crate) fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    cancel: &Arc<AtomicBool>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (outbox, inbox) = Inbox::new();
    start(Box::new(move || {
        if let Ok(result) = catch_unwind(AssertUnwindSafe(work)) {
            outbox.send(result, usize::MAX);
        }
    }))?;
    let fault = || PyRuntimeError::new_err("the library has a fault: the work panicked");
    receive(py, &inbox, cancel)?.ok_or_else(fault)
}

/// Starts a thread.
///
/// # Errors
/// `OSError` if the system gives no thread.
pub(crate) fn start(work: Box<dyn FnOnce() + Send>) -> PyResult<()> {
    thread::Builder::new().name("stonework".to_owned()).spawn(work)?;
    Ok(())
}
