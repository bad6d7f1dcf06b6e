//! The shares of positions with inferior cells.

use std::collections::BTreeMap;

use stonework_game::{Game, Player, Textual, below, rng};
use stonework_havannah::Position;
use stonework_havannah_analysis::InferiorCells;

use crate::positions::played;

/// The sums over the positions of one size and one tenth of the board filled.
#[derive(Default)]
struct Share {
    positions: u64,
    empty: u64,
    /// The numbers of positions with dead, captured and dominated cells, and with any of them.
    with: [u64; 4],
    /// The numbers of dead, captured and dominated cells, and of all of them.
    cells: [u64; 4],
}

#[derive(Default)]
struct Shares(BTreeMap<(u8, usize), Share>);

impl Shares {
    fn add(&mut self, position: &Position) {
        let Ok(inferior) = InferiorCells::of(position) else { return };
        let board = position.board();
        let tenth = 10 * position.stone_count() / board.len();
        let share = self.0.entry((position.size(), tenth)).or_default();
        let [dead, dominated] = [inferior.dead(), inferior.dominated()];
        let captured = inferior.captured(Player::First) | inferior.captured(Player::Second);
        share.positions += 1;
        share.empty += position.empty_cells().count() as u64;
        for (i, set) in [dead, captured, dominated, dead | captured | dominated].into_iter().enumerate() {
            share.with[i] += u64::from(!set.is_empty());
            share.cells[i] += set.len() as u64;
        }
    }

    fn print(&self) {
        println!(
            "| size | filled | positions | with dead | captured | dominated | any | cells: dead | captured | dominated | any |"
        );
        println!("|---|---|---|---|---|---|---|---|---|---|---|");
        for ((size, tenth), share) in &self.0 {
            let percent = |part: u64, of: u64| format!("{:.1} %", 100.0 * part as f64 / of as f64);
            let with = share.with.map(|n| percent(n, share.positions)).join(" | ");
            let cells = share.cells.map(|n| percent(n, share.empty)).join(" | ");
            println!(
                "| {size} | {}–{} % | {} | {with} | {cells} |",
                10 * tenth,
                10 * tenth + 10,
                share.positions
            );
        }
    }
}

#[test]
#[ignore = "minutes: STONEWORK_INFERIOR=200 cargo test --release -p stonework-havannah-analysis --test inferior -- --ignored shares_of_random --nocapture (docs/lab/inferior.md)"]
fn shares_of_random_games() {
    let games = std::env::var("STONEWORK_INFERIOR").map_or(200, |number| number.parse().unwrap());
    for size in [3, 4, 5, 6, 8, 10] {
        let (mut shares, mut rng) = (Shares::default(), rng(5));
        // A fifth of the games on the two largest boards.
        for _ in 0..(if size < 8 { games } else { games / 5 }) {
            let mut game = Position::new(size).unwrap();
            while game.outcome().is_none() {
                shares.add(&game);
                let moves = game.moves();
                game.play(moves[below(&mut rng, moves.len())]).unwrap();
            }
        }
        shares.print();
    }
}

#[test]
#[ignore = "reads ../shared/data: cargo test --workspace -- --ignored reference_data (docs/lab/inferior.md)"]
fn shares_of_real_games_of_the_reference_data() {
    let mut shares = Shares::default();
    // The loop takes every fifth position.
    let mut number = 0;
    for game in stonework_reference_data::lines("havannah/littlegolem.jsonl") {
        let (size, moves) = stonework_reference_data::size_and_moves(&game);
        let mut position = Position::with_swap(size).unwrap();
        for text in moves {
            position.play(position.parse_move(text).unwrap()).unwrap();
            number += 1;
            if number % 5 == 0 {
                shares.add(&position);
            }
        }
    }
    shares.print();
}

#[test]
#[ignore = "prints times: cargo test --release -p stonework-havannah-analysis --test inferior -- --ignored microseconds --nocapture (docs/lab/inferior.md)"]
fn microseconds() {
    for size in [5, 8, 10] {
        for tenths in [3, 6] {
            let mut rng = rng(7);
            let positions: Vec<Position> = std::iter::from_fn(|| {
                let cells = Position::new(size).unwrap().board().len();
                Some(played(size, cells - tenths * cells / 10, &mut rng))
            })
            .flatten()
            .take(20)
            .collect();
            let start = std::time::Instant::now();
            let found: usize =
                positions.iter().map(|p| InferiorCells::of(p).unwrap().dominated().len()).sum();
            let each = start.elapsed().as_micros() / positions.len() as u128;
            println!("size {size}, {tenths} tenths filled: {each} us a position, {found} dominated cells");
        }
    }
}
