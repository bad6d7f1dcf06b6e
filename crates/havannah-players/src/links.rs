//! [`Links`]: an evaluation by the number of stones that each side still needs.

use stonework_board::{Board, Cell};
use stonework_game::{Game, Player};
use stonework_havannah::{Move, Position};
use stonework_search::{Evaluator, WIN};

/// Values a position by the stones that each side still needs for a bridge or a fork.
///
/// The *need* from a corner or an edge to a cell is the number of stones that a side must still place to connect the
/// two, the stone on the cell included. A two-bridge with an empty carrier counts as connected. A cell of the second
/// row with two empty edge cells beside it counts as connected to the edge. The need of a bridge is the least sum of
/// the needs from two corners to the same cell. The need of a fork is the least sum of the needs from three edges.
/// Both count the stone on that cell once.
///
/// ```text
/// distance = 4 · lesser need + greater need             of a side's bridge and fork
/// ways     = cells at which the lesser need is attained
/// value    = 100 · (distance of the opponent − own) + 10 · (own ways − ways of the opponent) + 200
/// ```
///
/// The value is for the side to move; the 200 are the worth of the turn. Wins in one, rings included, come first: the
/// value is `WIN / 4` if the side to move has one, and `−WIN / 4` if its opponent has two. With the right to swap, the
/// value is the value of the better side.
///
/// The value stays the same if colours and turn are exchanged, and under the twelve symmetries of the board. It is an
/// estimate and no bound: two-bridges that share a cell count as if they did not, and rings longer than one move
/// ahead count for nothing. O(cells): a walk over the board for each corner, edge and side, about 10 µs on size 4
/// and 170 µs on size 10.
#[derive(Clone, Debug, Default)]
pub struct Links {
    tables: Option<Tables>,
    stones: Vec<Option<Player>>,
    /// The links that are open in the position, from cell to cell, one after the other.
    open: Vec<u16>,
    /// The index in `open` of the first link from each cell and each target; at the end, the length of `open`.
    begins: Vec<usize>,
    reached: Vec<Reached>,
    /// The cells and targets from which the walk goes on at this need; `next` has those of the next need.
    now: Vec<u16>,
    next: Vec<u16>,
}

/// The number of targets: six corners and six edges.
const TARGETS: usize = 12;
/// For a bridge and for a fork: its possible targets, as bits, and the number of targets that it connects.
const KINDS: [(u16, u32); 2] = [(0b11_1111, 2), (0b1111_1100_0000, 3)];
/// The need of a bridge or fork that has become impossible.
const NEVER: u32 = 80;

/// The connections of one side to a cell.
#[derive(Clone, Copy, Debug, Default)]
struct Reached {
    /// The targets from which the walk has reached the cell, as bits.
    from: u16,
    /// The targets that the cell has not passed on to its neighbours, at this need; `coming` has those of the next
    /// need.
    pending: u16,
    coming: u16,
    /// For each kind, the nearest targets, at most as many as the kind connects: their number, and the sum of their
    /// needs.
    arms: [(u32, u32); 2],
}

/// A link to a cell: a stone on the cell is connected if the cells between are empty.
#[derive(Clone, Copy, Debug)]
struct Link {
    to: u16,
    /// The two cells between; twice `to` for a neighbour, which has no cells between.
    between: [u16; 2],
}

/// The links of a board.
#[derive(Clone, Debug)]
struct Tables {
    size: u8,
    /// The links from each cell, then the links from each target.
    links: Vec<Vec<Link>>,
}

impl Tables {
    fn new(board: &Board) -> Self {
        let number = |cell: Cell| cell.index() as u16;
        let step = |to: Cell| Link { to: number(to), between: [number(to); 2] };
        let from_cell = |cell: Cell| {
            let near = board.neighbours(cell).map(step);
            let far = board.two_bridges(cell).map(|bridge| {
                let between = bridge.carrier.map(number);
                Link { to: number(bridge.end), between }
            });
            near.chain(far).collect()
        };
        let from_target = |target: usize| -> Vec<Link> {
            if target < 6 {
                return board
                    .cells()
                    .filter(|&c| board.corner_mask(c) >> target & 1 != 0)
                    .map(step)
                    .collect();
            }
            let on = |cell: &Cell| board.edge_mask(*cell) >> (target - 6) & 1 != 0;
            let second_row = board.cells().filter(|cell| !on(cell)).filter_map(|cell| {
                let mut beside = board.neighbours(cell).filter(on).map(number);
                let between = [beside.next()?, beside.next()?];
                Some(Link { to: number(cell), between })
            });
            board.cells().filter(on).map(step).chain(second_row).collect()
        };
        let links = board.cells().map(from_cell).chain((0..TARGETS).map(from_target)).collect();
        Self { size: board.size(), links }
    }
}

/// The needs of a side for its nearest bridge and its nearest fork.
struct Need {
    /// For each kind, the least need, and the number of cells with that need.
    least: [(u32, u32); 2],
}

impl Need {
    /// Counts a cell at which the connections of a kind meet.
    const fn meet(&mut self, kind: usize, need: u32) {
        let least = &mut self.least[kind];
        if need < least.0 {
            *least = (need, 1);
        } else if need == least.0 {
            least.1 += 1;
        }
    }

    fn worth(&self) -> i32 {
        let [(bridge, _), (fork, _)] = self.least;
        let (lesser, greater) = (bridge.min(fork), bridge.max(fork));
        let ways: u32 = self.least.iter().filter(|kind| kind.0 == lesser).map(|kind| kind.1).sum();
        10 * ways as i32 - 100 * (4 * lesser + greater) as i32
    }
}

impl Links {
    /// An evaluation for boards of any size. The first position of a size makes the tables of that size.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Copies the stones of a position, and lists the links whose cells between are empty.
    fn load(&mut self, game: &Position) {
        let board = game.board();
        let tables = match &mut self.tables {
            Some(tables) if tables.size == board.size() => tables,
            other => other.insert(Tables::new(board)),
        };
        self.stones.clear();
        self.stones.extend(board.cells().map(|cell| game.stone(cell)));
        self.open.clear();
        self.begins.clear();
        for links in &tables.links {
            self.begins.push(self.open.len());
            let empty = |cell: u16| self.stones[usize::from(cell)].is_none();
            let open = |link: &&Link| link.between[0] == link.to || link.between.into_iter().all(empty);
            self.open.extend(links.iter().filter(open).map(|link| link.to));
        }
        self.begins.push(self.open.len());
    }

    /// The needs of a side in the loaded position.
    ///
    /// Walks from all targets at once, need by need: a cell is reached from each target at its least need, and
    /// from nearer targets before farther ones.
    fn need(&mut self, side: Player) -> Need {
        let mut total = Need { least: [(NEVER, 0); 2] };
        let cells = self.stones.len();
        self.reached.clear();
        self.reached.resize(cells + TARGETS, Reached::default());
        for target in 0..TARGETS {
            self.reached[cells + target].pending = 1 << target;
            self.now.push((cells + target) as u16);
        }
        let mut need = 0;
        while !self.now.is_empty() {
            while let Some(from) = self.now.pop() {
                let from = usize::from(from);
                let targets = std::mem::take(&mut self.reached[from].pending);
                for &to in &self.open[self.begins[from]..self.begins[from + 1]] {
                    let cell = &mut self.reached[usize::from(to)];
                    let new = targets & !cell.from;
                    let stone = self.stones[usize::from(to)];
                    if new == 0 || stone == Some(side.other()) {
                        continue;
                    }
                    cell.from |= new;
                    let cost = u32::from(stone.is_none());
                    for (kind, (mask, arms)) in KINDS.into_iter().enumerate() {
                        let (had, sum) = cell.arms[kind];
                        let more = (new & mask).count_ones().min(arms - had);
                        cell.arms[kind] = (had + more, sum + more * (need + cost));
                        if more > 0 && had + more == arms {
                            // The stone on the cell itself counts once, not for each target.
                            total.meet(kind, cell.arms[kind].1 - cost * (arms - 1));
                        }
                    }
                    let (queue, waiting) = if cost == 0 {
                        (&mut self.now, &mut cell.pending)
                    } else {
                        (&mut self.next, &mut cell.coming)
                    };
                    if *waiting == 0 {
                        queue.push(to);
                    }
                    *waiting |= new;
                }
            }
            std::mem::swap(&mut self.now, &mut self.next);
            for &cell in &self.now {
                let cell = &mut self.reached[usize::from(cell)];
                cell.pending = std::mem::take(&mut cell.coming);
            }
            need += 1;
        }
        total
    }
}

impl Evaluator<Position> for Links {
    fn evaluate(&mut self, game: &Position) -> i32 {
        let me = game.to_move();
        if game.winning_count(me) > 0 {
            return WIN / 4;
        }
        if game.winning_count(me.other()) > 1 {
            return -WIN / 4;
        }
        self.load(game);
        let value = self.need(me).worth() - self.need(me.other()).worth() + 200;
        if game.check(Move::Swap).is_ok() { value.abs() } else { value }
    }
}
