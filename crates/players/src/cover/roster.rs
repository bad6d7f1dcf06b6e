//! The roster of Cover: everything that plays or solves it, by name.

use stonework_cover::Position;
use stonework_search::{
    Agent, AlphaBeta, Dfpn, Engine, Flat, Mcts, Minimax, Pn, RandomPlayout, Settings, Thinker,
};

use super::{AtOnce, Bos, Kinds, Proofs, Sequences, Shots, Tabled, Terms, Weighed};
use crate::roster::{Entry, RosterError, Seat, find, solver};

/// Everybody.
pub const ROSTER: &[Entry] = &[
    solver("cover", "alpha-beta with all that helps, and weights of our own").threaded().asking(),
    solver("bos", "the player of the 1995 thesis, with its published weights").threaded().asking(),
    solver("alphabeta", "alpha-beta, which sees only what is forced").threaded().asking(),
    solver("dfpn", "proof numbers and threats, for more and more plies: only wins").threaded().asking(),
    solver("pns", "the same with the tree in memory").asking(),
    solver("threats", "sequences of threats that leave no good answer: only wins").asking(),
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
    let (threads, bytes) = (seat.threads, seat.bytes());
    let endings = || seat.endings.clone();
    Ok(match entry.name {
        "bos" => Box::new(Weighed::new(given(Bos::search().threads(threads).build()?, seat))),
        "alphabeta" => {
            let blind = AlphaBeta::builder(Tabled::new(Flat).sharing(false)).order(Kinds).quiet(Shots, 0);
            Box::new(given(blind.bytes(bytes).threads(threads).build()?, seat))
        }
        "dfpn" => {
            let dfpn = Dfpn::new().tactics(AtOnce).bytes(bytes).threads(threads);
            Box::new(Proofs::new(dfpn, endings()))
        }
        "pns" => Box::new(Proofs::new(Pn::new().tactics(AtOnce), endings())),
        "threats" => Box::new(Sequences::new(bytes, endings())),
        "minimax" => Box::new(Minimax::new(Flat)),
        "uct" => {
            let settings = Settings::uct().threads(threads).bytes(bytes).keep(true);
            Box::new(Mcts::<Position, _>::new(settings, RandomPlayout::new(10 * PLIES))?)
        }
        _ => {
            let search = Terms::search().bytes(bytes).threads(threads).build()?;
            Box::new(Weighed::new(given(search, seat)))
        }
    })
}

/// The search with the table of the seat, if it has one.
fn given<E, O, Q, P>(
    mut search: AlphaBeta<Tabled<E>, O, Q, P>,
    seat: &Seat,
) -> AlphaBeta<Tabled<E>, O, Q, P> {
    if let Some(endings) = &seat.endings {
        search.evaluator_mut().give(endings.clone());
    }
    search
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
