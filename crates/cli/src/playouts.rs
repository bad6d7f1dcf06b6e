//! `playouts`: uniformly random games, counted and timed.

use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;
use cpu_time::ThreadTime;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use serde::Serialize;
use stonework_game::{Game, Indexed, Player};
use stonework_havannah::{PlayoutBoard, Position, WinKind};
use stonework_search::{Playout, RandomPlayout};

use crate::failure::Failure;
use crate::games::{Played, for_game};
use crate::help;
use crate::out::Out;
use crate::progress::Progress;
use crate::start::{StartArgs, seconds};

/// Play uniformly random games and count who wins, how, and how fast that goes
#[derive(Args)]
#[command(long_about = help::PLAYOUTS_ABOUT, after_long_help = help::PLAYOUTS)]
pub(crate) struct Playouts {
    #[command(flatten)]
    start: StartArgs,
    #[command(flatten)]
    amount: Amount,
    /// Threads, each with its own board and its own part of the random numbers
    #[arg(long, value_name = "K", default_value = "1")]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Where the random numbers start; with --games, the same seed and threads give the same counts
    #[arg(long, value_name = "S", default_value = "1")]
    seed: u64,
}

/// How much to play.
#[derive(Args)]
#[group(required = true, multiple = false)]
struct Amount {
    /// Play for so many seconds
    #[arg(long, value_name = "T", value_parser = seconds)]
    seconds: Option<Duration>,
    /// Play so many games, split evenly between the threads
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
#[derive(Serialize, Default, Clone, Copy)]
pub(crate) struct Counts {
    pub(crate) playouts: u64,
    pub(crate) plies: u64,
    /// Of all threads together: user and system time.
    cpu_seconds: f64,
    pub(crate) ns_per_ply: f64,
    first_wins: u64,
    second_wins: u64,
    draws: u64,
    /// In Havannah, games whose last stone made a ring, and so on.
    #[serde(flatten)]
    kinds: Option<Kinds>,
    pub(crate) size: u8,
    threads: u16,
    seed: u64,
    /// By the clock on the wall.
    seconds: f64,
    pub(crate) per_second: f64,
}

/// How many games ended with each kind of win.
#[derive(Serialize, Default, Clone, Copy)]
struct Kinds {
    ring: u64,
    bridge: u64,
    fork: u64,
}

impl Counts {
    fn add(&mut self, other: &Self) {
        self.playouts += other.playouts;
        self.plies += other.plies;
        self.cpu_seconds += other.cpu_seconds;
        self.first_wins += other.first_wins;
        self.second_wins += other.second_wins;
        self.draws += other.draws;
        if let Some(others) = other.kinds {
            let kinds = self.kinds.get_or_insert_default();
            kinds.ring += others.ring;
            kinds.bridge += others.bridge;
            kinds.fork += others.fork;
        }
    }

    const fn won(&mut self, winner: Option<Player>) {
        match winner {
            Some(Player::First) => self.first_wins += 1,
            Some(Player::Second) => self.second_wins += 1,
            None => self.draws += 1,
        }
    }

    /// Shares of all games: of white and black wins and draws, and of each kind of win.
    pub(crate) fn shares(&self) -> ([f64; 3], [f64; 3]) {
        let share = |n: u64| n as f64 / self.playouts.max(1) as f64;
        let Kinds { ring, bridge, fork } = self.kinds.unwrap_or_default();
        ([self.first_wins, self.second_wins, self.draws].map(share), [ring, bridge, fork].map(share))
    }
}

/// How many games a thread plays between two looks at the clock.
const BATCH: u64 = 32;

/// What the threads share.
struct Shared {
    played: AtomicU64,
    stop: AtomicBool,
}

/// What plays a game after the other from one position.
pub(crate) trait Runner: Send {
    /// Plays one to its end and counts it.
    fn play(&mut self, rng: &mut Xoshiro256PlusPlus, counts: &mut Counts);
}

/// Havannah's own board for random games.
pub(crate) struct Fast {
    root: PlayoutBoard,
    board: PlayoutBoard,
}

impl From<&Position> for Fast {
    fn from(position: &Position) -> Self {
        let root = PlayoutBoard::from(position);
        Self { board: root.clone(), root }
    }
}

impl Runner for Fast {
    fn play(&mut self, rng: &mut Xoshiro256PlusPlus, counts: &mut Counts) {
        self.board.copy_from(&self.root);
        let result = self.board.run(rng);
        counts.plies += u64::from(result.plies);
        counts.won(result.winner);
        let kinds = counts.kinds.get_or_insert_default();
        kinds.ring += u64::from(result.kinds.contains(WinKind::Ring));
        kinds.bridge += u64::from(result.kinds.contains(WinKind::Bridge));
        kinds.fork += u64::from(result.kinds.contains(WinKind::Fork));
    }
}

/// Any game by its rules.
pub(crate) struct Plain<G: Game> {
    root: G,
    playout: RandomPlayout<G>,
}

impl<G: Game> From<&G> for Plain<G> {
    fn from(root: &G) -> Self {
        Self { root: root.clone(), playout: RandomPlayout::new(PLIES) }
    }
}

impl<G: Indexed> Runner for Plain<G> {
    fn play(&mut self, rng: &mut Xoshiro256PlusPlus, counts: &mut Counts) {
        let value = self.playout.run(&self.root, rng);
        counts.plies += self.playout.trace().count() as u64;
        counts.won(match value {
            value if value > 0.5 => Some(Player::First),
            value if value < -0.5 => Some(Player::Second),
            _ => None,
        });
    }
}

/// Plays games on the calling thread. Its random numbers are those of the seed, after so many jumps of
/// 2¹²⁸ numbers as the number of the thread.
fn play(mut runner: Box<dyn Runner>, number: u16, seed: u64, games: u64, shared: &Shared) -> Counts {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    (0..number).for_each(|_| rng.jump());
    let mut counts = Counts::default();
    let cpu = ThreadTime::now();
    while counts.playouts < games && !shared.stop.load(Ordering::Relaxed) {
        let batch = BATCH.min(games - counts.playouts);
        (0..batch).for_each(|_| runner.play(&mut rng, &mut counts));
        counts.playouts += batch;
        shared.played.fetch_add(batch, Ordering::Relaxed);
    }
    counts.cpu_seconds = cpu.elapsed().as_secs_f64();
    counts
}

/// Plays random games from a position that is not over.
pub(crate) fn run<G: Played>(root: &G, until: Until, threads: u16, seed: u64) -> Counts {
    let shared = Shared { played: AtomicU64::new(0), stop: AtomicBool::new(false) };
    let since = Instant::now();
    let games = |number: u16| match until {
        Until::After(_) => u64::MAX,
        Until::Games(n) => n / u64::from(threads) + u64::from(u64::from(number) < n % u64::from(threads)),
    };
    let mut all = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|number| {
                let (runner, shared, games) = (root.runner(), &shared, games(number));
                scope.spawn(move || play(runner, number, seed, games, shared))
            })
            .collect();
        watch(&workers, until, &shared, since);
        let mut all = Counts::default();
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
    Counts { size: root.board_size(), threads, seed, ..all }
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

/// Plies after which a game that goes on counts as a draw; Cachex ends by itself after 343.
const PLIES: u32 = 10_000;

impl Playouts {
    pub(crate) fn run(&self, out: &mut Out) -> Result<(), Failure> {
        for_game!(self.start.game(), self.run_as(out))
    }

    fn run_as<G: Played>(&self, out: &mut Out) -> Result<(), Failure> {
        let root = self.start.play_as::<G>()?.open()?.position;
        let counts = run(&root, self.until(), self.threads, self.seed);
        tell::<G>(&counts, out)
    }

    fn until(&self) -> Until {
        match (self.amount.seconds, self.amount.games) {
            (Some(time), _) => Until::After(time),
            (None, games) => Until::Games(games.unwrap_or(1)),
        }
    }
}

/// What came out, for a program or a person.
fn tell<G: Played>(counts: &Counts, out: &mut Out) -> Result<(), Failure> {
    if out.wants_json() {
        return out.object(counts);
    }
    let (shares, kinds) = counts.shares();
    let [first, second, draws] = shares.map(|share| format!("{:.2} %", 100.0 * share));
    let [one, other] = G::SIDES;
    let unit = if counts.kinds.is_some() { "stone" } else { "move" };
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
    if counts.kinds.is_some() {
        let [ring, bridge, fork] = kinds.map(|share| format!("{:.2} %", 100.0 * share));
        writeln!(
            out,
            "the last stone makes a ring in {ring}, a bridge in {bridge}, a fork in {fork} of all games"
        )?;
    }
    Ok(())
}
