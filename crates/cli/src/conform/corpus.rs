//! Recorded games as questions for another program.

use std::path::Path;

use stonework_oracle::{GameText, RecordFile, RecordOptions, record_files};

use crate::failure::{Failure, say};

/// Adds the games of a file, or of all records in a folder and the folders in it, in the order of
/// their paths. A game that cannot be read is reported and left out.
pub(super) fn read(path: &Path, games: &mut Vec<GameText>) -> Result<(), Failure> {
    let files = record_files(path).map_err(|error| Failure::input(format!("--corpus {error}")))?;
    let how = RecordOptions { swap: true, ..RecordOptions::default() };
    for file in files {
        match RecordFile::open(&file) {
            Ok(source) => {
                for game in source.games(how).map(|game| game.and_then(|game| game.to_text())) {
                    match game {
                        Ok(game) => games.push(game),
                        Err(error) => say(format_args!("left out: {error}")),
                    }
                }
            }
            Err(error) => say(format_args!("left out: {error}")),
        }
    }
    Ok(())
}
