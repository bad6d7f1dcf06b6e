//! The end of a replayed game beside the end that its record claims.

use std::fmt;

use stonework_game::text::head;
use stonework_game::{Game, Outcome, Player};
use stonework_havannah::{Move, Position, WinKind};
use stonework_record::Claim;
use stonework_session::outcome_name;

use super::{ListedGame, player};

/// A game of Havannah after its moves.
#[derive(Clone, Debug)]
pub struct ReplayedGame {
    /// The last position.
    pub position: Position,
    /// The moves that have been played.
    pub moves: Vec<Move>,
    /// The side that has resigned.
    pub resigned: Option<Player>,
    /// The number of moves in the record after a resignation.
    pub passed_over: usize,
}

/// The way in which a game ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameEnd {
    /// A ring, a bridge or a fork.
    Formation,
    /// The full board without a formation.
    Draw,
    /// A resignation.
    Resignation,
    /// No end: the record stops before.
    Unfinished,
}

impl GameEnd {
    /// The name in the output of `stonework replay`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Formation => "formation",
            Self::Draw => "draw",
            Self::Resignation => "resign",
            Self::Unfinished => "unfinished",
        }
    }
}

fn name(outcome: Outcome) -> &'static str {
    outcome_name::<Position>(outcome)
}

impl ReplayedGame {
    /// The way in which the game ends.
    #[must_use]
    pub fn end(&self) -> GameEnd {
        match (self.position.outcome(), self.resigned) {
            (Some(Outcome::Win(_)), _) => GameEnd::Formation,
            (Some(Outcome::Draw), _) => GameEnd::Draw,
            (None, Some(_)) => GameEnd::Resignation,
            (None, None) => GameEnd::Unfinished,
        }
    }

    /// The outcome by the rules or by resignation; `None` for an unfinished game.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.position.outcome().or(self.resigned.map(|player| Outcome::Win(player.other())))
    }
}

impl ListedGame {
    /// The beginning of the oddity of a record that claims another result than that of its moves.
    pub const CLAIMS: &str = "the record claims";

    /// The oddities of the record, those that only the moves show among them: a claimed result that the moves deny, and
    /// moves after a resignation.
    #[must_use]
    pub fn oddities(&self, replayed: &ReplayedGame) -> Vec<String> {
        let mut oddities = self.quirks.clone();
        let agrees = self.claim_agrees(replayed);
        if let (Some(false), Some(claimed), Some(outcome)) = (agrees, &self.claimed, replayed.outcome()) {
            oddities.push(format!("{} {claimed}, the moves say {}", Self::CLAIMS, name(outcome)));
        }
        if replayed.passed_over > 0 {
            oddities.push(format!("moves after the resignation, passed over: {}", replayed.passed_over));
        }
        oddities
    }

    /// `true` if the claimed result is the result of the moves; `None` if the record or the moves have no result.
    #[must_use]
    pub fn claim_agrees(&self, replayed: &ReplayedGame) -> Option<bool> {
        let claimed = match self.claimed.as_ref()? {
            Claim::Draw => Outcome::Draw,
            other => Outcome::Win(player(other.winner()?)),
        };
        replayed.outcome().map(|outcome| outcome == claimed)
    }

    /// The points in which a list of games and its moves differ, in words: notations, end, winner, kinds of win, number
    /// of the winning move. Empty for the game of a tree. A game of a list that has no field about its end can only differ in notations.
    #[must_use]
    pub fn disagreements(&self, replayed: &ReplayedGame) -> Vec<String> {
        let Some(said) = &self.listed else { return Vec::new() };
        let mut differs = Vec::new();
        if !said.notations_agree {
            differs.push("`moves` and `moves_hgui` are different moves".to_owned());
        }
        let formation = replayed.end() == GameEnd::Formation;
        let told = said.winner.is_some() || said.kinds.is_some() || said.ply.is_some();
        let says_so = match said.end.as_deref() {
            Some(end) => end == "formation" || said.winner.is_some(),
            None => told,
        };
        // A list of moves alone says nothing of the end.
        let says_something = said.end.is_some() || told;
        if says_something && formation != says_so {
            let (record, moves) = if says_so { ("a", "no") } else { ("no", "a") };
            differs.push(format!(
                "the list has {record} formation at the end, the moves have {moves} formation"
            ));
            return differs;
        }
        let winner = replayed.position.outcome().map(name);
        let named = said.winner.as_deref().map(|w| match w {
            "W" => "white",
            "B" => "black",
            other => other,
        });
        if formation && named.is_some() && named != winner {
            differs.push(format!(
                "winner {}, the moves say {}",
                head(named.unwrap_or("")),
                winner.unwrap_or("nobody")
            ));
        }
        if let (true, Some(kinds)) = (formation, &said.kinds) {
            let mut kinds: Vec<&str> = kinds.iter().map(String::as_str).collect();
            let mut how = replayed.position.kinds().iter().map(WinKind::name).collect::<Vec<_>>();
            kinds.sort_unstable();
            how.sort_unstable();
            if kinds != how {
                let (kinds, how) = (kinds.join(" and "), how.join(" and "));
                differs.push(format!("kinds {}, the moves say {how}", head(&kinds)));
            }
        }
        if let (true, Some(ply)) = (formation, said.ply)
            && ply + 1 != replayed.moves.len() as u64
        {
            differs.push(format!("winning move {}, the moves say {}", ply + 1, replayed.moves.len()));
        }
        differs
    }
}

/// Counts over a list of games; its `Display` is the summary of `stonework replay`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ReplayCounts {
    /// All games.
    pub games: u64,
    /// Games that end in a formation.
    pub formations: u64,
    /// Games that end by resignation.
    pub resignations: u64,
    /// Drawn games.
    pub draws: u64,
    /// Games without an end.
    pub unfinished: u64,
    /// Games for which the list names the winner.
    pub compared: u64,
    /// Games with [disagreements](ListedGame::disagreements).
    pub differing: u64,
    /// Games with a claimed result that the moves can confirm or deny.
    pub claims: u64,
    /// Games with a claimed result that the moves deny.
    pub denied: u64,
}

impl ReplayCounts {
    /// Counts a game.
    pub fn count(&mut self, game: &ListedGame, replayed: &ReplayedGame) {
        self.games += 1;
        match replayed.end() {
            GameEnd::Formation => self.formations += 1,
            GameEnd::Resignation => self.resignations += 1,
            GameEnd::Draw => self.draws += 1,
            GameEnd::Unfinished => self.unfinished += 1,
        }
        self.compared += u64::from(game.listed.as_ref().is_some_and(|listed| listed.winner.is_some()));
        self.differing += u64::from(!game.disagreements(replayed).is_empty());
        self.claims += u64::from(game.claim_agrees(replayed).is_some());
        self.denied += u64::from(game.claim_agrees(replayed) == Some(false));
    }
}

impl fmt::Display for ReplayCounts {
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
