//! Ports for programs: a port belongs to one game, one size and one clock. Who connects waits for the next who comes.

mod connection;
mod gtp;
mod line;
mod seat;

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::{Semaphore, oneshot};
use tokio::time::{sleep, timeout};

use crate::http::Rates;
use crate::table::{GameSettings, Seat, SeatKind};
use crate::{ConfigError, Offer, PortConfig, ServerApp, keys};

pub use line::{ClientLine, LineError, ServerLine};

/// The greatest number of connections of one port.
const MOST_CONNECTIONS: usize = 512;

/// The time after which an engine that waits looks again who else waits.
const AGAIN: Duration = Duration::from_secs(10);

/// A port that is open.
#[derive(Debug)]
pub(crate) struct Port {
    pub(crate) number: u16,
    pub(crate) settings: GameSettings,
    /// The name of the notation of moves on the wire.
    pub(crate) notation: Option<&'static str>,
}

impl Port {
    fn new(app: &ServerApp, config: &PortConfig, number: u16) -> Result<Self, ConfigError> {
        let settings = config.settings()?;
        // The notation of the seed, where the game has it.
        let known = app.registry().game(&settings.game).map(|game| game.description().notations);
        let notation = known.ok().and_then(|known| known.iter().find(|name| **name == "rogers").copied());
        Ok(Self { number, settings, notation })
    }
}

/// Answers the connections of a port until the listener fails. The engines of the configuration for this port wait there.
///
/// # Errors
/// The error of the listener, or of a clock of the configuration that cannot be read.
pub async fn serve_port(app: ServerApp, config: PortConfig, listener: TcpListener) -> io::Result<()> {
    let number = listener.local_addr()?.port();
    let port = Arc::new(Port::new(&app, &config, number).map_err(io::Error::other)?);
    let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    let here = |engine: &&crate::ServerEngine| engine.ports.contains(&config.listen.port());
    for engine in app.engines().iter().filter(here) {
        tokio::spawn(engine_waits(app.clone(), Arc::clone(&port), engine.name.clone()));
    }
    tokio::spawn(pairs(app.clone(), number));
    loop {
        let Ok(place) = Arc::clone(&places).acquire_owned().await else { return Ok(()) };
        let (stream, peer) = match listener.accept().await {
            Ok(accepted) => accepted,
            Err(error) if error.raw_os_error().is_some() => {
                sleep(Duration::from_millis(100)).await;
                continue;
            }
            Err(error) => return Err(error),
        };
        let Some(counted) = Rates::connect(&app, peer.ip()) else { continue };
        let (app, port) = (app.clone(), Arc::clone(&port));
        tokio::spawn(async move {
            app.metrics().port_connections.add();
            // A broken connection is the matter of its client.
            let _ = connection::serve(&app, &port, stream).await;
            app.metrics().port_connections.remove();
            drop((counted, place));
        });
    }
}

/// Lets the players who wait on a port meet when a game has ended, which may have been one too many of theirs.
async fn pairs(app: ServerApp, port: u16) {
    let mut ended = app.ended_games();
    while ended.changed().await.is_ok() {
        if let Err(fault) = app.pair_on_port(port).await {
            eprintln!("stonework-server: port {port}: {fault}");
        }
    }
}

/// Lets an engine wait on a port, game after game.
async fn engine_waits(app: ServerApp, port: Arc<Port>, name: String) {
    loop {
        let seat = Seat { name: name.clone(), kind: SeatKind::Engine };
        let (begun, mut game) = oneshot::channel();
        let offer = port.offer(seat);
        match app.meet_on_port(offer.clone(), Some(begun)).await {
            Ok(None) => {
                // A player whom the engine could not meet may still wait.
                while timeout(AGAIN, &mut game).await.is_err() && !app.lobby().may_meet(&offer) {}
            }
            Ok(Some(_)) => {}
            Err(fault) => eprintln!("stonework-server: port {}: {name}: {fault}", port.number),
        }
        sleep(Duration::from_millis(200)).await;
    }
}

impl Port {
    pub(crate) fn offer(&self, by: Seat) -> Offer {
        let (id, settings) = (keys::new_id(), self.settings.clone());
        Offer { id, settings, by, side: None, port: Some(self.number), private: false }
    }
}
