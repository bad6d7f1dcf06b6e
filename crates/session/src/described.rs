//! [`Described`]: the trait that a game implements to be chosen at run time.

use stonework_board::{Cell, Overlay};
use stonework_game::text::head;
use stonework_game::{Indexed, Keyed, Outcome, Player, Textual};
use stonework_record::Tree;

use crate::playouts::{PlayoutRunner, RandomRunner};
use crate::record::{self, GameRecord, RecordedGame};
use crate::{Description, Fault, Layer, LayerBudget, LayerInfo, Picture, Start, State, layers};

/// The places of a square around the board, row by row from the top. A place off the board is `None`. A place on the
/// board has the move to that place, and the side of its stone, if there is a stone.
pub type Places<M> = Vec<Vec<Option<(M, Option<Player>)>>>;

/// A game that can be chosen at run time. The traits of `stonework-game` give its rules. This trait gives its names, first
/// positions, notations, pictures and records.
///
/// Three items are required. The others have a default that suits a game of one notation without swap and without pictures.
/// The number of a notation is its index in [`Description::notations`]. Number 0 is the usual notation. A game with an empty list
/// has only number 0.
///
/// | game | name | sides, first player first | notations |
/// |---|---|---|---|
/// | [`stonework_havannah::Position`] | `havannah` | white, black | all of [`stonework_board::Notation`] |
/// | [`stonework_cachex::Position`] | `cachex` | red, blue | one |
/// | [`stonework_cover::Position`] | `cover` | blue, red | one |
///
/// The [first page](crate) shows an implementation.
pub trait Described: Keyed + Indexed + Textual + 'static {
    /// The constants of the game.
    const DESCRIPTION: Description;

    /// The first position of a game.
    ///
    /// # Errors
    /// A fault of the kind `size`, `position`, `to_move` or `swap`, with the offending value.
    fn start(start: &Start) -> Result<Self, Fault>;

    /// The size of the board.
    fn size(&self) -> u8;

    /// The number of the notation of a name, if it can name the moves of this board. Without a name, the number of the usual notation.
    ///
    /// # Errors
    /// A fault of the kind `notation` if no notation has that name, or if the notation does not fit the board.
    fn notation(&self, name: Option<&str>) -> Result<usize, Fault> {
        let known = Self::DESCRIPTION.notations;
        let Some(name) = name else { return Ok(0) };
        known.iter().position(|&notation| notation == name).ok_or_else(|| {
            let hint = if known.is_empty() { "it has one, without a name" } else { &known.join(", ") };
            let game = Self::DESCRIPTION.name;
            Fault::new("notation", format!("no notation `{}` of {game}: {hint}", head(name)))
        })
    }

    /// The text of a move in a notation.
    fn move_text_in(&self, mv: Self::Move, _notation: usize) -> String {
        self.move_text(mv)
    }

    /// Reads a move in a notation, in a position that is not over. The move need not be legal:
    /// [`check`](stonework_game::Game::check) decides that.
    ///
    /// # Errors
    /// A fault of the kind `move` for a text that is no move.
    fn read_move(&self, text: &str, _notation: usize) -> Result<Self::Move, Fault> {
        self.parse_move(text).map_err(|error| Fault::new("move", error.to_string()))
    }

    /// The [kind](Fault::kind) of the fault for an illegal move.
    fn fault_kind(_illegal: &Self::Illegal) -> &'static str {
        "move"
    }

    /// The move that exchanges the sides, if the game has such a move.
    #[must_use]
    fn swap_move() -> Option<Self::Move> {
        None
    }

    /// The names of the cells whose stones the last move has captured. Empty in games without captures.
    fn captured(&self, _last: &Self::Undo) -> Vec<String> {
        Vec::new()
    }

    /// Adds the facts that only some games have to a state.
    fn describe(&self, _notation: usize, _state: &mut State) {}

    /// The kinds of win that the last move has completed: bit n for kind n of [`Description::kinds`].
    fn kinds(&self) -> u32 {
        0
    }

    /// The moves with which a side would win at once if it were to move; `None` if the game cannot list them.
    ///
    /// The default tries each legal move of the side to move, and returns `None` for the other side.
    fn winning_moves(&self, player: Player) -> Option<Vec<Self::Move>> {
        if self.outcome().is_some() {
            return Some(Vec::new());
        }
        if player != self.to_move() {
            return None;
        }
        let (mut game, mut moves) = (self.clone(), Vec::new());
        self.legal_moves(&mut moves);
        moves.retain(|&mv| {
            let undo = game.play_unchecked(mv);
            let wins = game.outcome() == Some(Outcome::Win(player));
            game.undo(undo);
            wins
        });
        Some(moves)
    }

    /// The [layers](Layer) of findings about a position that the game offers. The default is the layer of the
    /// [threats](LayerInfo::THREATS).
    #[must_use]
    fn layers() -> &'static [LayerInfo] {
        &[LayerInfo::THREATS]
    }

    /// The findings of one of the [layers](Self::layers) about a position that is not over, with cells in a notation. The default
    /// returns the threats for every name.
    ///
    /// # Errors
    /// A fault with the reason why the layer has no findings about this position.
    fn layer(&self, _name: &str, notation: usize, _budget: &LayerBudget) -> Result<Layer, Fault> {
        Ok(layers::threats(self, notation))
    }

    /// The state of the game in words: `white wins by fork`, `a draw`, `not over, black to move`.
    fn standing(&self) -> String {
        let game = Self::DESCRIPTION;
        match self.outcome() {
            Some(Outcome::Win(player)) => format!("{} wins", game.side(player)),
            Some(Outcome::Draw) => "a draw".to_owned(),
            None => format!("not over, {} to move", game.side(self.to_move())),
        }
    }

    /// A picture of the position. `moves` are the moves that led to the position. In a game without pictures, the picture is the
    /// position's one-line text.
    ///
    /// # Errors
    /// A fault of the kind `notation` if the notation does not fit the board.
    fn picture(&self, _moves: &[Self::Move], _notation: usize) -> Result<Picture, Fault> {
        Ok(Picture::Text(self.position_text()))
    }

    /// The cell on which a move puts a stone; `None` for a move without a stone.
    fn target_cell(_mv: Self::Move) -> Option<Cell> {
        None
    }

    /// The cell to which a move in this position brings a stone; `None` for a move without a stone.
    fn place_of(&self, mv: Self::Move) -> Option<Cell> {
        Self::target_cell(mv)
    }

    /// The cell with a name in a notation. The default reads the name as a move.
    ///
    /// # Errors
    /// A fault of the kind `move` for a text that names no cell.
    fn read_cell(&self, text: &str, notation: usize) -> Result<Cell, Fault> {
        let cell = self.place_of(self.read_move(text, notation)?);
        cell.ok_or_else(|| Fault::new("move", format!("`{}` is no cell", head(text))))
    }

    /// The marks that show a legal move of this position in a picture of the next position, beside the mark of the last stone:
    /// stones that the move takes from the board, the way of a stone that moves, a shot. The default is no mark.
    fn traces(&self, _mv: Self::Move) -> Overlay {
        Overlay::new()
    }

    /// The paragraphs of the rules for a person, for a kit to print. The default is empty.
    #[must_use]
    fn rules() -> &'static [&'static str] {
        &[]
    }

    /// The cell of each stone on the board, with the number of the move that has put the stone there, from 1.
    fn numbered(&self, moves: &[Self::Move]) -> Vec<(Cell, usize)> {
        let placed = moves.iter().enumerate();
        placed.filter_map(|(ply, &mv)| Some((Self::target_cell(mv)?, ply + 1))).collect()
    }

    /// The position on a square; `None` for a game in which a move is more than a place.
    fn places(&self) -> Option<Places<Self::Move>> {
        None
    }

    /// Plays random games from this position. The default plays by the rules; a game with a faster board for playouts returns a runner
    /// with that board.
    fn playouts(&self) -> Box<dyn PlayoutRunner> {
        Box::new(RandomRunner::from(self))
    }

    /// The names and values of the SGF properties in the root of a record, except `FF`.
    fn record_head(&self) -> Vec<(&'static str, String)> {
        let name = layers::capital(Self::DESCRIPTION.name);
        vec![("GM", name), ("CA", "UTF-8".to_owned()), ("SZ", self.size().to_string())]
    }

    /// An SGF record of a game from this position, with moves in the game's own notation. A position that is not the first one of its
    /// size stands in the property `SWP` of the root, which other programs do not know.
    ///
    /// # Errors
    /// A fault of the kind `record` for a move that is not legal, and for a position with a history that its text does not have.
    fn record(&self, game: &GameRecord<'_>) -> Result<String, Fault> {
        record::write(self, game)
    }

    /// Reads a game from the main line of an SGF record.
    ///
    /// # Errors
    /// A fault of the kind `record` for a record of another game, for a record without a size, for a first position (`SWP`) that is none
    /// of its size, for moves of other sides, and for a move of the side that is not to move. In games other than Havannah also for a node
    /// with more than one move, and for stones that are set up by `AB`, `AW` and `AE`.
    fn read_record(tree: &Tree, size: Option<u64>) -> Result<RecordedGame, Fault> {
        record::read::<Self>(tree, size)
    }
}

/// Reads and plays one move.
///
/// # Errors
/// A fault. In a game that has ended, its kind is `over` for every text. Otherwise its kind is `move` for a text that is no move, and
/// the broken rule for an illegal move.
///
/// ```
/// use stonework_havannah::Position;
/// use stonework_session::play_text;
/// let mut position = Position::new(4)?;
/// let (mv, undo) = play_text(&mut position, 0, "a1")?;
/// assert_eq!(play_text(&mut position, 0, "a1").unwrap_err().kind, "occupied");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn play_text<G: Described>(
    position: &mut G,
    notation: usize,
    text: &str,
) -> Result<(G::Move, G::Undo), Fault> {
    let fault = |illegal: G::Illegal| Fault::new(G::fault_kind(&illegal), illegal.to_string());
    if let Some(outcome) = position.outcome() {
        // For a readable move, the fault has the game's own message that the game is over.
        let mv = position.read_move(text, notation);
        return Err(match mv.map(|mv| position.check(mv)) {
            Ok(Err(illegal)) => fault(illegal),
            _ => Fault::new("over", format!("the game is over: {}", outcome_text::<G>(outcome))),
        });
    }
    let mv = position.read_move(text, notation)?;
    position.play(mv).map(|undo| (mv, undo)).map_err(fault)
}

/// The end of a game in words.
pub(crate) fn outcome_text<G: Described>(outcome: Outcome) -> String {
    match outcome {
        Outcome::Win(player) => format!("{} has won", G::DESCRIPTION.side(player)),
        Outcome::Draw => "a draw".to_owned(),
    }
}

/// The name of the side that has won, or `draw`.
#[must_use]
pub const fn outcome_name<G: Described>(outcome: Outcome) -> &'static str {
    G::DESCRIPTION.outcome(outcome)
}

/// The facts about a position after `plies` moves.
#[must_use]
pub fn state<G: Described>(position: &G, notation: usize, plies: usize) -> State {
    let mut legal = Vec::new();
    position.legal_moves(&mut legal);
    let game = G::DESCRIPTION;
    let mut state = State {
        plies: Some(plies as u64),
        to_move: game.side(position.to_move()).to_owned(),
        outcome: position.outcome().map(|outcome| game.outcome(outcome).to_owned()),
        legal: Some(legal.len() as u64),
        board: Some(position.position_text()),
        key: Some(format!("{:016x}", position.key())),
        ..State::default()
    };
    position.describe(notation, &mut state);
    state
}

/// Plays a list of moves from a start, and returns the facts about the last position.
///
/// # Errors
/// The fault of the start or of the notation; the fault of the first refused move, with the index of the move.
pub fn replay<G: Described>(start: &Start, notation: Option<&str>, moves: &[String]) -> Result<State, Fault> {
    let mut position = G::start(start)?;
    let notation = position.notation(notation)?;
    let mut captured = Vec::new();
    for (at, text) in moves.iter().enumerate() {
        let (_, undo) = play_text(&mut position, notation, text).map_err(|fault| fault.at(at))?;
        captured.push(position.captured(&undo));
    }
    let mut state = state(&position, notation, moves.len());
    state.captured = state.captured.map(|_| captured);
    Ok(state)
}
