//! [`GameEvent`]: what happens in a game. [`Order`]: what a player asks for.

use serde::{Deserialize, Serialize};
use stonework_session::Start;

/// The time of a game. All numbers are milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClockSettings {
    /// The time of each side for the whole game; `None` is no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub main: Option<u64>,
    /// The time that a side gets after each of its moves; it needs `main`.
    #[serde(default)]
    pub increment: u64,
    /// The greatest time for one move; `None` is no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_move: Option<u64>,
}

/// The greatest time of a clock: thirty days.
pub(crate) const MOST_TIME: u64 = 30 * 24 * 3600 * 1000;

impl ClockSettings {
    /// Reads `SECONDS` or `SECONDS+INCREMENT`.
    ///
    /// # Errors
    /// A sentence with the offending text.
    ///
    /// ```
    /// use stonework_server::ClockSettings;
    /// let clock = ClockSettings::parse("300+5")?;
    /// assert_eq!((clock.main, clock.increment, clock.per_move), (Some(300_000), 5_000, None));
    /// assert!(ClockSettings::parse("soon").is_err());
    /// # Ok::<(), String>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self, String> {
        let (main, increment) = text.split_once('+').unwrap_or((text, "0"));
        let number = |part: &str| {
            let seconds: Option<u64> = part.trim().parse().ok();
            seconds.and_then(|seconds| seconds.checked_mul(1000)).filter(|&millis| millis <= MOST_TIME)
        };
        if let (Some(main @ 1..), Some(increment)) = (number(main), number(increment)) {
            return Ok(Self { main: Some(main), increment, per_move: None });
        }
        let shown: String = text.chars().take(40).collect();
        Err(format!(
            "the clock `{shown}` is not SECONDS+INCREMENT, with at most {} seconds",
            MOST_TIME / 1000
        ))
    }

    /// Checks the limits of the numbers.
    ///
    /// # Errors
    /// A sentence with the offending number.
    pub fn check(&self) -> Result<(), String> {
        let times = [self.main.unwrap_or(1), self.increment, self.per_move.unwrap_or(1)];
        if let Some(time) = times.into_iter().find(|&time| time > MOST_TIME) {
            return Err(format!("a time of {time} ms: at most {MOST_TIME}"));
        }
        if self.main == Some(0) || self.per_move == Some(0) {
            return Err("a time of 0 ms: at least 1".to_owned());
        }
        if self.main.is_none() && self.increment > 0 {
            return Err(format!("an increment of {} ms without a time for the game", self.increment));
        }
        Ok(())
    }
}

/// The game, the board and the time that both players agree on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameSettings {
    /// The name of the game.
    pub game: String,
    /// The size of the board.
    pub size: u8,
    /// `true` if the second player may swap.
    #[serde(default)]
    pub swap: bool,
    /// The time.
    #[serde(default)]
    pub clock: ClockSettings,
}

impl GameSettings {
    /// The first position.
    #[must_use]
    pub fn start(&self) -> Start {
        Start { swap: self.swap, ..Start::of_size(self.size.into()) }
    }
}

/// The kind of player at one side of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SeatKind {
    /// A person on the page, or a program over the web. An illegal move is refused, no more.
    Person,
    /// A program on a port. The third illegal move loses the game; so does an absence of 60 seconds.
    Program,
    /// An engine of the server. Its clock runs while it searches, not while it waits for a free thread.
    Engine,
}

/// A player at one side of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Seat {
    /// The name of the player.
    pub name: String,
    /// The kind of player.
    pub kind: SeatKind,
}

/// A proposal of one side, which the other side accepts or declines.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Proposal {
    /// The moves since the last decision of the side that proposes are taken back.
    Takeback,
    /// The game is a draw.
    Draw,
    /// After the end: another game, with the sides exchanged.
    Rematch,
}

/// An event of a game. The events of a game are numbered from 1, and together they are the game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum GameEvent {
    /// The game begins. This is the first event.
    Begun {
        /// The game, the board and the time.
        settings: GameSettings,
        /// The players, the first player first.
        seats: [Seat; 2],
    },
    /// A move is played.
    Moved {
        /// The number of the move, from 1.
        ply: u32,
        /// The side that moves.
        side: String,
        /// The move in the usual notation of the game.
        #[serde(rename = "move")]
        mv: String,
        /// The milliseconds that the clock of the side has lost.
        used: u64,
        /// The milliseconds that both sides have left; `None` without a clock.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clocks: Option<[u64; 2]>,
    },
    /// A program has sent an illegal move. The position and the turn stay.
    Illegal {
        /// The number that the move would have had.
        ply: u32,
        /// The side.
        side: String,
        /// The text of the move.
        #[serde(rename = "move")]
        mv: String,
        /// The reason of the rules.
        reason: String,
    },
    /// A side proposes.
    Proposed {
        /// The side.
        side: String,
        /// The proposal.
        proposal: Proposal,
    },
    /// A side declines the proposal of the other side.
    Declined {
        /// The side that declines.
        side: String,
    },
    /// Moves are taken back.
    TakenBack {
        /// The number of moves that stay.
        plies: u32,
        /// The milliseconds that both sides have left; `None` without a clock.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clocks: Option<[u64; 2]>,
    },
    /// The game has ended.
    Over {
        /// The side that has won, or `draw`; `None` if the game does not count.
        winner: Option<String>,
        /// How: the kinds of win, or `resign`, `time`, `illegal`, `gone`, `agreed`, `plies`, `aborted`, `void`.
        how: Vec<String>,
        /// For each kind of win, the cells that show it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        cells: Vec<Vec<String>>,
    },
    /// Both players have agreed on another game.
    Rematch {
        /// The id of the other game.
        id: String,
    },
}

/// A numbered event of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct NumberedEvent {
    /// The number, from 1 without a gap.
    pub number: u64,
    /// The event.
    #[serde(flatten)]
    pub event: GameEvent,
}

/// A request of a player in a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case", deny_unknown_fields)]
pub enum Order {
    /// Play a move.
    Play {
        /// The move, in any notation of the game that the server recognises without doubt; else in the usual one.
        #[serde(rename = "move")]
        mv: String,
        /// The number that the move must have; an order that comes twice is refused the second time.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ply: Option<u32>,
    },
    /// Give up.
    Resign,
    /// Propose.
    Propose {
        /// The proposal.
        proposal: Proposal,
    },
    /// Accept the proposal of the other side.
    Accept,
    /// Decline the proposal of the other side.
    Decline,
    /// End a game that has fewer than two moves. The game does not count.
    Abort,
}
