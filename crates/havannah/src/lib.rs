//! Havannah on boards of size 2 to 20.

mod chains;
mod kinds;
mod position;
#[doc = include_str!("ring_rule.md")]
pub mod ring_rule {}
mod setup;
mod shortest;
mod tables;
mod text;
mod wins;

pub use kinds::{WinKind, WinKinds};
pub use position::{IllegalMove, Move, Position, Undo, colour};
pub use setup::{Setup, SetupError, completions};
