//! The three games of the workspace, and the game of the examples.

mod cachex;
mod cover;
mod havannah;
mod havannah_layers;
mod havannah_statistics;
mod nim;

use stonework_game::text::head;

pub use havannah::havannah_start;
pub use havannah_statistics::{
    ComplexityReport, HavannahStatistics, RingReport, StatisticsReport, StoneCounts,
};

use crate::Fault;

/// The notation of a game with a single notation. Refuses every name but `known`.
fn one_notation(known: Option<&str>, cells: &str, name: Option<&str>) -> Result<usize, Fault> {
    match name {
        Some(name) if Some(name) != known => {
            Err(Fault::new("notation", format!("no notation `{}`: {cells}", head(name))))
        }
        _ => Ok(0),
    }
}
