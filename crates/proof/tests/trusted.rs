//! The trusted part of the crate is short, stands alone, and is as long as the first page says.

use std::fs;
use std::path::Path;

/// Lines that a sceptic has to read, at most.
const MOST: usize = 1500;

/// The name and the text of a file.
type Source = (String, String);

/// The files of the trusted part, and the reader of blocks.
fn trusted() -> (Vec<Source>, Source) {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let folder = crates.join("proof/src/trusted");
    let files = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
    let blocks = crates.join("files/src/blocks/read.rs");
    let text = |path: std::path::PathBuf| {
        (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read_to_string(&path).unwrap())
    };
    let own: Vec<_> = files.map(text).collect();
    assert!(own.len() > 5, "{} files", own.len());
    (own, text(blocks))
}

#[test]
fn the_trusted_part_is_as_long_as_the_first_page_says() {
    let (own, blocks) = trusted();
    let lines: usize = own.iter().chain([&blocks]).map(|(_, text)| text.lines().count()).sum();
    assert!(lines <= MOST, "{lines} lines");
    let page = include_str!("../src/lib.rs");
    assert!(page.contains(&format!("has {lines} lines")), "the first page does not say {lines} lines");
}

#[test]
fn the_trusted_part_uses_nothing_else_of_the_crate() {
    let (own, _) = trusted();
    for (name, text) in own {
        for (number, line) in text.lines().enumerate() {
            let code = line.split("//").next().unwrap_or_default();
            // In its first file `super` would be the crate; in the others it is the trusted part itself.
            let up = name == "mod.rs" && code.contains("super::") || code.contains("super::super");
            assert!(!code.contains("crate::") && !up, "{name}:{}: {line}", number + 1);
        }
    }
}

#[test]
fn the_trusted_part_needs_no_other_crates_of_ours() {
    let (own, blocks) = trusted();
    for (name, text) in own.into_iter().chain([blocks]) {
        for (number, line) in text.lines().enumerate() {
            let code = line.split("//").next().unwrap_or_default();
            let ours = code.match_indices("stonework_").map(|(at, _)| &code[at..]);
            let allowed =
                |name: &str| name.starts_with("stonework_game") || name.starts_with("stonework_files");
            assert!(ours.into_iter().all(allowed), "{name}:{}: {line}", number + 1);
        }
    }
}
