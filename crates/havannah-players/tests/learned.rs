//! Learned priors against real games.

use stonework_game::{Game, Outcome, Player, Textual};
use stonework_havannah::Position;
use stonework_havannah_players::{HavannahMoves, shipped_weights};
use stonework_learn::{GameMoves, MoveSamples, MoveTargets, Prediction};

/// The prediction of the moves of real games of a size: in positions in which neither side can win at once.
fn prediction(size: u8) -> Prediction {
    let (mut samples, mut features) = (MoveSamples::new(), HavannahMoves::new());
    for game in stonework_reference_data::lines("havannah/littlegolem.jsonl") {
        let (of_size, names) = stonework_reference_data::size_and_moves(&game);
        if of_size != size {
            continue;
        }
        let start = Position::with_swap(size).unwrap();
        let (mut position, mut moves) = (start.clone(), Vec::new());
        for name in names {
            if position.outcome().is_some() {
                break;
            }
            let mv = position.parse_move(name).unwrap();
            moves.push(mv);
            position.play(mv).unwrap();
        }
        // The outcome does not matter for moves.
        let outcome = position.outcome().unwrap_or(Outcome::Draw);
        let game = GameMoves { start, moves, opening: 0, outcome, searches: Vec::new() };
        let forced =
            |position: &Position| Player::BOTH.into_iter().any(|side| position.winning_count(side) > 0);
        game.add_moves(&mut features, forced, MoveTargets::default(), &mut samples).unwrap();
    }
    shipped_weights().prediction(&samples, 0..samples.len())
}

#[test]
#[ignore = "needs ../shared beside the repository: cargo test -p stonework-havannah-players -- --ignored reference_data (docs/lab/strength.md)"]
fn priors_foresee_moves_of_real_games_that_they_were_not_learned_from_reference_data() {
    for (size, first, five) in LEAST {
        let told = prediction(size);
        println!(
            "size {size}: {} positions, first {:.1} %, among five {:.1} %, loss {:.3}",
            told.positions,
            100.0 * told.first,
            100.0 * told.five,
            told.loss
        );
        assert!(told.first > first && told.five > five, "size {size}: {told:?}");
    }
}

/// For each size, the least share of positions in which the played move is the first, and among the first five.
const LEAST: [(u8, f64, f64); 5] =
    [(5, 0.27, 0.50), (6, 0.27, 0.50), (7, 0.25, 0.48), (8, 0.21, 0.42), (10, 0.19, 0.38)];
