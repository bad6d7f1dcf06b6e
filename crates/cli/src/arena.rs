//! What `match` and `tournament` share: arguments, the log, a line and a record for each game.

use std::collections::BTreeSet;
use std::io::{self, ErrorKind, Read, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use clap::Args;
use serde_json::{Value, json};
use stonework_arena::{Event, GameLine, Games, Log, Openings, Pace, Terms, Won};
use stonework_files::{Disk, crc32, read_text, replace};
use stonework_game::{Outcome, Player, Textual};
use stonework_roster::{PlayerConfig, Roster};
use stonework_search::Limits;
use stonework_session::{AnyMove, AnyPosition, GameRecord, GameType, Registry, Start};

use crate::arena_player::{Entrant, distinguish};
use crate::engines::Budget;
use crate::explore::CertificateArgs;
use crate::failure::Failure;
use crate::out::Out;
use crate::progress::Progress;
use crate::start::{GameArgs, any_size, seconds};

/// The games: on which board, from where, how fast.
#[derive(Args)]
pub(crate) struct BoutArgs {
    #[command(flatten)]
    game: GameArgs,
    /// Cells on a side of the board: Havannah 2 to 20, Cachex 3 to 15, Cover 1 to 10
    #[arg(long, value_name = "N", value_parser = any_size, allow_negative_numbers = true)]
    size: u64,
    /// Play with the right to swap
    #[arg(long)]
    swap: bool,
    /// Play by a clock: seconds for the game, and perhaps seconds more for each move
    #[arg(long, value_name = "T[+I]", value_parser = clock, conflicts_with = "seconds")]
    clock: Option<Pace>,
    /// Seconds by which a player may overstep its time before that loses the game
    #[arg(long, value_name = "T", value_parser = seconds, default_value = "2")]
    grace: Duration,
    /// Seconds that a program may take to start, and for each command without a time; for moves, too, if no time is set
    #[arg(long, value_name = "T", value_parser = seconds, default_value = "30")]
    patience: Duration,
    /// Plies after which a game is a draw; unless given, 1000 in Cover and no limit in other games
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    plies: Option<u32>,
    /// Openings of the pairs of games: `random:PLIES`, `none`, or a file with an opening a line
    #[arg(long, value_name = "WHERE", default_value = "random:2")]
    openings: String,
    /// Games that are played at the same time
    #[arg(long, value_name = "K", default_value = "1")]
    concurrency: NonZeroUsize,
    #[command(flatten)]
    certificate: CertificateArgs,
    #[command(flatten)]
    budget: Budget,
}

/// Where the games go.
#[derive(Args, Clone)]
pub(crate) struct KeepArgs {
    /// Keep the games in this file of JSON lines; if the file exists, go on from its end
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write an SGF record of each game into this folder
    #[arg(long, value_name = "DIR")]
    sgf: Option<PathBuf>,
}

impl KeepArgs {
    /// Whether any file was asked for.
    const fn is_asked(&self) -> bool {
        self.out.is_some() || self.sgf.is_some()
    }
}

/// What [`BoutArgs`] say.
pub(crate) struct Bout {
    pub(crate) start: AnyPosition,
    pub(crate) terms: Terms,
    pub(crate) roster: Roster<AnyPosition>,
    pub(crate) config: PlayerConfig,
    pub(crate) stop: Arc<AtomicBool>,
    pub(crate) threads: usize,
    pub(crate) seed: u64,
    pub(crate) openings: Openings<AnyMove>,
    /// What the results depend on, for the header of a log.
    pub(crate) header: Value,
}

impl BoutArgs {
    fn start(&self, game: &GameType) -> Result<AnyPosition, Failure> {
        game.start(&Start { swap: self.swap, ..Start::of_size(self.size) }).map_err(Failure::input)
    }

    /// Reads a player.
    fn entrant(&self, text: &str, game: &GameType) -> Result<Entrant, Failure> {
        Entrant::parse(text, game, &self.start(game)?, self.size as u32, self.swap)
    }

    /// Sets everything up. Without any limit, and unless all players have their own, a move takes a second.
    pub(crate) fn bout(
        &self,
        what: &str,
        limited: bool,
        registry: &Registry,
        disk: &dyn Disk,
    ) -> Result<Bout, Failure> {
        let game = self.game.of(registry)?;
        let start = self.start(game)?;
        let limits = self.budget.limits();
        let stop = limits.cancel.clone().unwrap_or_default();
        let pace = match (self.clock, limits.time) {
            (Some(clock), _) => clock,
            (None, Some(time)) => Pace::Move(time),
            (None, None) if limited || self.budget.is_limited() => Pace::Own,
            (None, None) => Pace::Move(Duration::from_secs(1)),
        };
        let openings = self.openings(&start, disk)?;
        let roster = self.budget.roster(game, self.certificate.load()?);
        let config = PlayerConfig { limits: Limits { time: None, ..limits.clone() }, ..self.budget.config() };
        let header = json!({
            "log": 2,
            "what": what,
            "stonework": env!("CARGO_PKG_VERSION"),
            "game": self.game.game,
            "size": self.size,
            "swap": self.swap,
            "pace": format!("{pace:?}"),
            "grace": self.grace.as_secs_f64(),
            "plies": self.plies,
            "certificate": digest(disk, self.certificate.file())?,
            "endings": digest(disk, self.budget.endings_file())?,
            "nodes": limits.nodes,
            "simulations": limits.simulations,
            "depth": limits.depth,
            "memory": limits.bytes,
            "threads": config.threads,
            "openings": self.openings,
            "book": book_digest(&start, &openings),
            "seed": self.budget.seed,
        });
        let max_plies = self.plies.or(game.description().max_plies);
        let terms = Terms { pace, grace: self.grace, patience: self.patience, max_plies };
        let (threads, seed) = (self.concurrency.get(), self.budget.seed);
        Ok(Bout { start, terms, roster, config, stop, threads, seed, openings, header })
    }

    fn openings(&self, start: &AnyPosition, disk: &dyn Disk) -> Result<Openings<AnyMove>, Failure> {
        let text = self.openings.as_str();
        if text == "none" {
            return Ok(Openings::Random { plies: 0 });
        }
        if let Some(plies) = text.strip_prefix("random:") {
            let plies: u32 = plies.parse().ok().filter(|&plies| plies <= 100).ok_or_else(|| {
                Failure::input(format!("--openings {text}: a number of plies up to 100, as in random:2"))
            })?;
            return Ok(Openings::Random { plies });
        }
        let book = read_text(disk, Path::new(text), MAX_BOOK)
            .map_err(|e| Failure::input(format!("--openings {text}: {e}; or random:PLIES, or none")))?;
        Openings::book(&book, start).map_err(|e| Failure::input(format!("--openings {text}: {e}")))
    }
}

/// Refuses limits that a program cannot be told.
fn suits(entrants: &[Entrant], limits: &Limits) -> Result<(), Failure> {
    let counted = limits.nodes.is_some() || limits.simulations.is_some() || limits.depth.is_some();
    match entrants.iter().find(|entrant| entrant.is_program()) {
        Some(program) if counted => Err(Failure::input(format!(
            "player `{}`: a program can be told a time, not --nodes, --simulations or --depth; give these to \
             the other player as options",
            program.spec
        ))),
        _ => Ok(()),
    }
}

/// Bytes of a book of openings, at most: 64 MiB.
const MAX_BOOK: u64 = 64 << 20;

/// Tells files apart that games depend on: their length and CRC-32; `null` for none.
fn digest(disk: &dyn Disk, file: Option<&Path>) -> Result<Value, Failure> {
    let Some(file) = file else { return Ok(Value::Null) };
    let failed = |e: io::Error| Failure::input(format!("{}: {e}", file.display()));
    let (mut input, mut buffer) = (disk.open(file).map_err(failed)?, vec![0; 1 << 16]);
    let (mut bytes, mut check) = (0, 0_u32);
    loop {
        let read = input.read(&mut buffer).map_err(failed)?;
        if read == 0 {
            return Ok(json!({"bytes": bytes, "check": format!("{check:08x}")}));
        }
        bytes += read as u64;
        check = crc32(&[&check.to_le_bytes(), &buffer[..read]]);
    }
}

/// Tells books apart: FNV-1a over their moves; `null` for random openings.
fn book_digest(start: &AnyPosition, openings: &Openings<AnyMove>) -> Value {
    let Openings::Book(book) = openings else { return Value::Null };
    let text: String = book
        .iter()
        .map(|line| line.iter().map(|&mv| start.move_text(mv) + " ").collect::<String>() + "\n")
        .collect();
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    json!(format!("{:016x}", text.bytes().fold(0xcbf2_9ce4_8422_2325, step)))
}

/// A clock such as `60` or `60+1`.
fn clock(text: &str) -> Result<Pace, String> {
    let (base, more) = text.split_once('+').map_or((text, None), |(base, more)| (base, Some(more)));
    let increment = more.map_or(Ok(Duration::ZERO), seconds)?;
    Ok(Pace::Game { base: seconds(base)?, increment })
}

/// How many games a pairing has: pairs of them, so an even number.
pub(crate) fn even(text: &str) -> Result<usize, String> {
    let games: usize = text.parse().map_err(|_| "an even number of games".to_owned())?;
    if games == 0 || games > 1_000_000 || !games.is_multiple_of(2) {
        return Err("games are played in pairs: an even number, 2 to 1000000".to_owned());
    }
    Ok(games)
}

/// The games that are to be played.
pub(crate) struct Fixture<'a> {
    /// The name of the command.
    pub(crate) what: &'a str,
    /// The players as the command line has them.
    pub(crate) players: &'a [String],
    /// Games of each pair of players.
    pub(crate) games: usize,
    /// More fields for the header of the log.
    pub(crate) extra: &'a [(&'a str, Value)],
}

/// A match or tournament that is going on.
pub(crate) struct Arena {
    pub(crate) entrants: Vec<Entrant>,
    pub(crate) games: Games,
    event: Event<AnyPosition>,
    roster: Roster<AnyPosition>,
    config: PlayerConfig,
    stop: Arc<AtomicBool>,
    threads: usize,
    log: Option<Log>,
    keep: KeepArgs,
    disk: Arc<dyn Disk>,
}

impl Arena {
    /// Reads the players, opens the log, and asks every player whether it can take part.
    pub(crate) fn new(
        fixture: &Fixture<'_>,
        bout: &BoutArgs,
        keep: &KeepArgs,
        registry: &Registry,
        disk: &Arc<dyn Disk>,
    ) -> Result<Self, Failure> {
        let &Fixture { what, players, games, extra } = fixture;
        let game = bout.game.of(registry)?;
        let entrant = |text: &String| bout.entrant(text, game);
        let mut entrants = players.iter().map(entrant).collect::<Result<Vec<_>, Failure>>()?;
        distinguish(&mut entrants);
        let mut set = bout.bout(what, entrants.iter().all(Entrant::is_limited), registry, &**disk)?;
        suits(&entrants, &set.config.limits)?;
        for entrant in &entrants {
            entrant.probe(&set.roster, &set.config, &set.terms)?;
        }
        set.header["players"] = json!(players);
        if entrants.iter().any(Entrant::is_program) {
            // Nobody else has to be waited for.
            set.header["patience"] = json!(set.terms.patience.as_secs_f64());
        }
        for (name, value) in extra {
            set.header[*name] = value.clone();
        }
        let (log, known) = open(&**disk, keep.out.as_deref(), &set.header)?;
        if let Some(folder) = &keep.sgf {
            disk.make_directory(folder)
                .map_err(|e| Failure::input(format!("--sgf {}: {e}", folder.display())))?;
        }
        let openings = set.openings.list(&set.start, games / 2, set.seed);
        let event =
            Event { start: set.start, players: entrants.len(), terms: set.terms, openings, seed: set.seed };
        let mut games = Games::default();
        // Games beyond these are of a run of the same match with more of them.
        for line in known.into_iter().filter(|line: &GameLine| line.game < event.games()) {
            event.confirm(&line).map_err(|e| Failure::input(format!("--out: {e}")))?;
            if games.has(line.game) {
                return Err(Failure::input(format!("--out: game {} is there twice", line.game)));
            }
            games.add(line);
        }
        let (roster, config, stop, threads) = (set.roster, set.config, set.stop, set.threads);
        let (keep, disk) = (keep.clone(), Arc::clone(disk));
        let arena = Self { entrants, games, event, roster, config, stop, threads, log, keep, disk };
        arena.check_records()?;
        Ok(arena)
    }

    /// The names of the sides.
    pub(crate) fn sides(&self) -> [&'static str; 2] {
        self.event.start.description().sides
    }

    /// The names of the players.
    pub(crate) fn names(&self) -> Vec<String> {
        self.entrants.iter().map(|entrant| entrant.name.clone()).collect()
    }

    /// Whether all games were played.
    pub(crate) fn is_complete(&self) -> bool {
        self.games.len() == self.event.games()
    }

    /// Plays the games that are missing, keeps and shows each, until `enough` has seen enough.
    pub(crate) fn run(
        &mut self,
        out: &mut Out,
        enough: &mut dyn FnMut(&GameLine) -> bool,
    ) -> Result<(), Failure> {
        let mut done = false;
        for line in self.games.iter() {
            self.record(line)?;
            done = enough(line) || done;
        }
        if done {
            return Ok(());
        }
        let known: Vec<usize> = self.games.iter().map(|line| line.game).collect();
        let mut progress = Progress::new("games", Some(self.event.games() as u64));
        let (entrants, stop) = (self.entrants.clone(), Arc::clone(&self.stop));
        let (roster, config) = (self.roster.clone(), self.config.clone());
        let event = self.event.clone();
        let mut failed = Ok(());
        let played = event.run(
            &|player| entrants[player].contestant(&roster, &config),
            &|game| known.binary_search(&game).is_ok(),
            self.threads,
            &stop,
            &mut |line| {
                if failed.is_ok() {
                    failed = progress.aside(|| self.take(out, &line));
                }
                if enough(&line) || failed.is_err() {
                    stop.store(true, Ordering::Relaxed);
                }
                self.games.add(line);
                progress.at(self.games.len() as u64);
            },
        );
        failed.map_err(|failure| self.unheard(failure))?;
        played.map_err(Failure::input)
    }

    /// A closed standard output ends a match in which games are kept, and is told: it was not all that was asked for.
    fn unheard(&self, failure: Failure) -> Failure {
        match failure {
            Failure::Output(error) if error.kind() == ErrorKind::BrokenPipe && self.keep.is_asked() => {
                Failure::input(unheard(
                    self.games.len(),
                    self.event.games(),
                    "games",
                    self.keep.out.as_deref(),
                ))
            }
            failure => failure,
        }
    }

    /// Keeps and shows a game.
    fn take(&mut self, out: &mut Out, line: &GameLine) -> Result<(), Failure> {
        if let Some(log) = &mut self.log {
            log.add(line).map_err(|e| Failure::input(format!("--out: {e}")))?;
        }
        self.record(line)?;
        self.show(out, line)?;
        out.flush()
    }

    fn show(&self, out: &mut Out, line: &GameLine) -> Result<(), Failure> {
        let names = line.players.map(|player| self.entrants[player].name.as_str());
        let [first, second] = self.sides();
        let outcome = match line.result {
            Won::First => first,
            Won::Second => second,
            Won::Draw => "draw",
        };
        if out.wants_json() {
            let by_colour = |[one, other]: [Value; 2]| json!({first: one, second: other});
            return out.object(&json!({
                "game": line.game + 1,
                "round": line.round + 1,
                first: names[0],
                second: names[1],
                "outcome": outcome,
                "reason": line.reason,
                "plies": line.moves.len(),
                "opening": line.moves.get(..line.opening).unwrap_or(&line.moves),
                "moves": line.moves,
                "seconds": by_colour(line.seconds.map(|s| json!(s))),
                "cpu_seconds": by_colour(line.cpu_seconds.map(|s| json!(s))),
                "seeds": by_colour(line.seeds.map(|s| json!(s))),
            }));
        }
        let winner = match line.result {
            Won::First => format!("{} ({first}) wins", names[0]),
            Won::Second => format!("{} ({second}) wins", names[1]),
            Won::Draw => "a draw".to_owned(),
        };
        let reason = if line.reason == "rules" { String::new() } else { format!(": {}", line.reason) };
        writeln!(
            out,
            "game {} of {}, {} – {}, {} plies: {winner}{reason}",
            line.game + 1,
            self.event.games(),
            names[0],
            names[1],
            line.moves.len()
        )?;
        Ok(())
    }

    /// The file of a game's record.
    fn record_path(folder: &Path, game: usize) -> PathBuf {
        folder.join(format!("game-{:05}.sgf", game + 1))
    }

    /// Writes the SGF record, unless it is there. A part of it is completed; another record is an error.
    fn record(&self, line: &GameLine) -> Result<(), Failure> {
        let Some(folder) = &self.keep.sgf else { return Ok(()) };
        let path = Self::record_path(folder, line.game);
        let names = line.players.map(|player| self.entrants[player].spec.as_str());
        let round = (line.round + 1) as u32;
        let record = GameRecord {
            moves: &line.moves,
            players: names,
            result: Some(match line.result {
                Won::First => Outcome::Win(Player::First),
                Won::Second => Outcome::Win(Player::Second),
                Won::Draw => Outcome::Draw,
            }),
            resigned: line.reason == "resigned",
            comment: (!line.is_regular()).then_some(&line.reason),
            round: Some(round),
            application: Some(concat!("stonework:", env!("CARGO_PKG_VERSION"))),
        };
        let text = (self.event.start.record(&record))
            .map_err(|e| Failure::input(format!("game {} cannot be recorded: {e}", line.game + 1)))?;
        let failed = |e: io::Error| Failure::input(format!("{}: {e}", path.display()));
        let mut there = Vec::new();
        match self.disk.open(&path) {
            Ok(file) => _ = file.take(text.len() as u64 + 1).read_to_end(&mut there).map_err(failed)?,
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(failed(error)),
        }
        if there == text.as_bytes() {
            return Ok(());
        }
        if !text.as_bytes().starts_with(&there) {
            return Err(other_record(&path));
        }
        replace(&*self.disk, &path, |out| out.write_all(text.as_bytes())).map_err(failed)
    }

    /// Refuses a folder with records of games that this match has not played: they would be taken for its own.
    fn check_records(&self) -> Result<(), Failure> {
        let Some(folder) = &self.keep.sgf else { return Ok(()) };
        let played: BTreeSet<usize> = self.games.iter().map(|line| line.game).collect();
        for game in (0..self.event.games()).filter(|game| !played.contains(game)) {
            let path = Self::record_path(folder, game);
            let there =
                self.disk.look(&path).map_err(|e| Failure::input(format!("{}: {e}", path.display())))?;
            // One that a kill has left empty has nothing to lose.
            if there.is_some_and(|there| there.len > 0) {
                return Err(other_record(&path));
            }
        }
        Ok(())
    }
}

fn other_record(path: &Path) -> Failure {
    Failure::input(format!(
        "{}: the record of another game is there; give another folder to --sgf, or remove the record",
        path.display()
    ))
}

/// The message after standard output was closed in the middle.
pub(crate) fn unheard(done: usize, of: usize, what: &str, log: Option<&Path>) -> String {
    let then = log.map_or_else(String::new, |log| {
        format!("; they are in {}, and the same command continues there", log.display())
    });
    format!("standard output was closed after {done} of {of} {what}{then}")
}

/// Opens the log, if there is to be one.
pub(crate) fn open<T: serde::de::DeserializeOwned>(
    disk: &dyn Disk,
    path: Option<&Path>,
    header: &Value,
) -> Result<(Option<Log>, Vec<T>), Failure> {
    let Some(path) = path else { return Ok((None, Vec::new())) };
    let (log, lines) = Log::open_on(disk, path, header)
        .map_err(|e| Failure::input(format!("--out {}: {e}", path.display())))?;
    Ok((Some(log), lines))
}
