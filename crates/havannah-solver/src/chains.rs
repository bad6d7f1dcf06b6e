//! [`Chains`]: a side's chains, for many questions about one position and those a stone further.

use crate::lattice::Lattice;
use crate::sequence::LONGEST;
use crate::side::{LEAST_RING, Side};
use crate::word::Word;

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

/// The chain that a stone would be part of, and the older chains that it would join, as bits.
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
        self.numbered(self.alive)
    }

    /// The chains with these numbers, as bits.
    #[inline]
    fn numbered(&self, mut left: u64) -> impl Iterator<Item = (u32, &Chain<W>)> {
        std::iter::from_fn(move || {
            let number = left.trailing_zeros();
            left = left.rest();
            self.all.get(number as usize).map(|chain| (number, chain))
        })
    }

    /// The chain that a stone on this cell would be part of.
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
    /// all that make one of a bridge or a fork, and no others but some of which a ring might come.
    #[inline]
    pub(crate) fn promising(&self, lattice: &Lattice<W>, side: &Side<W>, empty: W) -> W {
        let mut corner = W::NONE;
        for &set in &side.corners {
            corner |= set;
        }
        let (mut first, mut second) = (W::NONE, W::NONE);
        for &set in &side.edges {
            second |= first & set;
            first |= set;
        }
        let mut found = W::NONE;
        // A stone on one of `cells` from which another on one of `goals`, beside its chain, wins.
        let mut add = |cells: W, goals: W| {
            let (cells, goals) = (cells & empty, goals & empty);
            if !cells.is_empty() && !goals.is_empty() {
                found |= self.beside(lattice, goals) & cells;
            }
        };
        for (&corner_set, &edge) in side.corners.iter().zip(&side.edges) {
            add(corner & !corner_set, corner_set);
            add(second & !edge, edge);
            add(edge, second & !edge);
        }
        if side.stones.count() + 1 >= LEAST_RING {
            found |= self.curving(lattice, side.stones, empty);
        }
        found & empty
    }

    /// Where a stone's chain has one of these cells beside it, which are empty; the cells themselves among them.
    #[inline]
    fn beside(&self, lattice: &Lattice<W>, goals: W) -> W {
        let mut found = lattice.spread(goals);
        for (_, chain) in self.iter() {
            if !(chain.near & goals).is_empty() {
                found |= chain.near;
            }
        }
        found
    }

    /// The cells from which two stones may make a ring, if one alone does not: it joins two chains that the other joins elsewhere; or
    /// both lie side by side, with no stone beside both, and beside the same chain; or they are the last around a stone.
    #[inline]
    fn curving(&self, lattice: &Lattice<W>, stones: W, empty: W) -> W {
        let sides = lattice.sides(stones);
        let (mut one, mut two, mut three) = (W::NONE, W::NONE, W::NONE);
        for side in sides {
            three |= two & !side;
            two |= one & !side;
            one |= !side;
        }
        let mut found = lattice.spread(stones & !three) | !two;
        let mut left = self.alive;
        while left != 0 {
            let Some(chain) = self.all.get(left.trailing_zeros() as usize) else { break };
            left = left.rest();
            let near = chain.near & empty;
            if chain.count + 1 >= LEAST_RING {
                let beside = lattice.sides(near);
                for d in 0..6 {
                    found |= near & beside[d] & !(sides[(d + 1) % 6] | sides[(d + 5) % 6]);
                }
            }
            for (_, other) in self.numbered(left) {
                let shared = near & other.near;
                if shared.several()
                    && chain.count + other.count + 1 >= LEAST_RING
                    && !lattice.is_gap(shared, chain.stones | other.stones)
                {
                    found |= shared;
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::{RngCore, SeedableRng};
    use stonework_game::{Game, Player};
    use stonework_havannah::Position;

    use super::*;
    use crate::SmallPosition;
    use crate::word::cells;

    /// Random positions in which nobody has won, and neither side could at once.
    fn quiet<W: Word>(size: u8, seed: u64, mut each: impl FnMut(&Lattice<W>, &Side<W>, W)) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        for _ in 0..300 {
            let mut game = SmallPosition::<W>::try_from(&Position::new(size).unwrap()).unwrap();
            while game.outcome().is_none() {
                for player in Player::BOTH {
                    let (side, empty) = (game.side(player), game.empty());
                    if side.wins(empty).is_empty() {
                        each(game.lattice(), side, empty);
                    }
                }
                let moves = game.moves();
                game.play(moves[rng.next_u64() as usize % moves.len()]).unwrap();
            }
        }
    }

    fn check<W: Word>(size: u8) {
        let (mut threats, mut promising) = (0, 0);
        quiet::<W>(size, size.into(), |lattice, side, empty| {
            let chains = Chains::new(lattice, side.stones);
            let found = chains.promising(lattice, side, empty);
            for cell in cells(empty) {
                let wins = side.wins_with(lattice, &chains.joined(lattice, cell).chain, empty & !cell);
                let mut placed = *side;
                placed.place(lattice, cell, empty & !cell);
                assert_eq!(wins, placed.wins(empty & !cell));
                threats += u32::from(!wins.is_empty());
                promising += u32::from(!(found & cell).is_empty());
                assert!(wins.is_empty() || !(found & cell).is_empty(), "{:?}", lattice.cell(cell));
            }
        });
        assert!(5 * promising < 6 * threats, "{promising} promising, {threats} threats");
    }

    #[test]
    fn every_threat_is_promising() {
        check::<u64>(2);
        check::<u64>(3);
        check::<u64>(4);
        check::<u128>(5);
        check::<u128>(6);
    }
}
