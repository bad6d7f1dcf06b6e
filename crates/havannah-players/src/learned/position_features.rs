//! [`HavannahFeatures`]: the features of a position for a network.

use stonework_board::Board;
use stonework_game::Player;
use stonework_havannah::{Chain, Position};
use stonework_learn::PositionFeatures;

use super::codes::{CENTRE, Codes, PLACES, classes, places, seen_by};

/// The number of classes of chains: up to two corners, up to three edges, six steps of size.
pub(super) const CHAINS: usize = 3 * 4 * 6;
/// The number of steps of the filling of a board.
pub(super) const STAGES: usize = 16;
/// The number of sizes of boards, from 0 on.
const SIZES: usize = 21;

/// The features of a Havannah position as a side sees it, for boards of any size:
///
/// * for each cell, the class of the cell and its six neighbours up to symmetry, and of the cell and the ends of its six
///   two-bridges;
/// * for each stone its place: own or enemy, distance to the rim (to 4) and to the nearest corner (to 7);
/// * for each chain: own or enemy, corners (to 2), edges (to 3), stones (1, 2, 3–4, 5–7, 8–12, more);
/// * the part of the board that is filled, in sixteenths, and the size of the board.
///
/// Positions that are images of each other have equal features.
///
/// ```
/// use stonework_game::{Game, Player, Textual};
/// use stonework_havannah::Position;
/// use stonework_havannah_players::HavannahFeatures;
/// use stonework_learn::PositionFeatures;
/// let features = |moves: &[&str]| {
///     let mut position = Position::new(4).unwrap();
///     for name in moves {
///         position.play(position.parse_move(name).unwrap()).unwrap();
///     }
///     let mut list = Vec::new();
///     HavannahFeatures::new().features(&position, Player::First, &mut list);
///     list.sort_unstable();
///     list
/// };
/// assert_eq!(features(&["a1", "b1"]), features(&["a4", "a3"]));       // the next corner and its neighbour
/// assert_ne!(features(&["a1", "b1"]), features(&["a1", "b2"]));
/// ```
#[derive(Clone, Debug, Default)]
pub struct HavannahFeatures {
    codes: Codes,
}

impl HavannahFeatures {
    /// The features, for boards of any size.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

/// The first rows of each kind of features.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    pub(super) far: u32,
    pub(super) places: u32,
    pub(super) chains: u32,
    pub(super) stages: u32,
    pub(super) sizes: u32,
    pub(super) rows: u32,
}

impl Layout {
    pub(super) fn new() -> Self {
        let far = classes().count as u32;
        let places = 2 * far;
        let chains = places + 2 * PLACES as u32;
        let stages = chains + 2 * CHAINS as u32;
        let sizes = stages + STAGES as u32;
        Self { far, places, chains, stages, sizes, rows: sizes + SIZES as u32 }
    }

    /// The row of the place of a stone; `own` from the view of the side that sees the position.
    pub(super) const fn place(&self, place: u8, own: bool) -> u32 {
        self.places + place as u32 + if own { 0 } else { PLACES as u32 }
    }

    /// The row of a class of chains.
    pub(super) const fn chain(&self, class: u32, own: bool) -> u32 {
        self.chains + class + if own { 0 } else { CHAINS as u32 }
    }
}

/// The filling of the board, below [`STAGES`].
pub(super) fn stage(position: &Position) -> u32 {
    (position.stone_count() * STAGES / (position.board().len() + 1)) as u32
}

/// The size of a board, below [`SIZES`].
pub(super) fn size(board: &Board) -> u32 {
    u32::from(board.size()).min(SIZES as u32 - 1)
}

/// The class of a chain, below [`CHAINS`].
pub(super) fn chain_class(chain: Chain) -> u32 {
    let size = match chain.stones {
        0..=1 => 0,
        2 => 1,
        3..=4 => 2,
        5..=7 => 3,
        8..=12 => 4,
        _ => 5,
    };
    (chain.corners.count_ones().min(2) * 4 + chain.edges.count_ones().min(3)) * 6 + size
}

impl PositionFeatures<Position> for HavannahFeatures {
    fn rows(&self) -> usize {
        Layout::new().rows as usize
    }

    fn features(&mut self, game: &Position, side: Player, out: &mut Vec<u32>) {
        let (layout, classes, board) = (Layout::new(), classes(), game.board());
        self.codes.follow(game, |_, _, _| ());
        let places = places(board);
        for (cell, (&near, &far)) in self.codes.near.iter().zip(&self.codes.far).enumerate() {
            let near = seen_by(near, side);
            // Class 0, with nothing but empty cells, is no feature.
            let [near_class, far_class]: [u32; 2] =
                [near, seen_by(far, side)].map(|code| classes.of[usize::from(code)].into());
            out.extend((near_class != 0).then_some(near_class));
            out.extend((far_class != 0).then_some(layout.far + far_class));
            if near >> CENTRE != 0 {
                out.push(layout.place(places[cell], near >> CENTRE == 1));
            }
        }
        for player in Player::BOTH {
            out.extend(game.chains(player).map(|chain| layout.chain(chain_class(chain), player == side)));
        }
        out.extend([layout.stages + stage(game), layout.sizes + size(board)]);
    }
}
