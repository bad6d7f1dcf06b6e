//! `perft`: counts of all games to a depth.

use std::io::Write;
use std::time::Instant;

use clap::Args;
use serde::Serialize;
use stonework_game::{ByPlayer, Game, Outcome, Player, perft_with};
use stonework_havannah::{Position, WinKind};

use crate::failure::Failure;
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
#[derive(Serialize, Default, Clone, Copy)]
pub(crate) struct Counts {
    pub(crate) depth: u32,
    pub(crate) nodes: u64,
    pub(crate) wins: Sides,
    pub(crate) draws: u64,
}

/// One for each side, by the names of the sides.
#[derive(Serialize, Default, Clone, Copy)]
pub(crate) struct Sides {
    pub(crate) white: Wins,
    pub(crate) black: Wins,
}

/// Games that a side has won. One with two kinds of win counts once in the total and once in each kind.
#[derive(Serialize, Default, Clone, Copy)]
pub(crate) struct Wins {
    pub(crate) total: u64,
    ring: u64,
    bridge: u64,
    fork: u64,
}

impl Wins {
    fn count(&mut self, position: &Position) {
        let kinds = position.kinds();
        self.total += 1;
        self.ring += u64::from(kinds.contains(WinKind::Ring));
        self.bridge += u64::from(kinds.contains(WinKind::Bridge));
        self.fork += u64::from(kinds.contains(WinKind::Fork));
    }

    const fn columns(&self) -> [u64; 4] {
        [self.total, self.ring, self.bridge, self.fork]
    }
}

/// Counts the sequences of `depth` moves.
pub(crate) fn count(position: &Position, depth: u32) -> Counts {
    let mut counts = Counts { depth, ..Counts::default() };
    let mut wins: ByPlayer<Wins> = ByPlayer::default();
    let mut progress = Progress::new("games", None);
    perft_with(position, depth, |end| {
        counts.nodes += 1;
        match end.outcome() {
            Some(Outcome::Win(player)) => wins[player].count(end),
            Some(Outcome::Draw) => counts.draws += 1,
            None => {}
        }
        if counts.nodes.is_multiple_of(1 << 16) {
            progress.at(counts.nodes);
        }
    });
    counts.wins = Sides { white: wins[Player::First], black: wins[Player::Second] };
    counts
}

/// The line above [`rows`].
pub(crate) const HEADING: &str =
    "depth            nodes      draws  winner      total       ring     bridge       fork";

/// A depth's lines of the table: one for each side that has won at all.
pub(crate) fn rows(counts: &Counts) -> String {
    let winners = [("white", &counts.wins.white), ("black", &counts.wins.black)];
    let winners = winners.into_iter().filter(|(_, wins)| wins.total > 0).map(|(name, wins)| {
        let columns = wins.columns().map(|n| format!("{n:>10}")).join(" ");
        format!("  {name:<6} {columns}")
    });
    let winners = winners.collect::<Vec<_>>().join(&format!("\n{:33}", ""));
    format!("{:>5} {:>16} {:>10}{winners}", counts.depth, counts.nodes, counts.draws)
}

impl Perft {
    pub(crate) fn run(&self, out: &mut Out) -> Result<(), Failure> {
        let position = self.start.play()?.position;
        if !out.wants_json() {
            writeln!(out, "{HEADING}")?;
        }
        let (since, mut all, mut over) = (Instant::now(), 0, false);
        for depth in 1..=self.depth {
            // Beyond the longest game there is nothing to count.
            let counts = if over { Counts { depth, ..Counts::default() } } else { count(&position, depth) };
            over = counts.nodes == 0;
            all += counts.nodes;
            if out.wants_json() {
                out.object(&counts)?;
            } else {
                writeln!(out, "{}", rows(&counts))?;
            }
            out.flush()?;
        }
        if !out.wants_json() {
            writeln!(out, "{all} games counted in {:.2} s", since.elapsed().as_secs_f64())?;
        }
        Ok(())
    }
}
