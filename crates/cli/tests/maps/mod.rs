//! The pictures of `docs/solutions`: the winner after each opening of Havannah and after each reply, drawn from the
//! output of `solve --map --json`.

use serde_json::Value;
use stonework_board::{Board, Diagram, Notation, Stone};

use crate::{agrees, ran, root};

/// A picture of the winners after some moves: a stone of the winner on the cell of each move, with the largest number
/// of plies to the win. `opening` is the cell of White's first stone.
fn picture(size: u8, moves: &Value, opening: Option<&str>) -> String {
    let board = Board::hexagon(size).unwrap();
    let cell = |name: &str| Notation::default().parse(board, name).unwrap();
    let mut diagram = Diagram::new(board);
    for reply in moves.as_array().unwrap() {
        let at = cell(reply["move"].as_str().unwrap());
        let winner = match reply["outcome"].as_str() {
            Some("white") => Stone::Light,
            Some("black") => Stone::Dark,
            other => panic!("{other:?} after {reply}"),
        };
        diagram = diagram.stone(at, winner);
        if let Some(plies) = reply["plies"].as_u64() {
            diagram = diagram.label(at, plies.to_string());
        }
    }
    if let Some(at) = opening.map(cell) {
        diagram = diagram.stone(at, Stone::Light).last(at).highlight([at]);
    }
    diagram.svg()
}

/// Compares the pictures of a size with the output of the program, or writes them.
fn check(size: u8, proof: &[&str]) {
    let number = size.to_string();
    let words =
        [&[env!("CARGO_BIN_EXE_stonework"), "solve", "--map", "--json", "--size", &number], proof].concat();
    let output = ran(&words, &root(), "", &[]);
    let map: Value = serde_json::from_slice(&output.stdout).unwrap();
    let file = |name: String| root().join("docs/pictures").join(name);
    agrees(&file(format!("size{size}.svg")), &picture(size, &map["openings"], None));
    for after in map["after"].as_array().unwrap() {
        let opening = after["move"].as_str().unwrap();
        let replies = picture(size, &after["replies"], Some(opening));
        agrees(&file(format!("size{size}-{opening}.svg")), &replies);
    }
}

#[test]
fn the_pictures_of_sizes_2_and_3_show_the_winners() {
    check(2, &[]);
    check(3, &[]);
}

#[test]
#[ignore = "verifies the proof of size 4: cargo test --release -p stonework-cli --test book -- --ignored size_4 (docs/lab/solving.md)"]
fn the_pictures_of_size_4_show_the_winners() {
    check(4, &["--explore", "docs/results/havannah-size4.proof"]);
}
