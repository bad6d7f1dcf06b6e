//! Tables as files: a search that goes on from one finds what it would have found, and damaged ones are refused.

mod games;

use games::{FourInARow, Literal};
use proptest::prelude::*;
use stonework_files::{BlockError, BlockFault};
use stonework_game::{Finite, Game, Keyed};
use stonework_search::{Dfpn, DfpnOptions, Engine, Limits, LoadError, Minimax, Stop};

/// A search that was stopped after so many nodes, and its file.
fn stopped<G: Finite + Keyed>(root: &G, nodes: u64) -> (Dfpn, Vec<u8>) {
    let mut engine = Dfpn::new(DfpnOptions::new().keep(true).bytes(1 << 22)).unwrap();
    engine.think(root, &Limits::none().nodes(nodes));
    let mut file = Vec::new();
    engine.save("game", root, &mut file).unwrap();
    (engine, file)
}

fn load<G: Finite + Keyed>(root: &G, file: &[u8]) -> Result<Dfpn, LoadError> {
    let mut engine = Dfpn::new(DfpnOptions::new().keep(true).bytes(1 << 22)).unwrap();
    engine.load("game", root, &Limits::none(), file).map(|_| engine)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn searches_that_go_on_agree_with_minimax(seed: u64, nodes in 1..400_u64, double: bool, merge: bool) {
        let root = Literal::new(seed, 7, 3, double, merge);
        let truth = Minimax::new(()).think(&root, &Limits::none()).proven;
        let (_, file) = stopped(&root, nodes);
        let mut engine = load(&root, &file).unwrap();
        let (mut turns, mut proof) = (0, None);
        // Each turn in another process.
        while proof.is_none() {
            let report = engine.think(&root, &Limits::none().nodes(nodes));
            (proof, turns) = (report.proven, turns + 1);
            let mut file = Vec::new();
            let kept = engine.save("game", &root, &mut file).unwrap();
            prop_assert_eq!(kept.bytes, file.len() as u64);
            prop_assert_eq!(kept.nodes, engine.nodes_searched());
            engine = load(&root, &file).unwrap();
            // Where a turn is too short to come to anything new, the next one is longer.
            if turns > 20 {
                proof = engine.think(&root, &Limits::none()).proven;
            }
        }
        prop_assert_eq!(proof, truth);
    }
}

#[test]
fn what_is_loaded_need_not_be_searched_again() {
    let root = FourInARow::new(5, 4);
    let limits = Limits::none();
    let whole = Dfpn::default().think(&root, &limits);
    let (mut engine, file) = stopped(&root, whole.nodes * 9 / 10);
    let rest = load(&root, &file).unwrap().think(&root, &limits);
    assert_eq!((rest.proven, rest.stopped), (whole.proven, Some(Stop::Solved)));
    assert!(rest.nodes < whole.nodes / 2, "{} after nine tenths of {}", rest.nodes, whole.nodes);
    // So it is in the same process, which also has what was only looked at.
    let on = engine.think(&root, &limits);
    assert_eq!(on.proven, whole.proven);
    assert!(on.nodes < whole.nodes / 2, "{} after nine tenths of {}", on.nodes, whole.nodes);
}

#[test]
fn edited_and_cut_files_are_refused_with_the_place() {
    let root = Literal::new(3, 8, 3, false, true);
    let (_, file) = stopped(&root, 2000);
    let header = file.windows(6).position(|w| w == b"check ").unwrap() + 15;
    for at in (0..file.len()).step_by(1 + file.len() / 500) {
        let mut edited = file.clone();
        edited[at] ^= 1 << (at % 8);
        let error = load(&root, &edited).expect_err("an edited file");
        let block = matches!(&error, LoadError::File(error) if error.byte >= header as u64);
        assert!(block || at < header, "{error} for an edit at {at}");
        assert!(load(&root, &file[..at]).is_err());
    }
    let mut longer = file.clone();
    longer.push(0);
    assert!(matches!(
        load(&root, &longer),
        Err(LoadError::File(BlockError { fault: BlockFault::Trailing, .. }))
    ));
    // After a refusal nothing is known, and a search is as the first.
    let mut engine = Dfpn::new(DfpnOptions::new().keep(true).bytes(1 << 22)).unwrap();
    engine.load("game", &root, &Limits::none(), &file[..file.len() - 1]).unwrap_err();
    let fresh = Dfpn::new(DfpnOptions::new().bytes(1 << 22)).unwrap().think(&root, &Limits::none());
    assert_eq!(engine.think(&root, &Limits::none()).nodes, fresh.nodes);
}

#[test]
fn files_about_something_else_are_refused() {
    let root = Literal::new(3, 8, 3, false, true);
    let (engine, file) = stopped(&root, 500);
    let mut other = root;
    let moves = root.moves();
    other.play_unchecked(moves[0]);
    assert!(matches!(load(&other, &file), Err(LoadError::Keys { .. })));
    let mut named = Vec::new();
    engine.save("nim", &root, &mut named).unwrap();
    let error = load(&root, &named).unwrap_err();
    assert_eq!(error.to_string(), "the search of `nim`, not of `game`");
    assert!(matches!(
        load(&root, b"stonework proof 2\n"),
        Err(LoadError::File(BlockError { fault: BlockFault::Title { .. }, .. }))
    ));
    assert!(matches!(load(&root, b""), Err(LoadError::File(BlockError { byte: 0, fault: BlockFault::Cut }))));
    assert!(engine.save("two\nlines", &root, Vec::new()).is_err());
    // A table may be too small for all that is in the file.
    let mut small = Dfpn::new(DfpnOptions::new().keep(true).bytes(300)).unwrap();
    assert!(small.load("game", &root, &Limits::none(), &file[..]).unwrap().entries > 8);
    assert!(small.think(&root, &Limits::none()).proven.is_some());
}

/// Searches in turns are not slowed down by their table growing older.
#[test]
fn a_question_that_goes_on_is_one_question() {
    let root = FourInARow::new(5, 4);
    let whole = Dfpn::default().think(&root, &Limits::none());
    let mut engine = Dfpn::new(DfpnOptions::new().keep(true)).unwrap();
    let mut nodes = 0;
    let proof = loop {
        let report = engine.think(&root, &Limits::none().nodes(whole.nodes / 10));
        nodes += report.nodes;
        if report.proven.is_some() {
            break report.proven;
        }
        assert!(nodes < 3 * whole.nodes, "{nodes} and no end, {} at once", whole.nodes);
    };
    assert_eq!(proof, whole.proven);
}
