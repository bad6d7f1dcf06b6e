//! Counts of finished games, and the size of the game.

mod complexity;
mod games;
mod lengths;

pub use complexity::{Complexity, Magnitude};
pub use games::{GameStatistics, RingCounts, StatisticsError};
pub use lengths::Lengths;
