//! [`HavannahMoves`]: the features of a move, and [`HavannahPriors`]: priors by their weights.

use std::sync::Arc;

use stonework_board::{Board, Cell, Cube};
use stonework_game::{Game, Player};
use stonework_havannah::{Move, Position};
use stonework_learn::{MoveFeatures, MoveWeights, WrongCount, priors_of_scores};
use stonework_search::Priors;

use super::codes::{
    CODES, Codes, PLACES, RING, SURROUNDINGS_BITS, classes, marked_classes, places, seen_by, wedges,
};

/// The classes of offsets to a last stone: 0 for no last stone; to a distance of 4 each offset up to symmetry; 5 and 6; more.
const OFFSETS: usize = 11;
/// The steps of the filling of a board.
const STAGES: usize = 4;
/// The classes of the sizes of boards: to 5, 6 and 7, from 8 on.
const SIZES: usize = 3;
/// The classes of the chains that a stone would join: up to three chains, up to three edges, up to two corners, new edges or
/// corners or none, four steps of the stones.
const JOINS: usize = 4 * 4 * 3 * 2 * 4;

/// The features of a move in Havannah, for boards of any size:
///
/// * the class of the six neighbours up to symmetry, and of the ends of the six two-bridges;
/// * the class of each of the six wedges: a neighbour, the neighbours beside it, the ends of the two-bridges beside it; and a
///   number for all twelve cells, the same for all images;
/// * the class of the six neighbours with the last stone of the opponent, or of the side itself, marked, if it is one of them;
///   if it is an end of a two-bridge, the two cells between;
/// * the offsets to the last stone of the opponent and of the side itself, up to symmetry (to 4, then by distance);
/// * the chains that the stone would join – up to three – with the edges and corners that it would touch with them, and whether
///   some are new, and the number of their stones; the same for a stone of the opponent on the cell;
/// * the place – distance to the rim (to 4) and to the nearest corner (to 7) – in each quarter of the filling of the board, for
///   three classes of sizes;
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
    wedges: u32,
    surroundings: u32,
    /// By the owner of the last stone: the opponent, then the side itself.
    marked: [u32; 2],
    bridged: [u32; 2],
    offsets: u32,
    joins: u32,
    places: u32,
    swap: u32,
}

impl Layout {
    fn new() -> Self {
        let far = classes().count as u32;
        let wedges = 2 * far;
        let surroundings = wedges + self::wedges().count as u32;
        let marked = surroundings + (1 << SURROUNDINGS_BITS);
        let own = marked + marked_classes().count as u32;
        let bridged = own + marked_classes().count as u32;
        let offsets = bridged + 2 * 16;
        let joins = offsets + (OFFSETS * OFFSETS) as u32;
        let places = joins + 2 * JOINS as u32;
        Self {
            far,
            wedges,
            surroundings,
            marked: [marked, own],
            bridged: [bridged, bridged + 16],
            offsets,
            joins,
            places,
            swap: places + (SIZES * STAGES * PLACES) as u32,
        }
    }

    const fn count(&self) -> usize {
        self.swap as usize + 1
    }

    /// The feature of the classes of the offsets to the last stones, of the opponent and of the side itself.
    const fn offset(&self, [theirs, own]: [u32; 2]) -> u32 {
        self.offsets + theirs * OFFSETS as u32 + own
    }

    /// The first feature of places in a position.
    fn first_place(&self, position: &Position) -> u32 {
        let size = match position.size() {
            0..=5 => 0,
            6..=7 => 1,
            _ => 2,
        };
        self.places + (size * STAGES as u32 + stage(position)) * PLACES as u32
    }

    /// The feature of a last stone beside a cell or at the end of a two-bridge, by the class of the offset. `near` are the states
    /// of the six neighbours.
    fn beside(
        &self,
        position: &Position,
        cell: Cell,
        near: u16,
        (last, offset, owner): (Option<Cell>, u32, usize),
    ) -> Option<u32> {
        match offset {
            NEIGHBOUR => {
                let at = around(position, cell, last?, 0)?;
                Some(self.marked[owner] + u32::from(marked_classes().of(near, at)))
            }
            TWO_BRIDGE => {
                // The end between the neighbours `at` and `at + 1`; both orders of their states are one feature.
                let at = around(position, cell, last?, 6)?;
                let states = [at, (at + 1) % 6].map(|at| u32::from(near >> (2 * at) & 3));
                Some(self.bridged[owner] + states[0].min(states[1]) * 4 + states[0].max(states[1]))
            }
            _ => None,
        }
    }

    /// The chains that a stone of a side on an empty cell would join.
    fn join(&self, position: &Position, cell: Cell, player: Player) -> u32 {
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
        self.joined(player == position.to_move(), count, [corners, edges], touched, stones)
    }

    /// The feature of a number of chains with the corners and edges of all and of the cell, the most of one chain, and the
    /// stones of all.
    fn joined(&self, own: bool, count: usize, [corners, edges]: [u8; 2], touched: u32, stones: u16) -> u32 {
        let new = u32::from(corners.count_ones() + edges.count_ones() > touched);
        let stones = match stones {
            0..=1 => 0,
            2..=4 => 1,
            5..=9 => 2,
            _ => 3,
        };
        let touching = (count as u32 * 4 + edges.count_ones().min(3)) * 3 + corners.count_ones().min(2);
        self.joins + if own { 0 } else { JOINS as u32 } + (touching * 2 + new) * 4 + stones
    }

    /// The feature [`join`](Self::join) of a cell without a neighbour of the side.
    fn lone(&self, board: &Board, cell: Cell, own: bool) -> u32 {
        self.joined(own, 0, [board.corner_mask(cell), board.edge_mask(cell)], 0, 0)
    }
}

/// The class of the offset to a neighbour.
const NEIGHBOUR: u32 = 1;
/// The class of the offset to the end of a two-bridge.
const TWO_BRIDGE: u32 = 3;

/// The classes of the offsets from a cell to the last stones; 0 for no last stone.
fn offset_classes(board: &Board, cell: Cell, last: [Option<Cell>; 2]) -> [u32; 2] {
    last.map(|last| last.map_or(0, |last| offset_class(board, last, cell)))
}

/// The class of the offset between two cells, 1 to 10: to a distance of 4 up to symmetry, then 5 and 6, then more.
fn offset_class(board: &Board, a: Cell, b: Cell) -> u32 {
    let Cube { x, y, z } = (board.coord(a) - board.coord(b)).cube();
    let [x, y, z] = [x, y, z].map(|part| u32::from(part.unsigned_abs()));
    // The three parts add up to 0; the largest is the distance.
    let least = x.min(y).min(z);
    match x.max(y).max(z) {
        0 | 1 => NEIGHBOUR,
        2 => 2 + least,
        3 => 4 + least,
        4 => 6 + least,
        5 | 6 => 9,
        _ => 10,
    }
}

/// The quarter of the filling of the board.
fn stage(position: &Position) -> u32 {
    (position.stone_count() * STAGES / (position.board().len() + 1)) as u32
}

/// The place of a cell among the six neighbours of another (`from` 0) or among the ends of its two-bridges (`from` 6).
fn around(position: &Position, cell: Cell, to: Cell, from: usize) -> Option<usize> {
    position.board().around(cell).skip(from).take(6).position(|near| near == Some(to))
}

/// The last stones of the opponent and of the side to move.
fn last_stones(position: &Position) -> [Option<Cell>; 2] {
    let me = position.to_move();
    [position.last_stone(me.other()), position.last_stone(me)]
}

impl MoveFeatures<Position> for HavannahMoves {
    fn weights(&self) -> usize {
        Layout::new().count()
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
        let (around, number) = wedges().around(near, far);
        out.extend(around.map(|class| layout.wedges + u32::from(class)));
        out.push(layout.surroundings + number);
        let offsets = offset_classes(game.board(), cell, last);
        let beside = |owner: usize| layout.beside(game, cell, near, (last[owner], offsets[owner], owner));
        out.extend([0, 1].into_iter().filter_map(beside));
        out.push(layout.offset(offsets));
        out.extend(Player::BOTH.map(|player| layout.join(game, cell, player)));
        out.push(layout.first_place(game) + u32::from(places(game.board())[cell.index()]));
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
    /// The weights of wedges by class.
    wedges: Vec<f32>,
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
        let wedge = |class: usize| weights.weight(layout.wedges + class as u32);
        let wedges = (0..wedges().count).map(wedge).collect();
        let shared = Arc::new(Shared { near: table(0), far: table(layout.far), wedges, layout, weights });
        Ok(Self { shared, codes: Codes::default() })
    }
}

impl Priors<Position> for HavannahPriors {
    fn priors(&mut self, game: &Position, moves: &[Move], out: &mut Vec<f32>) {
        self.codes.follow(game, |_, _, _| ());
        let Shared { weights, layout, near, far, wedges: wedge_weights } = &*self.shared;
        let (me, board, start) = (game.to_move(), game.board(), out.len());
        let (places, last, wedges) = (places(board), last_stones(game), wedges());
        let first_place = layout.first_place(game);
        for &mv in moves {
            let Move::Place(cell) = mv else {
                out.push(weights.weight(layout.swap));
                continue;
            };
            let here = cell.index();
            let [code, ends] =
                [&self.codes.near, &self.codes.far].map(|codes| seen_by(codes[here], me) & RING);
            let (around, number) = wedges.around(code, ends);
            let offsets = offset_classes(board, cell, last);
            let mut score = near[usize::from(code)]
                + far[usize::from(ends)]
                + around.map(|class| wedge_weights[usize::from(class)]).iter().sum::<f32>()
                + weights.weight(layout.surroundings + number)
                + weights.weight(layout.offset(offsets))
                + weights.weight(first_place + u32::from(places[here]));
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
            for owner in [0, 1] {
                let beside = layout.beside(game, cell, code, (last[owner], offsets[owner], owner));
                score += beside.map_or(0.0, |beside| weights.weight(beside));
            }
            out.push(score);
        }
        priors_of_scores(&mut out[start..]);
    }
}
