//! Cover-1 to Cover-10: oblong stones that move along lines and shoot along them, by N. Twigt.
//!
//! **Play, find shots, take back.** A [`Position`] is a [`Game`](stonework_game::Game) with keys, and with undo tokens that have
//! the captured stone:
//!
//! ```
//! use stonework_cover::Setup;
//! use stonework_game::{Game, Textual};
//! let mut game = Setup::from_board(4, "[A07,E07]x[E10,K02]")?.position()?;
//! let mv = game.parse_move("A07-B08")?;
//! assert_eq!(game.move_text(mv), "A07-B08xE10");
//! let undo = game.play(mv)?;
//! assert_eq!(undo.hit().map(|cell| game.lattice().name(cell)).as_deref(), Some("E10"));
//! assert_eq!(game.position_text(), "4 r four [B08,E07]x[K02] -");
//! game.undo(undo);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Draw** it like the figures of the thesis:
//!
//! ```
//! use stonework_cover::Position;
//! let picture = "
//!                +
//!             07 | G
//!         06 @---+---@ F
//!         05 @   |   @ E
//!     04 +---@---+---@---+ D
//!     03 |   |   |   |   | C
//! 02 +---+---+---+---+---+---+ B
//!  G |   |   |   |   |   |   | 07
//!  F +---+---+---+---+---+---+ 06
//!      E |   |   |   |   | 05
//!      D +---O---+---O---+ 04
//!          C O   |   O 03
//!          B O---+---O 02
//!              A | 01
//!                +";
//! assert_eq!(Position::new(2)?.diagram().text(), picture.trim_start_matches('\n'));
//! # Ok::<(), stonework_cover::SetupError>(())
//! ```
//!
//! **Choose** the rule of repetition, of which the thesis has several:
//!
//! ```
//! use stonework_cover::{Options, Position, Repetition};
//! use stonework_game::{Game, Textual};
//! let there_and_back = ["C01-D02", "G05-F04", "D02-C01", "F04-G05"];
//! let play = |repetition| -> Result<(), Box<dyn std::error::Error>> {
//!     let mut game = Position::with_options(2, Options { repetition, ..Options::default() })?;
//!     for mv in there_and_back {
//!         game.play(game.parse_move(mv)?)?;
//!     }
//!     Ok(())
//! };
//! assert!(play(Repetition::None).is_ok());
//! let error = play(Repetition::FourPlies).unwrap_err();
//! assert_eq!(error.to_string(), "F04-G05 would repeat a board (four plies)");
//! # Ok::<(), stonework_cover::SetupError>(())
//! ```
//!
//! # The rules
//!
//! A stone covers the two intersections at the ends of its location, and two stones never share an intersection. A location is
//! vertical or horizontal (pictures at [`Diagonal`](stonework_board::Diagonal) and [`Heading`](stonework_board::Heading)). Blue
//! ([`Player::First`](stonework_game::Player::First)) begins. A move takes a stone one step in one of eight directions, if no
//! other stone covers the new intersections, and never onto the own homebase:
//!
//! | step | vertical stone | horizontal stone |
//! |---|---|---|
//! | up, down | along its line: shoots | sideways |
//! | left, right | sideways | along its line: shoots |
//! | the four slanted ones | a quarter turn about an end | a quarter turn about an end |
//!
//! ```text
//!     @@@@@     an enemy's stone across the line: shot
//!       |
//!       |       an own stone here, or an enemy's that is vertical too, would stop the shot
//!       O
//!       O       moves up
//!       O
//! ```
//!
//! A stone that moves along its own line shoots ahead. The first stone ahead, of either colour, stops the shot; it is captured
//! if it is an enemy's and lies across the line, with its long side to the shot. The captured stone does not block the move. A
//! side wins by a step onto the opponent's homebase, by the capture of the last enemy stone, or if the enemy has no legal move.
//! A board must not be the same as four plies ago; [`Repetition`] has the other variants of this rule.
//!
//! What this crate does not do: it does not search, and has no end-game tables.
//!
//! Features: `serde` – positions, setups, options and moves can be stored; reading positions checks them.

mod history;
mod position;
mod rules;
mod setup;
mod stones;
mod tables;
mod text;

pub use history::Recent;
pub use position::{Move, Passed, Position, Undo};
pub use rules::{IllegalMove, Options, Repetition, RepetitionError, colour};
pub use setup::{Setup, SetupError};

/// The smallest size.
pub const MIN_SIZE: u8 = stonework_board::Diagonal::MIN_SIZE;
/// The largest size.
pub const MAX_SIZE: u8 = stonework_board::Diagonal::MAX_SIZE;
