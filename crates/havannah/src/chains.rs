//! Stones and chains of both sides, with undo: the core under a [`Position`](crate::Position).

use stonework_board::Cell;
use stonework_game::Player;

use crate::WinKinds;
use crate::tables::{ALL_SIX, Place, RUNS, Tables, connection, pattern_bit};

/// A chain, at the place of the cell that it is named after. Union by size without path compression:
/// a look-up takes at most log₂ of the chain's size steps, and undo is a few writes.
#[derive(Clone, Copy, Debug, Default)]
struct Chain {
    /// The chain that this one is part of; itself if it is whole.
    parent: u16,
    /// Corner bits 0–5 and edge bits 6–11 that the chain touches.
    mask: u16,
    /// Stones.
    size: u16,
}

/// What a stone would join and complete.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Joint {
    /// What it completes.
    pub(crate) kinds: WinKinds,
    /// How many neighbouring runs there are, 0 to 3.
    pub(crate) runs: u8,
    /// The chain of each run.
    roots: [u16; 3],
    /// Corners and edges of all of them and the cell.
    pub(crate) mask: u16,
}

/// What [`Chains::place`] has changed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed {
    /// The whole chain that the stone belongs to now.
    root: u16,
    /// Its corners and edges before.
    mask: u16,
    /// Its stones before.
    size: u16,
    /// The chains that became parts of it.
    parts: [u16; 2],
    /// How many of those there are.
    count: u8,
}

/// Cells around the chains that a stone has joined or brought to a new corner or edge, a word a row
/// (41 rows at size 20).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Around {
    pub(crate) rows: [u64; 41],
    /// Whether there can be any.
    pub(crate) some: bool,
}

impl Around {
    pub(crate) const NONE: Self = Self { rows: [0; 41], some: false };
}

/// The stones of both sides.
#[derive(Clone, Debug)]
pub(crate) struct Chains {
    pub(crate) tables: &'static Tables,
    /// A word a row, with an empty row above and below; first player's rows, then the second's.
    rows: Box<[u64]>,
    /// For each stone the chain it was put into.
    label: Box<[u16]>,
    chains: Box<[Chain]>,
    /// The next stone of the same chain, round and round.
    link: Box<[u16]>,
}

impl Chains {
    pub(crate) fn new(tables: &'static Tables) -> Self {
        let cells = tables.places.len();
        Self {
            tables,
            rows: vec![0; 2 * tables.full.len()].into(),
            label: vec![0; cells].into(),
            chains: vec![Chain::default(); cells].into(),
            link: vec![0; cells].into(),
        }
    }

    /// The rows of one side, sentinels included.
    #[inline]
    pub(crate) fn rows(&self, player: Player) -> &[u64] {
        let half = self.rows.len() / 2;
        let (first, second) = self.rows.split_at(half);
        match player {
            Player::First => first,
            Player::Second => second,
        }
    }

    fn rows_mut(&mut self, player: Player) -> &mut [u64] {
        let half = self.rows.len() / 2;
        let (first, second) = self.rows.split_at_mut(half);
        match player {
            Player::First => first,
            Player::Second => second,
        }
    }

    #[inline]
    pub(crate) fn has(&self, player: Player, place: &Place) -> bool {
        self.rows(player)[usize::from(place.row)] >> place.bit & 1 != 0
    }

    /// The side that has a stone on a cell.
    #[inline]
    pub(crate) fn owner(&self, cell: usize) -> Option<Player> {
        let place = &self.tables.places[cell];
        Player::BOTH.into_iter().find(|&p| self.has(p, place))
    }

    /// The own neighbours of a place, as in [`crate::tables`].
    #[inline]
    pub(crate) fn pattern(rows: &[u64], place: &Place) -> usize {
        let row = usize::from(place.row);
        let left = place.bit - 1;
        let [above, same, below] = [rows[row - 1], rows[row], rows[row + 1]];
        ((above >> left & 3) | (same >> left & 5) << 2 | (below >> place.bit & 3) << 5) as usize
    }

    /// The whole chain that a stone belongs to.
    #[inline]
    fn find(&self, cell: u16) -> u16 {
        let mut chain = self.label[usize::from(cell)];
        loop {
            let parent = self.chains[usize::from(chain)].parent;
            if parent == chain {
                return chain;
            }
            chain = parent;
        }
    }

    /// What a stone of `player` on an empty cell would join, and complete by the rule of
    /// [`ring_rule`](crate::ring_rule). O(1) but for the look-up of at most three chains.
    #[inline]
    pub(crate) fn joint(&self, player: Player, cell: usize) -> Joint {
        let place = &self.tables.places[cell];
        let rows = self.rows(player);
        let pattern = Self::pattern(rows, place);
        let runs = &RUNS[pattern];
        let mut joint = Joint { kinds: WinKinds::NONE, runs: runs.count, roots: [0; 3], mask: place.rim };
        for i in 0..usize::from(runs.count) {
            let root = self.find(place.neighbours[usize::from(runs.first[i])]);
            joint.roots[i] = root;
            joint.mask |= self.chains[usize::from(root)].mask;
        }
        joint.kinds = connection(joint.mask);
        let [a, b, c] = joint.roots;
        let meets_itself = match runs.count {
            0 | 1 => pattern == ALL_SIX,
            2 => a == b,
            _ => a == b || b == c || a == c,
        };
        if meets_itself || (runs.middles != 0 && self.fills_hexagon(rows, place, runs.middles)) {
            joint.kinds = joint.kinds.with(WinKinds::RING);
        }
        joint
    }

    /// Whether one of the neighbours in the directions `middles` would have six own neighbours with a
    /// stone on the place.
    #[cold]
    fn fills_hexagon(&self, rows: &[u64], place: &Place, middles: u8) -> bool {
        (0..6).filter(|d| middles >> d & 1 != 0).any(|d| {
            let middle = &self.tables.places[usize::from(place.neighbours[d])];
            Self::pattern(rows, middle) | pattern_bit((d + 3) % 6) == ALL_SIX
        })
    }

    /// Whether a stone of `player` on this empty cell would win. As [`Chains::joint`], but most cells
    /// are answered by their pattern alone.
    #[inline]
    pub(crate) fn wins(&self, player: Player, cell: usize) -> bool {
        let place = &self.tables.places[cell];
        let runs = &RUNS[Self::pattern(self.rows(player), place)];
        if runs.count <= 1 && place.rim == 0 && runs.middles == 0 {
            return false; // one chain, nothing new
        }
        !self.joint(player, cell).kinds.is_empty()
    }

    /// Puts a stone on an empty cell; `joint` is what [`Chains::joint`] said. Into `around` go the
    /// cells, other than neighbours of the stone, on which something may be new.
    ///
    /// A cell beside one of the joined chains sees something new only if it is beside another one
    /// too, or if its chain has gained a corner or edge. So the largest chain is left out unless it
    /// has gained.
    #[inline]
    pub(crate) fn place(
        &mut self,
        player: Player,
        cell: usize,
        joint: &Joint,
        around: &mut Around,
    ) -> Placed {
        let place = &self.tables.places[cell];
        let here = cell as u16;
        self.rows_mut(player)[usize::from(place.row)] |= 1 << place.bit;
        if joint.runs == 0 {
            self.label[cell] = here;
            self.chains[cell] = Chain { parent: here, mask: place.rim, size: 1 };
            self.link[cell] = here;
            return Placed { root: here, mask: 0, size: 0, parts: [0; 2], count: 0 };
        }
        let mut root = joint.roots[0];
        let mut before = self.chains[usize::from(root)];
        for &other in &joint.roots[1..usize::from(joint.runs)] {
            let chain = self.chains[usize::from(other)];
            if chain.size > before.size {
                (root, before) = (other, chain);
            }
        }
        let mut placed = Placed { root, mask: before.mask, size: before.size, parts: [0; 2], count: 0 };
        if joint.mask != before.mask {
            self.surround(root, around);
        }
        let mut size = before.size + 1;
        if joint.runs > 1 {
            for &part in &joint.roots[..usize::from(joint.runs)] {
                let chain = self.chains[usize::from(part)];
                // A chain can be met twice; the second time it is a part already.
                if chain.parent == part && part != root {
                    self.surround(part, around);
                    self.chains[usize::from(part)].parent = root;
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
        let chain = &mut self.chains[usize::from(root)];
        chain.mask = joint.mask;
        chain.size = size;
        placed
    }

    /// Whether the stone just put down could have made a filled hexagon but for one cell: its chain
    /// has at least five stones.
    #[inline]
    pub(crate) const fn five(&self, placed: &Placed) -> bool {
        self.chains[placed.root as usize].size >= 5
    }

    /// Takes the last stone back.
    #[inline]
    pub(crate) fn take_back(&mut self, player: Player, cell: usize, placed: &Placed) {
        let place = &self.tables.places[cell];
        self.rows_mut(player)[usize::from(place.row)] &= !(1 << place.bit);
        if placed.size == 0 {
            return;
        }
        let root = usize::from(placed.root);
        self.link.swap(cell, root);
        for &part in placed.parts[..usize::from(placed.count)].iter().rev() {
            self.link.swap(usize::from(part), root);
            self.chains[usize::from(part)].parent = part;
        }
        let chain = &mut self.chains[root];
        chain.mask = placed.mask;
        chain.size = placed.size;
    }

    /// Adds the neighbours of a chain.
    fn surround(&self, chain: u16, around: &mut Around) {
        around.some = true;
        let mut stone = chain;
        loop {
            let place = &self.tables.places[usize::from(stone)];
            let (row, left) = (usize::from(place.row), place.bit - 1);
            around.rows[row - 1] |= 3 << left;
            around.rows[row] |= 5 << left;
            around.rows[row + 1] |= 3 << place.bit;
            stone = self.link[usize::from(stone)];
            if stone == chain {
                return;
            }
        }
    }

    /// The number of the cell at a bit of a row.
    #[inline]
    pub(crate) fn cell_at(&self, row: usize, bit: u32) -> usize {
        (i32::from(self.tables.origin[row]) + bit as i32) as usize
    }

    /// The cells of a set that is given as a word a row, in the order of their numbers.
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

    /// The empty neighbours of a place, as in [`crate::tables`].
    #[inline]
    pub(crate) fn empty_pattern(&self, place: &Place) -> usize {
        let row = usize::from(place.row);
        let left = place.bit - 1;
        let [above, same, below] = [self.empty(row - 1), self.empty(row), self.empty(row + 1)];
        ((above >> left & 3) | (same >> left & 5) << 2 | (below >> place.bit & 3) << 5) as usize
    }

    /// The empty cells of a row.
    #[inline]
    pub(crate) fn empty(&self, row: usize) -> u64 {
        let half = self.rows.len() / 2;
        self.tables.full[row] & !(self.rows[row] | self.rows[half + row])
    }
}
