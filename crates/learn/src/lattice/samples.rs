//! [`LatticeSamples`]: positions as marks of planes, with what is to be learned.

use std::sync::Arc;

use stonework_game::Game;

use super::planes::{Lattice, LatticePlanes, PlaneImage, PlaneMark};
use crate::games::{GameMoves, IllegalAt, MoveTargets, ValueTargets, result};
use crate::samples::{digest, ends, numbers};

/// Positions for a [`LatticeNet`](crate::LatticeNet): their marks, the cells of their legal moves, the chances of these moves and
/// the value.
#[derive(Clone, Debug, Default)]
pub struct LatticeSamples {
    boards: Vec<SampleBoard>,
    marks: Vec<PlaneMark>,
    legal: Vec<u16>,
    chances: Vec<(u16, f32)>,
    /// For each position, the ends of its marks, legal cells and chances.
    ends: Vec<[usize; 3]>,
    /// For each position, the number of its board and its value.
    of: Vec<(usize, f32)>,
}

/// A board and its symmetries.
#[derive(Clone, Debug)]
struct SampleBoard {
    lattice: Arc<Lattice>,
    images: Vec<PlaneImage>,
}

/// A position of the samples, under a symmetry.
#[derive(Debug)]
pub(super) struct Sample {
    pub(super) lattice: Arc<Lattice>,
    pub(super) marks: Vec<PlaneMark>,
    pub(super) legal: Vec<u16>,
    /// Cells with chances whose sum is 1.
    pub(super) chances: Vec<(u16, f32)>,
    /// 0 for a loss to 1 for a win.
    pub(super) value: f32,
}

impl LatticeSamples {
    /// No positions.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.of.len()
    }

    /// `true` without positions.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.of.is_empty()
    }

    /// Adds the positions of a game after its opening whose moves have cells. The value is the result of the game mixed with the value
    /// of the search, as `values` says; the chances are the shares of moves in the visits of the search, as `moves` says; without
    /// a search, the move that was played. O(marks).
    ///
    /// # Errors
    /// An error for an illegal move; the samples then have the positions before it.
    pub fn add<G: Game, P: LatticePlanes<G>>(
        &mut self,
        game: &GameMoves<G>,
        planes: &mut P,
        values: ValueTargets,
        moves: MoveTargets,
    ) -> Result<(), IllegalAt<G::Illegal>> {
        let board = self.board(planes.lattice(&game.start), planes.images(&game.start));
        let (mut marks, mut legal, mut list) = (Vec::new(), Vec::new(), Vec::new());
        game.positions(|position, played, at| {
            if at % values.every.max(1) != 0 {
                return;
            }
            let search = game.searches.get(at);
            let only = [(played, 1)];
            let visits = search.map(|search| &search.visits[..]).filter(|visits| !visits.is_empty());
            let visits = visits.unwrap_or(&only);
            let most = visits.iter().map(|(_, visits)| *visits).max().unwrap_or(0).max(1) as f32;
            let share = |visits: u64| (visits as f32 / most).powf(moves.power);
            let chances: Vec<(u16, f32)> = visits
                .iter()
                .filter_map(|&(mv, visits)| Some((planes.cell(position, mv)?, share(visits))))
                .collect();
            list.clear();
            position.legal_moves(&mut list);
            legal.clear();
            legal.extend(list.iter().filter_map(|&mv| planes.cell(position, mv)));
            let sum: f32 = chances.iter().map(|(_, share)| share).sum();
            if sum <= 0.0 || chances.iter().any(|(cell, _)| !legal.contains(cell)) {
                return;
            }
            marks.clear();
            planes.marks(position, &mut marks);
            let result = result(game.outcome, position.to_move());
            let value = search.and_then(|search| search.value).unwrap_or(result).clamp(0.0, 1.0);
            let part = values.search.clamp(0.0, 1.0);
            self.push(board, (&marks, &legal, &chances), (1.0 - part) * result + part * value);
        })
    }

    /// The number of a board.
    pub(super) fn board(&mut self, lattice: Arc<Lattice>, images: Vec<PlaneImage>) -> usize {
        let known = self.boards.iter().position(|board| board.lattice == lattice);
        known.unwrap_or_else(|| {
            self.boards.push(SampleBoard { lattice, images });
            self.boards.len() - 1
        })
    }

    /// Adds a position. The sum of the shares of moves is above 0, but need not be 1.
    pub(super) fn push(
        &mut self,
        board: usize,
        (marks, legal, shares): (&[PlaneMark], &[u16], &[(u16, f32)]),
        value: f32,
    ) {
        let sum: f32 = shares.iter().map(|(_, share)| share).sum();
        self.marks.extend_from_slice(marks);
        self.legal.extend_from_slice(legal);
        self.chances.extend(shares.iter().map(|&(cell, share)| (cell, share / sum)));
        self.ends.push([self.marks.len(), self.legal.len(), self.chances.len()]);
        self.of.push((board, value));
    }

    /// A digest of all numbers. O(marks).
    pub(crate) fn digest(&self) -> u64 {
        let marks = self.marks.iter().map(|&(cell, plane)| u64::from(cell) << 16 | u64::from(plane));
        let chances =
            self.chances.iter().map(|&(cell, chance)| u64::from(cell) << 32 | u64::from(chance.to_bits()));
        let of = self.of.iter().map(|&(board, value)| (board as u64) << 32 | u64::from(value.to_bits()));
        let boards = self.boards.iter().flat_map(|board| [board.lattice.len(), board.images.len()]);
        let legal: Vec<u32> = self.legal.iter().map(|&cell| cell.into()).collect();
        digest(
            marks
                .chain(numbers(&legal))
                .chain(chances)
                .chain(ends(&self.ends))
                .chain(of)
                .chain(boards.map(|n| n as u64)),
        )
    }

    /// A position under one of the symmetries of its board: any number chooses one, 0 the identity.
    pub(super) fn get(&self, index: usize, symmetry: u64) -> Sample {
        let [marks, legal, chances] = index.checked_sub(1).map_or([0; 3], |before| self.ends[before]);
        let ends = self.ends[index];
        let (board, value) = self.of[index];
        let SampleBoard { lattice, images } = &self.boards[board];
        let symmetry = (symmetry % (images.len() as u64 + 1)) as usize;
        let image = symmetry.checked_sub(1).map(|at| &images[at]);
        let cell = |cell: u16| image.map_or(cell, |image| image.cells[usize::from(cell)]);
        let plane = |plane: u16| image.map_or(plane, |image| image.planes[usize::from(plane)]);
        Sample {
            lattice: Arc::clone(lattice),
            marks: self.marks[marks..ends[0]].iter().map(|&(c, p)| (cell(c), plane(p))).collect(),
            legal: self.legal[legal..ends[1]].iter().map(|&c| cell(c)).collect(),
            chances: self.chances[chances..ends[2]].iter().map(|&(c, chance)| (cell(c), chance)).collect(),
            value,
        }
    }
}
