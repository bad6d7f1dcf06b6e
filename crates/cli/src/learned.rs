//! `--learned NAME=FILE,…`: players with files that `learn` has written.

use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use stonework_farm::{Digest, MAX_BLOB, Queue};
use stonework_files::{Disk, System, crc32, read_bytes};
use stonework_game::Game;
use stonework_game::text::head;
use stonework_learn::{LatticeNet, MoveWeights, ValueNet};
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
    lattice: Option<LatticeNet>,
    /// The bytes of the files, for the workers of a farm.
    files: Vec<Arc<[u8]>>,
    /// The names of the files and a check of their bytes, for the header of a log.
    pub(crate) about: String,
}

/// The content of a file of tensors.
pub(crate) enum Tensors {
    Values(ValueNet),
    Priors(MoveWeights),
    Lattice(LatticeNet),
}

impl Tensors {
    /// Reads the bytes of a file of any kind.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, String> {
        let values = match ValueNet::from_bytes(bytes) {
            Ok(values) => return Ok(Self::Values(values)),
            Err(error) => error,
        };
        let priors = match MoveWeights::from_bytes(bytes) {
            Ok(priors) => return Ok(Self::Priors(priors)),
            Err(error) => error,
        };
        LatticeNet::from_bytes(bytes).map(Self::Lattice).map_err(|lattice| {
            let [values, priors, lattice] = [values.to_string(), priors.to_string(), lattice.to_string()];
            if values == priors && priors == lattice {
                return values;
            }
            format!("neither values ({values}) nor priors ({priors}) nor a lattice network ({lattice})")
        })
    }
}

/// A learned player in the words of a job: its files by their content.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LearnedWords {
    name: String,
    files: Vec<Digest>,
}

/// A file of tensors: its name, and its bytes.
pub(crate) type NamedTensors = (String, Arc<[u8]>);

/// The bytes of a file of tensors.
pub(crate) fn tensors(disk: &dyn Disk, path: &Path) -> Result<Vec<u8>, String> {
    read_bytes(disk, path, MAX_TENSORS).map_err(|error| format!("{}: {error}", path.display()))
}

/// Reads `NAME=FILE,…`: at most one file of each kind.
pub(crate) fn learned_player(text: &str) -> Result<LearnedPlayer, String> {
    let (name, files) = text.split_once('=').ok_or("NAME=FILE,… is expected")?;
    if name.is_empty() || name.contains([':', ',']) {
        return Err(format!("`{name}` is no name"));
    }
    LearnedPlayer::of_files(name, named_tensors(&System, files)?)
}

/// The files of a list `FILE,FILE`.
pub(crate) fn named_tensors(disk: &dyn Disk, files: &str) -> Result<Vec<NamedTensors>, String> {
    let read = |file: &str| Ok((file.to_owned(), Arc::from(tensors(disk, Path::new(file))?)));
    files.split(',').map(read).collect()
}

impl LearnedPlayer {
    /// A player with at most one file of each kind.
    pub(crate) fn of_files(name: &str, files: Vec<NamedTensors>) -> Result<Self, String> {
        let names: Vec<&str> = files.iter().map(|(file, _)| file.as_str()).collect();
        let checks: Vec<String> = files.iter().map(|(_, bytes)| format!("{:08x}", crc32(&[bytes]))).collect();
        let about = format!("{name}={} {}", names.join(","), checks.join(" "));
        Self::new(name, files, about)
    }

    /// A player with files, each with its name for messages.
    fn new(name: &str, files: Vec<NamedTensors>, about: String) -> Result<Self, String> {
        let (value, priors, lattice) = (None, None, None);
        let mut player = Self { name: name.to_owned(), value, priors, lattice, files: Vec::new(), about };
        for (file, bytes) in files {
            let read = Tensors::read(&bytes).map_err(|error| format!("{file}: {error}"))?;
            let is_second = match read {
                Tensors::Values(net) => player.value.replace(net).is_some(),
                Tensors::Priors(weights) => player.priors.replace(weights).is_some(),
                Tensors::Lattice(net) => player.lattice.replace(net).is_some(),
            };
            if is_second {
                return Err(format!("{file}: a second file of one kind; a player has one file of each"));
            }
            player.files.push(bytes);
        }
        Ok(player)
    }

    /// The words for the workers of a farm.
    pub(crate) fn words(&self) -> LearnedWords {
        let files = self.files.iter().map(|bytes| Digest::of(bytes)).collect();
        LearnedWords { name: self.name.clone(), files }
    }

    /// Puts the files where the workers of a farm find them.
    fn put(&self, queue: &dyn Queue) -> Result<(), String> {
        for bytes in &self.files {
            queue.put(bytes).map_err(|error| format!("the files of --learned {}: {error}", self.name))?;
        }
        Ok(())
    }

    /// The roster of a game with this player.
    pub(crate) fn join(
        &self,
        game: &GameType,
        roster: Roster<AnyPosition>,
    ) -> Result<Roster<AnyPosition>, String> {
        let Self { name, value, priors, lattice, .. } = self.clone();
        if lattice.is_some() && game.name() != HAVANNAH {
            return Err(format!(
                "--learned {name}: the game {} has no planes for a lattice network",
                game.name()
            ));
        }
        let entry = match game.name() {
            HAVANNAH => any(stonework_havannah_players::learned_entry(&name, value, priors, lattice))?,
            CACHEX => any(stonework_cachex_players::learned_entry(&name, value, priors))?,
            COVER => any(stonework_cover_players::learned_entry(&name, value, priors))?,
            other => return Err(format!("the game {other} has no features to learn from")),
        };
        Ok(entry.into_iter().fold(roster, Roster::with))
    }
}

/// The bytes of the files of players.
fn bytes_of<'a>(players: impl IntoIterator<Item = &'a LearnedPlayer>) -> u64 {
    players.into_iter().flat_map(|player| &player.files).map(|bytes| bytes.len() as u64).sum()
}

/// Puts the files of players where the workers of a farm find them.
pub(crate) fn put_learned(players: &[LearnedPlayer], queue: &dyn Queue) -> Result<(), String> {
    let all = bytes_of(players);
    if all > MAX_TENSORS {
        return Err(format!(
            "--learned: the files have {all} bytes together, and at most {MAX_TENSORS} go to a farm"
        ));
    }
    players.iter().try_for_each(|player| player.put(queue))
}

/// The roster of a game with learned players, each of which has a name of its own.
pub(crate) fn with_learned(
    players: &[LearnedPlayer],
    game: &GameType,
    roster: Roster<AnyPosition>,
) -> Result<Roster<AnyPosition>, String> {
    let taken =
        |(at, player): &(usize, &LearnedPlayer)| players[..*at].iter().any(|one| one.name == player.name);
    if let Some((_, player)) = players.iter().enumerate().find(taken) {
        return Err(format!("--learned {}: a second player of this name", player.name));
    }
    players.iter().try_fold(roster, |roster, player| player.join(game, roster))
}

/// The learned players of the last jobs of a worker, with files from the queue.
pub(crate) struct LearnedShelf {
    queue: Arc<dyn Queue>,
    known: Vec<(LearnedWords, LearnedPlayer)>,
    /// The largest number of bytes of the files of all players of a job.
    most: u64,
}

/// The largest number of learned players of a job.
const MOST_PLAYERS: usize = 64;
/// The largest number of files of a learned player: one of each kind.
const MOST_FILES: usize = 3;

impl LearnedShelf {
    pub(crate) fn new(queue: &Arc<dyn Queue>) -> Self {
        Self { queue: Arc::clone(queue), known: Vec::new(), most: MAX_TENSORS }
    }

    /// A game with the learned players of a job; players of other jobs are forgotten.
    pub(crate) fn game(&mut self, game: &GameType, words: &[LearnedWords]) -> Result<GameType, String> {
        if words.len() > MOST_PLAYERS {
            return Err(format!("{} learned players: a job has at most {MOST_PLAYERS}", words.len()));
        }
        if let Some(LearnedWords { name, files }) = words.iter().find(|words| words.files.len() > MOST_FILES)
        {
            let (name, count) = (head(name), files.len());
            return Err(format!(
                "{count} files of the learned player {name}: a player has at most {MOST_FILES}"
            ));
        }
        self.known.retain(|(known, _)| words.contains(known));
        for wanted in words {
            if !self.known.iter().any(|(known, _)| known == wanted) {
                self.known.push((wanted.clone(), self.fetched(wanted)?));
            }
        }
        let player = |wanted| self.known.iter().find(|(known, _)| known == wanted).map(|(_, player)| player);
        let players: Vec<LearnedPlayer> = words.iter().filter_map(player).cloned().collect();
        Ok(game.clone().players(with_learned(&players, game, game.roster().clone())?))
    }

    fn fetched(&self, LearnedWords { name, files }: &LearnedWords) -> Result<LearnedPlayer, String> {
        let mut left = self.most.saturating_sub(bytes_of(self.known.iter().map(|(_, player)| player)));
        let fetched = |digest: &Digest| {
            let failed =
                |why: String| format!("the file {digest} of the learned player {}: {why}", head(name));
            // The files of all players of a job have one limit.
            let bytes =
                self.queue.get(digest, MAX_BLOB.min(left)).map_err(|error| failed(error.to_string()))?;
            let bytes = bytes.ok_or_else(|| failed("not there".to_owned()))?;
            left -= bytes.len() as u64;
            Ok((digest.to_string(), Arc::from(bytes)))
        };
        let files = files.iter().map(fetched).collect::<Result<Vec<_>, String>>()?;
        LearnedPlayer::new(name, files, name.clone())
    }
}

/// An entry for positions without their type.
fn any<G: Game + Described>(
    entry: Result<RosterEntry<G>, stonework_learn::WrongCount>,
) -> Result<Vec<RosterEntry<AnyPosition>>, String> {
    let entry = entry.map_err(|error| format!("--learned: {error}"))?;
    Ok(any_roster(&Roster::new().with(entry)).entries().to_vec())
}

#[cfg(test)]
mod tests {
    use stonework_farm::{Embedded, EmbeddedOptions};
    use stonework_session::Registry;

    use super::*;

    /// The second player took the place of the first one without a word.
    #[test]
    fn two_learned_players_of_one_name_are_refused() {
        let player = |name: &str| LearnedPlayer::of_files(name, Vec::new()).unwrap();
        let game = Registry::standard().game(HAVANNAH).unwrap().clone();
        let joined = |names: [&str; 2]| {
            let roster = with_learned(&names.map(player), &game, game.roster().clone())?;
            Ok::<_, String>(names.map(|name| roster.entry(name).is_some()))
        };
        assert_eq!(joined(["one", "other"]), Ok([true; 2]));
        assert_eq!(joined(["one", "one"]).unwrap_err(), "--learned one: a second player of this name");
    }

    /// A worker fetched all files that a job named, up to 900 of 64 MiB each, before it refused the second one of a kind.
    #[test]
    fn a_job_with_more_learned_files_than_a_player_has_is_refused_before_the_first_is_fetched() {
        let folder = std::env::temp_dir().join(format!("stonework-learned-{}", std::process::id()));
        let queue: Arc<dyn Queue> = Arc::new(Embedded::open(&folder, &EmbeddedOptions::default()).unwrap());
        let file = queue.put(&[7; 1000]).unwrap();
        let registry = Registry::standard();
        let mut shelf = LearnedShelf::new(&queue);
        let mut refused = |most: u64, count: usize| {
            shelf.most = most;
            let words = [LearnedWords { name: "x".to_owned(), files: vec![file; count] }];
            shelf.game(registry.game(HAVANNAH).unwrap(), &words).err().unwrap()
        };
        assert_eq!(refused(1 << 20, 4), "4 files of the learned player x: a player has at most 3");
        // Within the limits the file is fetched, and is no file of tensors.
        let read = refused(1 << 20, 3);
        assert!(read.starts_with(&format!("{file}: ")), "{read}");
        let long = refused(2500, 3);
        assert!(long.ends_with("a blob is 1000 long, and at most 500 is allowed"), "{long}");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
