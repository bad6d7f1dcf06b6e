use std::sync::Arc;

use rand_core::{RngCore, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use stonework_game::{Game, Keyed, Player, Sym};
use stonework_havannah::{Move, Position};
use stonework_learn::{
    LearnedPriors, MoveFeatures, MoveSamples, MoveWeights, NetEvaluator, Options, PositionFeatures,
    ValueSamples, train_moves, train_value,
};
use stonework_search::{Evaluator, Priors};

use super::{HavannahFeatures, HavannahMoves, HavannahNet, HavannahPriors};

fn random_game(size: u8, swap: bool, rng: &mut impl RngCore) -> Vec<Position> {
    let mut position = if swap { Position::with_swap(size) } else { Position::new(size) }.unwrap();
    let mut all = vec![position.clone()];
    while position.outcome().is_none() {
        let moves = position.moves();
        position.play(moves[rng.next_u32() as usize % moves.len()]).unwrap();
        all.push(position.clone());
    }
    all
}

/// A network and weights learned from a few games: nothing of them is zero.
fn learned(
    mut move_features: HavannahMoves,
    rng: &mut impl RngCore,
) -> (stonework_learn::ValueNet, stonework_learn::MoveWeights) {
    let (mut values, mut moves) = (ValueSamples::new(), MoveSamples::new());
    let mut features = HavannahFeatures::new();
    for size in [3, 4, 5, 4] {
        let game = random_game(size, size == 4, rng);
        for (at, position) in game.iter().enumerate().take(game.len() - 1) {
            let lists = [position.to_move(), position.to_move().other()].map(|side| {
                let mut list = Vec::new();
                features.features(position, side, &mut list);
                list
            });
            values.push(&lists[0], &lists[1], f32::from(u8::from(at % 2 == 0)));
            for mv in position.moves() {
                let mut list = Vec::new();
                move_features.features(position, mv, &mut list);
                moves.push_move(&list);
            }
            moves.close(&[(at % position.moves().len(), 1.0)]);
        }
    }
    let options = Options { epochs: 2, held_out: 0.0, ..Options::default() };
    let net = train_value(features.rows(), &values, &options, &mut |_, _| ());
    (net, train_moves(move_features.weights(), &moves, &options, &mut |_, _| ()))
}

#[test]
fn the_evaluator_that_follows_moves_has_the_values_of_the_one_that_sums_all_features() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let (net, _) = learned(HavannahMoves::new(), &mut rng);
    let mut slow = NetEvaluator::new(HavannahFeatures::new(), Arc::new(net.clone())).unwrap();
    let mut fast = HavannahNet::new(net).unwrap();
    let mut values = std::collections::HashSet::new();
    for size in [2, 3, 5, 8, 4, 10, 20] {
        let game = random_game(size, size % 2 == 0, &mut rng);
        for _ in 0..60 {
            let position = &game[rng.next_u32() as usize % game.len()];
            let value = fast.evaluate(position);
            assert_eq!(value, slow.evaluate(position), "size {size}, {} stones", position.stone_count());
            values.insert(value);
        }
    }
    assert!(values.len() > 150, "{} different values", values.len());
}

/// Priors by tables are those by features.
fn check_priors(features: &HavannahMoves) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
    let (_, weights) = learned(features.clone(), &mut rng);
    let mut slow = LearnedPriors::new(features.clone(), Arc::new(weights.clone())).unwrap();
    let mut fast = HavannahPriors::new(weights).unwrap();
    for size in [2, 3, 5, 8, 4, 10] {
        let game = random_game(size, size % 2 == 0, &mut rng);
        for _ in 0..20 {
            let position = &game[rng.next_u32() as usize % (game.len() - 1)];
            let (moves, mut expected, mut found) = (position.moves(), Vec::new(), Vec::new());
            slow.priors(position, &moves, &mut expected);
            fast.priors(position, &moves, &mut found);
            assert_eq!(found.len(), moves.len());
            for (a, b) in expected.iter().zip(&found) {
                assert!((a - b).abs() < 1e-4, "{a} and {b}");
            }
            let sum: f32 = found.iter().map(|prior| prior * prior).sum();
            assert!((sum - 1.0).abs() < 1e-3, "chances add up to {sum}");
        }
    }
}

#[test]
fn priors_by_tables_are_those_by_features() {
    check_priors(&HavannahMoves::new());
}

#[test]
fn priors_by_tables_are_those_by_wide_features() {
    check_priors(&HavannahMoves::wide());
    let (narrow, wide) = (HavannahMoves::new().weights(), HavannahMoves::wide().weights());
    assert!(narrow < wide && HavannahPriors::new(MoveWeights::zero(wide - 1)).is_err());
}

#[test]
fn images_of_a_move_have_equal_wide_features() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(6);
    let mut features = HavannahMoves::wide();
    let mut list = |position: &Position, mv| {
        let mut list = Vec::new();
        features.features(position, mv, &mut list);
        list.sort_unstable();
        list
    };
    for size in [4, 6] {
        let game = random_game(size, false, &mut rng);
        for symmetry in 1..12 {
            let (mut image, mut played) = (Position::new(size).unwrap(), Position::new(size).unwrap());
            for position in &game[1..game.len() - 1] {
                let me = played.to_move();
                let mv = Move::Place(position.last_stone(me).unwrap());
                image.play(image.map_move(Sym(symmetry), mv)).unwrap();
                played.play(mv).unwrap();
                let next = played.moves()[0];
                assert_eq!(list(&played, next), list(&image, image.map_move(Sym(symmetry), next)));
            }
        }
    }
}

#[test]
fn images_of_a_position_have_equal_features_and_an_exchange_of_sides_exchanges_them() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    let mut features = HavannahFeatures::new();
    let mut list = |position: &Position, side| {
        let mut list = Vec::new();
        features.features(position, side, &mut list);
        list.sort_unstable();
        list
    };
    for size in [3, 5, 8] {
        for symmetry in 1..12 {
            let game = random_game(size, false, &mut rng);
            let position = &game[game.len() / 2];
            // The same stones, mapped, each by a move of its owner.
            let mut image = Position::new(size).unwrap();
            let mut turns = Position::new(size).unwrap();
            let stones = Player::BOTH.map(|player| position.stones(player).iter().collect::<Vec<_>>());
            for at in 0..position.stone_count() {
                let mv = Move::Place(stones[at % 2][at / 2]);
                image.play(image.map_move(Sym(symmetry), mv)).unwrap();
                turns.play(mv).unwrap();
            }
            for side in Player::BOTH {
                assert_eq!(list(&image, side), list(&turns, side), "size {size}, symmetry {symmetry}");
            }
            assert_eq!(list(&turns, Player::First), list(position, Player::First));
        }
    }
}

#[test]
fn the_shipped_network_and_weights_are_of_this_crate_and_know_a_won_position() {
    let mut position = Position::new(5).unwrap();
    // White needs one stone for a bridge along the edge and has all its other stones together; Black's are scattered.
    for name in ["a1", "i9", "a2", "e5", "a3", "i5", "b3", "a5"] {
        let mv = stonework_game::Textual::parse_move(&position, name).unwrap();
        position.play(mv).unwrap();
    }
    let value = HavannahNet::shipped().evaluate(&position);
    assert!(value > 0, "{value}");
    let mut priors = Vec::new();
    let moves = position.moves();
    HavannahPriors::shipped().priors(&position, &moves, &mut priors);
    assert!(priors.len() == moves.len() && priors.iter().all(|prior| (0.0..=1.0).contains(prior)));
}
