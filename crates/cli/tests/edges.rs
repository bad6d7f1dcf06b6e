//! The crates depend on each other as in the picture of `docs/ARCHITECTURE.md`, and on no other crate of the
//! workspace.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;

/// For each crate, the crates of the workspace that its build may need, without `dev` dependencies.
const EDGES: &[(&str, &[&str])] = &[
    ("board", &[]),
    ("files", &[]),
    ("game", &[]),
    ("reference-data", &[]),
    ("havannah", &["board", "game"]),
    ("cachex", &["board", "game"]),
    ("cover", &["board", "game"]),
    ("record", &["board"]),
    ("pattern", &["board"]),
    ("program", &[]),
    ("proof", &["files", "game"]),
    ("search", &["files", "game", "proof"]),
    ("roster", &["game", "search"]),
    ("campaign", &["files", "game", "proof", "search"]),
    ("endgame", &["files", "game"]),
    ("havannah-analysis", &["board", "game", "havannah"]),
    ("havannah-solver", &["board", "game", "havannah", "proof", "search"]),
    (
        "havannah-players",
        &["board", "game", "havannah", "havannah-solver", "pattern", "proof", "roster", "search"],
    ),
    ("cachex-players", &["board", "cachex", "endgame", "game", "roster", "search"]),
    ("cover-players", &["board", "cover", "endgame", "game", "roster", "search"]),
    ("gtp", &["game", "program", "record", "roster", "search", "session"]),
    ("arena", &["files", "game", "gtp", "roster", "search", "session"]),
    (
        "session",
        &[
            "board",
            "cachex",
            "cachex-players",
            "cover",
            "cover-players",
            "game",
            "havannah",
            "havannah-analysis",
            "havannah-players",
            "record",
            "roster",
            "search",
        ],
    ),
    ("oracle", &["board", "cachex", "cover", "game", "havannah", "program", "record", "session"]),
];

/// The crates at the top may depend on every crate. Only the examples may depend on them, as the programs of a user.
const TOP: &[&str] = &["cli", "examples", "benches", "stonework"];

/// The dependencies of tests, benches and models only.
const TOOLS: &[&str] = &["criterion", "loom", "proptest"];

/// The output of `cargo metadata`.
fn metadata() -> Value {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The crates of the workspace, each with the crates of the workspace that it needs.
fn edges() -> BTreeMap<String, BTreeSet<String>> {
    let metadata = metadata();
    let ours = |name: &Value| {
        let name = name.as_str().filter(|name| name.starts_with("stonework"))?;
        Some(name.strip_prefix("stonework-").unwrap_or(name).to_owned())
    };
    let edges = |package: &Value| {
        let dependencies = package["dependencies"].as_array()?.iter();
        let needed = dependencies.filter(|d| d["kind"] != "dev").filter_map(|d| ours(&d["name"]));
        Some((ours(&package["name"])?, needed.collect()))
    };
    metadata["packages"].as_array().unwrap().iter().filter_map(edges).collect()
}

#[test]
fn the_crates_depend_on_each_other_as_drawn() {
    let found = edges();
    let names: Vec<&str> = found.keys().map(String::as_str).collect();
    let mut drawn: Vec<&str> = EDGES.iter().map(|(name, _)| *name).chain(TOP.iter().copied()).collect();
    drawn.sort_unstable();
    assert_eq!(names, drawn, "a crate has come or gone: draw it");
    for (name, allowed) in EDGES {
        let allowed: BTreeSet<String> = allowed.iter().map(|&other| other.to_owned()).collect();
        assert_eq!(found[*name], allowed, "{name} needs other crates than are drawn");
    }
    for (_, needed) in found.iter().filter(|(name, _)| *name != "examples") {
        assert!(TOP.iter().all(|top| !needed.contains(*top)), "somebody depends on {TOP:?}: {needed:?}");
    }
}

/// A package that depends on a crate has the crate's dependencies in its lock file, for every system and every flag.
#[test]
fn whoever_depends_on_a_crate_does_not_get_the_tools_of_our_tests() {
    for package in metadata()["packages"].as_array().unwrap() {
        let name = package["name"].as_str().unwrap();
        let needed = package["dependencies"].as_array().unwrap().iter().filter(|d| d["kind"] != "dev");
        for dependency in needed.filter_map(|d| d["name"].as_str()) {
            assert!(name == "stonework-benches" || !TOOLS.contains(&dependency), "{name} needs {dependency}");
        }
    }
}

#[test]
fn no_crate_needs_itself_by_a_detour() {
    let found = edges();
    let mut left: BTreeSet<&String> = found.keys().collect();
    while !left.is_empty() {
        let free: Vec<&String> = left
            .iter()
            .copied()
            .filter(|name| found[*name].iter().all(|needed| !left.contains(needed)))
            .collect();
        assert!(!free.is_empty(), "these need each other: {left:?}");
        for name in free {
            left.remove(name);
        }
    }
}
