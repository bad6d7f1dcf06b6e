//! A slow judge: formations by their definition, on sets of cells of one board of at most 64 cells; all fillings; all games.

use stonework_board::{Board, Cell, CellSet, Direction};
use stonework_game::Player;
use stonework_havannah::Position;

/// A board of size 2 to 4, or 5, with sets of cells as words.
pub(crate) struct Judge {
    pub(crate) near: Vec<u64>,
    pub(crate) rim: u64,
    corners: Vec<u64>,
    edges: Vec<u64>,
}

pub(crate) fn word(cells: &CellSet) -> u64 {
    cells.iter().map(|cell| 1 << cell.index()).sum()
}

impl Judge {
    pub(crate) fn new(size: u8) -> Self {
        let board = Board::hexagon(size).unwrap();
        assert!(board.len() <= 64);
        let set = |cells: &mut dyn Iterator<Item = Cell>| cells.map(|cell| 1 << cell.index()).sum::<u64>();
        Self {
            near: board.cells().map(|cell| set(&mut board.neighbours(cell))).collect(),
            rim: set(&mut board
                .cells()
                .filter(|&c| Direction::ALL.iter().any(|&d| board.neighbour(c, d).is_none()))),
            corners: board.corner_cells().map(|cell| 1 << cell.index()).collect(),
            edges: (0..6).map(|edge| set(&mut board.edge_cells(edge))).collect(),
        }
    }

    /// The cells of a set that are joined to some cells by paths in the set.
    pub(crate) fn joined(&self, from: u64, within: u64) -> u64 {
        let (mut all, mut new) = (0, from & within);
        while new != 0 {
            all |= new;
            let mut beside = 0;
            while new != 0 {
                beside |= self.near[new.trailing_zeros() as usize];
                new &= new - 1;
            }
            new = beside & within & !all;
        }
        all
    }

    /// `true` if stones contain a bridge, a fork or a ring.
    pub(crate) fn has_formation(&self, stones: u64) -> bool {
        let touches = |chain: u64, of: &[u64]| of.iter().filter(|&&part| part & chain != 0).count();
        let mut left = stones;
        while left != 0 {
            let chain = self.joined(left & left.wrapping_neg(), left);
            left &= !chain;
            if touches(chain, &self.corners) >= 2 || touches(chain, &self.edges) >= 3 {
                return true;
            }
        }
        self.has_ring(stones)
    }

    /// `true` if stones contain a ring.
    pub(crate) fn has_ring(&self, stones: u64) -> bool {
        // A ring encloses a cell: every path from the cell to the rim meets another cell with a stone.
        let all = (1u64 << self.near.len()) - 1;
        let outside = self.joined(self.rim & !stones, all & !stones);
        if outside | stones != all {
            return true;
        }
        let mut inner = stones & !self.rim;
        while inner != 0 {
            if self.near[inner.trailing_zeros() as usize] & outside == 0 {
                return true;
            }
            inner &= inner - 1;
        }
        false
    }
}

/// All fillings of the empty cells of a position, for both sides: bit i of an index is the i-th empty cell.
pub(crate) struct Fillings {
    pub(crate) cells: Vec<Cell>,
    /// For either side, `true` if its stones by the index contain a formation.
    wins: [Vec<bool>; 2],
    /// The powers 3^i.
    powers: Vec<usize>,
    values: Vec<Option<i8>>,
}

impl Fillings {
    pub(crate) fn of(judge: &Judge, position: &Position) -> Self {
        let cells: Vec<Cell> = position.empty_cells().collect();
        let wins = Player::BOTH.map(|player| {
            let own = word(&position.stones(player));
            let stones = |set: usize| {
                let of = |i: usize| if set >> i & 1 == 1 { 1 << cells[i].index() } else { 0 };
                own | (0..cells.len()).map(of).sum::<u64>()
            };
            (0..1usize << cells.len()).map(|set| judge.has_formation(stones(set))).collect()
        });
        let powers = (0..=cells.len() as u32).map(|i| 3usize.pow(i)).collect();
        Self { cells, wins, powers, values: Vec::new() }
    }

    /// The cells with a filling in which the player wins only with the cell.
    pub(crate) fn useful(&self, player: Player) -> CellSet {
        let wins = &self.wins[player.index()];
        let useful =
            |&i: &usize| (0..wins.len()).any(|set| set >> i & 1 == 0 && wins[set | 1 << i] && !wins[set]);
        (0..self.cells.len()).filter(useful).map(|i| self.cells[i]).collect()
    }

    /// The value by all games after the first and the second player have taken these cells, with `mover` to move: 1
    /// for a win of the first player, −1 for a win of the second, 0 for a draw.
    pub(crate) fn value(&mut self, first: &[Cell], second: &[Cell], mover: Player) -> i8 {
        let set = |cells: &[Cell]| {
            cells.iter().map(|cell| 1 << self.cells.iter().position(|c| c == cell).unwrap()).sum::<usize>()
        };
        let sets = [set(first), set(second)];
        if self.values.is_empty() {
            self.values = vec![None; 2 * self.powers[self.cells.len()]];
        }
        self.solve(sets, mover)
    }

    fn solve(&mut self, sets: [usize; 2], mover: Player) -> i8 {
        if self.wins[0][sets[0]] {
            return 1;
        }
        if self.wins[1][sets[1]] {
            return -1;
        }
        let code = |set: usize| {
            (0..self.cells.len()).filter(|i| set >> i & 1 == 1).map(|i| self.powers[i]).sum::<usize>()
        };
        let key = 2 * (code(sets[0]) + 2 * code(sets[1])) + mover.index();
        if let Some(value) = self.values[key] {
            return value;
        }
        let sign = if mover == Player::First { 1 } else { -1 };
        let mut best = None;
        for i in (0..self.cells.len()).filter(|i| (sets[0] | sets[1]) >> i & 1 == 0) {
            let mut after = sets;
            after[mover.index()] |= 1 << i;
            let value = sign * self.solve(after, mover.other());
            best = best.max(Some(value));
            if value == 1 {
                break;
            }
        }
        let value = best.map_or(0, |value| sign * value);
        self.values[key] = Some(value);
        value
    }
}
