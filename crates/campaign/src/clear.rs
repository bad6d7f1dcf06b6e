//! Removal of the files of a finished list.

use std::path::{Path, PathBuf};

use stonework_files::{Lock, LockError, with_ending};
use stonework_game::{Keyed, MoveOrbit, Textual, move_orbits};

use crate::file_leases::{is_missing, lease_error};
use crate::job::parts_of;
use crate::moves::after;
use crate::worker::Settings;
use crate::{CampaignError, JobId, Plan};

/// The name of the directory of parts after the parts are no longer needed.
pub(crate) fn done_folder(parts: &Path) -> PathBuf {
    with_ending(parts, ".done")
}

/// Removes the directory of a list and the directories below it, but not the files of a process that is still
/// working at a job.
pub(crate) fn clear_list<G: Keyed + Textual>(
    settings: &Settings,
    folder: &Path,
    root: &G,
    plan: Plan,
    orbits: &[MoveOrbit<G::Move>],
) -> Result<(), CampaignError> {
    let names = |root: &G, orbits: &[MoveOrbit<G::Move>]| -> Vec<String> {
        orbits.iter().map(|orbit| JobId::whole().child(&root.move_text(orbit.mv)).to_string()).collect()
    };
    let own = names(root, orbits);
    if plan == (Plan::Openings { split: true }) {
        for (name, orbit) in own.iter().zip(orbits) {
            let parts = parts_of(&folder.join(format!("{name}.proof")));
            for below in [done_folder(&parts), parts] {
                if settings.look(&below)?.is_some() {
                    let position = after(root, orbit.mv);
                    clear_folder(settings, &below, &names(&position, &move_orbits(&position)))?;
                }
            }
        }
    }
    clear_folder(settings, folder, &own)
}

fn clear_folder(settings: &Settings, folder: &Path, names: &[String]) -> Result<(), CampaignError> {
    let disk = &settings.disk;
    for name in names {
        let path = folder.join(format!("{name}.lock"));
        let _lock = match Lock::take(disk, &path) {
            Ok(lock) => lock,
            Err(LockError::Held { .. }) => continue,
            Err(error) if is_missing(&error) => continue,
            Err(error) => return Err(lease_error(error, &path).into()),
        };
        for ending in ["proof", "checkpoint"] {
            let path = folder.join(format!("{name}.{ending}"));
            // A file that cannot be removed does no harm.
            let _ = disk.remove(&path);
            // The file has this second name until it is completely written.
            let _ = disk.remove(&with_ending(&path, ".new"));
        }
    }
    let _ = disk.remove(&folder.join("all.lock"));
    let _ = disk.remove_directory(folder);
    Ok(())
}
