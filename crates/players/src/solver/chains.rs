//! [`Chains`]: a side's chains, for many questions about one position and those a stone further.

use super::lattice::Lattice;
use super::sequence::LONGEST;
use super::side::{LEAST_RING, Side};
use super::word::Word;

/// Chains that a side can have on a small board: with one stone each, no two adjacent, a third of the cells of size 6.
const MOST: usize = 31;

/// One chain.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chain<W> {
    pub(super) stones: W,
    /// The stones and what lies beside them; bits that are no cells may be among them.
    pub(super) near: W,
    pub(super) count: u32,
    /// Corner bits (0–5) and edge bits (6–11).
    pub(super) touches: u16,
}

impl<W: Word> Chain<W> {
    #[inline]
    pub(super) fn new(lattice: &Lattice<W>, stones: W) -> Self {
        Self { stones, near: lattice.spread(stones), count: stones.count(), touches: lattice.touches(stones) }
    }
}

/// A side's chains. Those that a stone joins are kept beside what it makes of them, so that it is easily taken back.
#[derive(Debug)]
pub(crate) struct Chains<W> {
    all: [Chain<W>; MOST + LONGEST],
    len: usize,
    /// Which of them there are, as bits.
    alive: u64,
}

/// What a stone would be part of, and the chains that it would join, as bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Joined<W> {
    pub(crate) chain: Chain<W>,
    parts: u64,
}

impl<W: Word> Chains<W> {
    pub(crate) fn new(lattice: &Lattice<W>, stones: W) -> Self {
        let none = Chain { stones: W::NONE, near: W::NONE, count: 0, touches: 0 };
        let mut found = Self { all: [none; MOST + LONGEST], len: 0, alive: 0 };
        let mut left = stones;
        while !left.is_empty() {
            let chain = lattice.flood(left.lowest(), left);
            left &= !chain;
            found.join(&Joined { chain: Chain::new(lattice, chain), parts: 0 });
        }
        found
    }

    /// The chains that there are, with their numbers.
    #[inline]
    fn iter(&self) -> impl Iterator<Item = (u32, &Chain<W>)> {
        let mut left = self.alive;
        std::iter::from_fn(move || {
            let number = left.trailing_zeros();
            left = left.rest();
            self.all.get(number as usize).map(|chain| (number, chain))
        })
    }

    /// What a stone on this cell would be part of.
    #[inline]
    pub(crate) fn joined(&self, lattice: &Lattice<W>, cell: W) -> Joined<W> {
        let (near, touches) = (lattice.spread(cell), lattice.touches_of(cell));
        let mut joined = Joined { chain: Chain { stones: cell, near, count: 1, touches }, parts: 0 };
        for (number, chain) in self.iter() {
            if !(chain.near & cell).is_empty() {
                joined.parts |= 1 << number;
                joined.chain.stones |= chain.stones;
                joined.chain.near |= chain.near;
                joined.chain.count += chain.count;
                joined.chain.touches |= chain.touches;
            }
        }
        joined
    }

    /// The stone is put. At most [`LONGEST`] that were not taken back.
    #[inline]
    pub(crate) fn join(&mut self, joined: &Joined<W>) {
        if let Some(place) = self.all.get_mut(self.len) {
            *place = joined.chain;
            self.alive = self.alive & !joined.parts | 1 << self.len;
            self.len += 1;
        }
    }

    /// The stone that was put last is taken back.
    #[inline]
    pub(crate) fn part(&mut self, joined: &Joined<W>) {
        self.len -= 1;
        self.alive = self.alive & !(1 << self.len) | joined.parts;
    }

    /// The empty cells on which a stone may make a threat, if the side, whose chains these are, does not win anywhere now:
    /// all that make one of a bridge, a few too many for forks and more for rings.
    #[inline]
    pub(crate) fn promising(&self, lattice: &Lattice<W>, side: &Side<W>, empty: W) -> W {
        // Where a stone would be connected to a corner; and to a cell where one would be, of another corner than it.
        let (mut corner, mut before_corner) = (W::NONE, W::NONE);
        for &set in &side.corners {
            corner |= set;
            before_corner |= lattice.spread(set & empty) & !set;
        }
        let (mut first, mut second, mut before_edge) = (W::NONE, W::NONE, W::NONE);
        for &set in &side.edges {
            second |= first & set;
            first |= set;
            before_edge |= lattice.spread(set & empty) & !set;
        }
        let mut before_second = lattice.spread(second & empty);
        let (mut ring, mut beside) = (W::NONE, W::NONE);
        for (_, chain) in self.iter() {
            let near = chain.near & empty;
            for k in 0..6 {
                let (corner, edge) = (side.corners[k], side.edges[k]);
                if !(near & corner).is_empty() {
                    before_corner |= near & !corner;
                }
                if !(near & edge).is_empty() {
                    before_edge |= near & !edge;
                }
            }
            if !(near & second).is_empty() {
                before_second |= near;
            }
            if chain.count + 1 >= LEAST_RING {
                ring |= near;
            }
            ring |= beside & near;
            beside |= near;
        }
        let mut found = before_corner & corner | before_edge & second | before_second & first;
        if side.stones.count() + 1 >= LEAST_RING {
            found |= ring;
        }
        found & empty
    }
}
