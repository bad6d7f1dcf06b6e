//! The records in a folder.

use std::path::{Path, PathBuf};

use super::{RecordFile, RecordOptions, ReplayError};
use crate::GameText;

/// The games of Havannah of all [`record_files`] of a path, as games for tests of rules; the reason instead of a game
/// that cannot be read. A file that cannot be opened gives one reason. Files are opened one after the other.
///
/// # Errors
/// As [`record_files`].
pub fn recorded_games(
    path: &Path,
    how: RecordOptions,
) -> Result<impl Iterator<Item = Result<GameText, ReplayError>>, ReplayError> {
    let texts = move |file: RecordFile| file.games(how).map(|game| game.and_then(|game| game.to_text()));
    Ok(record_files(path)?.into_iter().flat_map(move |file| {
        let (games, failed) = match RecordFile::open(&file) {
            Ok(file) => (Some(texts(file)), None),
            Err(error) => (None, Some(Err(error))),
        };
        games.into_iter().flatten().chain(failed)
    }))
}

/// The records of a path in the order of their paths: the file itself, or all `*.sgf`, `*.hgf` and `*.jsonl` files in a folder
/// and the folders in it. Links to folders are not followed.
///
/// # Errors
/// An error for a path that does not exist, a folder that cannot be listed, and a folder without records.
pub fn record_files(path: &Path) -> Result<Vec<PathBuf>, ReplayError> {
    let named = path.display().to_string();
    if path.exists() && !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    if !path.exists() {
        return Err(ReplayError::new(&named, &"there is no such file or folder"));
    }
    let failed = |e: std::io::Error| ReplayError::new(&named, &e);
    let (mut files, mut folders) = (Vec::new(), vec![path.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let path = entry.path();
            let is_record = || {
                let kinds = ["sgf", "hgf", "jsonl"];
                path.extension().is_some_and(|e| kinds.iter().any(|k| e.eq_ignore_ascii_case(k)))
            };
            if entry.file_type().map_err(failed)?.is_dir() {
                folders.push(path);
            } else if is_record() {
                files.push(path);
            }
        }
    }
    if files.is_empty() {
        return Err(ReplayError::new(&named, &"no *.sgf, *.hgf or *.jsonl file there"));
    }
    files.sort();
    Ok(files)
}
