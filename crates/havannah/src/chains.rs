//! Stones and chains of both sides, with undo, for a [`Position`](crate::Position).

use stonework_board::Cell;
use stonework_game::Player;

use crate::tables::{ALL_SIX, CONNECTED, NOTABLE, Place, RUNS, Runs, Tables, connection, pattern_bit};
use crate::{Chain, WinKinds};

/// A chain, or a part of a chain, at the index of the cell that names it. The chains are a union–find structure, by size and
/// without path compression: a look-up takes at most log₂ of the chain's size steps, and undo is a few writes.
#[derive(Clone, Copy, Debug, Default)]
struct Group {
    /// The chain of which this chain is a part; the chain itself if it is whole.
    parent: u16,
    /// The corners (bits 0–5) and edges (bits 6–11) that the chain touches.
    mask: u16,
    /// The number of stones.
    size: u16,
}

/// The chains that a stone would join, and the kinds of win that it would complete.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Joint {
    /// The kinds of win.
    pub(crate) kinds: WinKinds,
    /// The number of runs of own neighbours, 0 to 3.
    pub(crate) runs: u8,
    /// The chain of each run.
    roots: [u16; 3],
    /// The corners and edges of the cell and of all these chains.
    pub(crate) mask: u16,
}

/// The undo record of [`Chains::place`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed {
    /// The chain of the stone.
    root: u16,
    /// The corners and edges of the chain before the stone.
    mask: u16,
    /// The number of stones of the chain before the stone.
    size: u16,
    /// The chains that became parts of the stone's chain.
    parts: [u16; 2],
    /// The number of these chains.
    count: u8,
}

/// The words of a row.
pub(crate) type Row = [u64; 3];
/// The index of the empty cells in a [`Row`]; the first two words are the stones of the sides.
const EMPTY: usize = 2;

/// The stones of both sides.
#[derive(Clone, Debug)]
pub(crate) struct Chains {
    pub(crate) tables: &'static Tables,
    /// An entry for each row, with an empty entry above and below.
    rows: Box<[Row]>,
    /// For each place, the own neighbours of each side, as in [`crate::tables`].
    patterns: Box<[[u8; 2]]>,
    /// For each stone, its chain when it was placed.
    label: Box<[u16]>,
    groups: Box<[Group]>,
    /// The next stone of the same chain, in a circle.
    link: Box<[u16]>,
    /// The cells around chains that the last stone has joined or brought to a new corner or edge, a word for each row. Zero
    /// outside `around_rows`.
    around: Box<[u64]>,
    /// The first and one past the last row of `around`.
    around_rows: (u8, u8),
}

/// The rows of an empty `around`.
const NOWHERE: (u8, u8) = (u8::MAX, 0);

impl Chains {
    pub(crate) fn new(tables: &'static Tables) -> Self {
        let cells = tables.board.len();
        Self {
            tables,
            patterns: vec![[0; 2]; tables.places.len()].into(),
            rows: tables.full.iter().map(|&full| [0, 0, full]).collect(),
            label: vec![0; cells].into(),
            groups: vec![Group::default(); cells].into(),
            link: vec![0; cells].into(),
            around: vec![0; tables.full.len()].into(),
            around_rows: NOWHERE,
        }
    }

    /// The words of every row, sentinels included.
    #[inline]
    pub(crate) const fn rows(&self) -> &[Row] {
        &self.rows
    }

    #[inline]
    pub(crate) fn has(&self, player: Player, place: &Place) -> bool {
        self.rows[usize::from(place.row)][player.index()] >> place.bit & 1 != 0
    }

    /// `true` if a place has no stone.
    #[inline]
    pub(crate) fn is_empty(&self, place: &Place) -> bool {
        self.rows[usize::from(place.row)][EMPTY] >> place.bit & 1 != 0
    }

    /// The side that has a stone on a cell.
    #[inline]
    pub(crate) fn owner(&self, cell: usize) -> Option<Player> {
        let place = &self.tables.places[cell];
        Player::BOTH.into_iter().find(|&p| self.has(p, place))
    }

    /// The own neighbours of a cell, as in [`crate::tables`].
    #[inline]
    pub(crate) fn pattern(&self, player: Player, cell: usize) -> u8 {
        self.patterns[cell][player.index()]
    }

    /// The empty neighbours of a cell, as in [`crate::tables`].
    #[inline]
    pub(crate) fn empty_pattern(&self, cell: usize) -> u8 {
        let [first, second] = self.patterns[cell];
        self.tables.places[cell].inside & !(first | second)
    }

    /// Puts a stone on the board, or removes it: changes its row and the patterns of its neighbours.
    #[inline]
    fn flip(&mut self, player: Player, place: &Place) {
        let row = &mut self.rows[usize::from(place.row)];
        row[player.index()] ^= 1 << place.bit;
        row[EMPTY] ^= 1 << place.bit;
        for (d, &neighbour) in place.neighbours.iter().enumerate() {
            self.patterns[usize::from(neighbour)][player.index()] ^= pattern_bit((d + 3) % 6);
        }
    }

    /// `true` if the stone on a cell gives its chain the name.
    #[inline]
    pub(crate) fn names_chain(&self, cell: usize) -> bool {
        usize::from(self.label[cell]) == cell && usize::from(self.groups[cell].parent) == cell
    }

    /// The chain with a name.
    pub(crate) fn chain(&self, root: u16) -> Chain {
        let Group { mask, size, .. } = self.groups[usize::from(root)];
        let cell = Cell::new(root.into()).expect("a chain has the name of a cell");
        Chain { cell, stones: size, corners: (mask & 0x3f) as u8, edges: (mask >> 6 & 0x3f) as u8 }
    }

    /// The chain of a stone.
    #[inline]
    pub(crate) fn find(&self, cell: u16) -> u16 {
        let mut chain = self.label[usize::from(cell)];
        loop {
            let parent = self.groups[usize::from(chain)].parent;
            if parent == chain {
                return chain;
            }
            chain = parent;
        }
    }

    /// The chains that a stone of `player` on an empty cell would join, and the kinds of win that it would complete, rings by
    /// the [`ring_rule`](crate::ring_rule). O(1), apart from the look-up of at most three chains.
    #[inline]
    pub(crate) fn joint(&self, player: Player, cell: usize) -> Joint {
        let place = &self.tables.places[cell];
        let pattern = self.pattern(player, cell);
        let runs = &RUNS[usize::from(pattern & ALL_SIX)];
        let mut joint = Joint { kinds: WinKinds::NONE, runs: runs.count, roots: [0; 3], mask: place.rim };
        let mut meets_itself = pattern == ALL_SIX;
        if runs.count > 0 {
            let (a, mask) = self.run(place, runs.first[0]);
            joint.roots[0] = a;
            joint.mask |= mask;
            if runs.count > 1 {
                let (b, mask) = self.run(place, runs.first[1]);
                joint.roots[1] = b;
                joint.mask |= mask;
                meets_itself = a == b;
                if runs.count > 2 {
                    let (c, mask) = self.run(place, runs.first[2]);
                    joint.roots[2] = c;
                    joint.mask |= mask;
                    meets_itself |= a == c || b == c;
                }
            }
        }
        if CONNECTED[usize::from(joint.mask & 0xfff)] {
            joint.kinds = connection(joint.mask);
        }
        if meets_itself || (runs.middles != 0 && self.fills_hexagon(player, place, runs.middles)) {
            joint.kinds = joint.kinds.with(WinKinds::RING);
        }
        joint
    }

    /// The chain of the neighbour in a direction, and its corners and edges.
    #[inline]
    fn run(&self, place: &Place, direction: u8) -> (u16, u16) {
        let root = self.find(place.neighbours[usize::from(direction)]);
        (root, self.groups[usize::from(root)].mask)
    }

    /// `true` if one of the neighbours in the directions `middles` would have six own neighbours with a
    /// stone on the place.
    fn fills_hexagon(&self, player: Player, place: &Place, mut middles: u8) -> bool {
        while middles != 0 {
            let d = middles.trailing_zeros() as usize;
            middles &= middles - 1;
            if self.pattern(player, place.neighbours[d].into()) | pattern_bit((d + 3) % 6) == ALL_SIX {
                return true;
            }
        }
        false
    }

    /// The empty neighbours of a cell on which a stone of `player` could win away from the rim, as in [`crate::tables`]. The
    /// patterns rule out most of them without a branch.
    #[inline]
    pub(crate) fn notable(&self, player: Player, cell: usize) -> u8 {
        let place = &self.tables.places[cell];
        let mut notable = 0;
        for (d, &neighbour) in place.neighbours.iter().enumerate() {
            notable |= NOTABLE[usize::from(self.pattern(player, neighbour.into()) & ALL_SIX)] << d;
        }
        notable & self.empty_pattern(cell)
    }

    /// `true` if a stone of `player` on this empty cell would win. The pattern of a cell alone decides most cells,
    /// unlike in [`Chains::joint`].
    #[inline]
    pub(crate) fn wins(&self, player: Player, cell: usize) -> bool {
        let place = &self.tables.places[cell];
        let pattern = usize::from(self.pattern(player, cell) & ALL_SIX);
        (NOTABLE[pattern] != 0 || place.rim != 0) && self.wins_by(player, place, RUNS[pattern])
    }

    fn wins_by(&self, player: Player, place: &Place, runs: Runs) -> bool {
        let mut mask = place.rim;
        if runs.count == 1 {
            // Away from the rim the chain gains nothing.
            if mask != 0 {
                mask |= self.run(place, runs.first[0]).1;
            }
        } else if runs.count > 1 {
            let ((a, first), (b, second)) = (self.run(place, runs.first[0]), self.run(place, runs.first[1]));
            mask |= first | second;
            if a == b {
                return true;
            }
            if runs.count > 2 {
                let (c, third) = self.run(place, runs.first[2]);
                mask |= third;
                if a == c || b == c {
                    return true;
                }
            }
        }
        CONNECTED[usize::from(mask & 0xfff)]
            || (runs.middles != 0 && self.fills_hexagon(player, place, runs.middles))
    }

    /// Puts a stone on an empty cell; `joint` is the result of [`Chains::joint`]. Marks the cells, other than neighbours of the
    /// stone, that may be new winning cells, for [`Chains::take_around`].
    ///
    /// A cell beside one of the joined chains can be new only if it is beside another of them too, or if its chain has
    /// gained a corner or edge. So the cells around the largest chain are left out unless that chain has gained.
    #[inline]
    pub(crate) fn place(&mut self, player: Player, cell: usize, joint: &Joint) -> Placed {
        let place = &self.tables.places[cell];
        let here = cell as u16;
        self.flip(player, place);
        if joint.runs == 0 {
            self.label[cell] = here;
            self.groups[cell] = Group { parent: here, mask: place.rim, size: 1 };
            self.link[cell] = here;
            return Placed { root: here, mask: 0, size: 0, parts: [0; 2], count: 0 };
        }
        let mut root = joint.roots[0];
        let mut before = self.groups[usize::from(root)];
        for &other in &joint.roots[1..usize::from(joint.runs)] {
            let chain = self.groups[usize::from(other)];
            if chain.size > before.size {
                (root, before) = (other, chain);
            }
        }
        let mut placed = Placed { root, mask: before.mask, size: before.size, parts: [0; 2], count: 0 };
        // After a win no cell is a winning cell.
        let goes_on = joint.kinds.is_empty();
        if goes_on && joint.mask != before.mask {
            self.surround(root);
        }
        let mut size = before.size + 1;
        if joint.runs > 1 {
            for &part in &joint.roots[..usize::from(joint.runs)] {
                let chain = self.groups[usize::from(part)];
                // A chain can be met twice; the second time it is a part already.
                if chain.parent == part && part != root {
                    if goes_on {
                        self.surround(part);
                    }
                    self.groups[usize::from(part)].parent = root;
                    size += chain.size;
                    self.link.swap(usize::from(part), usize::from(root));
                    placed.parts[usize::from(placed.count)] = part;
                    placed.count += 1;
                }
            }
        }
        self.label[cell] = root;
        self.link[cell] = here;
        self.link.swap(cell, usize::from(root));
        let chain = &mut self.groups[usize::from(root)];
        chain.mask = joint.mask;
        chain.size = size;
        placed
    }

    /// `true` if the chain of the last stone has at least five stones, and so can have five neighbours of a cell.
    #[inline]
    pub(crate) const fn five(&self, placed: &Placed) -> bool {
        self.groups[placed.root as usize].size >= 5
    }

    /// Takes the last stone back.
    #[inline]
    pub(crate) fn take_back(&mut self, player: Player, cell: usize, placed: &Placed) {
        let place = &self.tables.places[cell];
        self.flip(player, place);
        if placed.size == 0 {
            return;
        }
        let root = usize::from(placed.root);
        self.link.swap(cell, root);
        for &part in placed.parts[..usize::from(placed.count)].iter().rev() {
            self.link.swap(usize::from(part), root);
            self.groups[usize::from(part)].parent = part;
        }
        let chain = &mut self.groups[root];
        chain.mask = placed.mask;
        chain.size = placed.size;
    }

    /// Marks the neighbours of a chain.
    fn surround(&mut self, chain: u16) {
        let mut stone = chain;
        let (mut first, mut end) = self.around_rows;
        loop {
            let place = &self.tables.places[usize::from(stone)];
            let (row, left) = (usize::from(place.row), place.bit - 1);
            if let [above, same, below] = &mut self.around[row - 1..row + 2] {
                *above |= 3 << left;
                *same |= 5 << left;
                *below |= 3 << place.bit;
            }
            first = first.min(place.row - 1);
            end = end.max(place.row + 2);
            stone = self.link[usize::from(stone)];
            if stone == chain {
                break;
            }
        }
        self.around_rows = (first, end);
    }

    /// Removes the mark of a cell.
    #[inline]
    pub(crate) fn leave_out(&mut self, place: &Place) {
        self.around[usize::from(place.row)] &= !(1 << place.bit);
    }

    /// Takes one of the rows with marks, and its marked empty cells; `None` if no row is left.
    #[inline]
    pub(crate) fn take_around(&mut self) -> Option<(usize, u64)> {
        let (row, end) = self.around_rows;
        if row >= end {
            self.around_rows = NOWHERE;
            return None;
        }
        self.around_rows.0 += 1;
        let row = usize::from(row);
        Some((row, std::mem::take(&mut self.around[row]) & self.rows[row][EMPTY]))
    }

    /// The number of the cell at a bit of a row.
    #[inline]
    pub(crate) fn cell_at(&self, row: usize, bit: u32) -> usize {
        (i32::from(self.tables.origin[row]) + bit as i32) as usize
    }

    /// The cells of a set that has a word for each row, in the order of their numbers.
    pub(crate) fn cells<'a>(&'a self, word: impl Fn(usize) -> u64 + 'a) -> impl Iterator<Item = Cell> + 'a {
        (1..self.tables.full.len() - 1).flat_map(move |row| {
            let mut bits = word(row);
            std::iter::from_fn(move || {
                let bit = (bits != 0).then(|| bits.trailing_zeros())?;
                bits &= bits - 1;
                Cell::new(self.cell_at(row, bit))
            })
        })
    }

    /// The empty cells of a row.
    #[inline]
    pub(crate) fn empty(&self, row: usize) -> u64 {
        self.rows[row][EMPTY]
    }
}
