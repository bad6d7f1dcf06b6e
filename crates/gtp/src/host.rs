//! [`Host`]: the facts about a game that a server needs besides the game's traits.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use stonework_game::{ByPlayer, Game, Player, Textual};
use stonework_roster::{Agent, PlayerSpec};
use stonework_search::{Engine, Limits, Report};

/// A move of a host's game.
pub type MoveOf<H> = <<H as Host>::Game as Game>::Move;

/// A name, and one line about the named thing.
pub type Named = (String, String);

/// An engine with the limits of its memory, for a search that the controller ends.
pub type LiveEngine<G> = (Box<dyn Engine<G>>, Limits);

/// A position as stones on a square: the form in which `GoGui` shows every game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Square {
    /// The name of the game.
    pub game: String,
    /// The rows from the top. The number of rows is the number of places in each row. A place off the board has no
    /// stone.
    pub rows: Vec<Vec<Option<Player>>>,
}

/// A game with its players, as a [`Server`](crate::Server) serves it.
///
/// The first five methods are required, and the others have a default. An error is a text, because the server only
/// sends it: one line with the refused value.
///
/// | host | game |
/// |---|---|
/// | [`SessionHost`](crate::SessionHost) | any game of a registry, with its roster of players |
/// | [`Heap`](crate::example::Heap) | a heap of Nim: a small example for a game of one's own |
pub trait Host {
    /// The game.
    type Game: Game + Textual + 'static;

    /// The name of the engine.
    fn name(&self) -> &str;

    /// The version of the engine.
    fn version(&self) -> &str;

    /// The first position of a game of a size; `None` is the usual size.
    ///
    /// # Errors
    /// A text for a size that the game does not have, with the sizes that the game has.
    fn start(&self, size: Option<u32>) -> Result<Self::Game, String>;

    /// The players, the usual player first: the name of each, and a line about the player.
    fn agents(&self) -> Vec<Named>;

    /// A player by name. All random choices of the player come from the seed.
    ///
    /// # Errors
    /// A text if no player has the name, or if the player cannot be made.
    fn agent(&self, name: &str, seed: u64) -> Result<Box<dyn Agent<Self::Game>>, String>;

    /// Refuses a player with options whose searches would have no end under the limits of the host. Called before a player is made
    /// and before an option is set. The default accepts every player.
    ///
    /// # Errors
    /// The reason as a text.
    fn check_limits(&self, _player: &PlayerSpec) -> Result<(), String> {
        Ok(())
    }

    /// The names of the sides. Commands also accept the first letter of a name; upper and lower case are equal.
    fn colours(&self) -> ByPlayer<&str> {
        ByPlayer::new("white", "black")
    }

    /// The names of the ways to write moves, the usual way first. Each `NAME` gives a command `NAMEcoords`.
    fn styles(&self) -> Vec<String> {
        Vec::new()
    }

    /// Checks that a style can name the moves of a game. The style is an index into [`styles`](Host::styles).
    ///
    /// # Errors
    /// The reason why the style does not fit.
    fn fits(&self, _game: &Self::Game, _style: usize) -> Result<(), String> {
        Ok(())
    }

    /// The text of a move in a style.
    fn write_move(&self, game: &Self::Game, mv: MoveOf<Self>, _style: usize) -> String {
        game.move_text(mv)
    }

    /// Reads a move in a style. The move need not be legal: the game decides that.
    ///
    /// # Errors
    /// The fault of the text.
    fn parse_move(&self, game: &Self::Game, text: &str, _style: usize) -> Result<MoveOf<Self>, String> {
        game.parse_move(text).map_err(|error| error.to_string())
    }

    /// A picture of the position as text, after `moves`. The default is the one-line text of the position.
    fn draw(&self, game: &Self::Game, _moves: &[MoveOf<Self>], _style: usize) -> String {
        game.position_text()
    }

    /// A picture of the position as SVG, with a text on each of the marked moves, the best move first. `None` if the
    /// game has no pictures; the server has no command for pictures then.
    fn svg(&self, _game: &Self::Game, _marks: &[(MoveOf<Self>, String)], _style: usize) -> Option<String> {
        None
    }

    /// The position on a square. `Some` if a move is written as a column and a row of the square, and the sides are
    /// called black and white; the server has the commands for `GoGui` then.
    fn square(&self, _game: &Self::Game) -> Option<Square> {
        None
    }

    /// The name of the command for the winner.
    #[expect(clippy::unnecessary_literal_bound, reason = "a host may make the name")]
    fn winner_command(&self) -> &str {
        "winner"
    }

    /// The layers of findings about a position: the name of each, and a line about the layer. Each `NAME` is a
    /// command.
    fn layers(&self) -> Vec<Named> {
        Vec::new()
    }

    /// The findings of a layer about a position that is not over, one sentence a line, with cells in a style.
    ///
    /// # Errors
    /// A text if no layer has the name, or if the layer has no answer for this position.
    fn layer(&self, name: &str, _game: &Self::Game, _style: usize) -> Result<String, String> {
        Err(format!("no layer `{name}`"))
    }

    /// The move that exchanges the sides, if the game has such a move.
    fn swap(&self) -> Option<MoveOf<Self>> {
        None
    }

    /// The SGF properties in the root of a record.
    fn record(&self, _game: &Self::Game) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// The solvers, the usual solver first: the name of each, and a line about the solver. Each `NAME` gives a
    /// command `solve_NAME`.
    fn solvers(&self) -> Vec<Named> {
        Vec::new()
    }

    /// Solves a position within `time`; `None` is the limit of the host.
    ///
    /// # Errors
    /// A text if no solver has the name.
    fn solve(
        &self,
        name: &str,
        _game: &Self::Game,
        _time: Option<Duration>,
    ) -> Result<Report<MoveOf<Self>>, String> {
        Err(format!("no solver `{name}`"))
    }

    /// The engine of a player by name, for an analysis that goes on until the controller's next line. The limits are those
    /// of memory: another limit would end the analysis before.
    ///
    /// # Errors
    /// A text if no player has the name, or if the player is no engine, whose search can be watched.
    fn live_engine(&self, name: &str) -> Result<LiveEngine<Self::Game>, String> {
        Err(format!("{name} does not report while it searches"))
    }

    /// The time of a player for a move when no clock runs; `None` is no limit.
    fn move_time(&self) -> Option<Duration> {
        None
    }

    /// A flag that ends a running search when the flag is set. The server clears the flag before each command, and
    /// sets it when the controller interrupts a command.
    fn cancel(&self) -> Option<Arc<AtomicBool>> {
        None
    }
}
