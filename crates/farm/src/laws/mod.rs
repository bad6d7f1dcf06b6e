//! The law of [`Queue`], and of a farm on it, as checks that the tests of any implementation run.

mod example;
mod farm;
mod queues;

use std::fmt::Debug;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub use example::{Squares, SquaresCheck, SquaresWork, Temper};
pub use farm::farm;
pub use queues::queue;

use crate::{CoordinateError, Queue, QueueError};

/// A carrier under test: a new, empty campaign.
pub trait Carrier {
    /// A new connection to the campaign, as another process would have it.
    fn connect(&self) -> Arc<dyn Queue>;

    /// Interrupts the carrier and brings it back, as the end and the new start of a server would. Jobs may be gone
    /// afterwards. A carrier that has no server does nothing.
    fn interrupt(&self);
}

/// A law that does not hold.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BrokenFarm {
    /// The law in words, with the finding.
    #[error("{law}: {found}")]
    Law {
        /// The law.
        law: &'static str,
        /// The finding.
        found: String,
    },
    /// The queue answers with an error.
    #[error(transparent)]
    Queue(#[from] QueueError),
    /// The coordinator ends with an error.
    #[error(transparent)]
    Coordinator(#[from] CoordinateError),
}

fn require(holds: bool, law: &'static str, found: impl Debug) -> Result<(), BrokenFarm> {
    if holds { Ok(()) } else { Err(BrokenFarm::Law { law, found: format!("{found:?}") }) }
}

/// Tries a call until it does not fail in passing, for ten terms.
fn patiently<T>(
    queue: &dyn Queue,
    mut call: impl FnMut(&dyn Queue) -> Result<T, QueueError>,
) -> Result<T, QueueError> {
    let since = Instant::now();
    loop {
        match call(queue) {
            Err(error)
                if error.is_passing() && since.elapsed() < queue.term() * 10 + Duration::from_secs(20) =>
            {
                std::thread::sleep(Duration::from_millis(50));
            }
            done => return done,
        }
    }
}
