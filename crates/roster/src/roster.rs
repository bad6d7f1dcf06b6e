//! [`Roster`]: the engines and players of one game by name.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use stonework_engine::{Engine, Limits, ParameterError};
use stonework_game::Game;

use crate::agent::{Agent, EngineAgent};

/// Bytes for tables and trees where the limits set none: 256 MiB.
const BYTES: usize = 256 << 20;

/// The settings that a [`Roster`] makes an engine or a player with.
#[derive(Clone, Debug)]
pub struct PlayerConfig {
    /// The limits of one move. The bytes are those of tables and trees.
    pub limits: Limits,
    /// The number of threads of one search; above one only for entries with [`RosterEntry::threads`].
    pub threads: usize,
    /// The seed of all random choices.
    pub seed: u64,
}

impl Default for PlayerConfig {
    /// A limit of 256 MiB and no other limit, one thread, seed 1.
    fn default() -> Self {
        Self { limits: Limits::none().bytes(BYTES), threads: 1, seed: 1 }
    }
}

impl PlayerConfig {
    /// Bytes for tables and trees: the limit of bytes, or 256 MiB if the limits set none.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.limits.bytes.unwrap_or(BYTES)
    }
}

/// An error of a function that makes an engine or a player.
pub type MakeError = Box<dyn Error + Send + Sync>;

/// An engine or a player that a [`Roster`] could not make.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RosterError {
    /// The roster has no entry of that name.
    #[error("no {kind} `{name}`; there is {known}")]
    Unknown {
        /// `engine` or `player`.
        kind: &'static str,
        /// The name.
        name: String,
        /// The names that the roster has, separated by commas.
        known: String,
    },
    /// More than one thread for an entry that uses only one.
    #[error("{threads} threads: {name} has one")]
    OneThread {
        /// The name.
        name: String,
        /// The threads of the configuration.
        threads: usize,
    },
    /// A limit of simulations for an entry that makes no simulations.
    #[error("a limit of {simulations} simulations: {name} makes none")]
    NoSimulations {
        /// The name.
        name: String,
        /// The limit of the configuration.
        simulations: u64,
    },
    /// Data of the game that the entry does not use, such as a table of endings.
    #[error("{resource}: {name} asks none")]
    Unused {
        /// The name.
        name: String,
        /// The data, in words.
        resource: String,
    },
    /// A parameter that the entry does not have, or a value that it refuses.
    #[error("{name}: {source}")]
    Parameter {
        /// The name.
        name: String,
        /// The parameter and the reason.
        source: ParameterError,
    },
    /// The entry's function failed.
    #[error(transparent)]
    Make(MakeError),
}

type Make<T> = Arc<dyn Fn(&PlayerConfig) -> Result<Box<T>, MakeError> + Send + Sync>;

/// A function that turns an engine of the game `G` into an engine of the game `H`.
pub type MapEngine<G, H> = fn(Box<dyn Engine<G>>) -> Box<dyn Engine<H>>;

/// A function that turns a player of the game `G` into a player of the game `H`.
pub type MapAgent<G, H> = fn(Box<dyn Agent<G>>) -> Box<dyn Agent<H>>;

/// The two kinds of entries.
enum Maker<G: Game> {
    /// An engine, which searches positions, with its player; `None`: the player is an [`EngineAgent`] of the
    /// engine.
    Engine(Make<dyn Engine<G>>, Option<Make<dyn Agent<G>>>),
    /// A player that is no engine.
    Agent(Make<dyn Agent<G>>),
}

impl<G: Game> Maker<G> {
    const fn engine(&self) -> Option<&Make<dyn Engine<G>>> {
        match self {
            Self::Engine(make, _) => Some(make),
            Self::Agent(_) => None,
        }
    }
}

impl<G: Game> Clone for Maker<G> {
    fn clone(&self) -> Self {
        match self {
            Self::Engine(engine, agent) => Self::Engine(Arc::clone(engine), agent.clone()),
            Self::Agent(agent) => Self::Agent(Arc::clone(agent)),
        }
    }
}

/// One engine or player of a [`Roster`].
pub struct RosterEntry<G: Game> {
    name: String,
    about: String,
    threads: bool,
    simulations: bool,
    /// The data of the game that the caller gave and the entry does not use, in words.
    unused: Vec<String>,
    maker: Maker<G>,
}

impl<G: Game> Clone for RosterEntry<G> {
    fn clone(&self) -> Self {
        let Self { name, about, threads, simulations, unused, maker } = self;
        let (name, about, unused) = (name.clone(), about.clone(), unused.clone());
        Self { name, about, threads: *threads, simulations: *simulations, unused, maker: maker.clone() }
    }
}

impl<G: Game> fmt::Debug for RosterEntry<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RosterEntry")
            .field("name", &self.name)
            .field("about", &self.about)
            .field("engine", &self.is_engine())
            .field("threads", &self.threads)
            .field("simulations", &self.simulations)
            .finish_non_exhaustive()
    }
}

impl<G: Game + 'static> RosterEntry<G> {
    /// An engine of this name, with a line about it. As a player it is an [`EngineAgent`] with the limits and the seed of
    /// the configuration.
    #[must_use]
    pub fn engine<E: Engine<G> + 'static>(
        name: impl Into<String>,
        about: impl Into<String>,
        make: impl Fn(&PlayerConfig) -> Result<E, MakeError> + Send + Sync + 'static,
    ) -> Self {
        let make: Make<dyn Engine<G>> = Arc::new(move |config| Ok(Box::new(make(config)?)));
        Self::new(name.into(), about.into(), Maker::Engine(make, None))
    }

    /// A player of this name that is no engine: it plays games and does not search positions.
    #[must_use]
    pub fn agent<A: Agent<G> + 'static>(
        name: impl Into<String>,
        about: impl Into<String>,
        make: impl Fn(&PlayerConfig) -> Result<A, MakeError> + Send + Sync + 'static,
    ) -> Self {
        let make: Make<dyn Agent<G>> = Arc::new(move |config| Ok(Box::new(make(config)?)));
        Self::new(name.into(), about.into(), Maker::Agent(make))
    }

    fn new(name: String, about: String, maker: Maker<G>) -> Self {
        Self { name, about, threads: false, simulations: false, unused: Vec::new(), maker }
    }

    /// The same entry with a player of its own, which takes the place of the [`EngineAgent`] of the engine.
    #[must_use]
    pub fn played_by<A: Agent<G> + 'static>(
        mut self,
        make: impl Fn(&PlayerConfig) -> Result<A, MakeError> + Send + Sync + 'static,
    ) -> Self {
        let make: Make<dyn Agent<G>> = Arc::new(move |config| Ok(Box::new(make(config)?)));
        self.maker = match self.maker {
            Maker::Engine(engine, _) => Maker::Engine(engine, Some(make)),
            Maker::Agent(_) => Maker::Agent(make),
        };
        self
    }

    /// The same entry, which can use several threads.
    #[must_use]
    pub fn threads(self) -> Self {
        Self { threads: true, ..self }
    }

    /// The same entry, which makes simulations; a limit of depth does not end its search.
    #[must_use]
    pub fn simulations(self) -> Self {
        Self { simulations: true, ..self }
    }

    /// The same entry, which refuses to be made because it does not use data of the game that the caller gave.
    /// `resource` is the data in words, for [`RosterError::Unused`].
    #[must_use]
    pub fn without(mut self, resource: &str) -> Self {
        self.unused.push(resource.to_owned());
        self
    }

    fn map<H: Game + 'static>(&self, engine: MapEngine<G, H>, agent: MapAgent<G, H>) -> RosterEntry<H> {
        let own = self.clone();
        let make_agent: Make<dyn Agent<H>> = Arc::new(move |config| own.agent_of(config).map(agent));
        let maker = match &self.maker {
            Maker::Engine(make, agent) => {
                let make = Arc::clone(make);
                let make_agent = agent.is_some().then_some(make_agent);
                Maker::Engine(Arc::new(move |config| make(config).map(engine)), make_agent)
            }
            Maker::Agent(_) => Maker::Agent(make_agent),
        };
        let Self { name, about, threads, simulations, unused, .. } = self.clone();
        RosterEntry { name, about, threads, simulations, unused, maker }
    }

    fn agent_of(&self, config: &PlayerConfig) -> Result<Box<dyn Agent<G>>, MakeError> {
        match &self.maker {
            Maker::Engine(_, Some(make)) | Maker::Agent(make) => make(config),
            Maker::Engine(make, None) => make(config).map(|engine| {
                let agent = EngineAgent::new(engine, config.limits.clone(), config.seed);
                Box::new(agent) as Box<dyn Agent<G>>
            }),
        }
    }
}

impl<G: Game> RosterEntry<G> {
    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A line about the engine or player.
    #[must_use]
    pub fn about(&self) -> &str {
        &self.about
    }

    /// `true` if the entry is an engine, which searches positions; an entry that is no engine only plays.
    #[must_use]
    pub const fn is_engine(&self) -> bool {
        self.maker.engine().is_some()
    }

    /// `true` if the entry's player is another one than the [`EngineAgent`] of the entry's engine.
    #[must_use]
    pub const fn has_own_agent(&self) -> bool {
        matches!(self.maker, Maker::Engine(_, Some(_)) | Maker::Agent(_))
    }

    /// `true` if a search within these limits ends, however large the position: if the limits set a limit that the
    /// entry keeps. Every entry keeps the limits of time and nodes; an entry that only plays, without simulations,
    /// ends by itself.
    ///
    /// ```
    /// use stonework_game::example::Nim;
    /// use stonework_roster::RosterEntry;
    /// use stonework_search::{Limits, Mcts, Minimax, RandomPlayout, MctsOptions};
    /// let minimax = RosterEntry::<Nim>::engine("minimax", "the complete tree", |_| Ok(Minimax::new(())));
    /// assert!(minimax.ends(&Limits::none().depth(2)) && !minimax.ends(&Limits::none()));
    /// let uct = RosterEntry::<Nim>::engine("uct", "Monte-Carlo tree", |_| {
    ///     Ok(Mcts::new(RandomPlayout::new(100), MctsOptions::uct())?)
    /// })
    /// .simulations();
    /// assert!(uct.ends(&Limits::none().simulations(9)) && !uct.ends(&Limits::none().depth(2)));
    /// ```
    #[must_use]
    pub const fn ends(&self, limits: &Limits) -> bool {
        let Limits { time, nodes, simulations, depth, .. } = limits;
        let steps =
            if self.simulations { simulations.is_some() } else { depth.is_some() || !self.is_engine() };
        time.is_some() || nodes.is_some() || steps
    }

    /// Refuses a configuration that asks for more than the entry can do.
    fn check(&self, config: &PlayerConfig) -> Result<(), RosterError> {
        let (name, threads) = (self.name.clone(), config.threads);
        if threads > 1 && !self.threads {
            return Err(RosterError::OneThread { name, threads });
        }
        if let Some(resource) = self.unused.first() {
            return Err(RosterError::Unused { name, resource: resource.clone() });
        }
        match config.limits.simulations {
            Some(simulations) if !self.simulations => Err(RosterError::NoSimulations { name, simulations }),
            _ => Ok(()),
        }
    }
}

/// The engines and players of a game by name, in the order in which the author added them.
///
/// The documentation of the [crate](crate) has an example. A copy shares the entries' functions.
pub struct Roster<G: Game> {
    entries: Vec<RosterEntry<G>>,
}

impl<G: Game> Clone for Roster<G> {
    fn clone(&self) -> Self {
        Self { entries: self.entries.clone() }
    }
}

impl<G: Game> fmt::Debug for Roster<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Roster").field("entries", &self.entries).finish()
    }
}

impl<G: Game> Default for Roster<G> {
    fn default() -> Self {
        Self::new()
    }
}

impl<G: Game> Roster<G> {
    /// A roster without entries.
    #[must_use]
    pub const fn new() -> Self {
        Self { entries: Vec::new() }
    }

    /// The entries, in the order in which they were added.
    #[must_use]
    pub fn entries(&self) -> &[RosterEntry<G>] {
        &self.entries
    }

    /// The entry of this name; `None` if no entry has the name. O(entries).
    #[must_use]
    pub fn entry(&self, name: &str) -> Option<&RosterEntry<G>> {
        self.entries.iter().find(|entry| entry.name == name)
    }

    /// The error for a name that no entry has, or that only entries without `fits` have.
    fn unknown(&self, kind: &'static str, name: &str, fits: fn(&RosterEntry<G>) -> bool) -> RosterError {
        let known: Vec<&str> =
            self.entries.iter().filter(|entry| fits(entry)).map(RosterEntry::name).collect();
        RosterError::Unknown { kind, name: name.to_owned(), known: known.join(", ") }
    }
}

impl<G: Game + 'static> Roster<G> {
    /// The same roster with one entry more, at the end. An entry of the same name is replaced, in its place.
    #[must_use]
    pub fn with(mut self, entry: RosterEntry<G>) -> Self {
        match self.entries.iter_mut().find(|other| other.name == entry.name) {
            Some(other) => *other = entry,
            None => self.entries.push(entry),
        }
        self
    }

    /// The same roster, in which every entry refuses to be made because no entry uses data that the caller gave:
    /// [`RosterEntry::without`].
    #[must_use]
    pub fn without(self, resource: &str) -> Self {
        Self { entries: self.entries.into_iter().map(|entry| entry.without(resource)).collect() }
    }

    /// A roster of another game with the same names, whose engines and players two functions make from the engines
    /// and players of this roster.
    ///
    /// The result serves a type that wraps the game, such as a type-erased position.
    #[must_use]
    pub fn map<H: Game + 'static>(&self, engine: MapEngine<G, H>, agent: MapAgent<G, H>) -> Roster<H> {
        Roster { entries: self.entries.iter().map(|entry| entry.map(engine, agent)).collect() }
    }

    /// The engine of this name, for positions of any size.
    ///
    /// # Errors
    /// An error if no engine has that name, if the configuration asks for more than the entry can do, or if the
    /// entry's function fails.
    pub fn engine(&self, name: &str, config: &PlayerConfig) -> Result<Box<dyn Engine<G>>, RosterError> {
        let named = self.entry(name).and_then(|entry| Some((entry, entry.maker.engine()?)));
        let Some((entry, make)) = named else {
            return Err(self.unknown("engine", name, RosterEntry::is_engine));
        };
        entry.check(config)?;
        make(config).map_err(RosterError::Make)
    }

    /// The player of this name, for games of any size.
    ///
    /// # Errors
    /// The errors of [`Roster::engine`]; every engine is a player, too.
    pub fn agent(&self, name: &str, config: &PlayerConfig) -> Result<Box<dyn Agent<G>>, RosterError> {
        let entry = self.entry(name).ok_or_else(|| self.unknown("player", name, |_| true))?;
        entry.check(config)?;
        entry.agent_of(config).map_err(RosterError::Make)
    }
}
