//! `match`: games between two players.

use std::io::Write;

use clap::Args;
use serde_json::{Value, json};
use stonework_arena::{MatchSummary, Score, Sprt, SprtVerdict};
use stonework_session::Registry;

use crate::arena::{Arena, BoutArgs, Fixture, KeepArgs, even};
use crate::arena_farm::EventFarm;
use crate::failure::Failure;
use crate::help;
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
    /// Stop when a sequential test decides between two Elo differences, such as
    /// elo0=0,elo1=50,alpha=0.05,beta=0.05
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
    pub(crate) fn run(&self, registry: &Registry, out: &mut Out) -> Result<(), Failure> {
        let players = [self.a.clone(), self.b.clone()];
        let test = self.sprt.map_or(Value::Null, |test| json!(test.to_string()));
        let extra = [("sprt", test)];
        let fixture = Fixture { what: "match", players: &players, games: self.games, extra: &extra };
        let mut arena = Arena::new(&fixture, &self.bout, &self.keep, &self.farm, registry, out.disk())?;
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
            return out.object(&object);
        }
        write!(out, "\n{}", summary.text())?;
        if !complete {
            writeln!(out, "  stopped before the end; with --out, the same command goes on")?;
        }
        Ok(())
    }
}
