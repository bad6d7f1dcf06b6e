//! Cachex's evaluations against slow references, and their symmetry.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};
use stonework_board::{Cell, CellSet};
use stonework_cachex::{Position, Setup};
use stonework_cachex_players::{
    Blend, Circuit, Currents, Linked, Noisy, Shortest, StonePairs, TwoDistance, Weights,
};
use stonework_game::{ByPlayer, Game, Player, Textual};
use stonework_search::{Evaluator, MoveOrder, NoisyMoves, WIN};

/// A position of random stones, in which the game may be over.
fn random(rng: &mut impl RngCore) -> Position {
    let size = 3 + (rng.next_u32() % 13) as u8;
    let cells = u32::from(size) * u32::from(size);
    let share = rng.next_u32() % 100;
    let mut setup = Setup::new(size);
    for index in 0..cells as usize {
        if rng.next_u32() % 100 < share {
            let side = if rng.next_u32().is_multiple_of(2) {
                &mut setup.stones.first
            } else {
                &mut setup.stones.second
            };
            side.insert(Cell::new(index).unwrap());
        }
    }
    setup.turns = 40 + (rng.next_u32() % 2) as u16;
    setup.position().unwrap()
}

fn boards(count: u32, seed: u64) -> impl Iterator<Item = Position> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    (0..count).map(move |_| random(&mut rng))
}

/// The position with rows and columns exchanged, colours exchanged, and the other side to move.
fn transposed(game: &Position) -> Position {
    let across = |set: CellSet| -> CellSet {
        set.iter()
            .map(|cell| {
                let (r, q) = game.coordinates(cell);
                game.cell(q, r).unwrap()
            })
            .collect()
    };
    let setup = game.setup();
    let stones = ByPlayer::new(across(setup.stones.second), across(setup.stones.first));
    Setup { stones, turns: setup.turns + 1, ..setup }.position().unwrap()
}

fn line(game: &Position, player: Player, cell: Cell) -> u8 {
    let (r, q) = game.coordinates(cell);
    if player == Player::First { r } else { q }
}

/// The resistance and the share of the current in each cell, by Gaussian elimination with pivots over all cells
/// without a stone of the opponent. Each cell of a chain is a node of its own: equations make the voltages of a chain
/// equal.
fn dense(game: &Position, player: Player) -> (f64, Vec<f64>) {
    let board = game.board();
    let cells: Vec<Cell> = board.cells().filter(|&c| game.stone(c) != Some(player.other())).collect();
    let last = game.size() - 1;
    // The chains, and the sides that cells are connected to, by repeated passes.
    let mut root: Vec<usize> = (0..board.len()).collect();
    let own = |cell: Cell| game.stone(cell) == Some(player);
    for _ in 0..board.len() {
        for &cell in &cells {
            for near in board.neighbours(cell).filter(|&n| own(cell) && own(n)) {
                let least = root[cell.index()].min(root[near.index()]);
                (root[cell.index()], root[near.index()]) = (least, least);
            }
        }
    }
    let chain_touches = |cell: Cell, row: u8| {
        own(cell)
            && cells
                .iter()
                .any(|&c| own(c) && root[c.index()] == root[cell.index()] && line(game, player, c) == row)
    };
    if cells.iter().any(|&c| chain_touches(c, 0) && chain_touches(c, last)) {
        return (0.0, vec![0.0; board.len()]);
    }
    let fixed = |cell: Cell| match () {
        () if chain_touches(cell, 0) => Some(1.0),
        () if chain_touches(cell, last) => Some(0.0),
        () => None,
    };
    let mut linked = vec![false; board.len()];
    for _ in 0..board.len() {
        for &cell in &cells {
            let at_side = line(game, player, cell) == 0 || line(game, player, cell) == last;
            if at_side || board.neighbours(cell).any(|n| linked[n.index()] && cells.contains(&n)) {
                linked[cell.index()] = true;
            }
        }
    }
    let nodes: Vec<Cell> = cells
        .iter()
        .copied()
        .filter(|&c| linked[c.index()] && fixed(c).is_none() && (!own(c) || root[c.index()] == c.index()))
        .collect();
    let node = |cell: Cell| nodes.iter().position(|&n| n.index() == root[cell.index()]);
    let ohms = |cell: Cell| if own(cell) { 0.0 } else { 1.0 };
    let width = nodes.len() + 1;
    let mut rows = vec![vec![0.0_f64; width]; nodes.len()];
    // Every link of every cell, in the equations of both ends.
    let mut links: Vec<(Cell, Option<Cell>, f64, f64)> = Vec::new();
    for &cell in cells.iter().filter(|&&c| linked[c.index()]) {
        for near in board.neighbours(cell).filter(|&n| cells.contains(&n)) {
            if !(own(cell) && own(near)) {
                links.push((cell, Some(near), 1.0 / (ohms(cell) + ohms(near)), 0.0));
            }
        }
        for (row, volts) in [(0, 1.0), (last, 0.0)] {
            if line(game, player, cell) == row && !own(cell) {
                links.push((cell, None, 1.0, volts));
            }
        }
    }
    for &(cell, near, conductance, volts) in &links {
        let Some(i) = (if fixed(cell).is_some() { None } else { node(cell) }) else { continue };
        rows[i][i] += conductance;
        match near {
            None => rows[i][width - 1] += conductance * volts,
            Some(near) => match fixed(near) {
                Some(volts) => rows[i][width - 1] += conductance * volts,
                None => rows[i][node(near).unwrap()] -= conductance,
            },
        }
    }
    eliminate(&mut rows);
    let volts = |cell: Cell| {
        fixed(cell).unwrap_or_else(|| {
            let i = node(cell).unwrap();
            rows[i][width - 1] / rows[i][i]
        })
    };
    let (mut total, mut shares) = (0.0, vec![0.0; board.len()]);
    for &(cell, near, conductance, side) in &links {
        let there = near.map_or(side, volts);
        let flow = (volts(cell) - there) * conductance;
        if !own(cell) {
            shares[cell.index()] += flow.abs() / 2.0;
        }
        // The current into the low side: from its cells, and from chains that belong to it.
        let into_low = near.map_or(side > 0.5, |near| chain_touches(near, 0));
        total -= if into_low && !chain_touches(cell, 0) { flow } else { 0.0 };
    }
    if total <= 1e-12 {
        return (f64::INFINITY, vec![0.0; board.len()]);
    }
    (1.0 / total, shares.into_iter().map(|flow| flow / total).collect())
}

/// Gauss-Jordan elimination, with pivots.
fn eliminate(rows: &mut [Vec<f64>]) {
    for i in 0..rows.len() {
        let pivot = (i..rows.len()).max_by(|&a, &b| rows[a][i].abs().total_cmp(&rows[b][i].abs())).unwrap();
        rows.swap(i, pivot);
        let from = rows[i].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(j, _)| *j != i) {
            let factor = row[i] / from[i];
            for (entry, pivot) in row[i..].iter_mut().zip(&from[i..]) {
                *entry -= factor * pivot;
            }
        }
    }
}

fn close(a: f64, b: f64) -> bool {
    a.is_infinite() && b.is_infinite() || (a - b).abs() < 1e-9
}

#[test]
fn resistance_and_currents_are_those_of_a_dense_solution() {
    let (mut circuit, mut finite) = (Circuit::new(), 0);
    for game in boards(160, 1) {
        for player in Player::BOTH {
            circuit.connect(&game, player);
            let (ohms, shares) = dense(&game, player);
            assert!(
                close(circuit.resistance(), ohms),
                "{} {ohms} {}",
                circuit.resistance(),
                game.position_text()
            );
            for cell in game.board().cells() {
                assert!(
                    close(circuit.share(cell), shares[cell.index()]),
                    "{cell:?} {}",
                    game.position_text()
                );
            }
            finite += u32::from(ohms.is_finite() && ohms > 0.0);
        }
    }
    assert!(finite > 100, "{finite}");
}

#[test]
fn the_whole_current_crosses_every_row() {
    let mut circuit = Circuit::new();
    circuit.connect(&Position::new(9).unwrap(), Player::First);
    // The whole current flows between two rows, and at least the whole current flows through the cells of a row.
    let game = Position::new(9).unwrap();
    for row in 0..9 {
        let sum: f64 = (0..9).map(|q| circuit.share(game.cell(row, q).unwrap())).sum();
        assert!((1.0 - 1e-9..1.5).contains(&sum), "row {row}: {sum}");
    }
}

/// The shortest connection by relaxing every cell as many times as the board has cells.
fn slow_distance(game: &Position, player: Player) -> (Option<u32>, CellSet) {
    let board = game.board();
    let cost = |c: Cell| match game.stone(c) {
        None => Some(1),
        Some(owner) => (owner == player).then_some(0),
    };
    let from = |row: u8| {
        let mut known: Vec<Option<u32>> = vec![None; board.len()];
        for _ in 0..board.len() {
            for cell in board.cells() {
                let Some(own) = cost(cell) else { continue };
                let start = (line(game, player, cell) == row).then_some(0);
                let best = board.neighbours(cell).filter_map(|n| known[n.index()]).chain(start).min();
                known[cell.index()] = best.map(|best| best + own);
            }
        }
        known
    };
    let (low, high) = (from(0), from(game.size() - 1));
    let sum = |c: Cell| Some(low[c.index()]? + high[c.index()]? - cost(c)?);
    let least = board.cells().filter_map(sum).min();
    let on_path = |&c: &Cell| game.stone(c).is_none() && least.is_some() && sum(c) == least;
    (least, board.cells().filter(on_path).collect())
}

#[test]
fn shortest_connections_are_those_of_relaxation() {
    for game in boards(150, 2) {
        for player in Player::BOTH {
            let fast = Shortest::of(&game, player);
            let (stones, cells) = slow_distance(&game, player);
            assert_eq!((fast.stones.map(u32::from), fast.cells), (stones, cells), "{}", game.position_text());
            let linked = Linked::of(&game, player);
            assert!(linked <= fast.stones && linked.is_some() == fast.stones.is_some());
        }
    }
}

/// The two-distance by its definition, cell by cell with sets of cells.
fn slow_two_distance(game: &Position, player: Player) -> (Option<u32>, CellSet) {
    let board = game.board();
    let empty = |c: &Cell| game.stone(*c).is_none();
    // The empty cells that are reached from an empty cell through own stones, and the sides.
    let reach = |cell: Cell| {
        let (mut cells, mut stones, mut rows) =
            (CellSet::new(), CellSet::new(), vec![line(game, player, cell)]);
        let mut open = vec![cell];
        while let Some(at) = open.pop() {
            for near in board.neighbours(at) {
                if empty(&near) {
                    cells.insert(near);
                } else if game.stone(near) == Some(player) && stones.insert(near) {
                    rows.push(line(game, player, near));
                    open.push(near);
                }
            }
        }
        cells.remove(cell);
        (cells, rows)
    };
    let all: Vec<_> = board.cells().filter(empty).map(|cell| (cell, reach(cell))).collect();
    let from = |row: u8| {
        let mut known: Vec<Option<u32>> = vec![None; board.len()];
        for (cell, (_, rows)) in &all {
            known[cell.index()] = rows.contains(&row).then_some(1);
        }
        for distance in 2..=board.len() as u32 {
            for (cell, (near, _)) in &all {
                let closer = near.iter().filter(|n| known[n.index()].is_some_and(|d| d < distance)).count();
                if known[cell.index()].is_none() && closer >= 2 {
                    known[cell.index()] = Some(distance);
                }
            }
        }
        known
    };
    let (low, high) = (from(0), from(game.size() - 1));
    let sum = |c: Cell| Some(low[c.index()]? + high[c.index()]?);
    let least = board.cells().filter(empty).filter_map(sum).min();
    (least, board.cells().filter(|c| empty(c) && least.is_some() && sum(*c) == least).collect())
}

#[test]
fn two_distances_are_those_of_the_definition() {
    for game in boards(120, 3) {
        for player in Player::BOTH {
            let fast = TwoDistance::of(&game, player);
            let slow = slow_two_distance(&game, player);
            assert_eq!(
                (fast.potential.map(u32::from), fast.cells),
                slow,
                "{player:?} {}",
                game.position_text()
            );
        }
    }
}

/// The distances of a cell at the end of a winding way add up to 256, which was too much for their type.
#[test]
fn the_longest_two_distances_have_a_sum() {
    let rows = concat!(
        ".b.....bb..bbbb/.........bb...b/..bb.b...b...../..b.b.b.b..b.../........b..bb../",
        "..bb.b..b..b.../..b..b..b..b.../..b..b....b.b../.........b..b../..b.bb.b......b/",
        ".........b...bb/...b.bbbb.bb.../b............../..b........bb../..bbbbbbbbbbbb."
    );
    let game = Setup::from_rows(rows, 80).unwrap().position().unwrap();
    for player in Player::BOTH {
        let measured = TwoDistance::of(&game, player);
        let (potential, cells) = slow_two_distance(&game, player);
        assert_eq!((measured.potential.map(u32::from), measured.cells), (potential, cells));
    }
}

#[test]
fn measures_are_the_same_for_the_other_side_of_a_transposed_board() {
    let mut circuits = [Circuit::new(), Circuit::new()];
    let all = Weights { distance: 30.0, linked: 20.0, two_distance: 10.0, ..Weights::default() };
    let mut blend = Blend::new(all);
    for game in boards(300, 4) {
        let other = transposed(&game);
        for player in Player::BOTH {
            circuits[0].connect(&game, player);
            circuits[1].connect(&other, player.other());
            assert_eq!(circuits[0].resistance().to_bits(), circuits[1].resistance().to_bits());
            let (a, b) = (Shortest::of(&game, player), Shortest::of(&other, player.other()));
            assert_eq!((a.stones, a.cells.len()), (b.stones, b.cells.len()));
            assert_eq!(Linked::of(&game, player), Linked::of(&other, player.other()));
            assert_eq!(StonePairs::of(&game, player), StonePairs::of(&other, player.other()));
            let (a, b) = (TwoDistance::of(&game, player), TwoDistance::of(&other, player.other()));
            assert_eq!((a.potential, a.cells.len()), (b.potential, b.cells.len()));
        }
        if game.outcome().is_none() && other.outcome().is_none() {
            assert_eq!(blend.evaluate(&game), blend.evaluate(&other), "{}", game.position_text());
            assert!(blend.evaluate(&game).abs() <= WIN / 2);
        }
    }
}

#[test]
fn the_order_prefers_the_bottleneck_and_the_noisy_moves_are_wins_blocks_and_captures() {
    let game = Setup::from_rows(".r.../.r.../...../.r.../.r...", 8).unwrap().position().unwrap();
    let mut order = Currents::new();
    let worth = |order: &mut Currents, r, q| {
        order.worth(&game, stonework_cachex::Move::Place(game.cell(r, q).unwrap()))
    };
    let middle = worth(&mut order, 2, 1);
    assert!((0..5).all(|q| worth(&mut order, 0, q) < middle || q == 1));
    for game in boards(200, 5).filter(|game| game.outcome().is_none()) {
        let (mut noisy, me) = (Vec::new(), game.to_move());
        Noisy.noisy_moves(&game, &mut noisy);
        let mut legal = Vec::new();
        game.legal_moves(&mut legal);
        let wins = |&mv: &stonework_cachex::Move| {
            let mut next = game.clone();
            next.play(mv).unwrap();
            next.outcome().is_some()
        };
        let any = legal.iter().any(wins);
        for mv in legal {
            let stonework_cachex::Move::Place(cell) = mv else { continue };
            let expected = if any {
                wins(&mv)
            } else {
                !game.captures(me, cell).is_empty() || game.wins(me.other(), cell)
            };
            assert_eq!(noisy.iter().filter(|&&n| n == mv).count(), usize::from(expected));
        }
    }
}
