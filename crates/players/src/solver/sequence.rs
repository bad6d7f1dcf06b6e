//! Threat sequences: moves that each threaten to win at once, so that every answer is forced.

use super::lattice::Lattice;
use super::side::{Chains, Side};
use super::word::{Word, cells};

/// Moves of the attacker in a sequence at the most.
pub(crate) const LONGEST: usize = 16;

/// The attacker's moves of a sequence, the first one first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Sequence<W> {
    moves: [W; LONGEST],
    len: usize,
}

impl<W: Word> Sequence<W> {
    pub(crate) const fn new() -> Self {
        Self { moves: [W::NONE; LONGEST], len: 0 }
    }

    pub(crate) fn moves(&self) -> &[W] {
        self.moves.get(..self.len).unwrap_or(&self.moves)
    }

    fn set(&mut self, ply: usize, cell: W) {
        if let Some(place) = self.moves.get_mut(ply) {
            *place = cell;
            self.len = ply + 1;
        }
    }
}

/// Both sides, one of which attacks, and the empty cells.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scene<W> {
    pub(crate) attacker: Side<W>,
    pub(crate) defender: Side<W>,
    pub(crate) empty: W,
}

impl<W: Word> Scene<W> {
    /// The attacker, to move, does not win at once; looks for a sequence that wins, which is then in `line`. `budget` is how
    /// many positions may be looked at: it is taken from.
    pub(crate) fn attack(&self, lattice: &Lattice<W>, budget: &mut u32, line: &mut Sequence<W>) -> bool {
        self.attack_from(lattice, 0, budget, line)
    }

    /// Recursion goes as deep as the sequence is long: [`LONGEST`] at the most.
    fn attack_from(
        &self,
        lattice: &Lattice<W>,
        ply: usize,
        budget: &mut u32,
        line: &mut Sequence<W>,
    ) -> bool {
        if *budget == 0 || ply >= LONGEST {
            return false;
        }
        *budget -= 1;
        let blocks = self.defender.wins(self.empty);
        if blocks.several() {
            return false;
        }
        let chains = Chains::new(&self.attacker, lattice);
        let tried = if blocks.is_empty() { chains.promising(self.empty) } else { blocks };
        let mut threats = W::NONE;
        for cell in cells(tried) {
            let wins = chains.wins_after(cell, self.empty & !cell);
            if wins.several() {
                line.set(ply, cell);
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
            let mut next = *self;
            next.empty &= !cell;
            next.attacker.place(lattice, cell, next.empty);
            let answer = next.attacker.wins(next.empty);
            next.empty &= !answer;
            next.defender.place(lattice, answer, next.empty);
            if next.attack_from(lattice, ply + 1, budget, line) {
                line.moves[ply] = cell;
                return true;
            }
        }
        false
    }

    /// Whether the attacker, to move, wins with these moves, every answer being forced.
    pub(crate) fn replay(mut self, lattice: &Lattice<W>, line: &[W]) -> bool {
        for &cell in line {
            if !self.attacker.wins(self.empty).is_empty() {
                return true;
            }
            let blocks = self.defender.wins(self.empty);
            if (self.empty & cell).is_empty() || !(blocks & !cell).is_empty() {
                return false;
            }
            self.empty &= !cell;
            self.attacker.place(lattice, cell, self.empty);
            let wins = self.attacker.wins(self.empty);
            if wins.several() {
                return true;
            }
            if wins.is_empty() {
                return false;
            }
            self.empty &= !wins;
            self.defender.place(lattice, wins, self.empty);
        }
        false
    }

    /// The defender's moves, it being to move and neither side winning at once, after which the sequence, which wins if the
    /// defender passes, may not: after all others it does.
    pub(crate) fn disturbing(&self, lattice: &Lattice<W>, line: &[W]) -> W {
        // All the defender's answers at once, while the attacker's stones count for nothing: if a stone makes no threat
        // then, it makes none on the way.
        let mut attacker = self.attacker;
        let mut forced = self.defender;
        let mut touched = W::NONE;
        let mut empty = self.empty;
        let mut free = self.empty;
        for &cell in line {
            empty &= !cell;
            touched |= cell;
            attacker.place(lattice, cell, empty);
            let wins = attacker.wins(empty);
            touched |= wins;
            if wins.several() {
                break;
            }
            empty &= !wins;
            free &= !wins;
            forced.place(lattice, wins, free);
        }
        let chains = Chains::new(&forced, lattice);
        let calm = forced.wins(free).is_empty();
        let mut left = W::NONE;
        let lone = !(lattice.spread(forced.stones) | lattice.rim);
        for cell in cells(self.empty) {
            let quiet = calm
                && (touched & cell).is_empty()
                && (!(lone & cell).is_empty() || chains.wins_after(cell, free & !cell).is_empty());
            if quiet {
                continue;
            }
            let mut after = *self;
            after.empty &= !cell;
            after.defender.place(lattice, cell, after.empty);
            if !after.replay(lattice, line) {
                left |= cell;
            }
        }
        left
    }
}
