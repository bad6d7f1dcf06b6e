//! Patterns: compiling, looking up, and finding out what is around a cell.

use std::fmt::Write as _;
use std::hint::black_box;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use rand_core::RngCore;
use stonework_benches::rng;
use stonework_board::{Board, Cell};
use stonework_game::Player;
use stonework_havannah::PlayoutBoard;
use stonework_pattern::{Code, Patterns, Reach, State, havannah};

/// The number of codes that are looked up in turn: warm.
const CODES: usize = 1024;

/// A file with so many patterns of eighteen cells, all different under symmetry.
fn text(count: usize) -> String {
    let mut rng = rng(1);
    let mut text = String::new();
    let mut seen = std::collections::HashSet::new();
    while seen.len() < count {
        let empty = 1 << (rng.next_u32() % 18);
        let (mover, other) = (rng.next_u32() & !empty, rng.next_u32() & !empty);
        let code = Code::new(Reach::Eighteen, mover & !other, other & !mover, 0);
        let images = stonework_board::Symmetry::ALL.map(|s| code.image(s).to_string());
        if seen.insert(images.into_iter().min()) {
            let answer = (0..18).map(|i| {
                let stroke = if matches!(i, 6 | 12) { "/" } else { "" };
                format!("{stroke}{}", if empty >> i & 1 != 0 { 'o' } else { '.' })
            });
            writeln!(text, "{{\"{code}\", \"{}\", 4}}", answer.collect::<String>()).expect("a string");
        }
    }
    text
}

/// The surroundings of the last moves of random games on size 8.
fn codes() -> Vec<Code> {
    let mut board = PlayoutBoard::new(8).expect("a size of a board");
    let mut rng = rng(2);
    let mut codes = Vec::new();
    while codes.len() < CODES {
        board.reset();
        while board.outcome().is_none() && codes.len() < CODES {
            let mover = board.to_move();
            let (cell, _) = board.step(&mut rng);
            codes.push(around(&board, cell, mover));
        }
    }
    codes
}

/// By the rows of bits of the playout board.
fn around(board: &PlayoutBoard, cell: Cell, mover: Player) -> Code {
    let stones = board.around(cell);
    Code::new(Reach::Eighteen, stones[mover], stones[mover.other()], board.board().outside(cell))
}

/// By asking for each cell.
fn asked(board: &PlayoutBoard, cell: Cell, mover: Player) -> Code {
    Code::at(board.board(), cell, Reach::Eighteen, |near| match board.stone(near) {
        None => State::Empty,
        Some(player) if player == mover => State::Mover,
        Some(_) => State::Other,
    })
}

fn compiling(c: &mut Criterion) {
    let text = text(10_000);
    let patterns = Patterns::compile(&text).expect("no two match the same");
    assert_eq!(patterns.list().len(), 10_000);
    let mut group = c.benchmark_group("patterns/compile");
    group.sample_size(10).throughput(Throughput::Elements(10_000));
    group.bench_function("10000 of 18 cells", |b| {
        b.iter_batched(|| (), |()| Patterns::compile(black_box(&text)), BatchSize::LargeInput);
    });
}

fn looking_up(c: &mut Criterion) {
    let codes = codes();
    let answered = |patterns: &Patterns| -> u32 {
        codes.iter().filter_map(|&code| patterns.find(black_box(code))).map(|answer| answer.cells).sum()
    };
    let many = Patterns::compile(&text(10_000)).expect("no two match the same");
    let shipped = havannah();
    let by_image = |code: &Code| shipped.find(*code).is_some();
    assert!((CODES / 50..CODES / 2).contains(&codes.iter().filter(|code| by_image(code)).count()));
    let mut group = c.benchmark_group("patterns/look up, each");
    group.throughput(Throughput::Elements(CODES as u64));
    group.bench_function("shipped", |b| b.iter(|| answered(black_box(shipped))));
    group.bench_function("10000 of 18 cells", |b| b.iter(|| answered(black_box(&many))));
}

fn codes_of_cells(c: &mut Criterion) {
    let mut group = c.benchmark_group("patterns/code, each");
    for size in [8, 10, 20] {
        let mut board = PlayoutBoard::new(size).expect("a size of a board");
        let mut rng = rng(3);
        for _ in 0..board.board().len() / 3 {
            board.step(&mut rng);
        }
        let cells: Vec<Cell> = Board::cells(board.board()).collect();
        for &cell in &cells {
            assert_eq!(around(&board, cell, Player::First), asked(&board, cell, Player::First));
        }
        group.throughput(Throughput::Elements(cells.len() as u64));
        group.bench_function(format!("by rows/{size}"), |b| {
            b.iter(|| {
                for &cell in &cells {
                    black_box(around(black_box(&board), cell, Player::First));
                }
            });
        });
        group.bench_function(format!("cell by cell/{size}"), |b| {
            b.iter(|| {
                for &cell in &cells {
                    black_box(asked(black_box(&board), cell, Player::First));
                }
            });
        });
    }
}

criterion_group!(benches, compiling, looking_up, codes_of_cells);
criterion_main!(benches);
