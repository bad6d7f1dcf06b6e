//! The cells on which a side wins at once: kept move by move, and found anew after each.
//!
//! Both play the same games there and back. The first asks for the number of winning cells of either
//! side after each ply, which is kept; the second asks each empty cell what it would complete, and so has
//! the upkeep on top.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use stonework_benches::{Games, SIZES};
use stonework_board::CellSet;
use stonework_game::{Game, Player};
use stonework_havannah::Position;

fn kept(position: &Position) -> usize {
    Player::BOTH.into_iter().map(|p| position.winning_count(p)).sum()
}

fn found(position: &Position) -> usize {
    let wins =
        |cell| Player::BOTH.into_iter().filter(move |&p| !position.completes(p, cell).is_empty()).count();
    position.empty_cells().map(wins).sum()
}

/// Asks after each ply of each game.
fn walk(games: &Games, position: &mut Position, mut ask: impl FnMut(&Position) -> usize) -> usize {
    let (mut undos, mut sum) = (Vec::new(), 0);
    for moves in &games.games {
        for &mv in moves {
            undos.push(position.play_unchecked(mv));
            sum += ask(position);
        }
        while let Some(undo) = undos.pop() {
            position.undo(undo);
        }
    }
    sum
}

/// Both ways, cell by cell.
fn both(position: &Position) -> usize {
    for player in Player::BOTH {
        let wins = position.empty_cells().filter(|&c| !position.completes(player, c).is_empty());
        assert_eq!(wins.collect::<CellSet>(), position.winning_cells(player), "{position:?}");
    }
    kept(position)
}

fn mates(c: &mut Criterion) {
    let mut group = c.benchmark_group("mates, per ply");
    for size in SIZES {
        let games = Games::random(size, if size == 20 { 2 } else { 10 });
        let mut position = games.start.clone();
        let cells = walk(&games, &mut position, both);
        assert!(cells > 0);
        assert_eq!(walk(&games, &mut position, kept), cells);
        assert_eq!(walk(&games, &mut position, found), cells);
        group.throughput(Throughput::Elements(games.plies));
        group.bench_function(format!("kept/{size}"), |b| {
            b.iter(|| walk(&games, black_box(&mut position), kept));
        });
        group.bench_function(format!("found anew/{size}"), |b| {
            b.iter(|| walk(&games, black_box(&mut position), found));
        });
    }
}

criterion_group!(benches, mates);
criterion_main!(benches);
