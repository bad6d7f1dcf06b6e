//! The text of a game in the form of 2004, against the game that Rogers printed in appendix B.

use stonework_session::{Registry, Session, Start, rogers_text};

/// The moves of the printed game, as the appendix lists them.
const MOVES: &str = "J19 H16 K19 I16 I18 G16 I17 J17 J18 H15 G15 H14 K18 F15 K17 H17 K16 I15 K15 E14 K14 G14 F14 F13 E13 E12 \
    G13 D13 D12 I14 K13 J15 J16 I13 H13 F12 K12 J13 J14 J12 I12 E11 K11 C12 K10 D11 C11 C10 D10 G12 H12 J11 F11 J10 K9 I9 I10 \
    J9 K8 I11 K7 H11 G11 H10 H9 G10 K6 H8 I8 G8 G9 E10 F10 E9 F9 D9 C9 D8 K5 B9 K4 J8 K3 K2 L3";

fn printed() -> Session {
    let mut session =
        Session::new(Registry::standard(), "havannah", &Start::of_size(10), Some("rogers")).unwrap();
    session.play_all(&MOVES.split_whitespace().collect::<Vec<_>>()).unwrap();
    session
}

#[test]
fn the_printed_game_ends_as_the_report_says() {
    let session = printed();
    assert_eq!(session.moves().len(), 85);
    assert_eq!(session.position().standing(), "white wins by fork");
}

#[test]
fn the_lists_of_moves_are_those_of_the_report() {
    let text = rogers_text(&printed()).unwrap();
    for line in [
        "1 : Put J19, 2 : Put H16\n3 : Put K19, 4 : Put I16\n",
        "19 : Put K15, 20 : Put E14\n\n",
        "21 : Put K14, 22 : Put G14\n",
        "41 : Put I12, 42 : Put E11\n",
        "61 : Put K7, 62 : Put H11\n",
        "81 : Put K4, 82 : Put J8\n83 : Put K3, 84 : Put K2\n85 : Put L3\n",
    ] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
}

/// The stones of a section, as the columns of the report have them from the top: the cell, its text, and the stroke after it.
#[test]
fn the_boards_have_the_numbers_and_strokes_of_the_report() {
    let text = rogers_text(&printed()).unwrap();
    let sections: Vec<&str> = text.split("\n\n\n").collect();
    assert_eq!(sections.len(), 5);
    // The first board: `1:X\`, `5:X<`, `9:X<`, `6:O<`, `7:X/`, `2:O\`, `4:O/`, as printed.
    for cell in ["1:X\\", "5:X<", "9:X<", "6:O<", "7:X/", "2:O\\", "4:O/", "3:X", "13:X", "14:O", "20:O"] {
        let packed = sections[0].replace(' ', "");
        assert!(packed.contains(cell), "{cell} is not in\n{}", sections[0]);
    }
    for cell in ["28:O", "23:X", "33:X", "25:X", "22:O", "39:X", "34:O", "40:O", "37:X"] {
        assert!(sections[1].contains(cell), "{cell} is not in\n{}", sections[1]);
    }
    // A number stands on the board of its own section only.
    assert!(!sections[1].contains("20:O") && !sections[4].contains("80:O"));
    assert!(sections[4].contains("85:X") && sections[4].contains("82:O"));
    // Strokes and dots, letters below and numbers at the left.
    assert!(sections.iter().all(|section| ['|', '/', '\\', '<', '.'].iter().all(|&c| section.contains(c))));
    for coordinate in ["19", "A", "S"] {
        assert!(sections[0].contains(coordinate), "{coordinate}");
    }
}

#[test]
fn every_game_has_such_a_text() {
    for (game, moves) in [("cachex", vec!["0,0", "1,1"]), ("cover", vec![])] {
        let start = Start::of_size(if game == "cover" { 2 } else { 3 });
        let mut session = Session::new(Registry::standard(), game, &start, None).unwrap();
        session.play_all(&moves).unwrap();
        let text = rogers_text(&session).unwrap();
        assert_eq!(text.contains("1 : Put 0,0, 2 : Put 1,1"), game == "cachex", "{text}");
    }
}
