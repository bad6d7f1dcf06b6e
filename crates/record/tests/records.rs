//! Records of Havannah: edits, conversions and building, case by case.

use stonework_board::{Board, Notation};
use stonework_record::{
    Action, Builder, Claim, Colour, Dialect, EditError, Encoding, ParseOptions, Quirk, Reading, Record,
    RecordError, SizeStyle, Tree, convert, convert_with,
};

fn tree(text: &str) -> Tree {
    Tree::parse_str(text).unwrap()
}

/// A case from fuzzing: a leading zero made the size look different, and the conversion changed it.
#[test]
fn a_size_with_a_leading_zero_stays_as_it_is_written() {
    for text in ["(;SZ[d=09];W[a1])", "(;SZ[05];W[a1])", "(;SZ09;W[a1])"] {
        let tree = tree(text);
        let dialect = Record::read(&tree).unwrap().dialect;
        assert_eq!(convert(&tree, dialect).unwrap().to_string(), text);
    }
    let side = convert(&tree("(;SZ[d=09];W[a1])"), Dialect::HAVANNAH_GUI).unwrap();
    assert_eq!(side.to_string(), "(;SZ[5];W[a1])");
}

/// The times of a node with two moves stood in the order in which the caller names the sides.
#[test]
fn times_are_in_the_order_of_the_moves() {
    let left = |text: &str| {
        let times = tree(text).move_times(["W", "B"]).into_iter();
        times.map(|time| time.map(|time| time.as_secs())).collect::<Vec<_>>()
    };
    assert_eq!(left("(;SZ[4]TM[60];B[a1]BL[50]W[b1]WL[57])"), [Some(10), Some(3)]);
    assert_eq!(left("(;SZ[4]TM[60];W[b1]WL[57]B[a1]BL[50];W[c1]WL[55])"), [Some(3), Some(10), Some(2)]);
}

#[test]
fn conversion_touches_cells_and_size_only() {
    let from = "(;FF[4] SZ [d=7] AW[ a1 ][f5]LB[f5:f5\\:x][g7:]AR[f5:g7]C[f5]\n;White[ f5 ]N[f5] ;B[swap];W[] ;B[PASS])\n";
    let to = convert(&tree(from), Dialect::LITTLE_GOLEM).unwrap();
    assert_eq!(
        to.to_string(),
        "(;FF[4] SZ [4] AW[ A1 ][F3]LB[F3:f5\\:x][G4:]AR[F3:G4]C[f5]NOTATION[grid]\n;White[ F3 ]N[f5] ;B[swap];W[] ;B[PASS])\n"
    );
    assert_eq!(convert(&to, Dialect::OLD_HAVANNAH_GUI).unwrap().to_string(), from);
}

#[test]
fn the_notation_is_named_only_where_nothing_else_tells_it() {
    let plain = tree("(;SZ[4];W[f5])");
    let written = |dialect| convert(&plain, dialect).unwrap().to_string();
    assert_eq!(written(Dialect::LITTLE_GOLEM_WEB), "(;SZ[4];W[qn])");
    assert_eq!(written(Dialect::LITTLE_GOLEM), "(;SZ[4]NOTATION[grid];W[F3])");
    assert_eq!(written(Dialect::ROGERS), "(;SZ[4]NOTATION[rogers];W[F5])");
    let site = tree("(;SZ[4]SO[LittleGolem];W[f3])");
    let hgui = convert(&site, Dialect::HAVANNAH_GUI).unwrap();
    assert_eq!(hgui.to_string(), "(;SZ[4]SO[LittleGolem]NOTATION[hgui];W[f5])");
    assert_eq!(Record::read(&hgui).unwrap().moves, Record::read(&site).unwrap().moves);
}

#[test]
fn sizes_change_their_style_and_nothing_else() {
    let side = tree("(;SZ[5]PB[x];W[e5])");
    let style = |size_style| Dialect { size_style, ..Dialect::HAVANNAH_GUI };
    let written = |s| convert(&side, style(s)).unwrap();
    assert_eq!(written(SizeStyle::Diameter).to_string(), "(;SZ[d=9]PB[x];W[e5])");
    assert_eq!(written(SizeStyle::Bare).to_string(), "(;SZ9PB[x];W[e5])");
    for s in [SizeStyle::Side, SizeStyle::Diameter, SizeStyle::Bare] {
        let again = convert(&written(s), style(SizeStyle::Side)).unwrap();
        assert_eq!(again.to_string(), side.to_string());
        assert_eq!(Record::read(&written(s)).unwrap().size, 5);
    }
}

#[test]
fn a_cell_that_the_new_notation_cannot_name_is_an_error() {
    let big = tree("(;SZ[13];W[a1])");
    let error = convert(&big, Dialect::LITTLE_GOLEM_WEB).unwrap_err();
    assert_eq!(error.to_string(), "node 1, W: web notation does not name the cells of a hexagon of size 13");
    let bad = tree("(;SZ[4];W[a1];B[b1]TR[z9])");
    let error = convert(&bad, Dialect::LITTLE_GOLEM).unwrap_err();
    assert_eq!(error.to_string(), "node 2, TR: `z9` is not on a hexagon of size 4 (hgui notation)");
}

#[test]
fn the_caller_may_know_size_and_notation_better() {
    let bare = tree("(;FF[4];W[f3])");
    let reading = Reading { size: Some(4), notation: Some(Notation::Grid) };
    let record = Record::read_with(&bare, reading).unwrap();
    let f5 = Board::hexagon(4).unwrap().parse("f5").unwrap();
    assert_eq!(record.moves[0].action, Action::Place(f5));
    let hgui = convert_with(&bare, Dialect::HAVANNAH_GUI, reading).unwrap();
    assert_eq!(hgui.to_string(), "(;FF[4];W[f5])");
    assert_eq!(Record::read(&bare), Err(RecordError::NoSize));
}

/// A size or a notation that the caller overrules was read nevertheless, and refused.
#[test]
fn what_the_caller_overrules_may_be_wrong() {
    let reading = Reading { size: Some(4), notation: Some(Notation::Grid) };
    let f5 = Board::hexagon(4).unwrap().parse("f5").unwrap();
    for root in ["SZ[x]", "SZ[99999]", "SZ[d=8]", "SZ511", "SZ255", "SZ[4]NOTATION[no such]"] {
        let odd = tree(&format!("(;{root}PB[x];W[f3])"));
        let record = Record::read_with(&odd, reading).unwrap();
        assert_eq!((record.size, record.moves[0].action), (4, Action::Place(f5)), "{root}");
        // The size is not that of the file: nothing is to be said about how the file writes it.
        assert!(record.quirks.is_empty(), "{root}");
        let hgui = convert_with(&odd, Dialect::HAVANNAH_GUI, reading).unwrap();
        assert_eq!(hgui.to_string(), "(;SZ[4]PB[x];W[f5])", "{root}");
        assert!(Record::read(&odd).is_err(), "{root}");
    }
}

#[test]
fn a_quirk_of_any_size_is_told() {
    for size in [0, 1, 20, 128, 255] {
        let told = Quirk::BareSize { size }.to_string();
        assert!(told.ends_with(&format!("a board of size {size}")), "{told}");
    }
}

#[test]
fn a_variation_is_read_as_a_line_of_its_own() {
    let game = tree("(;SZ[4];W[a1](;B[b1];W[c1])(;B[b2];W[c2]))");
    let leaf = game.descendants(game.root()).last().unwrap();
    let record = Record::read_line(&game, leaf, Reading::default()).unwrap();
    let names: Vec<_> =
        record.moves.iter().map(|m| m.action.write(record.board(), record.dialect).unwrap()).collect();
    assert_eq!(names, ["a1", "b2", "c2"]);
}

#[test]
fn claims_are_read_as_they_are_written() {
    let claims = [
        ("W", Claim::White),
        (" b ", Claim::Black),
        ("W+Resign", Claim::White),
        ("Black", Claim::Black),
        // Results with the whole name of a side were no results.
        ("White+Time", Claim::White),
        ("black+", Claim::Black),
        ("Whitespace+1", Claim::Other("Whitespace+1".to_owned())),
        ("0", Claim::Draw),
        ("draw", Claim::Draw),
        ("Void", Claim::Other("Void".to_owned())),
        ("?", Claim::Other("?".to_owned())),
    ];
    for (text, claim) in claims {
        assert_eq!(Claim::parse(text), claim);
    }
}

#[test]
fn a_result_of_little_golem_is_reported_and_kept() {
    let game = tree("(;SZ[4]RE[W]SO[http://www.littlegolem.com];W[A1];B[resign])");
    let record = Record::read(&game).unwrap();
    assert_eq!(record.result, Some(Claim::White));
    assert!(record.little_golem && record.quirks.len() == 1);
    let open = tree("(;SZ[4]SO[http://www.littlegolem.com];W[A1])");
    assert!(Record::read(&open).unwrap().quirks.is_empty());
    let other = tree("(;SZ[4]RE[W]SO[elsewhere];W[A1])");
    assert!(Record::read(&other).unwrap().quirks.is_empty());
}

#[test]
fn latin_1_files_keep_their_bytes_and_refuse_other_characters() {
    let bytes = b"(;SZ[4]PB[Zo\xeb]PW[x];W[a1])";
    let mut game = ParseOptions::with_encoding(Encoding::Detect).parse(bytes).unwrap();
    assert_eq!(
        (game.encoding(), game.simple_text(game.root(), "PB").unwrap().as_ref()),
        (Encoding::Latin1, "Zoë")
    );
    game.set_property(game.root(), "PW", &["Bjö"]).unwrap();
    assert_eq!(game.to_bytes(), b"(;SZ[4]PB[Zo\xeb]PW[Bj\xf6];W[a1])");
    assert_eq!(game.set_property(game.root(), "PW", &["語"]), Err(EditError::Latin1 { found: '語' }));
    let options = ParseOptions::with_encoding(Encoding::Latin1);
    let error = options.parse(b"(;PB[\xeb\xeb];W a1)").unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 1, column 12 (byte 11): found 'a', expected `[` after a property name"
    );
}

#[test]
fn edits_that_cannot_be_written_are_refused() {
    let mut game = tree("(;SZ9;W[a1])");
    let root = game.root();
    let name = |name: &str| EditError::Name { name: name.to_owned() };
    for bad in ["", "b", "Wb", "W[", "SZ9", "Ä"] {
        assert_eq!(game.set_property(root, bad, &["x"]), Err(name(bad)));
    }
    let said = name("SZ9").to_string();
    assert_eq!(said, "\"SZ9\" is no name for a property: capital letters A to Z alone");
    assert_eq!(game.set_property(root, "B", &[""; 0]), Err(EditError::NoValue { name: "B".to_owned() }));
    let unescaped = |value: &str, at| EditError::Unescaped { value: value.to_owned(), at };
    assert_eq!(game.set_raw_property(root, "B", &["a]"]), Err(unescaped("a]", 1)));
    assert_eq!(game.set_raw_property(root, "B", &["a\\"]), Err(unescaped("a\\", 1)));
    assert_eq!(game.to_string(), "(;SZ9;W[a1])");
    game.set_property(root, "SZ", &["5"]).unwrap();
    assert_eq!(game.to_string(), "(;SZ[5];W[a1])");
}

#[test]
#[should_panic(expected = "node 1 was removed")]
fn a_removed_node_is_not_used_again() {
    let mut game = tree("(;SZ[4];W[a1])");
    let first = game.first_child(game.root()).unwrap();
    game.remove_subtree(first).unwrap();
    let new = game.add_child(game.root()).unwrap();
    assert_ne!(new, first);
    let _ = game.comment(first);
}

#[test]
fn built_records_have_a_stable_layout() {
    let board = Board::hexagon(5).unwrap();
    let mut game = Builder::new(5, Dialect::LITTLE_GOLEM).unwrap();
    let cell = |name: &str| board.parse(name).unwrap();
    game.set("PW", "A]nn").unwrap().set("PB", "Bob").unwrap().result(&Claim::White).unwrap();
    game.setup(Colour::White, &[cell("a1"), cell("i9")]).unwrap();
    let mut colour = Colour::White;
    for name in ["b1", "b2", "b3", "b4", "b5", "b6", "c1", "c2", "c3", "c4", "c5", "f6"] {
        game.play(colour, Action::Place(cell(name))).unwrap();
        colour = colour.other();
    }
    let text = game.finish().unwrap().to_string();
    assert_eq!(
        text,
        "(;FF[4]GM[Havannah]CA[UTF-8]SZ[5]PW[A\\]nn]PB[Bob]RE[W]AW[A1][I5]NOTATION[grid]\n\
         ;W[B1];B[B2];W[B3];B[B4];W[B5];B[B6];W[C1];B[C2];W[C3];B[C4]\n;W[C5];B[F5])\n"
    );
    assert_eq!(Record::read(&tree(&text)).unwrap().moves.len(), 12);
}

#[test]
fn a_builder_refuses_what_no_board_has() {
    assert_eq!(
        Builder::new(21, Dialect::default()).unwrap_err().to_string(),
        "no hexagon of size 21: sizes are 2 to 20"
    );
    assert!(matches!(Builder::new(13, Dialect::LITTLE_GOLEM_WEB), Err(RecordError::Notation(_))));
    let far = Board::hexagon(5).unwrap().cells().last().unwrap();
    let mut game = Builder::new(4, Dialect::default()).unwrap();
    assert!(matches!(game.play(Colour::White, Action::Place(far)), Err(RecordError::Notation(_))));
    assert_eq!(game.finish().unwrap().to_string(), "(;FF[4]GM[Havannah]CA[UTF-8]SZ[4])\n");
}
