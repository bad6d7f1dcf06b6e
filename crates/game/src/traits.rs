//! The traits that a game implements, smallest first.

use std::{error::Error, fmt, fmt::Debug, hash::Hash};

use crate::{Outcome, ParseError, Player};

/// A two-player game with perfect information, as a position that moves are played on and taken back.
///
/// Alternation is not assumed: a side may move twice, so callers compare
/// [`to_move`](Game::to_move) before and after.
///
/// `==` means: the same for every purpose of this trait, now and after any moves; what a game leaves
/// out of it (counters that no rule reads) its own documentation says.
///
/// The laws that an implementation keeps are spelt out and checked by [`laws`](crate::laws).
pub trait Game: Clone + Eq + Debug + Send + Sync {
    /// A move; small and free of references.
    type Move: Copy + Eq + Hash + Debug + Send + Sync;
    /// What [`play_unchecked`](Game::play_unchecked) hands out so that the move can be taken back.
    /// The caller keeps the stack of them.
    type Undo: Send;
    /// Why a move is not allowed.
    type Illegal: Error + Send + Sync + 'static;

    /// The side to move. After the end: the side that would be.
    fn to_move(&self) -> Player;

    /// How the game ended, or `None` while it goes on. O(1).
    fn outcome(&self) -> Option<Outcome>;

    /// Appends the legal moves, each once, always in the same order for the same position; none
    /// exactly when the game is over.
    fn legal_moves(&self, out: &mut impl Extend<Self::Move>);

    /// The legal moves as a list, in the order of [`legal_moves`](Game::legal_moves). Where lists are made often, filling one
    /// buffer again and again is quicker.
    fn moves(&self) -> Vec<Self::Move> {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        moves
    }

    /// Whether a move is legal here.
    ///
    /// # Errors
    /// Names the rule that the move breaks.
    fn check(&self, mv: Self::Move) -> Result<(), Self::Illegal>;

    /// Plays a move that is known to be legal.
    ///
    /// With an illegal move this may panic or leave a position of no meaning, never worse.
    fn play_unchecked(&mut self, mv: Self::Move) -> Self::Undo;

    /// Takes back the last move that was played and not yet taken back; restores `==`.
    fn undo(&mut self, undo: Self::Undo);

    /// Plays a move if it is legal; the position is unchanged if not.
    ///
    /// # Errors
    /// As [`check`](Game::check).
    fn play(&mut self, mv: Self::Move) -> Result<Self::Undo, Self::Illegal> {
        self.check(mv)?;
        Ok(self.play_unchecked(mv))
    }
}

/// The promise that no position recurs within a game and that every game ends.
///
/// A marker that a game opts into: proof-number search, proofs and search graphs rely on it.
pub trait Finite: Game {}

/// A symmetry of a game by number; 0 is the identity. What the others mean is the game's own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Sym(pub u8);

/// A game whose positions have 64-bit keys.
pub trait Keyed: Game {
    /// The key: covers everything that legality depends on, the side to move, rights, size and
    /// options; no counters. Equal keys, equal legal moves (but for accidents of hashing, about
    /// one pair in 2⁶⁴).
    fn key(&self) -> u64;

    /// No outcome within this many plies can come from what the key leaves out (repetition,
    /// counters). A value searched to depth d may enter or leave a table only where
    /// `d <= horizon()`.
    fn horizon(&self) -> u32 {
        u32::MAX
    }

    /// The key of the position's orbit under the game's symmetries, and the symmetry that leads
    /// from this position to the orbit's representative. A symmetry that exchanges the players
    /// exchanges [`to_move`](Game::to_move) too, so values relative to the mover never flip.
    fn canonical(&self) -> (u64, Sym) {
        (self.key(), Sym(0))
    }

    /// Where a symmetry takes a move: geometry only.
    fn map_move(&self, _to: Sym, mv: Self::Move) -> Self::Move {
        mv
    }

    /// The inverse of [`map_move`](Keyed::map_move). A move that came out of a table is
    /// [`check`](Game::check)ed before it is played.
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

    /// The move with a number; `None` where a number has none.
    fn move_at(&self, index: usize) -> Option<Self::Move>;
}

/// A game whose moves and positions have text forms.
pub trait Textual: Game {
    /// Writes a move.
    ///
    /// # Errors
    /// Only what the writer returns.
    fn write_move(&self, mv: Self::Move, w: &mut dyn fmt::Write) -> fmt::Result;

    /// Reads a move: its form and geometry. Whether it is legal is [`check`](Game::check)'s to say.
    ///
    /// # Errors
    /// With the byte and what was expected there.
    fn parse_move(&self, text: &str) -> Result<Self::Move, ParseError>;

    /// Writes the position on one line, with size and options.
    ///
    /// # Errors
    /// Only what the writer returns.
    fn write_position(&self, w: &mut dyn fmt::Write) -> fmt::Result;

    /// Reads a position and validates it fully.
    ///
    /// # Errors
    /// With the byte and what is wrong.
    fn parse_position(text: &str) -> Result<Self, ParseError>;

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
