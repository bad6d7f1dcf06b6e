//! `perft`: counts of all games to a depth.

use std::io::Write;
use std::time::Instant;

use clap::Args;
use serde_json::{Map, Value, json};
use stonework_game::{ByPlayer, Outcome, Player};
use stonework_session::{AnyPosition, Description, Registry};

use crate::failure::Failure;
use crate::help;
use crate::out::Out;
use crate::progress::Progress;
use crate::start::StartArgs;

/// Count all games of each length, with wins by side and kind
#[derive(Args)]
#[command(long_about = help::PERFT_ABOUT, after_long_help = help::PERFT)]
pub(crate) struct Perft {
    #[command(flatten)]
    start: StartArgs,
    /// Count games of every length from 1 to D
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..=2000))]
    depth: u32,
}

/// The counts at a depth.
pub(crate) struct Counts {
    pub(crate) depth: u32,
    pub(crate) nodes: u64,
    pub(crate) wins: ByPlayer<Wins>,
    pub(crate) draws: u64,
}

/// The games that a side has won. A game with several kinds of win has a number for each kind: a win of two kinds
/// counts once in the total and once in each kind.
#[derive(Clone)]
pub(crate) struct Wins {
    pub(crate) total: u64,
    kinds: Vec<u64>,
}

impl Counts {
    fn none(game: &Description, depth: u32) -> Self {
        let none = Wins { total: 0, kinds: vec![0; game.kinds.len()] };
        Self { depth, nodes: 0, wins: ByPlayer::new(none.clone(), none), draws: 0 }
    }
}

/// Counts the sequences of `depth` moves.
pub(crate) fn count(position: &AnyPosition, depth: u32) -> Counts {
    let mut counts = Counts::none(&position.description(), depth);
    let mut progress = Progress::new("games", None);
    position.perft(depth, &mut |outcome, kinds| {
        counts.nodes += 1;
        match outcome {
            Some(Outcome::Win(player)) => {
                let wins = &mut counts.wins[player];
                wins.total += 1;
                for (number, count) in wins.kinds.iter_mut().enumerate() {
                    *count += u64::from(kinds >> number & 1);
                }
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

/// The counts of a depth as a JSON object.
pub(crate) fn object(game: &Description, counts: &Counts) -> Value {
    let side = |player: Player| {
        let wins = &counts.wins[player];
        let kinds = game.kinds.iter().zip(&wins.kinds).map(|(&kind, &count)| (kind.to_owned(), json!(count)));
        let fields: Map<String, Value> = kinds.chain([("total".to_owned(), json!(wins.total))]).collect();
        (game.side(player).to_owned(), fields.into())
    };
    let wins: Map<String, Value> = Player::BOTH.map(side).into_iter().collect();
    json!({ "depth": counts.depth, "nodes": counts.nodes, "wins": wins, "draws": counts.draws })
}

/// The line above [`rows`].
pub(crate) fn heading(game: &Description) -> String {
    let columns = ["depth            nodes      draws  winner      total"].into_iter().map(str::to_owned);
    columns.chain(game.kinds.iter().map(|kind| format!("{kind:>11}"))).collect()
}

/// The rows of the table for a depth: one row for each side with a win.
pub(crate) fn rows(game: &Description, counts: &Counts) -> String {
    let winners = counts.wins.iter().filter(|(_, wins)| wins.total > 0).map(|(player, wins)| {
        let columns = [wins.total].into_iter().chain(wins.kinds.iter().copied());
        let columns = columns.map(|n| format!("{n:>10}")).collect::<Vec<_>>().join(" ");
        format!("  {:<6} {columns}", game.side(player))
    });
    let winners = winners.collect::<Vec<_>>().join(&format!("\n{:33}", ""));
    format!("{:>5} {:>16} {:>10}{winners}", counts.depth, counts.nodes, counts.draws)
}

impl Perft {
    pub(crate) fn run(&self, registry: &Registry, out: &mut Out) -> Result<(), Failure> {
        let position = self.start.play_any(registry)?.position;
        let game = position.description();
        if !out.wants_json() {
            writeln!(out, "{}", heading(&game))?;
        }
        let (since, mut all, mut over) = (Instant::now(), 0, false);
        for depth in 1..=self.depth {
            // Depths beyond the longest game have no sequences to count.
            let counts = if over { Counts::none(&game, depth) } else { count(&position, depth) };
            over = counts.nodes == 0;
            all += counts.nodes;
            if out.wants_json() {
                out.object(&object(&game, &counts))?;
            } else {
                writeln!(out, "{}", rows(&game, &counts))?;
            }
            out.flush()?;
        }
        if !out.wants_json() {
            writeln!(out, "{all} games counted in {:.2} s", since.elapsed().as_secs_f64())?;
        }
        Ok(())
    }
}
