//! [`Side`]: one player's stones and winning cells.

use crate::chains::Chain;
use crate::lattice::Lattice;
use crate::word::Word;

/// The least number of stones of a chain that one more stone closes to a ring.
pub(super) const LEAST_RING: u32 = 5;

/// One player's stones on a small board, with the corners and edges that they are connected to.
///
/// A side has no list of chains. Instead, each corner and edge has the set of cells on which a stone would be
/// connected to it. A new stone adds the neighbours of its chain to the sets of all corners and edges that the chain
/// touches, so that the sets only grow. A cell in the sets of two corners or of three edges is a winning cell. A side
/// has no undo: callers copy it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Side<W> {
    pub(crate) stones: W,
    /// For each corner, the cells on which a stone would be connected to the corner, and the corner itself. Occupied
    /// cells may be among them.
    pub(super) corners: [W; 6],
    /// For each edge, the cells on which a stone would be connected to the edge, and the edge itself.
    pub(super) edges: [W; 6],
    /// The winning cells; occupied cells may be among them.
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

    /// Places a stone on a cell; `empty` are the empty cells after the move. O(length of the stone's chain) steps of a
    /// few words.
    #[inline]
    pub(crate) fn place(&mut self, lattice: &Lattice<W>, cell: W, empty: W) {
        let stones = lattice.flood(cell, self.stones | cell);
        self.join(lattice, cell, &Chain::new(lattice, stones), empty);
    }

    /// The same as [`place`](Side::place) for a stone whose chain is known.
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

    /// The winning cells after a stone that makes `chain`; `empty` are the empty cells after the move. Before the move
    /// the side has no winning cell.
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

/// The cells in the sets of two corners or of three edges.
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
