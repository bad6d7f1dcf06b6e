//! Smallest sets of stones that show a win.

use std::collections::VecDeque;

use stonework_board::{Board, Cell, CellSet, Direction};

/// A breadth-first tree from a set of sources through a set of stones: the steps to each cell, and the cell before it.
struct Tree {
    steps: Vec<u16>,
    from: Vec<Option<Cell>>,
}

/// The steps of a cell that the tree does not reach.
const FAR: u16 = u16::MAX;

impl Tree {
    fn grow(board: &Board, stones: &CellSet, sources: impl Iterator<Item = Cell>) -> Self {
        let mut tree = Self { steps: vec![FAR; board.len()], from: vec![None; board.len()] };
        let mut queue = VecDeque::new();
        for cell in sources.filter(|&c| stones.contains(c)) {
            tree.steps[cell.index()] = 0;
            queue.push_back(cell);
        }
        while let Some(cell) = queue.pop_front() {
            for next in board.neighbours(cell).filter(|&n| stones.contains(n)) {
                if tree.steps[next.index()] == FAR {
                    tree.steps[next.index()] = tree.steps[cell.index()] + 1;
                    tree.from[next.index()] = Some(cell);
                    queue.push_back(next);
                }
            }
        }
        tree
    }

    fn path(&self, to: Cell) -> impl Iterator<Item = Cell> + '_ {
        std::iter::successors(Some(to), |c| self.from[c.index()])
    }
}

/// A shortest path between two corners.
pub(crate) fn bridge(board: &Board, stones: &CellSet) -> Option<CellSet> {
    let corners: Vec<Cell> = board.corner_cells().collect();
    let paths = corners.iter().enumerate().filter_map(|(i, &corner)| {
        let tree = Tree::grow(board, stones, std::iter::once(corner));
        let end = corners[i + 1..].iter().copied().filter(|c| tree.steps[c.index()] != FAR);
        end.min_by_key(|c| tree.steps[c.index()]).map(|end| tree.path(end).collect::<CellSet>())
    });
    paths.min_by_key(CellSet::len)
}

/// A smallest tree that touches three edges: three shortest paths from the best meeting cell. No cell
/// lies on two edges, so the three nearest edges of a cell are always different.
pub(crate) fn fork(board: &Board, stones: &CellSet) -> Option<CellSet> {
    let trees: Vec<Tree> = (0..6).map(|e| Tree::grow(board, stones, board.edge_cells(e))).collect();
    let meeting = |cell: Cell| {
        let mut near: Vec<usize> = (0..6).filter(|&e| trees[e].steps[cell.index()] != FAR).collect();
        near.sort_by_key(|&e| trees[e].steps[cell.index()]);
        let three = near.get(..3)?.to_vec();
        Some((three.iter().map(|&e| trees[e].steps[cell.index()]).sum::<u16>(), cell, three))
    };
    let (_, cell, edges) = stones.iter().filter_map(meeting).min()?;
    Some(edges.into_iter().flat_map(|e| trees[e].path(cell)).collect())
}

/// A shortest cycle through `closing` around some cell; without `closing`, a shortest cycle of all.
///
/// For each cell z that may be inside, a ray from z to the rim cuts the board. A closed walk goes around z exactly if it
/// crosses the cut an odd number of times. So the ring is a shortest walk from `closing` back to `closing` with odd
/// parity. The walk does not touch itself: otherwise a part of it would be an odd closed walk without `closing`, and
/// so an earlier ring. Without `closing`, the walks begin at all stones of the cut, one of which they pass.
pub(crate) fn ring(board: &Board, stones: &CellSet, closing: Option<Cell>) -> Option<CellSet> {
    let mut best: Option<Vec<Cell>> = None;
    for inside in board.cells().filter(|&z| Some(z) != closing && !board.is_rim(z)) {
        let cut = board.ray(inside, Direction::E).filter(|&cell| closing.is_none() && stones.contains(cell));
        for start in closing.into_iter().chain(cut) {
            if let Some(walk) = around(board, stones, start, inside)
                && best.as_ref().is_none_or(|b| walk.len() < b.len())
            {
                best = Some(walk);
            }
        }
    }
    best.map(|cells| cells.into_iter().collect())
}

/// A shortest closed walk from `start` around the cell `inside`, which is not on the walk.
fn around(board: &Board, stones: &CellSet, start: Cell, inside: Cell) -> Option<Vec<Cell>> {
    // The cut runs along the east ray; a step crosses it between the ray's row and the row below.
    let cut: CellSet = board.ray(inside, Direction::E).collect();
    let row = board.coord(inside).row;
    let crosses = |a: Cell, b: Cell| {
        (cut.contains(a) && board.coord(b).row == row + 1)
            || (cut.contains(b) && board.coord(a).row == row + 1)
    };
    let state = |cell: Cell, odd: bool| 2 * cell.index() + usize::from(odd);
    let mut from: Vec<Option<(Cell, bool)>> = vec![None; 2 * board.len()];
    let mut queue = VecDeque::from([(start, false)]);
    while let Some((cell, odd)) = queue.pop_front() {
        if cell == start && odd {
            let mut walk = Vec::new();
            let mut at = (cell, odd);
            while let Some(before) = from[state(at.0, at.1)] {
                walk.push(before.0);
                at = before;
                if at == (start, false) {
                    break;
                }
            }
            return Some(walk);
        }
        for next in board.neighbours(cell).filter(|&n| n != inside && stones.contains(n)) {
            let next = (next, odd != crosses(cell, next));
            if next != (start, false) && from[state(next.0, next.1)].is_none() {
                from[state(next.0, next.1)] = Some((cell, odd));
                queue.push_back(next);
            }
        }
    }
    None
}
