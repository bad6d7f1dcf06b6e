//! [`HavannahMoves`]: the features of a move, and [`HavannahPriors`]: priors by their weights.

use std::sync::Arc;

use stonework_board::Cell;
use stonework_game::{Game, Player};
use stonework_havannah::{Move, Position};
use stonework_learn::{MoveFeatures, MoveWeights, WrongCount, priors_of_scores};
use stonework_search::Priors;

use super::codes::{CODES, Codes, PLACES, RING, classes, marked_classes, places, seen_by};

/// The steps of distances to a last stone: 0 for no last stone, 1 to 6, and 7 for more.
const DISTANCES: usize = 8;
/// The steps of the filling of a board.
const STAGES: usize = 4;
/// The classes of the chains that a stone would join: up to three chains, up to three edges, up to two corners.
const JOINS: usize = 4 * 4 * 3;

/// The features of a move in Havannah, for boards of any size:
///
/// * the class of the six neighbours up to symmetry, and of the ends of the six two-bridges;
/// * the class of the six neighbours with the opponent's last stone marked, if it is one of them;
/// * the distances to the last stone of the opponent and of the side itself (to 6);
/// * the chains that the stone would join – up to three – with the edges and corners that it would touch with them; the same for
///   a stone of the opponent on the cell;
/// * the place – distance to the rim (to 4) and to the nearest corner (to 7) – in each quarter of the filling of the board;
/// * the swap.
#[derive(Clone, Debug, Default)]
pub struct HavannahMoves {
    codes: Codes,
}

impl HavannahMoves {
    /// The features, for boards of any size.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

/// The first weights of each kind of features.
#[derive(Clone, Copy, Debug)]
struct Layout {
    far: u32,
    marked: u32,
    distances: u32,
    joins: u32,
    places: u32,
    swap: u32,
}

impl Layout {
    fn new() -> Self {
        let far = classes().count as u32;
        let marked = 2 * far;
        let distances = marked + marked_classes().count as u32;
        let joins = distances + (DISTANCES * DISTANCES) as u32;
        let places = joins + 2 * JOINS as u32;
        Self { far, marked, distances, joins, places, swap: places + (STAGES * PLACES) as u32 }
    }

    const fn count(&self) -> usize {
        self.swap as usize + 1
    }

    fn distance(&self, position: &Position, cell: Cell) -> u32 {
        let me = position.to_move();
        let to = |player| match position.last_stone(player) {
            None => 0,
            Some(last) => u32::from(position.board().distance(last, cell)).clamp(1, DISTANCES as u32 - 1),
        };
        self.distances + to(me.other()) * DISTANCES as u32 + to(me)
    }

    fn place(&self, position: &Position, place: u8) -> u32 {
        self.places + stage(position) * PLACES as u32 + u32::from(place)
    }

    /// The chains that a stone of a side on an empty cell would join.
    fn join(&self, position: &Position, cell: Cell, player: Player) -> u32 {
        let board = position.board();
        let (mut chains, mut count) = ([None; 3], 0);
        let (mut corners, mut edges) = (board.corner_mask(cell), board.edge_mask(cell));
        for near in board.neighbours(cell) {
            if position.stone(near) != Some(player) {
                continue;
            }
            let Some(chain) = position.chain(near) else { continue };
            if count < 3 && !chains.contains(&Some(chain.cell)) {
                chains[count] = Some(chain.cell);
                count += 1;
            }
            corners |= chain.corners;
            edges |= chain.edges;
        }
        let (corners, edges) = (corners.count_ones().min(2), edges.count_ones().min(3));
        let own = if player == position.to_move() { 0 } else { JOINS as u32 };
        self.joins + own + (count as u32 * 4 + edges) * 3 + corners
    }
}

/// The quarter of the filling of the board.
fn stage(position: &Position) -> u32 {
    (position.stone_count() * STAGES / (position.board().len() + 1)) as u32
}

/// The direction from a cell to a neighbour, 0 to 5; `None` for a cell that is no neighbour.
fn direction(position: &Position, cell: Cell, to: Cell) -> Option<usize> {
    position.board().around(cell).take(6).position(|near| near == Some(to))
}

impl MoveFeatures<Position> for HavannahMoves {
    fn weights(&self) -> usize {
        Layout::new().count()
    }

    fn features(&mut self, game: &Position, mv: Move, out: &mut Vec<u32>) {
        let layout = Layout::new();
        let Move::Place(cell) = mv else { return out.push(layout.swap) };
        self.codes.follow(game, |_, _, _| ());
        let me = game.to_move();
        let [near, far] = [&self.codes.near, &self.codes.far].map(|codes| seen_by(codes[cell.index()], me));
        out.push(classes().of[usize::from(near & RING)].into());
        out.push(layout.far + u32::from(classes().of[usize::from(far & RING)]));
        if let Some(at) = game.last_stone(me.other()).and_then(|last| direction(game, cell, last)) {
            out.push(layout.marked + u32::from(marked_classes().of(near, at)));
        }
        out.push(layout.distance(game, cell));
        out.extend(Player::BOTH.map(|player| layout.join(game, cell, player)));
        out.push(layout.place(game, places(game.board())[cell.index()]));
    }
}

/// [`Priors`] by weights for [`HavannahMoves`], with tables for codes: the same as
/// [`LearnedPriors`](stonework_learn::LearnedPriors) up to rounding, and several times as fast.
#[derive(Clone, Debug)]
pub struct HavannahPriors {
    shared: Arc<Shared>,
    codes: Codes,
}

#[derive(Debug)]
struct Shared {
    weights: MoveWeights,
    layout: Layout,
    /// The weights of codes of six neighbours and of six ends of two-bridges, as the side to move sees them.
    near: Vec<f32>,
    far: Vec<f32>,
}

impl HavannahPriors {
    /// Priors by weights, for boards of any size.
    ///
    /// # Errors
    /// If the weights are not those of [`HavannahMoves`].
    pub fn new(weights: MoveWeights) -> Result<Self, WrongCount> {
        let layout = Layout::new();
        WrongCount::check(weights.len(), layout.count())?;
        let table = |first: u32| {
            let weight = |code: usize| weights.weight(first + u32::from(classes().of[code]));
            (0..CODES >> 2).map(weight).collect()
        };
        let shared = Arc::new(Shared { near: table(0), far: table(layout.far), layout, weights });
        Ok(Self { shared, codes: Codes::default() })
    }
}

impl Priors<Position> for HavannahPriors {
    fn priors(&mut self, game: &Position, moves: &[Move], out: &mut Vec<f32>) {
        self.codes.follow(game, |_, _, _| ());
        let Shared { weights, layout, near, far } = &*self.shared;
        let (me, board, start) = (game.to_move(), game.board(), out.len());
        let places = places(board);
        let last = game.last_stone(me.other());
        for &mv in moves {
            let Move::Place(cell) = mv else {
                out.push(weights.weight(layout.swap));
                continue;
            };
            let here = cell.index();
            let code = seen_by(self.codes.near[here], me) & RING;
            let mut score = near[usize::from(code)]
                + far[usize::from(seen_by(self.codes.far[here], me) & RING)]
                + weights.weight(layout.distance(game, cell))
                + weights.weight(layout.place(game, places[here]));
            // Without a neighbour of a side there is no chain to join.
            let (first, second) = (code & 0x555 & !(code >> 1), code >> 1 & 0x555 & !code);
            for (player, neighbours) in [(me, first), (me.other(), second)] {
                let join = if neighbours == 0 {
                    layout.lone(board, cell, player == me)
                } else {
                    layout.join(game, cell, player)
                };
                score += weights.weight(join);
            }
            if let Some(last) = last
                && let Some(at) = direction_if_near(game, cell, last)
            {
                score += weights.weight(layout.marked + u32::from(marked_classes().of(code, at)));
            }
            out.push(score);
        }
        priors_of_scores(&mut out[start..]);
    }
}

/// [`direction`] with a quick refusal of cells that are not neighbours.
fn direction_if_near(position: &Position, cell: Cell, to: Cell) -> Option<usize> {
    if position.board().distance(cell, to) == 1 { direction(position, cell, to) } else { None }
}

impl Layout {
    /// The feature [`join`](Self::join) of a cell without a neighbour of the side.
    fn lone(&self, board: &stonework_board::Board, cell: Cell, own: bool) -> u32 {
        let (corners, edges) = (board.corner_mask(cell).count_ones(), board.edge_mask(cell).count_ones());
        self.joins + if own { 0 } else { JOINS as u32 } + edges.min(3) * 3 + corners.min(2)
    }
}
