//! The players of a report (T. Rogers, *A Program to Play Havannah*, student project, 2004), and their opponent in it, the "example".
//!
//! | player | section | strategy |
//! |---|---|---|
//! | [`FullTree`] | §3.2, §4.2 | searches the whole game tree near the end of the game |
//! | [`Straight`] | §3.4, §4.3 | builds a line from a corner straight across the board, without defence |
//! | [`Straight::defending`] | §3.5, §4.4 | the same, but first blocks the threats of the last stone |
//! | [`Leipzig`] | §1.3, §5.4 | grows one random clump |
//!
//! The games of the report are of size 10 (Appendix B); the players here play on all sizes. They never swap, as the
//! server of the report has no swap; only [`FullTree`], within reach of the end, decides on a swap as on any other
//! move. With equal seeds and the same games in the same order, a player makes the same moves.
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

/// One of the six corners by its number (§4.3), which is also the number of the direction away from it:
///
/// ```text
///        0 a1 ─ ─ ─ 5           the report draws this board turned by 90°, with 0 bottom left;
///        ╱           ╲          either way the numbers run anticlockwise
///       1             4
///        ╲           ╱
///         2 ─ ─ ─ ─ 3
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Corner(u8);

impl Corner {
    const ALL: [Self; 6] = [Self(0), Self(1), Self(2), Self(3), Self(4), Self(5)];

    /// The direction from the corner across the board.
    const fn heading(self) -> Direction {
        Direction::SE.turned(-(self.0 as i8))
    }

    /// The corner's cell and the two cells beside it on the rim, in the order of the opening. The report leaves open which
    /// of the two comes first; the order is that of its printed game.
    fn stones(self, board: &Board) -> Option<[Cell; 3]> {
        let corner = board.corner_cells().nth((6 - usize::from(self.0)) % 6)?;
        let beside = |turn| board.neighbour(corner, turned(self.heading(), turn));
        Some([corner, beside(1)?, beside(-1)?])
    }
}

/// The direction, turned anticlockwise by `numbers` sixths of a circle.
const fn turned(direction: Direction, numbers: i8) -> Direction {
    direction.turned(-numbers)
}
