//! `playouts`: uniformly random games, counted and timed.

use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;
use cpu_time::ThreadTime;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use serde::{Serialize, Serializer};
use stonework_game::Player;
use stonework_session::{AnyPosition, Description, PlayoutRunner, RandomGame, Registry};

use crate::failure::Failure;
use crate::help;
use crate::out::Out;
use crate::progress::Progress;
use crate::start::{StartArgs, seconds};

/// Play uniformly random games, and count wins by side and kind, and games per second
#[derive(Args)]
#[command(long_about = help::PLAYOUTS_ABOUT, after_long_help = help::PLAYOUTS)]
pub(crate) struct Playouts {
    #[command(flatten)]
    start: StartArgs,
    #[command(flatten)]
    amount: Amount,
    /// Threads, each with a board and a random generator of its own
    #[arg(long, value_name = "K", default_value = "1")]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Seed of the random numbers; with --games, the same seed and threads give the same counts
    #[arg(long, value_name = "S", default_value = "1")]
    seed: u64,
}

/// How much to play.
#[derive(Args)]
#[group(required = true, multiple = false)]
struct Amount {
    /// Play for this many seconds
    #[arg(long, value_name = "T", value_parser = seconds)]
    seconds: Option<Duration>,
    /// Play this many games, split evenly between the threads
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,
}

/// When to stop.
#[derive(Clone, Copy)]
pub(crate) enum Until {
    After(Duration),
    Games(u64),
}

/// What the games came to.
#[derive(Serialize, Default)]
pub(crate) struct Counts {
    pub(crate) playouts: u64,
    pub(crate) plies: u64,
    /// Of all threads together: user and system time.
    cpu_seconds: f64,
    pub(crate) ns_per_ply: f64,
    first_wins: u64,
    second_wins: u64,
    draws: u64,
    /// In a game of several kinds of win, games whose last move made a win of each.
    #[serde(flatten)]
    kinds: Kinds,
    pub(crate) size: u8,
    threads: u16,
    seed: u64,
    /// By the clock on the wall.
    seconds: f64,
    pub(crate) per_second: f64,
}

/// The numbers of games that ended with each kind of win, by the name of the kind.
#[derive(Default)]
struct Kinds(Vec<(&'static str, u64)>);

impl Serialize for Kinds {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().copied())
    }
}

impl Counts {
    fn none(game: &Description) -> Self {
        Self { kinds: Kinds(game.kinds.iter().map(|&kind| (kind, 0)).collect()), ..Self::default() }
    }

    fn add(&mut self, other: &Self) {
        self.playouts += other.playouts;
        self.plies += other.plies;
        self.cpu_seconds += other.cpu_seconds;
        self.first_wins += other.first_wins;
        self.second_wins += other.second_wins;
        self.draws += other.draws;
        for ((_, count), (_, others)) in self.kinds.0.iter_mut().zip(&other.kinds.0) {
            *count += others;
        }
    }

    fn count(&mut self, game: RandomGame) {
        self.plies += u64::from(game.plies);
        self.won(game.winner);
        for (number, (_, count)) in self.kinds.0.iter_mut().enumerate() {
            *count += u64::from(game.kinds >> number & 1);
        }
    }

    const fn won(&mut self, winner: Option<Player>) {
        match winner {
            Some(Player::First) => self.first_wins += 1,
            Some(Player::Second) => self.second_wins += 1,
            None => self.draws += 1,
        }
    }

    /// Shares of all games: of wins of the first and of the second side and of draws, and of each kind of win.
    pub(crate) fn shares(&self) -> ([f64; 3], Vec<f64>) {
        let share = |n: u64| n as f64 / self.playouts.max(1) as f64;
        let kinds = self.kinds.0.iter().map(|&(_, count)| share(count)).collect();
        ([self.first_wins, self.second_wins, self.draws].map(share), kinds)
    }
}

/// How many games a thread plays between two looks at the clock.
const BATCH: u64 = 32;

/// What the threads share.
struct Shared {
    played: AtomicU64,
    stop: AtomicBool,
}

/// Plays games on the calling thread. Its random numbers are those of the seed, after so many jumps of
/// 2¹²⁸ numbers as the number of the thread.
fn play(
    mut runner: Box<dyn PlayoutRunner>,
    mut counts: Counts,
    (number, seed, games): (u16, u64, u64),
    shared: &Shared,
) -> Counts {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    (0..number).for_each(|_| rng.jump());
    let cpu = ThreadTime::now();
    while counts.playouts < games && !shared.stop.load(Ordering::Relaxed) {
        let batch = BATCH.min(games - counts.playouts);
        (0..batch).for_each(|_| counts.count(runner.play(&mut rng)));
        counts.playouts += batch;
        shared.played.fetch_add(batch, Ordering::Relaxed);
    }
    counts.cpu_seconds = cpu.elapsed().as_secs_f64();
    counts
}

/// Plays random games from a position that is not over.
pub(crate) fn run(root: &AnyPosition, until: Until, threads: u16, seed: u64) -> Counts {
    let shared = Shared { played: AtomicU64::new(0), stop: AtomicBool::new(false) };
    let since = Instant::now();
    let games = |number: u16| match until {
        Until::After(_) => u64::MAX,
        Until::Games(n) => n / u64::from(threads) + u64::from(u64::from(number) < n % u64::from(threads)),
    };
    let mut all = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|number| {
                let (runner, shared, games) = (root.playouts(), &shared, games(number));
                let counts = Counts::none(&root.description());
                scope.spawn(move || play(runner, counts, (number, seed, games), shared))
            })
            .collect();
        watch(&workers, until, &shared, since);
        let mut all = Counts::none(&root.description());
        for worker in workers {
            match worker.join() {
                Ok(counts) => all.add(&counts),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        all
    });
    all.seconds = since.elapsed().as_secs_f64();
    all.ns_per_ply = all.cpu_seconds * 1e9 / all.plies.max(1) as f64;
    all.per_second = all.playouts as f64 / all.seconds;
    Counts { size: root.size(), threads, seed, ..all }
}

/// Shows progress, and stops the workers when the time is over.
fn watch(workers: &[thread::ScopedJoinHandle<'_, Counts>], until: Until, shared: &Shared, since: Instant) {
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
        tell(&root.description(), &counts, out)
    }

    fn until(&self) -> Until {
        match (self.amount.seconds, self.amount.games) {
            (Some(time), _) => Until::After(time),
            (None, games) => Until::Games(games.unwrap_or(1)),
        }
    }
}

/// What came out, for a program or a person.
fn tell(game: &Description, counts: &Counts, out: &mut Out) -> Result<(), Failure> {
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
