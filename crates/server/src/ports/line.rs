//! [`ClientLine`] and [`ServerLine`]: the lines of the protocol of the ports.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A line of a program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "snake_case")]
pub enum ClientLine {
    /// `player NAME [KEY]`: the first line of a program that speaks this protocol.
    Player {
        /// The name.
        name: String,
        /// The key of a registered name.
        key: Option<String>,
    },
    /// `gtp NAME [KEY]`: the first and last line of a program that speaks GTP.
    Gtp {
        /// The name.
        name: String,
        /// The key of a registered name.
        key: Option<String>,
    },
    /// `Put MOVE`, or the move alone.
    Put {
        /// The text of the move.
        #[serde(rename = "move")]
        mv: String,
    },
    /// `Swap`.
    Swap,
    /// `Pass`, a word of 2004; no game here has a pass.
    Pass,
    /// `Resign`.
    Resign,
    /// `again`: after a game, wait for the next.
    Again,
    /// `quit`.
    Quit,
}

/// The reason why a line cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{shown}` is no line of this protocol: {why}")]
pub struct LineError {
    shown: String,
    why: &'static str,
}

fn wrong(line: &str, why: &'static str) -> LineError {
    LineError { shown: line.chars().take(40).collect(), why }
}

impl FromStr for ClientLine {
    type Err = LineError;

    /// Reads a line without its end. Words of the protocol may have small or capital letters.
    fn from_str(line: &str) -> Result<Self, LineError> {
        let line = line.trim();
        if line.chars().any(char::is_control) {
            return Err(wrong("", "it has control characters"));
        }
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let named = || {
            let mut words = rest.split_whitespace();
            let name = words.next().ok_or_else(|| wrong(line, "a name is missing"))?.to_owned();
            let key = words.next().map(str::to_owned);
            match words.next() {
                None => Ok((name, key)),
                Some(_) => Err(wrong(line, "a name and a key are all")),
            }
        };
        let alone =
            |found: Self| if rest.is_empty() { Ok(found) } else { Err(wrong(line, "the word stands alone")) };
        match word.to_ascii_lowercase().as_str() {
            "" => Err(wrong(line, "it is empty")),
            "player" => named().map(|(name, key)| Self::Player { name, key }),
            "gtp" => named().map(|(name, key)| Self::Gtp { name, key }),
            "put" if rest.is_empty() => Err(wrong(line, "the move is missing")),
            "put" => Ok(Self::Put { mv: rest.to_owned() }),
            "swap" => alone(Self::Swap),
            "pass" => alone(Self::Pass),
            "resign" => alone(Self::Resign),
            "again" => alone(Self::Again),
            "quit" => alone(Self::Quit),
            _ if rest.is_empty() && line.chars().any(|c| c.is_ascii_digit()) => {
                Ok(Self::Put { mv: line.to_owned() })
            }
            _ => Err(wrong(line, "player, gtp, Put, Swap, Pass, Resign, again, quit")),
        }
    }
}

impl fmt::Display for ClientLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Player { name, key: None } => write!(f, "player {name}"),
            Self::Player { name, key: Some(key) } => write!(f, "player {name} {key}"),
            Self::Gtp { name, key: None } => write!(f, "gtp {name}"),
            Self::Gtp { name, key: Some(key) } => write!(f, "gtp {name} {key}"),
            Self::Put { mv } => write!(f, "Put {mv}"),
            Self::Swap => f.write_str("Swap"),
            Self::Pass => f.write_str("Pass"),
            Self::Resign => f.write_str("Resign"),
            Self::Again => f.write_str("again"),
            Self::Quit => f.write_str("quit"),
        }
    }
}

/// A line of the server. Times are milliseconds; `-` stands for no clock.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "snake_case")]
pub enum ServerLine {
    /// `stonework 1 GAME size N [swap] [clock MAIN+INCREMENT] [move MOST] notation NAME`: the first line.
    Hello {
        /// The name of the game.
        game: String,
        /// The size of the board.
        size: u8,
        /// `true` if the second player may swap.
        swap: bool,
        /// The time for the game and the increment.
        clock: Option<(u64, u64)>,
        /// The greatest time for a move.
        per_move: Option<u64>,
        /// The notation of moves.
        notation: String,
    },
    /// `welcome NAME`.
    Welcome {
        /// The name.
        name: String,
    },
    /// `refused WHY`; the connection ends.
    Refused {
        /// The reason.
        why: String,
    },
    /// `wait`: a sign of life, while there is no opponent.
    Wait,
    /// `game ID SIDE OPPONENT [resume PLIES]`: the game begins, or goes on after PLIES moves, which follow as `move` lines.
    Game {
        /// The id of the game.
        id: String,
        /// The side of the program.
        side: String,
        /// The name of the opponent.
        opponent: String,
        /// The number of moves that are played already.
        resume: Option<u32>,
    },
    /// `turn PLY MINE THEIRS`: the program is to move.
    Turn {
        /// The number of the move, from 1.
        ply: u32,
        /// The clocks of the program and of the opponent.
        clocks: Option<(u64, u64)>,
    },
    /// `ok PLY MOVE`: the move of the program is played and stored.
    Ok {
        /// The number of the move.
        ply: u32,
        /// The move.
        #[serde(rename = "move")]
        mv: String,
    },
    /// `move PLY MOVE MINE THEIRS`: a move of the opponent, or one that was played before the connection broke.
    Move {
        /// The number of the move.
        ply: u32,
        /// The move.
        #[serde(rename = "move")]
        mv: String,
        /// The clocks of the program and of the opponent.
        clocks: Option<(u64, u64)>,
    },
    /// `illegal PLY MOVE: WHY`: the move of the program is refused; its clock runs on.
    Illegal {
        /// The number that the move would have had.
        ply: u32,
        /// The move.
        #[serde(rename = "move")]
        mv: String,
        /// The reason.
        why: String,
    },
    /// `over WINNER HOW [CELLS…]`: the end. WINNER is a side, `draw` or `void`; HOW has its words joined by commas.
    Over {
        /// The side that has won, `draw` or `void`.
        winner: String,
        /// How.
        how: Vec<String>,
        /// The cells that show the first kind of win.
        cells: Vec<String>,
    },
    /// `record ADDRESS`: where the record is.
    Record {
        /// The address.
        address: String,
    },
    /// `error WHY`: a line that cannot be read, or that has no place here.
    Error {
        /// The reason.
        why: String,
    },
}

struct Clocks(Option<(u64, u64)>);

impl fmt::Display for Clocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some((mine, theirs)) => write!(f, "{mine} {theirs}"),
            None => f.write_str("- -"),
        }
    }
}

impl fmt::Display for ServerLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hello { game, size, swap, clock, per_move, notation } => {
                write!(f, "stonework 1 {game} size {size}")?;
                if *swap {
                    f.write_str(" swap")?;
                }
                if let Some((main, increment)) = clock {
                    write!(f, " clock {main}+{increment}")?;
                }
                if let Some(most) = per_move {
                    write!(f, " move {most}")?;
                }
                write!(f, " notation {notation}")
            }
            Self::Welcome { name } => write!(f, "welcome {name}"),
            Self::Refused { why } => write!(f, "refused {why}"),
            Self::Wait => f.write_str("wait"),
            Self::Game { id, side, opponent, resume } => {
                write!(f, "game {id} {side} {opponent}")?;
                resume.map_or(Ok(()), |plies| write!(f, " resume {plies}"))
            }
            Self::Turn { ply, clocks } => write!(f, "turn {ply} {}", Clocks(*clocks)),
            Self::Ok { ply, mv } => write!(f, "ok {ply} {mv}"),
            Self::Move { ply, mv, clocks } => write!(f, "move {ply} {mv} {}", Clocks(*clocks)),
            Self::Illegal { ply, mv, why } => write!(f, "illegal {ply} {mv}: {why}"),
            Self::Over { winner, how, cells } => {
                write!(f, "over {winner} {}", how.join(",").replace(' ', "_"))?;
                cells.iter().try_for_each(|cell| write!(f, " {cell}"))
            }
            Self::Record { address } => write!(f, "record {address}"),
            Self::Error { why } => write!(f, "error {why}"),
        }
    }
}

/// Reads two clocks, or `- -` for none.
fn clocks(words: &[&str]) -> Option<Clocks> {
    match words {
        ["-", "-"] => Some(Clocks(None)),
        [mine, theirs] => Some(Clocks(Some((mine.parse().ok()?, theirs.parse().ok()?)))),
        _ => None,
    }
}

/// Reads the words after `stonework 1`.
fn hello(words: &[&str]) -> Option<ServerLine> {
    let [game, "size", size, rest @ ..] = words else { return None };
    let (mut rest, size) = (rest, size.parse().ok()?);
    let swap = rest.first() == Some(&"swap");
    rest = &rest[usize::from(swap)..];
    let (mut clock, mut per_move) = (None, None);
    if let ["clock", text, more @ ..] = rest {
        let (main, increment) = text.split_once('+')?;
        clock = Some((main.parse().ok()?, increment.parse().ok()?));
        rest = more;
    }
    if let ["move", most, more @ ..] = rest {
        per_move = Some(most.parse().ok()?);
        rest = more;
    }
    let ["notation", notation] = rest else { return None };
    let (game, notation) = ((*game).to_owned(), (*notation).to_owned());
    Some(ServerLine::Hello { game, size, swap, clock, per_move, notation })
}

/// Reads a line of the server, without its end.
fn server_line(line: &str) -> Option<ServerLine> {
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    let words: Vec<&str> = rest.split_whitespace().collect();
    let text = rest.to_owned();
    Some(match (word, &words[..]) {
        ("stonework", ["1", more @ ..]) => hello(more)?,
        ("welcome", [name]) => ServerLine::Welcome { name: (*name).to_owned() },
        ("refused", _) => ServerLine::Refused { why: text },
        ("wait", []) => ServerLine::Wait,
        ("game", [id, side, opponent, more @ ..]) => {
            let resume = match more {
                [] => None,
                ["resume", plies] => Some(plies.parse().ok()?),
                _ => return None,
            };
            let [id, side, opponent] = [id, side, opponent].map(|word| (*word).to_owned());
            ServerLine::Game { id, side, opponent, resume }
        }
        ("turn", [ply, more @ ..]) => ServerLine::Turn { ply: ply.parse().ok()?, clocks: clocks(more)?.0 },
        ("ok", [ply, mv @ ..]) if !mv.is_empty() => {
            ServerLine::Ok { ply: ply.parse().ok()?, mv: mv.join(" ") }
        }
        ("move", [ply, mv @ .., mine, theirs]) if !mv.is_empty() => {
            ServerLine::Move { ply: ply.parse().ok()?, mv: mv.join(" "), clocks: clocks(&[mine, theirs])?.0 }
        }
        ("illegal", _) => {
            let (ply, more) = rest.split_once(' ')?;
            let (mv, why) = more.split_once(": ")?;
            ServerLine::Illegal { ply: ply.parse().ok()?, mv: mv.to_owned(), why: why.to_owned() }
        }
        ("over", [winner, how, cells @ ..]) => ServerLine::Over {
            winner: (*winner).to_owned(),
            how: how.split(',').map(|word| word.replace('_', " ")).collect(),
            cells: cells.iter().map(|cell| (*cell).to_owned()).collect(),
        },
        ("record", [address]) => ServerLine::Record { address: (*address).to_owned() },
        ("error", _) => ServerLine::Error { why: text },
        _ => return None,
    })
}

impl FromStr for ServerLine {
    type Err = LineError;

    fn from_str(line: &str) -> Result<Self, LineError> {
        server_line(line.trim_end()).ok_or_else(|| wrong(line, "no line of a server"))
    }
}
