//! Positions with known inferior cells.

use stonework_board::{Cell, CellSet};
use stonework_game::{Game, Outcome, Player, Textual};
use stonework_havannah::{Move, Position};
use stonework_havannah_analysis::{AnalysisError, InferiorCells};

use crate::judge::{Fillings, Judge};

fn position(text: &str) -> Position {
    Position::parse_position(text).unwrap()
}

fn cell(position: &Position, name: &str) -> Cell {
    position.board().parse(name).unwrap()
}

/// The results for the centre of a position of size 3, `true` for dead: by the rules, and by all fillings.
fn centre_is_dead(text: &str) -> [bool; 2] {
    let position = position(text);
    let centre = cell(&position, "c3");
    let fillings = Fillings::of(&Judge::new(3), &position);
    let useful = Player::BOTH.into_iter().any(|player| fillings.useful(player).contains(centre));
    [InferiorCells::of(&position).unwrap().dead().contains(centre), !useful]
}

/// T. Ewalds, figures of *Dead Cells*: a row of four stones beside the cell is dead in Hex, here not without a stone that blocks
/// each ring of six.
#[test]
fn the_dead_pattern_of_hex_needs_blocked_rings() {
    assert_eq!(centre_is_dead("3 w - .../.w../.w.../.ww./..."), [false, false]);
    assert_eq!(centre_is_dead("3 w - .../bw../.w.../.ww./..."), [false, false]);
    assert_eq!(centre_is_dead("3 w - .../bw../.w.../.ww./.b."), [true, true]);
}

/// Three stones of each side around the cell: the middle stones need a blocked place behind them.
#[test]
fn three_and_three_need_blocked_rings() {
    assert_eq!(centre_is_dead("3 w - .../.wb./.w.b./.wb./..."), [false, false]);
    assert_eq!(centre_is_dead("3 w - .../.wb./bw.bw/.wb./..."), [true, true]);
}

/// In Hex a pair of cells is captured if each cell becomes dead after a stone of the owner on the other. Here Black
/// has the pair c4 and d4, and would win with both, but loses: the first formation counts, and Black is a move late.
#[test]
fn a_captured_pair_that_its_owner_needs_changes_the_value() {
    let judge = Judge::new(4);
    let position = position("4 b - w.ww/bbbw./bwb.wb/bbw.b../wwwbww/wbbbw/wbbw");
    let pair = [cell(&position, "c4"), cell(&position, "d4")];
    for (own, other) in [(pair[0], pair[1]), (pair[1], pair[0])] {
        let mut setup = position.setup();
        setup.stones.second.insert(own);
        let fillings = Fillings::of(&judge, &setup.position().unwrap());
        assert!(Player::BOTH.into_iter().all(|player| !fillings.useful(player).contains(other)));
    }
    let mut fillings = Fillings::of(&judge, &position);
    assert_eq!(fillings.value(&[], &[], Player::Second), 1);
    assert_eq!(fillings.value(&[], &pair, Player::Second), -1);
    assert!(InferiorCells::of(&position).unwrap().captured(Player::Second).is_empty());
}

#[test]
fn a_finished_game_and_a_swap_are_refused() {
    let won = position("4 b - wwww/...../....../bbb..../....../...../....");
    let outcome = Outcome::Win(Player::First);
    assert_eq!(InferiorCells::of(&won), Err(AnalysisError::Over { outcome }));
    assert_eq!(AnalysisError::Over { outcome }.to_string(), "the game is over: white has won");
    let mut game = Position::with_swap(4).unwrap();
    assert_eq!(InferiorCells::of(&game), Err(AnalysisError::Swap));
    let moves = game.moves();
    game.play(moves[0]).unwrap();
    assert_eq!(InferiorCells::of(&game), Err(AnalysisError::Swap));
    game.play(Move::Swap).unwrap();
    assert!(InferiorCells::of(&game).is_ok());
}

#[test]
fn an_empty_board_has_no_inferior_cells() {
    for size in 2..=8 {
        let position = Position::new(size).unwrap();
        let inferior = InferiorCells::of(&position).unwrap();
        assert_eq!(inferior.others(), position.empty_cells().collect::<CellSet>(), "size {size}");
    }
}
