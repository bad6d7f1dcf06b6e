//! The net after one more stone, from the net before.
//!
//! No claim with the cell in its carrier, or as an end that the opponent takes, stays. All other claims hold as before, as
//! they depend on other cells. A claim follows from claims within its carrier, so the claims that stay follow from each other.
//!
//! After a stone of the opponent no rule has new cases: every claim without the cell was there before, or covered by a claim
//! without the cell. After a stone of the owner the ends that are now one chain get one name, and the rules have new cases
//! at that chain alone: pairs of its claims that met at no chain before. What follows from these goes through the queue.

use stonework_board::Cell;
use stonework_game::Player;
use stonework_havannah::Position;

use super::net::{Claim, NO_CLAIM, NONE, Net, QUEUED};

impl<const W: usize> Net<W> {
    /// The net of `owner` in a position that has one more stone, on `cell`, than the position of this net.
    pub(super) fn after(&self, position: &Position, owner: Player, cell: Cell) -> Self {
        let c = cell.index() as u16;
        let mut net = Self::empty(self.cells.into(), &self.budget);
        net.complete = self.complete;
        let within = net.find_chains(position, owner);
        let joined = net.node[cell.index()];
        // The chain before the stone that has most claims; its claims have met each other before.
        let same = |node: u16| !self.is_terminal(node) && net.node[usize::from(node)] == joined;
        let old = || (0..self.cells).filter(|&node| self.node[usize::from(node)] == node && same(node));
        let settled = old()
            .filter(|&node| self.is_chain(node))
            .max_by_key(|&node| self.around[usize::from(node)].len());
        let (listed, needed) = self.needed();
        let mut numbers = vec![NO_CLAIM; self.claims.len()];
        let (mut stay, mut pending) = (Vec::new(), Vec::new());
        for (at, claim) in self.claims.iter().enumerate() {
            if claim.carrier.contains(c) || !needed[at] {
                continue;
            }
            let mut moved = *claim;
            let mut origin = NONE;
            for end in &mut moved.ends {
                if *end >= self.cells {
                    continue;
                }
                let name = net.node[usize::from(*end)];
                if joined != NONE && name == joined {
                    moved.turns = moved.turns.xor(&within[usize::from(*end)]);
                    origin = *end;
                }
                *end = name;
            }
            moved.ends.sort_unstable();
            if moved.ends[0] == moved.ends[1] || moved.ends.contains(&NONE) {
                continue;
            }
            for part in moved.parts.iter_mut().filter(|part| **part != NO_CLAIM) {
                *part = numbers[*part as usize];
            }
            let parts = claim.parts.iter().zip(&moved.parts);
            if parts.into_iter().any(|(&before, &now)| before != NO_CLAIM && now == NO_CLAIM) {
                continue;
            }
            if joined != NONE {
                moved.loose.insert(c);
            }
            if !listed[at] && !net.reserve(QUEUED * size_of::<Claim<W>>()) {
                continue;
            }
            numbers[at] = net.claims.len() as u32;
            if listed[at] {
                let list = if origin == NONE || Some(origin) == settled { &mut stay } else { &mut pending };
                list.push(numbers[at]);
            }
            net.claims.push(moved);
        }
        // After a stone of the opponent no claim covers another.
        net.grown = joined != NONE;
        for at in stay {
            net.list(at);
        }
        pending.sort_by_key(|&at| (net.claims[at as usize].size, at));
        for at in pending {
            let claim = net.claims[at as usize];
            if net.is_covered(&claim) || !net.list(at) {
                continue;
            }
            if claim.is_full() {
                net.join_at(joined, &claim, at);
            } else {
                net.choose(&claim, at);
            }
        }
        net.run();
        net.close();
        net
    }

    /// For each claim: whether it is accepted, and whether an accepted claim needs it.
    fn needed(&self) -> (Vec<bool>, Vec<bool>) {
        let mut listed = vec![false; self.claims.len()];
        for pair in &self.pairs {
            pair.full.iter().chain(&pair.half).for_each(|&at| listed[at as usize] = true);
        }
        let mut needed = listed.clone();
        // The parts of a claim come before it.
        for (at, claim) in self.claims.iter().enumerate().rev() {
            if needed[at] {
                claim
                    .parts
                    .iter()
                    .filter(|&&part| part != NO_CLAIM)
                    .for_each(|&part| needed[part as usize] = true);
            }
        }
        (listed, needed)
    }
}
