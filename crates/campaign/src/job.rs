//! [`Plan`] and [`Job`]; the files of a job.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use stonework_files::with_ending;

/// The division of the proof of a position into jobs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Plan {
    /// One job: the value of the root.
    #[default]
    OneJob,
    /// A job for each move of the root, up to symmetry, and a file with one claim for each position after these moves.
    Openings,
}

/// A job and its place in its campaign. `M` is a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Job<M> {
    /// The move of the root whose position the job proves; `None` for a job that proves the root.
    pub mv: Option<M>,
    /// The number of finished jobs of the campaign.
    pub done: usize,
    /// The number of jobs of the campaign.
    pub all: usize,
}

/// The paths of the files of a job.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct JobFiles {
    pub(crate) proof: PathBuf,
    pub(crate) checkpoint: PathBuf,
}

impl JobFiles {
    /// The files of the job that is the whole campaign: `FILE` and `FILE.checkpoint`.
    pub(crate) fn of_whole(file: PathBuf) -> Self {
        Self { checkpoint: with_ending(&file, ".checkpoint"), proof: file }
    }

    /// The files of the job of a move: `FILE.parts/a1.proof` and `FILE.parts/a1.checkpoint`.
    pub(crate) fn of_part(parts: &Path, name: &str) -> Self {
        let file = |ending: &str| parts.join(format!("{name}.{ending}"));
        Self { proof: file("proof"), checkpoint: file("checkpoint") }
    }
}

/// The directory of the parts of a proof.
pub(crate) fn parts_of(file: &Path) -> PathBuf {
    with_ending(file, ".parts")
}

/// The name of the directory of parts after the parts are no longer needed.
pub(crate) fn done_folder(parts: &Path) -> PathBuf {
    with_ending(parts, ".done")
}

/// The text of a move as a part of file names: each byte that is neither an ASCII letter nor a digit nor `-` nor `_` is
/// written as `%` and two hexadecimal digits.
pub(crate) fn part_name(move_text: &str) -> String {
    let mut name = String::new();
    for byte in move_text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_') {
            name.push(char::from(byte));
        } else {
            let _ = write!(name, "%{byte:02X}");
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_text_of_a_move_is_a_file_name_of_its_own() {
        let texts = ["a1", "a 1", "a/1", "a%2F1", "..", "", "1/2 all", "é"];
        let mut names: Vec<String> = texts.iter().map(|text| part_name(text)).collect();
        assert_eq!(names[6], "1%2F2%20all");
        assert!(names.iter().all(|name| !name.contains(['/', '\\', '.', ' ']) && name.is_ascii()));
        names.sort();
        names.dedup();
        assert_eq!(names.len(), texts.len());
    }

    #[test]
    fn the_files_of_a_job_lie_beside_the_proof() {
        let whole = JobFiles::of_whole("p".into());
        assert_eq!(whole, JobFiles { proof: "p".into(), checkpoint: "p.checkpoint".into() });
        let part = JobFiles::of_part(&parts_of(Path::new("p")), "a1");
        assert_eq!(part.proof, Path::new("p.parts/a1.proof"));
        assert_eq!(part.checkpoint, Path::new("p.parts/a1.checkpoint"));
    }
}
