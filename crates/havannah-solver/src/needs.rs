//! [`needs`]: the fewest stones that each side needs for a bridge or a fork.

use stonework_board::Cell;
use stonework_game::Player;
use stonework_havannah::Position;

use crate::estimate::{REACH, fewest};
use crate::small_position::SmallPosition;
use crate::solve::Root;
use crate::word::Word;

/// The fewest stones that a side needs for a bridge, and for a fork, one of them on a certain empty cell.
///
/// A bridge is made of ways from the cell to two corners, a fork of ways to three edges. Ways count as if no two shared a cell but this
/// one, so a side may need fewer stones. A way of more than four stones, the one on the cell among them, counts as none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Needs {
    /// The stones for a bridge, from 1 to 7; `None` if the ways to fewer than two corners count.
    pub bridge: Option<u8>,
    /// The stones for a fork, from 1 to 10; `None` if the ways to fewer than three edges count.
    pub fork: Option<u8>,
}

/// Calls `each` with all empty cells of a position that is not over, for one side and then for the other. Cells come in no order.
///
/// Some microseconds with boards to size 10 and without the right to swap; else O(cells), with a hundred times the steps.
///
/// ```
/// use stonework_game::{Game, Player, Textual};
/// use stonework_havannah::{Move, Position};
/// use stonework_havannah_solver::needs;
/// // White has a1 and b1, and is two stones short of the bridge to the corner d1.
/// let position = Position::parse_position("4 w - w.../w..../....../......./....bb/...../....")?;
/// let c1 = position.parse_move("c1")?;
/// let mut found = None;
/// needs(&position, |player, cell, needs| {
///     if player == Player::First && Move::Place(cell) == c1 {
///         found = needs.bridge;
///     }
/// });
/// assert_eq!(found, Some(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn needs(position: &Position, mut each: impl FnMut(Player, Cell, Needs)) {
    match Root::of(position) {
        Root::To4(small) => of_small(&small, each),
        Root::To6(small) => of_small(&small, each),
        Root::To8(small) => of_small(&small, each),
        Root::To10(small) => of_small(&small, each),
        Root::Rules(position) => {
            for player in Player::BOTH {
                slowly(position, player, |cell, needs| each(player, cell, needs));
            }
        }
    }
}

fn of_small<W: Word>(small: &SmallPosition<W>, mut each: impl FnMut(Player, Cell, Needs)) {
    for player in Player::BOTH {
        fewest(small.lattice(), small.side(player), small.empty(), |cell, [bridge, fork]| {
            each(player, cell, Needs { bridge, fork });
        });
    }
}

/// The same for any board, goal by goal.
fn slowly(position: &Position, player: Player, mut each: impl FnMut(Cell, Needs)) {
    let board = position.board();
    // For each cell the lengths of the ways to corners and to edges, beyond the cell itself.
    let mut ways = vec![[Vec::new(), Vec::new()]; board.len()];
    for goal in 0..12 {
        let is_goal = |cell| {
            let mask = if goal < 6 { board.corner_mask(cell) } else { board.edge_mask(cell) };
            mask >> (goal % 6) & 1 == 1
        };
        let mut found = vec![false; board.len()];
        let mut front: Vec<Cell> = board.cells().filter(|&cell| is_goal(cell)).collect();
        for more in 0..REACH as u8 {
            // Own stones that are reached lead on to their neighbours, which need no more stones.
            let (mut reached, mut at) = (Vec::new(), 0);
            while let Some(&cell) = front.get(at) {
                at += 1;
                if found[cell.index()] {
                    continue;
                }
                match position.stone(cell) {
                    None => reached.push(cell),
                    Some(owner) if owner == player => front.extend(board.neighbours(cell)),
                    Some(_) => {}
                }
                found[cell.index()] = true;
            }
            front.clear();
            for cell in reached {
                ways[cell.index()][goal / 6].push(more);
                front.extend(board.neighbours(cell));
            }
        }
    }
    for cell in position.empty_cells() {
        let [bridge, fork] = [(0, 2), (1, 3)].map(|(kind, many)| {
            let lengths = &mut ways[cell.index()][kind];
            lengths.sort_unstable();
            Some(1 + lengths.get(..many)?.iter().sum::<u8>())
        });
        each(cell, Needs { bridge, fork });
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::{RngCore, SeedableRng};
    use stonework_game::Game;
    use stonework_havannah::Move;

    use super::*;

    #[test]
    fn words_and_steps_find_the_same() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
        let mut seen = HashMap::new();
        for size in [2, 3, 4, 5, 6, 7, 8, 9, 10] {
            for _ in 0..4 {
                let mut position = Position::new(size).unwrap();
                while position.outcome().is_none() {
                    let mut fast = [HashMap::new(), HashMap::new()];
                    needs(&position, |player, cell, needs| {
                        fast[player.index()].insert(cell, needs);
                    });
                    for player in Player::BOTH {
                        let mut slow = HashMap::new();
                        slowly(&position, player, |cell, needs| {
                            slow.insert(cell, needs);
                            // One stone is enough for winning cells alone; rings win, too.
                            let wins = position.winning_cells(player).contains(cell);
                            assert!(wins || needs.bridge != Some(1) && needs.fork != Some(1), "{position:?}");
                            *seen.entry(needs.fork).or_insert(0) += 1;
                        });
                        assert_eq!(fast[player.index()], slow, "{position:?}");
                    }
                    let cells: Vec<Cell> = position.empty_cells().collect();
                    let cell = cells[rng.next_u64() as usize % cells.len()];
                    position.play_unchecked(Move::Place(cell));
                }
            }
        }
        assert_eq!(seen.len(), 11, "none, and from 1 to 10 stones: {seen:?}");
    }
}
