//! [`Chains`]: a side's chains, for the search of a threat sequence.

use arrayvec::ArrayVec;

use crate::lattice::Lattice;
use crate::sequence::LONGEST;
use crate::side::{LEAST_RING, Side};
use crate::word::Word;

/// The largest number of chains of a side: on size 10, a third of the cells are single stones, no two of them adjacent.
const MOST: usize = 91;

/// One chain.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chain<W> {
    pub(super) stones: W,
    /// The stones and their neighbours; bits that are no cells may be among them.
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

/// A side's chains. Chains that a stone joins stay in the list beside the new chain, so that taking back is O(1).
#[derive(Debug)]
pub(crate) struct Chains<W: Word> {
    all: ArrayVec<Chain<W>, { MOST + LONGEST }>,
    /// The chains of the present position, as bits by their index in `all`.
    alive: W::Numbers,
}

/// The chain that a stone would be part of, and the older chains that the stone would join, as bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Joined<W: Word> {
    pub(crate) chain: Chain<W>,
    parts: W::Numbers,
}

impl<W: Word> Chains<W> {
    pub(crate) fn new(lattice: &Lattice<W>, stones: W) -> Self {
        let mut found = Self { all: ArrayVec::new(), alive: Word::NONE };
        let mut left = stones;
        while !left.is_empty() {
            let chain = lattice.flood(left.lowest(), left);
            left &= !chain;
            found.join(&Joined { chain: Chain::new(lattice, chain), parts: Word::NONE });
        }
        found
    }

    /// The chains of the present position, with their numbers.
    #[inline]
    fn iter(&self) -> impl Iterator<Item = (u32, &Chain<W>)> {
        self.numbered(self.alive)
    }

    /// The chains with these numbers, as bits.
    #[inline]
    fn numbered(&self, mut left: W::Numbers) -> impl Iterator<Item = (u32, &Chain<W>)> {
        std::iter::from_fn(move || {
            let number = left.index();
            left = left.rest();
            self.all.get(number as usize).map(|chain| (number, chain))
        })
    }

    /// The chain that a stone on this cell would be part of.
    #[inline]
    pub(crate) fn joined(&self, lattice: &Lattice<W>, cell: W) -> Joined<W> {
        let (near, touches) = (lattice.spread(cell), lattice.touches_of(cell));
        let mut joined = Joined { chain: Chain { stones: cell, near, count: 1, touches }, parts: Word::NONE };
        for (number, chain) in self.iter() {
            if !(chain.near & cell).is_empty() {
                joined.parts |= Word::bit(number);
                joined.chain.stones |= chain.stones;
                joined.chain.near |= chain.near;
                joined.chain.count += chain.count;
                joined.chain.touches |= chain.touches;
            }
        }
        joined
    }

    /// Places the stone. At most [`LONGEST`] stones may be placed and not taken back.
    #[inline]
    pub(crate) fn join(&mut self, joined: &Joined<W>) {
        let number = self.all.len() as u32;
        if self.all.try_push(joined.chain).is_ok() {
            self.alive = self.alive & !joined.parts | Word::bit(number);
        }
    }

    /// Takes back the stone that was placed last.
    #[inline]
    pub(crate) fn take_back(&mut self, joined: &Joined<W>) {
        self.all.pop();
        self.alive = self.alive & !<W::Numbers>::bit(self.all.len() as u32) | joined.parts;
    }

    /// The empty cells on which a stone may make a threat, if `side` has no winning cell. They are exactly the cells that threaten
    /// a bridge or a fork, and a superset of the cells that threaten a ring.
    #[inline]
    pub(crate) fn threat_candidates(&self, lattice: &Lattice<W>, side: &Side<W>, empty: W) -> W {
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
        // Adds each of `cells` on which a stone's chain would have one of `goals` beside it: a second stone on the
        // goal wins.
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
            found |= self.ring_candidates(lattice, side.stones, empty);
        }
        found & empty
    }

    /// The cells on which a stone's chain would have one of `goals` beside it, with the goals themselves. The goals
    /// are empty.
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

    /// The cells on which a stone may be the first of two that close a ring, if one stone alone closes none. There are
    /// three cases: both stones join the same two chains, at different cells; both stones are neighbours, with no own
    /// stone beside both, and are beside the same chain; both stones are the last neighbours of a third stone.
    #[inline]
    fn ring_candidates(&self, lattice: &Lattice<W>, stones: W, empty: W) -> W {
        let sides = lattice.sides(stones);
        let (mut one, mut two, mut three) = (W::NONE, W::NONE, W::NONE);
        for side in sides {
            three |= two & !side;
            two |= one & !side;
            one |= !side;
        }
        let mut found = lattice.spread(stones & !three) | !two;
        let mut left = self.alive;
        while !left.is_empty() {
            let Some(chain) = self.all.get(left.index() as usize) else { break };
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
    use crate::word::{Words, cells};

    /// Sides without a winning cell, in random games.
    fn quiet<W: Word>(size: u8, games: u32, mut each: impl FnMut(&Lattice<W>, &Side<W>, W)) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(size.into());
        for _ in 0..games {
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

    fn check<W: Word>(size: u8, games: u32) {
        let (mut threats, mut candidates) = (0, 0);
        quiet::<W>(size, games, |lattice, side, empty| {
            let chains = Chains::new(lattice, side.stones);
            let found = chains.threat_candidates(lattice, side, empty);
            for cell in cells(empty) {
                let wins = side.wins_with(lattice, &chains.joined(lattice, cell).chain, empty & !cell);
                let mut placed = *side;
                placed.place(lattice, cell, empty & !cell);
                assert_eq!(wins, placed.wins(empty & !cell));
                threats += u32::from(!wins.is_empty());
                candidates += u32::from(!(found & cell).is_empty());
                assert!(wins.is_empty() || !(found & cell).is_empty(), "{:?}", lattice.cell(cell));
            }
        });
        assert!(4 * candidates < 5 * threats, "{candidates} candidates, {threats} threats");
    }

    #[test]
    fn every_threat_is_a_candidate() {
        check::<u64>(2, 300);
        check::<u64>(3, 300);
        check::<u64>(4, 300);
        check::<u128>(5, 300);
        check::<u128>(6, 300);
        check::<Words<4>>(7, 20);
        check::<Words<4>>(8, 20);
        check::<Words<6>>(10, 20);
    }
}
