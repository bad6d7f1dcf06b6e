//! [`SelfPlayFolder`]: a folder of games that survives a kill and goes on.

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use stonework_files::{Disk, ReadError, read_bytes, replace};

use super::pack::{self, PackError};
use super::{MAX_UNPACKED, SelfPlayGame};
use crate::log::shortened;
use crate::{Log, LogError};

/// A folder of games, in files of equal numbers of games: `games-00000.jsonl.gz`, `games-00001.jsonl.gz`, … The file that is
/// being written is a [`Log`], `games-00002.jsonl`, whose lines are synced one by one; when it is full, its compressed form
/// takes its place. A process that is killed at any point loses the game that it was playing and nothing else.
///
/// The first line of each file is a header with the caller's settings and the number of the first game. Files with other
/// settings are refused.
pub struct SelfPlayFolder<'a> {
    disk: &'a dyn Disk,
    path: PathBuf,
    settings: Value,
    chunk: usize,
    log: Option<Log>,
    /// The games of the file that is being written.
    held: usize,
    games: usize,
}

impl std::fmt::Debug for SelfPlayFolder<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SelfPlayFolder")
            .field("path", &self.path)
            .field("games", &self.games)
            .finish_non_exhaustive()
    }
}

/// A folder that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SelfPlayFolderError {
    /// A file cannot be read or written.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// The file that is being written is not the log of these games.
    #[error("{path}: {error}")]
    Log {
        /// The file.
        path: PathBuf,
        /// The reason.
        error: LogError,
    },
    /// A finished file is not of these games, or a file is full before it has all its games.
    #[error("{path}: {what}")]
    Other {
        /// The file.
        path: PathBuf,
        /// The reason.
        what: String,
    },
    /// A game out of order.
    #[error("game {found} in the place of game {due}")]
    Order {
        /// The number of the game.
        found: usize,
        /// The number of the game that is next.
        due: usize,
    },
}

impl<'a> SelfPlayFolder<'a> {
    /// Opens a folder, which is made if there is none, for games with these settings, a JSON object, in files of `chunk` games,
    /// at least 1. Finished files are looked up by name, and the header of the last one is compared.
    ///
    /// # Errors
    /// An error that names the file that is unreadable, of other settings, or in use by another process.
    pub fn open(
        disk: &'a dyn Disk,
        path: &Path,
        settings: &Value,
        chunk: usize,
    ) -> Result<Self, SelfPlayFolderError> {
        let fault = |error| SelfPlayFolderError::Io { path: path.to_owned(), error };
        disk.make_directory(path).map_err(fault)?;
        let (path, settings) = (path.to_owned(), settings.clone());
        let mut folder = Self { disk, path, settings, chunk: chunk.max(1), log: None, held: 0, games: 0 };
        let mut files = 0;
        while folder.exists(&folder.finished(files))? {
            files += 1;
        }
        folder.games = files * folder.chunk;
        if let Some(last) = files.checked_sub(1) {
            folder.compare(last)?;
            // A kill between the compression and the removal has left both forms.
            folder.remove(&folder.growing(last))?;
        }
        folder.begin()?;
        // A kill before the compression has left a full log.
        while folder.held >= folder.chunk {
            folder.finish()?;
            folder.begin()?;
        }
        Ok(folder)
    }

    /// The number of games.
    #[must_use]
    pub const fn games(&self) -> usize {
        self.games
    }

    /// The numbers of the games that are still to be played, of `count` games.
    #[must_use]
    pub const fn missing(&self, count: usize) -> Range<usize> {
        self.games..if count > self.games { count } else { self.games }
    }

    /// Adds the next game, on the disk when the call returns.
    ///
    /// # Errors
    /// An error if the game is not the next one or cannot be written, or if its file is [full](crate::MAX_LOG) before it has all its
    /// games: then a folder with fewer games in a file is needed. If a full file cannot be compressed, its last game is kept all the
    /// same ([`games`](Self::games) counts it), and the next call tries again.
    pub fn add(&mut self, game: &SelfPlayGame) -> Result<(), SelfPlayFolderError> {
        if game.game != self.games {
            return Err(SelfPlayFolderError::Order { found: game.game, due: self.games });
        }
        if self.held >= self.chunk {
            // An earlier call has added the last game of the file, and could not compress the file.
            self.finish()?;
        }
        if self.log.is_none() {
            self.begin()?;
        }
        let (path, chunk) = (self.growing(self.file()), self.chunk);
        if let Some(log) = &mut self.log {
            log.add(game).map_err(|error| match error.kind() {
                io::ErrorKind::FileTooLarge => {
                    let what =
                        format!("{error}; {chunk} games in a file are too many: begin a folder with fewer");
                    SelfPlayFolderError::Other { path, what }
                }
                _ => SelfPlayFolderError::Io { path, error },
            })?;
            self.games += 1;
            self.held += 1;
        }
        if self.held >= self.chunk { self.finish() } else { Ok(()) }
    }

    /// The number of the file that is being written.
    const fn file(&self) -> usize {
        (self.games - self.held) / self.chunk
    }

    fn finished(&self, file: usize) -> PathBuf {
        self.path.join(format!("games-{file:05}.jsonl.gz"))
    }

    fn growing(&self, file: usize) -> PathBuf {
        self.path.join(format!("games-{file:05}.jsonl"))
    }

    fn header(&self, file: usize) -> Value {
        let mut header = self.settings.clone();
        header["what"] = json!("self-play");
        header["first"] = json!(file * self.chunk);
        header["count"] = json!(self.chunk);
        header
    }

    fn exists(&self, path: &Path) -> Result<bool, SelfPlayFolderError> {
        let looked = self.disk.look(path);
        looked
            .map(|entry| entry.is_some())
            .map_err(|error| SelfPlayFolderError::Io { path: path.to_owned(), error })
    }

    fn remove(&self, path: &Path) -> Result<(), SelfPlayFolderError> {
        match self.disk.remove(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(SelfPlayFolderError::Io { path: path.to_owned(), error })
            }
            _ => Ok(()),
        }
    }

    fn bytes(&self, path: &Path) -> Result<Vec<u8>, SelfPlayFolderError> {
        read_bytes(self.disk, path, MAX_UNPACKED).map_err(|error| match error {
            ReadError::Io(error) => SelfPlayFolderError::Io { path: path.to_owned(), error },
            error => SelfPlayFolderError::Other { path: path.to_owned(), what: error.to_string() },
        })
    }

    /// Refuses a finished file with other settings.
    fn compare(&self, file: usize) -> Result<(), SelfPlayFolderError> {
        let path = self.finished(file);
        let other = |what: String| SelfPlayFolderError::Other { path: path.clone(), what };
        let text = pack::unpacked_text(&self.bytes(&path)?, MAX_UNPACKED)
            .map_err(|error: PackError| other(error.to_string()))?;
        let line = text.lines().next().unwrap_or_default();
        let mut there: Value = serde_json::from_str(line)
            .map_err(|error| other(format!("line 1: {}", shortened(&error.to_string()))))?;
        if let Some(fields) = there.as_object_mut() {
            fields.remove("check");
        }
        let here = self.header(file);
        if there == here { Ok(()) } else { Err(other(format!("it has games of {there}, not of {here}"))) }
    }

    /// Opens the file that is being written.
    fn begin(&mut self) -> Result<(), SelfPlayFolderError> {
        let file = self.file();
        let path = self.growing(file);
        let opened = Log::open_on::<SelfPlayGame>(self.disk, &path, &self.header(file));
        let (log, there) = opened.map_err(|error| SelfPlayFolderError::Log { path, error })?;
        if let Some((at, game)) = (self.games..).zip(&there).find(|(at, game)| game.game != *at) {
            return Err(SelfPlayFolderError::Order { found: game.game, due: at });
        }
        self.log = Some(log);
        self.held = there.len();
        self.games += there.len();
        Ok(())
    }

    /// Compresses the full file; the next game begins the next one.
    fn finish(&mut self) -> Result<(), SelfPlayFolderError> {
        let file = self.file();
        let (from, to) = (self.growing(file), self.finished(file));
        let text = self.bytes(&from)?;
        let bytes = pack::compressed(&text);
        bytes
            .and_then(|bytes| replace(self.disk, &to, |out| out.write_all(&bytes)))
            .map_err(|error| SelfPlayFolderError::Io { path: to, error })?;
        self.log = None;
        self.remove(&from)?;
        self.held = 0;
        Ok(())
    }
}
