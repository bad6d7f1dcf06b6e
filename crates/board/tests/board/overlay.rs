//! Marks, themes and drawings.

use std::collections::BTreeSet;

use proptest::prelude::*;
use stonework_board::{
    Board, Cell, CellClass, Diagonal, DiagonalDiagram, Diagram, Drawing, Figure, Overlay, PagePoint, Paint,
    Part, Rgb, Stone, StoneColours, Theme,
};

/// Marks of all kinds from numbers.
fn overlay(cells: usize, marks: &[(u8, usize, usize)]) -> Overlay {
    let cell = |number: usize| Cell::new(number % cells).unwrap();
    marks.iter().fold(Overlay::new(), |overlay, &(kind, a, b)| match kind % 8 {
        0 => overlay.label(cell(a), b.to_string()),
        1 => overlay.highlight([cell(a), cell(b)]),
        2 => overlay.heat(cell(a), b as f64 / 50.0),
        3 => overlay.ghost(cell(a), Stone::Light),
        4 => overlay.class([cell(a)], CellClass::Shared),
        5 => overlay.arrow(cell(a), cell(b)),
        6 => overlay.shot(cell(a), cell(b)),
        _ => overlay.ghost(cell(a), Stone::Dark),
    })
}

fn drawings(stones: &[usize], marks: &[(u8, usize, usize)]) -> [Drawing; 2] {
    let (board, lattice) = (Board::hexagon(4).unwrap(), Diagonal::of(2).unwrap());
    let cells = |count: usize| stones.iter().map(move |&number| Cell::new(number % count).unwrap());
    let diagram = Diagram::new(board).stones(cells(board.len()), Stone::Dark);
    let diagonal = DiagonalDiagram::new(lattice).stones(cells(lattice.len()), Stone::Light);
    [
        diagram.overlay(overlay(board.len(), marks)).drawing(),
        diagonal.overlay(overlay(lattice.len(), marks)).drawing(),
    ]
}

/// `true` if a part lies within a rectangle.
fn within(part: &Part, (from, to): (PagePoint, PagePoint)) -> bool {
    let (a, b) = part.bounds();
    from.x <= a.x && from.y <= a.y && b.x <= to.x && b.y <= to.y
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn drawings_differ_only_within_their_changes(
        before in (prop::collection::vec(0..100_usize, 0..8), prop::collection::vec((any::<u8>(), 0..100_usize, 0..100_usize), 0..8)),
        after in (prop::collection::vec(0..100_usize, 0..8), prop::collection::vec((any::<u8>(), 0..100_usize, 0..100_usize), 0..8)),
    ) {
        let pairs = drawings(&before.0, &before.1).into_iter().zip(drawings(&after.0, &after.1));
        for (before, after) in pairs {
            let changes = after.changes(&before);
            prop_assert_eq!(changes.is_empty(), before.parts() == after.parts());
            for (one, other) in [(&before, &after), (&after, &before)] {
                for part in one.parts().iter().filter(|part| !other.parts().contains(part)) {
                    prop_assert!(changes.iter().any(|&change| within(part, change)), "{part:?}");
                }
            }
            prop_assert!(after.changes(&after).is_empty());
            let svg = after.svg();
            prop_assert!(!svg.contains("NaN") && svg.matches("<text").count() == svg.matches("</text>").count());
        }
    }
}

/// Two circles, one above the other; and the lower one painted once more on top.
#[test]
fn parts_in_another_order_are_changes() {
    let circle = |x, radius| Figure::Circle { centre: PagePoint { x, y: 2000 }, radius };
    let drawing = |order: &[usize]| {
        let mut drawing = Drawing::new(99, 40, Rgb(255, 255, 255));
        for &at in order {
            let (x, radius) = [(2000, 900), (2300, 500), (8000, 500)][at];
            drawing.paint(circle(x, radius), Paint::filled(Rgb(0, 0, at as u8)));
        }
        drawing
    };
    let [one, other, twice] = [drawing(&[0, 1, 2]), drawing(&[1, 0, 2]), drawing(&[0, 1, 0, 2])];
    let first = (PagePoint { x: 1100, y: 1100 }, PagePoint { x: 2900, y: 2900 });
    for (one, other) in [(&one, &other), (&other, &one), (&one, &twice), (&twice, &one)] {
        let changes = one.changes(other);
        assert!(changes.contains(&first) && changes.iter().all(|(_, to)| to.x < 7000), "{changes:?}");
    }
    assert!(one.changes(&one).is_empty());
}

#[test]
fn marks_are_painted_once_and_ghosts_give_way_to_stones() {
    let board = Board::hexagon(3).unwrap();
    let cell = |name: &str| board.parse(name).unwrap();
    let count = |overlay: Overlay| {
        let with = Diagram::new(board).stone(cell("c3"), Stone::Light).overlay(overlay).drawing();
        with.parts().len() - Diagram::new(board).stone(cell("c3"), Stone::Light).drawing().parts().len()
    };
    assert_eq!(count(Overlay::new().ghost(cell("c2"), Stone::Dark)), 1);
    assert_eq!(count(Overlay::new().ghost(cell("c3"), Stone::Dark)), 0);
    assert_eq!(count(Overlay::new().heat(cell("c3"), f64::NAN).heat(cell("c2"), 7.0)), 2);
    assert_eq!(count(Overlay::new().class([cell("a1"), cell("a2"), cell("a1")], CellClass::Dead)), 2);
    // An arrow has a shaft and a head; a shot has a line and a cross.
    assert_eq!(count(Overlay::new().arrow(cell("a1"), cell("c3"))), 2);
    assert_eq!(count(Overlay::new().arrow(cell("a1"), cell("a1"))), 0);
    assert_eq!(count(Overlay::new().shot(cell("a1"), cell("c3"))), 3);
    // Two neighbouring cells have ten sides around them.
    assert_eq!(count(Overlay::new().highlight([cell("b2"), cell("b3")])), 2 + 10);
    let both = Overlay::new().label(cell("a1"), "1").and(Overlay::new().label(cell("a1"), "2"));
    assert_eq!(Diagram::new(board).overlay(both).label_on(cell("a1")), Some("2"));
}

#[test]
fn the_text_of_the_diagonal_lattice_shows_ghosts_heat_and_highlights() {
    let lattice = Diagonal::of(1).unwrap();
    let cell = |name: &str| lattice.parse(name).unwrap();
    let overlay = Overlay::new().ghost(cell("C02"), Stone::Dark).heat(cell("B04"), 0.5);
    let diagram = DiagonalDiagram::new(lattice).overlay(overlay.highlight([cell("A01")]));
    let marks: Vec<char> = diagram.text().chars().filter(|c| "?*".contains(*c)).collect();
    assert_eq!(marks, ['?', '*']);
    let plain = DiagonalDiagram::new(lattice).text();
    let digits = |text: &str| text.matches('5').count();
    assert_eq!(digits(&diagram.text()), digits(&plain) + 1);
}

#[test]
#[should_panic(expected = "is not on the board")]
fn a_mark_beyond_the_board_is_refused() {
    let board = Board::hexagon(2).unwrap();
    let _ = Diagram::new(board).overlay(Overlay::new().heat(Cell::new(7).unwrap(), 0.5));
}

/// The contrast of two colours by the Web Content Accessibility Guidelines 2.1, from 1 to 21.
fn contrast(a: Rgb, b: Rgb) -> f64 {
    let part = |part: u8| {
        let share = f64::from(part) / 255.0;
        if share <= 0.03928 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
    };
    let light = |c: Rgb| 0.2126 * part(c.0) + 0.7152 * part(c.1) + 0.0722 * part(c.2) + 0.05;
    (light(a) / light(b)).max(light(b) / light(a))
}

#[test]
fn every_letter_of_every_theme_can_be_read() {
    for theme in Theme::ALL {
        let below = [theme.background, theme.board, theme.upright, theme.corner, theme.tint];
        let below = below.into_iter().chain(theme.heat).chain(theme.classes);
        let mut pairs: Vec<(Rgb, Rgb)> = below.map(|colour| (theme.ink, colour)).collect();
        pairs.push((theme.faint, theme.background));
        pairs
            .extend([theme.white, theme.black, theme.red, theme.blue].map(|stone| (stone.label, stone.fill)));
        for (letter, below) in pairs {
            assert!(contrast(letter, below) >= 4.5, "{}: {letter} on {below}", theme.name);
        }
        let sides = [StoneColours::WhiteBlack, StoneColours::RedBlue, StoneColours::BlueRed];
        let looks = sides.map(|side| [Stone::Light, Stone::Dark].map(|stone| theme.stone(side, stone)));
        assert!(looks.iter().all(|[light, dark]| light.fill != dark.fill));
        assert_eq!(looks[1][0], looks[2][1]);
        assert_eq!(Theme::named(theme.name), Ok(theme));
    }
    let names: BTreeSet<&str> = Theme::ALL.iter().map(|theme| theme.name).collect();
    assert_eq!(names.len(), 5);
    assert_eq!(Theme::named(&"x".repeat(99)).unwrap_err().to_string().matches('x').count(), 40);
}

#[test]
fn a_piece_is_the_stone_of_a_drawing() {
    let board = Board::hexagon(3).unwrap();
    let first = board.cells().next().unwrap();
    let diagram = Diagram::new(board).theme(Theme::WOOD);
    let drawing = diagram.clone().stone(first, Stone::Dark).drawing();
    assert!(drawing.parts().contains(&diagram.piece(Stone::Dark)));
    let lattice = Diagonal::of(3).unwrap();
    let Figure::Bar { from, to, .. } = DiagonalDiagram::new(lattice).piece(Stone::Light).figure else {
        panic!("stones of the lattice are bars");
    };
    assert_eq!((to.x - from.x, to.y - from.y), (1400, 6000));
}
