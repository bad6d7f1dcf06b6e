//! [`WideLayout`]: further features of a move, which predict better and cost more.

use stonework_board::{Board, Cell, Cube};
use stonework_havannah::Position;

use super::codes::{PLACES, SURROUNDINGS_BITS, marked_classes, wedges};
use super::move_features::{Joined, Layout, STAGES, stage};

/// The classes of offsets to a last stone: 0 for no last stone; to a distance of 4 each offset up to symmetry; 5 and 6; more.
const OFFSETS: usize = 11;
/// The class of the offset to a neighbour.
const NEIGHBOUR: u32 = 1;
/// The class of the offset to the end of a two-bridge.
const TWO_BRIDGE: u32 = 3;
/// The classes of the sizes of boards: to 5, 6 and 7, from 8 on.
const SIZES: usize = 3;
/// The classes of the chains that a stone would join: up to three chains, up to three edges, up to two corners, new edges or
/// corners or none, four steps of the stones.
const JOINS: usize = 4 * 4 * 3 * 2 * 4;

/// The first weights of each kind of the further features, behind those of [`Layout`].
#[derive(Clone, Copy, Debug)]
pub(super) struct WideLayout {
    wedges: u32,
    surroundings: u32,
    /// The neighbours with the own last stone marked.
    marked: u32,
    /// The cells between, by the owner of the last stone: the opponent, then the side itself.
    bridged: [u32; 2],
    offsets: u32,
    joins: u32,
    places: u32,
    count: u32,
}

/// A cell with its surroundings.
#[derive(Clone, Copy, Debug)]
pub(super) struct Around {
    pub(super) cell: Cell,
    /// The codes of the six neighbours and of the ends of the six two-bridges, as the side to move sees them.
    pub(super) near: u16,
    pub(super) far: u16,
    pub(super) place: u8,
    /// The last stones of the opponent and of the side to move.
    pub(super) last: [Option<Cell>; 2],
}

impl WideLayout {
    pub(super) fn new() -> Self {
        let before = Layout::new();
        let first = before.count() as u32;
        let surroundings = first + wedges().count as u32;
        let own = surroundings + (1 << SURROUNDINGS_BITS);
        let bridged = own + marked_classes().count as u32;
        let offsets = bridged + 2 * 16;
        let joins = offsets + (OFFSETS * OFFSETS) as u32;
        let places = joins + 2 * JOINS as u32;
        Self {
            wedges: first,
            surroundings,
            marked: own,
            bridged: [bridged, bridged + 16],
            offsets,
            joins,
            places,
            count: places + (SIZES * STAGES * PLACES) as u32,
        }
    }

    /// The number of all weights, those of [`Layout`] included.
    pub(super) const fn count(&self) -> usize {
        self.count as usize
    }

    /// Calls `each` with the further features of a move.
    #[inline]
    pub(super) fn features(
        &self,
        position: &Position,
        around: &Around,
        joined: &[Joined; 2],
        each: &mut impl FnMut(u32),
    ) {
        let (classes, number) = wedges().around(around.near, around.far);
        for class in classes {
            each(self.wedges + u32::from(class));
        }
        each(self.surroundings + number);
        let board = position.board();
        let offsets = around.last.map(|last| last.map_or(0, |last| offset_class(board, last, around.cell)));
        each(self.offsets + offsets[0] * OFFSETS as u32 + offsets[1]);
        for (owner, offset) in offsets.into_iter().enumerate() {
            if let Some(beside) = self.beside(board, around, owner, offset) {
                each(beside);
            }
        }
        for joined in joined {
            each(self.join(joined));
        }
        let size = match position.size() {
            0..=5 => 0,
            6..=7 => 1,
            _ => 2,
        };
        each(
            self.places + (size * STAGES as u32 + stage(position)) * PLACES as u32 + u32::from(around.place),
        );
    }

    /// The feature of a last stone at the end of a two-bridge, or of the own last stone beside the cell.
    fn beside(&self, board: &Board, around: &Around, owner: usize, offset: u32) -> Option<u32> {
        let last = around.last[owner];
        let place = |from: usize| board.around(around.cell).skip(from).take(6).position(|near| near == last);
        match (offset, owner) {
            // The opponent's last stone beside the cell is a feature of the narrow layout.
            (NEIGHBOUR, 1) => Some(self.marked + u32::from(marked_classes().of(around.near, place(0)?))),
            (TWO_BRIDGE, _) => {
                // The end between the neighbours `at` and `at + 1`; both orders of their states are one feature.
                let at = place(6)?;
                let states = [at, (at + 1) % 6].map(|at| u32::from(around.near >> (2 * at) & 3));
                Some(self.bridged[owner] + states[0].min(states[1]) * 4 + states[0].max(states[1]))
            }
            _ => None,
        }
    }

    fn join(&self, joined: &Joined) -> u32 {
        let Joined { own, count, corners, edges, touched, stones } = *joined;
        let new = u32::from(corners + edges > touched);
        let stones = match stones {
            0..=1 => 0,
            2..=4 => 1,
            5..=9 => 2,
            _ => 3,
        };
        let touching = (count as u32 * 4 + edges.min(3)) * 3 + corners.min(2);
        self.joins + if own { 0 } else { JOINS as u32 } + (touching * 2 + new) * 4 + stones
    }
}

/// The class of the offset between two cells, 1 to 10: to a distance of 4 up to symmetry, then 5 and 6, then more.
fn offset_class(board: &Board, a: Cell, b: Cell) -> u32 {
    let Cube { x, y, z } = (board.coord(a) - board.coord(b)).cube();
    let [x, y, z] = [x, y, z].map(|part| u32::from(part.unsigned_abs()));
    // The three parts add up to 0; the largest is the distance.
    let least = x.min(y).min(z);
    match x.max(y).max(z) {
        0 | 1 => NEIGHBOUR,
        2 => 2 + least,
        3 => 4 + least,
        4 => 6 + least,
        5 | 6 => 9,
        _ => 10,
    }
}
