//! [`Claim`] and [`Goal`]: the statements that proofs show.

use std::fmt;
use std::str::FromStr;

use stonework_game::{Outcome, Player, text};

/// A statement about a position, which a proof shows.
///
/// The text of a claim is one of `first wins`, `second wins`, `first does not win`, `second does not win`, `draw`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Claim {
    /// This player wins.
    Wins(Player),
    /// This player does not win: the game is a draw or the opponent wins.
    DoesNotWin(Player),
    /// Neither player wins.
    Draw,
}

impl Claim {
    /// The claim that the game ends with an outcome.
    #[must_use]
    pub const fn of(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Win(player) => Self::Wins(player),
            Outcome::Draw => Self::Draw,
        }
    }

    /// The goals that together make the claim, each with a strategy of its own: one goal, or two goals for a draw.
    pub fn goals(self) -> impl Iterator<Item = Goal> {
        let goals = match self {
            Self::Wins(player) => [Some(Goal { player, wins: true }), None],
            Self::DoesNotWin(player) => [Some(Goal { player, wins: false }), None],
            Self::Draw => Player::BOTH.map(|player| Some(Goal { player, wins: false })),
        };
        goals.into_iter().flatten()
    }

    /// `true` if the claim `other` about the same position follows from this claim.
    #[must_use]
    pub fn shows(self, other: Self) -> bool {
        match (self, other) {
            (Self::Wins(winner), Self::DoesNotWin(loser)) => winner != loser,
            (Self::Draw, Self::DoesNotWin(_)) => true,
            _ => self == other,
        }
    }

    const ALL: [(Self, &'static str); 5] = [
        (Self::Wins(Player::First), "first wins"),
        (Self::Wins(Player::Second), "second wins"),
        (Self::DoesNotWin(Player::First), "first does not win"),
        (Self::DoesNotWin(Player::Second), "second does not win"),
        (Self::Draw, "draw"),
    ];
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Self::ALL.iter().find(|(claim, _)| claim == self).map_or("", |&(_, name)| name);
        f.write_str(name)
    }
}

/// A text that is not a claim: its first 40 characters.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` is no claim: there are {list}", list = Claim::ALL.map(|(_, name)| name).join(", "))]
#[non_exhaustive]
pub struct UnknownClaim(pub String);

impl FromStr for Claim {
    type Err = UnknownClaim;

    fn from_str(words: &str) -> Result<Self, UnknownClaim> {
        let found = Self::ALL.iter().find(|(_, name)| *name == words);
        found.map(|&(claim, _)| claim).ok_or_else(|| UnknownClaim(text::head(words).to_owned()))
    }
}

/// The goal of one strategy: that a player wins, or that a player does not win.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Goal {
    /// The player of the goal.
    pub player: Player,
    /// `true` if the goal is that the player wins; `false` if the goal is that the player does not win.
    pub wins: bool,
}

impl Goal {
    /// The side that follows the strategy: the winner, or the opponent of the player who does not win.
    #[must_use]
    pub const fn side(self) -> Player {
        if self.wins { self.player } else { self.player.other() }
    }

    /// `true` if a game with this outcome has reached the goal.
    #[must_use]
    pub fn is_reached(self, outcome: Outcome) -> bool {
        (outcome == Outcome::Win(self.player)) == self.wins
    }

    /// The claim with this goal alone.
    #[must_use]
    pub const fn claim(self) -> Claim {
        if self.wins { Claim::Wins(self.player) } else { Claim::DoesNotWin(self.player) }
    }
}
