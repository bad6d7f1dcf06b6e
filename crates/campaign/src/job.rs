//! [`Plan`], [`JobId`] and [`Job`]; the files of a job.

use std::fmt::{self, Write as _};
use std::path::{Path, PathBuf};

use stonework_files::with_ending;

/// The division of the proof of a position into jobs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Plan {
    /// One job: the value of the root. One process at a time works at the job.
    #[default]
    OneJob,
    /// A job for each move of the root. The value of the root follows from the values of its moves, and one move
    /// that wins is enough.
    ///
    /// The plan is good if the side to move does not win, as all its moves are then needed.
    Replies,
    /// A job for each move of the root, and a file with one claim for each position after these moves. All moves
    /// are needed.
    Openings {
        /// `true` if each of these jobs is divided by its own moves, as in [`Plan::Replies`].
        split: bool,
    },
}

/// The last part of the identifier of the job that puts a proof together. No move has this name: see
/// [`JobId::child`].
const MERGE: &str = "all";

/// The identifier of a job within its campaign: the moves that lead from the root to the position of the job.
///
/// ```
/// use stonework_campaign::JobId;
/// let opening = JobId::whole().child("a1");
/// assert_eq!(opening.child("b2").to_string(), "a1/b2");
/// assert_eq!(opening.child("b2").segments(), ["a1", "b2"]);
/// assert_eq!(opening.child("1/2 all").to_string(), "a1/1%2F2%20all");
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct JobId(Vec<String>);

impl JobId {
    /// The job that is the whole campaign.
    #[must_use]
    pub const fn whole() -> Self {
        Self(Vec::new())
    }

    /// The job after one more move.
    ///
    /// `move_text` becomes a part of file names: each byte that is neither an ASCII letter nor a digit nor `-` nor
    /// `_` is written as `%` and two hexadecimal digits, and so is the first byte of the text `all`.
    #[must_use]
    pub fn child(&self, move_text: &str) -> Self {
        let mut name = String::new();
        for (at, byte) in move_text.bytes().enumerate() {
            let plain = byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
            if plain && !(at == 0 && move_text == MERGE) {
                name.push(char::from(byte));
            } else {
                let _ = write!(name, "%{byte:02X}");
            }
        }
        self.with(name)
    }

    /// The job that puts together the proofs of the jobs below this one.
    #[must_use]
    pub fn merge(&self) -> Self {
        self.with(MERGE.to_owned())
    }

    /// The names of the moves from the root, as [`child`](JobId::child) writes them; an empty slice for the whole
    /// campaign.
    #[must_use]
    pub fn segments(&self) -> &[String] {
        &self.0
    }

    fn with(&self, segment: String) -> Self {
        let mut segments = self.0.clone();
        segments.push(segment);
        Self(segments)
    }
}

/// The names of the moves with `/` between them; an empty text for the whole campaign.
impl fmt::Display for JobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("/"))
    }
}

/// A job and its place in its list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Job<'a> {
    /// The job.
    pub id: &'a JobId,
    /// The plan of the list that the job belongs to.
    pub plan: Plan,
    /// The number of finished jobs of the list.
    pub done: usize,
    /// The number of jobs of the list.
    pub all: usize,
}

/// The names of all files of a campaign for the proof `FILE`.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    file: PathBuf,
}

impl Layout {
    pub(crate) const fn new(file: PathBuf) -> Self {
        Self { file }
    }

    /// The proof of a job: `FILE`, `FILE.parts/a1.proof`, `FILE.parts/a1.proof.parts/b2.proof`.
    pub(crate) fn proof(&self, job: &JobId) -> PathBuf {
        job.0.iter().fold(self.file.clone(), |file, name| parts_of(&file).join(format!("{name}.proof")))
    }

    /// The directory of the jobs below a job: `FILE.parts`, `FILE.parts/a1.proof.parts`.
    pub(crate) fn parts(&self, job: &JobId) -> PathBuf {
        parts_of(&self.proof(job))
    }

    /// The checkpoint of a job: `FILE.checkpoint`, `FILE.parts/a1.checkpoint`.
    pub(crate) fn checkpoint(&self, job: &JobId) -> PathBuf {
        self.beside(job, "checkpoint")
    }

    /// The lock of a job: `FILE.lock`, `FILE.parts/a1.lock`, `FILE.parts/all.lock`.
    pub(crate) fn lock(&self, job: &JobId) -> PathBuf {
        self.beside(job, "lock")
    }

    fn beside(&self, job: &JobId, ending: &str) -> PathBuf {
        match job.0.split_last() {
            Some((name, above)) => self.parts(&JobId(above.to_vec())).join(format!("{name}.{ending}")),
            None => with_ending(&self.file, &format!(".{ending}")),
        }
    }
}

/// The directory of the parts of a proof.
pub(crate) fn parts_of(file: &Path) -> PathBuf {
    with_ending(file, ".parts")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_different_jobs_differ() {
        let layout = Layout::new("p".into());
        let whole = JobId::whole();
        let jobs = [
            whole.clone(),
            whole.merge(),
            whole.child("all"),
            whole.child("a1"),
            whole.child("a1").merge(),
            whole.child("a1").child("b2"),
        ];
        let mut files: Vec<PathBuf> =
            jobs.iter().flat_map(|job| [layout.lock(job), layout.proof(job)]).collect();
        files.sort();
        files.dedup();
        assert_eq!(files.len(), 2 * jobs.len());
        assert_eq!(layout.lock(&jobs[0]), Path::new("p.lock"));
        assert_eq!(layout.lock(&jobs[5]), Path::new("p.parts/a1.proof.parts/b2.lock"));
        assert_eq!(layout.checkpoint(&jobs[3]), Path::new("p.parts/a1.checkpoint"));
    }
}
