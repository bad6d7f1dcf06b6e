//! Each word has one meaning: the name of a public type or trait occurs in only one crate.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The names that every crate of a game has, with the same meaning for each game.
const OF_EVERY_GAME: &[&str] =
    &["IllegalMove", "Move", "Options", "Position", "Setup", "SetupError", "Space", "Undo"];

/// `Value` is the outcome of a position with its distance in plies. In a search the value may be an estimate; in a
/// table it is exact.
const OF_POSITIONS: &[&str] = &["Value"];

/// The name of the type or trait that a line of `docs/api` declares. Associated types of traits have no own entry.
fn declared(line: &str) -> Option<&str> {
    let (kind, rest) = line.strip_prefix("pub ")?.split_once(' ')?;
    if !["struct", "enum", "trait", "type", "union"].contains(&kind) {
        return None;
    }
    let path = rest.split(['<', '(', ' ', '=']).next()?.trim_end_matches(':');
    let (parent, name) = path.rsplit_once("::")?;
    let parent = parent.rsplit("::").next()?;
    parent.starts_with(char::is_lowercase).then_some(name)
}

#[test]
fn a_public_type_name_stands_in_one_crate() {
    assert_eq!(declared("pub struct stonework_game::Nim<M>"), Some("Nim"));
    assert_eq!(declared("pub trait stonework_game::Game: core::fmt::Debug"), Some("Game"));
    assert_eq!(declared("pub type stonework_game::Game::Move"), None);
    assert_eq!(declared("pub fn stonework_game::perft()"), None);
    let mut crates: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let lists = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/api");
    for list in fs::read_dir(lists).unwrap() {
        let path = list.unwrap().path();
        let of = path.file_stem().unwrap().to_str().unwrap().to_owned();
        // The façade has the names of all other crates.
        if of == "stonework" {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        for name in text.lines().filter_map(declared) {
            crates.entry(name.to_owned()).or_default().insert(of.clone());
        }
    }
    assert!(crates.len() > 200, "{} names in docs/api", crates.len());
    let twice: Vec<_> = crates
        .iter()
        .filter(|(name, of)| of.len() > 1 && ![OF_EVERY_GAME, OF_POSITIONS].concat().contains(&name.as_str()))
        .collect();
    assert!(twice.is_empty(), "names with two meanings: {twice:#?}");
}
