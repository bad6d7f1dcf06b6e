//! Positions as diagrams and results as words.

use stonework_board::{Cell, CellSet, Diagram, Notation, NotationError, Stone};
use stonework_game::{Game, Outcome, Player};
use stonework_havannah::{Move, Position, WinKind, colour};
use stonework_oracle::outcome_name;

/// The stones of a position, the winner's chains highlighted and the last stone marked.
pub(crate) fn diagram(
    position: &Position,
    notation: Notation,
    moves: &[Move],
) -> Result<Diagram, NotationError> {
    let board = position.board();
    let chains = position.kinds().iter().filter_map(|kind| position.winning_chain(kind));
    let mut diagram = Diagram::new(board)
        .notation(notation)?
        .stones(position.stones(Player::First), Stone::Light)
        .stones(position.stones(Player::Second), Stone::Dark)
        .highlight(chains.flat_map(|chain: CellSet| chain.iter().collect::<Vec<_>>()));
    if let Some(cell) = last_stone(moves) {
        diagram = diagram.last(cell);
    }
    Ok(diagram)
}

/// The stone that was placed last.
pub(crate) fn last_stone(moves: &[Move]) -> Option<Cell> {
    moves.iter().rev().find_map(|mv| match mv {
        Move::Place(cell) => Some(*cell),
        Move::Swap => None,
    })
}

/// Cells by name, separated by spaces.
pub(crate) fn names(position: &Position, cells: &CellSet, notation: Notation) -> Vec<String> {
    cells.iter().map(|c| notation.name_of(position.board(), c).unwrap_or_default()).collect()
}

/// A move by name.
pub(crate) fn move_name(position: &Position, mv: Move, notation: Notation) -> String {
    match mv {
        Move::Place(cell) => notation.name_of(position.board(), cell).unwrap_or_default(),
        Move::Swap => "swap".to_owned(),
    }
}

/// Each kind of win with the names of the cells that show it.
pub(crate) fn winning(position: &Position, notation: Notation) -> Vec<(WinKind, Vec<String>)> {
    let chain = |kind| Some((kind, names(position, &position.winning_chain(kind)?, notation)));
    position.kinds().iter().filter_map(chain).collect()
}

/// How a game stands, in words: `white wins by fork`, `a draw`, `black to move`.
pub(crate) fn standing(position: &Position) -> String {
    match position.outcome() {
        Some(Outcome::Win(player)) => format!("{} wins by {}", colour(player), position.kinds()),
        Some(Outcome::Draw) => "a draw: the board is full and nobody has won".to_owned(),
        None => format!("not over, {} to move", colour(position.to_move())),
    }
}

/// `white`, `black`, `draw`, or nothing while the game goes on.
pub(crate) fn outcome(position: &Position) -> Option<&'static str> {
    position.outcome().map(outcome_name::<Position>)
}

/// Blocks of text next to each other, top lines level.
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

/// Every line moved to the right.
pub(crate) fn indented(text: &str, by: usize) -> String {
    let indent = |line: &str| format!("{}\n", format!("{:by$}{line}", "").trim_end());
    text.lines().map(indent).collect()
}

/// Lines of at most `width` characters, broken at spaces.
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
