//! Games of Havannah around a formation that is drawn first.

use rand_core::RngCore;
use stonework_board::{Cell, CellSet};
use stonework_game::{Game, Player, below};
use stonework_havannah::{Move, Position, WinKind};

use super::{Generator, Kind, either, shuffle};

/// The number of tries for a full board.
const TRIES: usize = 60;

/// The formation that decides a kind of game.
const fn formation(kind: Kind) -> WinKind {
    match kind {
        Kind::LongBridge | Kind::LastBridge => WinKind::Bridge,
        Kind::LongFork | Kind::LastFork => WinKind::Fork,
        _ => WinKind::Ring,
    }
}

impl Generator {
    /// A side wins with a formation of any extent.
    pub(super) fn long(self, kind: Kind, rng: &mut dyn RngCore) -> Option<Vec<Cell>> {
        let wanted = formation(kind);
        (0..20).find_map(|_| {
            let stones = self.formation(wanted, rng)?;
            let last = stones[below(rng, stones.len())];
            let moves = self.with_stones(either(rng), &stones, last, rng)?;
            self.ends_with(wanted, &moves).then_some(moves)
        })
    }

    /// `true` if the last of these moves completes a formation of this kind.
    fn ends_with(self, wanted: WinKind, moves: &[Cell]) -> bool {
        let mut position = self.start();
        for &cell in moves {
            position.play_unchecked(Move::Place(cell));
        }
        position.kinds().contains(wanted)
    }

    /// White completes a formation on the last empty cell. One cell of the formation stays free until then, and both
    /// sides avoid every other win. White moves last, as every board has an odd number of cells.
    pub(super) fn last(self, kind: Kind, rng: &mut dyn RngCore) -> Option<Vec<Cell>> {
        let wanted = formation(kind);
        (0..TRIES).find_map(|_| {
            let stones = self.formation(wanted, rng)?;
            let last = stones[below(rng, stones.len())];
            let mut planned: Vec<Cell> = stones.iter().copied().filter(|&cell| cell != last).collect();
            shuffle(&mut planned, rng);
            let moves = self.filled(last, &stones.into_iter().collect(), planned, rng)?;
            self.ends_with(wanted, &moves).then_some(moves)
        })
    }

    /// Fills the board, with `last` as the last cell; white places the planned stones first. `None` if a win before the
    /// last cell cannot be avoided.
    fn filled(
        self,
        last: Cell,
        kept: &CellSet,
        mut planned: Vec<Cell>,
        rng: &mut dyn RngCore,
    ) -> Option<Vec<Cell>> {
        let mut position = self.start();
        let mut moves = Vec::new();
        while moves.len() + 1 < position.board().len() {
            let me = position.to_move();
            let planned = if me == Player::First { planned.pop() } else { None };
            let cell = match planned {
                Some(cell) => Some(cell).filter(|&cell| position.completes(me, cell).is_empty()),
                None => quiet(&position, last, kept, rng),
            }?;
            position.play_unchecked(Move::Place(cell));
            moves.push(cell);
        }
        moves.push(last);
        Some(moves)
    }

    /// The cells of a random formation, drawn on the empty board.
    fn formation(self, kind: WinKind, rng: &mut dyn RngCore) -> Option<Vec<Cell>> {
        let board = self.board;
        match kind {
            WinKind::Ring => {
                let inner: Vec<Cell> = board.cells().filter(|&cell| !board.is_rim(cell)).collect();
                let centre = inner[below(rng, inner.len())];
                let radius = 1 + below(rng, usize::from(board.size()) - 1) as u8;
                // A hexagon that the rim cuts off is no ring. The ring is the largest whole one.
                (1..=radius).rev().find_map(|radius| {
                    let cells: Vec<Cell> = board.ring(centre, radius.into()).collect();
                    (cells.len() == 6 * usize::from(radius)).then_some(cells)
                })
            }
            WinKind::Bridge => {
                let mut corners: Vec<Cell> = board.corner_cells().collect();
                shuffle(&mut corners, rng);
                self.path(corners[0], |cell| cell == corners[1], rng)
            }
            WinKind::Fork => {
                let centre = Cell::new(below(rng, board.len()))?;
                let mut edges = [0, 1, 2, 3, 4, 5];
                for i in 0..3 {
                    edges.swap(i, i + below(rng, 6 - i));
                }
                let mut all = CellSet::new();
                for edge in &edges[..3] {
                    let end: CellSet = board.edge_cells(*edge).collect();
                    all.extend(self.path(centre, |cell| end.contains(cell), rng)?);
                }
                Some(all.iter().collect())
            }
        }
    }

    /// A random shortest path.
    fn path(self, from: Cell, is_end: impl Fn(Cell) -> bool, rng: &mut dyn RngCore) -> Option<Vec<Cell>> {
        let mut before: Vec<Option<Cell>> = vec![None; self.board.len()];
        let mut row = vec![from];
        let mut seen = CellSet::new();
        seen.insert(from);
        let end = loop {
            if let Some(end) = row.iter().copied().find(|&cell| is_end(cell)) {
                break end;
            }
            let mut next = Vec::new();
            shuffle(&mut row, rng);
            for &cell in &row {
                for near in self.board.neighbours(cell).filter(|&near| seen.insert(near)) {
                    before[near.index()] = Some(cell);
                    next.push(near);
                }
            }
            if next.is_empty() {
                return None;
            }
            row = next;
        };
        Some(std::iter::successors(Some(end), |cell| before[cell.index()]).collect())
    }
}

/// A cell on which the side to move does not win, and never `last`. Cells on which the other side would win come first.
/// Black avoids the cells in `kept`, which white needs.
fn quiet(position: &Position, last: Cell, kept: &CellSet, rng: &mut dyn RngCore) -> Option<Cell> {
    let me = position.to_move();
    let (mine, theirs) = (position.winning_cells(me), position.winning_cells(me.other()));
    let free =
        |&cell: &Cell| cell != last && !mine.contains(cell) && (me == Player::First || !kept.contains(cell));
    let block: Vec<Cell> = theirs.iter().filter(free).collect();
    let from = if block.is_empty() { position.empty_cells().filter(free).collect() } else { block };
    (!from.is_empty()).then(|| from[below(rng, from.len())])
}
