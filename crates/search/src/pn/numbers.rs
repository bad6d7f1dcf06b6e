//! Proof numbers, and the questions that they answer.

use stonework_game::{Keyed, Player, scatter};

/// [`ProofNumbers::INFINITE`].
pub(crate) const INFINITE: u32 = ProofNumbers::INFINITE;
/// The largest finite number; sums end here.
pub(crate) const MOST: u32 = INFINITE - 1;

/// The proof number and the disproof number of a position: the least number of open positions below it that must be
/// decided to answer the question with yes, and with no.
///
/// *L. V. Allis, Searching for solutions in games and artificial intelligence, 1994.*
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ProofNumbers {
    /// 0 if the answer is yes, [`INFINITE`](Self::INFINITE) if it is no.
    pub proof: u32,
    /// 0 if the answer is no, [`INFINITE`](Self::INFINITE) if it is yes.
    pub disproof: u32,
}

impl ProofNumbers {
    /// The number of an answer that is ruled out, 2²⁴ − 1. Finite numbers end one below it: a table stores 24 bits.
    pub const INFINITE: u32 = (1 << 24) - 1;
    /// The numbers of a position whose answer is yes.
    pub(crate) const PROVEN: Self = Self { proof: 0, disproof: INFINITE };
    /// The numbers of a position whose answer is no.
    pub(crate) const DISPROVEN: Self = Self { proof: INFINITE, disproof: 0 };
    /// The numbers of an open position of which nothing is known.
    pub(crate) const OPEN: Self = Self { proof: 1, disproof: 1 };
    /// Thresholds that only an answer reaches.
    pub(crate) const UNBOUNDED: Self = Self { proof: INFINITE, disproof: INFINITE };

    pub(crate) const fn answer(answer: bool) -> Self {
        if answer { Self::PROVEN } else { Self::DISPROVEN }
    }

    /// The answer; `None` while it is open.
    #[must_use]
    pub const fn decided(self) -> Option<bool> {
        match self {
            Self { proof: 0, .. } => Some(true),
            Self { disproof: 0, .. } => Some(false),
            _ => None,
        }
    }

    /// φ and δ (Nagai 2002): the number of the side to move, which is the proof number at an OR node and the disproof
    /// number at an AND node, and the number of its opponent.
    #[inline]
    pub(crate) const fn phi_delta(self, or_node: bool) -> (u32, u32) {
        if or_node { (self.proof, self.disproof) } else { (self.disproof, self.proof) }
    }

    /// The inverse of [`phi_delta`](Self::phi_delta).
    #[inline]
    pub(crate) const fn from_phi_delta((phi, delta): (u32, u32), or_node: bool) -> Self {
        if or_node { Self { proof: phi, disproof: delta } } else { Self { proof: delta, disproof: phi } }
    }
}

/// Adds an open or decided number to a sum.
#[inline]
pub(crate) const fn plus(sum: u32, more: u32) -> u32 {
    if sum == INFINITE || more == INFINITE {
        INFINITE
    } else if sum + more > MOST {
        MOST
    } else {
        sum + more
    }
}

/// A question with two answers: does `who` win? A draw is a no.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Query {
    pub(crate) who: Player,
    /// Where a depth limit cuts, and which answer it takes there.
    pub(crate) frontier: Option<Frontier>,
}

/// The answer of positions that are still open `plies` plies from the root.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Frontier {
    pub(crate) plies: u32,
    pub(crate) answer: bool,
}

impl Query {
    pub(crate) const fn new(who: Player) -> Self {
        Self { who, frontier: None }
    }

    /// The key of (position, question), `ply` plies from the root.
    ///
    /// Relative to the mover, so that positions which differ by an exchange of the players share it.
    #[inline]
    pub(crate) fn key<G: Keyed>(&self, game: &G, ply: u32) -> u64 {
        self.key_of(game.canonical().0, game.to_move() == self.who, ply)
    }

    /// The same key, from the canonical key of the position.
    #[inline]
    pub(crate) fn key_of(&self, canonical: u64, or_node: bool, ply: u32) -> u64 {
        let cut = self
            .frontier
            .map_or(0, |f| (u64::from(f.plies.saturating_sub(ply)) + 1) << 2 | u64::from(f.answer) << 1);
        scatter(canonical ^ scatter(cut | u64::from(or_node)))
    }
}
