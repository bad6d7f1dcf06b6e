//! Size and depth: no function recurses, and limits hold.

use std::time::Instant;

use stonework_record::{EditError, ParseError, ParseOptions, Record, RecordLimits, Tree};

/// About 25 MB of nested variations, comments and white space from a fixed sequence.
fn large_tree() -> String {
    let mut state = 1_u32;
    let mut draw = move |n: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) % n
    };
    let mut text = String::with_capacity(26_000_000);
    text.push_str("(;FF[4]SZ[10]");
    let mut open = 1;
    let mut closed = false;
    while text.len() < 25_000_000 {
        match draw(10) {
            0 if open > 1 => {
                text.push(')');
                open -= 1;
                closed = true;
                continue;
            }
            0 | 1 => {
                text.push_str("\n(");
                open += 1;
            }
            _ if closed => {
                text.push('(');
                open += 1;
            }
            _ => {}
        }
        closed = false;
        text.push_str(if draw(2) == 0 { ";W[" } else { ";B[" });
        text.push(char::from(b'a' + draw(10) as u8));
        text.push(char::from(b'1' + draw(9) as u8));
        text.push(']');
        if draw(8) == 0 {
            text.push_str("C[a comment of some length, with an \\] escape]");
        }
    }
    text.push_str(&")".repeat(open));
    text
}

#[test]
fn a_tree_of_25_mb_comes_back() {
    let text = large_tree();
    let start = Instant::now();
    let tree = Tree::parse_str(&text).unwrap();
    let parsed = start.elapsed();
    assert!(tree.to_bytes() == text.as_bytes());
    let all = start.elapsed();
    let mb = text.len() as f64 / 1e6;
    println!(
        "{mb:.1} MB, {} nodes: parse {:.0} MB/s, with writing {:.0} MB/s",
        tree.len(),
        mb / parsed.as_secs_f64(),
        mb / all.as_secs_f64()
    );
    assert!(tree.len() > 1_000_000);
    assert_eq!(tree.descendants(tree.root()).count(), tree.len());
}

#[test]
fn a_chain_of_100_000_moves_is_read_walked_edited_and_dropped() {
    let chain: String = (0..50_000).map(|_| ";W[a1];B[b1]").collect();
    let text = format!("(;SZ[4]{chain})");
    let mut tree = Tree::parse_str(&text).unwrap();
    assert_eq!(tree.len(), 100_001);
    let last = tree.main_line().last().unwrap();
    assert_eq!(tree.line_to(last).len(), 100_001);
    assert_eq!(Record::read(&tree).unwrap().moves.len(), 100_000);
    tree.set_property(last, "C", &["end"]).unwrap();
    assert_eq!(tree.to_string(), text.replace("1])", "1]C[end])"));
    let first = tree.children(tree.root()).next().unwrap();
    assert_eq!(tree.remove_subtree(first), Ok(100_000));
    assert_eq!(tree.to_string(), "(;SZ[4])");
}

#[test]
fn a_nesting_of_100_000_parentheses_is_read_and_laid_out() {
    let text = format!("(;SZ[4]{}{})", "(;W[a1]".repeat(100_000), ")".repeat(100_000));
    let mut tree = Tree::parse_str(&text).unwrap();
    assert_eq!(tree.len(), 100_001);
    assert_eq!(tree.to_string(), text);
    tree.lay_out().unwrap();
    assert_eq!(tree.to_string().matches('(').count(), 1);
    assert_eq!(Tree::parse_str(&tree.to_string()).unwrap().len(), 100_001);
}

#[test]
fn parentheses_without_end_are_one_error() {
    let hundred_thousand = "(".repeat(100_000);
    assert_eq!(Tree::parse_str(&hundred_thousand).unwrap_err(), ParseError::NoGame { bytes: 100_000 });
    let open = "(;".repeat(100_000);
    assert!(matches!(Tree::parse_str(&open), Err(ParseError::Truncated { bracket: '(', opened, .. })
        if opened.offset == 199_998));
    let spaces = format!("{}(;)", "( ".repeat(100_000));
    assert_eq!(Tree::parse_str(&spaces).unwrap().len(), 1);
}

#[test]
fn a_root_with_100_000_variations_is_built_and_taken_apart() {
    let mut tree = Tree::new();
    for _ in 0..100_000 {
        tree.add_child(tree.root()).unwrap();
    }
    assert_eq!(tree.to_string(), format!("(;{})", "(;)".repeat(100_000)));
    while let Some(child) = tree.first_child(tree.root()) {
        tree.remove_subtree(child).unwrap();
    }
    assert_eq!((tree.len(), tree.to_string().as_str()), (1, "(;)"));
}

#[test]
fn limits_name_the_value_and_the_limit() {
    let text = b"(;SZ[4](;W[a1](;B[b1])))";
    let with = |limits| ParseOptions { limits, ..ParseOptions::default() }.parse(text);
    let ok = RecordLimits { bytes: 24, nodes: 3, nesting: 3 };
    assert!(with(ok).is_ok() && with(RecordLimits::MAX).is_ok());
    let message = |limits| with(limits).unwrap_err().to_string();
    assert_eq!(
        message(RecordLimits { bytes: 23, ..ok }),
        "line 1, column 24 (byte 23): 24 bytes, the limit is 23"
    );
    assert_eq!(
        message(RecordLimits { nodes: 2, ..ok }),
        "line 1, column 16 (byte 15): 3 nodes, the limit is 2"
    );
    assert_eq!(
        message(RecordLimits { nesting: 2, ..ok }),
        "line 1, column 15 (byte 14): 3 open parentheses, the limit is 2"
    );
}

/// Each of the properties was removed by a copy of the whole node, which took minutes.
#[test]
fn a_node_with_200_000_properties_of_one_name_loses_them_at_once() {
    let many = "NOTATION[hgui] C[x]".repeat(200_000);
    let tree = Tree::parse_str(&format!("(;SZ[4]{many}\n;W[a1])")).unwrap();
    let mut edited = tree.clone();
    assert_eq!(edited.remove_property(tree.root(), "NOTATION"), Ok(true));
    assert_eq!(edited.to_string(), format!("(;SZ[4]{}\n;W[a1])", " C[x]".repeat(200_000)));
    assert_eq!(edited.remove_property(tree.root(), "NOTATION"), Ok(false));
    assert_eq!(edited.remove_property(tree.root(), "C"), Ok(true));
    assert_eq!(edited.to_string(), "(;SZ[4]\n;W[a1])");
}

#[test]
fn many_edits_of_one_node_do_not_pile_up() {
    let mut tree = Tree::parse(b"before (;SZ[4]\n;W[a1](;B[b1])(;B[b2]) ) after").unwrap();
    let move_1 = tree.first_child(tree.root()).unwrap();
    for i in 0..20_000 {
        tree.set_comment(move_1, &"x".repeat(i % 1000)).unwrap();
        let child = tree.add_child(move_1).unwrap();
        tree.remove_subtree(child).unwrap();
    }
    tree.set_comment(move_1, "").unwrap();
    assert_eq!(tree.to_string(), "before (;SZ[4]\n;W[a1](;B[b1])(;B[b2]) ) after");
    assert_eq!(tree.remove_subtree(tree.root()), Err(EditError::Root));
}
