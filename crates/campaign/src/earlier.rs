//! The files of earlier versions, in which several processes shared a directory of parts.
//!
//! An earlier version locked `FILE.parts/a1.lock` for a job and `FILE.parts/all.lock` for joining, and divided a job into
//! replies in `FILE.parts` or `FILE.parts/a1.proof.parts`.

use std::path::Path;

use crate::CampaignError;
use crate::campaign::lock;
use crate::job::{done_folder, parts_of};
use crate::worker::Settings;

/// The name of the lock for joining, without its ending.
pub(crate) const JOINING: &str = "all";

/// Refuses parts that a campaign does not use: the parts of a proof that has none in this campaign. An empty directory is
/// removed.
pub(crate) fn refuse_parts(settings: &Settings, proof: &Path) -> Result<(), CampaignError> {
    let parts = parts_of(proof);
    for path in [done_folder(&parts), parts] {
        let _ = settings.disk.remove_directory(&path);
        if settings.has(&path)? {
            return Err(CampaignError::UnusedParts { path });
        }
    }
    Ok(())
}

/// Refuses to share a directory of parts with a process of an earlier version, and removes the lock files of processes
/// that have ended. `names` are the names of the jobs.
pub(crate) fn refuse_company(
    settings: &Settings,
    file: &Path,
    names: &[String],
) -> Result<(), CampaignError> {
    let parts = parts_of(file);
    for name in names.iter().map(String::as_str).chain([JOINING]) {
        let path = parts.join(format!("{name}.lock"));
        if settings.has(&path)? {
            drop(lock(&settings.disk, file, &path)?);
        }
    }
    Ok(())
}
