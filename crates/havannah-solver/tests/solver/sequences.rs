//! Threat sequences on boards of any size against those of the solver, which shares no code with them.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};
use stonework_board::Cell;
use stonework_game::{Game, Outcome};
use stonework_havannah::{Move, Position};
use stonework_havannah_solver::{Sequences, SmallPosition, Solver, ThreatSearch, Word, Words};
use stonework_search::{Effort, Engine, Limits, Tactics, Verdict};

/// A position with `stones` random stones in which nobody has won and nobody wins with the next stone.
fn quiet(size: u8, stones: usize, rng: &mut Xoshiro256PlusPlus) -> Position {
    loop {
        let mut root = Position::new(size).unwrap();
        while root.stone_count() < stones && root.outcome().is_none() {
            let cells: Vec<_> = root.empty_cells().collect();
            root.play_unchecked(Move::Place(cells[rng.next_u64() as usize % cells.len()]));
        }
        let calm = |player| root.winning_count(player) == 0;
        if root.outcome().is_none() && calm(root.to_move()) && calm(root.to_move().other()) {
            return root;
        }
    }
}

fn study(root: &mut Position) -> (Verdict<Move>, Vec<Move>) {
    let mut only = Vec::new();
    (Sequences::new().study(root, &mut Effort::visits(u32::MAX), &mut only), only)
}

/// The verdict of the solver's tactics: threats, sequences, must-play.
fn reference(root: &Position) -> Verdict<()> {
    fn verdict<W: Word>(root: &Position) -> Verdict<Cell> {
        let mut small = SmallPosition::<W>::try_from(root).unwrap();
        ThreatSearch::new().draws(false).budget(100_000).probe(&mut small, &mut Vec::new())
    }
    match if root.size() <= 6 { verdict::<u128>(root) } else { verdict::<Words<6>>(root) } {
        Verdict::Win(_) => Verdict::Win(()),
        Verdict::Open => Verdict::Open,
        Verdict::Only => Verdict::Only,
        _ => Verdict::Loss,
    }
}

#[test]
fn sequences_are_those_of_the_solver() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let (mut wins, mut forced) = (0, 0);
    for at in 0..1500_u16 {
        // One position in fifty is of size 8.
        let size = if at % 50 == 0 { 8 } else { 4 + (at % 3) as u8 };
        let stones = [14, 24, 36, 50, 66][usize::from(size) - 4] + rng.next_u64() as usize % 6;
        let mut root = quiet(size, stones, &mut rng);
        let before = root.clone();
        let (verdict, only) = study(&mut root);
        assert_eq!(root, before);
        match (verdict, reference(&root)) {
            (Verdict::Win(_), Verdict::Win(())) => wins += 1,
            (Verdict::Open, Verdict::Open) | (Verdict::Never(_) | Verdict::Draw, _) => {}
            (Verdict::Only | Verdict::Loss, Verdict::Only | Verdict::Loss) => forced += 1,
            (ours, theirs) => panic!("{ours:?} for {theirs:?}: {root:?}"),
        }
        // A move that is left out loses by a sequence that the solver's tactics find.
        for mv in root.moves() {
            if matches!(verdict, Verdict::Only | Verdict::Loss) && !only.contains(&mv) {
                let mut after = root.clone();
                after.play_unchecked(mv);
                assert_eq!(reference(&after), Verdict::Win(()), "{mv:?} in {root:?}");
            }
        }
    }
    assert!(wins > 100 && forced > 100, "{wins} wins and {forced} must-plays");
}

#[test]
fn a_sequence_wins_with_its_first_move() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
    let mut wins = 0;
    while wins < 40 {
        let mut root = quiet(4, 16, &mut rng);
        let side = root.to_move();
        if let (Verdict::Win(mv), _) = study(&mut root) {
            wins += 1;
            root.play_unchecked(mv);
            let value = root.outcome().or_else(|| Solver::default().think(&root, &Limits::none()).proven);
            assert_eq!(value, Some(Outcome::Win(side)), "{root:?}");
        }
    }
}

#[test]
fn a_larger_budget_keeps_every_verdict() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    for _ in 0..300 {
        let mut root = quiet(8, 90, &mut rng);
        let mut only = Vec::new();
        let little = Sequences::new().budget(1).study(&mut root, &mut Effort::visits(0), &mut only);
        if little != Verdict::Open {
            assert_ne!(study(&mut root).0, Verdict::Open, "{root:?}");
        }
    }
}
