//! The slow judge of what one side can force within a set of cells: every move of either side in every order.
//!
//! Written from the definitions alone and independent of `stonework-havannah-analysis`: it is given stones and cells, and
//! knows neither links nor frames.

use std::collections::HashMap;

use stonework_board::{Board, Cell, CellSet};
use stonework_havannah::WinKind;

use crate::judge::{chains, formations};

/// The most cells of a carrier that is tried out.
pub const MAX_CARRIER: usize = 24;

/// A carrier with too many cells to try out every order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a carrier of {cells} cells: at most {MAX_CARRIER} are tried out")]
#[non_exhaustive]
pub struct CarrierTooLarge {
    /// How many cells it has.
    pub cells: usize,
}

/// A game on the cells of a carrier: the owner wants a goal that more own stones never spoil, the opponent wants to prevent
/// it. Both sides take cells in turn. No side passes, as a pass never helps.
struct CarrierGame<F> {
    /// How many cells there are.
    cells: usize,
    /// Whether the goal is reached with these cells in the owner's hands, bit i for cell i.
    reached: F,
    /// For the cells asked so far whether the goal is reached with them.
    asked: HashMap<u32, bool>,
    /// For each state whether the owner reaches the goal.
    known: HashMap<(u32, u32), bool>,
}

impl<F: Fn(u32) -> bool> CarrierGame<F> {
    fn is_reached(&mut self, own: u32) -> bool {
        *self.asked.entry(own).or_insert_with(|| (self.reached)(own))
    }

    /// Whether the owner reaches the goal. `taken` are the cells of both sides. The recursion is as deep as there are cells.
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

/// Plays the game on a carrier to its end, with the owner's first move on `key` if there is one.
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

/// Whether the owner of the stones `own` gets a connected path of own stones from a cell of the one end to a cell of the
/// other with moves on the carrier alone: the owner begins on `key` if there is one (a key outside the carrier never holds),
/// else the opponent begins. Every move in every order is tried.
///
/// # Errors
/// For a carrier of more than [`MAX_CARRIER`] cells.
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
    // Two cells of the carrier are joined if they are neighbours or have a chain in common.
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

/// Whether the owner of the stones `own` completes a formation of this kind with moves on the carrier alone, whatever the
/// opponent does there: the owner begins on `key` if there is one (a key outside the carrier never holds), else the opponent
/// begins. What the opponent completes does not count. Every move in every order is tried.
///
/// # Errors
/// For a carrier of more than [`MAX_CARRIER`] cells.
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
