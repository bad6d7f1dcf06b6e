//! Cachex: what each evaluation of a position costs, along a game; resistance by `LDLᵀ`, and beside it by
//! conjugate gradients that start from the voltages of the position before.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rand_core::RngCore;
use stonework_benches::rng;
use stonework_board::Cell;
use stonework_cachex::{Move, Position};
use stonework_cachex_players::{Blend, Circuit, Linked, Shortest, StonePairs, TwoDistance, Weights};
use stonework_game::{Game, Player};
use stonework_search::Evaluator;

/// A game of random moves between neighbours of stones, as far as it goes on, at most n²/2 plies: every
/// position after a move.
fn game(size: u8) -> Vec<Position> {
    let (mut rng, mut positions) = (rng(size.into()), Vec::new());
    let mut position = Position::new(size).expect("a size from the list");
    for _ in 0..usize::from(size).pow(2) / 2 {
        let mut moves = position.moves();
        moves.retain(|&mv| mv != Move::Steal);
        let mv = moves[((u128::from(rng.next_u64()) * moves.len() as u128) >> 64) as usize];
        position.play(mv).expect("a legal move");
        if position.ending().is_some() {
            break;
        }
        positions.push(position.clone());
    }
    positions
}

/// Kirchhoff's equations of one side, solved by conjugate gradients with the diagonal as preconditioner.
struct Gradients {
    /// The voltages that the last solution ended with, by cells: where the next one begins.
    volts: Vec<f64>,
    iterations: u64,
}

/// The equations as lists.
struct Equations {
    /// The node of each cell.
    node: Vec<Option<usize>>,
    links: Vec<Vec<(usize, f64)>>,
    diagonal: Vec<f64>,
    low: Vec<f64>,
}

const LOW: usize = usize::MAX;
const HIGH: usize = usize::MAX - 1;

fn equations(game: &Position, player: Player) -> Equations {
    let board = game.board();
    let line = |cell: Cell| {
        let (r, q) = game.coordinates(cell);
        if player == Player::First { r } else { q }
    };
    let own = |cell: Cell| game.stone(cell) == Some(player);
    let last = game.size() - 1;
    let mut node = vec![None; board.len()];
    let mut nodes = 0;
    for start in board.cells().filter(|&c| game.stone(c) != Some(player.other())) {
        if node[start.index()].is_some() {
            continue;
        }
        let (mut chain, mut at, mut number) = (vec![start], 0, nodes);
        node[start.index()] = Some(number);
        while let Some(&cell) = chain.get(at).filter(|&&cell| own(cell)) {
            number = match line(cell) {
                0 => LOW,
                line if line == last => HIGH,
                _ => number,
            };
            for near in board.neighbours(cell).filter(|&n| own(n)) {
                if node[near.index()].is_none() {
                    node[near.index()] = Some(nodes);
                    chain.push(near);
                }
            }
            at += 1;
        }
        for cell in chain {
            node[cell.index()] = Some(number);
        }
        nodes += usize::from(number == nodes);
    }
    let mut all =
        Equations { node, links: vec![Vec::new(); nodes], diagonal: vec![0.0; nodes], low: vec![0.0; nodes] };
    for cell in board.cells() {
        let Some(from) = all.node[cell.index()].filter(|&from| from < nodes) else { continue };
        let mut link = |to: usize, conductance: f64| {
            all.diagonal[from] += conductance;
            match to {
                LOW => all.low[from] += conductance,
                HIGH => {}
                _ => all.links[from].push((to, conductance)),
            }
        };
        for near in board.neighbours(cell) {
            if let Some(to) = all.node[near.index()].filter(|&to| to != from) {
                link(to, if own(cell) || own(near) { 1.0 } else { 0.5 });
            }
        }
        for (row, side) in [(0, LOW), (last, HIGH)] {
            if line(cell) == row && !own(cell) {
                link(side, 1.0);
            }
        }
    }
    all
}

impl Gradients {
    fn resistance(&mut self, game: &Position, player: Player) -> f64 {
        let Equations { node, links, diagonal, low } = equations(game, player);
        let nodes = diagonal.len();
        let mut x = vec![0.5; nodes];
        for (cell, &node) in node.iter().enumerate() {
            if let Some(x) = node.and_then(|node| x.get_mut(node)) {
                *x = self.volts.get(cell).copied().unwrap_or(0.5);
            }
        }
        let apply = |x: &[f64], out: &mut Vec<f64>| {
            out.clear();
            out.extend((0..nodes).map(|i| {
                diagonal[i] * x[i]
                    - links[i].iter().map(|&(to, conductance)| conductance * x[to]).sum::<f64>()
            }));
        };
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let mut product = Vec::new();
        apply(&x, &mut product);
        let mut rest: Vec<f64> = low.iter().zip(&product).map(|(b, a)| b - a).collect();
        let scaled = |rest: &[f64]| -> Vec<f64> {
            rest.iter().zip(&diagonal).map(|(r, d)| if *d > 0.0 { r / d } else { 0.0 }).collect()
        };
        let mut z = scaled(&rest);
        let mut direction = z.clone();
        let mut size = dot(&rest, &z);
        while size > 1e-20 {
            self.iterations += 1;
            apply(&direction, &mut product);
            let step = size / dot(&direction, &product);
            for i in 0..nodes {
                x[i] += step * direction[i];
                rest[i] -= step * product[i];
            }
            z = scaled(&rest);
            let next = dot(&rest, &z);
            for (d, z) in direction.iter_mut().zip(&z) {
                *d = z + next / size * *d;
            }
            size = next;
        }
        self.volts = node.iter().map(|node| node.and_then(|n| x.get(n)).copied().unwrap_or(0.5)).collect();
        1.0 / low.iter().zip(&x).map(|(g, x)| g * (1.0 - x)).sum::<f64>()
    }
}

fn resistance(c: &mut Criterion) {
    for size in [5, 8, 9, 15] {
        let positions = game(size);
        let mut circuit = Circuit::new();
        let direct = |circuit: &mut Circuit, game: &Position| {
            Player::BOTH.map(|player| {
                circuit.connect(game, player);
                circuit.resistance()
            })
        };
        let fresh = || [(); 2].map(|()| Gradients { volts: Vec::new(), iterations: 0 });
        let mut gradients = fresh();
        for game in &positions {
            let exact = direct(&mut circuit, game);
            for player in Player::BOTH {
                let near = gradients[player.index()].resistance(game, player);
                assert!((near - exact[player.index()]).abs() < 1e-7, "{near} {exact:?}");
            }
        }
        let solutions = 2 * positions.len() as u64;
        let iterations: u64 = gradients.iter().map(|g| g.iterations).sum();
        eprintln!("size {size}: {} iterations a solution", iterations / solutions);
        let mut group = c.benchmark_group(format!("cachex/resistance of both sides, size {size}"));
        group.throughput(Throughput::Elements(positions.len() as u64));
        group.bench_function("direct, with currents", |b| {
            b.iter(|| positions.iter().map(|game| direct(&mut circuit, black_box(game))[0]).sum::<f64>());
        });
        group.bench_function("conjugate gradients, from the position before", |b| {
            b.iter(|| {
                let mut gradients = fresh();
                let each = positions
                    .iter()
                    .map(|game| Player::BOTH.map(|p| gradients[p.index()].resistance(black_box(game), p))[0]);
                each.sum::<f64>()
            });
        });
    }
}

fn evaluations(c: &mut Criterion) {
    let positions = game(9);
    let mut group = c.benchmark_group("cachex/evaluations, size 9");
    group.throughput(Throughput::Elements(positions.len() as u64));
    let mut bench = |name: &str, measure: &mut dyn FnMut(&Position) -> i64| {
        let once: i64 = positions.iter().map(&mut *measure).sum();
        group.bench_function(name, |b| {
            b.iter(|| assert_eq!(positions.iter().map(|game| measure(black_box(game))).sum::<i64>(), once));
        });
    };
    let red = Player::First;
    bench("shortest", &mut |game| Shortest::of(game, red).stones.map_or(99, i64::from));
    bench("linked", &mut |game| Linked::of(game, red).map_or(99, i64::from));
    bench("two-distance", &mut |game| TwoDistance::of(game, red).potential.map_or(99, i64::from));
    bench("pairs", &mut |game| StonePairs::of(game, red).stones.into());
    let mut blend = Blend::default();
    bench("blend", &mut |game| blend.evaluate(game).into());
    let mut quick = Blend::new(Weights::DISTANCE);
    bench("blend, distance alone", &mut |game| quick.evaluate(game).into());
}

criterion_group!(benches, resistance, evaluations);
criterion_main!(benches);
