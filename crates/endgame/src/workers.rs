//! Threads that share the numbers of a space, chunk by chunk.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Numbers in a chunk.
pub(crate) const CHUNK: u64 = 4096;
/// Time between two calls of `tick`.
const TICK: Duration = Duration::from_millis(100);

/// The threads that have not ended.
struct Running {
    count: Mutex<usize>,
    fewer: Condvar,
}

impl Running {
    /// Waits at most a [`TICK`]; `true` once all threads have ended.
    fn ended(&self) -> bool {
        let count = self.count.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.fewer.wait_timeout_while(count, TICK, |count| *count > 0);
        *waited.unwrap_or_else(PoisonError::into_inner).0 == 0
    }
}

/// A thread of [`Running`], until its end, also by a panic.
struct Thread<'a>(&'a Running);

impl Drop for Thread<'_> {
    fn drop(&mut self) {
        *self.0.count.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        self.0.fewer.notify_all();
    }
}

/// Calls `work` with the index and the numbers of each chunk in `chunks`, on at most `threads` threads. The last chunk
/// of the space ends at `len`.
///
/// Returns the error of the lowest chunk that fails, whatever the order in which the threads take the chunks. Calls
/// `tick` on this thread with the count of numbers that are done, every [`TICK`] and at the end. Returns `None` if
/// `tick` stops the work.
pub(crate) fn each_chunk<E: Send>(
    threads: usize,
    chunks: Range<u64>,
    len: u64,
    work: impl Fn(usize, Range<u64>) -> Result<(), E> + Sync,
    tick: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Result<Option<()>, E> {
    let (stop, done) = (AtomicBool::new(false), AtomicU64::new(0));
    let (next, failed) = (AtomicU64::new(chunks.start), Mutex::new(None::<(u64, E)>));
    // The chunks are taken in order, so that every chunk below a chunk that fails is tried.
    let run = || {
        while !stop.load(Relaxed) {
            let chunk = next.fetch_add(1, Relaxed);
            if chunk >= chunks.end {
                return;
            }
            let range = chunk * CHUNK..len.min((chunk + 1) * CHUNK);
            let numbers = range.end - range.start;
            let result = work(chunk as usize, range);
            done.fetch_add(numbers, Relaxed);
            if let Err(error) = result {
                next.fetch_max(chunks.end, Relaxed);
                let mut failed = failed.lock().unwrap_or_else(PoisonError::into_inner);
                if failed.as_ref().is_none_or(|(lowest, _)| chunk < *lowest) {
                    *failed = Some((chunk, error));
                }
            }
        }
    };
    let count = chunks.end.saturating_sub(chunks.start) as usize;
    let wanted = if count > 1 { threads.clamp(1, count) } else { 0 };
    let running = Running { count: Mutex::new(0), fewer: Condvar::new() };
    // A panic of a thread is passed on at the end of the scope.
    thread::scope(|scope| {
        for _ in 0..wanted {
            *running.count.lock().unwrap_or_else(PoisonError::into_inner) += 1;
            let thread = Thread(&running);
            let run = &run;
            let spawned = thread::Builder::new().spawn_scoped(scope, move || {
                let _thread = thread;
                run();
            });
            if spawned.is_err() {
                break;
            }
        }
        while !running.ended() {
            if tick(done.load(Relaxed)).is_break() {
                stop.store(true, Relaxed);
            }
        }
    });
    // One chunk, or no thread from the system.
    run();
    match failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some((_, error)) => Err(error),
        None => Ok((!stop.load(Relaxed) && tick(done.into_inner()).is_continue()).then_some(())),
    }
}
