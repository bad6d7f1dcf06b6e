//! The common part of `match` and `tournament`: arguments, the log, and a line and a record for each game.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use clap::Args;
use serde_json::{Value, json};
use stonework_arena::{
    Entrant, EntrantError, Event, FileDigest, FolderError, GameLine, Games, Log, Openings, Pace,
    RecordFolder, Terms, Won,
};
use stonework_files::{Disk, read_text};
use stonework_roster::{PlayerConfig, Roster};
use stonework_search::Limits;
use stonework_session::{AnyMove, AnyPosition, Description, Registry, Start};

use crate::arena_farm::{EventFarm, EventWords, FarmGames};
use crate::engines::{Budget, endless};
use crate::explore::ProofArgs;
use crate::failure::{Failure, say};
use crate::learned::LearnedPlayer;
use crate::out::{Out, check_writable, is_same_file};
use crate::progress::Progress;
use crate::start::{GameArgs, SwapArgs, any_size, clock, seconds, threads};

/// The arguments for the games: the board, the openings and the time.
#[derive(Args)]
pub(crate) struct BoutArgs {
    #[command(flatten)]
    game: GameArgs,
    /// Size of the board: Havannah 2 to 20, Cachex 3 to 15, Cover 1 to 10
    #[arg(long, value_name = "N", value_parser = any_size, allow_negative_numbers = true)]
    size: u64,
    #[command(flatten)]
    swap: SwapArgs<false>,
    /// Play by a clock: seconds for the game, and seconds more for each move
    #[arg(long, value_name = "T[+I]", value_parser = clock, conflicts_with = "seconds")]
    clock: Option<Pace>,
    /// Seconds beyond its time after which a player loses
    #[arg(long, value_name = "T", value_parser = seconds, default_value = "2", hide_short_help = true)]
    grace: Duration,
    /// Seconds for a program to start, or for a command without a time
    #[arg(long, value_name = "T", value_parser = seconds, default_value = "30", hide_short_help = true)]
    patience: Duration,
    /// Plies after which a game is a draw; unless given, 1000 in Cover
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), hide_short_help = true)]
    plies: Option<u32>,
    /// Openings: `random:PLIES`, `none`, or a file
    #[arg(long, value_name = "WHERE", default_value = "random:2")]
    openings: String,
    /// Games that are played at the same time
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = threads())]
    concurrency: u16,
    #[command(flatten)]
    proof: ProofArgs,
    #[command(flatten)]
    budget: Budget,
}

impl BoutArgs {
    /// The words of an event for the workers of a farm.
    ///
    /// # Errors
    /// An error if games need a file of this machine that no worker has.
    pub(crate) fn words(&self, set: &Bout, players: Vec<String>) -> Result<EventWords, Failure> {
        if self.proof.file().is_some() || self.budget.endings_file().is_some() {
            return Err(Failure::input("--farm: workers do not have the file of --certificate or --endings"));
        }
        let limits = &set.config.limits;
        let book = &set.header["book"];
        Ok(EventWords {
            stonework: env!("CARGO_PKG_VERSION").to_owned(),
            game: set.start.description().name.to_owned(),
            size: self.size,
            swap: self.swap.of(&set.start.description()),
            players,
            learned: self.budget.learned_players().iter().map(LearnedPlayer::words).collect(),
            pace: set.terms.pace.into(),
            grace: set.terms.grace,
            patience: set.terms.patience,
            plies: set.terms.max_plies,
            nodes: limits.nodes,
            simulations: limits.simulations,
            depth: limits.depth,
            memory: limits.bytes,
            threads: set.config.threads,
            seed: set.seed,
            openings: book.as_str().unwrap_or(&self.openings).to_owned(),
        })
    }
}

/// The files for the games.
#[derive(Args, Clone)]
pub(crate) struct KeepArgs {
    /// The option that names the log, for messages.
    #[arg(skip = "--out")]
    option: &'static str,
    /// Keep the games in this file; if it exists, go on from its end
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Write an SGF record of each game into this folder
    #[arg(long, value_name = "DIR")]
    sgf: Option<PathBuf>,
}

impl KeepArgs {
    /// A log that another option than `--out` names, or no log.
    pub(crate) const fn of(option: &'static str, log: Option<PathBuf>) -> Self {
        Self { option, out: log, sgf: None }
    }

    /// `true` if the arguments name a file.
    const fn is_asked(&self) -> bool {
        self.out.is_some() || self.sgf.is_some()
    }
}

/// The data of [`BoutArgs`].
pub(crate) struct Bout {
    pub(crate) start: AnyPosition,
    pub(crate) terms: Terms,
    pub(crate) roster: Roster<AnyPosition>,
    pub(crate) config: PlayerConfig,
    pub(crate) stop: Arc<AtomicBool>,
    pub(crate) threads: usize,
    pub(crate) seed: u64,
    pub(crate) openings: Openings<AnyMove>,
    /// The settings that determine the results, for the header of a log.
    pub(crate) header: Value,
}

impl BoutArgs {
    /// The players with learned files.
    pub(crate) fn learned(&self) -> &[LearnedPlayer] {
        self.budget.learned_players()
    }

    /// Puts players with learned files in the place of those of the arguments.
    pub(crate) fn set_learned(&mut self, players: Vec<LearnedPlayer>) {
        self.budget.set_learned(players);
    }

    fn start(&self, game: &Description) -> Start {
        Start { swap: self.swap.of(game), ..Start::of_size(self.size) }
    }

    /// Sets up the games. If no limit is set, and not every player has a limit of its own, a move takes at most one
    /// second.
    pub(crate) fn bout(
        &self,
        what: &str,
        limited: bool,
        registry: &Registry,
        disk: &dyn Disk,
    ) -> Result<Bout, Failure> {
        let game = self.game.of(registry)?;
        let start = game.start(&self.start(&game.description())).map_err(Failure::input)?;
        let limits = self.budget.limits();
        let stop = limits.cancel.clone().unwrap_or_default();
        let pace = match (self.clock, limits.time) {
            (Some(clock), _) => clock,
            (None, Some(time)) => Pace::Move(time),
            (None, None) if limited || self.budget.is_limited() => Pace::Own,
            (None, None) => Pace::Move(Duration::from_secs(1)),
        };
        let openings = self.openings(&start, disk)?;
        let roster = self.budget.roster(game, self.proof.load()?)?;
        let config = PlayerConfig { limits: Limits { time: None, ..limits.clone() }, ..self.budget.config() };
        let mut header = json!({
            "log": 2,
            "what": what,
            "stonework": env!("CARGO_PKG_VERSION"),
            "game": self.game.game,
            "size": self.size,
            "swap": self.swap.of(&game.description()),
            "pace": format!("{pace:?}"),
            "grace": self.grace.as_secs_f64(),
            "plies": self.plies,
            "certificate": digest(disk, self.proof.file())?,
            "endings": digest(disk, self.budget.endings_file())?,
            "nodes": limits.nodes,
            "simulations": limits.simulations,
            "depth": limits.depth,
            "memory": limits.bytes,
            "threads": config.threads,
            "openings": self.openings,
            "book": openings.digest(&start).map(|digest| format!("{digest:016x}")),
            "seed": self.budget.seed,
        });
        if !self.budget.learned().is_empty() {
            header["learned"] = json!(self.budget.learned());
        }
        let max_plies = self.plies.or(game.description().max_plies);
        let terms = Terms { pace, grace: self.grace, patience: self.patience, max_plies };
        let (threads, seed) = (self.concurrency.into(), self.budget.seed);
        Ok(Bout { start, terms, roster, config, stop, threads, seed, openings, header })
    }

    /// Refuses a picture that cannot be written, and one in the place of the log or of a file that the games need: that file would
    /// be lost.
    pub(crate) fn check_picture(
        &self,
        disk: &dyn Disk,
        (option, picture): (&str, Option<&Path>),
        log: Option<&Path>,
    ) -> Result<(), Failure> {
        let book = Openings::<AnyMove>::named(&self.openings).is_ok_and(|known| known.is_none());
        let book = book.then_some(Path::new(&self.openings));
        let (proof, endings) = (self.proof.file(), self.budget.endings_file());
        let files = [("--out", log), ("--openings", book), ("--certificate", proof), ("--endings", endings)];
        let is_taken = |file: Option<&Path>| file.zip(picture).is_some_and(|(a, b)| is_same_file(disk, a, b));
        let taken = files.into_iter().find(|(_, file)| is_taken(*file)).zip(picture);
        if let Some(((other, _), picture)) = taken {
            return Err(Failure::input(format!("{option} {}: it is the file of {other}", picture.display())));
        }
        picture.map_or(Ok(()), |picture| check_writable(disk, &format_args!("{option} "), picture))
    }

    fn openings(&self, start: &AnyPosition, disk: &dyn Disk) -> Result<Openings<AnyMove>, Failure> {
        let text = self.openings.as_str();
        if let Some(openings) =
            Openings::named(text).map_err(|e| Failure::input(format!("--openings {e}")))?
        {
            return Ok(openings);
        }
        let book = read_text(disk, Path::new(text), MAX_BOOK)
            .map_err(|e| Failure::input(format!("--openings {text}: {e}; or random:PLIES, or none")))?;
        Openings::book(&book, start).map_err(|e| Failure::input(format!("--openings {text}: {e}")))
    }
}

/// The players in the words of an event.
///
/// # Errors
/// An error if a player is a program.
fn words(entrants: &[Entrant]) -> Result<Vec<String>, Failure> {
    if let Some(program) = entrants.iter().find(|entrant| entrant.is_program()) {
        return Err(Failure::input(format!(
            "--farm: player `{}` is a program, and a farm starts none",
            program.spec()
        )));
    }
    Ok(entrants.iter().map(|entrant| entrant.spec().to_owned()).collect())
}

/// Refuses limits that no command of the protocol can pass to a program.
fn suits(entrants: &[Entrant], limits: &Limits) -> Result<(), Failure> {
    let counted = limits.nodes.is_some() || limits.simulations.is_some() || limits.depth.is_some();
    match entrants.iter().find(|entrant| entrant.is_program()) {
        Some(program) if counted => Err(Failure::input(format!(
            "player `{}`: a program can be told a time, not --nodes, --simulations or --depth; give these to \
             the other player as options",
            program.spec()
        ))),
        _ => Ok(()),
    }
}

/// The largest number of bytes of a book of openings: 64 MiB.
const MAX_BOOK: u64 = 64 << 20;

/// The digest of a file on which games depend; `None` without a file.
pub(crate) fn digest(disk: &dyn Disk, file: Option<&Path>) -> Result<Option<FileDigest>, Failure> {
    let read = |file: &Path| {
        FileDigest::of(disk, file).map_err(|e| Failure::input(format!("{}: {e}", file.display())))
    };
    file.map(read).transpose()
}

/// The number of games of a pairing, which must be even.
pub(crate) fn even(text: &str) -> Result<usize, String> {
    let games: usize = text.parse().map_err(|_| "an even number of games".to_owned())?;
    if games == 0 || games > 1_000_000 || !games.is_multiple_of(2) {
        return Err("games are played in pairs: an even number, 2 to 1000000".to_owned());
    }
    Ok(games)
}

/// The games of a command.
pub(crate) struct Fixture<'a> {
    /// The name of the command.
    pub(crate) what: &'a str,
    /// The players in the form of the command line.
    pub(crate) players: &'a [String],
    /// The number of games of each pair of players.
    pub(crate) games: usize,
    /// More fields for the header of the log.
    pub(crate) extra: &'a [(&'a str, Value)],
}

/// A match or tournament in progress.
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
    records: Option<RecordFolder>,
    /// With a farm, the words of the event, and the players whose files the workers need.
    words: Option<(EventWords, Vec<LearnedPlayer>)>,
}

impl Arena {
    /// Reads the players, opens the log, and checks that every player can take part.
    pub(crate) fn new(
        fixture: &Fixture<'_>,
        bout: &BoutArgs,
        keep: &KeepArgs,
        farm: &EventFarm,
        registry: &Registry,
        disk: &Arc<dyn Disk>,
    ) -> Result<Self, Failure> {
        let &Fixture { what, players, games, extra } = fixture;
        let game = bout.game.of(registry)?;
        let start = bout.start(&game.description());
        game.start(&start).map_err(Failure::input)?;
        let known = bout.budget.with_learned(game)?;
        let entrant = |text: &String| Entrant::parse(text, &known, &start).map_err(refused);
        let mut entrants = players.iter().map(entrant).collect::<Result<Vec<_>, Failure>>()?;
        Entrant::distinguish(&mut entrants);
        let mut set = bout.bout(what, entrants.iter().all(Entrant::is_limited), registry, &**disk)?;
        suits(&entrants, &set.config.limits)?;
        for entrant in &entrants {
            if !entrant.probe(&set.roster, &set.config, &set.terms).map_err(refused)? {
                say(format_args!(
                    "note: player `{}` does not repeat the ids of commands; an answer too many may be taken for the next one",
                    entrant.spec()
                ));
            }
        }
        set.header["players"] = json!(players);
        if entrants.iter().any(Entrant::is_program) {
            // The patience applies to programs only.
            set.header["patience"] = json!(set.terms.patience.as_secs_f64());
        }
        for (name, value) in extra {
            set.header[*name] = value.clone();
        }
        let (log, known) = open(&**disk, keep.option, keep.out.as_deref(), &set.header)?;
        let application = Some(concat!("stonework:", env!("CARGO_PKG_VERSION")));
        let folder = |folder: &PathBuf| RecordFolder::open(Arc::clone(disk), folder, application);
        let records =
            keep.sgf.as_ref().map(folder).transpose().map_err(|e| Failure::input(format!("--sgf {e}")))?;
        let openings = set.openings.list_until(&set.start, games / 2, set.seed, &set.stop);
        let openings = openings.ok_or_else(|| {
            Failure::input("stopped before the first game: the openings were not chosen yet")
        })?;
        let event = Event {
            start: set.start.clone(),
            players: entrants.len(),
            terms: set.terms,
            openings,
            seed: set.seed,
        };
        let games = event.resume(known).map_err(|e| Failure::input(format!("{}: {e}", keep.option)))?;
        if let Some(records) = &records {
            records.check(event.games(), &games).map_err(unrecorded)?;
        }
        let words = if farm.farm.is_asked()? {
            Some((bout.words(&set, words(&entrants)?)?, bout.learned().to_vec()))
        } else {
            None
        };
        let (roster, config, stop, threads) = (set.roster, set.config, set.stop, set.threads);
        let keep = keep.clone();
        Ok(Self { entrants, games, event, roster, config, stop, threads, log, keep, records, words })
    }

    /// The names of the sides.
    pub(crate) fn sides(&self) -> [&'static str; 2] {
        self.event.start.description().sides
    }

    /// The names of the players.
    pub(crate) fn names(&self) -> Vec<String> {
        self.entrants.iter().map(|entrant| entrant.name().to_owned()).collect()
    }

    /// `true` if all games are played.
    pub(crate) fn is_complete(&self) -> bool {
        self.games.len() == self.event.games()
    }

    /// Plays the missing games, stores and shows each game, and stops when `enough` returns `true`.
    pub(crate) fn run(
        &mut self,
        out: &mut Out,
        farm: &EventFarm,
        registry: &Registry,
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
        match self.words.take() {
            Some(words) => self.run_on_farm(out, farm, &words, registry, enough),
            None => self.run_here(out, enough),
        }
    }

    fn run_here(&mut self, out: &mut Out, enough: &mut dyn FnMut(&GameLine) -> bool) -> Result<(), Failure> {
        let known: Vec<usize> = self.games.iter().map(|line| line.game).collect();
        let mut progress = Progress::new("games", Some(self.event.games() as u64));
        let (entrants, stop) = (self.entrants.clone(), Arc::clone(&self.stop));
        let (roster, config) = (self.roster.clone(), self.config.clone());
        let event = self.event.clone();
        let alone = self.threads == 1;
        let mut failed = Ok(());
        let played = event.run(
            &|player| {
                let mut contestant = entrants[player].contestant(&roster, &config);
                if alone {
                    contestant.has_process();
                }
                contestant
            },
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

    /// Plays the games by the workers of a farm. A game that the log has already comes from the journal once more, and does
    /// not count twice.
    fn run_on_farm(
        &mut self,
        out: &mut Out,
        farm: &EventFarm,
        (words, learned): &(EventWords, Vec<LearnedPlayer>),
        registry: &Registry,
        enough: &mut dyn FnMut(&GameLine) -> bool,
    ) -> Result<(), Failure> {
        let mut progress = Progress::new("games", Some(self.event.games() as u64));
        let (event, stop, disk) = (self.event.clone(), Arc::clone(&self.stop), Arc::clone(out.disk()));
        let (disk, threads, stop) = (&disk, self.threads, &stop);
        let games = FarmGames { farm, words, learned, event: &event, registry, disk, threads, stop };
        let (mut failed, mut done) = (Ok(()), false);
        let played = games.run(&mut |line| {
            if !self.games.has(line.game) && !done && failed.is_ok() {
                failed = progress.aside(|| self.take(out, line));
                if failed.is_err() {
                    // The match has no result: its workers wait for the same command.
                    stop.store(true, Ordering::Relaxed);
                }
                done = enough(line);
                self.games.add(line.clone());
                progress.at(self.games.len() as u64);
            }
            done && failed.is_ok()
        });
        failed.map_err(|failure| self.unheard(failure))?;
        played
    }

    /// The failure after standard output was closed. If files have the games, the failure has a message that the
    /// games are incomplete.
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

    /// Stores and shows a game.
    fn take(&mut self, out: &mut Out, line: &GameLine) -> Result<(), Failure> {
        if let Some(log) = &mut self.log {
            log.add(line).map_err(|e| Failure::input(format!("{}: {e}", self.keep.option)))?;
        }
        self.record(line)?;
        self.show(out, line)?;
        out.flush()
    }

    fn show(&self, out: &mut Out, line: &GameLine) -> Result<(), Failure> {
        let names = line.players.map(|player| self.entrants[player].name());
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
        let reason = match line.reason.as_str() {
            "rules" => String::new(),
            // The words of a program, or of a worker of a farm.
            fault => format!(": {}", fault.replace(char::is_control, " ")),
        };
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

    /// Writes the SGF record of a game, if the arguments name a folder for records.
    fn record(&self, line: &GameLine) -> Result<(), Failure> {
        let Some(records) = &self.records else { return Ok(()) };
        let names = line.players.map(|player| self.entrants[player].spec());
        records.write(&self.event.start, line, names).map_err(unrecorded)
    }
}

/// The failure of a record that cannot be written, with the option that helps.
fn unrecorded(error: FolderError) -> Failure {
    match error {
        FolderError::Taken { .. } => {
            Failure::input(format!("{error}; give another folder to --sgf, or remove the record"))
        }
        error => Failure::input(error),
    }
}

/// The failure of a player that cannot play, with the options that help.
pub(crate) fn refused(error: EntrantError) -> Failure {
    match error {
        EntrantError::Endless { spec, name, depth } => {
            Failure::input(format!("player `{spec}`: {}", endless(depth, &name)))
        }
        error => Failure::input(error),
    }
}

/// The message about standard output that was closed before the end of the output.
pub(crate) fn unheard(done: usize, of: usize, what: &str, log: Option<&Path>) -> String {
    let then = log.map_or_else(String::new, |log| {
        format!("; they are in {}, and the same command continues there", log.display())
    });
    format!("standard output was closed after {done} of {of} {what}{then}")
}

/// Opens the log, which an option names; `None` without a file.
pub(crate) fn open<T: serde::de::DeserializeOwned>(
    disk: &dyn Disk,
    option: &str,
    path: Option<&Path>,
    header: &Value,
) -> Result<(Option<Log>, Vec<T>), Failure> {
    let Some(path) = path else { return Ok((None, Vec::new())) };
    let (log, lines) = Log::open_on(disk, path, header)
        .map_err(|e| Failure::input(format!("{option} {}: {e}", path.display())))?;
    Ok((Some(log), lines))
}
