//! `learn`: values and priors from games.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use serde_json::{Value, json};
use stonework_arena::{GameLine, Won};
use stonework_files::{System, read_text};
use stonework_game::{Game, Outcome, Player, Textual, scatter};
use stonework_havannah::Position;
use stonework_havannah_players::{HavannahFeatures, HavannahMoves};
use stonework_learn::{
    Fit, GameMoves, MoveFeatures as _, MoveSamples, MoveWeights, Options, PositionFeatures as _, Prediction,
    ValueNet, ValueSamples, train_moves, train_value,
};

use crate::failure::Failure;
use crate::help;
use crate::out::Out;

/// Learn the value of positions and the chance of moves from games
#[derive(Args)]
#[command(long_about = help::LEARN_ABOUT, after_long_help = help::LEARN)]
pub(crate) struct Learn {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Learn the value of positions from the results of games
    Value(ValueArgs),
    /// Learn the chance of moves from the moves of games
    Priors(PriorArgs),
    /// Say how well values and priors predict games
    Report(ReportArgs),
}

#[derive(Args)]
struct Training {
    /// Files of games, as `match --out` writes them, all of one game
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The file to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// How many times each position is learned from
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=1000))]
    epochs: u32,
    /// The length of a step
    #[arg(long, value_name = "X", default_value_t = 0.03)]
    step: f32,
    /// The seed of all random choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

#[derive(Args)]
struct ValueArgs {
    #[command(flatten)]
    training: Training,
    /// Learn from every N-th position of a game
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=1000))]
    every: u32,
}

#[derive(Args)]
struct PriorArgs {
    #[command(flatten)]
    training: Training,
}

#[derive(Args)]
struct ReportArgs {
    /// Files of games, as `match --out` writes them, all of one game
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// A file that `learn value` has written
    #[arg(long, value_name = "FILE")]
    value: Option<PathBuf>,
    /// A file that `learn priors` has written
    #[arg(long, value_name = "FILE")]
    priors: Option<PathBuf>,
}

/// The largest number of bytes of a file of games: 1 GiB, the limit of a log.
const MAX_GAMES: u64 = stonework_arena::MAX_LOG;
/// The largest number of bytes of a file of tensors: 256 MiB.
const MAX_TENSORS: u64 = 256 << 20;

impl Learn {
    pub(crate) fn run(&self, out: &mut Out) -> Result<(), Failure> {
        match &self.what {
            What::Value(args) => args.run(out),
            What::Priors(args) => args.run(out),
            What::Report(args) => args.run(out),
        }
    }
}

/// The games of a file, in the order in which they were played.
fn read(path: &Path) -> Result<Vec<GameMoves<Position>>, Failure> {
    let wrong = |line: usize, what: &dyn std::fmt::Display| {
        Failure::input(format!("{}: line {line}: {what}", path.display()))
    };
    let text = read_text(&System, path, MAX_GAMES)
        .map_err(|error| Failure::input(format!("{}: {error}", path.display())))?;
    let mut lines = text.lines().enumerate().map(|(at, line)| (at + 1, line));
    let Some((_, header)) = lines.next() else { return Ok(Vec::new()) };
    let header: Value = serde_json::from_str(header).map_err(|error| wrong(1, &error))?;
    let game = header["game"].as_str().unwrap_or("no game");
    if game != "havannah" {
        return Err(wrong(1, &format!("games of {game}: only games of havannah can be learned from")));
    }
    let size = header["size"].as_u64().and_then(|size| u8::try_from(size).ok());
    let size = size.ok_or_else(|| wrong(1, &format!("the size is {}", header["size"])))?;
    let start = if header["swap"] == true { Position::with_swap(size) } else { Position::new(size) };
    let start = start.map_err(|error| wrong(1, &error))?;
    let mut games = Vec::new();
    for (at, line) in lines {
        let mut line: Value = serde_json::from_str(line).map_err(|error| wrong(at, &error))?;
        if let Some(fields) = line.as_object_mut() {
            fields.remove("check");
        }
        let line: GameLine = serde_json::from_value(line).map_err(|error| wrong(at, &error))?;
        if line.is_regular() {
            games.push(replayed(&start, &line).map_err(|error| wrong(at, &error))?);
        }
    }
    Ok(games)
}

/// A game by the rules: each move is read in its position.
fn replayed<G: Game + Textual>(start: &G, line: &GameLine) -> Result<GameMoves<G>, String> {
    let mut game = start.clone();
    let mut moves = Vec::with_capacity(line.moves.len());
    for (at, name) in line.moves.iter().enumerate() {
        let mv = game.parse_move(name).map_err(|error| format!("move {}, {name}: {error}", at + 1))?;
        game.play(mv).map_err(|error| format!("move {}, {name}: {error}", at + 1))?;
        moves.push(mv);
    }
    let outcome = match line.result {
        Won::First => Outcome::Win(Player::First),
        Won::Second => Outcome::Win(Player::Second),
        Won::Draw => Outcome::Draw,
    };
    Ok(GameMoves { start: start.clone(), moves, opening: line.opening, outcome })
}

/// All games of some files.
fn games(files: &[PathBuf]) -> Result<Vec<GameMoves<Position>>, Failure> {
    let mut all = Vec::new();
    for file in files {
        all.extend(read(file)?);
    }
    if all.is_empty() {
        return Err(Failure::input("no games in these files"));
    }
    // A fixed order without a pattern, so that the games that are held out are of all files.
    let mut mixed: Vec<(u64, GameMoves<Position>)> = (1..).map(scatter).zip(all).collect();
    mixed.sort_by_key(|(key, _)| *key);
    Ok(mixed.into_iter().map(|(_, game)| game).collect())
}

fn values(games: &[GameMoves<Position>], every: usize) -> Result<ValueSamples, Failure> {
    let (mut features, mut samples) = (HavannahFeatures::new(), ValueSamples::new());
    for game in games {
        game.add_values(&mut features, every, &mut samples).map_err(Failure::input)?;
    }
    Ok(samples)
}

/// The positions in which neither side can win at once: elsewhere the rules say the move.
fn moves(games: &[GameMoves<Position>]) -> Result<MoveSamples, Failure> {
    let (mut features, mut samples) = (HavannahMoves::new(), MoveSamples::new());
    let forced = |position: &Position| Player::BOTH.into_iter().any(|side| position.winning_count(side) > 0);
    for game in games {
        game.add_moves(&mut features, forced, &mut samples).map_err(Failure::input)?;
    }
    Ok(samples)
}

impl Training {
    fn options(&self) -> Result<Options, Failure> {
        if !(self.step > 0.0 && self.step <= 10.0) {
            return Err(Failure::input(format!(
                "--step {}: a step is more than 0 and at most 10",
                self.step
            )));
        }
        Ok(Options { epochs: self.epochs, step: self.step, seed: self.seed, ..Options::default() })
    }

    /// The words about the training in the file.
    fn about(&self, games: usize, positions: usize) -> [(&'static str, String); 4] {
        [
            ("games", games.to_string()),
            ("positions", positions.to_string()),
            ("epochs, step, seed", format!("{}, {}, {}", self.epochs, self.step, self.seed)),
            ("made by", format!("stonework {}", env!("CARGO_PKG_VERSION"))),
        ]
    }

    fn write(&self, out: &mut Out, bytes: &[u8]) -> Result<(), Failure> {
        out.replace(&"", &self.output, bytes)?;
        if !out.wants_json() {
            writeln!(out, "{}: {} bytes", self.output.display(), bytes.len())?;
        }
        Ok(())
    }
}

fn fit_json(fit: &Fit) -> Value {
    json!({"positions": fit.positions, "loss": fit.loss, "right": fit.right})
}

fn fit_text(fit: &Fit) -> String {
    format!(
        "{} positions: loss {:.4}, {:.1} % with the right winner",
        fit.positions,
        fit.loss,
        100.0 * fit.right
    )
}

fn prediction_json(told: &Prediction) -> Value {
    json!({"positions": told.positions, "loss": told.loss, "first": told.first, "five": told.five})
}

fn prediction_text(told: &Prediction) -> String {
    format!(
        "{} positions: loss {:.4}, the move is the first in {:.1} %, among the first five in {:.1} %",
        told.positions,
        told.loss,
        100.0 * told.first,
        100.0 * told.five
    )
}

/// Writes a line after an epoch; an error of the output is kept for the end.
fn tell(out: &mut Out, kept: &mut Result<(), Failure>, epoch: u32, json: &Value, text: &str) {
    if kept.is_ok() {
        *kept = if out.wants_json() {
            let mut line = json.clone();
            line["epoch"] = epoch.into();
            out.object(&line)
        } else {
            writeln!(out, "epoch {epoch}, held out {text}").map_err(Failure::from)
        };
        if kept.is_ok() {
            *kept = out.flush();
        }
    }
}

fn pairs<'a>(about: &'a [(&'static str, String)]) -> Vec<(&'a str, &'a str)> {
    about.iter().map(|(name, text)| (*name, text.as_str())).collect()
}

impl ValueArgs {
    fn run(&self, out: &mut Out) -> Result<(), Failure> {
        let options = self.training.options()?;
        let games = games(&self.training.files)?;
        let samples = values(&games, self.every as usize)?;
        let mut told = Ok(());
        let net = train_value(HavannahFeatures::new().rows(), &samples, &options, &mut |epoch, fit| {
            tell(out, &mut told, epoch, &fit_json(fit), &fit_text(fit));
        });
        told?;
        let about = self.training.about(games.len(), samples.len());
        self.training.write(out, &net.to_bytes(&pairs(&about)))
    }
}

impl PriorArgs {
    fn run(&self, out: &mut Out) -> Result<(), Failure> {
        let options = self.training.options()?;
        let games = games(&self.training.files)?;
        let samples = moves(&games)?;
        let mut told = Ok(());
        let weights = train_moves(HavannahMoves::new().weights(), &samples, &options, &mut |epoch, found| {
            tell(out, &mut told, epoch, &prediction_json(found), &prediction_text(found));
        });
        told?;
        let about = self.training.about(games.len(), samples.len());
        self.training.write(out, &weights.to_bytes(&pairs(&about)))
    }
}

/// The bytes of a file of tensors.
fn tensors(path: &Path) -> Result<Vec<u8>, Failure> {
    let wrong = |error: &dyn std::fmt::Display| Failure::input(format!("{}: {error}", path.display()));
    let bytes = std::fs::metadata(path).map_err(|error| wrong(&error))?.len();
    if bytes > MAX_TENSORS {
        return Err(wrong(&format!("{bytes} bytes, more than {MAX_TENSORS}")));
    }
    std::fs::read(path).map_err(|error| wrong(&error))
}

impl ReportArgs {
    fn run(&self, out: &mut Out) -> Result<(), Failure> {
        let games = games(&self.files)?;
        if let Some(path) = &self.value {
            let net = ValueNet::from_bytes(&tensors(path)?)
                .map_err(|error| Failure::input(format!("{}: {error}", path.display())))?;
            let samples = values(&games, 1)?;
            let fit = net.fit(&samples, 0..samples.len());
            if out.wants_json() {
                out.object(&json!({"value": fit_json(&fit)}))?;
            } else {
                writeln!(out, "value, {}", fit_text(&fit))?;
            }
        }
        if let Some(path) = &self.priors {
            let weights = MoveWeights::from_bytes(&tensors(path)?)
                .map_err(|error| Failure::input(format!("{}: {error}", path.display())))?;
            let samples = moves(&games)?;
            let told = weights.prediction(&samples, 0..samples.len());
            if out.wants_json() {
                out.object(&json!({"priors": prediction_json(&told)}))?;
            } else {
                writeln!(out, "priors, {}", prediction_text(&told))?;
            }
        }
        Ok(())
    }
}
