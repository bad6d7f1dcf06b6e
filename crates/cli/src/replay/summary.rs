//! Counts over a list of games.

use std::fmt;

use super::report::Report;
use crate::records::{Recorded, Replayed};

/// What a list of games came to.
#[derive(Default)]
pub(super) struct Summary {
    games: u64,
    formations: u64,
    resignations: u64,
    draws: u64,
    unfinished: u64,
    /// Formations whose winner, kinds and ply the list gives.
    compared: u64,
    differing: u64,
    /// Games that claim a result which the moves can confirm or deny, and those denied.
    claims: u64,
    denied: u64,
}

impl Summary {
    pub(super) fn count(&mut self, game: &Recorded, _: &Replayed, report: &Report, differs: &[String]) {
        self.games += 1;
        match report.end {
            "formation" => self.formations += 1,
            "resign" => self.resignations += 1,
            "draw" => self.draws += 1,
            _ => self.unfinished += 1,
        }
        self.compared += u64::from(game.formation.as_ref().is_some_and(|f| f.winner.is_some()));
        self.differing += u64::from(!differs.is_empty());
        self.claims += u64::from(report.claim_agrees().is_some());
        self.denied += u64::from(report.claim_agrees() == Some(false));
    }

    /// Whether the moves of any game say something else than the list.
    pub(super) const fn disagree(&self) -> bool {
        self.differing > 0
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} games: {} end in a formation, {} by resignation, {} in a draw, {} are unfinished",
            self.games, self.formations, self.resignations, self.draws, self.unfinished
        )?;
        if self.compared > 0 || self.differing > 0 {
            writeln!(
                f,
                "{} games name their winner, kinds and winning move: {} games disagree with their moves",
                self.compared, self.differing
            )?;
        }
        if self.denied > 0 {
            writeln!(
                f,
                "{} of {} claimed results are not what the moves say (Little Golem's tag names the loser)",
                self.denied, self.claims
            )?;
        }
        Ok(())
    }
}
