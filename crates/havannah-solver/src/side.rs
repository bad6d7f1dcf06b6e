//! [`Side`]: one player's stones, and where the next one would win.

use crate::chains::Chain;
use crate::lattice::Lattice;
use crate::word::Word;

/// Chains with fewer stones are never part of a ring that one stone closes.
pub(super) const LEAST_RING: u32 = 5;

/// One player's stones on a small board, with what they are connected to.
///
/// Chains are not kept: for each corner and edge there is the set of cells on which a stone would be connected to it. A stone
/// adds the surroundings of its chain to the sets of all that the chain touches, so these sets only grow, and where two
/// corners' or three edges' sets meet a stone wins. Copied instead of undone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Side<W> {
    pub(crate) stones: W,
    /// Where a stone would be connected to each corner, and be one. Cells that are taken may be among them.
    pub(super) corners: [W; 6],
    pub(super) edges: [W; 6],
    /// Where a stone would win; cells that are taken may be among them.
    wins: W,
}

impl<W: Word> Side<W> {
    pub(crate) fn new(lattice: &Lattice<W>) -> Self {
        Self { stones: W::NONE, corners: lattice.corners, edges: lattice.edges, wins: W::NONE }
    }

    /// The empty cells on which a stone wins at once.
    #[inline]
    pub(crate) fn wins(&self, empty: W) -> W {
        self.wins & empty
    }

    /// Puts a stone on a cell; `empty` is what is empty then. O(length of its chain) steps of a few words.
    #[inline]
    pub(crate) fn place(&mut self, lattice: &Lattice<W>, cell: W, empty: W) {
        let stones = lattice.flood(cell, self.stones | cell);
        self.join(lattice, cell, &Chain::new(lattice, stones), empty);
    }

    /// The same where the stone's chain is known.
    #[inline]
    pub(crate) fn join(&mut self, lattice: &Lattice<W>, cell: W, chain: &Chain<W>, empty: W) {
        self.stones |= cell;
        let near = chain.near & empty;
        if chain.touches != 0 {
            for k in 0..6 {
                if chain.touches >> k & 1 != 0 {
                    self.corners[k] |= near;
                }
                if chain.touches >> (6 + k) & 1 != 0 {
                    self.edges[k] |= near;
                }
            }
            self.wins |= meeting(&self.corners, &self.edges) & near;
        }
        if chain.count >= LEAST_RING {
            self.wins |= lattice.rings(chain.stones) & near;
        }
    }

    /// Where the side would win next if a stone made this chain, `empty` being what is empty then, and if it does not win
    /// anywhere now.
    #[inline]
    pub(crate) fn wins_with(&self, lattice: &Lattice<W>, chain: &Chain<W>, empty: W) -> W {
        let near = chain.near & empty;
        let mut wins = W::NONE;
        let (corners, edges) = (chain.touches & 63, chain.touches >> 6);
        if corners != 0 {
            for (k, &set) in self.corners.iter().enumerate() {
                if corners >> k & 1 == 0 {
                    wins |= set;
                }
            }
        }
        if edges != 0 {
            let (mut first, mut second) = (W::NONE, W::NONE);
            for (k, &set) in self.edges.iter().enumerate() {
                if edges >> k & 1 == 0 {
                    second |= first & set;
                    first |= set;
                }
            }
            wins |= if edges.is_power_of_two() { second } else { first };
        }
        if chain.count >= LEAST_RING {
            wins |= lattice.rings(chain.stones);
        }
        wins & near
    }
}

/// Where two corners or three edges meet.
#[inline]
fn meeting<W: Word>(corners: &[W; 6], edges: &[W; 6]) -> W {
    let (mut one, mut two) = (W::NONE, W::NONE);
    for &set in corners {
        two |= one & set;
        one |= set;
    }
    let (mut first, mut second, mut third) = (W::NONE, W::NONE, W::NONE);
    for &set in edges {
        third |= second & set;
        second |= first & set;
        first |= set;
    }
    two | third
}
