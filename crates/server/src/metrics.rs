//! [`Metrics`]: what the server counts.

use std::sync::atomic::{AtomicU64, Ordering};

/// A number that only grows, or the number of things that are there.
#[derive(Debug, Default)]
pub(crate) struct Count(AtomicU64);

impl Count {
    pub(crate) fn add(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn remove(&self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }

    pub(crate) fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// The numbers of `/metrics`.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    /// Connections of browsers and bots that are open.
    pub(crate) connections: Count,
    /// Connections on the ports that are open.
    pub(crate) port_connections: Count,
    /// Requests since the start.
    pub(crate) requests: Count,
    /// Requests that were refused since the start, because there were too many.
    pub(crate) refused: Count,
    /// Handlers that have panicked since the start.
    pub(crate) panics: Count,
}
