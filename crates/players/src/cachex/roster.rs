//! Everything that plays or searches Cachex, by name.
//!
//! ```
//! use stonework_cachex::Position;
//! use stonework_game::Game;
//! use stonework_players::cachex::roster;
//! use stonework_players::roster::Seat;
//! use stonework_search::{Clock, Decision, Limits};
//! let seat = Seat { limits: Limits::none().nodes(1000).bytes(1 << 20), ..Seat::default() };
//! let mut game = Position::new(5)?;
//! for name in ["cachex", "seed", "mcts"] {
//!     let decision = roster::agent(name, &seat)?.decide(&game, &Clock::NONE);
//!     let Some(Decision::Play(mv)) = decision else { panic!("{name} gives up") };
//!     game.play(mv)?;
//! }
//! assert_eq!(game.turns(), 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use stonework_cachex::Position;
use stonework_search::{Agent, AlphaBeta, Engine, Flat, Mcts, Minimax, RandomPlayout, Settings, Thinker};

use super::seed::{Seed, SeedSum};
use super::{Blend, Decisive, Expert, Noisy, Weights, expert};
use crate::roster::{Entry, RosterError, Seat, find, player, solver};

/// Everybody, those that search positions first.
pub const ROSTER: &[Entry] = &[
    solver("cachex", "alpha-beta with resistance, currents, captures and a beam"),
    solver("distance", "alpha-beta with the shortest connection: the quickest evaluation").threaded(),
    solver("seed-sum", "alpha-beta with the evaluation of the seed").threaded(),
    solver("alphabeta", "alpha-beta, which sees only what is forced").threaded(),
    solver("mcts", "Monte-Carlo tree with RAVE and wins in one").threaded().simulating(),
    solver("uct", "plain Monte-Carlo tree").threaded().simulating(),
    solver("minimax", "the complete game tree: size 3 only, with a limit of depth"),
    player("seed", "minimax of depth 2, or a greedy walk below size 7: the Saw–Chong player"),
];

/// Plies after which a random game is a draw; few last so long.
const PLAYOUT: u32 = 343;

/// The engine of a name, for positions of any size.
///
/// # Errors
/// If there is none of that name, or the seat asks for what it cannot do.
pub fn engine(name: &str, seat: &Seat) -> Result<Box<dyn Engine<Position>>, RosterError> {
    let entry = find(ROSTER, name, seat, "engine")?;
    let (threads, bytes) = (seat.threads, seat.bytes());
    let tree = |settings: Settings| {
        let settings = settings.threads(threads).bytes(bytes).keep(true);
        Mcts::<Position, _>::new(settings, RandomPlayout::new(PLAYOUT))
    };
    Ok(match entry.name {
        "cachex" => Box::new(expert::builder(Blend::default()).bytes(bytes).build()?),
        "distance" => {
            let evaluate = Blend::new(Weights::DISTANCE);
            Box::new(AlphaBeta::builder(evaluate).quiet(Noisy, 0).bytes(bytes).threads(threads).build()?)
        }
        "seed-sum" => {
            Box::new(AlphaBeta::builder(SeedSum).quiet(Noisy, 0).bytes(bytes).threads(threads).build()?)
        }
        "alphabeta" => {
            Box::new(AlphaBeta::builder(Flat).quiet(Noisy, 0).bytes(bytes).threads(threads).build()?)
        }
        "uct" => Box::new(tree(Settings::uct())?),
        "minimax" => Box::new(Minimax::new(Flat)),
        _ => Box::new(tree(Settings::with_rave())?.tactics(Decisive)),
    })
}

/// The player of a name, for games of any size.
///
/// # Errors
/// As [`engine`].
pub fn agent(name: &str, seat: &Seat) -> Result<Box<dyn Agent<Position>>, RosterError> {
    let entry = find(ROSTER, name, seat, "player")?;
    let (limits, seed) = (seat.limits.clone(), seat.seed);
    Ok(match entry.name {
        "cachex" => Box::new(Expert::new(Weights::default(), limits, seat.bytes())?),
        "seed" => Box::new(Seed::new()),
        _ => Box::new(Thinker::new(engine(name, seat)?, limits, seed)),
    })
}
