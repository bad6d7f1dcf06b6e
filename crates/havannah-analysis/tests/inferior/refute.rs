//! Attempts to refute cells without use on boards too large for all fillings: a use would be a least set with the cell.

use std::cmp::Reverse;

use stonework_board::{Board, Cell, CellSet};
use stonework_game::{Game, Player, Rng, Textual, below, rng};
use stonework_havannah::{Position, Setup};
use stonework_havannah_analysis::InferiorCells;

use crate::positions::played;

fn has_formation(size: u8, stones: CellSet) -> bool {
    let mut setup = Setup::new(size);
    setup.stones.first = stones;
    !setup.position().unwrap().kinds().is_empty()
}

/// Gives a side all empty cells and takes them away in a random order, the cell last, as long as a formation is left.
/// `true` if the cell cannot be taken away, and so has a use.
fn is_refuted(position: &Position, player: Player, cell: Cell, near: bool, rng: &mut Rng) -> bool {
    let board: &Board = position.board();
    let mut order: Vec<Cell> = position.empty_cells().filter(|&other| other != cell).collect();
    for i in (1..order.len()).rev() {
        order.swap(i, below(rng, i + 1));
    }
    if near {
        // Cells near the cell stay longest, which leads to formations through it.
        order.sort_by_key(|&other| Reverse(board.distance(cell, other) / 2));
    }
    let mut stones = position.stones(player) | position.empty_cells().collect();
    if !has_formation(board.size(), stones) {
        return false;
    }
    for other in order.into_iter().chain([cell]) {
        stones.remove(other);
        if !has_formation(board.size(), stones) {
            stones.insert(other);
        }
    }
    stones.contains(cell)
}

/// Tries to refute each cell without use of either side, and counts the cells. For comparison, tries to refute one
/// random other cell of either side, and counts these cells and the refuted ones.
fn attempt(position: &Position, rng: &mut Rng, cells: &mut [u64; 3]) {
    let Ok(inferior) = InferiorCells::of(position) else { return };
    for player in Player::BOTH {
        let no_use = inferior.no_use(player);
        for cell in &no_use {
            for near in [false, true] {
                let text = position.position_text();
                assert!(
                    !is_refuted(position, player, cell, near, rng),
                    "{text}: {player:?} has use for {cell:?}"
                );
            }
            cells[0] += 1;
        }
        let others: Vec<Cell> = position.empty_cells().filter(|&cell| !no_use.contains(cell)).collect();
        if !others.is_empty() {
            let cell = others[below(rng, others.len())];
            cells[1] += 1;
            cells[2] += u64::from(
                [false, true].into_iter().any(|near| is_refuted(position, player, cell, near, rng)),
            );
        }
    }
}

#[test]
fn no_use_survives_attempts_on_larger_boards() {
    let (mut rng, mut cells) = (rng(11), [0; 3]);
    for size in 6..=8 {
        let all = Board::hexagon(size).unwrap().len();
        for tenths in [4, 5, 6, 7] {
            for _ in 0..2 {
                if let Some(position) = played(size, all - tenths * all / 10, &mut rng) {
                    attempt(&position, &mut rng, &mut cells);
                }
            }
        }
    }
    assert!(cells[0] > 50, "{cells:?}");
    // The attempts are strong enough, as they refute most other cells.
    assert!(3 * cells[2] > cells[1], "{cells:?}");
}

#[test]
#[ignore = "reads ../shared/data: cargo test --workspace -- --ignored reference_data; every n-th position with STONEWORK_INFERIOR=n (docs/lab/inferior.md)"]
fn no_use_survives_attempts_in_real_games_of_the_reference_data() {
    let of: usize = std::env::var("STONEWORK_INFERIOR").map_or(100, |number| number.parse().unwrap());
    let (mut rng, mut cells, mut number, mut positions) = (rng(12), [0; 3], 0, 0);
    for game in stonework_reference_data::lines("havannah/littlegolem.jsonl") {
        let (size, moves) = stonework_reference_data::size_and_moves(&game);
        let mut position = Position::with_swap(size).unwrap();
        for text in moves {
            position.play(position.parse_move(text).unwrap()).unwrap();
            number += 1;
            if number % of == 0 {
                positions += 1;
                attempt(&position, &mut rng, &mut cells);
            }
        }
    }
    let [no_use, others, refuted] = cells;
    println!(
        "{positions} positions: {no_use} cells without use, 0 refuted; {refuted} of {others} others refuted"
    );
}
