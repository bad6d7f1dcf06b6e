//! Cells without use for one side: the rules block such cells until no rule finds another.
//!
//! The rules and their proofs are in `rules.md`. Each rule is about the *family* of a view: the sets of cells that contain all own
//! stones and no blocked cell. A cell is without use if no set of the family gains a formation by it. Blocking such a
//! cell changes no answer, so the rules apply again to the remaining cells.

use super::ground::{Content, Ground, View};

/// The mark of a cell without a part.
const NONE: u16 = u16::MAX;
/// All six directions.
const ALL_SIX: usize = 63;
/// The fewest cells of a ring.
const SMALLEST_RING: usize = 6;

/// `true` if the own neighbours form at most one cyclic run, whichever of the able neighbours are own in the end. The
/// first index is the own neighbours, the second the neighbours that are own or may become own. Bit d of an index is
/// the neighbour in direction d.
static ONE_RUN: [[bool; 64]; 64] = {
    let mut table = [[false; 64]; 64];
    let mut able = 0;
    while able < 64 {
        let mut own = 0;
        while own < 64 {
            let mut one = own & !able == 0;
            let mut set = 0;
            while set < 64 {
                let between = own & !set == 0 && set & !able == 0;
                one = one && !(between && runs(set) > 1);
                set += 1;
            }
            table[own][able] = one;
            own += 1;
        }
        able += 1;
    }
    table
};

/// The number of maximal cyclic runs of a set of directions.
const fn runs(set: usize) -> u32 {
    let before = (set << 1 | set >> 5) & ALL_SIX;
    let beginnings = (set & !before).count_ones();
    if set == ALL_SIX { 1 } else { beginnings }
}

/// A connected part of the cells that are own or empty.
#[derive(Clone, Copy, Debug)]
struct Part {
    cells: usize,
    first: u16,
    edges: u8,
    corners: u8,
}

impl Part {
    const fn can_fork(self) -> bool {
        self.edges.count_ones() >= 3
    }

    const fn can_bridge(self) -> bool {
        self.corners.count_ones() >= 2
    }
}

/// The search for cells without use, with its working memory.
#[derive(Clone, Debug)]
pub(super) struct Sieve {
    /// The part of each cell.
    label: Vec<u16>,
    parts: Vec<Part>,
    stack: Vec<u16>,
    seen: Vec<bool>,
}

impl Sieve {
    pub(super) fn new(ground: &Ground) -> Self {
        let cells = ground.cells();
        Self {
            label: vec![NONE; cells + 1],
            parts: Vec::new(),
            stack: Vec::new(),
            seen: vec![false; cells + 1],
        }
    }

    /// Blocks every cell that a rule finds without use. The rules try stones only when they find no more empty cells,
    /// since a stone can join the neighbours of a cell.
    ///
    /// O(cells) for each pass over the board; at most as many passes as blocked cells, and seldom more than four.
    pub(super) fn sift(&mut self, ground: &Ground, view: &mut View) {
        loop {
            self.find_parts(ground, view);
            let without_formation = self.block_parts(ground, view);
            let blocked = without_formation
                || self.block_cells(ground, view, Content::Empty)
                || self.block_cells(ground, view, Content::Own);
            if !blocked {
                return;
            }
        }
    }

    /// Finds the connected parts. O(cells).
    fn find_parts(&mut self, ground: &Ground, view: &View) {
        let Self { label, parts, stack, .. } = self;
        parts.clear();
        label.fill(NONE);
        for start in 0..ground.cells() as u16 {
            if !view.is_able(start) || label[usize::from(start)] != NONE {
                continue;
            }
            let number = parts.len() as u16;
            let mut part = Part { cells: 0, first: start, edges: 0, corners: 0 };
            label[usize::from(start)] = number;
            stack.push(start);
            while let Some(at) = stack.pop() {
                part.cells += 1;
                part.edges |= ground.edges[usize::from(at)];
                part.corners |= ground.corners[usize::from(at)];
                for near in ground.around[usize::from(at)] {
                    if view.is_able(near) && label[usize::from(near)] == NONE {
                        label[usize::from(near)] = number;
                        stack.push(near);
                    }
                }
            }
            parts.push(part);
        }
    }

    /// Blocks the parts that have no formation even if all their cells are own. O(cells) for each part of six cells or more.
    fn block_parts(&mut self, ground: &Ground, view: &mut View) -> bool {
        let mut blocked = false;
        for number in 0..self.parts.len() as u16 {
            let part = self.parts[usize::from(number)];
            if part.can_bridge() || part.can_fork() || self.has_ring(ground, number) {
                continue;
            }
            blocked = true;
            for at in part.first..ground.cells() as u16 {
                if self.label[usize::from(at)] == number {
                    view.set(at, Content::Blocked);
                }
            }
        }
        blocked
    }

    /// `true` if all cells of a part together enclose a cell: if some cell has no way off the board but through
    /// other cells of the part. O(cells).
    fn has_ring(&mut self, ground: &Ground, number: u16) -> bool {
        let Self { label, parts, stack, seen } = self;
        if parts[usize::from(number)].cells < SMALLEST_RING {
            return false;
        }
        let off = ground.cells() as u16;
        seen.fill(false);
        let reach = |seen: &mut [bool], stack: &mut Vec<u16>, at: u16| {
            if at != off && label[usize::from(at)] != number && !seen[usize::from(at)] {
                seen[usize::from(at)] = true;
                stack.push(at);
            }
        };
        for at in 0..off {
            if ground.around[usize::from(at)].contains(&off) {
                reach(seen, stack, at);
            }
        }
        while let Some(at) = stack.pop() {
            for near in ground.around[usize::from(at)] {
                reach(seen, stack, near);
            }
        }
        (0..off).any(|at| {
            if label[usize::from(at)] == number {
                ground.around[usize::from(at)].iter().all(|&near| near != off && !seen[usize::from(near)])
            } else {
                !seen[usize::from(at)]
            }
        })
    }

    /// Blocks the cells of one content that the rule of one run finds, until it finds no more. O(cells) for each pass.
    fn block_cells(&mut self, ground: &Ground, view: &mut View, content: Content) -> bool {
        let (mut blocked, mut again) = (false, true);
        while again {
            again = false;
            for at in 0..ground.cells() as u16 {
                if view.get(at) == content && self.has_one_run(ground, view, at) {
                    view.set(at, Content::Blocked);
                    again = true;
                }
            }
            blocked |= again;
        }
        blocked
    }

    /// The rule of one run. The parts may be from a view with fewer blocked cells. O(1) away from the rim.
    fn has_one_run(&mut self, ground: &Ground, view: &View, at: u16) -> bool {
        let around = &ground.around[usize::from(at)];
        let (mut own, mut able) = (0, 0);
        for (direction, &near) in around.iter().enumerate() {
            let content = view.get(near);
            able |= usize::from(content != Content::Blocked) << direction;
            own |= usize::from(content == Content::Own) << direction;
        }
        if able == 0 {
            return true;
        }
        if !ONE_RUN[own][able] {
            return false;
        }
        // Six stones around a neighbour make a ring, unless they are around the cell as well.
        for (direction, &middle) in around.iter().enumerate() {
            let [before, after] = [(direction + 5) % 6, (direction + 1) % 6];
            let three = 1 << before | 1 << direction | 1 << after;
            if able & three == three && own | three != ALL_SIX {
                let beyond = &ground.around[usize::from(middle)];
                if [before, direction, after].into_iter().all(|d| view.is_able(beyond[d])) {
                    return false;
                }
            }
        }
        let part = self.parts[usize::from(self.label[usize::from(at)])];
        if part.can_bridge() && ground.corners[usize::from(at)] != 0 {
            return false;
        }
        let edges = ground.edges[usize::from(at)];
        !part.can_fork() || edges == 0 || self.has_edges(ground, view, at, edges)
    }

    /// `true` if the chain beside a cell is on these edges without the cell, whichever neighbours are own in the end.
    fn has_edges(&mut self, ground: &Ground, view: &View, at: u16, edges: u8) -> bool {
        let Self { stack, seen, .. } = self;
        seen.fill(false);
        seen[usize::from(at)] = true;
        let (mut any, mut all, mut chain) = (false, true, 0);
        for near in ground.around[usize::from(at)] {
            if view.is_able(near) {
                all &= ground.edges[usize::from(near)] & edges == edges;
                if view.get(near) == Content::Own {
                    any = true;
                    stack.push(near);
                    seen[usize::from(near)] = true;
                }
            }
        }
        if !any {
            return all;
        }
        while let Some(from) = stack.pop() {
            chain |= ground.edges[usize::from(from)];
            for near in ground.around[usize::from(from)] {
                if view.get(near) == Content::Own && !seen[usize::from(near)] {
                    seen[usize::from(near)] = true;
                    stack.push(near);
                }
            }
        }
        chain & edges == edges
    }
}
