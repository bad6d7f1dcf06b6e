//! `table`: builds, verifies, queries and counts end-game tables of Cover and Cachex.

use std::fmt::Display;
use std::fs::File;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use clap::{Args, Subcommand, ValueEnum};
use serde_json::{Value as Json, json};
use stonework_cachex_players as cachex;
use stonework_cover::Repetition;
use stonework_cover_players as cover;
use stonework_endgame::{
    AnyTable, Options, SolveError, Solved, Stage, StoreError, Stored, TableBuild, Value, VerifyError,
    best_line, replies, solve, store, verify,
};
use stonework_game::text::head;
use stonework_game::{Game, Player, Textual};

use crate::engines::{bytes, interrupted, timed};
use crate::failure::Failure;
use crate::help;
use crate::out::Out;
use crate::progress::Progress;
use crate::start::{any_size, seconds, split, threads};
use crate::table_stats::Listed;

/// Solve, check and query end-game tables: exact values of positions with few stones
#[derive(Args)]
#[command(long_about = help::TABLE_ABOUT, after_long_help = help::TABLE)]
pub(crate) struct TableArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Build(Build),
    Verify(Verify),
    Query(Query),
    Stats(Stats),
}

/// Solve a table and write it to a file
#[derive(Args)]
#[command(after_long_help = help::TABLE)]
struct Build {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    means: Means,
    /// The file to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Seconds between checkpoints; saving takes at most a twentieth of the time
    #[arg(long, value_name = "T", value_parser = seconds, default_value = "60")]
    checkpoint_every: Duration,
}

/// Check every entry of a table with nothing but the rules
#[derive(Args)]
#[command(after_long_help = help::TABLE)]
struct Verify {
    #[command(flatten)]
    source: Source,
}

/// Print the value of a position and of its moves
#[derive(Args)]
#[command(after_long_help = help::TABLE)]
struct Query {
    #[command(flatten)]
    source: Source,
    /// The position: for Cover `[A08]x[A11]` or its line of five fields, for Cachex its rows or its line;
    /// unless given, the start of a game
    #[arg(long, value_name = "TEXT")]
    position: Option<String>,
    /// The side to move, if the text has none; unless given, blue in Cover, and by the number of stones in Cachex
    #[arg(long, value_name = "SIDE")]
    to_move: Option<String>,
    /// Play these moves first, separated by spaces
    #[arg(long, value_name = "MOVES", default_value = "")]
    moves: String,
}

/// Count the wins, losses and draws in a table
#[derive(Args)]
#[command(after_long_help = help::TABLE)]
struct Stats {
    #[command(flatten)]
    source: Source,
}

/// A table: in a file, or solved now.
#[derive(Args)]
struct Source {
    /// A table that `build` has written
    #[arg(value_name = "FILE", conflicts_with_all = ["size", "game", "stones", "repetition", "voluntary_shots"])]
    file: Option<PathBuf>,
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    means: Means,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Known {
    Cover,
    Cachex,
}

/// The arguments that name a table.
#[derive(Args)]
struct Which {
    /// The game
    #[arg(long, value_name = "GAME", default_value = "cover")]
    game: Known,
    /// The size: 1 to 10 for Cover, 3 or 4 for Cachex
    #[arg(long, value_name = "N", value_parser = any_size, allow_negative_numbers = true)]
    size: Option<u64>,
    /// The largest numbers of stones of the two sides (Cover), such as 2v1; 1v1 unless given
    #[arg(long, value_name = "AvB", value_parser = sides)]
    stones: Option<String>,
    /// The repetition rule (Cover): four (not the board of four plies ago) or none; four unless given
    #[arg(long, value_name = "RULE")]
    repetition: Option<Repetition>,
    /// Let a stone move lengthwise without shooting an enemy in range (Cover)
    #[arg(long)]
    voluntary_shots: bool,
}

/// Reads the numbers of stones of the two sides.
fn sides(text: &str) -> Result<String, String> {
    let counts = text.split_once('v').map(|(one, other)| [one, other].map(str::parse::<usize>));
    match counts {
        Some([Ok(_), Ok(_)]) => Ok(text.to_owned()),
        _ => Err("two numbers of stones with a `v` between them, such as 2v1".to_owned()),
    }
}

/// The resources for solving and verifying.
#[derive(Args)]
struct Means {
    /// Threads; unless given, all of the machine
    #[arg(long, value_name = "K", value_parser = threads())]
    threads: Option<u16>,
    /// Memory for solving, such as 3GiB; with too little memory, solving takes much longer
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    memory: Option<usize>,
}

impl Means {
    fn options(&self) -> Options {
        let options = Options::default();
        Options { threads: self.threads.map_or(options.threads, usize::from), bytes: self.memory }
    }
}

impl Which {
    /// The text that names the space.
    fn parameters(&self) -> Result<String, Failure> {
        let sizes = match self.game {
            Known::Cover => "1 to 10",
            Known::Cachex => "3 or 4",
        };
        let size = self.size.ok_or_else(|| {
            Failure::input(format!(
                "no table: give a FILE that `table build` has written, or --size N ({sizes})"
            ))
        })?;
        let size = u8::try_from(size)
            .map_err(|_| Failure::input(format!("no table of size {size}: sizes are {sizes}")))?;
        Ok(match self.game {
            Known::Cover => {
                let shots = if self.voluntary_shots { "+voluntary" } else { "" };
                let stones = self.stones.as_deref().unwrap_or("1v1");
                let repetition = self.repetition.unwrap_or(Repetition::FourPlies);
                format!("size {size}, {stones}, {repetition}{shots}")
            }
            Known::Cachex => {
                let rules = [
                    ("--stones", self.stones.is_some()),
                    ("--repetition", self.repetition.is_some()),
                    ("--voluntary-shots", self.voluntary_shots),
                ];
                if let Some((option, _)) = rules.into_iter().find(|&(_, given)| given) {
                    return Err(Failure::input(format!("{option}: cachex has none, cover alone")));
                }
                format!("size {size}")
            }
        })
    }
}

impl TableArgs {
    pub(crate) fn run(&self, out: &mut Out) -> Result<(), Failure> {
        match &self.what {
            What::Build(build) => match build.which.game {
                Known::Cover => build.run::<cover::Space>(out),
                Known::Cachex => build.run::<cachex::Space>(out),
            },
            What::Verify(Verify { source }) => source.run(Task::Verify, out),
            What::Query(query) => {
                query.check()?;
                query.source.run(Task::Query(query), out)
            }
            What::Stats(Stats { source }) => source.run(Task::Stats, out),
        }
    }
}

/// Makes a space from its text, in the memory of the options; a space of more than `numbers` numbers is an error.
fn space<S: Listed>(parameters: &str, options: &Options, numbers: u64) -> Result<Result<S, String>, Failure> {
    let limits = cover::SpaceLimits { numbers, bytes: options.bytes.map_or(u64::MAX, |bytes| bytes as u64) };
    let more = || format!("a table of {numbers} numbers for a space of more");
    Ok(S::named(parameters, limits).map_err(Failure::input)?.ok_or_else(more))
}

/// Solves a space by `work` in the memory that the lists of the space leave.
fn solved<S: Listed>(
    space: &S,
    options: &Options,
    work: impl FnOnce(&Options) -> Result<Solved, SolveError>,
) -> Result<Solved, SolveError> {
    let Some(limit) = options.bytes else { return work(options) };
    let lists = space.lists();
    let left = limit.saturating_sub(usize::try_from(lists).unwrap_or(usize::MAX));
    work(&Options { bytes: Some(left), ..*options }).map_err(|error| match error {
        SolveError::Memory { need, .. } => SolveError::Memory { need: need.saturating_add(lists), limit },
        error => error,
    })
}

/// Runs work with progress on standard error. Ctrl-C ends the work.
fn watched<T>(work: impl FnOnce(&mut dyn FnMut(stonework_endgame::Progress) -> ControlFlow<()>) -> T) -> T {
    let flag = interrupted();
    let mut shown: Option<(Stage, Progress)> = None;
    work(&mut |progress| {
        let bar = match &mut shown {
            Some((stage, bar)) if *stage == progress.stage => bar,
            _ => &mut shown.insert((progress.stage, Progress::new("numbers", Some(progress.of)))).1,
        };
        bar.at(progress.done);
        if flag.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })
}

impl Build {
    fn run<S: Listed>(&self, out: &mut Out) -> Result<(), Failure> {
        let clock = Instant::now();
        let build = TableBuild::open(&self.output, Arc::clone(out.disk())).map_err(Failure::input)?;
        let build = build.every(self.checkpoint_every);
        let (options, parameters) = (self.means.options(), self.which.parameters()?);
        let (done, cpu) = timed(|| -> Result<_, Failure> {
            let space = space::<S>(&parameters, &options, u64::MAX)?.map_err(Failure::input)?;
            let solved = watched(|mut watch| {
                let work = |options: &Options| build.solve(&space, S::GAME, &space, options, &mut watch);
                solved(&space, &options, work)
            });
            let solved = solved.map_err(|error| match error {
                SolveError::Stopped => {
                    let part = build.checkpoint().display();
                    Failure::input(format!("stopped; the same command goes on from {part}"))
                }
                error => Failure::input(error),
            })?;
            Ok((space, solved))
        });
        let (space, solved) = done?;
        let Solved { table, bytes: memory, linked } = solved;
        let size = build.store(S::GAME, &space, &table).map_err(Failure::input)?;
        let (found, seconds) = (table.statistics(), clock.elapsed().as_secs_f64());
        let longest = found.longest_win.into_iter().chain(found.longest_loss).map(|(plies, _)| plies).max();
        if out.wants_json() {
            return out.object(&json!({
                "game": S::GAME,
                "parameters": space.to_string(),
                "numbers": table.len(),
                "won": found.won,
                "lost": found.lost,
                "drawn": found.drawn,
                "holes": found.holes,
                "longest": longest,
                "seconds": seconds,
                "cpu_seconds": cpu,
                "memory_bytes": memory,
                "linked": linked,
                "file": self.output.display().to_string(),
                "file_bytes": size,
            }));
        }
        writeln!(out, "{} {space}: {} numbers", S::GAME, table.len())?;
        writeln!(
            out,
            "  won {}, lost {}, drawn {}, holes {}; the longest of {} plies",
            found.won,
            found.lost,
            found.drawn,
            found.holes,
            longest.unwrap_or(0)
        )?;
        let mebi = |bytes: u64| bytes as f64 / f64::from(1 << 20);
        writeln!(out, "  {seconds:.1} s, {cpu:.1} s of CPU, {:.1} MiB of memory", mebi(memory as u64))?;
        writeln!(out, "  {} has {:.1} MiB", self.output.display(), mebi(size))?;
        Ok(())
    }
}

/// A task with a table.
#[derive(Clone, Copy)]
enum Task<'a> {
    Verify,
    Query(&'a Query),
    Stats,
}

impl Source {
    fn run(&self, task: Task<'_>, out: &mut Out) -> Result<(), Failure> {
        let options = self.means.options();
        let Some(path) = &self.file else {
            let parameters = self.which.parameters()?;
            return match self.which.game {
                Known::Cover => on::<cover::Space>(&parameters, &options, None, task, out),
                Known::Cachex => on::<cachex::Space>(&parameters, &options, None, task, out),
            };
        };
        if self.means.memory.is_some() {
            return Err(Failure::input("--memory: for solving, and the table of FILE is solved"));
        }
        if self.means.threads.is_some() && !matches!(task, Task::Verify) {
            return Err(Failure::input(
                "--threads: for solving and verifying, and the table of FILE is only read",
            ));
        }
        in_file(path, &options, task, out)
    }
}

/// `true` if the beginning of a file marks the file as a table.
pub(crate) fn is_table(path: &Path) -> bool {
    File::open(path).is_ok_and(store::is_table)
}

/// Verifies the table of a file.
pub(crate) fn verify_file(path: &Path, out: &mut Out) -> Result<(), Failure> {
    in_file(path, &Options::default(), Task::Verify, out)
}

fn in_file(path: &Path, options: &Options, task: Task<'_>, out: &mut Out) -> Result<(), Failure> {
    let failed = |what: &dyn Display| Failure::input(format!("{}: {what}", path.display()));
    let opened = File::open(path).map_err(|e| failed(&e))?;
    let stored = match Stored::open(opened) {
        Err(error) if matches!(task, Task::Verify) && !error.is_unreadable() => {
            return refuted(&error, out);
        }
        stored => stored.map_err(|e| failed(&e))?,
    };
    let (game, parameters) = (stored.game().to_owned(), stored.parameters().to_owned());
    match &*game {
        cover::Space::GAME => on::<cover::Space>(&parameters, options, Some(stored), task, out),
        cachex::Space::GAME => on::<cachex::Space>(&parameters, options, Some(stored), task, out),
        other => Err(failed(&format!("a table of `{}`: cover and cachex are known", head(other)))),
    }
}

/// Runs a task with a table of a space.
fn on<S: Listed>(
    parameters: &str,
    options: &Options,
    stored: Option<Stored<File>>,
    task: Task<'_>,
    out: &mut Out,
) -> Result<(), Failure> {
    let numbers = stored.as_ref().map_or(u64::MAX, Stored::len);
    let fits = |space: &S| match &stored {
        Some(stored) if stored.len() != space.len() => {
            Err(StoreError::Space { table: stored.len(), space: space.len() }.to_string())
        }
        _ => Ok(()),
    };
    let space: S = match space(parameters, options, numbers)?.and_then(|space| fits(&space).map(|()| space)) {
        Ok(space) => space,
        Err(error) if matches!(task, Task::Verify) => return refuted(&error, out),
        Err(error) => return Err(Failure::input(error)),
    };
    let held = if let Some(stored) = stored {
        AnyTable::Stored(stored)
    } else {
        let solved =
            watched(|mut watch| solved(&space, options, |options| solve(&space, options, &mut watch)));
        AnyTable::Memory(solved.map_err(Failure::input)?.table)
    };
    match task {
        Task::Query(query) => query.answer(&space, &held, out),
        Task::Stats => space.stats(&held.into_table().map_err(Failure::input)?, out),
        Task::Verify => {
            let table = match held.into_table() {
                Err(error @ StoreError::Block { .. }) => return refuted(&error, out),
                table => table.map_err(Failure::input)?,
            };
            let clock = Instant::now();
            let (verdict, cpu) = timed(|| watched(|mut watch| verify(&space, &table, options, &mut watch)));
            match verdict {
                Err(VerifyError::Stopped) => Err(Failure::input("stopped before every entry was checked")),
                Err(error) => refuted(&error, out),
                Ok(()) if out.wants_json() => out.object(&json!({
                    "ok": true,
                    "game": S::GAME,
                    "parameters": space.to_string(),
                    "numbers": table.len(),
                    "seconds": clock.elapsed().as_secs_f64(),
                    "cpu_seconds": cpu,
                })),
                Ok(()) => {
                    let numbers = table.len();
                    let name = S::GAME;
                    writeln!(out, "{name} {space}: all {numbers} entries follow from the rules")?;
                    writeln!(out, "  {:.1} s, {cpu:.1} s of CPU", clock.elapsed().as_secs_f64())?;
                    Ok(())
                }
            }
        }
    }
}

/// Prints the error of a table that does not hold.
fn refuted(error: &dyn Display, out: &mut Out) -> Result<(), Failure> {
    if out.wants_json() {
        out.object(&json!({ "ok": false, "error": error.to_string() }))?;
    } else {
        writeln!(out, "the table does not hold: {error}")?;
    }
    out.flush()?;
    Err(Failure::Disagrees)
}

/// Moves with their values, as fields.
pub(crate) fn moves<G: Textual>(state: &G, replies: &[(G::Move, Value)]) -> Vec<Json> {
    let fields = |&(mv, value): &(G::Move, Value)| json!({ "move": state.move_text(mv), "value": value.name(), "plies": value.distance() });
    replies.iter().map(fields).collect()
}

impl Query {
    /// Refuses a side to move without a position, or beside a line of fields, which has its own.
    fn check(&self) -> Result<(), Failure> {
        let Some(side) = self.to_move.as_deref().map(head) else { return Ok(()) };
        match self.position.as_deref() {
            None => Err(Failure::input(format!("--to-move {side}: give --position"))),
            Some(text) if !text.starts_with('[') && text.contains(' ') => Err(Failure::input(format!(
                "--to-move {side}: --position `{}` has the side to move",
                head(text)
            ))),
            Some(_) => Ok(()),
        }
    }

    fn answer<S: Listed>(&self, space: &S, held: &AnyTable<File>, out: &mut Out) -> Result<(), Failure> {
        let mut state = match &self.position {
            Some(text) => space
                .read(text, self.to_move.as_deref())
                .map_err(|what| Failure::input(format!("--position `{}`: {what}", head(text))))?,
            None => space.start(),
        };
        let words: Vec<&str> =
            if S::COMMAS { self.moves.split_whitespace().collect() } else { split(&self.moves).collect() };
        for (number, text) in (1..).zip(words) {
            let refused =
                |what: &dyn Display| Failure::input(format!("move {number} ({}): {what}", head(text)));
            let mv = state.parse_move(text).map_err(|e| refused(&e))?;
            state.play(mv).map_err(|e| refused(&e))?;
        }
        let outside = || Failure::input(format!("{} is not in the table {space}", state.position_text()));
        let probe = |next: &S::State| held.probe(space, next).map_err(Failure::input);
        let value = probe(&state)?.ok_or_else(outside)?;
        let replied = replies(&state, probe)?;
        let mut next = state.clone();
        let line: Vec<String> = (best_line(&state, probe)?.into_iter())
            .map(|mv| {
                let name = next.move_text(mv);
                next.play_unchecked(mv);
                name
            })
            .collect();
        let winner = value.outcome(state.to_move()).winner().map(S::colour);
        let to_move = S::colour(state.to_move());
        if out.wants_json() {
            return out.object(&json!({
                "position": state.position_text(),
                "to_move": to_move,
                "value": value.name(),
                "plies": value.distance(),
                "winner": winner,
                "moves": moves(&state, &replied),
                "line": line,
            }));
        }
        let verdict = match (winner, value.distance()) {
            (Some(winner), Some(plies)) => format!("{winner} wins in {plies}"),
            _ => "a draw".to_owned(),
        };
        writeln!(out, "{}, {to_move} to move: {verdict}", state.position_text())?;
        for &(mv, value) in &replied {
            writeln!(out, "  {:<12} {}", state.move_text(mv), value)?;
        }
        if !line.is_empty() {
            writeln!(out, "  line: {}", line.join(" "))?;
        }
        Ok(())
    }
}

/// A side by its colour.
pub(crate) fn side(name: &str, colour: fn(Player) -> &'static str) -> Result<Player, String> {
    let known = Player::BOTH.into_iter().find(|&player| colour(player) == name);
    known.ok_or_else(|| {
        format!("`{}` is no side: {} or {}", head(name), colour(Player::First), colour(Player::Second))
    })
}
