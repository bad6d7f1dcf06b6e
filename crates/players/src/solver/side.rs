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
            for k in 0..6 {
                if !(chain & lattice.corners[k]).is_empty() {
                    self.corners[k] |= near;
                }
                if !(chain & lattice.edges[k]).is_empty() {
                    self.edges[k] |= near;
                }
            }
            self.wins |= meeting(&self.corners, &self.edges) & near;
        }
        if chain.count() >= LEAST_RING {
            self.wins |= lattice.rings(chain) & near;
        }
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

/// Chains that a side can have on a small board: with one stone each, no two adjacent, a third of the cells of size 6.
const MOST_CHAINS: usize = 31;

/// A side's chains, for many questions about one position.
#[derive(Debug)]
pub(crate) struct Chains<'a, W> {
    side: &'a Side<W>,
    lattice: &'a Lattice<W>,
    all: [Chain<W>; MOST_CHAINS],
    len: usize,
}

#[derive(Clone, Copy, Debug)]
struct Chain<W> {
    stones: W,
    near: W,
    count: u32,
    /// Corner bits (0–5) and edge bits (6–11).
    touches: u16,
}

impl<'a, W: Word> Chains<'a, W> {
    pub(crate) fn new(side: &'a Side<W>, lattice: &'a Lattice<W>) -> Self {
        let none = Chain { stones: W::NONE, near: W::NONE, count: 0, touches: 0 };
        let mut found = Self { side, lattice, all: [none; MOST_CHAINS], len: 0 };
        let mut left = side.stones;
        for chain in &mut found.all {
            if left.is_empty() {
                break;
            }
            let stones = lattice.flood(left.lowest(), left);
            left &= !stones;
            let (near, count) = (lattice.spread(stones), stones.count());
            *chain = Chain { stones, near, count, touches: lattice.touches(stones) };
            found.len += 1;
        }
        found
    }

    /// The empty cells on which a stone may make a threat, if the side does not win anywhere now: all that make one of a
    /// bridge, a few too many for forks and more for rings.
    #[inline]
    pub(crate) fn promising(&self, empty: W) -> W {
        let (mut corner, mut one_step) = (W::NONE, W::NONE);
        for &set in &self.side.corners {
            corner |= set;
            one_step |= self.before(set & empty) & !set;
        }
        let mut found = one_step & corner;
        let (mut first, mut second) = (W::NONE, W::NONE);
        one_step = W::NONE;
        for &set in &self.side.edges {
            second |= first & set;
            first |= set;
            one_step |= self.before(set & empty) & !set;
        }
        found |= one_step & second;
        found |= self.before(second & empty) & first;
        if self.side.stones.count() + 1 >= LEAST_RING {
            let (mut beside, mut between) = (W::NONE, W::NONE);
            for chain in self.all.iter().take(self.len) {
                if chain.count + 1 >= LEAST_RING {
                    found |= chain.near;
                }
                between |= beside & chain.near;
                beside |= chain.near;
            }
            found |= between;
        }
        found & empty
    }

    /// The cells on which a stone would be connected to one of these cells.
    #[inline]
    fn before(&self, cells: W) -> W {
        let mut all = self.lattice.spread(cells);
        for chain in self.all.iter().take(self.len) {
            if !(chain.near & cells).is_empty() {
                all |= chain.near;
            }
        }
        all
    }

    /// Where the side would win next if it put a stone on a cell, `empty` being what is empty then, and if it does not win
    /// anywhere now.
    #[inline]
    pub(crate) fn wins_after(&self, cell: W, empty: W) -> W {
        let lattice = self.lattice;
        let mut joined =
            Chain { stones: cell, near: lattice.spread(cell), count: 1, touches: lattice.touches_of(cell) };
        for chain in self.all.iter().take(self.len) {
            if !(chain.near & cell).is_empty() {
                joined.stones |= chain.stones;
                joined.near |= chain.near;
                joined.count += chain.count;
                joined.touches |= chain.touches;
            }
        }
        let near = joined.near & empty;
        let mut wins = W::NONE;
        let (corners, edges) = (joined.touches & 63, joined.touches >> 6);
        if corners != 0 {
            for (k, &set) in self.side.corners.iter().enumerate() {
                if corners >> k & 1 == 0 {
                    wins |= set;
                }
            }
        }
        if edges != 0 {
            let (mut first, mut second) = (W::NONE, W::NONE);
            for (k, &set) in self.side.edges.iter().enumerate() {
                if edges >> k & 1 == 0 {
                    second |= first & set;
                    first |= set;
                }
            }
            wins |= if edges.is_power_of_two() { second } else { first };
        }
        if joined.count >= LEAST_RING {
            wins |= lattice.rings(joined.stones);
        }
        wins & near
    }
}
