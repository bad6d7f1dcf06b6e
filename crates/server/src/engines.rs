//! [`Engines`]: the players of the rosters and the programs of the configuration, as opponents.

mod play;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use stonework_arena::Entrant;
use stonework_game::Player;
use stonework_roster::{RosterEntry, TOP_LEVEL};
use stonework_session::{GameType, Registry, Start};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::config::EngineConfig;
use crate::table::{GameSettings, GameTable, Seat, SeatKind, Step};
use crate::{Config, ConfigError};

/// The seconds of a move of an engine for which none are set.
pub(crate) const SECONDS: f64 = 1.0;

/// The MiB of the tables of one search.
pub(crate) const SEARCH_MIB: u32 = 64;

/// The bytes of the tables of one search, of an engine in a game or of the analysis.
pub(crate) const SEARCH_BYTES: usize = (SEARCH_MIB as usize) << 20;

/// The number of crashes in a row after which an engine plays no more.
const MOST_CRASHES: u32 = 3;

/// The number of games of an engine at the same time, unless the configuration sets another.
const AT_ONCE: usize = 64;

/// An opponent that the server offers.
#[derive(Clone, Debug)]
pub struct ServerEngine {
    /// The name, which is unique.
    pub name: String,
    /// The player, as [`Entrant`] reads it.
    pub player: String,
    /// A sentence about the player; empty for a program.
    pub about: String,
    /// The names of the games that it plays.
    pub games: Vec<String>,
    /// The seconds for a move; `None` for a player that needs none.
    pub seconds: Option<f64>,
    /// The ports on which it waits for an opponent.
    pub ports: Vec<u16>,
    at_once: Arc<Semaphore>,
    crashes: Arc<AtomicU32>,
}

impl ServerEngine {
    /// `true` if the engine has failed so often that it plays no more.
    #[must_use]
    pub fn is_out(&self) -> bool {
        self.crashes.load(Ordering::Relaxed) >= MOST_CRASHES
    }
}

/// The opponents of a server, the number of searches at the same time, and the memory of all searches.
#[derive(Debug)]
pub(crate) struct Engines {
    registry: Registry,
    list: Vec<ServerEngine>,
    searches: Arc<Semaphore>,
    most: usize,
    /// The thoughts in the time of the other side that are free.
    ponders: Arc<Semaphore>,
    /// The MiB that are free.
    memory: Arc<Semaphore>,
    waiting: Mutex<Waiting>,
}

/// The games that wait for a search, and the flags of the searches that end for them.
#[derive(Debug, Default)]
struct Waiting {
    games: usize,
    flags: Vec<Weak<AtomicBool>>,
}

/// A game that waits for a search as long as this value lives.
struct WaitingGame<'a>(&'a Engines);

impl Drop for WaitingGame<'_> {
    fn drop(&mut self) {
        self.0.waiting().games -= 1;
    }
}

/// The seat of an engine in a game: one of its games at the same time, and the memory of its tables.
#[derive(Debug)]
pub(crate) struct EngineSeat {
    /// One of the games of the engine at the same time.
    place: OwnedSemaphorePermit,
    /// The memory of its tables, if it searches; `None` for an engine that gets it when it has to move.
    memory: Option<Memory>,
}

/// Ends a search when it is dropped: sets the flag of the search.
pub(crate) struct StopAtDrop(pub(crate) Arc<AtomicBool>);

impl Drop for StopAtDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

/// The memory of a player's tables; `None` for a player without tables.
type Memory = Option<OwnedSemaphorePermit>;

/// The levels of the games but Havannah: a name with its player, from a beginner's to the best.
const LEVELS: &[(&str, &str, &str)] = &[
    ("cachex", "level-1", "mcts:simulations=10"),
    ("cachex", "level-2", "seed"),
    ("cachex", "level-3", "mcts:simulations=300"),
    ("cachex", "level-4", "cachex:depth=2"),
    ("cachex", "level-5", "cachex"),
    ("cover", "level-1", "uct:simulations=20"),
    ("cover", "level-2", "bos:depth=1"),
    ("cover", "level-3", "bos:depth=3"),
    ("cover", "level-4", "cover:depth=3"),
    ("cover", "level-5", "cover"),
];

/// The name of a player in its roster, without options.
fn of_roster(player: &str) -> &str {
    player.split(':').next().unwrap_or_default()
}

/// The levels of a game for persons, with their players. Those of Havannah are the levels of its player `champion`.
fn levels(game: &str) -> Vec<(String, String)> {
    if game == "havannah" {
        return (1..=TOP_LEVEL)
            .map(|level| (format!("level-{level}"), format!("champion:level={level}")))
            .collect();
    }
    let own = LEVELS.iter().filter(|(of, _, _)| *of == game);
    own.map(|(_, level, player)| ((*level).to_owned(), (*player).to_owned())).collect()
}

impl Engines {
    pub(crate) fn new(registry: &Registry, config: &Config) -> Result<Self, ConfigError> {
        let mut list: Vec<ServerEngine> = Vec::new();
        for game in registry.games() {
            let plays = |(_, player): &(String, String)| game.roster().entry(of_roster(player)).is_some();
            for (level, player) in levels(game.name()).into_iter().filter(plays) {
                let about = format!("{player}, {SECONDS} s a move at most");
                list.push(engine(format!("{}-{level}", game.name()), &player, about, game.name()));
            }
            for entry in game.roster().entries() {
                let name = entry.name();
                match list.iter_mut().find(|known| known.name == name && known.player == name) {
                    Some(known) => known.games.push(game.name().to_owned()),
                    None => list.push(engine(name.to_owned(), name, entry.about().to_owned(), game.name())),
                }
            }
        }
        for of in &config.engine {
            list.retain(|known| known.name != of.name);
            list.push(configured(registry, of)?);
        }
        let most = config.searches.min(Semaphore::MAX_PERMITS);
        let searches = Arc::new(Semaphore::new(most));
        let ponders = Arc::new(Semaphore::new(config.ponders.min(Semaphore::MAX_PERMITS)));
        let memory = Arc::new(Semaphore::new(config.memory.min(Semaphore::MAX_PERMITS)));
        Ok(Self {
            registry: registry.clone(),
            list,
            searches,
            most,
            ponders,
            memory,
            waiting: Mutex::default(),
        })
    }

    pub(crate) fn list(&self) -> &[ServerEngine] {
        &self.list
    }

    pub(crate) fn find(&self, name: &str, game: &str) -> Option<&ServerEngine> {
        self.list.iter().find(|engine| engine.name == name && engine.games.iter().any(|of| of == game))
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets a flag be set whenever a game begins to wait for a search.
    pub(crate) fn ends_for_games(&self, flag: &Arc<AtomicBool>) {
        let flags = &mut self.waiting().flags;
        flags.retain(|flag| flag.strong_count() > 0);
        flags.push(Arc::downgrade(flag));
    }

    /// `true` if a game waits for a search.
    pub(crate) fn game_waits(&self) -> bool {
        self.waiting().games > 0
    }

    /// A permit for a search of a game; waits until one is free. The searches of the analysis that can give way do so.
    async fn permit_of_game(&self) -> Option<OwnedSemaphorePermit> {
        if let Some(permit) = self.try_permit() {
            return Some(permit);
        }
        let _waits = self.game_begins_to_wait();
        self.permit().await
    }

    fn game_begins_to_wait(&self) -> WaitingGame<'_> {
        let mut waiting = self.waiting();
        waiting.games += 1;
        for flag in waiting.flags.iter().filter_map(Weak::upgrade) {
            flag.store(true, Ordering::SeqCst);
        }
        WaitingGame(self)
    }

    /// A permit for a search; waits until one is free.
    pub(crate) async fn permit(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.searches).acquire_owned().await.ok()
    }

    /// A permit for a search, if one is free now.
    pub(crate) fn try_permit(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.searches).try_acquire_owned().ok()
    }

    /// The memory of a number of searches, if it is free now.
    ///
    /// # Errors
    /// A sentence with the MiB that are missing.
    pub(crate) fn memory(&self, searches: u32) -> Result<OwnedSemaphorePermit, String> {
        let mib = searches * SEARCH_MIB;
        Arc::clone(&self.memory).try_acquire_many_owned(mib).map_err(|_| {
            let free = self.memory.available_permits();
            format!("a search needs {mib} MiB, and {free} MiB of the memory for searches are free: try again later")
        })
    }

    /// The memory of a search; waits until it is free.
    pub(crate) async fn memory_later(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.memory).acquire_many_owned(SEARCH_MIB).await.ok()
    }

    /// The number of searches that run.
    pub(crate) fn running(&self) -> usize {
        self.most - self.searches.available_permits()
    }

    /// Checks that an engine can take another game, and reserves its place and its memory.
    pub(crate) fn reserve(&self, name: &str, settings: &GameSettings) -> Result<EngineSeat, String> {
        let mut seat = self.reserve_place(name, settings)?;
        let has_tables =
            self.find(name, &settings.game).is_some_and(|engine| self.has_tables(engine, settings));
        seat.memory = Some(if has_tables { Some(self.memory(1)?) } else { None });
        Ok(seat)
    }

    /// Checks that an engine can go on with a game, and reserves its place. It gets its memory when it has to move.
    pub(crate) fn reserve_place(&self, name: &str, settings: &GameSettings) -> Result<EngineSeat, String> {
        let engine = self
            .find(name, &settings.game)
            .ok_or_else(|| format!("no engine {name} plays {}", settings.game))?;
        if engine.is_out() {
            return Err(format!("{name} has failed {MOST_CRASHES} times in a row, and plays no more"));
        }
        let game = self.registry.game(&settings.game).map_err(|fault| fault.message)?;
        Entrant::parse(&engine.player, game, &settings.start()).map_err(|error| error.to_string())?;
        let free = Arc::clone(&engine.at_once).try_acquire_owned();
        let place = free.map_err(|_| format!("{name} plays as many games as it can"))?;
        Ok(EngineSeat { place, memory: None })
    }

    /// `true` for a player that searches. A program has a memory of its own, and a player that does not search has no tables.
    fn has_tables(&self, engine: &ServerEngine, settings: &GameSettings) -> bool {
        let game = self.registry.game(&settings.game);
        let entry = game.ok().and_then(|game| game.roster().entry(of_roster(&engine.player)));
        entry.is_some_and(RosterEntry::is_engine)
    }

    /// The memory of an engine that has to move; waits until it is free.
    async fn memory_of_game(&self, has_tables: bool) -> Memory {
        if !has_tables {
            return None;
        }
        if let Ok(memory) = self.memory(1) {
            return Some(memory);
        }
        let _waits = self.game_begins_to_wait();
        self.memory_later().await
    }

    /// Plays a side of a game with an engine, in a task of its own.
    pub(crate) fn sit(
        self: &Arc<Self>,
        table: GameTable,
        side: Player,
        name: &str,
        settings: &GameSettings,
        seat: EngineSeat,
    ) {
        let Some(engine) = self.find(name, &settings.game).cloned() else {
            drop(tokio::spawn(async move { table.insist(Step::Gone(side)).await }));
            return;
        };
        let (engines, settings) = (Arc::clone(self), settings.clone());
        tokio::spawn(async move {
            let EngineSeat { place, memory } = seat;
            let played = play::play(&engines, &table, side, &engine, &settings, memory).await;
            match played {
                Ok(()) => engine.crashes.store(0, Ordering::Relaxed),
                Err(why) => {
                    engine.crashes.fetch_add(1, Ordering::Relaxed);
                    eprintln!("stonework-server: game {}: the engine {} {why}", table.id(), engine.name);
                    // A game that has ended already stays as it is.
                    let _ = table.insist(Step::Gone(side)).await;
                }
            }
            drop(place);
        });
    }
}

fn engine(name: String, player: &str, about: String, game: &str) -> ServerEngine {
    ServerEngine {
        name,
        player: player.to_owned(),
        about,
        games: vec![game.to_owned()],
        seconds: Some(SECONDS),
        ports: Vec::new(),
        at_once: Arc::new(Semaphore::new(AT_ONCE)),
        crashes: Arc::default(),
    }
}

/// An engine of the configuration, which plays each game that its player can play.
fn configured(registry: &Registry, of: &EngineConfig) -> Result<ServerEngine, ConfigError> {
    let refused = |why: String| ConfigError::Value(format!("the engine `{}`: {why}", of.name));
    let named = |game: &GameType| of.games.is_empty() || of.games.iter().any(|name| name == game.name());
    if let Some(name) = of.games.iter().find(|name| registry.game(name).is_err()) {
        return Err(refused(format!("there is no game `{name}`")));
    }
    let (mut games, mut last) = (Vec::new(), String::new());
    for game in registry.games().iter().filter(|game| named(game)) {
        let start = Start::of_size(game.description().usual_size.into());
        match Entrant::parse(&of.player, game, &start) {
            Ok(_) => games.push(game.name().to_owned()),
            Err(error) => last = error.to_string(),
        }
    }
    if games.is_empty() {
        return Err(refused(last));
    }
    let at_once = of.at_once.unwrap_or(AT_ONCE).min(Semaphore::MAX_PERMITS);
    Ok(ServerEngine {
        name: of.name.clone(),
        player: of.player.clone(),
        about: String::new(),
        games,
        seconds: of.seconds.or(Some(SECONDS)),
        ports: of.ports.clone(),
        at_once: Arc::new(Semaphore::new(at_once)),
        crashes: Arc::default(),
    })
}

/// The seats of engines in the games of a server that has started again.
pub(crate) fn engine_seats(seats: &[Seat; 2]) -> BTreeMap<usize, String> {
    let engine =
        |(at, seat): (usize, &Seat)| (seat.kind == SeatKind::Engine).then(|| (at, seat.name.clone()));
    seats.iter().enumerate().filter_map(engine).collect()
}
