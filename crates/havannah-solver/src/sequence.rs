//! Threat sequences: moves that each threaten to win at once, so that every answer is forced.

use arrayvec::ArrayVec;

use crate::chains::Chains;
use crate::lattice::Lattice;
use crate::side::Side;
use crate::word::{Word, cells};

/// Moves of the attacker in a sequence at the most.
pub(crate) const LONGEST: usize = 16;

/// The attacker's moves of a sequence, the first one first.
pub(crate) type Sequence<W> = ArrayVec<W, LONGEST>;

/// Both sides, one of which attacks, and the empty cells.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scene<W> {
    pub(crate) attacker: Side<W>,
    pub(crate) defender: Side<W>,
    pub(crate) empty: W,
}

impl<W: Word> Scene<W> {
    /// The attacker, to move, does not win at once; looks for a sequence that wins, which is then in `line`, empty before.
    /// `budget` is how many positions may be looked at: it is taken from.
    pub(crate) fn attack(&self, lattice: &Lattice<W>, budget: &mut u32, line: &mut Sequence<W>) -> bool {
        let Some(blocks) = self.look(0, budget) else { return false };
        let mut chains = Chains::new(lattice, self.attacker.stones);
        let found = self.attack_from(lattice, &mut chains, blocks, 0, budget, line);
        line.reverse();
        found
    }

    /// The cells that the attacker, to move, must block. `None` if it cannot, or if the position may not be looked at.
    #[inline]
    fn look(&self, ply: usize, budget: &mut u32) -> Option<W> {
        if *budget == 0 || ply >= LONGEST {
            return None;
        }
        *budget -= 1;
        let blocks = self.defender.wins(self.empty);
        (!blocks.several()).then_some(blocks)
    }

    /// Recursion goes as deep as the sequence is long: [`LONGEST`] at the most. `chains` are the attacker's; `line` gets the
    /// moves of the sequence, the last one first.
    fn attack_from(
        &self,
        lattice: &Lattice<W>,
        chains: &mut Chains<W>,
        blocks: W,
        ply: usize,
        budget: &mut u32,
        line: &mut Sequence<W>,
    ) -> bool {
        let tried =
            if blocks.is_empty() { chains.promising(lattice, &self.attacker, self.empty) } else { blocks };
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
            let Some(blocks) = next.look(ply + 1, budget) else { continue };
            chains.join(&joined);
            let won = next.attack_from(lattice, chains, blocks, ply + 1, budget, line);
            chains.part(&joined);
            if won {
                line.push(cell);
                return true;
            }
        }
        false
    }

    /// The defender's moves, it being to move and neither side winning at once, after which the sequence, which wins if the
    /// defender passes, may not: after all others it does.
    pub(crate) fn disturbing(&self, lattice: &Lattice<W>, line: &[W]) -> W {
        // The attacker's side of the sequence, which a move elsewhere does not change: where it threatens to win. And all the
        // defender's answers at once, while the attacker's stones count for nothing: if a stone makes no threat then, it
        // makes none on the way.
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

/// Whether an attacker, to move and without a win at once, wins by a sequence, every answer being forced: its moves, each
/// with where it then threatens to win if that is empty.
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
