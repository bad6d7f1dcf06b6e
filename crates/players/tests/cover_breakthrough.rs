//! Breakthroughs in Cover: the table, the function of figure 29, and what the thesis prints.

use std::path::Path;

use serde_json::Value as Json;
use stonework_board::{DiagonalSymmetry, Orientation};
use stonework_cover::Setup;
use stonework_game::{Game, Player};
use stonework_players::cover::{Breakthroughs, Route, broken_through};

/// The printed diagrams that agree with the text: name, whether blue is to move, rows.
fn printed() -> Vec<(String, bool, Vec<String>)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/cover/diagrams.json");
    let Ok(text) = std::fs::read_to_string(&path) else {
        println!("{} is not there: this test has nothing to compare", path.display());
        return Vec::new();
    };
    let all: Json = serde_json::from_str(&text).unwrap();
    let lattice = stonework_board::Diagonal::of(4).unwrap();
    let all = all["thesis_diagrams"].as_array().unwrap().iter().filter(|one| one["kind"] == "breakthrough");
    let read = |one: &Json| {
        let rows = one["rows"].as_array().unwrap().iter().map(|row| row.as_str().unwrap().to_owned());
        (one["name"].as_str().unwrap().to_owned(), one["to_move"] == "BLUE", rows.collect())
    };
    let told = |(name, blue, _): &(String, bool, Vec<String>)| {
        *blue || lattice.orientation(lattice.parse(name).unwrap()) == Orientation::Vertical
    };
    all.map(read).filter(told).collect()
}

/// Legible cells, and those of them that agree.
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
    for (route, expected) in [(Route::Straight, 0), (Route::Turning, 0)] {
        let table = Breakthroughs::new(4, route).unwrap();
        let ours = |name: &str, blue| table.diagram(table.lattice().parse(name).unwrap(), blue);
        let (legible, agree) = agreement(ours);
        assert!(legible == 0 || agree >= expected, "{agree}");
    }
}

#[test]
fn the_function_of_figure_29_is_measured() {
    let table = Breakthroughs::new(4, Route::Straight).unwrap();
    let lattice = table.lattice();
    for (name, filter) in [("vertical", Some(Orientation::Vertical)), ("horizontal", Some(Orientation::Horizontal)), ("all", None)] {
        for blue in [true, false] {
            let mut counts = [[0; 2]; 2];
            for stone in lattice.cells().filter(|&c| filter.is_none_or(|f| lattice.orientation(c) == f)) {
                for enemy in lattice.cells() {
                    let Some(sure) = table.sure(Player::First, stone, enemy, blue) else { continue };
                    let mut setup = Setup::new(4);
                    setup.stones.first.insert(stone);
                    setup.stones.second.insert(enemy);
                    setup.to_move = if blue { Player::First } else { Player::Second };
                    let position = setup.position().unwrap();
                    if position.outcome().is_some() { continue; }
                    counts[usize::from(sure)][usize::from(broken_through(&position, stone))] += 1;
                }
            }
            println!("{name} {blue} [table][function] {counts:?}");
        }
    }
    let function = |name: &str, blue: bool| {
        let stone = lattice.parse(name).unwrap();
        lattice.table(|enemy| {
            let mut setup = Setup::new(4);
            setup.stones.first.insert(stone);
            setup.stones.second.insert(enemy);
            setup.to_move = if blue { Player::First } else { Player::Second };
            if enemy == stone { return 'X'; }
            match setup.position() {
                Err(_) => '#',
                Ok(position) if broken_through(&position, stone) => '+',
                Ok(_) => '-',
            }
        })
    };
    agreement(function);
    let _ = DiagonalSymmetry::FLIP;
}
