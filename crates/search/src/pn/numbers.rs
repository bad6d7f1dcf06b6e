//! The arithmetic of proof numbers, and the questions that they answer.

use crate::ProofNumbers;
use stonework_game::{Keyed, Player, scatter};

/// The number of an impossible answer: [`ProofNumbers::INFINITE`].
pub(crate) const INFINITE: u32 = ProofNumbers::INFINITE;
/// The largest finite number. A larger finite sum is stored as this number.
pub(crate) const MOST: u32 = INFINITE - 1;

/// The sum of two numbers: infinite if one of the numbers is infinite, otherwise at most [`MOST`].
#[inline]
pub(crate) const fn plus(sum: u32, number: u32) -> u32 {
    if sum == INFINITE || number == INFINITE {
        INFINITE
    } else if sum + number > MOST {
        MOST
    } else {
        sum + number
    }
}

/// The question "does `who` win?". A draw counts as no.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Query {
    pub(crate) who: Player,
    /// The limit of depth with the answer of open positions at the limit; `None` without a limit.
    pub(crate) frontier: Option<Frontier>,
}

/// A limit of depth. Positions that are still open `plies` plies from the root count as decided, with this answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Frontier {
    pub(crate) plies: u32,
    pub(crate) answer: bool,
}

impl Query {
    pub(crate) const fn new(who: Player) -> Self {
        Self { who, frontier: None }
    }

    /// The key of a position together with this question, `ply` plies from the root.
    ///
    /// The key is relative to the side to move: positions that differ by an exchange of the players share a key.
    #[inline]
    pub(crate) fn key<G: Keyed>(&self, game: &G, ply: u32) -> u64 {
        self.key_of(game.canonical().0, game.to_move() == self.who, ply)
    }

    /// The same key, from the canonical key of the position.
    #[inline]
    pub(crate) fn key_of(&self, canonical: u64, or_node: bool, ply: u32) -> u64 {
        // The plies that are left to the limit, and the answer of the limit; 0 without a limit.
        let limit = self
            .frontier
            .map_or(0, |f| (u64::from(f.plies.saturating_sub(ply)) + 1) << 2 | u64::from(f.answer) << 1);
        scatter(canonical ^ scatter(limit | u64::from(or_node)))
    }
}
