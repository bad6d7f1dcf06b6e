//! Compares the public items of every crate with the lists in `docs/api`; with the word `write`, writes these anew. What
//! differs is printed as lines that went (`-`) and came (`+`).
//!
//! Items come from rustdoc's JSON, whose form changes from one Rust to the next: with another Rust than this reads,
//! it says so and compares nothing.

use std::collections::BTreeSet;
use std::error::Error;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fs};

/// Tells this program that `cargo` starts it in place of the rustdoc that the variable names.
const RUSTDOC: &str = "STONEWORK_API_RUSTDOC";

/// Items as JSON are an unstable part of rustdoc. The variable that allows it is set for rustdoc alone: build scripts look at it, so
/// that with another value for `cargo` all crates would be built once more.
fn rustdoc(name: OsString) -> Result<ExitCode, Box<dyn Error>> {
    let status = Command::new(name).args(env::args_os().skip(1)).env("RUSTC_BOOTSTRAP", "1").status()?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    if let Some(name) = env::var_os(RUSTDOC) {
        return rustdoc(name);
    }
    let write = env::args().nth(1).is_some_and(|word| word == "write");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize()?;
    let target =
        root.join(env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from));
    let crates: Vec<_> = fs::read_dir(root.join("crates"))?.collect::<Result<_, _>>()?;
    let mut names = BTreeSet::new();
    for entry in crates.into_iter().filter(|entry| entry.path().join("src/lib.rs").exists()) {
        let directory = entry.file_name().into_string().map_err(|_| "a crate's directory is no text")?;
        names.insert(match &*directory {
            "stonework" => directory,
            _ => format!("stonework-{directory}"),
        });
    }
    // One command for the whole workspace, whose crates other steps have checked with the same features.
    let made = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["doc", "-q", "--workspace", "--lib", "--no-deps", "--all-features", "--target-dir"])
        .arg(&target)
        .env("RUSTDOCFLAGS", "-Z unstable-options --output-format json --cap-lints allow")
        .env(RUSTDOC, env::var_os("RUSTDOC").unwrap_or_else(|| "rustdoc".into()))
        .env("RUSTDOC", env::current_exe()?)
        .current_dir(&root)
        .status()?;
    if !made.success() {
        return Err("rustdoc fails".into());
    }
    let mut same = true;
    for name in names {
        let json = target.join("doc").join(format!("{}.json", name.replace('-', "_")));
        let api = public_api::Builder::from_rustdoc_json(json)
            .omit_blanket_impls(true)
            .omit_auto_trait_impls(true)
            .omit_auto_derived_impls(true)
            .build();
        let api = match api {
            Ok(api) => api.to_string(),
            Err(error) => {
                println!("not compared: {error}");
                return Ok(ExitCode::SUCCESS);
            }
        };
        let path = root.join("docs/api").join(format!("{name}.txt"));
        if write {
            fs::write(path, api)?;
            continue;
        }
        let listed = fs::read_to_string(&path).unwrap_or_default();
        let (old, new): (BTreeSet<_>, BTreeSet<_>) = (listed.lines().collect(), api.lines().collect());
        old.difference(&new).for_each(|line| println!("- {line}"));
        new.difference(&old).for_each(|line| println!("+ {line}"));
        same &= old == new;
    }
    if !same {
        println!("docs/api lists something else: cargo run --manifest-path .ci/api/Cargo.toml -- write");
    }
    Ok(if same { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
