//! Work in a thread that Ctrl-C ends.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// The time between two looks at signals.
const LOOK: Duration = Duration::from_millis(10);

/// The next message of a thread, `None` after its last one. Waits without the interpreter's lock; Ctrl-C sets the flag.
pub(crate) fn receive<T: Send>(
    py: Python<'_>,
    inbox: &Mutex<Receiver<T>>,
    cancel: &AtomicBool,
) -> PyResult<Option<T>> {
    loop {
        let next = py.detach(|| inbox.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(LOOK));
        match next {
            Ok(message) => return Ok(Some(message)),
            Err(RecvTimeoutError::Disconnected) => return Ok(None),
            Err(RecvTimeoutError::Timeout) => {
                py.check_signals().inspect_err(|_| cancel.store(true, Ordering::Relaxed))?;
            }
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
    let (sender, receiver) = channel();
    thread::Builder::new()
        .name("stonework".to_owned())
        .spawn(move || drop(sender.send(catch_unwind(AssertUnwindSafe(work)))))?;
    match receive(py, &Mutex::new(receiver), cancel)? {
        Some(Ok(result)) => Ok(result),
        Some(Err(_)) | None => Err(PyRuntimeError::new_err("the library has a fault: the work panicked")),
    }
}
