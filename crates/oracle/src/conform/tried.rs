//! The counts of a comparison, so that "no disagreement" comes with its extent.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use crate::query::QueryResult;

/// The games and questions of a comparison: each a count by name.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct Tried {
    /// Games by the size of the board.
    pub sizes: BTreeMap<u8, u64>,
    /// Games by their purpose, or by the place where they are printed.
    pub games: BTreeMap<String, u64>,
    /// Questions by kind: `position` after a move of a game; the fault of an illegal move; `another legal move` if the
    /// move turned out to be legal.
    pub questions: BTreeMap<String, u64>,
    /// Finished games by their ends: `ring`, `homebase`, `draw` and so on. A game won in two ways counts for both.
    pub ends: BTreeMap<String, u64>,
    /// Games of [`ends`](Tried::ends) that ended on the last empty cell of the board.
    pub ends_on_the_last_cell: BTreeMap<String, u64>,
    /// Finished games with questions about moves after the end.
    pub asked_beyond_the_end: u64,
    /// Questions with a refusal as our answer, by the kind of the refusal.
    pub refusals: BTreeMap<String, u64>,
}

fn count<K: Ord>(counts: &mut BTreeMap<K, u64>, name: K) {
    *counts.entry(name).or_default() += 1;
}

impl Tried {
    pub(super) fn game(&mut self, name: &str, size: u8) {
        count(&mut self.sizes, size);
        count(&mut self.games, name.to_owned());
    }

    pub(super) fn question(&mut self, kind: &str, expected: &QueryResult) {
        let refused = match expected {
            Ok(_) => kind == super::questions::POSITION,
            Err(fault) => {
                count(&mut self.refusals, fault.kind.clone());
                true
            }
        };
        count(&mut self.questions, if refused { kind } else { "another legal move" }.to_owned());
    }

    /// Counts a game that has ended in these ways.
    pub(super) fn end(&mut self, how: &[String], last_cell: bool) {
        for how in how {
            count(&mut self.ends, how.clone());
            if last_cell {
                count(&mut self.ends_on_the_last_cell, how.clone());
            }
        }
        self.asked_beyond_the_end += 1;
    }
}

/// One line for each group of counts.
impl fmt::Display for Tried {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn list<K: fmt::Display>(counts: &BTreeMap<K, u64>) -> String {
            let parts: Vec<String> = counts.iter().map(|(name, count)| format!("{name} {count}")).collect();
            if parts.is_empty() { "none".to_owned() } else { parts.join(", ") }
        }
        writeln!(f, "games by size: {}", list(&self.sizes))?;
        writeln!(f, "games by kind: {}", list(&self.games))?;
        writeln!(f, "questions: {}", list(&self.questions))?;
        writeln!(f, "refusals: {}", list(&self.refusals))?;
        writeln!(f, "ends: {}", list(&self.ends))?;
        writeln!(f, "ends on the last empty cell: {}", list(&self.ends_on_the_last_cell))?;
        write!(f, "games asked beyond their end: {}", self.asked_beyond_the_end)
    }
}
