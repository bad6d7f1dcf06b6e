//! Ports for the servers of tests; the test of faults in `stonework-cli` has this file, too.

use std::net::TcpListener;
use std::sync::atomic::{AtomicU16, Ordering};

/// A port that nobody has, a different one at each call. It lies below the ports that a system gives to connections: there a client
/// that dials a server which is away may take the port of this server.
pub(crate) fn free_port() -> u16 {
    const FIRST: u32 = 10_000;
    const COUNT: u32 = 20_000;
    static TAKEN: AtomicU16 = AtomicU16::new(0);
    loop {
        let number = u32::from(TAKEN.fetch_add(1, Ordering::Relaxed));
        // Processes that run at the same time begin far from each other.
        let port = (FIRST + (std::process::id().wrapping_mul(7919).wrapping_add(number)) % COUNT) as u16;
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}
