//! Laws of the symmetries and of their effect on boards.

use std::collections::BTreeSet;

use crate::common::all_boards;
use stonework_board::{Axial, Board, Cell, CellSet, Shape, Symmetry};

/// The boards of sizes up to 6, and the largest board of each shape.
fn some_boards() -> impl Iterator<Item = &'static Board> {
    all_boards().filter(|b| b.size() <= 6 || b.shape().limits().1 == b.size())
}

#[test]
fn the_twelve_form_a_group() {
    assert_eq!(Symmetry::ALL.map(Symmetry::number), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    assert_eq!((Symmetry::new(12), Symmetry::default()), (None, Symmetry::IDENTITY));
    for a in Symmetry::ALL {
        assert_eq!((a.then(Symmetry::IDENTITY), Symmetry::IDENTITY.then(a)), (a, a));
        assert_eq!((a.then(a.inverse()), a.inverse().then(a)), (Symmetry::IDENTITY, Symmetry::IDENTITY));
        for b in Symmetry::ALL {
            assert!(Symmetry::ALL.contains(&a.then(b)));
            assert_eq!(a.then(b).inverse(), b.inverse().then(a.inverse()));
            for c in Symmetry::ALL {
                assert_eq!(a.then(b).then(c), a.then(b.then(c)));
            }
        }
    }
}

#[test]
fn the_four_of_a_rhombus_form_a_subgroup() {
    for board in all_boards() {
        let group = Symmetry::of(board.shape());
        assert_eq!(group.len(), if matches!(board.shape(), Shape::Hexagon(_)) { 12 } else { 4 });
        assert_eq!(group[0], Symmetry::IDENTITY);
        for &a in group {
            assert!(group.contains(&a.inverse()));
            assert!(group.iter().all(|&b| group.contains(&a.then(b))));
        }
    }
    // Klein's group: each element is its own inverse.
    let rhombus = Board::rhombus(5).unwrap().shape();
    assert!(Symmetry::of(rhombus).iter().all(|&s| s.inverse() == s));
}

#[test]
fn element_one_turns_clockwise_and_element_six_mirrors_left_and_right() {
    let board = Board::hexagon(4).unwrap();
    let map =
        |n: u8, name: &str| board.name(board.map(Symmetry::new(n).unwrap(), board.parse(name).unwrap()));
    assert_eq!(["a1", "a4", "d7", "g7", "g4", "d1"].map(|c| map(1, c)), ["a4", "d7", "g7", "g4", "d1", "a1"]);
    assert_eq!(["a1", "d1", "g4", "d4", "b2"].map(|c| map(6, c)), ["a4", "d7", "g7", "d4", "b4"]);
    assert_eq!(map(7, "a1"), map(1, "a4"), "first mirrors, then turns");
    assert_eq!(Symmetry::new(1).unwrap().apply(Axial::new(0, -1)), Axial::new(-1, -1));
}

#[test]
fn doing_one_map_after_another_is_the_map_of_the_product() {
    for board in some_boards() {
        let group = Symmetry::of(board.shape());
        for cell in board.cells() {
            assert_eq!(board.map(Symmetry::IDENTITY, cell), cell);
            for &a in group {
                assert_eq!(board.map(a.inverse(), board.map(a, cell)), cell);
                for &b in group {
                    assert_eq!(board.map(b, board.map(a, cell)), board.map(a.then(b), cell));
                }
            }
        }
    }
}

#[test]
fn maps_are_different_bijections_that_keep_neighbours_corners_and_edges() {
    for board in some_boards() {
        let mut maps = BTreeSet::new();
        for &symmetry in Symmetry::of(board.shape()) {
            let image = |c: Cell| board.map(symmetry, c);
            let images: Vec<_> = board.cells().map(image).collect();
            assert_eq!(images.iter().copied().collect::<CellSet>().len(), board.len());
            for cell in board.cells() {
                let neighbours: BTreeSet<_> = board.neighbours(cell).map(image).collect();
                assert_eq!(neighbours, board.neighbours(image(cell)).collect());
                assert_eq!(board.is_rim(cell), board.is_rim(image(cell)));
                let bits = |c: Cell| (board.corner_mask(c).count_ones(), board.edge_mask(c).count_ones());
                assert_eq!(bits(cell), bits(image(cell)));
            }
            let edges: BTreeSet<BTreeSet<_>> = (0..6).map(|e| board.edge_cells(e).collect()).collect();
            let mapped = (0..6).map(|e| board.edge_cells(e).map(image).collect()).collect();
            assert_eq!(edges, mapped);
            maps.insert(images);
        }
        let different = match board.shape() {
            Shape::Rhombus(1) => 1,
            shape => Symmetry::of(shape).len(),
        };
        assert_eq!(maps.len(), different, "{board:?}");
    }
}

#[test]
fn a_set_is_mapped_cell_by_cell() {
    for board in some_boards() {
        let set: CellSet = board.cells().filter(|c| c.index() % 3 == 1).collect();
        for &symmetry in Symmetry::of(board.shape()) {
            let expected = set.iter().map(|c| board.map(symmetry, c)).collect();
            assert_eq!(board.map_set(symmetry, &set), expected);
        }
    }
}

#[test]
#[should_panic(expected = "a rhombus has no symmetry 1")]
fn a_rhombus_refuses_the_sixth_of_a_turn() {
    let board = Board::rhombus(3).unwrap();
    let _ = board.map(Symmetry::new(1).unwrap(), board.cells().next().unwrap());
}
