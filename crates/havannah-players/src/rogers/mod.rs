//! The players of the Rogers seed (*A Program to Play Havannah*, 2004), and the "example" that it was tried on.
//!
//! | player | seed | plays |
//! |---|---|---|
//! | [`FullTree`] | §3.2, §4.2 | the whole game tree, where that can be walked |
//! | [`Straight`] | §3.4, §4.3 | from a corner straight across the board; no defence |
//! | [`Straight::defending`] | §3.5, §4.4 | the same, but first blocks what the last stone threatens |
//! | [`Leipzig`] | §1.3, §5.4 | one random clump |
//!
//! The seed's games are of size 10 (Appendix B); these play on all sizes. None of them ever swaps, as the seed's
//! server has no swap; a tree player that can see the end decides on a swap as on any other move. With the same
//! seed and the same games one after the other, each makes the same moves.
//!
//! ```
//! use stonework_game::{Game, Outcome, Player};
//! use stonework_havannah::Position;
//! use stonework_havannah_players::rogers::{Leipzig, Straight};
//! use stonework_roster::{Agent, Clock, Decision};
//! let mut game = Position::new(10)?;
//! let mut sides: [Box<dyn Agent<Position>>; 2] = [Box::new(Straight::new(1)), Box::new(Leipzig::new(2))];
//! while let Some(Decision::Play(mv)) = sides[game.to_move().index()].decide(&game, &Clock::NONE) {
//!     game.play(mv)?;
//! }
//! assert_eq!(game.outcome(), Some(Outcome::Win(Player::Second)));          // the example, by a ring
//! assert_eq!(game.kinds().to_string(), "ring");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod blocks;
mod leipzig;
mod straight;
mod tree;

use stonework_board::{Board, Cell, Direction};

pub use leipzig::Leipzig;
pub use straight::Straight;
pub use tree::FullTree;

/// One of the six corners with the seed's number (§4.3), which is also that of the direction away from it:
///
/// ```text
///        0 a1 ─ ─ ─ 5           the seed draws this board turned by 90°, with 0 bottom left;
///        ╱           ╲          either way the numbers run anticlockwise
///       1             4
///        ╲           ╱
///         2 ─ ─ ─ ─ 3
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Corner(u8);

impl Corner {
    const ALL: [Self; 6] = [Self(0), Self(1), Self(2), Self(3), Self(4), Self(5)];

    /// The direction away from it.
    const fn heading(self) -> Direction {
        Direction::SE.turned(-(self.0 as i8))
    }

    /// Its cell and the two beside it on the rim, in the order in which they are taken: the seed does not
    /// say which of the two comes first; its printed game begins so.
    fn stones(self, board: &Board) -> Option<[Cell; 3]> {
        let corner = board.corner_cells().nth((6 - usize::from(self.0)) % 6)?;
        let beside = |turn| board.neighbour(corner, turned(self.heading(), turn));
        Some([corner, beside(1)?, beside(-1)?])
    }
}

/// A direction turned by so many of the seed's numbers, which run anticlockwise.
const fn turned(direction: Direction, numbers: i8) -> Direction {
    direction.turned(-numbers)
}
