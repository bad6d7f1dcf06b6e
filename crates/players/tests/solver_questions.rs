//! Two questions make a value: what the first has shown leads the second.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};
use stonework_game::{Game, Outcome};
use stonework_havannah::{Move, Position};
use stonework_players::solver::Solver;
use stonework_search::{Ask, Engine, Limits};

/// Where the side to move loses, both questions together cost little more than the first alone, though each alone costs
/// as much as the other; whatever the value, it is the one that they have alone.
#[test]
fn the_second_question_follows_the_first() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    let (mut both, mut first, mut second, mut lost) = (0, 0, 0, 0);
    for _ in 0..60 {
        let mut root = Position::new(4).unwrap();
        while root.stone_count() < 13 && root.outcome().is_none() {
            let cells: Vec<_> = root.empty_cells().collect();
            root.play_unchecked(Move::Place(cells[rng.next_u64() as usize % cells.len()]));
        }
        if root.outcome().is_some() {
            continue;
        }
        let asked = |ask| {
            let report = Solver::new().ask(ask).search(&root, &Limits::none(), 0, &mut |_| {});
            (report.nodes, report.proof, report.bounds)
        };
        let (mover, other) = (root.to_move(), root.to_move().other());
        let (all, value, _) = asked(Ask::Value);
        let alone = [asked(Ask::Wins(mover)), asked(Ask::Wins(other))];
        let yes = alone.map(|(_, _, bounds)| bounds.value().is_some_and(|value| value != 0));
        let expected = match yes {
            [true, _] => Outcome::Win(mover),
            [_, true] => Outcome::Win(other),
            _ => Outcome::Draw,
        };
        assert_eq!(value, Some(expected), "{root:?}");
        if value == Some(Outcome::Win(other)) {
            lost += 1;
            both += all;
            first += alone[0].0;
            second += alone[1].0;
        }
    }
    println!("{lost} lost: {both} nodes, {first} and {second} alone");
    assert!(lost > 10 && both < first + second / 2, "{lost} lost: {both} nodes, {first} and {second} alone");
}
