//! Threads that share the numbers of a space, chunk by chunk.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

/// Numbers in a chunk.
pub(crate) const CHUNK: u64 = 4096;
/// Between two looks of the caller at what has been done.
const TICK: Duration = Duration::from_millis(100);

/// Calls `work` with the index and the numbers of each of these chunks, the lowest ones first; `len` is where the last chunk
/// of all ends.
///
/// After an error no further chunk is begun; as those before it were, the error of the lowest chunk is
/// the same whatever the threads do. `tick` is called on this thread with the count of numbers that are
/// done, now and then and at the end; `None` if it breaks off.
pub(crate) fn each_chunk<E: Send>(
    threads: usize,
    chunks: Range<u64>,
    len: u64,
    work: impl Fn(usize, Range<u64>) -> Result<(), E> + Sync,
    tick: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Result<Option<()>, E> {
    let count = chunks.end.saturating_sub(chunks.start);
    let (next, stop, done) = (AtomicU64::new(chunks.start), AtomicBool::new(false), AtomicU64::new(0));
    let first: Mutex<Option<(u64, E)>> = Mutex::new(None);
    let run = || {
        while !stop.load(Relaxed) {
            let chunk = next.fetch_add(1, Relaxed);
            if chunk >= chunks.end {
                return;
            }
            let range = chunk * CHUNK..len.min((chunk + 1) * CHUNK);
            let numbers = range.end - range.start;
            if let Err(error) = work(chunk as usize, range) {
                stop.store(true, Relaxed);
                let mut first = first.lock().unwrap_or_else(PoisonError::into_inner);
                if first.as_ref().is_none_or(|&(before, _)| chunk < before) {
                    *first = Some((chunk, error));
                }
            }
            done.fetch_add(numbers, Relaxed);
        }
    };
    let mut broken = false;
    if count <= 1 {
        run();
    } else {
        thread::scope(|scope| {
            let (alive, ended) = mpsc::channel::<()>();
            for _ in 0..threads.clamp(1, count as usize) {
                let (alive, run) = (alive.clone(), &run);
                scope.spawn(move || {
                    run();
                    drop(alive);
                });
            }
            drop(alive);
            while ended.recv_timeout(TICK) == Err(mpsc::RecvTimeoutError::Timeout) {
                if tick(done.load(Relaxed)).is_break() {
                    broken = true;
                    stop.store(true, Relaxed);
                }
            }
        });
    }
    match first.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some((_, error)) => Err(error),
        None => Ok((!broken && tick(done.into_inner()).is_continue()).then_some(())),
    }
}
