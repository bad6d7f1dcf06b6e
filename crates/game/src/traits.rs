//! The traits that a game implements, smallest first.

use std::{error::Error, fmt, fmt::Debug, hash::Hash};

use crate::text::head;
use crate::{Outcome, ParseError, Player};

/// A two-player game with perfect information, as a position on which moves are played and taken back.
///
/// Turns need not alternate: a side may move twice, so callers compare [`to_move`](Game::to_move) before and after a move.
///
/// Two positions are equal by `==` if no method of this trait distinguishes them, now and after any moves. A game that
/// leaves a part of the position out of `==`, such as counters that no rule reads, documents it.
///
/// [`laws`](crate::laws) states the laws of an implementation, and checks them.
pub trait Game: Clone + Eq + Debug + Send + Sync {
    /// A move; small and free of references.
    type Move: Copy + Eq + Hash + Debug + Send + Sync;
    /// The undo token that [`play_unchecked`](Game::play_unchecked) returns, for taking the move back. The caller keeps
    /// the stack of tokens.
    type Undo: Send;
    /// The reason why a move is illegal.
    type Illegal: Error + Send + Sync + 'static;

    /// The side to move; after the end, the side that would be to move.
    fn to_move(&self) -> Player;

    /// The outcome of a game that is over, `None` while the game goes on. O(1).
    fn outcome(&self) -> Option<Outcome>;

    /// Appends the legal moves, each once, always in the same order for the same position. A position has no legal
    /// moves exactly if the game is over.
    fn legal_moves(&self, out: &mut impl Extend<Self::Move>);

    /// The legal moves as a list, in the order of [`legal_moves`](Game::legal_moves). A caller of many lists saves time with
    /// `legal_moves` and one buffer.
    fn moves(&self) -> Vec<Self::Move> {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        moves
    }

    /// Checks that a move is legal in this position.
    ///
    /// # Errors
    /// The error names the rule that the move breaks.
    fn check(&self, mv: Self::Move) -> Result<(), Self::Illegal>;

    /// Plays a legal move without a check.
    ///
    /// After an illegal move the position may have no meaning, or the call may panic; undefined behaviour is excluded.
    fn play_unchecked(&mut self, mv: Self::Move) -> Self::Undo;

    /// Takes back the last move that was not taken back yet; the position is `==` to the position before the move.
    fn undo(&mut self, undo: Self::Undo);

    /// The number of plies that the rest of a game usually has, by experience with games of this kind; a player shares out
    /// its clock by this number. `None`, as provided: the game does not know. O(1), and at least 1 while the game goes on.
    fn expected_plies(&self) -> Option<u32> {
        None
    }

    /// Plays a move if it is legal. An illegal move leaves the position unchanged.
    ///
    /// # Errors
    /// The errors of [`check`](Game::check).
    fn play(&mut self, mv: Self::Move) -> Result<Self::Undo, Self::Illegal> {
        self.check(mv)?;
        Ok(self.play_unchecked(mv))
    }
}

/// The promise that no position recurs within a game and that every game ends.
///
/// The trait is a marker: proof-number search, proofs and search graphs need it.
pub trait Finite: Game {}

/// A symmetry of a game by number; 0 is the identity, and each game numbers the others.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Sym(pub u8);

/// A game whose positions have 64-bit keys.
pub trait Keyed: Game {
    /// The key of the position. The key covers all that legal moves depend on, with the side to move, rights, size and
    /// options, but without counters. Positions with equal keys have equal legal moves (except for accidents of
    /// hashing, about one pair in 2⁶⁴).
    fn key(&self) -> u64;

    /// The number of plies within which no outcome can depend on facts that the key leaves out (repetition, counters). A value
    /// from a search of depth d may enter or leave a table only if `d <= horizon()`.
    fn horizon(&self) -> u32 {
        u32::MAX
    }

    /// The key of the position's orbit under the game's symmetries, and the symmetry that leads
    /// from this position to the orbit's representative. A symmetry that exchanges the players
    /// exchanges [`to_move`](Game::to_move) too, so values relative to the mover never flip.
    fn canonical(&self) -> (u64, Sym) {
        (self.key(), Sym(0))
    }

    /// The image of a move under a symmetry; the stones of the position do not matter.
    fn map_move(&self, _to: Sym, mv: Self::Move) -> Self::Move {
        mv
    }

    /// The inverse of [`map_move`](Keyed::map_move). A move from a table must pass [`check`](Game::check) before it is played.
    fn unmap_move(&self, _to: Sym, mv: Self::Move) -> Self::Move {
        mv
    }
}

/// A game whose moves have small numbers, for tables by move.
pub trait Indexed: Game {
    /// One more than the largest number.
    fn index_len(&self) -> usize;

    /// The number of a move, below [`index_len`](Indexed::index_len).
    fn move_index(&self, mv: Self::Move) -> usize;

    /// The move with a number; `None` for a number without a move.
    fn move_at(&self, index: usize) -> Option<Self::Move>;
}

/// A game whose moves and positions have text forms.
///
/// The provided methods serve a game without a notation of its own: `impl Textual for MyGame {}` is enough for matches. They
/// write [`Debug`] forms, which must then be one line, and read legal moves. A game whose positions are to be read, from
/// files or by the laws of [`notation`](crate::laws::notation), writes its own `write_position` and `parse_position`.
pub trait Textual: Game {
    /// Writes a move. The provided method writes its [`Debug`] form.
    ///
    /// # Errors
    /// The errors of the writer only.
    fn write_move(&self, mv: Self::Move, w: &mut dyn fmt::Write) -> fmt::Result {
        write!(w, "{mv:?}")
    }

    /// Reads a move of this board, legal or not; [`check`](Game::check) checks that it is legal. The provided method
    /// reads legal moves only, in O(moves).
    ///
    /// # Errors
    /// An error for a text that is no move, with the byte and the reason.
    fn parse_move(&self, text: &str) -> Result<Self::Move, ParseError> {
        let found = self.moves().into_iter().find(|&mv| self.move_text(mv) == text);
        found.ok_or_else(|| ParseError::new(0, format!("`{}` is no legal move", head(text))))
    }

    /// Writes the position on one line, with size and options. The provided method writes its [`Debug`] form.
    ///
    /// # Errors
    /// The errors of the writer only.
    fn write_position(&self, w: &mut dyn fmt::Write) -> fmt::Result {
        write!(w, "{self:?}")
    }

    /// Reads a position and validates it fully.
    ///
    /// # Errors
    /// An error for a text that is no valid position, with the byte and the reason. The provided method refuses every
    /// text.
    fn parse_position(text: &str) -> Result<Self, ParseError> {
        Err(ParseError::new(0, format!("`{}`: positions of this game cannot be read", head(text))))
    }

    /// A move as a string.
    fn move_text(&self, mv: Self::Move) -> String {
        let mut text = String::new();
        self.write_move(mv, &mut text).expect("writing to a string does not fail");
        text
    }

    /// The position as a string.
    fn position_text(&self) -> String {
        let mut text = String::new();
        self.write_position(&mut text).expect("writing to a string does not fail");
        text
    }
}
