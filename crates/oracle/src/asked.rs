//! The fast rules answer a [`Query`], whichever game it is about.

mod cachex;
pub(crate) mod cachex_games;
mod cover;
pub(crate) mod cover_games;
mod havannah;

use stonework_game::text::head;
use stonework_game::{Keyed, Notation, Outcome, Player};

use crate::query::{Fault, Query, State, Verdict};

/// A game that questions can be asked about.
///
/// | game | `NAME` | sides | `Names` |
/// |---|---|---|---|
/// | [`stonework_havannah::Position`] | `havannah` | white, black | [`stonework_board::Notation`] |
/// | [`stonework_cachex::Position`] | `cachex` | red, blue | `()`: there is one way |
/// | [`stonework_cover::Position`] | `cover` | blue, red | `()` |
pub trait Asked: Keyed + Notation {
    /// How moves and cells are named in a question.
    type Names: Copy + Default;
    /// The game's name in a question.
    const NAME: &'static str;
    /// What the sides are called, the first player's first.
    const SIDES: [&'static str; 2];
    /// The sizes of its boards, the least and the greatest.
    const SIZES: (u8, u8);
    /// Whether commas separate moves in a list of them, as spaces do; not where a move has one itself.
    const COMMAS: bool = true;

    /// The position that a question starts from.
    ///
    /// # Errors
    /// What is wrong with size, position, side to move or swap.
    fn start(query: &Query) -> Result<Self, Fault>;

    /// How a question names moves and cells of this position's board.
    ///
    /// # Errors
    /// If there is no such way, or it does not fit the board.
    fn names(&self, query: &Query) -> Result<Self::Names, Fault>;

    /// The move of a text, in a position that is not over; whether it is legal is for
    /// [`check`](stonework_game::Game::check) to say.
    ///
    /// # Errors
    /// `move` for text that is no move.
    fn read_move(&self, _names: Self::Names, text: &str) -> Result<Self::Move, Fault> {
        self.parse_move(text).map_err(|e| Fault::new("move", e.to_string()))
    }

    /// What sort of [`Fault`] an illegal move is.
    fn fault_kind(illegal: &Self::Illegal) -> &'static str;

    /// The cells that the last move has captured; none in games without captures.
    fn captured(&self, _last: &Self::Undo) -> Vec<String> {
        Vec::new()
    }

    /// What is true of the position beyond what is so of every game.
    fn describe(&self, names: Self::Names, state: &mut State);
}

/// Whether a question's size is one that the game has.
pub(crate) fn size<G: Asked>(query: &Query) -> Result<Option<u8>, Fault> {
    let (least, most) = G::SIZES;
    let Some(size) = query.size else { return Ok(None) };
    match u8::try_from(size) {
        Ok(size) if (least..=most).contains(&size) => Ok(Some(size)),
        _ => Err(Fault::new("size", format!("no board of size {size}: sizes are {least} to {most}"))),
    }
}

/// In a game that names its cells in one way, whether a question asks for another one.
pub(crate) fn no_notation_but(known: Option<&str>, cells: &str, query: &Query) -> Result<(), Fault> {
    match query.notation.as_deref() {
        Some(name) if Some(name) != known => {
            let what = format!("no notation `{}`: {cells}", head(name));
            Err(Fault::new("notation", what))
        }
        _ => Ok(()),
    }
}

/// The side that a question names.
pub(crate) fn side<G: Asked>(query: &Query) -> Result<Option<Player>, Fault> {
    let Some(name) = query.to_move.as_deref() else { return Ok(None) };
    let [first, second] = G::SIDES;
    let is = |side: &str| name == side || (name.len() == 1 && side.starts_with(name));
    match (is(first), is(second)) {
        (true, _) => Ok(Some(Player::First)),
        (_, true) => Ok(Some(Player::Second)),
        _ => {
            let said = format!("`{}` does not move: `{first}` or `{second}`", head(name));
            Err(Fault::new("to_move", said))
        }
    }
}

/// What a position's own text says of the size must be what the question says.
pub(crate) fn same_size(said: Option<u8>, size: u8) -> Result<(), Fault> {
    match said {
        Some(said) if said != size => {
            let what = format!("the position has size {size}, the question says {said}");
            Err(Fault::new("size", what))
        }
        _ => Ok(()),
    }
}

/// The names of the games that the oracle judges.
pub const GAMES: [&str; 3] = [
    <stonework_havannah::Position as Asked>::NAME,
    <stonework_cachex::Position as Asked>::NAME,
    <stonework_cover::Position as Asked>::NAME,
];

/// Plays the moves of a question by the rules of its game and tells what is then true.
///
/// # Errors
/// What is wrong with the question, with the index of the move if it is about one.
pub fn replay(query: &Query) -> Verdict {
    match query.game.as_str() {
        <stonework_havannah::Position as Asked>::NAME => replay_as::<stonework_havannah::Position>(query),
        <stonework_cachex::Position as Asked>::NAME => replay_as::<stonework_cachex::Position>(query),
        <stonework_cover::Position as Asked>::NAME => replay_as::<stonework_cover::Position>(query),
        other => {
            let known = GAMES.join(", ");
            Err(Fault::new("game", format!("no game `{}`: there is {known}", head(other))))
        }
    }
}

fn replay_as<G: Asked>(query: &Query) -> Verdict {
    let mut position = G::start(query)?;
    let names = position.names(query)?;
    let mut captured = Vec::new();
    for (at, text) in query.moves.iter().enumerate() {
        let (_, undo) = play(&mut position, names, text).map_err(|fault| Fault { at: Some(at), ..fault })?;
        captured.push(position.captured(&undo));
    }
    let mut state = state(&position, names, query.moves.len());
    state.captured = state.captured.map(|_| captured);
    Ok(state)
}

/// Plays one move that is given as text: the move, and what takes it back.
///
/// # Errors
/// `over` in a game that has ended, whatever the text says; `move` for text that is no move, else the rule
/// that is broken; without an index.
pub fn play<G: Asked>(position: &mut G, names: G::Names, text: &str) -> Result<(G::Move, G::Undo), Fault> {
    let fault = |illegal: G::Illegal| Fault::new(G::fault_kind(&illegal), illegal.to_string());
    if let Some(outcome) = position.outcome() {
        // What is over says so of every move: no matter which one was meant.
        let mv = position.read_move(names, text);
        return Err(match mv.map(|mv| position.check(mv)) {
            Ok(Err(illegal)) => fault(illegal),
            _ => Fault::new("over", format!("the game is over: {}", outcome_text::<G>(outcome))),
        });
    }
    let mv = position.read_move(names, text)?;
    position.play(mv).map(|undo| (mv, undo)).map_err(fault)
}

/// How a game has ended, in words.
fn outcome_text<G: Asked>(outcome: Outcome) -> String {
    match outcome {
        Outcome::Win(_) => format!("{} has won", outcome_name::<G>(outcome)),
        Outcome::Draw => "a draw".to_owned(),
    }
}

/// What is true of a position that was reached by so many moves.
#[must_use]
pub fn state<G: Asked>(position: &G, names: G::Names, plies: usize) -> State {
    let mut legal = Vec::new();
    position.legal_moves(&mut legal);
    let mut state = State {
        plies: Some(plies as u64),
        to_move: G::SIDES[position.to_move().index()].to_owned(),
        outcome: position.outcome().map(|outcome| outcome_name::<G>(outcome).to_owned()),
        legal: Some(legal.len() as u64),
        board: Some(position.position_text()),
        key: Some(format!("{:016x}", position.key())),
        ..State::default()
    };
    position.describe(names, &mut state);
    state
}

/// A side of the game, or `draw`.
#[must_use]
pub const fn outcome_name<G: Asked>(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win(player) => G::SIDES[player.index()],
        Outcome::Draw => "draw",
    }
}
