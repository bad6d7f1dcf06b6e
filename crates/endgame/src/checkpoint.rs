//! [`Checkpoint`]: a file from which an interrupted build goes on.

use std::fmt;
use std::io::{self, BufReader, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU16, Ordering::Relaxed};
use std::time::Duration;

use stonework_files::{ByteReader, ByteWriter, CheckpointClock, Disk, System, replace, unfinished};

use crate::links::Links;
use crate::value::MAX_DISTANCE;
use crate::{SolveError, Stage, StoreError};

/// The first line of a checkpoint.
const TITLE: &str = "stonework partial 3";
/// The names of the header lines.
const FIELDS: [&str; 7] = ["game", "space", "numbers", "stage", "chunk", "late", "links"];

/// The most bytes that a byte of deflate stands for: 258 bytes take two bits.
const UNPACKED: u64 = 1032;

/// The file in which [`resume`](crate::resume) keeps the state of a build, and the time between two writes.
///
/// The file has all arrays of the build: the values, and the links with their counts if there are links. The file is at
/// most half as large as the build's memory. Each write makes a new file beside the old one and renames it, so the file
/// under the path is always complete. The module [`store`](crate::store) describes the format.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    disk: Arc<dyn Disk>,
    path: PathBuf,
    game: String,
    parameters: String,
    interval: Duration,
}

impl Checkpoint {
    /// A checkpoint at a path, for a game and the parameters of its space, both as in
    /// [`Table::write`](crate::Table::write). The time between two writes is one minute.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>, game: &str, parameters: &str) -> Self {
        let (game, parameters) = (game.to_owned(), parameters.to_owned());
        let interval = Duration::from_secs(60);
        Self { disk: Arc::new(System), path: path.into(), game, parameters, interval }
    }

    /// The same checkpoint on another disk.
    #[must_use]
    pub fn on(self, disk: Arc<dyn Disk>) -> Self {
        Self { disk, ..self }
    }

    /// The same checkpoint with another time between two writes. A write comes at most some ten thousand numbers later
    /// than that time. If writes would take more than a twentieth of the time of the build, they come less often,
    /// unless the interval is zero.
    #[must_use]
    pub fn every(self, interval: Duration) -> Self {
        Self { interval, ..self }
    }

    /// The path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Removes the file, if there is one, and the new file beside it that a killed write has left. The caller does so when the
    /// table is stored.
    ///
    /// # Errors
    /// [`SolveError::Checkpoint`] with the error of the system.
    pub fn remove(&self) -> Result<(), SolveError> {
        let beside = self.disk.target(&self.path).map(|target| unfinished(&target));
        for path in [beside, Ok(self.path.clone())] {
            match path.and_then(|path| self.disk.remove(&path)) {
                Err(error) if error.kind() != ErrorKind::NotFound => return Err(self.error(&error)),
                _ => {}
            }
        }
        Ok(())
    }

    pub(crate) fn error(&self, what: &dyn fmt::Display) -> SolveError {
        SolveError::Checkpoint { path: self.path.display().to_string(), what: what.to_string() }
    }

    fn write(&self, state: &State<'_>) -> Result<(), SolveError> {
        let links = state.links.map(|links| links.moves().to_string());
        let (stage, chunk) = (stage_text(state.reached.stage), state.reached.chunk.to_string());
        let values = [
            self.game.clone(),
            self.parameters.clone(),
            state.codes.len().to_string(),
            stage,
            chunk,
            if state.late.load(Relaxed) { "yes" } else { "no" }.to_owned(),
            links.unwrap_or_else(|| "none".to_owned()),
        ];
        let fields: Vec<(&str, &str)> = FIELDS.into_iter().zip(values.iter().map(String::as_str)).collect();
        let written = replace(&*self.disk, &self.path, |out| {
            let mut writer = ByteWriter::new(out, TITLE, &fields)?;
            for code in state.codes {
                writer.write_all(&code.load(Relaxed).to_le_bytes())?;
            }
            if let Some(links) = state.links {
                links.write(&mut writer)?;
            }
            writer.finish().map(drop)
        });
        written.map_err(|error: io::Error| self.error(&error))
    }

    /// Reads the state of a build into its arrays, if there is a file. Without memory for the links the build goes on
    /// without links, and so does a build that began without links.
    pub(crate) fn read(&self, state: &mut StateMut<'_>) -> Result<Option<Reached>, SolveError> {
        let file = match self.disk.open(&self.path) {
            Ok(file) => BufReader::with_capacity(1 << 16, file),
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(self.error(&error)),
        };
        let (mut reader, values) = ByteReader::new(file, TITLE, &FIELDS).map_err(|e| self.error(&e))?;
        let [game, parameters, numbers, stage, chunk, late, links] = &values[..] else {
            return Err(self.error(&"its header has other lines"));
        };
        if (game, parameters) != (&self.game, &self.parameters) {
            let (found, expected) =
                (format!("{game} {parameters}"), format!("{} {}", self.game, self.parameters));
            return Err(self.error(&StoreError::Other { found, expected }));
        }
        let wrong = |name: &str, value: &str| self.error(&format!("its line `{name} {value}` means nothing"));
        let len = state.codes.len() as u64;
        let table = number(numbers).ok_or_else(|| wrong("numbers", numbers))?;
        if table != len {
            return Err(self.error(&StoreError::Space { table, space: len }));
        }
        let stage = stage_of(stage).ok_or_else(|| wrong("stage", stage))?;
        let chunk =
            number(chunk).filter(|&chunk| chunk <= state.chunks).ok_or_else(|| wrong("chunk", chunk))?;
        let is_late = late == "yes";
        if !is_late && late != "no" {
            return Err(wrong("late", late));
        }
        let moves = match links.as_str() {
            "none" => None,
            text => Some(number(text).ok_or_else(|| wrong("links", text))?),
        };
        // The memory for the links is taken before they are read.
        let there =
            self.disk.look(&self.path).map_err(|error| self.error(&error))?.map_or(0, |look| look.len);
        if moves.is_some_and(|moves| Links::bytes(len, moves) > there.saturating_mul(UNPACKED)) {
            let what = format!("its line `links {links}` tells more than its {there} bytes can hold");
            return Err(self.error(&what));
        }
        let read = (|| {
            for code in &mut *state.codes {
                let mut bytes = [0; 2];
                reader.read_exact(&mut bytes)?;
                *code.get_mut() = u16::from_le_bytes(bytes);
            }
            match (moves, &mut *state.links) {
                (None, links) => *links = None,
                (Some(moves), links) => {
                    let fits = links.is_some() && (state.fits)(moves);
                    if let Some(kept) = links.as_mut().filter(|_| fits) {
                        kept.read(moves, &mut reader)?;
                    } else {
                        *links = None;
                        Links::skip(len, moves, &mut reader)?;
                    }
                }
            }
            Ok(())
        })();
        read.map_err(|error| self.error(&reader.reason(error)))?;
        reader.finish().map_err(|error| self.error(&error))?;
        state.late.store(is_late, Relaxed);
        let given_up = moves.is_some() && state.links.is_none();
        Ok(Some(match stage {
            // Without links there is nothing to link, and a level visits all chunks.
            Stage::Link if given_up => Reached { stage: Stage::Survey, chunk: state.chunks },
            Stage::Level(_) if given_up => Reached { stage, chunk: 0 },
            _ => Reached { stage, chunk },
        }))
    }
}

/// A number in the form of the header: without sign or leading zeros.
fn number(text: &str) -> Option<u64> {
    text.parse().ok().filter(|number: &u64| number.to_string() == text)
}

fn stage_text(stage: Stage) -> String {
    match stage {
        Stage::Survey | Stage::Verify => "survey".to_owned(),
        Stage::Link => "link".to_owned(),
        Stage::Level(level) => format!("level {level}"),
    }
}

fn stage_of(text: &str) -> Option<Stage> {
    match text {
        "survey" => Some(Stage::Survey),
        "link" => Some(Stage::Link),
        _ => {
            let level = number(text.strip_prefix("level ")?)?;
            u16::try_from(level).ok().filter(|&level| level <= MAX_DISTANCE).map(Stage::Level)
        }
    }
}

/// The progress of a build: its stage, and the first chunk that is not done in this stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Reached {
    pub(crate) stage: Stage,
    pub(crate) chunk: u64,
}

/// The results of a build so far.
pub(crate) struct State<'a> {
    pub(crate) reached: Reached,
    pub(crate) codes: &'a [AtomicU16],
    pub(crate) links: Option<&'a Links>,
    pub(crate) late: &'a AtomicBool,
}

/// The arrays of a build, for a checkpoint to fill.
pub(crate) struct StateMut<'a> {
    pub(crate) chunks: u64,
    pub(crate) codes: &'a mut [AtomicU16],
    pub(crate) links: &'a mut Option<Links>,
    pub(crate) late: &'a AtomicBool,
    /// `true` if the memory suffices for this number of links.
    pub(crate) fits: &'a dyn Fn(u64) -> bool,
}

/// The writer of checkpoints, each at its time.
pub(crate) struct Keeper<'a> {
    to: &'a Checkpoint,
    clock: CheckpointClock,
}

impl<'a> Keeper<'a> {
    pub(crate) fn new(to: &'a Checkpoint) -> Self {
        Self { to, clock: CheckpointClock::new(to.interval) }
    }

    /// Writes a checkpoint if it is time, or if the build stops.
    pub(crate) fn keep(&mut self, state: &State<'_>, stops: bool) -> Result<(), SolveError> {
        if !stops && !self.clock.is_due() {
            return Ok(());
        }
        self.clock.write(|| self.to.write(state))
    }
}
