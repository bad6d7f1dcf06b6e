//! Compiles the pattern file that comes with the crate into static tables, with the crate's own compiler.

#![expect(dead_code, unreachable_pub, reason = "a build script needs a part of the modules that it shares")]

#[path = "src/cells.rs"]
mod cells;
#[path = "src/check.rs"]
mod check;
#[path = "src/code.rs"]
mod code;
#[path = "src/compile.rs"]
mod compile;
#[path = "src/cover.rs"]
mod cover;
#[path = "src/fault.rs"]
mod fault;
#[path = "src/files.rs"]
mod files;
#[path = "src/source.rs"]
mod source;
#[path = "src/tables.rs"]
mod tables;
#[path = "src/text.rs"]
mod text;

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use crate::tables::Tables;

fn main() {
    println!("cargo::rerun-if-changed=src");
    println!("cargo::rerun-if-changed=patterns");
    let text = fs::read_to_string("patterns/havannah.pat").expect("the file comes with the crate");
    let (patterns, faults) = files::read(files::shipped(&text), &mut |_, path| Err(path.to_owned()));
    assert!(faults.is_empty(), "{faults:?}");
    let tables = compile::compile(&patterns, faults).unwrap_or_else(|faults| panic!("{faults:?}"));
    let folder = env::var_os("OUT_DIR").expect("cargo names the folder");
    fs::write(Path::new(&folder).join("havannah.rs"), source(&tables)).expect("the folder can be written to");
}

/// The tables as items of a module.
fn source(tables: &Tables) -> String {
    let Tables { first, results, nodes, slots, replies } = tables;
    let first: Vec<(usize, u16)> =
        first.iter().copied().enumerate().filter(|&(_, result)| result != 0).collect();
    let mut source = String::new();
    for (name, of, all) in [
        ("FIRST", "(u16, u16)", format!("{first:?}")),
        ("RESULTS", "RingResult", format!("{results:?}")),
        ("NODES", "Node", format!("{nodes:?}").replace("ring: ", "ring: Reach::")),
        ("SLOTS", "Slot", format!("{:?}", slots.iter().filter(|slot| !slot.is_free()).collect::<Vec<_>>())),
        ("REPLIES", "Reply", format!("{replies:?}")),
    ] {
        let written = writeln!(source, "pub(super) static {name}: &[{of}] = &{all};");
        written.expect("a string can be written to");
    }
    source
}
