//! [`RecordFolder`]: an SGF record of each game of an event, in a folder.

use std::io::{self, ErrorKind, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use stonework_files::{Disk, replace};
use stonework_game::{Outcome, Player};
use stonework_session::{AnyPosition, Fault, GameRecord};

use crate::{GameLine, Games, Won};

/// The reason why a record is not written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FolderError {
    /// The folder cannot be made, or a file in it cannot be read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The folder or the file.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// The file has the record of another game.
    #[error("{}: the record of another game is there", path.display())]
    Taken {
        /// The file.
        path: PathBuf,
    },
    /// The game has no record: one of its moves is not legal.
    #[error("game {} cannot be recorded: {fault}", game + 1)]
    Game {
        /// The number of the game, from 0.
        game: usize,
        /// The reason.
        fault: Fault,
    },
}

/// A folder with an SGF record of each game of an [`Event`](crate::Event): `game-00001.sgf` for the game of number 0, and so
/// on. No method replaces the record of another game.
#[derive(Clone, Debug)]
pub struct RecordFolder {
    disk: Arc<dyn Disk>,
    folder: PathBuf,
    application: Option<&'static str>,
}

impl RecordFolder {
    /// Opens a folder, and makes it if it does not exist. `application` is the name and the version of the program for the records, as
    /// `NAME:VERSION`.
    ///
    /// # Errors
    /// [`FolderError::Io`] if the folder cannot be made.
    pub fn open(
        disk: Arc<dyn Disk>,
        folder: impl Into<PathBuf>,
        application: Option<&'static str>,
    ) -> Result<Self, FolderError> {
        let folder = folder.into();
        disk.make_directory(&folder).map_err(|error| failed(&folder, error))?;
        Ok(Self { disk, folder, application })
    }

    /// The file of a game.
    #[must_use]
    pub fn path(&self, game: usize) -> PathBuf {
        self.folder.join(format!("game-{:05}.sgf", game + 1))
    }

    /// Checks the files of the first `games` games that are not in `played`: each file is missing or empty. A reader would take a
    /// record in such a file for a game of this event.
    ///
    /// # Errors
    /// [`FolderError::Taken`] and [`FolderError::Io`].
    pub fn check(&self, games: usize, played: &Games) -> Result<(), FolderError> {
        for game in (0..games).filter(|&game| !played.has(game)) {
            let path = self.path(game);
            let file = self.disk.look(&path).map_err(|error| failed(&path, error))?;
            // A process that was killed may have left an empty file. An empty file may be replaced.
            if file.is_some_and(|file| file.len > 0) {
                return Err(FolderError::Taken { path });
            }
        }
        Ok(())
    }

    /// Writes the record of a game from `start`. `names` are the names of its players, the player of the first move
    /// first. A file with this record stays as it is. A file with a beginning of this record gets the rest.
    ///
    /// # Errors
    /// [`FolderError::Taken`], [`FolderError::Game`] and [`FolderError::Io`].
    pub fn write(&self, start: &AnyPosition, line: &GameLine, names: [&str; 2]) -> Result<(), FolderError> {
        let record = GameRecord {
            moves: &line.moves,
            players: names,
            result: Some(match line.result {
                Won::First => Outcome::Win(Player::First),
                Won::Second => Outcome::Win(Player::Second),
                Won::Draw => Outcome::Draw,
            }),
            resigned: line.reason == "resigned",
            reason: "",
            comment: (!line.is_regular()).then_some(&line.reason),
            round: Some((line.round + 1) as u32),
            application: self.application,
        };
        let text = start.record(&record).map_err(|fault| FolderError::Game { game: line.game, fault })?;
        let path = self.path(line.game);
        let mut present = Vec::new();
        match self.disk.open(&path) {
            Ok(file) => {
                let read = file.take(text.len() as u64 + 1).read_to_end(&mut present);
                read.map_err(|error| failed(&path, error))?;
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(failed(&path, error)),
        }
        if present == text.as_bytes() {
            return Ok(());
        }
        if !text.as_bytes().starts_with(&present) {
            return Err(FolderError::Taken { path });
        }
        replace(&*self.disk, &path, |out| out.write_all(text.as_bytes()))
            .map_err(|error| failed(&path, error))
    }
}

/// The error of the system at a path.
fn failed(path: &Path, error: io::Error) -> FolderError {
    FolderError::Io { path: path.to_owned(), error }
}
