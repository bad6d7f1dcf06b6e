//! Walks over the board that spend as few stones as possible.

use stonework_board::{Board, Cell, CellSet, Direction};
use stonework_game::Player;
use stonework_havannah::Position;

/// Not reached, or not to be passed.
pub(super) const FAR: u16 = u16::MAX;
/// Nothing came before.
pub(super) const NONE: u16 = u16::MAX;

/// The cell with a number that a table of this module has.
pub(super) fn cell(number: usize) -> Cell {
    Cell::new(number).expect("a number of a cell of the board")
}

/// A number of stones for each cell of a board; no number where there is no way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoneMap {
    pub(super) values: Vec<u16>,
}

impl StoneMap {
    pub(super) fn new(cells: usize) -> Self {
        Self { values: vec![FAR; cells] }
    }

    /// The number of stones at a cell; `None` where there is no way, or the board has no such cell. O(1).
    #[must_use]
    pub fn get(&self, cell: Cell) -> Option<u16> {
        self.values.get(cell.index()).copied().filter(|&value| value != FAR)
    }

    /// The cells that have a number, with it, in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (Cell, u16)> + '_ {
        let known = self.values.iter().enumerate().filter(|&(_, &value)| value != FAR);
        known.map(|(number, &value)| (cell(number), value))
    }

    /// The least number of all cells; `None` if no cell has one. O(cells).
    #[must_use]
    pub fn least(&self) -> Option<u16> {
        self.iter().map(|(_, value)| value).min()
    }

    /// The cells that have exactly this number. O(cells).
    #[must_use]
    pub fn cells_at(&self, stones: u16) -> CellSet {
        self.iter().filter(|&(_, value)| value == stones).map(|(cell, _)| cell).collect()
    }
}

/// The cost of each cell, and the cells beside it.
#[derive(Clone, Debug)]
pub(super) struct Ground {
    pub(super) board: &'static Board,
    /// 0 for an own stone, 1 for an empty cell, [`FAR`] for the opponent's stone and for the place off the board, which is
    /// the last.
    pub(super) costs: Vec<u16>,
    /// In the order of [`Direction::ALL`]; off the board the number of cells.
    pub(super) neighbours: Vec<[u16; 6]>,
}

impl Ground {
    pub(super) fn new(board: &'static Board) -> Self {
        let off = board.len() as u16;
        let around = |at: Cell| Direction::ALL.map(|d| board.neighbour(at, d).map_or(off, u16::from));
        let neighbours = board.cells().map(around).collect();
        Self { board, costs: vec![FAR; board.len() + 1], neighbours }
    }

    /// Takes over the stones of a position on this board, as `player` sees them.
    pub(super) fn load(&mut self, position: &Position, player: Player) {
        let off = self.board.len();
        self.costs[..off].fill(FAR);
        for at in position.stones(player) {
            self.costs[at.index()] = 0;
        }
        for at in position.empty_cells() {
            self.costs[at.index()] = 1;
        }
    }

    /// Takes over stones that cost one each; no other cell can be passed.
    pub(super) fn load_stones(&mut self, stones: &CellSet) {
        self.costs.fill(FAR);
        for at in stones {
            self.costs[at.index()] = 1;
        }
    }

    pub(super) const fn cells(&self) -> usize {
        self.neighbours.len()
    }
}

/// The least stones from some cells to each cell, and the way back.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    pub(super) costs: StoneMap,
    /// The cell before, [`NONE`] at a beginning.
    from: Vec<u16>,
}

impl Tree {
    pub(super) fn new(cells: usize) -> Self {
        Self { costs: StoneMap::new(cells), from: vec![NONE; cells] }
    }

    /// The cells from this one back to a beginning.
    pub(super) fn path(&self, to: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(to), |&at| Some(self.from[at]).filter(|&f| f != NONE).map(usize::from))
    }
}

/// Working memory of a walk.
#[derive(Clone, Default, Debug)]
pub(super) struct Walk {
    /// The beginnings: cost, the cell included, and cell.
    pub(super) seeds: Vec<(u16, u16)>,
    now: Vec<u16>,
    next: Vec<u16>,
}

impl Walk {
    /// Walks from all seeds at once, cost by cost; a seed counts with the cost that it has. Takes the seeds out. O(cells),
    /// and O(seeds · log seeds) if they differ in cost.
    pub(super) fn spread(&mut self, ground: &Ground, tree: &mut Tree) {
        let Self { seeds, now, next } = self;
        let (costs, from) = (&mut tree.costs.values, &mut tree.from);
        costs.fill(FAR);
        // The last has the least cost.
        seeds.sort_unstable_by(|a, b| b.cmp(a));
        let mut cost = 0;
        loop {
            if now.is_empty() {
                let Some(&(least, _)) = seeds.last() else { return };
                cost = least;
            }
            while let Some((_, seed)) = seeds.pop_if(|seed| seed.0 == cost) {
                if costs[usize::from(seed)] == FAR {
                    (costs[usize::from(seed)], from[usize::from(seed)]) = (cost, NONE);
                    now.push(seed);
                }
            }
            while let Some(at) = now.pop() {
                for near in ground.neighbours[usize::from(at)] {
                    let (place, own) = (usize::from(near), ground.costs[usize::from(near)]);
                    if own == FAR || costs[place] != FAR {
                        continue;
                    }
                    (costs[place], from[place]) = (cost + own, at);
                    if own == 0 { now.push(near) } else { next.push(near) }
                }
            }
            std::mem::swap(now, next);
            cost += 1;
        }
    }
}
