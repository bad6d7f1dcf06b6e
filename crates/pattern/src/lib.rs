//! Patterns around the last move: a text language, compiled into tables. A look-up takes a few nanoseconds, for any number of
//! patterns.
//!
//! **Write patterns** and compile them. The last move is in the middle. The answer is on the cells marked `o` in the second text,
//! here the cell between the two stones:
//!
//! ```
//! use stonework_pattern::{Code, Patterns, Reach};
//! let patterns = Patterns::compile(r#"
//!     // A two-bridge that was intruded into.
//!     bridge: {"o.o???", ".o....", 8}  except "o.oooo"
//! "#)?;
//! let (mover, other) = (0b01_0000, 0b00_0101);
//! let answer = patterns.find(Code::new(Reach::Six, mover, other, 0)).unwrap();
//! assert_eq!((answer.cells, answer.chance), (0b00_0010, 8));
//! # Ok::<(), stonework_pattern::Faults>(())
//! ```
//!
//! **Match** the cells around a cell of a board, and get the cells of the answer:
//!
//! ```
//! use stonework_board::Board;
//! use stonework_pattern::{Code, Reach, State, havannah};
//! let board = Board::hexagon(5)?;
//! let [d4, e6, last] = ["d4", "e6", "d5"].map(|name| board.parse(name).unwrap());
//! let code = Code::at(board, last, Reach::Eighteen, |cell| match cell {
//!     cell if cell == d4 || cell == e6 => State::Other,
//!     _ => State::Empty,
//! });
//! let answer = havannah().find(code).unwrap();
//! assert_eq!(answer.cells_on(board, last).map(|c| board.name(c)).collect::<Vec<_>>(), ["e5"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Read the faults** of a text, all of them, each with its place:
//!
//! ```
//! use stonework_pattern::Patterns;
//! let faults = Patterns::compile(r#"
//!     {"o.x...", ".o..../....../......", 5}
//!     {"...x.o", "....o./....../......", 9}
//!     {"o.....", "o...../....../......", 8}
//! "#).unwrap_err();
//! let told = "3:40: chance 9: it is a whole number of eighths, 0 to 8\n\
//!     4:16: answers in cell a, which is `o`: only a cell that must be empty (`.`) can be answered in";
//! assert_eq!(faults.to_string(), told);
//! ```
//!
//! # The language
//!
//! ```text
//! file    = { pattern | include } ;
//! include = "include" quote path quote ;
//! pattern = [ name ":" ] "{" cells "," answer "," chance "}" { clause } [ "," ] ;
//! clause  = "except" cells | "weight" number ;
//! name    = letter { letter | digit | "_" | "-" | "." | "+" } ;
//! cells   = quote ring [ "/" ring [ "/" ring [ "/" ring ] ] ] quote ;
//! ring    = 6 cell ; in the fourth ring 12 cell ;
//! cell    = state | "?" | "!" state ;
//! state   = "." | "x" | "o" | "#" ;
//! answer  = as cells, but each cell is "." or "o" ;
//! chance  = "0" | "1" | … | "8" ;
//! ```
//!
//! White space and ends of lines only separate words; `//` begins a comment that ends with the line. The order of the
//! cells is that of [`NEIGHBOURHOOD`](stonework_board::NEIGHBOURHOOD) without the centre. A cell is empty `.`, of the
//! side that has just moved `x`, of the side to move `o`, off the board `#`, in any state `?`, or in any state but one,
//! such as `!x`. The answer has rings of its own, in any number, usually three. A pattern does not match if one of its
//! exceptions matches. The weight, 1 by default, has no effect on look-ups: it is for the caller. A name has at most 100
//! characters, a pattern at most 349 524 exceptions.
//!
//! The triples of the program Lajkonik are patterns of this language without a change, trailing commas included.
//!
//! # What patterns mean
//!
//! A pattern stands for its twelve images. If several of them match, the answer has the cells of each. If patterns of different
//! lengths match, the longest gives the answer. These are [faults](FaultKind): two patterns of the same length that match the
//! same neighbourhood of any cell of any board; a pattern that longer patterns shadow; a pattern that no board can show; a pattern
//! without an answer; an answer on a cell that need not be empty. The cells off the board must be as on a hexagon or rhombus
//! of some size.
//!
//! What this crate does not do: it knows no rules and no players, and reads no files. It does not
//! learn patterns. It has no features.

mod cells;
mod check;
mod code;
mod compile;
mod cover;
mod fault;
mod files;
mod patterns;
mod picture;
mod shipped;
mod source;
mod tables;
mod text;

pub use cells::{Cells, CellsError};
pub use code::{Code, Reach, State};
pub use fault::{Fault, FaultKind, Faults, SourcePlace};
pub use files::{File, Include, MAX_PATTERNS};
pub use patterns::{Answer, Patterns};
pub use shipped::{HAVANNAH, havannah};
pub use source::{Image, MAX_WEIGHT, Pattern};
