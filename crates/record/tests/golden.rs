//! The files under `tests/data`, each with its purpose as its name. Valid files come back byte for byte and have the
//! listed content; invalid files give the listed error.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use stonework_record::{Collection, Encoding, ParseOptions, Property, Record, Tree, laws};

fn files(folder: &str) -> BTreeMap<String, Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(folder);
    let entries = fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let read =
        |path: &Path| (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read(path).unwrap());
    entries.map(|entry| read(&entry.unwrap().path())).collect()
}

/// Compares a folder, file by file, with a table; both must have the same files.
fn compare(folder: &str, table: &[(&str, &str)], describe: impl Fn(&[u8]) -> String) {
    let found: BTreeMap<_, _> = files(folder).into_iter().map(|(n, bytes)| (n, describe(&bytes))).collect();
    let wanted: BTreeMap<_, _> = table.iter().map(|&(n, d)| (n.to_owned(), d.to_owned())).collect();
    for (name, description) in &found {
        assert_eq!(wanted.get(name), Some(description), "{folder}/{name}");
    }
    assert_eq!(found.len(), wanted.len(), "{folder}: a file of the table is missing");
}

fn detect() -> ParseOptions {
    ParseOptions::with_encoding(Encoding::Detect)
}

/// The nodes of a tree in order: depth, then properties as name and unescaped values.
fn outline(tree: &Tree) -> String {
    let property = |p: Property<'_>| {
        let values: Vec<_> = p.values().map(|v| v.text().into_owned()).collect();
        format!("{}={}", p.name(), values.join(","))
    };
    let node = |node| {
        let depth = tree.line_to(node).len() - 1;
        let properties: Vec<_> = tree.properties(node).map(property).collect();
        format!("|{depth} {}", properties.join(" "))
    };
    tree.descendants(tree.root()).map(node).collect()
}

#[test]
fn valid_files_hold_what_they_say_and_come_back_byte_for_byte() {
    let table = [
        ("plain.hgf", "|0 FF=4 GM=Havannah SZ=4|1 W=a1|2 B=b1|3 W=a2"),
        ("variations.hgf", "|0 FF=4 SZ=4|1 W=a1|2 B=b2|3 W=c1 C=one|4 B=d1 C=two|3 W=c2"),
        ("text_around_and_spaces.sgf", "|0 SZ=4|1 W= a1 |2 B=b1"),
        ("escapes.sgf", "|0 SZ=4 C=a]b\\c:d\nsecond linesame line N=x y|1 W=d4 C="),
        ("small_letters_in_names.sgf", "|0 GM=Havannah FF=3 SZ=4|1 W=a1 C=old style|2 B=b1"),
        ("unknown_properties.sgf", "|0 FF=4 SZ=4 XYZZY=1,2,3 Q= KGSDE=x|1 W=a1 TE=2 FOO2=b"),
        ("single_children_in_parentheses.sgf", "|0 FF=4|1 SZ=4|2 W=a1"),
        ("empty_nodes.sgf", "|0 SZ=4|1 |2 W=a1|3 "),
        ("two_games.sgf", "|0 GN=one SZ=4|1 W=a1\n|0 GN=two SZ=5|1 W=e5"),
        (
            "little_golem.hgf",
            "|0 FF=4 EV=null PB=Ann PW=Bob SZ=4 RU=LG RE=B GC= game #1 SO=http://www.littlegolem.com\
             |1 W=F3|2 B=swap|3 W=E6|4 B=A4|5 W=resign",
        ),
        (
            "little_golem_latin1.hgf",
            "|0 FF=4 PB=Zoë PW=Björn SZ=4 RE=W SO=http://www.littlegolem.com|1 W=D4|2 B=D3",
        ),
        ("diameter.hgf", "|0 FF=4 GM=Havannah SZ=d=9|1 W=e5|2 B=i9|3 W=e6"),
        ("size_without_brackets.hgf", "|0 FF=4 SZ=9 PB=x|1 W=e5|2 B=i9"),
        (
            "setup_and_marks.hgf",
            "|0 FF=4 SZ=4 AW=a1,a2 AB=g7 AE=d4 PL=B LB=c3:X,c4:a:b TR=d5 AR=a1:a2|1 B=b1 MA=c1,c2",
        ),
        ("web_letters.sgf", "|0 FF=4 SZ=4|1 W=oo|2 B=lo"),
        ("black_first.hgf", "|0 FF=4 SZ=4|1 B=a1|2 W=b1"),
    ];
    compare("valid", &table, |bytes| {
        let _ = laws::reading_and_writing_are_inverse(bytes);
        let file = detect().parse_collection(bytes).unwrap();
        assert_eq!(file.to_bytes(), bytes);
        file.games.iter().map(outline).collect::<Vec<_>>().join("\n")
    });
}

#[test]
fn records_are_read_from_every_dialect() {
    let table = [
        ("plain.hgf", "4 Hgui Side: white a1, black b1, white a2"),
        ("variations.hgf", "4 Hgui Side: white a1, black b2, white c1, black d1"),
        ("text_around_and_spaces.sgf", "4 Hgui Side: white a1, black b1"),
        ("escapes.sgf", "4 Hgui Side: white d4"),
        ("small_letters_in_names.sgf", "4 Hgui Side: white a1, black b1"),
        ("unknown_properties.sgf", "4 Hgui Side: white a1"),
        ("single_children_in_parentheses.sgf", "the size is missing: no SZ in the first node"),
        ("empty_nodes.sgf", "4 Hgui Side: white a1"),
        ("two_games.sgf", "4 Hgui Side: white a1"),
        (
            "little_golem.hgf",
            "4 Grid Side: white f5, black swap, white e7, black a4, white resign; \
             RE says B, but Little Golem's records name the loser there: who won must come from the moves",
        ),
        (
            "little_golem_latin1.hgf",
            "4 Grid Side: white d4, black d3; \
             RE says W, but Little Golem's records name the loser there: who won must come from the moves",
        ),
        ("diameter.hgf", "5 Hgui Diameter: white e5, black i9, white e6"),
        (
            "size_without_brackets.hgf",
            "5 Hgui Bare: white e5, black i9; \
             SZ9 has no brackets: read as the longest row of a board of size 5",
        ),
        ("setup_and_marks.hgf", "4 Hgui Side: +white a1, +white a2, +black g7, -d4, black b1"),
        ("web_letters.sgf", "4 Web Side: white d4, black a4"),
        ("black_first.hgf", "4 Hgui Side: black a1, white b1; black has the first move"),
    ];
    compare("valid", &table, |bytes| {
        let file = detect().parse_collection(bytes).unwrap();
        let record = match Record::read(&file.games[0]) {
            Ok(record) => record,
            Err(error) => return error.to_string(),
        };
        let board = record.board();
        let setup = record.setup.iter().map(|&(colour, cell)| match colour {
            Some(colour) => format!("+{colour} {}", board.name(cell)),
            None => format!("-{}", board.name(cell)),
        });
        let moves = record.moves.iter().map(|m| {
            format!("{} {}", m.colour, m.action.write(board, stonework_record::Dialect::default()).unwrap())
        });
        let all: Vec<_> = setup.chain(moves).collect();
        let head = format!("{} {:?} {:?}", record.size, record.dialect.notation, record.dialect.size_style);
        let quirks = record.quirks.iter().map(|q| format!("; {q}"));
        format!("{head}: {}{}", all.join(", "), quirks.collect::<String>())
    });
}

#[test]
fn invalid_files_give_one_clear_error() {
    let table = [
        ("no_game.sgf", "no game in 32 bytes: nowhere a `(` followed by `;`"),
        ("empty.sgf", "no game in 0 bytes: nowhere a `(` followed by `;`"),
        (
            "truncated_game.sgf",
            "the input ends after 21 bytes, but the '(' at line 2, column 7 (byte 14) is still open",
        ),
        (
            "truncated_value.sgf",
            "the input ends after 31 bytes, but the '[' at line 1, column 15 (byte 14) is still open",
        ),
        (
            "truncated_after_parenthesis.sgf",
            "the input ends after 21 bytes, but the '(' at line 1, column 21 (byte 20) is still open",
        ),
        (
            "truncated_after_name.sgf",
            "the input ends after 9 bytes, but the '(' at line 1, column 1 (byte 0) is still open",
        ),
        (
            "node_after_variations.sgf",
            "line 1, column 30 (byte 29): found ';', expected `(` or `)`: no node may follow variations",
        ),
        (
            "value_without_brackets.sgf",
            "line 1, column 11 (byte 10): found 'a', expected `[` after a property name",
        ),
        (
            "one_parenthesis_too_many.sgf",
            "line 1, column 21 (byte 20): found ')', expected nothing or another game: all parentheses are closed",
        ),
        ("empty_variation.sgf", "line 1, column 9 (byte 8): found ')', expected `;` after `(`"),
        ("stray_bracket.sgf", "line 1, column 14 (byte 13): found ']', expected a property, `;`, `(` or `)`"),
        (
            "not_utf8.sgf",
            "line 2, column 6 (byte 13): byte 0xeb is not UTF-8 (it may be ISO 8859-1: read it as Latin-1)",
        ),
        ("second_game.sgf", "line 1, column 16 (byte 15): a second game begins, one was expected"),
        ("property_after_variation.sgf", "line 1, column 16 (byte 15): found 'P', expected `(` or `)`"),
    ];
    compare("invalid", &table, |bytes| {
        let _ = laws::reading_and_writing_are_inverse(bytes);
        Tree::parse(bytes).unwrap_err().to_string()
    });
}

#[test]
fn unusable_records_give_one_clear_error() {
    let table = [
        ("no_size.hgf", "the size is missing: no SZ in the first node"),
        (
            "even_diameter.hgf",
            "SZ[d=8] is no size: expected an odd number: it is the length of the longest row",
        ),
        ("size_21.hgf", "no hexagon of size 21: sizes are 2 to 20"),
        ("size_1.hgf", "no hexagon of size 1: sizes are 2 to 20"),
        ("size_huge.hgf", "SZ[99999999999] is no size: expected a side of 2 to 20"),
        ("size_in_words.hgf", "SZ[ten] is no size: expected a number, or `d=` and a number"),
        (
            "off_board.hgf",
            "node 2, B: `e1` is not on a hexagon of size 4 (hgui notation): that row runs from e2 to e7",
        ),
        ("no_cell.hgf", "node 3, W: `?!` is no hgui cell: expected a letter at byte 0"),
        ("two_moves_in_one_property.hgf", "node 1: 2 values in one W property, a move has one"),
        ("stones_set_up_late.hgf", "node 2: AW changes the position after 2 moves"),
        ("unknown_notation.hgf", "no notation `klingon`: there are hgui, grid, rogers and web"),
    ];
    compare("invalid_record", &table, |bytes| {
        let _ = laws::reading_and_writing_are_inverse(bytes);
        let tree = Tree::parse(bytes).unwrap();
        assert_eq!(tree.to_bytes(), bytes, "a tree needs no sense");
        Record::read(&tree).unwrap_err().to_string()
    });
}

#[test]
fn line_ends_of_every_kind_come_back() {
    for end in ["\n", "\r\n", "\r", "\n\r"] {
        let text = format!("(;SZ[4]{end}C[a{end}b]{end}{end};W[a1]{end}){end}");
        let file = Collection::parse(text.as_bytes()).unwrap();
        assert_eq!(file.to_bytes(), text.as_bytes());
        assert_eq!(file.games[0].comment(file.games[0].root()).unwrap(), "a\nb");
    }
}

#[test]
fn a_byte_order_mark_is_text_before_the_game() {
    let text = "\u{FEFF}(;SZ[4])";
    let tree = Tree::parse_str(text).unwrap();
    assert_eq!((tree.to_string().as_str(), tree.text_before(), tree.text_after()), (text, "\u{FEFF}", ""));
}
