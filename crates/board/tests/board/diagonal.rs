//! The diagonal lattice: the thesis' examples, and laws on every size.

use std::collections::BTreeSet;

use proptest::prelude::*;
use stonework_board::{
    Cell, Diagonal, DiagonalDiagram, DiagonalError, DiagonalNotation, DiagonalSymmetry, Heading, Home,
    Motion, Orientation, Stone,
};

fn all() -> impl Iterator<Item = &'static Diagonal> {
    (1..=10).map(|size| Diagonal::of(size).unwrap())
}

fn cells<const N: usize>(lattice: &Diagonal, names: [&str; N]) -> [Cell; N] {
    names.map(|name| lattice.parse(name).unwrap())
}

fn names(lattice: &Diagonal, cells: impl IntoIterator<Item = Cell>) -> BTreeSet<String> {
    cells.into_iter().map(|cell| lattice.name(cell)).collect()
}

fn set(names: &str) -> BTreeSet<String> {
    names.split(' ').map(str::to_owned).collect()
}

#[test]
fn the_properties_that_the_thesis_explains() {
    let board = Diagonal::of(4).unwrap();
    let [a03, c06, d07, i02] = cells(board, ["A03", "C06", "D07", "I02"]);
    assert_eq!(
        (board.orientation(a03), board.orientation(d07)),
        (Orientation::Vertical, Orientation::Horizontal)
    );
    assert!(board.column(c06) > 0 && board.column(i02) < 0, "right and left of the middle");
    let neighbours = Heading::ALL.into_iter().filter_map(|heading| board.neighbour(c06, heading));
    assert_eq!(names(board, neighbours), set("C05 C07 B06 D06 D07 B05 D05 B07"));
    assert_eq!(names(board, board.overlaps(c06)), set("C05 C07 B06 D06 D05 B07"), "not B05 and D07");
    assert_eq!((board.distance(c06, Home::Bottom), board.distance(i02, Home::Top)), (5, 9));
    assert_eq!([d07, i02, c06].map(|cell| board.horizontal_line(cell)), [11, 11, 9]);
    assert_eq!([c06, d07, a03].map(|cell| board.vertical_line(cell)), [3, 3, 2]);
    assert_eq!(board.shooting_lines(a03), [1, 3]);
    assert!(board.shooting_lines(a03).contains(&board.column(c06)));
    assert_eq!([Home::Bottom, Home::Top].map(|home| board.name(board.homebase(home))), ["A01", "K11"]);
}

#[test]
fn a_shot_passes_the_intersections_of_its_line_to_the_edge() {
    let board = Diagonal::of(4).unwrap();
    let ahead = |name, heading| -> Vec<_> {
        let cell = board.parse(name).unwrap();
        board.ahead(cell, heading).iter().map(|&point| board.point(point)).collect()
    };
    assert_eq!(ahead("A07", Heading::Up), [(6, 11), (6, 13), (6, 15), (6, 17)]);
    assert_eq!(ahead("A07", Heading::Down), [], "the edge is near");
    assert_eq!(ahead("K02", Heading::Right).first(), Some(&(-6, 13)));
    assert_eq!(ahead("K02", Heading::Up), []);
    assert_eq!(ahead("A01", Heading::Up).len(), 10);
    assert_eq!(ahead("K11", Heading::Up), []);
}

#[test]
fn stones_overlap_as_the_rule_by_neighbours_says() {
    for board in all() {
        for cell in board.cells() {
            let (a, b) = board.coordinates(cell);
            let free = match board.orientation(cell) {
                Orientation::Vertical => [(1, -1), (-1, 1)],
                Orientation::Horizontal => [(1, 1), (-1, -1)],
            };
            for other in board.cells() {
                let (c, d) = board.coordinates(other);
                let delta = (c as i8 - a as i8, d as i8 - b as i8);
                let near = delta.0.abs() <= 1 && delta.1.abs() <= 1;
                assert_eq!(board.overlap(cell, other), near && !free.contains(&delta));
                let shared =
                    board.intersections(cell).iter().any(|end| board.covering(*end).contains(&Some(other)));
                assert_eq!(shared, board.overlap(cell, other));
            }
        }
    }
}

#[test]
fn intersections_lie_between_the_locations_that_cover_them() {
    for board in all() {
        let side = usize::from(board.side());
        assert_eq!((board.len(), board.intersection_count()), (side * side, (side + 1) * (side + 1) / 2));
        assert!(board.intersection_count() <= Diagonal::MAX_INTERSECTIONS);
        for cell in board.cells() {
            let (d, s) = (board.column(cell), board.height(cell));
            let expected = match board.orientation(cell) {
                Orientation::Vertical => [(d, s - 1), (d, s + 1)],
                Orientation::Horizontal => [(d - 1, s), (d + 1, s)],
            };
            let ends = board.intersections(cell);
            assert_eq!(ends.map(|end| board.point(end)), expected);
            for (end, (d, s)) in ends.into_iter().zip(expected) {
                assert_eq!(board.intersection_at(d, s), Some(end));
                assert!(d % 2 == 0 && s % 2 == 1);
                assert!(board.covering(end).contains(&Some(cell)));
            }
            assert_eq!(board.cell_at(d, s), Some(cell));
            assert_eq!(board.cell(board.coordinates(cell).0, board.coordinates(cell).1), Some(cell));
        }
    }
    let board = Diagonal::of(4).unwrap();
    assert_eq!(
        (board.intersection_at(0, 2), board.intersection_at(1, 3), board.intersection_at(12, 11)),
        (None, None, None)
    );
    assert_eq!(
        (board.cell(0, 1), board.cell(1, 12), board.cell_at(0, 3), board.cell_at(-128, 127)),
        (None, None, None, None)
    );
}

#[test]
fn steps_go_there_and_back_and_lengthwise_ones_share_a_line() {
    for board in all() {
        for (cell, heading) in board.cells().flat_map(|cell| Heading::ALL.map(|heading| (cell, heading))) {
            let ahead = board.ahead(cell, heading);
            let motion = heading.motion(board.orientation(cell));
            let Some(to) = board.neighbour(cell, heading) else {
                assert!(ahead.is_empty());
                continue;
            };
            assert_eq!(board.neighbour(to, heading.opposite()), Some(cell));
            assert_eq!(
                (board.heading(cell, to), Heading::with_delta(heading.delta())),
                (Some(heading), Some(heading))
            );
            assert_eq!(board.orientation(cell) != board.orientation(to), motion == Motion::Rotation);
            let (before, after) = (board.intersections(cell), board.intersections(to));
            let new: Vec<_> = after.iter().filter(|end| !before.contains(end)).collect();
            assert_eq!(new.len(), if motion == Motion::Sideways { 2 } else { 1 });
            assert_eq!(ahead.first(), (motion == Motion::Lengthwise).then_some(new[0]));
            if motion == Motion::Lengthwise {
                assert_eq!(&ahead[1..], board.ahead(to, heading));
            }
        }
        let far = board.homebase(Home::Top);
        assert_eq!((board.heading(Cell::new(0).unwrap(), far), Heading::with_delta((0, 0))), (None, None));
    }
}

#[test]
fn symmetries_keep_everything_but_the_ends() {
    for board in all() {
        for symmetry in DiagonalSymmetry::ALL {
            assert_eq!(symmetry.then(symmetry), DiagonalSymmetry::IDENTITY);
            assert_eq!(DiagonalSymmetry::new(symmetry.number()), Some(symmetry));
            for cell in board.cells() {
                let image = board.map(symmetry, cell);
                assert_eq!(board.map(symmetry, image), cell);
                assert_eq!(board.orientation(image), board.orientation(cell));
                for heading in Heading::ALL {
                    let mapped = symmetry.heading(heading);
                    assert_eq!(
                        board.neighbour(image, mapped),
                        board.neighbour(cell, heading).map(|to| board.map(symmetry, to))
                    );
                    assert_eq!(board.ahead(image, mapped).len(), board.ahead(cell, heading).len());
                }
                let (near, far) = if symmetry.swaps_homes() {
                    (Home::Top, Home::Bottom)
                } else {
                    (Home::Bottom, Home::Top)
                };
                assert_eq!(board.distance(image, near), board.distance(cell, Home::Bottom));
                assert_eq!(board.distance(image, far), board.distance(cell, Home::Top));
            }
        }
    }
    let board = Diagonal::of(4).unwrap();
    let [c06] = cells(board, ["C06"]);
    let image = |symmetry| board.name(board.map(symmetry, c06));
    assert_eq!(
        (image(DiagonalSymmetry::MIRROR), image(DiagonalSymmetry::FLIP)),
        ("F03".to_owned(), "F09".to_owned())
    );
    assert_eq!(DiagonalSymmetry::MIRROR.then(DiagonalSymmetry::FLIP).number(), 3);
    assert_eq!(DiagonalSymmetry::new(4), None);
}

/// The position of figures 2 to 4, blue and red, in the order in which the thesis names the stones.
const FIGURES: [[&str; 3]; 8] = [
    ["I02", "A.68", "-7/-1"],
    ["C05", "CE.1", "2/-4"],
    ["B07", "C.35", "5/-3"],
    ["G07", "BD.0", "0/2"],
    ["G04", "A.24", "-3/-1"],
    ["I09", "FH.0", "0/6"],
    ["E07", "AB.1", "2/0"],
    ["C08", "A.35", "5/-1"],
];

#[test]
fn the_three_notations_name_the_same_locations() {
    let board = Diagonal::of(4).unwrap();
    for same in FIGURES {
        let cell = board.parse(same[0]).unwrap();
        for (notation, name) in DiagonalNotation::ALL.into_iter().zip(same) {
            assert_eq!(notation.name_of(board, cell), name);
            assert_eq!(notation.parse(board, name), Ok(cell));
            assert_eq!(notation.parse(board, &name.to_lowercase()), Ok(cell));
        }
    }
    let around =
        ["1/1", "1/-1", "-1/-1", "-1/1"].map(|name| DiagonalNotation::Delta.parse(board, name).unwrap());
    assert!(around.iter().all(|&cell| board.orientation(cell) == Orientation::Horizontal));
}

#[test]
fn every_name_reads_back_on_every_size() {
    for board in all() {
        for notation in DiagonalNotation::ALL {
            let names: BTreeSet<_> = board.cells().map(|cell| notation.name_of(board, cell)).collect();
            assert_eq!(names.len(), board.len());
            for cell in board.cells() {
                assert_eq!(notation.parse(board, &notation.name_of(board, cell)), Ok(cell));
            }
            assert_eq!(notation.name().parse(), Ok(notation));
        }
    }
}

#[test]
fn wrong_names_are_told_from_names_of_other_sizes() {
    let board = Diagonal::of(4).unwrap();
    let error = |notation: DiagonalNotation, name| notation.parse(board, name).unwrap_err().to_string();
    let diagram = |name| error(DiagonalNotation::Diagram, name);
    let off = "is not on a diagonal lattice of size 4 (diagram notation), which runs from A01 to K11";
    for name in ["L01", "A12", "A00", "Z99"] {
        assert_eq!(diagram(name), format!("`{name}` {off}"));
    }
    let not = |name: &str, notation: &str, expected: &str, at| {
        format!("`{name}` is no name of a location ({notation} notation): expected {expected} at byte {at}")
    };
    assert_eq!(diagram("A7"), not("A7", "diagram", "a digit", 2));
    assert_eq!(diagram("7"), not("7", "diagram", "a letter", 0));
    assert_eq!(diagram("A077"), not("A077", "diagram", "nothing after a letter and two digits", 3));
    let delta = |name| error(DiagonalNotation::Delta, name);
    assert_eq!(delta("+2/0"), not("+2/0", "delta", "`2/0`", 0));
    assert_eq!(delta("0/x"), not("0/x", "delta", "a number from -99 to 99", 2));
    assert!(delta("2/5").contains("is not on"), "an intersection is no location");
    let original = |name| error(DiagonalNotation::Original, name);
    assert_eq!(original("DB.0"), not("DB.0", "original", "`BD.0`", 0));
    assert_eq!(original("A.86"), not("A.86", "original", "`A.68`", 0));
    assert_eq!(original("A68"), not("A68", "original", "a `.`", 1));
    assert_eq!(original("ABC.1"), not("ABC.1", "original", "a `.`", 2));
    for name in ["AA.1", "A.0", "AD.1", "A.15", "A.1", "AB.99", "YZ.99"] {
        original(name);
    }
    assert_eq!(
        "figure".parse::<DiagonalNotation>(),
        Err(DiagonalError::Notation { name: "figure".to_owned() })
    );
    for size in [0, 11, 255] {
        let message = Diagonal::of(size).unwrap_err().to_string();
        assert_eq!(message, format!("no diagonal lattice of size {size}: sizes are 1 to 10"));
    }
}

proptest! {
    #[test]
    fn any_text_is_a_name_or_a_short_error(
        text in prop_oneof!["[A-Za-z0-9./-]{0,8}", "\\PC{0,60}", "-?[0-9]{1,3}/-?[0-9]{1,3}", "[A-Za-z]{1,2}\\.[0-9]{1,4}"],
        size in 1_u8..=10,
        notation in 0_usize..3,
    ) {
        let (board, notation) = (Diagonal::of(size).unwrap(), DiagonalNotation::ALL[notation]);
        match notation.parse(board, &text) {
            Ok(cell) => prop_assert!(notation.name_of(board, cell).eq_ignore_ascii_case(&text)),
            Err(error) => prop_assert!(error.to_string().len() < 300, "{error}"),
        }
    }
}

/// A case from fuzzing: the number of a line was counted up before the check that it has at most two digits.
#[test]
fn a_line_with_a_number_of_three_digits_is_no_line() {
    for lattice in all() {
        for digits in 0..=9999 {
            for name in [format!("AB.{digits}"), format!("A.{digits}")] {
                let parsed = DiagonalNotation::Original.parse(lattice, &name);
                let named = |cell| DiagonalNotation::Original.name_of(lattice, cell);
                assert!(parsed.is_err() || parsed.is_ok_and(|cell| named(cell) == name), "{name}");
            }
        }
    }
}

#[test]
fn the_initial_board_is_drawn_as_in_figure_5() {
    let board = Diagonal::of(4).unwrap();
    let diagram = DiagonalDiagram::new(board)
        .stones(cells(board, ["G01", "E03", "C05", "A07"]), Stone::Light)
        .stones(cells(board, ["K05", "I07", "G09", "E11"]), Stone::Dark);
    let expected = "
                       +
                    11 | K
                10 +---+---+ J
                09 |   |   | I
            08 +---+---+---+---+ H
            07 |   |   |   |   | G
        06 @---+---@---+---@---+---@ F
        05 @   |   @   |   @   |   @ E
    04 +---@---+---@---+---@---+---@---+ D
    03 |   |   |   |   |   |   |   |   | C
02 +---+---+---+---+---+---+---+---+---+---+ B
 K |   |   |   |   |   |   |   |   |   |   | 11
 J +---+---+---+---+---+---+---+---+---+---+ 10
     I |   |   |   |   |   |   |   |   | 09
     H +---O---+---O---+---O---+---O---+ 08
         G O   |   O   |   O   |   O 07
         F O---+---O---+---O---+---O 06
             E |   |   |   |   | 05
             D +---+---+---+---+ 04
                 C |   |   | 03
                 B +---+---+ 02
                     A | 01
                       +";
    assert_eq!(diagram.text(), expected.trim_start_matches('\n'));
    assert_eq!(diagram.to_string(), diagram.text());
}

#[test]
fn the_original_notation_names_the_lines_beside_and_below() {
    let board = Diagonal::of(1).unwrap();
    let [b02, d04] = cells(board, ["B02", "D04"]);
    let diagram = DiagonalDiagram::new(board)
        .title("two\nstones")
        .notation(DiagonalNotation::Original)
        .stone(b02, Stone::Light)
        .stone(d04, Stone::Dark)
        .last(d04);
    let expected = "two stones
          +
          |
    D +---@---+
      |   *   |
B +---+---@---+---+
  |   |   |   |   |
A +---+---O---+---+
      |   O   |
    C +---O---+
          |
          +
  4   2   0   1   3";
    assert_eq!(diagram.text(), expected);
    let plain = diagram.coordinates(false).text();
    assert!(plain.lines().nth(5).unwrap().starts_with("+---+---@"), "{plain}");
}

#[test]
fn svg_has_a_bar_for_each_stone_and_is_the_same_every_time() {
    for board in all() {
        for notation in DiagonalNotation::ALL {
            let diagram = DiagonalDiagram::new(board)
                .title("<Cover> & more")
                .notation(notation)
                .stone(board.homebase(Home::Bottom), Stone::Light)
                .stone(board.homebase(Home::Top), Stone::Dark)
                .last(board.homebase(Home::Top));
            let svg = diagram.svg();
            assert_eq!(svg, diagram.clone().svg());
            let count = |what: &str| svg.matches(what).count();
            assert_eq!((count("<rect"), count("<circle"), count("<path")), (3, 1, 4));
            assert_eq!(count("<text"), count("</text>"));
            assert!(svg.contains("&lt;Cover&gt; &amp; more") && !svg.contains("NaN"));
            // A square is four steps; each location has one square.
            assert_eq!(count("z\n") + count("z\""), board.len());
        }
    }
}

#[test]
fn tables_run_from_the_top_right_corner_of_the_letters() {
    let board = Diagonal::of(4).unwrap();
    let [k11, a11] = cells(board, ["K11", "A11"]);
    let table = board.table(|cell| {
        if cell == k11 {
            'X'
        } else if cell == a11 {
            '1'
        } else {
            '.'
        }
    });
    let mut rows = table.lines();
    assert_eq!(rows.next(), Some("X.........1"));
    assert_eq!(rows.count(), 10);
}
