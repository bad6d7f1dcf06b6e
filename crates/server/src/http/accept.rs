//! [`serve`]: accepts connections, with limits of number, size and time.
//!
//! `axum::serve` has no limit of time for the head of a request: half a head stays open for ever. So this loop is our own.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::extract::ConnectInfo;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep, sleep};

use super::rate::{Counted, Rates, is_proxy};
use crate::ServerApp;

/// The greatest number of connections in all.
const MOST_CONNECTIONS: usize = 2048;

/// The greatest head of a request, in bytes.
const MOST_HEAD: usize = 16 << 10;

/// The time in which the head of a request must have come.
const HEAD_TIME: Duration = Duration::from_secs(5);

/// The time in which a client must take what is written.
const WRITE_TIME: Duration = Duration::from_secs(10);

/// Answers the connections of a listener until the listener fails.
///
/// # Errors
/// The error of the listener.
pub async fn serve(app: ServerApp, listener: TcpListener) -> io::Result<()> {
    let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    let router = super::router(app.clone());
    loop {
        // Without a free place, the connections wait in the queue of the system.
        let Ok(place) = Arc::clone(&places).acquire_owned().await else { return Ok(()) };
        let (stream, peer) = match listener.accept().await {
            Ok(accepted) => accepted,
            Err(error) if is_of_one_connection(&error) => continue,
            Err(error) if is_of_resources(&error) => {
                sleep(Duration::from_millis(100)).await;
                continue;
            }
            Err(error) => return Err(error),
        };
        // All connections of a proxy have one address, and the proxy itself has to count them.
        let counted = if is_proxy(&app, peer.ip()) {
            None
        } else {
            let Some(counted) = Rates::connect(&app, peer.ip()) else { continue };
            Some(counted)
        };
        let held = HeldConnection(Arc::new(Held::new(app.clone(), counted, place)));
        tokio::spawn(connection(stream, peer, router.clone(), held));
    }
}

/// A connection as long as it counts. A WebSocket outlives the HTTP connection that it came from, and holds a clone of this.
#[derive(Clone, Debug)]
pub(super) struct HeldConnection(
    #[expect(dead_code, reason = "the connection counts until the last clone is dropped")] Arc<Held>,
);

#[derive(Debug)]
struct Held {
    app: ServerApp,
    /// The connection of its address; `None` for a connection of the proxy.
    _counted: Option<Counted>,
    _place: OwnedSemaphorePermit,
}

impl Held {
    fn new(app: ServerApp, counted: Option<Counted>, place: OwnedSemaphorePermit) -> Self {
        app.metrics().connections.add();
        Self { app, _counted: counted, _place: place }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.app.metrics().connections.remove();
    }
}

fn is_of_one_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset | Interrupted)
}

/// `true` for an error such as too many open files, which passes.
fn is_of_resources(error: &io::Error) -> bool {
    error.raw_os_error().is_some()
}

async fn connection(stream: TcpStream, peer: SocketAddr, router: axum::Router, held: HeldConnection) {
    // Without this option, small events wait for each other. A socket that refuses it still works.
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(ConnectInfo(peer));
        request.extensions_mut().insert(held.clone());
        let mut router = router.clone();
        async move { tower_service::Service::call(&mut router, request).await }
    });
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .max_buf_size(MOST_HEAD)
        .half_close(false)
        .serve_connection(TokioIo::new(Timed::new(stream)), service)
        .with_upgrades();
    // A broken connection is the matter of its client.
    let _ = served.await;
}

/// A stream whose writer must get on within a time.
struct Timed {
    stream: TcpStream,
    /// The end of the time for what is being written.
    late: Pin<Box<Sleep>>,
    writing: bool,
}

impl Timed {
    fn new(stream: TcpStream) -> Self {
        Self { stream, late: Box::pin(sleep(WRITE_TIME)), writing: false }
    }

    fn timed<T>(&mut self, context: &mut Context<'_>, found: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if found.is_ready() {
            self.writing = false;
            return found;
        }
        if !self.writing {
            self.writing = true;
            self.late.as_mut().reset(Instant::now() + WRITE_TIME);
        }
        match self.late.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl AsyncRead for Timed {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, into)
    }
}

impl AsyncWrite for Timed {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.timed(context, written)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(context);
        self.timed(context, flushed)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
