//! The fast rules compared with the slow judge.

use proptest::prelude::*;
use rand_xoshiro::{
    Xoshiro256PlusPlus,
    rand_core::{RngCore, SeedableRng},
};
use stonework_board::{Board, Cell, CellSet};
use stonework_game::{Game, Player};
use stonework_havannah::{Move, Position, WinKind, completions};
use stonework_oracle::{Judge, formations, has_ring, has_ring_by_definition};

fn pick(rng: &mut impl RngCore, n: usize) -> usize {
    (rng.next_u64() % n as u64) as usize
}

/// The fast rules and the slow judge agree on one position.
fn agree(fast: &Position, slow: &Judge) {
    assert_eq!(fast.outcome(), slow.outcome(), "{fast:?}");
    assert_eq!(fast.kinds(), slow.kinds(), "{fast:?}");
    assert_eq!(fast.to_move(), slow.to_move());
    for player in Player::BOTH {
        assert_eq!(fast.stones(player), slow.stones(player));
    }
}

/// Plays random games on both until `moves` moves are made. `thorough` also compares the winning cells of both sides,
/// the draw test and the legal moves, and takes all moves back.
fn random_games(size: u8, moves: u64, thorough: bool) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(size.into());
    let mut made = 0;
    while made < moves {
        let swap = rng.next_u32().is_multiple_of(4);
        let mut fast = if swap { Position::with_swap(size) } else { Position::new(size) }.unwrap();
        let mut slow = Judge::new(size, swap).unwrap();
        let mut cells: Vec<Cell> = fast.board().cells().collect();
        let mut undos = Vec::new();
        // Some games bias one side to a corner of the board, so that filled rings occur.
        let clustered = rng.next_u32().is_multiple_of(3);
        loop {
            agree(&fast, &slow);
            if thorough {
                let (mut a, mut b) = (Vec::new(), Vec::new());
                fast.legal_moves(&mut a);
                slow.legal_moves(&mut b);
                assert_eq!(a, b);
                for player in Player::BOTH {
                    assert_eq!(fast.winning_cells(player), slow.winning_cells(player), "{fast:?}");
                    assert_eq!(fast.winning_count(player), slow.winning_cells(player).len());
                    assert_eq!(fast.can_win(player), slow.can_win(player), "{fast:?}");
                }
            }
            if slow.outcome().is_some() {
                break;
            }
            let mv = if fast.check(Move::Swap).is_ok() && rng.next_u32().is_multiple_of(2) {
                Move::Swap
            } else {
                let range = if clustered { cells.len().min(12) } else { cells.len() };
                Move::Place(cells.remove(pick(&mut rng, range)))
            };
            let before = thorough.then(|| fast.clone());
            undos.push((fast.play(mv).unwrap(), before));
            slow.play(mv).unwrap();
            made += 1;
        }
        show_win(&fast);
        while let (true, Some((undo, Some(before)))) = (thorough, undos.pop()) {
            fast.undo(undo);
            assert_eq!(fast, before);
            for player in Player::BOTH {
                assert_eq!(fast.winning_cells(player), before.winning_cells(player));
            }
        }
    }
}

/// The cells of each kind of win contain a win of this kind, and without any one of them they do not.
fn show_win(position: &Position) {
    let Some(winner) = position.outcome().and_then(stonework_game::Outcome::winner) else { return };
    for kind in WinKind::ALL {
        let shown = position.winning_chain(kind);
        assert_eq!(shown.is_some(), position.kinds().contains(kind));
        let Some(chain) = shown else { continue };
        assert!((chain - position.stones(winner)).is_empty());
        assert!(formations(position.board(), &chain).contains(kind), "{position:?} {kind}");
        for cell in chain {
            let mut less = chain;
            less.remove(cell);
            assert!(
                !formations(position.board(), &less).contains(kind),
                "{position:?}: {kind} without {cell:?}"
            );
        }
    }
}

#[test]
fn fast_rules_agree_with_the_judge_on_every_prefix() {
    for size in 2..=10 {
        random_games(size, 4_000, false);
    }
    random_games(20, 1_500, false);
}

#[test]
fn winning_cells_and_the_draw_test_agree_with_the_judge() {
    for (size, moves) in [(2, 300), (3, 600), (4, 600), (5, 400), (7, 200)] {
        random_games(size, moves, true);
    }
}

#[test]
#[ignore = "three minutes: cargo test --release -p stonework-oracle --test rules -- --ignored million --nocapture (docs/lab/rules.md)"]
fn fast_rules_agree_with_the_judge_on_a_million_moves_per_size() {
    for size in 2..=10 {
        random_games(size, 1_000_000, false);
        println!("size {size}: a million moves agree");
    }
}

#[test]
fn the_judges_flood_is_the_definition_of_a_ring() {
    // Every set of cells on size 2, and random dense sets beyond.
    let board = Board::hexagon(2).unwrap();
    for bits in 0..1u32 << 7 {
        let set: CellSet = board.cells().filter(|c| bits >> c.index() & 1 == 1).collect();
        assert_eq!(has_ring(board, &set), has_ring_by_definition(board, &set), "{set:?}");
    }
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    for size in 3..=6 {
        let board = Board::hexagon(size).unwrap();
        for _ in 0..400 {
            let dense = rng.next_u32() % 60 + 30;
            let set: CellSet = board.cells().filter(|_| rng.next_u32() % 100 < dense).collect();
            assert_eq!(has_ring(board, &set), has_ring_by_definition(board, &set), "{size} {set:?}");
        }
    }
}

/// All games of size 2 to the end, without and with the right to swap.
#[test]
fn size_2_agrees_exhaustively() {
    fn walk(fast: &mut Position, slow: &mut Judge) -> u64 {
        agree(fast, slow);
        let moves = fast.moves();
        let mut count = 1;
        for mv in moves {
            let (undo, before) = (fast.play(mv).unwrap(), slow.play(mv).unwrap());
            count += walk(fast, slow);
            fast.undo(undo);
            slow.undo(before);
        }
        count
    }
    let games = walk(&mut Position::new(2).unwrap(), &mut Judge::new(2, false).unwrap());
    assert!(games > 1000);
    walk(&mut Position::with_swap(2).unwrap(), &mut Judge::new(2, true).unwrap());
}

/// The ring rule on every ring-free set of one colour on size 3: 467 102 sets with 4 594 375 further stones, 313 812 of
/// which close a ring. An independent prototype has the same counts.
#[test]
fn every_ring_free_set_of_size_3_agrees() {
    let board = Board::hexagon(3).unwrap();
    let rings: Vec<bool> = (0..1u32 << 19).map(|bits| has_ring(board, &set_of(board, bits))).collect();
    let (mut sets, mut moves, mut closing) = (0, 0, 0);
    for bits in (0..1u32 << 19).filter(|&b| !rings[b as usize]) {
        sets += 1;
        for (cell, kinds) in completions(3, &set_of(board, bits)).unwrap() {
            moves += 1;
            let ring = rings[(bits | 1 << cell.index()) as usize];
            closing += u32::from(ring);
            assert_eq!(kinds.contains(WinKind::Ring), ring, "{bits:019b} and {cell:?}");
        }
    }
    assert_eq!((sets, moves, closing), (467_102, 4_594_375, 313_812));
}

fn set_of(board: &Board, bits: u32) -> CellSet {
    board.cells().filter(|c| bits >> c.index() & 1 == 1).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    /// Random stones that make a position: its outcome is the outcome of the definitions.
    #[test]
    fn set_up_positions_agree_with_the_definitions(size in 2u8..=6, picks in proptest::collection::vec(0u8..3, 91), black in any::<bool>()) {
        let board = Board::hexagon(size).unwrap();
        let mut setup = stonework_havannah::Setup::new(size);
        for cell in board.cells() {
            match picks[cell.index()] {
                1 => _ = setup.stones.first.insert(cell),
                2 => _ = setup.stones.second.insert(cell),
                _ => {}
            }
        }
        setup.to_move = if black { Player::Second } else { Player::First };
        let [white, all_black] = [formations(board, &setup.stones.first), formations(board, &setup.stones.second)];
        match setup.position() {
            Ok(position) => {
                prop_assert!(white.is_empty() || all_black.is_empty());
                prop_assert_eq!(position.kinds(), white.with(all_black));
                prop_assert_eq!(position.setup(), setup);
            }
            Err(error) => {
                prop_assert!(!white.is_empty() && !all_black.is_empty(), "{}", error);
            }
        }
    }
}
