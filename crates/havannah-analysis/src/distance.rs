//! The number of stones that a side still needs to win: the exact number if the opponent passes ([`Distances`]), and an estimate
//! against an opponent who answers ([`TwoDistances`]).

mod field;
mod fork;
mod measure;
mod origin;
mod ring;
mod two;
mod walk;

pub use measure::{Distances, Need};
pub use origin::{Origin, OriginError};
pub(crate) use ring::SmallestRing;
pub use two::{Potential, TwoDistances};
pub use walk::StoneMap;
