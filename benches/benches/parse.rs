//! Texts: game records, positions, names of cells.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use stonework_benches::{Games, sgf};
use stonework_board::{Board, Cell, Notation};
use stonework_game::{Game, Textual as _};
use stonework_havannah::Position;
use stonework_record::{Dialect, Tree, convert};

fn records(c: &mut Criterion) {
    let (text, nodes) = sgf(1_000_000);
    let tree = Tree::parse_str(&text).expect("a file of game records");
    assert_eq!((tree.len(), tree.to_bytes() == text.as_bytes()), (nodes, true));
    let mut group = c.benchmark_group("parse/sgf");
    group.sample_size(20).throughput(Throughput::Bytes(text.len() as u64));
    group.bench_function("read", |b| b.iter(|| Tree::parse_str(black_box(&text)).map(|t| t.len())));
    group.bench_function("write", |b| b.iter(|| black_box(&tree).to_bytes().len()));

    let there = convert(&tree, Dialect::LITTLE_GOLEM).expect("all cells are on the board");
    let back = convert(&there, Dialect::HAVANNAH_GUI).expect("all cells are on the board");
    assert!(back.to_bytes() == text.as_bytes());
    group.bench_function("convert", |b| {
        b.iter(|| convert(black_box(&tree), Dialect::LITTLE_GOLEM).map(|t| t.len()));
    });
}

fn positions(c: &mut Criterion) {
    let mut group = c.benchmark_group("parse/position text");
    for size in [4, 10, 20] {
        let games = Games::random(size, 1);
        let mut position = games.start;
        for &mv in &games.games[0] {
            position.play_unchecked(mv);
        }
        let text = position.position_text();
        assert_eq!(Position::parse_position(&text).as_ref(), Ok(&position));
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(format!("read/{size}"), |b| {
            b.iter(|| Position::parse_position(black_box(&text)));
        });
        group.bench_function(format!("write/{size}"), |b| b.iter(|| black_box(&position).position_text()));
    }
}

fn cells(c: &mut Criterion) {
    let board = Board::hexagon(10).expect("a size of a board");
    let mut group = c.benchmark_group("parse/cells of size 10");
    group.throughput(Throughput::Elements(board.len() as u64));
    for notation in Notation::ALL {
        let name = |cell| notation.name_of(board, cell).expect("a notation for hexagons");
        let names: Vec<String> = board.cells().map(name).collect();
        let read = |names: &[String]| -> usize {
            names.iter().filter_map(|n| notation.parse(board, n).ok()).map(Cell::index).sum()
        };
        assert_eq!(read(&names), board.len() * (board.len() - 1) / 2);
        group.bench_function(format!("read/{notation}"), |b| b.iter(|| read(black_box(&names))));
        group.bench_function(format!("write/{notation}"), |b| {
            b.iter(|| board.cells().map(|c| name(black_box(c)).len()).sum::<usize>());
        });
    }
}

criterion_group!(benches, records, positions, cells);
criterion_main!(benches);
