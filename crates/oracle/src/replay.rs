//! The fast rules answer a [`Query`].

use stonework_board::{CellSet, Notation, NotationError};
use stonework_game::{Game, Keyed, Notation as _, Outcome, Player};
use stonework_havannah::{IllegalMove, Move, Position, Setup, colour};

use crate::query::{BySide, Fault, GAMES, Query, State, Verdict};

/// Plays the moves of a question by the rules of its game and tells what is then true.
///
/// # Errors
/// What is wrong with the question, with the index of the move if it is about one.
pub fn replay(query: &Query) -> Verdict {
    if query.game != GAMES[0] {
        let known = GAMES.join(", ");
        return Err(Fault::new("game", format!("no game `{}`: there is {known}", head(&query.game))));
    }
    let notation: Notation = match &query.notation {
        None => Notation::Hgui,
        Some(name) => name.parse().map_err(|e: NotationError| Fault::new("notation", e.to_string()))?,
    };
    let mut position = start(query)?;
    notation.fits(position.board().shape()).map_err(|e| Fault::new("notation", e.to_string()))?;
    for (at, text) in query.moves.iter().enumerate() {
        play(&mut position, notation, text).map_err(|fault| Fault { at: Some(at), ..fault })?;
    }
    Ok(state(&position, notation, query.moves.len()))
}

/// The position that a question starts from.
///
/// # Errors
/// What is wrong with size, position, side to move or swap.
pub fn start(query: &Query) -> Result<Position, Fault> {
    let size =
        match query.size {
            None => None,
            Some(size) => {
                let small = u8::try_from(size).ok().filter(|s| (2..=20).contains(s));
                Some(small.ok_or_else(|| {
                    Fault::new("size", format!("no board of size {size}: sizes are 2 to 20"))
                })?)
            }
        };
    let mut setup = match (&query.position, size) {
        (None, None) => return Err(Fault::new("size", "neither size nor position is given")),
        (None, Some(size)) => Setup { swap: query.swap, ..Setup::new(size) },
        (Some(text), size) => {
            let position =
                Position::parse_position(text).map_err(|e| Fault::new("position", e.to_string()))?;
            if let Some(size) = size.filter(|&s| s != position.size()) {
                let said = format!("the position has size {}, the question says {size}", position.size());
                return Err(Fault::new("size", said));
            }
            position.setup()
        }
    };
    match query.to_move.as_deref() {
        None => {}
        Some("white" | "w") => setup.to_move = Player::First,
        Some("black" | "b") => setup.to_move = Player::Second,
        Some(other) => {
            let said = format!("`{}` does not move: `white` or `black`", head(other));
            return Err(Fault::new("to_move", said));
        }
    }
    setup.position().map_err(|e| Fault::new("position", e.to_string()))
}

/// Plays one move that is given as text.
///
/// # Errors
/// `move` for text that is no cell of the board, else the rule that is broken; without an index.
pub fn play(position: &mut Position, notation: Notation, text: &str) -> Result<(), Fault> {
    let mv = if text.eq_ignore_ascii_case("swap") {
        Move::Swap
    } else {
        // A move after the end is that first of all, whatever it says.
        if let Some(outcome) = position.outcome() {
            return Err(Fault::new("over", IllegalMove::Over { outcome }.to_string()));
        }
        Move::Place(notation.parse(position.board(), text).map_err(|e| Fault::new("move", e.to_string()))?)
    };
    let kind = |illegal: &IllegalMove| match illegal {
        IllegalMove::Over { .. } => "over",
        IllegalMove::Swap { .. } => "swap",
        IllegalMove::Occupied { .. } => "occupied",
        _ => "move",
    };
    position.play(mv).map(|_| ()).map_err(|illegal| Fault::new(kind(&illegal), illegal.to_string()))
}

/// What is true of a position that was reached by so many moves.
#[must_use]
pub fn state(position: &Position, notation: Notation, plies: usize) -> State {
    let mut legal = Vec::new();
    position.legal_moves(&mut legal);
    let names = |cells: CellSet| -> Vec<String> {
        cells.iter().map(|c| notation.name_of(position.board(), c).unwrap_or_default()).collect()
    };
    let winning = |player| names(position.winning_cells(player));
    State {
        plies: Some(plies as u64),
        to_move: colour(position.to_move()).to_owned(),
        outcome: position.outcome().map(|outcome| outcome_name(outcome).to_owned()),
        how: Some(position.kinds().iter().map(|k| k.name().to_owned()).collect()),
        cells: Some(position.kinds().iter().filter_map(|k| position.winning_chain(k).map(names)).collect()),
        legal: Some(legal.len() as u64),
        winning_cells: Some(BySide { white: winning(Player::First), black: winning(Player::Second) }),
        can_win: Some(BySide {
            white: position.can_win(Player::First),
            black: position.can_win(Player::Second),
        }),
        board: Some(position.position_text()),
        key: Some(format!("{:016x}", position.key())),
    }
}

/// `white`, `black` or `draw`.
#[must_use]
pub const fn outcome_name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win(player) => colour(player),
        Outcome::Draw => "draw",
    }
}

/// At most 40 characters of a user's text.
fn head(text: &str) -> &str {
    text.char_indices().nth(40).map_or(text, |(end, _)| &text[..end])
}
