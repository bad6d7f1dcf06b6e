//! [`Position`]: make and undo with keys and winning cells, and what is asked of it.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use stonework_benches::{Games, SIZES};
use stonework_game::{Game, Keyed, Player};
use stonework_havannah::{Position, WinKind};

/// Plies of the games on each size, and the keys of their ends in exclusive or. Keys are stored in
/// tables on disk: another number here is another version of them, or another game.
const KNOWN: [(u8, u64, u64); 5] = [
    (4, 524, 0x1a9e_6c2c_f83d_6518),
    (5, 936, 0xc19a_56e6_de21_c4d0),
    (8, 2369, 0x22a5_ae6e_d3ed_664a),
    (10, 3647, 0x7477_02fe_69de_6f63),
    (20, 11_664, 0xd294_ba0c_3b64_d3be),
];

fn there_and_back(c: &mut Criterion) {
    let mut group = c.benchmark_group("position/make and undo, per ply");
    for (size, plies, keys) in KNOWN {
        let games = Games::random(size, 20);
        assert_eq!((games.plies, games.keys), (plies, keys), "size {size}");
        let (mut position, mut undos) = (games.start.clone(), Vec::new());
        assert_eq!(games.there_and_back(&mut position, &mut undos), keys);
        group.throughput(Throughput::Elements(plies));
        group.bench_function(size.to_string(), |b| {
            b.iter(|| games.there_and_back(black_box(&mut position), &mut undos));
        });
    }
}

/// The position halfway through the first game, and its end.
fn halfway_and_end(size: u8) -> (Position, Position) {
    let games = Games::random(size, 1);
    let mut position = games.start;
    let (first, second) = games.games[0].split_at(games.games[0].len() / 2);
    let mut play = |moves: &[_]| {
        for &mv in moves {
            position.play_unchecked(mv);
        }
        position.clone()
    };
    (play(first), play(second))
}

fn questions(c: &mut Criterion) {
    for size in SIZES {
        let (position, end) = halfway_and_end(size);
        let mut group = c.benchmark_group(format!("position/size {size}"));
        // Both sides have room enough halfway through a random game.
        assert!(Player::BOTH.into_iter().all(|p| position.can_win(p)));
        group.bench_function("can_win", |b| b.iter(|| black_box(&position).can_win(Player::First)));

        let kinds: Vec<WinKind> = end.kinds().iter().collect();
        let chain = |end: &Position| kinds.iter().filter_map(|&k| end.winning_chain(k)).count();
        assert_eq!((chain(&end), kinds.is_empty()), (kinds.len(), false));
        group.bench_function("winning_chain", |b| b.iter(|| chain(black_box(&end))));

        let (canonical, _) = position.canonical();
        assert!(canonical != 0 && canonical == position.setup().position().unwrap().canonical().0);
        group.bench_function("canonical", |b| b.iter(|| black_box(&position).canonical()));

        assert_eq!(position.clone(), position);
        group.bench_function("clone", |b| b.iter(|| black_box(&position).clone()));
    }
}

criterion_group!(benches, there_and_back, questions);
criterion_main!(benches);
