//! [`Described`]: the trait that a game implements to be chosen at run time.

use stonework_board::Cell;
use stonework_game::text::head;
use stonework_game::{Indexed, Keyed, Outcome, Player, Textual};
use stonework_record::Tree;

use crate::playouts::{PlayoutRunner, RandomRunner};
use crate::record::{self, GameRecord, RecordedGame};
use crate::{Description, Fault, Layer, LayerBudget, LayerInfo, Picture, Start, State, layers};

/// The places of a square that holds the board, row by row from the top: `None` off the board, else the move to that place
/// and the side whose stone is there.
pub type Places<M> = Vec<Vec<Option<(M, Option<Player>)>>>;

/// A game that can be chosen at run time: its rules by the traits of `stonework-game`, and here its names, its starts,
/// its notations, its pictures and its records.
///
/// Three items are required. The others have a default that suits a game of one notation without swap and without pictures.
/// A number of a notation is a place in [`Description::notations`]; 0 is the usual notation, and the only one of a game
/// without a list.
///
/// | game | name | sides | notations |
/// |---|---|---|---|
/// | [`stonework_havannah::Position`] | `havannah` | white, black | those of [`stonework_board::Notation`] |
/// | [`stonework_cachex::Position`] | `cachex` | red, blue | one |
/// | [`stonework_cover::Position`] | `cover` | blue, red | one |
///
/// The [first page](crate) has an implementation.
pub trait Described: Keyed + Indexed + Textual + 'static {
    /// The constants of the game.
    const DESCRIPTION: Description;

    /// The first position of a game.
    ///
    /// # Errors
    /// `size`, `position`, `to_move` or `swap`, with the offending value.
    fn start(start: &Start) -> Result<Self, Fault>;

    /// The size of the board.
    fn size(&self) -> u8;

    /// The number of a notation that can name the moves of this board; of the usual notation without a name.
    ///
    /// # Errors
    /// `notation` if there is none of that name, or if it does not fit the board.
    fn notation(&self, name: Option<&str>) -> Result<usize, Fault> {
        let known = Self::DESCRIPTION.notations;
        let Some(name) = name else { return Ok(0) };
        known.iter().position(|&one| one == name).ok_or_else(|| {
            let there = if known.is_empty() { "it has one, without a name" } else { &known.join(", ") };
            let game = Self::DESCRIPTION.name;
            Fault::new("notation", format!("no notation `{}` of {game}: {there}", head(name)))
        })
    }

    /// A move in a notation.
    fn move_text_in(&self, mv: Self::Move, _notation: usize) -> String {
        self.move_text(mv)
    }

    /// Reads a move in a notation, in a position that is not over. Whether it is legal is for
    /// [`check`](stonework_game::Game::check) to say.
    ///
    /// # Errors
    /// `move` for a text that is no move.
    fn read_move(&self, text: &str, _notation: usize) -> Result<Self::Move, Fault> {
        self.parse_move(text).map_err(|error| Fault::new("move", error.to_string()))
    }

    /// The sort of the [`Fault`] of an illegal move.
    fn fault_kind(_illegal: &Self::Illegal) -> &'static str {
        "move"
    }

    /// The move by which the sides are exchanged, if the game has one.
    #[must_use]
    fn swap_move() -> Option<Self::Move> {
        None
    }

    /// The names of the cells that the last move has captured; none in games without captures.
    fn captured(&self, _last: &Self::Undo) -> Vec<String> {
        Vec::new()
    }

    /// Adds to a state the facts beyond those of every game.
    fn describe(&self, _notation: usize, _state: &mut State) {}

    /// The kinds of win that the last move has completed: bit n for kind n of [`Description::kinds`].
    fn kinds(&self) -> u32 {
        0
    }

    /// The moves with which a side would win at once if it were to move; `None` where the rules of the game do not tell.
    ///
    /// By default the side to move has each of its legal moves tried, and of the other side nothing is known.
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

    /// The layers of findings that the game offers about a position; by default the [threats](LayerInfo::THREATS).
    #[must_use]
    fn layers() -> &'static [LayerInfo] {
        &[LayerInfo::THREATS]
    }

    /// The findings of one of the [layers](Self::layers) about a position that is not over, with cells in a notation. By default
    /// the threats, whatever the name.
    ///
    /// # Errors
    /// A fault that says why the layer has no answer here.
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

    /// A picture of the position after the moves that led there; the line of the position in a game without pictures.
    ///
    /// # Errors
    /// `notation` if the notation does not fit the board.
    fn picture(&self, _moves: &[Self::Move], _notation: usize) -> Result<Picture, Fault> {
        Ok(Picture::Text(self.position_text()))
    }

    /// The cell that a move puts a stone on, if it does so.
    fn target_cell(_mv: Self::Move) -> Option<Cell> {
        None
    }

    /// The stones on the board with the numbers of the moves that have put them there.
    fn numbered(&self, moves: &[Self::Move]) -> Vec<(Cell, usize)> {
        let placed = moves.iter().enumerate();
        placed.filter_map(|(ply, &mv)| Some((Self::target_cell(mv)?, ply + 1))).collect()
    }

    /// The position on a square; `None` where a move is more than a place.
    fn places(&self) -> Option<Places<Self::Move>> {
        None
    }

    /// Random games from this position; a game that has a board for them gives it here.
    fn playouts(&self) -> Box<dyn PlayoutRunner> {
        Box::new(RandomRunner::from(self))
    }

    /// The names and values of the SGF properties in the root of a record, but for `FF`.
    fn record_head(&self) -> Vec<(&'static str, String)> {
        let name = Self::DESCRIPTION.name;
        let capital = name[..1].to_uppercase() + &name[1..];
        vec![("GM", capital), ("CA", "UTF-8".to_owned()), ("SZ", self.size().to_string())]
    }

    /// An SGF record of a game from this position. Moves stand in the game's own notation.
    ///
    /// # Errors
    /// `record` for a move that is not legal.
    fn record(&self, game: &GameRecord<'_>) -> Result<String, Fault> {
        record::write(self, game)
    }

    /// Reads a game from the main line of an SGF record.
    ///
    /// # Errors
    /// `record` for a record of another game, and for one without a size.
    fn read_record(tree: &Tree, size: Option<u64>) -> Result<RecordedGame, Fault> {
        record::read(&Self::DESCRIPTION, tree, size)
    }
}

/// Reads and plays one move.
///
/// # Errors
/// `over` in a game that has ended, whatever the text; `move` for a text that is no move, else the rule that is broken.
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
        // The rule about games that are over has its own words, the same for every move.
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

/// The side of the game that has won, or `draw`.
#[must_use]
pub const fn outcome_name<G: Described>(outcome: Outcome) -> &'static str {
    G::DESCRIPTION.outcome(outcome)
}

/// The facts about a position that was reached by `plies` moves.
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

/// Plays the moves of a list from a start: the facts about the last position.
///
/// # Errors
/// The fault of the start or of the notation; that of the first move that is refused, with its index.
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
