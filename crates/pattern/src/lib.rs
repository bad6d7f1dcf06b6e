//! Patterns around the last move: a text language, compiled into tables that are looked up in a few
//! nanoseconds, whatever the number of patterns.
//!
//! **Write patterns** and compile them. `X` is the last move; the answer is in the cells marked `o` in the
//! second text, here the one between the two stones:
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
//! **Look around a cell** of a board, and get the cells to answer in:
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
//! **Read what is wrong**, all of it, each with its place:
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
//! White space and ends of lines separate words and mean nothing else; `//` begins a comment that ends with
//! the line. The order of the cells is that of [`NEIGHBOURHOOD`](stonework_board::NEIGHBOURHOOD), the
//! centre left out. A cell is empty `.`, of the side that has just moved `x`, of the side to move `o`, off the
//! board `#`, anything `?`, anything but one of these `!x`. The answer has rings of its own, as many as one
//! likes, usually three. A pattern with an exception does not match where that matches. The weight, 1 unless
//! given, is for those who look patterns up.
//!
//! The triples of Lajkonik are patterns of this language as they are, trailing commas included.
//!
//! # What patterns mean
//!
//! A pattern stands for its twelve images. Where several of them match, it answers in the cells of each. Of
//! patterns of different length the longest that matches answers. Two patterns of the same length may not
//! match the same surroundings, of any cell of any board: that is a [fault](FaultKind), and so are a pattern
//! that longer ones shadow, one that no board can show, one without an answer, and an answer on a cell that
//! need not be empty. What is off the board must be as on a hexagon or rhombus of some size.
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
