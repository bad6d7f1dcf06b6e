//! Threads that share the numbers of a space, chunk by chunk.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use rayon::prelude::*;

/// Numbers in a chunk.
pub(crate) const CHUNK: u64 = 4096;
/// Time between two calls of `tick`.
const TICK: Duration = Duration::from_millis(100);

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
    let error_of = |chunk: u64| {
        if stop.load(Relaxed) {
            return None;
        }
        let range = chunk * CHUNK..len.min((chunk + 1) * CHUNK);
        let numbers = range.end - range.start;
        let error = work(chunk as usize, range).err();
        done.fetch_add(numbers, Relaxed);
        error
    };
    let count = chunks.end.saturating_sub(chunks.start);
    let pool = || rayon::ThreadPoolBuilder::new().num_threads(threads.clamp(1, count as usize)).build();
    let error = match (count > 1).then(pool) {
        Some(Ok(pool)) => thread::scope(|scope| {
            let (sender, end) = mpsc::channel();
            let error_of = &error_of;
            scope.spawn(move || {
                let error = pool.install(|| chunks.into_par_iter().find_map_first(error_of));
                // The receiver lives until the end of the scope.
                let _ = sender.send(error);
            });
            loop {
                match end.recv_timeout(TICK) {
                    Ok(error) => return error,
                    Err(RecvTimeoutError::Timeout) if tick(done.load(Relaxed)).is_break() => {
                        stop.store(true, Relaxed);
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                    // The thread has panicked, and the scope passes the panic on.
                    Err(RecvTimeoutError::Disconnected) => return None,
                }
            }
        }),
        // One chunk, or an error of the system at the start of a thread.
        _ => chunks.into_iter().find_map(error_of),
    };
    match error {
        Some(error) => Err(error),
        None => Ok((!stop.load(Relaxed) && tick(done.into_inner()).is_continue()).then_some(())),
    }
}
