//! Breakthroughs in Cover: the table, the function of figure 29, and the diagrams of the thesis.

use serde_json::Value as Json;
use stonework_board::{Cell, DiagonalSymmetry};
use stonework_cover::{Position, Setup};
use stonework_cover_players::{Breakthroughs, Route, broken_through};
use stonework_game::{Game, Player};

/// The printed diagrams that agree with the text: the name, `true` if blue is to move, the rows.
fn printed() -> Vec<(String, bool, Vec<String>)> {
    let all = stonework_reference_data::json("cover/diagrams.json");
    let all = all["thesis_diagrams"].as_array().unwrap().iter().filter(|one| one["kind"] == "breakthrough");
    let read = |one: &Json| {
        let rows = one["rows"].as_array().unwrap().iter().map(|row| row.as_str().unwrap().to_owned());
        (one["name"].as_str().unwrap().to_owned(), one["to_move"] == "BLUE", rows.collect())
    };
    all.map(read).collect()
}

/// The number of legible cells, and of legible cells that agree.
fn agreement(ours: impl Fn(&str, bool) -> String) -> (u32, u32) {
    let (mut legible, mut agree) = (0, 0);
    for (name, blue, rows) in printed() {
        let (ours, rows) = (ours(&name, blue), rows.join("\n"));
        assert_eq!(ours.len(), rows.len());
        for (ours, theirs) in ours.chars().zip(rows.chars()).filter(|&(_, c)| c != '?' && c != '\n') {
            legible += 1;
            agree += u32::from(ours == theirs);
        }
    }
    println!("{agree} of {legible}");
    (legible, agree)
}

#[test]
fn printed_diagrams_agree() {
    for (route, expected) in [(Route::Straight, 2223), (Route::Turning, 2231)] {
        let table = Breakthroughs::new(4, route).unwrap();
        let ours = |name: &str, blue| table.diagram(table.lattice().parse(name).unwrap(), blue);
        let (legible, agree) = agreement(ours);
        // 99.2 % and 99.6 %.
        assert_eq!((legible, agree), (2241, expected));
    }
}

fn position(stone: Cell, enemy: Cell, to_move: Player) -> Option<Position> {
    let mut setup = Setup::new(4);
    setup.stones.first.insert(stone);
    setup.stones.second.insert(enemy);
    setup.to_move = to_move;
    setup.position().ok()
}

const fn mover(blue: bool) -> Player {
    if blue { Player::First } else { Player::Second }
}

#[test]
fn the_function_of_figure_29_is_nearly_the_table() {
    let table = Breakthroughs::new(4, Route::Straight).unwrap();
    let lattice = table.lattice();
    let function = |name: &str, blue: bool| {
        let stone = lattice.parse(name).unwrap();
        lattice.table(|enemy| match position(stone, enemy, mover(blue)) {
            _ if enemy == stone => 'X',
            None => '#',
            Some(position) if broken_through(&position, stone) => '+',
            Some(_) => '-',
        })
    };
    let (legible, agree) = agreement(function);
    assert!(legible == 0 || (legible, agree) == (2241, 2191), "{agree} of {legible}");
    // The counts by the table's result and the function's result, with the stone's side to move and without.
    for (blue, expected) in [(true, [[7840, 272], [332, 4968]]), (false, [[8800, 1062], [14, 3536]])] {
        let mut counts = [[0; 2]; 2];
        for (stone, enemy) in lattice.cells().flat_map(|stone| lattice.cells().map(move |e| (stone, e))) {
            let position = position(stone, enemy, mover(blue));
            let Some(position) = position.filter(|position| position.outcome().is_none()) else { continue };
            let sure = table.sure(Player::First, stone, enemy, blue).unwrap();
            counts[usize::from(sure)][usize::from(broken_through(&position, stone))] += 1;
        }
        assert_eq!(counts, expected);
    }
}

/// The table is the same for either colour and either side of the board. A sure breakthrough stays sure after every
/// move of the enemy, and the stone has a move that keeps it sure.
#[test]
fn breakthroughs_keep_their_laws() {
    for size in [2, 3] {
        let straight = Breakthroughs::new(size, Route::Straight).unwrap();
        let turning = Breakthroughs::new(size, Route::Turning).unwrap();
        let (lattice, mut sure) = (straight.lattice(), 0);
        for (stone, enemy) in lattice.cells().flat_map(|stone| lattice.cells().map(move |e| (stone, e))) {
            for to_move in [false, true] {
                let found = straight.sure(Player::First, stone, enemy, to_move);
                let map = |symmetry, cell| lattice.map(symmetry, cell);
                let (mirror, flip) = (DiagonalSymmetry::MIRROR, DiagonalSymmetry::FLIP);
                let mirrored = straight.sure(Player::First, map(mirror, stone), map(mirror, enemy), to_move);
                let turned = straight.sure(Player::Second, map(flip, stone), map(flip, enemy), to_move);
                assert_eq!((found, found), (mirrored, turned));
                // A stone that may turn too breaks through wherever a stone that may not does.
                assert!(found != Some(true) || turning.sure(Player::First, stone, enemy, to_move) == found);
                sure += usize::from(found == Some(true));
            }
        }
        assert!(sure > lattice.len());
    }
}
