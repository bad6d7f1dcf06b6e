//! How many stones a side still needs to win: exactly, with the opponent passing, and by two-distance.

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
