//! [`TwoDistance`]: the distance between a player's sides if the opponent always blocks the best way.

use stonework_board::CellSet;
use stonework_cachex::Position;
use stonework_game::Player;

use crate::frame::{AREA, CELLS, Frame, STEPS, State, step};

/// The two-distance of one player. An empty cell beside the side has two-distance 1. Every other cell has 1 more than the
/// *second* best of its neighbours, as the opponent blocks the best. Empty cells around the same chain count as
/// neighbours.
///
/// The potential of a cell is the sum of its two-distances to both sides. The measure of a position is the least
/// potential and, among equals, the number of cells with that potential. Source: J. van Rijswijck, *Computer Hex: are bees
/// better than fruitflies?* (2000); also Chalup et al. (2005). O(cells · longest distance) on words, without allocation.
///
/// ```
/// use stonework_cachex::Position;
/// use stonework_game::Player;
/// use stonework_cachex_players::TwoDistance;
/// let red = TwoDistance::of(&Position::new(5)?, Player::First);
/// assert_eq!(red.potential, Some(6));                 // 3 + 3 in the middle row
/// assert_eq!(red.cells.len(), 5);
/// # Ok::<(), stonework_cachex::SetupError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TwoDistance {
    /// The least sum of a cell's distances to both sides. `None` if no empty cell has both distances: one stone can cut all
    /// ways, or the game is over.
    pub potential: Option<u8>,
    /// The empty cells with the least sum.
    pub cells: CellSet,
}

impl TwoDistance {
    /// Measures a position.
    #[must_use]
    pub fn of(game: &Position, player: Player) -> Self {
        let frame = Frame::of(game, player);
        let mut spread = Spread::new();
        let potential = spread.both(&frame).0;
        let best = |&at: &usize| potential.is_some() && spread.sum(at) == potential;
        let cells = frame.cells().filter(best).map(|at| frame.cell(at)).collect();
        Self { potential, cells }
    }
}

/// A set of cells, by their numbers in the order of rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Bits([u64; 4]);

impl Bits {
    const NONE: Self = Self([0; 4]);

    const fn add(&mut self, bit: usize) {
        self.0[bit / 64] |= 1 << (bit % 64);
    }

    const fn has(&self, bit: usize) -> bool {
        self.0[bit / 64] >> (bit % 64) & 1 != 0
    }

    fn join(&mut self, other: &Self) {
        for (a, b) in self.0.iter_mut().zip(other.0) {
            *a |= b;
        }
    }

    fn common(&self, other: &Self) -> u32 {
        self.0.iter().zip(other.0).map(|(a, b)| (a & b).count_ones()).sum()
    }
}

/// The working memory: the neighbours of each cell, and the distances from both sides.
#[derive(Clone, Debug)]
pub(super) struct Spread {
    neighbours: [Bits; CELLS],
    /// The distances from each side; 0 for a cell without a distance.
    distances: [[u8; CELLS]; 2],
    seen: [bool; AREA],
    stack: [u16; CELLS],
    size: usize,
}

impl Spread {
    pub(super) const fn new() -> Self {
        Self {
            neighbours: [Bits::NONE; CELLS],
            distances: [[0; CELLS]; 2],
            seen: [false; AREA],
            stack: [0; CELLS],
            size: 0,
        }
    }

    const fn number(&self, at: usize) -> usize {
        let (row, column) = Frame::place(at);
        row * self.size + column
    }

    /// The sum of a cell's distances to both sides, if it has both.
    fn sum(&self, at: usize) -> Option<u8> {
        let number = self.number(at);
        match (self.distances[0][number], self.distances[1][number]) {
            (0, _) | (_, 0) => None,
            // A cell at the end of a winding way may have a greater sum than the type holds; the least sum is smaller.
            (low, high) => Some(low.saturating_add(high)),
        }
    }

    /// The least potential, and the number of cells with it.
    pub(super) fn both(&mut self, frame: &Frame) -> (Option<u8>, u32) {
        self.size = frame.size;
        let starts = self.connect(frame);
        self.spread(frame, &starts[0], 0);
        self.spread(frame, &starts[1], 1);
        let (mut least, mut count) = (None, 0);
        for sum in frame.cells().filter_map(|at| self.sum(at)) {
            match least {
                Some(before) if sum > before => {}
                Some(before) if sum == before => count += 1,
                _ => (least, count) = (Some(sum), 1),
            }
        }
        (least, count)
    }

    /// Fills in the neighbours of all empty cells. Returns the cells beside each side.
    fn connect(&mut self, frame: &Frame) -> [Bits; 2] {
        let mut starts = [Bits::NONE; 2];
        let sides = |at: usize| {
            let (row, _) = Frame::place(at);
            [row == 0, row + 1 == frame.size]
        };
        for at in frame.cells().filter(|&at| frame.is(at, State::Empty)) {
            let mut near = Bits::NONE;
            for to in STEPS.map(|s| step(at, s)) {
                if frame.is(to, State::Empty) {
                    near.add(self.number(to));
                }
            }
            let number = self.number(at);
            self.neighbours[number] = near;
            for (start, beside) in starts.iter_mut().zip(sides(at)) {
                if beside {
                    start.add(number);
                }
            }
        }
        self.seen.fill(false);
        for at in frame.cells().filter(|&at| frame.is(at, State::Own)) {
            if self.seen[at] {
                continue;
            }
            // The chain's empty neighbours, and the sides that the chain touches.
            let (mut around, mut touches) = (Bits::NONE, [false; 2]);
            let mut length = 1;
            (self.stack[0], self.seen[at]) = (at as u16, true);
            while let Some(last) = usize::checked_sub(length, 1) {
                length = last;
                let stone = usize::from(self.stack[last]);
                let [low, high] = sides(stone);
                touches = [touches[0] || low, touches[1] || high];
                for to in STEPS.map(|s| step(stone, s)) {
                    match frame.states[to] {
                        State::Empty => around.add(self.number(to)),
                        State::Own if !self.seen[to] => {
                            self.seen[to] = true;
                            self.stack[length] = to as u16;
                            length += 1;
                        }
                        _ => {}
                    }
                }
            }
            for number in (0..CELLS).filter(|&number| around.has(number)) {
                self.neighbours[number].join(&around);
            }
            for (start, touches) in starts.iter_mut().zip(touches) {
                if touches {
                    start.join(&around);
                }
            }
        }
        starts
    }

    fn spread(&mut self, frame: &Frame, start: &Bits, side: usize) {
        let size = frame.size;
        let (neighbours, distances) = (&self.neighbours, &mut self.distances[side]);
        distances.fill(0);
        let mut reached = *start;
        let mut distance = 1;
        for number in (0..size * size).filter(|&number| start.has(number)) {
            distances[number] = distance;
        }
        loop {
            distance += 1;
            let before = reached;
            for at in frame.cells().filter(|&at| frame.is(at, State::Empty)) {
                let (row, column) = Frame::place(at);
                let number = row * size + column;
                // A cell beside a chain is its own neighbour, but has no distance yet, so it does not count.
                if distances[number] == 0 && neighbours[number].common(&before) >= 2 {
                    distances[number] = distance;
                    reached.add(number);
                }
            }
            if reached == before {
                return;
            }
        }
    }
}
