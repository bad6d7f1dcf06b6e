//! [`Probed`] for Cover: moves that the rules do not allow.

use std::collections::BTreeMap;

use rand_core::RngCore;
use stonework_board::{Cell, Heading};
use stonework_cover::{IllegalMove, Move, Position};
use stonework_game::{Game, Textual, below};

use super::{Probed, one_of};

impl Probed for Position {
    /// Steps to and from locations just beyond the board, and texts that are no move.
    fn nowhere(&self, _: usize) -> Vec<String> {
        // The number of locations on a side of the lattice.
        let side = 2 * self.size() + 3;
        let name = |a: u8, b: u8| format!("{}{b:02}", char::from(b'A' + a - 1));
        let rim = (1..=side)
            .flat_map(|n| [((n, side), (n, side + 1)), ((n, 1), (n, 0)), ((side, n), (side + 1, n))]);
        let both = rim.flat_map(|(on, off)| [(on, off), (off, on)]);
        let steps = both.map(|(from, to)| format!("{}-{}", name(from.0, from.1), name(to.0, to.1)));
        let texts = ["A01", "A01-", "-A01", "A01B02", "A01-B02-C03", "A1-B2", "pass"].map(str::to_owned);
        steps.chain(texts).collect()
    }

    fn wrong(&self, _: usize, rng: &mut impl RngCore) -> Vec<(&'static str, String)> {
        let lattice = self.lattice();
        let me = self.to_move();
        let mut wrong = Vec::new();
        // Two steps for each rule that forbids a step.
        let own: Vec<Cell> = self.stones(me).collect();
        let steps = own.iter().flat_map(|&from| Heading::ALL.map(|heading| Move::new(from, heading)));
        let mut forbidden: BTreeMap<&'static str, Vec<Move>> = BTreeMap::new();
        let mut legal = Vec::new();
        for mv in steps.filter(|&mv| self.target(mv).is_some()) {
            match self.check(mv) {
                Ok(()) => legal.push(mv),
                Err(why) => forbidden.entry(reason(why)).or_default().push(mv),
            }
        }
        for (kind, moves) in forbidden {
            for _ in 0..2 {
                wrong.push((kind, self.move_text(moves[below(rng, moves.len())])));
            }
        }
        // A step from a location without an own stone.
        let theirs: Vec<Cell> = self.stones(me.other()).collect();
        let empty: Vec<Cell> = lattice.cells().filter(|&cell| self.stone(cell).is_none()).collect();
        for (kind, from) in [("stone of the other side", &theirs), ("location without a stone", &empty)] {
            let step = one_of(from, rng).map(|from| Move::new(from, Heading::ALL[below(rng, 8)]));
            let step = step.filter(|&mv| self.target(mv).is_some());
            wrong.extend(step.map(|mv| (kind, bare(self.move_text(mv)))));
        }
        // Moves to locations near a stone of the side to move: few of these moves are legal steps.
        if let Some(from) = one_of(&own, rng) {
            let (a, b) = lattice.coordinates(from);
            for _ in 0..3 {
                let mut near =
                    |n: u8| (n + below(rng, 5) as u8).saturating_sub(2).clamp(1, 2 * self.size() + 3);
                let (a, b) = (near(a), near(b));
                let to = format!("{}{b:02}", char::from(b'A' + a - 1));
                wrong.push(("move to a location nearby", format!("{}-{to}", lattice.name(from))));
            }
        }
        // A legal step, written with a hit on a location that the step does not hit.
        if let Some(mv) = one_of(&legal, rng) {
            let step = bare(self.move_text(mv));
            let hit = self.hit(mv);
            for place in [one_of(&theirs, rng), one_of(&own, rng), one_of(&empty, rng)] {
                let other = place.filter(|&place| Some(place) != hit);
                wrong.extend(other.map(|place| ("false hit", format!("{step}x{}", lattice.name(place)))));
            }
        }
        // A legal shot, written without its hit.
        let shots: Vec<Move> = legal.into_iter().filter(|&mv| self.hit(mv).is_some()).collect();
        wrong.extend(one_of(&shots, rng).map(|mv| ("hit left out", bare(self.move_text(mv)))));
        wrong
    }

    fn is_full(&self) -> bool {
        false
    }
}

/// The text of a move without its hit.
fn bare(mut text: String) -> String {
    text.truncate(text.find('x').unwrap_or(text.len()));
    text
}

/// The kind of a question about a step that is illegal for this reason.
fn reason(why: IllegalMove) -> &'static str {
    match why {
        IllegalMove::Over { .. } => "step after the end of the game",
        IllegalMove::Blocked { .. } => "blocked step",
        IllegalMove::OwnHome { .. } => "step to the own homebase",
        IllegalMove::Repetition { .. } => "repetition",
        _ => "other step",
    }
}
