//! The stones of both sides, by intersection and by side.

use stonework_board::{Cell, Diagonal, Intersection, Orientation};
use stonework_game::{ByPlayer, Player};

/// The largest number of stones of a side: the number on Cover-10.
const MAX_STONES: usize = Diagonal::MAX_SIZE as usize;

/// The locations of one side's stones, in ascending order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Locations {
    /// The numbers of the locations; 0 beyond `count`, so that equal lists are equal arrays.
    cells: [u16; MAX_STONES],
    count: u8,
}

impl Locations {
    /// The numbers of the locations.
    #[inline]
    pub(crate) fn numbers(&self) -> &[u16] {
        &self.cells[..usize::from(self.count)]
    }

    #[inline]
    pub(crate) const fn len(&self) -> usize {
        self.count as usize
    }

    fn insert(&mut self, cell: u16) {
        let mut at = self.len();
        self.count += 1;
        while at > 0 && self.cells[at - 1] > cell {
            self.cells[at] = self.cells[at - 1];
            at -= 1;
        }
        self.cells[at] = cell;
    }

    fn remove(&mut self, cell: u16) {
        let Some(at) = self.numbers().iter().position(|&c| c == cell) else { return };
        let count = self.len();
        self.cells.copy_within(at + 1..count, at);
        self.cells[count - 1] = 0;
        self.count -= 1;
    }
}

/// The cover of an intersection: 0 for no stone, else 1 + player + 2 · index. The index is the index of the stone's location in
/// [`Diagonal::covering`], whose first two locations are vertical.
type Cover = u8;

/// The owner of the stone that covers an intersection.
#[inline]
const fn owner(cover: Cover) -> Player {
    if cover & 1 == 1 { Player::First } else { Player::Second }
}

/// The orientation of the stone that covers an intersection.
#[inline]
const fn orientation(cover: Cover) -> Orientation {
    if cover <= 4 { Orientation::Vertical } else { Orientation::Horizontal }
}

/// All stones on the board.
#[derive(Clone)]
pub(crate) struct Stones {
    lattice: &'static Diagonal,
    /// The cover of each intersection.
    covers: [Cover; Diagonal::MAX_INTERSECTIONS],
    lists: ByPlayer<Locations>,
}

/// The result of a shot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shot {
    /// The shot hits no stone.
    Miss,
    /// The shot hits this stone.
    Hit(Cell),
    /// The moving stone cannot move, as this stone is in its way.
    Blocked(Cell),
}

impl Stones {
    pub(crate) fn new(lattice: &'static Diagonal) -> Self {
        Self { lattice, covers: [0; Diagonal::MAX_INTERSECTIONS], lists: ByPlayer::default() }
    }

    #[inline]
    pub(crate) fn list(&self, player: Player) -> &Locations {
        &self.lists[player]
    }

    pub(crate) const fn lists(&self) -> &ByPlayer<Locations> {
        &self.lists
    }

    /// Writes the covers of the two intersections of a location: the covers of a stone of `player` if `put`, else 0.
    fn mark(&mut self, player: Player, cell: Cell, put: bool) {
        let [first, second] = self.lattice.intersections(cell);
        // A vertical stone is above its lower end and below its upper end; likewise for left and right.
        let (of_first, of_second) = match self.lattice.orientation(cell) {
            Orientation::Vertical => (1, 0),
            Orientation::Horizontal => (3, 2),
        };
        let cover = |index: u8| if put { 1 + player as u8 + 2 * index } else { 0 };
        self.covers[first.index()] = cover(of_first);
        self.covers[second.index()] = cover(of_second);
    }

    /// Adds a stone; no other stone may cover its intersections.
    #[inline]
    pub(crate) fn put(&mut self, player: Player, cell: Cell) {
        self.mark(player, cell, true);
        self.lists[player].insert(cell.index() as u16);
    }

    /// Removes a stone, which must be on the board.
    #[inline]
    pub(crate) fn lift(&mut self, player: Player, cell: Cell) {
        self.mark(player, cell, false);
        self.lists[player].remove(cell.index() as u16);
    }

    /// The stone on an intersection, as its location and its owner.
    pub(crate) fn covering(&self, intersection: Intersection) -> Option<(Cell, Player)> {
        let cover = self.covers[intersection.index()];
        let index = usize::from(cover.checked_sub(1)? / 2);
        self.lattice.covering(intersection)[index].map(|cell| (cell, owner(cover)))
    }

    /// The owner of the stone on a location.
    pub(crate) fn at(&self, cell: Cell) -> Option<Player> {
        let [end, _] = self.lattice.intersections(cell);
        self.covering(end).filter(|&(at, _)| at == cell).map(|(_, player)| player)
    }

    /// The result of the shot of a stone of `player` with the orientation `stone`. The stone moves along the intersections `ahead`,
    /// the nearest first.
    #[inline]
    pub(crate) fn shot(&self, player: Player, stone: Orientation, ahead: &[Intersection]) -> Shot {
        for (i, point) in ahead.iter().enumerate() {
            let cover = self.covers[point.index()];
            if cover == 0 {
                continue;
            }
            let shootable = owner(cover) != player && orientation(cover) != stone;
            if !shootable && i > 0 {
                return Shot::Miss;
            }
            return match self.covering(*point) {
                Some((cell, _)) if shootable => Shot::Hit(cell),
                Some((cell, _)) => Shot::Blocked(cell),
                None => Shot::Miss,
            };
        }
        Shot::Miss
    }
}
