//! [`Checkpoint`]: a file from which a build goes on that was broken off.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU16;
use std::time::Duration;

use crate::store::{self, PARTIAL};
use crate::value::MAX_DISTANCE;
use crate::{SolveError, StoreError, Stored};

/// Where [`resume`](crate::resume) keeps what has come about, and how often.
///
/// The file is a table of the values so far, with another first line, and with the next level on a line
/// before the parameters. It is written beside itself and renamed, so that what is there is always whole.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checkpoint {
    path: PathBuf,
    game: String,
    parameters: String,
    interval: Duration,
}

impl Checkpoint {
    /// A file, and the game and the parameters of the space, as [`Table::write`](crate::Table::write) has
    /// them. Written every minute.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>, game: &str, parameters: &str) -> Self {
        let (game, parameters) = (game.to_owned(), parameters.to_owned());
        Self { path: path.into(), game, parameters, interval: Duration::from_secs(60) }
    }

    /// Written after that time, at the next level.
    #[must_use]
    pub fn every(self, interval: Duration) -> Self {
        Self { interval, ..self }
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Removes the file, if there is one, and what a build that was killed while it wrote has left beside it:
    /// when the table has been stored.
    ///
    /// # Errors
    /// [`SolveError::Checkpoint`] with what the system says.
    pub fn remove(&self) -> Result<(), SolveError> {
        [&self.path, &beside(&self.path)].into_iter().try_for_each(|path| match fs::remove_file(path) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(self.error(&error)),
            _ => Ok(()),
        })
    }

    pub(crate) const fn interval(&self) -> Duration {
        self.interval
    }

    fn error(&self, what: &dyn fmt::Display) -> SolveError {
        SolveError::Checkpoint { path: self.path.display().to_string(), what: what.to_string() }
    }

    /// Writes the codes of all numbers, of which those nearer than a level have been told to others.
    pub(crate) fn write(&self, codes: impl Iterator<Item = u16>, next: u16) -> Result<(), SolveError> {
        let beside = beside(&self.path);
        let parameters = format!("{next}\n{}", self.parameters);
        let written = File::create(&beside).map_err(StoreError::from).and_then(|file| {
            let mut out = BufWriter::new(file);
            store::write(PARTIAL, codes, &self.game, &parameters, store::FAST, &mut out)?;
            Ok(out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?)
        });
        written.map_err(|error| self.error(&error))?;
        fs::rename(&beside, &self.path).map_err(|error| self.error(&error))
    }

    /// Reads the codes of as many numbers as there are, and the next level, if the file is there.
    pub(crate) fn read(&self, codes: &mut [AtomicU16]) -> Result<Option<u16>, SolveError> {
        let file = match File::open(&self.path) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(self.error(&error)),
        };
        let stored = Stored::open_as(PARTIAL, file, 0).map_err(|error| self.error(&error))?;
        let (next, parameters) = stored.parameters().split_once('\n').unwrap_or(("", stored.parameters()));
        if (stored.game(), parameters) != (&self.game, &self.parameters) {
            let found = format!("{} {parameters}", stored.game());
            let expected = format!("{} {}", self.game, self.parameters);
            return Err(self.error(&StoreError::Other { found, expected }));
        }
        let len = codes.len() as u64;
        if stored.len() != len {
            return Err(self.error(&StoreError::Space { table: stored.len(), space: len }));
        }
        let next = next.parse().ok().filter(|next| (1..=MAX_DISTANCE).contains(next));
        let next = next.ok_or_else(|| self.error(&"it names no level"))?;
        let mut places = codes.iter_mut();
        let read = stored.each_block(|block| {
            // The block first: what comes first is asked once more than the other.
            for (&code, place) in block.iter().zip(places.by_ref()) {
                *place.get_mut() = code;
            }
        });
        read.map_err(|error| self.error(&error))?;
        Ok(Some(next))
    }
}

/// The file beside the checkpoint in which the next one is made.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".new");
    name.into()
}
