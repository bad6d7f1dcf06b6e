//! The coordinates around a board.

use super::Diagram;
use crate::{Board, Cell, Direction, Notation, Shape};

/// A coordinate: a part of a cell's name, written beside a rim cell.
pub(super) struct Coordinate {
    /// The cell at the rim.
    pub(super) cell: Cell,
    /// The side of the cell on which the coordinate stands.
    pub(super) side: Direction,
    /// The part of the name, which all cells of this line share.
    pub(super) text: String,
}

/// The coordinates of a diagram: parts of names, or numbers.
pub(super) fn coordinates(diagram: &Diagram) -> Vec<Coordinate> {
    if diagram.counted { numbers(diagram.board) } else { names(diagram.board, diagram.notation) }
}

/// The numbers of the rows at their left ends, and of the columns beyond the first row.
fn numbers(board: &Board) -> Vec<Coordinate> {
    let first = (0..board.rows()).filter_map(|row| Some((board.row(row).next()?, row)));
    let left = first.map(|(cell, n)| Coordinate { cell, side: Direction::W, text: n.to_string() });
    let beyond = board.row(0).enumerate();
    let beyond = beyond.map(|(n, cell)| Coordinate { cell, side: Direction::NW, text: n.to_string() });
    left.chain(beyond).collect()
}

/// All parts of names: the row part at the left end of each row, the column part where the column's line leaves the board.
///
/// The lines of columns run straight up-right, except in `Grid`, which counts from the left end. The lines of `Grid`
/// bend with the left side of the board, so that the lower half of a hexagon has numbers of its own.
fn names(board: &Board, notation: Notation) -> Vec<Coordinate> {
    let mut all = Vec::new();
    let rhombus = matches!(board.shape(), Shape::Rhombus(_));
    for row in 0..board.rows() {
        let mut cells = board.row(row);
        let first = cells.next();
        let last = cells.next_back().or(first);
        let text = first.map_or(String::new(), |c| notation.parts(board, c).0);
        all.extend(first.map(|cell| Coordinate { cell, side: Direction::W, text: text.clone() }));
        all.extend(last.filter(|_| rhombus).map(|cell| Coordinate { cell, side: Direction::E, text }));
    }
    let middle = board.rows() as i16 / 2;
    for cell in board.cells() {
        let row = board.coord(cell).row;
        let sides: &[Direction] = match (notation, rhombus) {
            (Notation::Grid, true) => &[Direction::NW, Direction::SE],
            (Notation::Grid, false) if row == middle => &[Direction::NE, Direction::SE],
            (Notation::Grid, false) if row > middle => &[Direction::SE],
            _ => &[Direction::NE],
        };
        for &side in sides.iter().filter(|&&s| board.neighbour(cell, s).is_none()) {
            all.push(Coordinate { cell, side, text: notation.parts(board, cell).1 });
        }
    }
    all
}
