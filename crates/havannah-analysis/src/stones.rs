//! [`StonesToWin`]: the number of stones that a side needs to win if the opponent never answers.

use std::collections::VecDeque;

use stonework_board::{Board, Cell, CellSet, Direction};
use stonework_game::Player;
use stonework_havannah::{Position, WinKind, WinKinds};

use crate::AnalysisError;
use crate::error::in_play;

/// The cost of a cell without a path.
const FAR: u16 = u16::MAX;

/// The fewest stones with which a side completes a formation while the opponent passes, and the cells for the first of
/// them.
///
/// The number is exact for bridge, fork and ring. It is a bound for a race: a side cannot win with fewer own stones, whatever
/// the opponent does.
///
/// ```
/// use stonework_game::{Player, Textual};
/// use stonework_havannah::Position;
/// use stonework_havannah_analysis::StonesToWin;
/// let position = Position::parse_position("4 b - .ww./...../....../......./....../...../....")?;
/// let white = StonesToWin::of(&position, Player::First, 10)?.unwrap();
/// assert_eq!((white.stones, white.kinds.to_string().as_str()), (2, "bridge"));
/// let [a1, a4] = [position.board().parse("a1")?, position.board().parse("a4")?];
/// assert_eq!(white.cells, [a1, a4].into_iter().collect());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StonesToWin {
    /// The number of stones, 1 or more.
    pub stones: u16,
    /// The kinds of win that take this number of stones.
    pub kinds: WinKinds,
    /// The empty cells of all wins with that number of stones: exactly the cells on which a stone brings the win one stone nearer.
    pub cells: CellSet,
}

impl StonesToWin {
    /// The fewest stones with which `player` wins; `None` if they are more than `most`.
    ///
    /// O(cells² · size) for the ring in the worst case, less for a small `most`.
    ///
    /// # Errors
    /// An error if the game is over or a swap may still come.
    pub fn of(position: &Position, player: Player, most: u16) -> Result<Option<Self>, AnalysisError> {
        in_play(position)?;
        let ground = Ground::of(position, player);
        let most = most.min(position.board().len() as u16);
        let mut best = Best { stones: most, kinds: WinKinds::NONE, cells: CellSet::new() };
        ground.bridges(&mut best);
        ground.forks(&mut best);
        ground.rings(&mut best);
        let Best { stones, kinds, cells } = best;
        Ok((!kinds.is_empty()).then_some(Self { stones, kinds, cells }))
    }
}

/// The wins with the fewest stones so far.
struct Best {
    /// The least number of stones so far; wins with more stones do not count.
    stones: u16,
    kinds: WinKinds,
    cells: CellSet,
}

impl Best {
    /// Notes wins with a number of stones, and their cells.
    fn note(&mut self, kind: WinKind, stones: u16, cells: impl IntoIterator<Item = Cell>) {
        if stones > self.stones {
            return;
        }
        if stones < self.stones {
            (self.kinds, self.cells) = (WinKinds::NONE, CellSet::new());
        }
        self.stones = stones;
        self.kinds = self.kinds.with(kind.into());
        self.cells.extend(cells);
    }
}

/// The board for one side.
struct Ground {
    board: &'static Board,
    /// The stones that each cell takes: 0 for an own stone, 1 for an empty cell, [`FAR`] for a stone of the opponent.
    cost: Vec<u16>,
}

impl Ground {
    fn of(position: &Position, player: Player) -> Self {
        let board = position.board();
        let cost = board.cells().map(|c| match position.stone(c) {
            None => 1,
            Some(p) if p == player => 0,
            Some(_) => FAR,
        });
        Self { board, cost: cost.collect() }
    }

    /// The fewest stones on a path from a source to each cell, both ends counted; [`FAR`] for more than `most`.
    fn steps(&self, sources: impl Iterator<Item = Cell>, most: u16) -> Vec<u16> {
        let mut steps = vec![FAR; self.cost.len()];
        let mut queue = VecDeque::new();
        let reach = |steps: &mut [u16], queue: &mut VecDeque<(Cell, u16)>, cell: Cell, before: u16| {
            let cost = self.cost[cell.index()];
            let now = before.saturating_add(cost);
            if now <= most && now < steps[cell.index()] {
                steps[cell.index()] = now;
                if cost == 0 { queue.push_front((cell, now)) } else { queue.push_back((cell, now)) }
            }
        };
        for cell in sources {
            reach(&mut steps, &mut queue, cell, 0);
        }
        while let Some((cell, at)) = queue.pop_front() {
            if at == steps[cell.index()] {
                for next in self.board.neighbours(cell) {
                    reach(&mut steps, &mut queue, next, at);
                }
            }
        }
        steps
    }

    fn empty(&self) -> impl Iterator<Item = Cell> + '_ {
        self.board.cells().filter(|c| self.cost[c.index()] == 1)
    }

    /// The empty cells on shortest paths between two sets of sources; the paths take `stones` stones.
    fn between<'a>(&'a self, a: &'a [u16], b: &'a [u16], stones: u16) -> impl Iterator<Item = Cell> + 'a {
        self.empty().filter(move |c| a[c.index()].saturating_add(b[c.index()]) == stones.saturating_add(1))
    }

    fn bridges(&self, best: &mut Best) {
        let corners: Vec<Cell> = self.board.corner_cells().collect();
        let from: Vec<Vec<u16>> =
            corners.iter().map(|&c| self.steps(std::iter::once(c), best.stones)).collect();
        for i in 0..corners.len() {
            for j in i + 1..corners.len() {
                let stones = from[i][corners[j].index()];
                if stones <= best.stones {
                    best.note(WinKind::Bridge, stones, self.between(&from[i], &from[j], stones));
                }
            }
        }
    }

    /// Finds forks. A smallest tree that touches three edges consists of three shortest paths from one cell.
    fn forks(&self, best: &mut Best) {
        let edges: Vec<Vec<u16>> =
            (0..6).map(|e| self.steps(self.board.edge_cells(e), best.stones)).collect();
        // The stones of the three paths from a cell, which is on all of them.
        let sum = |cell: Cell, three: [usize; 3]| {
            let sum: u32 = three.iter().map(|&e| u32::from(edges[e][cell.index()])).sum();
            sum.saturating_sub(2 * u32::from(self.cost[cell.index()])).min(FAR.into()) as u16
        };
        let mut least = best.stones;
        let mut meetings = Vec::new();
        for cell in self.board.cells().filter(|c| self.cost[c.index()] != FAR) {
            let mut near = [0, 1, 2, 3, 4, 5];
            near.sort_by_key(|&e| edges[e][cell.index()]);
            let stones = sum(cell, [near[0], near[1], near[2]]);
            if stones <= least {
                if stones < least {
                    meetings.clear();
                }
                least = stones;
                meetings.push(cell);
            }
        }
        for cell in meetings {
            let from = self.steps(std::iter::once(cell), least);
            for (a, b, c) in triples() {
                if sum(cell, [a, b, c]) == least {
                    let on_paths = [a, b, c].into_iter().flat_map(|e| {
                        self.between(&from, &edges[e], edges[e][cell.index()]).collect::<Vec<_>>()
                    });
                    best.note(WinKind::Fork, least, on_paths);
                }
            }
        }
    }

    /// Finds rings. A ring around a cell is a closed path that crosses the ray from that cell to the east an odd
    /// number of times. So the ring has a cell on the ray, and leads back to this cell with the other parity.
    fn rings(&self, best: &mut Best) {
        for inside in self.board.cells().filter(|&z| !self.board.is_rim(z)) {
            // A ring crosses each of the six rays.
            let open = |d: Direction| self.board.ray(inside, d).any(|c| self.cost[c.index()] != FAR);
            if !Direction::ALL.into_iter().all(open) {
                continue;
            }
            let ray: Vec<Cell> = self.board.ray(inside, Direction::E).collect();
            for &start in ray.iter().filter(|c| self.cost[c.index()] != FAR) {
                self.ring_through(start, inside, &ray, best);
            }
        }
    }

    fn ring_through(&self, start: Cell, inside: Cell, ray: &[Cell], best: &mut Best) {
        let row = self.board.coord(inside).row;
        let crosses = |a: Cell, b: Cell| {
            (ray.contains(&a) && self.board.coord(b).row == row + 1)
                || (ray.contains(&b) && self.board.coord(a).row == row + 1)
        };
        // The steps from the start on the even sheet, without the start's own stone.
        let mut steps = vec![[FAR; 2]; self.cost.len()];
        steps[start.index()][0] = 0;
        let mut queue = VecDeque::from([(start, 0, 0)]);
        while let Some((cell, sheet, at)) = queue.pop_front() {
            if at != steps[cell.index()][sheet] {
                continue;
            }
            for next in self.board.neighbours(cell).filter(|&n| n != inside) {
                let cost = self.cost[next.index()];
                let sheet = sheet ^ usize::from(crosses(cell, next));
                let now = at.saturating_add(cost);
                if now <= best.stones && now < steps[next.index()][sheet] {
                    steps[next.index()][sheet] = now;
                    if cost == 0 {
                        queue.push_front((next, sheet, now));
                    } else {
                        queue.push_back((next, sheet, now));
                    }
                }
            }
        }
        let stones = steps[start.index()][1];
        if stones > best.stones {
            return;
        }
        // The distance of a cell from the end on the odd sheet is its distance from the start on the other sheet. The
        // start's own cost counts once: as the last step, or as the first step of the way back.
        let first = self.cost[start.index()];
        let on_ring = |c: &Cell| {
            let [even, odd] = steps[c.index()];
            *c == start || even.saturating_add(odd).saturating_add(first) == stones.saturating_add(1)
        };
        best.note(WinKind::Ring, stones, self.empty().filter(on_ring));
    }
}

/// Three different edges.
fn triples() -> impl Iterator<Item = (usize, usize, usize)> {
    (0..6).flat_map(|a| (a + 1..6).flat_map(move |b| (b + 1..6).map(move |c| (a, b, c))))
}
