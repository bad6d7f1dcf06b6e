//! `tournament`: a round robin of several players.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use stonework_arena::{CrossTable, MOST_GAMES};
use stonework_session::Registry;

use crate::arena::{Arena, BoutArgs, Fixture, KeepArgs, even};
use crate::arena_farm::EventFarm;
use crate::failure::Failure;
use crate::help;
use crate::out::Out;

/// Let several players play a round robin, and rate them
#[derive(Args)]
#[command(long_about = help::TOURNAMENT_ABOUT, after_long_help = help::TOURNAMENT)]
pub(crate) struct Tournament {
    /// The players, each as for `match`
    #[arg(value_name = "PLAYER", required = true, num_args = 2..=64)]
    players: Vec<String>,
    /// Games of every two players, an even number
    #[arg(long, value_name = "N", default_value = "20", value_parser = even)]
    games: usize,
    /// Write the table as a picture to this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    bout: BoutArgs,
    #[command(flatten)]
    keep: KeepArgs,
    #[command(flatten)]
    farm: EventFarm,
}

impl Tournament {
    pub(crate) fn run(&self, registry: &Registry, out: &mut Out) -> Result<(), Failure> {
        let (players, games) = (&self.players, self.games);
        let all = players.len() * (players.len() - 1) / 2 * games;
        if all > MOST_GAMES {
            return Err(Failure::input(format!(
                "--games {games}: {} players have {all} games then, and at most {MOST_GAMES} are played",
                players.len()
            )));
        }
        let picture = ("--svg", self.svg.as_deref());
        self.bout.check_picture(&**out.disk(), picture, self.keep.out.as_deref())?;
        let fixture = Fixture { what: "tournament", players, games, extra: &[] };
        let mut arena = Arena::new(&fixture, &self.bout, &self.keep, &self.farm, registry, out.disk())?;
        arena.run(out, &self.farm, registry, &mut |_| false)?;
        let table = CrossTable::new(arena.names(), arena.games.iter());
        if out.wants_json() {
            let mut object = table.json();
            object["games"] = json!(arena.games.len());
            object["complete"] = json!(arena.is_complete());
            out.object(&object)?;
        } else {
            write!(out, "\n{}", table.text())?;
            if !arena.is_complete() {
                writeln!(out, "stopped before the end; with --out, the same command goes on")?;
            }
        }
        // The table is told even if its picture cannot be written.
        out.flush()?;
        let picture = |file| out.replace(&"--svg ", file, table.svg().as_bytes());
        self.svg.as_deref().map_or(Ok(()), picture)
    }
}
