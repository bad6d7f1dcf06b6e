//! `perft`: counts of all games to a depth.

use std::io::Write;
use std::time::Instant;

use clap::Args;
use serde::Serialize;
use serde_json::{Value, json};
use stonework_game::{ByPlayer, Outcome, Player, perft_with};
use stonework_havannah::{Position, WinKind};
use stonework_oracle::Asked;

use crate::failure::Failure;
use crate::games::for_game;
use crate::help;
use crate::out::Out;
use crate::progress::Progress;
use crate::start::StartArgs;

/// Count all games of each length, with who has won them and how
#[derive(Args)]
#[command(long_about = help::PERFT_ABOUT, after_long_help = help::PERFT)]
pub(crate) struct Perft {
    #[command(flatten)]
    start: StartArgs,
    /// Count games of every length from 1 to this
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..=2000))]
    depth: u32,
}

/// What is counted at a depth.
#[derive(Default, Clone, Copy)]
pub(crate) struct Counts {
    pub(crate) depth: u32,
    pub(crate) nodes: u64,
    pub(crate) wins: ByPlayer<Wins>,
    pub(crate) draws: u64,
}

/// Games that a side has won; in Havannah also by kind: one with two kinds of win counts once in the total
/// and once in each kind.
#[derive(Serialize, Default, Clone, Copy)]
pub(crate) struct Wins {
    pub(crate) total: u64,
    #[serde(flatten)]
    kinds: Option<Kinds>,
}

#[derive(Serialize, Default, Clone, Copy)]
struct Kinds {
    ring: u64,
    bridge: u64,
    fork: u64,
}

/// A game that can be counted, with what it says of a win beyond who has won.
pub(crate) trait Counted: Asked {
    fn count(&self, _wins: &mut Wins) {}
}

impl Counted for stonework_cachex::Position {}

impl Counted for stonework_cover::Position {}

impl Counted for Position {
    fn count(&self, wins: &mut Wins) {
        let counted = wins.kinds.get_or_insert_default();
        let kinds = self.kinds();
        counted.ring += u64::from(kinds.contains(WinKind::Ring));
        counted.bridge += u64::from(kinds.contains(WinKind::Bridge));
        counted.fork += u64::from(kinds.contains(WinKind::Fork));
    }
}

/// Counts the sequences of `depth` moves.
pub(crate) fn count<G: Counted>(position: &G, depth: u32) -> Counts {
    let mut counts = Counts { depth, ..Counts::default() };
    let mut progress = Progress::new("games", None);
    perft_with(position, depth, |end| {
        counts.nodes += 1;
        match end.outcome() {
            Some(Outcome::Win(player)) => {
                counts.wins[player].total += 1;
                end.count(&mut counts.wins[player]);
            }
            Some(Outcome::Draw) => counts.draws += 1,
            None => {}
        }
        if counts.nodes.is_multiple_of(1 << 16) {
            progress.at(counts.nodes);
        }
    });
    counts
}

/// A depth's line of JSON.
pub(crate) fn object<G: Counted>(counts: &Counts) -> Value {
    let side = |player: Player| {
        let mut wins = counts.wins[player];
        if G::NAME == Position::NAME {
            wins.kinds.get_or_insert_default();
        }
        (G::SIDES[player.index()].to_owned(), json!(wins))
    };
    let wins: serde_json::Map<String, Value> = Player::BOTH.map(side).into_iter().collect();
    json!({ "depth": counts.depth, "nodes": counts.nodes, "wins": wins, "draws": counts.draws })
}

/// The line above [`rows`].
pub(crate) const HEADING: &str =
    "depth            nodes      draws  winner      total       ring     bridge       fork";
/// How much of it names the kinds of Havannah's wins.
const KINDS: usize = "       ring     bridge       fork".len();

/// A depth's lines of the table: one for each side that has won at all.
pub(crate) fn rows<G: Counted>(counts: &Counts) -> String {
    let winners = counts.wins.iter().filter(|(_, wins)| wins.total > 0).map(|(player, wins)| {
        let kinds = wins.kinds.map(|kinds| [kinds.ring, kinds.bridge, kinds.fork]);
        let columns = [wins.total].into_iter().chain(kinds.into_iter().flatten());
        let columns = columns.map(|n| format!("{n:>10}")).collect::<Vec<_>>().join(" ");
        format!("  {:<6} {columns}", G::SIDES[player.index()])
    });
    let winners = winners.collect::<Vec<_>>().join(&format!("\n{:33}", ""));
    format!("{:>5} {:>16} {:>10}{winners}", counts.depth, counts.nodes, counts.draws)
}

impl Perft {
    pub(crate) fn run(&self, out: &mut Out) -> Result<(), Failure> {
        for_game!(self.start.game(), self.run_as(out))
    }

    fn run_as<G: Counted>(&self, out: &mut Out) -> Result<(), Failure> {
        let position: G = self.start.play_as()?.position;
        if !out.wants_json() {
            let kinds = if G::NAME == Position::NAME { HEADING.len() } else { HEADING.len() - KINDS };
            writeln!(out, "{}", &HEADING[..kinds])?;
        }
        let (since, mut all, mut over) = (Instant::now(), 0, false);
        for depth in 1..=self.depth {
            // Beyond the longest game there is nothing to count.
            let counts = if over { Counts { depth, ..Counts::default() } } else { count(&position, depth) };
            over = counts.nodes == 0;
            all += counts.nodes;
            if out.wants_json() {
                out.object(&object::<G>(&counts))?;
            } else {
                writeln!(out, "{}", rows::<G>(&counts))?;
            }
            out.flush()?;
        }
        if !out.wants_json() {
            writeln!(out, "{all} games counted in {:.2} s", since.elapsed().as_secs_f64())?;
        }
        Ok(())
    }
}
