//! [`HavannahPlanes`]: positions as a network on the lattice sees them.

use std::sync::{Arc, OnceLock};

use stonework_board::{Board, Cell, Symmetry};
use stonework_game::{Game, Player};
use stonework_havannah::{Move, Position};
use stonework_havannah_solver::{Needs, needs};
use stonework_learn::{Lattice, LatticeNet, LatticePlanes, PlaneImage, PlaneMark};

/// The planes of a side's stones: the stones, chains of three and of five stones or more.
const STONES: u16 = 3;
/// The planes of edges and corners: six each.
const RIM: u16 = 12;
/// The first planes of both sides' stones, of the cells that win at once, and of edges and corners.
const WINS: u16 = 2 * STONES;
const RIMS: u16 = WINS + 2;
const PLANES: u16 = RIMS + 3 * RIM;
/// The most stones of a bridge and of a fork that have planes.
const BRIDGE: u16 = 7;
const FORK: u16 = 10;
/// The planes of the stones that both sides need.
const NEEDS: u16 = 2 * (BRIDGE + FORK);

/// The planes of a position on a board of any size, as the side to move sees it. *Own* and then *enemy*:
///
/// | planes | cells |
/// |---|---|
/// | 0–2, 3–5 | stones; stones of chains of three stones or more; of five or more |
/// | 6, 7 | empty cells where the side would win at once |
/// | 8–19, 20–31 | stones whose chain touches edge 0 to 5, corner 0 to 5 |
/// | 32–43 | empty cells on edge 0 to 5, corner 0 to 5 |
/// | 44–50, 61–67 | empty cells through which the side [needs](stonework_havannah_solver::Needs) 1 to 7 stones for a bridge |
/// | 51–60, 68–77 | empty cells through which the side needs 1 to 10 stones for a fork |
///
/// The last two rows are in the wide planes only: they let a network see farther than its layers, and cost some microseconds a position.
#[derive(Clone, Copy, Debug, Default)]
pub struct HavannahPlanes {
    wide: bool,
}

impl HavannahPlanes {
    /// The first 44 planes.
    #[must_use]
    pub const fn new() -> Self {
        Self { wide: false }
    }

    /// All 78 planes.
    #[must_use]
    pub const fn wide() -> Self {
        Self { wide: true }
    }

    /// The planes of a network: all of them if it has so many, else the first 44.
    #[must_use]
    pub const fn of(net: &LatticeNet) -> Self {
        Self { wide: net.planes() == Self::wide().count() as usize }
    }

    const fn count(self) -> u16 {
        if self.wide { PLANES + NEEDS } else { PLANES }
    }
}

/// The lattice of a board and its symmetries.
type OfBoard = (Arc<Lattice>, Vec<PlaneImage>);

fn of_board(board: &'static Board) -> &'static OfBoard {
    static BOARDS: [OnceLock<OfBoard>; 21] = [const { OnceLock::new() }; 21];
    BOARDS[usize::from(board.size()).min(20)].get_or_init(|| {
        let number = |cell: Cell| cell.index() as u16;
        let around = board.cells().map(|cell| {
            let mut row = [None; 6];
            row.iter_mut().zip(board.around(cell)).for_each(|(to, cell)| *to = cell.map(number));
            row
        });
        let lattice = Lattice::new(&around.collect::<Vec<_>>());
        let lattice = lattice.unwrap_or_else(|error| unreachable!("a hexagonal lattice: {error}"));
        let images = Symmetry::of(board.shape()).iter().skip(1).map(|&symmetry| {
            let mut planes: Vec<u16> = (0..PLANES + NEEDS).collect();
            for cell in board.cells() {
                let image = board.map(symmetry, cell);
                let sides = [(board.edge_mask(cell), board.edge_mask(image), 0)];
                let corners = [(board.corner_mask(cell), board.corner_mask(image), 6)];
                for (from, to, first) in sides.into_iter().chain(corners).filter(|(from, ..)| *from != 0) {
                    for rim in (RIMS..PLANES).step_by(usize::from(RIM)) {
                        let plane = |mask: u8| rim + first + mask.trailing_zeros() as u16;
                        planes[usize::from(plane(from))] = plane(to);
                    }
                }
            }
            PlaneImage {
                cells: board.cells().map(|cell| number(board.map(symmetry, cell))).collect(),
                planes,
            }
        });
        (Arc::new(lattice), images.collect())
    })
}

impl LatticePlanes<Position> for HavannahPlanes {
    fn planes(&self) -> usize {
        self.count().into()
    }

    fn lattice(&self, game: &Position) -> Arc<Lattice> {
        Arc::clone(&of_board(game.board()).0)
    }

    fn marks(&mut self, game: &Position, out: &mut Vec<PlaneMark>) {
        let (board, me) = (game.board(), game.to_move());
        let mut rim = |cell: u16, first: u16, edges: u8, corners: u8| {
            let bits = u16::from(edges) | u16::from(corners) << 6;
            out.extend((0..RIM).filter(|bit| bits >> bit & 1 == 1).map(|bit| (cell, first + bit)));
        };
        for cell in board.cells() {
            let here = cell.index() as u16;
            match (game.stone(cell), game.chain(cell)) {
                (Some(owner), Some(chain)) => {
                    let side = u16::from(owner != me);
                    rim(here, RIMS + side * RIM, chain.edges, chain.corners);
                }
                _ => rim(here, RIMS + 2 * RIM, board.edge_mask(cell), board.corner_mask(cell)),
            }
        }
        for player in Player::BOTH {
            let side = u16::from(player != me);
            for cell in game.stones(player) {
                let stones = game.chain(cell).map_or(1, |chain| chain.stones);
                let planes = 1 + u16::from(stones >= 3) + u16::from(stones >= 5);
                out.extend((0..planes).map(|plane| (cell.index() as u16, side * STONES + plane)));
            }
            out.extend(game.winning_cells(player).into_iter().map(|cell| (cell.index() as u16, WINS + side)));
        }
        if self.wide {
            needs(game, |player, cell, Needs { bridge, fork }| {
                let first = PLANES + u16::from(player != me) * (BRIDGE + FORK);
                let bridge = bridge.map(|stones| first + u16::from(stones) - 1);
                let fork = fork.map(|stones| first + BRIDGE + u16::from(stones) - 1);
                out.extend(bridge.into_iter().chain(fork).map(|plane| (cell.index() as u16, plane)));
            });
        }
    }

    fn cell(&self, _: &Position, mv: Move) -> Option<u16> {
        match mv {
            Move::Place(cell) => Some(cell.index() as u16),
            Move::Swap => None,
        }
    }

    fn images(&self, game: &Position) -> Vec<PlaneImage> {
        of_board(game.board()).1.clone()
    }
}

#[cfg(test)]
mod tests {
    use stonework_game::Textual;

    use super::*;

    fn position(size: u8, moves: &[Cell]) -> Position {
        let mut position = Position::new(size).unwrap();
        for &cell in moves {
            let _ = position.play(Move::Place(cell));
        }
        position
    }

    fn marks(position: &Position) -> Vec<PlaneMark> {
        let mut marks = Vec::new();
        HavannahPlanes::wide().marks(position, &mut marks);
        marks.sort_unstable();
        marks
    }

    #[test]
    fn marks_of_an_image_are_images_of_the_marks() {
        for size in [2, 3, 5, 8] {
            let board = Board::hexagon(size).unwrap();
            let cells: Vec<Cell> = board.cells().step_by(2).collect();
            for count in 0..cells.len() {
                let plain = position(size, &cells[..count]);
                if plain.outcome().is_some() {
                    break;
                }
                let images = HavannahPlanes::wide().images(&plain);
                assert_eq!(images.len(), 11);
                for (image, &symmetry) in images.iter().zip(&Symmetry::of(board.shape())[1..]) {
                    let moved: Vec<Cell> =
                        cells[..count].iter().map(|&cell| board.map(symmetry, cell)).collect();
                    let mut of_marks: Vec<PlaneMark> = marks(&plain)
                        .into_iter()
                        .map(|(cell, plane)| {
                            (image.cells[usize::from(cell)], image.planes[usize::from(plane)])
                        })
                        .collect();
                    of_marks.sort_unstable();
                    assert_eq!(of_marks, marks(&position(size, &moved)));
                }
            }
        }
    }

    #[test]
    fn planes_show_stones_edges_corners_and_wins() {
        let mut game = Position::new(3).unwrap();
        for name in ["a1", "c3", "b1"] {
            game.play(game.parse_move(name).unwrap()).unwrap();
        }
        let of = |name: &str| game.parse_move(name).ok().and_then(|mv| HavannahPlanes::new().cell(&game, mv));
        let (all, win) = (marks(&game), of("c1").unwrap());
        let planes =
            |cell: u16| all.iter().filter(|mark| mark.0 == cell).map(|mark| mark.1).collect::<Vec<_>>();
        // White, who is not to move, wins at c1 by a bridge; c1 is a corner.
        assert!(planes(win).contains(&7) && !planes(win).contains(&6), "{:?}", planes(win));
        assert_eq!(planes(win).iter().filter(|plane| (32..44).contains(*plane)).count(), 1);
        // One stone is enough for the bridge.
        assert!(planes(win).contains(&61), "{:?}", planes(win));
        let narrow = all.iter().filter(|mark| mark.1 < 44).count();
        let mut few = Vec::new();
        HavannahPlanes::new().marks(&game, &mut few);
        assert_eq!(few.len(), narrow);
        let chain: Vec<u16> =
            all.iter().map(|mark| mark.1).filter(|plane| (20..32).contains(plane)).collect();
        assert_eq!(chain.len(), 4, "two stones, an edge and a corner each: {chain:?}");
        assert_eq!(all.iter().filter(|mark| mark.1 == 0).count(), 1);
    }
}
