//! The openings of the empty board: which differ, and what claims about all of them come to.

use stonework_board::Cell;
use stonework_game::{Game, Keyed, Notation as _, Outcome, Player};
use stonework_havannah::{Move, Position, colour};
use stonework_search::proof::Claim;

/// The largest board whose openings are proved one by one.
pub(crate) const LARGEST: u8 = 4;

/// Whether a position is what all openings come from.
pub(crate) fn are_asked(root: &Position) -> bool {
    root.stone_count() == 0 && !root.swap_enabled() && root.size() <= LARGEST
}

/// The opening that a position comes from: its only stone is White's, Black is to move, and nobody may swap. Everything else
/// is no opening, and what is said of it says nothing about the empty board.
pub(crate) fn opening(root: &Position) -> Option<Cell> {
    let is_one = root.stone_count() == 1 && root.to_move() == Player::Second && !root.swap_enabled();
    root.stones(Player::First).first().filter(|_| is_one)
}

/// Where a claim is made, in words: after an opening, or else in a position, which is written out.
pub(crate) fn place(root: &Position) -> String {
    opening(root).map_or_else(
        || format!("in {}", root.position_text()),
        |cell| format!("after {} and its images on size {}", root.board().name(cell), root.size()),
    )
}

/// The position after a move.
pub(crate) fn after(root: &Position, cell: Cell) -> Position {
    let mut position = root.clone();
    position.play_unchecked(Move::Place(cell));
    position
}

/// The moves that differ, each with its images, in the order of the cells.
pub(crate) fn orbits(root: &Position) -> Vec<(Cell, Vec<Cell>)> {
    let mut orbits: Vec<(u64, Cell, Vec<Cell>)> = Vec::new();
    for cell in root.empty_cells() {
        let key = after(root, cell).canonical().0;
        match orbits.iter_mut().find(|(known, ..)| *known == key) {
            Some((_, _, images)) => images.push(cell),
            None => orbits.push((key, cell, Vec::new())),
        }
    }
    orbits.into_iter().map(|(_, cell, images)| (cell, images)).collect()
}

/// What an exact claim says.
pub(crate) const fn outcome(claim: Claim) -> Outcome {
    match claim {
        Claim::Wins(player) => Outcome::Win(player),
        Claim::DoesNotWin(_) | Claim::Draw => Outcome::Draw,
    }
}

/// An outcome in words.
pub(crate) fn said(outcome: Outcome) -> String {
    match outcome {
        Outcome::Win(player) => format!("{} wins", colour(player)),
        Outcome::Draw => "a draw".to_owned(),
    }
}

/// What claims about the positions after each opening come to: the value of the empty board, if none is missing and each is
/// exact.
pub(crate) fn conclusion(claims: &[(Position, Claim)]) -> Option<Outcome> {
    let root = Position::new(claims.first()?.0.size()).ok()?;
    let mut best: Option<Outcome> = None;
    for (cell, _) in orbits(&root) {
        let wanted = after(&root, cell).canonical().0;
        let exact = |claim: Claim| matches!(claim, Claim::Wins(_) | Claim::Draw);
        let found = claims.iter().find(|(p, claim)| {
            exact(*claim) && opening(p).is_some() && p.size() == root.size() && p.canonical().0 == wanted
        });
        let value = outcome(found?.1);
        let rank = |outcome: Outcome| outcome.value_for(root.to_move());
        if best.is_none_or(|other| rank(value) > rank(other)) {
            best = Some(value);
        }
    }
    best
}
