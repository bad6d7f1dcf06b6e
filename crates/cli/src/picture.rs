//! Positions as diagrams, and results in words.

use stonework_board::{CellSet, Diagram, Notation};
use stonework_game::Game;
use stonework_havannah::{Move, Position, WinKind};
use stonework_session::{Described, Picture, outcome_name};

use crate::failure::Failure;
use crate::start::number;

/// The diagram of a position: the winner's chains are highlighted, and the last stone is marked.
pub(crate) fn diagram(position: &Position, notation: Notation, moves: &[Move]) -> Result<Diagram, Failure> {
    let number = number(&Position::DESCRIPTION, notation);
    match Described::picture(position, moves, number).map_err(Failure::input)? {
        Picture::Cells(diagram) => Ok(diagram),
        _ => Err(Failure::input("Havannah is drawn on cells")),
    }
}

/// The names of cells, separated by spaces.
pub(crate) fn names(position: &Position, cells: &CellSet, notation: Notation) -> Vec<String> {
    cells.iter().map(|c| notation.name_of(position.board(), c).unwrap_or_default()).collect()
}

/// Each kind of win with the names of the cells that show it.
pub(crate) fn winning(position: &Position, notation: Notation) -> Vec<(WinKind, Vec<String>)> {
    let chain = |kind| Some((kind, names(position, &position.winning_chain(kind)?, notation)));
    position.kinds().iter().filter_map(chain).collect()
}

/// `white`, `black` or `draw`; `None` while the game goes on.
pub(crate) fn outcome(position: &Position) -> Option<&'static str> {
    position.outcome().map(outcome_name::<Position>)
}

/// Blocks of text side by side, with their top lines level.
pub(crate) fn beside(blocks: &[String], gap: usize) -> String {
    let width = |block: &String| block.lines().map(|l| l.chars().count()).max().unwrap_or(0);
    let rows = blocks.iter().map(|b| b.lines().count()).max().unwrap_or(0);
    let mut page = String::new();
    for row in 0..rows {
        let part = |block: &String| {
            let room = width(block) + gap;
            format!("{:room$}", block.lines().nth(row).unwrap_or_default())
        };
        let line: String = blocks.iter().map(part).collect();
        page.push_str(line.trim_end());
        page.push('\n');
    }
    page
}

/// The text with each line moved to the right.
pub(crate) fn indented(text: &str, by: usize) -> String {
    let indent = |line: &str| format!("{}\n", format!("{:by$}{line}", "").trim_end());
    text.lines().map(indent).collect()
}

/// The text in lines of at most `width` characters, broken at spaces.
pub(crate) fn wrapped(text: &str, width: usize, indent: usize) -> String {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().map(|l| (l.chars().count(), l));
        match line {
            Some((0, line)) => line.push_str(word),
            Some((used, line)) if used + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    indented(&lines.join("\n"), indent)
}
