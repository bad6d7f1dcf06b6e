//! The drawn boards of sizes 2 and 3.

use stonework_board::Cell;
use stonework_game::{Game, Outcome};
use stonework_havannah::{Move, Position};

/// Plays White's and Black's cells in turn until the game is over. A chain that wins stays, so a full board has a winner in one
/// order of the same stones if it has one in every order.
fn outcome(size: u8, white: &[Cell], black: &[Cell]) -> Option<Outcome> {
    let mut game = Position::new(size).unwrap();
    for at in 0..white.len() + black.len() {
        if game.outcome().is_some() {
            break;
        }
        let side = if at % 2 == 0 { white } else { black };
        game.play_unchecked(Move::Place(side[at / 2]));
    }
    game.outcome()
}

/// The numbers of full boards of a size, with as many stones of each side as in a game, and of drawn ones among them.
fn full_boards(size: u8) -> (usize, usize) {
    let cells: Vec<Cell> = Position::new(size).unwrap().empty_cells().collect();
    let half = cells.len() as u32 / 2;
    let (mut all, mut drawn) = (0, 0);
    for fill in (0..1_u32 << cells.len()).filter(|fill| fill.count_ones() == half) {
        let (mut white, mut black) = (Vec::new(), Vec::new());
        for (at, &cell) in cells.iter().enumerate() {
            if fill >> at & 1 == 1 { black.push(cell) } else { white.push(cell) }
        }
        all += 1;
        drawn += usize::from(outcome(size, &white, &black) == Some(Outcome::Draw));
    }
    (all, drawn)
}

/// *T. Ewalds, Playing and Solving Havannah, 2012* has draws on all sizes above 3; they begin at size 3.
#[test]
fn draws_begin_at_size_3() {
    assert_eq!(full_boards(2), (35, 0));
    assert_eq!(full_boards(3), (92_378, 90));
}
