//! Havannah on boards of size 2 to 20: the winner, the kind of win and its cells, in O(1) a stone.
//!
//! **Play, find threats, take back.** A [`Position`] is a [`Game`](stonework_game::Game) with undo tokens and keys. It knows the
//! winning cells of both sides at every moment:
//!
//! ```
//! use stonework_game::{Game, Textual, Outcome, Player};
//! use stonework_havannah::{Position, WinKind};
//! let mut game = Position::new(4)?;
//! for name in "b2 f3 b3 f4 c2 f5 c4 f6 d3 f7".split(' ') {
//!     game.play(game.parse_move(name)?)?;
//! }
//! let d4 = game.board().parse("d4")?;
//! assert!(game.winning_cells(Player::First).iter().eq([d4]));
//! let undo = game.play(game.parse_move("d4")?)?;
//! assert_eq!(game.outcome(), Some(Outcome::Win(Player::First)));
//! assert_eq!(game.kinds().to_string(), "ring");
//! assert_eq!(game.winning_chain(WinKind::Ring).unwrap().len(), 6);
//! game.undo(undo);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Play random games** by the million on a [`PlayoutBoard`]:
//!
//! ```
//! use stonework_game::rng;
//! use stonework_havannah::PlayoutBoard;
//! let mut rng = rng(1);
//! let mut board = PlayoutBoard::new(8)?;
//! let plies: u32 = (0..1000).map(|_| { board.reset(); u32::from(board.run(&mut rng).plies) }).sum();
//! assert!((118_000..123_000).contains(&plies));
//! # Ok::<(), stonework_board::SizeError>(())
//! ```
//!
//! **Set up** any position, or read it from a line of text; both are checked:
//!
//! ```
//! use stonework_game::Textual;
//! use stonework_havannah::Position;
//! let position = Position::parse_position("3 b - ww./..../...../..../.bb")?;
//! assert_eq!(position.stone_count(), 4);
//! let error = Position::parse_position("2 w - ww/.../bb").unwrap_err();
//! assert_eq!(error.to_string(), "both sides have won: white has bridge, black has bridge (at byte 6)");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The rules: white ([`Player::First`](stonework_game::Player::First)) begins. A turn is a stone on any empty cell. A side wins
//! with a stone that completes a ring, a bridge or a fork ([`WinKind`]), or several at once. A full board is a draw. In games
//! [with swap](Position::with_swap), black's first action may be a swap. [`ring_rule`] is the rule that finds a ring in O(1),
//! with its proof.
//!
//! | | [`Position`] | [`PlayoutBoard`] |
//! |---|---|---|
//! | undo, keys, symmetries | yes | no |
//! | winning cells, winning chains | yes | no |
//! | a stone at size 10 (`docs/lab/speed.md`) | about 120 ns with undo | about 8 ns with the draw of the move |
//! | bytes at size 10 | 5 600 | 2 200 |
//!
//! What this crate does not do: it does not search, and it reads no game records.
//!
//! Features: `serde` – positions, setups, moves and kinds can be stored; reading positions checks them.

mod chains;
mod kinds;
mod playout;
mod position;
#[doc = include_str!("ring_rule.md")]
pub mod ring_rule {}
mod seen;
mod setup;
mod shortest;
mod tables;
mod text;
mod wins;

pub use kinds::{WinKind, WinKinds};
pub use playout::{PlayoutBoard, PlayoutResult};
pub use position::{IllegalMove, Move, Position, Undo, colour};
pub use seen::{Chain, SeenStones};
pub use setup::{Setup, SetupError, completions};

/// The smallest board, in cells on a side.
pub const MIN_SIZE: u8 = 2;

/// The largest board, in cells on a side.
pub const MAX_SIZE: u8 = 20;
