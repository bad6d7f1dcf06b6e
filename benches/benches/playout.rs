//! [`PlayoutBoard`]: whole games, random ones and those in which patterns answer, per stone.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use stonework_benches::{Rng, SIZES, rng};
use stonework_game::{Game, Outcome, Player};
use stonework_havannah::{Move, PlayoutBoard, Position};
use stonework_havannah_players::PatternGames;
use stonework_search::PlayoutPolicy as _;

const GAMES: u32 = 100;

/// Plays the games; stones, and how many of the games the first player has won.
fn run(board: &mut PlayoutBoard, rng: &mut Rng) -> (u64, u32) {
    let (mut stones, mut won) = (0, 0);
    for _ in 0..GAMES {
        board.reset();
        let playout = board.run(rng);
        stones += u64::from(playout.plies);
        won += u32::from(playout.winner == Some(Player::First));
    }
    (stones, won)
}

/// The same, each game played again on a [`Position`], which has to end with the same stone and in the
/// same way.
fn recount(board: &mut PlayoutBoard, rng: &mut Rng) -> (u64, u32) {
    let (mut stones, mut won) = (0, 0);
    for _ in 0..GAMES {
        board.reset();
        let playout = board.run(rng);
        let mut position = Position::new(board.board().size()).expect("the size of a board");
        for (player, cell) in board.trace() {
            assert_eq!(player, position.to_move());
            position.play(Move::Place(cell)).expect("legal on both boards");
            stones += 1;
        }
        assert!(position.outcome().is_some());
        let winner = position.outcome().and_then(Outcome::winner);
        assert_eq!((winner, position.kinds()), (playout.winner, playout.kinds));
        won += u32::from(winner == Some(Player::First));
    }
    (stones, won)
}

fn playouts(c: &mut Criterion) {
    let mut group = c.benchmark_group("playout/run, per stone");
    for size in SIZES {
        let fresh = PlayoutBoard::new(size).expect("a size from the list");
        let counted = run(&mut fresh.clone(), &mut rng(1));
        assert_eq!(counted, recount(&mut fresh.clone(), &mut rng(1)));
        // What is measured are other games: the board is not put back into order.
        group.throughput(Throughput::Elements(counted.0));
        group.bench_function(size.to_string(), |b| {
            let (mut board, mut rng) = (fresh.clone(), rng(1));
            b.iter(|| run(black_box(&mut board), &mut rng));
        });
    }
}

/// The stones of games in which the shipped patterns answer. With `check`, each game is played again on a [`Position`], which has
/// to end with the same stone and the same result.
fn run_guided(games: &mut PatternGames, root: &Position, rng: &mut Rng, check: bool) -> u64 {
    let mut stones = 0;
    for _ in 0..GAMES {
        let result = games.run(root, rng);
        stones += games.trace().count() as u64;
        if check {
            let mut position = root.clone();
            for (_, mv) in games.trace() {
                position.play(mv).expect("legal on both boards");
            }
            let outcome = position.outcome().expect("the end of a game");
            assert_eq!(result as i32, outcome.value_for(Player::First));
        }
    }
    stones
}

fn guided(c: &mut Criterion) {
    let mut group = c.benchmark_group("playout/patterns, per stone");
    for size in SIZES {
        let (mut games, root) = (PatternGames::shipped(), Position::new(size).expect("a size from the list"));
        group.throughput(Throughput::Elements(run_guided(&mut games, &root, &mut rng(1), true)));
        group.bench_function(size.to_string(), |b| {
            let mut rng = rng(1);
            b.iter(|| run_guided(&mut games, black_box(&root), &mut rng, false));
        });
    }
}

fn copies(c: &mut Criterion) {
    let mut group = c.benchmark_group("playout/copy_from");
    for size in SIZES {
        let mut root = PlayoutBoard::new(size).expect("a size from the list");
        let centre = root.board().cells().nth(root.board().len() / 2).expect("it has cells");
        root.place(centre);
        let mut board = PlayoutBoard::new(size).expect("a size from the list");
        board.copy_from(&root);
        assert_eq!((board.stone(centre), board.to_move()), (Some(Player::First), Player::Second));
        group.bench_function(size.to_string(), |b| b.iter(|| board.copy_from(black_box(&root))));
    }
}

criterion_group!(benches, playouts, guided, copies);
criterion_main!(benches);
