//! Two-distances follow their definition, on the board and around a cell.

mod common;

use std::collections::BTreeSet;

use common::{listed, scattered};
use stonework_board::{Board, Cell, CellSet, Direction};
use stonework_game::{Game, Player, Textual, below, rng};
use stonework_havannah::{Position, WinKind};
use stonework_havannah_analysis::{Distances, Origin, TwoDistances};

/// A graph of places with their neighbours; a place is an own stone, empty or blocked.
struct Graph {
    near: Vec<Vec<usize>>,
    own: BTreeSet<usize>,
    empty: BTreeSet<usize>,
}

impl Graph {
    fn board(position: &Position, player: Player) -> Self {
        let board = position.board();
        let near = board.cells().map(|cell| board.neighbours(cell).map(Cell::index).collect()).collect();
        let own = position.stones(player).iter().map(Cell::index).collect();
        Self { near, own, empty: position.empty_cells().map(Cell::index).collect() }
    }

    /// The graph with each cell twice, 2·cell + parity: a step across the ray from a cell to the east changes the
    /// parity.
    fn doubled(position: &Position, player: Player, inside: Cell) -> Self {
        let (board, single) = (position.board(), Self::board(position, player));
        let cut: CellSet = board.ray(inside, Direction::E).collect();
        let below = board.coord(inside).row + 1;
        let half = |a: Cell, b: Cell| cut.contains(a) && board.coord(b).row == below;
        let step = |a: usize, b: usize| {
            let [a, b] = [a, b].map(|number| Cell::new(number).unwrap());
            usize::from(half(a, b) || half(b, a))
        };
        let beside = |node: usize| {
            let (at, parity) = (node / 2, node % 2);
            single.near[at].iter().map(|&near| 2 * near + (parity ^ step(at, near))).collect()
        };
        let twice = |cells: &BTreeSet<usize>| {
            let cells = cells.iter().filter(|&&at| at != inside.index());
            cells.flat_map(|at| [2 * at, 2 * at + 1]).collect()
        };
        let near = (0..2 * board.len()).map(beside).collect();
        Self { near, own: twice(&single.own), empty: twice(&single.empty) }
    }

    /// The chain of a stone.
    fn chain(&self, stone: usize) -> BTreeSet<usize> {
        let (mut chain, mut stack) = (BTreeSet::from([stone]), vec![stone]);
        while let Some(at) = stack.pop() {
            let more = self.near[at].iter().filter(|near| self.own.contains(near));
            stack.extend(more.filter(|&&near| chain.insert(near)));
        }
        chain
    }

    /// The empty places that are neighbours of some places.
    fn around(&self, places: &BTreeSet<usize>) -> BTreeSet<usize> {
        let near = places.iter().flat_map(|&at| &self.near[at]);
        near.copied().filter(|near| self.empty.contains(near)).collect()
    }

    /// The empty places beside an empty place, through own stones too.
    fn beside(&self, at: usize) -> BTreeSet<usize> {
        let mut beside = self.around(&BTreeSet::from([at]));
        for stone in self.near[at].iter().filter(|near| self.own.contains(near)) {
            beside.extend(self.around(&self.chain(*stone)));
        }
        beside.remove(&at);
        beside
    }

    /// The empty places at a goal: the empty places of the goal, and the empty places around chains of the goal.
    fn goal(&self, of_goal: impl Fn(usize) -> bool) -> BTreeSet<usize> {
        let mut goal: BTreeSet<usize> = self.empty.iter().copied().filter(|&at| of_goal(at)).collect();
        for &stone in self.own.iter().filter(|&&at| of_goal(at)) {
            goal.extend(self.around(&self.chain(stone)));
        }
        goal
    }

    /// The two-distances: 1 at the goal, elsewhere 1 more than the second least beside the place, until nothing
    /// changes.
    fn two_distances(&self, goal: &BTreeSet<usize>) -> Vec<Option<u16>> {
        let beside: Vec<_> = (0..self.near.len())
            .map(|at| if self.empty.contains(&at) { self.beside(at) } else { BTreeSet::new() })
            .collect();
        let mut values = vec![None; self.near.len()];
        loop {
            let before = values.clone();
            for &at in &self.empty {
                let mut near: Vec<u16> = beside[at].iter().filter_map(|&near| values[near]).collect();
                near.sort_unstable();
                values[at] = if goal.contains(&at) { Some(1) } else { near.get(1).map(|second| second + 1) };
            }
            if values == before {
                return values;
            }
        }
    }
}

#[test]
fn two_distances_follow_their_definition() {
    let (mut rng, mut measure) = (rng(5), TwoDistances::new(4).unwrap());
    for round in 0..60 {
        let size = 2 + below(&mut rng, 5) as u8;
        let board = Board::hexagon(size).unwrap();
        let Some(position) = scattered(size, below(&mut rng, board.len() + 1), 6, &mut rng) else { continue };
        let player = Player::BOTH[round % 2];
        measure.load(&position, player);
        let graph = Graph::board(&position, player);
        let origins = (0..6).flat_map(|i| [Origin::Corner(i), Origin::Edge(i)]);
        for origin in origins.chain(board.cells().map(Origin::Cell)) {
            let goal = graph.goal(|at| {
                let cell = Cell::new(at).unwrap();
                match origin {
                    Origin::Corner(i) => board.corner_mask(cell) >> i & 1 != 0,
                    Origin::Edge(i) => board.edge_mask(cell) >> i & 1 != 0,
                    Origin::Cell(at) => cell == at,
                }
            });
            let fast = listed(measure.from(origin).unwrap(), board);
            assert_eq!(
                fast,
                graph.two_distances(&goal),
                "{origin:?} of {player:?} in {}",
                position.position_text()
            );
        }
    }
}

/// The least potential of a ring around some cell through some chain, and the cells with that potential.
fn slow_ring(position: &Position, player: Player) -> Option<(u16, CellSet)> {
    let board = position.board();
    let mut least: Option<(u16, CellSet)> = None;
    for inside in board.cells().filter(|&cell| !board.is_rim(cell)) {
        let graph = Graph::doubled(position, player, inside);
        for &stone in &graph.own {
            if graph.chain(stone).contains(&(stone ^ 1)) {
                return Some((0, CellSet::new()));
            }
            let values = graph.two_distances(&graph.around(&graph.chain(stone)));
            for cell in position.empty_cells() {
                let [Some(one), Some(other)] = [values[2 * cell.index()], values[2 * cell.index() + 1]]
                else {
                    continue;
                };
                let stones = one + other - 1;
                if least.is_none_or(|(before, _)| stones < before) {
                    least = Some((stones, CellSet::new()));
                }
                if let Some((_, cells)) = least.as_mut().filter(|(before, _)| *before == stones) {
                    cells.insert(cell);
                }
            }
        }
    }
    least
}

#[test]
fn potentials_of_rings_follow_their_definition() {
    let (mut rng, mut measure) = (rng(6), TwoDistances::new(4).unwrap());
    for round in 0..80 {
        let size = 2 + below(&mut rng, 3) as u8;
        let board = Board::hexagon(size).unwrap();
        let empty = board.len() - below(&mut rng, board.len() / 2);
        let Some(position) = scattered(size, empty, 6, &mut rng) else { continue };
        let player = Player::BOTH[round % 2];
        measure.load(&position, player);
        let fast = measure.ring().map(|ring| (ring.stones, ring.cells));
        assert_eq!(fast, slow_ring(&position, player), "{player:?} in {}", position.position_text());
    }
}

/// A potential of 1 is a win in one, and no potential is less than the distance.
#[test]
fn potentials_are_at_least_the_distance() {
    let (mut rng, mut two, mut one) = (rng(7), TwoDistances::new(4).unwrap(), Distances::new(4).unwrap());
    let mut wins = 0;
    for _ in 0..400 {
        let size = 3 + below(&mut rng, 5) as u8;
        let board = Board::hexagon(size).unwrap();
        let empty = board.len() - below(&mut rng, board.len() * 2 / 3);
        let Some(position) = scattered(size, empty, 6, &mut rng) else { continue };
        if position.outcome().is_some() {
            continue;
        }
        for player in Player::BOTH {
            two.load(&position, player);
            one.load(&position, player);
            for (kind, potential) in
                [(WinKind::Bridge, two.bridge()), (WinKind::Fork, two.fork()), (WinKind::Ring, two.ring())]
            {
                let winning: CellSet = position
                    .empty_cells()
                    .filter(|&cell| position.completes(player, cell).contains(kind))
                    .collect();
                let Some(potential) = potential else { continue };
                assert!(
                    potential.stones >= one.need(kind).unwrap().stones,
                    "{kind} in {}",
                    position.position_text()
                );
                if kind == WinKind::Ring {
                    assert_eq!(potential.stones == 1, !winning.is_empty(), "{}", position.position_text());
                }
                if potential.stones == 1 {
                    assert_eq!(potential.cells, winning, "{kind} in {}", position.position_text());
                    wins += 1;
                }
            }
        }
    }
    assert!(wins > 50, "{wins}");
}
