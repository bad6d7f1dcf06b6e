//! [`Lattice`] and [`LatticePlanes`]: boards and positions as a network sees them.

use std::sync::Arc;

use stonework_game::Game;

/// The cells of a board by number, each with its neighbours in six directions. The direction `d + 3` leads back from the direction
/// `d`, modulo 6.
///
/// ```
/// use stonework_learn::Lattice;
/// // Two cells side by side: the second one lies in direction 0 of the first.
/// let none = None;
/// let lattice = Lattice::new(&[[Some(1), none, none, none, none, none], [none, none, none, Some(0), none, none]])?;
/// assert_eq!(lattice.len(), 2);
/// let error = Lattice::new(&[[Some(0), none, none, none, none, none]]).unwrap_err();
/// assert_eq!(error.to_string(), "cell 0 has the neighbour 0 in direction 0, but is not its neighbour in direction 3");
/// # Ok::<(), stonework_learn::NotALattice>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lattice {
    /// For each cell, the cell itself and its six neighbours; the number of cells where there is none.
    near: Vec<[u16; 7]>,
}

/// Neighbours that do not lie on a lattice.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotALattice {
    /// More cells than numbers.
    #[error("{cells} cells are more than 65 534")]
    TooLarge {
        /// The number of cells.
        cells: usize,
    },
    /// The way back does not lead back.
    #[error(
        "cell {cell} has the neighbour {neighbour} in direction {direction}, but is not its neighbour in direction {}",
        (direction + 3) % 6
    )]
    OneWay {
        /// The cell.
        cell: usize,
        /// The direction, 0 to 5.
        direction: usize,
        /// The number of the neighbour.
        neighbour: u16,
    },
}

impl Lattice {
    /// The lattice of cells with these neighbours. O(cells).
    ///
    /// # Errors
    /// If there are more than 65 534 cells, or a neighbour has the cell not in the opposite direction.
    pub fn new(neighbours: &[[Option<u16>; 6]]) -> Result<Self, NotALattice> {
        let cells = neighbours.len();
        if cells >= usize::from(u16::MAX) {
            return Err(NotALattice::TooLarge { cells });
        }
        let mut near = Vec::with_capacity(cells);
        for (cell, around) in neighbours.iter().enumerate() {
            let mut row = [cell as u16; 7];
            for (direction, &neighbour) in around.iter().enumerate() {
                if let Some(neighbour) = neighbour {
                    let back =
                        neighbours.get(usize::from(neighbour)).and_then(|row| row[(direction + 3) % 6]);
                    if back != Some(cell as u16) {
                        return Err(NotALattice::OneWay { cell, direction, neighbour });
                    }
                }
                row[direction + 1] = neighbour.unwrap_or(cells as u16);
            }
            near.push(row);
        }
        Ok(Self { near })
    }

    /// The number of cells.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.near.len()
    }

    /// `true` without cells.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.near.is_empty()
    }

    /// For each cell, the cell itself and its six neighbours; the number of cells where there is none.
    pub(super) fn near(&self) -> &[[u16; 7]] {
        &self.near
    }
}

/// A 1 in a plane: the cell, and the plane. All other numbers of the planes are 0.
pub type PlaneMark = (u16, u16);

/// A symmetry of a board: the image of each cell, and the plane that each plane becomes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlaneImage {
    /// The image of each cell.
    pub cells: Vec<u16>,
    /// The plane that each plane becomes.
    pub planes: Vec<u16>,
}

/// A game's positions as a [`LatticeNet`](crate::LatticeNet) sees them: planes of zeros and ones over the cells of the board.
pub trait LatticePlanes<G: Game> {
    /// The number of planes.
    fn planes(&self) -> usize;

    /// The lattice of the position's board.
    fn lattice(&self, game: &G) -> Arc<Lattice>;

    /// Appends the marks of the position as its side to move sees it, each mark once. They must depend on nothing but the
    /// position's [`key`](stonework_game::Keyed::key).
    fn marks(&mut self, game: &G, out: &mut Vec<PlaneMark>);

    /// The cell of a move; `None` for a move without one, such as a swap.
    fn cell(&self, game: &G, mv: G::Move) -> Option<u16>;

    /// The symmetries of the position's board but the identity: a training shows positions under all of them. None unless a
    /// game says more.
    fn images(&self, _game: &G) -> Vec<PlaneImage> {
        Vec::new()
    }
}
