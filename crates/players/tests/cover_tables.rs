//! Cover with few stones, whole: what the thesis prints of one against one, and laws of the numbering.

use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;
use std::path::Path;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};
use serde_json::Value as Json;
use stonework_cover::{Options, Position, Recent, Repetition, Setup};
use stonework_endgame::{Options as Means, StateSpace, Table, Value, laws, solve, verify};
use stonework_game::{Game, Notation, Player};
use stonework_players::cover::{Space, SpaceError};

const WITHOUT: Options = Options { repetition: Repetition::None, voluntary_shots: false };

fn rng(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

fn space(size: u8, stones: (usize, usize), options: Options) -> Space {
    Space::new(size, stones, options).unwrap()
}

/// Solves and verifies.
fn table(space: &Space) -> Table {
    let mut go_on = |_| ControlFlow::Continue(());
    let table = solve(space, &Means::default(), &mut go_on).unwrap().table;
    verify(space, &table, &Means::default(), &mut go_on).unwrap();
    table
}

fn position(size: u8, board: &str, to_move: Player) -> Position {
    Setup { to_move, ..Setup::from_board(size, board).unwrap() }.position().unwrap()
}

fn moves(position: &Position) -> Vec<stonework_cover::Move> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves
}

/// Legal positions, orbits; of those with blue to move won, lost and drawn ones; the longest line.
fn one_against_one(space: &Space, table: &Table) -> [u64; 6] {
    let mut found = [0; 6];
    for (position, mirrored) in space.positions(1, 1) {
        // With red to move there are as many, by symmetry.
        found[0] += 2;
        found[1] += u64::from(!mirrored);
        let (slot, plies) = match table.probe(space, &position).unwrap() {
            Value::Win(plies) => (2, plies),
            Value::Loss(plies) => (3, plies),
            Value::Draw => (4, 0),
        };
        found[slot] += 1;
        found[5] = found[5].max(plies.into());
    }
    found
}

#[test]
fn one_against_one_of_cover_4_is_as_published() {
    let (with, without) = (space(4, (1, 1), Options::default()), space(4, (1, 1), WITHOUT));
    let [legal, orbits, won, lost, drawn, longest] = one_against_one(&with, &table(&with));
    // Either colour wins what blue wins to move and, mirrored, what red loses to move.
    assert_eq!((legal, orbits, won + lost, 2 * drawn, longest), (27_294, 6_860, 9_075, 9_144, 38));
    let [legal, orbits, won, lost, drawn, longest] = one_against_one(&without, &table(&without));
    assert_eq!((legal, orbits, won + lost, 2 * drawn, longest), (27_294, 6_860, 8_617, 10_060, 20));
}

#[test]
fn cover_2_size() {
    for (size, stones) in [(4, (1, 1)), (8, (1, 1)), (2, (1, 1)), (2, (2, 1)), (2, (2, 2))] {
        let clock = std::time::Instant::now();
        let space = space(size, stones, Options::default());
        println!("{size} {stones:?} {} {:?}", space.len(), clock.elapsed());
        for tier in space.tiers() {
            println!("{tier:?}");
        }
        laws(&space, &mut rng(1), 10_000).unwrap();
    }
}
