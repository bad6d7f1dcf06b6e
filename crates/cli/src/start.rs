//! The arguments that say which game, which board and which position.

use std::time::Duration;

use clap::Args;
use stonework_board::{Board, Notation};
use stonework_game::{Game, Outcome};
use stonework_havannah::{Move, Position, colour};
use stonework_oracle::{Fault, GAMES, Query, play, start};

use crate::failure::Failure;

/// The game.
#[derive(Args)]
pub(crate) struct GameArgs {
    /// Which game
    #[arg(long, value_name = "GAME", default_value = GAMES[0], value_parser = game)]
    pub(crate) game: String,
}

/// A position: a start, and moves from there.
#[derive(Args)]
pub(crate) struct StartArgs {
    #[command(flatten)]
    game: GameArgs,
    /// Cells on a side of the board, 2 to 20
    #[arg(long, value_name = "N", value_parser = size, allow_negative_numbers = true)]
    size: Option<u8>,
    /// Play with the right to swap: black's first action may be `swap`
    #[arg(long, conflicts_with = "position")]
    swap: bool,
    /// Start from a position in its one-line text form `SIZE SIDE SWAP ROWS`, such as
    /// "2 b - w./.../.." (the oracle gives it as `board`)
    #[arg(long, value_name = "TEXT")]
    position: Option<String>,
    /// Play these moves first, separated by spaces or commas
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,
    /// How cells are named, in and out: hgui (unless given), grid, rogers or web
    #[arg(long, value_name = "NOTATION")]
    notation: Option<Notation>,
}

/// What [`StartArgs`] say.
pub(crate) struct Started {
    pub(crate) position: Position,
    /// The moves that have led there.
    pub(crate) moves: Vec<Move>,
}

impl StartArgs {
    /// Whether a board or position is given at all.
    pub(crate) const fn is_given(&self) -> bool {
        self.size.is_some() || self.position.is_some() || self.moves.is_some() || self.swap
    }

    /// The notation, if one is given.
    pub(crate) const fn notation(&self) -> Option<Notation> {
        self.notation
    }

    /// Sets up the start and plays the moves.
    pub(crate) fn play(&self) -> Result<Started, Failure> {
        let query = Query {
            size: self.size.map(u64::from),
            position: self.position.clone(),
            swap: self.swap,
            game: self.game.game.clone(),
            ..Query::new(GAMES[0], 2, false, Vec::new())
        };
        if self.size.is_none() && self.position.is_none() {
            return Err(Failure::input("no board: give --size N (2 to 20) or --position TEXT"));
        }
        let mut position = start(&query).map_err(|fault| self.place(fault))?;
        let notation = self.notation.unwrap_or_default();
        notation.fits(position.board().shape()).map_err(Failure::input)?;
        let mut moves = Vec::new();
        for text in split(self.moves.as_deref().unwrap_or_default()) {
            play(&mut position, notation, text).map_err(|fault| refused(moves.len() + 1, text, &fault))?;
            // It has just been read without error.
            let cell = || notation.parse(position.board(), text).map(Move::Place);
            let swap = text.eq_ignore_ascii_case("swap");
            moves.push(if swap { Move::Swap } else { cell().map_err(Failure::input)? });
        }
        Ok(Started { position, moves })
    }

    fn place(&self, fault: Fault) -> Failure {
        match (&self.position, self.size) {
            (Some(text), Some(size)) if fault.kind == "size" => {
                Failure::input(format!("--size {size}, but the position {} has another size", head(text)))
            }
            (Some(_), _) => Failure::input(format!("--position: {fault}")),
            _ => Failure::input(fault),
        }
    }
}

/// What is wrong with a move, which is named once.
fn refused(number: usize, text: &str, fault: &Fault) -> Failure {
    let text = head(text);
    let named = fault.message.contains(text);
    let name = if named { String::new() } else { format!(" ({text})") };
    Failure::input(format!("move {number}{name}: {fault}"))
}

impl Started {
    /// Refuses a game that is over, for commands that play on.
    pub(crate) fn open(self) -> Result<Self, Failure> {
        match self.position.outcome() {
            None => Ok(self),
            Some(Outcome::Win(player)) => {
                Err(Failure::input(format!("the game is over: {} has won", colour(player))))
            }
            Some(Outcome::Draw) => Err(Failure::input("the game is over: a draw")),
        }
    }
}

/// Moves or cells that are separated by spaces or commas.
pub(crate) fn split(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c == ',' || c.is_whitespace()).filter(|word| !word.is_empty())
}

/// The name of a game, if it is one that there is.
fn game(name: &str) -> Result<String, String> {
    if GAMES.contains(&name) {
        return Ok(name.to_owned());
    }
    Err(format!("there is {}", GAMES.join(", ")))
}

/// The size of a board.
pub(crate) fn size(text: &str) -> Result<u8, String> {
    let number: u64 = text.parse().map_err(|_| "sizes are 2 to 20".to_owned())?;
    let size = u8::try_from(number).map_err(|_| "sizes are 2 to 20".to_owned())?;
    Board::hexagon(size).map(|_| size).map_err(|e| e.to_string())
}

/// A time in seconds, more than none and at most a year.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "a number of seconds, such as 2 or 0.5".to_owned())?;
    if !(seconds > 0.0 && seconds <= 31_557_600.0) {
        return Err("a number of seconds above 0, up to 31557600".to_owned());
    }
    Ok(Duration::from_secs_f64(seconds))
}

/// At most 40 characters of a user's text.
pub(crate) fn head(text: &str) -> &str {
    text.char_indices().nth(40).map_or(text, |(end, _)| &text[..end])
}
