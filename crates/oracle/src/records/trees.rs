//! A tree as a [`ListedGame`] game.

use stonework_record::{Reading, Record, Tree};
use stonework_session::{havannah_start, refused_as_havannah};

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
    let start = havannah_start(tree, &record, swap).map_err(|e| ReplayError::new(&label, &e))?;
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
