//! Shortest rings around cells.
//!
//! A ray from the enclosed cell to the rim cuts the board. A closed walk that avoids the cell goes around it exactly if it
//! crosses the cut an odd number of times; so it uses a cell of the ray. The shortest closed walk of odd parity through such
//! a cell is a shortest path on the doubled board, from the cell with parity 0 to the cell with parity 1.
//!
//! ```text
//!      . . . .
//!     . . . . .          z: the enclosed cell     r: the ray
//!    . . . . . .         x: beside the ray. Steps between r and x cross the cut; a ring
//!   . . z r r r r        around z runs through an r and, after an odd number of such
//!    . . x x x x         steps, through the same r again.
//!     . . . . .
//!      . . . .
//! ```

use stonework_board::{Board, Cell, CellSet, Direction};

use super::field::{Content, Field};
use super::walk::{FAR, Ground, NONE, StoneMap, cell};

/// The fewest stones of a ring, a cell that it encloses, and a cell of the cut that it runs through.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) stones: u16,
    pub(super) inside: usize,
    through: usize,
}

/// The search for the number of stones of the smallest ring of a set of stones.
#[derive(Clone, Debug)]
pub(crate) struct SmallestRing {
    ground: Ground,
    rings: Rings,
}

impl SmallestRing {
    pub(crate) fn new(board: &'static Board) -> Self {
        Self { ground: Ground::new(board), rings: Rings::new(board.len()) }
    }

    /// The stones of the smallest ring, if there is one; all stones are on the board. O(cells² · size).
    pub(crate) fn of(&mut self, stones: &CellSet) -> Option<u16> {
        self.ground.load_stones(stones);
        self.rings.nearest(&self.ground).map(|found| found.stones)
    }
}

/// The working memory of the search for rings.
#[derive(Clone, Debug)]
pub(super) struct Rings {
    /// The costs of the cells; [`FAR`] for cells that the walk must avoid.
    costs: Vec<u16>,
    /// For each cell the directions in which a step crosses the cut, as bits.
    crossings: Vec<u8>,
    /// The cells of the ray without a stone of the opponent.
    ray: Vec<u16>,
    /// The cost of each cell with parity 0 and 1, at index `2·cell + parity`.
    reached: Vec<u16>,
    /// The node before each node on its path, by the same indices.
    from: Vec<u16>,
    now: Vec<u16>,
    next: Vec<u16>,
}

impl Rings {
    pub(super) fn new(cells: usize) -> Self {
        Self {
            costs: vec![FAR; cells + 1],
            crossings: vec![0; cells],
            ray: Vec::new(),
            reached: vec![FAR; 2 * cells],
            from: vec![NONE; 2 * cells],
            now: Vec::new(),
            next: Vec::new(),
        }
    }

    /// Cuts the board from a cell to the outside, along the ray with the fewest cells that a ring could use. If a ray
    /// has no such cell, no ring goes around the cell.
    fn cut(&mut self, ground: &Ground, inside: usize) {
        self.ray.clear();
        let (board, start) = (ground.board, cell(inside));
        if board.is_rim(start) {
            return;
        }
        let open = |d: &Direction| board.ray(start, *d).filter(|at| ground.costs[at.index()] != FAR).count();
        let Some(along) = Direction::ALL.into_iter().min_by_key(open) else { return };
        self.crossings.fill(0);
        for at in board.ray(start, along) {
            for side in [along.turned(1), along.turned(2)] {
                if let Some(beside) = board.neighbour(at, side) {
                    self.crossings[at.index()] |= 1 << side.index();
                    self.crossings[beside.index()] |= 1 << side.turned(3).index();
                }
            }
            if ground.costs[at.index()] != FAR {
                self.ray.push(at.into());
            }
        }
        self.costs.copy_from_slice(&ground.costs);
        self.costs[inside] = FAR;
    }

    /// Walks from a cell with parity 0 to all cells with both parities, as long as the cost is at most `limit`. If
    /// `close`, the walk stops when it reaches the cell itself with parity 1.
    fn spread(&mut self, ground: &Ground, through: usize, limit: u16, close: bool) {
        let Self { costs, crossings, reached, from, now, next, .. } = self;
        reached.fill(FAR);
        now.clear();
        next.clear();
        let mut cost = costs[through];
        (reached[2 * through], from[2 * through]) = (cost, NONE);
        now.push(2 * through as u16);
        while !now.is_empty() && cost <= limit {
            while let Some(node) = now.pop() {
                let (at, parity) = (usize::from(node / 2), node & 1);
                for (d, &near) in ground.neighbours[at].iter().enumerate() {
                    let own = costs[usize::from(near)];
                    if own == FAR {
                        continue;
                    }
                    let to = (2 * near) | (parity ^ u16::from(crossings[at] >> d & 1));
                    if reached[usize::from(to)] == FAR {
                        (reached[usize::from(to)], from[usize::from(to)]) = (cost + own, node);
                        if own == 0 { now.push(to) } else { next.push(to) }
                    }
                }
            }
            if close && reached[2 * through + 1] != FAR {
                return;
            }
            std::mem::swap(now, next);
            cost += 1;
        }
    }

    /// The shortest ring around a cell of at most `limit` stones. Calls `each` after the walk from every cell of the
    /// ray.
    fn search(
        &mut self,
        ground: &Ground,
        inside: usize,
        mut limit: u16,
        close: bool,
        mut each: impl FnMut(&Self, usize),
    ) -> Option<Found> {
        self.cut(ground, inside);
        let mut best = None;
        for i in 0..self.ray.len() {
            let through = usize::from(self.ray[i]);
            let own = self.costs[through];
            // The walk counts the cell of the ray twice.
            self.spread(ground, through, limit.saturating_add(own), close);
            each(self, through);
            let closed = self.reached[2 * through + 1];
            if closed != FAR && closed - own <= limit && best.is_none_or(|b: Found| closed - own < b.stones) {
                best = Some(Found { stones: closed - own, inside, through });
                if close {
                    limit = (closed - own).saturating_sub(1);
                }
            }
            // All rings through this cell of the ray are done.
            self.costs[through] = FAR;
        }
        best
    }

    /// The shortest ring around a cell.
    pub(super) fn around(&mut self, ground: &Ground, inside: Cell) -> Option<Found> {
        self.search(ground, inside.index(), FAR, true, |_, _| {})
    }

    /// The shortest ring of all.
    pub(super) fn nearest(&mut self, ground: &Ground) -> Option<Found> {
        let mut best: Option<Found> = None;
        for inside in 0..ground.cells() {
            let limit = match best {
                Some(Found { stones: 0, .. }) => break,
                Some(found) => found.stones - 1,
                None => FAR,
            };
            best = self.search(ground, inside, limit, true, |_, _| {}).or(best);
        }
        best
    }

    /// The shortest ring of all. For each cell the fewest stones of a closed walk of odd parity through it, and the fewest
    /// stones of a ring around it.
    pub(super) fn all(
        &mut self,
        ground: &Ground,
        through: &mut StoneMap,
        around: &mut StoneMap,
    ) -> Option<Found> {
        through.values.fill(FAR);
        let mut best: Option<Found> = None;
        for inside in 0..ground.cells() {
            let found = self.search(ground, inside, FAR, false, |walk, start| {
                let start = walk.costs[start];
                let pairs = walk.reached.chunks_exact(2).zip(&walk.costs);
                for (least, (pair, &own)) in through.values.iter_mut().zip(pairs) {
                    if pair[0] != FAR && pair[1] != FAR {
                        *least = (*least).min(pair[0] + pair[1] - own - start);
                    }
                }
            });
            around.values[inside] = found.map_or(FAR, |found| found.stones);
            if best.is_none_or(|b| found.is_some_and(|f| f.stones < b.stones)) {
                best = found.or(best);
            }
        }
        best
    }

    /// The doubled board, cut from a cell to the rim, and the chains on it: no walk enters the cell.
    pub(super) fn double(&mut self, ground: &Ground, inside: usize, field: &mut Field) {
        self.cut(ground, inside);
        let off = 2 * ground.cells();
        for node in 0..off {
            let (at, parity) = (node / 2, node as u16 & 1);
            field.contents[node] = match self.costs[at] {
                0 => Content::Own,
                1 => Content::Empty,
                _ => Content::Blocked,
            };
            let near = |d: usize| {
                let to = (2 * ground.neighbours[at][d]) | (parity ^ u16::from(self.crossings[at] >> d & 1));
                to.min(off as u16)
            };
            field.neighbours[node] = std::array::from_fn(near);
        }
        field.find_chains();
    }

    /// The empty cells of a ring that was found on this ground.
    pub(super) fn cells(&mut self, ground: &Ground, found: Found) -> CellSet {
        self.cut(ground, found.inside);
        self.spread(ground, found.through, FAR, true);
        let back =
            |&node: &usize| Some(usize::from(self.from[node])).filter(|&from| from != usize::from(NONE));
        let walk = std::iter::successors(Some(2 * found.through + 1), back).map(|node| node / 2);
        walk.filter(|&at| ground.costs[at] == 1).map(cell).collect()
    }
}
