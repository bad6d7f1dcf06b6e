//! The arguments that say which game, which board and which position.

use std::time::Duration;

use clap::Args;
use stonework_board::{Board, Notation};
use stonework_game::text::head;
use stonework_game::{Game, Outcome};
use stonework_havannah::Position;
use stonework_oracle::{Asked, Fault, GAMES, Query, outcome_name, play};

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
    /// Cells on a side of the board: 2 to 20, for Cachex 3 to 15; for Cover the X of Cover-X, 1 to 10
    #[arg(long, value_name = "N", value_parser = any_size, allow_negative_numbers = true)]
    size: Option<u64>,
    /// Play with the right to swap: black's first action may be `swap`
    #[arg(long, conflicts_with = "position")]
    swap: bool,
    /// Start from a position in its one-line text form `SIZE SIDE SWAP ROWS`, such as
    /// "2 b - w./.../.." (the oracle gives it as `board`); for Cachex also rows, such as "r.b/.../...", for
    /// Cover stones, such as `[C01,A03]x[G05,E07]`
    #[arg(long, value_name = "TEXT")]
    position: Option<String>,
    /// Play these moves first, separated by spaces or, but for Cachex, commas
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,
    /// How cells are named, in and out: hgui (unless given), grid, rogers or web
    #[arg(long, value_name = "NOTATION")]
    notation: Option<Notation>,
}

/// What [`StartArgs`] say.
pub(crate) struct Started<G: Game = Position> {
    pub(crate) position: G,
    /// The moves that have led there.
    pub(crate) moves: Vec<G::Move>,
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

    /// The name of the game.
    pub(crate) fn game(&self) -> &str {
        &self.game.game
    }

    /// Sets up the start of a game of Havannah and plays the moves.
    pub(crate) fn play(&self) -> Result<Started, Failure> {
        self.only_havannah("this command")?;
        self.play_as()
    }

    /// The same, where a position is known from elsewhere: it is the start if neither board nor position is given.
    pub(crate) fn play_from(&self, start: Position) -> Result<Started, Failure> {
        if self.size.is_some() || self.position.is_some() || self.swap {
            return self.play();
        }
        self.only_havannah("this command")?;
        self.play_on(start, &self.query::<Position>())
    }

    /// Refuses other games than Havannah.
    pub(crate) fn only_havannah(&self, what: &str) -> Result<(), Failure> {
        if self.game() == Position::NAME {
            return Ok(());
        }
        Err(Failure::input(format!("--game {}: {what} knows only havannah", self.game())))
    }

    /// Sets up the start and plays the moves of a game, which must be the one that is named.
    pub(crate) fn play_as<G: Asked>(&self) -> Result<Started<G>, Failure> {
        if self.size.is_none() && self.position.is_none() {
            let (least, most) = G::SIZES;
            return Err(Failure::input(format!(
                "no board: give --size N ({least} to {most}) or --position TEXT"
            )));
        }
        let query = self.query::<G>();
        let position = G::start(&query).map_err(|fault| self.place(fault))?;
        self.play_on(position, &query)
    }

    /// What is asked of the oracle, but for the moves.
    fn query<G: Asked>(&self) -> Query {
        Query {
            size: self.size,
            notation: self.notation.map(|notation| notation.name().to_owned()),
            position: self.position.clone(),
            swap: self.swap,
            ..Query::new(G::NAME, 2, false, Vec::new())
        }
    }

    /// Plays the moves.
    fn play_on<G: Asked>(&self, mut position: G, query: &Query) -> Result<Started<G>, Failure> {
        let names = position.names(query).map_err(Failure::input)?;
        let mut moves = Vec::new();
        let listed = self.moves.as_deref().unwrap_or_default();
        let words: Vec<&str> =
            if G::COMMAS { split(listed).collect() } else { listed.split_whitespace().collect() };
        for text in words {
            let played = play(&mut position, names, text);
            let (mv, _) = played.map_err(|fault| refused(moves.len() + 1, text, &fault))?;
            moves.push(mv);
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

impl<G: Asked> Started<G> {
    /// Refuses a game that is over, for commands that play on.
    pub(crate) fn open(self) -> Result<Self, Failure> {
        match self.position.outcome() {
            None => Ok(self),
            Some(end @ Outcome::Win(_)) => {
                Err(Failure::input(format!("the game is over: {} has won", outcome_name::<G>(end))))
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

/// A size, whatever the game.
pub(crate) fn any_size(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "a number of cells on a side, such as 4".to_owned())
}

/// The size of a board of Havannah.
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
