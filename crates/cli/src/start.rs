//! The arguments for the game, the board and the position.

use std::time::Duration;

use clap::Args;
use clap::builder::RangedI64ValueParser;
use stonework_arena::Pace;
use stonework_board::{Board, Notation};
use stonework_game::text::head;
use stonework_game::{Game, Indexed, Outcome};
use stonework_havannah::Position;
use stonework_session::{AnyPosition, Described, Description, Fault, GameType, Registry, Start};

use crate::failure::Failure;

/// The game.
#[derive(Args)]
pub(crate) struct GameArgs {
    /// The game, by name
    #[arg(id = REGISTERED, long = "game", value_name = "GAME", default_value = HAVANNAH)]
    pub(crate) game: String,
}

/// The argument that names a game of the registry.
pub(crate) const REGISTERED: &str = "registered game";

/// The name of the game with its own solvers, with proofs, and with records in several dialects.
pub(crate) const HAVANNAH: &str = Position::DESCRIPTION.name;

impl GameArgs {
    /// The game.
    pub(crate) fn of<'a>(&self, registry: &'a Registry) -> Result<&'a GameType, Failure> {
        registry.game(&self.game).map_err(Failure::input)
    }
}

/// The number of a notation of a game; 0, the usual notation, if the game does not have the notation.
pub(crate) fn number(game: &Description, notation: Notation) -> usize {
    game.notations.iter().position(|&name| name == notation.name()).unwrap_or(0)
}

/// The right to swap: asked for, refused, or else as the command has it. `ON` is the default of the command for a game
/// with a swap.
#[derive(Args)]
pub(crate) struct SwapArgs<const ON: bool> {
    #[arg(long, conflicts_with = "no_swap", help = usual(SWAP, ON))]
    swap: bool,
    #[arg(long, help = usual(NO_SWAP, !ON))]
    no_swap: bool,
}

const SWAP: &str = "Play with the right to swap: black's first action may be `swap`";

const NO_SWAP: &str = "Play without the right to swap";

/// The help of an option that is perhaps the default in Havannah, the game with a swap.
fn usual(help: &str, is_default: bool) -> String {
    if is_default { format!("{help} (the default in Havannah)") } else { help.to_owned() }
}

impl<const ON: bool> SwapArgs<ON> {
    /// The right to swap, if an argument names it.
    pub(crate) const fn given(&self) -> Option<bool> {
        if self.swap || self.no_swap { Some(self.swap) } else { None }
    }

    /// `true` if a game is played with the right to swap.
    pub(crate) fn of(&self, game: &Description) -> bool {
        self.given().unwrap_or(ON && game.swaps)
    }
}

/// A position: a start, and moves from there. `ON` is the default of the command for the right to swap.
#[derive(Args)]
pub(crate) struct StartArgs<const ON: bool = false> {
    #[command(flatten)]
    game: GameArgs,
    /// Size of the board: Havannah 2 to 20, Cachex 3 to 15, Cover 1 to 10
    #[arg(long, value_name = "N", value_parser = any_size, allow_negative_numbers = true)]
    size: Option<u64>,
    #[command(flatten)]
    swap: SwapArgs<ON>,
    /// Start from a position as text, such as "2 b - w./.../.." or `[C01,A03]x[G05]`
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["swap", "no_swap"])]
    position: Option<String>,
    /// Play these moves first, separated by spaces (or commas, not in Cachex)
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,
    /// The notation of cells: hgui (unless given), grid, rogers or web
    #[arg(long, value_name = "NOTATION")]
    notation: Option<Notation>,
}

/// The position and the moves of [`StartArgs`].
pub(crate) struct Started<G: Game = Position> {
    pub(crate) position: G,
    /// The moves that led to the position.
    pub(crate) moves: Vec<G::Move>,
}

impl<const ON: bool> StartArgs<ON> {
    /// `true` if an argument names a board or a position.
    pub(crate) const fn is_given(&self) -> bool {
        self.size.is_some() || self.position.is_some() || self.moves.is_some() || self.swap.given().is_some()
    }

    /// The notation, if an argument names one.
    pub(crate) const fn notation(&self) -> Option<Notation> {
        self.notation
    }

    /// The name of the game.
    pub(crate) fn game(&self) -> &str {
        &self.game.game
    }

    /// The number of the notation in a game.
    pub(crate) fn notation_in(&self, game: &Description) -> usize {
        number(game, self.notation.unwrap_or_default())
    }

    /// The start and the texts of the moves.
    pub(crate) fn options(&self, game: &Description) -> (Start, Vec<String>) {
        let moves = game.words(self.moves.as_deref().unwrap_or_default()).map(str::to_owned).collect();
        (self.start(game), moves)
    }

    /// The start. The text of a position has the right to swap, or has it not.
    fn start(&self, game: &Description) -> Start {
        let swap = self.position.is_none() && self.swap.of(game);
        Start { size: self.size, position: self.position.clone(), to_move: None, swap }
    }

    /// Sets up the start of a game of Havannah and plays the moves.
    pub(crate) fn play(&self) -> Result<Started, Failure> {
        self.only_havannah("this command")?;
        typed(&self.play_game(&GameType::new::<Position>())?)
    }

    /// Sets up a game as [`play`](Self::play), but from `start` if no argument names a board or a position.
    pub(crate) fn play_from(&self, start: Position) -> Result<Started, Failure> {
        if self.size.is_some() || self.position.is_some() {
            return self.play();
        }
        if self.swap.given() == Some(true) {
            return Err(Failure::input(
                "--swap: with --size or --position only; the position of a proof has no right to swap",
            ));
        }
        self.only_havannah("this command")?;
        typed(&self.play_on(AnyPosition::new(start))?)
    }

    /// Refuses other games than Havannah.
    pub(crate) fn only_havannah(&self, what: &str) -> Result<(), Failure> {
        if self.game() == HAVANNAH {
            return Ok(());
        }
        Err(Failure::input(format!("--game {}: {what} knows only havannah", self.game())))
    }

    /// Sets up the start of the chosen game and plays the moves.
    pub(crate) fn play_any(&self, registry: &Registry) -> Result<Started<AnyPosition>, Failure> {
        self.play_game(self.rules(registry)?)
    }

    /// The chosen game.
    pub(crate) fn rules<'a>(&self, registry: &'a Registry) -> Result<&'a GameType, Failure> {
        self.game.of(registry)
    }

    fn play_game(&self, game: &GameType) -> Result<Started<AnyPosition>, Failure> {
        self.play_on(self.first(game)?)
    }

    /// The position before the moves.
    pub(crate) fn first(&self, game: &GameType) -> Result<AnyPosition, Failure> {
        if self.size.is_none() && self.position.is_none() {
            let (least, most) = game.description().sizes;
            return Err(Failure::input(format!(
                "no board: give --size N ({least} to {most}) or --position TEXT"
            )));
        }
        game.start(&self.start(&game.description())).map_err(|fault| self.place(fault))
    }

    /// Plays the moves.
    pub(crate) fn play_on(&self, mut position: AnyPosition) -> Result<Started<AnyPosition>, Failure> {
        let notation = position.notation(self.notation.map(Notation::name)).map_err(Failure::input)?;
        let mut moves = Vec::new();
        for text in position.description().words(self.moves.as_deref().unwrap_or_default()) {
            let played = position.play_text(text, notation);
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

/// The failure of a refused move, with the text of the move only once.
fn refused(number: usize, text: &str, fault: &Fault) -> Failure {
    let text = head(text);
    let named = fault.message.contains(text);
    let name = if named { String::new() } else { format!(" ({text})") };
    Failure::input(format!("move {number}{name}: {fault}"))
}

/// A Havannah position with its own type.
fn typed(started: &Started<AnyPosition>) -> Result<Started, Failure> {
    let position = started.position.downcast_ref::<Position>().cloned();
    let position = position.ok_or_else(|| Failure::input("no position of Havannah"))?;
    let moves = started.moves.iter().filter_map(|mv| position.move_at(mv.0 as usize)).collect();
    Ok(Started { position, moves })
}

impl<G: Named> Started<G> {
    /// Refuses a game that is over, for commands that need a position in play.
    pub(crate) fn open(self) -> Result<Self, Failure> {
        match self.position.outcome() {
            None => Ok(self),
            Some(end @ Outcome::Win(_)) => {
                let winner = self.position.game().outcome(end);
                Err(Failure::input(format!("the game is over: {winner} has won")))
            }
            Some(Outcome::Draw) => Err(Failure::input("the game is over: a draw")),
        }
    }
}

/// A position with names for its sides and moves.
pub(crate) trait Named: Game {
    /// The constants of the position's game.
    fn game(&self) -> Description;

    /// A move in a notation.
    fn move_name(&self, mv: Self::Move, notation: Notation) -> String;
}

impl Named for Position {
    fn game(&self) -> Description {
        Self::DESCRIPTION
    }

    fn move_name(&self, mv: Self::Move, notation: Notation) -> String {
        self.move_text_in(mv, notation).unwrap_or_default()
    }
}

impl Named for AnyPosition {
    fn game(&self) -> Description {
        self.description()
    }

    fn move_name(&self, mv: Self::Move, notation: Notation) -> String {
        self.move_text_in(mv, number(&self.description(), notation))
    }
}

/// The moves or cells of a list, separated by spaces or commas.
pub(crate) fn split(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c == ',' || c.is_whitespace()).filter(|word| !word.is_empty())
}

/// Reads a size, for any game.
pub(crate) fn any_size(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "a number of cells on a side, such as 4".to_owned())
}

/// Reads the size of a board of Havannah.
pub(crate) fn size(text: &str) -> Result<u8, String> {
    let number: u64 = text.parse().map_err(|_| "sizes are 2 to 20".to_owned())?;
    let size = u8::try_from(number).map_err(|_| "sizes are 2 to 20".to_owned())?;
    Board::hexagon(size).map(|_| size).map_err(|e| e.to_string())
}

/// Reads a seed.
pub(crate) fn seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("a seed is a whole number from 0 to {}", u64::MAX))
}

/// Reads a number of threads: 1 to 256.
pub(crate) fn threads() -> RangedI64ValueParser<u16> {
    clap::value_parser!(u16).range(1..=256)
}

/// Reads a time in seconds: more than 0 and at most a year.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "a number of seconds, such as 2 or 0.5".to_owned())?;
    if !(seconds > 0.0 && seconds <= 31_557_600.0) {
        return Err("a number of seconds above 0, up to 31557600".to_owned());
    }
    Ok(Duration::from_secs_f64(seconds))
}

/// Reads a clock such as `60` or `60+1`.
pub(crate) fn clock(text: &str) -> Result<Pace, String> {
    let (base, more) = text.split_once('+').map_or((text, None), |(base, more)| (base, Some(more)));
    // An increment of 0 is none.
    let more = more.filter(|more| more.parse::<f64>() != Ok(0.0));
    let increment = more.map_or(Ok(Duration::ZERO), seconds)?;
    Ok(Pace::Game { base: seconds(base)?, increment })
}
