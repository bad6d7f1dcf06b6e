//! Laws about learned files and about the games that they are learned from.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use stonework_arena::self_play::{SelfPlay, packed, unpacked};
use stonework_board::{Board, Direction};
use stonework_havannah::Position;
use stonework_learn::{
    FileError, Lattice, LatticeNet, LatticeScratch, MoveWeights, ValueNet, evaluator_value, priors_of_scores,
};

use crate::files::SHORT;

/// The most bytes of games.
const MOST_TEXT: u64 = 1 << 20;

/// Bytes in which five bytes each of the input put one byte at a place, as an exclusive or: the place in four bytes, of which one
/// beyond the end is counted from the beginning again.
fn changed(mut bytes: Vec<u8>, data: &[u8]) -> Vec<u8> {
    for change in data.as_chunks::<5>().0 {
        let place = u32::from_le_bytes([change[0], change[1], change[2], change[3]]) as usize % bytes.len();
        bytes[place] ^= change[4];
    }
    bytes
}

fn refused(error: &FileError) {
    assert!(error.to_string().len() < SHORT, "{error}");
}

fn lattice() -> Lattice {
    let board = Board::hexagon(2).expect("there is this size");
    let near =
        |cell| Direction::ALL.map(|direction| board.neighbour(cell, direction).map(|to| to.index() as u16));
    Lattice::new(&board.cells().map(near).collect::<Vec<_>>()).expect("neighbours of each other")
}

/// Any bytes are a file of learned numbers, or one of the three kinds of files with any changes. The file is written and read
/// alike, and gives values from −1 to 1 and chances from 0 to 1; or it is refused with a short reason. The first byte says which.
///
/// # Panics
/// If neither is so.
pub fn learned_files(data: &[u8]) {
    let Some((&kind, rest)) = data.split_first() else { return };
    let file = |own: Vec<u8>| if kind & 4 == 0 { changed(own, rest) } else { rest.to_vec() };
    match kind % 3 {
        0 => match ValueNet::from_bytes(&file(ValueNet::zero(3).to_bytes(&[]))) {
            Err(error) => refused(&error),
            Ok(net) => {
                assert_eq!(
                    ValueNet::from_bytes(&net.to_bytes(&[])).expect("what was written can be read"),
                    net
                );
                let rows: Vec<u32> = (0..net.rows() as u32).take(100).collect();
                let value = net.value(&net.sum(&rows), &net.sum(&[]));
                assert!((-1.0..=1.0).contains(&value), "{value}");
                _ = evaluator_value(value);
            }
        },
        1 => match MoveWeights::from_bytes(&file(MoveWeights::zero(3).to_bytes(&[]))) {
            Err(error) => refused(&error),
            Ok(weights) => {
                let again =
                    MoveWeights::from_bytes(&weights.to_bytes(&[])).expect("what was written can be read");
                assert_eq!(again, weights);
                let mut scores: Vec<f32> =
                    (0..weights.len() as u32).take(100).map(|at| weights.score(&[at])).collect();
                chances(&mut scores);
            }
        },
        _ => match LatticeNet::from_bytes(&file(LatticeNet::random(2, 1, 1).to_bytes(&[]))) {
            Err(error) => refused(&error),
            Ok(net) if net.planes() == 0 => {}
            Ok(net) => {
                assert_eq!(
                    LatticeNet::from_bytes(&net.to_bytes(&[])).expect("what was written can be read"),
                    net
                );
                let mut judgement = net.judge(&lattice(), &[(0, 0), (3, 0)], &mut LatticeScratch::default());
                let value = judgement.value;
                assert!((-1.0..=1.0).contains(&value), "{value}");
                chances(&mut judgement.scores);
            }
        },
    }
}

fn chances(scores: &mut [f32]) {
    let told = format!("{scores:?}");
    priors_of_scores(scores);
    assert!(scores.iter().all(|prior| (0.0..=1.0001).contains(prior)), "{told}: {scores:?}");
}

/// Any text, compressed, is a list of games of an engine against itself, which is written and read alike and can be checked by
/// the rules, or is refused with a short reason.
///
/// # Panics
/// If neither is so.
pub fn self_play_games(data: &[u8]) {
    let file = if data.starts_with(&[0x1f, 0x8b]) {
        data.to_vec()
    } else {
        let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
        packer.write_all(data).and_then(|()| packer.finish()).expect("memory takes all")
    };
    match unpacked(&file, MOST_TEXT) {
        Err(error) => assert!(error.to_string().len() < SHORT, "{error}"),
        Ok(games) => {
            let again = packed(&games).expect("memory takes all");
            assert_eq!(unpacked(&again, u64::MAX).expect("what was written can be read"), games);
            // The plan of the seeds.
            let start = Position::new(3).expect("there is this size");
            let play = SelfPlay { opening: 2, stray: 0.1, ..SelfPlay::new(start, 1) };
            for game in &games {
                if let Err(difference) = play.confirm(game) {
                    assert!(difference.to_string().len() < SHORT, "{difference}");
                }
            }
        }
    }
}
