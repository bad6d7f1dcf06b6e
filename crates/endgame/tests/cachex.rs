//! Cachex on the smallest boards, whole: every placing of stones with either side to move, and the opening.
//!
//! Boards are not counted and turns are not limited: endless play is a draw.

use std::ops::ControlFlow;
use std::time::Instant;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use stonework_board::Cell;
use stonework_cachex::{Move, Position, Setup};
use stonework_endgame::{Options, Solved, StateSpace, Table, Value, laws, solve, verify};
use stonework_game::{Game, Notation, Player};

/// Number 0 is the empty board, 1 + c the board after the first stone on cell c, and beyond those come
/// the boards after two turns or more: 2 · (cells as ternary digits) + (turns odd).
struct Boards {
    size: u8,
    cells: Vec<Cell>,
}

impl Boards {
    fn new(size: u8) -> Self {
        let empty = Position::new(size).unwrap();
        Self { size, cells: empty.empty_cells().collect() }
    }

    /// Numbers of the opening.
    fn opening(&self) -> u64 {
        1 + self.cells.len() as u64
    }
}

impl StateSpace for Boards {
    type State = Position;

    fn len(&self) -> u64 {
        self.opening() + 2 * 3u64.pow(self.cells.len() as u32)
    }

    fn rank(&self, position: &Position) -> Option<u64> {
        if position.outcome().is_some() || position.size() != self.size {
            return None;
        }
        let digit = |&cell: &Cell| match position.stone(cell) {
            None => 0,
            Some(player) => 1 + player.index() as u64,
        };
        let first = |cell: &Cell| position.stone(*cell).is_some();
        match position.turns() {
            0 => Some(0),
            1 => self.cells.iter().position(first).map(|cell| 1 + cell as u64),
            turns => {
                let board = self.cells.iter().rev().fold(0, |board, cell| 3 * board + digit(cell));
                Some(self.opening() + 2 * board + u64::from(turns % 2))
            }
        }
    }

    fn unrank(&self, rank: u64) -> Option<Position> {
        let mut setup = Setup::new(self.size);
        if rank >= self.len() {
            return None;
        } else if let Some(code) = rank.checked_sub(self.opening()) {
            setup.turns = 2 + (code % 2) as u16;
            let mut board = code / 2;
            for &cell in &self.cells {
                match board % 3 {
                    0 => {}
                    1 => _ = setup.stones.first.insert(cell),
                    _ => _ = setup.stones.second.insert(cell),
                }
                board /= 3;
            }
        } else if let Some(cell) = rank.checked_sub(1) {
            setup.turns = 1;
            setup.stones.first.insert(self.cells[cell as usize]);
        }
        // The centre is no first move; a board that is won is over.
        setup.position().ok().filter(|position| position.outcome().is_none())
    }
}

/// The same stones with the sides and the axes exchanged, and the other side to move.
fn mirrored(position: &Position) -> Position {
    let mut setup = position.setup();
    let mirror = |player| {
        let stones = position.stones(player);
        stones
            .iter()
            .map(|cell| {
                let (r, q) = position.coordinates(cell);
                position.cell(q, r).unwrap()
            })
            .collect()
    };
    (setup.stones.first, setup.stones.second) = (mirror(Player::Second), mirror(Player::First));
    setup.turns ^= 1;
    setup.position().unwrap()
}

/// What answers are worth to blue, by the opening: the steal, and the best stone.
fn answers(space: &Boards, table: &Table) -> Vec<(String, Value, Value)> {
    let moves = |position: &Position| {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        moves
    };
    let worth = |position: &Position, mv| {
        let mut next = position.clone();
        next.play(mv).unwrap();
        table.probe(space, &next).unwrap().before(false).unwrap()
    };
    let score = |value: &Value| match *value {
        Value::Win(plies) => 1000 - i32::from(plies),
        Value::Draw => 0,
        Value::Loss(plies) => i32::from(plies) - 1000,
    };
    let empty = Position::new(space.size).unwrap();
    let answers = |first| {
        let mut opened = empty.clone();
        opened.play(first).unwrap();
        let stones = moves(&opened).into_iter().filter(|&mv| mv != Move::Steal);
        let best = stones.map(|mv| worth(&opened, mv)).max_by_key(score).unwrap();
        (empty.move_text(first), worth(&opened, Move::Steal), best)
    };
    moves(&empty).into_iter().map(answers).collect()
}

/// What the side to move can force within so many plies, by the rules alone: 1000 less the distance of a
/// win, 0 for nothing.
fn forced(position: &mut Position, plies: u32) -> i32 {
    if let Some(outcome) = position.outcome() {
        return 1000 * outcome.value_for(position.to_move());
    }
    if plies == 0 {
        return 0;
    }
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let mut best = -1000;
    for mv in moves {
        let undo = position.play_unchecked(mv);
        let score = -forced(position, plies - 1);
        best = best.max(score - score.signum());
        position.undo(undo);
    }
    best
}

/// Solves a size, verifies it, checks every `stride`-th board against its mirror image, and prints what
/// there is to know of the opening.
fn checked(size: u8, stride: usize) -> (Table, Vec<(String, Value, Value)>) {
    let (space, options) = (Boards::new(size), Options::default());
    let mut go_on = |_| ControlFlow::Continue(());
    laws(&space, &mut Xoshiro256PlusPlus::seed_from_u64(1), 50_000).unwrap();
    let clock = Instant::now();
    let Solved { table, bytes, linked } = solve(&space, &options, &mut go_on).unwrap();
    println!("solved in {:.1?}, {bytes} bytes, with links: {linked}", clock.elapsed());
    let clock = Instant::now();
    verify(&space, &table, &options, &mut go_on).unwrap();
    println!("verified in {:.1?}", clock.elapsed());
    for rank in (space.opening()..space.len()).step_by(stride) {
        if let Some(position) = space.unrank(rank) {
            assert_eq!(table.probe(&space, &mirrored(&position)), table.value(rank), "{rank}");
        }
    }
    println!("{:?}; the empty board: {:?}", table.statistics(), table.value(0));
    let answers = answers(&space, &table);
    for (first, steal, stone) in &answers {
        println!("{first}: the steal {steal:?}, the best stone {stone:?}");
    }
    (table, answers)
}

/// The openings that blue wins by stealing alone.
fn steals(answers: &[(String, Value, Value)]) -> Vec<&str> {
    let wins = |value| matches!(value, Value::Win(_));
    let steal = |(_, steal, stone): &&(String, Value, Value)| wins(*steal) && !wins(*stone);
    answers.iter().filter(steal).map(|(first, ..)| first.as_str()).collect()
}

#[test]
fn size_3_is_solved_and_verified() {
    let (table, answers) = checked(3, 1);
    let found = table.statistics();
    let counts = (found.won, found.lost, found.drawn, found.holes);
    assert_eq!(counts, (18_446, 5_045, 0, 15_885));
    assert_eq!((found.longest_win, found.longest_loss), (Some((11, 2363)), Some((10, 3641))));
    assert_eq!(steals(&answers), ["0,1", "0,2", "2,0", "2,1"]);
    // The distance of the whole game, by the rules alone.
    assert_eq!(table.value(0), Some(Value::Loss(8)));
    let mut empty = Position::new(3).unwrap();
    assert_eq!((forced(&mut empty, 8), forced(&mut empty, 7)), (8 - 1000, 0));
}

#[test]
#[ignore = "86 million numbers: some ten minutes and two gigabytes in release; see docs/records/tables.md"]
fn size_4_is_solved_and_verified() {
    let (table, answers) = checked(4, 9973);
    let found = table.statistics();
    let counts = (found.won, found.lost, found.drawn, found.holes);
    assert_eq!(counts, (44_747_128, 14_273_467, 15_708, 27_057_156));
    let longest = (found.longest_win, found.longest_loss);
    assert_eq!(longest, (Some((37, 19_604_451)), Some((36, 2_480_089))));
    assert_eq!(table.value(0), Some(Value::Loss(22)));
    assert_eq!(steals(&answers), ["0,2", "0,3", "1,2", "2,1", "3,0", "3,1"]);
}
