//! What a comparison has asked, so that "no disagreement" says how much that is.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use crate::query::QueryResult;

/// What a comparison has tried: each a count by name.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct Tried {
    /// Games by the size of the board.
    pub sizes: BTreeMap<u8, u64>,
    /// Games by what they were made for, or by where they are printed.
    pub games: BTreeMap<String, u64>,
    /// Questions by what they ask: `position` after a move of a game; else a move that the position does not
    /// allow, by what is wrong with it; `another legal move` where it turned out to be allowed.
    pub questions: BTreeMap<String, u64>,
    /// Games that came to their end, by how they ended: `ring`, `homebase`, `draw` and so on. A game won in two
    /// ways counts for both.
    pub ends: BTreeMap<String, u64>,
    /// Those of them that ended on the last empty cell of the board.
    pub ends_on_the_last_cell: BTreeMap<String, u64>,
    /// Ended games in which moves after the end were asked.
    pub asked_beyond_the_end: u64,
    /// Questions that we answer with a refusal, by the kind of the refusal.
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

    /// A game that has ended in these ways.
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

/// A line each.
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
