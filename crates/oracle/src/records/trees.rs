//! A tree as a [`ListedGame`] game.

use stonework_board::Cell;
use stonework_game::{Player, Textual as _};
use stonework_havannah::{Position, Setup};
use stonework_record::{Colour, POSITION_PROPERTY, Reading, Record, Tree};
use stonework_session::refused_as_havannah;

use super::{ListedGame, ReplayError, player};

/// The main line of a tree.
pub(super) fn recorded(
    file: &str,
    number: Option<usize>,
    tree: &Tree,
    reading: Reading,
    swap: bool,
) -> Result<ListedGame, ReplayError> {
    let label = number.map_or_else(|| file.to_owned(), |n| format!("{file}, game {n}"));
    if let Some(refused) = refused_as_havannah(tree) {
        return Err(ReplayError::new(&label, &refused));
    }
    let record = Record::read_with(tree, reading).map_err(|e| ReplayError::new(&label, &e))?;
    let start = match tree.simple_text(tree.root(), POSITION_PROPERTY) {
        Some(text) => Position::parse_position(text.trim()).map_err(|e| ReplayError::new(&label, &e))?,
        None => setup(&record, swap).position().map_err(|e| ReplayError::new(&label, &e))?,
    };
    // The moves were read as cells of the record's board.
    if start.size() != record.size {
        let (own, size) = (start.size(), record.size);
        let reason =
            format_args!("{POSITION_PROPERTY} is a position of size {own}, the record is of size {size}");
        return Err(ReplayError::new(&label, &reason));
    }
    let header = [
        ("white", &record.white),
        ("black", &record.black),
        ("event", &record.event),
        ("date", &record.date),
        ("source", &record.source),
    ];
    let header = header.into_iter().filter_map(|(name, text)| Some((name, text.clone()?))).collect();
    Ok(ListedGame {
        file: file.to_owned(),
        id: number.map(Into::into),
        label,
        notation: record.dialect.notation,
        start,
        steps: record.moves.iter().map(|m| (Some(player(m.colour)), m.action)).collect(),
        header,
        claimed: record.result.clone(),
        quirks: record.quirks.iter().map(ToString::to_string).collect(),
        listed: None,
    })
}

/// The start: the stones of the setup, and the side to move. A swap is possible only without setup stones and with the
/// first side to move.
fn setup(record: &Record, swap: bool) -> Setup {
    let mut setup = Setup::new(record.size);
    for &(colour, cell) in &record.setup {
        put(&mut setup, colour, cell);
    }
    setup.to_move = player(record.first_colour());
    setup.swap = swap && record.setup.is_empty() && setup.to_move == Player::First;
    setup
}

/// Puts a stone on a cell in place of its content, or empties the cell.
fn put(setup: &mut Setup, colour: Option<Colour>, cell: Cell) {
    setup.stones.first.remove(cell);
    setup.stones.second.remove(cell);
    if let Some(colour) = colour {
        setup.stones[player(colour)].insert(cell);
    }
}
