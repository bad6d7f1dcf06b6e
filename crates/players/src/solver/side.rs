//! [`Side`]: one player's stones, and where the next one would win.

use super::lattice::Lattice;
use super::word::Word;

/// Chains with fewer stones are never part of a ring that one stone closes.
const LEAST_RING: u32 = 5;

/// One player's stones on a small board, with what they are connected to.
///
/// Chains are not kept: for each corner and edge there is the set of cells on which a stone would be connected to it. A stone
/// adds the surroundings of its chain to the sets of all that the chain touches, so these sets only grow, and where two
/// corners' or three edges' sets meet a stone wins. Copied instead of undone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Side<W> {
    pub(crate) stones: W,
    /// Where a stone would be connected to each corner, and be one. Cells that are taken may be among them.
    corners: [W; 6],
    edges: [W; 6],
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
        self.stones |= cell;
        let chain = lattice.flood(cell, self.stones);
        let near = lattice.spread(chain) & empty;
        if !(chain & lattice.rim).is_empty() {
            for (touching, &corner) in self.corners.iter_mut().zip(&lattice.corners) {
                if !(chain & corner).is_empty() {
                    *touching |= near;
                }
            }
            for (touching, &edge) in self.edges.iter_mut().zip(&lattice.edges) {
                if !(chain & edge).is_empty() {
                    *touching |= near;
                }
            }
            self.wins |= self.connections() & near;
        }
        if chain.count() >= LEAST_RING {
            self.wins |= lattice.rings(chain) & near;
        }
    }

    /// Where two corners or three edges meet.
    #[inline]
    fn connections(&self) -> W {
        let (mut one, mut two) = (W::NONE, W::NONE);
        for &set in &self.corners {
            two |= one & set;
            one |= set;
        }
        let (mut first, mut second, mut third) = (W::NONE, W::NONE, W::NONE);
        for &set in &self.edges {
            third |= second & set;
            second |= first & set;
            first |= set;
        }
        two | third
    }
}
