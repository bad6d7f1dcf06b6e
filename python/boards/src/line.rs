//! [`Line`]: a game from its first position to the present one, without the type of the game.

use std::any::Any;

use stonework_game::{Game, Outcome, Player};
use stonework_session::{AnyPosition, Fault, GameType, Start, play_text};
use {stonework_cachex as cachex, stonework_cover as cover, stonework_havannah as havannah};

use crate::any::AnyLine;
use crate::legal::{each_legal, legal};
use crate::planes::{Planar, PlaneSlice};

/// A game from its first position to the present one. Moves are numbers by `Indexed`. The calls run on the game's own type:
/// one indirection each, and no allocation for a move.
pub trait Line: Send + Sync {
    /// The present position.
    fn position(&self) -> AnyPosition;
    /// The first position.
    fn start(&self) -> AnyPosition;
    /// The same game with the same moves.
    fn fork(&self) -> Box<dyn Line>;
    /// The same game after its first `plies` moves.
    fn cut(&self, plies: usize) -> Box<dyn Line>;
    /// The present position in its own type.
    fn as_any(&self) -> &dyn Any;
    /// `true` for equal positions of one game.
    fn equals(&self, other: &dyn Line) -> bool;
    /// The number of moves played.
    fn len(&self) -> usize;
    /// `true` before the first move.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// The moves played.
    fn moves(&self) -> Vec<u32>;
    /// The last move.
    fn moves_last(&self) -> Option<u32>;
    /// The names of the moves played, in a notation.
    fn names(&self, notation: usize) -> Vec<String>;
    /// Plays a move.
    ///
    /// # Errors
    /// The broken rule, or a number without a move; the game is then unchanged.
    fn push(&mut self, number: u32) -> Result<(), Fault>;
    /// Plays a move by its name.
    ///
    /// # Errors
    /// As `push`, and for a text that is no move.
    fn push_text(&mut self, text: &str, notation: usize) -> Result<(), Fault>;
    /// Takes the last move back.
    fn pop(&mut self) -> Option<u32>;
    /// The number of a move by its name, legal or not.
    ///
    /// # Errors
    /// A text that is no move of the game.
    fn read(&self, text: &str, notation: usize) -> Result<u32, Fault>;
    /// `true` for the number of a legal move.
    fn is_legal(&self, number: u32) -> bool;
    /// The legal moves.
    fn legal(&self) -> Vec<u32>;
    /// The number of legal moves.
    fn legal_count(&self) -> usize;
    /// The legal moves after which the opponent cannot win at once, and the moves that end the game without a loss.
    fn only_moves(&self) -> Vec<u32>;
    /// The side to move.
    fn to_move(&self) -> Player;
    /// The outcome of a game that is over.
    fn outcome(&self) -> Option<Outcome>;
    /// The key of the position.
    fn key(&self) -> u64;
    /// The key that symmetric positions share.
    fn canonical(&self) -> u64;
    /// The numbers of moves are below this one.
    fn index_len(&self) -> usize;
    /// The planes, rows and columns; `None` for a game without planes.
    fn shape(&self) -> Option<[usize; 3]>;
    /// Writes the planes of the position as one side sees them; `out` has as many numbers as the shape says.
    fn planes(&self, of: Player, out: PlaneSlice<'_>);
    /// The names of the cells with a stone of a side; `None` for a game of a registry that this crate does not know.
    fn stones(&self, of: Player, notation: usize) -> Option<Vec<String>>;
}

/// A game of a registry, at its first position.
///
/// # Errors
/// The refusal of the start.
pub fn line(game: &GameType, start: &Start) -> Result<Box<dyn Line>, Fault> {
    match game.name() {
        "havannah" => Played::<havannah::Position>::first(start),
        "cachex" => Played::<cachex::Position>::first(start),
        "cover" => Played::<cover::Position>::first(start),
        _ => Ok(Box::new(AnyLine::new(game.start(start)?))),
    }
}

/// The legal moves after which the opponent cannot win at once, and the moves that end the game without a loss. `cannot_win`
/// says that a side has no winning move, as far as the game knows.
pub(crate) fn only_moves<G: Game>(game: &G, cannot_win: impl Fn(&G, Player) -> bool) -> Vec<G::Move> {
    let (mut position, mover) = (game.clone(), game.to_move());
    let mut moves = game.moves();
    moves.retain(|&mv| {
        let undo = position.play_unchecked(mv);
        let keeps = match position.outcome() {
            Some(outcome) => outcome != Outcome::Win(mover.other()),
            None => position.to_move() == mover || cannot_win(&position, mover.other()),
        };
        position.undo(undo);
        keeps
    });
    moves
}

/// A game of one type.
struct Played<G: Planar> {
    start: G,
    position: G,
    moves: Vec<(G::Move, G::Undo)>,
}

impl<G: Planar> Played<G>
where
    G::Undo: Send + Sync,
{
    fn first(start: &Start) -> Result<Box<dyn Line>, Fault> {
        let position = G::start(start)?;
        Ok(Box::new(Self { start: position.clone(), position, moves: Vec::new() }))
    }

    fn typed(&self, number: u32) -> Result<G::Move, Fault> {
        self.position.move_at(number as usize).ok_or_else(|| {
            let len = self.position.index_len();
            Fault::new("move", format!("no move has the number {number}: numbers are below {len}"))
        })
    }
}

impl<G: Planar> Line for Played<G>
where
    G::Undo: Send + Sync,
{
    fn position(&self) -> AnyPosition {
        AnyPosition::new(self.position.clone())
    }

    fn start(&self) -> AnyPosition {
        AnyPosition::new(self.start.clone())
    }

    fn fork(&self) -> Box<dyn Line> {
        self.cut(self.moves.len())
    }

    fn cut(&self, plies: usize) -> Box<dyn Line> {
        let (start, position) = (self.start.clone(), self.start.clone());
        let mut line = Self { start, position, moves: Vec::with_capacity(plies.min(self.moves.len())) };
        for &(mv, _) in self.moves.iter().take(plies) {
            let undo = line.position.play_unchecked(mv);
            line.moves.push((mv, undo));
        }
        Box::new(line)
    }

    fn as_any(&self) -> &dyn Any {
        &self.position
    }

    fn equals(&self, other: &dyn Line) -> bool {
        other.as_any().downcast_ref::<G>() == Some(&self.position)
    }

    fn len(&self) -> usize {
        self.moves.len()
    }

    fn moves(&self) -> Vec<u32> {
        self.moves.iter().map(|&(mv, _)| self.position.move_index(mv) as u32).collect()
    }

    fn moves_last(&self) -> Option<u32> {
        self.moves.last().map(|&(mv, _)| self.position.move_index(mv) as u32)
    }

    fn names(&self, notation: usize) -> Vec<String> {
        let mut position = self.start.clone();
        let name = |&(mv, _): &(G::Move, G::Undo)| {
            let name = position.move_text_in(mv, notation);
            position.play_unchecked(mv);
            name
        };
        self.moves.iter().map(name).collect()
    }

    fn push(&mut self, number: u32) -> Result<(), Fault> {
        let mv = self.typed(number)?;
        let undo = self
            .position
            .play(mv)
            .map_err(|illegal| Fault::new(G::fault_kind(&illegal), illegal.to_string()))?;
        self.moves.push((mv, undo));
        Ok(())
    }

    fn push_text(&mut self, text: &str, notation: usize) -> Result<(), Fault> {
        let played = play_text(&mut self.position, notation, text)?;
        self.moves.push(played);
        Ok(())
    }

    fn pop(&mut self) -> Option<u32> {
        let (mv, undo) = self.moves.pop()?;
        self.position.undo(undo);
        Some(self.position.move_index(mv) as u32)
    }

    fn read(&self, text: &str, notation: usize) -> Result<u32, Fault> {
        let mv = self.position.read_move(text, notation)?;
        let number = self.position.move_index(mv);
        if self.position.move_at(number) == Some(mv) {
            return Ok(number as u32);
        }
        // A move without a number of its own is illegal in every position: the fault is the fault of the rules.
        let illegal = self.position.check(mv).err().map(|illegal| illegal.to_string());
        Err(Fault::new("move", illegal.unwrap_or_else(|| format!("`{text}` has no number"))))
    }

    fn is_legal(&self, number: u32) -> bool {
        self.typed(number).is_ok_and(|mv| self.position.check(mv).is_ok())
    }

    fn legal(&self) -> Vec<u32> {
        legal(&self.position)
    }

    fn legal_count(&self) -> usize {
        let mut count = 0;
        each_legal(&self.position, |_| count += 1);
        count
    }

    fn only_moves(&self) -> Vec<u32> {
        let cannot_win = |game: &G, side| game.winning_moves(side).is_none_or(|wins| wins.is_empty());
        let moves = only_moves(&self.position, cannot_win);
        moves.into_iter().map(|mv| self.position.move_index(mv) as u32).collect()
    }

    fn to_move(&self) -> Player {
        self.position.to_move()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.position.outcome()
    }

    fn key(&self) -> u64 {
        self.position.key()
    }

    fn canonical(&self) -> u64 {
        self.position.canonical().0
    }

    fn index_len(&self) -> usize {
        self.position.index_len()
    }

    fn shape(&self) -> Option<[usize; 3]> {
        Some(self.position.shape())
    }

    fn planes(&self, of: Player, out: PlaneSlice<'_>) {
        match out {
            PlaneSlice::Float(out) => self.position.write_planes(of, out),
            PlaneSlice::Byte(out) => self.position.write_planes(of, out),
        }
    }

    fn stones(&self, of: Player, notation: usize) -> Option<Vec<String>> {
        Some(self.position.stone_names(of, notation))
    }
}
