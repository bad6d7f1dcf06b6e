//! [`Planar`]: positions as planes of numbers, for networks.

use stonework_board::{Board, Cell, Home, Notation};
use stonework_cachex as cachex;
use stonework_cover as cover;
use stonework_game::Player;
use stonework_havannah as havannah;
use stonework_session::Described;

/// The number of planes of every game.
pub(crate) const PLANES: usize = 5;

/// A number of a plane: 0 or 1.
pub(crate) trait Entry: Copy {
    const ONE: Self;
    const ZERO: Self;
}

impl Entry for f32 {
    const ONE: Self = 1.0;
    const ZERO: Self = 0.0;
}

impl Entry for u8 {
    const ONE: Self = 1;
    const ZERO: Self = 0;
}

/// The memory of planes, in either type of number.
#[derive(Debug)]
pub enum PlaneSlice<'a> {
    /// Numbers of 4 bytes.
    Float(&'a mut [f32]),
    /// Numbers of 1 byte.
    Byte(&'a mut [u8]),
}

/// A game whose positions have planes. `docs/python.md` has the layout.
pub(crate) trait Planar: Described {
    /// The planes, rows and columns.
    fn shape(&self) -> [usize; 3];

    /// Writes the planes as one side sees them. `out` has as many numbers as the shape says, and is overwritten whole.
    fn write_planes<T: Entry>(&self, of: Player, out: &mut [T]);

    /// The names of the cells with a stone of a side.
    fn stone_names(&self, of: Player, notation: usize) -> Vec<String>;
}

/// The planes of a position, with an index for each cell.
struct Pages<'a, T> {
    out: &'a mut [T],
    area: usize,
}

impl<'a, T: Entry> Pages<'a, T> {
    fn new(out: &'a mut [T], [_, rows, columns]: [usize; 3]) -> Self {
        out.fill(T::ZERO);
        Self { out, area: rows * columns }
    }

    fn mark(&mut self, plane: usize, at: usize) {
        self.out[plane * self.area + at] = T::ONE;
    }

    fn fill(&mut self, plane: usize, one: bool) {
        if one {
            self.out[plane * self.area..][..self.area].fill(T::ONE);
        }
    }
}

/// The place of a cell of a hexagon in a plane: the number of its name is the row, the letter is the column. These are
/// the places and the action numbers of `OpenSpiel`.
#[must_use]
pub fn hexagon_place(board: &Board, cell: Cell) -> usize {
    let (width, at) = (2 * usize::from(board.size()) - 1, board.coord(cell));
    at.column as usize * width + at.row as usize
}

impl Planar for havannah::Position {
    fn shape(&self) -> [usize; 3] {
        let width = 2 * usize::from(self.size()) - 1;
        [PLANES, width, width]
    }

    fn write_planes<T: Entry>(&self, of: Player, out: &mut [T]) {
        use stonework_game::Game;
        let mut pages = Pages::new(out, self.shape());
        let board = self.board();
        let (own, other) = (self.stones(of), self.stones(of.other()));
        for cell in board.cells() {
            let plane = if own.contains(cell) {
                0
            } else if other.contains(cell) {
                1
            } else {
                2
            };
            pages.mark(plane, hexagon_place(board, cell));
        }
        pages.fill(3, self.to_move() == of);
        pages.fill(4, self.swap_enabled() && self.check(havannah::Move::Swap).is_ok());
    }

    fn stone_names(&self, of: Player, notation: usize) -> Vec<String> {
        let notation = Notation::ALL.get(notation).copied().unwrap_or_default();
        self.stones(of).iter().map(|cell| notation.name_of(self.board(), cell).unwrap_or_default()).collect()
    }
}

impl Planar for cachex::Position {
    fn shape(&self) -> [usize; 3] {
        let width = usize::from(self.size());
        [PLANES, width, width]
    }

    fn write_planes<T: Entry>(&self, of: Player, out: &mut [T]) {
        use stonework_game::Game;
        let mut pages = Pages::new(out, self.shape());
        let width = usize::from(self.size());
        let (own, other) = (self.stones(of), self.stones(of.other()));
        for cell in self.board().cells() {
            let (row, column) = self.coordinates(cell);
            let plane = if own.contains(cell) {
                0
            } else if other.contains(cell) {
                1
            } else {
                2
            };
            pages.mark(plane, usize::from(row) * width + usize::from(column));
        }
        pages.fill(3, self.to_move() == of);
        pages.fill(4, self.check(cachex::Move::Steal).is_ok());
    }

    fn stone_names(&self, of: Player, _: usize) -> Vec<String> {
        let name = |cell| {
            let (row, column) = self.coordinates(cell);
            format!("{row},{column}")
        };
        self.stones(of).iter().map(name).collect()
    }
}

impl Planar for cover::Position {
    fn shape(&self) -> [usize; 3] {
        let width = usize::from(self.lattice().side());
        [PLANES, width, width]
    }

    fn write_planes<T: Entry>(&self, of: Player, out: &mut [T]) {
        use stonework_game::Game;
        let mut pages = Pages::new(out, self.shape());
        let lattice = self.lattice();
        // The number of a location is its place in a plane: letters are rows, digits are columns.
        for cell in lattice.cells() {
            match self.stone(cell) {
                Some(side) => pages.mark(usize::from(side != of), cell.index()),
                None if lattice.overlaps(cell).all(|near| self.stone(near).is_none()) => {
                    pages.mark(2, cell.index());
                }
                None => {}
            }
        }
        pages.fill(3, self.to_move() == of);
        let goal = if of == Player::First { Home::Top } else { Home::Bottom };
        pages.mark(4, lattice.homebase(goal).index());
    }

    fn stone_names(&self, of: Player, _: usize) -> Vec<String> {
        self.stones(of).map(|cell| self.lattice().name(cell)).collect()
    }
}
