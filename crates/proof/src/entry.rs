//! [`BookEntry`]: the statement of a proof about one position, as data and as a sentence.

use std::fmt;

use stonework_game::{ByPlayer, Outcome, Player};

use crate::{Claim, Goal};

/// A claim about one position, with the reason why it holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BookEntry<M> {
    /// The claim. A proven draw has two entries, one for each player that does not win; only the entry of a
    /// finished game has [`Claim::Draw`].
    pub claim: Claim,
    /// The reason.
    pub why: Why<M>,
    /// An upper bound on the plies until the goal is reached, if the side of the strategy keeps to the book. A goal to
    /// win is reached with the win. A goal that a player does not win is reached when this player can no longer win.
    /// At most 65535.
    pub plies: u32,
    /// `true` if the rules show the claim without the book: by the outcome, by immediate wins, or after forced
    /// moves.
    pub by_rules: bool,
}

/// The reason why a claim holds. The *side* is the side that follows the strategy: see [`Goal::side`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Why<M> {
    /// The game is over.
    Over,
    /// The side is to move, and wins at once with each of these moves.
    AtOnce(Vec<M>),
    /// The opponent is to move, and no move of the opponent stops all of these winning moves.
    Defenceless(Vec<M>),
    /// This move is forced: after any other move the opponent of the side to move wins at once.
    Forced(M),
    /// The side is to move, and this move reaches the goal.
    Move(M),
    /// The side is to move, and wins with this line of threats: each answer to a threat is forced.
    Line(Vec<M>),
    /// The opponent is to move, and no move stops the side.
    All,
    /// The opponent is to move, and no move stops the side. After most moves the side wins with this line of threats.
    Answers(Vec<M>),
    /// The player of a goal not to win can no longer win.
    Never,
}

impl<M> Why<M> {
    /// The moves that are part of the reason.
    pub fn moves(&self) -> &[M] {
        match self {
            Self::AtOnce(moves) | Self::Defenceless(moves) | Self::Line(moves) | Self::Answers(moves) => {
                moves
            }
            Self::Move(mv) | Self::Forced(mv) => std::slice::from_ref(mv),
            Self::Over | Self::All | Self::Never => &[],
        }
    }

    /// The name of the reason in data: `over`, `at_once`, `defenceless`, `forced`, `move`, `line`, `all`, `answers` or `never`.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Over => "over",
            Self::AtOnce(_) => "at_once",
            Self::Defenceless(_) => "defenceless",
            Self::Forced(_) => "forced",
            Self::Move(_) => "move",
            Self::Line(_) => "line",
            Self::All => "all",
            Self::Answers(_) => "answers",
            Self::Never => "never",
        }
    }

    /// The same reason, with `name(move)` in place of each move.
    pub fn map<N>(&self, name: impl Fn(&M) -> N) -> Why<N> {
        let all = |moves: &[M]| moves.iter().map(&name).collect();
        match self {
            Self::Over => Why::Over,
            Self::AtOnce(moves) => Why::AtOnce(all(moves)),
            Self::Defenceless(moves) => Why::Defenceless(all(moves)),
            Self::Forced(mv) => Why::Forced(name(mv)),
            Self::Move(mv) => Why::Move(name(mv)),
            Self::Line(moves) => Why::Line(all(moves)),
            Self::All => Why::All,
            Self::Answers(moves) => Why::Answers(all(moves)),
            Self::Never => Why::Never,
        }
    }
}

/// The reason in words, as a part of a sentence, such as `play d4`.
impl<M: fmt::Display> fmt::Display for Why<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = match self {
            Self::Over => "the game is over",
            Self::AtOnce(_) => "at once with",
            Self::Defenceless(_) => "the opponent cannot stop all of",
            Self::Forced(_) => "only",
            Self::Move(_) => "play",
            Self::Line(_) => "by threats, one after the other:",
            Self::All => "no move of the opponent helps",
            Self::Answers(_) => "no move of the opponent helps; against most moves, these threats:",
            Self::Never => "no way to win is left",
        };
        f.write_str(words)?;
        self.moves().iter().try_for_each(|mv| write!(f, " {mv}"))?;
        f.write_str(if matches!(self, Self::Forced(_)) { " does not lose at once" } else { "" })
    }
}

impl<M> BookEntry<M> {
    /// The source of the claim in data: `rules` or `proof`.
    pub const fn source(&self) -> &'static str {
        if self.by_rules { "rules" } else { "proof" }
    }

    /// The entry with names for people, in place of its players and moves.
    ///
    /// ```
    /// use stonework_game::{ByPlayer, Player};
    /// use stonework_proof::{BookEntry, Claim, Why};
    /// let (claim, why) = (Claim::Wins(Player::Second), Why::Move(3));
    /// let entry = BookEntry { claim, why, plies: 5, by_rules: false };
    /// let named = entry.named(&ByPlayer::new("white", "black"), |cell| format!("c{cell}"));
    /// assert_eq!(named.to_string(), "black wins within 5 plies: play c3 (proof)");
    /// ```
    pub fn named<N>(&self, players: &ByPlayer<&'static str>, name: impl Fn(&M) -> N) -> NamedEntry<N> {
        let Self { claim, plies, by_rules, .. } = *self;
        NamedEntry { entry: BookEntry { claim, why: self.why.map(name), plies, by_rules }, players: *players }
    }
}

/// A [`BookEntry`] with names for people. Its text is a sentence.
///
/// With the feature `serde` the entry is written as an object: `claim` (such as `white wins`), `reason`
/// ([`Why::name`]), `moves`, `plies`, `from` ([`BookEntry::source`]).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedEntry<N> {
    entry: BookEntry<N>,
    players: ByPlayer<&'static str>,
}

impl<N> NamedEntry<N> {
    /// The claim in words, such as `white does not win`.
    pub fn claim(&self) -> String {
        match self.entry.claim {
            Claim::Wins(player) => format!("{} wins", self.players[player]),
            Claim::DoesNotWin(player) => format!("{} does not win", self.players[player]),
            Claim::Draw => "a draw".to_owned(),
        }
    }
}

impl<N: fmt::Display> fmt::Display for NamedEntry<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BookEntry { claim, why, plies, .. } = &self.entry;
        f.write_str(&self.claim())?;
        if !matches!((why, claim), (Why::Over | Why::AtOnce(_), _) | (_, Claim::DoesNotWin(_))) {
            write!(f, " within {plies} plies")?;
        }
        write!(f, ": {why} ({})", self.entry.source())
    }
}

#[cfg(feature = "serde")]
impl<N: serde::Serialize> serde::Serialize for NamedEntry<N> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut fields = serializer.serialize_struct("NamedEntry", 5)?;
        fields.serialize_field("claim", &self.claim())?;
        fields.serialize_field("reason", self.entry.why.name())?;
        fields.serialize_field("moves", self.entry.why.moves())?;
        fields.serialize_field("plies", &self.entry.plies)?;
        fields.serialize_field("from", self.entry.source())?;
        fields.end()
    }
}

/// The value of a position by all entries about it; `None` if the entries leave the value open.
pub fn value_of<M>(entries: &[BookEntry<M>]) -> Option<Outcome> {
    let shows = |claim| entries.iter().any(|entry| entry.claim.shows(claim));
    let winner = Player::BOTH.into_iter().find(|&player| shows(Claim::Wins(player)));
    let drawn = Player::BOTH.into_iter().all(|player| shows(Goal { player, wins: false }.claim()));
    winner.map(Outcome::Win).or(drawn.then_some(Outcome::Draw))
}
