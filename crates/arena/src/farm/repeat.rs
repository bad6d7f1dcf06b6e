//! [`RepeatCheck`]: the check of a sample of jobs by playing their games again.

use std::sync::{Mutex, PoisonError};

use stonework_farm::{Check, FarmJob, FarmWork, WorkSeat, Worked};
use stonework_game::scatter;

use super::self_play::MAX_TEXT;
use super::{ChunkAnswer, SELF_PLAY};
use crate::GameLine;
use crate::self_play::unpacked;

/// A check that plays the games of a share of the jobs again, and refuses games that come out otherwise.
///
/// The rules alone cannot tell whether a worker's player has chosen its moves, nor whether the visits of a search are those of
/// a search. If all limits are counts and each player has one thread, the games of a job follow from the job, and this check
/// compares them. A worker does not know the jobs of the sample. With a share s, a worker that lies in each job is found out
/// after 1/s jobs on the average, and shut out after three times as many.
///
/// The numbers of a search come from the functions of the system's library, too. So a worker with another library may be refused
/// without a lie. The coordinator is away while it plays: a job should take less than the queue's term.
///
/// ```
/// use stonework_arena::farm::RepeatCheck;
/// use stonework_farm::{Check, FarmJob, FarmWork, WorkSeat, Worked};
/// struct Anything;
/// impl Check for Anything {
///     fn check(&self, _: &FarmJob, answer: &[u8], _: &[Vec<u8>]) -> Result<Vec<u8>, String> {
///         Ok(answer.to_vec())
///     }
/// }
/// struct Idle;
/// impl FarmWork for Idle {
///     fn work(&mut self, _: &FarmJob, _: &WorkSeat) -> Worked {
///         Worked::Left
///     }
/// }
/// let check = RepeatCheck::new(Anything, Idle, 0.1, 0xa53c_91e2);
/// let due = (0..1000).filter(|seed| check.is_due(&FarmJob::new("games", 1, vec![*seed as u8, (*seed >> 8) as u8]).unwrap()));
/// assert!((50..150).contains(&due.count()));
/// ```
#[derive(Debug)]
pub struct RepeatCheck<C, W> {
    check: C,
    work: Mutex<W>,
    share: f64,
    secret: u64,
}

impl<C, W> RepeatCheck<C, W> {
    /// A check by `check`, and then by the games of `work`.
    ///
    /// # Arguments
    /// * `share` – the share of the jobs that are played again, 0 to 1, else the nearer end.
    /// * `secret` – the number that chooses them: a worker that knows it knows the sample.
    pub const fn new(check: C, work: W, share: f64, secret: u64) -> Self {
        Self { check, work: Mutex::new(work), share: share.clamp(0.0, 1.0), secret }
    }

    /// `true` for a job of the sample.
    pub fn is_due(&self, job: &FarmJob) -> bool {
        let id = job.id().to_string();
        let mixed = id.bytes().fold(self.secret, |sum, byte| scatter(sum ^ u64::from(byte)));
        // 53 bits are exact: with a share of 1 each job is due, and with 0 none.
        ((mixed >> 11) as f64) < self.share * (1_u64 << 53) as f64
    }
}

impl<C: Check, W: FarmWork> Check for RepeatCheck<C, W> {
    fn check(&self, job: &FarmJob, answer: &[u8], blobs: &[Vec<u8>]) -> Result<Vec<u8>, String> {
        let checked = self.check.check(job, answer, blobs)?;
        if self.is_due(job) {
            let worked =
                self.work.lock().unwrap_or_else(PoisonError::into_inner).work(job, &WorkSeat::default());
            // A coordinator that cannot play the games, or was stopped while it did, knows nothing against the worker.
            if let Worked::Done { answer: own, blobs: own_blobs, .. } = worked {
                compare(job, (answer, blobs), (&own, &own_blobs))?;
            }
        }
        Ok(checked)
    }
}

/// Compares two answers to a job, but for the time that the games took.
fn compare(job: &FarmJob, theirs: (&[u8], &[Vec<u8>]), own: (&[u8], &[Vec<u8>])) -> Result<(), String> {
    let other = |game: usize| Err(format!("game {game} comes out otherwise when it is played again"));
    if job.kind() == SELF_PLAY {
        let games = |blobs: &[Vec<u8>]| {
            let blob = blobs.first().map_or(&[][..], Vec::as_slice);
            unpacked(blob, MAX_TEXT).map_err(|error| error.to_string())
        };
        let (theirs, own) = (games(theirs.1)?, games(own.1)?);
        let differs = theirs.iter().zip(&own).find(|(theirs, own)| theirs != own);
        return differs.map_or(Ok(()), |(game, _)| other(game.game));
    }
    let games = |answer: &[u8]| -> Result<Vec<GameLine>, String> {
        let answer: ChunkAnswer = serde_json::from_slice(answer).map_err(|error| error.to_string())?;
        let mut games = answer.games;
        games.sort_by_key(|line| line.game);
        Ok(games)
    };
    let (theirs, own) = (games(theirs.0)?, games(own.0)?);
    let same =
        |a: &GameLine, b: &GameLine| (&a.moves, a.result, &a.reason) == (&b.moves, b.result, &b.reason);
    let differs = theirs.iter().zip(&own).find(|(theirs, own)| !same(theirs, own));
    differs.map_or(Ok(()), |(line, _)| other(line.game))
}
