//! The trusted part of the crate is short and uses no other code of the crate, and the first page of the crate states its
//! length.

use std::fs;
use std::path::Path;

/// The greatest number of lines of the trusted part.
const MOST_LINES: usize = 1540;

/// The name and the text of a file.
type Source = (String, String);

/// The files of the trusted part in this crate, and the reader of blocks from the crate `stonework-files`.
fn sources() -> (Vec<Source>, Source) {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let folder = crates.join("proof/src/trusted");
    let files = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
    let blocks = crates.join("files/src/blocks/read.rs");
    let text = |path: std::path::PathBuf| {
        (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read_to_string(&path).unwrap())
    };
    let trusted: Vec<_> = files.map(text).collect();
    assert!(trusted.len() > 5, "{} files", trusted.len());
    (trusted, text(blocks))
}

#[test]
fn the_trusted_part_is_as_long_as_the_first_page_says() {
    let (trusted, blocks) = sources();
    let lines: usize = trusted.iter().chain([&blocks]).map(|(_, text)| text.lines().count()).sum();
    assert!(lines <= MOST_LINES, "{lines} lines");
    let page = include_str!("../../src/lib.rs");
    assert!(page.contains(&format!("has {lines} lines")), "the first page does not say {lines} lines");
}

#[test]
fn the_trusted_part_uses_no_other_code_of_the_crate() {
    let (trusted, _) = sources();
    for (name, text) in trusted {
        for (number, line) in text.lines().enumerate() {
            let code = line.split("//").next().unwrap_or_default();
            // In `mod.rs` the path `super` leads out of the trusted part; in the other files only `super::super` does.
            let leads_out = name == "mod.rs" && code.contains("super::") || code.contains("super::super");
            assert!(!code.contains("crate::") && !leads_out, "{name}:{}: {line}", number + 1);
        }
    }
}

#[test]
fn the_trusted_part_needs_two_crates_of_the_workspace_at_most() {
    let (trusted, blocks) = sources();
    for (name, text) in trusted.into_iter().chain([blocks]) {
        for (number, line) in text.lines().enumerate() {
            let code = line.split("//").next().unwrap_or_default();
            let crate_names = code.match_indices("stonework_").map(|(at, _)| &code[at..]);
            let allowed =
                |name: &str| name.starts_with("stonework_game") || name.starts_with("stonework_files");
            assert!(crate_names.into_iter().all(allowed), "{name}:{}: {line}", number + 1);
        }
    }
}
