//! Links of Havannah: found anew at each ply, and kept from ply to ply; and the frames and the race of the last position.
//!
//! Both ways of finding links go through the same middle games. Beforehand they are compared: the same full links with the
//! same least carriers.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use stonework_benches::rng;
use stonework_game::{Game, Player, below};
use stonework_havannah::{Move, Position};
use stonework_havannah_analysis::{
    Frame, FrameBudget, Frames, LinkBudget, LinkSet, LinkTracker, Race, RaceBudget,
};

const BUDGET: LinkBudget =
    LinkBudget { carrier: 4, per_pair: 100, combinations: 10_000_000, bytes: 64 << 20 };
const PLIES: usize = 6;

/// A position with a fifth of the cells taken, and random moves from there, none of which ends the game.
fn middle_game(size: u8) -> (Position, Vec<Move>) {
    let mut rng = rng(41);
    loop {
        let mut game = Position::new(size).unwrap_or_else(|e| panic!("{e}"));
        let (mut start, mut moves) = (game.clone(), Vec::new());
        let first = game.board().len() / 5;
        while game.stone_count() < first + PLIES && game.outcome().is_none() {
            let legal = game.moves();
            let mv = legal[below(&mut rng, legal.len())];
            game.play_unchecked(mv);
            if game.stone_count() <= first {
                start = game.clone();
            } else {
                moves.push(mv);
            }
        }
        if game.outcome().is_none() {
            return (start, moves);
        }
    }
}

fn anew(start: &Position, moves: &[Move]) -> Vec<LinkSet> {
    let mut game = start.clone();
    let set = |game: &Position| LinkSet::of(game, Player::First, &BUDGET).unwrap_or_else(|e| panic!("{e}"));
    let mut sets = vec![set(&game)];
    for &mv in moves {
        game.play_unchecked(mv);
        sets.push(set(&game));
    }
    sets
}

fn kept(start: &Position, moves: &[Move]) -> LinkTracker {
    let mut game = start.clone();
    let mut tracker = LinkTracker::new(&game, Player::First, &BUDGET).unwrap_or_else(|e| panic!("{e}"));
    for &mv in moves {
        game.play_unchecked(mv);
        let Move::Place(cell) = mv else { panic!("no swap") };
        tracker.play(&game, cell).unwrap_or_else(|e| panic!("{e}"));
    }
    tracker
}

/// The two-bridges and the other full links of two cells, which no limit leaves out.
fn short(set: &LinkSet) -> Vec<String> {
    let mut all: Vec<String> = set
        .iter()
        .filter(|link| link.is_full() && link.carrier.len() <= 2)
        .map(|link| format!("{:?} {:?}", link.ends, link.carrier))
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}

fn benches(criterion: &mut Criterion) {
    for size in [4, 6, 8, 10] {
        let (start, moves) = middle_game(size);
        let mut tracker = kept(&start, &moves);
        for (depth, set) in anew(&start, &moves).iter().enumerate().rev() {
            assert_eq!(short(tracker.links()), short(set), "size {size}, after {depth} moves");
            assert_eq!(tracker.undo(), depth > 0);
        }
        let mut group = criterion.benchmark_group(format!("links/{size}"));
        group.sample_size(10);
        group.bench_function("anew", |bench| bench.iter(|| black_box(anew(&start, &moves).len())));
        group.bench_function("kept", |bench| bench.iter(|| black_box(kept(&start, &moves).depth())));
        let budget = FrameBudget { links: BUDGET, ..FrameBudget::default() };
        let frames = || Frames::of(&start, Player::First, &budget).map(|frames| frames.all().len());
        let race = || Race::of(&start, &RaceBudget::default()).map(|race| race.answer());
        // Each frame stands alone: no other frame of at most as many moves has its carrier within.
        let found = Frames::of(&start, Player::First, &budget).unwrap_or_else(|e| panic!("{e}"));
        let covered = |a: &Frame| {
            found
                .all()
                .iter()
                .any(|b| a != b && b.is_full() && b.moves <= a.moves && b.carrier.is_subset(&a.carrier))
        };
        assert!(!found.all().iter().any(covered), "size {size}");
        group.bench_function("frames", |bench| bench.iter(|| black_box(frames())));
        group.bench_function("race", |bench| bench.iter(|| black_box(race())));
        group.finish();
    }
}

criterion_group!(all, benches);
criterion_main!(all);
