//! Proof numbers, and the questions that they answer.

use stonework_game::{Keyed, Player, scatter};

/// The number of an impossible answer: [`ProofNumbers::INFINITE`].
pub(crate) const INFINITE: u32 = ProofNumbers::INFINITE;
/// The largest finite number. A larger finite sum is stored as this number.
pub(crate) const MOST: u32 = INFINITE - 1;

/// The proof number and the disproof number of a position: the least number of open positions below it that must be
/// decided to answer the question with yes, and with no.
///
/// *L. V. Allis, Searching for solutions in games and artificial intelligence, 1994.*
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ProofNumbers {
    /// The proof number: 0 if the answer is yes, [`INFINITE`](Self::INFINITE) if the answer is no.
    pub proof: u32,
    /// The disproof number: 0 if the answer is no, [`INFINITE`](Self::INFINITE) if the answer is yes.
    pub disproof: u32,
}

impl ProofNumbers {
    /// The number of an answer that is impossible, 2²⁴ − 1. Finite numbers are smaller: a table has 24 bits for a
    /// number.
    pub const INFINITE: u32 = (1 << 24) - 1;
    /// The numbers of a position whose answer is yes.
    pub(crate) const PROVEN: Self = Self { proof: 0, disproof: INFINITE };
    /// The numbers of a position whose answer is no.
    pub(crate) const DISPROVEN: Self = Self { proof: INFINITE, disproof: 0 };
    /// The first numbers of an open position, without other knowledge.
    pub(crate) const OPEN: Self = Self { proof: 1, disproof: 1 };
    /// Thresholds without a limit: only a proof or a refutation reaches them.
    pub(crate) const UNBOUNDED: Self = Self { proof: INFINITE, disproof: INFINITE };

    /// The numbers of a position whose answer is yes (`true`) or no.
    pub(crate) const fn answer(answer: bool) -> Self {
        if answer { Self::PROVEN } else { Self::DISPROVEN }
    }

    /// The answer; `None` while the question is open.
    #[must_use]
    pub const fn decided(self) -> Option<bool> {
        match self {
            Self { proof: 0, .. } => Some(true),
            Self { disproof: 0, .. } => Some(false),
            _ => None,
        }
    }

    /// φ and δ (Nagai 2002). φ is the number of the side to move: the proof number at an OR node, and the disproof number at
    /// an AND node. δ is the number of its opponent.
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
