//! The roster: everything that plays or solves Havannah, by name.

use std::num::NonZeroUsize;
use std::sync::Arc;

use stonework_havannah::Position;
use stonework_search::{
    Agent, AlphaBeta, AlphaBetaError, Engine, Flat, Hybrid, Limits, Mcts, Minimax, Pn, Settings,
    SettingsError, Thinker,
};

use crate::cover::Endings;
use crate::rogers::{FullTree, Leipzig, Straight};
use crate::solver::Solver;
use crate::{Certificate, Links, Near, Perfect, RandomGames, Threats};

/// What an engine or agent is made with.
#[derive(Clone, Debug)]
pub struct Seat {
    /// What a move may cost. The bytes are those of tables and trees.
    pub limits: Limits,
    /// Threads, where the engine has a choice.
    pub threads: NonZeroUsize,
    /// Where random choices come from.
    pub seed: u64,
    /// A table of Cover's endings, for players that ask one.
    pub endings: Option<Endings>,
    /// A proof about small boards of Havannah, for who can use one.
    pub certificate: Option<Arc<Certificate>>,
}

impl Default for Seat {
    /// No limit but 256 MiB, one thread, seed 1, no table and no certificate.
    fn default() -> Self {
        let limits = Limits::none().bytes(256 << 20);
        Self { limits, threads: NonZeroUsize::MIN, seed: 1, endings: None, certificate: None }
    }
}

impl Seat {
    /// Bytes for tables and trees.
    pub(crate) fn bytes(&self) -> usize {
        self.limits.bytes.unwrap_or(256 << 20)
    }
}

/// An engine or agent that cannot be had.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RosterError {
    /// There is none of that name.
    #[error("no {what} `{name}`; there is {known}")]
    Unknown {
        /// Engine or player.
        what: &'static str,
        /// The name.
        name: String,
        /// The names that there are.
        known: String,
    },
    /// It has one thread.
    #[error("{threads} threads: {name} has one")]
    OneThread {
        /// The name.
        name: &'static str,
        /// The threads that were asked for.
        threads: NonZeroUsize,
    },
    /// It makes no simulations.
    #[error("a limit of {simulations} simulations: {name} makes none")]
    NoSimulations {
        /// The name.
        name: &'static str,
        /// The limit.
        simulations: u64,
    },
    /// It asks no table of endings.
    #[error("a table of Cover's endings ({}): {name} asks none", endings.space())]
    NoEndings {
        /// The name.
        name: &'static str,
        /// The table.
        endings: Endings,
    },
    /// An alpha-beta search cannot be set up so.
    #[error(transparent)]
    AlphaBeta(#[from] AlphaBetaError),
    /// A Monte-Carlo search cannot be set up so.
    #[error(transparent)]
    Mcts(#[from] SettingsError),
}

/// One that plays or solves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// What it is called.
    pub name: &'static str,
    /// What it is, in a line.
    pub about: &'static str,
    /// Whether it is an [`engine`], which searches positions; the others only play.
    pub engine: bool,
    able: Able,
}

/// What one that plays can be told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Able {
    /// To use several threads.
    threads: bool,
    /// To make so many simulations, in a tree that has no depth to stop at.
    simulations: bool,
    /// To ask a table of Cover's endings.
    endings: bool,
}

impl Entry {
    /// Whether a search within these limits ends, however large the position: at least one of them is set that it keeps. Time
    /// and positions all keep to; one that only plays, without simulations, ends by itself.
    ///
    /// ```
    /// use stonework_players::roster::ROSTER;
    /// use stonework_search::Limits;
    /// let ends = |name: &str, limits: &Limits| ROSTER.iter().any(|e| e.name == name && e.ends(limits));
    /// assert!(ends("dfpn", &Limits::none().depth(2)) && !ends("mcts", &Limits::none().depth(2)));
    /// assert!(ends("mcts", &Limits::none().simulations(9)) && !ends("dfpn", &Limits::none()));
    /// ```
    #[must_use]
    pub const fn ends(&self, limits: &Limits) -> bool {
        let Limits { time, nodes, simulations, depth, .. } = limits;
        time.is_some()
            || nodes.is_some()
            || if self.able.simulations { simulations.is_some() } else { depth.is_some() || !self.engine }
    }

    /// Can use several threads.
    pub(crate) const fn threaded(self) -> Self {
        Self { able: Able { threads: true, ..self.able }, ..self }
    }

    /// Makes simulations.
    pub(crate) const fn simulating(self) -> Self {
        Self { able: Able { simulations: true, ..self.able }, ..self }
    }

    /// Asks tables of Cover's endings.
    pub(crate) const fn asking(self) -> Self {
        Self { able: Able { endings: true, ..self.able }, ..self }
    }
}

pub(crate) const fn solver(name: &'static str, about: &'static str) -> Entry {
    let able = Able { threads: false, simulations: false, endings: false };
    Entry { name, about, engine: true, able }
}

pub(crate) const fn player(name: &'static str, about: &'static str) -> Entry {
    Entry { engine: false, ..solver(name, about) }
}

/// Everybody, the solvers first.
pub const ROSTER: &[Entry] = &[
    solver("dfpn", "depth-first proof numbers with threat sequences").threaded(),
    solver("pns", "proof numbers with the tree in memory"),
    solver("pn2", "proof numbers on two levels"),
    solver("alphabeta", "alpha-beta, which sees only what is forced").threaded(),
    solver("links", "alpha-beta with an evaluation: stones still needed").threaded(),
    solver("minimax", "the complete game tree: size 2 only"),
    solver("mcts", "Monte-Carlo tree with RAVE and threats").threaded().simulating(),
    solver("hybrid", "mcts that hands its nodes to dfpn").threaded().simulating(),
    solver("uct", "plain Monte-Carlo tree: the base line").threaded().simulating(),
    solver("rave", "plain Monte-Carlo tree with RAVE").threaded().simulating(),
    player("perfect", "never loses what is won: to size 3, to size 4 with a certificate, and what it solves")
        .simulating()
        .threaded(),
    player("rogers-tree", "the whole game tree once nine cells are empty, random before"),
    player("rogers-straight", "from a corner straight across the board"),
    player("rogers-defence", "the same, but blocks what the last stone threatens"),
    player("leipzig", "one random clump"),
];

/// The entry of a name in a roster, if the seat suits it; `what` is wanted, `engine` or `player`.
pub(crate) fn find(
    roster: &'static [Entry],
    name: &str,
    seat: &Seat,
    what: &'static str,
) -> Result<&'static Entry, RosterError> {
    let fits = |entry: &&Entry| what == "player" || entry.engine;
    let Some(entry) = roster.iter().filter(fits).find(|entry| entry.name == name) else {
        let known: Vec<&str> = roster.iter().filter(fits).map(|entry| entry.name).collect();
        return Err(RosterError::Unknown { what, name: name.to_owned(), known: known.join(", ") });
    };
    let (name, threads) = (entry.name, seat.threads);
    if threads.get() > 1 && !entry.able.threads {
        return Err(RosterError::OneThread { name, threads });
    }
    if let Some(endings) = seat.endings.as_ref().filter(|_| !entry.able.endings) {
        return Err(RosterError::NoEndings { name, endings: endings.clone() });
    }
    match seat.limits.simulations {
        Some(simulations) if !entry.able.simulations => Err(RosterError::NoSimulations { name, simulations }),
        _ => Ok(entry),
    }
}

/// The engine of a name, for positions of any size.
///
/// # Errors
/// If there is none of that name, or the seat asks for what it cannot do.
pub fn engine(name: &str, seat: &Seat) -> Result<Box<dyn Engine<Position>>, RosterError> {
    let entry = find(ROSTER, name, seat, "engine")?;
    let threads = seat.threads;
    let tree = |settings: Settings| {
        let settings = settings.threads(threads).bytes(seat.bytes()).keep(true);
        Mcts::<Position, _>::new(settings, RandomGames::new()).map(|tree| tree.graph(false))
    };
    Ok(match entry.name {
        "dfpn" => Box::new(dfpn(seat)),
        "hybrid" => Box::new(Hybrid::new(tree(Settings::with_rave())?.tactics(Threats))),
        "pns" => Box::new(Pn::new().tactics(Threats)),
        "pn2" => Box::new(Pn::new().tactics(Threats).squared(|nodes| nodes.max(1000))),
        "minimax" => Box::new(Minimax::new(Flat)),
        "alphabeta" => {
            Box::new(AlphaBeta::builder(Flat).order(Near).bytes(seat.bytes()).threads(threads).build()?)
        }
        "links" => Box::new(
            AlphaBeta::builder(Links::new()).order(Near).bytes(seat.bytes()).threads(threads).build()?,
        ),
        // Made later, the children of leaves cost a third of the memory and no strength: docs/records/search.md.
        "uct" => Box::new(tree(Settings::uct().expand_after(5))?),
        "rave" => Box::new(tree(Settings::with_rave())?),
        _ => Box::new(tree(Settings::with_rave())?.tactics(Threats)),
    })
}

/// The strongest solver, which can also prove.
#[must_use]
pub fn dfpn(seat: &Seat) -> Solver {
    Solver::new().threads(seat.threads)
}

/// The player of a name, for games of any size.
///
/// # Errors
/// As [`engine`].
pub fn agent(name: &str, seat: &Seat) -> Result<Box<dyn Agent<Position>>, RosterError> {
    let entry = find(ROSTER, name, seat, "player")?;
    let (limits, seed) = (seat.limits.clone(), seat.seed);
    Ok(match entry.name {
        "perfect" => Box::new(Perfect::new(seat)?),
        "rogers-tree" => Box::new(FullTree::new(limits, seed)),
        "rogers-straight" => Box::new(Straight::new(seed)),
        "rogers-defence" => Box::new(Straight::new(seed).defending()),
        "leipzig" => Box::new(Leipzig::new(seed)),
        _ => Box::new(Thinker::new(engine(name, seat)?, limits, seed)),
    })
}
