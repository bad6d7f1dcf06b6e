//! The engines by name, with the limits and options that the commands share.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use stonework_havannah::{Move, Position};
use stonework_players::{Near, RandomGames, Threats};
use stonework_search::{AlphaBeta, Dfpn, Engine, Flat, Limits, Mcts, Minimax, Pn, Report, Settings};

use crate::failure::Failure;
use crate::progress::Progress;
use crate::start::seconds;

/// An engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Name {
    Dfpn,
    Pns,
    Pn2,
    Alphabeta,
    Minimax,
    Mcts,
}

impl Name {
    /// As on the command line.
    pub(crate) const fn text(self) -> &'static str {
        match self {
            Self::Dfpn => "dfpn",
            Self::Pns => "pns",
            Self::Pn2 => "pn2",
            Self::Alphabeta => "alphabeta",
            Self::Minimax => "minimax",
            Self::Mcts => "mcts",
        }
    }
}

/// How much a search may cost.
#[derive(Args)]
pub(crate) struct Budget {
    /// Stop after so many seconds
    #[arg(long, value_name = "T", value_parser = seconds, allow_negative_numbers = true)]
    seconds: Option<Duration>,
    /// Stop after so many positions
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Stop after so many simulations (mcts)
    #[arg(long, value_name = "N")]
    simulations: Option<u64>,
    /// Look at most so many plies ahead
    #[arg(long, value_name = "D")]
    depth: Option<u32>,
    /// Memory for tables and trees, such as 512MiB or 4GiB
    #[arg(long, value_name = "BYTES", default_value = "256MiB", value_parser = bytes)]
    memory: usize,
    /// Threads (dfpn, alphabeta, mcts); the answer is the same in every run only with one
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Where all random choices come from
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub(crate) seed: u64,
}

impl Budget {
    /// Whether anything but memory limits the search.
    pub(crate) const fn is_limited(&self) -> bool {
        self.seconds.is_some() || self.nodes.is_some() || self.simulations.is_some() || self.depth.is_some()
    }

    /// The limits, with a flag that Ctrl-C sets.
    pub(crate) fn limits(&self) -> Limits {
        let flag = Arc::new(AtomicBool::new(false));
        let set = Arc::clone(&flag);
        // Where no handler can be set, Ctrl-C ends the program as usual.
        let _ = ctrlc::set_handler(move || set.store(true, Ordering::Relaxed));
        let mut limits = Limits::none().bytes(self.memory).cancel(flag);
        limits.time = self.seconds;
        limits.nodes = self.nodes;
        limits.simulations = self.simulations;
        limits.depth = self.depth;
        limits
    }

    fn threads(&self) -> NonZeroUsize {
        NonZeroUsize::new(self.threads.into()).unwrap_or(NonZeroUsize::MIN)
    }

    /// The df-pn solver, which can also prove.
    pub(crate) fn dfpn(&self) -> Dfpn<Threats> {
        Dfpn::with(Threats).threads(self.threads())
    }

    /// An engine by name.
    pub(crate) fn engine(&self, name: Name) -> Result<Box<dyn Engine<Position>>, Failure> {
        if self.threads > 1 && matches!(name, Name::Pns | Name::Pn2 | Name::Minimax) {
            return Err(Failure::input(format!("--threads {}: {} has one", self.threads, name.text())));
        }
        if self.simulations.is_some() && name != Name::Mcts {
            return Err(Failure::input(format!("--simulations: {} makes none", name.text())));
        }
        Ok(match name {
            Name::Dfpn => Box::new(self.dfpn()),
            Name::Pns => Box::new(Pn::with(Threats)),
            Name::Pn2 => Box::new(Pn::with(Threats).squared(|nodes| nodes.max(1000))),
            Name::Minimax => Box::new(Minimax::new(Flat)),
            Name::Alphabeta => {
                let builder = AlphaBeta::builder(Flat).order(Near).table_bytes(self.memory);
                Box::new(builder.threads(self.threads().get()).build().map_err(Failure::input)?)
            }
            Name::Mcts => {
                let settings = Settings::with_rave().threads(self.threads().get()).bytes(self.memory);
                let mcts = Mcts::new(settings, RandomGames::new()).map_err(Failure::input)?;
                Box::new(mcts.tactics(Threats))
            }
        })
    }
}

/// A search and the processor's time that it took.
pub(crate) fn run(
    engine: &mut dyn Engine<Position>,
    root: &Position,
    limits: &Limits,
    seed: u64,
) -> (Report<Move>, f64) {
    let mut progress = Progress::new("nodes", limits.nodes);
    let (cpu, since) = (cpu_time::ProcessTime::try_now(), Instant::now());
    let report = engine.search(root, limits, seed, &mut |report| progress.at(report.nodes));
    // Where the processor's time cannot be had, that of the clock.
    let spent = cpu.and_then(|cpu| cpu.try_elapsed()).unwrap_or_else(|_| since.elapsed());
    (report, spent.as_secs_f64())
}

/// A number of bytes: digits, and KiB, MiB or GiB if they follow.
fn bytes(text: &str) -> Result<usize, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit: usize = match &text[digits.len()..] {
        "" | "B" => 1,
        "KiB" => 1 << 10,
        "MiB" => 1 << 20,
        "GiB" => 1 << 30,
        other => return Err(format!("no unit `{other}`: KiB, MiB or GiB")),
    };
    let number: usize = digits.parse().map_err(|_| "a number of bytes, such as 512MiB".to_owned())?;
    number.checked_mul(unit).ok_or_else(|| "more bytes than there can be".to_owned())
}
