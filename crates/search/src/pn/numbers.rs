//! Proof numbers, and the questions that they answer.

use stonework_game::{Keyed, Player};

/// The number of what cannot be. Stored in 24 bits.
pub(crate) const INF: u32 = (1 << 24) - 1;
/// The largest number of what is still open; sums end here.
pub(crate) const MOST: u32 = INF - 1;

/// How many open positions must at least be decided to answer a question with yes, and with no.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Numbers {
    pub(crate) proof: u32,
    pub(crate) disproof: u32,
}

impl Numbers {
    pub(crate) const PROVEN: Self = Self { proof: 0, disproof: INF };
    pub(crate) const DISPROVEN: Self = Self { proof: INF, disproof: 0 };
    /// The bounds of a search that only ends with an answer.
    pub(crate) const UNBOUNDED: Self = Self { proof: INF, disproof: INF };

    pub(crate) const fn answer(answer: bool) -> Self {
        if answer { Self::PROVEN } else { Self::DISPROVEN }
    }

    /// Yes, no, or not known.
    pub(crate) const fn decided(self) -> Option<bool> {
        match self {
            Self { proof: 0, .. } => Some(true),
            Self { disproof: 0, .. } => Some(false),
            _ => None,
        }
    }

    /// From the view of the side to move: (effort to get what it wants, effort to refute it).
    #[inline]
    pub(crate) const fn seen(self, asker_moves: bool) -> (u32, u32) {
        if asker_moves { (self.proof, self.disproof) } else { (self.disproof, self.proof) }
    }

    /// The inverse of [`seen`](Self::seen).
    #[inline]
    pub(crate) const fn from_seen((want, refute): (u32, u32), asker_moves: bool) -> Self {
        if asker_moves {
            Self { proof: want, disproof: refute }
        } else {
            Self { proof: refute, disproof: want }
        }
    }
}

impl From<Numbers> for (u32, u32) {
    fn from(numbers: Numbers) -> Self {
        (numbers.proof, numbers.disproof)
    }
}

/// Adds an open or decided number to a sum.
#[inline]
pub(crate) const fn plus(sum: u32, more: u32) -> u32 {
    if sum == INF || more == INF {
        INF
    } else if sum + more > MOST {
        MOST
    } else {
        sum + more
    }
}

/// A question with two answers: does `who` win? A draw is a no.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Question {
    pub(crate) who: Player,
    /// Where a depth limit cuts, and which answer it takes there.
    pub(crate) frontier: Option<Frontier>,
}

/// Positions that are still open after so many plies get this answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Frontier {
    pub(crate) plies: u32,
    pub(crate) answer: bool,
}

impl Question {
    pub(crate) const fn new(who: Player) -> Self {
        Self { who, frontier: None }
    }

    /// The key of (position, question), at so many plies from the root.
    ///
    /// Relative to the mover, so that positions which differ by an exchange of the players share it.
    #[inline]
    pub(crate) fn key<G: Keyed>(&self, game: &G, ply: u32) -> u64 {
        self.key_of(game.canonical().0, game.to_move() == self.who, ply)
    }

    /// The same from the canonical key.
    #[inline]
    pub(crate) fn key_of(&self, canonical: u64, asker_moves: bool, ply: u32) -> u64 {
        let cut = self
            .frontier
            .map_or(0, |f| (u64::from(f.plies.saturating_sub(ply)) + 1) << 2 | u64::from(f.answer) << 1);
        scatter(canonical ^ scatter(cut | u64::from(asker_moves)))
    }
}

/// A bijection that spreads keys evenly.
#[inline]
pub(crate) const fn scatter(key: u64) -> u64 {
    let x = key.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
