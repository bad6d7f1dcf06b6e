//! Threat sequences: moves that each threaten to win at once, so that every answer is forced.

use arrayvec::ArrayVec;

use crate::chains::Chains;
use crate::lattice::Lattice;
use crate::side::Side;
use crate::word::{Word, cells};

/// The largest number of the attacker's moves in a sequence.
pub(crate) const LONGEST: usize = 16;

/// The attacker's moves of a sequence, the first one first.
pub(crate) type Sequence<W> = ArrayVec<W, LONGEST>;

/// A position with one side as the attacker.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attack<W> {
    pub(crate) attacker: Side<W>,
    pub(crate) defender: Side<W>,
    pub(crate) empty: W,
}

impl<W: Word> Attack<W> {
    /// `true` if the attacker, who is to move and has no winning cell, has a sequence that wins. `line`, which is
    /// empty before, receives the sequence. The search visits at most `budget` positions, and subtracts their number
    /// from `budget`.
    pub(crate) fn find(&self, lattice: &Lattice<W>, budget: &mut u32, line: &mut Sequence<W>) -> bool {
        let Some(blocks) = self.blocks(0, budget) else { return false };
        let mut chains = Chains::new(lattice, self.attacker.stones);
        let found = self.search(lattice, &mut chains, blocks, 0, budget, line);
        line.reverse();
        found
    }

    /// The cells that the attacker, who is to move, must block. `None` if the attacker cannot block all, or if the
    /// budget or the length of the sequence is used up.
    #[inline]
    fn blocks(&self, ply: usize, budget: &mut u32) -> Option<W> {
        if *budget == 0 || ply >= LONGEST {
            return None;
        }
        *budget -= 1;
        let blocks = self.defender.wins(self.empty);
        (!blocks.several()).then_some(blocks)
    }

    /// Searches for a sequence; `true` if one wins. The recursion is as deep as the sequence is long: [`LONGEST`] at
    /// most. `chains` are the attacker's; `line` receives the moves of the sequence, the last one first.
    fn search(
        &self,
        lattice: &Lattice<W>,
        chains: &mut Chains<W>,
        blocks: W,
        ply: usize,
        budget: &mut u32,
        line: &mut Sequence<W>,
    ) -> bool {
        let tried = if blocks.is_empty() {
            chains.threat_candidates(lattice, &self.attacker, self.empty)
        } else {
            blocks
        };
        let mut threats = W::NONE;
        for cell in cells(tried) {
            let wins =
                self.attacker.wins_with(lattice, &chains.joined(lattice, cell).chain, self.empty & !cell);
            if wins.several() {
                line.push(cell);
                return true;
            }
            if !wins.is_empty() {
                threats |= cell;
            }
        }
        for cell in cells(threats) {
            if *budget == 0 {
                return false;
            }
            let joined = chains.joined(lattice, cell);
            let mut next = *self;
            next.empty &= !cell;
            next.attacker.join(lattice, cell, &joined.chain, next.empty);
            let answer = next.attacker.wins(next.empty);
            next.empty &= !answer;
            next.defender.place(lattice, answer, next.empty);
            let Some(blocks) = next.blocks(ply + 1, budget) else { continue };
            chains.join(&joined);
            let won = next.search(lattice, chains, blocks, ply + 1, budget, line);
            chains.take_back(&joined);
            if won {
                line.push(cell);
                return true;
            }
        }
        false
    }

    /// The defender's moves that break a sequence which would win if the defender passed: after every other move the
    /// sequence still wins. The defender is to move, and neither side has a winning cell.
    pub(crate) fn defences(&self, lattice: &Lattice<W>, line: &[W]) -> W {
        // `threats` has the attacker's winning cells after each of the attacker's moves; a move elsewhere does not
        // change them. `forced` is the defender with all its answers at once, on a board without the attacker's
        // stones; a stone that makes no threat on that board makes none during the sequence.
        let mut threats = [W::NONE; LONGEST];
        let mut attacker = self.attacker;
        let mut forced = self.defender;
        let mut touched = W::NONE;
        let mut empty = self.empty;
        let mut free = self.empty;
        for (threat, &cell) in threats.iter_mut().zip(line) {
            empty &= !cell;
            touched |= cell;
            attacker.place(lattice, cell, empty);
            let wins = attacker.wins(empty);
            *threat = wins;
            touched |= wins;
            if wins.several() {
                break;
            }
            empty &= !wins;
            free &= !wins;
            forced.place(lattice, wins, free);
        }
        let chains = Chains::new(lattice, forced.stones);
        let calm = forced.wins(free).is_empty();
        let mut left = W::NONE;
        let lone = !(lattice.spread(forced.stones) | lattice.rim);
        for cell in cells(self.empty) {
            let makes_threat =
                || !forced.wins_with(lattice, &chains.joined(lattice, cell).chain, free & !cell).is_empty();
            let quiet = calm && (touched & cell).is_empty() && (!(lone & cell).is_empty() || !makes_threat());
            if quiet {
                continue;
            }
            let empty = self.empty & !cell;
            let mut defender = self.defender;
            defender.place(lattice, cell, empty);
            if !still_wins(lattice, defender, empty, line.iter().copied().zip(threats)) {
                left |= cell;
            }
        }
        left
    }
}

/// `true` if an attacker, who is to move and has no winning cell, wins by the sequence `line` with every answer
/// forced. Each move of `line` comes with the cells on which the attacker then threatens to win, if they are empty.
fn still_wins<W: Word>(
    lattice: &Lattice<W>,
    mut defender: Side<W>,
    mut empty: W,
    line: impl Iterator<Item = (W, W)>,
) -> bool {
    for (cell, threat) in line {
        let blocks = defender.wins(empty);
        if (empty & cell).is_empty() || !(blocks & !cell).is_empty() {
            return false;
        }
        empty &= !cell;
        let wins = threat & empty;
        if wins.several() {
            return true;
        }
        if wins.is_empty() {
            return false;
        }
        empty &= !wins;
        defender.place(lattice, wins, empty);
    }
    false
}
