//! Laws of `Cell` and `CellSet`, and the sizes, thread safety and `serde` forms of the small types of the crate.

use std::collections::BTreeSet;

use bitvec::prelude::*;
use proptest::prelude::*;
use stonework_board::{
    Axial, Board, Cell, CellSet, Diagonal, DiagonalDiagram, DiagonalSymmetry, Diagram, Direction, Heading,
    Intersection, MAX_CELLS, Notation, NotationError, Symmetry,
};

fn set(indices: &BTreeSet<usize>) -> CellSet {
    indices.iter().map(|&i| Cell::new(i).unwrap()).collect()
}

fn indices(set: &CellSet) -> Vec<usize> {
    set.iter().map(Cell::index).collect()
}

fn index_sets() -> impl Strategy<Value = BTreeSet<usize>> {
    proptest::collection::btree_set(0..MAX_CELLS, 0..200)
}

#[test]
fn small_types_keep_their_sizes() {
    assert_eq!(size_of::<Cell>(), 2);
    assert_eq!(size_of::<Option<Cell>>(), 4, "2 would need a niche, which `Cell` does not have");
    assert_eq!(size_of::<CellSet>(), 144);
    assert_eq!((size_of::<Symmetry>(), size_of::<DiagonalSymmetry>()), (1, 1));
    assert_eq!((size_of::<Direction>(), size_of::<Heading>(), size_of::<Axial>()), (1, 1, 4));
    assert_eq!((size_of::<Intersection>(), size_of::<Notation>()), (2, 1));
}

#[test]
fn boards_sets_and_diagrams_can_be_shared_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Board>();
    shared::<Diagonal>();
    shared::<CellSet>();
    shared::<Diagram>();
    shared::<DiagonalDiagram>();
    shared::<NotationError>();
}

#[test]
fn cells_are_the_numbers_of_the_largest_board() {
    assert_eq!(Board::hexagon(20).unwrap().len(), MAX_CELLS);
    assert_eq!(Cell::new(MAX_CELLS - 1).map(Cell::index), Some(1140));
    assert_eq!(Cell::new(MAX_CELLS), None);
    assert_eq!(Cell::new(usize::MAX), None);
    assert_eq!(u16::from(Cell::try_from(7).unwrap()), 7);
    let error = Cell::try_from(1141).unwrap_err();
    assert_eq!(error.to_string(), "1141 is no cell: the largest board has cells 0 to 1140");
    assert_eq!(format!("{:?}", Cell::new(3)), "Some(Cell(3))");
}

proptest! {
    #[test]
    fn a_cell_set_is_an_ordered_set(a in index_sets(), b in index_sets()) {
        let (x, y) = (set(&a), set(&b));
        prop_assert_eq!(indices(&x), a.iter().copied().collect::<Vec<_>>());
        prop_assert_eq!(x.len(), a.len());
        prop_assert_eq!(x.is_empty(), a.is_empty());
        prop_assert_eq!(x.first().map(Cell::index), a.first().copied());
        prop_assert_eq!(indices(&(x | y)), a.union(&b).copied().collect::<Vec<_>>());
        prop_assert_eq!(indices(&(x & y)), a.intersection(&b).copied().collect::<Vec<_>>());
        prop_assert_eq!(indices(&(x - y)), a.difference(&b).copied().collect::<Vec<_>>());
        prop_assert_eq!(x == y, a == b);
        prop_assert!((0..MAX_CELLS).all(|i| x.contains(Cell::new(i).unwrap()) == a.contains(&i)));
        prop_assert_eq!(format!("{x:?}"), format!("{a:?}"));
    }

    /// `bitvec` is the judge of the operations on whole sets.
    #[test]
    fn set_operations_are_those_of_a_bit_array(a in index_sets(), b in index_sets()) {
        type Bits = BitArr!(for MAX_CELLS, in u64);
        let bits = |indices: &BTreeSet<usize>| {
            let mut bits = Bits::ZERO;
            for &i in indices { bits.set(i, true); }
            bits
        };
        let ones = |bits: Bits| -> Vec<usize> { bits[..MAX_CELLS].iter_ones().collect() };
        let ((x, y), (p, q)) = ((set(&a), set(&b)), (bits(&a), bits(&b)));
        prop_assert_eq!(indices(&(x | y)), ones(p | q));
        prop_assert_eq!(indices(&(x & y)), ones(p & q));
        prop_assert_eq!(indices(&(x ^ y)), ones(p ^ q));
        prop_assert_eq!(indices(&(x - y)), ones(p & !q));
        prop_assert_eq!(indices(&!x), ones(!p));
        prop_assert_eq!(!!x, x);
        prop_assert_eq!(x.len(), p.count_ones());
        prop_assert_eq!(x.is_subset(&y), (p & !q).not_any());
        prop_assert!((x & y).is_subset(&x) && x.is_subset(&(x | y)));
        prop_assert_eq!(x.is_disjoint(&y), (p & q).not_any());
        let mut changed = x;
        changed |= y;
        changed &= !(x & y);
        prop_assert_eq!(changed, x ^ y);
        changed ^= x;
        changed -= y;
        prop_assert_eq!(changed, (y - x) - y);
    }

    #[test]
    fn insert_and_remove_return_true_if_they_change_the_set(
        steps in proptest::collection::vec((any::<bool>(), 0..MAX_CELLS), 0..400),
    ) {
        let (mut cells, mut model) = (CellSet::new(), BTreeSet::new());
        for (insert, index) in steps {
            let cell = Cell::new(index).unwrap();
            if insert {
                prop_assert_eq!(cells.insert(cell), model.insert(index));
            } else {
                prop_assert_eq!(cells.remove(cell), model.remove(&index));
            }
        }
        prop_assert_eq!(indices(&cells), model.into_iter().collect::<Vec<_>>());
    }
}

#[cfg(feature = "serde")]
mod serial {
    use super::*;

    #[test]
    fn values_have_stable_json_and_are_read_back() {
        let cells = set(&BTreeSet::from([0, 63, 64, 1140]));
        let text = serde_json::to_string(&cells).unwrap();
        assert_eq!(text, "[0,63,64,1140]");
        assert_eq!(serde_json::from_str::<CellSet>(&text).unwrap(), cells);
        assert_eq!(serde_json::to_string(&Cell::new(1140)).unwrap(), "1140");
        for notation in Notation::ALL {
            let text = serde_json::to_string(&notation).unwrap();
            assert_eq!(text, format!("\"{notation}\""));
            assert_eq!(serde_json::from_str::<Notation>(&text).unwrap(), notation);
        }
        for symmetry in DiagonalSymmetry::ALL {
            let text = serde_json::to_string(&symmetry).unwrap();
            assert_eq!(serde_json::from_str::<DiagonalSymmetry>(&text).unwrap(), symmetry);
        }
        let text = serde_json::to_string(&(Axial::new(-1, 4), Direction::SE)).unwrap();
        assert_eq!(text, r#"[{"row":-1,"column":4},"SE"]"#);
        for symmetry in Symmetry::ALL {
            let text = serde_json::to_string(&symmetry).unwrap();
            assert_eq!(serde_json::from_str::<Symmetry>(&text).unwrap(), symmetry);
        }
    }

    #[test]
    fn reading_refuses_numbers_out_of_range_and_other_json() {
        let error = serde_json::from_str::<Cell>("1141").unwrap_err().to_string();
        assert!(error.contains("1141 is no cell: the largest board has cells 0 to 1140"), "{error}");
        let error = serde_json::from_str::<CellSet>("[3,65535]").unwrap_err().to_string();
        assert!(error.contains("65535 is no cell"), "{error}");
        let error = serde_json::from_str::<Symmetry>("12").unwrap_err().to_string();
        assert!(error.contains("12 is no symmetry of the hexagon: it has 0 to 11"), "{error}");
        let error = serde_json::from_str::<DiagonalSymmetry>("4").unwrap_err().to_string();
        assert!(error.contains("4 is no symmetry of the diagonal lattice: it has 0 to 3"), "{error}");
        for bad in ["-1", "65536", "1.5", "\"a1\"", "null"] {
            assert!(serde_json::from_str::<Cell>(bad).is_err(), "{bad}");
            assert!(serde_json::from_str::<Symmetry>(bad).is_err(), "{bad}");
        }
    }
}
