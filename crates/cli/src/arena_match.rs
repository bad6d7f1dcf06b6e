//! `match`: games between two players.

use std::io::Write;
use std::sync::Arc;

use clap::{Args, Command, FromArgMatches};
use serde_json::{Value, json};
use stonework_arena::{MatchSummary, Score, Sprt, SprtVerdict};
use stonework_files::Disk;
use stonework_session::Registry;

use crate::arena::{Arena, BoutArgs, Fixture, KeepArgs, even};
use crate::arena_farm::EventFarm;
use crate::failure::Failure;
use crate::help;
use crate::learned::LearnedPlayer;
use crate::out::Out;

/// Let two players play each other, and measure the difference of their strength
#[derive(Args)]
#[command(long_about = help::MATCH_ABOUT, after_long_help = help::MATCH)]
pub(crate) struct Match {
    /// A player: NAME, NAME:OPTION=VALUE,… or gtp:COMMAND
    #[arg(value_name = "A")]
    a: String,
    /// The second player, in the same forms
    #[arg(value_name = "B")]
    b: String,
    /// Games to play, an even number
    #[arg(long, value_name = "N", default_value = "20", value_parser = even)]
    games: usize,
    /// Stop when a test decides, such as elo0=0,elo1=50,alpha=0.05,beta=0.05
    #[arg(long, value_name = "TEST")]
    sprt: Option<Sprt>,
    #[command(flatten)]
    bout: BoutArgs,
    #[command(flatten)]
    keep: KeepArgs,
    #[command(flatten)]
    farm: EventFarm,
}

impl Match {
    /// The match of a command line `match WORDS` with players with learned files, and with a log that another option than
    /// `--out` names.
    pub(crate) fn of_words(
        words: Vec<String>,
        learned: Vec<LearnedPlayer>,
        keep: KeepArgs,
    ) -> Result<Self, Failure> {
        let command = Self::augment_args(Command::new("match").no_binary_name(true));
        let read = command.try_get_matches_from(words).and_then(|words| Self::from_arg_matches(&words));
        let mut games = read.map_err(Failure::input)?;
        games.bout.set_learned(learned);
        Ok(Self { keep, ..games })
    }

    pub(crate) fn run(&self, registry: &Registry, out: &mut Out) -> Result<(), Failure> {
        if self.play(registry, out)?.is_none() && !out.wants_json() {
            writeln!(out, "  stopped before the end; with --out, the same command goes on")?;
        }
        Ok(())
    }

    /// Reads the players and opens the log.
    pub(crate) fn arena(&self, registry: &Registry, disk: &Arc<dyn Disk>) -> Result<Arena, Failure> {
        let players = [self.a.clone(), self.b.clone()];
        let test = self.sprt.map_or(Value::Null, |test| json!(test.to_string()));
        let extra = [("sprt", test)];
        let fixture = Fixture { what: "match", players: &players, games: self.games, extra: &extra };
        Arena::new(&fixture, &self.bout, &self.keep, &self.farm, registry, disk)
    }

    /// Plays the match and tells its result. Returns the verdict of the test; `None` if the match was stopped before its end.
    pub(crate) fn play(&self, registry: &Registry, out: &mut Out) -> Result<Option<SprtVerdict>, Failure> {
        let mut arena = self.arena(registry, out.disk())?;
        let mut score = Score::new(self.sprt);
        arena.run(out, &self.farm, registry, &mut |line| {
            score.add(line);
            score.verdict() != SprtVerdict::Open
        })?;
        let names = arena.names();
        let names = [names[0].as_str(), names[1].as_str()];
        let summary = MatchSummary::new(names, arena.sides(), &score, &arena.games);
        let complete = arena.is_complete() || score.verdict() != SprtVerdict::Open;
        if out.wants_json() {
            let mut object = summary.json();
            object["complete"] = json!(complete);
            out.object(&object)?;
        } else {
            write!(out, "\n{}", summary.text())?;
        }
        Ok(complete.then(|| score.verdict()))
    }
}
