//! A game server with a page in the browser: games between persons and programs, records of every game, pictures and analysis.
//!
//! **Start the server** in a program of your own, on a free port of this machine:
//!
//! ```
//! use stonework_server::{ServerApp, Config};
//! # let folder = std::env::temp_dir().join(format!("stonework-doc-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder)?;
//! # tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(async {
//! let config = Config { data: folder.join("games.db"), ..Config::default() };
//! let app = ServerApp::open(config).await?;
//! let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
//! println!("http://{}/", listener.local_addr()?);
//! let server = tokio::spawn(stonework_server::serve(app, listener));
//! # server.abort();
//! # Ok::<(), Box<dyn std::error::Error>>(()) })?;
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Play without a connection**: a game is a handle that takes orders and tells events.
//!
//! ```
//! use stonework_game::Player;
//! use stonework_server::{ServerApp, ClockSettings, Config, GameEvent, GameSettings, Opponent, Order};
//! # let folder = std::env::temp_dir().join(format!("stonework-play-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder)?;
//! # tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(async {
//! let app = ServerApp::open(Config { data: folder.join("games.db"), ..Config::default() }).await?;
//! let settings = GameSettings { game: "havannah".into(), size: 4, swap: false, clock: ClockSettings::default() };
//! let id = app.open_game("ann", settings, Some(Player::First), Opponent::Anyone).await?;
//! let game = app.accept(&id, "bob").await?;
//! game.order(Player::First, Order::Play { mv: "d4".into(), ply: None }).await?;
//! let mut events = game.watch(1).await.unwrap();
//! let told = events.next().await.unwrap();
//! assert!(matches!(&told.numbered.event, GameEvent::Moved { mv, .. } if mv == "d4"));
//! # Ok::<(), Box<dyn std::error::Error>>(()) })?;
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Read the lines of a port** in a program of your own:
//!
//! ```
//! use stonework_server::ServerLine;
//! let line: ServerLine = "turn 1 300000 300000".parse()?;
//! assert_eq!(line, ServerLine::Turn { ply: 1, clocks: Some((300_000, 300_000)) });
//! # Ok::<(), stonework_server::LineError>(())
//! ```
//!
//! # Which module owns which addresses
//!
//! | module | addresses |
//! |---|---|
//! | `http::assets` | `/assets/NAME`: the files of `assets/`, compiled into the program |
//! | `http::api` | `/api/players`, `/api/engines`, `/api/offers`, `/api/ports`, `/api/games…` |
//! | `http::events`, `http::socket` | `/api/games/ID/events`, `/ws`: events with numbers |
//! | `http::exec` | `/exec`, `/status.json`, `/metrics` |
//! | `http::pictures` | `/pic/GAME/SIZE/MOVES.FORMAT` |
//! | `http::records` | `/api/records`, `/records/ID.FORMAT`, `/api/statistics`, `/api/ratings` |
//! | `pages` | pages for persons, with and without JavaScript |
//! | `analysis` | searches for the analysis page |
//! | `proofs` | exact values from certificates |
//! | `studies` | shared trees of claims |
//!
//! Each module has a function `routes` with its part of the router.
//!
//! # Limits
//!
//! - A player has ten games and five offers at the same time. An address has [a number](LimitConfig) of requests, connections and new
//!   players, guests included, and eight boards of `/exec`; the server has [a number](Config::games) of games and 64 of these boards. The
//!   answer beyond a limit has the status 429 or 409 and names it.
//! - A picture that is not ready within two seconds is refused, and drawn to its end, in one of as many places as there are cores.
//! - A program on a port whose machine or network has gone without a word gives up its name and its place within about four minutes.
//! - Two persons who wait on a port, and who could not meet when they came, see each other's offers on the page; programs meet by
//!   themselves as soon as a game has ended.
//!
//! What this crate does not do: it has no passwords, sends no mail, and encrypts nothing. A proxy in front of it does that.

mod analysis;
mod app;
mod config;
mod engines;
mod http;
mod keys;
mod link;
mod lobby;
mod metrics;
mod pages;
mod ports;
mod proofs;
mod records;
mod results;
mod store;
mod studies;
mod table;

pub use app::{OpenError, Opponent, ServerApp};
pub use config::{Config, ConfigError, EngineConfig, LimitConfig, PortConfig};
pub use engines::ServerEngine;
pub use http::{router, serve};
pub use link::{AnalysisLink, LinkNode, read_anything};
pub use lobby::Offer;
pub use ports::{ClientLine, LineError, ServerLine, serve_port};
pub use store::{Store, StoreError};
pub use table::{
    ClockSettings, GameEvent, GameSettings, GameTable, GameView, GameWatch, NumberedEvent, Order, Proposal,
    Seat, SeatKind, TableEnd, ToldEvent,
};
