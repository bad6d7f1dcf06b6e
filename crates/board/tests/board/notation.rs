//! Laws of names.

use crate::common::all_boards;
use proptest::prelude::*;
use stonework_board::{Board, Cell, Notation, NotationError, Shape};

fn hexagon(size: u8) -> &'static Board {
    Board::hexagon(size).unwrap()
}

fn error(notation: Notation, board: &Board, name: &str) -> String {
    notation.parse(board, name).unwrap_err().to_string()
}

#[test]
fn every_name_leads_back_to_its_cell_in_either_case() {
    for board in all_boards() {
        for notation in Notation::ALL.into_iter().filter(|n| n.fits(board.shape()).is_ok()) {
            let mut names = std::collections::HashSet::new();
            for cell in board.cells() {
                let name = notation.name_of(board, cell).unwrap();
                assert_eq!(notation.parse(board, &name), Ok(cell), "{name}");
                assert_eq!(notation.parse(board, &name.to_uppercase()), Ok(cell), "{name}");
                assert_eq!(notation.parse(board, &name.to_lowercase()), Ok(cell), "{name}");
                assert!(names.insert(name));
            }
        }
        for cell in board.cells() {
            assert_eq!(board.parse(&board.name(cell)), Ok(cell));
        }
    }
}

#[test]
fn a_notation_fits_the_shapes_it_says() {
    for board in all_boards() {
        let (hexagon, size) = (matches!(board.shape(), Shape::Hexagon(_)), board.size());
        let fits = Notation::ALL.map(|n| n.fits(board.shape()).is_ok());
        assert_eq!(fits, [hexagon, true, hexagon, hexagon && size <= 12], "{board:?}");
        assert_eq!(Notation::of(board.shape()).fits(board.shape()), Ok(()));
    }
    let text = "web notation does not name the cells of a hexagon of size 13";
    assert_eq!(error(Notation::Web, hexagon(13), "oo"), text);
    assert_eq!(Notation::Web.name_of(hexagon(13), Cell::new(0).unwrap()).unwrap_err().to_string(), text);
    let text = "hgui notation does not name the cells of a rhombus of size 11";
    assert_eq!(error(Notation::Hgui, Board::rhombus(11).unwrap(), "a1"), text);
}

#[test]
fn a_notation_is_known_by_its_name() {
    for notation in Notation::ALL {
        assert_eq!(notation.to_string().parse(), Ok(notation));
    }
    let unknown = "HGUI".parse::<Notation>().unwrap_err();
    assert_eq!(unknown.to_string(), "no notation `HGUI`: there are hgui, grid, rogers and web");
}

#[test]
fn one_cell_has_these_names() {
    // (size, hgui, grid, rogers, web)
    let table = [
        (4, "f5", "f3", "F5", "qn"),
        (4, "d4", "d4", "D4", "oo"),
        (4, "b2", "b2", "B2", "mq"),
        (4, "a1", "a1", "A1", "lr"),
        (4, "g7", "g4", "G7", "rl"),
        (10, "l3", "l1", "L3", "qv"),
        (10, "k19", "k18", "K19", "pf"),
        (12, "a1", "a1", "A1", "dz"),
        (12, "w23", "w12", "W23", "zd"),
    ];
    for (size, hgui, grid, rogers, web) in table {
        let cell = hexagon(size).parse(hgui).unwrap();
        let names = Notation::ALL.map(|n| n.name_of(hexagon(size), cell).unwrap());
        assert_eq!(names, [hgui, grid, rogers, web]);
    }
    let last = hexagon(20).cells().next_back().unwrap();
    assert_eq!(hexagon(20).name(last), "am39");
    assert_eq!(Notation::Grid.name_of(hexagon(20), last).unwrap(), "am20");
    let rhombus = Board::rhombus(5).unwrap();
    assert_eq!(rhombus.cells().map(|c| rhombus.name(c)).nth(7), Some("b3".to_owned()));
}

#[test]
fn the_centre_is_oo_on_every_web_board() {
    for size in 2..=12 {
        let board = hexagon(size);
        let centre = Notation::Web.parse(board, "oo").unwrap();
        assert!(board.corner_cells().all(|c| board.distance(c, centre) == u16::from(size) - 1));
    }
}

#[test]
fn a_text_that_is_no_name_is_refused_with_the_byte_where_it_fails() {
    let hgui = |name| error(Notation::Hgui, hexagon(4), name);
    assert_eq!(hgui(""), "`` is no hgui cell: expected a letter at byte 0");
    assert_eq!(hgui("7"), "`7` is no hgui cell: expected a letter at byte 0");
    assert_eq!(hgui("é1"), "`é1` is no hgui cell: expected a letter at byte 0");
    assert_eq!(hgui(" a1"), "` a1` is no hgui cell: expected a letter at byte 0");
    assert_eq!(hgui("a"), "`a` is no hgui cell: expected a digit at byte 1");
    assert_eq!(hgui("a-1"), "`a-1` is no hgui cell: expected a digit at byte 1");
    assert_eq!(hgui("aé"), "`aé` is no hgui cell: expected a digit at byte 1");
    assert_eq!(hgui("a0"), "`a0` is no hgui cell: expected a digit from 1 to 9 at byte 1");
    assert_eq!(hgui("a01"), "`a01` is no hgui cell: expected a digit from 1 to 9 at byte 1");
    assert_eq!(hgui("a1x"), "`a1x` is no hgui cell: expected nothing after the number at byte 2");
    assert_eq!(hgui("a1é"), "`a1é` is no hgui cell: expected nothing after the number at byte 2");
    assert_eq!(hgui("a1 "), "`a1 ` is no hgui cell: expected nothing after the number at byte 2");
    assert_eq!(hgui("aaa1"), "`aaa1` is no hgui cell: expected a digit at byte 2");
    assert_eq!(hgui("a1000"), "`a1000` is no hgui cell: expected at most three digits at byte 4");
    let web = |name| error(Notation::Web, hexagon(4), name);
    assert_eq!(web(""), "`` is no web cell: expected a letter at byte 0");
    assert_eq!(web("o"), "`o` is no web cell: expected a letter at byte 1");
    assert_eq!(web("oé"), "`oé` is no web cell: expected a letter at byte 1");
    assert_eq!(web("d4"), "`d4` is no web cell: expected a letter at byte 1");
    assert_eq!(web("ooo"), "`ooo` is no web cell: expected nothing after two letters at byte 2");
    assert!(matches!(
        Notation::Rogers.parse(hexagon(4), "A"),
        Err(NotationError::Syntax { notation: Notation::Rogers, at: 1, expected: "a digit", .. })
    ));
}

#[test]
fn a_name_of_no_cell_is_refused_with_its_row() {
    let on = |notation, name| error(notation, hexagon(4), name);
    assert_eq!(on(Notation::Hgui, "z99"), "`z99` is not on a hexagon of size 4 (hgui notation)");
    assert_eq!(on(Notation::Hgui, "zz999"), "`zz999` is not on a hexagon of size 4 (hgui notation)");
    let row_e = "`e1` is not on a hexagon of size 4 (hgui notation): that row runs from e2 to e7";
    assert_eq!(on(Notation::Hgui, "e1"), row_e);
    let row_e = "`e7` is not on a hexagon of size 4 (grid notation): that row runs from e1 to e6";
    assert_eq!(on(Notation::Grid, "e7"), row_e);
    let row_e = "`E1` is not on a hexagon of size 4 (rogers notation): that row runs from E2 to E7";
    assert_eq!(on(Notation::Rogers, "E1"), row_e);
    let row_l = "`la` is not on a hexagon of size 4 (web notation): that row runs from lr to lo";
    assert_eq!(on(Notation::Web, "la"), row_l);
    assert_eq!(on(Notation::Web, "aa"), "`aa` is not on a hexagon of size 4 (web notation)");
    let rhombus = error(Notation::Grid, Board::rhombus(5).unwrap(), "b6");
    assert_eq!(rhombus, "`b6` is not on a rhombus of size 5 (grid notation): that row runs from b1 to b5");
    let one = error(Notation::Grid, Board::rhombus(1).unwrap(), "a2");
    assert_eq!(one, "`a2` is not on a rhombus of size 1 (grid notation): that row runs from a1 to a1");
}

#[test]
fn a_cell_of_a_larger_board_has_no_name_here() {
    let cell = Cell::new(37).unwrap();
    for notation in Notation::ALL {
        let error = notation.name_of(hexagon(4), cell).unwrap_err();
        assert_eq!(error.to_string(), "cell 37 is not on a hexagon of size 4");
    }
}

#[test]
fn an_error_about_a_long_text_stays_short() {
    for long in ["a".repeat(1 << 20), format!("a{}", "1".repeat(1 << 20)), "é".repeat(1 << 20)] {
        for notation in Notation::ALL {
            let text = error(notation, hexagon(4), &long);
            assert!(text.len() < 200 && text.contains('…'), "{text}");
        }
    }
    let text = error(Notation::Hgui, hexagon(4), &"b".repeat(40));
    assert!(text.starts_with(&format!("`{}` is no", "b".repeat(40))), "{text}");
    assert!("é".repeat(99).parse::<Notation>().unwrap_err().to_string().len() < 150);
}

fn any_board() -> impl Strategy<Value = &'static Board> {
    let boards: Vec<_> = all_boards().collect();
    proptest::sample::select(boards)
}

/// Texts, most of them similar to names.
fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => "[a-zA-Z]{0,3}[0-9]{0,4}",
        1 => "[a-zA-Z]{2}",
        1 => "[a-c0-9é\\- ]{0,6}",
        1 => any::<String>(),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn any_text_is_read_without_panic_and_what_is_read_is_a_name(
        board in any_board(),
        text in any_text(),
        notation in proptest::sample::select(Notation::ALL.to_vec()),
    ) {
        match notation.parse(board, &text) {
            Ok(cell) => {
                let name = notation.name_of(board, cell).unwrap();
                prop_assert!(name.eq_ignore_ascii_case(&text), "{} was read as {}", text, name);
            }
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }
}
