//! The crates of the workspace depend on each other as the table of `docs/ARCHITECTURE.md` says, and bring no tools of
//! tests to their users.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;

/// Each crate with the crates of the workspace that its build needs: all dependencies but `dev` dependencies.
const EDGES: &[(&str, &[&str])] = &[
    ("board", &[]),
    ("engine", &["game"]),
    ("files", &[]),
    ("game", &[]),
    ("reference-data", &[]),
    ("havannah", &["board", "game"]),
    ("cachex", &["board", "game"]),
    ("cover", &["board", "game"]),
    ("record", &["board"]),
    ("pattern", &["board"]),
    ("picture", &["board"]),
    ("program", &[]),
    ("proof", &["files", "game"]),
    ("search", &["engine", "files", "game", "proof"]),
    ("roster", &["engine", "game"]),
    ("learn", &["files", "game", "search"]),
    ("farm", &["files"]),
    ("campaign", &["farm", "files", "game", "proof", "search"]),
    ("endgame", &["files", "game"]),
    ("havannah-analysis", &["board", "game", "havannah"]),
    ("havannah-solver", &["board", "game", "havannah", "havannah-analysis", "proof", "search"]),
    (
        "havannah-players",
        &["board", "game", "havannah", "havannah-solver", "learn", "pattern", "proof", "roster", "search"],
    ),
    ("cachex-players", &["board", "cachex", "endgame", "game", "learn", "roster", "search"]),
    ("cover-players", &["board", "cover", "endgame", "game", "learn", "roster", "search"]),
    ("gtp", &["game", "program", "record", "roster", "search", "session"]),
    ("arena", &["engine", "farm", "files", "game", "gtp", "roster", "session"]),
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
    ("tui", &["board", "files", "game", "record", "roster", "search", "session"]),
    (
        "server",
        &[
            "arena",
            "board",
            "files",
            "game",
            "gtp",
            "havannah",
            "havannah-players",
            "havannah-solver",
            "picture",
            "proof",
            "record",
            "roster",
            "search",
            "session",
        ],
    ),
    ("oracle", &["board", "cachex", "cover", "game", "havannah", "program", "record", "search", "session"]),
];

/// The crates at the top, which may depend on every crate. Only `examples` may depend on one of them.
const TOP: &[&str] = &["cli", "examples", "benches", "stonework"];

/// The packages that only tests, benches and `loom` models may need.
const TEST_TOOLS: &[&str] = &["criterion", "loom", "proptest"];

/// The features of crates that no test of the workspace runs with unless a command names them: with a server, in a browser.
const LEFT_OUT: &[&str] = &["stonework-cli/nats", "stonework-farm/nats", "stonework-server/browser-tests"];

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

/// Each crate of the workspace with the crates of the workspace that its build needs.
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
    assert_eq!(names, drawn, "the crates of the workspace are not those of `EDGES` and `TOP`");
    for (name, allowed) in EDGES {
        let allowed: BTreeSet<String> = allowed.iter().map(|&other| other.to_owned()).collect();
        assert_eq!(found[*name], allowed, "{name} needs other crates than `EDGES` says");
    }
    for (name, needed) in found.iter().filter(|(name, _)| *name != "examples") {
        assert!(TOP.iter().all(|top| !needed.contains(*top)), "{name} needs one of {TOP:?}: {needed:?}");
    }
}

/// The lock file of a user's package has all dependencies of our crates but `dev` dependencies, also those for other systems and
/// other `cfg` flags. So the tools of tests must be `dev` dependencies.
#[test]
fn users_of_a_crate_do_not_get_the_tools_of_our_tests() {
    for package in metadata()["packages"].as_array().unwrap() {
        let name = package["name"].as_str().unwrap();
        let needed = package["dependencies"].as_array().unwrap().iter().filter(|d| d["kind"] != "dev");
        for dependency in needed.filter_map(|d| d["name"].as_str()) {
            assert!(
                name == "stonework-benches" || !TEST_TOOLS.contains(&dependency),
                "{name} needs {dependency}"
            );
        }
    }
}

/// The examples are built with the feature `full` of `stonework`, and with them all tests of the workspace.
#[test]
fn the_tests_run_with_every_feature() {
    let metadata = metadata();
    let packages = metadata["packages"].as_array().unwrap();
    let named = |name: &str| packages.iter().find(|package| package["name"] == name).unwrap();
    let of_examples = named("stonework-examples")["dependencies"].as_array().unwrap();
    let facade = of_examples.iter().find(|dependency| dependency["name"] == "stonework").unwrap();
    assert_eq!(facade["features"], serde_json::json!(["full"]));
    let features = &named("stonework")["features"];
    let mut on = BTreeSet::new();
    let mut open = vec!["full".to_owned()];
    while let Some(feature) = open.pop() {
        let others = features[&feature].as_array().into_iter().flatten().filter_map(Value::as_str);
        open.extend(others.map(|other| other.replace('?', "")));
        on.insert(feature);
    }
    for package in packages {
        let name = package["name"].as_str().unwrap();
        for feature in package["features"].as_object().unwrap().keys().filter(|feature| *feature != "default")
        {
            let named = if name == "stonework" { feature.clone() } else { format!("{name}/{feature}") };
            assert!(
                on.contains(&named) || LEFT_OUT.contains(&&*named),
                "no test runs with the feature {named}: `full` of `stonework` has not got it"
            );
        }
    }
}

#[test]
fn no_crate_needs_itself_through_other_crates() {
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
