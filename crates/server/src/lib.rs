//! A game server with a page in the browser: games between persons and programs, records of every game, pictures and analysis.
//!
//! **Start the server** in a program of your own, on a free port of this machine:
//!
//! ```
//! use stonework_server::{App, Config};
//! # let folder = std::env::temp_dir().join(format!("stonework-doc-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder)?;
//! # tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(async {
//! let config = Config { data: folder.join("games.db"), ..Config::default() };
//! let app = App::open(config).await?;
//! let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
//! println!("http://{}/", listener.local_addr()?);
//! let server = tokio::spawn(stonework_server::serve(app, listener));
//! # server.abort();
//! # Ok::<(), Box<dyn std::error::Error>>(()) })?;
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Which module owns which addresses
//!
//! | module | addresses |
//! |---|---|
//! | `http::assets` | `/assets/NAME`: the files of `assets/`, compiled into the program |
//! | `pages` | `/`, `/play/GAME`, `/g/ID`, `/a`, `/help`: pages for persons, with and without JavaScript |
//! | `analysis` | `/api/analyse…`: searches for the analysis page |
//! | `proofs` | `/api/proof…`: exact values from certificates |
//! | `studies` | `/s/ID`, `/api/studies…`: shared trees of claims |
//!
//! Each module has a function `routes` with its part of the router.
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
mod store;
mod studies;
mod table;

pub use app::{App, OpenError, Opponent};
pub use config::{Config, ConfigError, EngineConfig, LimitConfig, PortConfig};
pub use engines::ServerEngine;
pub use http::{router, serve};
pub use link::{Link, LinkNode, read_anything};
pub use lobby::Offer;
pub use ports::{ClientLine, LineError, ServerLine, serve_port};
pub use store::{Store, StoreError};
pub use table::{
    ClockSettings, GameEvent, GameSettings, GameView, NumberedEvent, Order, Proposal, Seat, SeatKind, Table,
    TableEnd, ToldEvent, Watch,
};
