//! The game of Appendix B of Rogers (2004), drawn as in the report.

use stonework_board::{Board, Cell, Diagram, Glyphs, Notation, Stone};

const MOVES: &str = "J19 H16 K19 I16 I18 G16 I17 J17 J18 H15 G15 H14 K18 F15 K17 H17 K16 I15 K15 E14 \
    K14 G14 F14 F13 E13 E12 G13 D13 D12 I14 K13 J15 J16 I13 H13 F12 K12 J13 J14 J12 I12 E11 K11 C12 \
    K10 D11 C11 C10 D10 G12 H12 J11 F11 J10 K9 I9 I10 J9 K8 I11 K7 H11 G11 H10 H9 G10 K6 H8 I8 G8 G9 \
    E10 F10 E9 F9 D9 C9 D8 K5 B9 K4 J8 K3 K2 L3";

fn moves() -> Vec<Cell> {
    let board = Board::hexagon(10).unwrap();
    MOVES.split_whitespace().map(|name| Notation::Rogers.parse(board, name).unwrap()).collect()
}

fn after(count: usize) -> Diagram {
    let kinds = [Stone::Light, Stone::Dark].into_iter().cycle();
    moves()
        .into_iter()
        .take(count)
        .zip(kinds)
        .fold(Diagram::new(Board::hexagon(10).unwrap()), |d, (cell, kind)| d.stone(cell, kind))
        .notation(Notation::Rogers)
        .unwrap()
        .strokes(true)
        .glyphs(Glyphs::ROGERS)
}

const FINAL: &str = r"
                                    19
                                18       X \
                            17       X < |   X
                        16       O   |   X < |   .
                    15       O < |   X /     X       .
                14       O /     O \     O   |   .       .
            13       O /     X   |   O /     X       .       .
        12       O /     X /     O < |   X < |   .       .       .
    11       O /     X /     O < |   O \     X       .       .       .
10       .       X /     O /     O < |   O   |   .       .       .       .
     .       X /     O < |   X \     O /     X       .       .       .       .
 9       .       O < |   O \     X   |   X < |   .       .       .       .
     .       O /     O /     O   |   O \     X       .       .       .       .
 8       O /     X   |   X \     X \     O   |   .       .       .       .
     .       X /     O   |   X /     X   |   X       .       .       .       .
 7       .       O < |   X /     O \     O   |   .       .       .       .
     .       .   |   O   |   O < |   O < |   X       .       .       .       .
 6       .       O /     X \     O /     O   |   .       .       .       .
     .       .       .       X \     X   |   X       .       .       .       .
 5       .       .       .       X /     O   |   .       .       .       .
     .       .       .       O \     O < |   X       .       .       .       .
 4       .       .       .       O /     O   |   .       .       .       .
     .       .       .       .       X   |   X       .       .       .       .
 3       .       .       .       .       O   |   .       .       .       .
     .       .       .       .       .       X       .       .       .       .
 2       .       .       .       .       .   |   .       .       .       .
     .       .       .       .       .       X       .       .       .       .
 1       .       .       .       .       .   |   .       .       .       .
     .       .       .       .       .       X       .       .       .       .
         .       .       .       .       .   |   .       .       .       .
     A       .       .       .       .       X       .       .       .       S
         B       .       .       .       .   |   .       .       .       R
             C       .       .       .       X       .       .       Q
                 D       .       .       .   |   .       .       P
                     E       .       .       X \     .       O
                         F       .       .       X       N
                             G       .       O       M
                                 H       .       L
                                     I       K
                                         J
";

#[test]
fn final_board_has_every_stone_and_stroke() {
    let text = after(85).text();
    assert_eq!(text.lines().collect::<Vec<_>>(), FINAL.trim_matches('\n').lines().collect::<Vec<_>>());
}

/// The stones and strokes of a line, without the coordinates and the dots.
fn bare(line: &str) -> String {
    // The column letter O, in its place below column O, is no stone.
    let line = if line.ends_with('O') && line.contains('E') { &line[..line.len() - 1] } else { line };
    line.chars().filter(|c| r"XO|/\<".contains(*c)).collect()
}

/// The report's last drawing (after 85 moves) as far as its scanned text can be read.
///
/// The scan has no reliable spacing and no dots, and lost the place of many stones, but it has their order: top to
/// bottom, and along each line left to right. So the test compares the list of its pieces. A piece is the content of
/// one line of the scan, without blanks, row numbers, column letters and move numbers (`82:0 |` is `O|`). The digit 0
/// and the Greek and Cyrillic letters that look like O and X count as O and X. All 56 pieces are in our drawing, in
/// this order, each in one line and unbroken: 56 of the 85 stones and 36 of the 87 strokes.
///
/// Two pieces of the scan are irregular: they stand before other pieces of the same line that are left of them. Here
/// they are in their places, marked with `~`.
const PRINTED: &str = r"X\ X<| O X<| X/ O\ O/ O/ X O< O\ O<| O< X\ O/ X O\ X X< O/ O/ O ~O\ X X\ X\ O X O X/ X X
    O<| X/ ~O\ O O O<| O< X O X\ O/ O X/ O/ O X X O| X X X X X O";

#[test]
fn final_board_holds_all_that_can_be_read_in_the_print() {
    let text = after(85).text();
    let ours: Vec<String> = text.lines().map(bare).collect();
    let (mut line, mut from) = (0, 0);
    for piece in PRINTED.split_whitespace().map(|p| p.trim_start_matches('~')) {
        while let Some(rest) = ours.get(line) {
            if let Some(at) = rest[from..].find(piece) {
                from += at + piece.len();
                break;
            }
            (line, from) = (line + 1, 0);
        }
        assert!(line < ours.len(), "{piece} is not there");
    }
    let count = |of: &str, signs: &str| of.chars().filter(|&c| signs.contains(c)).count();
    assert_eq!((count(PRINTED, "XO"), count(PRINTED, r"|/\<")), (56, 36));
    assert_eq!((count(&ours.concat(), "XO"), count(&ours.concat(), r"|/\<")), (85, 87));
}

/// The top five lines of the report's first drawing (after 20 moves, with their numbers), compared without blanks and
/// dots. In the scan the row numbers 15 and 16 have lines of their own and `O` is the digit 0; the test corrects both.
#[test]
fn numbered_stones_are_written_as_in_the_print() {
    let diagram = (1..).zip(moves()).take(20).fold(after(20), |d, (n, cell)| d.label(cell, n.to_string()));
    let ours: Vec<String> = diagram
        .text()
        .lines()
        .map(|l| l.chars().filter(|c| !c.is_whitespace() && *c != '.').collect())
        .collect();
    let printed = ["19", r"18 1:X\", "17 5:X< | 3:X", "16 16:O | 9:X< |", "15 6:O< | 7:X/ 13:X"];
    for (ours, printed) in ours.iter().zip(printed) {
        assert_eq!(*ours, printed.replace(' ', ""));
    }
}
