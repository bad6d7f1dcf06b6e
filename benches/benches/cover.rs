//! Cover: moves made and taken back, with legality and shots, in perft and in random games; and what a
//! search asks of a position.
//!
//! The throughput of `perft` counts each move that is listed, made and taken back; that of `games` only
//! makes and takes back.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rand_core::RngCore;
use stonework_benches::rng;
use stonework_cover::{Move, Options, Position, Repetition, Undo};
use stonework_game::{Game, Keyed, perft};
use stonework_oracle::CoverJudge;

/// Size, and the published number of games of so many plies: 1, 2, 3, ….
const PERFT: [(u8, &[u64]); 2] = [(2, &[10, 100, 876, 7508, 73_314]), (4, &[26, 676, 16_104, 382_714])];

fn counting(c: &mut Criterion) {
    let mut group = c.benchmark_group("cover/perft, per move");
    group.sample_size(20);
    for (size, known) in PERFT {
        let start = Position::new(size).expect("a size from the list");
        for (depth, &nodes) in (1..).zip(known) {
            assert_eq!(perft(&start, depth).nodes, nodes);
        }
        group.throughput(Throughput::Elements(known.iter().sum()));
        let depth = known.len() as u32;
        group.bench_function(size.to_string(), |b| b.iter(|| perft(black_box(&start), depth)));
    }
}

/// Random games, the same on the slow judge, as moves.
fn games(size: u8, options: Options) -> (Position, Vec<Vec<Move>>) {
    let mut rng = rng(size.into());
    let start = Position::with_options(size, options).expect("a size from the list");
    let mut game = || {
        let (mut position, mut played) = (start.clone(), Vec::new());
        let mut judge = CoverJudge::new(size, options).expect("a size from the list");
        while position.outcome().is_none() && played.len() < 500 {
            let moves = position.moves();
            let mv = moves[((u128::from(rng.next_u64()) * moves.len() as u128) >> 64) as usize];
            position.play(mv).expect("a legal move");
            judge.play(mv).expect("a legal move");
            played.push(mv);
        }
        assert_eq!(position.outcome(), judge.outcome());
        played
    };
    let games = (0..10).map(|_| game()).collect();
    (start, games)
}

/// Plays every game and takes it back; the keys of the last positions.
fn there_and_back(games: &[Vec<Move>], position: &mut Position, undos: &mut Vec<Undo>) -> u64 {
    let (start, mut keys) = (position.key(), 0);
    for moves in games {
        undos.extend(moves.iter().map(|&mv| position.play_unchecked(mv)));
        keys ^= position.key();
        while let Some(undo) = undos.pop() {
            position.undo(undo);
        }
    }
    assert_eq!(position.key(), start);
    keys
}

fn make_and_undo(c: &mut Criterion) {
    let mut group = c.benchmark_group("cover/games, per ply");
    for repetition in [Repetition::FourPlies, Repetition::Any] {
        for size in [2, 4, 6, 10] {
            let (mut position, games) = games(size, Options { repetition, ..Options::default() });
            let mut undos = Vec::new();
            let keys = there_and_back(&games, &mut position, &mut undos);
            assert_eq!(there_and_back(&games, &mut position, &mut undos), keys);
            group.throughput(Throughput::Elements(games.iter().map(|moves| moves.len() as u64).sum()));
            group.bench_function(format!("{size}, {repetition}"), |b| {
                b.iter(|| there_and_back(&games, black_box(&mut position), &mut undos));
            });
        }
    }
}

fn questions(c: &mut Criterion) {
    let (start, games) = games(4, Options::default());
    let mut position = start;
    games[0][..40].iter().for_each(|&mv| _ = position.play_unchecked(mv));
    let mut group = c.benchmark_group("cover/size 4");
    let mut moves = position.moves();
    assert!(moves.contains(&games[0][40]));
    group.bench_function("legal_moves", |b| {
        b.iter(|| {
            moves.clear();
            black_box(&position).legal_moves(&mut moves);
            moves.len()
        });
    });
    assert_eq!(position.setup().position().map(|p| p.canonical()), Ok(position.canonical()));
    group.bench_function("canonical", |b| b.iter(|| black_box(&position).canonical()));
    group.bench_function("clone", |b| b.iter(|| black_box(&position).clone()));
}

criterion_group!(benches, counting, make_and_undo, questions);
criterion_main!(benches);
