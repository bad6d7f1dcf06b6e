//! Walks over the board with as few stones as possible.

use stonework_board::{Board, Cell, CellSet, Direction};
use stonework_game::Player;
use stonework_havannah::Position;

/// The cost of a place that no walk reaches, or that no walk may pass.
pub(super) const FAR: u16 = u16::MAX;
/// The mark of a place without a place before it.
pub(super) const NONE: u16 = u16::MAX;

/// The cell with a number from a table of this module.
pub(super) fn cell(number: usize) -> Cell {
    Cell::new(number).expect("a number of a cell of the board")
}

/// A number of stones for each cell of a board; a cell that no path reaches has no number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoneMap {
    pub(super) values: Vec<u16>,
}

impl StoneMap {
    pub(super) fn new(cells: usize) -> Self {
        Self { values: vec![FAR; cells] }
    }

    /// The number of stones at a cell; `None` if the cell has no number, or is not on the board. O(1).
    #[must_use]
    pub fn get(&self, cell: Cell) -> Option<u16> {
        self.values.get(cell.index()).copied().filter(|&value| value != FAR)
    }

    /// The cells with a number, and their numbers, in the order of cells.
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
    /// The cost of each place: 0 for an own stone, 1 for an empty cell, [`FAR`] for the opponent's stone and for the
    /// last place, which is off the board.
    pub(super) costs: Vec<u16>,
    /// The neighbours of each cell in the order of [`Direction::ALL`]; the number of cells for a neighbour off the
    /// board.
    pub(super) neighbours: Vec<[u16; 6]>,
}

impl Ground {
    pub(super) fn new(board: &'static Board) -> Self {
        let off = board.len() as u16;
        let around = |at: Cell| Direction::ALL.map(|d| board.neighbour(at, d).map_or(off, u16::from));
        let neighbours = board.cells().map(around).collect();
        Self { board, costs: vec![FAR; board.len() + 1], neighbours }
    }

    /// Loads the stones of a position on this board, with `player` as the own side.
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

    /// Loads stones that cost one each; no other cell can be passed.
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

/// The least numbers of stones from some cells to each cell, and the paths back.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    pub(super) costs: StoneMap,
    /// The cell before each cell on its path, [`NONE`] at a beginning.
    from: Vec<u16>,
}

impl Tree {
    pub(super) fn new(cells: usize) -> Self {
        Self { costs: StoneMap::new(cells), from: vec![NONE; cells] }
    }

    /// The cells of the path from this cell back to a beginning.
    pub(super) fn path(&self, to: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(to), |&at| Some(self.from[at]).filter(|&f| f != NONE).map(usize::from))
    }
}

/// The working memory of a walk.
#[derive(Clone, Default, Debug)]
pub(super) struct Walk {
    /// The beginnings: the cost with the cell's own cost, and the cell.
    pub(super) seeds: Vec<(u16, u16)>,
    now: Vec<u16>,
    next: Vec<u16>,
}

impl Walk {
    /// Walks from all seeds at once, cost by cost; a seed begins with its cost. Empties the list of seeds. O(cells),
    /// and O(seeds · log seeds) if their costs differ.
    pub(super) fn spread(&mut self, ground: &Ground, tree: &mut Tree) {
        let Self { seeds, now, next } = self;
        let (costs, from) = (&mut tree.costs.values, &mut tree.from);
        costs.fill(FAR);
        // The last seed has the least cost.
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
