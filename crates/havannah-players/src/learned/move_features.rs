//! [`HavannahMoves`]: the features of a move, and [`HavannahPriors`]: priors by their weights.

use std::sync::Arc;

use stonework_board::{Board, Cell};
use stonework_game::{Game, Player};
use stonework_havannah::{Move, Position};
use stonework_learn::{MoveFeatures, MoveWeights, WrongCount, priors_of_scores};
use stonework_search::Priors;

use super::codes::{CODES, Codes, PLACES, RING, classes, marked_classes, places, seen_by};
use super::wide_features::{Around, WideLayout};

/// The steps of distances to a last stone: 0 for no last stone, 1 to 6, and 7 for more.
const DISTANCES: usize = 8;
/// The steps of the filling of a board.
pub(super) const STAGES: usize = 4;
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
///
/// The [wide](Self::wide) features have more of each kind. They predict the moves of games better, and cost more time.
#[derive(Clone, Debug, Default)]
pub struct HavannahMoves {
    codes: Codes,
    wide: bool,
}

impl HavannahMoves {
    /// The features, for boards of any size.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The features with more of each kind after them:
    ///
    /// * the class of each of the six wedges: a neighbour, the neighbours beside it, the ends of the two-bridges beside it; and a
    ///   number for all twelve cells, the same for all images;
    /// * the class of the six neighbours with the own last stone marked; if a last stone is an end of a two-bridge, the two
    ///   cells between;
    /// * the offsets to the last stones up to symmetry (to 4, then by distance);
    /// * the chains that a stone would join, with the number of their stones, and whether edges or corners are new;
    /// * the place for three classes of sizes of boards.
    #[must_use]
    pub fn wide() -> Self {
        Self { wide: true, ..Self::default() }
    }
}

/// The first weights of each kind of features.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    far: u32,
    marked: u32,
    distances: u32,
    joins: u32,
    places: u32,
    swap: u32,
}

/// The chains that a stone of a side on an empty cell would join.
#[derive(Clone, Copy, Debug)]
pub(super) struct Joined {
    pub(super) own: bool,
    /// The number of chains, up to three.
    pub(super) count: usize,
    /// The corners and edges of the chains and of the cell.
    pub(super) corners: u32,
    pub(super) edges: u32,
    /// The most corners and edges of one of the chains.
    pub(super) touched: u32,
    /// The stones of the chains.
    pub(super) stones: u16,
}

impl Joined {
    fn of(position: &Position, cell: Cell, player: Player) -> Self {
        let board = position.board();
        let (mut chains, mut count) = ([None; 3], 0);
        let (mut corners, mut edges) = (board.corner_mask(cell), board.edge_mask(cell));
        let (mut touched, mut stones) = (0, 0);
        for near in board.neighbours(cell) {
            if position.stone(near) != Some(player) {
                continue;
            }
            let Some(chain) = position.chain(near) else { continue };
            if count < 3 && !chains.contains(&Some(chain.cell)) {
                chains[count] = Some(chain.cell);
                count += 1;
                stones += chain.stones;
                touched = touched.max(chain.corners.count_ones() + chain.edges.count_ones());
            }
            corners |= chain.corners;
            edges |= chain.edges;
        }
        let (corners, edges) = (corners.count_ones(), edges.count_ones());
        Self { own: player == position.to_move(), count, corners, edges, touched, stones }
    }

    /// The same of a cell without a neighbour of the side.
    fn lone(board: &Board, cell: Cell, own: bool) -> Self {
        let (corners, edges) = (board.corner_mask(cell).count_ones(), board.edge_mask(cell).count_ones());
        Self { own, count: 0, corners, edges, touched: 0, stones: 0 }
    }
}

impl Layout {
    pub(super) fn new() -> Self {
        let far = classes().count as u32;
        let marked = 2 * far;
        let distances = marked + marked_classes().count as u32;
        let joins = distances + (DISTANCES * DISTANCES) as u32;
        let places = joins + 2 * JOINS as u32;
        Self { far, marked, distances, joins, places, swap: places + (STAGES * PLACES) as u32 }
    }

    pub(super) const fn count(&self) -> usize {
        self.swap as usize + 1
    }

    fn distance(&self, position: &Position, cell: Cell, last: [Option<Cell>; 2]) -> u32 {
        let to = |last: Option<Cell>| match last {
            None => 0,
            Some(last) => u32::from(position.board().distance(last, cell)).clamp(1, DISTANCES as u32 - 1),
        };
        self.distances + to(last[0]) * DISTANCES as u32 + to(last[1])
    }

    fn place(&self, position: &Position, place: u8) -> u32 {
        self.places + stage(position) * PLACES as u32 + u32::from(place)
    }

    fn join(&self, joined: &Joined) -> u32 {
        let own = if joined.own { 0 } else { JOINS as u32 };
        self.joins + own + (joined.count as u32 * 4 + joined.edges.min(3)) * 3 + joined.corners.min(2)
    }
}

/// The quarter of the filling of the board.
pub(super) fn stage(position: &Position) -> u32 {
    (position.stone_count() * STAGES / (position.board().len() + 1)) as u32
}

/// The direction from a cell to a neighbour, 0 to 5; `None` for a cell that is no neighbour.
fn direction(position: &Position, cell: Cell, to: Cell) -> Option<usize> {
    position.board().around(cell).take(6).position(|near| near == Some(to))
}

/// The last stones of the opponent and of the side to move.
fn last_stones(position: &Position) -> [Option<Cell>; 2] {
    let me = position.to_move();
    [position.last_stone(me.other()), position.last_stone(me)]
}

impl MoveFeatures<Position> for HavannahMoves {
    fn weights(&self) -> usize {
        if self.wide { WideLayout::new().count() } else { Layout::new().count() }
    }

    fn features(&mut self, game: &Position, mv: Move, out: &mut Vec<u32>) {
        let layout = Layout::new();
        let Move::Place(cell) = mv else { return out.push(layout.swap) };
        self.codes.follow(game, |_, _, _| ());
        let (me, last) = (game.to_move(), last_stones(game));
        let [near, far] =
            [&self.codes.near, &self.codes.far].map(|codes| seen_by(codes[cell.index()], me) & RING);
        out.push(classes().of[usize::from(near)].into());
        out.push(layout.far + u32::from(classes().of[usize::from(far)]));
        if let Some(at) = last[0].and_then(|last| direction(game, cell, last)) {
            out.push(layout.marked + u32::from(marked_classes().of(near, at)));
        }
        out.push(layout.distance(game, cell, last));
        let joined = [me, me.other()].map(|player| Joined::of(game, cell, player));
        out.extend(joined.iter().map(|joined| layout.join(joined)));
        let place = places(game.board())[cell.index()];
        out.push(layout.place(game, place));
        if self.wide {
            let around = Around { cell, near, far, place, last };
            WideLayout::new().features(game, &around, &joined, &mut |feature| out.push(feature));
        }
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
    /// The further features, if the weights have them.
    wide: Option<WideLayout>,
    /// The weights of codes of six neighbours and of six ends of two-bridges, as the side to move sees them.
    near: Vec<f32>,
    far: Vec<f32>,
}

impl HavannahPriors {
    /// Priors by weights, for boards of any size.
    ///
    /// # Errors
    /// If the weights are those neither of [`HavannahMoves::new`] nor of [`HavannahMoves::wide`].
    pub fn new(weights: MoveWeights) -> Result<Self, WrongCount> {
        let (layout, wide) = (Layout::new(), WideLayout::new());
        let wide = (weights.len() == wide.count()).then_some(wide);
        if wide.is_none() {
            WrongCount::check(weights.len(), layout.count())?;
        }
        let table = |first: u32| {
            let weight = |code: usize| weights.weight(first + u32::from(classes().of[code]));
            (0..CODES >> 2).map(weight).collect()
        };
        let shared = Arc::new(Shared { near: table(0), far: table(layout.far), layout, wide, weights });
        Ok(Self { shared, codes: Codes::default() })
    }
}

impl Priors<Position> for HavannahPriors {
    fn priors(&mut self, game: &Position, moves: &[Move], out: &mut Vec<f32>) {
        self.codes.follow(game, |_, _, _| ());
        let Shared { weights, layout, wide, near, far } = &*self.shared;
        let (me, board, start) = (game.to_move(), game.board(), out.len());
        let (places, last) = (places(board), last_stones(game));
        for &mv in moves {
            let Move::Place(cell) = mv else {
                out.push(weights.weight(layout.swap));
                continue;
            };
            let here = cell.index();
            let [code, ends] =
                [&self.codes.near, &self.codes.far].map(|codes| seen_by(codes[here], me) & RING);
            let mut score = near[usize::from(code)]
                + far[usize::from(ends)]
                + weights.weight(layout.distance(game, cell, last))
                + weights.weight(layout.place(game, places[here]));
            // Without a neighbour of a side there is no chain to join.
            let (first, second) = (code & 0x555 & !(code >> 1), code >> 1 & 0x555 & !code);
            let joined = [(me, first), (me.other(), second)].map(|(player, neighbours)| {
                if neighbours == 0 {
                    Joined::lone(board, cell, player == me)
                } else {
                    Joined::of(game, cell, player)
                }
            });
            score += joined.iter().map(|joined| weights.weight(layout.join(joined))).sum::<f32>();
            if let Some(last) = last[0]
                && let Some(at) = direction_if_near(game, cell, last)
            {
                score += weights.weight(layout.marked + u32::from(marked_classes().of(code, at)));
            }
            if let Some(wide) = wide {
                let around = Around { cell, near: code, far: ends, place: places[here], last };
                wide.features(game, &around, &joined, &mut |feature| score += weights.weight(feature));
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
