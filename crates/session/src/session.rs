//! [`Session`]: a game in progress, with moves, undo, pictures and records.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use stonework_game::{Game, Player, Textual};
use stonework_record::Tree;

use crate::record::fault;
use crate::{
    AnyMove, AnyPosition, AnyUndo, Fault, GameRecord, GameType, Layer, LayerBudget, Picture, Registry, Start,
    State,
};

/// A move that was played.
struct Played {
    mv: AnyMove,
    /// The text of the move in the game's own notation.
    own: String,
    /// The text of the move in the notation of the session.
    text: String,
    captured: Vec<String>,
    undo: AnyUndo,
}

/// A game that was chosen at run time, from its first position to the present one.
///
/// Moves and cells are texts in the notation of the session. No method panics, whatever the texts are.
///
/// ```
/// use stonework_session::{Registry, Session, Start};
/// let mut session = Session::new(Registry::standard(), "havannah", &Start::of_size(4), Some("grid"))?;
/// for mv in "a1 b1 a2 b2 a3 b3 a4".split(' ') {
///     session.play(mv)?;
/// }
/// let state = session.state();
/// assert_eq!((state.outcome.as_deref(), state.how), (Some("white"), Some(vec!["bridge".to_owned()])));
/// session.undo(1)?;
/// assert_eq!(session.threats("white")?, Some(vec!["a4".to_owned()]));
/// # Ok::<(), stonework_session::Fault>(())
/// ```
pub struct Session {
    registry: Registry,
    game: GameType,
    start: AnyPosition,
    position: AnyPosition,
    notation: usize,
    played: Vec<Played>,
    cancel: Arc<AtomicBool>,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").field("position", &self.position).finish_non_exhaustive()
    }
}

impl Session {
    /// A session of a game by name, at its first position. Without a notation, the session has the usual notation.
    ///
    /// # Errors
    /// The fault `game`, or the fault of the start or of the notation.
    pub fn new(registry: Registry, game: &str, start: &Start, notation: Option<&str>) -> Result<Self, Fault> {
        let game = registry.game(game)?.clone();
        let start = game.start(start)?;
        let notation = start.notation(notation)?;
        let (position, cancel) = (start.clone(), Arc::default());
        Ok(Self { registry, game, start, position, notation, played: Vec::new(), cancel })
    }

    /// A session of a game by name, after the moves of the main line of an SGF record, in the usual notation.
    ///
    /// # Errors
    /// The fault `record` for a text that is no record of the game. The fault of the first refused move, with the
    /// index of the move.
    ///
    /// ```
    /// use stonework_session::{Registry, Session};
    /// let session = Session::from_record(Registry::standard(), "cachex", "(;GM[Cachex]SZ[3];R[0,0];B[2,2])")?;
    /// assert_eq!(session.moves(), ["0,0", "2,2"]);
    /// # Ok::<(), stonework_session::Fault>(())
    /// ```
    pub fn from_record(registry: Registry, game: &str, text: &str) -> Result<Self, Fault> {
        let tree = Tree::parse(text.as_bytes()).map_err(fault)?;
        let record = registry.game(game)?.read_record(&tree, None)?;
        let mut session = Self::new(registry, game, &record.start(), None)?;
        session.play_all(&record.moves)?;
        Ok(session)
    }

    /// The registry of the games.
    #[must_use]
    pub const fn registry(&self) -> &Registry {
        &self.registry
    }

    /// The game.
    #[must_use]
    pub const fn game(&self) -> &GameType {
        &self.game
    }

    /// The first position.
    #[must_use]
    pub const fn start(&self) -> &AnyPosition {
        &self.start
    }

    /// The present position.
    #[must_use]
    pub const fn position(&self) -> &AnyPosition {
        &self.position
    }

    /// The number of the notation.
    pub(crate) const fn notation(&self) -> usize {
        self.notation
    }

    pub(crate) const fn cancel(&self) -> &Arc<AtomicBool> {
        &self.cancel
    }

    /// The session with the canceller of another session.
    pub(crate) fn cancelled_with(self, other: &Self) -> Self {
        Self { cancel: Arc::clone(&other.cancel), ..self }
    }

    /// Replaces the game by the game of another session. The registry and the canceller stay.
    pub(crate) fn replace(&mut self, other: Self) {
        let cancel = Arc::clone(&self.cancel);
        *self = Self { cancel, ..other };
    }

    /// The moves played, in order.
    #[must_use]
    pub fn moves(&self) -> Vec<String> {
        self.played.iter().map(|played| played.text.clone()).collect()
    }

    /// The number of moves played.
    #[must_use]
    pub const fn plies(&self) -> usize {
        self.played.len()
    }

    /// The text of a move in the notation of the session; empty for a number without a move.
    #[must_use]
    pub fn text_of(&self, mv: AnyMove) -> String {
        self.position.move_text_in(mv, self.notation)
    }

    /// A session of the same game, start, moves and notation, with a canceller of its own, for another thread.
    ///
    /// ```
    /// use stonework_session::{Registry, Session, Start};
    /// let mut session = Session::new(Registry::standard(), "cachex", &Start::of_size(3), None)?;
    /// session.play("0,0")?;
    /// let mut other = session.fork();
    /// other.undo(1)?;
    /// assert_eq!((session.moves().len(), other.moves().len()), (1, 0));
    /// # Ok::<(), stonework_session::Fault>(())
    /// ```
    #[must_use]
    pub fn fork(&self) -> Self {
        let (registry, game) = (self.registry.clone(), self.game.clone());
        let (start, position) = (self.start.clone(), self.start.clone());
        let (notation, cancel) = (self.notation, Arc::default());
        let mut fork = Self { registry, game, start, position, notation, played: Vec::new(), cancel };
        // The moves were legal from the same start.
        fork.play_all(&self.moves()).unwrap_or_else(|fault| unreachable!("a move that was played: {fault}"));
        fork
    }

    /// The same game with moves in another notation.
    ///
    /// # Errors
    /// The fault `notation` if no notation has the name, or if the notation does not fit the board.
    pub fn in_notation(&self, name: &str) -> Result<Self, Fault> {
        let notation = self.start.notation(Some(name))?;
        let mut session = self.fork();
        session.notation = notation;
        let mut position = self.start.clone();
        for played in &mut session.played {
            played.text = position.move_text_in(played.mv, notation);
            position.play(played.mv)?;
        }
        Ok(session)
    }

    /// The last move; `None` in the first position.
    #[must_use]
    pub fn last_move(&self) -> Option<AnyMove> {
        self.played.last().map(|played| played.mv)
    }

    /// Plays a move.
    ///
    /// # Errors
    /// The fault `over` in a game that has ended, `move` for a text that is no move, or otherwise the broken rule.
    pub fn play(&mut self, text: &str) -> Result<(), Fault> {
        let before = self.position.clone();
        let (mv, undo) = self.position.play_text(text, self.notation)?;
        let (own, text) = (before.move_text(mv), before.move_text_in(mv, self.notation));
        let captured = self.position.captured(&undo);
        self.played.push(Played { mv, own, text, captured, undo });
        Ok(())
    }

    /// Plays the moves of a list, all of them or none.
    ///
    /// # Errors
    /// The fault of the first refused move, with the index of the move.
    pub fn play_all<T: AsRef<str>>(&mut self, moves: &[T]) -> Result<(), Fault> {
        for (at, text) in moves.iter().enumerate() {
            if let Err(fault) = self.play(text.as_ref()) {
                self.take_back(at);
                return Err(fault.at(at));
            }
        }
        Ok(())
    }

    /// Takes the last `count` moves back.
    ///
    /// # Errors
    /// The fault `undo` if fewer moves were played. No move is taken back then.
    pub fn undo(&mut self, count: usize) -> Result<(), Fault> {
        let played = self.played.len();
        if count > played {
            return Err(Fault::new("undo", format!("{count} moves to take back, of {played}")));
        }
        self.take_back(count);
        Ok(())
    }

    fn take_back(&mut self, count: usize) {
        for played in self.played.drain(self.played.len() - count..).rev() {
            self.position.undo(played.undo);
        }
    }

    /// The legal moves, each once, always in the same order. Empty if and only if the game is over.
    #[must_use]
    pub fn legal(&self) -> Vec<String> {
        let mut moves = Vec::new();
        self.position.legal_moves(&mut moves);
        self.names(&moves)
    }

    /// The facts about the present position: the outcome, the kinds of win with their cells, and the winning cells.
    #[must_use]
    pub fn state(&self) -> State {
        let mut state = self.position.state(self.notation, self.played.len());
        state.captured =
            state.captured.map(|_| self.played.iter().map(|played| played.captured.clone()).collect());
        state
    }

    /// The moves with which a side would win at once if it were to move; `None` if the game cannot list them.
    ///
    /// # Errors
    /// The fault `to_move` for a text that names neither side.
    pub fn threats(&self, side: &str) -> Result<Option<Vec<String>>, Fault> {
        let of = Start { to_move: Some(side.to_owned()), ..Start::default() };
        let player = of.player_in(&self.game.description())?.unwrap_or(Player::First);
        Ok(self.position.winning_moves(player).map(|moves| self.names(&moves)))
    }

    /// The layers of these names about the present position; an empty list stands for all layers of the game.
    ///
    /// # Errors
    /// The faults of [`AnyPosition::find_layers`].
    pub fn layers<T: AsRef<str>>(&self, names: &[T], budget: &LayerBudget) -> Result<Vec<Layer>, Fault> {
        self.position.find_layers(names, self.notation, budget)
    }

    /// A picture of the present position, with a mark on the last move.
    ///
    /// # Errors
    /// The fault `notation` if the notation cannot name the cells along the edges.
    pub fn picture(&self) -> Result<Picture, Fault> {
        let moves: Vec<AnyMove> = self.played.iter().map(|played| played.mv).collect();
        self.position.picture(&moves, self.notation)
    }

    /// An SGF record of the game between players of these names, with the result of a finished game.
    ///
    /// # Errors
    /// The fault `record` if the game begins with a position with a history that its text does not have.
    pub fn record(&self, players: [&str; 2]) -> Result<String, Fault> {
        let moves: Vec<String> = self.played.iter().map(|played| played.own.clone()).collect();
        let record =
            GameRecord { moves: &moves, players, result: self.position.outcome(), ..GameRecord::default() };
        self.start.record(&record)
    }

    /// The names of moves in the notation of the session.
    fn names(&self, moves: &[AnyMove]) -> Vec<String> {
        moves.iter().map(|&mv| self.text_of(mv)).collect()
    }
}
