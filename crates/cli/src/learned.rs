//! `--learned NAME=FILE,…`: players with files that `learn` has written.

use std::path::{Path, PathBuf};

use stonework_files::{System, crc32};
use stonework_game::Game;
use stonework_learn::{MoveWeights, ValueNet};
use stonework_roster::{Roster, RosterEntry};
use stonework_session::{AnyPosition, Described, GameType, any_roster};

use crate::start::HAVANNAH;

/// The largest number of bytes of a file of tensors: 256 MiB.
const MAX_TENSORS: u64 = 256 << 20;

/// The names of the games with features.
pub(crate) const CACHEX: &str = stonework_cachex::Position::DESCRIPTION.name;
pub(crate) const COVER: &str = stonework_cover::Position::DESCRIPTION.name;

/// A player with learned files.
#[derive(Clone)]
pub(crate) struct LearnedPlayer {
    name: String,
    value: Option<ValueNet>,
    priors: Option<MoveWeights>,
    /// The names of the files and a check of their bytes, for the header of a log.
    pub(crate) about: String,
}

/// The bytes of a file of tensors.
pub(crate) fn tensors(path: &Path) -> Result<Vec<u8>, String> {
    let wrong = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let mut bytes = Vec::new();
    let file = stonework_files::Disk::open(&System, path).map_err(|error| wrong(&error))?;
    std::io::Read::read_to_end(&mut std::io::Read::take(file, MAX_TENSORS + 1), &mut bytes)
        .map_err(|error| wrong(&error))?;
    if bytes.len() as u64 > MAX_TENSORS {
        return Err(wrong(&format!("longer than {MAX_TENSORS} bytes")));
    }
    Ok(bytes)
}

/// Reads `NAME=FILE` or `NAME=FILE,FILE`: a file of values, a file of priors, or both.
pub(crate) fn learned_player(text: &str) -> Result<LearnedPlayer, String> {
    let (name, files) = text.split_once('=').ok_or("NAME=FILE or NAME=FILE,FILE")?;
    if name.is_empty() || name.contains([':', ',']) {
        return Err(format!("`{name}` is no name"));
    }
    let mut player = LearnedPlayer { name: name.to_owned(), value: None, priors: None, about: String::new() };
    let mut checks = Vec::new();
    for file in files.split(',') {
        let path = PathBuf::from(file);
        let bytes = tensors(&path)?;
        checks.push(format!("{:08x}", crc32(&[&bytes])));
        let twice = || {
            Err(format!(
                "{file}: a second file of one kind; a player has a file of values and a file of priors"
            ))
        };
        match (ValueNet::from_bytes(&bytes), MoveWeights::from_bytes(&bytes)) {
            (Ok(_), _) if player.value.is_some() => return twice(),
            (_, Ok(_)) if player.priors.is_some() => return twice(),
            (Ok(net), _) => player.value = Some(net),
            (_, Ok(weights)) => player.priors = Some(weights),
            (Err(value), Err(_)) => return Err(format!("{file}: neither values nor priors: {value}")),
        }
    }
    player.about = format!("{text} {}", checks.join(" "));
    Ok(player)
}

impl LearnedPlayer {
    /// The roster of a game with this player.
    pub(crate) fn join(
        &self,
        game: &GameType,
        roster: Roster<AnyPosition>,
    ) -> Result<Roster<AnyPosition>, String> {
        let Self { name, value, priors, .. } = self.clone();
        let entry = match game.name() {
            HAVANNAH => any(stonework_havannah_players::learned_entry(&name, value, priors))?,
            CACHEX => any(stonework_cachex_players::learned_entry(&name, value, priors))?,
            COVER => any(stonework_cover_players::learned_entry(&name, value, priors))?,
            other => return Err(format!("the game {other} has no features to learn from")),
        };
        Ok(entry.into_iter().fold(roster, Roster::with))
    }
}

/// An entry for positions without their type.
fn any<G: Game + Described>(
    entry: Result<RosterEntry<G>, stonework_learn::WrongCount>,
) -> Result<Vec<RosterEntry<AnyPosition>>, String> {
    let entry = entry.map_err(|error| format!("--learned: {error}"))?;
    Ok(any_roster(&Roster::new().with(entry)).entries().to_vec())
}
