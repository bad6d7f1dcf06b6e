//! Laws over generated trees.

mod common;

use common::{Piece, sample};
use proptest::prelude::*;
use proptest::sample::Index;
use stonework_board::{Board, Notation};
use stonework_record::{
    Action, Builder, Colour, Dialect, EditError, LetterCase, NodeId, ParseError, Record, RecordError,
    SizeStyle, Tree, convert, escape, laws,
};

#[test]
fn trees_and_records_go_to_other_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Tree>();
    shared::<Record>();
    shared::<Builder>();
    shared::<(ParseError, RecordError, EditError)>();
    assert_eq!((size_of::<NodeId>(), size_of::<Action>()), (4, 4));
}

fn nth(tree: &Tree, n: usize) -> NodeId {
    tree.descendants(tree.root()).nth(n).unwrap()
}

/// Depth and properties of every node in order.
fn content(tree: &Tree) -> Vec<(usize, Vec<String>)> {
    let properties = |node| {
        let text = |p: stonework_record::Property<'_>| {
            format!("{}{:?}", p.written_name(), p.values().map(|v| v.raw().to_owned()).collect::<Vec<_>>())
        };
        tree.properties(node).map(text).collect()
    };
    tree.descendants(tree.root()).map(|n| (tree.line_to(n).len(), properties(n))).collect()
}

proptest! {
    #[test]
    fn writing_undoes_reading(sample in sample()) {
        let text = sample.text();
        let tree = Tree::parse_str(&text).unwrap();
        prop_assert_eq!(tree.to_string(), text.as_str());
        prop_assert_eq!(tree.to_bytes(), text.as_bytes());
        prop_assert!(laws::reading_and_writing_are_inverse(text.as_bytes()));
    }

    #[test]
    fn nodes_hang_where_the_parentheses_say(sample in sample()) {
        let tree = Tree::parse_str(&sample.text()).unwrap();
        let parents: Vec<_> =
            tree.descendants(tree.root()).map(|n| tree.parent(n).map(NodeId::index)).collect();
        prop_assert_eq!(parents, sample.parents);
    }

    #[test]
    fn an_edit_of_one_property_leaves_every_other_byte(
        sample in sample(), which in any::<Index>(), value in "\\PC{0,9}",
    ) {
        let all: Vec<_> =
            sample.pieces.iter().enumerate().filter(|(_, p)| matches!(p, Piece::Values { .. })).collect();
        prop_assume!(!all.is_empty());
        let (at, piece) = all[which.index(all.len())];
        let Piece::Values { node, name, .. } = piece else { unreachable!() };
        let mut tree = Tree::parse_str(&sample.text()).unwrap();
        let id = nth(&tree, *node);
        tree.set_property(id, name, &[&value, "x"]).unwrap();
        let mut wanted = sample.clone();
        wanted.pieces[at] = Piece::Other(format!("[{}][x]", escape(&value)));
        prop_assert_eq!(tree.to_string(), wanted.text());
        let text = tree.property(id, name).unwrap().value().text().into_owned();
        prop_assert_eq!(text, value);
    }

    #[test]
    fn an_edited_tree_reads_back_as_what_it_holds(
        sample in sample(), edits in proptest::collection::vec((0..5_u8, any::<Index>()), 1..30),
    ) {
        let mut tree = Tree::parse_str(&sample.text()).unwrap();
        for (i, (kind, which)) in edits.iter().enumerate() {
            let node = nth(&tree, which.index(tree.len()));
            let size = tree.len();
            match kind {
                0 => {
                    let child = tree.add_child(node).unwrap();
                    tree.set_property(child, "B", &[i.to_string()]).unwrap();
                    prop_assert_eq!((tree.parent(child), tree.len()), (Some(node), size + 1));
                    prop_assert_eq!(tree.children(node).last(), Some(child));
                }
                1 if node != tree.root() => {
                    let gone = tree.remove_subtree(node).unwrap();
                    prop_assert!(!tree.contains(node));
                    prop_assert_eq!(tree.len(), size - gone);
                }
                2 => {
                    let first = tree.properties(node).next().map(|p| p.name().into_owned());
                    if let Some(name) = first {
                        prop_assert!(tree.remove_property(node, &name).unwrap());
                        prop_assert!(tree.property(node, &name).is_none());
                    }
                }
                3 => tree.set_comment(node, "]\\").unwrap(),
                _ => tree.set_raw_property(node, "LB", &["a1:x", "b1:y"]).unwrap(),
            }
        }
        let again = Tree::parse_str(&tree.to_string()).unwrap();
        prop_assert_eq!(content(&again), content(&tree));
        prop_assert_eq!(again.len(), tree.len());
    }

    #[test]
    fn laying_out_keeps_the_content_and_is_stable(sample in sample()) {
        let mut tree = Tree::parse_str(&sample.text()).unwrap();
        let before = content(&tree);
        tree.lay_out().unwrap();
        prop_assert_eq!(content(&tree), before.clone());
        let text = tree.to_string();
        let mut again = Tree::parse_str(&text).unwrap();
        prop_assert_eq!(content(&again), before);
        again.lay_out().unwrap();
        prop_assert_eq!(again.to_string(), text);
    }

    #[test]
    fn no_bytes_break_the_laws(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
        let _ = laws::reading_and_writing_are_inverse(&bytes);
    }

    #[test]
    fn no_broken_file_breaks_the_laws(
        sample in sample(), cut in any::<Index>(), put in r"[()\[\];:\\A-Z0-9 é]{0,3}",
    ) {
        let mut bytes = sample.text().into_bytes();
        let at = cut.index(bytes.len() + 1);
        let tail = bytes.split_off(at);
        bytes.extend_from_slice(put.as_bytes());
        let _ = laws::reading_and_writing_are_inverse(&bytes);
        bytes.extend(tail);
        let _ = laws::reading_and_writing_are_inverse(&bytes);
    }

    #[test]
    fn conversions_between_all_dialects_come_back(
        size in 2..=12_u8, from in dialect(), to in dialect(), moves in proptest::collection::vec(any::<(u8, Index, Index)>(), 0..30),
    ) {
        let original = random_record(size, from, &moves);
        let record = Record::read(&original).unwrap();
        let there = convert(&original, to).unwrap();
        let read = Record::read(&there).unwrap();
        prop_assert_eq!((read.size, &read.moves), (record.size, &record.moves));
        prop_assert_eq!(read.dialect.size_style, to.size_style);
        prop_assert_eq!(convert(&there, from).unwrap().to_string(), original.to_string());
        // The direct conversion equals the conversion through a third dialect.
        let by_way = convert(&convert(&original, Dialect::LITTLE_GOLEM).unwrap(), to).unwrap();
        prop_assert_eq!(by_way.to_string(), there.to_string());
    }
}

fn dialect() -> impl Strategy<Value = Dialect> {
    let notation = proptest::sample::select(Notation::ALL.to_vec());
    let style = proptest::sample::select(vec![SizeStyle::Side, SizeStyle::Diameter, SizeStyle::Bare]);
    let letters = proptest::sample::select(vec![LetterCase::Lower, LetterCase::Upper]);
    (notation, style, letters).prop_map(|(notation, size_style, letters)| Dialect {
        notation,
        size_style,
        letters,
    })
}

/// A record that begins with a stone, so that the dialect's letter case shows.
fn random_record(size: u8, dialect: Dialect, moves: &[(u8, Index, Index)]) -> Tree {
    let board = Board::hexagon(size).unwrap();
    let cell = |n: &Index| board.cells().nth(n.index(board.len())).unwrap();
    let mut game = Builder::new(size, dialect).unwrap();
    let first = board.cells().next().unwrap();
    let mut nodes = vec![game.play(Colour::White, Action::Place(first)).unwrap()];
    for (kind, at, back) in moves {
        let colour = if kind % 2 == 0 { Colour::White } else { Colour::Black };
        let action = match kind {
            0..8 => Action::Swap,
            8..16 => Action::Resign,
            16..24 => Action::Pass,
            _ => Action::Place(cell(at)),
        };
        if kind % 7 == 0 {
            game.go_to(nodes[back.index(nodes.len())]);
        }
        nodes.push(game.play(colour, action).unwrap());
        if kind % 5 == 0 {
            game.comment("a1 [b2]").unwrap();
        }
    }
    game.finish().unwrap()
}
