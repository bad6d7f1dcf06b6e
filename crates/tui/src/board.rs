//! [`BoardText`]: the picture of a position as lines of text, with the place of each cell.

use stonework_board::{Cell, Orientation, Stone};
use stonework_game::Indexed;
use stonework_session::{AnyMove, AnyPosition, Picture};

/// A cell in a [`BoardText`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    /// The cell.
    pub(crate) cell: Cell,
    /// The name of the cell in the notation of the picture.
    pub(crate) name: String,
    /// The line and the column of the character of the cell, from 0.
    pub(crate) line: usize,
    pub(crate) column: usize,
    /// The stone on the cell.
    pub(crate) stone: Option<Stone>,
    /// `true` if the picture marks the cell.
    pub(crate) highlighted: bool,
    /// The number of characters that belong to the cell to the left and to the right of its character, and the number of
    /// lines above and below.
    pub(crate) reach: (usize, usize),
}

/// The picture of a position as lines of text, with the place of each cell. A picture without cells has no places.
#[derive(Clone, Default, Debug)]
pub(crate) struct BoardText {
    pub(crate) lines: Vec<String>,
    pub(crate) places: Vec<Place>,
}

impl BoardText {
    /// The text of a picture. `names` has the name of each cell of the board, by the index of the cell.
    pub(crate) fn new(picture: &Picture, names: &[String]) -> Self {
        let name = |cell: Cell| names.get(cell.index()).cloned().unwrap_or_default();
        let places = match picture {
            Picture::Cells(diagram) => {
                let place = |(cell, line, column)| Place {
                    cell,
                    name: name(cell),
                    line,
                    column,
                    stone: diagram.stone_on(cell),
                    highlighted: diagram.is_highlighted(cell),
                    reach: (0, 0),
                };
                diagram.places().map(place).collect()
            }
            Picture::Locations(diagram) => {
                let lattice = diagram.lattice();
                let place = |(cell, line, column)| Place {
                    cell,
                    name: lattice.name(cell),
                    line,
                    column,
                    stone: diagram.stone_on(cell),
                    highlighted: false,
                    reach: match lattice.orientation(cell) {
                        Orientation::Horizontal => (2, 0),
                        Orientation::Vertical => (0, 1),
                    },
                };
                diagram.places().map(place).collect()
            }
            Picture::Text(_) => Vec::new(),
        };
        Self { lines: picture.text().lines().map(str::to_owned).collect(), places }
    }

    /// The number of columns of the longest line.
    pub(crate) fn width(&self) -> usize {
        self.lines.iter().map(|line| line.chars().count()).max().unwrap_or(0)
    }

    /// The index of the place under a character, or beside it: a cell reaches one character to each side.
    pub(crate) fn at(&self, line: usize, column: usize) -> Option<usize> {
        let near = |place: &Place| {
            let (wide, high) = place.reach;
            place.line.abs_diff(line) <= high && place.column.abs_diff(column) <= wide.max(1)
        };
        let distance = |place: &Place| place.column.abs_diff(column) + place.line.abs_diff(line);
        let found = self.places.iter().enumerate().filter(|(_, place)| near(place));
        found.min_by_key(|(_, place)| distance(place)).map(|(index, _)| index)
    }

    /// The index of the place of a cell.
    pub(crate) fn of(&self, cell: Cell) -> Option<usize> {
        self.places.iter().position(|place| place.cell == cell)
    }

    /// The index of the place with a name.
    pub(crate) fn named(&self, name: &str) -> Option<usize> {
        self.places.iter().position(|place| place.name == name)
    }

    /// The nearest place from a place in a direction of lines and columns. Among places at the same distance, the leftmost.
    pub(crate) fn next(&self, from: usize, down: isize, right: isize) -> Option<usize> {
        let start = self.places.get(from)?;
        let ahead = |place: &Place| {
            let lines = place.line as isize - start.line as isize;
            let columns = place.column as isize - start.column as isize;
            let (along, aside) =
                (lines * down + columns * right, (lines * right).abs() + (columns * down).abs());
            // A column has half the width of a line's height.
            let (along, aside) = if down == 0 { (along, 4 * aside) } else { (2 * along, aside) };
            (along > 0).then_some(along + aside)
        };
        let places = self.places.iter().enumerate();
        places.filter_map(|(index, place)| Some((ahead(place)?, index))).min().map(|(_, index)| index)
    }
}

/// The names of the cells of a board, by the index of the cell, as the moves to the cells name them.
pub(crate) fn cell_names(position: &AnyPosition, notation: usize) -> Vec<String> {
    let mut names = Vec::new();
    for mv in (0..position.index_len()).filter_map(|index| position.move_at(index)) {
        let Some(cell) = position.target_cell(mv) else { continue };
        names.resize(names.len().max(cell.index() + 1), String::new());
        names[cell.index()] = position.move_text_in(mv, notation);
    }
    names
}

/// The places that a move names, the place where a stone comes to lie last: one cell in games of placing, two locations in
/// games of moving.
pub(crate) fn places_of(position: &AnyPosition, mv: AnyMove, text: &str, board: &BoardText) -> Vec<usize> {
    match position.target_cell(mv) {
        Some(cell) => board.of(cell).into_iter().collect(),
        None => text.split(['-', 'x']).take(2).map_while(|part| board.named(part)).collect(),
    }
}
