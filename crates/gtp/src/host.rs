//! [`Host`]: what a server asks of a game beside its traits.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use stonework_game::{ByPlayer, Game, Player, Textual};
use stonework_roster::Agent;
use stonework_search::Report;

/// A move of a host's game.
pub type MoveOf<H> = <<H as Host>::Game as Game>::Move;

/// A name and what it stands for, in a line.
pub type Named = (String, String);

/// A position as stones on a square, which is how `GoGui` sees any game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Square {
    /// What the game is called.
    pub game: String,
    /// The rows from the top, as many as each has places. What is not on the board is a place without a stone.
    pub rows: Vec<Vec<Option<Player>>>,
}

/// A game with its players, as a [`Server`](crate::Server) serves it.
///
/// The first five methods are needed; the others have a default that does without. Errors are texts and no
/// types, since all that is done with them is to send them: one line that names what was refused.
///
/// | host | game |
/// |---|---|
/// | [`SessionHost`](crate::SessionHost) | any game of a registry, with its roster of players |
/// | [`Heap`](crate::example::Heap) | a heap of Nim: all that a game of one's own needs |
pub trait Host {
    /// The game.
    type Game: Game + Textual;

    /// What the engine is called.
    fn name(&self) -> &str;

    /// Its version.
    fn version(&self) -> &str;

    /// The start of a game, of a size or of the usual one.
    ///
    /// # Errors
    /// For a size that there is not, with those that there are.
    fn start(&self, size: Option<u32>) -> Result<Self::Game, String>;

    /// The names of the players, the one that plays unless told first, each with what it is.
    fn agents(&self) -> Vec<Named>;

    /// A player by name, all its random choices coming from the seed.
    ///
    /// # Errors
    /// If there is none of that name, or it cannot be had.
    fn agent(&self, name: &str, seed: u64) -> Result<Box<dyn Agent<Self::Game>>, String>;

    /// What the sides are called; also known by the first letter, in either case.
    fn colours(&self) -> ByPlayer<&str> {
        ByPlayer::new("white", "black")
    }

    /// The names of the ways to write moves, the usual one first: each `NAME` is a command `NAMEcoords`.
    fn styles(&self) -> Vec<String> {
        Vec::new()
    }

    /// Whether a style, by its number among [`styles`](Host::styles), can name the moves of a game.
    ///
    /// # Errors
    /// If it cannot.
    fn fits(&self, _game: &Self::Game, _style: usize) -> Result<(), String> {
        Ok(())
    }

    /// A move in a style.
    fn write_move(&self, game: &Self::Game, mv: MoveOf<Self>, _style: usize) -> String {
        game.move_text(mv)
    }

    /// Reads a move in a style; whether it is legal is for the game to say.
    ///
    /// # Errors
    /// With what is wrong.
    fn parse_move(&self, game: &Self::Game, text: &str, _style: usize) -> Result<MoveOf<Self>, String> {
        game.parse_move(text).map_err(|error| error.to_string())
    }

    /// A picture of the position as text, the moves that led there given; without a picture, its one line.
    fn draw(&self, game: &Self::Game, _moves: &[MoveOf<Self>], _style: usize) -> String {
        game.position_text()
    }

    /// A picture of the position as SVG with a text on each of some moves, the first of which is the best
    /// one; `None` if there are no pictures, and no command for them.
    fn svg(&self, _game: &Self::Game, _marks: &[(MoveOf<Self>, String)], _style: usize) -> Option<String> {
        None
    }

    /// The position on a square, if moves are written as places of it, column and row, and the sides are called black
    /// and white: then there are commands for `GoGui`. `None` without.
    fn square(&self, _game: &Self::Game) -> Option<Square> {
        None
    }

    /// The command that asks who has won.
    #[expect(clippy::unnecessary_literal_bound, reason = "a host may make the name")]
    fn winner_command(&self) -> &str {
        "winner"
    }

    /// The names of the layers of findings about a position, each with a line about it: each `NAME` is a command.
    fn layers(&self) -> Vec<Named> {
        Vec::new()
    }

    /// The findings of a layer about a position that is not over, a sentence on each line, with cells in a style.
    ///
    /// # Errors
    /// If there is no layer of that name, or it has no answer here.
    fn layer(&self, name: &str, _game: &Self::Game, _style: usize) -> Result<String, String> {
        Err(format!("no layer `{name}`"))
    }

    /// The move with which the sides are exchanged, if the game has one.
    fn swap(&self) -> Option<MoveOf<Self>> {
        None
    }

    /// What stands in the root of a record besides the moves, as SGF properties.
    fn record(&self, _game: &Self::Game) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// The names of the solvers, the usual one first, each with what it is: each `NAME` is a command
    /// `solve_NAME`.
    fn solvers(&self) -> Vec<Named> {
        Vec::new()
    }

    /// Solves a position within a time, or within the host's own limits.
    ///
    /// # Errors
    /// If there is no solver of that name.
    fn solve(
        &self,
        name: &str,
        _game: &Self::Game,
        _time: Option<Duration>,
    ) -> Result<Report<MoveOf<Self>>, String> {
        Err(format!("no solver `{name}`"))
    }

    /// How long a player may think about a move when no clock runs; `None`: as long as it likes.
    fn move_time(&self) -> Option<Duration> {
        None
    }

    /// A flag that ends a running search when it is set. The server clears it before each command, and
    /// sets it when the controller interrupts one.
    fn cancel(&self) -> Option<Arc<AtomicBool>> {
        None
    }
}
