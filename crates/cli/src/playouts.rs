//! `playouts`: uniformly random games, counted and timed.

use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;
use cpu_time::ThreadTime;
use serde::{Serialize, Serializer};
use stonework_session::{AnyPosition, Description, PlayoutCounter, PlayoutCounts, Registry};

use crate::failure::Failure;
use crate::help;
use crate::out::Out;
use crate::progress::Progress;
use crate::start::{StartArgs, seconds, seed, threads};

/// Play uniformly random games, and count wins by side and kind, and games per second
#[derive(Args)]
#[command(long_about = help::PLAYOUTS_ABOUT, after_long_help = help::PLAYOUTS)]
pub(crate) struct Playouts {
    #[command(flatten)]
    start: StartArgs,
    #[command(flatten)]
    amount: Amount,
    /// Threads, each with a board and a random generator of its own
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = threads())]
    threads: u16,
    /// Seed of the random numbers; with --games, the same seed and threads give the same counts
    #[arg(long, value_name = "SEED", default_value_t = 1, value_parser = seed, allow_negative_numbers = true)]
    seed: u64,
}

/// The amount of playouts: a time or a number of games.
#[derive(Args)]
#[group(required = true, multiple = false)]
struct Amount {
    /// Play for this many seconds
    #[arg(long, value_name = "T", value_parser = seconds, allow_negative_numbers = true)]
    seconds: Option<Duration>,
    /// Play this many games, split evenly between the threads
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,
}

/// The end of the playouts: a time or a number of games.
#[derive(Clone, Copy)]
pub(crate) enum Until {
    After(Duration),
    Games(u64),
}

/// The results of all threads together.
#[derive(Serialize)]
pub(crate) struct Figures {
    playouts: u64,
    pub(crate) plies: u64,
    /// The user time and the system time.
    cpu_seconds: f64,
    pub(crate) ns_per_ply: f64,
    first_wins: u64,
    second_wins: u64,
    draws: u64,
    #[serde(flatten, serialize_with = "kinds")]
    counts: PlayoutCounts,
    size: u8,
    threads: u16,
    seed: u64,
    /// The time by the wall clock.
    seconds: f64,
    pub(crate) per_second: f64,
}

/// The number of games with each kind of win, by the name of the kind.
fn kinds<S: Serializer>(counts: &PlayoutCounts, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(counts.kinds.iter().copied())
}

impl Figures {
    /// The shares of all games: wins of the first side, wins of the second side, and draws; then each kind of win.
    pub(crate) fn shares(&self) -> ([f64; 3], Vec<f64>) {
        let share = |games| self.counts.share(games);
        let kinds = self.counts.kinds.iter().map(|&(_, count)| share(count)).collect();
        ([self.first_wins, self.second_wins, self.draws].map(share), kinds)
    }
}

/// The number of games that a thread plays between two checks of the clock.
const BATCH: u64 = 32;

/// The state that all threads share.
struct Shared {
    played: AtomicU64,
    stop: AtomicBool,
}

/// Plays games on the calling thread: at least one batch, however short the time is, so that there are figures. Returns the counts
/// and the seconds of the processor.
fn play(mut counter: PlayoutCounter, games: u64, shared: &Shared) -> (PlayoutCounts, f64) {
    let cpu = ThreadTime::now();
    while counter.counts().games < games {
        let batch = BATCH.min(games - counter.counts().games);
        counter.play(batch);
        shared.played.fetch_add(batch, Ordering::Relaxed);
        if shared.stop.load(Ordering::Relaxed) {
            break;
        }
    }
    (counter.into_counts(), cpu.elapsed().as_secs_f64())
}

/// Plays random games from a position that is not over.
pub(crate) fn run(root: &AnyPosition, until: Until, threads: u16, seed: u64) -> Figures {
    let shared = Shared { played: AtomicU64::new(0), stop: AtomicBool::new(false) };
    let since = Instant::now();
    let games = |number: u16| match until {
        Until::After(_) => u64::MAX,
        Until::Games(n) => n / u64::from(threads) + u64::from(u64::from(number) < n % u64::from(threads)),
    };
    let (mut counts, mut cpu_seconds) = (PlayoutCounts::new(&root.description()), 0.0);
    thread::scope(|scope| {
        let start = |number| {
            let (counter, shared, games) = (PlayoutCounter::new(root, seed, number), &shared, games(number));
            scope.spawn(move || play(counter, games, shared))
        };
        let workers: Vec<_> = (0..threads).map(start).collect();
        watch(&workers, until, &shared, since);
        for worker in workers {
            let (played, spent) = worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            counts.add(&played);
            cpu_seconds += spent;
        }
    });
    let seconds = since.elapsed().as_secs_f64();
    Figures {
        playouts: counts.games,
        plies: counts.plies,
        cpu_seconds,
        ns_per_ply: cpu_seconds * 1e9 / counts.plies.max(1) as f64,
        first_wins: counts.wins.first,
        second_wins: counts.wins.second,
        draws: counts.draws,
        size: root.size(),
        threads,
        seed,
        seconds,
        per_second: counts.games as f64 / seconds,
        counts,
    }
}

/// Shows progress, and stops the workers when the time is over.
fn watch(
    workers: &[thread::ScopedJoinHandle<'_, (PlayoutCounts, f64)>],
    until: Until,
    shared: &Shared,
    since: Instant,
) {
    let mut progress = Progress::new(
        "playouts",
        match until {
            Until::Games(n) => Some(n),
            Until::After(_) => None,
        },
    );
    let mut nap = Duration::from_micros(200);
    while !workers.iter().all(thread::ScopedJoinHandle::is_finished) {
        if let Until::After(time) = until {
            let left = time.saturating_sub(since.elapsed());
            if left.is_zero() {
                shared.stop.store(true, Ordering::Relaxed);
                return;
            }
            nap = nap.min(left);
        }
        thread::sleep(nap);
        nap = (nap * 2).min(Duration::from_millis(50));
        progress.at(shared.played.load(Ordering::Relaxed));
    }
}

impl Playouts {
    pub(crate) fn run(&self, registry: &Registry, out: &mut Out) -> Result<(), Failure> {
        let root = self.start.play_any(registry)?.open()?.position;
        let counts = run(&root, self.until(), self.threads, self.seed);
        write_counts(&root.description(), &counts, out)
    }

    fn until(&self) -> Until {
        match (self.amount.seconds, self.amount.games) {
            (Some(time), _) => Until::After(time),
            (None, games) => Until::Games(games.unwrap_or(1)),
        }
    }
}

/// Prints the results as JSON or as text.
fn write_counts(game: &Description, counts: &Figures, out: &mut Out) -> Result<(), Failure> {
    if out.wants_json() {
        return out.object(counts);
    }
    let (shares, kinds) = counts.shares();
    let [first, second, draws] = shares.map(|share| format!("{:.2} %", 100.0 * share));
    let [one, other] = game.sides;
    let unit = if kinds.is_empty() { "move" } else { "stone" };
    writeln!(
        out,
        "{} random games on size {}, {} {unit}s: {:.1} a game\n\
         {:.0} games a second, {:.1} ns a {unit} ({:.2} s of CPU time in {:.2} s, threads: {})\n\
         {one} wins {first}, {other} {second}, nobody {draws}",
        counts.playouts,
        counts.size,
        counts.plies,
        counts.plies as f64 / counts.playouts.max(1) as f64,
        counts.per_second,
        counts.ns_per_ply,
        counts.cpu_seconds,
        counts.seconds,
        counts.threads,
    )?;
    if !kinds.is_empty() {
        let kinds = game.kinds.iter().zip(kinds);
        let kinds: Vec<String> =
            kinds.map(|(kind, share)| format!("a {kind} in {:.2} %", 100.0 * share)).collect();
        writeln!(out, "the last stone makes {} of all games", kinds.join(", "))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use stonework_session::Start;

    use super::*;

    /// A time that is over before a thread begins left no playout, and the nanoseconds for a ply were the time of the start.
    #[test]
    fn each_thread_plays_a_batch_however_short_the_time_is() {
        let root = Registry::standard().game("havannah").unwrap().start(&Start::of_size(3)).unwrap();
        let shared = Shared { played: AtomicU64::new(0), stop: AtomicBool::new(true) };
        for (asked, played) in [(u64::MAX, BATCH), (5, 5), (0, 0)] {
            let (counts, _) = play(PlayoutCounter::new(&root, 1, 0), asked, &shared);
            assert_eq!(counts.games, played);
        }
    }
}
