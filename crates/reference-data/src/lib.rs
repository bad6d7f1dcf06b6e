//! The loader of the reference data that tests compare with: real games, proven positions, printed lines, vectors of a referee.
//!
//! Data of this project, and data that the seeds print, are in the folder `data` of this crate: the map of Havannah of
//! size 3, the lines and diagrams that Bos' thesis prints, the leaves of Cachex's trees. Data of other owners lie
//! beside the repository, in `../shared/data`: real games, positions of a published proof, a referee's games.
//!
//! A test that reads data from beside the repository is ignored in a clone: `cargo test` counts it as ignored, and
//! `cargo test --workspace -- --ignored reference_data` runs all of them where the data is. The name of such a test ends in
//! `reference_data`.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use serde_json::Value;

/// The path of a file of the reference data.
///
/// # Panics
/// If the file does not exist.
#[must_use]
pub fn path(file: &str) -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let committed = here.join("data").join(file);
    if committed.exists() {
        return committed;
    }
    let beside = here.join("../../../shared/data").join(file);
    assert!(
        beside.exists(),
        "the reference data is not beside the repository: there is no {}",
        beside.display()
    );
    beside
}

/// The text of a file of the reference data, unpacked if its name ends in `.gz`.
///
/// # Panics
/// If the file does not exist or is no text.
#[must_use]
pub fn text(file: &str) -> String {
    let read = || {
        let (mut text, path) = (String::new(), path(file));
        let mut bytes = File::open(&path)?;
        if path.extension().is_some_and(|extension| extension == "gz") {
            GzDecoder::new(bytes).read_to_string(&mut text)?;
        } else {
            bytes.read_to_string(&mut text)?;
        }
        Ok(text)
    };
    read().unwrap_or_else(|error: std::io::Error| panic!("{file}: {error}"))
}

/// The value of a file of JSON.
///
/// # Panics
/// If the file does not exist or is not JSON.
#[must_use]
pub fn json(file: &str) -> Value {
    serde_json::from_str(&text(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// The values of a file of JSON lines.
///
/// # Panics
/// If the file does not exist or a line is not JSON.
#[must_use]
pub fn lines(file: &str) -> Vec<Value> {
    let value = |line: &str| serde_json::from_str(line).unwrap_or_else(|error| panic!("{file}: {error}"));
    text(file).lines().map(value).collect()
}

/// The size of a real game of Havannah, and its moves in the notation of `HavannahGui` up to a resignation.
///
/// # Panics
/// If the value is no line of `havannah/littlegolem.jsonl`.
#[must_use]
pub fn size_and_moves(game: &Value) -> (u8, Vec<&str>) {
    let moves = game["moves_hgui"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let moves: Vec<&str> = moves.take_while(|&mv| mv != "resign").collect();
    let size = game["size"].as_u64().and_then(|size| u8::try_from(size).ok());
    (size.unwrap_or_else(|| panic!("a game without a size: {game}")), moves)
}
