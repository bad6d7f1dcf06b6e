//! Diagrams as text, and SVG as valid XML.

use crate::common::all_boards;
use stonework_board::{
    Board, Cell, Diagonal, DiagonalDiagram, Diagram, Figure, Glyphs, Layout, Notation, Stone,
};

/// A diagram with stones, marks and labels on all kinds of cells.
fn busy(board: &'static Board) -> Diagram {
    let centre = board.cells().nth(board.len() / 2).unwrap();
    board
        .cells()
        .enumerate()
        .fold(Diagram::new(board), |diagram, (i, cell)| match i % 5 {
            0 => diagram.stone(cell, Stone::Light),
            1 | 2 => diagram.stone(cell, Stone::Dark).label(cell, i.to_string()),
            3 => diagram.label(cell, "<&\">'"),
            _ => diagram.highlight([cell]),
        })
        .last(centre)
        .title("A <tag> & \"more\"\nof it")
}

fn every_way(diagram: &Diagram, shape_fits: impl Fn(Notation) -> bool) -> Vec<Diagram> {
    let mut ways = Vec::new();
    for notation in Notation::ALL.into_iter().filter(|&n| shape_fits(n)) {
        for layout in [Layout::Rows, Layout::Columns] {
            for (strokes, coordinates) in [(false, true), (true, true), (true, false), (false, false)] {
                let way = diagram.clone().notation(notation).unwrap().layout(layout);
                ways.push(way.strokes(strokes).coordinates(coordinates));
            }
        }
    }
    ways
}

/// Compares two texts without the line breaks at both ends of `expected`.
#[track_caller]
fn same(diagram: &Diagram, expected: &str) {
    let text = diagram.text();
    assert!(text == expected.trim_matches('\n'), "drawn:\n{text}\nexpected:\n{expected}");
    assert_eq!(diagram.to_string(), text);
}

fn empty(board: &'static Board, notation: Notation) -> Diagram {
    Diagram::new(board).notation(notation).unwrap()
}

#[test]
fn every_cell_can_be_named_from_the_coordinates() {
    let board = Board::hexagon(4).unwrap();
    let hgui = r"
      1 2 3 4
   a . . . . 5
  b . . . . . 6
 c . . . . . . 7
d . . . . . . .
 e . . . . . .
  f . . . . .
   g . . . .
";
    same(&empty(board, Notation::Hgui), hgui);
    // Numbers count from the left end, so the lower half has numbers of its own.
    let grid = r"
      1 2 3 4
   a . . . . 5
  b . . . . . 6
 c . . . . . . 7
d . . . . . . .
 e . . . . . . 7
  f . . . . . 6
   g . . . . 5
      1 2 3 4
";
    same(&empty(board, Notation::Grid), grid);
    let web = r"
      r q p o
   l . . . . n
  m . . . . . m
 n . . . . . . l
o . . . . . . .
 p . . . . . .
  q . . . . .
   r . . . .
";
    same(&empty(board, Notation::Web), web);
    let rhombus = r"
 1 2 3 4 5
a . . . . . a
 b . . . . . b
  c . . . . . c
   d . . . . . d
    e . . . . . e
       1 2 3 4 5
";
    same(&Diagram::new(Board::rhombus(5).unwrap()), rhombus);
    same(&Diagram::new(Board::rhombus(1).unwrap()), " 1\na . a\n   1");
}

#[test]
fn rogers_has_a1_at_the_bottom_left() {
    let board = Board::hexagon(3).unwrap();
    let a1 = Notation::Rogers.parse(board, "A1").unwrap();
    let expected = r"
      5
   4     .
3     .     .
   .     .     .
2     .     .
   .     .     .
1     .     .
   O     .     .
      .     .
   A     .     E
      B     D
         C
";
    same(&empty(board, Notation::Rogers).stone(a1, Stone::Light), expected);
}

#[test]
fn columns_suit_every_notation() {
    let rhombus = r"
         c
      b     3
   a     .
      .     2
   .     .
3     .     1
   .     .
2     .
   .     c
1     b
   a
";
    same(&Diagram::new(Board::rhombus(3).unwrap()).layout(Layout::Columns), rhombus);
    let grid = r"
   3     3
2     .     2
   .     .
1     .     1
   .     .
      .
   a     c
      b
";
    same(&empty(Board::hexagon(2).unwrap(), Notation::Grid).layout(Layout::Columns), grid);
}

#[test]
fn numbers_that_would_touch_stand_upright() {
    let text = Diagram::new(Board::hexagon(12).unwrap()).text();
    let top: Vec<_> = text.lines().take(3).collect();
    assert_eq!(
        top,
        [
            "                                1 1 1",
            "              1 2 3 4 5 6 7 8 9 0 1 2",
            "           a . . . . . . . . . . . . 13",
        ]
    );
    let text = Diagram::new(Board::rhombus(11).unwrap()).text();
    let bottom: Vec<_> = text.lines().skip(12).collect();
    assert_eq!(
        bottom,
        [
            "          k . . . . . . . . . . . k",
            "             1 2 3 4 5 6 7 8 9 1 1",
            "                               0 1",
        ]
    );
}

/// A diagram with five stones, of which two pairs touch.
fn stones() -> Diagram {
    let board = Board::hexagon(3).unwrap();
    let cell = |name: &str| board.parse(name).unwrap();
    Diagram::new(board)
        .stones(["b2", "c3", "c2"].map(cell), Stone::Light)
        .stones(["c4", "d4"].map(cell), Stone::Dark)
        .last(cell("c3"))
}

#[test]
fn the_last_move_stands_in_brackets_and_moves_nothing() {
    let expected = r"
     1 2 3
  a . . . 4
 b . O . . 5
c . O(O)@ .
 d . . @ .
  e . . .
";
    same(&stones(), expected);
    let plain = expected.replace(['(', ')'], " ");
    assert_eq!(stones().text().replace(['(', ')'], " "), plain.trim_matches('\n'));
}

#[test]
fn marked_cells_have_a_star_and_room_for_it() {
    let board = Board::hexagon(3).unwrap();
    let cell = |name: &str| board.parse(name).unwrap();
    let expected = r"
          1   2   3
    a   .   .   .   4
  b   .   O*  .   .   5
c   .   O* (O)* @   .
  d   .   .   @   .
    e   .   .   .*
";
    same(&stones().highlight(["b2", "c3", "c2", "e5"].map(cell)), expected);
}

#[test]
fn numbers_stand_before_stones_and_other_labels_in_place_of_dots() {
    let board = Board::hexagon(3).unwrap();
    let cell = |name: &str| board.parse(name).unwrap();
    let labelled =
        stones().label(cell("c3"), "11").label(cell("c4"), "8").label(cell("e5"), "?").title("Game 1");
    let expected = r"
Game 1
               1     2     3
      a     .     .     .     4
   b     .     O     .     .     5
c     .     O (11:O)  8:@     .
   d     .     .     @     .
      e     .     .     ?
";
    same(&labelled, expected);
    same(
        &labelled.label(cell("c3"), "").label(cell("c4"), "\n").label(cell("e5"), " ").title(""),
        &stones().text(),
    );
}

#[test]
fn strokes_join_equal_neighbours() {
    let rows = r"
          1   2   3

    a   .   .   .   4

  b   .   O   .   .   5
         / \
c   .   O- (O)  @   .
               /
  d   .   .   @   .

    e   .   .   .
";
    same(&stones().strokes(true), rows);
    let columns = r"
        5
    4       .
3       .       .
    .       O \     .
2       .       O
    .      (X)      .
1       X < |   .
    .       X       .
        .       .
    A       .       E
        B       D
            C
";
    let rogers = stones().strokes(true).notation(Notation::Rogers).unwrap().glyphs(Glyphs::ROGERS);
    same(&rogers, columns);
}

#[test]
fn coordinates_can_be_left_out() {
    let expected = r"
  . . .
 . O . .
. O(O)@ .
 . . @ .
  . . .
";
    same(&stones().coordinates(false), expected);
}

#[test]
fn text_has_every_cell_once_and_no_trailing_space() {
    for board in all_boards() {
        for way in every_way(&Diagram::new(board), |n| n.fits(board.shape()).is_ok()) {
            let text = way.text();
            assert_eq!(text.matches('.').count(), board.len());
            assert!(text.lines().all(|line| line == line.trim_end()) && !text.ends_with('\n'));
            assert!(text.lines().any(|line| !line.starts_with(' ')));
        }
    }
}

#[test]
fn no_sign_is_written_over_another() {
    for board in all_boards().filter(|b| b.size() < 13) {
        for way in every_way(&busy(board), |n| n.fits(board.shape()).is_ok()) {
            let way = way.coordinates(false);
            let text = way.text();
            let (title, text) = text.split_once('\n').unwrap();
            assert_eq!(title, "A <tag> & \"more\" of it");
            let light = board.len().div_ceil(5);
            let marked = board.len() / 5;
            assert_eq!((text.matches('O').count(), text.matches('*').count()), (light, marked), "{text}");
            assert_eq!(text.matches("<&\">'").count(), (board.len() + 1) / 5, "{text}");
            assert_eq!(text.matches('@').count(), text.matches(':').count());
        }
    }
}

#[test]
fn a_notation_that_does_not_fit_is_refused() {
    let refused = Diagram::new(Board::rhombus(3).unwrap()).notation(Notation::Hgui);
    let text = "hgui notation does not name the cells of a rhombus of size 3";
    assert_eq!(refused.unwrap_err().to_string(), text);
}

#[test]
#[should_panic(expected = "Cell(7) is not on the board")]
fn a_mark_beside_the_board_is_refused() {
    let _ = Diagram::new(Board::hexagon(2).unwrap()).last(Cell::new(7).unwrap());
}

/// The names of the elements of an XML text, which must be well formed as far as this project writes
/// XML: elements, attributes in double quotes, and the three escapes.
fn elements(xml: &str) -> Vec<String> {
    let mut open: Vec<&str> = Vec::new();
    let mut names = Vec::new();
    let mut rest = xml;
    while let Some(start) = rest.find('<') {
        let text = &rest[..start];
        assert!(!text.contains('>'), "stray > in {text}");
        assert!(
            text.split('&').skip(1).all(|t| ["amp;", "lt;", "gt;"].iter().any(|e| t.starts_with(e))),
            "{text}"
        );
        assert!(!open.is_empty() || text.trim().is_empty(), "text outside: {text}");
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
            continue;
        }
        let body = tag.strip_suffix('/').unwrap_or(tag);
        let (name, attributes) = body.split_once(' ').unwrap_or((body, ""));
        assert!(!name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase()), "<{tag}>");
        let mut seen = Vec::new();
        let mut pieces = attributes.split('"');
        while let Some(key) = pieces.next().map(str::trim).filter(|k| !k.is_empty()) {
            let key = key.strip_suffix('=').expect("an attribute has a value");
            assert!(key.chars().all(|c| c.is_ascii_alphabetic() || c == '-'), "{key}");
            assert!(!pieces.next().expect("a value ends").contains(['&', '<']));
            assert!(!seen.contains(&key), "{key} twice");
            seen.push(key);
        }
        names.push(name.to_owned());
        if !tag.ends_with('/') {
            assert!(!open.is_empty() || names.len() == 1, "a second root");
            open.push(name);
        }
    }
    assert!(open.is_empty() && rest.trim().is_empty());
    names
}

#[test]
fn svg_is_well_formed_and_shows_each_stone_once() {
    for board in all_boards() {
        let diagram = busy(board);
        for way in every_way(&diagram, |n| n.fits(board.shape()).is_ok()) {
            let svg = way.svg();
            assert_eq!(svg, way.clone().svg(), "the same bytes every time");
            let names = elements(&svg);
            let count = |name: &str| names.iter().filter(|n| *n == name).count();
            let stones = board.cells().filter(|c| c.index() % 5 < 3).count();
            assert_eq!((names[0].as_str(), count("title")), ("svg", 1));
            assert_eq!(count("circle"), stones + 1, "the stones and the mark of the last move");
            assert!(svg.contains("<title>A &lt;tag&gt; &amp; \"more\" of it</title>"));
            assert!(!svg.contains("NaN") && !svg.contains("-0 ") && !svg.contains("-0\""));
            assert!(["script", "style", "href", "url("].iter().all(|word| !svg.contains(word)));
        }
    }
}

#[test]
fn svg_keeps_inside_its_page() {
    for board in all_boards() {
        for way in every_way(&busy(board), |n| n.fits(board.shape()).is_ok()) {
            let svg = way.svg();
            let attribute = |tag: &str, key: &str| -> f64 {
                let (_, value) = tag.split_once(&format!(" {key}=\"")).unwrap();
                value.split_once('"').unwrap().0.parse().unwrap()
            };
            let (width, height) = (attribute(&svg, "width"), attribute(&svg, "height"));
            assert!(svg.contains(&format!("viewBox=\"0 0 {width} {height}\"")));
            for tag in svg.split('<').filter(|t| t.starts_with("circle") || t.starts_with("text")) {
                let (x, y, reach) = if tag.starts_with("circle") {
                    (attribute(tag, "cx"), attribute(tag, "cy"), attribute(tag, "r"))
                } else {
                    (attribute(tag, "x"), attribute(tag, "y"), 6.0)
                };
                assert!(
                    x - reach >= 0.0 && x + reach <= width && y - reach >= 0.0 && y + reach <= height,
                    "{tag}"
                );
            }
        }
    }
}

#[test]
fn labels_that_are_no_xml_are_made_so() {
    let board = Board::hexagon(2).unwrap();
    let cell = board.parse("a1").unwrap();
    let svg = Diagram::new(board).label(cell, "\u{0}\u{fffe}]]>\u{1b}x").svg();
    elements(&svg);
    assert!(svg.contains(">\u{fffd}]]&gt; x</text>"));
}

#[test]
fn a_small_svg_is_this() {
    let board = Board::hexagon(2).unwrap();
    let svg = Diagram::new(board).stone(board.parse("b2").unwrap(), Stone::Dark).svg();
    assert_eq!(svg, include_str!("../data/two.svg"));
}

/// A page in a browser lays the areas over the picture: each stone must lie in the area of its cell.
#[test]
fn areas_are_the_places_of_the_stones() {
    let board = Board::hexagon(4).unwrap();
    for layout in [Layout::Rows, Layout::Columns] {
        for cell in board.cells() {
            let diagram = Diagram::new(board).layout(layout).title("a title above").stone(cell, Stone::Dark);
            let area = diagram.areas().swap_remove(cell.index());
            let stone = diagram.drawing().parts().iter().find_map(|part| match part.figure {
                Figure::Circle { centre, .. } => Some(centre),
                _ => None,
            });
            assert_eq!((area.cell, area.stone), (cell, Some(Stone::Dark)));
            let (at, stone) = (area.centre(), stone.unwrap());
            assert!((at.x - stone.x).abs() <= 1 && (at.y - stone.y).abs() <= 1, "{cell:?}: {at} and {stone}");
        }
    }
    let lattice = Diagonal::of(2).unwrap();
    for cell in lattice.cells() {
        let diagram = DiagonalDiagram::new(lattice).title("a title above").last(cell);
        let area = diagram.areas().swap_remove(cell.index());
        let dot = diagram.drawing().parts().iter().find_map(|part| match part.figure {
            Figure::Circle { centre, .. } => Some(centre),
            _ => None,
        });
        assert_eq!((area.cell, area.stone, area.centre()), (cell, None, dot.unwrap()));
    }
}
