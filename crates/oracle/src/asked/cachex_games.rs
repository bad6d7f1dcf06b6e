//! Games of Cachex to try rules on.

use rand_core::RngCore;
use stonework_cachex::{Move, Position};
use stonework_game::{Game, Notation, below};

use super::Asked;
use crate::corpus::{GameText, of_kinds};

/// What a generated game is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Uniformly random to the end.
    Random,
    /// The same after a steal.
    Stolen,
    /// Captures are taken where there are any.
    Capturing,
    /// Nobody wins as long as that can be helped, and captures are taken: to the seventh occurrence of a
    /// board, or the last turn.
    Endless,
}

/// `random` uniformly random games on boards of a size, and a tenth as many of each other kind.
pub(crate) fn games(size: u8, random: u32, mut rng: impl RngCore) -> impl Iterator<Item = GameText> {
    let kinds = [Kind::Random, Kind::Stolen, Kind::Capturing, Kind::Endless];
    of_kinds(kinds, random, move |kind| game(kind, size, &mut rng))
}

fn game(kind: Kind, size: u8, rng: &mut impl RngCore) -> Option<GameText> {
    let mut position = Position::new(size).ok()?;
    let mut moves = Vec::new();
    let mut legal = Vec::new();
    while position.outcome().is_none() {
        legal.clear();
        position.legal_moves(&mut legal);
        let mv = choose(kind, &position, &legal, rng);
        moves.push(position.move_text(mv));
        position.play_unchecked(mv);
    }
    let name = match kind {
        Kind::Random => "random",
        Kind::Stolen => "stolen",
        Kind::Capturing => "capturing",
        Kind::Endless => "endless",
    };
    Some(GameText { name: name.to_owned(), game: Position::NAME, size, start: None, swap: false, moves })
}

fn choose(kind: Kind, position: &Position, legal: &[Move], rng: &mut impl RngCore) -> Move {
    let me = position.to_move();
    if kind == Kind::Stolen && position.may_steal() {
        return Move::Steal;
    }
    let wins = |mv: &Move| matches!(*mv, Move::Place(cell) if position.wins(me, cell));
    let takes = |mv: &Move| matches!(*mv, Move::Place(cell) if !position.captures(me, cell).is_empty());
    let quiet: Vec<Move> = match kind {
        Kind::Endless => legal.iter().copied().filter(|mv| !wins(mv)).collect(),
        _ => legal.to_vec(),
    };
    let from = if quiet.is_empty() { legal } else { &quiet };
    let taking: Vec<Move> = match kind {
        Kind::Capturing | Kind::Endless => from.iter().copied().filter(takes).collect(),
        _ => Vec::new(),
    };
    let from = if taking.is_empty() { from } else { &taking };
    if kind == Kind::Endless && position.turns() > 20 {
        // Always the same choice, so that boards come back.
        return from[0];
    }
    from[below(rng, from.len())]
}
