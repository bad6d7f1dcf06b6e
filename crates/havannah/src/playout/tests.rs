use rand_core::{RngCore, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use stonework_board::{CellSet, Direction};
use stonework_game::ByPlayer;

use super::*;
use crate::{Move, Setup, WinKind};

fn rng(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

/// The cells that can be reached from `from` without leaving `inside`.
fn flood(board: &Board, from: impl IntoIterator<Item = Cell>, inside: &CellSet) -> CellSet {
    let mut open: Vec<Cell> = from.into_iter().filter(|&c| inside.contains(c)).collect();
    let mut seen: CellSet = open.iter().copied().collect();
    while let Some(cell) = open.pop() {
        open.extend(board.neighbours(cell).filter(|&n| inside.contains(n) && seen.insert(n)));
    }
    seen
}

/// The kinds of win of a side, by the definitions: chains by flood fill; a ring is around a cell from which every path
/// to the rim crosses a stone of that side.
fn judge(board: &Board, stones: &CellSet) -> WinKinds {
    let mut kinds = WinKinds::NONE;
    let mut rest = *stones;
    while let Some(cell) = rest.first() {
        let chain = flood(board, [cell], stones);
        let (corners, edges) =
            chain.iter().fold((0, 0), |(c, e), x| (c | board.corner_mask(x), e | board.edge_mask(x)));
        if corners.count_ones() >= 2 {
            kinds = kinds.with(WinKinds::BRIDGE);
        }
        if edges.count_ones() >= 3 {
            kinds = kinds.with(WinKinds::FORK);
        }
        rest -= chain;
    }
    let others: CellSet = board.cells().filter(|&c| !stones.contains(c)).collect();
    let outside = flood(board, board.cells().filter(|&c| board.is_rim(c)), &others);
    let all_own = |c: &Cell| {
        !board.is_rim(*c)
            && Direction::ALL.iter().all(|&d| board.neighbour(*c, d).is_some_and(|n| stones.contains(n)))
    };
    let enclosed = (others - outside).first().is_some() || stones.iter().any(|c| all_own(&c));
    if enclosed { kinds.with(WinKinds::RING) } else { kinds }
}

/// Follows the last run of `board`, which began with these stones, move by move.
fn check_run(board: &PlayoutBoard, mut stones: ByPlayer<CellSet>, mut mover: Player, result: PlayoutResult) {
    let plies = board.trace().len();
    assert_eq!(plies, usize::from(result.plies));
    for (ply, (player, cell)) in board.trace().enumerate() {
        assert_eq!(player, mover);
        assert!(!stones.first.contains(cell) && !stones.second.contains(cell));
        stones[mover].insert(cell);
        let kinds = judge(board.board(), &stones[mover]);
        let last = ply + 1 == plies;
        assert_eq!(kinds, if last { result.kinds } else { WinKinds::NONE }, "size {}", board.board().size());
        assert_eq!(result.winner.is_some_and(|w| last && w == mover), !kinds.is_empty());
        mover = mover.other();
    }
    assert_eq!(board.to_move(), mover);
    for cell in board.board().cells() {
        let owner = Player::BOTH.into_iter().find(|&p| stones[p].contains(cell));
        assert_eq!(board.stone(cell), owner);
    }
    let empty: CellSet = board.empty_cells().collect();
    assert_eq!(empty.len(), board.empty_cells().len());
    assert_eq!(empty, board.board().cells().filter(|&c| board.stone(c).is_none()).collect());
    assert!(result.winner.is_some() || empty.is_empty());
}

#[test]
fn every_prefix_of_a_random_game_is_as_judged() {
    let mut rng = rng(1);
    for size in (2..=10).chain([11, 15, 20]) {
        let mut board = PlayoutBoard::new(size).unwrap();
        for _ in 0..(20_000 / usize::from(size).pow(3)).max(4) {
            board.reset();
            let result = board.run(&mut rng);
            check_run(&board, ByPlayer::default(), Player::First, result);
        }
    }
}

#[test]
fn every_run_from_a_set_up_position_is_as_judged() {
    let mut rng = rng(2);
    for size in (2..=10).chain([11, 20]) {
        let mut board = PlayoutBoard::new(size).unwrap();
        for round in 0..(6000 / usize::from(size).pow(2)).max(20) {
            // Any numbers of stones, large numbers too: both sides may have won already.
            let (all, some) = (3 + rng.next_u32() % 8, 1 + rng.next_u32() % 2);
            let mut setup = Setup::new(size);
            setup.to_move = Player::BOTH[round % 2];
            for cell in board.board().cells() {
                match rng.next_u32() % all {
                    0 => drop(setup.stones.first.insert(cell)),
                    k if k <= some => drop(setup.stones.second.insert(cell)),
                    _ => {}
                }
            }
            let Ok(position) = setup.position() else { continue };
            board.load(&position);
            assert_eq!(board.outcome(), position.outcome());
            assert_eq!(board.kinds(), position.kinds());
            assert_eq!(board.trace().len(), 0);
            let result = board.run(&mut rng);
            if position.outcome().is_some() {
                let same = PlayoutResult {
                    winner: position.outcome().unwrap().winner(),
                    kinds: position.kinds(),
                    plies: 0,
                };
                assert_eq!(result, same);
            } else {
                check_run(&board, setup.stones, setup.to_move, result);
            }
        }
    }
}

#[test]
fn the_stones_around_a_cell_are_those_on_its_board() {
    let mut rng = rng(10);
    for size in 2..=20 {
        let mut board = PlayoutBoard::new(size).unwrap();
        let tables = board.board();
        for _ in 0..6 {
            board.reset();
            let plies = rng.next_u32() as usize % tables.len();
            while board.outcome().is_none() && tables.len() - board.empty_cells().len() <= plies {
                board.step(&mut rng);
            }
            for cell in tables.cells() {
                let mut expected = ByPlayer::<u32>::default();
                for (i, near) in tables.around(cell).take(around::CELLS).enumerate() {
                    if let Some(player) = near.and_then(|near| board.stone(near)) {
                        expected[player] |= 1 << i;
                    }
                }
                assert_eq!(board.around(cell), expected, "size {size}, {}", tables.name(cell));
            }
        }
    }
}

#[test]
fn placed_stones_are_those_of_a_position() {
    let mut rng = rng(3);
    for size in 2..=12 {
        for _ in 0..120 / size {
            let mut board = PlayoutBoard::new(size).unwrap();
            let mut position = Position::new(size).unwrap();
            while position.outcome().is_none() {
                assert_eq!((board.outcome(), board.to_move()), (None, position.to_move()));
                let n = rng.next_u32() as usize % board.empty_cells().len();
                let cell = board.empty_cells().nth(n).unwrap();
                position.play(Move::Place(cell)).unwrap();
                assert_eq!(board.place(cell), position.kinds());
                if position.stone_count().is_multiple_of(7) {
                    board.load(&position);
                }
            }
            assert_eq!(board.outcome(), position.outcome());
            assert_eq!(board.run(&mut rng).plies, 0);
        }
    }
}

/// A board finds a cell by a walk or by a search, whatever games it has seen since it was set up.
#[test]
fn a_board_of_many_games_finds_every_cell_to_place() {
    let mut rng = rng(4);
    for size in [2, 5, 8, 11] {
        let fresh = Position::new(size).unwrap();
        let mut board = PlayoutBoard::from(&fresh);
        for _ in 0..60 {
            let mut position = fresh.clone();
            board.reset();
            while position.outcome().is_none() {
                let moves = position.moves();
                let mv = moves[rng.next_u32() as usize % moves.len()];
                let Move::Place(cell) = mv else { unreachable!("there is no swap") };
                position.play(mv).unwrap();
                assert_eq!(board.place(cell), position.kinds());
            }
            assert_eq!(board.outcome(), position.outcome());
            board.reset();
            board.run(&mut rng);
        }
    }
}

#[test]
fn all_games_of_size_2_are_as_judged() {
    fn play(board: &PlayoutBoard, stones: &ByPlayer<CellSet>, games: &mut [usize; 3]) {
        let Some(outcome) = board.outcome() else {
            for cell in board.empty_cells() {
                let (mut next, mut stones) = (board.clone(), *stones);
                let mover = board.to_move();
                stones[mover].insert(cell);
                assert_eq!(next.place(cell), judge(board.board(), &stones[mover]));
                play(&next, &stones, games);
            }
            return;
        };
        games[outcome.winner().map_or(2, Player::index)] += 1;
    }
    let mut games = [0; 3];
    play(&PlayoutBoard::new(2).unwrap(), &ByPlayer::default(), &mut games);
    assert_eq!(games, [1284, 384, 0]);
}

#[test]
fn forced_and_random_moves_mix_and_leave_a_trace() {
    let mut rng = rng(4);
    for size in [2, 3, 5, 8, 10, 12] {
        for _ in 0..5 {
            let mut board = PlayoutBoard::new(size).unwrap();
            let mut position = Position::new(size).unwrap();
            let mut played = Vec::new();
            while board.outcome().is_none() {
                let (cell, kinds) = if rng.next_u32().is_multiple_of(2) {
                    let cell = board.empty_cells().max().unwrap();
                    (cell, board.place(cell))
                } else {
                    board.step(&mut rng)
                };
                played.push((position.to_move(), cell));
                position.play(Move::Place(cell)).unwrap();
                assert_eq!(kinds, position.kinds());
            }
            assert_eq!(board.outcome(), position.outcome());
            assert!(board.trace().eq(played));
        }
    }
}

#[test]
#[should_panic(expected = "b2 is not empty")]
fn a_stone_on_a_stone_panics() {
    let mut board = PlayoutBoard::new(3).unwrap();
    let b2 = board.board().parse("b2").unwrap();
    board.place(b2);
    board.place(b2);
}

/// The size, the games of this test, then means and shares over 5 and 3 million games: length and its deviation, fork,
/// bridge, ring (in this order of preference), draw, wins of the first player.
#[test]
fn statistics_are_those_of_other_programs() {
    let known = [
        (4, 30_000, [27.950, 4.69, 0.4407, 0.4998, 0.0589, 0.000_68, 0.5531]),
        (5, 15_000, [46.538, 6.92, 0.5119, 0.2943, 0.1936, 0.000_18, 0.5363]),
    ];
    for (size, games, [length, deviation, shares @ ..]) in known {
        let mut rng = rng(u64::from(size));
        let mut board = PlayoutBoard::new(size).unwrap();
        let (mut plies, mut counts) = (0, [0; 5]);
        for _ in 0..games {
            board.reset();
            let result = board.run(&mut rng);
            plies += usize::from(result.plies);
            let order = [WinKind::Fork, WinKind::Bridge, WinKind::Ring];
            counts[order.iter().position(|&k| result.kinds.contains(k)).unwrap_or(3)] += 1;
            counts[4] += i32::from(result.winner == Some(Player::First));
        }
        let n = f64::from(games);
        assert!((plies as f64 / n - length).abs() < 4.0 * deviation / n.sqrt(), "{plies} plies");
        for (count, share) in counts.into_iter().zip(shares) {
            let error = (share * (1.0 - share) / n).sqrt();
            assert!((f64::from(count) / n - share).abs() < 4.0 * error, "size {size}: {count}, not {share}");
        }
    }
}

#[test]
fn same_seed_same_games_and_a_copy_is_the_same_board() {
    for size in [2, 4, 5, 7, 10, 13] {
        let mut board = PlayoutBoard::new(size).unwrap();
        let mut other = board.clone();
        other.run(&mut rng(9)); // leaves stones, chains and a shuffled list behind
        for seed in 0..5 {
            board.reset();
            let some = board.empty_cells().next().unwrap();
            board.place(some);
            other.copy_from(&board);
            let clone = board.clone();
            assert_eq!(board.run(&mut rng(seed)), other.run(&mut rng(seed)));
            assert!(board.trace().eq(other.trace()));
            let mut clone = clone;
            clone.run(&mut rng(seed));
            assert!(board.trace().eq(clone.trace()));
        }
    }
}

#[test]
fn memory_is_within_bounds() {
    for (size, most) in [(4, 450), (5, 750), (8, 1700), (10, 2600)] {
        let board = PlayoutBoard::new(size).unwrap();
        assert!(board.memory_bytes() <= most, "size {size}: {}", board.memory_bytes());
    }
    let all: Vec<usize> = (2..=20).map(|s| PlayoutBoard::new(s).unwrap().memory_bytes()).collect();
    assert_eq!([all[2], all[3], all[6], all[8], all[18]], [424, 664, 1296, 2200, 11832]);
}

/// The most cells of which no two are neighbours, row by row over all sets of a row.
fn most_scattered(size: u8) -> usize {
    let board = Board::hexagon(size).unwrap();
    let mut best = vec![(0u32, 0usize)];
    for row in 0..board.rows() {
        let cells = board.row(row).fold(0u32, |all, c| all | 1 << board.coord(c).column);
        let mut next = std::collections::HashMap::new();
        for set in (0..=cells).filter(|s| s & !cells == 0 && s & s << 1 == 0) {
            for &(above, count) in &best {
                if (above | above << 1) & set == 0 {
                    let most = next.entry(set).or_insert(0);
                    *most = (*most).max(count + set.count_ones() as usize);
                }
            }
        }
        best = next.into_iter().collect();
    }
    best.into_iter().map(|(_, count)| count).max().unwrap()
}

#[test]
fn the_bound_on_chains_holds() {
    let most: Vec<_> = (2..=5).map(|s| (most_scattered(s), Layout::founders(s))).collect();
    assert_eq!(most, [(3, 3), (7, 8), (13, 14), (21, 23)]);
}
