//! Cover: its states by number, for end-game tables, and stones that break through.

mod breakthrough;
mod space;

pub use breakthrough::{Breakthroughs, Route, broken_through};
pub use space::{Space, SpaceError, Tier};
