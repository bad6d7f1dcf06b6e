//! [`Session`]: one game that is played, taken back, drawn and recorded.

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
    /// In the game's own notation.
    own: String,
    /// In the notation of the session.
    text: String,
    captured: Vec<String>,
    undo: AnyUndo,
}

/// A game that was chosen at run time, from its first position to the present one.
///
/// Moves and cells are texts in the notation of the session. Nothing here panics, whatever the texts.
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
    /// A game of a registry, by name, at its first position; without a notation in the usual one.
    ///
    /// # Errors
    /// `game`, or the fault of the start or of the notation.
    pub fn new(registry: Registry, game: &str, start: &Start, notation: Option<&str>) -> Result<Self, Fault> {
        let game = registry.game(game)?.clone();
        let start = game.start(start)?;
        let notation = start.notation(notation)?;
        let (position, cancel) = (start.clone(), Arc::default());
        Ok(Self { registry, game, start, position, notation, played: Vec::new(), cancel })
    }

    /// A game of a registry, by name, after the moves of an SGF record's main line, in the usual notation.
    ///
    /// # Errors
    /// `record` for a text that is no record of the game; the fault of the first move that is refused, with its index.
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
        let standard = registry.game(game)?.description();
        let start = Start { swap: record.swap && standard.swaps, ..Start::of_size(record.size) };
        let mut session = Self::new(registry, game, &start, None)?;
        session.play_all(&record.moves)?;
        Ok(session)
    }

    /// The games that there are.
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

    /// The session with another game's beginning: registry and canceller stay.
    pub(crate) fn replace(&mut self, other: Self) {
        let cancel = Arc::clone(&self.cancel);
        *self = Self { cancel, ..other };
    }

    /// The moves played, in order.
    #[must_use]
    pub fn moves(&self) -> Vec<String> {
        self.played.iter().map(|played| played.text.clone()).collect()
    }

    /// Plays a move.
    ///
    /// # Errors
    /// `over` in a game that has ended, `move` for a text that is no move, else the rule that is broken.
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
    /// The fault of the first move that is refused, with its index.
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
    /// `undo` if there are fewer; nothing is taken back then.
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

    /// The legal moves, each once, always in the same order; none exactly when the game is over.
    #[must_use]
    pub fn legal(&self) -> Vec<String> {
        let mut moves = Vec::new();
        self.position.legal_moves(&mut moves);
        self.names(&moves)
    }

    /// The facts about the present position: outcome, kinds of win with their cells, winning cells.
    #[must_use]
    pub fn state(&self) -> State {
        let mut state = self.position.state(self.notation, self.played.len());
        state.captured =
            state.captured.map(|_| self.played.iter().map(|played| played.captured.clone()).collect());
        state
    }

    /// The moves with which a side would win at once if it were to move; `None` where the rules of the game do not tell.
    ///
    /// # Errors
    /// `to_move` for a text that is neither side.
    pub fn threats(&self, side: &str) -> Result<Option<Vec<String>>, Fault> {
        let of = Start { to_move: Some(side.to_owned()), ..Start::default() };
        let player = of.player_in(&self.game.description())?.unwrap_or(Player::First);
        Ok(self.position.winning_moves(player).map(|moves| self.names(&moves)))
    }

    /// The layers of these names about the present position; all that the game has for an empty list.
    ///
    /// # Errors
    /// As [`AnyPosition::find_layers`].
    pub fn layers<T: AsRef<str>>(&self, names: &[T], budget: &LayerBudget) -> Result<Vec<Layer>, Fault> {
        self.position.find_layers(names, self.notation, budget)
    }

    /// A picture of the present position, the last move marked.
    ///
    /// # Errors
    /// `notation` if the notation cannot name the cells along the edges.
    pub fn picture(&self) -> Result<Picture, Fault> {
        let moves: Vec<AnyMove> = self.played.iter().map(|played| played.mv).collect();
        self.position.picture(&moves, self.notation)
    }

    /// An SGF record of the game between players of these names, with its result if it is over.
    ///
    /// # Errors
    /// `record` if the game cannot be written, as one of Havannah from a position that is set up.
    pub fn record(&self, players: [&str; 2]) -> Result<String, Fault> {
        let moves: Vec<String> = self.played.iter().map(|played| played.own.clone()).collect();
        let record =
            GameRecord { moves: &moves, players, result: self.position.outcome(), ..GameRecord::default() };
        self.start.record(&record)
    }

    /// The names of moves in the notation of the session.
    fn names(&self, moves: &[AnyMove]) -> Vec<String> {
        moves.iter().map(|&mv| self.position.move_text_in(mv, self.notation)).collect()
    }
}
