//! Recorded games as questions for another program.

use std::path::{Path, PathBuf};

use stonework_game::Game;
use stonework_oracle::GameText;
use stonework_record::{Action, Dialect};

use crate::failure::{Failure, say};
use crate::records::{HowToRead, Recorded, Source};

/// Adds the games of a file, or of all records in a folder and the folders in it, in the order of
/// their paths. What cannot be read is reported and left out.
pub(super) fn read(path: &Path, games: &mut Vec<GameText>) -> Result<(), Failure> {
    let mut files = Vec::new();
    if path.is_dir() {
        collect(path, &mut files)?;
        files.sort();
        if files.is_empty() {
            let what = "no *.sgf, *.hgf or *.jsonl file there";
            return Err(Failure::input(format!("--corpus {}: {what}", path.display())));
        }
    } else if path.exists() {
        files.push(path.to_owned());
    } else {
        return Err(Failure::input(format!("--corpus {}: there is no such file or folder", path.display())));
    }
    for file in files {
        match Source::open(&file) {
            Ok(source) => {
                let how = HowToRead { size: None, notation: None, swap: true };
                for game in source.games(how).map(|game| game.and_then(|game| text(&game))) {
                    match game {
                        Ok(game) => games.push(game),
                        Err(what) => say(format_args!("left out: {what}")),
                    }
                }
            }
            Err(what) => say(format_args!("left out: {what}")),
        }
    }
    Ok(())
}

/// All records in a folder and those in it. Links to folders are not followed.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let failed = |e: std::io::Error| Failure::input(format!("--corpus {}: {e}", folder.display()));
    let mut folders = vec![folder.to_owned()];
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
    Ok(())
}

/// The moves up to a resignation, as questions name them.
fn text(game: &Recorded) -> Result<GameText, String> {
    if game.start.stone_count() > 0 || game.start.to_move() != stonework_game::Player::First {
        return Err(format!("{}: does not start from the empty board with white to move", game.label));
    }
    let board = game.start.board();
    let mut moves = Vec::new();
    for (_, action) in game.steps.iter().take_while(|(_, action)| *action != Action::Resign) {
        if *action == Action::Pass {
            return Err(format!("{}: Havannah has no pass", game.label));
        }
        moves.push(action.write(board, Dialect::HAVANNAH_GUI).map_err(|e| format!("{}: {e}", game.label))?);
    }
    let swap = moves.iter().any(|m| m == "swap");
    Ok(GameText {
        name: game.label.clone(),
        game: "havannah",
        size: game.start.size(),
        start: None,
        swap,
        notation: None,
        moves,
    })
}
