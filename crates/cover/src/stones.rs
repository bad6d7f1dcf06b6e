//! The stones of both sides, by intersection and by side.

use stonework_board::{Cell, Diagonal, Intersection, Orientation};
use stonework_game::{ByPlayer, Player};

/// The largest number of stones of a side: the number on Cover-10.
const MAX_STONES: usize = Diagonal::MAX_SIZE as usize;

/// The locations of one side's stones, in ascending order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Locations {
    /// The numbers of the locations; 0 from index `count` on, so that equal lists have equal arrays.
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

/// The stone on an intersection as a number: 0 for no stone, else 1 + player + 2 · i for a stone on the i-th location of
/// [`Diagonal::covering`]. Locations 0 and 1 are vertical, 2 and 3 horizontal.
type Cover = u8;

/// The owner of the stone that a cover other than 0 stands for.
#[inline]
const fn owner(cover: Cover) -> Player {
    if cover & 1 == 1 { Player::First } else { Player::Second }
}

/// The orientation of the stone that a cover other than 0 stands for.
#[inline]
const fn orientation(cover: Cover) -> Orientation {
    if cover <= 4 { Orientation::Vertical } else { Orientation::Horizontal }
}

/// All stones on the board.
#[derive(Clone)]
pub(crate) struct Stones {
    lattice: &'static Diagonal,
    /// The covers, by the index of the intersection.
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
    /// The stone that moves cannot move, because this stone is in its way.
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
        // `covering` has the locations below, above, left and right of an intersection, in this order. A stone lies above its
        // lower end and below its upper end, or right of its left end and left of its right end.
        let (at_first, at_second) = match self.lattice.orientation(cell) {
            Orientation::Vertical => (1, 0),
            Orientation::Horizontal => (3, 2),
        };
        let cover = |index: u8| if put { 1 + player as u8 + 2 * index } else { 0 };
        self.covers[first.index()] = cover(at_first);
        self.covers[second.index()] = cover(at_second);
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

    /// The result of a lengthwise step of a stone of `player`, whose orientation is `shooter`. The step covers the first of the
    /// intersections `ahead`, and the shot passes them all in their order ([`Diagonal::ahead`]).
    #[inline]
    pub(crate) fn shot(&self, player: Player, shooter: Orientation, ahead: &[Intersection]) -> Shot {
        for (i, point) in ahead.iter().enumerate() {
            let cover = self.covers[point.index()];
            if cover == 0 {
                continue;
            }
            let shootable = owner(cover) != player && orientation(cover) != shooter;
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
