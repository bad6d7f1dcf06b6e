//! Searches of the analysis: each has a place among all searches, and tells its findings as lines of JSON.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::json;
use stonework_session::Fault;
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, mpsc};

use crate::ServerApp;
use crate::engines::{Engines, StopAtDrop};
use crate::http::ServerFault;

/// The time that a request waits for a place for its search: a page that has moved on leaves its place within this time.
const PATIENCE: Duration = Duration::from_millis(1500);

/// The place of a search among all searches of the server, and its memory. Both are free again when this is dropped.
#[derive(Debug)]
pub(crate) struct Running {
    engines: Arc<Engines>,
    held: Option<Held>,
}

/// A place and memory.
type Held = (OwnedSemaphorePermit, OwnedSemaphorePermit);

impl Running {
    /// A place for a search.
    ///
    /// # Errors
    /// *Busy*, if all places stay taken for [`PATIENCE`], or the memory for searches is taken.
    pub(crate) async fn start(app: &ServerApp) -> Result<Self, ServerFault> {
        let engines = Arc::clone(app.searches());
        let Ok(Some(place)) = tokio::time::timeout(PATIENCE, engines.permit()).await else {
            return Err(ServerFault::busy("all places for searches are taken; try again in a few seconds"));
        };
        let memory = engines.memory(1).map_err(ServerFault::busy)?;
        Ok(Self { engines, held: Some((place, memory)) })
    }

    pub(super) fn engines(&self) -> &Engines {
        &self.engines
    }

    /// Gives the place to those who wait, and waits for the next one. `false` if the reader has gone.
    pub(super) fn give_way(&mut self, lines: &LineSender) -> bool {
        self.held = None;
        let engines = &self.engines;
        let next = async {
            // As for games: a place is not held while there is no memory.
            let memory = engines.memory_later().await?;
            Some((engines.permit().await?, memory))
        };
        self.held = lines.runtime.block_on(async {
            tokio::select! {
                held = next => held,
                () = lines.lines.closed() => None,
            }
        });
        self.held.is_some()
    }
}

/// A writer of lines of JSON to a reader that may go away. The flag is set when the reader has gone.
#[derive(Clone)]
pub(crate) struct LineSender {
    lines: mpsc::Sender<Bytes>,
    gone: Arc<AtomicBool>,
    runtime: Handle,
}

impl LineSender {
    /// Sends a line. A reader that is too slow misses lines, except the last one.
    pub(crate) fn send(&self, value: &impl Serialize, last: bool) {
        let Ok(mut text) = serde_json::to_vec(value) else { return };
        text.push(b'\n');
        let sent = if last {
            self.lines.blocking_send(text.into()).is_ok()
        } else {
            !matches!(self.lines.try_send(text.into()), Err(mpsc::error::TrySendError::Closed(_)))
        };
        if !sent {
            self.gone.store(true, Ordering::Relaxed);
        }
    }

    pub(super) fn has_reader(&self) -> bool {
        !self.lines.is_closed()
    }

    pub(crate) fn is_gone(&self) -> bool {
        self.gone.load(Ordering::Relaxed) || !self.has_reader()
    }
}

/// Answers with lines of JSON that a thread writes. The thread has its place until it ends.
pub(crate) async fn stream(
    app: &ServerApp,
    gone: Arc<AtomicBool>,
    work: impl FnOnce(&LineSender, &mut Running) -> Result<(), Fault> + Send + 'static,
) -> Response {
    let mut running = match Running::start(app).await {
        Ok(running) => running,
        Err(busy) => return busy.into_response(),
    };
    let (lines, mut received) = mpsc::channel::<Bytes>(16);
    let sender = LineSender { lines, gone: Arc::clone(&gone), runtime: Handle::current() };
    // A reader that goes away drops the stream, and the flag ends the search at once.
    let alarm = StopAtDrop(gone);
    let spawned = std::thread::Builder::new().name("analysis".to_owned()).spawn(move || {
        if let Err(fault) = work(&sender, &mut running) {
            sender.send(&json!({ "error": fault }), true);
        }
    });
    if spawned.is_err() {
        return ServerFault::new(StatusCode::SERVICE_UNAVAILABLE, "busy", "the machine has no thread left")
            .into_response();
    }
    let body = futures_util::stream::poll_fn(move |context| {
        let line = received.poll_recv(context).map(|line| line.map(Ok::<_, std::convert::Infallible>));
        // Dropped after the receiver: who clears the flag sees that there is no reader.
        let _ = &alarm;
        line
    });
    let kind = [(header::CONTENT_TYPE, "application/x-ndjson"), (header::CACHE_CONTROL, "no-store")];
    (kind, Body::from_stream(body)).into_response()
}
