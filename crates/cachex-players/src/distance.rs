//! [`Shortest`]: the number of stones that a player still needs to connect its sides; [`Linked`]: the same across templates.

use stonework_board::CellSet;
use stonework_cachex::Position;
use stonework_game::Player;

use crate::frame::{AREA, CELLS, Frame, STEPS, State, step};

/// The cost of a cell that no path reaches.
const FAR: u8 = u8::MAX;

/// The shortest connection of one player: the least number of empty cells that the player must take to connect its
/// sides, and all cells on paths of that length.
///
/// The measure is two 0–1 breadth-first walks, one from each side. An own stone costs 0, an empty cell 1; a stone of the
/// opponent blocks. A cell is on a shortest path if the sum of its costs from both sides, the cell counted once, is the
/// cost of the whole path. Source for distances in Hex: van Rijswijck, *Search and evaluation in Hex* (2002). O(cells),
/// without allocation.
///
/// ```
/// use stonework_cachex::Setup;
/// use stonework_game::Player;
/// use stonework_cachex_players::Shortest;
/// let game = Setup::from_rows(".r.b/.rb./..r./....", 6)?.position()?;
/// let red = Shortest::of(&game, Player::First);
/// assert_eq!(red.stones, Some(2));                    // one in either of the rows above 1,1
/// let cells: Vec<_> = red.cells.iter().map(|cell| game.coordinates(cell)).collect();
/// assert_eq!(cells, [(2, 0), (2, 1), (3, 0), (3, 1), (3, 2)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shortest {
    /// The number of stones that the player still needs; 0 after a win, `None` after a loss.
    pub stones: Option<u8>,
    /// The empty cells on shortest paths.
    pub cells: CellSet,
}

impl Shortest {
    /// Measures a position.
    #[must_use]
    pub fn of(game: &Position, player: Player) -> Self {
        let frame = Frame::of(game, player);
        let mut walks = Walks::new();
        let stones = walks.both(&frame, false);
        let on_path = |&at: &usize| frame.is(at, State::Empty) && walks.through(at) == stones;
        let cells = frame.cells().filter(on_path).map(|at| frame.cell(at)).collect();
        match stones {
            FAR => Self { stones: None, cells: CellSet::new() },
            _ => Self { stones: Some(stones), cells },
        }
    }
}

/// The number of stones that a player still needs if every open template holds.
///
/// The measure is a shortest connection in which three templates cost nothing: a two-bridge with both cells between
/// empty, a cell of the second row over two empty cells, and a cell of the third row over an empty trapezoid (rows of
/// 2, 3 and 4 cells).
///
/// The measure is a heuristic and no bound. Templates may share cells; and in Cachex a stone inside a template can
/// *capture*, so that the template's reply no longer connects. Sources: Chalup et al. (2005) for two-bridges and edge
/// templates; Anshelevich (2002). O(cells).
///
/// In this example red needs no stone by the measure: it has a two-bridge from 1,2 to 3,1, and a template from 3,1 to
/// the far side. But blue's stone in the bridge completes a diamond and captures two stones, and red's reply in the
/// bridge connects nothing:
///
/// ```
/// use stonework_cachex::Setup;
/// use stonework_game::{Game, Textual, Player};
/// use stonework_cachex_players::Linked;
/// let mut game = Setup::from_rows(".rb../.rr../...../.r.../.....", 7)?.position()?;
/// assert_eq!(Linked::of(&game, Player::First), Some(0));
/// let undo = game.play(game.parse_move("2,1")?)?;
/// assert_eq!(undo.captured().len(), 2);
/// game.play(game.parse_move("2,2")?)?;
/// assert_eq!(Linked::of(&game, Player::First), Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Linked;

impl Linked {
    /// Measures a position; `None` for a player who has lost.
    #[must_use]
    pub fn of(game: &Position, player: Player) -> Option<u8> {
        let needed = Walks::new().both(&Frame::of(game, player), true);
        (needed != FAR).then_some(needed)
    }
}

/// The working memory of the walks.
#[derive(Clone, Debug)]
pub(super) struct Walks {
    /// The cost of each cell from the low and from the high side, the cell included.
    costs: [[u8; AREA]; 2],
    /// The cost of each cell alone.
    own: [u8; AREA],
}

/// The cells from which a walk goes on, at this cost and at the next cost.
struct Front {
    cells: [[u16; CELLS]; 2],
    lengths: [usize; 2],
}

impl Walks {
    pub(super) const fn new() -> Self {
        Self { costs: [[FAR; AREA]; 2], own: [FAR; AREA] }
    }

    /// Walks from both sides. Returns the cost of the cheapest path.
    pub(super) fn both(&mut self, frame: &Frame, templates: bool) -> u8 {
        for (cost, &state) in self.own.iter_mut().zip(&frame.states) {
            *cost = match state {
                State::Empty => 1,
                State::Own => 0,
                State::Blocked => FAR,
            };
        }
        self.walk(frame, 0, templates);
        self.walk(frame, 1, templates);
        frame.cells().map(|at| self.through(at)).min().unwrap_or(FAR)
    }

    /// The cost of the cheapest path through a cell.
    pub(super) fn through(&self, at: usize) -> u8 {
        match (self.costs[0][at], self.costs[1][at]) {
            (FAR, _) | (_, FAR) => FAR,
            (low, high) => low + high - self.own[at],
        }
    }

    fn walk(&mut self, frame: &Frame, from: usize, templates: bool) {
        let (own, costs) = (&self.own, &mut self.costs[from]);
        costs.fill(FAR);
        let mut front = Front { cells: [[0; CELLS]; 2], lengths: [0; 2] };
        let mut reach = |to: usize, before: u8, front: &mut Front| {
            if own[to] != FAR && costs[to] == FAR {
                let queue = usize::from(own[to]);
                costs[to] = before + own[to];
                front.cells[queue][front.lengths[queue]] = to as u16;
                front.lengths[queue] += 1;
            }
        };
        for at in beginnings(frame, from, templates) {
            reach(at, 0, &mut front);
        }
        let empty = |at: usize| frame.is(at, State::Empty);
        let mut cost = 0;
        loop {
            while let Some(last) = front.lengths[0].checked_sub(1) {
                front.lengths[0] = last;
                let at = usize::from(front.cells[0][last]);
                for i in 0..6 {
                    let near = step(at, STEPS[i]);
                    reach(near, cost, &mut front);
                    if templates {
                        let before = step(at, STEPS[(i + 5) % 6]);
                        if empty(near) && empty(before) {
                            // The place beyond is on the board or one step off it, where it is blocked.
                            reach(step(near, STEPS[(i + 5) % 6]), cost, &mut front);
                        }
                    }
                }
            }
            if front.lengths[1] == 0 {
                return;
            }
            cost += 1;
            front.cells.swap(0, 1);
            front.lengths = [front.lengths[1], 0];
        }
    }
}

/// The cells that are connected to a side at no cost but their own.
fn beginnings(frame: &Frame, from: usize, templates: bool) -> impl Iterator<Item = usize> + '_ {
    let size = frame.size;
    // From the high side, rows and columns run backwards.
    let at = move |row: usize, column: usize| {
        if from == 0 { Frame::at(row, column) } else { Frame::at(size - 1 - row, size - 1 - column) }
    };
    let empty = move |row: usize, columns: std::ops::Range<usize>| {
        columns.end <= size && columns.into_iter().all(|column| frame.is(at(row, column), State::Empty))
    };
    let second = move |column: usize| empty(0, column..column + 2);
    // `true` if the trapezoid is empty that begins in the column `begin`; of its two cells in the third row, one is the
    // stone's, and the other is in the column `other`.
    let trapezoid = move |begin: usize, other: usize| {
        empty(2, other..other + 1) && empty(1, begin..begin + 3) && empty(0, begin..begin + 4)
    };
    let third =
        move |column: usize| trapezoid(column, column + 1) || column > 0 && trapezoid(column - 1, column - 1);
    (0..size).flat_map(move |column| {
        let rows = [Some(0), Some(1).filter(|_| templates && second(column)), {
            Some(2).filter(|_| templates && third(column))
        }];
        rows.into_iter().flatten().map(move |row| at(row, column))
    })
}
