//! [`Config`]: the configuration of a server, from a file or from flags.

use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use stonework_session::{Fault, Registry, Start};

use crate::engines::SEARCH_MIB;
use crate::table::{ClockSettings, GameSettings};

/// The least memory of a server, in MiB: `/exec` searches for both sides at the same time.
const LEAST_MEMORY: usize = 2 * SEARCH_MIB as usize;

/// The most seconds for a move of an engine: a day.
const MOST_SECONDS: f64 = 86_400.0;

/// The reason why a configuration is refused.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("the configuration `{path}` cannot be read: {error}")]
    Read {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        error: std::io::Error,
    },
    /// The file is no configuration.
    #[error("the configuration `{path}` is refused: {error}")]
    Text {
        /// The file.
        path: PathBuf,
        /// The fault with its line.
        error: Box<toml::de::Error>,
    },
    /// A value is refused.
    #[error("the configuration is refused: {0}")]
    Value(String),
}

/// The configuration of a server.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// The file of the database.
    pub data: PathBuf,
    /// The address of the page.
    pub listen: SocketAddr,
    /// The address under which browsers know the server, such as `https://games.example`. Without it, the address of the
    /// request's own `Host`, which must then be a name of this machine.
    pub origin: Option<String>,
    /// The address of the proxy whose `X-Forwarded-For` is believed.
    pub trusted_proxy: Option<IpAddr>,
    /// The greatest number of searches at the same time, those of engines in games and those of the analysis.
    pub searches: usize,
    /// The greatest number of engines that think in the time of the other side, beside the `searches`; 0 unless set. An engine that does
    /// not get one of these places waits for its turn without a thought.
    pub ponders: usize,
    /// The greatest memory of the tables of all searches, in MiB. Each game of an engine that searches has 64 of them, and so has each
    /// search of the analysis. Programs have a memory of their own, which does not count.
    pub memory: usize,
    /// The greatest number of games that go on at the same time. One player has ten at most, and the players of one address
    /// [a number an hour](LimitConfig::players_per_hour).
    pub games: usize,
    /// The ports for programs.
    pub port: Vec<PortConfig>,
    /// The engines beside those of the rosters.
    pub engine: Vec<EngineConfig>,
    /// The files with certificates, for the values that the page shows.
    pub proofs: Vec<PathBuf>,
    /// The numbers of requests and connections.
    pub limits: LimitConfig,
    /// `true` if the server may listen on an address that other machines reach.
    pub public: bool,
}

/// A port for programs: one game on boards of one size.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PortConfig {
    /// The address.
    pub listen: SocketAddr,
    /// The name of the game.
    pub game: String,
    /// The size of the board.
    pub size: u8,
    /// `true` if the second player may swap.
    #[serde(default)]
    pub swap: bool,
    /// The clock of each side, as `SECONDS` or `SECONDS+INCREMENT`; no clock unless given.
    #[serde(default)]
    pub clock: Option<String>,
    /// The greatest time for a move, in seconds.
    #[serde(default, rename = "move")]
    pub per_move: Option<u32>,
}

/// An engine that persons can play against.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineConfig {
    /// The name in the list of opponents.
    pub name: String,
    /// The player, as [`stonework_arena::Entrant`] reads it: `NAME` or `NAME:OPTION=VALUE,…` of a roster, or `gtp:COMMAND`,
    /// `castro:COMMAND`, `lajkonik:COMMAND` for a program.
    pub player: String,
    /// The games that the engine plays; all games of a roster that has the player unless given.
    #[serde(default)]
    pub games: Vec<String>,
    /// The seconds for a move, more than 0 and at most a day; one second unless given.
    #[serde(default)]
    pub seconds: Option<f64>,
    /// The greatest number of its games at the same time.
    #[serde(default)]
    pub at_once: Option<usize>,
    /// The ports on which the engine waits for an opponent.
    #[serde(default)]
    pub ports: Vec<u16>,
}

/// The numbers of requests and connections of one address. The address of this machine has them, too.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LimitConfig {
    /// The requests a second, on the average.
    pub requests_per_second: u32,
    /// The requests at once.
    pub burst: u32,
    /// The connections at once.
    pub connections_per_address: usize,
    /// The new players an hour, guests and attempts to register a name; 0 for a server that takes no new players.
    pub players_per_hour: u32,
}

impl Default for LimitConfig {
    fn default() -> Self {
        Self { requests_per_second: 20, burst: 60, connections_per_address: 20, players_per_hour: 60 }
    }
}

impl Default for Config {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            data: PathBuf::from("games.db"),
            listen: SocketAddr::from(([127, 0, 0, 1], 7171)),
            origin: None,
            trusted_proxy: None,
            searches: cores.saturating_sub(1).max(1),
            ponders: 0,
            memory: 2048,
            games: 10_000,
            port: Vec::new(),
            engine: Vec::new(),
            proofs: Vec::new(),
            limits: LimitConfig::default(),
            public: false,
        }
    }
}

/// `true` for an origin as a browser writes it in the header `Origin`, which is compared as a whole.
fn is_origin(text: &str) -> bool {
    let (scheme, host) = text.split_once("://").unwrap_or_default();
    let usual = match scheme {
        "http" => ":80",
        "https" => ":443",
        _ => return false,
    };
    let fits = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b".-:[]".contains(&byte);
    !host.is_empty() && host.bytes().all(fits) && !host.ends_with(usual)
}

impl Config {
    /// Reads a configuration from a file.
    ///
    /// # Errors
    /// [`ConfigError`] for a file that cannot be read, or that is no configuration.
    pub fn read(path: &Path) -> Result<Self, ConfigError> {
        let refused = |error| ConfigError::Read { path: path.to_owned(), error };
        let text = std::fs::read_to_string(path).map_err(refused)?;
        toml::from_str(&text)
            .map_err(|error| ConfigError::Text { path: path.to_owned(), error: Box::new(error) })
    }

    /// Checks that the values agree with each other and with the games.
    ///
    /// # Errors
    /// [`ConfigError::Value`] with the offending value.
    pub fn check(&self, registry: &Registry) -> Result<(), ConfigError> {
        let refused = |what: String| Err(ConfigError::Value(what));
        let near =
            self.listen.ip().is_loopback() && self.port.iter().all(|port| port.listen.ip().is_loopback());
        if !self.public && !near {
            return refused("an address that other machines reach needs --public".to_owned());
        }
        if self.public && !self.origin.as_deref().is_some_and(|origin| origin.starts_with("https://")) {
            return refused(
                "--public needs the line origin = \"https://…\", the address that browsers know".to_owned(),
            );
        }
        if let Some(origin) = self.origin.as_deref().filter(|origin| !is_origin(origin)) {
            return refused(format!(
                "origin = \"{origin}\": the scheme and the host as browsers name them, in small letters and without a path, such as \
                 \"https://games.example\""
            ));
        }
        if self.searches == 0 {
            return refused("searches = 0: at least 1".to_owned());
        }
        if self.games == 0 {
            return refused("games = 0: at least 1".to_owned());
        }
        if self.memory < LEAST_MEMORY {
            return refused(format!(
                "memory = {}: at least {LEAST_MEMORY} MiB, for a search of both sides",
                self.memory
            ));
        }
        let LimitConfig { requests_per_second, burst, connections_per_address, .. } = self.limits;
        for (name, none) in [
            ("requests_per_second", requests_per_second == 0),
            ("burst", burst == 0),
            ("connections_per_address", connections_per_address == 0),
        ] {
            if none {
                return refused(format!("limits.{name} = 0: at least 1, or no request has an answer"));
            }
        }
        for EngineConfig { name, seconds, at_once, ports, .. } in &self.engine {
            if let Some(seconds) = seconds.filter(|seconds| !(*seconds > 0.0 && *seconds <= MOST_SECONDS)) {
                let range = format!("more than 0 and at most {MOST_SECONDS}");
                return refused(format!("the engine `{name}`: seconds = {seconds}: {range}"));
            }
            if *at_once == Some(0) {
                return refused(format!("the engine `{name}`: at_once = 0: at least 1"));
            }
            let is_there = |port: &u16| self.port.iter().any(|known| known.listen.port() == *port);
            if let Some(port) = ports.iter().find(|port| !is_there(port)) {
                return refused(format!("the engine `{name}`: ports = [{port}]: there is no such port"));
            }
        }
        let value = |fault: Fault| ConfigError::Value(fault.to_string());
        for port in &self.port {
            let game = registry.game(&port.game).map_err(value)?;
            game.start(&port.start()).map_err(value)?;
            port.settings()?;
        }
        Ok(())
    }
}

impl PortConfig {
    /// The game, the board and the time of the games of the port.
    ///
    /// # Errors
    /// [`ConfigError::Value`] for a clock that cannot be read.
    pub fn settings(&self) -> Result<GameSettings, ConfigError> {
        let clock = self.clock.as_deref().map_or(Ok(ClockSettings::default()), ClockSettings::parse);
        let refused = |why: String| ConfigError::Value(format!("the port {}: {why}", self.listen));
        let clock = clock.map_err(refused)?;
        let per_move = self.per_move.map(|seconds| u64::from(seconds) * 1000);
        let clock = ClockSettings { per_move, ..clock };
        clock.check().map_err(refused)?;
        Ok(GameSettings { game: self.game.clone(), size: self.size, swap: self.swap, clock })
    }

    /// The first position of the games of the port.
    #[must_use]
    pub fn start(&self) -> Start {
        Start { swap: self.swap, ..Start::of_size(self.size.into()) }
    }
}
