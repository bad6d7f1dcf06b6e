//! The slow judge of the goals that one side can force within a set of cells: every move of either side in every order.
//!
//! The judge is written from the definitions alone and independent of `stonework-havannah-analysis`. Its input is
//! stones and cells, without links or frames.

use std::collections::HashMap;

use stonework_board::{Board, Cell, CellSet};
use stonework_havannah::WinKind;

use crate::judge::{chains, formations};

/// The most cells of a carrier for this judge.
pub const MAX_CARRIER: usize = 24;

/// A carrier with too many cells to try out every order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a carrier of {cells} cells: at most {MAX_CARRIER} are tried out")]
#[non_exhaustive]
pub struct CarrierTooLarge {
    /// The number of its cells.
    pub cells: usize,
}

/// A game on the cells of a carrier: the owner wants a goal that further own stones never spoil, the opponent wants to
/// prevent the goal. Both sides take cells in turn. No side passes, as a pass never helps.
struct CarrierGame<F> {
    /// The number of the cells.
    cells: usize,
    /// `true` if the owner has the goal with these cells, bit i for cell i.
    reached: F,
    /// The results of `reached` so far.
    asked: HashMap<u32, bool>,
    /// The results of [`holds`](CarrierGame::holds) so far, by state.
    known: HashMap<(u32, u32), bool>,
}

impl<F: Fn(u32) -> bool> CarrierGame<F> {
    fn is_reached(&mut self, own: u32) -> bool {
        *self.asked.entry(own).or_insert_with(|| (self.reached)(own))
    }

    /// `true` if the owner reaches the goal. `taken` has the cells of both sides. The recursion is at most as deep as
    /// the number of cells.
    fn holds(&mut self, own: u32, taken: u32, owner_moves: bool) -> bool {
        if self.is_reached(own) {
            return true;
        }
        let all = (1u32 << self.cells) - 1;
        if !self.is_reached(own | (all & !taken)) {
            return false;
        }
        // The side to move follows from the number of stones.
        if let Some(&known) = self.known.get(&(own, taken)) {
            return known;
        }
        let mut free = (0..self.cells).map(|i| 1u32 << i).filter(|bit| taken & bit == 0);
        let holds = if owner_moves {
            free.any(|bit| self.holds(own | bit, taken | bit, false))
        } else {
            free.all(|bit| self.holds(own, taken | bit, true))
        };
        self.known.insert((own, taken), holds);
        holds
    }
}

/// Plays the game on a carrier to its end. The owner begins on `key` if there is a key, otherwise the opponent begins.
fn play_out(
    carrier: &[Cell],
    key: Option<Cell>,
    reached: impl Fn(u32) -> bool,
) -> Result<bool, CarrierTooLarge> {
    if carrier.len() > MAX_CARRIER {
        return Err(CarrierTooLarge { cells: carrier.len() });
    }
    let mut game =
        CarrierGame { cells: carrier.len(), reached, asked: HashMap::new(), known: HashMap::new() };
    Ok(match key {
        None => game.holds(0, 0, false),
        Some(key) => match carrier.iter().position(|&c| c == key) {
            Some(at) => game.holds(1 << at, 1 << at, false),
            None => false,
        },
    })
}

/// `true` if the owner of the stones `own` can connect the two ends by a path of own stones, with moves on the carrier
/// alone. The owner begins on `key` if there is a key, otherwise the opponent begins; with a key outside the carrier
/// the result is `false`. The judge tries every move in every order.
///
/// # Errors
/// An error if the carrier has more than [`MAX_CARRIER`] cells.
pub fn link_holds(
    board: &Board,
    own: &CellSet,
    ends: [&CellSet; 2],
    carrier: &CellSet,
    key: Option<Cell>,
) -> Result<bool, CarrierTooLarge> {
    let chains = chains(board, own);
    let joined = |chain: &CellSet| ends.iter().all(|end| !chain.is_disjoint(end));
    if chains.iter().any(joined) {
        return Ok(true);
    }
    let cells: Vec<Cell> = carrier.iter().collect();
    let beside = |cell: Cell, chain: &CellSet| board.neighbours(cell).any(|n| chain.contains(n));
    // Two cells of the carrier are joined if they are neighbours or lie beside the same chain.
    let joins = |a: Cell, b: Cell| {
        board.distance(a, b) == 1 || chains.iter().any(|chain| beside(a, chain) && beside(b, chain))
    };
    let joined: Vec<u32> = cells
        .iter()
        .map(|&a| cells.iter().enumerate().map(|(i, &b)| u32::from(joins(a, b)) << i).sum())
        .collect();
    let touches = |end: &CellSet| -> u32 {
        let at =
            |cell: Cell| end.contains(cell) || chains.iter().any(|c| !c.is_disjoint(end) && beside(cell, c));
        cells.iter().enumerate().map(|(i, &cell)| u32::from(at(cell)) << i).sum()
    };
    let [from, to] = ends.map(touches);
    let reached = |own: u32| {
        let mut reached = own & from;
        loop {
            let more = (0..cells.len())
                .filter(|i| reached >> i & 1 != 0)
                .fold(reached, |all, i| all | joined[i] & own);
            if more == reached {
                return reached & to != 0;
            }
            reached = more;
        }
    };
    play_out(&cells, key, reached)
}

/// `true` if the owner of the stones `own` can complete a formation of this kind against any play of the opponent, with
/// moves on the carrier alone. The owner begins on `key` if there is a key, otherwise the opponent begins; with a key
/// outside the carrier the result is `false`. Formations of the opponent do not count. The judge tries every move in
/// every order.
///
/// # Errors
/// An error if the carrier has more than [`MAX_CARRIER`] cells.
pub fn formation_is_forced(
    board: &Board,
    own: &CellSet,
    kind: WinKind,
    carrier: &CellSet,
    key: Option<Cell>,
) -> Result<bool, CarrierTooLarge> {
    let cells: Vec<Cell> = carrier.iter().collect();
    let reached = |taken: u32| {
        let mut stones = *own;
        stones.extend(cells.iter().enumerate().filter(|(i, _)| taken >> i & 1 != 0).map(|(_, &c)| c));
        formations(board, &stones).contains(kind)
    };
    play_out(&cells, key, reached)
}
