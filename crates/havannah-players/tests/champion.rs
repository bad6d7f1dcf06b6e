//! The player `champion`: threat sequences at its root, and equal searches.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};
use stonework_game::{Game, Outcome};
use stonework_havannah::{Move, Position};
use stonework_havannah_players::roster;
use stonework_havannah_solver::Sequences;
use stonework_roster::PlayerConfig;
use stonework_search::{Engine, Limits, Report, SearchContext, Tactics, Verdict};

/// A position with random stones, perhaps one that is over.
fn scattered(size: u8, stones: usize, rng: &mut Xoshiro256PlusPlus) -> Position {
    let mut root = Position::new(size).unwrap();
    while root.stone_count() < stones && root.outcome().is_none() {
        let cells: Vec<_> = root.empty_cells().collect();
        root.play_unchecked(Move::Place(cells[rng.next_u64() as usize % cells.len()]));
    }
    root
}

fn search(root: &Position, simulations: u64) -> Report<Move> {
    let mut champion = roster(None).engine("champion", &PlayerConfig::default()).unwrap();
    champion.search(root, &Limits::none().simulations(simulations), SearchContext::seed(1))
}

#[test]
fn a_threat_sequence_wins_and_a_must_play_is_kept_from_the_first_simulation_on() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(11);
    let (mut won, mut forced) = (0, 0);
    for _ in 0..400 {
        let root = scattered(6, 40, &mut rng);
        if root.outcome().is_some() || root.winning_count(root.to_move()) > 0 {
            continue;
        }
        let mut only = Vec::new();
        let verdict = Sequences::new().study(&mut root.clone(), 0, &mut only);
        let report = search(&root, 1);
        match verdict {
            Verdict::Win(_) => {
                won += 1;
                assert_eq!(report.proven, Some(Outcome::Win(root.to_move())), "{root:?}");
                let line = report.line();
                assert!(line.len() > 1, "the line of a sequence has its answers: {line:?}");
                let mut end = root.clone();
                for &mv in line {
                    end.play(mv).unwrap();
                }
                assert_eq!(end.outcome(), report.proven, "{line:?} in {root:?}");
            }
            Verdict::Only => {
                forced += 1;
                assert!(only.contains(&report.best.unwrap()), "{root:?}");
            }
            _ => {}
        }
    }
    assert!(won > 20 && forced > 20, "{won} sequences and {forced} must-plays");
}

#[test]
fn equal_seeds_and_simulations_give_equal_reports() {
    for size in [4, 5, 6, 8, 10] {
        let root = scattered(size, 4, &mut Xoshiro256PlusPlus::seed_from_u64(size.into()));
        let told = |report: Report<Move>| {
            (
                report.best,
                report.value,
                report.nodes,
                report.lines.into_iter().map(|line| line.moves).collect::<Vec<_>>(),
            )
        };
        assert_eq!(told(search(&root, 3000)), told(search(&root, 3000)));
    }
}
