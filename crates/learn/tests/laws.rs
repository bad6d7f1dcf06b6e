//! Laws of learning: equal seeds give equal results, files keep all, damaged files are refused, and what can be learned is.

use proptest::prelude::*;
use stonework_game::{Game, Outcome, Player, example::Nim};
use stonework_learn::{
    GameMoves, Lattice, LatticeNet, LatticeScratch, MoveFeatures, MoveSamples, MoveTargets, MoveWeights,
    Options, PositionFeatures, SearchedMoves, ValueNet, ValueSamples, ValueTargets, train_moves, train_value,
};

/// The stones of Nim, for the side to move and for the other side; a move by the stones that it leaves.
struct Stones;

impl PositionFeatures<Nim> for Stones {
    fn rows(&self) -> usize {
        64
    }

    fn features(&mut self, game: &Nim, side: Player, out: &mut Vec<u32>) {
        out.push(u32::from(game.left().min(31)) + if side == game.to_move() { 0 } else { 32 });
    }
}

impl MoveFeatures<Nim> for Stones {
    fn weights(&self) -> usize {
        3
    }

    fn features(&mut self, game: &Nim, mv: u8, out: &mut Vec<u32>) {
        out.push(u32::from(game.left() - mv) % 3);
    }
}

/// A game of Nim in which both sides leave a multiple of three where they can.
fn game(stones: u8) -> GameMoves<Nim> {
    let start = Nim::new(stones);
    let (mut game, mut moves) = (start, Vec::new());
    while game.outcome().is_none() {
        let mv = game.moves().into_iter().find(|mv| (game.left() - mv) % 3 == 0).unwrap_or(1);
        moves.push(mv);
        game.play(mv).unwrap();
    }
    GameMoves { start, moves, opening: 0, outcome: game.outcome().unwrap(), searches: Vec::new() }
}

fn samples() -> (ValueSamples, MoveSamples) {
    let (mut values, mut moves) = (ValueSamples::new(), MoveSamples::new());
    for stones in (1..=21).cycle().take(420) {
        game(stones).add_values(&mut Stones, ValueTargets::default(), &mut values).unwrap();
        game(stones)
            .add_moves(&mut Stones, |nim| nim.left() % 3 == 0, MoveTargets::default(), &mut moves)
            .unwrap();
    }
    (values, moves)
}

#[test]
fn nim_is_learned_and_equal_seeds_learn_the_same() {
    let (values, moves) = samples();
    let options = Options { epochs: 3, ..Options::default() };
    let mut told = Vec::new();
    let net = train_value(64, &values, &options, &mut |epoch, fit| told.push((epoch, *fit)));
    assert_eq!(told.iter().map(|(epoch, _)| *epoch).collect::<Vec<_>>(), [1, 2, 3]);
    assert!(net.fit(&values, 0..values.len()).right > 0.99);
    assert_eq!(net, train_value(64, &values, &options, &mut |_, _| ()));
    assert_ne!(net, train_value(64, &values, &Options { seed: 2, ..options }, &mut |_, _| ()));

    let weights = train_moves(3, &moves, &options, &mut |_, _| ());
    let told = weights.prediction(&moves, 0..moves.len());
    assert!(told.first > 0.99 && told.loss < 0.2, "{told:?}");
    assert_eq!(weights, train_moves(3, &moves, &options, &mut |_, _| ()));
    let coin = MoveWeights::zero(3).prediction(&moves, 0..moves.len());
    // A heap of one leaves one move, every other heap two.
    assert!((0.4..std::f64::consts::LN_2).contains(&coin.loss), "{coin:?}");
}

#[test]
fn an_illegal_move_is_named_and_keeps_the_positions_before_it() {
    let mut wrong = game(9);
    wrong.moves[2] = 3;
    let mut samples = ValueSamples::new();
    let error = wrong.add_values(&mut Stones, ValueTargets::default(), &mut samples).unwrap_err();
    assert_eq!(error.to_string(), "move 3 is illegal: cannot take 3 of 6: one or two at a time");
    assert_eq!(samples.len(), 2);
}

#[test]
fn openings_are_left_out_and_results_are_those_of_the_side_to_move() {
    let mut whole = game(7);
    let mut samples = ValueSamples::new();
    whole.add_values(&mut Stones, ValueTargets::default(), &mut samples).unwrap();
    assert_eq!((samples.len(), whole.outcome), (whole.moves.len(), Outcome::Win(Player::First)));
    whole.opening = 2;
    let mut fewer = ValueSamples::new();
    whole.add_values(&mut Stones, ValueTargets { every: 2, ..ValueTargets::default() }, &mut fewer).unwrap();
    assert_eq!(fewer.len(), (whole.moves.len() - 2).div_ceil(2));
}

#[test]
fn searches_are_targets_and_a_single_visited_move_is_left_out() {
    let mut game = game(8);
    let visits = |visits: &[(u8, u64)]| SearchedMoves { value: Some(0.25), visits: visits.to_vec() };
    game.searches = vec![visits(&[(1, 30), (2, 10)]), visits(&[(1, 40)]), visits(&[(2, 9), (1, 1)])];
    let mut moves = MoveSamples::new();
    game.add_moves(&mut Stones, |_| false, MoveTargets::default(), &mut moves).unwrap();
    assert_eq!(moves.len(), game.moves.len() - 1);
    // Moves without a visit are no targets: a position without another move is left out.
    let mut unvisited = game.clone();
    unvisited.searches[0] = visits(&[(1, 0), (2, 0)]);
    let mut fewer = MoveSamples::new();
    unvisited.add_moves(&mut Stones, |_| false, MoveTargets::default(), &mut fewer).unwrap();
    assert_eq!(fewer.len(), moves.len() - 1);
    // Where visits are shared, equal scores cost ln 2 whatever the shares, and no weights reach 0.
    let mut shared = MoveSamples::new();
    for _ in 0..400 {
        shared.push_move(&[0]);
        shared.push_move(&[1]);
        shared.close(&[(0, 3.0), (1, 1.0)]);
    }
    let options = Options { epochs: 30, step: 0.05, held_out: 0.0, ..Options::default() };
    let weights = train_moves(2, &shared, &options, &mut |_, _| ());
    let chance = 1.0 / (1.0 + (weights.weight(1) - weights.weight(0)).exp());
    assert!((chance - 0.75).abs() < 0.02, "{chance}");
    let told = weights.prediction(&shared, 0..1);
    assert!((told.loss - 0.5623).abs() < 0.002 && told.first > 0.99, "{told:?}");

    let targets = |search| {
        let mut values = ValueSamples::new();
        game.add_values(&mut Stones, ValueTargets { every: 1, search }, &mut values).unwrap();
        // A network without training says ½: its loss is ln 2 whatever the targets; a trained one tells the targets.
        train_value(64, &values, &Options { epochs: 60, held_out: 0.0, ..Options::default() }, &mut |_, _| ())
    };
    let (by_result, by_search) = (targets(0.0), targets(1.0));
    // The first position is a win by the result, and a loss by the search.
    let value = |net: &ValueNet| net.value(&net.sum(&[8]), &net.sum(&[40]));
    assert!(value(&by_result) > 0.0 && value(&by_search) < 0.0);
}

#[test]
fn files_keep_networks_and_weights_and_equal_ones_are_equal_files() {
    let (values, moves) = samples();
    let options = Options { epochs: 1, ..Options::default() };
    let net = train_value(64, &values, &options, &mut |_, _| ());
    let bytes = net.to_bytes(&[("a", "1"), ("b", "2")]);
    assert_eq!(bytes, net.to_bytes(&[("b", "2"), ("a", "1")]));
    let read = ValueNet::from_bytes(&bytes).unwrap();
    assert_eq!((read.rows(), &read), (64, &net));
    let weights = train_moves(3, &moves, &options, &mut |_, _| ());
    let read = MoveWeights::from_bytes(&weights.to_bytes(&[])).unwrap();
    for feature in 0..3 {
        assert!((read.weight(feature) - weights.weight(feature)).abs() <= 1.0 / 512.0);
    }
    assert_eq!(read, MoveWeights::from_bytes(&read.to_bytes(&[])).unwrap());
    let error = ValueNet::from_bytes(&weights.to_bytes(&[])).unwrap_err();
    assert!(error.to_string().contains("rows"), "{error}");
}

proptest! {
    #[test]
    fn a_damaged_file_is_refused_or_is_a_whole_network(at in 0_usize..1 << 16, to in any::<u8>(), end in any::<bool>()) {
        let mut samples = ValueSamples::new();
        samples.push(&[0, 1], &[2], 1.0);
        let mut bytes = train_value(3, &samples, &Options::default(), &mut |_, _| ()).to_bytes(&[]);
        let at = at % bytes.len();
        if end { bytes.truncate(at) } else { bytes[at] = to }
        if let Ok(net) = ValueNet::from_bytes(&bytes) {
            let value = net.value(&net.sum(&[0, 7]), &net.sum(&[1]));
            prop_assert!((-1.0..=1.0).contains(&value), "{value}");
        }
    }

    #[test]
    fn a_file_with_any_weights_is_written_as_it_was_read(weights in proptest::collection::vec(any::<i16>(), 1..20)) {
        let mut bytes = MoveWeights::zero(weights.len()).to_bytes(&[]);
        let start = bytes.len() - 2 * weights.len();
        bytes.truncate(start);
        bytes.extend(weights.iter().flat_map(|weight| weight.to_le_bytes()));
        let read = MoveWeights::from_bytes(&bytes).unwrap();
        prop_assert_eq!(read.to_bytes(&[]), bytes);
    }

    #[test]
    fn a_damaged_file_is_refused_or_is_a_whole_network_on_the_lattice(
        at in prop_oneof![0_usize..2000, 0_usize..1 << 18],
        to in any::<u8>(),
        end in any::<bool>(),
    ) {
        let mut bytes = LatticeNet::random(3, 1, 5).to_bytes(&[]);
        let at = at % bytes.len();
        if end { bytes.truncate(at) } else { bytes[at] = to }
        if let Ok(net) = LatticeNet::from_bytes(&bytes) {
            let lattice = Lattice::new(&[[None; 6]; 3]).unwrap();
            let judged = net.judge(&lattice, &[(0, 0), (2, 2)], &mut LatticeScratch::default());
            prop_assert!((-1.0..=1.0).contains(&judged.value) && judged.scores.len() == 3, "{judged:?}");
        }
    }
}
