//! Tables of Cachex on boards of size 3 and 4: every placement of stones with either side to move, and the opening.
//!
//! Repetitions are not counted and turns are not limited: endless play is a draw.

use std::ops::ControlFlow;
use std::time::Instant;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use stonework_cachex::{Move, Position};
use stonework_cachex_players::Space;
use stonework_endgame::{Options, Solved, StateSpace, Table, Value, laws, solve, verify};
use stonework_game::{Game, Player, Textual};

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

/// Each opening with the values of blue's answers to it: of the steal, and of the best placement.
fn answers(space: &Space, table: &Table) -> Vec<(String, Value, Value)> {
    let moves = |position: &Position| position.moves();
    let worth = |position: &Position, mv| {
        let mut next = position.clone();
        next.play(mv).unwrap();
        table.probe(space, &next).unwrap().before(false).unwrap()
    };
    let empty = Position::new(space.size()).unwrap();
    let answers = |first| {
        let mut opened = empty.clone();
        opened.play(first).unwrap();
        let placements = moves(&opened).into_iter().filter(|&mv| mv != Move::Steal);
        let best = placements.map(|mv| worth(&opened, mv)).max().unwrap();
        (empty.move_text(first), worth(&opened, Move::Steal), best)
    };
    moves(&empty).into_iter().map(answers).collect()
}

/// The value that the side to move can force within some plies, by the rules alone: 1000 less the plies to a win, the
/// negative of this for a loss, 0 if neither side forces a win.
fn forced(position: &mut Position, plies: u32) -> i32 {
    if let Some(outcome) = position.outcome() {
        return 1000 * outcome.value_for(position.to_move());
    }
    if plies == 0 {
        return 0;
    }
    let moves = position.moves();
    let mut best = -1000;
    for mv in moves {
        let undo = position.play_unchecked(mv);
        let score = -forced(position, plies - 1);
        best = best.max(score - score.signum());
        position.undo(undo);
    }
    best
}

/// Solves a size, verifies the table, compares every `stride`-th board with its mirror image, and prints the values of
/// the opening.
fn checked(size: u8, stride: usize) -> (Table, Vec<(String, Value, Value)>) {
    let (space, options) = (Space::new(size).unwrap(), Options::default());
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
    for (first, steal, placement) in &answers {
        println!("{first}: the steal {steal:?}, the best placement {placement:?}");
    }
    (table, answers)
}

/// The openings after which the steal wins for blue, and no placement does.
fn steals(answers: &[(String, Value, Value)]) -> Vec<&str> {
    let wins = |value| matches!(value, Value::Win(_));
    let needs_steal = |(_, steal, placement): &&(String, Value, Value)| wins(*steal) && !wins(*placement);
    answers.iter().filter(needs_steal).map(|(first, ..)| first.as_str()).collect()
}

#[test]
fn size_3_is_solved_and_verified() {
    let (table, answers) = checked(3, 1);
    let found = table.statistics();
    let counts = (found.won, found.lost, found.drawn, found.holes);
    assert_eq!(counts, (18_446, 5_045, 0, 15_885));
    assert_eq!((found.longest_win, found.longest_loss), (Some((11, 2363)), Some((10, 3641))));
    assert_eq!(steals(&answers), ["0,1", "0,2", "2,0", "2,1"]);
    // The plies of the whole game, by the rules alone.
    assert_eq!(table.value(0), Some(Value::Loss(8)));
    let mut empty = Position::new(3).unwrap();
    assert_eq!((forced(&mut empty, 8), forced(&mut empty, 7)), (8 - 1000, 0));
}

#[test]
#[ignore = "ten minutes, 2 GiB: cargo test --release -p stonework-cachex-players --test tables -- --ignored --nocapture (docs/lab/tables.md)"]
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
