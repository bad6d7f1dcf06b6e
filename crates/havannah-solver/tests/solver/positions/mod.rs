//! Positions for the tests of the solver.

use stonework_game::{Game, Textual};
use stonework_havannah::Position;

/// The position after some moves.
pub(crate) fn after(size: u8, moves: &str) -> Position {
    let mut position = Position::new(size).unwrap();
    for text in moves.split([' ', ',']).filter(|text| !text.is_empty()) {
        position.play(position.parse_move(text).unwrap()).unwrap();
    }
    position
}

/// A position from the thesis: drawn after ply 20; after ply 31 neither side can win.
pub(crate) fn drawn(plies: usize) -> Position {
    let game = "g7 a1 f5 g4 e3 d2 e2 d1 c2 d3 c3 f7 d6 b4 a4 b5 a3 e5 c4 b3 a2 c1 b1 f6 e4 d4 g6 e7 d7 b2 c5";
    let moves: Vec<&str> = game.split(' ').take(plies).collect();
    after(4, &moves.join(" "))
}
