//! [`AnyPosition`]: a position of a game that is chosen at run time. The type is a game itself.

use std::any::Any;
use std::fmt;
use std::ops::{Deref, DerefMut};

use stonework_board::{Cell, Overlay};
use stonework_game::{Game, Indexed, Keyed, Outcome, ParseError, Player, Sym, Textual};
use stonework_search::{GameTree, Limits, Minimax};

use crate::described::{self, Described, Places};
use crate::playouts::PlayoutRunner;
use crate::{Description, Fault, GameRecord, Layer, LayerBudget, LayerInfo, Picture, State, layers};

/// A move of an [`AnyPosition`]: the number of the move by [`Indexed`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AnyMove(pub u32);

impl AnyMove {
    /// The number of a move.
    pub(crate) fn of<G: Indexed>(game: &G, mv: G::Move) -> Self {
        Self(game.move_index(mv) as u32)
    }

    /// The move of a game; `None` if no move has the number.
    pub(crate) fn typed<G: Indexed>(self, game: &G) -> Option<G::Move> {
        game.move_at(self.0 as usize)
    }
}

/// The means to take a move of an [`AnyPosition`] back.
pub struct AnyUndo(Box<dyn Any + Send>);

impl fmt::Debug for AnyUndo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnyUndo").finish_non_exhaustive()
    }
}

/// The questions that a position of every game answers, beyond those of [`Game`], [`Keyed`], [`Indexed`] and [`Textual`].
///
/// Object-safe; [`AnyPosition`] dereferences to this trait. Every [`Described`] game implements it, and no other type
/// can.
pub trait DynPosition: Erased {
    /// The constants of the game.
    fn description(&self) -> Description;

    /// The size of the board.
    fn size(&self) -> u8;

    /// The number of a notation, as [`Described::notation`].
    ///
    /// # Errors
    /// The fault `notation` if no notation has the name, or if the notation does not fit the board.
    fn notation(&self, name: Option<&str>) -> Result<usize, Fault>;

    /// The text of a move in a notation; empty for a number without a move.
    fn move_text_in(&self, mv: AnyMove, notation: usize) -> String;

    /// Reads a move, as [`Described::read_move`].
    ///
    /// # Errors
    /// The fault `move` for a text that is no move. The fault of the broken rule for a text whose move has no number
    /// in this game.
    fn read_move(&self, text: &str, notation: usize) -> Result<AnyMove, Fault>;

    /// Reads and plays a move, as [`play_text`](described::play_text).
    ///
    /// # Errors
    /// The fault `over`, `move`, or the broken rule. The position does not change then.
    fn play_text(&mut self, text: &str, notation: usize) -> Result<(AnyMove, AnyUndo), Fault>;

    /// The move that exchanges the sides, if the game has such a move.
    fn swap_move(&self) -> Option<AnyMove>;

    /// The names of the cells that the last move has captured.
    fn captured(&self, last: &AnyUndo) -> Vec<String>;

    /// The facts about the position, as [`state`](described::state).
    fn state(&self, notation: usize, plies: usize) -> State;

    /// The kinds of win of the last move, as [`Described::kinds`].
    fn kinds(&self) -> u32;

    /// The winning moves of a side, as [`Described::winning_moves`].
    fn winning_moves(&self, player: Player) -> Option<Vec<AnyMove>>;

    /// The layers of the game, as [`Described::layers`].
    fn layers(&self) -> &'static [LayerInfo];

    /// The findings of a layer, with cells in a notation.
    ///
    /// # Errors
    /// The fault `over` for a game that has ended, `layer` for a name that the game does not have, `budget` for a
    /// limit of 0; otherwise as [`Described::layer`].
    fn layer(&self, name: &str, notation: usize, budget: &LayerBudget) -> Result<Layer, Fault>;

    /// The state of the game in words, as [`Described::standing`].
    fn standing(&self) -> String;

    /// A picture of the position, as [`Described::picture`].
    ///
    /// # Errors
    /// The fault `notation` if the notation does not fit the board.
    fn picture(&self, moves: &[AnyMove], notation: usize) -> Result<Picture, Fault>;

    /// The cell of the stone of a move, as [`Described::target_cell`].
    fn target_cell(&self, mv: AnyMove) -> Option<Cell>;

    /// The cell to which a move brings a stone, as [`Described::place_of`].
    fn place_of(&self, mv: AnyMove) -> Option<Cell>;

    /// The cell with a name, as [`Described::read_cell`].
    ///
    /// # Errors
    /// The fault `move` for a text that names no cell.
    fn read_cell(&self, text: &str, notation: usize) -> Result<Cell, Fault>;

    /// The marks that show a move, as [`Described::traces`].
    fn traces(&self, mv: AnyMove) -> Overlay;

    /// The paragraphs of the rules, as [`Described::rules`].
    fn rules(&self) -> &'static [&'static str];

    /// The cells of the stones with the numbers of their moves, as [`Described::numbered`].
    fn numbered(&self, moves: &[AnyMove]) -> Vec<(Cell, usize)>;

    /// The position on a square, as [`Described::places`].
    fn places(&self) -> Option<Places<AnyMove>>;

    /// A runner of random games, as [`Described::playouts`].
    fn playouts(&self) -> Box<dyn PlayoutRunner>;

    /// Visits the positions after every sequence of `depth` moves, at the speed of the game itself.
    ///
    /// `visit` receives the outcome and the [kinds](Described::kinds) of each position. O(number of sequences).
    fn perft(&self, depth: u32, visit: &mut dyn FnMut(Option<Outcome>, u32));

    /// The complete game tree from this position, within limits, at the speed of the game itself.
    fn game_tree(&self, limits: &Limits) -> GameTree<AnyMove>;

    /// The SGF properties in the root of a record, as [`Described::record_head`].
    fn record_head(&self) -> Vec<(&'static str, String)>;

    /// An SGF record of a game, as [`Described::record`].
    ///
    /// # Errors
    /// The fault `record` for a move that is not legal, and for a position with a history that its text does not have.
    fn record(&self, game: &GameRecord<'_>) -> Result<String, Fault>;
}

/// The part of [`DynPosition`] on which the traits of [`AnyPosition`] rest.
mod erased {
    use super::{Any, AnyMove, AnyUndo, DynPosition, Fault, Outcome, ParseError, Player, Sym, fmt};

    /// The rules of a position, without the type of the game.
    pub trait Erased: Send + Sync {
        fn as_any(&self) -> &dyn Any;
        fn boxed(&self) -> Box<dyn DynPosition>;
        fn equals(&self, other: &dyn Any) -> bool;
        fn to_move(&self) -> Player;
        fn outcome(&self) -> Option<Outcome>;
        fn legal_moves(&self) -> Vec<AnyMove>;
        fn check(&self, mv: AnyMove) -> Result<(), Fault>;
        fn play_unchecked(&mut self, mv: AnyMove) -> AnyUndo;
        fn undo(&mut self, undo: AnyUndo);
        fn expected_plies(&self) -> Option<u32>;
        fn key(&self) -> u64;
        fn horizon(&self) -> u32;
        fn canonical(&self) -> (u64, Sym);
        fn map_move(&self, to: Sym, mv: AnyMove) -> AnyMove;
        fn unmap_move(&self, to: Sym, mv: AnyMove) -> AnyMove;
        fn index_len(&self) -> usize;
        fn has_move(&self, mv: AnyMove) -> bool;
        fn write_move(&self, mv: AnyMove, w: &mut dyn fmt::Write) -> fmt::Result;
        fn parse_move(&self, text: &str) -> Result<AnyMove, ParseError>;
        fn write_position(&self, w: &mut dyn fmt::Write) -> fmt::Result;
    }
}
use erased::Erased;

/// A position with the type of its game.
struct Typed<G>(G);

/// The fault of a number without a move.
fn no_move(mv: AnyMove, len: usize) -> Fault {
    Fault::new("move", format!("no move has the number {}: numbers are below {len}, with gaps", mv.0))
}

/// The fault of an illegal move.
#[expect(clippy::needless_pass_by_value, reason = "it stands in `map_err`")]
fn fault<G: Described>(illegal: G::Illegal) -> Fault {
    Fault::new(G::fault_kind(&illegal), illegal.to_string())
}

impl<G: Described> Typed<G> {
    fn typed(&self, mv: AnyMove) -> Result<G::Move, Fault> {
        mv.typed(&self.0).ok_or_else(|| no_move(mv, self.0.index_len()))
    }

    /// The number of a move that was read from a text.
    fn numbered_move(&self, mv: G::Move) -> Result<AnyMove, Fault> {
        let numbered = AnyMove::of(&self.0, mv);
        if numbered.typed(&self.0) == Some(mv) {
            return Ok(numbered);
        }
        // A move without a number of its own is illegal in every position: the fault is the fault of the rules.
        Err(self.0.check(mv).err().map_or_else(|| no_move(numbered, self.0.index_len()), fault::<G>))
    }

    /// The typed moves of these numbers. A number without a move is left out.
    fn all(&self, moves: &[AnyMove]) -> Vec<G::Move> {
        moves.iter().filter_map(|&mv| mv.typed(&self.0)).collect()
    }
}

impl<G: Described> Erased for Typed<G> {
    fn as_any(&self) -> &dyn Any {
        &self.0
    }

    fn boxed(&self) -> Box<dyn DynPosition> {
        Box::new(Self(self.0.clone()))
    }

    fn equals(&self, other: &dyn Any) -> bool {
        other.downcast_ref::<G>() == Some(&self.0)
    }

    fn to_move(&self) -> Player {
        self.0.to_move()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }

    fn legal_moves(&self) -> Vec<AnyMove> {
        let mut moves = Vec::new();
        self.0.legal_moves(&mut moves);
        moves.into_iter().map(|mv| AnyMove::of(&self.0, mv)).collect()
    }

    fn check(&self, mv: AnyMove) -> Result<(), Fault> {
        let mv = self.typed(mv)?;
        self.0.check(mv).map_err(fault::<G>)
    }

    fn play_unchecked(&mut self, mv: AnyMove) -> AnyUndo {
        let mv = self.typed(mv).unwrap_or_else(|fault| panic!("an unchecked move: {fault}"));
        AnyUndo(Box::new(self.0.play_unchecked(mv)))
    }

    fn undo(&mut self, undo: AnyUndo) {
        let undo = undo.0.downcast().unwrap_or_else(|_| panic!("the move was one of another game"));
        self.0.undo(*undo);
    }

    fn expected_plies(&self) -> Option<u32> {
        self.0.expected_plies()
    }

    fn key(&self) -> u64 {
        self.0.key()
    }

    fn horizon(&self) -> u32 {
        self.0.horizon()
    }

    fn canonical(&self) -> (u64, Sym) {
        self.0.canonical()
    }

    fn map_move(&self, to: Sym, mv: AnyMove) -> AnyMove {
        mv.typed(&self.0).map_or(mv, |typed| AnyMove::of(&self.0, self.0.map_move(to, typed)))
    }

    fn unmap_move(&self, to: Sym, mv: AnyMove) -> AnyMove {
        mv.typed(&self.0).map_or(mv, |typed| AnyMove::of(&self.0, self.0.unmap_move(to, typed)))
    }

    fn index_len(&self) -> usize {
        self.0.index_len()
    }

    fn has_move(&self, mv: AnyMove) -> bool {
        mv.typed(&self.0).is_some()
    }

    fn write_move(&self, mv: AnyMove, w: &mut dyn fmt::Write) -> fmt::Result {
        mv.typed(&self.0).map_or(Ok(()), |mv| self.0.write_move(mv, w))
    }

    fn parse_move(&self, text: &str) -> Result<AnyMove, ParseError> {
        let mv = self.0.parse_move(text)?;
        self.numbered_move(mv).map_err(|fault| ParseError::new(0, fault.message))
    }

    fn write_position(&self, w: &mut dyn fmt::Write) -> fmt::Result {
        self.0.write_position(w)
    }
}

impl<G: Described> DynPosition for Typed<G> {
    fn description(&self) -> Description {
        G::DESCRIPTION
    }

    fn size(&self) -> u8 {
        self.0.size()
    }

    fn notation(&self, name: Option<&str>) -> Result<usize, Fault> {
        self.0.notation(name)
    }

    fn move_text_in(&self, mv: AnyMove, notation: usize) -> String {
        mv.typed(&self.0).map_or_else(String::new, |mv| self.0.move_text_in(mv, notation))
    }

    fn read_move(&self, text: &str, notation: usize) -> Result<AnyMove, Fault> {
        let mv = self.0.read_move(text, notation)?;
        self.numbered_move(mv)
    }

    fn play_text(&mut self, text: &str, notation: usize) -> Result<(AnyMove, AnyUndo), Fault> {
        let before = self.0.clone();
        let (mv, undo) = described::play_text(&mut self.0, notation, text)?;
        Ok((AnyMove::of(&before, mv), AnyUndo(Box::new(undo))))
    }

    fn swap_move(&self) -> Option<AnyMove> {
        G::swap_move().map(|mv| AnyMove::of(&self.0, mv))
    }

    fn captured(&self, last: &AnyUndo) -> Vec<String> {
        last.0.downcast_ref().map_or_else(Vec::new, |last| self.0.captured(last))
    }

    fn state(&self, notation: usize, plies: usize) -> State {
        described::state(&self.0, notation, plies)
    }

    fn kinds(&self) -> u32 {
        self.0.kinds()
    }

    fn winning_moves(&self, player: Player) -> Option<Vec<AnyMove>> {
        let moves = self.0.winning_moves(player)?;
        Some(moves.into_iter().map(|mv| AnyMove::of(&self.0, mv)).collect())
    }

    fn layers(&self) -> &'static [LayerInfo] {
        G::layers()
    }

    fn layer(&self, name: &str, notation: usize, budget: &LayerBudget) -> Result<Layer, Fault> {
        layers::layer(&self.0, name, notation, budget)
    }

    fn standing(&self) -> String {
        self.0.standing()
    }

    fn picture(&self, moves: &[AnyMove], notation: usize) -> Result<Picture, Fault> {
        self.0.picture(&self.all(moves), notation)
    }

    fn target_cell(&self, mv: AnyMove) -> Option<Cell> {
        G::target_cell(mv.typed(&self.0)?)
    }

    fn place_of(&self, mv: AnyMove) -> Option<Cell> {
        self.0.place_of(mv.typed(&self.0)?)
    }

    fn read_cell(&self, text: &str, notation: usize) -> Result<Cell, Fault> {
        self.0.read_cell(text, notation)
    }

    fn traces(&self, mv: AnyMove) -> Overlay {
        mv.typed(&self.0).map_or_else(Overlay::new, |mv| self.0.traces(mv))
    }

    fn rules(&self) -> &'static [&'static str] {
        G::rules()
    }

    fn numbered(&self, moves: &[AnyMove]) -> Vec<(Cell, usize)> {
        self.0.numbered(&self.all(moves))
    }

    fn places(&self) -> Option<Places<AnyMove>> {
        let number = |place: Option<(G::Move, _)>| place.map(|(mv, stone)| (AnyMove::of(&self.0, mv), stone));
        let rows = self.0.places()?.into_iter();
        Some(rows.map(|row| row.into_iter().map(number).collect()).collect())
    }

    fn playouts(&self) -> Box<dyn PlayoutRunner> {
        self.0.playouts()
    }

    fn perft(&self, depth: u32, visit: &mut dyn FnMut(Option<Outcome>, u32)) {
        stonework_game::perft_with(&self.0, depth, |end| visit(end.outcome(), end.kinds()));
    }

    fn game_tree(&self, limits: &Limits) -> GameTree<AnyMove> {
        Minimax::new(()).tree(&self.0, limits).map(|mv| AnyMove::of(&self.0, mv))
    }

    fn record_head(&self) -> Vec<(&'static str, String)> {
        self.0.record_head()
    }

    fn record(&self, game: &GameRecord<'_>) -> Result<String, Fault> {
        self.0.record(game)
    }
}

/// A position of a game that is chosen at run time.
///
/// The type is a [`Game`] itself, and [`Keyed`], [`Indexed`] and [`Textual`], so that matches and servers take it as
/// any other game. A call costs one indirection, and a move one allocation. Functions that play many moves run on the
/// game's own type ([`DynPosition::perft`], [`DynPosition::playouts`], the players of a
/// [`GameType`](crate::GameType)).
///
/// Two positions are equal if they belong to one game and are equal in that game.
///
/// ```
/// use stonework_game::{Game, Textual};
/// use stonework_session::{Registry, Start};
/// let mut position = Registry::standard().game("cover")?.start(&Start::of_size(2))?;
/// let mut moves = Vec::new();
/// position.legal_moves(&mut moves);
/// let undo = position.play(moves[0])?;
/// position.undo(undo);
/// assert_eq!(position.move_text(moves[0]), position.move_text_in(moves[0], 0));
/// # Ok::<(), stonework_session::Fault>(())
/// ```
pub struct AnyPosition(Box<dyn DynPosition>);

impl AnyPosition {
    /// A position of a game, without its type.
    pub fn new<G: Described>(position: G) -> Self {
        Self(Box::new(Typed(position)))
    }

    /// The position with its type; `None` for a position of another game.
    ///
    /// ```
    /// use stonework_session::AnyPosition;
    /// let any = AnyPosition::new(stonework_havannah::Position::new(3)?);
    /// assert!(any.downcast_ref::<stonework_havannah::Position>().is_some());
    /// assert!(any.downcast_ref::<stonework_cover::Position>().is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn downcast_ref<G: Described>(&self) -> Option<&G> {
        self.0.as_any().downcast_ref()
    }
}

impl Deref for AnyPosition {
    type Target = dyn DynPosition;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl DerefMut for AnyPosition {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut *self.0
    }
}

impl Clone for AnyPosition {
    fn clone(&self) -> Self {
        Self(self.0.boxed())
    }
}

impl PartialEq for AnyPosition {
    fn eq(&self, other: &Self) -> bool {
        self.0.equals(other.0.as_any())
    }
}

impl Eq for AnyPosition {}

impl fmt::Debug for AnyPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AnyPosition({}: {})", self.description().name, self.position_text())
    }
}

impl Game for AnyPosition {
    type Move = AnyMove;
    type Undo = AnyUndo;
    type Illegal = Fault;

    fn to_move(&self) -> Player {
        self.0.to_move()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }

    fn legal_moves(&self, out: &mut impl Extend<AnyMove>) {
        out.extend(self.0.legal_moves());
    }

    fn check(&self, mv: AnyMove) -> Result<(), Fault> {
        self.0.check(mv)
    }

    /// # Panics
    /// If no move has the number.
    fn play_unchecked(&mut self, mv: AnyMove) -> AnyUndo {
        self.0.play_unchecked(mv)
    }

    /// # Panics
    /// If the move was played on a position of another game.
    fn undo(&mut self, undo: AnyUndo) {
        self.0.undo(undo);
    }

    fn expected_plies(&self) -> Option<u32> {
        self.0.expected_plies()
    }
}

impl Keyed for AnyPosition {
    fn key(&self) -> u64 {
        self.0.key()
    }

    fn horizon(&self) -> u32 {
        self.0.horizon()
    }

    fn canonical(&self) -> (u64, Sym) {
        self.0.canonical()
    }

    fn map_move(&self, to: Sym, mv: AnyMove) -> AnyMove {
        self.0.map_move(to, mv)
    }

    fn unmap_move(&self, to: Sym, mv: AnyMove) -> AnyMove {
        self.0.unmap_move(to, mv)
    }
}

impl Indexed for AnyPosition {
    fn index_len(&self) -> usize {
        self.0.index_len()
    }

    fn move_index(&self, mv: AnyMove) -> usize {
        mv.0 as usize
    }

    fn move_at(&self, index: usize) -> Option<AnyMove> {
        u32::try_from(index).ok().map(AnyMove).filter(|&mv| self.0.has_move(mv))
    }
}

/// The text forms of the game. The text of a position does not name its game. So
/// [`parse_position`](Textual::parse_position) refuses every text; [`GameType::start`](crate::GameType::start) reads
/// such a text.
impl Textual for AnyPosition {
    fn write_move(&self, mv: AnyMove, w: &mut dyn fmt::Write) -> fmt::Result {
        self.0.write_move(mv, w)
    }

    fn parse_move(&self, text: &str) -> Result<AnyMove, ParseError> {
        self.0.parse_move(text)
    }

    fn write_position(&self, w: &mut dyn fmt::Write) -> fmt::Result {
        self.0.write_position(w)
    }

    fn parse_position(_text: &str) -> Result<Self, ParseError> {
        Err(ParseError::new(0, "the text of a position does not name its game: start the game with it"))
    }
}
