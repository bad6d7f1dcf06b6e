//! `verify DIRECTORY`: checks a set of proofs by the rules alone.

use std::fs::File;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use serde_json::json;
use std::io::Write;
use stonework_files::BlockFault;
use stonework_game::Textual;
use stonework_havannah::Position;
use stonework_havannah_solver::HavannahRules;
use stonework_proof::ProofFault;
use stonework_proof::set::{ProofSet, SetCheck, SetError, SetFolder, SetProgress, VerifiedSet, verify_set};

use crate::engines::interrupted;
use crate::failure::{Failure, plain};
use crate::out::Out;
use crate::progress::Progress;

/// Verifies the set of a directory, and prints the verdict. A signal ends the check.
pub(crate) fn verify_folder(
    folder: &Path,
    threads: usize,
    progress: Option<&Path>,
    out: &mut Out,
) -> Result<(), Failure> {
    let list = folder.join(ProofSet::NAME);
    let unreadable =
        |path: &Path, why: &dyn std::fmt::Display| Failure::input(format!("{}: {why}", path.display()));
    let input = File::open(&list).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => unreadable(
            folder,
            &format_args!(
                "no proof set, for want of the file {}; proofs of `farm export` are verified one by one",
                ProofSet::NAME
            ),
        ),
        _ => unreadable(&list, &error),
    })?;
    let noted = progress.map(|path| SetProgress::open(path).map_err(|error| unreadable(path, &error)));
    let noted = noted.transpose()?;
    let (stop, checked) = (interrupted(), AtomicUsize::new(0));
    let files = SetFolder(folder.to_owned());
    let verified = ProofSet::read(input).and_then(|set| {
        let bar = Mutex::new(Progress::new("files", Some(set.files.len() as u64)));
        let watch = |done: usize, _| {
            checked.fetch_max(done, Ordering::Relaxed);
            bar.lock().unwrap_or_else(PoisonError::into_inner).at(done as u64);
        };
        let check = SetCheck {
            threads,
            progress: noted.as_ref(),
            cancel: Some(&stop),
            watch: Some(&watch),
            ..SetCheck::default()
        };
        verify_set::<Position, _>("havannah", &HavannahRules, &set, &files, &check)
    });
    match verified {
        Ok(verified) => holds(&verified, out),
        Err(SetError::Cancelled) => {
            let go_on = progress.map_or("without --progress the next check begins anew".to_owned(), |path| {
                format!("the same command goes on from {}", path.display())
            });
            let checked = checked.load(Ordering::Relaxed);
            Err(Failure::input(format!("stopped after {checked} files of the set; {go_on}")))
        }
        // A file that cannot be read is neither right nor wrong.
        Err(error) if is_unreadable(&error) => Err(unreadable(folder, &error)),
        Err(error) => {
            if out.wants_json() {
                out.object(&json!({ "ok": false, "error": error.to_string() }))?;
            } else {
                writeln!(out, "the proof does not hold: {}", plain(&error.to_string()))?;
            }
            out.flush()?;
            Err(Failure::Disagrees)
        }
    }
}

fn is_unreadable(error: &SetError) -> bool {
    match error {
        SetError::Unreadable(_) | SetError::Output(_) => true,
        SetError::File { error, .. } => error.kind() != std::io::ErrorKind::NotFound,
        SetError::Refused { refused, .. } => matches!(refused.fault, ProofFault::File(BlockFault::Io(_))),
        _ => false,
    }
}

/// Prints a set that holds.
fn holds(verified: &VerifiedSet<Position>, out: &mut Out) -> Result<(), Failure> {
    let VerifiedSet { root, claim, files: (proofs, tops), reused, bytes, positions, records, longest } =
        verified;
    let root = root.position_text();
    if out.wants_json() {
        return out.object(&json!({
            "ok": true,
            "claim": claim.to_string(),
            "root": root,
            "proofs": proofs,
            "tops": tops,
            "verified_before": reused,
            "bytes": bytes,
            "nodes": positions,
            "records": records,
            "longest": longest,
        }));
    }
    writeln!(out, "the proof holds: {claim} (first is white, second black)")?;
    writeln!(out, "  root: {root}")?;
    writeln!(out, "  {proofs} proof files and {tops} files above them, {bytes} bytes")?;
    if *reused > 0 {
        writeln!(out, "  {reused} of the files were verified before, by the file of progress")?;
    }
    writeln!(out, "  {positions} positions checked, {records} records, within {longest} plies")?;
    Ok(())
}
