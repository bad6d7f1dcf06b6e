//! Cachex on boards of size 3 to 15: Hex with captures, a steal and draws, by the rules of its referee.
//!
//! **Play, find wins and captures, take back.** A [`Position`] is a [`Game`](stonework_game::Game) with keys, and with undo tokens
//! that have the captured stones:
//!
//! ```
//! use stonework_cachex::Position;
//! use stonework_game::{Game, Textual, Player};
//! let mut game = Position::new(5)?;
//! for action in ["1,1", "2,1", "4,4", "2,0"] {
//!     game.play(game.parse_move(action)?)?;
//! }
//! let cell = game.cell(3, 0).unwrap();
//! assert_eq!(game.captures(Player::First, cell).len(), 2);
//! let undo = game.play(game.parse_move("3,0")?)?;
//! let taken: Vec<_> = undo.captured().iter().map(|cell| game.coordinates(cell)).collect();
//! assert_eq!((taken, game.rows().as_str()), (vec![(2, 0), (2, 1)], "...../.r.../...../r..../....r"));
//! game.undo(undo);
//! assert_eq!(game.rows(), "...../.r.../bb.../...../....r");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Set up** any position, or read it from a line of text; both are checked:
//!
//! ```
//! use stonework_cachex::{Ending, Position, Setup};
//! use stonework_game::{Game, Textual, Player};
//! let position = Position::parse_position("3 r 6/343 1/7 .rb/br./b..")?;
//! assert_eq!(position.winning_cells(Player::First).iter().count(), 1);
//! let over = Setup::from_rows("rb./rb./r..", 5)?.position()?;
//! assert_eq!(over.ending(), Some(Ending::Connection(Player::First)));
//! let error = Position::parse_position("3 b 6/343 1/7 .../.../...").unwrap_err();
//! assert_eq!(error.to_string(), "`b` does not move after 6 turns: `r` (at byte 2)");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Vary** the limits that make a draw:
//!
//! ```
//! use stonework_cachex::{Ending, Options, Position};
//! use stonework_game::{Game, Keyed, Textual};
//! let mut game = Position::with_options(4, Options { turns: 2, ..Options::default() })?;
//! assert_eq!(game.horizon(), 1);                     // the game may be over in two plies
//! for action in ["0,3", "steal"] {
//!     game.play(game.parse_move(action)?)?;
//! }
//! assert_eq!((game.ending(), game.rows().as_str()), (Some(Ending::TurnLimit), "..../..../..../b..."));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The rules: red ([`Player::First`](stonework_game::Player::First)) begins. Red connects the sides r = 0 and r = n − 1, blue the
//! sides q = 0 and q = n − 1. A turn is a stone on any empty cell, but the first stone must not be on the centre. Blue's first
//! action may be a [steal](Move::Steal) instead. A stone that completes one of twelve diamonds of two own and two enemy stones
//! captures the two enemy stones ([`capture_patterns`]). Then a player who has connected both sides wins; otherwise the
//! seventh occurrence of a board is a draw, and so is the 343rd turn.
//!
//! ```text
//! r = 2     (2,0) (2,1) (2,2)           cells are numbered r·n + q; the neighbours of (r,q):
//! r = 1   (1,0) (1,1) (1,2)                     (r+1,q-1) (r+1,q)
//! r = 0 (0,0) (0,1) (0,2)                     (r,q-1)  *  (r,q+1)
//!       q = 0   1     2                           (r-1,q) (r-1,q+1)
//! ```
//!
//! What this crate does not do: it does not search, and it does not speak the referee's protocol, from which it has only the
//! texts of actions.
//!
//! Features: `serde` – positions, setups, options, moves and endings can be stored; reading positions
//! checks them.

mod action;
mod capture;
#[doc = include_str!("capture_patterns.md")]
pub mod capture_patterns {}
mod history;
mod plane;
mod position;
mod setup;
mod stones;
mod tables;
mod text;

pub use action::{Ending, IllegalMove, Move, colour};
pub use capture::Captures;
pub use position::{Position, Undo};
pub use setup::{Options, Setup, SetupError};

/// The smallest size.
pub const MIN_SIZE: u8 = 3;
/// The largest size.
pub const MAX_SIZE: u8 = 15;
/// The largest limit of [`Options`].
pub const MAX_LIMIT: u16 = 9999;
