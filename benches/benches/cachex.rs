//! Cachex: random games made and taken back, per ply, and what a search asks of a position.
//!
//! The referee that most users have makes 11 098, 6 000, 5 331 and 1 000 updates a second at the sizes
//! 5, 8, 9 and 15.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rand_core::RngCore;
use stonework_benches::rng;
use stonework_cachex::{Move, Position, Undo};
use stonework_game::{Game, Keyed, Player};
use stonework_oracle::CachexJudge;

/// Size; plies of the games, and the keys of their ends in exclusive or.
const KNOWN: [(u8, u64, u64); 4] = [
    (5, 510, 0xfa2a_465a_cee5_9250),
    (8, 1364, 0x09fc_c6d5_1862_0551),
    (9, 1801, 0xa153_1527_4cae_fb5a),
    (15, 4951, 0xf6bf_c6bc_a039_00c4),
];

/// Games of uniformly random moves, the same on the slow judge, as moves and as their keys.
fn games(size: u8) -> (Vec<Vec<Move>>, u64) {
    let (mut rng, mut keys) = (rng(size.into()), 0);
    let start = Position::new(size).expect("a size from the list");
    let mut game = || {
        let (mut position, mut played) = (start.clone(), Vec::new());
        let mut judge = CachexJudge::new(size, position.options()).expect("a size from the list");
        while position.ending().is_none() {
            let moves = position.moves();
            let mv = moves[((u128::from(rng.next_u64()) * moves.len() as u128) >> 64) as usize];
            position.play(mv).expect("a legal move");
            judge.play(mv).expect("a legal move");
            played.push(mv);
        }
        assert_eq!((position.ending(), position.rows()), (judge.ending(), judge.rows()));
        keys ^= position.key();
        played
    };
    ((0..20).map(|_| game()).collect(), keys)
}

/// Plays every game to its end and takes it back; the keys of the last positions.
fn there_and_back(games: &[Vec<Move>], position: &mut Position, undos: &mut Vec<Undo>) -> u64 {
    let mut keys = 0;
    for moves in games {
        for &mv in moves {
            debug_assert!(position.outcome().is_none());
            undos.push(position.play_unchecked(mv));
        }
        assert!(position.outcome().is_some());
        keys ^= position.key();
        while let Some(undo) = undos.pop() {
            position.undo(undo);
        }
    }
    assert_eq!(position.turns(), 0);
    keys
}

fn make_and_undo(c: &mut Criterion) {
    let mut group = c.benchmark_group("cachex/make and undo, per ply");
    for (size, plies, keys) in KNOWN {
        let (games, ends) = games(size);
        let count = games.iter().map(|moves| moves.len() as u64).sum::<u64>();
        assert_eq!((count, ends), (plies, keys), "size {size}: {count}, {ends:#018x}");
        let mut position = Position::new(size).expect("a size from the list");
        let mut undos = Vec::new();
        assert_eq!(there_and_back(&games, &mut position, &mut undos), keys);
        group.throughput(Throughput::Elements(plies));
        group.bench_function(size.to_string(), |b| {
            b.iter(|| there_and_back(&games, black_box(&mut position), &mut undos));
        });
    }
}

fn questions(c: &mut Criterion) {
    for (size, ..) in KNOWN {
        let (games, _) = games(size);
        let mut position = Position::new(size).expect("a size from the list");
        // One stone before the end of a game, so that there is a winning cell.
        let game = games.iter().max_by_key(|moves| moves.len()).expect("there are games");
        game[..game.len() - 1].iter().for_each(|&mv| _ = position.play_unchecked(mv));
        let mover = position.to_move();
        let mut group = c.benchmark_group(format!("cachex/size {size}"));
        let Some(&Move::Place(last)) = game.last() else { unreachable!("a game ends with a stone") };
        let joins = position.wins(mover, last);
        assert_eq!(position.winning_cells(mover).contains(last), joins);
        group.bench_function("winning_cells", |b| b.iter(|| black_box(&position).winning_cells(mover)));

        let capturing = |position: &Position| position.capturing(Player::First).count();
        let each = position.empty_cells().filter(|&c| !position.captures(Player::First, c).is_empty());
        assert_eq!(each.count(), capturing(&position));
        group.bench_function("capturing", |b| b.iter(|| capturing(black_box(&position))));

        assert_eq!(position.setup().position().map(|p| p.canonical()), Ok(position.canonical()));
        group.bench_function("canonical", |b| b.iter(|| black_box(&position).canonical()));

        assert_eq!(position.clone(), position);
        group.bench_function("clone", |b| b.iter(|| black_box(&position).clone()));
    }
}

criterion_group!(benches, make_and_undo, questions);
criterion_main!(benches);
