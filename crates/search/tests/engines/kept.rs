//! Tests of tables as files: a search that continues from a file has the same result, and damaged files are
//! refused.

use crate::games::{FourInARow, Literal};
use proptest::prelude::*;
use stonework_files::{BlockError, BlockFault};
use stonework_game::example::Nim;
use stonework_game::{Finite, Game, Keyed};
use stonework_search::{
    Dfpn, DfpnOptions, Engine, Limits, LoadError, Minimax, ProofNumbers, Stop, TableEntry,
};

/// An engine after a search of `nodes` nodes, and the file of its table.
fn search_and_save<G: Finite + Keyed>(root: &G, nodes: u64) -> (Dfpn, Vec<u8>) {
    let mut engine = Dfpn::new(DfpnOptions::new().keep(true).bytes(1 << 22)).unwrap();
    engine.think(root, &Limits::none().nodes(nodes));
    let mut file = Vec::new();
    engine.save("game", root, &mut file).unwrap();
    (engine, file)
}

/// An engine with the table from a file.
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
        let (_, file) = search_and_save(&root, nodes);
        let mut engine = load(&root, &file).unwrap();
        let (mut turns, mut outcome) = (0, None);
        // Each turn loads the table into a fresh engine, as another process would do.
        while outcome.is_none() {
            let report = engine.think(&root, &Limits::none().nodes(nodes));
            (outcome, turns) = (report.proven, turns + 1);
            let mut file = Vec::new();
            let saved = engine.save("game", &root, &mut file).unwrap();
            prop_assert_eq!(saved.bytes, file.len() as u64);
            prop_assert_eq!(saved.nodes, engine.nodes_searched());
            engine = load(&root, &file).unwrap();
            // Short turns may add nothing to the table. The last turn has no limit.
            if turns > 20 {
                outcome = engine.think(&root, &Limits::none()).proven;
            }
        }
        prop_assert_eq!(outcome, truth);
    }
}

#[test]
fn a_search_with_a_loaded_table_does_not_begin_again() {
    let root = FourInARow::new(5, 4);
    let limits = Limits::none();
    let whole = Dfpn::default().think(&root, &limits);
    let (mut engine, file) = search_and_save(&root, whole.nodes * 9 / 10);
    let rest = load(&root, &file).unwrap().think(&root, &limits);
    assert_eq!((rest.proven, rest.stopped), (whole.proven, Some(Stop::Solved)));
    assert!(rest.nodes < whole.nodes / 2, "{} after nine tenths of {}", rest.nodes, whole.nodes);
    // The same holds for the engine that saved the table. It also has the entries that a file leaves out.
    let continued = engine.think(&root, &limits);
    assert_eq!(continued.proven, whole.proven);
    assert!(continued.nodes < whole.nodes / 2, "{} after nine tenths of {}", continued.nodes, whole.nodes);
}

#[test]
fn edited_and_cut_files_are_refused_with_the_place() {
    let root = Literal::new(3, 8, 3, false, true);
    let (_, file) = search_and_save(&root, 2000);
    // The header ends with `check `, eight digits and a line end.
    let header = file.windows(6).position(|w| w == b"check ").unwrap() + 15;
    for at in (0..file.len()).step_by(1 + file.len() / 500) {
        let mut edited = file.clone();
        edited[at] ^= 1 << (at % 8);
        let error = load(&root, &edited).expect_err("an edited file");
        let in_a_block = matches!(&error, LoadError::File(error) if error.byte >= header as u64);
        assert!(in_a_block || at < header, "{error} for an edit at {at}");
        assert!(load(&root, &file[..at]).is_err());
    }
    let mut longer = file.clone();
    longer.push(0);
    assert!(matches!(
        load(&root, &longer),
        Err(LoadError::File(BlockError { fault: BlockFault::Trailing, .. }))
    ));
    // After a refusal the table is empty: the next search costs as many nodes as the search of a fresh engine.
    let mut engine = Dfpn::new(DfpnOptions::new().keep(true).bytes(1 << 22)).unwrap();
    engine.load("game", &root, &Limits::none(), &file[..file.len() - 1]).unwrap_err();
    let fresh = Dfpn::new(DfpnOptions::new().bytes(1 << 22)).unwrap().think(&root, &Limits::none());
    assert_eq!(engine.think(&root, &Limits::none()).nodes, fresh.nodes);
}

#[test]
fn files_about_something_else_are_refused() {
    let root = Literal::new(3, 8, 3, false, true);
    let (engine, file) = search_and_save(&root, 500);
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
    // A small table loads a file with more entries than it can hold.
    let mut small = Dfpn::new(DfpnOptions::new().keep(true).bytes(300)).unwrap();
    assert!(small.load("game", &root, &Limits::none(), &file[..]).unwrap().entries > 8);
    assert!(small.think(&root, &Limits::none()).proven.is_some());
}

/// The entries of earlier turns are not too old for the later turns of the same question.
#[test]
fn a_search_in_turns_costs_less_than_three_times_the_nodes() {
    let root = FourInARow::new(5, 4);
    let whole = Dfpn::default().think(&root, &Limits::none());
    let mut engine = Dfpn::new(DfpnOptions::new().keep(true)).unwrap();
    let mut nodes = 0;
    let outcome = loop {
        let report = engine.think(&root, &Limits::none().nodes(whole.nodes / 10));
        nodes += report.nodes;
        if report.proven.is_some() {
            break report.proven;
        }
        assert!(nodes < 3 * whole.nodes, "{nodes} and no end, {} at once", whole.nodes);
    };
    assert_eq!(outcome, whole.proven);
}

#[test]
fn engines_with_one_table_share_it_until_one_forgets() {
    let limits = Limits::none().bytes(1 << 20);
    let root = Nim::new(200);
    let mut one = Dfpn::new(DfpnOptions::new().keep(true)).unwrap();
    let mut other = one.beside(&limits);
    let mut third = other.beside(&limits);
    let alone = one.think(&root, &limits);
    let shared = other.think(&root, &limits);
    assert_eq!(shared.proven, alone.proven);
    assert!(shared.nodes * 10 < alone.nodes, "{} and {}", shared.nodes, alone.nodes);
    other.forget();
    assert_eq!(other.think(&root, &limits).nodes, alone.nodes);
    assert_eq!(third.think(&root, &limits).nodes, shared.nodes);
}

#[test]
fn entries_with_numbers_that_no_search_makes_are_refused() {
    let entry = |proof: u64, disproof: u64| {
        let data = proof << 40 | disproof << 16 | 9 << 8;
        let mut bytes = [0; TableEntry::BYTES];
        bytes[8..].copy_from_slice(&data.to_le_bytes());
        TableEntry::from_bytes(bytes)
    };
    let infinite = u64::from(ProofNumbers::INFINITE);
    // An open position has two finite numbers, and a decided one a zero beside a tag or the infinite number.
    for (proof, disproof) in [(infinite, 5), (5, infinite), (infinite, infinite), (0, 0), (0, 1 << 16)] {
        assert_eq!(entry(proof, disproof), None, "{proof} and {disproof}");
    }
    for (proof, disproof) in [(infinite - 1, 5), (1, infinite - 1), (0, infinite), (7, 0)] {
        assert!(entry(proof, disproof).is_some(), "{proof} and {disproof}");
    }
}
