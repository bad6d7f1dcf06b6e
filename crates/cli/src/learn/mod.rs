//! `learn`: values and priors from games.

mod against;
mod games;
mod read;
mod training;

use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, Subcommand};
use serde_json::{Value, json};
use stonework_farm::Digest;
use stonework_files::Disk;
use stonework_learn::{
    Fit, GameMoves, LatticeFit, LatticeNet, MoveFeatures as _, MoveSamples, MoveTargets, MoveWeights,
    Options, PositionFeatures as _, Prediction, TrainingError, TrainingFile, TrainingWatch, ValueNet,
    ValueSamples, ValueTargets, WrongCount,
};
use stonework_session::Registry;

use self::against::{Kind, MatchArgs};
use self::games::Learnable;
use self::training::{Training, Words};
use crate::failure::Failure;
use crate::help;
use crate::learned::{CACHEX, COVER, tensors};
use crate::out::{Out, is_same_file};
use crate::start::HAVANNAH;

/// Learn the value of positions and the chance of moves from games
#[derive(Args)]
#[command(long_about = help::LEARN_ABOUT, after_long_help = help::LEARN)]
pub(crate) struct Learn {
    /// The game; unless given, that of the first file
    #[arg(long, value_name = "GAME", global = true)]
    game: Option<String>,
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Learn the value of positions from the results of games
    Value(ValueArgs),
    /// Learn the chance of moves from the moves of games
    Priors(PriorArgs),
    /// Learn both with a convolutional network over the lattice: Havannah has planes for it
    Lattice(LatticeArgs),
    /// Say how well values and priors predict games
    Report(ReportArgs),
}

/// The arguments of all learning.
#[derive(Args)]
struct Lesson {
    #[command(flatten)]
    training: Training,
    #[command(flatten)]
    deciding: MatchArgs,
}

#[derive(Args)]
struct ValueArgs {
    #[command(flatten)]
    lesson: Lesson,
    /// Learn from every N-th position of a game
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=1000))]
    every: u32,
    /// The part of the search's value in what is learned; the rest is the result. Games of `match` have results alone
    #[arg(long, value_name = "X", default_value_t = 0.3, value_parser = part)]
    search: f32,
}

#[derive(Args)]
struct PriorArgs {
    #[command(flatten)]
    lesson: Lesson,
    /// The power of visits in what is learned: a search of few simulations tries many moves, and 2 says more clearly which it
    /// prefers. Games of `match` have moves alone
    #[arg(long, value_name = "X", default_value_t = 2.0, value_parser = power)]
    power: f32,
    /// Learn weights of the wide features of moves, which predict better and cost more time: Havannah has them
    #[arg(long)]
    wide: bool,
}

#[derive(Args)]
struct LatticeArgs {
    #[command(flatten)]
    lesson: Lesson,
    /// The blocks of two layers; unless given, 3 or those of --from
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=20))]
    blocks: Option<u8>,
    /// Go on from a network that `learn lattice` has written, in place of a random one; more --blocks deepen it
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Learn with the wide planes, which show more of a position and cost more time: Havannah has them. A network of the
    /// other planes is widened first
    #[arg(long)]
    wide: bool,
    /// Learn from every N-th position of a game
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    every: u32,
    /// The part of the search's value in what is learned; the rest is the result. Games of `match` have results alone
    #[arg(long, value_name = "X", default_value_t = 0.25, value_parser = part)]
    search: f32,
    /// The power of visits in what is learned. Games of `match` have moves alone
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = power)]
    power: f32,
}

#[derive(Args)]
struct ReportArgs {
    /// Files of games of `match --out`, `tournament --out` and `selfplay`, all of one game
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// A file that `learn value` has written
    #[arg(long, value_name = "FILE")]
    value: Option<PathBuf>,
    /// A file that `learn priors` has written
    #[arg(long, value_name = "FILE")]
    priors: Option<PathBuf>,
    /// A file that `learn lattice` has written
    #[arg(long, value_name = "FILE")]
    lattice: Option<PathBuf>,
}

impl Learn {
    pub(crate) fn run(&self, registry: &Registry, out: &mut Out) -> Result<(), Failure> {
        let disk = Arc::clone(out.disk());
        let files = match &self.what {
            What::Value(args) => &args.lesson.training.files,
            What::Priors(args) => &args.lesson.training.files,
            What::Lattice(args) => &args.lesson.training.files,
            What::Report(args) => &args.files,
        };
        let (found, size) = read::game_of(&*disk, files)?;
        let game = self.game.as_deref().or(found.as_deref()).unwrap_or(HAVANNAH);
        let context = Context { game: [game, &size], registry };
        match game {
            HAVANNAH => self.run_on::<stonework_havannah::Position>(&context, out),
            CACHEX => self.run_on::<stonework_cachex::Position>(&context, out),
            COVER => self.run_on::<stonework_cover::Position>(&context, out),
            other => Err(Failure::input(match registry.game(other) {
                Ok(_) => format!("the game {other} has no features to learn from"),
                Err(error) => error.to_string(),
            })),
        }
    }

    fn run_on<G: Learnable>(&self, context: &Context<'_>, out: &mut Out) -> Result<(), Failure> {
        match &self.what {
            What::Value(args) => args.run::<G>(context, out),
            What::Priors(args) => args.run::<G>(context, out),
            What::Lattice(args) => args.run::<G>(context, out),
            What::Report(args) => args.run::<G>(out),
        }
    }
}

fn values<G: Learnable>(games: &[GameMoves<G>], targets: ValueTargets) -> Result<ValueSamples, Failure> {
    let (mut features, mut samples) = (G::Positions::default(), ValueSamples::new());
    for game in games {
        game.add_values(&mut features, targets, &mut samples).map_err(Failure::input)?;
    }
    Ok(samples)
}

/// The number of a game's planes.
fn planes<G: Learnable>(wide: bool) -> Result<usize, Failure> {
    let none = || Failure::input(format!("the game {} has no planes to learn from", G::DESCRIPTION.name));
    Some(G::planes(wide)).filter(|&planes| planes > 0).ok_or_else(none)
}

/// `true` for a network of the wide planes.
fn is_wide<G: Learnable>(path: &Path, net: &LatticeNet) -> Result<bool, Failure> {
    let (own, wide, found) = (planes::<G>(false)?, planes::<G>(true)?, net.planes());
    if ![own, wide].contains(&found) {
        let error = format!("{}: {found} planes, and the game has {own} or {wide}", path.display());
        return Err(Failure::input(error));
    }
    Ok(found != own)
}

/// The positions in which neither side can win at once: elsewhere the rules say the move.
fn moves<G: Learnable>(
    games: &[GameMoves<G>],
    wide: bool,
    targets: MoveTargets,
) -> Result<MoveSamples, Failure> {
    let (mut features, mut samples) = (G::move_features(wide), MoveSamples::new());
    for game in games {
        game.add_moves(&mut features, G::is_forced, targets, &mut samples).map_err(Failure::input)?;
    }
    Ok(samples)
}

/// A network, and the bytes of its file.
fn network(disk: &dyn Disk, path: &Path) -> Result<(LatticeNet, Vec<u8>), Failure> {
    let bytes = tensors(disk, path).map_err(Failure::input)?;
    let wrong = |error| Failure::input(format!("{}: {error}", path.display()));
    Ok((LatticeNet::from_bytes(&bytes).map_err(wrong)?, bytes))
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

fn lattice_json(fit: &LatticeFit) -> Value {
    json!({
        "positions": fit.positions, "value_loss": fit.value_loss, "right": fit.right, "chance_loss": fit.chance_loss,
        "first": fit.first, "five": fit.five,
    })
}

fn lattice_text(fit: &LatticeFit) -> String {
    format!(
        "{} positions: loss of the value {:.4}, {:.1} % with the right winner; divergence of the chances {:.4}, the move is the \
         first in {:.1} %, among the first five in {:.1} %",
        fit.positions,
        fit.value_loss,
        100.0 * fit.right,
        fit.chance_loss,
        100.0 * fit.first,
        100.0 * fit.five
    )
}

fn pairs<'a>(about: &'a [(&'static str, String)]) -> Vec<(&'a str, &'a str)> {
    about.iter().map(|(name, text)| (*name, text.as_str())).collect()
}

/// The game of a training, and the registry.
struct Context<'a> {
    /// The name of the game, and the size of the board of the first file of games.
    game: [&'a str; 2],
    registry: &'a Registry,
}

impl Lesson {
    /// Learns the file by `learn`, which gets the words about the training that stand in the file, and lets a match decide if one
    /// was asked for.
    fn run<T>(
        &self,
        (kind, words): (Kind, Words<T>),
        (about, options): (&[(&'static str, String)], &Options),
        context: &Context<'_>,
        out: &mut Out,
        learn: impl FnOnce(&TrainingFile, &[(&str, &str)], TrainingWatch<'_, T>) -> Result<Vec<u8>, TrainingError>,
    ) -> Result<(), Failure> {
        let Self { training, deciding } = self;
        let deciding = deciding.deciding(context.game, training.seed, kind, context.registry, out.disk())?;
        let bytes =
            training.run((out, options.epochs), &words, |file, watch| learn(file, &pairs(about), watch))?;
        let name = training.output.display().to_string();
        deciding.map_or(Ok(()), |games| games.play((name, bytes), context.registry, out))
    }
}

impl ValueArgs {
    fn run<G: Learnable>(&self, context: &Context<'_>, out: &mut Out) -> Result<(), Failure> {
        let options = self.lesson.training.options(Options::default())?;
        let games = read::games::<G>(&**out.disk(), &self.lesson.training.files)?;
        let targets = ValueTargets { every: self.every as usize, search: self.search };
        let samples = values(&games, targets)?;
        let about = Training::about(&options, [games.len(), samples.len()])?;
        drop(games);
        let words = Words { json: fit_json, text: fit_text };
        self.lesson.run((Kind::Values, words), (&about, &options), context, out, |file, about, watch| {
            let net = file.train_value(G::Positions::default().rows(), &samples, &options, watch)?;
            Ok(net.to_bytes(about))
        })
    }
}

impl PriorArgs {
    fn run<G: Learnable>(&self, context: &Context<'_>, out: &mut Out) -> Result<(), Failure> {
        let options = self.lesson.training.options(Options::default())?;
        let games = read::games::<G>(&**out.disk(), &self.lesson.training.files)?;
        let samples = moves(&games, self.wide, MoveTargets { power: self.power })?;
        let about = Training::about(&options, [games.len(), samples.len()])?;
        drop(games);
        let weights = G::move_features(self.wide).weights();
        let words = Words { json: prediction_json, text: prediction_text };
        self.lesson.run((Kind::Priors, words), (&about, &options), context, out, |file, about, watch| {
            Ok(file.train_moves(weights, &samples, &options, watch)?.to_bytes(about))
        })
    }
}

impl LatticeArgs {
    fn run<G: Learnable>(&self, context: &Context<'_>, out: &mut Out) -> Result<(), Failure> {
        let usual = Options { epochs: 8, step: 0.002, ..Options::default() };
        let options = self.lesson.training.options(usual)?;
        let read = |path| {
            let (net, bytes) = network(&**out.disk(), path)?;
            Ok::<_, Failure>((path, net, bytes))
        };
        let from = self.from.as_deref().map(read).transpose()?;
        let games = read::games::<G>(&**out.disk(), &self.lesson.training.files)?;
        let values = ValueTargets { every: self.every as usize, search: self.search };
        let of_net = from.as_ref().map(|(path, net, _)| is_wide::<G>(path, net)).transpose()?;
        let wide = self.wide || of_net == Some(true);
        let planes = planes::<G>(wide)?;
        let samples = G::on_lattice(&games, wide, (values, MoveTargets { power: self.power }))?;
        let mut about = Training::about(&options, [games.len(), samples.len()])?;
        drop(games);
        // The file itself, if the network goes on in place.
        let mut itself = None;
        let start = match from {
            Some((path, net, bytes)) => {
                let digest = Digest::of(&bytes);
                let output = &self.lesson.training.output;
                itself = is_same_file(&**out.disk(), path, output).then_some(bytes);
                about.push(("goes on from", format!("the file with SHA-256 {digest}")));
                let (own, blocks) = (net.blocks(), self.blocks.map_or(net.blocks(), usize::from));
                if blocks < own {
                    let error = format!("--blocks {blocks}: the network of --from has {own} already");
                    return Err(Failure::input(error));
                }
                net.widened(planes).deepened(blocks, options.seed)
            }
            None => LatticeNet::random(planes, self.blocks.unwrap_or(3).into(), options.seed),
        };
        let words = Words { json: lattice_json, text: lattice_text };
        self.lesson.run((Kind::Lattice, words), (&about, &options), context, out, |file, about, watch| {
            match (file.train_lattice(start, &samples, &options, watch), itself) {
                // A run before was killed when its result was stored, and the checkpoint was not removed.
                (Err(TrainingError::Ended { .. }), Some(stored)) => Ok(stored),
                (learned, _) => Ok(learned?.to_bytes(about)),
            }
        })
    }
}

impl ReportArgs {
    fn run<G: Learnable>(&self, out: &mut Out) -> Result<(), Failure> {
        let disk = Arc::clone(out.disk());
        let wrong = |path: &Path, error: &dyn Display| Failure::input(format!("{}: {error}", path.display()));
        let read_tensors = |path: &PathBuf| tensors(&*disk, path).map_err(Failure::input);
        // A row or a weight that a file lacks counts for nothing, so a file of another game would be told as a bad one of this game.
        let net = |path: &PathBuf| {
            let net = ValueNet::from_bytes(&read_tensors(path)?).map_err(|error| wrong(path, &error))?;
            let needed = G::Positions::default().rows();
            WrongCount::check(net.rows(), needed).map_err(|error| wrong(path, &error))?;
            Ok::<_, Failure>(net)
        };
        let net = self.value.as_ref().map(net).transpose()?;
        let weights = |path: &PathBuf| {
            let weights =
                MoveWeights::from_bytes(&read_tensors(path)?).map_err(|error| wrong(path, &error))?;
            if weights.len() != G::move_features(true).weights() {
                let needed = G::move_features(false).weights();
                WrongCount::check(weights.len(), needed).map_err(|error| wrong(path, &error))?;
            }
            Ok::<_, Failure>(weights)
        };
        let weights = self.priors.as_ref().map(weights).transpose()?;
        let judge = |path| network(&*disk, path).map(|(net, _)| (path, net));
        let judge = self.lattice.as_deref().map(judge).transpose()?;
        let mut by_size: BTreeMap<u8, Vec<GameMoves<G>>> = BTreeMap::new();
        for game in read::games::<G>(&*disk, &self.files)? {
            by_size.entry(game.start.size()).or_default().push(game);
        }
        for (size, games) in by_size {
            let (mut parts, mut object) = (vec![format!("size {size}, {} games", games.len())], json!({}));
            (object["size"], object["games"]) = (size.into(), games.len().into());
            if let Some(net) = &net {
                let samples = values(&games, ValueTargets::default())?;
                let fit = net.fit(&samples, 0..samples.len());
                object["value"] = fit_json(&fit);
                parts.push(format!("value, {}", fit_text(&fit)));
            }
            if let Some(weights) = &weights {
                let wide = weights.len() == G::move_features(true).weights();
                let samples = moves(&games, wide, MoveTargets::default())?;
                let told = weights.prediction(&samples, 0..samples.len());
                object["priors"] = prediction_json(&told);
                parts.push(format!("priors, {}", prediction_text(&told)));
            }
            if let Some((path, judge)) = &judge {
                let targets = (ValueTargets::default(), MoveTargets::default());
                let samples = G::on_lattice(&games, is_wide::<G>(path, judge)?, targets)?;
                let fit = judge.fit(&samples, 0..samples.len());
                object["lattice"] = lattice_json(&fit);
                parts.push(format!("lattice, {}", lattice_text(&fit)));
            }
            if out.wants_json() {
                out.object(&object)?;
            } else {
                writeln!(out, "{}", parts.join("; "))?;
            }
        }
        Ok(())
    }
}

/// A number from 0 to 100.
fn power(text: &str) -> Result<f32, String> {
    let power: f32 = text.parse().map_err(|_| "a number from 0 to 100".to_owned())?;
    if (0.0..=100.0).contains(&power) { Ok(power) } else { Err(format!("{power} is not from 0 to 100")) }
}

/// A number from 0 to 1.
fn part(text: &str) -> Result<f32, String> {
    let part: f32 = text.parse().map_err(|_| "a number from 0 to 1".to_owned())?;
    if (0.0..=1.0).contains(&part) { Ok(part) } else { Err(format!("{part} is not from 0 to 1")) }
}
