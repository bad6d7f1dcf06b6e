//! Laws of learning: equal seeds give equal results, files keep all, damaged files are refused, and what can be learned is.

use proptest::prelude::*;
use stonework_game::{Game, Outcome, Player, example::Nim};
use stonework_learn::{
    GameMoves, MoveFeatures, MoveSamples, MoveWeights, Options, PositionFeatures, ValueNet, ValueSamples,
    train_moves, train_value,
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
    GameMoves { start, moves, opening: 0, outcome: game.outcome().unwrap() }
}

fn samples() -> (ValueSamples, MoveSamples) {
    let (mut values, mut moves) = (ValueSamples::new(), MoveSamples::new());
    for stones in (1..=21).cycle().take(420) {
        game(stones).add_values(&mut Stones, 1, &mut values).unwrap();
        game(stones).add_moves(&mut Stones, |nim| nim.left() % 3 == 0, &mut moves).unwrap();
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
    let error = wrong.add_values(&mut Stones, 1, &mut samples).unwrap_err();
    assert_eq!(error.to_string(), "move 3 is illegal: cannot take 3 of 6: one or two at a time");
    assert_eq!(samples.len(), 2);
}

#[test]
fn openings_are_left_out_and_results_are_those_of_the_side_to_move() {
    let mut whole = game(7);
    let mut samples = ValueSamples::new();
    whole.add_values(&mut Stones, 1, &mut samples).unwrap();
    assert_eq!((samples.len(), whole.outcome), (whole.moves.len(), Outcome::Win(Player::First)));
    whole.opening = 2;
    let mut fewer = ValueSamples::new();
    whole.add_values(&mut Stones, 2, &mut fewer).unwrap();
    assert_eq!(fewer.len(), (whole.moves.len() - 2).div_ceil(2));
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
}
