//! The roster of Cover: everything that plays or solves it, by name.

use stonework_cover::Position;
use stonework_search::{Agent, AlphaBeta, Engine, Flat, Mcts, Minimax, RandomPlayout, Settings, Thinker};

use super::{Bos, Kinds, Shots, Terms, Weighed};
use crate::roster::{Entry, RosterError, Seat, find, solver};

/// Everybody.
pub const ROSTER: &[Entry] = &[
    solver("cover", "alpha-beta with all that helps, and weights of our own").threaded(),
    solver("bos", "the player of the 1995 thesis, with its published weights").threaded(),
    solver("alphabeta", "alpha-beta, which sees only what is forced").threaded(),
    solver("minimax", "the complete game tree to a depth"),
    solver("uct", "plain Monte-Carlo tree: the base line").threaded().simulating(),
];

/// Plies of a random game, for each stone of a side: most go on for ever.
const PLIES: u32 = 40;

/// The engine of a name, for positions of any size.
///
/// # Errors
/// If there is none of that name, or the seat asks for what it cannot do.
pub fn engine(name: &str, seat: &Seat) -> Result<Box<dyn Engine<Position>>, RosterError> {
    let entry = find(ROSTER, name, seat, "engine")?;
    let (threads, bytes) = (seat.threads.get(), seat.bytes());
    Ok(match entry.name {
        "bos" => Box::new(Weighed::new(Bos::search().threads(threads).build()?)),
        "alphabeta" => {
            let blind = AlphaBeta::builder(Flat).order(Kinds).quiet(Shots, 0);
            Box::new(blind.table_bytes(bytes).threads(threads).build()?)
        }
        "minimax" => Box::new(Minimax::new(Flat)),
        "uct" => {
            let settings = Settings::uct().threads(threads).bytes(bytes).keep_tree(true);
            Box::new(Mcts::<Position, _>::new(settings, RandomPlayout::new(10 * PLIES))?)
        }
        _ => Box::new(Weighed::new(Terms::search().table_bytes(bytes).threads(threads).build()?)),
    })
}

/// The player of a name, for games of any size.
///
/// # Errors
/// As [`engine`].
pub fn agent(name: &str, seat: &Seat) -> Result<Box<dyn Agent<Position>>, RosterError> {
    let entry = find(ROSTER, name, seat, "player")?;
    let (limits, seed) = (seat.limits.clone(), seat.seed);
    Ok(Box::new(Thinker::new(engine(entry.name, seat)?, limits, seed)))
}
