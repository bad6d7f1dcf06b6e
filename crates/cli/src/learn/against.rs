//! [`MatchArgs`]: a match of what is learned against earlier files, which decides between them.

use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use stonework_arena::{Sprt, SprtVerdict};
use stonework_files::Disk;
use stonework_havannah_players::{shipped_lattice, shipped_net, shipped_weights};
use stonework_session::Registry;

use crate::arena::{KeepArgs, even};
use crate::arena_match::Match;
use crate::failure::Failure;
use crate::learned::{LearnedPlayer, NamedTensors, Tensors, named_tensors};
use crate::out::Out;
use crate::start::{HAVANNAH, any_size, seconds, threads};

/// The word for the files that are a part of the program.
const SHIPPED: &str = "shipped";

#[derive(Args)]
pub(super) struct MatchArgs {
    /// After learning, play a match against the player with these earlier files: values, priors, a lattice network; `shipped` stands
    /// for those of `champion`. The new player has the learned file, and of the earlier files those of the other kinds. The exit code
    /// is 0 if the test decides that the new player is stronger, 1 if it does not
    #[arg(long, value_name = "FILE,…")]
    against: Option<String>,
    /// The size of the board of the match; unless given, that of the first file of games
    #[arg(long, value_name = "N", value_parser = any_size, requires = "against")]
    size: Option<u64>,
    /// The most games of the match, an even number
    #[arg(long, value_name = "N", default_value = "400", value_parser = even, requires = "against")]
    games: usize,
    /// The test that ends the match when it decides between two Elo differences
    #[arg(
        long,
        value_name = "TEST",
        default_value = "elo0=0,elo1=50,alpha=0.05,beta=0.05",
        requires = "against"
    )]
    sprt: Sprt,
    /// Simulations of a move of the match: equal seeds then give equal games
    #[arg(long, value_name = "N", requires = "against")]
    simulations: Option<u64>,
    /// Seconds of a move of the match; 1 if there is no limit of simulations either
    #[arg(long, value_name = "T", value_parser = seconds, requires = "against")]
    seconds: Option<Duration>,
    /// Openings of the pairs of games: `random:PLIES`, `none`, or a file with an opening a line
    #[arg(long, value_name = "WHERE", default_value = "random:2", requires = "against")]
    openings: String,
    /// Games that are played at the same time
    #[arg(long, value_name = "K", default_value_t = 1, requires = "against", value_parser = threads())]
    concurrency: u16,
    /// Keep the games of the match in this file of JSON lines; if the file exists, go on from its end
    #[arg(long, value_name = "FILE", requires = "against")]
    log: Option<PathBuf>,
}

/// The learned numbers of a training.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Values,
    Priors,
    Lattice,
}

impl Kind {
    /// The kind of a file; `None` if its bytes are of none.
    fn of(bytes: &[u8]) -> Option<Self> {
        Some(match Tensors::read(bytes).ok()? {
            Tensors::Values(_) => Self::Values,
            Tensors::Priors(_) => Self::Priors,
            Tensors::Lattice(_) => Self::Lattice,
        })
    }
}

/// A match that is to be played after learning.
pub(super) struct Deciding<'a> {
    args: &'a MatchArgs,
    against: &'a str,
    /// The words of a command line of `match`.
    words: Vec<String>,
    kind: Kind,
    earlier: Vec<NamedTensors>,
}

impl MatchArgs {
    /// Sets up the match, if the arguments ask for one, and checks that it can be played.
    pub(super) fn deciding(
        &self,
        [game, size]: [&str; 2],
        seed: u64,
        kind: Kind,
        registry: &Registry,
        disk: &Arc<dyn Disk>,
    ) -> Result<Option<Deciding<'_>>, Failure> {
        let Some(against) = self.against.as_deref() else { return Ok(None) };
        let wrong = |error: String| Failure::input(format!("--against {error}"));
        let size = self.size.map_or_else(|| size.to_owned(), |size| size.to_string());
        let mut earlier = match (against, game) {
            (SHIPPED, HAVANNAH) => {
                shipped(size.parse().map_err(|error| wrong(format!("{SHIPPED}: size {size}: {error}")))?)
            }
            (SHIPPED, _) => {
                return Err(wrong(format!(
                    "{SHIPPED}: no learned files are a part of the program for {game}"
                )));
            }
            (files, _) => named_tensors(&**disk, files).map_err(wrong)?,
        };
        // A player with a lattice network plays by it alone, and does not show what another file is worth.
        if kind != Kind::Lattice {
            earlier.retain(|(_, bytes)| Kind::of(bytes) != Some(Kind::Lattice));
        }
        let old = LearnedPlayer::of_files("old", earlier.clone()).map_err(wrong)?;
        let mut words = vec!["new".to_owned(), "old".to_owned()];
        let mut option = |name: &str, value: String| words.extend([format!("--{name}"), value]);
        option("game", game.to_owned());
        option("size", size);
        option("seed", seed.to_string());
        option("games", self.games.to_string());
        option("sprt", self.sprt.to_string());
        option("openings", self.openings.clone());
        option("concurrency", self.concurrency.to_string());
        if let Some(simulations) = self.simulations {
            option("simulations", simulations.to_string());
        }
        if let Some(seconds) = self.seconds {
            option("seconds", seconds.as_secs_f64().to_string());
        }
        // Until there is something learned, the earlier files stand for it.
        let new = LearnedPlayer::of_files("new", earlier.clone()).map_err(wrong)?;
        let keep = KeepArgs::of("--log", None);
        drop(Match::of_words(words.clone(), vec![new, old], keep)?.arena(registry, disk)?);
        Ok(Some(Deciding { args: self, against, words, kind, earlier }))
    }
}

impl Deciding<'_> {
    /// Plays the match of the learned file and tells its result.
    ///
    /// # Errors
    /// [`Failure::Disagrees`] if the test does not decide for the learned file.
    pub(super) fn play(
        self,
        (name, bytes): (String, Vec<u8>),
        registry: &Registry,
        out: &mut Out,
    ) -> Result<(), Failure> {
        let other = self.earlier.iter().filter(|(_, bytes)| Kind::of(bytes) != Some(self.kind)).cloned();
        let files = [(name.clone(), Arc::from(bytes))].into_iter().chain(other).collect();
        let new = LearnedPlayer::of_files("new", files).map_err(Failure::input)?;
        let old = LearnedPlayer::of_files("old", self.earlier).map_err(Failure::input)?;
        let keep = KeepArgs::of("--log", self.args.log.clone());
        let verdict = Match::of_words(self.words, vec![new, old], keep)?.play(registry, out)?;
        let Some(verdict) = verdict else {
            let told = "the match was stopped before its end; with --log, the same command goes on with it";
            return Err(Failure::input(told));
        };
        if !out.wants_json() {
            let told = match verdict {
                SprtVerdict::Upper => "is stronger than",
                SprtVerdict::Lower => "is not stronger than",
                SprtVerdict::Open => "is not shown to be stronger than",
            };
            writeln!(out, "{name} {told} {}", self.against)?;
        }
        if verdict == SprtVerdict::Upper { Ok(()) } else { Err(Failure::Disagrees) }
    }
}

/// The files of the player `champion` on boards of a size.
fn shipped(size: u8) -> Vec<NamedTensors> {
    let values = ("values", shipped_net().to_bytes(&[]));
    let priors = ("priors", shipped_weights().to_bytes(&[]));
    [values, priors, ("lattice", shipped_lattice(size).to_bytes(&[]))]
        .map(|(kind, bytes)| (format!("{SHIPPED} {kind}"), Arc::from(bytes)))
        .to_vec()
}
